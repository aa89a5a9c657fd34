//! Mistakes of authors as exported files have them: each is named once, at its node, and the cure in its message makes
//! the level good.

use opendoor::level::sketch::{Sketch, cuboid};
use opendoor::level::{LevelSource, MoverSource, Problem, ProblemCode as Code};
use serde_json::{Value, json};

use crate::checks::{House, furniture, table};
use crate::checks_followers::said_edited;

type Edit = fn(&mut Value);

/// A mistake: what it is, the edits that make and cure it, its code, its node and a word of its message.
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

/// Moves the origin of a node that stands at that of the level; its meshes stay where they are.
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

/// The house with a door in its doorway, a plate in the hall that may move, and a cube.
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

/// Of all of them nothing was reported, or a doorway that is blocked.
#[test]
fn properties_that_do_not_fit_one_another_are_named_with_their_cure() {
    let mistakes = [
        Mistake {
            what: "an angle in radians",
            made: |t| properties(t, "oak-door", json!({"angle": 1.5708})),
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
                    json!({"motion": "turn", "angle": 3.14159}),
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
            // The wall has no pocket for it.
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

/// Twenty messages, one for each node; a switch without a target and a hole in the sky; the halves of an object's JSON.
#[test]
fn what_was_not_exported_is_named_once() {
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

/// Makes the table a switch with these properties.
fn lever(text: &mut Value, extras: Value) {
    node(text, "table")["name"] = json!("lever-switch");
    properties(text, "lever-switch", extras);
}

/// Keeps the nodes with some names; the children of others are roots.
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
