//! The first contact of a moving sphere with a triangle.

use glam::DVec3;

use super::tuning::{SEAM, TIE};
use crate::geometry::{Triangle, comes_before};

/// Squared sine of the angle below which a motion counts as parallel to an edge: its distance
/// from the edge's line then changes by less than 1e-10 of the motion.
const PARALLEL: f64 = 1e-20;

/// What rounding may make of a squared distance, as part of it.
const FAR: f64 = 1e-12;

/// A first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Path length up to the contact, metres.
    pub distance: f64,
    /// Unit vector from the point touched to the centre.
    pub normal: DVec3,
}

/// Sweeps a sphere whose centre moves from `centre` along the unit vector `direction` by
/// `length` metres against the triangle with the unit normal `normal`; the triangle counts from
/// both sides. Where an edge does not `stand_out`, the surface goes on: a neighbour's edge or face
/// is met there instead, and the own face is taken for a little larger. A sphere that touches at
/// the start and one that only gets further away both have no first contact: overlap is not this
/// function's business.
///
/// The sphere's centre hits the triangle grown by the radius: two parallel faces, a cylinder
/// around each edge and a ball around each corner, in closed form. (The paper of 2001 sweeps
/// towards the point of the face closest to its plane's contact instead, and misses edges.)
/// Each root is found from the point of closest approach, so that its error does not grow with
/// the length of the motion.
pub fn sweep_sphere(
    triangle: &Triangle,
    normal: DVec3,
    stand_out: [bool; 3],
    centre: DVec3,
    direction: DVec3,
    length: f64,
    radius: f64,
) -> Option<Hit> {
    // Relative to the sphere, so that coordinates far from the origin cost no digits.
    let corners = triangle.corners.map(|corner| corner - centre);
    let below = -corners[0].dot(normal);
    let (height, normal) = if below < 0.0 {
        (-below, -normal)
    } else {
        (below, normal)
    };
    let approach = -direction.dot(normal);
    if height - approach.max(0.0) * length > radius + TIE * (height + radius) {
        return None;
    }
    if height > radius {
        // Outside the slab around the plane; the face is met before any edge of it.
        if approach <= 0.0 {
            return None;
        }
        let distance = (height - radius) / approach;
        if distance > length {
            return None;
        }
        let touched = direction * distance - normal * radius;
        if is_inside(&corners, normal, stand_out, touched, SEAM * radius) {
            return Some(Hit { distance, normal });
        }
    }
    let mut first: Option<Hit> = None;
    let mut consider = |distance: f64, touched: DVec3| {
        let earlier = first.is_none_or(|hit| distance < hit.distance);
        if (0.0..=length).contains(&distance) && earlier {
            let outwards = direction * distance - touched;
            if outwards.dot(direction) < 0.0 {
                let normal = outwards.try_normalize().unwrap_or(-direction);
                first = Some(Hit { distance, normal });
            }
        }
    };
    for i in 0..3 {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        if (stand_out[i] || stand_out[(i + 2) % 3])
            && let Some(distance) = enter_ball(a, direction, radius)
        {
            consider(distance, a);
        }
        if stand_out[i]
            && !is_beyond(a, b, radius + length)
            && let Some((distance, touched)) = enter_edge(a, b, direction, radius)
        {
            consider(distance, touched);
        }
    }
    first
}

/// Whether a point of the triangle's plane is inside the triangle, or out of it by at most
/// `margin` across edges that do not stand out.
fn is_inside(
    corners: &[DVec3; 3],
    normal: DVec3,
    stand_out: [bool; 3],
    point: DVec3,
    margin: f64,
) -> bool {
    let side = |i: usize| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let side = (b - a).cross(point - a).dot(normal);
        let is_near = !stand_out[i] && side * side <= margin * margin * (b - a).length_squared();
        if is_near { 0.0 } else { side }
    };
    let sides = [side(0), side(1), side(2)];
    // The normal may have been turned towards the sphere: all signs alike, whichever.
    sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
}

/// Where a ray from the origin enters the ball around `p`.
fn enter_ball(p: DVec3, direction: DVec3, radius: f64) -> Option<f64> {
    let nearest = p.dot(direction);
    let miss = (p - direction * nearest).length_squared();
    let half_chord_squared = radius * radius - miss;
    (half_chord_squared >= 0.0).then(|| nearest - half_chord_squared.sqrt())
}

