//! What is shown over the picture: text, messages, a plan of the rooms. Painted by egui.

mod changes;
mod contents;
mod painter;
mod plan;
mod plan_painting;

pub use contents::Contents;
pub(crate) use painter::{OverlayPainter, Painted};
pub use plan::PlanView;
