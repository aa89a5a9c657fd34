//! Sample places distributed over the surfaces of a room, with the light on them.

use glam::Vec3;

use super::lists::RoomLights;
use super::reflectance::tint_of_triangle;
use crate::level::{Draw, Level, RoomId};

/// The number of samples of a room.
pub(super) struct SampleDensity {
    /// The approximate maximum number.
    pub max_count: f32,
    /// The minimum surface area that a sample represents, square metres.
    pub min_area: f32,
}

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
    /// The mean colour of the triangle's vertices, linear RGB.
    pub tint: Vec3,
}

/// Visits samples distributed over one room's surfaces, in proportion to the area of each surface, however it is
/// triangulated. The positions within small triangles depend on the file's order.
pub(super) fn sample_room(
    level: &Level,
    lights: &RoomLights,
    density: SampleDensity,
    room: RoomId,
    mut visit: impl FnMut(Sample),
) {
    let draws = level.room(room).draws.clone();
    let draws = &level.draws[draws.start as usize..draws.end as usize];
    let triangles = |draw: &Draw| {
        let corners = |triangle| {
            let first = triangle as usize * 3;
            [0, 1, 2].map(|corner| {
                let vertex = level.indices[first + corner];
                level.vertices[vertex as usize].position
            })
        };
        (draw.indices.start / 3..draw.indices.end / 3)
            .map(move |triangle| (triangle, corners(triangle)))
    };
    let cross = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
    let areas = draws.iter().flat_map(triangles);
    let area: f32 = areas
        .map(|(_, corners)| 0.5 * cross(corners).length())
        .sum();
    let of_sample = (area / density.max_count).max(density.min_area);
    // The area since the last sample; small triangles share samples.
    let mut waiting = 0.5 * of_sample;
    for draw in draws {
        for (triangle, corners) in triangles(draw) {
            let cross = cross(corners);
            let Some(normal) = cross.try_normalize() else {
                continue;
            };
            waiting += 0.5 * cross.length();
            let count = (waiting / of_sample) as u32;
            waiting -= count as f32 * of_sample;
            let tint = tint_of_triangle(level, triangle);
            for index in 0..count {
                let [a, b, c] = corners;
                let [u, v] = scattered(index, count);
                let point = a + (b - a) * u + (c - a) * v;
                let mut sample = Sample {
                    area: of_sample,
                    from_lamps: Vec3::ZERO,
                    from_sun: Vec3::ZERO,
                    material: draw.material,
                    tint,
                };
                for light in &*lights.lights {
                    let arrives = light.on_surface(point, normal, &lights.clip_planes);
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
