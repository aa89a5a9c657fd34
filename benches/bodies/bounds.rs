//! Bounding volumes of shapes and of their motions: spheres, axis-aligned boxes and oriented boxes.

use std::hint::black_box;
use std::time::Instant;

use glam::{DMat3, DVec3};
use opendoor::geometry::{Aabb, Rigid};
use opendoor::rng::Rng;
use opendoor::shapes::{
    BoundingSphere, Hull, OrientedBox, PairCache, Shape, Sweep, closest, rotation_by,
    time_of_impact,
};
use opendoor_benches::table::{self, median};

use crate::scenes::direction;

const SECS: f64 = 1.0 / 60.0;

/// Number of shapes in a scene.
const COUNT: usize = 400;
/// Number of measurements; each computes the bounds of all shapes.
const RUNS: usize = 21;

/// Distance below which two shapes count as touching, metres.
const TOUCHING: f64 = 1e-6;

/// Bounds of one kind.
#[derive(Clone, Copy)]
enum Bounds {
    Sphere(BoundingSphere),
    Aligned(Aabb),
    Oriented(OrientedBox),
}

impl Bounds {
    fn volume(&self) -> f64 {
        match self {
            Self::Sphere(sphere) => 4.0 / 3.0 * std::f64::consts::PI * sphere.radius.powi(3),
            Self::Aligned(aabb) => (aabb.max - aabb.min).element_product(),
            Self::Oriented(oriented) => 8.0 * oriented.half_extents.element_product(),
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sphere(a), Self::Sphere(b)) => a.overlaps(b),
            (Self::Aligned(a), Self::Aligned(b)) => a.overlaps(b),
            (Self::Oriented(a), Self::Oriented(b)) => a.overlaps(b),
            _ => false,
        }
    }
}

type Make = fn(&Shape, &Sweep) -> Bounds;

const MAKES: [(&str, Make); 3] = [
    ("sphere", |shape, sweep| {
        Bounds::Sphere(sweep.bounding_sphere(shape, SECS))
    }),
    ("aligned box", |shape, sweep| {
        Bounds::Aligned(aligned(shape, sweep))
    }),
    ("oriented box", |shape, sweep| {
        Bounds::Oriented(oriented(shape, sweep))
    }),
];

/// An axis-aligned box around all poses. It contains the boxes of the first and the last pose, grown by the largest
/// deviation of an arc from its chord, and is clipped to the box of a sphere that moves along.
fn aligned(shape: &Shape, sweep: &Sweep) -> Aabb {
    let ends = [0.0, SECS].map(|secs| shape.aabb(&sweep.pose_at(secs)));
    let ends = ends[0].union(ends[1]);
    if sweep.angular_velocity == DVec3::ZERO {
        return ends;
    }
    let radius = shape.radius_about(sweep.centre);
    let centre = sweep.world_from_shape.point(sweep.centre);
    let arcs = ends.grown(sweep.departure_from_chords(radius, SECS));
    let along = Aabb::around([centre, centre + sweep.velocity * SECS]).grown(radius);
    Aabb {
        min: arcs.min.max(along.min),
        max: arcs.max.min(along.max),
    }
}

/// An oriented box along the shape's own axes if the shape rests, and along the motion if it moves.
fn oriented(shape: &Shape, sweep: &Sweep) -> OrientedBox {
    let Some(forward) = sweep.velocity.try_normalize() else {
        let own = OrientedBox::of_aabb(&shape.aabb(&Rigid::IDENTITY));
        return OrientedBox {
            world_from_box: sweep.world_from_shape.after(&own.world_from_box),
            ..own
        };
    };
    let (right, up) = forward.any_orthonormal_pair();
    let axes = DMat3::from_cols(forward, right, up).transpose();
    let way_from_world = Rigid::new(axes, DVec3::ZERO);
    let turned = Sweep {
        world_from_shape: way_from_world.after(&sweep.world_from_shape),
        velocity: way_from_world.vector(sweep.velocity),
        angular_velocity: way_from_world.vector(sweep.angular_velocity),
        ..*sweep
    };
    let in_way = OrientedBox::of_aabb(&aligned(shape, &turned));
    OrientedBox {
        world_from_box: way_from_world.inverse().after(&in_way.world_from_box),
        ..in_way
    }
}

