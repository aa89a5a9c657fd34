//! Capsules compared with brute force over their segment, and their times of impact compared with small steps.

use glam::{DMat3, DQuat, DVec3};
use opendoor::geometry::{Rigid, Triangle};
use opendoor::rng::Rng;
use opendoor::shapes::{
    Closest, Hull, Manifold, PairCache, PosedCapsule, Shape, SurfaceTriangle, Sweep,
    capsule_triangle, closest, closest_to_triangle, contacts, surface_contacts, time_of_impact,
    triangle_time_of_impact,
};

use crate::boxes::assert_sound;
use crate::brute::Polyhedron;
use crate::hulls;
use crate::random::{self, MANY, PLAIN, Regime, for_pairs};

/// The gap at which a time of impact is found, metres.
const GAP: f64 = 1e-4;

fn capsule(rng: &mut Rng, regime: Regime) -> (DVec3, f64) {
    let half = DVec3::AXES[rng.below(3)] * random::length(rng, regime);
    (half, random::length(rng, regime))
}

/// A convex shape in a pose, as brute force sees it: a polyhedron, and the radius by which it is grown.
fn core(shape: &Shape, at: &Rigid) -> (Polyhedron, f64) {
    match shape {
        Shape::Sphere { radius } => (Polyhedron::of_segment([at.translation(); 2]), *radius),
        Shape::Capsule {
            half_segment,
            radius,
        } => {
            let ends = [-*half_segment, *half_segment].map(|end| at.point(end));
            (Polyhedron::of_segment(ends), *radius)
        }
        Shape::Box { half_extents } => (Polyhedron::of_box(at, *half_extents), 0.0),
        Shape::Hull(hull) => (Polyhedron::of_hull(at, hull), 0.0),
        Shape::Mesh(_) => panic!("it is convex"),
    }
}

fn moved(at: &Rigid, by: DVec3) -> Rigid {
    Rigid::new(at.rotation(), at.translation() + by)
}

fn separation((a, at_a): (&Shape, &Rigid), (b, at_b): (&Shape, &Rigid)) -> f64 {
    let ((a, radius_a), (b, radius_b)) = (core(a, at_a), core(b, at_b));
    a.separation(&b) - radius_a - radius_b
}

fn manifold_of((a, at_a): (&Shape, &Rigid), (b, at_b): (&Shape, &Rigid), margin: f64) -> Manifold {
    let mut manifolds = Vec::new();
    let mut cache = PairCache::default();
    contacts(a, at_a, b, at_b, margin, &mut cache, &mut manifolds);
    assert!(manifolds.len() <= 1, "{manifolds:?}");
    manifolds.first().copied().unwrap_or(Manifold::EMPTY)
}

/// Asserts that a manifold of two shapes is as deep as the separation that brute force finds, and that a motion along
/// its normal separates the shapes.
fn assert_deep_as(
    manifold: &Manifold,
    expected: f64,
    separation_after: impl Fn(DVec3) -> f64,
    scale: f64,
    what: &dyn std::fmt::Debug,
) {
    let found = manifold.separation();
    assert!(
        (found - expected).abs() < 2e-3 * scale,
        "{what:?}: {manifold:?}"
    );
    let after = separation_after(manifold.normal * (1e-3 * scale - found).max(0.0));
    assert!(after > -2e-3 * scale, "{what:?}: {after} {manifold:?}");
}

