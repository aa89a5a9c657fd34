//! What motion reads.

use crate::level::{Level, OpenLinks};

/// What motion reads: the level, which links are open, and where candidates come from.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The room graph.
    pub level: &'a Level,
    /// Which links are open.
    pub open: &'a OpenLinks,
    /// Where candidate polygons are looked for.
    pub broad_phase: BroadPhase,
}

/// Where candidate polygons are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BroadPhase {
    /// In the rooms that the motion's box reaches through portals.
    Portals,
    /// In every room: the oracle for the room graph. Meaningful where all portals are doorways.
    Exhaustive,
}
