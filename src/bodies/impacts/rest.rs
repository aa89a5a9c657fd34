//! When an impact is none, but a contact that rests.

use crate::bodies::tuning::MIN_BOUNCE_SPEED;

/// Whether surfaces that approach each other at `speed` m/s stay together: slower than
/// [`MIN_BOUNCE_SPEED`], or than `gathered`, the speed that gravity gives them in a tick. What bounces perfectly
/// rests by the latter alone, for it keeps all of its energy.
pub(in crate::bodies) fn rests(speed: f64, bounce: f64, gathered: f64) -> bool {
    let least = if bounce < 1.0 { MIN_BOUNCE_SPEED } else { 0.0 };
    speed <= least.max(gathered)
}
