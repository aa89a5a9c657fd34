//! The working memory of ticks. A warm tick allocates nothing.

use super::meetings::{Meetings, MoverMeeting};
use super::queries::{BodyCache, ContactPlane, Memory, Span};
use crate::bodies::BlockingWorkspace;

/// The working memory of ticks and other queries, one per thread; it does not matter which bodies share it.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The cache of queries that belong to no actor.
    pub(super) cache: BodyCache,
    pub(super) queries: Memory,
    pub(super) buffers: MotionBuffers,
    /// The pairs of movers and bodies that may meet in a tick.
    pub(super) meetings: Meetings,
    /// The bodies that one mover may meet.
    pub(super) tried: Vec<usize>,
    /// The meetings of one mover.
    pub(super) of_mover: Vec<MoverMeeting>,
    /// The memory of queries for rigid bodies in the way.
    pub(super) blocking: BlockingWorkspace,
}

impl Workspace {
    /// The memory of queries that belong to no actor.
    pub(super) fn queries(&mut self) -> (&mut BodyCache, &mut Memory) {
        (&mut self.cache, &mut self.queries)
    }
}

/// Reusable lists.
#[derive(Debug, Default)]
pub(super) struct MotionBuffers {
    /// Contact planes of a body at a ledge, or all that a gravity pass touched.
    pub planes: Vec<ContactPlane>,
    /// The sections of ground along a path.
    pub spans: Vec<Span>,
}
