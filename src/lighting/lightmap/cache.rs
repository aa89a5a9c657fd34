//! Lightmaps kept from one run to the next, in the user's cache folder.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::bake::bake_into;
use super::key::{Fnv128, key};
use super::unwrap::unwrap;
use super::{Lightmap, Quality};
use crate::level::Level;

/// Files kept; the oldest go first.
const KEPT: usize = 32;
const EXTENSION: &str = "lightmap";
/// What a file starts with.
const MAGIC: [u8; 8] = *b"opendoor";
/// Bytes before the openness: the magic, the level's key and the checksum of what follows.
const HEADER: usize = 8 + 16 + 16;

/// As [`super::bake`], but at once where the same level was baked before: from the user's cache
/// folder, and else into it. A file there that is damaged or does not fit counts as none.
pub fn load_or_bake(level: &Level, quality: Quality, progress: &(dyn Fn(f32) + Sync)) -> Lightmap {
    load_or_bake_in(folder().as_deref(), level, quality, progress)
}

/// The same with the folder given.
pub(super) fn load_or_bake_in(
    folder: Option<&Path>,
    level: &Level,
    quality: Quality,
    progress: &(dyn Fn(f32) + Sync),
) -> Lightmap {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut map = unwrap(level, quality, cores);
    if map.charts.is_empty() {
        return map;
    }
    let Some(folder) = folder else {
        bake_into(&mut map, level, quality, cores, progress);
        return map;
    };
    let key = key(level, quality);
    let path = folder.join(format!("{key:032x}.{EXTENSION}"));
    if let Some(openness) = read(&path, key, map.openness.len()) {
        map.openness = openness;
        return map;
    }
    bake_into(&mut map, level, quality, cores, progress);
    if let Err(problem) = write(folder, &path, key, &map.openness) {
        log::warn!("the lightmap is not kept in {}: {problem}", path.display());
    }
    map
}

/// Where this user's programs keep what they can make again.
fn folder() -> Option<PathBuf> {
    let set = |name: &str| {
        let path = env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let base = if cfg!(windows) {
        set("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        env::home_dir().map(|home| home.join("Library/Caches"))
    } else {
        set("XDG_CACHE_HOME").or_else(|| env::home_dir().map(|home| home.join(".cache")))
    };
    base.map(|base| base.join("opendoor"))
}

/// The openness in a file, if it is whole, of this level, and so long.
fn read(path: &Path, key: u128, length: usize) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    if file.metadata().ok()?.len() != (HEADER + length) as u64 {
        return None;
    }
    let mut bytes = Vec::with_capacity(HEADER + length);
    // The file may grow meanwhile.
    file.take((HEADER + length) as u64)
        .read_to_end(&mut bytes)
        .ok()?;
    let openness = bytes.get(HEADER..)?;
    let fits = openness.len() == length && bytes[..HEADER] == header(key, openness);
    fits.then(|| openness.to_vec())
}

/// Writes a file, under another name until it is whole, and removes the oldest if there are many.
fn write(folder: &Path, path: &Path, key: u128, openness: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // Two runs may bake the same level.
    let unfinished = path.with_extension(format!("{}.unfinished", std::process::id()));
    let written = File::create(&unfinished).and_then(|mut file| {
        file.write_all(&header(key, openness))?;
        file.write_all(openness)
    });
    if let Err(problem) = written.and_then(|()| fs::rename(&unfinished, path)) {
        // What is left of it is of no use; that it cannot be removed is no news.
        let _ = fs::remove_file(&unfinished);
        return Err(problem);
    }
    remove_oldest(folder)
}

fn remove_oldest(folder: &Path) -> io::Result<()> {
    let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().extension() == Some(OsStr::new(EXTENSION)) {
            files.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    files.sort();
    let too_many = files.len().saturating_sub(KEPT);
    files[..too_many]
        .iter()
        .try_for_each(|(_, path)| fs::remove_file(path))
}

fn header(key: u128, openness: &[u8]) -> [u8; HEADER] {
    let sum = Fnv128::default().bytes(openness).0;
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..24].copy_from_slice(&key.to_le_bytes());
    header[24..].copy_from_slice(&sum.to_le_bytes());
    header
}
