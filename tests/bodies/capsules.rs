//! Capsules as bodies: rest, rolling, flight, sleep, rays and overlaps.

use opendoor::author::sketch::Sketch;
use opendoor::bodies::BodyWorkspace;
use opendoor::build::build;
use opendoor::collision::Solid;
use opendoor::glam::{DQuat, DVec3};
use opendoor::level::{At, BodyId, Level, RoomId};
use opendoor::queries::{OverlapMemory, cast_ray, overlap_sphere};
use opendoor::rng::Rng;
use opendoor::shapes::Shape;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, crate_at, hall, simulate};
use crate::long::{direction, tick};

/// The distance from the centre to an end of the segment, metres.
const HALF: f64 = 0.4;
/// The radius of the capsules, metres.
const RADIUS: f64 = 0.15;

/// The half extents of a box whose corners are on the rings at the ends of a capsule along x.
fn half_of_mesh(half: f64, radius: f64) -> DVec3 {
    let across = radius * std::f64::consts::FRAC_1_SQRT_2;
    DVec3::new(half, across, across)
}

fn add_capsule(sketch: &mut Sketch, name: &str, centre: DVec3, friction: f64, bounce: f64) {
    let outside = crate_at(centre, half_of_mesh(HALF, RADIUS));
    add(sketch, name, BodyShape::Capsule, outside, friction, bounce);
}

/// A hall with one capsule along x, with its centre at this height.
fn with_one(height: f64, friction: f64) -> (Level, World) {
    let mut sketch = hall(DVec3::new(20.0, 12.0, 20.0));
    add_capsule(&mut sketch, "log", DVec3::Y * height, friction, 0.0);
    let (level, _) = build(sketch.source).expect("it is sound");
    let world = World::of(&level);
    (level, world)
}

fn height(level: &Level, world: &World) -> f64 {
    level.to_author(world.bodies.state(BodyId(0)).at.point).0.y
}

/// Distance of a point from the segment of a capsule in its pose.
fn distance_from_segment(world: &World, point: DVec3) -> f64 {
    let state = world.bodies.state(BodyId(0));
    let local = state.rotation.inverse() * (point - state.at.point);
    let beyond = (local.x.abs() - HALF).max(0.0);
    DVec3::new(beyond, local.y, local.z).length()
}

#[test]
fn the_capsule_of_a_mesh_is_the_thinnest_around_it_along_its_longest_axis() {
    for axis in 0..3 {
        let mut sketch = hall(DVec3::splat(6.0));
        let mut half = half_of_mesh(HALF, RADIUS).to_array();
        half.swap(0, axis);
        let outside = crate_at(DVec3::Y * 2.0, DVec3::from(half));
        add(&mut sketch, "log", BodyShape::Capsule, outside, 0.5, 0.0);
        let (level, problems) = build(sketch.source).expect("it is sound");
        let Shape::Capsule {
            half_segment,
            radius,
        } = level.bodies[0].shape
        else {
            panic!("it is a capsule")
        };
        assert!((radius - RADIUS).abs() < 1e-12);
        assert!(half_segment.distance(DVec3::AXES[axis] * HALF) < 1e-12);
        // The mesh is a box: its capsule extends beyond it.
        let warned = problems.warnings.iter();
        let warned = warned.filter(|problem| problem.message.contains("its shape is capsule"));
        assert_eq!(warned.count(), 1, "{problems}");
    }
}

#[test]
fn a_capsule_comes_to_rest_on_its_side_and_sleeps() {
    for (case, turn) in [0.0, 0.2, 0.7, 1.2].into_iter().enumerate() {
        let (level, mut world) = with_one(1.0, 0.5);
        let mut state = *world.bodies.state(BodyId(0));
        state.rotation = DQuat::from_rotation_z(turn) * DQuat::from_rotation_x(0.4);
        world.bodies.set(BodyId(0), state);
        simulate(&level, &mut world, GRAVITY, 900);
        let off = height(&level, &world) - RADIUS;
        assert!(off.abs() < 3e-4, "{case}: {off}");
        let along = world.bodies.state(BodyId(0)).rotation * DVec3::X;
        assert!(along.y.abs() < 1e-3, "{case}: {along}");
        assert_eq!(world.bodies.awake_count(), 0, "{case}");
    }
}

#[test]
fn a_capsule_rolls_without_bumps_across_its_axis() {
    let (level, mut world) = with_one(RADIUS, 0.8);
    let mut state = *world.bodies.state(BodyId(0));
    state.velocity = DVec3::Z * 2.0;
    state.spin = DVec3::X * (2.0 / RADIUS);
    world.bodies.set(BodyId(0), state);
    let start = state.at.point;
    let mut workspace = BodyWorkspace::default();
    for _ in 0..120 {
        tick(&level, &mut world, GRAVITY, &mut workspace);
        let state = world.bodies.state(BodyId(0));
        let off = height(&level, &world) - RADIUS;
        assert!(off.abs() < 3e-4, "{off}");
        assert!((state.rotation * DVec3::X).y.abs() < 1e-3);
        let slip = state.velocity.z - state.spin.x * RADIUS;
        assert!(slip.abs() < 0.02, "{slip}");
    }
    let state = world.bodies.state(BodyId(0));
    let way = state.at.point - start;
    // Rolling resistance reduces the speed by a few hundredths of a metre per second in each second.
    assert!(way.z > 3.7 && way.z < 4.001 && way.x.abs() < 0.01, "{way}");
    assert!(state.velocity.z > 1.7, "{}", state.velocity);
}

