//! Why there is no window.

use crate::gpu::GpuError;

/// Why no level can be walked through: the window fails, or the level cannot be made.
pub trait Failure: From<WindowError> + std::fmt::Display + Send + 'static {}

impl<E: From<WindowError> + std::fmt::Display + Send + 'static> Failure for E {}

/// Why there is no window.
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
        /// Their names, with commas between.
        libraries: String,
        /// The Debian packages that have them, with spaces between.
        packages: String,
    },
    /// The window cannot be opened.
    #[error("the window cannot be opened: {0}")]
    NoWindow(String),
    /// Nothing can be drawn.
    #[error("{0}")]
    Gpu(#[from] GpuError),
}
