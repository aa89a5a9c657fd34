//! The contents of an overlay.

use super::plan::PlanView;

/// Texts, a plan and a crosshair; empty or absent parts are not drawn.
#[derive(Clone, Copy, Default)]
pub struct OverlayContents<'a> {
    /// Lines in the upper left corner.
    pub text: &'a str,
    /// A line at the bottom.
    pub message: &'a str,
    /// A large line below the upper edge.
    pub title: &'a str,
    /// A dot in the middle.
    pub crosshair: bool,
    /// A plan in the upper right corner.
    pub plan: Option<PlanView<'a>>,
}
