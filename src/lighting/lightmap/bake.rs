//! Ray casting from every texel.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use glam::{DVec3, Vec3};

use super::finish::{Baked, finish};
use super::layout::{Lightmap, LightmapQuality};
use super::occluders::occluders;
use super::texels::Texel;
use super::unwrap::unwrap;
use crate::geometry::Aabb32;
use crate::level::{Level, RoomId};
use crate::lighting::bvh::{Above, PendingNode, Tree};
use crate::parallel::{cores, parallel_map};

/// Surfaces at this distance or farther, metres, occlude nothing.
pub(super) const RADIUS: f32 = 1.5;
/// The distance of ray origins from their surface, metres. It exceeds errors of f32 coordinates and the depth to which
/// authors sink objects into each other, but not the thickness of objects that authors lay on others.
pub(in crate::lighting) const LIFT: f32 = 5e-3;
/// The maximum fraction of rays that hit back faces. If the fraction is greater, the place lies inside an object or
/// outside the room. Beside the outside of a wall the fraction is nearly half.
pub(in crate::lighting) const MAX_BACK_FACES: f32 = 0.2;
/// The maximum fraction of rays that end within [`NEAR`]. If the fraction is greater, an object lies on the surface,
/// and no camera sees the place. In a corner the fraction is three quarters.
const MAX_NEAR: f32 = 0.9;
/// The distance for [`MAX_NEAR`], metres.
const NEAR: f32 = 0.05;
/// The number of texels for which another thread pays off: about ten milliseconds' work.
const BATCH: u32 = 2048;

/// The fraction of the light from a direction that an occluder at a distance in metres blocks.
pub(super) fn occlusion(distance: f32) -> f32 {
    let near = (1.0 - distance / RADIUS).max(0.0);
    near * near
}

/// Bakes the lightmap of a level on all cores. `progress` is called from any thread with the fraction that is done,
/// 0..1.
pub fn bake(level: &Level, quality: LightmapQuality, progress: &(dyn Fn(f32) + Sync)) -> Lightmap {
    let mut map = unwrap(level, quality, cores());
    bake_into(&mut map, level, quality, cores(), progress);
    map
}

/// A range of rows of a chart.
struct Band {
    room: RoomId,
    chart: usize,
    start: u32,
    end: u32,
}

/// Fills in the sky visibility of a lightmap that has only its layout.
pub(super) fn bake_into(
    map: &mut Lightmap,
    level: &Level,
    quality: LightmapQuality,
    cores: usize,
    progress: &(dyn Fn(f32) + Sync),
) {
    let all = vec![true; map.charts_of.len()];
    bake_missing((map, &all), level, quality, cores, &|part| {
        progress(part);
        true
    });
}

