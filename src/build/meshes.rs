//! Meshes of rooms and movers: packs their solid triangles, and lists their drawn triangles.

use std::ops::Range;

use glam::{DVec3, Vec2, Vec3};

use crate::geometry::{Aabb, Triangle, connected_components, join_neighbours};
use crate::level::solids::{PackedSet, Soup};
use crate::level::vertex::rounded;
use crate::level::{Alpha, Draw, LevelData, Material, Solids, TriangleSource, UnitVector, Vertex};
use crate::parallel::cores;
use crate::source::MeshSource;

/// Maximum number of draws for one blended material in a room, or in a part of a mover. With some thousands of draws,
/// the CPU limits the frame rate.
const MAX_PIECES: usize = 256;

/// Number of recent vertices among which an equal corner of a flat mesh is searched for.
const RECENT_VERTICES: usize = 12;

/// A point of the level in f32. The addition turns -0 into 0.
pub(super) fn to_level(author: DVec3, origin: DVec3) -> Vec3 {
    (author - origin).as_vec3() + Vec3::ZERO
}

/// Packs the solid triangles of the meshes of each set. Returns each packed set with the index of its first node.
/// `copy` gets the index of a set, the index of the first node, and the solids; if the set is unchanged, it appends a
/// copy of it.
pub(super) fn append_solids(
    level: &mut LevelData,
    sets: &[&[&MeshSource]],
    copy: impl Fn(usize, u32, &mut Solids) -> Option<PackedSet> + Sync,
) -> Vec<(PackedSet, u32)> {
    let sets: Vec<Vec<&MeshSource>> = sets
        .iter()
        .map(|set| set.iter().filter(|mesh| mesh.solid).copied().collect())
        .collect();
    let packed = pack_meshes(
        &mut level.solids,
        level.origin,
        &level.materials,
        sets,
        copy,
    );
    level.degenerate_triangles += packed
        .iter()
        .map(|(set, _)| set.without_area)
        .sum::<usize>();
    packed
}

/// Packs all triangles of the meshes of each set, like [`append_solids`].
pub(super) fn pack_meshes(
    solids: &mut Solids,
    origin: DVec3,
    materials: &[Material],
    mut sets: Vec<Vec<&MeshSource>>,
    copy: impl Fn(usize, u32, &mut Solids) -> Option<PackedSet> + Sync,
) -> Vec<(PackedSet, u32)> {
    let size = |set: &Vec<&MeshSource>| set.iter().map(|mesh| mesh.triangles.len()).sum();
    let sizes: Vec<usize> = sets.iter().map(size).collect();
    // Surfaces are numbered here in order. The order of the remaining work does not matter.
    let surfaces: Vec<Vec<(&MeshSource, TriangleSource)>> = sets
        .iter_mut()
        .map(|set| {
            set.sort_by(|a, b| (&a.node, a.material).cmp(&(&b.node, b.material)));
            let mut surface = |mesh: &MeshSource| solids.surface(mesh.material as u32, &mesh.node);
            set.iter().map(|&mesh| (mesh, surface(mesh))).collect()
        })
        .collect();
    let first_nodes = surfaces
        .iter()
        .map(|set| set.first().map_or(0, |(_, s)| s.node));
    let first_nodes: Vec<u32> = first_nodes.collect();
    let packed = solids.append_all(&sizes, cores(), |solids, index| {
        if let Some(packed) = copy(index, first_nodes[index], solids) {
            return packed;
        }
        let mut soup = Soup::default();
        for (mesh, surface) in &surfaces[index] {
            let points = mesh.positions.iter().map(|&p| to_level(p, origin));
            let two_sided = materials[mesh.material].double_sided;
            soup.add(points, &mesh.triangles, *surface, two_sided);
        }
        solids.append(&soup)
    });
    packed.into_iter().zip(first_nodes).collect()
}

/// The drawn triangles of some meshes, not yet part of a level.
pub(super) struct DrawnTriangles {
    pub vertices: Vec<Vertex>,
    /// Indices into `vertices`.
    pub indices: Vec<u32>,
    /// Ranges of `indices`.
    pub draws: Vec<Draw>,
}

/// Adds the drawn triangles of the meshes; returns the range of their draws and the box around them.
pub(super) fn append_draws(level: &mut LevelData, meshes: &[&MeshSource]) -> (Range<u32>, Aabb) {
    let drawn = drawn(level.origin, &level.materials, meshes);
    append_drawn(level, drawn)
}

