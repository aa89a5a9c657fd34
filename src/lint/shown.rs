//! Holes without a portal, the geometry that is visible through them, and the cures.

use std::collections::BTreeMap;

use glam::DVec3;

use super::findings::{Finding, LintReport};
use super::holes::RoomHole;
use super::rooms::CheckedRooms;
use super::scene::TriangleKind;
use crate::geometry::{Aabb, BoxTree};
use crate::level::RoomId;
use crate::problems::ProblemCode;

/// Distance between a hole and the start of a ray in front of it, metres.
const INSIDE: f64 = 0.01;
/// Maximum distance behind a hole at which another room is searched for, metres.
const MAX_DISTANCE: f64 = 100.0;
/// A hole and another room's wall behind it belong to one wall if they are less than this apart, metres.
const WALL: f64 = 1.0;
/// Holes in two rooms are the two ends of one opening if their middles are at most this far apart, metres, plus a
/// quarter of the diagonal of the hole's box.
const SAME_OPENING: f64 = 1.5;

/// The first triangle behind a hole.
#[derive(Clone, Copy, Debug)]
struct Shown {
    room: RoomId,
    distance: f64,
    front: bool,
    mesh: u32,
}

/// Reports the holes. An opening between two rooms, which is a hole in each, is reported once.
pub(super) fn report(rooms: &CheckedRooms, holes: Vec<RoomHole>, report: &mut LintReport) {
    let level = rooms.level;
    let around_rooms = BoxTree::new(level.rooms.iter().map(|room| room.bounds));
    let behind = |hole| behind(rooms, &around_rooms, hole);
    let shown: Vec<Option<Shown>> = holes.iter().map(behind).collect();
    let of_rooms = HolesByRoom::of(&holes);
    let mut done = vec![false; holes.len()];
    for (index, hole) in holes.iter().enumerate() {
        if std::mem::replace(&mut done[index], true) {
            continue;
        }
        let name = &level.room(hole.room).name;
        let node = report.node(hole.mesh).to_owned();
        let place = report.rim(hole);
        let size = hole.bounds.max - hole.bounds.min;
        let other = shown[index].map(|shown| level.room(shown.room).name.clone());
        let (code, message) = match (shown[index], other) {
            (Some(shown), Some(other)) if shown.front => {
                let distance = SAME_OPENING + shown_size(hole);
                of_rooms.each_within(distance, hole.centre, shown.room, |end| done[end] = true);
                let message = format!(
                    "an opening of {} in room `{name}` shows room `{other}`, and has no portal: room `{other}` is neither drawn nor solid through it; fill it with a plane named `{other}-portal`, a child of the node of room `{name}`, its front towards `{other}`",
                    size_of(size)
                );
                (ProblemCode::PortalMissing, message)
            }
            (Some(shown), Some(other)) if shown.distance < WALL => {
                let message = format!(
                    "an opening of {} in room `{name}` ends at the back of `{}`, {:.2} m behind it: the wall of room `{other}` is not cut there; cut the same opening into it and fill it with a plane named `{other}-portal`, or close this one",
                    size_of(size),
                    report.node(shown.mesh),
                    shown.distance
                );
                (ProblemCode::WallNotCut, message)
            }
            _ if level.room(hole.room).open_to_sky => continue,
            _ => {
                let solid = if hole.is_solid {
                    ", though invisible solid geometry (`-colonly`) closes it"
                } else {
                    ""
                };
                let message = format!(
                    "room `{name}` is not closed: a hole of {} shows the space outside of all rooms{solid}; close it (Blender: select its edges, press F), or, if the sky is meant, give the room's node the custom property `open`, or close it with a mesh named `NAME-sky`",
                    size_of(size)
                );
                (ProblemCode::RoomHole, message)
            }
        };
        let finding = Finding::warning(code, &node, message, place);
        let finding = match shown[index] {
            Some(shown) if code != ProblemCode::RoomHole => finding.between(hole.room, shown.room),
            _ => finding.of(hole.room),
        };
        report.add(finding.seen_in([hole.room].into_iter()));
    }
}

/// The holes of each room, in a tree of their middles.
struct HolesByRoom(BTreeMap<RoomId, (Vec<(usize, DVec3)>, BoxTree)>);

impl HolesByRoom {
    fn of(holes: &[RoomHole]) -> Self {
        let mut of_rooms: BTreeMap<RoomId, Vec<(usize, DVec3)>> = BTreeMap::new();
        for (index, hole) in holes.iter().enumerate() {
            let of_room = of_rooms.entry(hole.room).or_default();
            of_room.push((index, hole.centre));
        }
        let with_tree = |holes: Vec<(usize, DVec3)>| {
            let tree = BoxTree::new(holes.iter().map(|(_, centre)| Aabb::around([*centre])));
            (holes, tree)
        };
        let of_rooms = of_rooms.into_iter();
        Self(
            of_rooms
                .map(|(room, holes)| (room, with_tree(holes)))
                .collect(),
        )
    }

    /// Calls `found` with the index of each hole of a room if the middle of the hole is within `distance` metres of
    /// `point`.
    fn each_within(&self, distance: f64, point: DVec3, room: RoomId, mut found: impl FnMut(usize)) {
        let Some((holes, tree)) = self.0.get(&room) else {
            return;
        };
        tree.each_touching(&Aabb::around([point]).grown(distance), |hole| {
            let (index, centre) = holes[hole as usize];
            if centre.distance(point) < distance {
                found(index);
            }
        });
    }
}

fn shown_size(hole: &RoomHole) -> f64 {
    0.25 * (hole.bounds.max - hole.bounds.min).length()
}

/// The extents of a hole as text, in Blender's axis order.
fn size_of(size: DVec3) -> String {
    format!(
        "{:.2} x {:.2} x {:.2} m (x, y, z in Blender)",
        size.x, size.z, size.y
    )
}

/// The first face of another room behind a hole.
fn behind(rooms: &CheckedRooms, around_rooms: &BoxTree, hole: &RoomHole) -> Option<Shown> {
    let out = hole.area.try_normalize()?;
    let from = hole.centre - out * INSIDE;
    let to = from + out * MAX_DISTANCE;
    let level = rooms.level;
    let mut near = Vec::new();
    around_rooms.each_touching(&Aabb::around([from, to]), |room| near.push(RoomId(room)));
    near.sort_unstable();
    let others = near.into_iter().filter(|&id| id != hole.room);
    let met = others
        .filter(|&id| level.room(id).moved_by.is_none())
        .filter_map(|room| {
            let scene = rooms.scene(room);
            let hit = scene.first_hit(from, to, |kind| matches!(kind, TriangleKind::Own(_)))?;
            let TriangleKind::Own(mesh) = scene.kinds[hit.index as usize] else {
                return None;
            };
            Some(Shown {
                room,
                distance: hit.part * MAX_DISTANCE - INSIDE,
                front: hit.front,
                mesh,
            })
        });
    met.min_by(|a, b| a.distance.total_cmp(&b.distance))
}
