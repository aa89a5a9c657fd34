//! Single casts that went wrong in other engines, with their answers worked out by hand or in
//! exact arithmetic. A fraction is the part of the motion up to the contact.

use glam::DVec3;

use crate::cast::{Cast, v};
use crate::double::Double;
use crate::oracle::contact;
use crate::random::Random;

/// A cast and its answer: the fraction, or `None` where it must not hit.
pub(crate) type Case = (Cast, Option<f64>);

/// How far a contact may be from where it should be, metres.
const TOLERANCE: f64 = 1e-5;

fn assert_near(cast: &Cast, found: Option<f64>, fraction: Option<f64>) {
    match (found, fraction) {
        (Some(found), Some(fraction)) => {
            let wrong = found - fraction * cast.length;
            assert!(wrong.abs() < TOLERANCE, "off by {wrong} m: {cast:?}");
        }
        _ => assert_eq!(found.is_some(), fraction.is_some(), "{cast:?}"),
    }
}

fn assert_answers(cases: impl IntoIterator<Item = Case>) {
    for (cast, fraction) in cases {
        assert_near(&cast, cast.sweep().map(|hit| hit.distance), fraction);
    }
}

/// All casts of this file.
pub(crate) fn all() -> Vec<Case> {
    [
        face_on(),
        head_on(),
        edge_on(),
        tiny_step_edge_on(),
        top_of_a_wall(),
        beside_a_sliver(),
        needle(),
        ordinary_corner(),
        ten_kilometres(),
        six_kilometres(),
        large_floors(),
        walking(),
        missed_by_closest_points(),
        floor_edge_and_wall(),
    ]
    .concat()
}

#[test]
fn the_oracle_finds_the_same_answers() {
    for (cast, fraction) in all() {
        for found in [contact::<f64>(&cast), contact::<Double>(&cast)] {
            let found = found.map(|contact| contact.distance);
            assert_near(&cast, found, fraction);
        }
    }
}

/// Lies in the plane z = 0, its front towards +z.
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

/// Head-on to the corners and the middles of the edges of `FLAT`, in its plane.
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

/// The second passes 0.3 over the plane: its contact with the edge x = 0 is 0.4 before it.
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
    // The tolerance of the other casts is a hundredth of this motion.
    let cast = tiny_step_edge_on()[0].0;
    let distance = cast.sweep().map_or(f64::NAN, |hit| hit.distance);
    assert!((distance - 0.0005).abs() < 1e-12, "{distance}");
}

/// physx #597. Its numbers are f32, and at 80 m their rounding moves the contact by 17 um.
pub(crate) fn top_of_a_wall() -> Vec<Case> {
    let rounded = |x: f64| f64::from(x as f32);
    let f32_v = |x: f64, y: f64, z: f64| v(rounded(x), rounded(y), rounded(z));
    let corners = [
        f32_v(7.33294010, 79.6109009, -26.9337997),
        f32_v(7.61456013, 80.2574005, -27.3008995),
        f32_v(7.33294010, 80.2574005, -26.9337997),
    ];
    let direction = f32_v(-0.929564953, -0.0281119142, 0.367584974);
    let motion = direction * rounded(0.149537891);
    let centre = f32_v(7.74110079, 80.51396619, -27.2595482);
    let cast = Cast::new(corners, rounded(0.265350759), centre, motion);
    vec![(cast, Some(0.6313633))]
}

#[test]
fn a_short_motion_meets_the_top_edge_of_a_wall() {
    assert_answers(top_of_a_wall());
    let cast = top_of_a_wall()[0].0;
    let hit = cast.sweep().expect("a hit");
    assert!((hit.distance - 0.0944127).abs() < TOLERANCE);
    let touched = cast.at(hit.distance) - hit.normal * cast.radius;
    let wrong = (touched - v(7.59219694, 80.2574005, -27.2717476)).length();
    assert!(wrong < TOLERANCE, "{touched}");
}

/// Jolt #886.
pub(crate) fn beside_a_sliver() -> Vec<Case> {
    let corners = [
        v(14.5536213, 10.5973721, -0.00600051880),
        v(14.5536213, 10.5969315, -3.18638134),
        v(14.5536213, 10.5969315, -5.18637228),
    ];
    let motion = v(-0.0988006592, 5.96046448e-8, 0.000732421875);
    let centre = v(14.8314590, 8.19055080, -4.30825043);
    vec![(Cast::new(corners, 0.2, centre, motion), None)]
}

#[test]
fn a_sliver_beside_the_path_is_not_met() {
    assert_answers(beside_a_sliver());
}

pub(crate) fn needle() -> Vec<Case> {
    let corners = [v(-50., 0., 0.), v(50., 0., 0.), v(50., 0., 0.001)];
    let motion = v(-0.78517914, -0.13502741, -2.8582606);
    let centre = v(-37.828987, 0.067513704, 1.4291303);
    vec![(Cast::new(corners, 0.3, centre, motion), Some(0.3951166))]
}

#[test]
fn a_needle_of_100_m_by_a_millimetre_is_met() {
    assert_answers(needle());
}

pub(crate) fn ordinary_corner() -> Vec<Case> {
    let corners = [
        v(0.87255394, -0.8912792, -0.67329156),
        v(-0.9865203, -0.67609084, 0.5626422),
        v(-0.5652971, -0.41191077, 0.32783127),
    ];
    let motion = v(-2.2708492, 1.9282141, 7.250655);
    let centre = v(2.1738076, -2.024774, -4.4265785);
    vec![(Cast::new(corners, 0.5, centre, motion), Some(0.4666084))]
}

#[test]
fn a_corner_of_an_ordinary_triangle_is_met() {
    assert_answers(ordinary_corner());
}

