//! Joints.

use glam::DQuat;
use serde_json::{Map, Value, json};

use super::nodes::GltfWriter;
use crate::level::JointKind;
use crate::source::JointSource;

impl GltfWriter<'_> {
    /// Writes a joint as an empty in its room.
    pub(super) fn joint(&mut self, joint: &JointSource) {
        let turn = DQuat::from_mat3(&joint.axes);
        let mut node = json!({"name": joint.node, "extras": properties(joint)});
        if turn != DQuat::IDENTITY {
            node["rotation"] = json!(turn.to_array());
        }
        let origin = joint.room.map(|room| self.origins[room]);
        let place = joint.position.0 - origin.unwrap_or_default();
        node["translation"] = json!(place.to_array());
        let node = self.glb.node(node);
        match joint.room {
            Some(room) => self.children[room].push(node),
            None => self.roots.push(node),
        }
    }
}

fn properties(joint: &JointSource) -> Map<String, Value> {
    let mut extras = Map::new();
    let mut set = |key: &str, value: Value| drop(extras.insert(key.to_owned(), value));
    set("bodies", joint.bodies.join(", ").into());
    set("damping", joint.damping.into());
    match joint.kind {
        JointKind::Ball => set("joint", "ball".into()),
        JointKind::Hinge { limits } => {
            set("joint", "hinge".into());
            if let Some([lower, upper]) = limits {
                set("lower_angle", lower.to_degrees().into());
                set("upper_angle", upper.to_degrees().into());
            }
        }
        JointKind::Rope { length } => {
            set("joint", "rope".into());
            set("length", length.into());
        }
    }
    extras
}
