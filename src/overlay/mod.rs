//! The overlay over the picture: text, messages, and a plan of the rooms. It is painted by egui.

mod changes;
mod contents;
mod painter;
mod plan;
mod plan_painting;

pub use contents::OverlayContents;
pub(crate) use painter::{OverlayPainter, Painted};
pub use plan::PlanView;
