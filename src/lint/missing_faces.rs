//! Closed objects in a room that lack a face or a part of one. Their inside is visible, and the player can fall into
//! them.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use glam::DVec3;

use super::corners::{GridCorner, corner};
use super::edges::{FreeEdge, free_edges};
use super::findings::{Finding, LintReport};
use super::scene::{RoomScene, TriangleKind};
use crate::geometry::{Aabb, Triangle, solid_angle};
use crate::level::{LevelData, RoomId};
use crate::problems::ProblemCode;
use crate::source::LevelSource;

/// Minimum area of a hole, square metres.
const MIN_AREA: f64 = 1e-4;
/// Maximum distance of the corners of a missing face from its plane, metres.
const FLAT: f64 = 5e-3;
/// A face at the rim of a hole would continue across the hole if the cosine of the angle between the two is greater
/// than this.
const GOES_ON: f64 = 0.85;
/// A person fits into a hole only if it is wider than this in all directions, metres, and has as much free space in
/// front of it. The person can leave through sides that are solid only from outside.
const PERSON: f64 = 0.7;
/// A hole whose normal has a lower vertical component than this faces down, and is meant to be seen from below.
const FROM_BELOW: f64 = -0.5;
/// Distance of sample points from the rim and from the plane of a hole, metres.
const BESIDE: f64 = 0.01;
/// An object has no other holes if its winding number around a point behind the hole, with the hole filled, is less
/// than this. Ideally it is -1, because objects face outwards; the winding number of a room is 1.
const CLOSED: f64 = -0.7;
/// Minimum winding number of the rest of the room around a point inside the room.
const IN_AIR: f64 = 0.5;

/// A missing part of a face.
#[derive(Clone, Debug)]
pub(super) struct MissingFace {
    /// The boundary edges of the missing part, room coordinates.
    edges: Vec<[DVec3; 2]>,
    /// The mesh with the missing face, as index in the source.
    mesh: u32,
}

/// The missing faces of objects in a room. Pots and drawers have no lid on purpose, and objects on the floor no bottom.
/// So a hole is reported only if a face at its rim would continue across it, or if a person fits in.
pub(super) fn missing_faces(
    level: &LevelData,
    source: &LevelSource,
    scene: &RoomScene,
) -> Vec<MissingFace> {
    let is_one_sided = |edge: &FreeEdge| match scene.kinds[edge.face as usize] {
        TriangleKind::Own(mesh) => {
            let mesh = &source.meshes[mesh as usize];
            mesh.drawn && !level.materials[mesh.material].double_sided
        }
        _ => false,
    };
    let mut free = free_edges(scene);
    free.retain(is_one_sided);
    if free.is_empty() {
        return Vec::new();
    }
    let component = scene.components();
    let loops = loops(scene, component, free);
    let missing = loops
        .into_iter()
        .filter(|rim| is_missing(scene, component, rim));
    let found = missing.filter_map(|rim| {
        let TriangleKind::Own(mesh) = scene.kinds[rim[0].face as usize] else {
            return None;
        };
        let edges = rim.iter().map(|edge| ends(scene, edge)).collect();
        Some(MissingFace { edges, mesh })
    });
    found.collect()
}

/// Reports the missing faces of a room.
pub(super) fn report(room: RoomId, missing: &[MissingFace], report: &mut LintReport) {
    for MissingFace { edges, mesh } in missing {
        let bounds = Aabb::around(edges.iter().flatten().copied());
        let size = bounds.max - bounds.min;
        let message = format!(
            "a face, or a part of one, is missing in room `{}`, {:.2} x {:.2} x {:.2} m (x, y, z in Blender): one sees through it, and falls in; fill it (Blender: Edit Mode, select its edges, press F)",
            report.level.room(room).name,
            size.x,
            size.z,
            size.y
        );
        let place = report.around(bounds.centre(), edges);
        let node = report.node(*mesh).to_owned();
        report.add(Finding::warning(ProblemCode::MeshHole, &node, message, place).of(room));
    }
}

