//! Files that users name, for reading: regular ones of a limited size. A pipe or a device could
//! keep us waiting for ever, or never end. And files that we keep ourselves, which are replaced as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// Why a file is not read. The cure depends on what it was for.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refuses it.
    #[error("cannot be read ({0})")]
    Io(#[from] io::Error),
    /// It is a folder, a pipe, a device.
    #[error("is not a regular file")]
    NotAFile,
    /// It is too large.
    #[error("is larger than {limit} bytes")]
    TooLarge {
        /// Bytes that it may have.
        limit: u64,
    },
}

/// Opens a regular file of at most `limit` bytes; returns its size with it.
///
/// # Errors
/// When it is none, is larger, or cannot be opened.
pub fn open(path: &Path, limit: u64) -> Result<(File, u64), ReadError> {
    // To open a pipe is to wait for who writes into it.
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
/// As [`open`], or when it cannot be read or does not fit into memory.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let (file, size) = open(path, limit)?;
    read_more(file, Vec::new(), size)
}

/// The text of a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`read`], or when it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    let bytes = read(path, limit)?;
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()).into())
}

/// Replaces a file of ours, in a folder that is made if it is not there: who reads it at this moment finds the old or
/// the new one. The bytes are written to `unfinished` first, in the same folder, which gets the name when it is whole.
///
/// # Errors
/// When the folder or the file cannot be written; then the old one stays.
pub(crate) fn replace(path: &Path, unfinished: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // A file of this name, of a run that was killed, or a pipe is replaced, not written into.
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
            // The rest of it is of no use; that it cannot be removed is no news.
            let _ = fs::remove_file(unfinished);
        })
}

/// The bytes read so far, and those of `file` that follow up to `size` in all: it may be growing
/// at this moment.
pub(crate) fn read_more(file: File, mut bytes: Vec<u8>, size: u64) -> Result<Vec<u8>, ReadError> {
    let more = size.saturating_sub(bytes.len() as u64);
    let out_of_memory = |_| io::Error::from(io::ErrorKind::OutOfMemory);
    let capacity = usize::try_from(more).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(capacity).map_err(out_of_memory)?;
    file.take(more).read_to_end(&mut bytes)?;
    Ok(bytes)
}
