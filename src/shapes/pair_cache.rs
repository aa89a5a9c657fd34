//! What a pair of shapes keeps from one query to the next.

use glam::DVec3;

use super::convex::Convex;

/// Two shapes are known to be apart only where their gap is larger than what was asked for by this part of their size:
/// above all by which two ways of finding their distance may differ, of which the planes of a hull's faces, which
/// may lie a few millionths outside of some of their corners, are the most.
const ROUNDING: f64 = 1e-5;

/// A direction along which two shapes were apart, so that they are seen to be still apart without looking for one. No
/// answer depends on it: where it separates the shapes no more, the query runs as if it were not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairCache {
    /// A unit vector from `b` to `a`, zero where none is known.
    direction: DVec3,
}

impl PairCache {
    /// Of two shapes that may be apart along a direction, a unit vector from `b` to `a`.
    pub fn along(direction: DVec3) -> Self {
        Self { direction }
    }

    /// Whether a direction is known.
    pub fn is_known(&self) -> bool {
        self.direction != DVec3::ZERO
    }

    /// Whether the direction shows that the shapes are more than `margin` metres apart.
    pub(super) fn separates(&self, a: &Convex, b: &Convex, margin: f64) -> bool {
        if !self.is_known() {
            return false;
        }
        let apart = a.support(-self.direction) - b.support(self.direction);
        let gap = apart.dot(self.direction) - a.radius - b.radius;
        gap > margin + ROUNDING * (a.size() + b.size())
    }
}