/// Prints the table.
pub(crate) fn print() {
    let head = ["bounds", "ns", "volume", "false pairs"];
    let mut lines = vec![head.map(String::from).to_vec()];
    let mut rng = Rng::new(3);
    let points: Vec<DVec3> = (0..20).map(|_| direction(&mut rng) * 0.25).collect();
    let mut shapes = vec![
        ("ball", Shape::Sphere { radius: 0.2 }),
        (
            "crate",
            Shape::Box {
                half_extents: DVec3::splat(0.2),
            },
        ),
        (
            "plank",
            Shape::Box {
                half_extents: DVec3::new(0.6, 0.03, 0.08),
            },
        ),
    ];
    shapes.extend(
        Hull::of_points(&points)
            .ok()
            .map(|hull| ("hull", Shape::Hull(hull))),
    );
    for (name, shape) in &shapes {
        for speed in [0.0, 4.0, 40.0] {
            let sweeps: Vec<Sweep> = (0..COUNT).map(|_| sweep(&mut rng, speed)).collect();
            for (kind, make) in MAKES {
                lines.push(line((name, shape), speed, &sweeps, (kind, make)));
            }
        }
    }
    table::print("Bounds:", &lines);
}

/// A random motion in a hall of 8 x 3 x 8 m, from a random orientation; moving shapes also rotate.
fn sweep(rng: &mut Rng, speed: f64) -> Sweep {
    let place = DVec3::from_array([8.0, 3.0, 8.0].map(|size| rng.between(0.0, size)));
    let turn = direction(rng) * rng.between(0.0, 3.0);
    let tumble = direction(rng) * rng.between(0.0, 10.0);
    let velocity = direction(rng) * speed;
    Sweep {
        velocity,
        angular_velocity: if speed > 0.0 { tumble } else { DVec3::ZERO },
        ..Sweep::still(Rigid::new(rotation_by(turn), place))
    }
}

fn line(
    (name, shape): (&str, &Shape),
    speed: f64,
    sweeps: &[Sweep],
    (kind, make): (&str, Make),
) -> Vec<String> {
    let mut bounds: Vec<Bounds> = Vec::new();
    let times = (0..RUNS).map(|_| {
        bounds.clear();
        let start = Instant::now();
        bounds.extend(sweeps.iter().map(|sweep| black_box(make(shape, sweep))));
        start.elapsed().as_nanos() as f64 / COUNT as f64
    });
    let time = median(times.collect());
    let own = shape.mass_properties(1.0).mass;
    let volume: f64 = bounds.iter().map(Bounds::volume).sum::<f64>() / (COUNT as f64 * own);
    let (mut found, mut meet) = (0, 0);
    for (i, one) in bounds.iter().enumerate() {
        for (j, other) in bounds.iter().enumerate().skip(i + 1) {
            let overlaps = one.overlaps(other);
            let [a, b] = [&sweeps[i], &sweeps[j]];
            let is_met = if speed == 0.0 {
                let (at, cache) = (&a.world_from_shape, &mut PairCache::default());
                closest(shape, at, shape, &b.world_from_shape, 0.0, cache).is_some()
            } else {
                let cache = &mut PairCache::default();
                time_of_impact((shape, a), (shape, b), [0.0, SECS], TOUCHING, cache).is_some()
            };
            found += u32::from(overlaps);
            meet += u32::from(is_met);
        }
    }
    let false_pairs = f64::from(found.saturating_sub(meet)) / f64::from(meet.max(1));
    vec![
        format!("{name}, {speed} m/s: {kind}"),
        format!("{time:.0}"),
        format!("{volume:.2}"),
        format!("{false_pairs:.2}"),
    ]
}
