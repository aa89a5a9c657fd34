//! Boxes against boxes and triangles: axes and manifolds against brute force.

use glam::DVec3;
use opendoor::geometry::{Rigid, Triangle};
use opendoor::shapes::{
    Manifold, OrientedBox, PairCache, Shape, SurfaceTriangle, box_box, box_triangle, sphere_box,
};

use crate::brute::Polyhedron;
use crate::random::{self, MANY, PLAIN, REGIMES, Regime, for_pairs};

/// An axis of a face is preferred to an axis of two edges that separates better by up to this fraction of the boxes'
/// size.
const PREFERENCE: f64 = 2e-3;

/// Distance of a point from a box's surface, metres.
fn off_surface(solid: &OrientedBox, point: DVec3) -> f64 {
    let contact = sphere_box(point, 0.0, &solid.world_from_box, solid.half_extents);
    contact.separation.abs()
}

/// Asserts the invariants of a manifold: points on the shapes' surfaces, separations along a unit normal, distinct
/// features.
pub(crate) fn assert_sound(
    manifold: &Manifold,
    off_a: impl Fn(DVec3) -> f64,
    off_b: impl Fn(DVec3) -> f64,
    scale: f64,
    what: &dyn std::fmt::Debug,
) {
    let Some(first) = manifold.points().first() else {
        return;
    };
    assert!((manifold.normal.length() - 1.0).abs() < 1e-9, "{what:?}");
    for (i, point) in manifold.points().iter().enumerate() {
        let between = point.on_a - point.on_b - manifold.normal * point.separation;
        assert!(
            between.length() < 1e-8 * scale,
            "{what:?}: {point:?}, {first:?}"
        );
        let earlier = &manifold.points()[..i];
        assert!(
            earlier.iter().all(|other| other.feature != point.feature),
            "{what:?}: {manifold:?}"
        );
        // One of the two points lies on a surface; the other may be inside of its shape if the shapes overlap.
        let off = off_a(point.on_a).min(off_b(point.on_b));
        assert!(off < 1e-8 * scale, "{what:?}: {off} off, {manifold:?}");
    }
}

fn compare_boxes(count: usize) {
    for_pairs(count, |rng, regime, i| {
        let scale = regime.scale();
        let [half_a, half_b] = [0; 2].map(|_| random::half_extents(rng, regime));
        let [mut at_a, at_b] = random::poses(rng, regime);
        let solid = |at: &Rigid, half_extents| OrientedBox {
            world_from_box: *at,
            half_extents,
        };
        let b = solid(&at_b, half_b);
        if regime == Regime::Touching {
            let (normal, separation) = solid(&at_a, half_a).separation(&b);
            let place = at_a.translation() + normal * (rng.between(-1e-3, 1e-3) - separation);
            at_a = Rigid::new(at_a.rotation(), place);
        }
        let a = solid(&at_a, half_a);
        let of_a = Polyhedron::of_box(&at_a, half_a);
        let expected = of_a.separation(&Polyhedron::of_box(&at_b, half_b));
        let (_, separation) = a.separation(&b);
        let slack = PREFERENCE * scale;
        let what = (i, regime, a, b, expected, separation);
        if expected > 1e-9 * scale {
            // The distance between corners exceeds the separation along each of the axes.
            assert!(separation <= expected + 1e-8 * scale, "{what:?}");
            assert!(separation > -slack, "{what:?}");
        } else {
            assert!((separation - expected).abs() < slack, "{what:?}");
        }
        assert_eq!(a.overlaps(&b), separation <= 0.0, "{what:?}");
        let margin = 0.01 * scale;
        let manifold = box_box(&a, &b, margin, &mut PairCache::default());
        let off_a = |point| off_surface(&a, point);
        let off_b = |point| off_surface(&b, point);
        assert_sound(&manifold, off_a, off_b, scale, &what);
        if expected > margin {
            assert!(
                manifold.separation() > margin * 0.99,
                "{what:?}: {manifold:?}"
            );
        }
        if expected < -slack {
            assert!(!manifold.is_empty(), "{what:?}");
            assert!(
                manifold.separation() >= expected - slack,
                "{what:?}: {manifold:?}"
            );
        }
        let back = box_box(&b, &a, margin, &mut PairCache::default());
        assert_eq!(back.is_empty(), manifold.is_empty(), "{what:?}");
    });
}

