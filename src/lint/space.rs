//! Rooms that overlap, and meshes in the air of a room that is not their own.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use glam::DVec3;

use super::alike::{ShapeHash, first_of_equal, look_at_alike};
use super::findings::{Finding, LintReport};
use super::holes::is_behind_portal;
use super::rooms::CheckedRooms;
use super::scene::{RoomScene, TriangleKind};
use crate::geometry::{Aabb, BoxTree, Triangle};
use crate::level::winding::winding_in_air;
use crate::level::{LevelData, RoomId};
use crate::parallel::{cores, parallel_map};
use crate::problems::ProblemCode;

/// Maximum overlap of rooms that only touch, metres.
const TOUCH: f64 = 0.03;
/// Distance in front of a face at which the air of overlapping rooms is tested, metres.
const BEFORE: f64 = 0.5 * TOUCH;
/// Distance between the sample points of a face, metres, and their maximum number along a side.
const SPACING: f64 = 0.4;
const MAX_POINTS: f64 = 12.0;
/// Minimum winding number of a room for a point in its air.
const IN_AIR: f64 = 0.75;
/// Tolerance of equal positions of room corners, metres.
const STEP: f64 = 1.0 / 1024.0;
/// Margin around the bounds of geometry that sprawls through a portal, metres.
const SPRAWL: f64 = 0.01;

/// The parts of a room in the air of another.
#[derive(Debug, Default)]
struct Shared {
    /// The bounds of the air in both rooms, and a point of it.
    air: Option<(Aabb, DVec3)>,
    /// Meshes of the first room in the air of only the second.
    strays: Vec<(u32, DVec3)>,
}

/// Reports each pair of overlapping rooms, and each mesh in a wrong room, once.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    let level = rooms.level;
    // Rooms beyond a portal that bends space may fill the same space.
    if level.portals.iter().any(|p| !p.far_from_near.is_identity()) {
        return;
    }
    lost(rooms, report);
    let pairs = pairs(rooms);
    let shared = shared(rooms, &pairs);
    let mut overlaps: BTreeMap<[RoomId; 2], (Aabb, DVec3)> = BTreeMap::new();
    let mut strays: BTreeMap<(String, RoomId), DVec3> = BTreeMap::new();
    for (pair, shared) in shared {
        let [a, b] = pairs[pair];
        if let Some((bounds, at)) = shared.air {
            let known = overlaps.entry([a.min(b), a.max(b)]).or_insert((bounds, at));
            known.0 = known.0.union(bounds);
        }
        for (mesh, at) in shared.strays {
            let node = report.node(mesh).to_owned();
            strays.entry((node, b)).or_insert(at);
        }
    }
    let name = |room: RoomId| level.room(room).name.as_str();
    for (room, others) in by_cause(&overlaps) {
        let bounds = |other: RoomId| overlaps[&[room.min(other), room.max(other)]].0;
        let around = others.iter().map(|&other| bounds(other));
        let around = around.fold(Aabb::EMPTY, Aabb::union);
        let size = around.max - around.min + 2.0 * BEFORE;
        let size = format!(
            "{:.2} x {:.2} x {:.2} m (x, y, z in Blender)",
            size.x, size.z, size.y
        );
        let message = if let [other] = others[..] {
            format!(
                "rooms `{}` and `{}` fill the same space, over {size}: which of them one is in there is not known; move one of them, or its walls, until they only touch",
                name(other),
                name(room),
            )
        } else {
            let names: Vec<&str> = others.iter().map(|&other| name(other)).collect();
            format!(
                "room `{}` fills the same space as rooms `{}`, within {size}: which of them one is in there is not known; move or scale it back, or its walls, until they only touch",
                name(room),
                names.join("`, `"),
            )
        };
        let node = &rooms.source.rooms[room.0 as usize].node;
        let extent = Aabb {
            min: report.level.to_author(around.min).0,
            max: report.level.to_author(around.max).0,
        };
        let at = bounds(others[0]).centre();
        let place = report.place(at).about(extent);
        let finding = Finding::warning(ProblemCode::RoomsOverlap, node, message, place);
        report.add(finding.among([vec![room], others].concat()));
    }
    for ((node, into), at) in strays {
        let mesh = rooms.source.meshes.iter().find(|mesh| *mesh.node == *node);
        let own = mesh.map_or(into, |mesh| RoomId(mesh.room as u32));
        if overlaps.contains_key(&[own.min(into), own.max(into)]) {
            continue;
        }
        let meshes = rooms
            .source
            .meshes
            .iter()
            .filter(|mesh| *mesh.node == *node);
        let corners = meshes.flat_map(|mesh| &mesh.positions);
        let extent = Aabb::around(corners.copied());
        let place = report.place(at).about(extent);
        let message = format!(
            "it belongs to room `{}` and stands in room `{}`, to which no portal lets it through: there it is drawn only by chance, and nothing meets it; make it a child of the node of room `{}`, or move it back",
            name(own),
            name(into),
            name(into)
        );
        report.add(
            Finding::warning(ProblemCode::MeshInOtherRoom, &node, message, place)
                .between(own, into),
        );
    }
}

