//! The naming convention: the ending of a node's name determines its role.

use unicode_normalization::UnicodeNormalization;

/// The role of a node, determined by the suffix of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// No known suffix: a mesh, a light, or just a parent.
    Plain,
    /// `-room`
    Room,
    /// `-roomgroup`
    RoomGroup,
    /// `-portal`
    Portal,
    /// `-bound`
    Bound,
    /// `-colonly`
    ColOnly,
    /// `-nocol`
    NoCol,
    /// `-sky`
    Sky,
    /// `-spawn`
    Spawn,
    /// `-door`
    Door,
    /// `-mover`
    Mover,
    /// `-body`
    Body,
    /// `-trigger`
    Trigger,
    /// `-switch`
    Switch,
    /// `-spawner`
    Spawner,
    /// `-joint`
    Joint,
}

/// Words after an ending that do not change the role of the node.
const REMARKS: [&str; 12] = [
    "old", "new", "copy", "backup", "bak", "tmp", "temp", "test", "final", "unused", "left",
    "right",
];
/// Another common word for a spawn.
const START: &str = "start";

/// Godot's endings, with the corresponding roles.
const OF_GODOT: [(&str, Role); 2] = [("convcolonly", Role::ColOnly), ("rigid", Role::Body)];

/// Our endings, without their hyphens, with their roles.
const ENDINGS: [(&str, Role); 15] = [
    ("room", Role::Room),
    ("roomgroup", Role::RoomGroup),
    ("portal", Role::Portal),
    ("bound", Role::Bound),
    ("colonly", Role::ColOnly),
    ("nocol", Role::NoCol),
    ("sky", Role::Sky),
    ("spawn", Role::Spawn),
    ("door", Role::Door),
    ("mover", Role::Mover),
    ("body", Role::Body),
    ("trigger", Role::Trigger),
    ("switch", Role::Switch),
    ("spawner", Role::Spawner),
    ("joint", Role::Joint),
];

impl Role {
    /// The ending of the role, with its hyphen; empty for [`Role::Plain`].
    pub(crate) fn ending(self) -> String {
        let ending = ENDINGS.iter().find(|(_, role)| *role == self);
        ending.map_or_else(String::new, |(ending, _)| format!("-{ending}"))
    }
}

/// The role of a node, and its name without the ignored parts.
///
/// The ignored parts are the suffix itself, the number that Blender appends to a name that is already in use (`.001`), and
/// everything from `*` on. `stairs*2-portal.001` becomes `stairs`.
pub(crate) fn parse(name: &str) -> (Role, &str) {
    let name = without_number(name.trim());
    let with_suffix = split_role(name).or_else(|| {
        let (before_star, _) = name.rsplit_once('*')?;
        split_role(without_number(before_star))
    });
    let (base, role) = with_suffix.unwrap_or((name, Role::Plain));
    let base = base.split('*').next().unwrap_or("");
    (role, without_number(base.trim()))
}

/// The text in Unicode normalisation form C, in which equal letters are equal text, however a keyboard or a file system
/// encodes them.
pub(crate) fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// A node's name without its ending and the other ignored parts.
pub(crate) fn plain_name(name: &str) -> &str {
    parse(name).1
}

/// The name of a portal or a plain node, without the ignored parts. Any other name is returned unchanged.
pub(crate) fn portal_stem(name: &str) -> &str {
    match parse(name) {
        (Role::Portal | Role::Plain, stem) => stem,
        _ => name,
    }
}

/// The part before the last `-` and the role, if the part after it is a known suffix in upper or lower case.
fn split_role(name: &str) -> Option<(&str, Role)> {
    let (base, suffix) = name.rsplit_once('-')?;
    let suffix = suffix.to_ascii_lowercase();
    let (_, role) = ENDINGS.iter().find(|(ending, _)| *ending == suffix)?;
    Some((base, *role))
}

