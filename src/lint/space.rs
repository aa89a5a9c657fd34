//! Rooms that overlap, and meshes that are inside another room than their own.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

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

/// Maximum overlap of rooms that count as only touching, metres.
const TOUCH: f64 = 0.03;
/// Distance in front of a face at which the overlap of rooms is tested, metres.
const BEFORE: f64 = 0.5 * TOUCH;
/// Distance between the sample points of a face, metres.
const SPACING: f64 = 0.4;
/// Maximum number of sample points along a side of a face.
const MAX_POINTS: f64 = 12.0;
/// Minimum winding number of a room around a point inside it.
const IN_AIR: f64 = 0.75;
/// Tolerance of equal positions of rooms' corners, metres.
const STEP: f64 = 1.0 / 1024.0;
/// Margin around the bounds of geometry that sprawls through a portal, metres.
const SPRAWL: f64 = 0.01;

/// The parts of a room that are inside another room.
#[derive(Debug, Default)]
struct Shared {
    /// The bounds of the space that is inside both rooms, and a point of it.
    air: Option<(Aabb, DVec3)>,
    /// Meshes of the first room that are only inside the second, each with a point.
    strays: Vec<(u32, DVec3)>,
}

/// Reports each pair of overlapping rooms, and each mesh in a wrong room, once.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    let level = rooms.level;
    // With a portal that bends space, rooms may overlap on purpose.
    if level.bends_space {
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
    for (room, others) in by_cause(overlaps.keys().copied()) {
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
    // For each node the room of its first mesh, and the box around all of its meshes, author's coordinates.
    let mut of_nodes: BTreeMap<&str, (RoomId, Aabb)> = BTreeMap::new();
    for mesh in rooms.source.meshes.iter().filter(|_| !strays.is_empty()) {
        let first = (RoomId(mesh.room as u32), Aabb::EMPTY);
        let (_, extent) = of_nodes.entry(&mesh.node).or_insert(first);
        *extent = extent.union(Aabb::around(mesh.positions.iter().copied()));
    }
    for ((node, into), at) in strays {
        let Some(&(own, extent)) = of_nodes.get(node.as_str()) else {
            continue;
        };
        if overlaps.contains_key(&[own.min(into), own.max(into)]) {
            continue;
        }
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

/// The rooms that most likely were moved or scaled, each with the rooms that overlap it: first the room with the most
/// overlaps, then the room with the most of the remaining overlaps, and so on. If two rooms overlap only each other, it
/// is the second.
fn by_cause(overlaps: impl Iterator<Item = [RoomId; 2]>) -> Vec<(RoomId, Vec<RoomId>)> {
    let mut left: BTreeMap<RoomId, BTreeSet<RoomId>> = BTreeMap::new();
    for [a, b] in overlaps {
        left.entry(a).or_default().insert(b);
        left.entry(b).or_default().insert(a);
    }
    let counts = left.iter().map(|(room, others)| (others.len(), *room));
    let mut by_count: BTreeSet<(usize, RoomId)> = counts.collect();
    let mut causes = Vec::new();
    while let Some((count, room)) = by_count.pop_last() {
        if count == 0 {
            break;
        }
        let others = left.remove(&room).unwrap_or_default();
        for other in &others {
            if let Some(of_other) = left.get_mut(other) {
                by_count.remove(&(of_other.len(), *other));
                of_other.remove(&room);
                by_count.insert((of_other.len(), *other));
            }
        }
        causes.push((room, others.into_iter().collect()));
    }
    causes
}

/// Reports meshes outside all rooms, which are never visible. Does nothing in levels that show the sky, because their
/// distant geometry is visible.
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
        // The parts of a room touch each other. Meshes that are not connected to the largest are elsewhere.
        let portals = level.portals_of(room).map(|(_, portal)| portal.bounds);
        let all_boxes: Vec<Aabb> = boxes.iter().copied().chain(portals).collect();
        let larger = |a: Aabb, b: Aabb| if size(&b) > size(&a) { b } else { a };
        let all = boxes.iter().copied().reduce(larger).unwrap_or(Aabb::EMPTY);
        let all = bounds_of_connected(all, &all_boxes).grown(TOUCH);
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

/// The union of all boxes that are connected to the first one through boxes that touch.
fn bounds_of_connected(first: Aabb, boxes: &[Aabb]) -> Aabb {
    // A box touches the union unless it lies beyond one of the union's six sides. Each side only moves outwards, so it
    // passes the boxes in sorted order.
    let sides = [0, 1, 2, 3, 4, 5].map(|side| {
        let distance = |bounds: &Aabb| match side {
            0..3 => bounds.min[side],
            _ => -bounds.max[side - 3],
        };
        let mut order: Vec<(f64, usize)> = boxes.iter().map(distance).zip(0..).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order
    });
    let (mut all, mut next) = (first, [0; 6]);
    let mut passed = vec![0_u8; boxes.len()];
    loop {
        let before = all;
        let reach = before.grown(TOUCH);
        let reach = [reach.max.to_array(), (-reach.min).to_array()].concat();
        for ((order, next), reach) in sides.iter().zip(&mut next).zip(reach) {
            while let Some(&(_, index)) = order.get(*next).filter(|(at, _)| *at <= reach) {
                *next += 1;
                passed[index] += 1;
                if passed[index] == 6 {
                    all = all.union(boxes[index]);
                }
            }
        }
        if all == before {
            return all;
        }
    }
}

/// Pairs of rooms with overlapping boxes, each pair in both orders.
fn pairs(rooms: &CheckedRooms) -> Vec<[RoomId; 2]> {
    let level = rooms.level;
    let boxes = level.rooms.iter().map(|room| room.bounds.grown(-BEFORE));
    let boxes: Vec<Aabb> = boxes.collect();
    let tree = BoxTree::new(boxes.iter().copied());
    let moves = |room: RoomId| level.room(room).moved_by.is_some();
    let mut pairs = Vec::new();
    for room in level.room_ids().filter(|&room| !moves(room)) {
        tree.each_touching(&boxes[room.0 as usize], |other| {
            let other = RoomId(other);
            if other != room && !moves(other) {
                pairs.push([room, other]);
            }
        });
    }
    pairs.sort_unstable();
    pairs
}

/// For each pair, by its index, the parts of its first room that are inside the second. Pairs of equal rooms with equal
/// relative positions have equal parts, and are computed once.
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

/// The parts of room `a` that are inside room `b`; `None` if no sample point of `a` is inside `b`. If such points exist
/// only where an overlap is allowed, for example in a reveal, the parts are empty.
fn shared_by(rooms: &CheckedRooms, [a, b]: [RoomId; 2]) -> Option<Shared> {
    let level = rooms.level;
    let (own, other) = (&*rooms.scene(a), &*rooms.scene(b));
    let within = level.room(b).bounds.grown(-BEFORE);
    let sprawls = level.sprawls_into(b).iter().filter(|s| s.room == a);
    let sprawls: Vec<Aabb> = sprawls.map(|s| s.bounds.grown(SPRAWL)).collect();
    let (mut shared, mut is_apart) = (Shared::default(), true);
    let mut known = BTreeSet::new();
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
                known.insert(mesh);
                shared.strays.push((mesh, point));
                break;
            }
        }
    }
    (!is_apart).then_some(shared)
}

