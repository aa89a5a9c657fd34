//! The velocities of bodies, in coordinates of neighbouring rooms, and of movers and the rooms that they move.

use glam::DVec3;

use crate::collision::CollisionWorld;
use crate::geometry::Rigid;
use crate::level::{At, BodyId, Level, MoverId, RoomId, TICKS_PER_SECOND};
use crate::world::World;

/// The velocity of a body at a point, m/s, in coordinates of the point's room: the body's room, or one behind one of
/// its portals. A point outside the bounding sphere gets the velocity at the nearest point of the sphere.
pub fn velocity_at(level: &Level, world: &World, id: BodyId, at: At) -> DVec3 {
    let state = world.bodies.state(id);
    let here_from_there = here_from_room(level, world, state.at.room, at);
    let there = here_from_there.inverse().point(at.point);
    let arm = (there - state.at.point).clamp_length_max(level.body(id).radius);
    here_from_there.vector(state.velocity + state.spin.cross(arm))
}

/// The transform from coordinates of a room to those of a point's room, which is the same or behind one of its
/// portals.
pub(super) fn here_from_room(level: &Level, world: &World, room: RoomId, at: At) -> Rigid {
    if room == at.room {
        return Rigid::IDENTITY;
    }
    let mut portals = world.rooms().portals_of(level, at.room);
    let portal = portals.find(|(_, portal)| portal.far == room);
    portal.map_or(Rigid::IDENTITY, |(_, portal)| {
        portal.far_from_near.inverse()
    })
}

/// The change of velocity, m/s, and of spin, radians per second, of a body that has changed rooms, in coordinates of
/// its current room. Velocities in a moving room are relative to that room; a body that enters or leaves it keeps its
/// velocity relative to the world outside.
pub(super) fn change_of_room(collision: &CollisionWorld, was_in: RoomId, at: At) -> [DVec3; 2] {
    let moved_by = |room: RoomId| collision.level.room(room).moved_by;
    let movers = [was_in, at.room].map(moved_by);
    if movers[0] == movers[1] {
        return [DVec3::ZERO; 2];
    }
    let [before, after] = movers.map(|mover| {
        let motion = mover.map(|mover| motion_of(collision, mover, at));
        motion.unwrap_or_default()
    });
    [before[0] - after[0], before[1] - after[1]]
}

/// The transform of points of a mover, in coordinates of a room, from their positions before this tick to their
/// current positions.
pub(super) fn here_from_before(collision: &CollisionWorld, mover: MoverId, room: RoomId) -> Rigid {
    let CollisionWorld { level, world, .. } = collision;
    let moved = world.now_from_before(mover);
    if moved.is_identity() {
        return moved;
    }
    let image = level.room(room).images_of(mover).next();
    let here_from_room = image.map_or(Rigid::IDENTITY, |image| {
        world.here_from_room_of(level, room, image)
    });
    here_from_room
        .after(&moved)
        .after(&here_from_room.inverse())
}

/// The velocity of a point that rides a mover in this tick, m/s, and its angular velocity, radians per second, in
/// coordinates of the point's room.
pub(super) fn motion_of(collision: &CollisionWorld, mover: MoverId, at: At) -> [DVec3; 2] {
    let moved = here_from_before(collision, mover, at.room);
    if moved.is_identity() {
        return [DVec3::ZERO; 2];
    }
    let velocity = (moved.point(at.point) - at.point) * TICKS_PER_SECOND;
    // For a small turn, the axis times the angle is twice the vector part of its quaternion, up to a cubic error.
    let turn = glam::DQuat::from_mat3(&moved.rotation());
    let axis = turn.xyz() * if turn.w < 0.0 { -1.0 } else { 1.0 };
    let sine = axis.length();
    let spin = if sine > 0.0 {
        axis * (2.0 * libm::asin(sine.min(1.0)) / sine * TICKS_PER_SECOND)
    } else {
        DVec3::ZERO
    };
    [velocity, spin]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::source::{BodyShape, BodySource};
    use crate::world::BodyState;
    use glam::DMat3;

    #[test]
    fn no_point_beside_a_ball_that_spins_is_faster_than_its_surface() {
        let mut sketch = Sketch::new("hall");
        let room = sketch.box_room("hall", cuboid([-3.0; 3], [3.0; 3]), &[]);
        sketch.furniture(room, 0, cuboid([-0.1; 3], [0.1; 3]));
        let meshes = vec![sketch.source.meshes.pop().unwrap()];
        sketch.source.bodies.push(BodySource {
            node: "ball".to_owned(),
            meshes,
            shape: BodyShape::Sphere,
            axes: DMat3::IDENTITY,
            mass: None,
            friction: None,
            bounce: None,
        });
        sketch.spawn(room, DVec3::NEG_Y * 3.0, DVec3::X);
        let (level, _) = build(sketch.source).unwrap();
        let mut world = World::of(&level);
        let (id, radius) = (BodyId(0), level.body(BodyId(0)).radius);
        let state = BodyState {
            velocity: DVec3::X,
            spin: DVec3::Y * 50.0,
            ..*world.bodies.state(id)
        };
        world.bodies.set(id, state);
        for distance in [0.5, 1.0, 3.0, 20.0] {
            let at = At::new(RoomId(0), state.at.point + DVec3::Z * (distance * radius));
            let expected = DVec3::X * (1.0 + 50.0 * radius * distance.min(1.0));
            let velocity = velocity_at(&level, &world, id, at);
            assert!(
                (velocity - expected).length() < 1e-9,
                "{distance}: {velocity}"
            );
        }
    }
}