#[test]
fn a_capsule_in_flight_keeps_its_energy_and_its_momentum() {
    let mut rng = Rng::new(2);
    for _ in 0..20 {
        let (level, mut world) = with_one(6.0, 0.5);
        let mut state = *world.bodies.state(BodyId(0));
        (state.velocity, state.spin) = (direction(&mut rng), direction(&mut rng) * 5.0);
        world.bodies.set(BodyId(0), state);
        let energy = |world: &World| {
            let state = world.bodies.state(BodyId(0));
            let mass = &level.body(BodyId(0)).mass;
            let spin = state.rotation.inverse() * state.spin;
            let turning = spin.dot(mass.inertia() * spin);
            mass.mass * state.velocity.length_squared() + turning
        };
        let before = energy(&world);
        simulate(&level, &mut world, DVec3::ZERO, 240);
        let after = energy(&world);
        assert!((after / before - 1.0).abs() < 1e-12, "{before} {after}");
        let velocity = world.bodies.state(BodyId(0)).velocity;
        assert_eq!(velocity, state.velocity);
    }
}

/// Heaps of capsules, and of capsules with boxes, fall asleep within a minute. Regression test: the contact of a capsule
/// on a box, and that of nearly parallel capsules, jumped along the capsule from tick to tick, and kept it rocking.
#[test]
fn heaps_of_capsules_and_boxes_fall_asleep() {
    let mut rng = Rng::new(8);
    for case in 0..12 {
        let mut sketch = hall(DVec3::new(8.0, 10.0, 8.0));
        for index in 0..30_u32 {
            let [x, y, z] = [index % 2, index / 8, index / 2 % 4].map(f64::from);
            let off = DVec3::from_array([0.0; 3].map(|_| rng.between(-0.05, 0.05)));
            let pitch = DVec3::new(1.2, 0.4, 0.35);
            let centre = DVec3::new(x, y, z) * pitch + off + DVec3::Y * 0.4;
            let name = format!("log{index}");
            if case % 2 == 1 && index % 3 == 0 {
                let outside = crate_at(centre, DVec3::new(0.3, 0.12, 0.12));
                add(&mut sketch, &name, BodyShape::Box, outside, 0.5, 0.0);
            } else {
                add_capsule(&mut sketch, &name, centre, 0.5, 0.0);
            }
        }
        let (level, _) = build(sketch.source).expect("it is sound");
        let mut world = World::of(&level);
        let mut workspace = BodyWorkspace::default();
        let asleep = (0..3600).find(|_| {
            tick(&level, &mut world, GRAVITY, &mut workspace);
            world.bodies.awake_count() == 0
        });
        let awake = world.bodies.iter().filter(|(_, state)| !state.is_asleep());
        let awake: Vec<String> = awake
            .map(|(id, state)| {
                let name = &level.body(id).name;
                format!("{name}: {} m/s, {}", state.velocity, state.spin)
            })
            .collect();
        assert!(asleep.is_some(), "{case}: {awake:#?}");
        for (_, state) in world.bodies.iter() {
            let height = level.to_author(state.at.point).0.y;
            assert!(height > 0.11, "{case}: {height}");
        }
    }
}

#[test]
fn rays_and_balls_meet_a_capsule_where_its_surface_is() {
    let (level, mut world) = with_one(6.0, 0.5);
    let mut rng = Rng::new(6);
    let (mut hit, mut missed, mut memory) = (0, 0, OverlapMemory::default());
    for case in 0..4000 {
        let mut state = *world.bodies.state(BodyId(0));
        state.rotation = DQuat::from_scaled_axis(direction(&mut rng) * rng.between(0.0, 3.0));
        world.bodies.set(BodyId(0), state);
        let from = state.at.point + direction(&mut rng) * rng.between(0.7, 2.0);
        let aim = state.at.point + direction(&mut rng) * rng.between(0.0, 0.6);
        let ray = (aim - from) * 1.6;
        let start = At {
            room: RoomId(0),
            point: from,
        };
        // Sphere tracing: each step is as long as the distance to the surface, so no step passes through it.
        let (mut part, mut nearest) = (0.0, f64::INFINITY);
        for _ in 0..400 {
            let gap = distance_from_segment(&world, from + ray * part) - RADIUS;
            nearest = nearest.min(gap);
            part += gap / ray.length();
        }
        let found = cast_ray(&level, &world, start, ray);
        let on_body = found.filter(|found| found.solid == Solid::Body(BodyId(0)));
        if nearest < 1e-9 && part < 1.0 {
            hit += 1;
            let found = on_body.expect("it is hit");
            let off = distance_from_segment(&world, found.at.point) - RADIUS;
            assert!(off.abs() < 1e-9, "{case}: {off}");
            // The steps do not reach beyond the surface.
            let early = part * ray.length() - found.distance;
            assert!(early < 1e-9, "{case}: {early}");
            assert!(found.normal.dot(ray) < 0.0, "{case}");
        } else if nearest > 1e-4 {
            missed += 1;
            assert!(on_body.is_none(), "{case}");
        }
        let radius = rng.between(0.05, 1.2);
        let gap = distance_from_segment(&world, from) - RADIUS - radius;
        let found = overlap_sphere(&level, &world, start, radius, &mut memory);
        assert_eq!(
            found.contains(&Solid::Body(BodyId(0))),
            gap <= 0.0,
            "{case}"
        );
    }
    assert!(hit > 500 && missed > 500, "{hit} {missed}");
}