/// The role and the base name that a name probably means although it does not follow the convention. `None` for a name
/// that follows it, or that resembles no ending.
pub(crate) fn almost(name: &str) -> Option<(Role, &str)> {
    if parse(name).0 != Role::Plain {
        return None;
    }
    let name = words(name);
    if let Some(found) = with_ending(name) {
        return Some(found);
    }
    if let Some(found) = before_remark(name) {
        return Some(found);
    }
    let (first, after) = name.split_once(is_between)?;
    Some((role_like(first)?, after.trim_start_matches(is_between)))
}

/// Whether a name has a remark after its ending, as names of copies and left-over nodes have.
pub(crate) fn has_remark(name: &str) -> bool {
    before_remark(words(name)).is_some()
}

/// The part of a name that is not ignored.
fn words(name: &str) -> &str {
    let name = without_number(name.trim());
    let name = without_number(name.split('*').next().unwrap_or("").trim());
    name.trim_end_matches(is_between)
}

fn is_between(c: char) -> bool {
    matches!(c, '-' | '_' | ' ' | '.')
}

/// The role and the preceding words, if the last word of a name is an ending, or almost one.
fn with_ending(name: &str) -> Option<(Role, &str)> {
    // Example: room2.
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let at = match name.rfind(is_between) {
        Some(at) => at + 1,
        // Example: HallRoom.
        None => name.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0),
    };
    let (before, last) = name.split_at(at);
    let before = before.trim_end_matches(is_between);
    // These endings may also be glued to another word, because no other English word ends with them.
    let lower = last.to_ascii_lowercase();
    let is_glued = |ending: &&str| lower.ends_with(ending) && lower != *ending;
    let glued = ["portal", "spawn"].into_iter().find(is_glued);
    match (role_like(last), glued) {
        (Some(role), glued) if glued.is_none() || !before.is_empty() => Some((role, before)),
        (_, glued) => {
            let ending = glued?;
            Some((role_like(ending)?, &name[..name.len() - ending.len()]))
        }
    }
}

/// The role and the base name, if the last word of a name is a remark.
fn before_remark(name: &str) -> Option<(Role, &str)> {
    let found = without_remark(name).and_then(with_ending);
    found.filter(|(_, base)| !base.is_empty())
}

/// A name without its last word, if that word is a remark or a number.
fn without_remark(name: &str) -> Option<&str> {
    let at = name.rfind(is_between)?;
    let last = name[at + 1..].trim_matches(['(', ')']).to_ascii_lowercase();
    let number = last.strip_prefix('v').unwrap_or(&last);
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let is_remark = is_number || REMARKS.contains(&last.as_str());
    is_remark.then(|| name[..at].trim_end_matches(is_between))
}

/// The role whose ending is this word, or almost this word.
fn role_like(word: &str) -> Option<Role> {
    let word = word.to_ascii_lowercase();
    if word == START {
        return Some(Role::Spawn);
    }
    let near = |(ending, _): &(&str, Role)| {
        let is_plural = word.strip_suffix('s') == Some(*ending);
        word == *ending || is_plural || ending.len() >= 4 && is_typo(&word, ending)
    };
    let of_godot = OF_GODOT.iter().find(|(ending, _)| word == *ending);
    let own = ENDINGS.iter().find(|role| near(role));
    own.or(of_godot).map(|(_, role)| *role)
}

/// Whether two words differ by one letter, or by two swapped neighbouring letters.
pub(crate) fn is_typo(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    match (a, b) {
        ([x, y, a @ ..], [v, w, b @ ..]) if (x, y) == (w, v) => a == b,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([_, a @ ..], b) if a == b => true,
        (a, [_, b @ ..]) => a == b,
        _ => false,
    }
}

/// The name without the number (`.001`, three digits or more) that Blender appends to keep names unique.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((base, digits)) if digits.len() >= 3 && digits.bytes().all(|b| b.is_ascii_digit()) => {
            base
        }
        _ => name,
    }
}