/// For each triangle, whether it belongs to an object in a room, and not to the room's surface or to a component that
/// touches the room's portals.
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

/// Whether a point is inside a room, and at least `distance` metres from its surface.
fn is_in(scene: &RoomScene, point: DVec3, distance: f64) -> bool {
    // The fastest test first: in a room with a floor, a point inside the room is above a front.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_box_of_connected_boxes_is_that_of_repeated_passes_over_all() {
        let mut rng = Rng::new(1);
        let (mut grown, mut left) = (0, 0);
        for _ in 0..200 {
            let mut point = |size: f64| DVec3::from([0; 3].map(|_| rng.between(0.0, size)));
            let boxes = (0..12).map(|_| {
                let at = point(4.0);
                Aabb::around([at, at + point(1.5)])
            });
            let boxes: Vec<Aabb> = boxes.collect();
            let mut expected = boxes[0];
            for _ in &boxes {
                let reach = expected.grown(TOUCH);
                let beside = boxes.iter().filter(|bounds| bounds.overlaps(&reach));
                expected = beside.fold(expected, |all, bounds| all.union(*bounds));
            }
            assert_eq!(bounds_of_connected(boxes[0], &boxes), expected);
            grown += usize::from(expected != boxes[0]);
            left += usize::from(expected != boxes.iter().fold(boxes[0], |all, b| all.union(*b)));
        }
        assert!(grown > 50 && left > 50, "{grown} {left}");
    }

    #[test]
    fn the_room_with_the_most_overlaps_is_the_first_cause() {
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 4], [5, 6]].map(|pair| pair.map(RoomId));
        let causes = by_cause(pairs.into_iter()).into_iter();
        let causes: Vec<(u32, Vec<u32>)> = causes
            .map(|(room, others)| (room.0, others.into_iter().map(|other| other.0).collect()))
            .collect();
        let expected = [(0, vec![1, 2, 3]), (6, vec![5]), (4, vec![1])];
        assert_eq!(causes, expected);
    }
}
