//! Light that takes long to compute, stored between runs: in the user's cache folder, and in a file beside the level that
//! is delivered with it.

mod cache;
#[doc(hidden)]
pub mod checked;
mod light_file;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

#[cfg(test)]
pub(super) use cache::tidy;
pub use light_file::{EXTENSION, LightFile, LightFileError};

/// The kinds of stored light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoredKind {
    /// [`super::lightmap::Lightmap::sky_visibility`].
    Lightmap,
    /// The paths of reflected light.
    Transport,
}

impl StoredKind {
    const ALL: [Self; 2] = [Self::Lightmap, Self::Transport];

    fn extension(self) -> &'static str {
        match self {
            Self::Lightmap => "lightmap",
            Self::Transport => "transport",
        }
    }
}

/// The files from which the light of a level is read, and in which it is stored.
#[derive(Debug, Default)]
pub struct LightFiles {
    /// The file beside the level.
    beside: Option<LightFile>,
    /// The user's cache folder.
    cache: Option<PathBuf>,
}

impl LightFiles {
    /// The user's cache folder alone.
    pub fn cache() -> Self {
        Self::in_folder(cache::folder())
    }

    /// The file beside a level's file, if there is one, and the user's cache folder. A file that cannot be read is
    /// logged.
    pub fn beside(level: &Path) -> Self {
        let path = level.with_extension(EXTENSION);
        let beside = path.exists().then(|| LightFile::read(&path));
        let beside = beside.and_then(|file| {
            file.map_err(|problem| log::warn!("{}: {problem}", path.display()))
                .ok()
        });
        Self {
            beside,
            ..Self::cache()
        }
    }

    /// A given cache folder alone.
    pub(super) fn in_folder(cache: Option<PathBuf>) -> Self {
        Self {
            beside: None,
            cache,
        }
    }

    /// Reads light; `None` unless there is light of this kind and key, complete, of at most `max_len` bytes.
    pub(super) fn read(&self, kind: StoredKind, key: u128, max_len: usize) -> Option<Vec<u8>> {
        let beside = self.beside.as_ref();
        let beside = beside.and_then(|file| {
            let light = file.get(kind, key, max_len);
            if light.is_none() && kind == StoredKind::Lightmap {
                log::warn!(
                    "the light file beside the level is not that of this level, and is not used; write it again with `opendoor bake`"
                );
            }
            light
        });
        let cached = || cache::read(self.cache.as_deref()?, kind, key, max_len);
        beside.or_else(cached)
    }

    /// Stores light in the cache folder, for the next run.
    pub(super) fn store(&self, kind: StoredKind, key: u128, contents: &[u8]) {
        if let Some(folder) = &self.cache {
            cache::store(folder, kind, key, contents);
        }
    }

    /// Whether the cache folder has light of this kind and key.
    pub(super) fn is_cached(&self, kind: StoredKind, key: u128) -> bool {
        let folder = self.cache.as_deref();
        folder.is_some_and(|folder| cache::path_in(folder, kind, key).exists())
    }
}
