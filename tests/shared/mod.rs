//! Helpers that all test binaries share.

use opendoor::build::build;
use opendoor::level::Level;
use opendoor::source::LevelSource;

/// The level of a source that has no errors.
pub(crate) fn built(source: LevelSource) -> Level {
    match build(source) {
        Ok((level, _)) => level,
        Err(problems) => panic!("{problems}"),
    }
}
