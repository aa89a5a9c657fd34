//! Slivers, needles, a corner and the top of a wall that other engines missed.

use super::{Case, TOLERANCE, assert_answers};
use crate::cast::{Cast, v};

/// A cast from physx #597. Its numbers are f32, and at 80 m their rounding moves the contact by 17 um.
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

/// A cast from Jolt #886.
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
