//! What a window is opened with.

use std::path::Path;

use crate::level::Level;
use crate::visibility::Camera;

/// Is told the camera of every picture of a walk.
pub type CameraReport<'a> = dyn Fn(&Level, &Camera) + 'a;

/// What a window shows, and how.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// What the level is called.
    pub name: &'a str,
    /// The level's file: when it is saved, it is loaded again.
    pub file: Option<&'a Path>,
    /// Is told how long each loading again took.
    pub report: Option<fn(&str)>,
    /// Is told where the eye is.
    pub camera: Option<&'a CameraReport<'a>>,
}
