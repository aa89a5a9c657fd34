//! The velocity of a body, in coordinates of a neighbouring room.

use glam::DVec3;

use crate::geometry::Rigid;
use crate::level::{At, BodyId, Level, RoomId};
use crate::world::World;

/// The velocity of a body at a point, m/s, in coordinates of the point's room, which is the body's room or one behind
/// a portal of it. Beyond the bounding sphere no point belongs to the body: such a point gets the velocity at the
/// nearest point of the sphere's surface.
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
