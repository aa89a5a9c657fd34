//! Casts just above a floor, and above its edge.

use glam::DVec3;

use super::{Case, TOLERANCE, assert_answers};
use crate::cast::{Cast, v};
use crate::random::Random;

/// Casts from a millimetre above a floor, downwards by two millimetres.
pub(super) fn walking() -> Vec<Case> {
    let corners = [v(-500., 0., -500.), v(-500., 0., 500.), v(500., 0., -500.)];
    let mut random = Random::new(12);
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

/// A cast at an edge that a sweep to the closest point of the polygon misses.
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

/// Casts at the edge of a floor, and at a wall behind it.
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
