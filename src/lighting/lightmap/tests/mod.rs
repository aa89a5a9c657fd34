//! Lightmaps of small levels with known light.

mod cached;
mod charts;
mod draft;
pub(super) mod hostile;
mod oracle;
mod seams;
mod sky_visibility;

use glam::{DVec3, Vec3};

use super::bake::bake_into;
use super::unwrap::unwrap;
use super::*;
use crate::author::sketch::{Sketch, cuboid};
use crate::build::build;
use crate::geometry::Triangle;
use crate::level::Level;

/// A quality with enough rays that noise is negligible.
const FINE: LightmapQuality = LightmapQuality {
    texels_per_metre: 10.0,
    rays: 256,
};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Builds the level of a sketch, with a spawn in a corner of the first room.
fn built(mut sketch: Sketch) -> Level {
    let corner = sketch.source.meshes[0].positions[0];
    sketch.spawn(0, corner + DVec3::splat(0.1), DVec3::NEG_Z);
    match build(sketch.source) {
        Ok((level, _)) => level,
        Err(problems) => panic!("{problems}"),
    }
}

/// A room of 8 x 3 x 6 m in the positive octant at the origin, with a crate on the floor and a board on a wall.
fn furnished() -> Sketch {
    let mut sketch = Sketch::new("furnished");
    let room = sketch.box_room("hall", cuboid([0., 0., 0.], [8., 3., 6.]), &[]);
    sketch.furniture(room, 0, cuboid([4., 0., 2.5], [5., 1., 3.3]));
    sketch.furniture(room, 0, cuboid([2., 1.2, 0.0], [3.3, 1.25, 0.4]));
    sketch
}

fn baked(level: &Level, quality: LightmapQuality) -> Lightmap {
    baked_on(level, quality, 2)
}

fn baked_on(level: &Level, quality: LightmapQuality, cores: usize) -> Lightmap {
    let mut map = unwrap(level, quality, cores);
    bake_into(&mut map, level, quality, cores, &|_| ());
    map
}

impl Chart {
    /// The centre of a texel.
    fn middle(&self, [column, row]: [u32; 2]) -> DVec3 {
        let [origin, u, v] = [self.origin, self.along_u, self.along_v].map(Vec3::as_dvec3);
        origin + u * f64::from(column) + v * f64::from(row)
    }
}

impl Lightmap {
    /// The sky visibility of a texel of a chart, 0..255.
    fn code(&self, chart: &Chart, [column, row]: [u32; 2]) -> u8 {
        let row = chart.page * self.page_side + chart.at[1] + row;
        self.sky_visibility[(row * self.page_side + chart.at[0] + column) as usize]
    }

    /// The sky visibility, 0..255, of a pixel at this place, on a surface with this normal, with linear filtering.
    fn seen(&self, level: &Level, at: DVec3, normal: DVec3) -> f64 {
        let chart = self.chart_at(level, at, normal);
        let place = chart.texel_at(at);
        let [u, v] = [0, 1].map(|axis| match chart.size[axis] {
            1 => 0.0,
            _ => place[axis],
        });
        let mut sum = 0.0;
        for (column, part_u) in [(u.floor(), 1.0 - u.fract()), (u.floor() + 1.0, u.fract())] {
            for (row, part_v) in [(v.floor(), 1.0 - v.fract()), (v.floor() + 1.0, v.fract())] {
                if part_u * part_v > 0.0 {
                    let code = self.code(chart, [column as u32, row as u32]);
                    sum += part_u * part_v * f64::from(code);
                }
            }
        }
        sum
    }

    /// The chart that contains the polygon at this place.
    fn chart_at(&self, level: &Level, at: DVec3, normal: DVec3) -> &Chart {
        let is_there = |chart: &&Chart| {
            self.triangles_of(level, chart).iter().any(|triangle| {
                let facing = triangle.normal().is_some_and(|n| n.dot(normal) > 0.99);
                facing && triangle.distance(at) < 1e-4
            })
        };
        let chart = self.charts.iter().find(is_there);
        chart.unwrap_or_else(|| panic!("nothing at {at}"))
    }

    /// The triangles of a chart, in the room's coordinates.
    fn triangles_of(&self, level: &Level, chart: &Chart) -> Vec<Triangle> {
        let numbers = chart.triangles.start as usize..chart.triangles.end as usize;
        let triangles = self.triangles[numbers].iter();
        triangles
            .map(|&number| patches::corners_of(level, number))
            .collect()
    }
}
