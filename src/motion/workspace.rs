//! The memory of ticks, which lets a warm one allocate nothing.

use super::meetings::Meetings;
use super::met::Met;
use super::queries::{BodyCache, Contact, Memory, Span};
use crate::bodies::BlockingWorkspace;

/// The working memory of ticks and other questions, one for each thread: any bodies can share it.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The cache of questions that are no actor's.
    pub(super) cache: BodyCache,
    pub(super) queries: Memory,
    pub(super) buffers: Buffers,
    /// Which bodies movers may meet in a tick, and those that one of them may.
    pub(super) meetings: Meetings,
    pub(super) tried: Vec<usize>,
    /// The bodies that a mover meets.
    pub(super) met: Vec<Met>,
    /// Of questions about rigid bodies in the way.
    pub(super) blocking: BlockingWorkspace,
}

impl Workspace {
    /// The memory of questions that are no actor's.
    pub(super) fn queries(&mut self) -> (&mut BodyCache, &mut Memory) {
        (&mut self.cache, &mut self.queries)
    }
}

/// Lists in the making.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// Contact planes: those around a body at a ledge, or all that a gravity pass touched.
    pub planes: Vec<Contact>,
    /// The ground along a path.
    pub spans: Vec<Span>,
}
