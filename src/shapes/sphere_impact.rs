//! Times of impact of moving spheres: exact, also in free fall.

use glam::DVec3;

use super::polynomial::{Quartic, Times, falls};
use super::sphere::direction_of_push;
use super::surface_triangle::SurfaceTriangle;

/// The rounding of a distance at an impact, relative to the lengths that it was computed from.
const ROUNDING: f64 = 1e-9;

/// A moving sphere: at `t` seconds its centre is at `centre + velocity t + acceleration t^2 / 2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingSphere {
    /// The position of the centre at time 0, metres.
    pub centre: DVec3,
    /// The radius, metres.
    pub radius: f64,
    /// The velocity at time 0, metres per second.
    pub velocity: DVec3,
    /// The constant acceleration, metres per second squared: gravity.
    pub acceleration: DVec3,
}

impl MovingSphere {
    /// The position of the centre after `secs` seconds.
    pub fn centre_at(&self, secs: f64) -> DVec3 {
        self.centre + self.velocity * secs + self.acceleration * (0.5 * secs * secs)
    }

    /// The velocity after `secs` seconds.
    pub fn velocity_at(&self, secs: f64) -> DVec3 {
        self.velocity + self.acceleration * secs
    }
}

/// The first time, from 0 to `secs` seconds, at which two spheres touch while they approach each other; 0 if they already
/// overlap and approach.
///
/// If both have the same acceleration, gravity cancels and the relative motion is a straight line: a quadratic equation, solved
/// from the closest approach, so that a grazing impact after a long way is not lost in cancellation. Otherwise the squared
/// distance is a polynomial of degree 4.
pub fn moving_spheres(a: &MovingSphere, b: &MovingSphere, secs: f64) -> Option<f64> {
    let (apart, velocity) = (a.centre - b.centre, a.velocity - b.velocity);
    let (acceleration, reach) = (a.acceleration - b.acceleration, a.radius + b.radius);
    if acceleration == DVec3::ZERO {
        return straight_into_sphere(apart, velocity, reach, secs);
    }
    let distance = squared_distance(apart, velocity, acceleration, reach);
    falls(&distance, secs).iter().next()
}

/// The time at which a point that moves in a straight line from `from` comes within `radius` metres of the origin.
fn straight_into_sphere(from: DVec3, velocity: DVec3, radius: f64, secs: f64) -> Option<f64> {
    let approach = -from.dot(velocity);
    if approach <= 0.0 || approach.is_nan() {
        return None;
    }
    let distance = from.length();
    let outside = (distance - radius) * (distance + radius);
    if outside <= 0.0 {
        return Some(0.0);
    }
    let speed = velocity.length();
    let closest = from.cross(velocity).length() / speed;
    let half_chord_squared = (radius - closest) * (radius + closest);
    if half_chord_squared < 0.0 {
        return None;
    }
    // The smaller root of speed^2 t^2 - 2 approach t + outside, in the form without cancellation.
    let time = outside / (approach + speed * half_chord_squared.sqrt());
    (time <= secs).then_some(time)
}

/// |from + velocity t + acceleration t^2 / 2|^2 - radius^2.
fn squared_distance(from: DVec3, velocity: DVec3, acceleration: DVec3, radius: f64) -> Quartic {
    let distance = from.length();
    [
        (distance - radius) * (distance + radius),
        2.0 * from.dot(velocity),
        velocity.length_squared() + from.dot(acceleration),
        velocity.dot(acceleration),
        0.25 * acceleration.length_squared(),
    ]
}

