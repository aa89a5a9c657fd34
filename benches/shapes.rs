//! Cost of contacts between two shapes. Prints a table for `docs/bodies.md`.

use std::hint::black_box;
use std::time::Instant;

use glam::DVec3;
use opendoor::geometry::{Rigid, Triangle};
use opendoor::rng::Rng;
use opendoor::shapes::{
    Hull, Manifold, MovingSphere, PairCache, Shape, SurfaceTriangle, contacts,
    moving_sphere_triangle, moving_spheres, rotation_by, surface_contacts,
};
use opendoor_benches::table::{self, median};

/// Number of pairs in a run.
const PAIRS: usize = 10_000;
/// Number of runs; the median counts.
const RUNS: usize = 21;

/// Largest gap of a contact in a manifold, metres.
const MARGIN: f64 = 0.01;

fn main() {
    // `cargo test --all-targets` also starts benches, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let mut rng = Rng::new(1);
    let cube = Shape::Box {
        half_extents: DVec3::splat(0.5),
    };
    let ball = Shape::Sphere { radius: 0.5 };
    let points: Vec<DVec3> = (0..20)
        .map(|_| vector(&mut rng, 1.0).normalize_or(DVec3::X) * 0.6)
        .collect();
    let Ok(hull) = Hull::of_points(&points).map(Shape::Hull) else {
        return;
    };
    let floor = SurfaceTriangle::one_sided(Triangle {
        corners: [
            DVec3::new(-9.0, 0.0, -9.0),
            DVec3::new(0.0, 0.0, 18.0),
            DVec3::new(9.0, 0.0, -9.0),
        ],
    });
    let mut lines = vec![["pair", "ns"].map(String::from).to_vec()];
    let stacked = |rng: &mut Rng, height: f64| {
        Rigid::new(
            rotation_by(DVec3::Y * rng.between(0.0, 3.0)),
            DVec3::new(rng.between(-0.3, 0.3), height, rng.between(-0.3, 0.3)),
        )
    };
    for (what, a, b, height) in [
        ("sphere on sphere", &ball, &ball, 0.999),
        ("sphere on box", &ball, &cube, 0.999),
        ("sphere on hull of 20 corners", &ball, &hull, 0.999),
        ("box on box, 1 mm deep", &cube, &cube, 0.999),
        ("box above box, 1 m apart", &cube, &cube, 2.0),
        ("hull on hull, overlapping", &hull, &hull, 0.9),
        ("hull above hull, 1 m apart", &hull, &hull, 2.2),
    ] {
        let pairs: Vec<[Rigid; 2]> = (0..PAIRS)
            .map(|_| [stacked(&mut rng, height), stacked(&mut rng, 0.0)])
            .collect();
        let mut out: Vec<Manifold> = Vec::new();
        lines.push(line(what, |i| {
            out.clear();
            let [at_a, at_b] = &pairs[i];
            contacts(
                a,
                at_a,
                b,
                at_b,
                MARGIN,
                &mut PairCache::default(),
                &mut out,
            );
            black_box(&out);
        }));
    }
    for (what, shape, height) in [
        ("sphere on triangle", &ball, 0.499),
        ("box on triangle, 1 mm deep", &cube, 0.499),
        ("box above triangle, 1 m apart", &cube, 1.5),
        ("hull on triangle", &hull, 0.5),
    ] {
        let places: Vec<Rigid> = (0..PAIRS).map(|_| stacked(&mut rng, height)).collect();
        let mut out: Vec<Manifold> = Vec::new();
        lines.push(line(what, |i| {
            out.clear();
            surface_contacts(shape, &places[i], &floor, MARGIN, &mut out);
            black_box(&out);
        }));
    }
    let moving: Vec<MovingSphere> = (0..=PAIRS)
        .map(|_| MovingSphere {
            centre: vector(&mut rng, 1.0),
            radius: 0.1,
            velocity: vector(&mut rng, 5.0),
            acceleration: DVec3::Y * -9.81,
        })
        .collect();
    lines.push(line("spheres in flight, time of impact", |i| {
        black_box(moving_spheres(&moving[i], &moving[i + 1], 1.0 / 60.0));
    }));
    lines.push(line("sphere in flight and triangle, time of impact", |i| {
        black_box(moving_sphere_triangle(
            &moving[i],
            &floor,
            1.0 / 60.0,
            1.0 / 60.0,
        ));
    }));
    table::print("Contacts:", &lines);
}

fn vector(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.between(-size, size)))
}

fn line(what: &str, mut ask: impl FnMut(usize)) -> Vec<String> {
    let runs: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            (0..PAIRS).for_each(&mut ask);
            start.elapsed().as_nanos() as f64 / PAIRS as f64
        })
        .collect();
    vec![what.into(), format!("{:.0}", median(runs))]
}
