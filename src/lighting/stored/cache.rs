//! Files of computed light in the user's cache folder.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::StoredKind;
use super::checked::{HEADER, decode, encode};
use crate::files;

/// The maximum number of cached files; the oldest are removed.
const MAX_FILES: usize = 32;
/// The extension of files while they are being written.
const UNFINISHED: &str = "unfinished";
/// The age from which an unfinished file is considered abandoned.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Stores light in a cache folder.
pub(super) fn store(folder: &Path, kind: StoredKind, key: u128, contents: &[u8]) {
    let path = path_in(folder, kind, key);
    if let Err(problem) = write(&path, key, contents) {
        log::warn!("the light is not cached in {}: {problem}", path.display());
    } else if let Err(problem) = tidy(folder) {
        log::warn!("old light stays in {}: {problem}", folder.display());
    }
}

/// The file in a cache folder for light with this key.
pub(super) fn path_in(folder: &Path, kind: StoredKind, key: u128) -> PathBuf {
    folder.join(format!("{key:032x}.{}", kind.extension()))
}

/// The folder in which this user's programs store files that they can recreate.
pub(super) fn folder() -> Option<PathBuf> {
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

/// Reads light from a cache folder; `None` unless its file is complete, has this key, and is at most `max_len` bytes long.
pub(super) fn read(folder: &Path, kind: StoredKind, key: u128, max_len: usize) -> Option<Vec<u8>> {
    let path = path_in(folder, kind, key);
    let bytes = files::read(&path, (HEADER + max_len) as u64).ok()?;
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
pub(in crate::lighting) fn tidy(folder: &Path) -> io::Result<()> {
    let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension();
        let is_unfinished = extension == Some(OsStr::new(UNFINISHED));
        let is_light = StoredKind::ALL
            .iter()
            .any(|kind| extension == Some(OsStr::new(kind.extension())));
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