/// The rooms that most likely were moved or scaled, each with the rooms that overlap it. First the room with the most
/// overlaps, then the one with the most of the remaining overlaps; of a single pair the second room.
fn by_cause(overlaps: &BTreeMap<[RoomId; 2], (Aabb, DVec3)>) -> Vec<(RoomId, Vec<RoomId>)> {
    let mut left: Vec<[RoomId; 2]> = overlaps.keys().copied().collect();
    let mut causes = Vec::new();
    while !left.is_empty() {
        let mut counts: BTreeMap<RoomId, usize> = BTreeMap::new();
        for room in left.iter().flatten() {
            *counts.entry(*room).or_default() += 1;
        }
        let most = counts
            .into_iter()
            .max_by_key(|&(room, count)| (count, room));
        let Some((room, _)) = most else { break };
        let others = left.iter().filter(|pair| pair.contains(&room));
        let others = others.map(|&[a, b]| if a == room { b } else { a });
        causes.push((room, others.collect()));
        left.retain(|pair| !pair.contains(&room));
    }
    causes
}

/// Reports meshes outside all rooms, which are never visible. Does nothing in levels that show the sky, where distant
/// geometry is visible.
fn lost(rooms: &CheckedRooms, report: &mut LintReport) {
    let level = rooms.level;
    if level.shows_sky() {
        return;
    }
    let found = parallel_map(level.rooms.len(), cores(), |index| {
        let room = RoomId(index as u32);
        let mesh = |mesh: &u32| {
            let mesh = &rooms.source.meshes[*mesh as usize];
            let points = mesh.positions.iter().map(|&p| p - level.origin);
            Aabb::around(points)
        };
        let meshes = rooms.meshes.of_room(room);
        let boxes: Vec<Aabb> = meshes.iter().map(mesh).collect();
        let size = |bounds: &Aabb| (bounds.max - bounds.min).length();
        // The parts of a room are connected; the other meshes are elsewhere.
        let portals = level.portals_of(room).map(|(_, portal)| portal.bounds);
        let all_boxes: Vec<Aabb> = boxes.iter().copied().chain(portals).collect();
        let larger = |a: Aabb, b: Aabb| if size(&b) > size(&a) { b } else { a };
        let mut all = boxes.iter().copied().reduce(larger).unwrap_or(Aabb::EMPTY);
        loop {
            let before = all;
            let beside = all_boxes
                .iter()
                .filter(|b| b.overlaps(&before.grown(TOUCH)));
            all = beside.fold(all, |all, bounds| all.union(*bounds));
            if all == before {
                break;
            }
        }
        let all = all.grown(TOUCH);
        let outside = meshes
            .iter()
            .zip(boxes)
            .filter(|(_, bounds)| !bounds.overlaps(&all));
        outside
            .map(|(mesh, bounds)| (*mesh, bounds))
            .collect::<Vec<_>>()
    });
    let around_rooms = BoxTree::new(level.rooms.iter().map(|room| room.bounds));
    for (room, outside) in level.room_ids().zip(found) {
        for (mesh, bounds) in outside {
            let mut is_in_other = false;
            around_rooms.each_touching(&bounds, |other| is_in_other |= other != room.0);
            if is_in_other {
                continue;
            }
            let name = &level.room(room).name;
            let message = format!(
                "it stands outside of its room `{name}` and of all others, and is never seen; move it into the room, or delete it"
            );
            let node = report.node(mesh).to_owned();
            let place = report.place(bounds.centre());
            report.add(
                Finding::warning(ProblemCode::MeshInOtherRoom, &node, message, place).of(room),
            );
        }
    }
}

/// Rooms with overlapping boxes, in both orders.
fn pairs(rooms: &CheckedRooms) -> Vec<[RoomId; 2]> {
    let level = rooms.level;
    let mut boxes: Vec<(Aabb, RoomId)> = level
        .room_ids()
        .filter(|&room| level.room(room).moved_by.is_none())
        .map(|room| (level.room(room).bounds.grown(-BEFORE), room))
        .collect();
    boxes.sort_by(|a, b| a.0.min.x.total_cmp(&b.0.min.x).then(a.1.cmp(&b.1)));
    let mut pairs = Vec::new();
    let mut active: Vec<(Aabb, RoomId)> = Vec::new();
    for (bounds, room) in boxes {
        active.retain(|(other, _)| other.max.x >= bounds.min.x);
        for (_, other) in active.iter().filter(|(other, _)| other.overlaps(&bounds)) {
            pairs.extend([[room, *other], [*other, room]]);
        }
        active.push((bounds, room));
    }
    pairs.sort_unstable();
    pairs
}

