//! A plan of the rooms around the eye.

use crate::level::Level;
use crate::map::Plan;
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// A plan of the rooms, with the changing state that is drawn on it.
#[derive(Clone, Copy)]
pub struct PlanView<'a> {
    /// The floor plans, computed once.
    pub plan: &'a Plan,
    /// The level of the plans.
    pub level: &'a Level,
    /// The world, for open portals and the poses of movers.
    pub world: &'a World,
    /// The camera that is drawn in the middle.
    pub camera: &'a Camera,
    /// The rooms that are drawn brightly.
    pub visible: &'a [VisibleRoom],
}
