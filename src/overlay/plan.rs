//! A plan of the rooms around the eye.

use crate::level::Level;
use crate::map::Plan;
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// A plan with all that changes.
#[derive(Clone, Copy)]
pub struct PlanView<'a> {
    /// The floor plans, found once.
    pub plan: &'a Plan,
    /// The level that they are of.
    pub level: &'a Level,
    /// Which portals are open, and where movers are.
    pub world: &'a World,
    /// The eye that is drawn in the middle.
    pub camera: &'a Camera,
    /// The rooms that are drawn brightly.
    pub visible: &'a [VisibleRoom],
}
