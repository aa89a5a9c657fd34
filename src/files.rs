//! File access. Files that users name are read only if they are regular and of limited size: reading a pipe or a device
//! could block or never end. The program's own files are replaced atomically.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// A reason why a file is not read. The remedy depends on the purpose of the file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system reports an error.
    #[error("cannot be read ({0})")]
    Io(#[from] io::Error),
    /// The path is a folder, a pipe or a device.
    #[error("is not a regular file")]
    NotAFile,
    /// The file is too large.
    #[error("is larger than {limit} bytes")]
    TooLarge {
        /// The maximum size, bytes.
        limit: u64,
    },
}

/// Opens a regular file of at most `limit` bytes; returns it with its size.
///
/// # Errors
/// Fails if it is not a regular file, is larger, or cannot be opened.
pub fn open(path: &Path, limit: u64) -> Result<(File, u64), ReadError> {
    // Opening a pipe would block until a writer opens it.
    if !path.metadata()?.is_file() {
        return Err(ReadError::NotAFile);
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile);
    }
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { limit });
    }
    Ok((file, metadata.len()))
}

/// The bytes of a regular file of at most `limit` bytes.
///
/// # Errors
/// Fails like [`open`], or if the file cannot be read or does not fit into memory.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let (file, size) = open(path, limit)?;
    read_more(file, Vec::new(), size)
}

/// The text of a regular file of at most `limit` bytes.
///
/// # Errors
/// Fails like [`read`], or if the file is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    let bytes = read(path, limit)?;
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()).into())
}

/// Replaces one of the program's own files atomically; creates its folder if necessary. A concurrent reader finds
/// either the old or the new file. The bytes are first written to `unfinished`, in the same folder, which is renamed
/// when it is complete.
///
/// # Errors
/// Fails if the folder or the file cannot be written; the old file then remains.
pub(crate) fn replace(path: &Path, unfinished: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // A killed run may have left a file of this name. It is removed, not overwritten, because it might be a pipe.
    match fs::remove_file(unfinished) {
        Err(problem) if problem.kind() != io::ErrorKind::NotFound => return Err(problem),
        _ => {}
    }
    let created = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(unfinished);
    let written = created.and_then(|mut file| file.write_all(bytes));
    written
        .and_then(|()| fs::rename(unfinished, path))
        .inspect_err(|_| {
            // The incomplete file is useless; a failure to remove it is ignored.
            let _ = fs::remove_file(unfinished);
        })
}

/// Reads the rest of `file` after `bytes`, up to `size` bytes in total: the file may be growing.
pub(crate) fn read_more(file: File, mut bytes: Vec<u8>, size: u64) -> Result<Vec<u8>, ReadError> {
    let more = size.saturating_sub(bytes.len() as u64);
    let out_of_memory = |_| io::Error::from(io::ErrorKind::OutOfMemory);
    let capacity = usize::try_from(more).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(capacity).map_err(out_of_memory)?;
    file.take(more).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A temporary folder of one test, deleted on drop.
#[cfg(test)]
pub(crate) struct TemporaryFolder(pub std::path::PathBuf);

#[cfg(test)]
impl TemporaryFolder {
    /// Creates an empty folder; if `is_there` is false, only chooses its path. `test` is unique in the crate.
    pub(crate) fn new(test: &str, is_there: bool) -> Self {
        let name = format!("opendoor-{test}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        if is_there {
            fs::create_dir_all(&folder).expect("temporary folders are writable");
        }
        Self(folder)
    }
}

#[cfg(test)]
impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
