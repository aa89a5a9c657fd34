//! The menu's data about levels.

use std::path::{Path, PathBuf};

use super::options::LevelChoice;
use crate::level::Level;

/// The maximum number of files of a folder that are offered.
const MAX_NEARBY: usize = 24;

/// The levels and spawns that the menu offers, and the error of the last level.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    /// The spawns of the current level.
    pub(super) spawns: Vec<String>,
    /// Level files in the folder of the current level.
    pub(super) nearby: Vec<PathBuf>,
    /// The reason why the requested level cannot be walked through; empty for none.
    pub(super) problem: String,
}

impl Shelf {
    /// Lists the levels in this level's folder, or in the current folder for a level without a file.
    pub(super) fn look_beside(&mut self, level: &LevelChoice) {
        let folder = level.file().and_then(Path::parent);
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        let entries = folder.unwrap_or(Path::new(".")).read_dir();
        let files = entries.into_iter().flatten().flatten();
        let paths = files.map(|entry| entry.path()).filter(|path| {
            let ending = path.extension().unwrap_or_default();
            ending.eq_ignore_ascii_case("glb") || ending.eq_ignore_ascii_case("gltf")
        });
        self.nearby = paths.collect();
        self.nearby.sort();
        self.nearby.truncate(MAX_NEARBY);
    }
}

/// Returns the names of a level's spawns.
pub(super) fn spawn_names(level: &Level) -> Vec<String> {
    let names = level.spawns.iter().map(|spawn| spawn.name.clone());
    names.collect()
}
