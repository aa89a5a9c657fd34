//! Drawn faces that are coplanar and overlap (z-fighting): which one is visible changes from pixel to pixel.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::facing::Wrong;
use super::findings::{Finding, LintReport};
use super::scene::{RoomScene, TriangleKind};
use crate::geometry::{Aabb, BoxTree, Triangle, part_inside};
use crate::level::{LevelData, RoomId};
use crate::problems::ProblemCode;
use crate::source::LevelSource;

/// Faces at most this far from one plane, metres, count as coplanar: depth testing cannot separate them.
const SAME_PLANE: f64 = 1e-4;
/// Maximum sine of the angle between the planes of coplanar faces.
const PARALLEL: f64 = 1e-3;
/// Half of the maximum width of an overlap that is only a seam between neighbours and not visible, metres.
const SEAM: f64 = 2e-3;
/// Minimum total area of a reported overlap, square metres. Smaller overlaps, where furniture, casings or markings
/// end in one plane, are hard to see. Our own levels have ten of 0.01 to 0.07; none disturbs a player.
const MIN_AREA: f64 = 0.1;
/// Minimum overlapping fraction of the smaller mesh, 0..1, for a report if both meshes have the same material. The
/// mesh is then a duplicate. A smaller overlap, such as of the boxes of stairs, is harmless: both faces look the same.
const TWICE: f64 = 0.8;
/// Distance from the overlap at which its visibility is tested, metres.
const BEFORE: f64 = 5e-3;
/// An overlap counts as visible if the room's inside is visible from its tested point in more than this fraction of
/// directions, 0..1.
const IN_AIR: f64 = 0.3;

/// An overlap of two coplanar meshes of the source, or of a mesh with itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshOverlap {
    /// The smaller mesh and the other one. Both are equal if a mesh overlaps itself.
    pub meshes: [u32; 2],
    /// Total area, square metres.
    pub area: f64,
    /// The middle of the largest part, in room coordinates.
    pub at: DVec3,
}

/// The overlaps of a room, one for each pair of meshes. Reversed faces are excluded: they are reported as reversed.
pub(super) fn overlaps(
    level: &LevelData,
    source: &LevelSource,
    scene: &RoomScene,
    wrong: &Wrong,
) -> Vec<MeshOverlap> {
    let wrong: BTreeSet<u32> = wrong.furniture.iter().map(|(mesh, ..)| *mesh).collect();
    let mesh_of = |face: u32| match scene.kinds[face as usize] {
        TriangleKind::Own(mesh) if scene.is_drawn(face) && !wrong.contains(&mesh) => Some(mesh),
        _ => None,
    };
    let both_sides =
        |mesh: u32| level.materials[source.meshes[mesh as usize].material].double_sided;
    let material = |mesh: u32| source.meshes[mesh as usize].material;
    // Within one mesh and one material both triangles look the same.
    let may_show = |a: u32, b: u32| a != b || material(a) != material(b);
    let mut bounds: BTreeMap<u32, Aabb> = BTreeMap::new();
    for (triangle, face) in scene.triangles.iter().zip(0..) {
        if let Some(mesh) = mesh_of(face) {
            let around = bounds.entry(mesh).or_insert(Aabb::EMPTY);
            *around = around.union(Aabb::around(triangle.corners));
        }
    }
    let (meshes, bounds): (Vec<u32>, Vec<Aabb>) = bounds.into_iter().unzip();
    let meshes_near = BoxTree::new(bounds);
    let mut common: BTreeMap<[u32; 2], Vec<Common>> = BTreeMap::new();
    for (triangle, face) in scene.triangles.iter().zip(0..) {
        let Some((mesh, normal)) = mesh_of(face).zip(triangle.normal()) else {
            continue;
        };
        let around = Aabb::around(triangle.corners).grown(SAME_PLANE);
        let is_another = |index: u32| may_show(mesh, meshes[index as usize]);
        if !meshes_near.any_touching(&around, is_another) {
            continue;
        }
        scene.near(&around, |other_face, other| {
            let is_other = |other: &u32| other_face > face && may_show(mesh, *other);
            let Some(other_mesh) = mesh_of(other_face).filter(is_other) else {
                return;
            };
            let cosine = other.normal().map_or(0.0, |other| normal.dot(other));
            if cosine.abs() < 1.0 - PARALLEL * PARALLEL {
                return;
            }
            // [front, back]: whether both faces are visible from that side of this face.
            let sides = [1.0, -1.0].map(|side| {
                let is_seen = side > 0.0 || both_sides(mesh);
                is_seen && (side * cosine > 0.0 || both_sides(other_mesh))
            });
            let part = common_part(triangle, other, normal);
            let area = area_of(&part);
            if sides.contains(&true) && area > 0.0 {
                let at = part.iter().sum::<DVec3>() / part.len() as f64;
                let key = [mesh.max(other_mesh), mesh.min(other_mesh)];
                let of_pair = common.entry(key).or_default();
                of_pair.push(Common {
                    area,
                    at,
                    normal,
                    sides,
                });
            }
        });
    }
    let mut sizes: BTreeMap<u32, f64> = BTreeMap::new();
    for (triangle, kind) in scene.triangles.iter().zip(&scene.kinds) {
        if let TriangleKind::Own(mesh) = kind {
            *sizes.entry(*mesh).or_default() += 0.5 * triangle.cross().length();
        }
    }
    let found = common.into_iter().filter_map(|([a, b], parts)| {
        let [of_a, of_b] = [a, b].map(|mesh| sizes.get(&mesh).copied().unwrap_or(0.0));
        let shows = |area: f64| {
            let is_seen = material(a) != material(b) || area > TWICE * of_a.min(of_b);
            is_seen && area > MIN_AREA
        };
        // The visibility test is slow, so it is done only for overlaps that are large enough.
        if !shows(parts.iter().map(|part| part.area).sum()) {
            return None;
        }
        let seen: Vec<Common> = parts.into_iter().filter(|p| p.is_seen(scene)).collect();
        let area: f64 = seen.iter().map(|part| part.area).sum();
        let largest = seen
            .into_iter()
            .reduce(|a, b| if b.area > a.area { b } else { a })?;
        let meshes = if of_a > of_b { [b, a] } else { [a, b] };
        let at = largest.at;
        shows(area).then_some(MeshOverlap { meshes, area, at })
    });
    found.collect()
}

