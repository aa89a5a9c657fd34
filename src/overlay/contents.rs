//! What an overlay shows.

use super::plan::PlanView;

/// Text, a message and a plan; nothing of what is left empty.
#[derive(Clone, Copy, Default)]
pub struct Contents<'a> {
    /// Lines in the upper left corner.
    pub text: &'a str,
    /// A line at the bottom.
    pub message: &'a str,
    /// Upper right corner.
    pub plan: Option<PlanView<'a>>,
}
