//! Texels that are kept when a level is loaded again: those of rooms and movers that would come out the same.

use std::collections::HashMap;
use std::ops::Range;

use glam::Vec3;

use super::bake::{RADIUS, bake_missing};
use super::layout::{Chart, Lightmap, Quality};
use super::occluders::occluders;
use super::outlines::Outlines;
use super::patches::vertices_of;
use super::resample::nearest_texels;
use super::unwrap::{lay_out, outlines};
use crate::hash::Fnv128;
use crate::level::{Level, RoomId};
use crate::lighting::rgb9e5::pack;
use crate::parallel::{cores, parallel_map};

/// A finished lightmap, with what its texels were made of.
#[derive(Debug)]
pub struct Kept {
    map: Lightmap,
    /// The ambient irradiance on its texels: [`crate::lighting::Texels::rgb`].
    texels: Vec<u32>,
    quality: Quality,
    /// For each of [`Lightmap::charts_of`] a number for all that its texels depend on.
    keys: Vec<u128>,
    /// And whether it is a mover's, and its name.
    names: Vec<(bool, String)>,
    /// What was laid out.
    outlines: Outlines,
}

/// The lightmap of a level that was loaded again, before its missing texels are baked.
#[derive(Debug)]
pub struct Draft {
    kept: Kept,
    /// For each of [`Lightmap::charts_of`] whether its texels are missing: they are the older ones in the same place, or
    /// open.
    missing: Vec<bool>,
}

impl Kept {
    /// A level's lightmap of this quality, and the light on it.
    pub fn of(level: &Level, quality: Quality, map: Lightmap, texels: Vec<u32>) -> Self {
        let outlines = outlines(level, quality, cores(), &Outlines::default());
        Self::laid_out(level, quality, outlines, (map, texels))
    }

    fn laid_out(
        level: &Level,
        quality: Quality,
        outlines: Outlines,
        (map, texels): (Lightmap, Vec<u32>),
    ) -> Self {
        Self {
            keys: keys(level, quality, &map),
            names: names(level),
            map,
            texels,
            quality,
            outlines,
        }
    }

    /// The lightmap of another level, with the texels of this one wherever they would be the same.
    pub fn carry_to(&self, level: &Level) -> Draft {
        let outlines = outlines(level, self.quality, cores(), &self.outlines);
        let map = lay_out(level, self.quality, &outlines);
        let open = vec![pack(Vec3::ONE); map.sky_visibility.len()];
        let mut kept = Self::laid_out(level, self.quality, outlines, (map, open));
        let sets = self.keys.iter().zip(&self.map.charts_of);
        let known: HashMap<u128, &Range<u32>> = sets.map(|(key, of)| (*key, of)).collect();
        let sets = self.names.iter().zip(&self.map.charts_of);
        let named: HashMap<&(bool, String), &Range<u32>> = sets.collect();
        let mut missing = vec![false; kept.keys.len()];
        for (set, missing) in missing.iter_mut().enumerate() {
            let charts = kept.map.charts_of[set].clone();
            if let Some(&from) = known.get(&kept.keys[set]) {
                let pairs = from.clone().zip(charts);
                pairs
                    .for_each(|(from, to)| copy_chart(self, from as usize, &mut kept, to as usize));
                continue;
            }
            *missing = !charts.is_empty();
            // What stands where it stood has the light that it had until its own is baked.
            if let Some(&older) = named.get(&kept.names[set]) {
                charts.for_each(|chart| resample_chart(self, older, &mut kept, chart as usize));
            }
        }
        Draft { kept, missing }
    }

    /// The lightmap.
    pub fn lightmap(&self) -> &Lightmap {
        &self.map
    }

    /// The light on its texels, once it is known.
    pub fn set_texels(&mut self, texels: Vec<u32>) {
        self.texels = texels;
    }
}

impl Draft {
    /// The lightmap as far as it is known.
    pub fn lightmap(&self) -> &Lightmap {
        &self.kept.map
    }

    /// The light on its texels as far as it is known; where it is not, the older light in the same place, or that of
    /// an open one.
    pub fn texels(&self) -> &[u32] {
        &self.kept.texels
    }

    /// How many rooms and movers lack their texels.
    pub fn missing(&self) -> usize {
        self.missing.iter().filter(|missing| **missing).count()
    }

