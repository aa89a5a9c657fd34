//! What is shown over the picture: text, messages, a plan of the rooms. With the feature `overlay` it
//! is painted, by egui.

#[cfg(feature = "overlay")]
mod changes;
mod contents;
#[cfg(feature = "overlay")]
mod painter;
mod plan;
#[cfg(feature = "overlay")]
mod plan_painting;

pub use contents::Contents;
#[cfg(feature = "overlay")]
pub(crate) use painter::{OverlayPainter, Painted};
pub use plan::PlanView;
