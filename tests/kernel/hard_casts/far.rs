//! Motions of kilometres, and floors of hundreds of metres.

use glam::DVec3;

use super::{Case, TOLERANCE, assert_answers};
use crate::cast::{Cast, v};
use crate::double::Double;
use crate::oracle::contact;

pub(crate) fn ten_kilometres() -> Vec<Case> {
    let corners = [
        v(-0.104614615, 0.944677591, -0.409999609),
        v(-0.492092729, -0.643421054, 0.682083249),
        v(-0.774496913, 0.460310936, -0.533916593),
    ];
    let motion = v(-8619.63184, 4841.67383, -1503.37683);
    let centre = v(4309.81592, -2420.83691, 751.688416);
    // The expected fraction has eight digits, which resolve 0.1 mm of 10 km; the oracle supplies the others.
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

/// Casts straight at a corner, at an edge and at a face, from 3 km.
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

/// Casts straight down on floors of 5, 50 and 500 m (parry #429).
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
