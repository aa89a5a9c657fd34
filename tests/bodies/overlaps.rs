//! Overlap tests of a ball.

use opendoor::author::sketch::Sketch;
use opendoor::build::build;
use opendoor::collision::Solid;
use opendoor::geometry::Aabb;
use opendoor::glam::{DMat3, DQuat, DVec3};
use opendoor::level::{At, BodyId, RoomId};
use opendoor::queries::{OverlapMemory, overlap_sphere};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{add, add_ball, crate_at, hall};
use crate::long::direction;

fn bodies_of(found: &[Solid]) -> Vec<BodyId> {
    let bodies = found.iter().filter_map(|solid| match solid {
        Solid::Body(body) => Some(*body),
        _ => None,
    });
    bodies.collect()
}

#[test]
fn a_ball_overlaps_the_bodies_within_its_radius() {
    let mut rng = Rng::new(1);
    let half = DVec3::new(0.3, 0.2, 0.4);
    let mut sketch = hall(DVec3::splat(12.0));
    for index in 0..12 {
        let centre = DVec3::new(f64::from(index) - 5.5, 1.0, 0.0);
        match index % 4 {
            0 => add_ball(&mut sketch, &format!("b{index:02}"), centre, 0.3, 0.5, 0.0),
            kind => {
                let shapes = [BodyShape::Box, BodyShape::Hull, BodyShape::Mesh];
                let shape = shapes[kind as usize - 1];
                let outside = crate_at(centre, half);
                add(
                    &mut sketch,
                    &format!("b{index:02}"),
                    shape,
                    outside,
                    0.5,
                    0.0,
                );
            }
        }
    }
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut memory = OverlapMemory::default();
    let (mut met, mut missed) = (0, 0);
    for _ in 0..2000 {
        let mut world = World::of(&level);
        for index in 0..12 {
            let id = BodyId(index);
            let mut state = *world.bodies.state(id);
            state.at.point =
                direction(&mut rng) * rng.between(0.0, 2.0) + DVec3::Y * 6.0 - level.origin;
            state.rotation = DQuat::from_scaled_axis(direction(&mut rng) * 3.0);
            world.bodies.set(id, state);
        }
        let at = At {
            room: RoomId(0),
            point: direction(&mut rng) * rng.between(0.0, 2.0) + DVec3::Y * 6.0 - level.origin,
        };
        let radius = rng.between(0.01, 1.0);
        let found = bodies_of(overlap_sphere(&level, &world, at, radius, &mut memory));
        for index in 0..12 {
            let id = BodyId(index);
            let state = world.bodies.state(id);
            let gap = if index % 4 == 0 {
                state.at.point.distance(at.point) - 0.3
            } else {
                // The box is aligned with the axes in which the body was authored, not with the body's own axes.
                let own = DMat3::from_quat(level.body(id).rotation);
                let turn = DMat3::from_quat(state.rotation) * own.transpose();
                let local = turn.transpose() * (at.point - state.at.point);
                (local - local.clamp(-half, half)).length()
            };
            // If the gap is between the two bounds, rounding decides, so either result is allowed.
            if gap < radius - 1e-6 {
                assert!(found.contains(&id), "{index}: {gap} {radius}");
                met += 1;
            } else if gap > radius + 1e-6 {
                assert!(!found.contains(&id), "{index}: {gap} {radius}");
                missed += 1;
            }
        }
    }
    assert!(met > 1000 && missed > 1000, "{met} {missed}");
}

#[test]
fn the_cache_of_an_overlap_is_not_used_in_another_level() {
    let mut sketch = hall(DVec3::splat(12.0));
    add_ball(&mut sketch, "ball", DVec3::Y, 0.3, 0.5, 0.0);
    let (with_ball, _) = build(sketch.source).expect("it is sound");
    let (empty, _) = build(hall(DVec3::splat(12.0)).source).expect("it is sound");
    let mut memory = OverlapMemory::default();
    for (level, count) in [(&with_ball, 1), (&empty, 0), (&with_ball, 1)] {
        let at = At {
            room: RoomId(0),
            point: DVec3::Y - level.origin,
        };
        let world = World::of(level);
        let found = overlap_sphere(level, &world, at, 0.5, &mut memory);
        assert_eq!(bodies_of(found).len(), count);
    }
}

/// Two rooms side by side with a doorway in the wall between them.
#[test]
fn a_ball_overlaps_bodies_behind_a_doorway_and_not_behind_a_wall() {
    let doorway = Aabb {
        min: DVec3::new(0.0, 0.0, -1.0),
        max: DVec3::new(0.0, 2.2, 1.0),
    };
    let mut sketch = Sketch::new("rooms");
    for (name, from, to, out) in [
        ("west", -4.0, 0.0, DVec3::X),
        ("east", 0.0, 4.0, DVec3::NEG_X),
    ] {
        let inside = Aabb {
            min: DVec3::new(from, 0.0, -4.0),
            max: DVec3::new(to, 3.0, 4.0),
        };
        let room = sketch.box_room(name, inside, &[doorway]);
        sketch.portal(room, "", doorway, out);
    }
    sketch.spawn(0, DVec3::new(-3.0, 0.0, 0.0), DVec3::X);
    for (name, z) in [("a-door", 0.0), ("b-wall", 2.5)] {
        add_ball(&mut sketch, name, DVec3::new(0.4, 1.0, z), 0.2, 0.5, 0.0);
    }
    let (level, _) = build(sketch.source).expect("it is sound");
    let world = World::of(&level);
    let mut memory = OverlapMemory::default();
    let west = RoomId(
        level
            .rooms
            .iter()
            .position(|room| &*room.name == "west")
            .expect("it is there") as u32,
    );
    let mut found_at = |z: f64| {
        let point = DVec3::new(-0.3, 1.0, z) - level.origin;
        let at = At { room: west, point };
        overlap_sphere(&level, &world, at, 0.6, &mut memory).to_vec()
    };
    let at_door = found_at(0.0);
    assert_eq!(bodies_of(&at_door), [BodyId(0)]);
    assert_eq!(at_door.len(), 1, "no surface is near: {at_door:?}");
    let at_wall = found_at(2.5);
    assert_eq!(bodies_of(&at_wall), []);
    let nodes: Vec<&str> = at_wall.iter().map(|solid| solid.node(&level)).collect();
    assert!(
        !nodes.is_empty() && nodes.iter().all(|node| node.contains("west")),
        "{nodes:?}"
    );
}
