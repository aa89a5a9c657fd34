//! The memory of ticks, which lets a warm one allocate nothing.

use super::queries::{Contact, Memory, Span};

/// The working memory of a body's ticks.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) queries: Memory,
    pub(super) buffers: Buffers,
}

/// Lists in the making.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// Contact planes: those around a body at a ledge, or all that a gravity pass touched.
    pub planes: Vec<Contact>,
    /// The ground along a path.
    pub spans: Vec<Span>,
}
