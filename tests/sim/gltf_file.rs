//! Small glTF files, created in memory so that a test can define their exact contents.

use opendoor::gltf::read_source_bytes;
use opendoor::problems::Problems;
use opendoor::source::LevelSource;
use serde_json::{Value, json};

/// A square of two triangles that faces up, with its corners in the order of a fan.
pub(crate) const SQUARE: [[f32; 3]; 4] = [[0., 0., 0.], [0., 0., 1.], [1., 0., 1.], [1., 0., 0.]];

/// The source and the problems of a usable file.
pub(crate) fn read(file: &GltfFile) -> (LevelSource, Problems) {
    read_source_bytes("test", &file.glb()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The source of a file without problems.
pub(crate) fn read_cleanly(file: &GltfFile) -> LevelSource {
    let (source, problems) = read(file);
    assert_eq!(problems, Problems::default());
    source
}

/// A PNG of one red and one half-transparent blue pixel.
pub(crate) fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let pixels = vec![255, 0, 0, 255, 0, 0, 255, 128];
    let image = image::RgbaImage::from_raw(2, 1, pixels).unwrap();
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// A glTF document with one buffer.
#[derive(Clone)]
pub(crate) struct GltfFile {
    pub(crate) json: Value,
    pub(crate) binary: Vec<u8>,
}

impl GltfFile {
    /// A document with an empty default scene.
    pub(crate) fn new() -> Self {
        Self {
            json: json!({
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": []}],
            }),
            binary: Vec::new(),
        }
    }

    /// Appends to one of the document's arrays and returns the index.
    pub(crate) fn push(&mut self, array: &str, value: Value) -> usize {
        if self.json[array].is_null() {
            self.json[array] = json!([]);
        }
        let array = self.json[array].as_array_mut().unwrap();
        array.push(value);
        array.len() - 1
    }

    /// Appends bytes to the buffer, aligned to 4, and returns their buffer view.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len()});
        self.binary.extend(bytes);
        self.push("bufferViews", view)
    }

    /// An accessor of tightly packed floats.
    pub(crate) fn floats<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = values
            .iter()
            .flatten()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        let view = self.view(&bytes);
        let accessor = json!({
            "bufferView": view, "componentType": 5126, "count": values.len(),
            "type": format!("VEC{N}"),
        });
        self.push("accessors", accessor)
    }

    /// An accessor of 16-bit indices.
    pub(crate) fn indices(&mut self, indices: &[u16]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let accessor = json!({
            "bufferView": view, "componentType": 5123, "count": indices.len(), "type": "SCALAR",
        });
        self.push("accessors", accessor)
    }

    /// A mesh of one primitive.
    pub(crate) fn mesh(&mut self, primitive: Value) -> usize {
        self.push(
            "meshes",
            json!({"name": "shape", "primitives": [primitive]}),
        )
    }

    /// A mesh of triangles without indices.
    pub(crate) fn triangles(&mut self, corners: &[[f32; 3]]) -> usize {
        let positions = self.floats(corners);
        self.mesh(json!({"attributes": {"POSITION": positions}}))
    }

    /// A texture with the image of [`png`].
    pub(crate) fn texture(&mut self) -> usize {
        let view = self.view(&png());
        let image = self.push("images", json!({"bufferView": view}));
        self.push("textures", json!({"source": image}))
    }

    /// The attributes of the first primitive.
    pub(crate) fn attributes(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]["attributes"]
    }

    /// Puts nodes at the top of the scene.
    pub(crate) fn roots(&mut self, roots: &[usize]) {
        self.json["scenes"][0]["nodes"] = json!(roots);
    }

    /// Puts one room at the top of the scene, with a child node for the mesh.
    pub(crate) fn in_room(&mut self, mesh: usize) {
        let child = self.push("nodes", json!({"name": "shape", "mesh": mesh}));
        let room = self.push("nodes", json!({"name": "hall-room", "children": [child]}));
        self.roots(&[room]);
    }

    /// The file as .glb.
    pub(crate) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        let bin = (!self.binary.is_empty()).then(|| {
            json["buffers"] = json!([{"byteLength": self.binary.len()}]);
            self.binary.as_slice().into()
        });
        let file = gltf::Glb {
            header: gltf::binary::Header {
                magic: *b"glTF",
                version: 2,
                length: 0, // Computed by the writer.
            },
            json: json.to_string().into_bytes().into(),
            bin,
        };
        file.to_vec().unwrap()
    }
}
