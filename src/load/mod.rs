//! Loading of levels: reads a source from a file, and builds the room graph.

use std::path::Path;
use std::sync::Arc;

use crate::build::{BuildCache, build_reporting};
use crate::gltf::read::{Reading, read, read_path};
use crate::level::Level;
use crate::problems::Problems;
use crate::source::LevelSource;

/// Reads and builds the level in the file; returns the warnings with it.
///
/// # Errors
/// All errors that reading and building find. Some may be consequences of others; [`crate::lint::explain`] finds the
/// causes.
pub fn load(path: &Path) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    let last = BuildCache::default();
    let reading = read_path(path, &last.images, &mut problems);
    finish(reading, &last, problems).map(|(level, _, problems)| (level, problems))
}

/// Loads a level, or a new version of it, with the cache of its last version. Results that did not change are taken
/// from the cache; this gives the same level in less time. If the level is usable, it becomes the last version in the
/// cache.
///
/// # Errors
/// As [`load`].
pub fn load_with_cache(
    path: &Path,
    cache: &mut BuildCache,
) -> Result<(Arc<Level>, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read_path(path, &cache.images, &mut problems);
    finish_with_cache(reading, cache, problems)
}

/// Reads and builds a level from the bytes of a .glb that needs no other file.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    let last = BuildCache::default();
    let reading = read(name, bytes, (None, &last.images), &mut problems);
    finish(reading, &last, problems).map(|(level, _, problems)| (level, problems))
}

/// Loads a level from the bytes of a .glb that needs no other file, as [`load_with_cache`] does.
///
/// # Errors
/// As [`load`].
pub fn load_bytes_with_cache(
    name: &str,
    bytes: &[u8],
    cache: &mut BuildCache,
) -> Result<(Arc<Level>, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, &cache.images), &mut problems);
    finish_with_cache(reading, cache, problems)
}

fn finish(
    reading: Reading,
    last: &BuildCache,
    mut problems: Problems,
) -> Result<(Level, BuildCache, Problems), Problems> {
    match build_reading(reading, last, &mut problems).0 {
        Some((level, cache)) if problems.errors.is_empty() => Ok((level, cache, problems)),
        _ => Err(problems),
    }
}

fn finish_with_cache(
    reading: Reading,
    cache: &mut BuildCache,
    problems: Problems,
) -> Result<(Arc<Level>, Problems), Problems> {
    let (level, next, problems) = finish(reading, cache, problems)?;
    let level = Arc::new(level);
    *cache = BuildCache {
        level: Some(Arc::clone(&level)),
        ..next
    };
    Ok((level, problems))
}

/// Builds a level from what was read of a file, even if that has errors, unless it is incomplete. Also returns the
/// cache, still without the level itself, and the source, without its materials and images.
pub(crate) fn build_reading(
    reading: Reading,
    last: &BuildCache,
    problems: &mut Problems,
) -> (Option<(Level, BuildCache)>, LevelSource) {
    let mut source = reading.source;
    let mut built = None;
    if reading.complete {
        built = build_reporting(&mut source, last, problems);
    }
    if let Some((_, cache)) = &mut built {
        cache.images = reading.images;
    }
    (built, source)
}
