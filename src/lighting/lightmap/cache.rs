//! A cache of lightmaps and of light transport across runs, in the user's cache folder.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::bake::bake_into;
use super::cache_file::{HEADER, decode, encode};
use super::key::key;
use super::layout::{Lightmap, LightmapQuality};
use super::unwrap::unwrap;
use crate::files;
use crate::level::Level;
use crate::parallel::cores;

/// The maximum number of cached files; the oldest are removed.
const MAX_FILES: usize = 32;
const LIGHTMAP: &str = "lightmap";
/// The extension of files of light transport.
const TRANSPORT: &str = "transport";
/// The extension of files while they are being written.
const UNFINISHED: &str = "unfinished";
/// The age from which an unfinished file is considered abandoned.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Like [`super::bake`], but loads the result from the user's cache folder if the same level was baked before;
/// otherwise stores it there. A damaged or mismatched file is ignored.
pub fn load_or_bake(
    level: &Level,
    quality: LightmapQuality,
    progress: &(dyn Fn(f32) + Sync),
) -> Lightmap {
    load_or_bake_in(folder().as_deref(), level, quality, progress)
}

/// Like [`load_or_bake`], in a given cache folder.
pub(super) fn load_or_bake_in(
    folder: Option<&Path>,
    level: &Level,
    quality: LightmapQuality,
    progress: &(dyn Fn(f32) + Sync),
) -> Lightmap {
    let mut map = unwrap(level, quality, cores());
    if map.charts.is_empty() {
        return map;
    }
    let Some(folder) = folder else {
        bake_into(&mut map, level, quality, cores(), progress);
        return map;
    };
    let key = key(level, quality);
    let path = path_in(folder, key, LIGHTMAP);
    let length = map.sky_visibility.len();
    if let Some(sky_visibility) = read(&path, key, length).filter(|bytes| bytes.len() == length) {
        map.sky_visibility = sky_visibility;
        return map;
    }
    bake_into(&mut map, level, quality, cores(), progress);
    store(folder, &path, key, &map.sky_visibility);
    map
}

/// Returns the contents of the file of light transport with this key; `None` if there is none, or if it is damaged or
/// longer than `max_len` bytes.
pub(in crate::lighting) fn read_transport(key: u128, max_len: usize) -> Option<Vec<u8>> {
    read(&path_in(&folder()?, key, TRANSPORT), key, max_len)
}

/// Stores light transport for the next run.
pub(in crate::lighting) fn store_transport(key: u128, bytes: &[u8]) {
    if let Some(folder) = folder() {
        store(&folder, &path_in(&folder, key, TRANSPORT), key, bytes);
    }
}

/// Stores a lightmap that was baked for a level, for the next run.
pub fn store_in_cache(level: &Level, quality: LightmapQuality, map: &Lightmap) {
    let Some(folder) = folder().filter(|_| !map.charts.is_empty()) else {
        return;
    };
    let key = key(level, quality);
    let path = path_in(&folder, key, LIGHTMAP);
    if !path.exists() {
        store(&folder, &path, key, &map.sky_visibility);
    }
}

fn path_in(folder: &Path, key: u128, extension: &str) -> PathBuf {
    folder.join(format!("{key:032x}.{extension}"))
}

fn store(folder: &Path, path: &Path, key: u128, contents: &[u8]) {
    if let Err(problem) = write(path, key, contents) {
        log::warn!("the light is not cached in {}: {problem}", path.display());
    } else if let Err(problem) = tidy(folder) {
        log::warn!("old light stays in {}: {problem}", folder.display());
    }
}

/// The folder in which this user's programs store files that they can recreate.
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

/// Reads the contents of a file; `None` unless the file is complete, has this key, and is at most `max_len` bytes long.
fn read(path: &Path, key: u128, max_len: usize) -> Option<Vec<u8>> {
    let bytes = files::read(path, (HEADER + max_len) as u64).ok()?;
    let length = bytes.len().checked_sub(HEADER)?;
    decode(&bytes, key, length).map(<[u8]>::to_vec)
}

/// Writes a file under a temporary name, and renames it when it is complete.
fn write(path: &Path, key: u128, contents: &[u8]) -> io::Result<()> {
    // Two runs may bake the same level.
    let unfinished = path.with_extension(format!("{}.{UNFINISHED}", std::process::id()));
    files::replace(path, &unfinished, &encode(key, contents))
}

/// Removes the oldest files if there are too many, and unfinished files of killed runs. Another run may do the same
/// concurrently.
pub(super) fn tidy(folder: &Path) -> io::Result<()> {
    let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension();
        let is_unfinished = extension == Some(OsStr::new(UNFINISHED));
        let is_light = [LIGHTMAP, TRANSPORT]
            .map(OsStr::new)
            .contains(&extension.unwrap_or_default());
        if !is_unfinished && !is_light {
            continue;
        }
        let Some(modified) = unless_gone(fs::metadata(&path).and_then(|m| m.modified()))? else {
            continue;
        };
        if !is_unfinished {
            files.push((modified, path));
        } else if modified.elapsed().is_ok_and(|age| age > ABANDONED) {
            unless_gone(fs::remove_file(&path))?;
        }
    }
    files.sort();
    let too_many = files.len().saturating_sub(MAX_FILES);
    for (_, path) in &files[..too_many] {
        unless_gone(fs::remove_file(path))?;
    }
    Ok(())
}

fn unless_gone<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}
