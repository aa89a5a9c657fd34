//! From what a file says to the room graph.

use super::{Level, LevelSource, Problems};

/// Checks the source and links it to a level; the problems come in either case.
///
/// # Errors
/// All that makes the level unusable, with all warnings.
pub fn build(source: LevelSource) -> Result<(Level, Problems), Problems> {
    let _ = source;
    Err(Problems::default())
}
