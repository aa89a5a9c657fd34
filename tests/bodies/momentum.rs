//! Random crowds of bodies that collide far from all walls: their momentum stays the same, and they gain no energy. The
//! checks use masses and velocities alone.

use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::glam::{DMat3, DQuat, DVec3};
use opendoor::level::{AuthorPoint, BodyId, Level};
use opendoor::rng::Rng;
use opendoor::shapes::Shape;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{add_heavy, crate_at, hall};
use crate::judge::Solid;
use crate::long::ticks;

/// Size of the hall, metres: so large that few bodies reach a wall.
const SIZE: DVec3 = DVec3::new(200.0, 200.0, 200.0);

const TICKS: u32 = 60;

fn vector(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from([0; 3].map(|_| rng.between(-size, size)))
}

/// A random number between two bounds, uniform in its logarithm.
fn of_any_size(rng: &mut Rng, [least, most]: [f64; 2]) -> f64 {
    least * (most / least).powf(rng.between(0.0, 1.0))
}

/// Runs a tick without gravity.
pub(crate) fn tick_without_gravity(
    level: &Level,
    world: &mut World,
    workspace: &mut BodyWorkspace,
) {
    let pairs = BroadPhase::Portals;
    tick_bodies(level, world, &mut [], pairs, DVec3::ZERO, workspace);
}

/// Bodies that fly at each other at up to `speed` m/s, with masses up to `most_mass` times that of the lightest.
fn crowd(rng: &mut Rng, most_mass: f64, speed: f64) -> (Level, World) {
    let mut sketch = hall(SIZE);
    let middle = DVec3::Y * (0.5 * SIZE.y);
    let count = 2 + rng.below(24);
    let mut spheres: Vec<(DVec3, f64)> = Vec::new();
    for index in 0..10 * count {
        let half = DVec3::from([0; 3].map(|_| of_any_size(rng, [0.02, 0.6])));
        let (centre, radius) = (middle + vector(rng, 3.0), half.length() + 0.01);
        let is_apart = |(other, size): &(DVec3, f64)| other.distance(centre) > radius + size;
        if !spheres.iter().all(is_apart) {
            continue;
        }
        spheres.push((centre, radius));
        let shapes = [
            BodyShape::Box,
            BodyShape::Hull,
            BodyShape::Sphere,
            BodyShape::Mesh,
        ];
        let shape = shapes[rng.below(4)];
        // A ball is fitted around the corners of its mesh, here a cube.
        let half = match shape {
            BodyShape::Sphere => DVec3::splat(half.min_element()),
            _ => half,
        };
        let mass = of_any_size(rng, [1.0, most_mass]);
        let surface = (mass, rng.between(0.0, 1.5), rng.between(0.0, 1.0));
        let name = format!("body{index:03}");
        add_heavy(&mut sketch, &name, shape, crate_at(centre, half), surface);
        if spheres.len() == count {
            break;
        }
    }
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    for id in (0..level.bodies.len() as u32).map(BodyId) {
        let mut state = *world.bodies.state(id);
        let to_middle =
            (level.from_author(AuthorPoint(middle)) - state.at.point).normalize_or_zero();
        state.velocity = to_middle * rng.between(0.0, speed) + vector(rng, 2.0);
        state.spin = vector(rng, 5.0);
        state.rotation = DQuat::from_scaled_axis(vector(rng, 3.0));
        world.bodies.set(id, state);
    }
    (level, world)
}

/// The total momentum, kg m/s, the sum of the magnitudes of the bodies' momenta, and their energy, J.
fn motion(level: &Level, world: &World) -> (DVec3, f64, f64) {
    let (mut momentum, mut size, mut energy) = (DVec3::ZERO, 0.0, 0.0);
    for (id, state) in world.bodies.iter() {
        let mass = &level.body(id).mass;
        momentum += state.velocity * mass.mass;
        size += state.velocity.length() * mass.mass;
        let axes = DMat3::from_quat(state.rotation) * mass.axes;
        let spin = axes.transpose() * state.spin;
        energy += 0.5 * mass.mass * state.velocity.length_squared();
        energy += 0.5 * spin.dot(mass.moments * spin);
    }
    (momentum, size, energy)
}