fn compare_solids(count: usize) {
    let mut of_two = 0;
    for_pairs(count, |rng, regime, i| {
        let scale = regime.scale();
        let (half_segment, radius) = capsule(rng, regime);
        let a = Shape::Capsule {
            half_segment,
            radius,
        };
        let b = match rng.below(4) {
            0 => Shape::Sphere {
                radius: random::length(rng, regime),
            },
            1 => {
                let (half_segment, radius) = capsule(rng, regime);
                Shape::Capsule {
                    half_segment,
                    radius,
                }
            }
            2 => random::cuboid(rng, regime),
            _ => Shape::Hull(hulls::hull(rng, regime)),
        };
        let [mut at_a, at_b] = random::poses(rng, regime);
        let margin = 0.02 * scale;
        if regime == Regime::Touching {
            let cache = &mut PairCache::default();
            if let Some(Closest::Apart(contact)) = closest(&a, &at_a, &b, &at_b, 1e9, cache) {
                let by = rng.between(-1e-3, 1e-3) - contact.separation;
                at_a = moved(&at_a, contact.normal * by);
            }
        }
        let expected = separation((&a, &at_a), (&b, &at_b));
        let what = (i, regime, expected, &a, &b, at_a, at_b);
        let gap = closest(&a, &at_a, &b, &at_b, 1e9, &mut PairCache::default());
        let gap = gap.unwrap().gap();
        assert!(
            (gap - expected.max(0.0)).abs() < 1e-7 * scale,
            "{what:?}: {gap}"
        );
        for (flip, pair) in [
            (1.0, [(&a, &at_a), (&b, &at_b)]),
            (-1.0, [(&b, &at_b), (&a, &at_a)]),
        ] {
            let manifold = manifold_of(pair[0], pair[1], margin);
            assert_eq!(manifold.is_empty(), expected > margin, "{what:?}");
            if manifold.is_empty() {
                continue;
            }
            of_two += usize::from(manifold.points().len() > 1);
            let after = |by: DVec3| separation((&a, &moved(&at_a, by * flip)), (&b, &at_b));
            assert_deep_as(&manifold, expected, after, scale, &what);
            // Every capsule point is at most one radius from the core segment. The tolerance also covers the normal's
            // error at the end of a nearly parallel edge.
            let (segment, radius) = core(&a, &at_a);
            for point in manifold.points() {
                let on_capsule = if flip > 0.0 { point.on_a } else { point.on_b };
                let off = segment.off_edges(on_capsule) - radius;
                assert!(off < 0.01 * scale, "{what:?}: {off} {manifold:?}");
            }
            assert_sound(&manifold, |_| 0.0, |_| 0.0, scale, &what);
        }
    });
    assert!(of_two > count / 20, "{of_two}");
}

