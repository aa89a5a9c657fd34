//! Data that a pair of shapes keeps from one query to the next.

use glam::DVec3;

use super::convex::Convex;

/// The distance, relative to the shapes' size, by which their gap must exceed the margin to prove that they are
/// apart. It covers the differences between the methods that compute distances, mainly because planes of a hull's
/// faces lie up to a few millionths outside some corners.
const ROUNDING: f64 = 1e-5;

/// A cached separating axis of two shapes: a cheap proof that they are still apart. Results do not depend on
/// it: if the axis no longer separates the shapes, the query runs without the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairCache {
    /// The unit vector from `b` to `a`; zero if no axis is cached.
    direction: DVec3,
}

impl PairCache {
    /// A cache with the axis of two shapes that may be apart along it, a unit vector from `b` to `a`.
    pub fn along(direction: DVec3) -> Self {
        Self { direction }
    }

    /// Whether an axis is cached.
    pub fn is_known(&self) -> bool {
        self.direction != DVec3::ZERO
    }

    /// Whether the cached axis proves that the shapes are more than `margin` metres apart.
    pub(super) fn separates(&self, a: &Convex, b: &Convex, margin: f64) -> bool {
        if !self.is_known() {
            return false;
        }
        let apart = a.support(-self.direction) - b.support(self.direction);
        let gap = apart.dot(self.direction) - a.radius - b.radius;
        gap > margin + ROUNDING * (a.size() + b.size())
    }
}
