//! What a window is opened with.

use std::path::Path;

/// What a window shows, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// What the level is called.
    pub name: &'a str,
    /// The level's file: when it is saved, it is loaded again.
    pub file: Option<&'a Path>,
    /// Is told how long each loading again took.
    pub report: Option<fn(&str)>,
}