/// Appends drawn triangles to a level; returns the range of their draws and the box around them.
pub(super) fn append_drawn(level: &mut LevelData, drawn: DrawnTriangles) -> (Range<u32>, Aabb) {
    let (vertices, indices) = (level.vertices.len() as u32, level.indices.len() as u32);
    let first_draw = level.draws.len() as u32;
    level.vertices.extend(drawn.vertices);
    let moved = drawn.indices.iter().map(|index| index + vertices);
    level.indices.extend(moved);
    let bounds = drawn.draws.iter().map(|draw| draw.bounds);
    let bounds = bounds.fold(Aabb::EMPTY, Aabb::union);
    level.draws.extend(drawn.draws.into_iter().map(|draw| Draw {
        indices: draw.indices.start + indices..draw.indices.end + indices,
        ..draw
    }));
    (first_draw..level.draws.len() as u32, bounds)
}

/// The numbers of vertices and indices of the meshes' drawn triangles.
pub(super) fn drawn_sizes(meshes: &[&MeshSource]) -> [usize; 2] {
    let drawn = meshes.iter().filter(|mesh| mesh.drawn);
    drawn.fold([0, 0], |[vertices, indices], mesh| {
        let corners = 3 * mesh.triangles.len();
        let is_flat = mesh.normals.is_empty();
        let more = if is_flat {
            corners
        } else {
            mesh.positions.len()
        };
        [vertices + more, indices + corners]
    })
}

/// The drawn triangles of the meshes. Each material has one draw; a blended one has a draw for each connected
/// component.
pub(super) fn drawn(
    origin: DVec3,
    materials: &[Material],
    meshes: &[&MeshSource],
) -> DrawnTriangles {
    let [vertices, indices] = drawn_sizes(meshes);
    let mut all = DrawnTriangles {
        vertices: Vec::with_capacity(vertices),
        indices: Vec::with_capacity(indices),
        draws: Vec::new(),
    };
    let mut drawn: Vec<&&MeshSource> = meshes.iter().filter(|mesh| mesh.drawn).collect();
    drawn.sort_by_key(|mesh| mesh.material);
    for of_material in drawn.chunk_by(|a, b| a.material == b.material) {
        let start = all.indices.len() as u32;
        for mesh in of_material {
            append_mesh(&mut all, origin, mesh);
        }
        let indices = start..all.indices.len() as u32;
        if indices.is_empty() {
            continue;
        }
        let material = of_material[0].material;
        let ranges = if materials[material].alpha == Alpha::Blend {
            let blended = &mut all.indices[start as usize..];
            let pieces = connected_components(&all.vertices, blended);
            let pieces = join_neighbours(&all.vertices, blended, pieces, MAX_PIECES);
            let pieces = pieces.into_iter();
            pieces.map(|p| start + p.start..start + p.end).collect()
        } else {
            vec![indices]
        };
        for indices in ranges {
            let of_range = &all.indices[indices.start as usize..indices.end as usize];
            let corners = of_range.iter().map(|&i| all.vertices[i as usize].position);
            let bounds = Aabb::around(corners.map(|p| p.as_dvec3()));
            all.draws.push(Draw {
                material: material as u32,
                indices,
                bounds,
            });
        }
    }
    all
}

/// Adds the vertices and indices of one mesh. A mesh without normals gets flat ones; then consecutive triangles in one
/// plane share vertices.
fn append_mesh(drawn: &mut DrawnTriangles, origin: DVec3, mesh: &MeshSource) {
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
            colour: colour.map(|c| rounded(c.clamp(0.0, 1.0) * 65535.0) as u16),
        }
    };
    let base = drawn.vertices.len() as u32;
    if mesh.normals.is_empty() {
        for corners in &mesh.triangles {
            let triangle = Triangle {
                corners: corners.map(|i| mesh.positions[i as usize]),
            };
            let normal = triangle.normal().map_or(Vec3::Y, DVec3::as_vec3);
            for corner in corners.map(|i| vertex(i, Some(normal))) {
                let first =
                    (base as usize).max(drawn.vertices.len().saturating_sub(RECENT_VERTICES));
                let mut recent = drawn.vertices[first..].iter();
                let known = recent.position(|vertex| *vertex == corner);
                let index = known.map_or(drawn.vertices.len(), |index| first + index);
                if known.is_none() {
                    drawn.vertices.push(corner);
                }
                drawn.indices.push(index as u32);
            }
        }
    } else {
        let all = 0..mesh.positions.len() as u32;
        drawn.vertices.extend(all.map(|i| vertex(i, None)));
        let corners = mesh.triangles.iter().flatten();
        drawn.indices.extend(corners.map(|i| base + i));
    }
}