/// If a name is almost that of a door, the name with the ending of doors.
pub(crate) fn meant_door(name: &str) -> Option<String> {
    match almost(name)? {
        (Role::Door, base) => Some(format!("{base}{}", Role::Door.ending())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_without_suffix_number_and_star() {
        let cases = [
            ("hall-room", Role::Room, "hall"),
            ("b-room.001", Role::Room, "b"),
            ("b.002-room.001", Role::Room, "b"),
            ("upper hall-room", Role::Room, "upper hall"),
            ("two-words-room", Role::Room, "two-words"),
            ("hall-room*2", Role::Room, "hall"),
            ("s50*0-portal", Role::Portal, "s50"),
            ("s50*0-portal.001", Role::Portal, "s50"),
            ("s50*1-portal*2", Role::Portal, "s50"),
            ("b-portal.1000", Role::Portal, "b"),
            ("-portal", Role::Portal, ""),
            ("*x-portal", Role::Portal, ""),
            ("-portal.001", Role::Portal, ""),
            ("pillar-colonly", Role::ColOnly, "pillar"),
            ("Pillar-ColOnly", Role::ColOnly, "Pillar"),
            ("lamp-nocol.012", Role::NoCol, "lamp"),
            ("court-sky*2", Role::Sky, "court"),
            ("hall-bound", Role::Bound, "hall"),
            ("floor1-roomgroup", Role::RoomGroup, "floor1"),
            ("player-spawn", Role::Spawn, "player"),
            ("oak-door", Role::Door, "oak"),
        ];
        for (name, role, base) in cases {
            assert_eq!(parse(name), (role, base), "{name}");
        }
    }

    #[test]
    fn names_that_almost_follow_the_convention_are_known() {
        let cases = [
            ("hall_room", Role::Room, "hall"),
            ("hall-rooms", Role::Room, "hall"),
            ("hall room.001", Role::Room, "hall"),
            ("HallRoom", Role::Room, "Hall"),
            ("Room_hall", Role::Room, "hall"),
            ("oak_door", Role::Door, "oak"),
            ("study_portal", Role::Portal, "study"),
            ("Portal-hall", Role::Portal, "hall"),
            ("study-protal", Role::Portal, "study"),
            ("study-portl", Role::Portal, "study"),
            ("study-porttal.001", Role::Portal, "study"),
            ("upper hall_room", Role::Room, "upper hall"),
            ("pillar_colonly", Role::ColOnly, "pillar"),
            ("spawn", Role::Spawn, ""),
            ("study-portal-old", Role::Portal, "study"),
            ("study-portal_copy", Role::Portal, "study"),
            ("study-portal (1)", Role::Portal, "study"),
            ("study-portal001", Role::Portal, "study"),
            ("study-portal-", Role::Portal, "study"),
            ("studyportal", Role::Portal, "study"),
            ("study-room_v2", Role::Room, "study"),
            ("study-room2", Role::Room, "study"),
            ("Room-2", Role::Room, "2"),
            ("garden-dor", Role::Door, "garden"),
            ("playerspawn", Role::Spawn, "player"),
            ("Player_Start", Role::Spawn, "Player"),
            ("wall-convcolonly", Role::ColOnly, "wall"),
            ("crate-rigid", Role::Body, "crate"),
        ];
        for (name, role, base) in cases {
            assert_eq!(almost(name), Some((role, base)), "{name}");
        }
        for name in [
            "hall-room",
            "mushroom",
            "ballroom",
            "skylight",
            "portable",
            "floor",
            "garden-floor",
            "",
            "-",
        ] {
            assert_eq!(almost(name), None, "{name}");
        }
    }

    #[test]
    fn names_without_a_known_suffix_are_just_names() {
        for name in [
            "hall", "room", "portal", "a-rooms", "a_room", "-", "", "room-2",
        ] {
            assert_eq!(parse(name).0, Role::Plain, "{name}");
        }
        assert_eq!(parse("v1.5"), (Role::Plain, "v1.5"));
        assert_eq!(parse("chair.001"), (Role::Plain, "chair"));
    }
}
