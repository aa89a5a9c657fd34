//! Spheres compared with parry, and their times of impact compared with small steps.

use glam::DVec3;
use opendoor::geometry::Rigid;
use opendoor::rng::Rng;
use opendoor::shapes::{
    Contact, MovingSphere, Shape, SurfaceTriangle, moving_sphere_triangle, moving_spheres,
    sphere_box, sphere_triangle,
};

use crate::parry;
use crate::random::{self, MANY, PLAIN, Regime, for_pairs};

/// Asserts that a contact is consistent: a unit normal, and points at their separation along it.
pub(crate) fn assert_consistent(contact: &Contact, scale: f64) {
    let between = contact.on_a - contact.on_b - contact.normal * contact.separation;
    assert!(between.length() < 1e-9 * scale, "{contact:?}");
    assert!((contact.normal.length() - 1.0).abs() < 1e-9, "{contact:?}");
}

fn compare_sphere_box(count: usize) {
    for_pairs(count, |rng, regime, i| {
        let radius = random::length(rng, regime);
        let half_extents = random::half_extents(rng, regime);
        let [mut at_sphere, at_box] = random::poses(rng, regime);
        let ask = |at: &Rigid| sphere_box(at.translation(), radius, &at_box, half_extents);
        let mut contact = ask(&at_sphere);
        if regime == Regime::Touching {
            let gap = rng.between(-1e-3, 1e-3);
            let moved = at_sphere.translation() + contact.normal * (gap - contact.separation);
            at_sphere = Rigid::new(at_sphere.rotation(), moved);
            contact = ask(&at_sphere);
        }
        assert_consistent(&contact, regime.scale());
        let [ball, cuboid] = [Shape::Sphere { radius }, Shape::Box { half_extents }];
        let [ball, cuboid] = [&ball, &cuboid].map(parry::shape);
        let expected = parry::separation(&ball, &at_sphere, &cuboid, &at_box);
        let error = (contact.separation - expected).abs();
        assert!(
            error < 1e-9 * regime.scale(),
            "pair {i}, {regime:?}: {contact:?}, parry {expected}"
        );
    });
}

