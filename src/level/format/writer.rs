//! Writes glTF 2.0 binary files: meshes of triangles and a tree of nodes.

use glam::DVec3;
use gltf::binary::Header;
use serde_json::{Value, json};

/// A file in the making. Nodes may share meshes, so that a large level stays a small file.
#[derive(Debug, Default)]
pub(in crate::level) struct Glb {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
}

impl Glb {
    /// Adds a mesh of parts, each a material and its triangles, and returns its index.
    pub(in crate::level) fn mesh(&mut self, parts: &[(usize, Vec<[DVec3; 3]>)]) -> usize {
        let primitives: Vec<Value> = parts
            .iter()
            .map(|(material, triangles)| {
                let position = self.positions(triangles);
                json!({"attributes": {"POSITION": position}, "material": material})
            })
            .collect();
        self.meshes.push(json!({ "primitives": primitives }));
        self.meshes.len() - 1
    }

    /// Adds a node as glTF describes it and returns its index.
    pub(in crate::level) fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn positions(&mut self, triangles: &[[DVec3; 3]]) -> usize {
        let start = self.bytes.len();
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for corner in triangles.iter().flatten() {
            let corner = corner.as_vec3().to_array();
            for axis in 0..3 {
                min[axis] = min[axis].min(corner[axis]);
                max[axis] = max[axis].max(corner[axis]);
                self.bytes.extend(corner[axis].to_le_bytes());
            }
        }
        self.views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start,
            "target": 34962, // ARRAY_BUFFER
        }));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": 5126, // FLOAT
            "count": 3 * triangles.len(), "type": "VEC3", "min": min, "max": max,
        }));
        self.accessors.len() - 1
    }

    /// The file: a header, a JSON chunk and a binary chunk. `top` holds the rest of the document: scenes, materials, extensions.
    pub(in crate::level) fn finish(self, top: Value) -> Vec<u8> {
        let mut document = json!({
            "asset": {"version": "2.0", "generator": "opendoor generate"},
            "buffers": [{"byteLength": self.bytes.len()}],
            "bufferViews": self.views,
            "accessors": self.accessors,
            "meshes": self.meshes,
            "nodes": self.nodes,
        });
        if let (Value::Object(document), Value::Object(top)) = (&mut document, top) {
            document.extend(top);
        }
        let file = gltf::Glb {
            header: Header {
                magic: *b"glTF",
                version: 2,
                length: 0, // Found by what writes it.
            },
            json: document.to_string().into_bytes().into(),
            bin: Some(self.bytes.into()),
        };
        // Only files and sockets can fail.
        file.to_vec().unwrap_or_default()
    }
}
