//! Rays from every texel.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Vec2, Vec3};

use super::finish::finish;
use super::occluders::occluders;
use super::parallel::on_all_cores;
use super::tree::Tree;
use super::unwrap::unwrap;
use super::{Chart, Lightmap, Quality, Texel};
use crate::frame::doors;
use crate::geometry::Aabb32;
use crate::level::{Level, RoomId};

/// What is farther than this takes no light away, metres.
pub(super) const RADIUS: f32 = 1.5;
/// Rays start this far above their surface, metres: above what f32 coordinates are off and what
/// authors sink things into each other by, below what they lay upon them.
pub(super) const LIFT: f32 = 5e-3;
/// A place where a greater part of the rays meets backs lies inside of something or outside of
/// the room. Beside the outside of a wall it is nearly half.
const MOST_BACKS: f32 = 0.2;
/// Places in a texel from which rays start, texels from its middle: a square, a little off
/// halves, which are where walls stand.
const STARTS: [[f32; 2]; 4] = [[-0.23, -0.27], [0.27, -0.23], [-0.27, 0.23], [0.23, 0.27]];
/// Texels that are worth taking by another core: about ten milliseconds' work.
const BATCH: u32 = 2048;

/// Light that a thing at this distance takes away, of that from its direction.
pub(super) fn taken(distance: f32) -> f32 {
    let near = (1.0 - distance / RADIUS).max(0.0);
    near * near
}

/// The openness of a texel, as the rays tell it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Baked {
    /// Too far from the patch to show.
    Unseen,
    /// Inside of something; what the rays tell there.
    Inside(f32),
    /// 0..1.
    Open(f32),
}

/// Makes the lightmap of a level on all cores. `progress` is told how much is done, 0..1, from
/// any of them.
pub fn bake(level: &Level, quality: Quality, progress: &(dyn Fn(f32) + Sync)) -> Lightmap {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut map = unwrap(level, quality, cores);
    bake_into(&mut map, level, quality, cores, progress);
    map
}

/// Some rows of a chart.
struct Band {
    room: RoomId,
    chart: usize,
    start: u32,
    end: u32,
}

/// Finds the openness of a lightmap that is only laid out yet.
pub(super) fn bake_into(
    map: &mut Lightmap,
    level: &Level,
    quality: Quality,
    cores: usize,
    progress: &(dyn Fn(f32) + Sync),
) {
    if map.charts.is_empty() {
        return;
    }
    let trees = on_all_cores(level.rooms.len(), cores, |room| {
        Tree::new(occluders(level, RoomId(room as u32), f64::from(RADIUS)))
    });
    let directions = directions(quality.rays.max(STARTS.len() as u32));
    let bands = bands(level, map);
    let done = AtomicUsize::new(0);
    let baked = on_all_cores(bands.len(), cores, |index| {
        let band = &bands[index];
        let chart = &map.charts[band.chart];
        let tree = &trees[band.room.0 as usize];
        let texels = map.texels(level, chart, band.start..band.end);
        let places = (band.start..band.end)
            .flat_map(|row| (0..chart.size[0]).map(move |column| [column, row]));
        let baked: Vec<Baked> = places
            .zip(texels)
            .map(|(place, texel)| match texel {
                Some(texel) => bake_texel(tree, chart, place, &texel, &directions),
                None => Baked::Unseen,
            })
            .collect();
        progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f32 / bands.len() as f32);
        baked
    });
    let mut baked = bands.iter().zip(baked).peekable();
    for chart in 0..map.charts.len() {
        let mut of_chart = Vec::new();
        while let Some((_, rows)) = baked.next_if(|(band, _)| band.chart == chart) {
            of_chart.extend(rows);
        }
        finish(map, chart, &of_chart);
    }
}

/// The charts in order, cut into bands.
fn bands(level: &Level, map: &Lightmap) -> Vec<Band> {
    let rooms = level.room_ids();
    let leaves = doors(level).map(|link| level.link(link).from);
    let mut bands = Vec::new();
    for (room, charts) in rooms.chain(leaves).zip(&map.charts_of) {
        for chart in charts.start as usize..charts.end as usize {
            let [columns, rows] = map.charts[chart].size;
            let height = BATCH.div_ceil(columns);
            bands.extend((0..rows).step_by(height as usize).map(|start| Band {
                room,
                chart,
                start,
                end: rows.min(start + height),
            }));
        }
    }
    bands
}

