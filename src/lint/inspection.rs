//! Reads, builds and checks levels in one call.

use std::path::Path;

use super::check;
use crate::build::BuildCache;
use crate::gltf::read::{Reading, read, read_path};
use crate::level::Level;
use crate::load::build_reading;
use crate::memo::Memo;
use crate::problems::Problems;
use crate::source::LevelSource;

/// The result of [`inspect`] for a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Inspection {
    /// The level. If an error makes it unusable: the part of its source that could be read, without materials and
    /// images.
    pub level: Result<Level, LevelSource>,
    /// All problems of the level.
    pub problems: Problems,
}

/// Reads and builds the level in a file, and runs the checks that take longer than loading, for example for holes in
/// rooms, portals that do not fit, and movers that pass through walls. For an invalid level, returns the part that
/// could be read.
pub fn inspect(path: &Path) -> Inspection {
    let mut problems = Problems::default();
    let reading = read_path(path, &Memo::default(), &mut problems);
    finish(reading, problems)
}

/// Reads, builds and checks the level in the bytes of a .glb that needs no other file, as [`inspect`] does.
pub fn inspect_bytes(name: &str, bytes: &[u8]) -> Inspection {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, &Memo::default()), &mut problems);
    finish(reading, problems)
}

/// Builds a level made in code, and runs all checks that [`inspect`] runs for a file.
pub fn inspect_source(source: LevelSource) -> Inspection {
    let reading = Reading {
        source,
        complete: true,
        ..Reading::default()
    };
    finish(reading, Problems::default())
}

/// The causes of the errors of a file that could not be loaded, without the consequences that `problems` also has.
/// Reads the file again.
pub fn explain(path: &Path, problems: Problems) -> Problems {
    let found = inspect(path).problems;
    // The file may have been replaced by a valid one in the meantime.
    match found.errors.is_empty() {
        true => problems,
        false => found,
    }
}

/// Builds and checks a parsed file, even one with errors.
pub(super) fn finish(reading: Reading, mut problems: Problems) -> Inspection {
    let (built, source) = build_reading(reading, &BuildCache::default(), &mut problems);
    let level = built.map(|(level, _)| level);
    check(level.as_ref(), &source, &mut problems);
    let level = level.filter(|_| problems.errors.is_empty());
    Inspection {
        level: level.ok_or(source),
        problems,
    }
}
