//! The rooms within a walking distance.

use glam::DVec3;

use crate::level::{At, Front, Level, Portal, PortalId, RoomId, RoomImage, Walk};
use crate::world::World;

/// A room and its walking distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RoomDistance {
    /// The room.
    pub room: RoomId,
    /// The distance to the point where the room is entered, metres; 0 for the room of the start.
    pub metres: f64,
}

/// The rooms found, and the memory of [`rooms_within`].
#[derive(Debug, Default)]
pub struct WalkingDistances {
    /// The rooms in the order of their discovery, the room of the start first; each once.
    pub rooms: Vec<RoomDistance>,
    walk: Walk<Arrival>,
}

/// Finds the rooms that can be entered within `metres` of walking from a point, through open links. The path goes
/// straight to the nearest point of an opening, from there to the nearest point of the next opening, and so on. The
/// distance is an estimate: it ignores obstacles in a room, and the nearest point of an opening need not be on the
/// shortest path through the next one.
pub fn rooms_within(
    level: &Level,
    world: &World,
    from: At,
    metres: f64,
    found: &mut WalkingDistances,
) {
    let mut steps = DistanceFront { world, metres };
    let start = Arrival {
        point: from.point,
        metres: 0.0,
    };
    let WalkingDistances { rooms, walk } = found;
    walk.clear();
    walk.begin(&mut steps, from.room, start);
    walk.run(level, world.rooms(), &mut steps);
    rooms.clear();
    for image in &walk.images {
        let (room, metres) = (image.room, image.part.metres);
        if image.is_first() {
            rooms.push(RoomDistance { room, metres });
        } else if let Some(known) = rooms.iter_mut().find(|known| known.room == room) {
            known.metres = known.metres.min(metres);
        }
    }
}

/// A walk from opening to opening.
struct DistanceFront<'a> {
    world: &'a World,
    metres: f64,
}

/// The point where a room is entered.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    /// The position, metres, in coordinates of the room of the start.
    point: DVec3,
    metres: f64,
}

impl Front for DistanceFront<'_> {
    type Part = Arrival;

    fn visit(&mut self, _: &Level, _: usize, _: &RoomImage<Arrival>) -> bool {
        true
    }

    fn pass(
        &mut self,
        image: &RoomImage<Arrival>,
        (_, portal): (PortalId, &Portal),
    ) -> Option<Arrival> {
        let Arrival { point, metres } = image.part;
        let here = image.home_from_room.inverse().point(point);
        let nearest = portal.polygon.closest_point(here);
        let metres = metres + nearest.distance(here);
        let arrival = Arrival {
            point: image.home_from_room.point(nearest),
            metres,
        };
        (metres <= self.metres && self.world.is_open(portal.link)).then_some(arrival)
    }

    /// A shorter path to a known room replaces the longer one, and is followed again.
    fn merge(&mut self, image: &mut RoomImage<Arrival>, arrived: Arrival) -> bool {
        let is_shorter = arrived.metres < image.part.metres;
        if is_shorter {
            image.part = arrived;
        }
        is_shorter
    }
}
