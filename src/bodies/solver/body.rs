//! A body as the solver needs it: little enough that many fit into the processor's caches.

use glam::{DMat3, DVec3};

use crate::bodies::moving::Moving;

/// Index of what nothing moves, which stands for all surfaces.
pub(super) const GROUND: u32 = 0;

/// A body in the course of the substeps, in coordinates of its room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// m/s and radians per second.
    pub velocity: DVec3,
    pub spin: DVec3,
    /// How far its centre has come in this tick, metres, and how it has turned, radians.
    pub shift: DVec3,
    pub turn: DVec3,
    /// m/s2.
    pub acceleration: DVec3,
    pub inverse_mass: f64,
    pub inverse_inertia: DMat3,
}

impl Body {
    pub(super) fn ground() -> Self {
        Self {
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            shift: DVec3::ZERO,
            turn: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            inverse_mass: 0.0,
            inverse_inertia: DMat3::ZERO,
        }
    }

    pub(super) fn of(moving: &Moving) -> Self {
        Self {
            velocity: moving.velocity,
            spin: moving.spin,
            acceleration: moving.acceleration,
            inverse_mass: moving.inverse_mass,
            inverse_inertia: moving.inverse_inertia,
            ..Self::ground()
        }
    }

    /// Gives back what was found for a tick of `secs` seconds.
    pub(super) fn leave(&self, moving: &mut Moving, secs: f64) {
        // What gravity gave it that nothing took away.
        let given = self.acceleration * secs;
        let kept = (self.velocity - moving.velocity).dot(given) / given.length_squared();
        let kept = if kept > 0.0 { kept.min(1.0) } else { 0.0 };
        moving.fall = self.acceleration * kept;
        moving.velocity = self.velocity;
        moving.spin = self.spin;
        moving.course = self.shift / secs;
        moving.turn = self.turn / secs;
    }
}
