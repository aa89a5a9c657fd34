//! Writes the nodes of a file: meshes at their positions, in the frames of rooms and movers.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use serde_json::{Map, Value, json};

use crate::gltf::write::glb::{ElementType, Glb, PrimitiveSource};
use crate::level::{Material, TrackKey};
use crate::naming::{Role, parse, plain_name};
use crate::source::{LevelSource, MeshSource};

/// A file under construction.
pub(super) struct GltfWriter<'a> {
    pub(super) glb: Glb,
    pub(super) source: &'a LevelSource,
    pub(super) origins: Vec<DVec3>,
    /// For each room the nodes below it, relative to the room's origin.
    pub(super) children: Vec<Vec<usize>>,
    /// For each room the frame of its node.
    pub(super) frames: Vec<NodeFrame>,
    /// For each room the meshes of its own node.
    pub(super) own: Vec<Vec<&'a MeshSource>>,
    pub(super) animations: Vec<Value>,
    /// Custom properties of switches whose node is not written yet, by room and name.
    pub(super) switches: BTreeMap<(usize, String), Value>,
    pub(super) lights: Vec<Value>,
    /// The nodes at the top of the tree: the rooms, and nodes that are in no room.
    pub(super) roots: Vec<usize>,
}

/// The frame of a room's or mover's node, with its custom properties and keys.
#[derive(Clone, Default)]
pub(super) struct NodeFrame {
    /// Pivot and rotation; `None` if the frame is at the room's origin.
    pub(super) pivot: Option<(DVec3, DQuat)>,
    pub(super) extras: Map<String, Value>,
    pub(super) keys: Option<KeyPoses>,
}

/// Key poses of a motion, and its duration in seconds.
#[derive(Clone)]
pub(super) struct KeyPoses {
    pub(super) keys: Vec<TrackKey>,
    pub(super) seconds: f64,
}

