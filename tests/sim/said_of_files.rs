//! Mistakes that only files can contain, each in an otherwise good level.

use std::path::Path;

use opendoor::lint::inspect;
use opendoor::problems::Problem;
use serde_json::{Value, json};

use crate::hostile::folder;

/// The index of a mesh in a room of `good.gltf`.
const VASE: usize = 2;

/// The problems of `good.gltf` with a change.
fn said(name: &str, change: impl FnOnce(&mut Value)) -> Vec<Problem> {
    let good = std::fs::read(folder().join("good.gltf")).unwrap();
    let mut text: Value = serde_json::from_slice(&good).unwrap();
    change(&mut text);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text.to_string()).unwrap();
    let problems = inspect(&path).problems;
    let all = problems.errors.iter().chain(&problems.warnings);
    all.filter(|p| p.code != "no-light").cloned().collect()
}

/// Regression test: an animated mesh that is no mover did not move, and nothing was reported.
#[test]
fn a_mesh_that_is_animated_and_no_mover_is_named() {
    let said = said("animated.gltf", |text| {
        text["animations"] = json!([{
            "channels": [{"sampler": 0, "target": {"node": VASE, "path": "translation"}}],
            "samplers": [{"input": 0, "output": 0}],
        }]);
    });
    assert!(
        said.len() == 1 && said[0].code == "mover-property",
        "{said:?}"
    );
    assert!(said[0].message.contains("`-mover`") && said[0].place.is_some());
}

/// Regression test: the triangles that a mesh loses by a flat scale were reported too.
#[test]
fn a_mesh_that_is_scaled_flat_is_named_once() {
    let said = said("scaled_flat.gltf", |text| {
        text["nodes"][VASE]["scale"] = json!([1, 0, 1]);
    });
    assert!(said.len() == 1 && said[0].code == "flat-scale", "{said:?}");
    assert!(said[0].message.starts_with("at ("), "{said:?}");
}

#[test]
fn a_lamp_that_is_black_is_named() {
    let said = said("black_lamp.gltf", |text| {
        text["extensionsUsed"] = json!(["KHR_lights_punctual"]);
        let lamp = json!({"type": "point", "color": [0, 0, 0], "intensity": 10});
        text["extensions"] = json!({"KHR_lights_punctual": {"lights": [lamp]}});
        let light = json!({"KHR_lights_punctual": {"light": 0}});
        text["nodes"][3]["extensions"] = light;
    });
    assert!(said.len() == 1 && said[0].code == "light", "{said:?}");
    assert!(said[0].message.contains("black"), "{said:?}");
}