/// The first time, from 0 to `secs` seconds, at which a sphere touches a triangle at rest while it approaches; 0 if it already
/// overlaps and approaches. For a moving triangle, the caller passes the relative motion.
///
/// A touch after `limit` seconds may be missed, which saves time. A touch up to `limit` is bit-identical for every
/// value of `limit`, so the order of tests does not decide which of two triangles touched at one time is found.
///
/// The sphere touches when its centre meets the face offset by the radius, a cylinder around an edge, or a sphere around a
/// corner. The result is the first of these times at which the triangle is within the radius and pushes.
pub fn moving_sphere_triangle(
    sphere: &MovingSphere,
    surface: &SurfaceTriangle,
    secs: f64,
    limit: f64,
) -> Option<f64> {
    let corners = surface.triangle.corners;
    let lengths = corners.map(|corner| (sphere.centre - corner).length());
    let travel_in = |secs: f64| {
        sphere.velocity.length() * secs + sphere.acceleration.length() * (0.5 * secs * secs)
    };
    let longest = lengths[0].max(lengths[1]).max(lengths[2]);
    let rounding = ROUNDING * (sphere.radius + longest + travel_in(secs));
    if surface.triangle.distance(sphere.centre) > sphere.radius + travel_in(limit) + rounding {
        return None;
    }
    let mut first: Option<f64> = None;
    let mut consider = |times: Times| {
        let earlier = |time: &f64| first.is_none_or(|first| *time < first);
        let touches = |time: &f64| is_touched(sphere, surface, *time, rounding);
        if let Some(time) = times.iter().filter(earlier).find(touches) {
            first = Some(time);
        }
    };
    let solve = |from: DVec3, velocity: DVec3, acceleration: DVec3| {
        falls(
            &squared_distance(from, velocity, acceleration, sphere.radius),
            secs,
        )
    };
    if let Some(normal) = surface.triangle.normal() {
        let from = normal.dot(sphere.centre - corners[0]);
        let (speed, half) = (
            normal.dot(sphere.velocity),
            0.5 * normal.dot(sphere.acceleration),
        );
        consider(falls(&[from - sphere.radius, speed, half, 0.0, 0.0], secs));
        if surface.is_two_sided {
            consider(falls(
                &[-from - sphere.radius, -speed, -half, 0.0, 0.0],
                secs,
            ));
        }
    }
    for i in 0..3 {
        let from = sphere.centre - corners[i];
        let is_outside_edge = !surface.internal_edges[i];
        if let Some(along) = (corners[(i + 1) % 3] - corners[i]).try_normalize()
            && is_outside_edge
        {
            let [from, velocity, acceleration] = [from, sphere.velocity, sphere.acceleration]
                .map(|vector| vector - along * along.dot(vector));
            consider(solve(from, velocity, acceleration));
        }
        if is_outside_edge || !surface.internal_edges[(i + 2) % 3] {
            consider(solve(from, sphere.velocity, sphere.acceleration));
        }
    }
    first.filter(|time| *time <= limit)
}

