//! Sample places distributed over the surfaces of a room, with the light on them.

use glam::Vec3;

use super::lists::LightLists;
use crate::level::{Draw, Level, RoomId};

/// The approximate maximum number of samples of a room.
const MAX_SAMPLES: f32 = 800.0;
/// The minimum surface area that a sample represents, square metres.
const MIN_AREA: f32 = 0.1;

/// A place on a drawn surface, with the light that falls on it.
pub(super) struct Sample {
    /// The area that the sample represents, square metres.
    pub area: f32,
    /// Light from lamps on the place, linear RGB.
    pub from_lamps: Vec3,
    /// Light from the sun on the place, linear RGB.
    pub from_sun: Vec3,
    /// Index of the surface's material.
    pub material: u32,
}

/// Visits samples distributed over one room's surfaces, in proportion to the area of each surface, however it is
/// triangulated. The positions within small triangles depend on the file's order.
pub(super) fn sample_room(
    level: &Level,
    lists: &LightLists,
    room: RoomId,
    mut visit: impl FnMut(Sample),
) {
    let draws = level.room(room).draws.clone();
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let triangles = |draw: &Draw| {
        let indices = &level.indices[draw.indices.start as usize..draw.indices.end as usize];
        let corners = |corners: &[u32; 3]| corners.map(|i| level.vertices[i as usize].position);
        indices.as_chunks::<3>().0.iter().map(corners)
    };
    let cross = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
    let areas = draws.iter().flat_map(triangles);
    let area: f32 = areas.map(|corners| 0.5 * cross(corners).length()).sum();
    let of_sample = (area / MAX_SAMPLES).max(MIN_AREA);
    let lights = lists.of_room(room);
    // The area since the last sample; small triangles share samples.
    let mut waiting = 0.5 * of_sample;
    for draw in draws {
        for corners in triangles(draw) {
            let cross = cross(corners);
            let Some(normal) = cross.try_normalize() else {
                continue;
            };
            waiting += 0.5 * cross.length();
            let count = (waiting / of_sample) as u32;
            waiting -= count as f32 * of_sample;
            for index in 0..count {
                let [a, b, c] = corners;
                let [u, v] = scattered(index, count);
                let point = a + (b - a) * u + (c - a) * v;
                let mut sample = Sample {
                    area: of_sample,
                    from_lamps: Vec3::ZERO,
                    from_sun: Vec3::ZERO,
                    material: draw.material,
                };
                for light in lights {
                    let arrives = light.on_surface(point, normal, &lists.clip_planes);
                    if light.is_parallel() {
                        sample.from_sun += arrives;
                    } else {
                        sample.from_lamps += arrives;
                    }
                }
                visit(sample);
            }
        }
    }
}

/// One of `count` places distributed evenly over a triangle, as fractions of two of its edges: points of a
/// golden-ratio lattice, folded from the parallelogram into the triangle.
fn scattered(index: u32, count: u32) -> [f32; 2] {
    const GOLDEN: f32 = 0.618_034;
    let u = (index as f32 + 0.5) / count as f32;
    let v = (index as f32 * GOLDEN + 0.5).fract();
    if u + v > 1.0 {
        [1.0 - u, 1.0 - v]
    } else {
        [u, v]
    }
}
