//! Vectors of four contacts in SIMD lanes, one contact in each lane.
//!
//! The results in a lane do not depend on the other lanes: sums and products are those of IEEE 754 on every machine,
//! with or without SIMD instructions.

use std::ops::{Add, AddAssign, Mul};

use glam::{DVec3, Mat4, Vec4};

/// The number of contacts that are solved at once.
pub(super) const LANES: usize = 4;

/// A vector in each lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes3 {
    x: Vec4,
    y: Vec4,
    z: Vec4,
}

impl Lanes3 {
    pub(super) const ZERO: Self = Self {
        x: Vec4::ZERO,
        y: Vec4::ZERO,
        z: Vec4::ZERO,
    };

    /// Returns one vector in each lane; the last component of each is ignored.
    #[inline]
    pub(super) fn of_vectors(vectors: [Vec4; LANES]) -> Self {
        let [a, b, c, d] = vectors;
        let rows = Mat4::from_cols(a, b, c, d).transpose();
        Self {
            x: rows.x_axis,
            y: rows.y_axis,
            z: rows.z_axis,
        }
    }

    /// The vector of each lane, with a last component of zero.
    #[inline]
    pub(super) fn vectors(&self) -> [Vec4; LANES] {
        let vectors = Mat4::from_cols(self.x, self.y, self.z, Vec4::ZERO).transpose();
        [
            vectors.x_axis,
            vectors.y_axis,
            vectors.z_axis,
            vectors.w_axis,
        ]
    }

    #[inline]
    pub(super) fn set(&mut self, lane: usize, vector: DVec3) {
        let vector = vector.as_vec3();
        (self.x[lane], self.y[lane], self.z[lane]) = (vector.x, vector.y, vector.z);
    }

    #[inline]
    pub(super) fn dot(&self, other: &Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

impl Add for Lanes3 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl AddAssign for Lanes3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<Vec4> for Lanes3 {
    type Output = Self;

    #[inline]
    fn mul(self, factor: Vec4) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}
