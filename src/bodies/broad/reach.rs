//! The rooms that the motion box of a body reaches.

use super::RoomBox;
use crate::bodies::moving::Moving;
use crate::bodies::tuning::CONTACT_DISTANCE;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Front, Level, Portal, PortalId, RigidBody, RoomImage, Sprawl, Walk};
use crate::world::World;

/// The motion box of a body in one of the rooms that it reaches.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct MotionBox {
    pub place: RoomBox,
    /// The transform from coordinates of the body's room to those of the reached room.
    pub room_from_home: Rigid,
}

/// The search for the rooms that a box reaches through portals.
struct Reaching<'e> {
    query: Aabb,
    reached: &'e mut Vec<MotionBox>,
}

impl Front for Reaching<'_> {
    type Part = ();

    fn visit(&mut self, _: &Level, _: usize, image: &RoomImage<()>) -> bool {
        let room_from_home = image.home_from_room.inverse();
        self.reached.push(MotionBox {
            place: RoomBox {
                room: image.room,
                bounds: self.query.transformed(&room_from_home),
            },
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

/// Lists the rooms that a box reaches, starting with the room of the box itself.
pub(in crate::bodies) fn find_reached(
    level: &Level,
    world: &World,
    walk: &mut Walk<()>,
    place: &RoomBox,
    reached: &mut Vec<MotionBox>,
) {
    reached.clear();
    let mut portals = world.rooms().portals_of(level, place.room);
    if !portals.any(|(_, portal)| portal.bounds.overlaps(&place.bounds)) {
        reached.push(MotionBox {
            place: *place,
            room_from_home: Rigid::IDENTITY,
        });
        return;
    }
    let mut front = Reaching {
        query: place.bounds,
        reached,
    };
    walk.clear();
    walk.begin(&mut front, place.room, ());
    walk.run(level, world.rooms(), &mut front);
}

/// Whether the rooms that a body at rest reaches may change when movers move: one of these rooms has a portal that
/// moves.
pub(in crate::bodies) fn may_change(level: &Level, world: &World, reached: &[MotionBox]) -> bool {
    reached.iter().any(|reached| {
        let mut portals = world.rooms().portals_of(level, reached.place.room);
        portals.any(|(_, portal)| portal.moves())
    })
}

/// The motion box of a body in a time, extended by the contact distance. An impact may redirect the body in any
/// direction; the box contains all these motions at the same speed.
pub(in crate::bodies) fn motion_box(moving: &Moving, body: &RigidBody, secs: f64) -> RoomBox {
    let sphere = Aabb::around([moving.at.point]).grown(moving.radius);
    let now = body.shape.coarse_aabb(&moving.pose());
    let turned = now.grown(moving.way_of_turn(secs)).intersection(sphere);
    RoomBox {
        room: moving.at.room,
        bounds: turned.grown(moving.way_in(secs) + CONTACT_DISTANCE),
    }
}
