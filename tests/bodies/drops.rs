//! Single bodies of any size, shape and speed in a closed hall: none leaves it. The checks treat the hall as a box, and
//! a body as the corners of its mesh.

use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::glam::{DMat3, DQuat, DVec3};
use opendoor::level::BodyId;
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add_heavy, crate_at, hall};
use crate::long::ticks;

/// Size of the hall, metres.
const SIZE: DVec3 = DVec3::new(10.0, 6.0, 10.0);
/// Range of edge lengths, metres.
const SIZES: [f64; 2] = [0.005, 2.5];
/// Range of speeds, m/s.
const SPEEDS: [f64; 2] = [0.1, 200.0];

/// The result of one drop.
struct Drop {
    what: String,
    /// Greatest distance of the body's centre outside of the hall, metres; negative if the centre stays inside.
    outside: f64,
    /// Greatest distance of a corner of the body outside of the hall, metres.
    depth: f64,
    held_back: u64,
}

/// A random number between two bounds, uniform in its logarithm.
fn of_any_size(rng: &mut Rng, [least, most]: [f64; 2]) -> f64 {
    least * (most / least).powf(rng.between(0.0, 1.0))
}

fn direction(rng: &mut Rng) -> DVec3 {
    let vector = DVec3::from([0; 3].map(|_| rng.between(-1.0, 1.0)));
    vector.try_normalize().unwrap_or(DVec3::Y)
}

/// Throws a body through the hall.
fn drop_one(seed: u64, count: u32) -> Drop {
    let mut rng = Rng::new(seed);
    let mut sketch = hall(SIZE);
    let middle = DVec3::Y * (0.5 * SIZE.y);
    let length = of_any_size(&mut rng, SIZES);
    // Cubes, planks, plates and needles.
    let thin = [0; 3].map(|_| {
        if rng.one_in(3) {
            rng.between(0.02, 1.0)
        } else {
            1.0
        }
    });
    let half = (DVec3::from(thin) * (0.5 * length)).max(DVec3::splat(0.5 * SIZES[0]));
    let shape = match rng.below(5) {
        0 => BodyShape::Hull,
        1 => BodyShape::Mesh,
        2 => BodyShape::Sphere,
        3 => BodyShape::Capsule,
        _ => BodyShape::Box,
    };
    let mass = of_any_size(&mut rng, [0.001, 1000.0]);
    let surface = (mass, rng.between(0.0, 1.0), rng.between(0.0, 1.0));
    add_heavy(&mut sketch, "body", shape, crate_at(middle, half), surface);
    let body = sketch.source.bodies.last_mut().expect("it was just added");
    let skew = rng.between(-0.5, 0.5);
    for corner in &mut body.meshes[0].positions {
        if shape == BodyShape::Hull || shape == BodyShape::Mesh {
            corner.x += skew * (corner.y - middle.y);
        }
    }
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    let id = BodyId(0);
    let radius = level.body(id).radius;
    let speed = of_any_size(&mut rng, SPEEDS);
    let free = (SIZE * 0.5 - DVec3::splat(radius + 0.01)).max(DVec3::ZERO);
    let mut state = *world.bodies.state(id);
    let place = DVec3::from(free.to_array().map(|free| rng.between(-free, free)));
    state.at = state.at.with_point(state.at.point + place);
    state.rotation = DQuat::from_scaled_axis(direction(&mut rng) * rng.between(0.0, 3.0));
    state.velocity = direction(&mut rng) * speed;
    state.spin = direction(&mut rng) * rng.between(0.0, speed / length.max(0.1));
    world.bodies.set(id, state);
    let mut workspace = BodyWorkspace::default();
    let (mut outside, mut depth) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let beyond = |point: DVec3| {
        let off = (point - middle).abs() - SIZE * 0.5;
        off.max_element()
    };
    for _ in 0..count {
        let no_character = &mut [];
        let pairs = BroadPhase::Portals;
        tick_bodies(
            &level,
            &mut world,
            no_character,
            pairs,
            GRAVITY,
            &mut workspace,
        );
        let state = world.bodies.state(id);
        let centre = level.to_author(state.at.point).0;
        outside = outside.max(beyond(centre));
        if !centre.is_finite() {
            outside = f64::INFINITY;
        }
        let turn = DMat3::from_quat(state.rotation);
        let corners = level.body(id).shape.triangles().into_iter();
        let corners = corners.flat_map(|triangle| triangle.corners);
        depth = corners.fold(depth, |depth, corner| {
            depth.max(beyond(centre + turn * corner))
        });
    }
    let what = format!("seed {seed}: {shape:?} {:.4} {speed:.2} m/s", half * 2.0);
    let held_back = workspace.held_back();
    Drop {
        what,
        outside,
        depth,
        held_back,
    }
}

#[test]
fn no_body_of_any_size_and_speed_leaves_a_closed_hall() {
    let drops: Vec<Drop> = (0..300).map(|seed| drop_one(seed, 90)).collect();
    let left = drops.iter().filter(|drop| drop.outside > 0.0);
    let left: Vec<&str> = left.map(|drop| drop.what.as_str()).collect();
    assert!(left.is_empty(), "{left:#?}");
    // Without the path test some of these bodies would have left the hall.
    assert!(drops.iter().any(|drop| drop.held_back > 0));
}

/// `OPENDOOR_LONG=0.1` drops a tenth of the bodies.
#[test]
#[ignore = "100,000 bodies: minutes in release"]
fn none_of_a_hundred_thousand_bodies_leaves_a_closed_hall() {
    let count = u64::from(ticks(100_000));
    let (mut deeper, mut deepest, mut held_back) = (0, f64::NEG_INFINITY, 0);
    for seed in 1_000..1_000 + count {
        let drop = drop_one(seed, 300);
        assert!(
            drop.outside <= 0.0,
            "{}: {} m outside",
            drop.what,
            drop.outside
        );
        deeper += u64::from(drop.depth > 1e-3);
        held_back += u64::from(drop.held_back > 0);
        if drop.depth > deepest {
            deepest = drop.depth;
            eprintln!("{}: {:.4} m deep", drop.what, drop.depth);
        }
    }
    eprintln!("of {count} bodies {held_back} were held back, {deeper} were deeper than 1 mm");
}
