//! The triangles of meshes, in the mesh's own coordinates.

use glam::Vec2;
use gltf::json;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use super::accessor::{AccessorError, Buffers};
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
    /// What is odd about it.
    pub warnings: Vec<String>,
}

/// Why a primitive gives no triangles.
pub(super) enum Unread {
    /// It has none, which is allowed.
    Skipped(String),
    /// It is broken.
    Broken(String),
    /// The level is too large.
    TooMuch(AccessorError),
}

/// Reads a primitive.
pub(super) fn read(
    buffers: &mut Buffers,
    primitive: &json::mesh::Primitive,
    surfaces: &[Surface],
) -> Result<Primitive, Unread> {
    let mode = match primitive.mode {
        Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => mode,
        Checked::Valid(mode) => {
            return Err(Unread::Skipped(format!(
                "is of mode {mode:?}, not triangles"
            )));
        }
        Checked::Invalid => return Err(Unread::Broken("has an unknown mode".to_owned())),
    };
    let attribute = |semantic| {
        let accessor = primitive.attributes.get(&Checked::Valid(semantic));
        accessor.map(|accessor| accessor.value())
    };
    let Some(positions) = attribute(Semantic::Positions) else {
        return Err(Unread::Skipped("has no POSITION".to_owned()));
    };
    let material = match primitive.material.map(|material| material.value()) {
        Some(material) if material >= surfaces.len() => {
            let message = format!("uses material {material}, which does not exist");
            return Err(Unread::Broken(message));
        }
        Some(material) => material,
        None => surfaces.len(),
    };
    let mut warnings = Vec::new();
    let positions = attribute_values::<3>(buffers, "POSITION", positions, None)?;
    let count = Some(positions.len());
    let normals = match attribute(Semantic::Normals) {
        Some(normals) => attribute_values::<3>(buffers, "NORMAL", normals, count)?,
        None => Vec::new(),
    };
    let mut uvs = Vec::new();
    if let Some(texture) = surfaces.get(material).and_then(|s| s.texture.as_ref()) {
        let set = texture.set;
        match attribute(Semantic::TexCoords(set)) {
            Some(accessor) => {
                let values = attribute_values::<2>(buffers, "TEXCOORD", accessor, count)?;
                uvs.extend(values.into_iter().map(|uv| texture.uv_from_file(uv)));
            }
            None => warnings.push(format!(
                "lacks TEXCOORD_{set} for its texture; unwrap it in the modeller"
            )),
        }
    }
    let indices = match primitive.indices {
        Some(indices) => vertex_indices(buffers, indices.value(), positions.len())?,
        None => (0..positions.len() as u32).collect(),
    };
    if mode == Mode::Triangles && indices.len() % 3 != 0 {
        let count = indices.len();
        warnings.push(format!(
            "has {count} indices, not a multiple of 3: the last triangle is dropped"
        ));
    }
    let mut primitive = Primitive {
        positions,
        normals,
        uvs,
        triangles: triangles(mode, &indices),
        material,
        warnings,
    };
    drop_unused_vertices(&mut primitive);
    Ok(primitive)
}

/// An accessor's error, with what the accessor is for.
fn unread(what: &str, error: AccessorError) -> Unread {
    match error {
        AccessorError::TooMuch => Unread::TooMuch(error),
        error => Unread::Broken(format!("{what}: {error}")),
    }
}

/// The values of an attribute, all finite, as many as there are positions.
fn attribute_values<const N: usize>(
    buffers: &mut Buffers,
    what: &str,
    accessor: usize,
    count: Option<usize>,
) -> Result<Vec<[f32; N]>, Unread> {
    let values = buffers.vectors::<N>(accessor);
    let values = values.map_err(|error| unread(what, error))?;
    let finite = |value: &[f32; N]| value.iter().all(|x| x.is_finite());
    if let Some((at, value)) = values.iter().enumerate().find(|(_, value)| !finite(value)) {
        return Err(Unread::Broken(format!(
            "{what}: vertex {at} of accessor {accessor} is {value:?}, which is not finite"
        )));
    }
    match count {
        Some(count) if count != values.len() => Err(Unread::Broken(format!(
            "{what}: accessor {accessor} has count {}, POSITION has {count}",
            values.len()
        ))),
        _ => Ok(values),
    }
}

fn vertex_indices(
    buffers: &mut Buffers,
    accessor: usize,
    vertices: usize,
) -> Result<Vec<u32>, Unread> {
    let indices = buffers.indices(accessor);
    let indices = indices.map_err(|error| unread("indices", error))?;
    match indices.iter().find(|&&index| index as usize >= vertices) {
        Some(index) => Err(Unread::Broken(format!(
            "indices: accessor {accessor} points at vertex {index} of {vertices}"
        ))),
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
