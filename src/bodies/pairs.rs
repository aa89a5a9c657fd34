//! Which bodies may meet: those whose motions' boxes overlap in one room.

use std::cmp::Ordering;

use crate::geometry::{Aabb, Rigid};
use crate::level::{Front, Level, Portal, PortalId, RoomId, RoomImage, Sprawl, Walk};
use crate::world::World;

/// The box of a body's motion in one of the rooms that it reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Index of the body among those that take part in the tick.
    pub moving: u32,
    pub room: RoomId,
    /// In coordinates of `room`.
    pub bounds: Aabb,
    /// Takes coordinates of the body's room to those of `room`.
    pub room_from_home: Rigid,
}

/// Two bodies that may meet, the first one with the lower index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub a: u32,
    pub b: u32,
    /// Takes coordinates of the room of `b` to those of the room of `a`.
    pub a_from_b: Rigid,
}

/// The rooms that a box reaches through portals.
struct Reaching<'e> {
    moving: u32,
    query: Aabb,
    entries: &'e mut Vec<Entry>,
}

impl Front for Reaching<'_> {
    type Part = ();

    fn visit(&mut self, _: &Level, _: usize, image: &RoomImage<()>) -> bool {
        let room_from_home = image.home_from_room.inverse();
        self.entries.push(Entry {
            moving: self.moving,
            room: image.room,
            bounds: self.query.transformed(&room_from_home),
            room_from_home,
        });
        true
    }

    fn pass(&mut self, image: &RoomImage<()>, (_, portal): (PortalId, &Portal)) -> Option<()> {
        let here = self.query.transformed(&image.home_from_room.inverse());
        portal.bounds.overlaps(&here).then_some(())
    }

    fn meet(&mut self, _: &RoomImage<()>, _: &Sprawl) -> Option<()> {
        None
    }
}

/// Adds an entry for each room that a box reaches, the body's own first.
pub(super) fn enter(
    level: &Level,
    world: &World,
    walk: &mut Walk<()>,
    (moving, room): (u32, RoomId),
    bounds: &Aabb,
    entries: &mut Vec<Entry>,
) {
    let mut portals = world.rooms().portals_of(level, room);
    if !portals.any(|(_, portal)| portal.bounds.overlaps(bounds)) {
        entries.push(Entry {
            moving,
            room,
            bounds: *bounds,
            room_from_home: Rigid::IDENTITY,
        });
        return;
    }
    let mut front = Reaching {
        moving,
        query: *bounds,
        entries,
    };
    walk.clear();
    walk.begin(&mut front, room, ());
    walk.run(level, world.rooms(), &mut front);
}

/// Finds the pairs of entries that overlap in one room, in order; each pair of bodies once for each place
/// at which the second is met from the first. Sorts the entries.
///
/// Sort and sweep along x, room by room.
pub(super) fn find_pairs(entries: &mut [Entry], pairs: &mut Vec<Pair>) {
    entries.sort_unstable_by(|a, b| {
        let by_room = a.room.cmp(&b.room);
        let by_x = || a.bounds.min.x.total_cmp(&b.bounds.min.x);
        by_room.then_with(by_x).then(a.moving.cmp(&b.moving))
    });
    pairs.clear();
    for (index, first) in entries.iter().enumerate() {
        for second in &entries[index + 1..] {
            if second.room != first.room || second.bounds.min.x > first.bounds.max.x {
                break;
            }
            if second.moving == first.moving || !first.bounds.overlaps(&second.bounds) {
                continue;
            }
            let (a, b) = if first.moving < second.moving {
                (first, second)
            } else {
                (second, first)
            };
            pairs.push(Pair {
                a: a.moving,
                b: b.moving,
                a_from_b: a.room_from_home.inverse().after(&b.room_from_home),
            });
        }
    }
    let place = |pair: &Pair| pair.a_from_b.translation().to_array();
    pairs.sort_unstable_by(|p, q| {
        let by_place = || place(p).partial_cmp(&place(q)).unwrap_or(Ordering::Equal);
        (p.a, p.b).cmp(&(q.a, q.b)).then_with(by_place)
    });
    pairs.dedup_by(|next, kept| {
        (next.a, next.b) == (kept.a, kept.b) && next.a_from_b.is_about(&kept.a_from_b)
    });
}