#[test]
fn boxes_have_the_depth_of_brute_force_and_manifolds_on_their_surfaces() {
    compare_boxes(PLAIN);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_boxes_have_the_depth_of_brute_force_and_manifolds_on_their_surfaces() {
    compare_boxes(MANY);
}

/// Checks that a box moved along a manifold's normal by its depth no longer overlaps the triangle.
fn compare_box_triangle(count: usize) {
    for_pairs(count, |rng, regime, i| {
        let scale = regime.scale();
        let half_extents = random::half_extents(rng, regime);
        let triangle = random::triangle(rng, regime);
        let [at, _] = random::poses(rng, regime);
        let part = if regime == Regime::Apart { 0.4 } else { 0.1 };
        let mut place = at.translation() * part;
        if regime == Regime::Degenerate {
            place = (place * 2.0).round() * 0.5;
        }
        let at = Rigid::new(at.rotation(), place);
        let solid = OrientedBox {
            world_from_box: at,
            half_extents,
        };
        let surface = SurfaceTriangle::two_sided(triangle);
        let margin = 0.01 * scale;
        let manifold = box_triangle(&solid, &surface, margin);
        let of_box = Polyhedron::of_box(&at, half_extents);
        let expected = of_box.separation(&Polyhedron::of_triangle(&triangle));
        let what = (i, regime, solid, triangle, expected);
        let off_a = |point| off_surface(&solid, point);
        let off_b = |point| triangle.distance(point);
        assert_sound(&manifold, off_a, off_b, scale, &what);
        let slack = 2.0 * PREFERENCE * scale;
        if expected > margin {
            assert!(
                manifold.separation() > margin * 0.99,
                "{what:?}: {manifold:?}"
            );
        }
        if expected < -slack {
            assert!(!manifold.is_empty(), "{what:?}");
            assert!(
                manifold.separation() >= expected - slack,
                "{what:?}: {manifold:?}"
            );
        }
    });
}

#[test]
fn boxes_and_triangles_have_manifolds_as_deep_as_brute_force_says() {
    compare_box_triangle(PLAIN);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_boxes_and_triangles_have_manifolds_as_deep_as_brute_force_says() {
    compare_box_triangle(MANY);
}

/// A floor of random triangles in one plane, with all shared edges internal.
fn tiled_floor(rng: &mut opendoor::rng::Rng, tiles: usize) -> Vec<SurfaceTriangle> {
    let corner = |x: usize, z: usize| {
        let shift = |rng: &mut opendoor::rng::Rng| rng.between(-0.2, 0.2);
        let mut of_corner = opendoor::rng::Rng::new((x * 1000 + z) as u64);
        DVec3::new(
            x as f64 + shift(&mut of_corner),
            0.0,
            z as f64 + shift(&mut of_corner),
        )
    };
    let flip = rng.one_in(2);
    let mut found = Vec::new();
    for x in 0..tiles {
        for z in 0..tiles {
            let [a, b, c, d] = [
                corner(x, z),
                corner(x, z + 1),
                corner(x + 1, z + 1),
                corner(x + 1, z),
            ];
            let halves = if flip {
                [[a, b, c], [a, c, d]]
            } else {
                [[b, c, d], [b, d, a]]
            };
            for corners in halves {
                found.push(SurfaceTriangle {
                    internal_edges: [true; 3],
                    ..SurfaceTriangle::one_sided(Triangle { corners })
                });
            }
        }
    }
    found
}

#[test]
fn a_box_that_tumbles_on_a_tiled_floor_is_pushed_up_and_never_missed() {
    let mut rng = opendoor::rng::Rng::new(8);
    for i in 0..400 {
        let floor = tiled_floor(&mut rng, 4);
        let half_extents = random::half_extents(&mut rng, Regime::Deep);
        let regime = REGIMES[i % 2 + 2];
        let rotation = random::rotation(&mut rng, regime);
        let shape = Shape::Box { half_extents };
        let lowest = shape.aabb(&Rigid::new(rotation, DVec3::ZERO)).min.y;
        let depth = rng.between(0.0, 1e-2);
        let place = DVec3::new(
            rng.between(1.5, 2.5),
            -lowest - depth,
            rng.between(1.5, 2.5),
        );
        let solid = OrientedBox {
            world_from_box: Rigid::new(rotation, place),
            half_extents,
        };
        let mut deepest = f64::INFINITY;
        for triangle in &floor {
            let manifold = box_triangle(&solid, triangle, 1e-3);
            deepest = deepest.min(manifold.separation());
            assert!(
                manifold.is_empty() || (manifold.normal - DVec3::Y).length() < 5e-3,
                "{i} {solid:?} {triangle:?}: {manifold:?}"
            );
        }
        assert!(
            (deepest + depth).abs() < 1e-6,
            "{i}: {deepest}, {depth}, {solid:?}"
        );
    }
}
