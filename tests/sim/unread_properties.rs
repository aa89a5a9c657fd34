//! Custom properties at places where they are not read, each reported once with the right place.

use opendoor::problems::ProblemCode as Code;
use serde_json::{Value, json};

use crate::checks::{House, furniture, table};
use crate::checks_followers::said_edited;

/// The problems of the house with a table, whose file was edited.
fn said(edit: impl Fn(&mut Value)) -> Vec<(Code, String)> {
    let source = House::then(|s| _ = furniture(s, 0, "table", table()));
    let said = said_edited("unread.glb", &source, edit);
    said.into_iter().map(|p| (p.code, p.node)).collect()
}

fn node<'a>(text: &'a mut Value, name: &str) -> &'a mut Value {
    let mut nodes = text["nodes"].as_array_mut().unwrap().iter_mut();
    nodes.find(|node| node["name"] == name).unwrap()
}

fn mesh<'a>(text: &'a mut Value, name: &str) -> &'a mut Value {
    let mesh = node(text, name)["mesh"].as_u64().unwrap();
    &mut text["meshes"][mesh as usize]
}

#[test]
fn unread_properties_are_named_once() {
    type Edit = fn(&mut Value);
    let cases: [(Edit, Code, &str); 9] = [
        (
            |text| node(text, "hall-room")["extras"] = json!({"Open": true}),
            Code::RoomOpen,
            "hall-room",
        ),
        (
            |text| node(text, "hall-room")["extras"] = json!({"opne": true}),
            Code::RoomOpen,
            "hall-room",
        ),
        // Regression case: the problem was reported for the room and for its motion.
        (
            |text| {
                let motion = json!({"motion": "slide", "distance": 0.0, "lokced": false});
                node(text, "hall-room")["extras"] = motion;
            },
            Code::MoverProperty,
            "hall-room",
        ),
        (
            |text| node(text, "study*0-portal")["extras"] = json!({"two-way": false}),
            Code::PortalTwoWay,
            "study*0-portal",
        ),
        (
            |text| mesh(text, "study*0-portal")["extras"] = json!({"two_way": false}),
            Code::PortalTwoWay,
            "study*0-portal",
        ),
        (
            |text| text["scenes"][0]["extras"] = json!({"sky_zenit": [0.1, 0.2, 0.3]}),
            Code::SceneProperty,
            "scene",
        ),
        (
            |text| node(text, "table")["extras"] = json!({"friction": 0.1}),
            Code::MaterialProperty,
            "table",
        ),
        (
            |text| {
                node(text, "table")["name"] = json!("table-body");
                mesh(text, "table-body")["extras"] = json!({"mass": 20.0});
            },
            Code::BodyProperty,
            "table-body",
        ),
        (
            |text| {
                node(text, "table")["name"] = json!("table-switch");
            },
            Code::TriggerTarget,
            "table-switch",
        ),
    ];
    for (index, (edit, code, node)) in cases.into_iter().enumerate() {
        assert_eq!(said(edit), [(code, node.to_owned())], "{index}");
    }
}

#[test]
fn properties_that_are_read_or_irrelevant_are_no_problem() {
    let edits: [fn(&mut Value); 7] = [
        // Regression case: `open` was treated as `opens`.
        |text| {
            let motion = json!({"motion": "slide", "distance": 0.0, "open": false});
            node(text, "hall-room")["extras"] = motion;
        },
        |text| node(text, "table")["extras"] = json!({"note": "oak", "frictions": 2}),
        |text| mesh(text, "table")["extras"] = json!({"angle": 3.0, "friction": 1.0}),
        |text| {
            node(text, "table")["name"] = json!("table-body");
            node(text, "table-body")["extras"] = json!({"friction": 0.2, "mass": 90.0});
            mesh(text, "table-body")["extras"] = json!({"mass": 20.0});
        },
        |text| {
            node(text, "table")["name"] = json!("table-switch");
            node(text, "table-switch")["extras"] = json!({"message": "hello"});
        },
        |text| node(text, "study*0-portal")["extras"] = json!({"two_way": true}),
        |text| node(text, "study*0-portal")["extras"] = json!({"roll": 90.0}),
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        assert_eq!(said(edit), [], "{index}");
    }
}

/// Regression test: a spawn with a mesh was inside of its own mesh, and so in no room.
#[test]
fn a_spawn_that_is_a_mesh_is_only_a_mark() {
    let said = said(|text| {
        let mesh = node(text, "table")["mesh"].clone();
        node(text, "player-spawn")["mesh"] = mesh;
    });
    assert_eq!(said, []);
}
