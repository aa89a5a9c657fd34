//! Authors' mistakes in exported files: each is reported once, at its node, and the cure in its message makes the level
//! good.

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::problems::{Problem, ProblemCode as Code};
use opendoor::source::{LevelSource, MoverSource};
use serde_json::{Value, json};

use crate::checks::{House, furniture, table};
use crate::checks_followers::said_edited;

type Edit = fn(&mut Value);

/// The codes that only these mistakes cause.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    ["material-blend"].into_iter()
}

/// A mistake: its description, the edits that cause and cure it, its code, its node and a word of its message.
struct Mistake {
    what: &'static str,
    made: Edit,
    cured: Edit,
    code: Code,
    node: &'static str,
    word: &'static str,
}

pub(crate) fn node<'a>(text: &'a mut Value, name: &str) -> &'a mut Value {
    let mut nodes = text["nodes"].as_array_mut().unwrap().iter_mut();
    nodes.find(|node| node["name"] == name).unwrap()
}

fn properties(text: &mut Value, name: &str, properties: Value) {
    node(text, name)["extras"] = properties;
}

/// Moves the origin of a node that is at the level's origin; its meshes stay in place.
fn set_origin(text: &mut Value, name: &str, at: [f64; 3]) {
    let back = at.map(|x| -x);
    let moved = node(text, name);
    moved["translation"] = json!(at);
    let mesh = moved.as_object_mut().unwrap().remove("mesh");
    let mut children: Vec<Value> = moved["children"].as_array().cloned().unwrap_or_default();
    let nodes = text["nodes"].as_array_mut().unwrap();
    if let Some(mesh) = mesh {
        children.push(json!(nodes.len()));
        nodes.push(json!({"name": format!("{name}'s mesh").replace('-', " "), "mesh": mesh}));
    }
    for child in &children {
        nodes[child.as_u64().unwrap() as usize]["translation"] = json!(back);
    }
    node(text, name)["children"] = json!(children);
}

/// The house with a door in its doorway, a plate in the hall that can be a mover, and a cube.
fn house() -> LevelSource {
    House::then(|sketch| {
        mover(
            sketch,
            "oak-door",
            cuboid([8.105, 0., 2.4], [8.145, 2.1, 3.6]),
        );
        furniture(sketch, 0, "cube", cuboid([3., 0., 4.], [3.6, 0.6, 4.6]));
        mover(
            sketch,
            "plate-mover",
            cuboid([1., 0.01, 1.], [2., 0.11, 2.]),
        );
        furniture(sketch, 0, "table", table());
    })
}

fn mover(sketch: &mut Sketch, node: &str, outside: opendoor::geometry::Aabb) {
    let first = furniture(sketch, 0, node, outside);
    let meshes = sketch.source.meshes.split_off(first);
    let mut mover = MoverSource::vanishing_door(node, meshes);
    mover.is_door = node.ends_with("-door");
    sketch.source.movers.push(mover);
}

fn said(file: &str, source: &LevelSource, edit: Edit) -> Vec<Problem> {
    said_edited(file, source, |text| {
        let vanish = json!({"motion": "vanish"});
        properties(text, "oak-door", vanish);
        set_origin(text, "oak-door", [8.125, 0., 2.4]);
        set_origin(text, "plate-mover", [1.5, 0., 1.5]);
        set_origin(text, "cube", [3.3, 0.3, 4.3]);
        properties(text, "plate-mover", json!({"motion": "none"}));
        edit(text);
    })
}