#[test]
fn capsules_and_solids_are_as_deep_in_each_other_as_brute_force_says() {
    compare_solids(PLAIN / 2);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_capsules_and_solids_are_as_deep_in_each_other_as_brute_force_says() {
    compare_solids(MANY);
}

fn compare_triangles(count: usize) {
    let (mut met, mut through) = (0, 0);
    for_pairs(count, |rng, regime, i| {
        let scale = regime.scale();
        let (half_segment, radius) = capsule(rng, regime);
        let shape = Shape::Capsule {
            half_segment,
            radius,
        };
        let triangle = random::triangle(rng, regime);
        let [at, _] = random::poses(rng, regime);
        let at = Rigid::new(at.rotation(), at.translation() * 0.15);
        let margin = 0.02 * scale;
        let expected_at = |at: &Rigid| {
            let (segment, radius) = core(&shape, at);
            segment.separation(&Polyhedron::of_triangle(&triangle)) - radius
        };
        let expected = expected_at(&at);
        let what = (i, regime, expected, &shape, triangle, at);
        let cache = &mut PairCache::default();
        let gap = closest_to_triangle(&shape, &at, &triangle, 1e9, cache);
        let gap = gap.unwrap().gap();
        assert!(
            (gap - expected.max(0.0)).abs() < 1e-7 * scale,
            "{what:?}: {gap}"
        );
        let mut manifolds = Vec::new();
        let surface = SurfaceTriangle::two_sided(triangle);
        surface_contacts(&shape, &at, &surface, margin, &mut manifolds);
        assert_eq!(
            manifolds.is_empty(),
            expected > margin,
            "{what:?}: {manifolds:?}"
        );
        for manifold in &manifolds {
            met += 1;
            through += usize::from(expected < -radius);
            assert_sound(manifold, |_| 0.0, |_| 0.0, scale, &what);
            // The triangle's face is preferred to an edge that is deeper by less than a thousandth.
            let found = manifold.separation();
            assert!(
                (found - expected).abs() < 5e-3 * scale,
                "{what:?}: {manifold:?}"
            );
            let by = manifold.normal * (1e-3 * scale - found).max(0.0);
            let after = expected_at(&moved(&at, by));
            assert!(after > -1e-6 * scale, "{what:?}: {after} {manifold:?}");
        }
        // A one-sided triangle has contacts only with shapes in front of it, and their normals point to the front.
        let front = triangle.normal().unwrap();
        let height = (at.translation() - triangle.corners[0]).dot(front);
        let mut one_sided = Vec::new();
        let surface = SurfaceTriangle::one_sided(triangle);
        surface_contacts(&shape, &at, &surface, margin, &mut one_sided);
        for manifold in &one_sided {
            assert!(
                height >= 0.0 && manifold.normal.dot(front) > -1e-8,
                "{what:?}"
            );
        }
    });
    assert!(met > count / 5 && through > count / 50, "{met} {through}");
}

#[test]
fn capsules_and_triangles_are_as_deep_in_each_other_as_brute_force_says() {
    compare_triangles(PLAIN / 2);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_capsules_and_triangles_are_as_deep_in_each_other_as_brute_force_says() {
    compare_triangles(MANY);
}

/// A random sweep towards the neighbourhood of the origin within a second.
fn sweep(rng: &mut Rng) -> Sweep {
    let place = random::vector(rng, 3.0);
    Sweep {
        world_from_shape: Rigid::new(random::rotation(rng, Regime::Apart), place),
        centre: DVec3::ZERO,
        velocity: random::vector(rng, 2.0) - place * rng.between(0.5, 2.0),
        angular_velocity: random::vector(rng, 6.0),
    }
}

#[test]
fn capsules_in_motion_meet_solids_and_triangles_when_small_steps_find_them_near() {
    const STEPS: u32 = 400;
    let mut met = 0;
    for i in 0..1500 {
        let mut rng = Rng::new(i);
        let (half_segment, radius) = capsule(&mut rng, Regime::Apart);
        let a = Shape::Capsule {
            half_segment: half_segment * 0.6,
            radius: radius * 0.4,
        };
        let b = match i % 3 {
            0 => Some(random::cuboid(&mut rng, Regime::Apart)),
            1 => Some(Shape::Capsule {
                half_segment: half_segment.any_orthogonal_vector() * 0.5,
                radius: 0.1,
            }),
            _ => None,
        };
        let triangle = random::triangle(&mut rng, Regime::Apart);
        let sweeps = [sweep(&mut rng), sweep(&mut rng)];
        let gap_at = |time: f64| {
            let [at_a, at_b] = sweeps.map(|sweep| sweep.pose_at(time));
            match &b {
                Some(b) => separation((&a, &at_a), (b, &at_b)),
                None => {
                    let (segment, radius) = core(&a, &at_a);
                    segment.separation(&Polyhedron::of_triangle(&triangle)) - radius
                }
            }
        };
        let (span, cache) = ([0.0, 1.0], &mut PairCache::default());
        let found = match &b {
            Some(b) => time_of_impact((&a, &sweeps[0]), (b, &sweeps[1]), span, GAP, cache),
            None => triangle_time_of_impact(&a, &sweeps[0], &triangle, span, GAP),
        };
        let end = found.map_or(1.0, |found| found.secs);
        let times = (1..=STEPS).map(|k| f64::from(k) / f64::from(STEPS));
        for time in times.filter(|time| *time < end) {
            assert!(
                gap_at(time) > 0.0,
                "{i}: passed a contact at {time}, {found:?}"
            );
        }
        if let Some(found) = found.filter(|found| found.secs > 0.0) {
            met += 1;
            let gap = gap_at(found.secs);
            assert!(
                gap > 0.0 && (gap - found.gap).abs() < 1e-7,
                "{i}: {gap} {found:?}"
            );
            assert!(gap <= GAP, "{i}: {found:?}");
        }
    }
    assert!(met > 300, "{met}");
}

fn level(along: DVec3) -> PosedCapsule {
    let at = Rigid::new(DMat3::IDENTITY, DVec3::new(1.0, 0.25, 1.0));
    PosedCapsule::new(&at, along, 0.25)
}

/// A square floor of two triangles whose common edge goes from (4, 0, 0) to (0, 0, 4).
fn floor() -> [SurfaceTriangle; 2] {
    let triangle = |corners| SurfaceTriangle {
        internal_edges: [false, true, false],
        ..SurfaceTriangle::one_sided(Triangle { corners })
    };
    let (x, z) = (DVec3::X * 4.0, DVec3::Z * 4.0);
    [triangle([DVec3::ZERO, z, x]), triangle([x + z, x, z])]
}

#[test]
fn a_capsule_that_lies_touches_at_two_points_a_length_apart() {
    let along = DVec3::new(0.3, 0.0, 0.4);
    let capsule = level(along);
    let block = Shape::Box {
        half_extents: DVec3::new(4.0, 1.0, 4.0),
    };
    let hull = Shape::Hull(Hull::of_points(&block_corners()).unwrap());
    let below = Rigid::new(DMat3::IDENTITY, DVec3::new(1.0, -1.0, 1.0));
    let a = Shape::Capsule {
        half_segment: along,
        radius: 0.25,
    };
    let at = Rigid::new(DMat3::IDENTITY, capsule.ends[0].midpoint(capsule.ends[1]));
    let log = Rigid::new(DMat3::IDENTITY, at.translation() - DVec3::Y * 0.5);
    for (name, manifold) in [
        ("triangle", capsule_triangle(&capsule, &floor()[0], 0.01)),
        ("box", manifold_of((&a, &at), (&block, &below), 0.01)),
        ("hull", manifold_of((&a, &at), (&hull, &below), 0.01)),
        ("log", manifold_of((&a, &at), (&a, &log), 0.01)),
    ] {
        let points = manifold.points();
        assert_eq!(points.len(), 2, "{name}: {manifold:?}");
        assert!((manifold.normal - DVec3::Y).length() < 1e-9, "{name}");
        let length = points[0].on_a.distance(points[1].on_a);
        assert!((length - 1.0).abs() < 1e-9, "{name}: {length}");
        assert!(
            points.iter().all(|point| point.separation.abs() < 1e-9),
            "{name}"
        );
    }
}

/// Regression: capsules and hulls touched three of the faces of a box at a single point.
#[test]
fn a_capsule_or_hull_that_lies_on_any_face_of_a_box_touches_it_with_its_whole_side() {
    let half_extents = DVec3::new(2.0, 3.0, 4.0);
    let block = Shape::Box { half_extents };
    let log = Shape::Capsule {
        half_segment: DVec3::new(0.3, 0.0, 0.4),
        radius: 0.25,
    };
    let cube = opendoor::geometry::Aabb::around([DVec3::splat(-0.25), DVec3::splat(0.25)]);
    let cube = Shape::Hull(Hull::of_points(&cube.corners()).unwrap());
    let at = Rigid::new(DMat3::IDENTITY, DVec3::Y * 0.25);
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
        let upwards = DQuat::from_rotation_arc(DVec3::AXES[axis] * sign, DVec3::Y);
        let middle = DVec3::NEG_Y * half_extents[axis];
        let below = Rigid::new(DMat3::from_quat(upwards), middle);
        for (shape, expected) in [(&log, 2), (&cube, 4)] {
            let pair = [(shape, &at), (&block, &below)];
            for (a, b, up) in [
                (pair[0], pair[1], DVec3::Y),
                (pair[1], pair[0], DVec3::NEG_Y),
            ] {
                let manifold = manifold_of(a, b, 0.01);
                let what = format!("{axis} {sign} {manifold:?}");
                assert_eq!(manifold.points().len(), expected, "{what}");
                assert!((manifold.normal - up).length() < 1e-9, "{what}");
            }
        }
    }
}

fn block_corners() -> [DVec3; 8] {
    let half = DVec3::new(4.0, 1.0, 4.0);
    opendoor::geometry::Aabb::around([-half, half]).corners()
}

/// A capsule along the edge of a rail, exactly and slightly rotated, as when it lies on two rails.
#[test]
fn a_capsule_along_an_edge_touches_it_at_two_points() {
    let a = Shape::Capsule {
        half_segment: DVec3::X * 0.5,
        radius: 0.25,
    };
    let rail = Shape::Box {
        half_extents: DVec3::new(2.0, 0.1, 0.1),
    };
    let beside = Rigid::new(DMat3::IDENTITY, DVec3::new(0.0, -0.3, 0.2));
    let turned = Rigid::new(opendoor::shapes::rotation_by(DVec3::Y * 0.002), DVec3::ZERO);
    for at in [Rigid::IDENTITY, turned] {
        let manifold = manifold_of((&a, &at), (&rail, &beside), 0.01);
        let [p, q] = manifold.points() else {
            panic!("{manifold:?}")
        };
        assert!(p.on_a.distance(q.on_a) > 0.99, "{manifold:?}");
        let edge_on = manifold
            .normal
            .dot(DVec3::new(0.0, 0.2, -0.1).normalize_or_zero());
        assert!(edge_on > 0.999, "{manifold:?}");
    }
}

#[test]
fn a_capsule_that_slides_or_tips_over_a_seam_of_a_floor_is_pushed_up_alone() {
    let mut rng = Rng::new(7);
    let mut met = 0;
    for _ in 0..20_000 {
        let tilt = rng.between(0.0, 0.5) * rng.between(0.0, 1.0);
        let angle = rng.between(0.0, std::f64::consts::TAU);
        let along = DVec3::new(
            angle.cos() * libm::cos(tilt),
            libm::sin(tilt),
            angle.sin() * libm::cos(tilt),
        ) * 0.5;
        let depth = rng.between(-0.005, 0.01);
        let lowest = 0.25 - depth + along.y;
        // Around the middle of the floor.
        let middle = DVec3::new(rng.between(1.2, 2.8), lowest, rng.between(1.2, 2.8));
        let at = Rigid::new(DMat3::IDENTITY, middle);
        let capsule = PosedCapsule::new(&at, along, 0.25);
        let mut deepest = f64::INFINITY;
        for surface in floor() {
            let manifold = capsule_triangle(&capsule, &surface, 0.01);
            if manifold.is_empty() {
                continue;
            }
            met += 1;
            assert!(
                (manifold.normal - DVec3::Y).length() < 2e-3,
                "{middle} {along}: {manifold:?}"
            );
            deepest = deepest.min(manifold.separation());
        }
        assert!(
            (deepest + depth).abs() < 1e-6,
            "{middle} {along}: {deepest} {depth}"
        );
    }
    assert!(met > 20_000, "{met}");
}

#[test]
fn a_capsule_has_the_extents_of_the_points_within_its_radius() {
    let mut rng = Rng::new(3);
    for _ in 0..300 {
        let (half_segment, radius) = capsule(&mut rng, Regime::Apart);
        let shape = Shape::Capsule {
            half_segment,
            radius,
        };
        let at = Rigid::new(
            random::rotation(&mut rng, Regime::Apart),
            random::vector(&mut rng, 2.0),
        );
        let ends = [-half_segment, half_segment].map(|end| at.point(end));
        let bounds = shape.aabb(&at);
        let centre = random::vector(&mut rng, 1.0);
        let (mut most, mut farthest) = (DVec3::NEG_INFINITY, 0.0_f64);
        for end in ends {
            most = most.max(end + DVec3::splat(radius));
            farthest = farthest.max(at.point_from(end).distance(centre) + radius);
        }
        assert!((bounds.max - most).abs().max_element() < 1e-12);
        assert!((shape.radius_about(centre) - farthest).abs() < 1e-12);
        // The corners of its triangles are on its surface, and the triangles face outwards.
        for triangle in shape.triangles() {
            let off = |point: DVec3| {
                let nearest =
                    opendoor::geometry::closest_on_segment(-half_segment, half_segment, point);
                point - nearest
            };
            for corner in triangle.corners {
                assert!((off(corner).length() - radius).abs() < 1e-12);
            }
            let middle = triangle.corners.iter().sum::<DVec3>() / 3.0;
            assert!(off(middle).dot(triangle.cross()) > 0.0);
        }
    }
}
