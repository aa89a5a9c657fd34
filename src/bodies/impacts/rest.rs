//! The distinction between impacts and resting contacts.

use crate::bodies::tuning::MIN_BOUNCE_SPEED;

/// Whether surfaces that approach each other at `speed` m/s stay together. They do at speeds up to
/// [`MIN_BOUNCE_SPEED`], or up to `gathered`, the speed that gravity gives them in a tick. With perfect restitution
/// only the second limit applies, because such a contact keeps all of its energy.
pub(in crate::bodies) fn rests(speed: f64, bounce: f64, gathered: f64) -> bool {
    let least = if bounce < 1.0 { MIN_BOUNCE_SPEED } else { 0.0 };
    speed <= least.max(gathered)
}
