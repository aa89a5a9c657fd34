//! Joints: pendulums, chains, hinges and ropes.

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::game::Game;
use opendoor::geometry::Rigid;
use opendoor::glam::{DMat3, DQuat, DVec3};
use opendoor::level::{AuthorPoint, BodyId, JointBase, JointKind, Level};
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, JointSource};
use opendoor::world::World;

use crate::hall::{GRAVITY, add_ball, add_heavy, crate_at, hall, simulate};
use crate::long::ticks;

const FREE: JointKind = JointKind::Hinge { limits: None };

fn joint(sketch: &mut Sketch, name: &str, kind: JointKind, at: DVec3, bodies: &[&str]) {
    turned_joint(sketch, name, kind, (at, DMat3::IDENTITY), bodies);
}

fn turned_joint(
    sketch: &mut Sketch,
    name: &str,
    kind: JointKind,
    (at, axes): (DVec3, DMat3),
    bodies: &[&str],
) {
    sketch.source.joints.push(JointSource {
        node: name.to_owned(),
        room: Some(0),
        position: AuthorPoint(at),
        axes,
        bodies: bodies.iter().map(|&name| name.to_owned()).collect(),
        kind,
        damping: 0.0,
    });
}

fn crate_of(sketch: &mut Sketch, name: &str, centre: DVec3, half: DVec3, mass: f64) {
    let outside = crate_at(centre, half);
    add_heavy(sketch, name, BodyShape::Box, outside, (mass, 0.5, 0.0));
}

/// The axes of a joint whose y axis is `axis`.
fn about(axis: DVec3) -> DMat3 {
    DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Y, axis))
}

fn body(level: &Level, name: &str) -> BodyId {
    let index = level.bodies.iter().position(|body| body.name == name);
    BodyId(index.expect(name) as u32)
}

/// For each side of a joint, the transform from the joint's coordinates to those of that side's room.
fn sides(level: &Level, world: &World, index: usize) -> [Rigid; 2] {
    let joint = &level.joints.all[index];
    let of = |id, body_from_joint: &Rigid| {
        world
            .bodies
            .state(id)
            .room_from_body()
            .after(body_from_joint)
    };
    let base = match &joint.base {
        JointBase::Body(id, body_from_joint) => of(*id, body_from_joint),
        JointBase::Room(at, axes) => Rigid::new(*axes, at.point),
    };
    [of(joint.body, &joint.body_from_joint), base]
}

/// The greatest distance between the two anchor points of any joint, metres; for ropes the excess over their length.
fn widest_gap(level: &Level, world: &World) -> f64 {
    let joints = level.joints.all.iter().enumerate();
    let gaps = joints.map(|(index, joint)| {
        let [a, b] = sides(level, world, index).map(|side| side.translation());
        match joint.kind {
            JointKind::Rope { length } => a.distance(b) - length,
            _ => a.distance(b),
        }
    });
    gaps.fold(f64::NEG_INFINITY, f64::max)
}

/// The kinetic and potential energy of a level, J.
fn energy(level: &Level, world: &World, gravity: DVec3) -> f64 {
    let all = world.bodies.iter().map(|(id, state)| {
        let mass = &level.body(id).mass;
        let axes = DMat3::from_quat(state.rotation) * mass.axes;
        let spin = axes.transpose() * state.spin;
        let turning = 0.5 * spin.dot(mass.moments * spin);
        let moving = 0.5 * mass.mass * state.velocity.length_squared();
        turning + moving - mass.mass * gravity.dot(state.at.point)
    });
    all.sum()
}

