//! The naming convention: what a node is follows from the end of its name.

/// What a node is, by the suffix of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
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
    /// `-trigger`
    Trigger,
    /// `-switch`
    Switch,
}

/// What the name makes of its node, and the name without all that is ignored.
///
/// Ignored are the suffix itself, the number that Blender appends to a name it has already
/// (`.001`), and what stands from `*` on. In `stairs*2-portal.001` that leaves `stairs`.
pub(super) fn parse(name: &str) -> (Role, &str) {
    let name = without_number(name.trim());
    let with_suffix = split_role(name).or_else(|| {
        let (before_star, _) = name.rsplit_once('*')?;
        split_role(without_number(before_star))
    });
    let (base, role) = with_suffix.unwrap_or((name, Role::Plain));
    let base = base.split('*').next().unwrap_or("");
    (role, without_number(base.trim()))
}

/// A node's name without its ending, and all else that is ignored.
pub(crate) fn plain_name(name: &str) -> &str {
    parse(name).1
}

/// What is left of a portal's name without all that is ignored, or of any other without `*` and number.
pub(crate) fn portal_stem(name: &str) -> &str {
    match parse(name) {
        (Role::Portal | Role::Plain, stem) => stem,
        _ => name,
    }
}

/// The part before the last `-`, if what follows it is a known suffix, in any case.
fn split_role(name: &str) -> Option<(&str, Role)> {
    let (base, suffix) = name.rsplit_once('-')?;
    let role = match suffix.to_ascii_lowercase().as_str() {
        "room" => Role::Room,
        "roomgroup" => Role::RoomGroup,
        "portal" => Role::Portal,
        "bound" => Role::Bound,
        "colonly" => Role::ColOnly,
        "nocol" => Role::NoCol,
        "sky" => Role::Sky,
        "spawn" => Role::Spawn,
        "door" => Role::Door,
        "mover" => Role::Mover,
        "trigger" => Role::Trigger,
        "switch" => Role::Switch,
        _ => return None,
    };
    Some((base, role))
}

/// The name without the `.001` (three digits or more) with which Blender keeps names unique.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((base, digits)) if digits.len() >= 3 && digits.bytes().all(|b| b.is_ascii_digit()) => {
            base
        }
        _ => name,
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
