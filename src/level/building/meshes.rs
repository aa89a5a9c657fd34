//! Meshes of rooms and movers: what is solid, packed, and what is drawn.

use std::ops::Range;

use glam::{DVec3, Vec2, Vec3};

use super::components::{connected_components, join_neighbours};
use crate::geometry::{Aabb, Triangle};
use crate::level::graph::solids::{Packed, Soup};
use crate::level::{
    Alpha, Draw, LevelData, Material, MeshSource, Solids, Surface, UnitVector, Vertex,
};
use crate::parallel::cores;

/// Draws of one blended material in a room, or in a part of a mover, at most: with some thousands of
/// them a frame waits for the processor.
const MAX_PIECES: usize = 256;

/// A point of the level in f32; the addition turns -0 into 0.
pub(super) fn to_level(author: DVec3, origin: DVec3) -> Vec3 {
    (author - origin).as_vec3() + Vec3::ZERO
}

/// Packs the solid triangles of the meshes of each set.
pub(super) fn append_solids(level: &mut LevelData, sets: &[&[&MeshSource]]) -> Vec<Packed> {
    let sets: Vec<Vec<&MeshSource>> = sets
        .iter()
        .map(|set| set.iter().filter(|mesh| mesh.solid).copied().collect())
        .collect();
    let packed = pack_meshes(&mut level.solids, level.origin, &level.materials, sets);
    level.degenerate_triangles += packed.iter().map(|set| set.without_area).sum::<usize>();
    packed
}

/// Packs all triangles of the meshes of each set.
pub(super) fn pack_meshes(
    solids: &mut Solids,
    origin: DVec3,
    materials: &[Material],
    mut sets: Vec<Vec<&MeshSource>>,
) -> Vec<Packed> {
    let size = |set: &Vec<&MeshSource>| set.iter().map(|mesh| mesh.triangles.len()).sum();
    let sizes: Vec<usize> = sets.iter().map(size).collect();
    // Surfaces are numbered here, in order; what is left can be done in any.
    let surfaces: Vec<Vec<(&MeshSource, Surface)>> = sets
        .iter_mut()
        .map(|set| {
            set.sort_by(|a, b| (&a.node, a.material).cmp(&(&b.node, b.material)));
            let mut surface = |mesh: &MeshSource| solids.surface(mesh.material as u32, &mesh.node);
            set.iter().map(|&mesh| (mesh, surface(mesh))).collect()
        })
        .collect();
    solids.append_all(&sizes, cores(), |index| {
        let mut soup = Soup::default();
        for (mesh, surface) in &surfaces[index] {
            let points = mesh.positions.iter().map(|&p| to_level(p, origin));
            let two_sided = materials[mesh.material].double_sided;
            soup.add(points, &mesh.triangles, *surface, two_sided);
        }
        soup
    })
}

/// Adds the drawn triangles of the meshes, one range a material, or a connected piece of one that
/// blends; returns the ranges' range and the box around them.
pub(super) fn append_draws(level: &mut LevelData, meshes: &[&MeshSource]) -> (Range<u32>, Aabb) {
    let first_draw = level.draws.len() as u32;
    let mut bounds = Aabb::EMPTY;
    let mut drawn: Vec<&&MeshSource> = meshes.iter().filter(|mesh| mesh.drawn).collect();
    drawn.sort_by_key(|mesh| mesh.material);
    for of_material in drawn.chunk_by(|a, b| a.material == b.material) {
        let start = level.indices.len() as u32;
        for mesh in of_material {
            append_mesh(level, mesh);
        }
        let indices = start..level.indices.len() as u32;
        if indices.is_empty() {
            continue;
        }
        let material = of_material[0].material;
        let ranges = if level.materials[material].alpha == Alpha::Blend {
            let blended = &mut level.indices[start as usize..];
            let pieces = connected_components(&level.vertices, blended);
            let pieces = join_neighbours(&level.vertices, blended, pieces, MAX_PIECES);
            let pieces = pieces.into_iter();
            pieces.map(|p| start + p.start..start + p.end).collect()
        } else {
            vec![indices]
        };
        for indices in ranges {
            let of_range = &level.indices[indices.start as usize..indices.end as usize];
            let corners = of_range
                .iter()
                .map(|&i| level.vertices[i as usize].position);
            let drawn_bounds = Aabb::around(corners.map(|p| p.as_dvec3()));
            bounds = bounds.union(drawn_bounds);
            level.draws.push(Draw {
                material: material as u32,
                indices,
                bounds: drawn_bounds,
            });
        }
    }
    (first_draw..level.draws.len() as u32, bounds)
}

/// Adds the vertices and indices of one mesh; a mesh without normals gets flat ones.
fn append_mesh(level: &mut LevelData, mesh: &MeshSource) {
    let origin = level.origin;
    let vertex = |i: u32, normal: Option<Vec3>| {
        let i = i as usize;
        let position = to_level(mesh.positions[i], origin);
        let normal = normal.unwrap_or_else(|| mesh.normals[i]);
        let tangent = mesh.tangents.get(i).copied();
        let tangent = tangent.unwrap_or_else(|| normal.any_orthonormal_vector().extend(1.0));
        let colour = mesh.colours.get(i).copied().unwrap_or([1.0; 4]);
        Vertex {
            position,
            normal: UnitVector::pack(normal),
            tangent: UnitVector::pack_tangent(tangent.truncate(), tangent.w < 0.0),
            uvs: [0, 1].map(|set| mesh.uvs[set].get(i).copied().unwrap_or(Vec2::ZERO)),
            colour: colour.map(|c| (c.clamp(0.0, 1.0) * 65535.0).round() as u16),
        }
    };
    let base = level.vertices.len() as u32;
    if mesh.normals.is_empty() {
        for corners in &mesh.triangles {
            let triangle = Triangle {
                corners: corners.map(|i| mesh.positions[i as usize]),
            };
            let normal = triangle.normal().map_or(Vec3::Y, DVec3::as_vec3);
            let first = level.vertices.len() as u32;
            level
                .vertices
                .extend(corners.map(|i| vertex(i, Some(normal))));
            level.indices.extend([first, first + 1, first + 2]);
        }
    } else {
        let all = 0..mesh.positions.len() as u32;
        level.vertices.extend(all.map(|i| vertex(i, None)));
        let corners = mesh.triangles.iter().flatten();
        level.indices.extend(corners.map(|i| base + i));
    }
}
