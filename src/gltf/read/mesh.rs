//! The triangles of meshes, in mesh coordinates.

use glam::Vec2;
use gltf::json;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use super::accessor::{AccessorBuffers, AccessorError};
use super::primitive::Primitive;
use super::tangents;
use crate::level::Material;

/// The reason why a primitive has no usable triangles.
pub(crate) enum PrimitiveError {
    /// It has no triangles, which is allowed.
    Skipped(String),
    /// It is invalid.
    Broken(String),
    /// The level is too large.
    TooMuch(AccessorError),
}

/// Reads a primitive.
pub(crate) fn read(
    buffers: &mut AccessorBuffers,
    primitive: &json::mesh::Primitive,
    materials: &[Material],
) -> Result<Primitive, PrimitiveError> {
    let mode = match primitive.mode {
        Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => mode,
        Checked::Valid(mode) => {
            return Err(PrimitiveError::Skipped(format!(
                "is of mode {mode:?}, not triangles"
            )));
        }
        Checked::Invalid => return Err(PrimitiveError::Broken("has an unknown mode".to_owned())),
    };
    let attribute = |semantic| {
        let accessor = primitive.attributes.get(&Checked::Valid(semantic));
        accessor.map(|accessor| accessor.value())
    };
    let Some(positions) = attribute(Semantic::Positions) else {
        return Err(PrimitiveError::Skipped("has no POSITION".to_owned()));
    };
    let material = match primitive.material.map(|material| material.value()) {
        Some(material) if material >= materials.len() => {
            let message = format!("uses material {material}, which does not exist");
            return Err(PrimitiveError::Broken(message));
        }
        Some(material) => material,
        None => materials.len(),
    };
    let mut warnings = Vec::new();
    let positions = attribute_values::<3>(buffers, "POSITION", positions, None)?;
    let count = Some(positions.len());
    let normals = match attribute(Semantic::Normals) {
        Some(normals) => attribute_values::<3>(buffers, "NORMAL", normals, count)?,
        None => Vec::new(),
    };
    let look = materials.get(material);
    let mut uvs = [Vec::new(), Vec::new()];
    for (set, uvs) in (0..).zip(&mut uvs) {
        if !look.is_some_and(|look| look.textures().any(|texture| texture.uv_set == set)) {
            continue;
        }
        match attribute(Semantic::TexCoords(set.into())) {
            Some(accessor) => {
                let values = attribute_values::<2>(buffers, "TEXCOORD", accessor, count)?;
                uvs.extend(values.into_iter().map(Vec2::from_array));
            }
            None => warnings.push(format!(
                "lacks TEXCOORD_{set} for its texture; unwrap it in Blender"
            )),
        }
    }
    let colours = match attribute(Semantic::Colors(0)) {
        Some(colours) if buffers.is_vec4(colours) => {
            attribute_values::<4>(buffers, "COLOR_0", colours, count)?
        }
        Some(colours) => {
            let opaque = attribute_values::<3>(buffers, "COLOR_0", colours, count)?;
            opaque.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
        }
        None => Vec::new(),
    };
    let normal_map = look.filter(|look| !look.unlit);
    let normal_map = normal_map.and_then(|look| look.normal_texture.as_ref());
    // If the file has no normals, its tangents are ignored, and both are generated.
    let tangents = match attribute(Semantic::Tangents) {
        Some(tangents) if normal_map.is_some() && !normals.is_empty() => {
            attribute_values::<4>(buffers, "TANGENT", tangents, count)?
        }
        _ => Vec::new(),
    };
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
        tangents,
        uvs,
        colours,
        triangles: triangles(mode, &indices),
        given_vertices: 0,
        material,
        warnings,
    };
    drop_unused_vertices(&mut primitive);
    primitive.given_vertices = primitive.positions.len();
    join_equal_vertices(&mut primitive);
    if let Some(texture) = normal_map
        && primitive.tangents.is_empty()
        && let Err(why) = tangents::make(&mut primitive, texture)
    {
        primitive.warnings.push(why);
    }
    Ok(primitive)
}