/// The parts of the first room of each pair that are in the air of the second one, by the index of the pair. Pairs are
/// equal if their rooms are equal and have the same relative position.
fn shared(rooms: &CheckedRooms, pairs: &[[RoomId; 2]]) -> BTreeMap<usize, Shared> {
    let keys = pairs.iter().map(|pair| {
        let first = pair.map(|room| rooms.first_alike[room.0 as usize]);
        let [a, b] = pair.map(|room| rooms.level.room(room).bounds);
        let corners = [a.max, b.min, b.max].map(|corner| corner - a.min);
        let place = ShapeHash::with_step(STEP).points(corners).finish();
        Some((first, place))
    });
    let first = first_of_equal(keys);
    let look = |pair: usize| shared_by(rooms, pairs[pair]);
    look_at_alike(&first, look)
}

/// The parts of room `a` that are in the air of room `b`, allowed or not; none if no point is.
fn shared_by(rooms: &CheckedRooms, [a, b]: [RoomId; 2]) -> Option<Shared> {
    let level = rooms.level;
    let (own, other) = (&*rooms.scene(a), &*rooms.scene(b));
    let within = level.room(b).bounds.grown(-BEFORE);
    let sprawls = level.sprawls_into(b).iter().filter(|s| s.room == a);
    let sprawls: Vec<Aabb> = sprawls.map(|s| s.bounds.grown(SPRAWL)).collect();
    let (mut shared, mut is_apart) = (Shared::default(), true);
    let mut known = Vec::new();
    let furniture = OnceCell::new();
    for (face, (triangle, kind)) in own.triangles.iter().zip(&own.kinds).enumerate() {
        let TriangleKind::Own(mesh) = *kind else {
            continue;
        };
        if !Aabb::around(triangle.corners).overlaps(&within) || known.contains(&mesh) {
            continue;
        }
        let normal = triangle.normal().unwrap_or_default();
        for point in points_of(triangle) {
            let on_face = point;
            let point = on_face + normal * BEFORE;
            let is_in_other = within.contains(point) && is_in(other, point, BEFORE);
            is_apart &= !is_in_other;
            if is_in_other && own.winding(point) > IN_AIR {
                let is_behind = |scene| is_behind_portal(level, scene, point);
                if !is_behind(own) && !is_behind(other) && !own.is_near(point, BEFORE * 0.9) {
                    let around = Aabb::around([point]);
                    let air = shared.air.get_or_insert((around, point));
                    air.0 = air.0.union(around);
                }
                continue;
            }
            let point = on_face + normal * TOUCH;
            if !within.contains(point) || !is_in(other, point, TOUCH) {
                continue;
            }
            is_apart = false;
            let sprawls = sprawls.iter().any(|bounds| bounds.contains(on_face));
            if !sprawls
                && furniture.get_or_init(|| furniture_of(level, a, own))[face]
                && own.winding(point) < 1.0 - IN_AIR
                && winding_in_air(level, b, point) > IN_AIR
            {
                known.push(mesh);
                shared.strays.push((mesh, point));
                break;
            }
        }
    }
    (!is_apart).then_some(shared)
}

/// Whether each triangle belongs to an object in a room: not to the room's surface, nor to a component that touches its
/// portals.
fn furniture_of(level: &LevelData, room: RoomId, scene: &RoomScene) -> Vec<bool> {
    let component = scene.components();
    let mut boxes: BTreeMap<u32, Aabb> = BTreeMap::new();
    let mut areas: BTreeMap<u32, f64> = BTreeMap::new();
    for (triangle, of) in scene.triangles.iter().zip(component) {
        *areas.entry(*of).or_default() += triangle.cross().length();
        let bounds = boxes.entry(*of).or_insert(Aabb::EMPTY);
        *bounds = bounds.union(Aabb::around(triangle.corners));
    }
    let largest = areas.iter().max_by(|a, b| a.1.total_cmp(b.1));
    let largest = largest.map(|(of, _)| *of);
    let stands: BTreeMap<u32, bool> = boxes
        .iter()
        .map(|(of, bounds)| {
            let around = bounds.grown(SPRAWL);
            let mut touches = false;
            level.each_portal_near(room, &around, |id| {
                touches |= level.portal(id).bounds.overlaps(&around);
            });
            (*of, Some(*of) != largest && !touches)
        })
        .collect();
    component.iter().map(|of| stands[of]).collect()
}

/// Whether a point is in the air of a room, and not nearer to its surface than this, metres.
fn is_in(scene: &RoomScene, point: DVec3, distance: f64) -> bool {
    // In a room with a floor, the floor is visible below: the fastest test.
    let below = point.with_y(scene.bounds.min.y - 1.0);
    let floor = scene.first_hit(point, below, |kind| kind != TriangleKind::Guest);
    floor.is_some_and(|hit| hit.front)
        && scene.winding(point) > IN_AIR
        && !scene.is_near(point, distance * 0.9)
}

/// Sample points over the area of a triangle.
fn points_of(triangle: &Triangle) -> impl Iterator<Item = DVec3> {
    let [a, b, c] = triangle.corners;
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let steps = (longest / SPACING).ceil().clamp(1.0, MAX_POINTS) as u32;
    (0..steps).flat_map(move |i| {
        (0..steps - i).map(move |k| {
            let [u, v] = [i, k].map(|x| (f64::from(x) + 1.0 / 3.0) / f64::from(steps));
            a + (b - a) * u + (c - a) * v
        })
    })
}