/// Whether the sphere touches the triangle at this time, and the triangle pushes it against its motion.
fn is_touched(sphere: &MovingSphere, surface: &SurfaceTriangle, secs: f64, rounding: f64) -> bool {
    let centre = sphere.centre_at(secs);
    let (closest, feature) = surface.triangle.closest_point(centre);
    let away = centre - closest;
    let is_near = away.length() <= sphere.radius + rounding;
    let approaches = |push: DVec3| {
        let speed = push.dot(sphere.velocity_at(secs));
        speed < 0.0 || (speed == 0.0 && push.dot(sphere.acceleration) < 0.0)
    };
    is_near && direction_of_push(surface, centre, away, feature).is_some_and(approaches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Triangle;

    fn sphere(centre: DVec3, velocity: DVec3) -> MovingSphere {
        MovingSphere {
            centre,
            radius: 0.5,
            velocity,
            acceleration: DVec3::ZERO,
        }
    }

    #[test]
    fn spheres_meet_when_their_surfaces_do_and_those_that_part_do_not() {
        let still = sphere(DVec3::ZERO, DVec3::ZERO);
        let coming = sphere(DVec3::X * 3.0, DVec3::X * -4.0);
        assert_eq!(moving_spheres(&coming, &still, 1.0), Some(0.5));
        assert_eq!(moving_spheres(&coming, &still, 0.49), None);
        assert_eq!(moving_spheres(&still, &still, 1.0), None);
        let overlapping = sphere(DVec3::X * 0.5, DVec3::X);
        assert_eq!(moving_spheres(&overlapping, &still, 1.0), None);
        let approaching = sphere(DVec3::X * 0.5, -DVec3::X);
        assert_eq!(moving_spheres(&approaching, &still, 1.0), Some(0.0));
        let nan = sphere(DVec3::NAN, DVec3::X);
        assert_eq!(moving_spheres(&nan, &still, 1.0), None);
    }

    #[test]
    fn a_grazing_sphere_from_far_away_is_met_within_a_billionth_of_its_radius() {
        let still = sphere(DVec3::ZERO, DVec3::ZERO);
        for (offset, meets) in [(1.0 - 1e-9, true), (1.0 + 1e-9, false)] {
            let from = DVec3::new(-1e6, offset, 0.0);
            let coming = sphere(from, DVec3::X * 500.0);
            let time = moving_spheres(&coming, &still, 1e4);
            assert_eq!(time.is_some(), meets, "{offset}");
            if let Some(time) = time {
                let distance = coming.centre_at(time).length();
                assert!((distance - 1.0).abs() < 1e-9, "{distance}");
            }
        }
    }

    #[test]
    fn what_falls_alike_meets_as_without_gravity_and_what_does_not_by_its_parabola() {
        let falling = |centre, velocity| MovingSphere {
            acceleration: DVec3::Y * -10.0,
            ..sphere(centre, velocity)
        };
        let a = falling(DVec3::ZERO, DVec3::X);
        let b = falling(DVec3::X * 3.0, -DVec3::X);
        assert_eq!(moving_spheres(&a, &b, 2.0), Some(1.0));
        // The sphere is thrown up at 4 m/s, and after 1 s falls onto a sphere 1.45 m lower.
        let resting = sphere(DVec3::Y * -2.0, DVec3::ZERO);
        let thrown = falling(DVec3::ZERO, DVec3::Y * 4.0);
        let time = moving_spheres(&thrown, &resting, 2.0).unwrap();
        assert!((time - 1.0).abs() < 1e-12, "{time}");
    }

    fn floor() -> Triangle {
        Triangle {
            corners: [DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0],
        }
    }

    #[test]
    fn a_sphere_meets_face_edge_and_corner_of_a_triangle_in_time() {
        let surface = SurfaceTriangle::one_sided(floor());
        let down = DVec3::Y * -10.0;
        for (x, z, time) in [
            (1.0, 1.0, Some(0.05)),
            (-0.3, 1.0, Some(0.06)),
            (-0.3, -0.3, Some((1.0 - 0.07_f64.sqrt()) / 10.0)),
            (-0.6, 1.0, None),
        ] {
            let ball = sphere(DVec3::new(x, 1.0, z), down);
            let found = moving_sphere_triangle(&ball, &surface, 1.0, 1.0);
            assert_eq!(found.is_some(), time.is_some());
            let difference = found.unwrap_or(0.0) - time.unwrap_or(0.0);
            assert!(difference.abs() < 1e-12, "{x} {z} {found:?}");
        }
    }

    #[test]
    fn a_ball_of_a_centimetre_at_five_hundred_metres_a_second_meets_the_triangle() {
        for is_two_sided in [false, true] {
            let surface = SurfaceTriangle {
                is_two_sided,
                ..SurfaceTriangle::one_sided(floor())
            };
            let ball = MovingSphere {
                radius: 0.01,
                ..sphere(DVec3::new(1.0, 4.0, 1.0), DVec3::Y * -500.0)
            };
            let time = moving_sphere_triangle(&ball, &surface, 1.0 / 60.0, 1.0 / 60.0).unwrap();
            assert!((time - 3.99 / 500.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_bouncing_ball_leaves_the_floor_and_meets_it_again() {
        let surface = SurfaceTriangle::one_sided(floor());
        for height in [0.5, 0.5 - 1e-10, 0.5 + 1e-10] {
            let ball = MovingSphere {
                acceleration: DVec3::Y * -10.0,
                ..sphere(DVec3::new(1.0, height, 1.0), DVec3::Y)
            };
            let time = moving_sphere_triangle(&ball, &surface, 1.0, 1.0).unwrap();
            assert!((time - 0.2).abs() < 1e-9, "{time}");
        }
    }

    #[test]
    fn a_sphere_rolls_over_internal_edges_and_stumbles_over_others() {
        let mut surface = SurfaceTriangle::one_sided(floor());
        let ball = sphere(DVec3::new(-1.0, 0.4, 1.0), DVec3::X);
        assert!(moving_sphere_triangle(&ball, &surface, 2.0, 2.0).is_some());
        surface.internal_edges = [true; 3];
        assert_eq!(moving_sphere_triangle(&ball, &surface, 2.0, 2.0), None);
    }
}
