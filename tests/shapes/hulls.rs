//! GJK, EPA and manifolds of hulls, boxes and triangles compared with brute force, and with parry where parry agrees
//! with brute force.

use glam::DVec3;
use opendoor::geometry::{Aabb, Rigid, Triangle};
use opendoor::rng::Rng;
use opendoor::shapes::{
    Convex, Hull, PairCache, Shape, SurfaceTriangle, convex_contact, convex_convex, hull_triangle,
    rotation_by, sphere_hull,
};

use crate::boxes::assert_sound;
use crate::brute::Polyhedron;
use crate::parry;
use crate::random::{self, MANY, PLAIN, Regime, for_pairs};
use crate::spheres::assert_consistent;

/// Allowed distance of a face from its corners, as a fraction of the size.
const FLATNESS: f64 = 4e-6;

/// A hull of random points, about as large as the regime's scale.
pub(crate) fn hull(rng: &mut Rng, regime: Regime) -> Hull {
    loop {
        let count = 4 + rng.below(14);
        let points: Vec<DVec3> = (0..count)
            .map(|_| {
                let point = random::vector(rng, regime.scale());
                if regime == Regime::Degenerate {
                    point.round()
                } else {
                    point
                }
            })
            .collect();
        if let Ok(hull) = Hull::of_points(&points) {
            return hull;
        }
    }
}

/// One of the shapes with flat faces.
#[expect(clippy::large_enum_variant, reason = "a few at a time")]
enum Solid {
    Hull(Hull),
    Box(DVec3),
    Triangle(Triangle),
}

impl Solid {
    fn random(rng: &mut Rng, regime: Regime) -> Self {
        match rng.below(4) {
            0 => Self::Box(random::half_extents(rng, regime)),
            1 => Self::Triangle(random::triangle(rng, regime)),
            _ => Self::Hull(hull(rng, regime)),
        }
    }

    fn convex(&self, at: &Rigid) -> Convex<'_> {
        match self {
            Self::Hull(hull) => Convex::hull(*at, hull),
            Self::Box(half_extents) => Convex::cuboid(*at, *half_extents),
            Self::Triangle(triangle) => Convex::triangle(triangle.transformed(at)),
        }
    }

    fn polyhedron(&self, at: &Rigid) -> Polyhedron {
        match self {
            Self::Hull(hull) => Polyhedron::of_hull(at, hull),
            Self::Box(half_extents) => Polyhedron::of_box(at, *half_extents),
            Self::Triangle(triangle) => Polyhedron::of_triangle(&triangle.transformed(at)),
        }
    }

    fn parry(&self) -> parry3d_f64::shape::SharedShape {
        match self {
            Self::Hull(hull) => parry::shape(&Shape::Hull(hull.clone())),
            Self::Box(half_extents) => parry::shape(&Shape::Box {
                half_extents: *half_extents,
            }),
            Self::Triangle(triangle) => parry::triangle(triangle),
        }
    }
}

fn compare(count: usize) {
    let (mut of_parry, mut wrong) = (0, 0);
    for_pairs(count, |rng, regime, i| {
        let scale = regime.scale();
        let [a, b] = [0; 2].map(|_| Solid::random(rng, regime));
        let [mut at_a, at_b] = random::poses(rng, regime);
        let contact = |at_a: &Rigid, margin: f64| {
            let mut cache = PairCache::default();
            convex_contact(&a.convex(at_a), &b.convex(&at_b), margin, &mut cache)
        };
        if regime == Regime::Touching {
            let first = contact(&at_a, f64::INFINITY).unwrap();
            let gap = [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3][rng.below(6)] * rng.between(-1.0, 1.0);
            let place = at_a.translation() + first.normal * (gap - first.separation);
            at_a = Rigid::new(at_a.rotation(), place);
        }
        let found = contact(&at_a, f64::INFINITY).unwrap();
        assert_consistent(&found, scale);
        let [of_a, of_b] = [a.polyhedron(&at_a), b.polyhedron(&at_b)];
        let expected = of_a.separation(&of_b);
        let what = (i, regime, found, expected);
        // The error is a few square roots of the rounding error: a gap of 1e-9 has a direction with an error of 1e-7,
        // and along a face that is almost perpendicular to the direction a step gains less than the rounding error of
        // the squared distance.
        assert!(
            (found.separation - expected).abs() < 1e-7 * scale,
            "{what:?}"
        );
        let margin = 0.01 * scale;
        assert!(
            contact(&at_a, margin).is_some() == (expected <= margin),
            "{what:?}"
        );
        let mut cache = PairCache::default();
        let manifold = convex_convex(&a.convex(&at_a), &b.convex(&at_b), margin, &mut cache);
        assert_eq!(manifold.is_empty(), expected > margin, "{what:?}");
        // The plane of a face has all corners behind it; the face's own corners are up to a millionth below it.
        let off_a = |point| of_a.off_surface(point) * 1e-3;
        let off_b = |point| of_b.off_surface(point) * 1e-3;
        assert_sound(&manifold, off_a, off_b, scale, &what);
        if expected <= margin {
            assert!(
                manifold.separation() <= expected.max(0.0) + 0.02 * scale,
                "{what:?}"
            );
            assert!(
                manifold.separation() >= expected - 0.02 * scale,
                "{what:?}: {manifold:?}"
            );
        }
        if scale == 1.0 && i % 4 == 0 {
            of_parry += 1;
            let theirs = parry::separation(&a.parry(), &at_a, &b.parry(), &at_b);
            wrong += usize::from((theirs - expected).abs() > 1e-6);
        }
    });
    // Where the two differ by more than a micrometre parry is wrong: brute force has no tolerance.
    assert!(wrong * 100 < of_parry, "{wrong} of {of_parry}");
}

