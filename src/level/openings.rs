//! Trees of the portals and barriers of a room. They make queries in a room with thousands of neighbours as fast as
//! in a small one.

use glam::DVec3;

use super::{Barrier, LevelData, PortalId, RoomId};
use crate::geometry::{Aabb, BoxTree};

/// From this many portals, or barriers, on, a tree replaces the linear search.
const MANY: usize = 24;
/// Margin of the portal boxes in the tree, metres: a path may cross a portal slightly outside of its outline.
const BESIDE: f64 = 1e-3;
/// The box of a moving portal, which may be anywhere.
const EVERYWHERE: Aabb = Aabb {
    min: DVec3::NEG_INFINITY,
    max: DVec3::INFINITY,
};

/// The trees of a room; empty if it has few portals or barriers.
#[derive(Debug, Default)]
pub(crate) struct OpeningTrees {
    portals: BoxTree,
    barriers: BoxTree,
}

/// Builds the trees of all rooms.
pub(super) fn sort(level: &mut LevelData) {
    for room in level.room_ids() {
        let portals = level.portals_of(room);
        let portals = portals.map(|(_, portal)| {
            if portal.moves() {
                EVERYWHERE
            } else {
                portal.bounds.grown(BESIDE)
            }
        });
        let portals = tree(portals);
        let barriers = level.room(room).barriers.iter();
        let barriers = tree(barriers.map(|barrier| barrier.bounds));
        level.rooms[room.0 as usize].openings = OpeningTrees { portals, barriers };
    }
}

fn tree(boxes: impl Iterator<Item = Aabb>) -> BoxTree {
    let boxes: Vec<Aabb> = boxes.collect();
    if boxes.len() < MANY {
        return BoxTree::default();
    }
    BoxTree::new(boxes)
}

impl LevelData {
    /// Whether a room has so many portals that a tree is used to search them.
    pub(crate) fn has_many_portals(&self, room: RoomId) -> bool {
        !self.room(room).openings.portals.is_empty()
    }

    /// Calls `found` for all portals of a room that may touch a box, including moving portals, and possibly for
    /// others. The order is arbitrary.
    pub(crate) fn each_portal_near(
        &self,
        room: RoomId,
        query: &Aabb,
        mut found: impl FnMut(PortalId),
    ) {
        let room = self.room(room);
        if room.openings.portals.is_empty() {
            return room.portals.clone().for_each(|id| found(PortalId(id)));
        }
        let first = room.portals.start;
        let portals = &room.openings.portals;
        portals.each_touching(query, |index| found(PortalId(first + index)));
    }

    /// Fills `near` with the indices of the barriers of a room that touch a box, in ascending order.
    pub(crate) fn barriers_near(&self, room: RoomId, query: &Aabb, near: &mut Vec<u32>) {
        near.clear();
        let room = self.room(room);
        let is_near = |barrier: &Barrier| barrier.bounds.overlaps(query);
        if room.openings.barriers.is_empty() {
            let near_ones = (0..).zip(&room.barriers).filter(|(_, b)| is_near(b));
            near.extend(near_ones.map(|(index, _)| index));
            return;
        }
        let barriers = &room.openings.barriers;
        barriers.each_touching(query, |index| near.push(index));
        near.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::geometry::Aabb;
    use crate::level::crossing::FirstCrossing;
    use crate::level::{At, Level, RoomPoses};
    use crate::rng::Rng;

    /// Rooms `a` and `b` with a lattice of 144 portals between them.
    fn lattice() -> Level {
        let opening = |i: u32| {
            let [y, z] = [i % 12, i / 12].map(|k| 0.1 + 0.3 * f64::from(k));
            cuboid([0.0, y, z], [0.0, y + 0.2, z + 0.2])
        };
        let openings: Vec<_> = (0..144).map(opening).collect();
        let mut sketch = Sketch::new("lattice");
        let sides = [[-4.0, 0.0], [0.0, 4.0]];
        let [a, b] = sides.map(|[from, to]| cuboid([from, 0.0, 0.0], [to, 4.0, 4.0]));
        let a = sketch.box_room("a", a, &openings);
        sketch.box_room("b", b, &openings);
        for opening in openings {
            sketch.portal(a, "b", opening, DVec3::X);
        }
        sketch.spawn(a, DVec3::new(-2.0, 0.1, 2.0), DVec3::X);
        build(sketch.source).unwrap().0
    }

    fn point(rng: &mut Rng) -> DVec3 {
        let [y, z] = [0; 2].map(|_| rng.between(-0.5, 4.5));
        DVec3::new(rng.between(-1.5, 1.5), y, z)
    }

    #[test]
    fn the_portals_and_barriers_near_a_box_are_those_of_brute_force() {
        let level = lattice();
        let (mut rng, mut tried, mut barriers) = (Rng::new(1), 0, Vec::new());
        for room in (0..1000).map(|i| RoomId(i % 2)) {
            assert!(level.has_many_portals(room));
            let around = Aabb::around([point(&mut rng)]).grown(0.4);
            let mut near = Vec::new();
            level.each_portal_near(room, &around, |id| near.push(id));
            tried += near.len();
            for (id, portal) in level.portals_of(room) {
                assert!(!portal.bounds.overlaps(&around) || near.contains(&id));
            }
            level.barriers_near(room, &around, &mut barriers);
            let of_room = (0..).zip(&level.room(room).barriers);
            let expected = of_room.filter(|(_, barrier)| barrier.bounds.overlaps(&around));
            let expected: Vec<u32> = expected.map(|(index, _)| index).collect();
            assert_eq!(barriers, expected);
        }
        assert!((1000..1000 * 144 / 10).contains(&tried), "{tried}");
    }

    #[test]
    fn of_many_portals_a_path_crosses_the_one_of_brute_force() {
        let level = lattice();
        let poses = RoomPoses::authored(&level);
        let (mut rng, mut crossed) = (Rng::new(1), 0);
        for room in (0..4000).map(|i| RoomId(i % 2)) {
            let [from, to] = [0; 2].map(|_| point(&mut rng));
            let path = (At::new(room, from), to);
            let found = poses.first_crossing(&level, path, 0.0, |_| true);
            let mut expected = FirstCrossing::on([from, to], 0.0);
            for (id, portal) in level.portals_of(room) {
                expected.add(id, portal, |_| true);
            }
            assert_eq!(found, expected.found());
            crossed += u32::from(found.is_some());
        }
        assert!(crossed > 200, "{crossed}");
    }
}
