//! Random numbers, the same in every run and on every machine.

use glam::DVec3;
use opendoor::rng::Rng;

use crate::cast::v;

/// Random lengths, points and directions.
pub(crate) struct Random(Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    pub(crate) fn between(&mut self, min: f64, max: f64) -> f64 {
        self.0.between(min, max)
    }

    /// A random number with a uniform distribution of its logarithm.
    pub(crate) fn of_any_size(&mut self, least: f64, most: f64) -> f64 {
        libm::exp(self.between(libm::log(least), libm::log(most)))
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.0.one_in(2)
    }

    /// Returns 1 or -1.
    pub(crate) fn sign(&mut self) -> f64 {
        if self.coin() { 1.0 } else { -1.0 }
    }

    pub(crate) fn in_cube(&mut self, half: f64) -> DVec3 {
        let mut axis = || self.between(-half, half);
        v(axis(), axis(), axis())
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let p = self.in_cube(1.0);
            if p.length() > 0.1 && p.length() < 1.0 {
                return p / p.length();
            }
        }
    }

    /// A unit vector perpendicular to `axis`, up to rounding.
    pub(crate) fn square_to(&mut self, axis: DVec3) -> DVec3 {
        loop {
            let across = self.direction().cross(axis);
            if across.length() > 0.1 * axis.length() {
                return across / across.length();
            }
        }
    }
}
