//! Triggers and switches.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::nodes::GltfWriter;
use crate::level::TICKS_PER_SECOND;
use crate::source::{LevelSource, TriggerKindSource, TriggerSource};

/// The custom properties of all switches, by room and name. They are written on the node of the switch's meshes.
pub(super) fn switches(source: &LevelSource) -> BTreeMap<(usize, String), Value> {
    let is_switch = |t: &&TriggerSource| matches!(t.kind, TriggerKindSource::Switch { .. });
    let switches = source.triggers.iter().filter(is_switch);
    let switches = switches.map(|t| ((t.room, t.node.clone()), properties(t)));
    switches.collect()
}

impl GltfWriter<'_> {
    /// Writes the nodes of triggers, and of those switches that have no mesh. Must be called after the meshes are
    /// written.
    pub(super) fn triggers(&mut self) {
        for ((room, name), extras) in std::mem::take(&mut self.switches) {
            let node = self.glb.node(json!({"name": name, "extras": extras}));
            self.children[room].push(node);
        }
        let source = self.source;
        for trigger in &source.triggers {
            let mut node = json!({"name": trigger.node, "extras": properties(trigger)});
            match &trigger.kind {
                TriggerKindSource::Volume(triangles) => {
                    let mesh = self.bare_mesh(triangles, self.origins[trigger.room]);
                    node["mesh"] = mesh.into();
                }
                TriggerKindSource::Relay => {}
                TriggerKindSource::Switch { .. } => continue,
            }
            let node = self.glb.node(node);
            self.children[trigger.room].push(node);
        }
    }
}

fn properties(trigger: &TriggerSource) -> Value {
    let seconds = |ticks: u32| f64::from(ticks) / TICKS_PER_SECOND;
    let mut extras = Map::new();
    let mut set = |key: &str, value: Value| drop(extras.insert(key.to_owned(), value));
    set("target", trigger.targets.join(", ").into());
    set("delay", seconds(trigger.delay_ticks).into());
    set("wait", seconds(trigger.wait_ticks).into());
    set("once", trigger.once.into());
    if !trigger.message.is_empty() {
        set("message", trigger.message.clone().into());
    }
    if let TriggerKindSource::Switch { bump } = trigger.kind {
        set("bump", bump.into());
    }
    Value::Object(extras)
}
