//! Lightmaps that are stored between runs.

use super::bake::bake_into;
use super::key::key;
use super::layout::{Lightmap, LightmapQuality};
use super::unwrap::unwrap;
use crate::level::Level;
use crate::lighting::stored::{LightFiles, StoredKind};
use crate::parallel::cores;

/// Like [`super::bake`], but reads the result from `files` if the same level was baked before; otherwise stores it there.
/// Damaged or mismatched files are ignored.
pub fn load_or_bake(
    level: &Level,
    quality: LightmapQuality,
    files: &LightFiles,
    progress: &(dyn Fn(f32) + Sync),
) -> Lightmap {
    let mut map = unwrap(level, quality, cores());
    if map.charts.is_empty() {
        return map;
    }
    let key = key(level, quality);
    let length = map.sky_visibility.len();
    let stored = files.read(StoredKind::Lightmap, key, length);
    if let Some(sky_visibility) = stored.filter(|bytes| bytes.len() == length) {
        map.sky_visibility = sky_visibility;
        return map;
    }
    bake_into(&mut map, level, quality, cores(), progress);
    files.store(StoredKind::Lightmap, key, &map.sky_visibility);
    map
}

/// Stores a lightmap that was baked for a level in the user's cache folder, for the next run.
pub fn store_in_cache(level: &Level, quality: LightmapQuality, map: &Lightmap) {
    let (files, key) = (LightFiles::cache(), key(level, quality));
    if !map.charts.is_empty() && !files.is_cached(StoredKind::Lightmap, key) {
        files.store(StoredKind::Lightmap, key, &map.sky_visibility);
    }
}
