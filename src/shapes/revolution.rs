//! Surfaces of revolution, as triangles.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;

use crate::geometry::Triangle;

/// Number of rings in a quarter circle of a round end.
const RINGS: u32 = 3;

/// The profile of a capsule, from its lowest point up: distances from the axis, and heights.
pub(crate) fn capsule_profile(height: f64, [bottom, top]: [f64; 2]) -> Vec<[f64; 2]> {
    let angles = || (0..=RINGS).map(|i| FRAC_PI_2 * f64::from(i) / f64::from(RINGS));
    let half = height * 0.5;
    let lower = angles().map(|angle| {
        let (sin, cos) = libm::sincos(angle);
        [bottom * sin, -half - bottom * cos]
    });
    let upper = angles().map(|angle| {
        let (sin, cos) = libm::sincos(angle);
        [top * cos, half + top * sin]
    });
    let mut outline: Vec<[f64; 2]> = lower.chain(upper).collect();
    if let (Some(first), Some(last)) = (outline.first().copied(), outline.last_mut()) {
        // Exactly on the axis.
        last[0] = first[0];
    }
    outline.dedup();
    outline
}

/// The surface of revolution of a profile around y, with the given number of sides; the profile begins and ends on the
/// axis.
pub(crate) fn surface_of_revolution(outline: &[[f64; 2]], sides: u32) -> Vec<Triangle> {
    let corner = |[radius, y]: [f64; 2], side: u32| {
        let (sin, cos) = libm::sincos(TAU * f64::from(side % sides) / f64::from(sides));
        DVec3::new(radius * sin, y, radius * cos)
    };
    let mut triangles = Vec::new();
    for pair in outline.windows(2) {
        for side in 0..sides {
            let [a, b] = [side, side + 1].map(|side| corner(pair[0], side));
            let [d, c] = [side, side + 1].map(|side| corner(pair[1], side));
            let halves = [[a, b, c], [a, c, d]].map(|corners| Triangle { corners });
            let with_area = halves.into_iter().filter(|half| half.normal().is_some());
            triangles.extend(with_area);
        }
    }
    triangles
}
