//! Reuse of texels when a level is reloaded, for rooms and movers whose texels stay the same.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;

use super::bake::{RADIUS, bake_missing};
use super::layout::{Lightmap, LightmapQuality};
use super::occluders::{Surroundings, materials_key};
use super::outlines::SetOutlines;
use super::resample::nearest_texels;
use super::unwrap::{lay_out, outlines};
use crate::hash::Fnv128;
use crate::level::{Level, RoomId};
use crate::lighting::bvh::FaceSides;
use crate::lighting::rgb9e5::pack;
use crate::memo::Memo;
use crate::parallel::{cores, parallel_map};

/// The finished lightmap of the last version of a level, and further results for the next version.
#[derive(Debug)]
pub struct LightmapCache {
    map: Arc<Lightmap>,
    /// The ambient irradiance on its texels: [`crate::lighting::Texels::rgb`].
    texels: Vec<u32>,
    quality: LightmapQuality,
    /// The ranges of [`Lightmap::charts_of`], by a hash of all inputs of their texels.
    charts: Memo<u128, Range<u32>>,
    /// The ranges of [`Lightmap::charts_of`], by whether they belong to a mover, and the name of the room or mover.
    named_charts: Memo<(bool, String), Range<u32>>,
    outlines: Memo<u128, SetOutlines>,
    /// A hash of the occluders of a room, by a hash of its surroundings.
    occluders: Memo<u128, u128>,
}

/// The lightmap of a reloaded level, before its missing texels are baked.
#[derive(Debug)]
pub struct Draft {
    /// The cache for the next version, valid once the missing texels are baked.
    cache: LightmapCache,
    /// Whether the texels of each of [`Lightmap::charts_of`] are missing. Missing texels are preliminary: copied from
    /// older texels in the same place, or unoccluded.
    missing: Vec<bool>,
}

impl LightmapCache {
    /// Creates the cache of a level's lightmap of this quality and of the light on it.
    pub fn of(
        level: &Level,
        quality: LightmapQuality,
        map: impl Into<Arc<Lightmap>>,
        texels: Vec<u32>,
    ) -> Self {
        let outlines = outlines(level, quality, cores(), &Memo::default());
        let map = (map.into(), texels);
        let (cache, _) = Self::with_keys(level, quality, map, outlines, &Memo::default());
        cache
    }

    /// Returns the cache of a lightmap and of the light on it, and the key of each of [`Lightmap::charts_of`].
    fn with_keys(
        level: &Level,
        quality: LightmapQuality,
        (map, texels): (Arc<Lightmap>, Vec<u32>),
        (outlines_of_sets, outlines): (Vec<SetOutlines>, Memo<u128, SetOutlines>),
        last_occluders: &Memo<u128, u128>,
    ) -> (Self, Vec<u128>) {
        let (of_rooms, occluders) = occluders_of_rooms(level, &map, last_occluders);
        let keys = keys(level, quality, &map, (&outlines_of_sets, &of_rooms));
        let charts = keys.iter().copied().zip(map.charts_of.iter().cloned());
        let named_charts = names(level).into_iter().zip(map.charts_of.iter().cloned());
        let cache = Self {
            charts: charts.collect(),
            named_charts: named_charts.collect(),
            map,
            texels,
            quality,
            outlines,
            occluders,
        };
        (cache, keys)
    }

    /// Lays out the lightmap of another version of the level, and copies the texels that stay the same.
    pub fn draft(&self, level: &Level) -> Draft {
        let outlines = outlines(level, self.quality, cores(), &self.outlines);
        let map = lay_out(level, self.quality, &outlines.0);
        let open = vec![pack(Vec3::ONE); map.sky_visibility.len()];
        let map = (map.into(), open);
        let (mut cache, keys) =
            Self::with_keys(level, self.quality, map, outlines, &self.occluders);
        // The map is not shared yet, so `make_mut` does not copy it.
        let mut to = (Arc::make_mut(&mut cache.map), &mut cache.texels);
        let mut missing = vec![false; keys.len()];
        let sets = keys.iter().zip(names(level)).zip(&mut missing);
        for (set, ((key, name), missing)) in sets.enumerate() {
            let charts = to.0.charts_of[set].clone();
            if let Some(same) = self.charts.get(key) {
                let pairs = same.clone().zip(charts);
                pairs.for_each(|(a, b)| copy_chart(self, a as usize, &mut to, b as usize));
                continue;
            }
            *missing = !charts.is_empty();
            // Until its own light is baked, a room or mover has the light of the older one with the same name.
            if let Some(older) = self.named_charts.get(&name) {
                charts.for_each(|chart| resample_chart(self, older, &mut to, chart as usize));
            }
        }
        Draft { cache, missing }
    }

    /// The lightmap.
    pub fn lightmap(&self) -> &Arc<Lightmap> {
        &self.map
    }

    /// Sets the light on the texels.
    pub fn set_texels(&mut self, texels: Vec<u32>) {
        self.texels = texels;
    }
}