fn is_far_from_walls(level: &Level, world: &World) -> bool {
    let middle = DVec3::Y * (0.5 * SIZE.y);
    world.bodies.iter().all(|(_, state)| {
        let off = (level.to_author(state.at.point).0 - middle).abs();
        off.max_element() < 0.45 * SIZE.x
    })
}

/// The greatest change of momentum, as a fraction of the sum of the magnitudes of all momenta, and the greatest
/// relative gain of energy.
fn worst(seeds: std::ops::Range<u64>, most_mass: f64) -> (f64, f64) {
    let (mut changed, mut gained) = (0.0_f64, 0.0_f64);
    for seed in seeds {
        let (level, mut world) = crowd(&mut Rng::new(seed), most_mass, 15.0);
        let (first, size, energy) = motion(&level, &world);
        let mut workspace = BodyWorkspace::default();
        for _ in 0..TICKS {
            tick_without_gravity(&level, &mut world, &mut workspace);
            // A light body that two heavy bodies throw may come near a wall: stop the check there.
            if !is_far_from_walls(&level, &world) {
                break;
            }
            let (now, _, energy_now) = motion(&level, &world);
            let change = (now - first).length() / size;
            changed = changed.max(if change.is_finite() {
                change
            } else {
                f64::INFINITY
            });
            gained = gained.max(energy_now / energy - 1.0);
        }
    }
    (changed, gained)
}

/// Regression test: bodies that had used up their impacts of the tick were stopped in the air.
#[test]
fn bodies_that_meet_in_the_air_keep_their_momentum_and_gain_no_energy() {
    for most_mass in [10.0, 1e6] {
        let (changed, gained) = worst(0..60, most_mass);
        assert!(changed < 1e-9, "{most_mass}: {changed:e}");
        assert!(gained < 1e-4, "{most_mass}: {gained:e}");
    }
}

/// The solids of all bodies, in coordinates of the hall.
fn solids(level: &Level, world: &World) -> Vec<Solid> {
    let posed = world.bodies.iter().map(|(id, state)| {
        let shape = &level.body(id).shape;
        let solid = match shape {
            Shape::Sphere { radius } => Solid::ball(*radius),
            // All other shapes are boxes around their centres.
            _ => {
                let corners = shape.triangles().into_iter();
                let corners = corners.flat_map(|triangle| triangle.corners);
                let half = corners.fold(DVec3::ZERO, |half, corner| half.max(corner.abs()));
                Solid::skewed_box(half, 0.0)
            }
        };
        solid.posed(&state.room_from_body())
    });
    posed.collect()
}

/// Regression test: if fast rotation or many contacts kept a cluster from being resolved, its bodies ended the tick
/// centimetres deep in each other.
#[test]
fn bodies_that_meet_in_the_air_stay_out_of_each_other() {
    let mut depths = Vec::new();
    for (seed, most_mass) in (0..400).zip([1e4, 1e6, 1e8].into_iter().cycle()) {
        let (level, mut world) = crowd(&mut Rng::new(seed), most_mass, 40.0);
        let mut workspace = BodyWorkspace::default();
        let mut deepest = 0.0_f64;
        for _ in 0..TICKS / 2 {
            tick_without_gravity(&level, &mut world, &mut workspace);
            let solids = solids(&level, &world);
            for (index, one) in solids.iter().enumerate() {
                for other in &solids[index + 1..] {
                    deepest = deepest.max(one.depth(other));
                }
            }
        }
        depths.push((deepest, seed));
    }
    depths.sort_by(|p, q| q.0.total_cmp(&p.0));
    assert!(depths[0].0 < 0.005, "{:?}", depths[0]);
}

#[test]
#[ignore = "minutes: see long.rs"]
fn bodies_that_meet_in_the_air_keep_their_momentum_in_thousands_of_crowds() {
    for most_mass in [1.0, 10.0, 1e3, 1e6] {
        let (changed, gained) = worst(1000..1000 + u64::from(ticks(2000)), most_mass);
        eprintln!("masses up to {most_mass:e}: momentum {changed:e}, energy {gained:e}");
        assert!(changed < 1e-9, "{most_mass}: {changed:e}");
        assert!(gained < 1e-3, "{most_mass}: {gained:e}");
    }
}
