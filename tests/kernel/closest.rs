//! Closest points on ill-conditioned triangles; contacts and clearances are computed from these points.

use glam::DVec3;
use opendoor::geometry::{Feature, Triangle};

use crate::cast::v;
use crate::double::Double;
use crate::oracle::separation;

/// A triangle of 200 m by 1 m.
pub(crate) const LONG: [DVec3; 3] = [
    DVec3::new(100.0, 1.0, 0.0),
    DVec3::new(100.0, 1.0, 1.0),
    DVec3::new(-100.0, 1.0, 0.0),
];

/// A triangle that is nearly a line.
pub(crate) const FLATTENED: [DVec3; 3] = [
    DVec3::new(99.9999847, 0.946687222, 99.9999847),
    DVec3::new(-100.010002, 0.977360725, -100.010002),
    DVec3::new(-100.000137, 0.977310658, -100.000137),
];

/// A triangle whose plane nearly contains the origin.
pub(crate) const SMALL: [DVec3; 3] = [
    DVec3::new(-0.132395342, -0.294095188, -0.164812326),
    DVec3::new(-0.126054004, -0.283950001, -0.159065604),
    DVec3::new(-0.154956535, -0.284792334, -0.160523415),
];

pub(crate) const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [2, 1, 0],
    [1, 0, 2],
];

/// The corners of a feature in the triangle reordered by `order`, as indices before reordering, sorted.
fn corners_of(feature: Feature, order: [usize; 3]) -> Vec<usize> {
    let mut corners = match feature {
        Feature::Face => order.to_vec(),
        Feature::Edge(i) => vec![order[i], order[(i + 1) % 3]],
        Feature::Vertex(i) => vec![order[i]],
    };
    corners.sort_unstable();
    corners
}

/// Asserts that in any order of its corners the triangle is closest to `from` on the same feature, at the oracle's
/// distance.
fn assert_closest(corners: [DVec3; 3], from: DVec3, point: Option<DVec3>, feature: &[usize]) {
    let (exact, normal) = separation::<Double>(corners, from);
    let expected = point.unwrap_or(from - normal * exact);
    for order in ORDERS {
        let triangle = Triangle {
            corners: order.map(|i| corners[i]),
        };
        let (found, on) = triangle.closest_point(from);
        assert_eq!(corners_of(on, order), feature, "{from} {order:?}");
        let wrong = (found - expected).length();
        assert!(wrong < 1e-9, "off by {wrong} m: {found} {from} {order:?}");
        assert!((triangle.distance(from) - exact).abs() < 1e-9);
    }
}

#[test]
fn all_regions_of_a_long_triangle_are_distinguished() {
    for (from, point, feature) in [
        (v(101., 0., -1.), v(100., 1., 0.), &[0][..]),
        (v(101., 2., 2.), v(100., 1., 1.), &[1]),
        (v(-101., 0., 0.), v(-100., 1., 0.), &[2]),
        (v(101., 0., 0.5), v(100., 1., 0.5), &[0, 1]),
        (v(3., 2., -1.), v(3., 1., 0.), &[0, 2]),
        (v(-0.01, 3., 2.5), v(0., 1., 0.5), &[1, 2]),
        (v(50., 3., 0.25), v(50., 1., 0.25), &[0, 1, 2]),
    ] {
        assert_closest(LONG, from, Some(point), feature);
    }
}

#[test]
fn a_triangle_that_is_nearly_a_line_is_closest_on_its_long_edge() {
    assert_closest(FLATTENED, DVec3::ZERO, None, &[0, 2]);
}

#[test]
fn a_small_triangle_whose_plane_nearly_holds_the_point_has_its_closest_point_found() {
    assert_closest(SMALL, DVec3::ZERO, None, &[1]);
}