/// The angle of a physical pendulum from the vertical after each tick, by the fourth-order Runge-Kutta method.
fn pendulum(angle: f64, rate: f64, ticks: u32) -> Vec<f64> {
    let mut state = [angle, 0.0];
    let slope = |[angle, speed]: [f64; 2]| [speed, -rate * angle.sin()];
    let add = |p: [f64; 2], q: [f64; 2], h: f64| [p[0] + q[0] * h, p[1] + q[1] * h];
    let steps = 64;
    let h = 1.0 / 60.0 / f64::from(steps);
    (0..ticks)
        .map(|_| {
            for _ in 0..steps {
                let k1 = slope(state);
                let k2 = slope(add(state, k1, h / 2.0));
                let k3 = slope(add(state, k2, h / 2.0));
                let k4 = slope(add(state, k3, h));
                let sum = [0, 1].map(|i| k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
                state = add(state, sum, h / 6.0);
            }
            state[0]
        })
        .collect()
}

#[test]
fn a_pendulum_swings_as_a_physical_one_does() {
    for (kind, degrees) in [
        (JointKind::Ball, 10.0_f64),
        (JointKind::Ball, 60.0),
        (FREE, 30.0),
        (FREE, 120.0),
    ] {
        let (half, length, angle) = (DVec3::new(0.1, 0.15, 0.2), 1.2, degrees.to_radians());
        let mut sketch = hall(DVec3::splat(8.0));
        let pivot = DVec3::Y * 4.0;
        let centre = pivot + DVec3::new(angle.sin(), -angle.cos(), 0.0) * length;
        crate_of(&mut sketch, "bob", centre, half, 2.0);
        turned_joint(&mut sketch, "j", kind, (pivot, about(DVec3::Z)), &["bob"]);
        let (level, _) = build(sketch.source).expect("it is sound");
        let mut world = World::of(&level);
        let before = energy(&level, &world, GRAVITY);
        // The moment of inertia about the pivot, per mass: the body rotates as a whole, about z.
        let moment = (half.x * half.x + half.y * half.y) / 3.0 + length * length;
        let expected = pendulum(angle, 9.81 * length / moment, 600);
        let mut workspace = BodyWorkspace::default();
        let mut worst = [0.0_f64; 3];
        for expected in expected {
            let phase = BroadPhase::Portals;
            tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
            let at = world.bodies.state(BodyId(0)).at.point - pivot;
            let off = (at.x.atan2(-at.y) - expected).abs();
            let gained = energy(&level, &world, GRAVITY) - before;
            worst[0] = worst[0].max(off.min(std::f64::consts::TAU - off));
            worst[1] = worst[1].max(gained.abs() / (2.0 * 9.81 * length));
            worst[2] = worst[2].max(widest_gap(&level, &world));
        }
        assert!(worst[0] < 0.05, "{kind:?} {degrees}: {} rad off", worst[0]);
        assert!(worst[1] < 0.01, "{kind:?} {degrees}: energy {}", worst[1]);
        assert!(worst[2] < 1e-3, "{kind:?} {degrees}: gap {}", worst[2]);
    }
}

/// A chain of links with a ball at its end, attached to the ceiling.
fn chain(links: u32, ball: f64) -> Level {
    let size = (0.5 * f64::from(links)).max(8.0);
    let mut sketch = hall(DVec3::splat(size));
    let top = DVec3::new(0.0, size - 0.5, 0.0);
    let mut above = Vec::new();
    for index in 0..links {
        let name = format!("link{index:02}");
        let centre = top + DVec3::X * (0.1 + 0.2 * f64::from(index));
        crate_of(
            &mut sketch,
            &name,
            centre,
            DVec3::new(0.08, 0.03, 0.03),
            1.0,
        );
        let at = top + DVec3::X * (0.2 * f64::from(index));
        let mut bodies = vec![name.as_str()];
        bodies.extend(above.last().map(String::as_str));
        joint(
            &mut sketch,
            &format!("j{index:02}"),
            JointKind::Ball,
            at,
            &bodies,
        );
        above.push(name);
    }
    let end = top + DVec3::X * (0.2 * f64::from(links));
    let weight = end + DVec3::X * 0.3;
    let half = DVec3::splat(0.2 / 3.0_f64.sqrt());
    add_heavy(
        &mut sketch,
        "weight",
        BodyShape::Sphere,
        crate_at(weight, half),
        (ball, 0.5, 0.0),
    );
    let last = above.last().expect("it has links").clone();
    joint(
        &mut sketch,
        "last",
        JointKind::Ball,
        end,
        &["weight", &last],
    );
    for joint in &mut sketch.source.joints {
        joint.damping = 1.0;
    }
    build(sketch.source).expect("it is sound").0
}

#[test]
fn a_chain_swings_down_hangs_and_sleeps() {
    for (mass, most) in [(0.1, 0.01), (1.0, 5e-3), (10.0, 5e-3), (300.0, 0.03)] {
        let level = chain(10, mass);
        let mut world = World::of(&level);
        let mut workspace = BodyWorkspace::default();
        let before = energy(&level, &world, GRAVITY);
        for tick in 0..2400 {
            let phase = BroadPhase::Portals;
            tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
            let gap = widest_gap(&level, &world);
            assert!(gap < most, "{mass} {tick}: gap {gap}");
            let gained = energy(&level, &world, GRAVITY) - before;
            assert!(gained < 1e-5 * before, "{mass} {tick}: gained {gained}");
        }
        let gap = widest_gap(&level, &world);
        assert!(gap < 2e-3, "{mass}: {gap}");
        let end = world.bodies.state(body(&level, "weight")).at.point;
        assert!(
            (end - DVec3::new(0.0, 5.2, 0.0)).length() < 0.1,
            "{mass}: {end}"
        );
        assert_eq!(
            world.bodies.awake_count(),
            0,
            "{mass}: it hangs, and sleeps"
        );
    }
}

#[test]
fn a_hinge_holds_its_axis_and_stops_at_its_limits() {
    let limits = [-20.0_f64, 70.0].map(f64::to_radians);
    let kind = JointKind::Hinge {
        limits: Some(limits),
    };
    for axis in [DVec3::Y, DVec3::NEG_Y, DVec3::X, DVec3::NEG_Z] {
        let mut sketch = hall(DVec3::splat(8.0));
        let out = if axis.abs() == DVec3::X {
            DVec3::Z
        } else {
            DVec3::X
        };
        let half = DVec3::splat(0.02) + out * 0.4 + axis.abs() * 0.3;
        let pivot = DVec3::new(0.0, 3.0, 0.0);
        crate_of(&mut sketch, "leaf", pivot + out * 0.45, half, 20.0);
        turned_joint(&mut sketch, "j", kind, (pivot, about(axis)), &["leaf"]);
        let (level, _) = build(sketch.source).expect("it is sound");
        let mut world = World::of(&level);
        let mut workspace = BodyWorkspace::default();
        let mut seen = [0.0_f64; 2];
        for tick in 0..600 {
            if tick % 100 == 0 {
                let mut state = *world.bodies.state(BodyId(0));
                let direction = if tick % 200 == 0 { 6.0 } else { -6.0 };
                state.spin = axis * direction;
                state.velocity = state.spin.cross(state.at.point - pivot);
                world.bodies.set(BodyId(0), state);
            }
            let phase = BroadPhase::Portals;
            tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
            let [leaf, base] = sides(&level, &world, 0);
            let tilt = leaf.rotation().y_axis.angle_between(base.rotation().y_axis);
            let [from, to] = [base, leaf].map(|side| side.rotation().z_axis);
            let angle = from
                .cross(to)
                .dot(base.rotation().y_axis)
                .atan2(from.dot(to));
            seen = [seen[0].min(angle), seen[1].max(angle)];
            assert!(tilt < 0.01, "{axis} {tick}: tilted by {tilt}");
            let gap = widest_gap(&level, &world);
            assert!(gap < 1e-3, "{axis} {tick}: gap {gap}");
            let over = (limits[0] - angle).max(angle - limits[1]);
            assert!(over < 0.02, "{axis} {tick}: passed its limit by {over}");
        }
        // With a horizontal axis gravity determines the rest position.
        let reached = seen[0] < limits[0] + 0.02 || seen[1] > limits[1] - 0.02;
        assert!(reached, "{axis}: {seen:?}");
    }
}

#[test]
fn the_heavier_side_of_a_seesaw_goes_down() {
    for (left, right) in [(1.0, 2.0), (3.0, 1.0), (1.0, 30.0)] {
        let mut sketch = hall(DVec3::splat(8.0));
        let pivot = DVec3::Y * 0.6;
        crate_of(
            &mut sketch,
            "plank",
            pivot,
            DVec3::new(1.5, 0.03, 0.2),
            10.0,
        );
        for (name, x, mass) in [("left", -1.2, left), ("right", 1.2, right)] {
            let centre = pivot + DVec3::new(x, 0.031 + 0.15, 0.0);
            crate_of(&mut sketch, name, centre, DVec3::splat(0.15), mass);
        }
        let place = (pivot, about(DVec3::Z));
        turned_joint(&mut sketch, "j", FREE, place, &["plank"]);
        let (level, _) = build(sketch.source).expect("it is sound");
        let mut world = World::of(&level);
        simulate(&level, &mut world, GRAVITY, 240);
        let plank = world.bodies.state(body(&level, "plank"));
        let right_end = (plank.rotation * DVec3::X).y;
        assert_eq!(
            right_end < -0.1,
            right > left,
            "{left} {right}: {right_end}"
        );
        assert_eq!(right_end > 0.1, left > right, "{left} {right}: {right_end}");
        assert!(widest_gap(&level, &world) < 1e-3);
    }
}

#[test]
fn a_rope_is_slack_until_its_full_length() {
    let mut sketch = hall(DVec3::splat(8.0));
    let top = DVec3::Y * 7.0;
    add_ball(&mut sketch, "ball", top - DVec3::Y * 0.5, 0.2, 0.5, 0.0);
    joint(
        &mut sketch,
        "j",
        JointKind::Rope { length: 2.0 },
        top,
        &["ball"],
    );
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    simulate(&level, &mut world, GRAVITY, 20);
    let fallen = top.y - 0.5 - world.bodies.state(BodyId(0)).at.point.y;
    let time = 20.0 / 60.0;
    // Integration by substeps gives a slightly longer fall.
    assert!((fallen - 0.5 * 9.81 * time * time).abs() < 2e-3, "{fallen}");
    let mut workspace = BodyWorkspace::default();
    for tick in 0..600 {
        let phase = BroadPhase::Portals;
        tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
        let gap = widest_gap(&level, &world);
        assert!(gap < 2e-3, "{tick}: longer by {gap}");
    }
    let end = world.bodies.state(BodyId(0)).at.point;
    assert!((end - DVec3::new(0.0, 4.8, 0.0)).length() < 2e-3, "{end}");
    assert_eq!(world.bodies.awake_count(), 0, "it hangs, and sleeps");
}

#[test]
fn bodies_that_a_joint_holds_keep_their_momentum_in_flight() {
    let mut rng = Rng::new(7);
    for kind in [JointKind::Ball, FREE, JointKind::Rope { length: 0.9 }] {
        for _ in 0..20 {
            let mut sketch = hall(DVec3::splat(40.0));
            let centre = DVec3::Y * 20.0;
            let masses = [0, 1].map(|_| rng.between(-2.0, 2.0).exp());
            for (name, x, mass) in [("a", -0.4, masses[0]), ("b", 0.4, masses[1])] {
                crate_of(
                    &mut sketch,
                    name,
                    centre + DVec3::X * x,
                    DVec3::splat(0.3),
                    mass,
                );
            }
            joint(&mut sketch, "j", kind, centre, &["a", "b"]);
            let (level, _) = build(sketch.source).expect("it is sound");
            let mut world = World::of(&level);
            for index in 0..2 {
                let mut state = *world.bodies.state(BodyId(index));
                let mut random = || DVec3::from_array([0; 3].map(|_| rng.between(-3.0, 3.0)));
                (state.velocity, state.spin) = (random(), random());
                world.bodies.set(BodyId(index), state);
            }
            let momentum = |world: &World| -> DVec3 {
                let all = world.bodies.iter();
                all.map(|(id, state)| state.velocity * level.body(id).mass.mass)
                    .sum()
            };
            let (before, energy_before) = (momentum(&world), energy(&level, &world, DVec3::ZERO));
            simulate(&level, &mut world, DVec3::ZERO, 120);
            let after = momentum(&world);
            let scale = 10.0 * (masses[0] + masses[1]);
            assert!(
                (after - before).length() < 1e-12 * scale,
                "{kind:?}: {before} {after}"
            );
            // The initial velocities violate the joint, so energy may be lost.
            let energy_after = energy(&level, &world, DVec3::ZERO);
            assert!(
                energy_after < 1.001 * energy_before,
                "{kind:?}: {energy_before} {energy_after}"
            );
            let gap = widest_gap(&level, &world);
            assert!(gap < 5e-3, "{kind:?}: {gap}");
        }
    }
}

/// A pendulum that swings through a doorway, or in a single room of the same total size.
fn swing(has_doorway: bool) -> Level {
    let mut sketch = Sketch::new("swing");
    let bounds = [
        cuboid([-4.0, 0.0, -4.0], [0.0, 6.0, 4.0]),
        cuboid([0.0, 0.0, -4.0], [4.0, 6.0, 4.0]),
    ];
    if has_doorway {
        let opening = cuboid([0.0, 0.0, -4.0], [0.0, 6.0, 4.0]);
        for (bounds, name) in bounds.into_iter().zip(["west", "east"]) {
            let room = sketch.box_room(name, bounds, &[opening]);
            let out = if name == "west" {
                DVec3::X
            } else {
                DVec3::NEG_X
            };
            sketch.portal(room, "", opening, out);
        }
    } else {
        sketch.box_room("both", bounds[0].union(bounds[1]), &[]);
    }
    sketch.spawn(0, DVec3::new(-3.0, 0.0, 3.0), DVec3::X);
    let pivot = DVec3::new(-0.3, 5.0, 0.0);
    for (name, x) in [("a", -1.0), ("b", -2.0)] {
        crate_of(
            &mut sketch,
            name,
            pivot + DVec3::X * x,
            DVec3::splat(0.2),
            1.0,
        );
    }
    joint(&mut sketch, "top", JointKind::Ball, pivot, &["a"]);
    let between = pivot - DVec3::X * 1.5;
    joint(&mut sketch, "mid", JointKind::Ball, between, &["b", "a"]);
    build(sketch.source).expect("it is sound").0
}

#[test]
fn joints_hold_through_a_doorway() {
    let [with, without] = [true, false].map(swing);
    let [mut one, mut other] = [&with, &without].map(World::of);
    let [mut memory, mut other_memory] = [BodyWorkspace::default(), BodyWorkspace::default()];
    let mut rooms = std::collections::BTreeSet::new();
    for tick in 0..300 {
        for (level, world, workspace) in [
            (&with, &mut one, &mut memory),
            (&without, &mut other, &mut other_memory),
        ] {
            let phase = BroadPhase::Portals;
            tick_bodies(level, world, &mut [], phase, GRAVITY, workspace);
        }
        for index in 0..2 {
            let [p, q] = [&one, &other].map(|world| *world.bodies.state(BodyId(index)));
            rooms.insert(p.at.room.0);
            assert_eq!(p.at.point, q.at.point, "{tick} {index}");
            assert_eq!(p.rotation, q.rotation, "{tick} {index}");
        }
    }
    assert_eq!(rooms.len(), 2, "it swings through the doorway");
}

/// Random trees of bodies of all shapes, masses and joints, thrown around in a hall with loose bodies.
fn tree(rng: &mut Rng, spread: f64) -> Level {
    let mut sketch = hall(DVec3::splat(10.0));
    let count = 2 + (rng.between(0.0, 9.0) as usize);
    let mut names: Vec<String> = Vec::new();
    let mut places: Vec<DVec3> = Vec::new();
    for index in 0..count {
        let name = format!("b{index:02}");
        let mut random =
            |least: f64, most: f64| DVec3::from_array([0; 3].map(|_| rng.between(least, most)));
        let half = random(0.03, 0.4);
        let mut places_at = std::iter::repeat_with(|| random(-4.0, 4.0) + DVec3::Y * 5.0);
        let is_free = |p: &DVec3| places.iter().all(|q| p.distance(*q) > 1.4);
        let centre = places_at.find(is_free).expect("there is room");
        let mass = (rng.between(-1.0, 1.0) * spread).exp();
        let shape = [BodyShape::Box, BodyShape::Sphere, BodyShape::Hull][index % 3];
        add_heavy(
            &mut sketch,
            &name,
            shape,
            crate_at(centre, half),
            (mass, 0.5, 0.3),
        );
        let other = rng.between(-2.0, index as f64 + 0.99);
        if other > -1.0 {
            let other = (other.floor().max(0.0)) as usize;
            let is_body = other < index;
            let from = if is_body {
                places[other]
            } else {
                DVec3::Y * 9.0
            };
            let at = centre.lerp(from, rng.between(0.0, 1.0));
            let least = rng.between(-2.0, 0.0);
            let kinds = [
                JointKind::Ball,
                FREE,
                JointKind::Hinge {
                    limits: Some([least, rng.between(0.0, 2.0)]),
                },
                JointKind::Rope {
                    length: rng.between(0.0, 4.0),
                },
            ];
            let kind = kinds[rng.between(0.0, 3.99) as usize];
            let axis = DVec3::from_array([0; 3].map(|_| rng.between(-1.0, 1.0)));
            let place = (at, about(axis.normalize_or(DVec3::Y)));
            let mut bodies = vec![name.as_str()];
            if is_body {
                bodies.push(&names[other]);
            }
            turned_joint(&mut sketch, &format!("j{index:02}"), kind, place, &bodies);
        }
        names.push(name);
        places.push(centre);
    }
    build(sketch.source).expect("it is sound").0
}

#[test]
fn random_trees_of_bodies_stay_together_and_gain_no_energy() {
    for seed in 0..24 {
        try_tree(seed, 0.3);
    }
}

#[test]
#[ignore = "a thousand worlds: a minute in release"]
fn a_thousand_random_trees_of_bodies_stay_together_and_gain_no_energy() {
    for seed in 1_000..1_000 + u64::from(ticks(1_000)) {
        try_tree(seed, 2.0);
    }
}

/// Simulates a random tree for four seconds. No gap of a joint exceeds `widest` metres, and no energy is gained.
fn try_tree(seed: u64, widest: f64) {
    let mut rng = Rng::new(seed);
    let spread = [0.0, 1.0, 2.0][seed as usize % 3];
    let level = tree(&mut rng, spread);
    let mut world = World::of(&level);
    let before = energy(&level, &world, GRAVITY);
    let mut workspace = BodyWorkspace::default();
    for tick in 0..240 {
        let phase = BroadPhase::Portals;
        tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
        for (id, state) in world.bodies.iter() {
            let DVec3 { x, y, z } = state.at.point;
            let is_inside = x.abs().max(z.abs()) < 5.0 && y > 0.0 && y < 10.0;
            assert!(is_inside, "{seed} {tick}: {id:?} at {}", state.at.point);
            assert!(state.spin.is_finite() && state.rotation.is_finite());
        }
        // If a wall stops a body, the connected bodies pull at its joints.
        let gap = widest_gap(&level, &world);
        assert!(gap < widest, "{seed} {tick}: gap {gap}");
    }
    // Substeps that use the velocity at their end put a rising body half a substep's motion too high. Its energy is too
    // large by `m g v dt / 2`.
    let substep = 1.0 / 60.0 / 18.0;
    let lead: f64 = world
        .bodies
        .iter()
        .map(|(id, state)| level.body(id).mass.mass * 9.81 * state.velocity.y * 0.5 * substep)
        .sum();
    let gained = energy(&level, &world, GRAVITY) - before - lead;
    let mass: f64 = level.bodies.iter().map(|body| body.mass.mass).sum();
    assert!(gained < 1e-4 * mass * 9.81 * 5.0, "{seed}: gained {gained}");
}

/// A body on a taut rope moves in a circle without friction: it keeps its speed.
#[test]
fn a_ball_on_a_rope_keeps_its_energy() {
    let mut sketch = hall(DVec3::splat(12.0));
    let centre = DVec3::Y * 6.0;
    add_ball(
        &mut sketch,
        "ball",
        centre + DVec3::X * 1.05,
        0.05,
        0.0,
        0.0,
    );
    let kind = JointKind::Rope { length: 1.0 };
    joint(&mut sketch, "j", kind, centre, &["ball"]);
    let (level, _) = build(sketch.source).expect("it is sound");
    for speed in [2.0, 10.0, 20.0] {
        let mut world = World::of(&level);
        let mut state = *world.bodies.state(BodyId(0));
        state.velocity = DVec3::Z * speed;
        world.bodies.set(BodyId(0), state);
        let before = energy(&level, &world, DVec3::ZERO);
        simulate(&level, &mut world, DVec3::ZERO, 60);
        let after = energy(&level, &world, DVec3::ZERO);
        assert!(
            (after / before - 1.0).abs() < 0.02,
            "{speed}: {before} {after}"
        );
    }
}

#[test]
fn a_limit_of_half_a_turn_holds() {
    for limits in [[-180.0_f64, 90.0], [-90.0, 180.0], [0.0, 180.0]] {
        let kind = JointKind::Hinge {
            limits: Some(limits.map(f64::to_radians)),
        };
        let mut sketch = hall(DVec3::splat(8.0));
        let pivot = DVec3::Y * 3.0;
        let half = DVec3::new(0.4, 0.3, 0.02);
        crate_of(&mut sketch, "leaf", pivot + DVec3::X * 0.45, half, 20.0);
        joint(&mut sketch, "j", kind, pivot, &["leaf"]);
        let (level, _) = build(sketch.source).expect("it is sound");
        for spin in [-4.0, 4.0] {
            let mut world = World::of(&level);
            let mut workspace = BodyWorkspace::default();
            let mut angle = 0.0;
            for tick in 0..300 {
                let mut state = *world.bodies.state(BodyId(0));
                if tick == 0 {
                    state.spin = DVec3::Y * spin;
                    state.velocity = state.spin.cross(state.at.point - pivot);
                } else {
                    // The body is pushed further in the same direction.
                    state.spin += DVec3::Y * (0.01 * spin);
                }
                world.bodies.set(BodyId(0), state);
                let phase = BroadPhase::Portals;
                tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
                angle += world.bodies.state(BodyId(0)).spin.y.to_degrees() / 60.0;
            }
            let is_within = (limits[0] - 8.0..limits[1] + 8.0).contains(&angle);
            assert!(is_within, "{limits:?} {spin}: at {angle}");
        }
    }
}

#[test]
fn a_long_chain_hangs_together() {
    let level = chain(60, 5.0);
    let mut world = World::of(&level);
    let mut workspace = BodyWorkspace::default();
    for tick in 0..120 {
        let phase = BroadPhase::Portals;
        tick_bodies(&level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
        let gap = widest_gap(&level, &world);
        assert!(gap < 0.02, "{tick}: gap {gap}");
    }
}

/// The bodies below a removed link fall.
#[test]
fn a_chain_falls_when_a_link_is_taken_away() {
    let level = chain(6, 1.0);
    let mut game = Game::new(&level).expect("there is a spawn");
    let (link, weight) = (body(&level, "link02"), body(&level, "weight"));
    for _ in 0..2400 {
        game.tick(&level, &[]);
    }
    assert!(game.world().bodies.state(weight).is_asleep());
    game.remove_body(link);
    for _ in 0..120 {
        game.tick(&level, &[]);
    }
    let fallen = game.world().bodies.state(weight).at.point.y;
    // The weight may lie on the player below.
    assert!(fallen < 2.0, "{fallen}");
    let above = game.world().bodies.state(body(&level, "link01")).at.point.y;
    assert!((above - 7.2).abs() < 0.05, "{above}");
}

/// The saved state of a game contains all inputs of a tick, including the impulses of joints.
#[test]
fn a_restored_chain_goes_on_as_the_saved_one() {
    let level = chain(6, 3.0);
    let mut game = Game::new(&level).expect("there is a spawn");
    for tick in 0..120 {
        let bytes = game.save(&level);
        let mut restored = Game::restore(&level, &bytes).expect("it was saved");
        game.tick(&level, &[]);
        restored.tick(&level, &[]);
        assert!(restored.world().bodies == game.world().bodies, "{tick}");
    }
}

/// Waking one body of a sleeping chain wakes all of its bodies.
#[test]
fn all_bodies_of_a_chain_wake_together() {
    let level = chain(8, 1.0);
    let mut world = World::of(&level);
    simulate(&level, &mut world, GRAVITY, 2400);
    assert_eq!(world.bodies.awake_count(), 0);
    world.bodies.wake(body(&level, "link05"));
    simulate(&level, &mut world, GRAVITY, 1);
    assert_eq!(world.bodies.awake_count(), level.bodies.len());
}

/// The damping of a body is that of its strongest joint. Regression test: the dampings of all joints of a body were
/// added, so that a door of three hinges stopped three times as fast as a door of one hinge.
#[test]
fn a_door_of_several_hinges_slows_down_like_one_of_one() {
    for dampings in [&[0.8][..], &[0.8, 0.8], &[0.3, 0.8, 0.8], &[0.8, 0.0, 0.5]] {
        let mut sketch = hall(DVec3::splat(8.0));
        let centre = DVec3::new(0.45, 3.0, 0.0);
        crate_of(
            &mut sketch,
            "leaf",
            centre,
            DVec3::new(0.4, 0.9, 0.02),
            20.0,
        );
        for (index, damping) in dampings.iter().enumerate() {
            let at = DVec3::new(0.0, 2.2 + 0.7 * index as f64, 0.0);
            joint(&mut sketch, &format!("j{index}"), FREE, at, &["leaf"]);
            let last = sketch.source.joints.last_mut();
            last.expect("it was added").damping = *damping;
        }
        let (level, _) = build(sketch.source).expect("it is sound");
        let mut world = World::of(&level);
        let mut state = *world.bodies.state(BodyId(0));
        state.spin = DVec3::Y * 2.0;
        state.velocity = state.spin.cross(DVec3::X * 0.45);
        world.bodies.set(BodyId(0), state);
        simulate(&level, &mut world, DVec3::ZERO, 60);
        let left = world.bodies.state(BodyId(0)).spin.y / 2.0;
        let expected = (-0.8_f64).exp();
        assert!((left / expected - 1.0).abs() < 0.02, "{dampings:?}: {left}");
    }
}
