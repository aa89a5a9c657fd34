//! What the menu knows of levels.

use std::path::{Path, PathBuf};

use super::options::LevelChoice;
use crate::level::Level;

/// At most so many files of a folder are offered.
const MAX_NEARBY: usize = 24;

/// What the menu knows of levels.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    /// The spawns of the level that is walked through.
    pub(super) spawns: Vec<String>,
    /// Levels beside it.
    pub(super) nearby: Vec<PathBuf>,
    /// Why the one that was wanted cannot be walked through.
    pub(super) problem: String,
}

impl Shelf {
    /// Looks for levels in the folder of this one, or else in the current one.
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

/// The names of a level's spawns.
pub(super) fn spawn_names(level: &Level) -> Vec<String> {
    let names = level.spawns.iter().map(|spawn| spawn.name.clone());
    names.collect()
}