#[test]
fn convex_shapes_have_the_separation_of_brute_force() {
    compare(PLAIN / 4);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_convex_shapes_have_the_separation_of_brute_force() {
    compare(MANY);
}

fn compare_sphere_hull(count: usize) {
    for_pairs(count, |rng, regime, i| {
        let scale = regime.scale();
        let radius = random::length(rng, regime);
        let hull = hull(rng, regime);
        let [at_sphere, at_hull] = random::poses(rng, regime);
        let contact = sphere_hull(at_sphere.translation(), radius, &at_hull, &hull);
        assert_consistent(&contact, scale);
        let mut cache = PairCache::default();
        let sphere = Convex::sphere(at_sphere, radius);
        let solid = Convex::hull(at_hull, &hull);
        let by_gjk = convex_contact(&sphere, &solid, f64::INFINITY, &mut cache).unwrap();
        let what = (i, regime, contact, by_gjk);
        assert!(
            (contact.separation - by_gjk.separation).abs() < FLATNESS * scale,
            "{what:?}"
        );
        let polyhedron = Polyhedron::of_hull(&at_hull, &hull);
        let off = polyhedron.off_surface(at_sphere.translation());
        assert!(
            ((contact.separation + radius).abs() - off).abs() < FLATNESS * scale,
            "{what:?}"
        );
    });
}

#[test]
fn spheres_and_hulls_have_one_distance_by_faces_by_gjk_and_by_brute_force() {
    compare_sphere_hull(PLAIN / 2);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_spheres_and_hulls_have_one_distance() {
    compare_sphere_hull(MANY);
}

fn compare_hull_triangle(count: usize) {
    for_pairs(count, |rng, regime, i| {
        let scale = regime.scale();
        let hull = hull(rng, regime);
        let triangle = random::triangle(rng, regime);
        let [at, _] = random::poses(rng, regime);
        let part = if regime == Regime::Apart { 0.4 } else { 0.1 };
        let mut place = at.translation() * part;
        if regime == Regime::Degenerate {
            place = (place * 2.0).round() * 0.5;
        }
        let at = Rigid::new(at.rotation(), place);
        let margin = 0.01 * scale;
        let manifold = hull_triangle(&hull, &at, &SurfaceTriangle::two_sided(triangle), margin);
        let of_hull = Polyhedron::of_hull(&at, &hull);
        let expected = of_hull.separation(&Polyhedron::of_triangle(&triangle));
        let what = (i, regime, expected, at.translation(), triangle);
        let off_a = |point| of_hull.off_surface(point) * 1e-3;
        let off_b = |point| triangle.distance(point);
        assert_sound(&manifold, off_a, off_b, scale, &what);
        let slack = 0.01 * scale;
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
fn hulls_and_triangles_have_manifolds_as_deep_as_brute_force_says() {
    compare_hull_triangle(PLAIN / 4);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_hulls_and_triangles_have_manifolds_as_deep_as_brute_force_says() {
    compare_hull_triangle(MANY);
}

/// Regression test: the lowest corner of a hull penetrated a wall by 25 mm. A hull of a few random points has sharp
/// corners, and the face that points down most is often not adjacent to the lowest corner.
#[test]
fn the_lowest_corner_of_a_hull_is_among_its_contacts() {
    let mut rng = Rng::new(29);
    let ground = Triangle {
        corners: [[-50.0, -50.0], [0.0, 80.0], [50.0, -50.0]].map(|[x, z]| DVec3::new(x, 0.0, z)),
    };
    let block =
        Hull::of_points(&Aabb::around([DVec3::splat(-9.0), DVec3::new(9.0, 0.0, 9.0)]).corners());
    let block = block.unwrap();
    let mut sharp = 0;
    for trial in 0..PLAIN {
        let count = if trial % 8 == 0 {
            40
        } else {
            4 + rng.below(10)
        };
        let points: Vec<DVec3> = (0..count).map(|_| random::vector(&mut rng, 0.3)).collect();
        let Ok(hull) = Hull::of_points(&points) else {
            continue;
        };
        let turn = rotation_by(random::vector(&mut rng, 3.0));
        let lowest = hull
            .corners()
            .iter()
            .map(|corner| (turn * *corner).y)
            .fold(f64::INFINITY, f64::min);
        let depth = rng.between(-0.01, 0.03);
        let at = Rigid::new(turn, DVec3::Y * (-depth - lowest));
        let convex = Convex::hull(at, &hull);
        let of_block = Convex::hull(Rigid::IDENTITY, &block);
        let manifolds = [
            hull_triangle(&hull, &at, &SurfaceTriangle::one_sided(ground), 0.01),
            convex_convex(&convex, &of_block, 0.01, &mut PairCache::default()),
        ];
        for manifold in manifolds {
            let from_above = (manifold.normal - DVec3::Y).length() < 1e-9;
            let off = (manifold.separation() + depth).abs();
            assert!(!from_above || off < 1e-9, "{trial}: {depth} {manifold:?}");
            sharp += usize::from(from_above && manifold.points().len() == 1);
        }
    }
    assert!(sharp > PLAIN / 10, "{sharp}");
}
