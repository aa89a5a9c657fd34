//! Writes glTF 2.0 binary files: meshes of triangles and a tree of nodes.

use glam::{DVec3, Vec3};
use gltf::binary::Header;
use serde_json::{Value, json};

/// A part of an indexed mesh.
pub(in crate::level) struct Part<'a> {
    /// Index of its material.
    pub(in crate::level) material: usize,
    /// Corners, relative to the node.
    pub(in crate::level) positions: Vec<DVec3>,
    /// Unit normals, one a corner, or none.
    pub(in crate::level) normals: &'a [Vec3],
    /// Linear RGBA, one a corner, or none.
    pub(in crate::level) colours: &'a [[f32; 4]],
    /// Indices of corners.
    pub(in crate::level) triangles: &'a [[u32; 3]],
}

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
                let position = self.positions(triangles.iter().flatten().copied());
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

    /// Adds a mesh of indexed parts, each a material, corners and triangles, and returns its index.
    pub(in crate::level) fn indexed_mesh<'a>(
        &mut self,
        parts: impl Iterator<Item = Part<'a>>,
    ) -> usize {
        let parts = parts.map(|part| {
            let position = self.positions(part.positions.into_iter());
            let mut attributes = json!({"POSITION": position});
            if !part.normals.is_empty() {
                let normals = part.normals.iter().flat_map(|n| n.to_array());
                attributes["NORMAL"] = self.floats(normals, "VEC3").into();
            }
            if !part.colours.is_empty() {
                attributes["COLOR_0"] = self
                    .floats(part.colours.iter().flatten().copied(), "VEC4")
                    .into();
            }
            json!({
                "attributes": attributes, "material": part.material,
                "indices": self.indices(part.triangles),
            })
        });
        let primitives: Vec<Value> = parts.collect();
        self.meshes.push(json!({ "primitives": primitives }));
        self.meshes.len() - 1
    }

    fn positions(&mut self, corners: impl Iterator<Item = DVec3>) -> usize {
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let corners = corners.flat_map(|corner| {
            let corner = corner.as_vec3().to_array();
            for axis in 0..3 {
                min[axis] = min[axis].min(corner[axis]);
                max[axis] = max[axis].max(corner[axis]);
            }
            corner
        });
        let index = self.floats(corners, "VEC3");
        self.accessors[index]["min"] = json!(min);
        self.accessors[index]["max"] = json!(max);
        index
    }

    /// Adds vectors of a type that glTF names, and returns the index of their accessor.
    fn floats(&mut self, numbers: impl Iterator<Item = f32>, kind: &str) -> usize {
        let start = self.bytes.len();
        numbers.for_each(|number| self.bytes.extend(number.to_le_bytes()));
        let size = if kind == "VEC4" { 16 } else { 12 };
        let count = (self.bytes.len() - start) / size;
        self.accessor(
            start,
            json!({"componentType": 5126, "count": count, "type": kind}),
            34962,
        )
    }

    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let start = self.bytes.len();
        for index in triangles.iter().flatten() {
            self.bytes.extend(index.to_le_bytes());
        }
        let count = 3 * triangles.len();
        self.accessor(
            start,
            json!({"componentType": 5125, "count": count, "type": "SCALAR"}),
            34963,
        )
    }

    /// Adds an accessor of all bytes from `start` on; the target is ARRAY_BUFFER or ELEMENT_ARRAY_BUFFER.
    fn accessor(&mut self, start: usize, mut accessor: Value, target: u32) -> usize {
        self.views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start, "target": target,
        }));
        accessor["bufferView"] = json!(self.views.len() - 1);
        self.accessors.push(accessor);
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