/// Directions above z = 0, as many as the cosine of their slope: four sets, for texels with even
/// and odd columns and rows, each cut into one part for each start. The sets are even in
/// themselves, and so are all together: neighbouring texels add up to four times the rays.
struct Directions {
    /// Of all sets and starts, one after another.
    all: Vec<Vec3>,
    /// How many from each start.
    each: usize,
}

fn directions(rays: u32) -> Directions {
    let each = rays as usize / STARTS.len();
    let all = (0..each as u32 * 16).map(|i| {
        // A (0, 2)-sequence: I. Sobol', 1967.
        let [x, y] =
            [i.reverse_bits(), sobol(i)].map(|bits| (f64::from(bits) + 0.5) / 2f64.powi(32));
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * y);
        let radius = x.sqrt();
        Vec3::new(
            (radius * cos) as f32,
            (radius * sin) as f32,
            (1.0 - x).sqrt() as f32,
        )
    });
    Directions {
        all: all.collect(),
        each,
    }
}

/// The second dimension of Sobol's sequence.
fn sobol(mut index: u32) -> u32 {
    let (mut bits, mut digit) = (0, 1u32 << 31);
    while index != 0 {
        if index & 1 == 1 {
            bits ^= digit;
        }
        digit ^= digit >> 1;
        index >>= 1;
    }
    bits
}

fn bake_texel(
    tree: &Tree,
    chart: &Chart,
    [column, row]: [u32; 2],
    texel: &Texel,
    directions: &Directions,
) -> Baked {
    let near = Vec3::splat(0.5 * (chart.along_u.length() + chart.along_v.length()));
    let box_ = hemisphere(texel.normal);
    let within = Aabb32 {
        min: texel.position + box_.min - near,
        max: texel.position + box_.max + near,
    };
    if !tree.rises(&within, texel.position, texel.facet_normal, LIFT) {
        return Baked::Open(1.0);
    }
    let (side, other) = texel.normal.any_orthonormal_pair();
    let set = (column % 2 + 2 * (row % 2)) as usize;
    let (mut outside, mut starts_outside, mut inside) = (0.0, 0, 0.0);
    for (number, start) in STARTS.iter().enumerate() {
        let first = (set * STARTS.len() + number) * directions.each;
        let start = start_at(chart, texel, Vec2::from_array(*start));
        let (mut open, mut backs, mut count) = (0.0, 0.0, 0.0);
        for direction in &directions.all[first..first + directions.each] {
            let direction = side * direction.x + other * direction.y + texel.normal * direction.z;
            // Into the surface itself: no light comes from there, nor is any expected.
            if direction.dot(texel.facet_normal) <= 0.0 {
                continue;
            }
            count += 1.0;
            match tree.hit(start, direction, RADIUS) {
                Some(hit) => {
                    open += 1.0 - taken(hit.distance);
                    backs += f32::from(u8::from(hit.is_back));
                }
                None => open += 1.0,
            }
        }
        let part = open / f32::max(count, 1.0);
        if backs > MOST_BACKS * count {
            inside += part;
        } else {
            outside += part;
            starts_outside += 1;
        }
    }
    if starts_outside > 0 {
        Baked::Open(outside / starts_outside as f32)
    } else {
        Baked::Inside(inside / STARTS.len() as f32)
    }
}

/// A place beside the middle of a texel, lifted off the surface.
fn start_at(chart: &Chart, texel: &Texel, texels: Vec2) -> Vec3 {
    // A narrow patch has only its middle.
    let across = |axis: usize, along: Vec3| {
        if chart.size[axis] == 1 {
            Vec3::ZERO
        } else {
            along * texels[axis]
        }
    };
    let off = across(0, chart.along_u) + across(1, chart.along_v);
    // Along the chart's normal onto the plane of the triangle.
    let height = texel.facet_normal.dot(off) / texel.facet_normal.dot(chart.normal);
    texel.position + off - chart.normal * height + texel.facet_normal * LIFT
}

/// The box around the half of a sphere of [`RADIUS`] above the origin.
fn hemisphere(normal: Vec3) -> Aabb32 {
    let reach = |n: f32| {
        if n >= 0.0 {
            1.0
        } else {
            (1.0 - n * n).max(0.0).sqrt()
        }
    };
    let [x, y, z] = normal.to_array();
    Aabb32 {
        min: -Vec3::new(reach(-x), reach(-y), reach(-z)) * RADIUS,
        max: Vec3::new(reach(x), reach(y), reach(z)) * RADIUS,
    }
}
