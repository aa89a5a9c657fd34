//! The triangles of meshes, in the mesh's own coordinates.

use glam::Vec2;
use gltf::json;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use super::accessor::Buffers;
use super::materials::Surface;

/// The triangles of one material of a mesh.
pub(super) struct Primitive {
    /// Corners, metres, all finite.
    pub positions: Vec<[f32; 3]>,
    /// One a corner, finite but not of unit length; or empty.
    pub normals: Vec<[f32; 3]>,
    /// One a corner, as the material's texture wants them; or empty.
    pub uvs: Vec<Vec2>,
    /// Indices into `positions`, all in range.
    pub triangles: Vec<[u32; 3]>,
    /// Index of the material in the document; one past the last for the default material.
    pub material: usize,
}

/// A mesh, as far as it can be read.
#[derive(Default)]
pub(super) struct Mesh {
    pub primitives: Vec<Primitive>,
    /// What is broken, each with the primitive and the accessor.
    pub errors: Vec<String>,
    /// What holds no triangles, so that it is neither drawn nor solid.
    pub skipped: Vec<String>,
    /// What is odd.
    pub warnings: Vec<String>,
}

/// Reads a mesh of the document.
pub(super) fn read(
    root: &json::Root,
    buffers: &mut Buffers,
    index: usize,
    surfaces: &[Surface],
) -> Mesh {
    let mut mesh = Mesh::default();
    let Some(source) = root.meshes.get(index) else {
        mesh.errors.push(format!("there is no mesh {index}"));
        return mesh;
    };
    let name = match &source.name {
        Some(name) => format!("mesh {index} ({name})"),
        None => format!("mesh {index}"),
    };
    for (at, primitive) in source.primitives.iter().enumerate() {
        let place = format!("{name}, primitive {at}");
        read_primitive(buffers, primitive, surfaces, &place, &mut mesh);
    }
    if source.primitives.is_empty() {
        mesh.skipped.push(format!("{name} has no primitives"));
    }
    mesh
}

fn read_primitive(
    buffers: &mut Buffers,
    primitive: &json::mesh::Primitive,
    surfaces: &[Surface],
    place: &str,
    mesh: &mut Mesh,
) {
    let mode = match primitive.mode {
        Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => mode,
        Checked::Valid(mode) => {
            let what = format!("{place} is of mode {mode:?}, not triangles");
            mesh.skipped.push(what);
            return;
        }
        Checked::Invalid => {
            mesh.errors.push(format!("{place} has an unknown mode"));
            return;
        }
    };
    let attribute = |semantic| {
        let accessor = primitive.attributes.get(&Checked::Valid(semantic));
        accessor.map(|accessor| accessor.value())
    };
    let Some(positions) = attribute(Semantic::Positions) else {
        mesh.skipped.push(format!("{place} has no POSITION"));
        return;
    };
    let material = primitive.material.map_or(surfaces.len(), |m| m.value());
    if material > surfaces.len() || (material == surfaces.len() && primitive.material.is_some()) {
        let what = format!("{place} uses material {material}, which does not exist");
        mesh.errors.push(what);
        return;
    }
    let texture = surfaces.get(material).and_then(|s| s.texture.as_ref());
    let uvs = texture.and_then(|texture| attribute(Semantic::TexCoords(texture.set)));
    if texture.is_some() && uvs.is_none() {
        let set = texture.map_or(0, |texture| texture.set);
        let what =
            format!("{place} lacks TEXCOORD_{set} for its texture; unwrap it in the modeller");
        mesh.warnings.push(what);
    }
    let mut result = || -> Result<Primitive, String> {
        let positions = attribute_values::<3>(buffers, "POSITION", positions, None)?;
        let count = Some(positions.len());
        let normals = match attribute(Semantic::Normals) {
            Some(normals) => attribute_values::<3>(buffers, "NORMAL", normals, count)?,
            None => Vec::new(),
        };
        let uvs = match (texture, uvs) {
            (Some(texture), Some(uvs)) => {
                let values = attribute_values::<2>(buffers, "TEXCOORD", uvs, count)?;
                values
                    .into_iter()
                    .map(|uv| texture.uv_from_file(uv))
                    .collect()
            }
            _ => Vec::new(),
        };
        let indices = match primitive.indices {
            Some(indices) => vertex_indices(buffers, indices.value(), positions.len())?,
            None => (0..positions.len() as u32).collect(),
        };
        let triangles = triangles(mode, &indices);
        if mode == Mode::Triangles && indices.len() % 3 != 0 {
            mesh.warnings.push(format!(
                "{place} has {} indices, not a multiple of 3: the last triangle is dropped",
                indices.len()
            ));
        }
        let mut primitive = Primitive {
            positions,
            normals,
            uvs,
            triangles,
            material,
        };
        drop_unused_vertices(&mut primitive);
        Ok(primitive)
    };
    match result() {
        Ok(primitive) => mesh.primitives.push(primitive),
        Err(error) => mesh.errors.push(format!("{place}: {error}")),
    }
}