/// Whether the line through `a` and `b` is farther than `reach` from the origin, by more than
/// rounding: asked without a root or a quotient, for most edges are.
fn is_beyond(a: DVec3, b: DVec3, reach: f64) -> bool {
    let edge = b - a;
    let (far, along) = (a.length_squared(), a.dot(edge));
    let near = reach * reach + FAR * (far + reach * reach);
    (far - near) * edge.length_squared() > along * along
}

/// As [`enter_cylinder`], to the last bit the same whichever of its two triangles an edge is of.
fn enter_edge(a: DVec3, b: DVec3, direction: DVec3, radius: f64) -> Option<(f64, DVec3)> {
    if comes_before(a, b) {
        enter_cylinder(a, b, direction, radius)
    } else {
        enter_cylinder(b, a, direction, radius)
    }
}

/// Where a ray from the origin enters the cylinder around the edge from `a` to `b`, and the
/// point of the edge touched there; `None` past the edge's ends.
fn enter_cylinder(a: DVec3, b: DVec3, direction: DVec3, radius: f64) -> Option<(f64, DVec3)> {
    let edge = b - a;
    let length = edge.length();
    let along = edge / length;
    let across = direction - along * direction.dot(along);
    let speed_squared = across.length_squared();
    if speed_squared < PARALLEL {
        return None;
    }
    let offset = a - along * a.dot(along);
    let nearest = offset.dot(across) / speed_squared;
    let miss = (offset - across * nearest).length_squared();
    let half_chord_squared = radius * radius - miss;
    if half_chord_squared < 0.0 {
        return None;
    }
    let distance = nearest - (half_chord_squared / speed_squared).sqrt();
    let at = (direction * distance - a).dot(along);
    (0.0..=length)
        .contains(&at)
        .then(|| (distance, a + along * at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn v(x: f64, y: f64, z: f64) -> DVec3 {
        DVec3::new(x, y, z)
    }

    fn cast(corners: [DVec3; 3], radius: f64, from: DVec3, motion: DVec3) -> Option<Hit> {
        let triangle = Triangle { corners };
        let length = motion.length();
        let normal = triangle.normal().unwrap();
        sweep_sphere(
            &triangle,
            normal,
            [true; 3],
            from,
            motion / length,
            length,
            radius,
        )
    }

    fn assert_fraction(hit: Option<Hit>, motion: DVec3, expected: f64, allowed: f64) {
        let fraction = hit.expect("must hit").distance / motion.length();
        assert!(
            (fraction - expected).abs() < allowed,
            "{fraction} is not {expected}"
        );
    }

    #[test]
    fn a_face_is_met_at_its_distance() {
        let corners = [v(50., 25., 0.), v(-50., 25., 0.), v(0., -25., 0.)];
        let motion = v(0., 0., -30.);
        let hit = cast(corners, 0.2, v(0., 0., 15.), motion);
        assert_fraction(hit, motion, (15. - 0.2) / 30., 1e-12);
        assert_eq!(hit.unwrap().normal, DVec3::Z);
    }

    #[test]
    fn corners_and_edges_are_met_head_on() {
        let corners = [v(50., 25., 0.), v(-50., 25., 0.), v(0., -25., 0.)];
        for (contact, motion) in [
            (v(50., 25., 0.), v(-10., -10., 0.)),
            (v(-50., 25., 0.), v(10., -10., 0.)),
            (v(0., -25., 0.), v(0., 10., 0.)),
            (v(0., 25., 0.), v(0., -10., 0.)),
            (v(-25., 0., 0.), v(10., 10., 0.)),
            (v(25., 0., 0.), v(-10., 10., 0.)),
        ] {
            let hit = cast(corners, 0.2, contact - motion, motion);
            assert_fraction(hit, motion, 1. - 0.2 / motion.length(), 1e-9);
        }
    }

    #[test]
    fn a_motion_in_the_triangles_own_plane_meets_its_edge() {
        let corners = [v(0., 0., 0.), v(2., 0., 0.), v(0., 0., 2.)];
        let motion = v(5., 0., 0.);
        assert_fraction(
            cast(corners, 0.5, v(-3., 0., 1.), motion),
            motion,
            0.5,
            1e-9,
        );
        assert_fraction(
            cast(corners, 0.5, v(-3., 0.3, 1.), motion),
            motion,
            0.52,
            1e-9,
        );
        let small = [v(0., 0., 0.), v(0.5, 0., 0.), v(0., 0., 0.5)];
        let motion = v(0.001, 0., 0.);
        assert_fraction(
            cast(small, 0.3, v(-0.3005, 0., 0.25), motion),
            motion,
            0.5,
            1e-6,
        );
    }

    #[test]
    fn the_edge_that_the_closest_point_method_misses_is_met() {
        let corners = [v(0., 0., -50.), v(0., 0., 50.), v(100., 0., 0.)];
        let motion = v(1.2, -1.4, 2.);
        let hit = cast(corners, 0.3, v(-1., 1., 0.), motion);
        assert_fraction(hit, motion, 0.613_014_2, 1e-6);
    }

    #[test]
    fn needles_and_very_long_motions_are_met() {
        let needle = [v(-50., 0., 0.), v(50., 0., 0.), v(50., 0., 0.001)];
        let motion = v(-0.78517914, -0.13502741, -2.8582606);
        let hit = cast(needle, 0.3, v(-37.828987, 0.067513704, 1.4291303), motion);
        assert_fraction(hit, motion, 0.3951166, 1e-6);
        let small = [
            v(-0.104614615, 0.944677591, -0.409999609),
            v(-0.492092729, -0.643421054, 0.682083249),
            v(-0.774496913, 0.460310936, -0.533916593),
        ];
        let motion = v(-8619.63184, 4841.67383, -1503.37683);
        let hit = cast(small, 0.5, v(4309.81592, -2420.83691, 751.688416), motion);
        assert_fraction(hit, motion, 0.49998439, 1e-7);
    }

    #[test]
    fn a_sliver_beside_the_path_is_not_met() {
        let sliver = [
            v(14.5536213, 10.5973721, -0.006000518799),
            v(14.5536213, 10.5969315, -3.18638134),
            v(14.5536213, 10.5969315, -5.18637228),
        ];
        let from = v(14.831459, 8.1905508, -4.30825043);
        let motion = v(-0.0988006592, 5.96046448e-8, 0.000732421875);
        assert_eq!(cast(sliver, 0.2, from, motion), None);
    }

    fn point(range: f64) -> impl Strategy<Value = DVec3> {
        let x = -range..range;
        (x.clone(), x.clone(), x).prop_map(|(x, y, z)| v(x, y, z))
    }

    /// The distance along the path at which the sphere first touches, by marching: steps of the
    /// free distance never pass a contact.
    fn marched(triangle: &Triangle, from: DVec3, motion: DVec3, radius: f64) -> Option<f64> {
        let (mut at, length) = (0.0, motion.length());
        for _ in 0..20_000 {
            let free = triangle.distance(from + motion * (at / length)) - radius;
            if free < 1e-9 {
                return Some(at);
            }
            at += free;
            if at > length {
                return None;
            }
        }
        Some(at)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn the_first_contact_is_where_marching_finds_it(
            a in point(2.0), b in point(2.0), c in point(2.0),
            from in point(4.0), motion in point(8.0), radius in 0.05..1.0f64,
        ) {
            let triangle = Triangle { corners: [a, b, c] };
            prop_assume!(triangle.normal().is_some() && motion.length() > 1e-3);
            prop_assume!(triangle.distance(from) > radius + 1e-6);
            let hit = cast([a, b, c], radius, from, motion);
            let oracle = marched(&triangle, from, motion, radius);
            match (hit, oracle) {
                (Some(hit), Some(at)) => {
                    let end = from + motion * (hit.distance / motion.length());
                    prop_assert!((triangle.distance(end) - radius).abs() < 1e-9);
                    // Grazing contacts are reached slowly by marching.
                    prop_assert!((hit.distance - at).abs() < 1e-3, "{} {}", hit.distance, at);
                }
                (Some(hit), None) => {
                    let end = from + motion * (hit.distance / motion.length());
                    prop_assert!((triangle.distance(end) - radius).abs() < 1e-9);
                }
                (None, Some(at)) => {
                    let end = from + motion * (at / motion.length());
                    let grazes = triangle.distance(end) > radius - 1e-8;
                    let later = from + motion * ((at + 1e-2) / motion.length());
                    prop_assert!(grazes && triangle.distance(later) > radius - 1e-4, "missed at {at}");
                }
                (None, None) => {}
            }
        }
    }
}