    /// Bakes what is missing; nothing if `go_on`, which any thread may ask, says no meanwhile.
    pub fn finish(self, level: &Level, go_on: &(dyn Fn() -> bool + Sync)) -> Option<Kept> {
        let Self { mut kept, missing } = self;
        let missing = (&mut kept.map, &*missing);
        if !bake_missing(missing, level, kept.quality, cores(), &|_| go_on()) {
            return None;
        }
        Some(kept)
    }
}

/// Copies the texels of a chart to one of the same size.
fn copy_chart(from: &Kept, chart: usize, to: &mut Kept, to_chart: usize) {
    let [source, target] = [&from.map.charts[chart], &to.map.charts[to_chart]];
    let [columns, rows] = source.size;
    for row in 0..rows {
        let [a, b] = [(&from.map, source), (&to.map, target)].map(|(map, chart)| {
            let first = first_texel(map, chart, row);
            first..first + columns as usize
        });
        let visible = &from.map.sky_visibility[a.clone()];
        to.map.sky_visibility[b.clone()].copy_from_slice(visible);
        to.texels[b].copy_from_slice(&from.texels[a]);
    }
}

/// Gives the texels of a chart those that lie nearest to them on older charts in its plane, if any.
fn resample_chart(from: &Kept, older: &Range<u32>, to: &mut Kept, chart: usize) {
    let older = &from.map.charts[older.start as usize..older.end as usize];
    let chart = &to.map.charts[chart];
    let columns = chart.size[0] as usize;
    let found = nearest_texels(chart, &from.map, older);
    for (index, from_texel) in found.enumerate() {
        let Some(from_texel) = from_texel else {
            continue;
        };
        let (row, column) = (index / columns, index % columns);
        let texel = first_texel(&to.map, chart, row as u32) + column;
        to.map.sky_visibility[texel] = from.map.sky_visibility[from_texel];
        to.texels[texel] = from.texels[from_texel];
    }
}

/// Where a row of a chart begins among the texels of its lightmap.
fn first_texel(map: &Lightmap, chart: &Chart, row: u32) -> usize {
    let side = map.page_side as usize;
    (chart.page as usize * side + (chart.at[1] + row) as usize) * side + chart.at[0] as usize
}

/// For each of [`Lightmap::charts_of`] whether it is a mover's, and the name.
fn names(level: &Level) -> Vec<(bool, String)> {
    let rooms = level.rooms.iter().map(|room| (false, room.name.clone()));
    let movers = level.movers.iter().map(|mover| (true, mover.name.clone()));
    rooms.chain(movers).collect()
}

/// For each room and each mover a number for all that its texels depend on: what occludes them, and the surfaces
/// that they lie on.
fn keys(level: &Level, quality: Quality, map: &Lightmap) -> Vec<u128> {
    if map.charts.is_empty() {
        return vec![0; map.charts_of.len()];
    }
    let of_rooms = parallel_map(level.rooms.len(), cores(), |room| {
        let occluders = occluders(level, RoomId(room as u32), f64::from(RADIUS));
        let hash = Fnv128::EMPTY.words(&[quality.rays]);
        occluders.iter().fold(hash, |hash, occluder| {
            let sides = u32::from(occluder.two_sided);
            hash.words(&occluder.corners).words(&[sides])
        })
    });
    let rooms = 0..level.rooms.len();
    let movers = level.movers.iter().map(|mover| mover.room.0 as usize);
    let rooms: Vec<usize> = rooms.chain(movers).collect();
    parallel_map(map.charts_of.len(), cores(), |set| {
        let charts = &map.charts_of[set];
        let charts = &map.charts[charts.start as usize..charts.end as usize];
        let hash = Fnv128(of_rooms[rooms[set]].0);
        charts
            .iter()
            .fold(hash, |hash, chart| of_chart(level, map, chart, hash))
            .0
    })
}

fn of_chart(level: &Level, map: &Lightmap, chart: &Chart, hash: Fnv128) -> Fnv128 {
    let axes = [chart.origin, chart.along_u, chart.along_v, chart.normal];
    let mut hash = hash.words(&chart.size).words(&axes);
    for &triangle in &map.triangles[chart.triangles.start as usize..chart.triangles.end as usize] {
        let corners = vertices_of(level, triangle).map(|vertex| {
            let vertex = &level.vertices[vertex as usize];
            let [x, y, z] = vertex.position.to_array().map(f32::to_bits);
            [x, y, z, bytemuck::cast(vertex.normal)]
        });
        hash = hash.words(&corners);
    }
    hash
}