pub(crate) fn ten_kilometres() -> Vec<Case> {
    let corners = [
        v(-0.104614615, 0.944677591, -0.409999609),
        v(-0.492092729, -0.643421054, 0.682083249),
        v(-0.774496913, 0.460310936, -0.533916593),
    ];
    let motion = v(-8619.63184, 4841.67383, -1503.37683);
    let centre = v(4309.81592, -2420.83691, 751.688416);
    // Eight digits leave 0.1 mm of 10 km; the others are the oracle's.
    let cast = Cast::new(corners, 0.5, centre, motion);
    let distance = contact::<Double>(&cast).map_or(f64::NAN, |contact| contact.distance);
    let fraction = distance / cast.length;
    assert!((fraction - 0.49998439).abs() < 1e-8, "{fraction}");
    vec![(cast, Some(fraction))]
}

#[test]
fn a_motion_of_10_km_meets_a_triangle_of_a_metre() {
    assert_answers(ten_kilometres());
}

/// Straight at a corner, at an edge, and at a face, from 3 km.
pub(crate) fn six_kilometres() -> Vec<Case> {
    let motion = v(6000., 0., 0.);
    [
        [v(0., 0., 0.), v(1., 1., 0.), v(1., 0., 1.)],
        [v(0., -1., 0.), v(0., 1., 0.), v(1., 0., 1.)],
        [v(0., -1., -1.), v(0., 1., -1.), v(0., 0., 1.)],
    ]
    .map(|corners| {
        let cast = Cast::new(corners, 0.5, v(-3000., 0., 0.), motion);
        (cast, Some(2999.5 / 6000.0))
    })
    .to_vec()
}

#[test]
fn the_normal_after_6_km_is_finite_and_a_unit() {
    assert_answers(six_kilometres());
    for (cast, _) in six_kilometres() {
        let normal = cast.sweep().map_or(DVec3::NAN, |hit| hit.normal);
        assert!((normal - DVec3::NEG_X).length() < TOLERANCE, "{normal}");
        assert!((normal.length() - 1.0).abs() < 1e-12, "{normal}");
    }
}

/// Straight down on floors of 5, 50 and 500 m (parry #429).
pub(crate) fn large_floors() -> Vec<Case> {
    let mut cases = Vec::new();
    for half in [5.0, 50.0, 500.0] {
        let corners = [v(-half, 0., -half), v(-half, 0., half), v(half, 0., -half)];
        for [x, z] in [[-0.3, -0.3], [-0.01, -0.01], [-0.9, 0.8], [0.37, -0.73]] {
            let cast = Cast::new(corners, 0.5166, v(x * half, 2., z * half), v(0., -2., 0.));
            cases.push((cast, Some((2.0 - 0.5166) / 2.0)));
        }
    }
    cases
}

#[test]
fn the_distance_to_a_floor_does_not_depend_on_its_size() {
    assert_answers(large_floors());
    for (cast, _) in large_floors() {
        let distance = cast.sweep().map_or(f64::NAN, |hit| hit.distance);
        assert!((distance - (2.0 - 0.5166)).abs() < 1e-12, "{distance}");
    }
}

/// A millimetre over a floor, down by two.
fn walking() -> Vec<Case> {
    let corners = [v(-500., 0., -500.), v(-500., 0., 500.), v(500., 0., -500.)];
    let mut random = Random(12);
    let mut step = || v(random.between(-0.1, 0.1), -0.002, random.between(-0.1, 0.1));
    let cases = (0..100).map(|_| {
        (
            Cast::new(corners, 0.5, v(-100., 0.501, -100.), step()),
            Some(0.5),
        )
    });
    cases.collect()
}

#[test]
fn a_walk_just_over_a_floor_meets_it_halfway_whatever_its_direction() {
    assert_answers(walking());
    for (cast, _) in walking() {
        let fraction = cast
            .sweep()
            .map_or(f64::NAN, |hit| hit.distance / cast.length);
        assert!((fraction - 0.5).abs() < 1e-10, "{fraction}: {cast:?}");
    }
}

/// A sweep to the closest point of the polygon passes this edge by.
pub(crate) fn missed_by_closest_points() -> Vec<Case> {
    let corners = [v(0., 0., -50.), v(0., 0., 50.), v(100., 0., 0.)];
    let cast = Cast::new(corners, 0.3, v(-1., 1., 0.), v(1.2, -1.4, 2.));
    vec![(cast, Some(0.6130142))]
}

#[test]
fn the_edge_that_the_closest_point_method_misses_is_met() {
    assert_answers(missed_by_closest_points());
    let cast = missed_by_closest_points()[0].0;
    let hit = cast.sweep().expect("a hit");
    let touched = cast.at(hit.distance) - hit.normal * cast.radius;
    assert!(
        (touched - v(0., 0., 1.226028)).length() < TOLERANCE,
        "{touched}"
    );
}

/// The edge of a floor, and a wall behind it.
pub(crate) fn floor_edge_and_wall() -> Vec<Case> {
    let floor = [v(0., 0., -50.), v(0., 0., 50.), v(-100., 0., 0.)];
    let wall = [v(1., -50., -50.), v(1., -50., 50.), v(1., 50., 0.)];
    let against =
        |corners: [DVec3; 3]| Cast::new(corners, 0.25, v(-0.78131, 0.3092001, 0.), v(4., -0.3, 0.));
    let at_wall = (1.0 - 0.25 + 0.78131) / 4.0;
    vec![
        (against(floor), Some(0.1982373)),
        (against(wall), Some(at_wall)),
    ]
}

#[test]
fn the_edge_of_a_floor_is_met_before_the_wall_behind_it() {
    assert_answers(floor_edge_and_wall());
}
