//! The stiffness of contacts.

use crate::bodies::tuning::DAMPING_RATIO;

/// A spring and its damper over a substep (E. Catto, "Soft Constraints", GDC 2011). The damper keeps high stacks from
/// oscillating.
#[derive(Clone, Copy)]
pub(super) struct Softness {
    /// The fraction of an overlap that is resolved per second, 1/s.
    pub push_rate: f64,
    pub mass_scale: f64,
    pub impulse_scale: f64,
}

impl Softness {
    /// The spring with a frequency, Hz, for substeps of a duration in seconds.
    pub(super) fn new(hertz: f64, step_secs: f64) -> Self {
        let omega = std::f64::consts::TAU * hertz;
        let a1 = 2.0 * DAMPING_RATIO + step_secs * omega;
        let a2 = step_secs * omega * a1;
        let a3 = (1.0 + a2).recip();
        Self {
            push_rate: omega / a1,
            mass_scale: a2 * a3,
            impulse_scale: a3,
        }
    }
}
