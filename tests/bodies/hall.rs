//! Halls with bodies in them.

use opendoor::glam::{DMat3, DVec3};

use opendoor::author::sketch::Sketch;
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::collision::BroadPhase;
use opendoor::geometry::Aabb;
use opendoor::level::Level;
use opendoor::source::{BodyShape, BodySource};
use opendoor::world::World;

pub(crate) const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// A hall of `size` metres around the origin. Its floor is at 0.
pub(crate) fn hall(size: DVec3) -> Sketch {
    let mut sketch = Sketch::new("hall");
    let half = size * 0.5;
    let inside = Aabb {
        min: DVec3::new(-half.x, 0.0, -half.z),
        max: DVec3::new(half.x, size.y, half.z),
    };
    let room = sketch.box_room("hall", inside, &[]);
    sketch.spawn(room, DVec3::ZERO, DVec3::NEG_Z);
    sketch
}

/// Adds a body of 1 kg whose mesh is this box.
pub(crate) fn add(
    sketch: &mut Sketch,
    name: &str,
    shape: BodyShape,
    outside: Aabb,
    friction: f64,
    bounce: f64,
) {
    add_heavy(sketch, name, shape, outside, (1.0, friction, bounce));
}

/// Adds a body whose mesh is this box, with its mass, kilograms.
pub(crate) fn add_heavy(
    sketch: &mut Sketch,
    name: &str,
    shape: BodyShape,
    outside: Aabb,
    (mass, friction, bounce): (f64, f64, f64),
) {
    sketch.furniture(0, 0, outside);
    sketch.source.bodies.push(BodySource {
        node: name.to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        shape,
        axes: DMat3::IDENTITY,
        mass: Some(mass),
        friction: Some(friction),
        bounce: Some(bounce),
    });
}

/// Adds a ball of this radius. Its mesh is a box whose corners lie on the ball.
pub(crate) fn add_ball(
    sketch: &mut Sketch,
    name: &str,
    centre: DVec3,
    radius: f64,
    friction: f64,
    bounce: f64,
) {
    let half = DVec3::splat(radius / 3.0_f64.sqrt());
    let outside = Aabb {
        min: centre - half,
        max: centre + half,
    };
    add(sketch, name, BodyShape::Sphere, outside, friction, bounce);
}

pub(crate) fn simulate(level: &Level, world: &mut World, gravity: DVec3, ticks: u32) {
    let mut workspace = BodyWorkspace::default();
    for _ in 0..ticks {
        tick_bodies(
            level,
            world,
            &mut [],
            BroadPhase::Portals,
            gravity,
            &mut workspace,
        );
    }
}

pub(crate) fn crate_at(centre: DVec3, half: DVec3) -> Aabb {
    Aabb {
        min: centre - half,
        max: centre + half,
    }
}
