//! The errors of the window.

use crate::gpu::GpuError;

/// An error because of which no level can be walked through: of the window, or of loading the level.
pub trait Failure: From<WindowError> + std::fmt::Display + Send + 'static {}

impl<E: From<WindowError> + std::fmt::Display + Send + 'static> Failure for E {}

/// An error of the window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no display to open a window on.
    #[error("there is no display to open a window on ({0})")]
    NoDisplay(String),
    /// Shared libraries that a window needs cannot be loaded.
    #[error(
        "a window needs libraries that are not installed: {libraries}; on Debian and Ubuntu: \
         sudo apt install {packages}"
    )]
    MissingLibraries {
        /// The names of the libraries, separated by commas.
        libraries: String,
        /// The Debian packages of the libraries, separated by spaces.
        packages: String,
    },
    /// The window cannot be opened.
    #[error("the window cannot be opened: {0}")]
    NoWindow(String),
    /// The graphics device cannot be used.
    #[error("{0}")]
    Gpu(#[from] GpuError),
}
