//! Writes glTF 2.0 binary files with meshes of triangles and a tree of nodes.

use glam::{DVec3, Vec2, Vec3, Vec4};
use gltf::binary::Header;
use serde_json::{Value, json};

/// A primitive of an indexed mesh.
pub(crate) struct PrimitiveSource<'a> {
    /// Index of its material, if any.
    pub(crate) material: Option<usize>,
    /// Vertex positions, relative to the node.
    pub(crate) positions: Vec<DVec3>,
    /// Unit normals, one per vertex, or none.
    pub(crate) normals: &'a [Vec3],
    /// Unit tangents, one per vertex, or none.
    pub(crate) tangents: &'a [Vec4],
    /// Two sets of texture coordinates, one per vertex, or none.
    pub(crate) uvs: &'a [Vec<Vec2>; 2],
    /// Linear RGBA, one per vertex, or none.
    pub(crate) colours: &'a [[f32; 4]],
    /// Vertex indices.
    pub(crate) triangles: &'a [[u32; 3]],
}

/// The element type of an accessor; all components are f32.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ElementType {
    /// One number.
    Scalar,
    /// Two numbers.
    Vec2,
    /// Three numbers.
    Vec3,
    /// Four numbers.
    Vec4,
}

impl ElementType {
    /// The type's name in glTF, and the number of its components.
    fn named(self) -> (&'static str, usize) {
        match self {
            Self::Scalar => ("SCALAR", 1),
            Self::Vec2 => ("VEC2", 2),
            Self::Vec3 => ("VEC3", 3),
            Self::Vec4 => ("VEC4", 4),
        }
    }
}

/// Target of buffer views with vertex attributes.
const ARRAY_BUFFER: u32 = 34962;
/// Target of buffer views with indices.
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// A file under construction. Nodes may share meshes, so that a large level stays a small file.
#[derive(Debug, Default)]
pub(crate) struct Glb {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
}

impl Glb {
    /// Adds a mesh and returns its index. Each part of the mesh has a material and triangles.
    pub(crate) fn mesh(&mut self, parts: &[(usize, Vec<[DVec3; 3]>)]) -> usize {
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

    /// Adds a mesh without a material, and returns its index.
    pub(crate) fn bare_mesh(&mut self, corners: impl Iterator<Item = DVec3>) -> usize {
        let position = self.positions(corners);
        self.meshes
            .push(json!({"primitives": [{"attributes": {"POSITION": position}}]}));
        self.meshes.len() - 1
    }

    /// Adds a node, given as glTF JSON, and returns its index.
    pub(crate) fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds an indexed mesh and returns its index. Each part of the mesh has a material, vertices and triangles.
    pub(crate) fn indexed_mesh<'a>(
        &mut self,
        parts: impl Iterator<Item = PrimitiveSource<'a>>,
    ) -> usize {
        let parts = parts.map(|part| {
            let position = self.positions(part.positions.into_iter());
            let mut attributes = json!({"POSITION": position});
            if !part.normals.is_empty() {
                let normals = part.normals.iter().flat_map(|n| n.to_array());
                attributes["NORMAL"] = self.floats(normals, ElementType::Vec3).into();
            }
            if !part.tangents.is_empty() {
                let tangents = part.tangents.iter().flat_map(|t| t.to_array());
                attributes["TANGENT"] = self.floats(tangents, ElementType::Vec4).into();
            }
            for (set, uvs) in part.uvs.iter().enumerate() {
                if !uvs.is_empty() {
                    let uvs = uvs.iter().flat_map(|uv| uv.to_array());
                    let name = format!("TEXCOORD_{set}");
                    attributes[name] = self.floats(uvs, ElementType::Vec2).into();
                }
            }
            if !part.colours.is_empty() {
                attributes["COLOR_0"] = self
                    .floats(part.colours.iter().flatten().copied(), ElementType::Vec4)
                    .into();
            }
            let mut primitive = json!({
                "attributes": attributes, "indices": self.indices(part.triangles),
            });
            if let Some(material) = part.material {
                primitive["material"] = material.into();
            }
            primitive
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
        let index = self.floats(corners, ElementType::Vec3);
        self.accessors[index]["min"] = json!(min);
        self.accessors[index]["max"] = json!(max);
        index
    }

    /// Adds a vertex attribute, and returns the index of its accessor.
    fn floats(&mut self, numbers: impl Iterator<Item = f32>, kind: ElementType) -> usize {
        let index = self.numbers(numbers, kind);
        if let Some(view) = self.views.last_mut() {
            view["target"] = ARRAY_BUFFER.into();
        }
        index
    }

    /// Adds numbers of an animation, and returns the index of their accessor. An accessor of scalars also gets their
    /// minimum and maximum.
    pub(crate) fn numbers(
        &mut self,
        numbers: impl Iterator<Item = f32>,
        kind: ElementType,
    ) -> usize {
        let start = self.bytes.len();
        let (mut min, mut max) = (f32::INFINITY, f32::NEG_INFINITY);
        for number in numbers {
            (min, max) = (min.min(number), max.max(number));
            self.bytes.extend(number.to_le_bytes());
        }
        let (name, width) = kind.named();
        let count = (self.bytes.len() - start) / (4 * width);
        let mut accessor = json!({"componentType": 5126, "count": count, "type": name});
        if let ElementType::Scalar = kind {
            accessor["min"] = json!([min]);
            accessor["max"] = json!([max]);
        }
        self.accessor(start, accessor)
    }

    /// Adds bytes, and returns the index of their view.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let view = self.view(start);
        // The next data begins at a multiple of four.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        view
    }

    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let start = self.bytes.len();
        for index in triangles.iter().flatten() {
            self.bytes.extend(index.to_le_bytes());
        }
        let accessor =
            json!({"componentType": 5125, "count": 3 * triangles.len(), "type": "SCALAR"});
        let index = self.accessor(start, accessor);
        if let Some(view) = self.views.last_mut() {
            view["target"] = ELEMENT_ARRAY_BUFFER.into();
        }
        index
    }

    /// Adds an accessor of all bytes from `start` on.
    fn accessor(&mut self, start: usize, mut accessor: Value) -> usize {
        accessor["bufferView"] = self.view(start).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds a view of all bytes from `start` on.
    fn view(&mut self, start: usize) -> usize {
        let length = self.bytes.len() - start;
        self.views
            .push(json!({"buffer": 0, "byteOffset": start, "byteLength": length}));
        self.views.len() - 1
    }

    /// The file: a header, a JSON chunk and a binary chunk. `top` is the rest of the document: scenes, materials,
    /// extensions.
    pub(crate) fn finish(self, top: Value) -> Vec<u8> {
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
                length: 0, // Set by the serializer.
            },
            json: document.to_string().into_bytes().into(),
            bin: Some(self.bytes.into()),
        };
        // Writing to memory cannot fail; only files and sockets can.
        file.to_vec().unwrap_or_default()
    }
}
