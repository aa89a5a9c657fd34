//! Rigid bodies.

use glam::DQuat;
use serde_json::json;

use super::nodes::{GltfWriter, NodeFrame, ending};
use crate::level::TICKS_PER_SECOND;
use crate::source::{BodyShape, BodySource, MeshSource, Spawning};

impl GltfWriter<'_> {
    /// Writes a body as a node in its room. If the node is rotated, the mesh is in a child node.
    pub(super) fn body(&mut self, body: &BodySource) {
        let source = self.source;
        let mut spawners = source.spawners.iter();
        let spawner = spawners.find(|spawner| spawner.node == body.node);
        let extras = properties(body, spawner.map(|spawner| spawner.spawning));
        let Some(room) = body.meshes.first().map(|mesh| mesh.room) else {
            let node = json!({"name": body.node, "extras": extras});
            let node = self.glb.node(node);
            self.roots.push(node);
            return;
        };
        let turn = DQuat::from_mat3(&body.axes);
        let is_own = |mesh: &MeshSource| {
            mesh.room == room
                && *mesh.node == *body.node
                && ending(mesh, &source.materials[mesh.material]) == body.node
        };
        let meshes: Vec<&MeshSource> = body.meshes.iter().collect();
        let is_direct = turn == DQuat::IDENTITY && meshes.iter().all(|mesh| is_own(mesh));
        let placed = if is_direct {
            (Some(self.mesh(&meshes, self.origins[room])), Vec::new())
        } else {
            (None, self.mesh_nodes(body.meshes.iter(), &body.node))
        };
        let frame = NodeFrame {
            pivot: Some((self.origins[room], turn)),
            extras,
            keys: None,
        };
        self.add_framed(room, &body.node, frame, placed);
    }
}

/// The body's custom properties.
fn properties(
    body: &BodySource,
    spawning: Option<Spawning>,
) -> serde_json::Map<String, serde_json::Value> {
    let shape = match body.shape {
        BodyShape::Sphere => "sphere",
        BodyShape::Capsule => "capsule",
        BodyShape::Box => "box",
        BodyShape::Hull => "hull",
        BodyShape::Mesh => "mesh",
    };
    let numbers = [
        ("mass", body.mass),
        ("friction", body.friction),
        ("bounce", body.bounce),
    ];
    let numbers = numbers.into_iter().filter_map(|(key, value)| {
        let value = value?;
        Some((key.to_owned(), json!(value)))
    });
    let shape = ("shape".to_owned(), json!(shape));
    let spawner = spawning.map(|spawner| {
        let every = f64::from(spawner.every_ticks) / TICKS_PER_SECOND;
        [
            ("count", json!(spawner.count)),
            ("every", json!(every)),
            ("speed", json!(spawner.speed)),
            ("endless", json!(spawner.endless)),
        ]
    });
    let spawner = spawner.into_iter().flatten();
    let spawner = spawner.map(|(key, value)| (key.to_owned(), value));
    let all = std::iter::once(shape).chain(numbers).chain(spawner);
    all.collect()
}
