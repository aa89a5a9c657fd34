//! Files that users name, for reading: regular ones of a limited size. A pipe or a device could
//! keep us waiting for ever, or never end.

use std::fs::File;
use std::io::{self, Read};
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
