//! Figures: skinned models, and how they move when a body walks, runs, crouches, jumps and falls.
//!
//! A [`Figure`] is read from a file by [`crate::level::read_figure`]. A [`Gait`] follows the body tick by tick: numbers
//! alone, which change nothing in a game. A [`Pose`] follows from the gait, and [`skin`] makes vertices of
//! it. All is in the figure's own coordinates, metres: the soles at the origin, +Y up, facing -Z.

mod clips;
mod gait;
mod model;
mod pose;
mod skin;

pub use clips::ACTIONS;
pub use gait::{Gait, Stance, Step};
pub use model::{Clip, Figure, FigureVertex, Joint, JointPose};
pub use pose::Pose;
pub use skin::skin;
