//! Portals that lead to rooms that do not exist.

use std::collections::BTreeMap;

use super::opening::UnlinkedOpening;
use crate::level::{LevelData, Room};
use crate::problems::{ProblemCode, ProblemPlace, Problems};

/// Maximum number of room names with which an unknown name is compared.
const MAX_NAMES: usize = 1024;

/// Reports the portals that lead to rooms that do not exist, once for each missing room. If several rooms are missing
/// and no portal leads to an existing room, the file is probably a part of a level, and one report names all missing
/// rooms.
pub(super) fn report_unknown(
    level: &LevelData,
    unknown: &[UnlinkedOpening],
    is_any_known: bool,
    problems: &mut Problems,
) {
    let mut by_room: BTreeMap<&str, Vec<&UnlinkedOpening>> = BTreeMap::new();
    for opening in unknown {
        by_room
            .entry(&opening.source.dest)
            .or_default()
            .push(opening);
    }
    // Messages are created only for problems that are listed.
    let mut add = |openings: &[&UnlinkedOpening], message: &dyn Fn() -> String| {
        let Some((first, others)) = openings.split_first() else {
            return;
        };
        let message = || {
            let others: Vec<&str> = others.iter().map(|o| o.source.node.as_str()).collect();
            if others.is_empty() {
                message()
            } else {
                format!(
                    "{} (the same is wrong with `{}`)",
                    message(),
                    others.join("`, `")
                )
            }
        };
        let place = ProblemPlace::at(level.to_author(first.polygon.centre()));
        let code = ProblemCode::PortalUnknownRoom;
        problems.add(true, code, &first.source.node, Some(place), message);
    };
    if !is_any_known && by_room.len() > 1 {
        let names: Vec<&str> = by_room.keys().copied().collect();
        let all: Vec<&UnlinkedOpening> = unknown.iter().collect();
        return add(&all, &|| {
            format!(
                "it leads to a room that is not in the file, as no room is that a portal leads to: `{}`; export the whole level (Blender: File, Export, glTF 2.0, Include, without Selected Objects), or name the portals after one of: {}",
                names.join("`, `"),
                similar_names(level, names[0]).join(", ")
            )
        });
    }
    for (dest, openings) in by_room {
        add(&openings, &|| {
            format!(
                "it leads to the room `{dest}`, which does not exist; name it after one of: {}; or make an empty `{dest}-room` the parent of the meshes behind it (a collection is no room)",
                similar_names(level, dest).join(", ")
            )
        });
    }
}

/// Up to five room names, the most similar first.
fn similar_names(level: &LevelData, wanted: &str) -> Vec<String> {
    let names = names_around(&level.rooms, wanted).iter();
    let mut names: Vec<(usize, &str)> = names
        .map(|room| (edits(&room.name, wanted), room.name.as_str()))
        .collect();
    names.sort();
    let names = names.iter().take(5);
    names.map(|(_, name)| format!("`{name}`")).collect()
}

/// The rooms with whose names a name is compared: all, or if there are too many, those nearest to it in sorted order.
fn names_around<'a>(rooms: &'a [Room], wanted: &str) -> &'a [Room] {
    let place = rooms.partition_point(|room| room.name.as_str() < wanted);
    let first = place.saturating_sub(MAX_NAMES / 2);
    let end = rooms.len().min(first + MAX_NAMES);
    &rooms[end.saturating_sub(MAX_NAMES)..end]
}

/// The Levenshtein distance, in letters, between the first 64 letters of two names.
fn edits(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|name| name.chars().take(64).collect::<String>());
    strsim::levenshtein(&a, &b)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;

    /// Regression test: every unknown name was compared with all room names.
    #[test]
    fn a_wrong_name_is_compared_with_a_bounded_number_of_names_around_it() {
        let mut sketch = Sketch::new("many");
        for i in 0..3000 {
            let x = 2.0 * f64::from(i);
            sketch.box_room(
                &format!("room{i:04}"),
                cuboid([x, 0., 0.], [x + 1., 1., 1.]),
                &[],
            );
        }
        sketch.spawn(0, DVec3::splat(0.5), DVec3::X);
        let (level, _) = build(sketch.source).unwrap();
        for (wanted, expected) in [
            ("room1500x", "room1500"),
            ("a", "room0000"),
            ("z", "room2999"),
        ] {
            let names = names_around(&level.rooms, wanted);
            assert_eq!(names.len(), MAX_NAMES);
            assert!(names.iter().any(|room| room.name == expected), "{wanted}");
        }
        assert_eq!(similar_names(&level, "room1500x")[0], "`room1500`");
        assert_eq!(names_around(&level.rooms[..3], "room9").len(), 3);
    }
}
