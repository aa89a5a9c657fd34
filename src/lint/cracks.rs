//! Cracks of rooms: edges of faces that nearly meet, so that the sky is visible through the gap between them.
//!
//! Gaps wider than `holes::SLIT` are reported as holes. Gaps due to rounding are ignored.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::findings::{Finding, LintReport};
use super::holes::{MAX_BACK_AIR, MIN_FRONT_AIR, RoomHole, SLIT};
use super::pieces::find;
use super::scene::{RoomScene, TriangleKind};
use crate::geometry::{Aabb, BoxTree, closest_on_segment};
use crate::level::RoomId;
use crate::problems::{Mend, ProblemCode};

/// Maximum distance of corners that are equal except for the rounding of their transforms, metres.
const SAME: f64 = 1e-4;
/// Maximum cosine of the angle between two edges that should close each other: they run in almost opposite directions.
const AGAINST: f64 = -0.99;
/// Two faces fold back onto each other, like both sides of a leaf, if the cosine between the directions from the edge
/// into them is at least this.
const FOLDED: f64 = 0.7;
/// Minimum difference between the winding numbers on both sides of a crack. Between the inside and the outside of a
/// closed room it is 1; a carpet adds or subtracts a half.
const OUT: f64 = 0.65;
/// Positions along an edge, as fractions from one of its ends, at which visibility through the crack is tested.
const LOOKED_AT: [f64; 2] = [0.03, 0.3];

/// The cracks of a room.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cracks {
    /// The number of corners that are out of place.
    pub count: usize,
    /// The widest gap, metres, its position, and the mesh there, in the source.
    pub widest: (f64, DVec3, u32),
    /// The corners to move, each as face of the scene and corner number, with their corrected positions.
    pub moves: Vec<([u32; 2], DVec3)>,
}

/// A boundary edge as face and corner number; it runs from that corner to the next.
type Edge = (u32, usize);

/// The corners of the room's own faces, with nearly equal ones merged.
struct Points {
    points: Vec<DVec3>,
    /// For each of the room's own faces its corners, as indices of merged points.
    ids: Vec<[u32; 3]>,
}

/// The cracks of a room, except those around its holes.
pub(super) fn cracks(scene: &RoomScene, holes: &[RoomHole]) -> Option<Cracks> {
    let points = Points::of(scene);
    let free = points.free_edges(scene);
    let at_hole = BoxTree::new(holes.iter().map(|hole| hole.bounds.grown(5.0 * SLIT)));
    let (mut count, mut widest): (usize, Option<(f64, DVec3, u32)>) = (0, None);
    let mut root: Vec<u32> = (0..points.points.len() as u32).collect();
    let (mut joined, mut onto_edges) = (BTreeSet::new(), BTreeMap::new());
    let mut done = BTreeSet::new();
    for &edge in &free {
        for end in 0..2 {
            let id = points.ends(edge)[end];
            let p = points.points[id as usize];
            if done.contains(&id) || at_hole.any_touching(&Aabb::around([p]), |_| true) {
                continue;
            }
            let Some((other, distance)) = beside(scene, &points, &free, edge, end) else {
                continue;
            };
            done.insert(id);
            count += 1;
            if let TriangleKind::Own(mesh) = scene.kinds[edge.0 as usize]
                && widest.is_none_or(|(most, ..)| distance > most)
            {
                widest = Some((distance, p, mesh));
            }
            let ends = points.ends(other);
            let near = ends
                .into_iter()
                .filter(|&q| points.points[q as usize].distance(p) < SLIT);
            match near.min_by(|&a, &b| by_distance(&points, p, a, b)) {
                Some(near) => {
                    let [a, b] = [id, near].map(|id| find(&mut root, id));
                    root[a.max(b) as usize] = a.min(b);
                    joined.extend([id, near]);
                }
                None => {
                    let [a, b] = ends.map(|id| points.points[id as usize]);
                    onto_edges.insert(id, closest_on_segment(a, b, p));
                }
            }
        }
    }
    // Merged corners move to the position that is used by the most faces.
    let mut uses: BTreeMap<u32, u32> = BTreeMap::new();
    for id in points.ids.iter().flatten() {
        *uses.entry(*id).or_default() += 1;
    }
    let mut places: BTreeMap<u32, u32> = BTreeMap::new();
    for &id in &joined {
        let place = places.entry(find(&mut root, id)).or_insert(id);
        if uses.get(&id) > uses.get(place) {
            *place = id;
        }
    }
    let mut goes: BTreeMap<u32, DVec3> = onto_edges;
    for id in joined {
        let place = places.get(&find(&mut root, id)).copied().unwrap_or(id);
        goes.insert(id, points.points[place as usize]);
    }
    let is_short =
        |(id, place): (&u32, &DVec3)| points.points[*id as usize].distance(*place) < SLIT;
    let is_certain = goes.iter().all(is_short);
    let corners = points.ids.iter().zip(0..).flat_map(|(ids, face)| {
        let goes = &goes;
        let moved = move |(id, corner): (&u32, u32)| Some(([face, corner], *goes.get(id)?));
        ids.iter().zip(0..).filter_map(moved)
    });
    let moves = if is_certain {
        corners.collect()
    } else {
        Vec::new()
    };
    widest.map(|widest| Cracks {
        count,
        widest,
        moves,
    })
}

