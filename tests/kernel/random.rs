//! Random numbers, the same in every run and on every machine.

use glam::DVec3;

use crate::cast::v;

/// S. Vigna's splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(crate) fn between(&mut self, least: f64, most: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        least + (most - least) * unit
    }

    /// Every order of magnitude is as likely.
    pub(crate) fn of_any_size(&mut self, least: f64, most: f64) -> f64 {
        libm::exp(self.between(libm::log(least), libm::log(most)))
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.bits() & 1 == 0
    }

    /// 1 or -1.
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

    /// A unit vector square to `axis`, up to rounding.
    pub(crate) fn square_to(&mut self, axis: DVec3) -> DVec3 {
        loop {
            let across = self.direction().cross(axis);
            if across.length() > 0.1 * axis.length() {
                return across / across.length();
            }
        }
    }
}
