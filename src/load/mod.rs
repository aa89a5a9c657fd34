//! Loading of levels: reads a source from a file and builds the room graph.

use std::path::Path;
use std::sync::Arc;

use crate::build::{BuildCache, BuildMemory, LastBuild, build_reporting};
use crate::gltf::read::{OldImages, Reading, read, read_path};
use crate::level::Level;
use crate::problems::Problems;
use crate::source::LevelSource;

/// Reads and builds the level in the file; returns the warnings with it.
///
/// # Errors
/// All errors that reading and building find. Some may follow from others: [`crate::lint::explain`] finds the causes.
pub fn load(path: &Path) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read_path(path, None, &mut problems);
    finish(reading, None, problems).map(|(level, _, problems)| (level, problems))
}

/// Loads another version of a level. Rooms and images that did not change since the last version are taken from the
/// cache, which gives the same level in less time. If the level is usable, it becomes the cache's last version.
///
/// # Errors
/// As [`load`].
pub fn load_again(path: &Path, cache: &mut BuildCache) -> Result<(Arc<Level>, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read_path(path, old_images(cache), &mut problems);
    finish_again(reading, cache, problems)
}

/// Reads and builds a level from the bytes of a .glb that needs no other file.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, None), &mut problems);
    finish(reading, None, problems).map(|(level, _, problems)| (level, problems))
}

/// Loads another version of a level from the bytes of a .glb that needs no other file, as [`load_again`] does.
///
/// # Errors
/// As [`load`].
pub fn load_bytes_again(
    name: &str,
    bytes: &[u8],
    cache: &mut BuildCache,
) -> Result<(Arc<Level>, Problems), Problems> {
    let mut problems = Problems::default();
    let reading = read(name, bytes, (None, old_images(cache)), &mut problems);
    finish_again(reading, cache, problems)
}

/// The images of the last version of a level.
fn old_images(cache: &BuildCache) -> Option<OldImages<'_>> {
    let LastBuild { level, memory } = cache.last()?;
    Some(OldImages {
        images: &level.images,
        keys: &memory.images,
    })
}

fn finish(
    reading: Reading,
    last: Option<LastBuild>,
    mut problems: Problems,
) -> Result<(Level, BuildMemory, Problems), Problems> {
    match build_reading(reading, last, &mut problems).0 {
        Some((level, memory)) if problems.errors.is_empty() => Ok((level, memory, problems)),
        _ => Err(problems),
    }
}

fn finish_again(
    reading: Reading,
    cache: &mut BuildCache,
    problems: Problems,
) -> Result<(Arc<Level>, Problems), Problems> {
    let (level, memory, problems) = finish(reading, cache.last(), problems)?;
    let level = Arc::new(level);
    cache.set(Arc::clone(&level), memory);
    Ok((level, problems))
}

/// Builds a level from a reading, even one with errors, unless the reading is incomplete. Returns also the source, without
/// its materials and images.
pub(crate) fn build_reading(
    reading: Reading,
    last: Option<LastBuild>,
    problems: &mut Problems,
) -> (Option<(Level, BuildMemory)>, LevelSource) {
    let mut source = reading.source;
    let mut built = None;
    if reading.complete {
        built = build_reporting(&mut source, last, problems);
    }
    if let Some((_, memory)) = &mut built {
        memory.images = reading.image_keys;
    }
    (built, source)
}