fn by_distance(points: &Points, p: DVec3, a: u32, b: u32) -> std::cmp::Ordering {
    let [a, b] = [a, b].map(|id| points.points[id as usize].distance(p));
    a.total_cmp(&b)
}

/// The boundary edge that should meet a boundary edge at one of its ends, and the distance between them there.
fn beside(
    scene: &RoomScene,
    points: &Points,
    free: &BTreeSet<Edge>,
    edge: Edge,
    end: usize,
) -> Option<(Edge, f64)> {
    let ends = points.ends(edge);
    let [from, to] = ends.map(|id| points.points[id as usize]);
    let at = [from, to][end];
    let own = side(scene, from, to, edge.0)?;
    let mut found: Option<(Edge, f64)> = None;
    scene.near(&Aabb::around([at]).grown(SLIT), |face, _| {
        for other in (0..3)
            .map(|k| (face, k))
            .filter(|other| free.contains(other))
        {
            let other_ends = points.ends(other);
            if other_ends.iter().any(|&id| id == ends[end]) {
                continue;
            }
            let [a, b] = other_ends.map(|id| points.points[id as usize]);
            let distance = closest_on_segment(a, b, at).distance(at);
            let is_near = (SAME..SLIT).contains(&distance);
            if !is_near || found.is_some_and(|(_, nearest)| nearest <= distance) {
                continue;
            }
            let is_partner = side(scene, a, b, face).is_some_and(|(along, inwards)| {
                along.dot(own.0) < AGAINST && inwards.dot(own.1) < FOLDED
            });
            let beyond = [to, from][end];
            let is_open = |part: f64| shows(scene, at.lerp(beyond, part), [a, b], own.0);
            if is_partner && LOOKED_AT.into_iter().any(is_open) {
                found = Some((other, distance));
            }
        }
    });
    found.filter(|_| is_wall(scene, [from, to], edge.0))
}

/// The direction along an edge of a face, and the direction from the edge into the face.
fn side(scene: &RoomScene, from: DVec3, to: DVec3, face: u32) -> Option<(DVec3, DVec3)> {
    let along = (to - from).try_normalize()?;
    let normal = scene.triangles[face as usize].normal()?;
    Some((along, normal.cross(along)))
}

/// Whether the outside of the room is visible between a point of an edge and a nearby edge.
fn shows(scene: &RoomScene, point: DVec3, [a, b]: [DVec3; 2], along: DVec3) -> bool {
    let other = closest_on_segment(a, b, point);
    let Some(through) = along.cross(other - point).try_normalize() else {
        return false;
    };
    let middle = point.midpoint(other);
    let [from, to] = [middle + through * SLIT, middle - through * SLIT];
    let is_free = scene
        .first_hit(from, to, |kind| kind != TriangleKind::Guest)
        .is_none();
    let [front, back] = [from, to].map(|p| scene.winding_of_drawn(p));
    is_free && (front - back).abs() > OUT
}