/// The values of an attribute, all finite, as many as there are positions.
fn attribute_values<const N: usize>(
    buffers: &mut Buffers,
    what: &str,
    accessor: usize,
    count: Option<usize>,
) -> Result<Vec<[f32; N]>, String> {
    let values = buffers.vectors::<N>(accessor);
    let values = values.map_err(|error| format!("{what}: {error}"))?;
    let finite = |value: &[f32; N]| value.iter().all(|x| x.is_finite());
    if let Some(at) = values.iter().position(|value| !finite(value)) {
        let value = values[at];
        return Err(format!(
            "{what}: vertex {at} of accessor {accessor} is {value:?}, which is not finite"
        ));
    }
    match count {
        Some(count) if count != values.len() => Err(format!(
            "{what}: accessor {accessor} has count {}, POSITION has {count}",
            values.len()
        )),
        _ => Ok(values),
    }
}

fn vertex_indices(
    buffers: &mut Buffers,
    accessor: usize,
    vertices: usize,
) -> Result<Vec<u32>, String> {
    let indices = buffers.indices(accessor);
    let indices = indices.map_err(|error| format!("indices: {error}"))?;
    match indices.iter().find(|&&index| index as usize >= vertices) {
        Some(index) => Err(format!(
            "indices: accessor {accessor} points at vertex {index} of {vertices}"
        )),
        None => Ok(indices),
    }
}

/// The triangles that the indices make, all with the winding of the first.
fn triangles(mode: Mode, indices: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        Mode::TriangleStrip => (0..)
            .zip(indices.windows(3))
            .filter_map(|(at, corners)| match *corners {
                [a, b, c] if at % 2 == 0 => Some([a, b, c]),
                [a, b, c] => Some([a, c, b]),
                _ => None,
            })
            .collect(),
        Mode::TriangleFan => match indices.split_first() {
            Some((&centre, rim)) => rim
                .windows(2)
                .filter_map(|side| match *side {
                    [a, b] => Some([a, b, centre]),
                    _ => None,
                })
                .collect(),
            None => Vec::new(),
        },
        _ => indices.as_chunks::<3>().0.to_vec(),
    }
}

/// Some exporters keep the vertices of a whole model in one accessor that all primitives share:
/// each keeps only its own.
fn drop_unused_vertices(primitive: &mut Primitive) {
    const UNUSED: u32 = u32::MAX;
    let vertices = primitive.positions.len();
    if 3 * primitive.triangles.len() >= vertices {
        return;
    }
    let mut new_from_old = vec![UNUSED; vertices];
    let mut old_from_new = Vec::new();
    for corner in primitive.triangles.iter_mut().flatten() {
        let new = &mut new_from_old[*corner as usize];
        if *new == UNUSED {
            *new = old_from_new.len() as u32;
            old_from_new.push(*corner as usize);
        }
        *corner = *new;
    }
    fn pick<T: Copy>(values: &mut Vec<T>, from: &[usize]) {
        if !values.is_empty() {
            *values = from.iter().map(|&old| values[old]).collect();
        }
    }
    pick(&mut primitive.positions, &old_from_new);
    pick(&mut primitive.normals, &old_from_new);
    pick(&mut primitive.uvs, &old_from_new);
}
