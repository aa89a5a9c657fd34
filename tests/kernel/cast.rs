//! One cast: a sphere, its motion, a triangle.

use glam::DVec3;
pub(crate) use glam::dvec3 as v;
use opendoor::collision::{SweepHit, sweep_sphere};
use opendoor::geometry::Triangle;

/// A sphere that moves from `centre` along the unit vector `direction` by `length` metres, and the triangle that it may
/// hit. All lengths are metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cast {
    pub(crate) corners: [DVec3; 3],
    pub(crate) radius: f64,
    pub(crate) centre: DVec3,
    pub(crate) direction: DVec3,
    pub(crate) length: f64,
}

impl Cast {
    pub(crate) fn new(corners: [DVec3; 3], radius: f64, centre: DVec3, motion: DVec3) -> Self {
        let length = motion.length();
        Self {
            corners,
            radius,
            centre,
            direction: motion / length,
            length,
        }
    }

    /// The kernel's answer. No other function calls the kernel.
    pub(crate) fn sweep(&self) -> Option<SweepHit> {
        let triangle = Triangle {
            corners: self.corners,
        };
        let normal = triangle.normal().expect("the triangle has an area");
        sweep_sphere(
            &triangle,
            normal,
            [true; 3],
            self.centre,
            self.direction,
            self.length,
            self.radius,
        )
    }

    /// The centre after `distance` metres of the motion.
    pub(crate) fn at(&self, distance: f64) -> DVec3 {
        self.centre + self.direction * distance
    }
}
