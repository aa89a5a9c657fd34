//! Names for the files that a key writes.

use std::path::PathBuf;

/// The largest number in such a name.
const MAX_NUMBER: u32 = 9999;

/// The first of the names `STEM-0001.EXTENSION` and so on in the current folder that is free; the last where none is.
pub(super) fn first_free(stem: &str, extension: &str) -> PathBuf {
    let name = |number: u32| PathBuf::from(format!("{stem}-{number:04}.{extension}"));
    let mut names = (1..=MAX_NUMBER).map(name);
    let free = names.find(|path| !path.exists());
    free.unwrap_or_else(|| name(MAX_NUMBER))
}