/// A part of a face that overlaps another face.
struct Common {
    /// Area, square metres.
    area: f64,
    /// The middle of the part.
    at: DVec3,
    /// Normal of the face.
    normal: DVec3,
    /// [front, back]: whether both faces are visible from that side of this face.
    sides: [bool; 2],
}

impl Common {
    /// Whether a side of the part from which both faces are drawn lies inside the room.
    fn is_seen(&self, scene: &RoomScene) -> bool {
        let mut sides = [1.0, -1.0].into_iter().zip(self.sides);
        sides.any(|(side, is_drawn)| {
            let out = self.normal * side;
            is_drawn && scene.air_around(self.at + out * BEFORE, out, true) > IN_AIR
        })
    }
}

/// The part of `other` that overlaps a coplanar triangle, without a seam along that triangle's sides; fewer than three
/// corners if there is none.
fn common_part(of: &Triangle, other: &Triangle, normal: DVec3) -> Vec<DVec3> {
    let base = of.corners[0];
    let is_off = |p: &DVec3| (normal.dot(*p - base)).abs() > SAME_PLANE;
    if other.corners.iter().any(is_off) {
        return Vec::new();
    }
    part_inside(other.corners.to_vec(), &of.corners, normal, SEAM)
}

/// The area of a part, square metres; 0 if the part is no wider than a seam.
fn area_of(part: &[DVec3]) -> f64 {
    let Some((&first, rest)) = part.split_first() else {
        return 0.0;
    };
    let cross = |pair: &[DVec3]| (pair[0] - first).cross(pair[1] - first);
    let area = 0.5 * rest.windows(2).map(cross).sum::<DVec3>().length();
    let length = rest.iter().map(|p| p.distance(first)).fold(0.0, f64::max);
    if area > SEAM * length { area } else { 0.0 }
}

/// Reports the overlaps of a room, once for each pair of nodes.
pub(super) fn report(room: RoomId, overlaps: &[MeshOverlap], report: &mut LintReport) {
    let name = &report.level.room(room).name;
    let mut of_nodes: BTreeMap<[String; 2], MeshOverlap> = BTreeMap::new();
    for overlap in overlaps {
        let nodes = overlap.meshes.map(|mesh| report.node(mesh).to_owned());
        let known = of_nodes.entry(nodes).or_insert(MeshOverlap {
            area: 0.0,
            ..*overlap
        });
        known.area += overlap.area;
    }
    for ([node, other], overlap) in of_nodes {
        let on = if node == other {
            "others of its own".to_owned()
        } else {
            format!("those of `{other}`")
        };
        let message = format!(
            "its faces lie exactly in the plane of {on} in room `{name}`, on {:.2} square metres: both are drawn there, and flicker; move one of them by 2 mm (Blender: G, Z, 0.002), or delete the covered part",
            overlap.area
        );
        let place = report.place(overlap.at);
        report.add(Finding::warning(ProblemCode::CoplanarFaces, &node, message, place).of(room));
    }
}