fn check(file: &str, source: &LevelSource, mistakes: &[Mistake]) {
    let good = said(file, source, |_| {});
    assert!(good.is_empty(), "{good:?}");
    let mut wrong = Vec::new();
    for mistake in mistakes {
        let found = said(file, source, mistake.made);
        let is_it = |p: &Problem| {
            p.code == mistake.code && p.node == mistake.node && p.message.contains(mistake.word)
        };
        if !(found.len() == 1 && is_it(&found[0])) {
            wrong.push(format!("{}: {found:#?}", mistake.what));
        }
        let left = said(file, source, mistake.cured);
        if !left.is_empty() {
            wrong.push(format!("{}, cured: {left:#?}", mistake.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Regression test: these mistakes were not reported, or only as a blocked doorway.
#[test]
fn properties_that_do_not_fit_one_another_are_named_with_their_cure() {
    let mistakes = [
        Mistake {
            what: "an angle in radians",
            made: |t| properties(t, "oak-door", json!({"angle": std::f64::consts::FRAC_PI_2})),
            cured: |t| properties(t, "oak-door", json!({"angle": 90})),
            code: Code::MoverProperty,
            node: "oak-door",
            word: "write 90",
        },
        Mistake {
            what: "an angle of few degrees",
            made: |t| properties(t, "oak-door", json!({"angle": -5})),
            cured: |t| properties(t, "oak-door", json!({"angle": -90})),
            code: Code::MoverProperty,
            node: "oak-door",
            word: "is in degrees",
        },
        Mistake {
            what: "a turntable in radians",
            made: |t| {
                properties(
                    t,
                    "plate-mover",
                    json!({"motion": "turn", "angle": std::f64::consts::PI}),
                )
            },
            cured: |t| properties(t, "plate-mover", json!({"motion": "turn", "angle": 180})),
            code: Code::MoverProperty,
            node: "plate-mover",
            word: "write 180",
        },
        Mistake {
            what: "a speed and a time",
            made: |t| {
                properties(
                    t,
                    "plate-mover",
                    json!({"distance": 1, "speed": 1, "time": 2}),
                )
            },
            cured: |t| properties(t, "plate-mover", json!({"distance": 1, "speed": 1})),
            code: Code::MoverProperty,
            node: "plate-mover",
            word: "`time`",
        },
        Mistake {
            what: "a loop that slides",
            made: |t| properties(t, "plate-mover", json!({"distance": 1, "cycle": "loop"})),
            cured: |t| properties(t, "plate-mover", json!({"distance": 1, "cycle": "shuttle"})),
            code: Code::MoverProperty,
            node: "plate-mover",
            word: "shuttle",
        },
        Mistake {
            what: "a loop that turns by a part",
            made: |t| {
                properties(
                    t,
                    "plate-mover",
                    json!({"motion": "turn", "angle": 100, "cycle": "loop"}),
                )
            },
            cured: |t| {
                properties(
                    t,
                    "plate-mover",
                    json!({"motion": "turn", "angle": 360, "cycle": "loop"}),
                )
            },
            code: Code::MoverProperty,
            node: "plate-mover",
            word: "360",
        },
        Mistake {
            what: "a slide with what was a hinge's",
            made: |t| {
                properties(
                    t,
                    "oak-door",
                    json!({"motion": "slide", "axis": "z", "angle": 90}),
                )
            },
            cured: |t| {
                properties(
                    t,
                    "oak-door",
                    json!({"motion": "hinge", "axis": "z", "angle": 90}),
                )
            },
            code: Code::MoverProperty,
            node: "oak-door",
            word: "`angle`",
        },
        Mistake {
            what: "a slide along the thickness of the panel",
            made: |t| properties(t, "oak-door", json!({"motion": "slide", "axis": "x"})),
            // The wall has no pocket for the panel.
            cured: |t| {
                properties(
                    t,
                    "oak-door",
                    json!({"motion": "slide", "axis": "z", "distance": 0}),
                )
            },
            code: Code::MoverProperty,
            node: "oak-door",
            word: "`y`",
        },
        Mistake {
            what: "a hinge with a distance",
            made: |t| properties(t, "oak-door", json!({"motion": "hinge", "distance": 1})),
            cured: |t| properties(t, "oak-door", json!({"motion": "hinge"})),
            code: Code::MoverProperty,
            node: "oak-door",
            word: "`distance`",
        },
        Mistake {
            what: "a ball that is squashed",
            made: |t| {
                node(t, "cube")["name"] = json!("ball-body");
                properties(t, "ball-body", json!({"shape": "sphere"}));
                node(t, "ball-body")["scale"] = json!([1, 0.5, 1]);
            },
            cured: |t| {
                node(t, "cube")["name"] = json!("ball-body");
                properties(t, "ball-body", json!({"shape": "hull"}));
                node(t, "ball-body")["scale"] = json!([1, 0.5, 1]);
            },
            code: Code::BodyProperty,
            node: "ball-body",
            word: "hull",
        },
    ];
    check("authors.glb", &house(), &mistakes);
}

/// A wrong property that does not affect the path or the shape does not suppress problems of the path and the shape.
#[test]
fn a_wrong_property_hides_only_errors_that_follow_from_it() {
    let codes = |edit: Edit| -> Vec<Code> {
        let said = said("hiding.glb", &house(), edit);
        said.iter().map(|problem| problem.code).collect()
    };
    let through = codes(|t| {
        let up = json!({"motion": "slide", "axis": "z", "distance": 1.5, "opens": "nearby"});
        properties(t, "oak-door", up);
    });
    assert_eq!(through, [Code::MoverProperty, Code::MoverThroughWall]);
    let of_path = codes(|t| {
        let up = json!({"motion": "slide", "axis": "z", "distance": 1.5, "angle": 90});
        properties(t, "oak-door", up);
    });
    assert_eq!(of_path, [Code::MoverProperty]);
    // 20 cm deep in the floor.
    fn sunk(t: &mut Value, extras: Value, scale: [f64; 3]) {
        properties(t, "cube", extras);
        let ball = node(t, "cube");
        (ball["translation"], ball["scale"]) = (json!([3.3, 0.1, 4.3]), json!(scale));
        ball["name"] = json!("ball-body");
    }
    let inside = codes(|t| sunk(t, json!({"shape": "sphere", "mass": -1}), [1.0; 3]));
    assert_eq!(inside, [Code::BodyProperty, Code::BodyInside]);
    let squashed = codes(|t| sunk(t, json!({"shape": "sphere"}), [1.0, 0.5, 1.0]));
    assert_eq!(squashed, [Code::BodyProperty]);
}

/// Regression test: these mistakes had several reports. Without rooms, each of the twenty nodes was reported; without
/// custom properties, a switch without a target and a hole towards the sky; and of an object as a target, both halves
/// of its JSON.
#[test]
fn missing_custom_properties_are_named_once() {
    let mistakes = [
        Mistake {
            what: "selected meshes without their rooms",
            made: |t| roots(t, |name| !name.ends_with("-room")),
            cured: |_| {},
            code: Code::NoRooms,
            node: "",
            word: "Selected Objects",
        },
        Mistake {
            what: "what is in the study without the study",
            made: |t| roots(t, |name| name != "study-room"),
            cured: |_| {},
            code: Code::PortalUnknownRoom,
            node: "study*0-portal",
            word: "does not exist",
        },
        Mistake {
            what: "no custom properties",
            made: |t| {
                lever(t, Value::Null);
                let nodes = t["nodes"].as_array_mut().unwrap();
                nodes
                    .iter_mut()
                    .for_each(|node| _ = node.as_object_mut().unwrap().remove("extras"));
            },
            cured: |t| lever(t, json!({"target": "oak-door"})),
            code: Code::NoCustomProperties,
            node: "",
            word: "Custom Properties",
        },
        Mistake {
            what: "a target that is an object",
            made: |t| lever(t, json!({"target": {"name": "oak-door", "type": "Object"}})),
            cured: |t| lever(t, json!({"target": "oak-door"})),
            code: Code::TriggerProperty,
            node: "lever-switch",
            word: "as text",
        },
    ];
    check("not_exported.glb", &house(), &mistakes);
}

/// Turns the table into a switch with these properties.
fn lever(text: &mut Value, extras: Value) {
    node(text, "table")["name"] = json!("lever-switch");
    properties(text, "lever-switch", extras);
}

/// Keeps the root nodes with some names; the children of removed nodes become roots.
fn roots(text: &mut Value, is_kept: impl Fn(&str) -> bool) {
    let mut roots = Vec::new();
    let nodes = text["nodes"].as_array().unwrap().clone();
    for root in text["scenes"][0]["nodes"].as_array().unwrap() {
        let node = &nodes[root.as_u64().unwrap() as usize];
        if is_kept(node["name"].as_str().unwrap()) {
            roots.push(root.clone());
        } else {
            roots.extend(node["children"].as_array().cloned().unwrap_or_default());
        }
    }
    text["scenes"][0]["nodes"] = json!(roots);
}

/// Regression test: a portal to a room with furniture but without walls was reported as wrong, and the other mistakes
/// were not reported.
#[test]
fn rooms_without_walls_materials_that_blend_and_suns_are_named() {
    let mistakes = [
        Mistake {
            what: "walls that were not exported, of a room with furniture",
            made: |t| {
                let chair = node(t, "table").clone();
                t["nodes"].as_array_mut().unwrap().push(chair);
                drop_walls(t);
            },
            cured: |_| {},
            code: Code::RoomEmpty,
            node: "study-room",
            word: "walls",
        },
        Mistake {
            what: "walls that blend",
            made: |t| {
                t["materials"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .for_each(|m| m["alphaMode"] = json!("BLEND"));
            },
            cured: |t| {
                t["materials"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .for_each(|m| m["alphaMode"] = json!("OPAQUE"));
            },
            code: Code::MaterialBlend,
            node: "default",
            word: "walls",
        },
        Mistake {
            what: "an alpha of nothing",
            made: |t| alpha(t, 0.0),
            cured: |t| alpha(t, 0.5),
            code: Code::MaterialBlend,
            node: "ghost",
            word: "alpha is 0",
        },
        Mistake {
            what: "a sun of 1000 W/m2",
            made: |t| sun(t, 683_000.0),
            cured: |t| sun(t, 100.0),
            code: Code::Light,
            node: "sun",
            word: "the sun is",
        },
    ];
    check("rooms.glb", &house(), &mistakes);
}

/// Gives the table its own blended material with this alpha.
fn alpha(text: &mut Value, alpha: f64) {
    let materials = text["materials"].as_array_mut().unwrap();
    materials.push(json!({
        "name": "ghost",
        "alphaMode": "BLEND",
        "pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, alpha], "metallicFactor": 0},
    }));
    let material = json!(materials.len() - 1);
    let mesh = mesh_of(text, "table");
    text["meshes"][mesh]["primitives"][0]["material"] = material;
}

fn mesh_of(text: &mut Value, name: &str) -> usize {
    node(text, name)["mesh"].as_u64().unwrap() as usize
}

/// Removes the meshes of the study, and adds a chair to its other children.
fn drop_walls(text: &mut Value) {
    let table = text["nodes"].as_array().unwrap().len() - 1;
    let chair = &mut text["nodes"][table];
    chair["name"] = json!("chair");
    chair["translation"] = json!([9.0, 0.0, 2.0]);
    let nodes = text["nodes"].as_array().unwrap().clone();
    let study = node(text, "study-room");
    study.as_object_mut().unwrap().remove("mesh");
    let children = study["children"].as_array_mut().unwrap();
    children.retain(|child| {
        nodes[child.as_u64().unwrap() as usize]
            .get("mesh")
            .is_none()
    });
    children.push(json!(table));
}

/// Adds a sun of `lux` over the study, which is open to the sky.
fn sun(text: &mut Value, lux: f64) {
    properties(text, "study-room", json!({"open": true}));
    let lights = text["extensions"]["KHR_lights_punctual"]["lights"]
        .as_array_mut()
        .unwrap();
    lights.push(json!({"type": "directional", "intensity": lux}));
    let light = lights.len() - 1;
    let nodes = text["nodes"].as_array_mut().unwrap();
    let down = [
        -std::f64::consts::FRAC_1_SQRT_2,
        0.0,
        0.0,
        std::f64::consts::FRAC_1_SQRT_2,
    ];
    nodes.push(json!({
        "name": "sun",
        "translation": [11.0, 2.5, 3.0],
        "rotation": down,
        "extensions": {"KHR_lights_punctual": {"light": light}},
    }));
    let index = json!(nodes.len() - 1);
    text["scenes"][0]["nodes"]
        .as_array_mut()
        .unwrap()
        .push(index);
}
