//! Figures: skinned models, and their motion when a body walks, runs, crouches, jumps and falls.
//!
//! A [`Figure`] is read from a file by [`crate::figure::read_figure`]. A [`Gait`] follows the body tick by tick; it
//! consists of numbers only and does not affect the game. A [`Pose`] is computed from the gait, and [`skin`] computes
//! the vertices from the pose. All coordinates are the figure's own, in metres: the soles are at the origin, +Y is up,
//! and the figure faces -Z.

mod clips;
mod gait;
mod model;
mod pose;
mod read;
mod skin;

pub use clips::ACTIONS;
pub use gait::{Gait, GaitStep, Stance};
pub use model::{Bone, Clip, Figure, FigureVertex, JointPose};
pub use pose::Pose;
pub use read::{FigureError, read_figure};
pub use skin::skin;
