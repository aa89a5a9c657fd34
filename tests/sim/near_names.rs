//! Names that almost follow the naming convention: one message each, and no consequential problems.

use std::path::Path;

use opendoor::game::{CHARACTER, Game, Start};
use opendoor::lint::{Inspection, inspect};
use opendoor::load::load_bytes;
use opendoor::testing::{parse, walk_level};
use serde_json::{Value, json};

use crate::gltf_file::GltfFile;
use crate::hostile::folder;

/// Node index of the portal in `good.gltf`.
const PORTAL: usize = 1;
/// Node index of a mesh in a room of `good.gltf`.
const VASE: usize = 2;
/// Node index of the spawn in `good.gltf`.
const SPAWN: usize = 3;
/// Node index of room `a` in `good.gltf`.
const ROOM_A: usize = 5;
/// Node index of room `b` in `good.gltf`.
const ROOM_B: usize = 6;

/// The code that all of these problems have.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    ["name-almost"].into_iter()
}

/// The result for `good.gltf` with a node renamed.
fn renamed(file: &str, node: usize, name: &str) -> Inspection {
    let good = std::fs::read(folder().join("good.gltf")).unwrap();
    let mut text: Value = serde_json::from_slice(&good).unwrap();
    text["nodes"][node]["name"] = json!(name);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, text.to_string()).unwrap();
    inspect(&path)
}

#[test]
fn a_name_that_is_almost_right_is_the_only_problem_reported() {
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
        (PORTAL, "b-portal001", "b-portal"),
        (PORTAL, "b-portal-", "b-portal"),
        (PORTAL, "bportal", "b-portal"),
        (ROOM_B, "b-room2", "b-room"),
        (ROOM_B, "b-rom", "b-room"),
        (ROOM_B, "broom", "b-room"),
        (ROOM_B, "b", "b-room"),
        (SPAWN, "playerspawn", "player-spawn"),
        (SPAWN, "player_start", "player-spawn"),
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
        assert!(said[0].place.is_some(), "{name}: {problems}");
    }
}

/// Regression test: left-over copies of portals and rooms were reported as walls in the opening, and as meshes and
/// lamps of no room.
#[test]
fn a_copy_that_is_left_over_is_named_once() {
    for (node, name, right) in [
        (PORTAL, "b-portal-old", "b-portal"),
        (PORTAL, "b-portal_copy", "b-portal"),
        (PORTAL, "b-portal (1)", "b-portal"),
        (ROOM_B, "b-room_v2", "b-room"),
        (ROOM_B, "b-Room.copy", "b-room"),
        (SPAWN, "player-spawn-old", "player-spawn"),
    ] {
        let Inspection { problems, .. } = renamed("copy.gltf", node, name);
        let all = problems.errors.iter().chain(&problems.warnings);
        let said: Vec<_> = all.filter(|p| p.code != "no-light").collect();
        assert_eq!(said.len(), 1, "{name}: {problems}");
        let cure = format!("rename it to `{right}`, or delete it if it is left over");
        assert!(said[0].code == "name-almost" && said[0].message.ends_with(&cure));
    }
}

/// Regression test: besides the door, its wall was reported as not cut.
#[test]
fn a_door_whose_name_is_almost_right_is_named_once() {
    let house = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/house.glb");
    let glb = std::fs::read(house).unwrap();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let good: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    for name in ["garden-dor", "garden_door", "garden-door-old", "door"] {
        let mut text = good.clone();
        let nodes = text["nodes"].as_array_mut().unwrap();
        let is_door = |node: &&mut Value| node["name"].as_str().unwrap().ends_with("-door");
        nodes.iter_mut().find(is_door).unwrap()["name"] = json!(name);
        let mut text = text.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let rest = &glb[20 + length..];
        let total = (20 + text.len() + rest.len()) as u32;
        let mut file = glb[..8].to_vec();
        file.extend(total.to_le_bytes());
        file.extend((text.len() as u32).to_le_bytes());
        file.extend(*b"JSON");
        file.extend(text);
        file.extend(rest);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("door_names.glb");
        std::fs::write(&path, file).unwrap();
        let problems = inspect(&path).problems;
        let said: Vec<_> = problems.errors.iter().chain(&problems.warnings).collect();
        assert_eq!(said.len(), 1, "{name}: {problems}");
        assert!(said[0].code == "name-almost" && said[0].node == name);
    }
}

/// Ordinary names that resemble the naming convention: a bedroom is a word, a stone portal is an arch, and a mesh in a
/// room may be called a room.
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
fn a_custom_property_that_is_almost_right_is_reported() {
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

/// Keyboards and file systems encode an umlaut as one character or as two.
#[test]
fn names_are_the_same_whichever_way_their_letters_are_written() {
    let writings = ["K\u{fc}che", "Ku\u{308}che"];
    for written in writings {
        let mut file = GltfFile::new();
        let mesh = file.triangles(&[[-4., 0., -4.], [0., 0., 8.], [4., 0., -4.]]);
        let floor = file.push("nodes", json!({"name": "floor", "mesh": mesh}));
        let spawn = json!({"name": format!("{written}-spawn"), "translation": [0., 0.5, 0.]});
        let spawn = file.push("nodes", spawn);
        let room = json!({"name": format!("{written}-room"), "children": [floor, spawn]});
        let room = file.push("nodes", room);
        file.roots(&[room]);
        let (level, _) = load_bytes("kitchen", &file.glb()).unwrap();
        for named in writings {
            let start = Start::Spawn(named.to_owned());
            assert!(Game::start(&level, &start, CHARACTER).is_ok());
            let walk = parse(&format!("spawn {named}\nexpect room {named}\n")).unwrap();
            let walked = walk_level(&level, walk, |_, _, _| ()).unwrap();
            assert_eq!(walked.failures, []);
        }
    }
}
