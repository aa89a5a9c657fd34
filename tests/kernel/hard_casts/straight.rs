//! Casts perpendicular to faces, and casts in the triangle's plane to its edges and corners.

use glam::DVec3;

use super::{Case, TOLERANCE, assert_answers};
use crate::cast::{Cast, v};

/// A triangle in the plane z = 0 with its front towards +z.
pub(crate) const FLAT: [DVec3; 3] = [
    DVec3::new(50.0, 25.0, 0.0),
    DVec3::new(-50.0, 25.0, 0.0),
    DVec3::new(0.0, -25.0, 0.0),
];

pub(crate) fn face_on() -> Vec<Case> {
    let fraction = (15.0 - 0.2) / 30.0;
    let from = |side: f64| Cast::new(FLAT, 0.2, v(0., 0., 15.) * side, v(0., 0., -30.) * side);
    vec![(from(1.0), Some(fraction)), (from(-1.0), Some(fraction))]
}

#[test]
fn a_face_is_met_from_both_sides_with_its_normal_towards_the_sphere() {
    assert_answers(face_on());
    for ((cast, _), normal) in face_on().iter().zip([DVec3::Z, DVec3::NEG_Z]) {
        assert_eq!(cast.sweep().map(|hit| hit.normal), Some(normal));
    }
}

#[test]
fn a_sphere_that_starts_in_a_face_has_no_first_contact() {
    let cast = Cast::new(FLAT, 0.2, v(0., 0., -0.1), v(0., 0., 15.));
    assert_eq!(cast.sweep(), None);
}

/// Casts head-on at the corners and the middles of the edges of `FLAT`, in its plane.
pub(crate) fn head_on() -> Vec<Case> {
    [
        (v(50., 25., 0.), v(-10., -10., 0.)),
        (v(-50., 25., 0.), v(10., -10., 0.)),
        (v(0., -25., 0.), v(0., 10., 0.)),
        (v(0., 25., 0.), v(0., -10., 0.)),
        (v(-25., 0., 0.), v(10., 10., 0.)),
        (v(25., 0., 0.), v(-10., 10., 0.)),
    ]
    .map(|(touched, motion)| {
        let cast = Cast::new(FLAT, 0.2, touched - motion, motion);
        (cast, Some(1.0 - 0.2 / motion.length()))
    })
    .to_vec()
}

#[test]
fn corners_and_edges_are_met_head_on_with_the_normal_against_the_motion() {
    assert_answers(head_on());
    for (cast, _) in head_on() {
        let turned = cast
            .sweep()
            .map(|hit| (hit.normal + cast.direction).length());
        assert!(turned.is_some_and(|turned| turned < TOLERANCE), "{cast:?}");
    }
}

/// Casts at edges. The second passes 0.3 above the plane: the sphere, of radius 0.5, touches the edge x = 0 when its
/// centre is 0.4 before it.
pub(crate) fn edge_on() -> Vec<Case> {
    let corners = [v(0., 0., 0.), v(2., 0., 0.), v(0., 0., 2.)];
    let from = |height: f64| Cast::new(corners, 0.5, v(-3., height, 1.), v(5., 0., 0.));
    vec![(from(0.0), Some(0.5)), (from(0.3), Some(0.52))]
}

#[test]
fn a_triangle_is_met_edge_on() {
    assert_answers(edge_on());
}

pub(crate) fn tiny_step_edge_on() -> Vec<Case> {
    let corners = [v(0., 0., 0.), v(0.5, 0., 0.), v(0., 0., 0.5)];
    let cast = Cast::new(corners, 0.3, v(-0.3005, 0., 0.25), v(0.001, 0., 0.));
    vec![(cast, Some(0.5))]
}

#[test]
fn a_step_of_a_millimetre_meets_a_triangle_edge_on() {
    // The tolerance of the other casts is a hundredth of this motion, so this test compares distances instead.
    let cast = tiny_step_edge_on()[0].0;
    let distance = cast.sweep().map_or(f64::NAN, |hit| hit.distance);
    assert!((distance - 0.0005).abs() < 1e-12, "{distance}");
}