/// Bakes the missing rooms and movers of [`Lightmap::charts_of`]. Stops early, with only some of them baked, if
/// `go_on` returns false; returns whether the bake was completed.
pub(super) fn bake_missing(
    (map, missing): (&mut Lightmap, &[bool]),
    level: &Level,
    quality: LightmapQuality,
    cores: usize,
    go_on: &(dyn Fn(f32) -> bool + Sync),
) -> bool {
    if map.charts.is_empty() {
        return true;
    }
    let bands = bands(level, map, missing);
    let mut is_needed = vec![false; level.rooms.len()];
    for band in &bands {
        is_needed[band.room.0 as usize] = true;
    }
    let trees = parallel_map(level.rooms.len(), cores, |room| {
        let occluders = if is_needed[room] {
            occluders(level, RoomId(room as u32), f64::from(RADIUS))
        } else {
            Vec::new()
        };
        Tree::new(occluders)
    });
    let directions: [_; 4] = directions(quality.rays);
    let (done, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let baked = parallel_map(bands.len(), cores, |index| {
        if is_stopped.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let band = &bands[index];
        let chart = &map.charts[band.chart];
        let tree = &trees[band.room.0 as usize];
        let mut stack = tree.stack();
        let texels = map.texels(level, chart, band.start..band.end);
        let places = (band.start..band.end)
            .flat_map(|row| (0..chart.size[0]).map(move |column| [column, row]));
        let baked: Vec<Baked> = places
            .zip(texels)
            .map(|([column, row], texel)| match texel {
                Some(texel) => {
                    let directions = &directions[(column % 2 + row % 2 * 2) as usize];
                    bake_texel(tree, &texel, directions, &mut stack)
                }
                None => Baked::Unseen,
            })
            .collect();
        let part = (done.fetch_add(1, Ordering::Relaxed) + 1) as f32 / bands.len() as f32;
        if !go_on(part) {
            is_stopped.store(true, Ordering::Relaxed);
        }
        baked
    });
    if is_stopped.into_inner() {
        return false;
    }
    let mut baked = bands.iter().zip(baked).peekable();
    while let Some(chart) = baked.peek().map(|(band, _)| band.chart) {
        let mut of_chart = Vec::new();
        while let Some((_, rows)) = baked.next_if(|(band, _)| band.chart == chart) {
            of_chart.extend(rows);
        }
        finish(map, chart, &of_chart);
    }
    true
}

/// The charts of the missing rooms and movers in order, cut into bands.
fn bands(level: &Level, map: &Lightmap, missing: &[bool]) -> Vec<Band> {
    let rooms = level.room_ids();
    let movers = level.movers.iter().map(|mover| mover.room);
    let mut bands = Vec::new();
    let sets = rooms.chain(movers).zip(&map.charts_of).zip(missing);
    for ((room, charts), _) in sets.filter(|(_, missing)| **missing) {
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

/// Unit vectors above z = 0, with a density proportional to the cosine of their angle from the z axis: several sets, for
/// neighbouring texels. Each set is evenly distributed, and so is their union, so that neighbouring texels together
/// act like several times the rays.
pub(in crate::lighting) fn directions<const SETS: usize>(rays: u32) -> [Vec<Vec3>; SETS] {
    let direction = |i: u32| {
        // A (0, 2)-sequence: I. Sobol', 1967.
        let bits = [i.reverse_bits(), sobol(i)];
        let [x, y] = bits.map(|bits| (f64::from(bits) + 0.5) / 2f64.powi(32));
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * y);
        let radius = x.sqrt();
        DVec3::new(radius * cos, radius * sin, (1.0 - x).sqrt()).as_vec3()
    };
    std::array::from_fn(|set| {
        let first = set as u32 * rays;
        (first..first + rays).map(direction).collect()
    })
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
    texel: &Texel,
    directions: &[Vec3],
    stack: &mut Vec<PendingNode>,
) -> Baked {
    let half = hemisphere(texel.normal);
    let above = Above {
        within: Aabb32 {
            min: texel.position + half.min,
            max: texel.position + half.max,
        },
        on: texel.position,
        normal: texel.facet_normal,
    };
    if !tree.rises(&above, LIFT) {
        return Baked::Open(1.0);
    }
    let start = texel.position + texel.facet_normal * LIFT;
    let (tangent, bitangent) = texel.normal.any_orthonormal_pair();
    let (mut open, mut backs, mut near, mut count) = (0.0, 0.0, 0.0, 0.0);
    for (number, direction) in directions.iter().enumerate() {
        // More rays would not change the result: all rays so far ended near, or all hit back faces.
        if number == 8 && (near == 8.0 || backs == 8.0) {
            break;
        }
        let direction =
            tangent * direction.x + bitangent * direction.y + texel.normal * direction.z;
        // A direction that points into the surface receives no light: no ray is cast.
        if direction.dot(texel.facet_normal) <= 0.0 {
            continue;
        }
        count += 1.0;
        match tree.hit(start, direction, RADIUS, stack) {
            Some(hit) => {
                open += 1.0 - occlusion(hit.distance);
                backs += f32::from(u8::from(hit.is_back));
                near += f32::from(u8::from(hit.distance < NEAR));
            }
            None => open += 1.0,
        }
    }
    let part = open / f32::max(count, 1.0);
    if backs > MAX_BACK_FACES * count || near > MAX_NEAR * count {
        Baked::Inside(part)
    } else {
        Baked::Open(part)
    }
}

/// The bounds of the half sphere of [`RADIUS`] around the origin, on the side of the normal.
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