/// Whether the front of a face is inside the room and its back is not.
fn is_wall(scene: &RoomScene, [from, to]: [DVec3; 2], face: u32) -> bool {
    let Some((_, inwards)) = side(scene, from, to, face) else {
        return false;
    };
    let normal = scene.triangles[face as usize].normal().unwrap_or_default();
    let beside = from.lerp(to, 0.382) + inwards * SLIT;
    scene.air_around(beside + normal * SLIT, normal, true) >= MIN_FRONT_AIR
        && scene.air_around(beside - normal * SLIT, -normal, false) < MAX_BACK_AIR
}

impl Points {
    fn of(scene: &RoomScene) -> Self {
        let own = scene
            .kinds
            .iter()
            .take_while(|kind| matches!(kind, TriangleKind::Own(_)));
        let own = &scene.triangles[..own.count()];
        let cell = |p: DVec3| (p / SLIT).floor().as_i64vec3().to_array();
        let mut cells: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
        let mut points: Vec<DVec3> = Vec::new();
        let mut id_of = |p: DVec3| {
            let [low, high] = [p - SAME, p + SAME].map(cell);
            let around = (low[0]..=high[0])
                .flat_map(|x| (low[1]..=high[1]).map(move |y| (x, y)))
                .flat_map(|(x, y)| (low[2]..=high[2]).map(move |z| [x, y, z]));
            let near = around.filter_map(|cell| cells.get(&cell)).flatten();
            let same = near
                .copied()
                .find(|&id: &u32| points[id as usize].distance(p) < SAME);
            same.unwrap_or_else(|| {
                points.push(p);
                let id = points.len() as u32 - 1;
                cells.entry(cell(p)).or_default().push(id);
                id
            })
        };
        let ids = own
            .iter()
            .map(|triangle| triangle.corners.map(&mut id_of))
            .collect();
        Self { points, ids }
    }

    fn ends(&self, (face, edge): Edge) -> [u32; 2] {
        let ids = &self.ids[face as usize];
        [ids[edge], ids[(edge + 1) % 3]]
    }

    /// The edges of drawn faces that no other drawn face shares in the opposite direction.
    fn free_edges(&self, scene: &RoomScene) -> BTreeSet<Edge> {
        let mut edges: Vec<([u32; 2], bool, Edge)> = Vec::new();
        for face in (0..self.ids.len() as u32).filter(|&face| scene.is_drawn(face)) {
            for edge in 0..3 {
                let [a, b] = self.ends((face, edge));
                if a != b {
                    edges.push(([a.min(b), a.max(b)], a < b, (face, edge)));
                }
            }
        }
        edges.sort_unstable();
        let mut free = BTreeSet::new();
        for same in edges.chunk_by(|a, b| a.0 == b.0) {
            let (back, forth) = same.split_at(same.partition_point(|(_, forwards, _)| !forwards));
            let shared = back.len().min(forth.len());
            let rest = back[shared..].iter().chain(&forth[shared..]);
            free.extend(rest.map(|(_, _, edge)| *edge));
        }
        free
    }
}

/// Reports the cracks of a room. `places` has for each face of the scene its position in the source.
pub(super) fn report(
    room: RoomId,
    cracks: &Cracks,
    places: impl FnOnce() -> Vec<[u32; 2]>,
    report: &mut LintReport,
) {
    let (width, at, mesh) = cracks.widest;
    let name = &report.level.room(room).name;
    let message = format!(
        "corners of room `{name}` nearly meet: {} of them are up to {:.1} mm beside the edges of their neighbours, and the sky glitters through; merge them (Blender: Edit Mode, A, Mesh, Merge, By Distance, {:.3} m)",
        cracks.count,
        width * 1000.0,
        SLIT
    );
    let places = places();
    let moved = cracks.moves.iter().map(|&([face, corner], to)| {
        let [mesh, triangle] = places[face as usize];
        ([mesh, triangle, corner], to + report.level.origin)
    });
    let moves: Vec<_> = moved.collect();
    let mend = (!moves.is_empty()).then_some(Mend::Move(moves));
    let node = report.node(mesh).to_owned();
    let place = report.place(at);
    report.add(
        Finding::warning(ProblemCode::RoomCrack, &node, message, place)
            .of(room)
            .mended_by(mend),
    );
}