#[test]
fn spheres_and_boxes_have_the_distance_of_parry() {
    compare_sphere_box(PLAIN);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_spheres_and_boxes_have_the_distance_of_parry() {
    compare_sphere_box(MANY);
}

fn compare_sphere_triangle(count: usize) {
    for_pairs(count, |rng, regime, i| {
        let radius = random::length(rng, regime);
        let triangle = random::triangle(rng, regime);
        let surface = SurfaceTriangle::two_sided(triangle);
        let [at_sphere, _] = random::poses(rng, regime);
        let mut centre = at_sphere.translation() * 0.2;
        let (mut contact, _) = sphere_triangle(centre, radius, &surface).unwrap();
        if regime == Regime::Touching {
            centre += contact.normal * (rng.between(-1e-3, 1e-3) - contact.separation);
            contact = sphere_triangle(centre, radius, &surface).unwrap().0;
        }
        assert_consistent(&contact, regime.scale());
        let at_sphere = Rigid::new(at_sphere.rotation(), centre);
        let ball = parry::shape(&Shape::Sphere { radius });
        let of_parry = parry::triangle(&triangle);
        let expected = parry::separation(&ball, &at_sphere, &of_parry, &Rigid::IDENTITY);
        let error = (contact.separation - expected).abs();
        assert!(
            error < 1e-9 * regime.scale(),
            "pair {i}, {regime:?}: {contact:?}, parry {expected}"
        );
    });
}

#[test]
fn spheres_and_triangles_have_the_distance_of_parry() {
    compare_sphere_triangle(PLAIN);
}

#[test]
#[ignore = "a million pairs"]
fn a_million_spheres_and_triangles_have_the_distance_of_parry() {
    compare_sphere_triangle(MANY);
}

fn moving(rng: &mut Rng, falls: bool) -> MovingSphere {
    MovingSphere {
        centre: random::vector(rng, 3.0),
        radius: rng.between(0.05, 0.8),
        velocity: random::vector(rng, 6.0),
        acceleration: if falls { DVec3::Y * -10.0 } else { DVec3::ZERO },
    }
}

/// The first of `steps` small steps at which the distance is at most 0 and decreasing; `None` if there is none.
fn first_step(distance: impl Fn(f64) -> f64, steps: u32) -> Option<f64> {
    let mut before = distance(0.0);
    for k in 1..=steps {
        let time = f64::from(k) / f64::from(steps);
        let here = distance(time);
        if here <= 0.0 && here < before {
            return Some(time);
        }
        before = here;
    }
    None
}

/// Compares a time of impact with small steps: the shapes touch at that time, and it is neither too early nor missed.
fn assert_is_first(
    found: Option<f64>,
    distance: impl Fn(f64) -> f64,
    reach: f64,
    what: &dyn std::fmt::Debug,
) {
    const STEPS: u32 = 1000;
    let stepped = first_step(&distance, STEPS);
    match (found, stepped) {
        (Some(time), _) => {
            assert!(
                distance(time) < 1e-9,
                "{what:?} at {time}: {}",
                distance(time)
            );
            assert!(
                time == 0.0 || distance(time) > -1e-6 || distance(0.0) < 0.0,
                "{what:?} at {time}"
            );
            if let Some(stepped) = stepped {
                assert!(time <= stepped + 1e-9, "{what:?}: {time}, {stepped}");
            }
        }
        (None, Some(stepped)) => {
            panic!(
                "{what:?} passes a contact at {stepped}, {reach}: {}",
                distance(stepped)
            )
        }
        (None, None) => {}
    }
}

#[test]
fn spheres_in_flight_meet_when_small_steps_find_them_touching() {
    for i in 0..2000 {
        let mut rng = Rng::new(i);
        let (falls_a, falls_b) = (rng.one_in(2), rng.one_in(2));
        let (a, b) = (moving(&mut rng, falls_a), moving(&mut rng, falls_b));
        let distance = |t: f64| (a.centre_at(t) - b.centre_at(t)).length() - a.radius - b.radius;
        let found = moving_spheres(&a, &b, 1.0);
        assert_is_first(found, distance, 0.0, &(i, a, b));
    }
}

#[test]
fn spheres_in_flight_meet_triangles_when_small_steps_find_them_touching() {
    for i in 0..4000 {
        let mut rng = Rng::new(i);
        let falls = rng.one_in(2);
        let sphere = moving(&mut rng, falls);
        let triangle = random::triangle(&mut rng, Regime::Apart);
        let distance = |t: f64| triangle.distance(sphere.centre_at(t)) - sphere.radius;
        let surface = SurfaceTriangle::two_sided(triangle);
        let found = moving_sphere_triangle(&sphere, &surface, 1.0, 1.0);
        assert_is_first(found, distance, sphere.radius, &(i, sphere, triangle));
    }
}

/// Regression test: when the search ended at the time of an impact found earlier, rounding decided whether the second
/// of two triangles with a common edge was found. The triangle that was hit then depended on the order of a list, and
/// so on the earlier positions of the ball.
#[test]
fn a_touch_of_a_sphere_is_the_same_in_every_bit_where_the_search_ends_with_it() {
    let mut touches = 0;
    for i in 0..20_000 {
        let mut rng = Rng::new(i);
        let falls = rng.one_in(2);
        let sphere = moving(&mut rng, falls);
        let triangle = random::triangle(&mut rng, Regime::Apart);
        let surface = SurfaceTriangle::two_sided(triangle);
        let find = |limit: f64| moving_sphere_triangle(&sphere, &surface, 1.0, limit);
        let Some(time) = find(1.0) else { continue };
        let later = time + (1.0 - time) * rng.between(0.0, 1.0);
        assert_eq!([find(time), find(later)], [Some(time); 2], "{i}");
        assert_eq!(find(time.next_down()), None, "{i}");
        touches += u32::from(time > 0.0);
    }
    assert!(touches > 500, "{touches}");
}
