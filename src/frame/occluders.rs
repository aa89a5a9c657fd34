//! The occluders of the instances of a frame.

use super::data::{Frame, Instance};
use crate::level::{Level, RoomId};
use crate::lighting::LitBy;
use crate::world::World;

/// Finds the bodies that darken the instances of a composed frame.
pub(super) fn add_occluders((level, world): (&Level, &World), frame: &mut Frame) {
    let Frame {
        instances,
        occluders,
        instance_bodies,
        ..
    } = frame;
    occluders.clear();
    if level.bodies.is_empty() {
        return;
    }
    let mut bodies = instance_bodies.iter().peekable();
    for (index, instance) in (0u32..).zip(instances) {
        let body = bodies
            .next_if(|(of, _)| *of == index)
            .map(|(_, body)| *body);
        if let Some(room) = room_of((level, world), instance) {
            instance.occluders = occluders.list((level, world), room, body);
        }
    }
}

/// The room in whose coordinates an instance is lit.
fn room_of((level, world): (&Level, &World), instance: &Instance) -> Option<RoomId> {
    match instance.lit_by {
        LitBy::Room(room) | LitBy::Place(room, _) => Some(room),
        LitBy::MoverPart(part) => {
            let place = world.part_room(level, part);
            place.here_from_other.is_identity().then_some(place.room)
        }
    }
}