impl Draft {
    /// The lightmap, with its missing texels not yet baked.
    pub fn lightmap(&self) -> &Arc<Lightmap> {
        &self.cache.map
    }

    /// The light on the texels. Missing texels have the older light in the same place, or that of an unoccluded texel.
    pub fn texels(&self) -> &[u32] {
        &self.cache.texels
    }

    /// The number of rooms and movers without final texels.
    pub fn missing(&self) -> usize {
        self.missing.iter().filter(|missing| **missing).count()
    }

    /// Bakes the missing texels; `None` if `go_on`, which is called from any thread, returns false before the end.
    pub fn finish(self, level: &Level, go_on: &(dyn Fn() -> bool + Sync)) -> Option<LightmapCache> {
        let Self { mut cache, missing } = self;
        let missing = (Arc::make_mut(&mut cache.map), &*missing);
        if !bake_missing(missing, level, cache.quality, cores(), &|_| go_on()) {
            return None;
        }
        Some(cache)
    }
}

/// Copies the texels of a chart to one of the same size.
fn copy_chart(
    from: &LightmapCache,
    chart: usize,
    (map, texels): &mut (&mut Lightmap, &mut Vec<u32>),
    to_chart: usize,
) {
    let [source, target] = [&from.map.charts[chart], &map.charts[to_chart]];
    let [columns, rows] = source.size;
    for row in 0..rows {
        let [a, b] = [(&*from.map, source), (&**map, target)].map(|(map, chart)| {
            let first = map.texel_index(chart, [0, row]);
            first..first + columns as usize
        });
        let visible = &from.map.sky_visibility[a.clone()];
        map.sky_visibility[b.clone()].copy_from_slice(visible);
        texels[b].copy_from_slice(&from.texels[a]);
    }
}

/// Resamples the texels of a chart from the nearest texels of older charts in its plane, if any.
fn resample_chart(
    from: &LightmapCache,
    older: &Range<u32>,
    (map, texels): &mut (&mut Lightmap, &mut Vec<u32>),
    chart: usize,
) {
    let older = &from.map.charts[older.start as usize..older.end as usize];
    let chart = &map.charts[chart];
    let columns = chart.size[0] as usize;
    let found = nearest_texels(chart, &from.map, older);
    for (index, from_texel) in found.enumerate() {
        let Some(from_texel) = from_texel else {
            continue;
        };
        let (row, column) = (index / columns, index % columns);
        let texel = map.texel_index(chart, [column as u32, row as u32]);
        map.sky_visibility[texel] = from.map.sky_visibility[from_texel];
        texels[texel] = from.texels[from_texel];
    }
}

/// Whether each of [`Lightmap::charts_of`] belongs to a mover, and its name.
fn names(level: &Level) -> Vec<(bool, String)> {
    let rooms = level.rooms.iter().map(|room| (false, room.name.clone()));
    let movers = level.movers.iter().map(|mover| (true, mover.name.clone()));
    rooms.chain(movers).collect()
}

/// A hash of the occluders of each room, and their memo. Empty for a lightmap without charts.
fn occluders_of_rooms(
    level: &Level,
    map: &Lightmap,
    last: &Memo<u128, u128>,
) -> (Vec<u128>, Memo<u128, u128>) {
    if map.charts.is_empty() {
        return Default::default();
    }
    let materials = materials_key(level);
    let next = last.next();
    let of_rooms = parallel_map(level.rooms.len(), cores(), |room| {
        let around = Surroundings::of(level, RoomId(room as u32), f64::from(RADIUS));
        next.get_or_compute(around.key(level, materials), || {
            let occluders = around.occluders(level);
            let hash = occluders.iter().fold(Fnv128::EMPTY, |hash, occluder| {
                let sides = u32::from(occluder.sides == FaceSides::Fronts);
                hash.words(&occluder.corners).words(&[sides])
            });
            hash.0
        })
    });
    (of_rooms, next.finish())
}

/// A hash of all inputs of the texels, for each room and each mover: the occluders, and the surfaces of the texels.
fn keys(
    level: &Level,
    quality: LightmapQuality,
    map: &Lightmap,
    (outlines, occluders): (&[SetOutlines], &[u128]),
) -> Vec<u128> {
    if map.charts.is_empty() {
        return vec![0; map.charts_of.len()];
    }
    let rooms = 0..level.rooms.len();
    let movers = level.movers.iter().map(|mover| mover.room.0 as usize);
    let of_sets = rooms.chain(movers).zip(&map.charts_of).zip(outlines);
    let keys = of_sets.map(|((room, charts), outlines)| {
        let hash = Fnv128::EMPTY.words(&[quality.rays]);
        let hash = hash.words(&[occluders[room], outlines.corners]);
        let charts = &map.charts[charts.start as usize..charts.end as usize];
        let hash = charts.iter().fold(hash, |hash, chart| {
            let axes = [chart.origin, chart.along_u, chart.along_v, chart.normal];
            hash.words(&chart.size).words(&axes)
        });
        hash.0
    });
    keys.collect()
}