/// Turns an accessor's error into a primitive's; `what` is the use of the accessor.
fn unread(what: &str, error: AccessorError) -> PrimitiveError {
    match error {
        AccessorError::TooMuch => PrimitiveError::TooMuch(error),
        error => PrimitiveError::Broken(format!("{what}: {error}")),
    }
}

/// The values of an attribute, one for each position; it is an error if one is not finite.
pub(crate) fn attribute_values<const N: usize>(
    buffers: &mut AccessorBuffers,
    what: &str,
    accessor: usize,
    count: Option<usize>,
) -> Result<Vec<[f32; N]>, PrimitiveError> {
    let values = buffers.vectors::<N>(accessor);
    let values = values.map_err(|error| unread(what, error))?;
    let finite = |value: &[f32; N]| value.iter().all(|x| x.is_finite());
    if let Some((at, value)) = values.iter().enumerate().find(|(_, value)| !finite(value)) {
        return Err(PrimitiveError::Broken(format!(
            "{what}: vertex {at} of accessor {accessor} is {value:?}, which is not finite"
        )));
    }
    match count {
        Some(count) if count != values.len() => Err(PrimitiveError::Broken(format!(
            "{what}: accessor {accessor} has count {}, POSITION has {count}",
            values.len()
        ))),
        _ => Ok(values),
    }
}

fn vertex_indices(
    buffers: &mut AccessorBuffers,
    accessor: usize,
    vertices: usize,
) -> Result<Vec<u32>, PrimitiveError> {
    let indices = buffers.indices(accessor);
    let indices = indices.map_err(|error| unread("indices", error))?;
    match indices.iter().find(|&&index| index as usize >= vertices) {
        Some(index) => Err(PrimitiveError::Broken(format!(
            "indices: accessor {accessor} points at vertex {index} of {vertices}"
        ))),
        None => Ok(indices),
    }
}

/// The triangles that the indices form; all have the winding of the first.
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
            Some((&centre, outline)) => outline
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

/// Drops the vertices that a primitive does not use. Some exporters store the vertices of a whole model in one accessor
/// that all primitives share.
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
            old_from_new.push(*corner);
        }
        *corner = *new;
    }
    primitive.keep_vertices(&old_from_new);
}

/// Joins vertices at equal positions if they have no other attributes. Exporters write flat meshes with one vertex for
/// each corner of each triangle. Joining these reduces the memory of each instance of the mesh to about a quarter.
fn join_equal_vertices(primitive: &mut Primitive) {
    let has_uvs = primitive.uvs.iter().any(|uvs| !uvs.is_empty());
    if has_uvs || !primitive.normals.is_empty() || !primitive.colours.is_empty() {
        return;
    }
    let bits = primitive.positions.iter().map(|p| p.map(f32::to_bits));
    let mut sorted: Vec<([u32; 3], u32)> = bits.zip(0..).collect();
    sorted.sort_unstable();
    let mut first_from_old = vec![0; sorted.len()];
    for equal in sorted.chunk_by(|a, b| a.0 == b.0) {
        for (_, old) in equal {
            first_from_old[*old as usize] = equal[0].1;
        }
    }
    // Vertices keep the order of their first occurrence, so that the first vertex stays the first.
    let mut new_from_old = vec![0; sorted.len()];
    let mut kept = Vec::new();
    for (old, &first) in (0..).zip(&first_from_old) {
        if first == old {
            new_from_old[old as usize] = kept.len() as u32;
            kept.push(old);
        } else {
            new_from_old[old as usize] = new_from_old[first as usize];
        }
    }
    if kept.len() == sorted.len() {
        return;
    }
    for corner in primitive.triangles.iter_mut().flatten() {
        *corner = new_from_old[*corner as usize];
    }
    primitive.keep_vertices(&kept);
}