impl GltfWriter<'_> {
    /// Groups meshes by room and by node name; the name gets the ending of the mesh's role.
    pub(super) fn by_node<'m>(
        &self,
        meshes: impl Iterator<Item = &'m MeshSource>,
    ) -> BTreeMap<(usize, String), Vec<&'m MeshSource>> {
        let mut nodes: BTreeMap<(usize, String), Vec<&MeshSource>> = BTreeMap::new();
        for mesh in meshes {
            let node = ending(mesh, &self.source.materials[mesh.material]);
            nodes.entry((mesh.room, node)).or_default().push(mesh);
        }
        nodes
    }

    /// A node of meshes, relative to the room's origin. If a switch has this name, the node gets the switch's
    /// properties.
    pub(super) fn mesh_node(&mut self, room: usize, name: &str, meshes: &[&MeshSource]) -> Value {
        let mesh = self.mesh(meshes, self.origins[room]);
        let mut node = json!({"name": name, "mesh": mesh});
        if let Some(extras) = self.switches.remove(&(room, name.to_owned())) {
            node["extras"] = extras;
        }
        node
    }

    pub(super) fn mesh(&mut self, meshes: &[&MeshSource], origin: DVec3) -> usize {
        self.glb
            .indexed_mesh(meshes.iter().map(|mesh| PrimitiveSource {
                // The sky has no material in the file.
                material: (!self.source.materials[mesh.material].sky).then_some(mesh.material),
                positions: mesh.positions.iter().map(|p| *p - origin).collect(),
                normals: &mesh.normals,
                tangents: &mesh.tangents,
                uvs: &mesh.uvs,
                colours: &mesh.colours,
                triangles: &mesh.triangles,
            }))
    }

    /// Adds a mesh without a material, for a portal or bounds.
    pub(super) fn bare_mesh(&mut self, triangles: &[[DVec3; 3]], origin: DVec3) -> usize {
        let corners = triangles.iter().flatten();
        self.glb.bare_mesh(corners.map(|p| *p - origin))
    }

    /// Whether a node with this frame has the axes and the origin of its room.
    pub(super) fn stands_at_origin(&self, room: usize, frame: &NodeFrame) -> bool {
        let origin = (self.origins[room], DQuat::IDENTITY);
        frame.pivot.is_none_or(|pivot| pivot == origin)
    }

    /// Moves nodes that are relative to the room's origin below a node with another frame; returns that node's
    /// children. Each level of nodes undoes one whole transform above it, so that corners are read back bit for bit.
    fn in_frame(&mut self, room: usize, frame: &NodeFrame, children: Vec<usize>) -> Vec<usize> {
        let Some((pivot, turn)) = frame.pivot else {
            return children;
        };
        if children.is_empty() || self.stands_at_origin(room, frame) {
            return children;
        }
        let (origin, back) = (self.origins[room], turn.inverse());
        let inner = self.glb.node(json!({
            "translation": origin.to_array(), "children": children,
        }));
        let outer = self.glb.node(json!({
            "translation": turned(back, -pivot).to_array(), "rotation": back.to_array(),
            "children": [inner],
        }));
        vec![outer]
    }

    /// Adds the node of a room or a mover, below a node at the author's origin.
    pub(super) fn framed(
        &mut self,
        room: usize,
        name: &str,
        frame: NodeFrame,
        (mesh, children): (Option<usize>, Vec<usize>),
    ) -> usize {
        let children = self.in_frame(room, &frame, children);
        let (place, turn) = frame.pivot.unwrap_or((self.origins[room], DQuat::IDENTITY));
        let mut node = json!({"name": name, "translation": place.to_array()});
        if turn != DQuat::IDENTITY {
            node["rotation"] = json!(turn.to_array());
        }
        if let Some(mesh) = mesh {
            node["mesh"] = mesh.into();
        }
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        if !frame.extras.is_empty() {
            node["extras"] = Value::Object(frame.extras);
        }
        let node = self.glb.node(node);
        if let Some(keys) = &frame.keys {
            self.animate(node, place, keys);
        }
        node
    }

    /// Adds the node of a mover or a body to a room.
    pub(super) fn add_framed(
        &mut self,
        room: usize,
        name: &str,
        frame: NodeFrame,
        meshes: (Option<usize>, Vec<usize>),
    ) {
        let node = self.framed(room, name, frame, meshes);
        let back = -self.origins[room];
        let holder = json!({"translation": back.to_array(), "children": [node]});
        let holder = self.glb.node(holder);
        self.children[room].push(holder);
    }

    /// Adds the animation of a node. `rest` is the node's position relative to its parent without the animation.
    fn animate(&mut self, node: usize, rest: DVec3, keys: &KeyPoses) {
        let mut last = f32::NEG_INFINITY;
        let mut times = Vec::with_capacity(keys.keys.len());
        for key in &keys.keys {
            // A jump takes the shortest possible time.
            let at = ((key.part * keys.seconds) as f32).max(last.next_up());
            times.push(at);
            last = at;
        }
        let offsets = keys.keys.iter().map(|key| rest + key.offset);
        let offsets = offsets.flat_map(|p| p.as_vec3().to_array());
        let turns = keys.keys.iter().map(|key| key.rotation.as_quat());
        let turns = turns.flat_map(|turn| turn.to_array());
        let input = self.glb.numbers(times.iter().copied(), ElementType::Scalar);
        let offsets = self.glb.numbers(offsets, ElementType::Vec3);
        let turns = self.glb.numbers(turns, ElementType::Vec4);
        self.animations.push(json!({
            "samplers": [{"input": input, "output": offsets}, {"input": input, "output": turns}],
            "channels": [
                {"sampler": 0, "target": {"node": node, "path": "translation"}},
                {"sampler": 1, "target": {"node": node, "path": "rotation"}},
            ],
        }));
    }
}

/// The name of nodes below a node that have its meshes. It differs from the node's name, because a second node with
/// that name would be another room, mover or body.
pub(super) fn below(node: &str) -> String {
    format!("{}_mesh", plain_name(node))
}

/// The name of a mesh's node, with the ending of its role.
pub(super) fn ending(mesh: &MeshSource, material: &Material) -> String {
    let (role, ending) = match (material.sky, mesh.drawn, mesh.solid) {
        (true, ..) => (Role::Sky, "-sky"),
        (false, true, false) => (Role::NoCol, "-nocol"),
        (false, false, _) => (Role::ColOnly, "-colonly"),
        (false, true, true) => return mesh.node.to_string(),
    };
    match parse(&mesh.node).0 {
        found if found == role => mesh.node.to_string(),
        _ => format!("{}{ending}", mesh.node),
    }
}

/// A rotated point. If the rotation is the identity, the point is unchanged bit for bit.
fn turned(rotation: DQuat, point: DVec3) -> DVec3 {
    if rotation == DQuat::IDENTITY {
        point
    } else {
        rotation * point
    }
}