/// The loops of a component's boundary edges; loops with forks are excluded.
fn loops(scene: &RoomScene, component: &[u32], free: Vec<FreeEdge>) -> Vec<Vec<FreeEdge>> {
    // The edge that starts at each point; `None` if several start there.
    let mut next: BTreeMap<(u32, GridCorner), Option<FreeEdge>> = BTreeMap::new();
    for edge in &free {
        let of = component[edge.face as usize];
        let from = corner(ends(scene, edge)[0]);
        let begins = next.entry((of, from));
        begins
            .and_modify(|edge| *edge = None)
            .or_insert(Some(*edge));
    }
    let mut loops = Vec::new();
    for edge in free {
        let of = component[edge.face as usize];
        let [start, mut at] = ends(scene, &edge).map(corner);
        if next.remove(&(of, start)).flatten().is_none() {
            continue;
        }
        let mut rim = vec![edge];
        while at != start {
            let Some(Some(edge)) = next.remove(&(of, at)) else {
                break;
            };
            at = corner(ends(scene, &edge)[1]);
            rim.push(edge);
        }
        if at == start {
            loops.push(rim);
        }
    }
    loops
}

/// Whether a loop of boundary edges is the rim of a missing face of a closed object, with the front of that face inside
/// the room.
fn is_missing(scene: &RoomScene, component: &[u32], rim: &[FreeEdge]) -> bool {
    let points: Vec<DVec3> = rim.iter().map(|edge| ends(scene, edge)[0]).collect();
    let pairs = || points.iter().zip(points.iter().cycle().skip(1));
    // A face lies to the left of its edges, so the hole lies to the right.
    let area = 0.5
        * pairs()
            .map(|(a, b)| (b - points[0]).cross(a - points[0]))
            .sum::<DVec3>();
    let Some(out) = area.try_normalize().filter(|_| area.length() > MIN_AREA) else {
        return false;
    };
    if points.iter().any(|p| out.dot(p - points[0]).abs() > FLAT) {
        return false;
    }
    let normal = |edge: &FreeEdge| scene.triangles[edge.face as usize].normal();
    let goes_on = |edge: &&FreeEdge| normal(edge).is_some_and(|normal| normal.dot(out) > GOES_ON);
    let part = rim.iter().find(goes_on);
    let length = |edge: &FreeEdge| ends(scene, edge)[0].distance(ends(scene, edge)[1]);
    let longest = rim.iter().max_by(|a, b| length(a).total_cmp(&length(b)));
    let Some(beside) = part.or(longest) else {
        return false;
    };
    if part.is_none() && !takes_a_person(scene, &points, out) {
        return false;
    }
    // A cut-out in the middle of a face may be intended.
    if rim.iter().all(|edge| goes_on(&edge)) && rim.len() > 3 {
        return false;
    }
    let [from, to] = ends(scene, beside);
    let into_hole = (to - from).cross(out).normalize_or_zero();
    let in_hole = from.midpoint(to) + into_hole * BESIDE.min(0.1 * from.distance(to));
    let [before, behind] = [out * BESIDE, out * -BESIDE].map(|by| in_hole + by);
    if scene.first_hit(before, behind, |_| true).is_some() {
        return false;
    }
    let of = component[beside.face as usize];
    let turns = |point: DVec3| scene.winding_of_component(of, point, true);
    let cap = pairs().map(|(&a, &b)| Triangle {
        corners: [points[0], b, a],
    });
    let cap: f64 = cap.map(|t| solid_angle(&t, behind)).sum();
    turns(behind) + cap / (4.0 * PI) < CLOSED
        && scene.winding_of_drawn(before) - turns(before) > IN_AIR
}

/// Whether a person can get into a hole: it is wide enough, there is free space in front of it, and it does not face
/// down as that of a lampshade does.
fn takes_a_person(scene: &RoomScene, points: &[DVec3], out: DVec3) -> bool {
    let sides = points.iter().zip(points.iter().cycle().skip(1));
    let widths = sides.map(|(a, b)| {
        let across = (b - a).cross(out).normalize_or_zero();
        let distances = points.iter().map(|p| across.dot(p - a).abs());
        distances.fold(0.0, f64::max)
    });
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let [from, to] = [BESIDE, PERSON].map(|by| middle + out * by);
    out.y > FROM_BELOW
        && widths.fold(f64::INFINITY, f64::min) > PERSON
        && scene.first_hit(from, to, |_| true).is_none()
}

fn ends(scene: &RoomScene, edge: &FreeEdge) -> [DVec3; 2] {
    let corners = &scene.triangles[edge.face as usize].corners;
    [corners[edge.edge], corners[(edge.edge + 1) % 3]]
}
