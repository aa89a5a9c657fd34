//! Names of the files that the window writes.

use std::path::PathBuf;

/// The largest number in a file name.
const MAX_NUMBER: u32 = 9999;

/// Returns the first name of the series `STEM-0001.EXTENSION`, `STEM-0002.EXTENSION`, ... that is free in the current
/// folder; the last name of the series if none is free.
pub(super) fn first_free(stem: &str, extension: &str) -> PathBuf {
    let name = |number: u32| PathBuf::from(format!("{stem}-{number:04}.{extension}"));
    let mut names = (1..=MAX_NUMBER).map(name);
    let free = names.find(|path| !path.exists());
    free.unwrap_or_else(|| name(MAX_NUMBER))
}
