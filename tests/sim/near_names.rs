//! Names that almost follow the naming convention: one message each, and nothing that follows from it.

use std::path::Path;

use opendoor::level::{Inspection, inspect};
use serde_json::{Value, json};

use crate::hostile::folder;

/// The nodes of `good.gltf` that are renamed, with their indices.
const PORTAL: usize = 1;
const VASE: usize = 2;
const SPAWN: usize = 3;
const ROOM_A: usize = 5;
const ROOM_B: usize = 6;

/// The code that they all have.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    ["name-almost"].into_iter()
}

/// What is said of `good.gltf` with a node renamed.
fn renamed(file: &str, node: usize, name: &str) -> Inspection {
    let good = std::fs::read(folder().join("good.gltf")).unwrap();
    let mut text: Value = serde_json::from_slice(&good).unwrap();
    text["nodes"][node]["name"] = json!(name);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, text.to_string()).unwrap();
    inspect(&path)
}

#[test]
fn a_name_that_is_almost_right_is_the_only_thing_said_of_a_level() {
    let names = [
        (ROOM_A, "a_room", "a-room"),
        (ROOM_A, "Room-a", "a-room"),
        (ROOM_B, "b-rooms", "b-room"),
        (ROOM_B, "b room.001", "b-room"),
        (PORTAL, "b_portal", "b-portal"),
        (PORTAL, "Portal-b", "b-portal"),
        (PORTAL, "b-portals", "b-portal"),
        (PORTAL, "b-protal", "b-portal"),
        (PORTAL, "B_Portal", "b-portal"),
        (SPAWN, "player_spawn", "player-spawn"),
        (SPAWN, "spawn", "player-spawn"),
        (VASE, "vase_nocol", "vase-nocol"),
        (VASE, "vase-colonyl", "vase-colonly"),
    ];
    for (node, name, right) in names {
        let Inspection { problems, .. } = renamed("near.gltf", node, name);
        let all = problems.errors.iter().chain(&problems.warnings);
        let said: Vec<_> = all.filter(|p| p.code != "no-light").collect();
        assert_eq!(said.len(), 1, "{name}: {problems}");
        assert_eq!(
            (said[0].code.as_str(), &*said[0].node),
            ("name-almost", name)
        );
        assert!(
            said[0].message.ends_with(&format!("`{right}`")),
            "{problems}"
        );
    }
}

/// A bedroom is a word, a stone portal is an arch, and a mesh in a room may be called a room.
#[test]
fn names_that_only_sound_like_the_convention_are_names() {
    for name in [
        "mushroom",
        "bathroom",
        "stone_portal",
        "b_room",
        "wardrobe_door",
        "light_switch",
        "blue_sky",
    ] {
        let Inspection {
            level, problems, ..
        } = renamed("names.gltf", VASE, name);
        let said = problems.warnings.iter().filter(|p| p.code != "no-light");
        assert!(level.is_ok() && said.count() == 0, "{name}: {problems}");
    }
}

#[test]
fn a_custom_property_that_is_almost_right_is_told() {
    let good = std::fs::read(folder().join("good.gltf")).unwrap();
    for (name, extras, code) in [
        (
            "vase-mover",
            json!({"motion": "slide", "distnace": 1}),
            "mover-property",
        ),
        ("vase-switch", json!({"Target": "b"}), "trigger-property"),
        ("vase-body", json!({"frictoin": 0.5}), "body-property"),
        ("vase-body", json!({"mass": "heavy"}), "body-property"),
        ("vase-body", json!({"mass": 0}), "body-property"),
        ("vase-body", json!({"shape": "spere"}), "body-property"),
        ("vase_body", json!({"bounce": 0.5}), "name-almost"),
        ("Body.vase", json!({"mass": 2}), "name-almost"),
        ("body", json!({"shape": "box"}), "name-almost"),
    ] {
        let mut text: Value = serde_json::from_slice(&good).unwrap();
        text["nodes"][VASE]["name"] = json!(name);
        text["nodes"][VASE]["extras"] = extras;
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("near_property.gltf");
        std::fs::write(&path, text.to_string()).unwrap();
        let problems = inspect(&path).problems;
        let mut warnings = problems.warnings.iter();
        let is_named = warnings.any(|p| p.code == code && p.node == name);
        assert!(is_named, "{problems}");
    }
}
