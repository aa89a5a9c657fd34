//! The surface under each texel.

use std::ops::Range;

use glam::{DVec2, DVec3, Vec3};

use super::layout::{Chart, Lightmap};
use super::patches::vertices_of;

use crate::geometry::{Feature, Triangle};
use crate::level::Level;

/// The radius of linear filtering around a texel's centre, texels.
const FOOTPRINT: f64 = std::f64::consts::SQRT_2;

/// The surface under the centre of a texel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Texel {
    /// The position in the room's coordinates, metres. That of a texel outside the patch is on the plane of the nearest
    /// triangle.
    pub position: Vec3,
    /// The unit shading normal, interpolated between those of the vertices.
    pub normal: Vec3,
    /// The unit normal of the triangle.
    pub facet_normal: Vec3,
    /// The triangle, by number: corners are `3 * number..` in [`Lightmap::indices`].
    pub triangle: u32,
    /// Whether the texel's centre lies on the patch.
    pub is_on_patch: bool,
}

/// The nearest triangle to a texel found so far.
#[derive(Clone, Copy)]
struct Nearest {
    /// The distance, texels.
    distance: f64,
    triangle: u32,
    /// The closest point, in texels of the chart.
    at: DVec2,
}

impl Lightmap {
    /// The texels in some rows of a chart, row by row; `None` for texels too far from the patch to be visible.
    pub fn texels(&self, level: &Level, chart: &Chart, rows: Range<u32>) -> Vec<Option<Texel>> {
        let columns = chart.size[0];
        let mut nearest: Vec<Option<Nearest>> = vec![None; (columns * rows.len() as u32) as usize];
        let triangles = chart.triangles.start as usize..chart.triangles.end as usize;
        for &triangle in &self.triangles[triangles] {
            let flat = in_texels(level, chart, triangle);
            let [min, max] = flat
                .corners
                .iter()
                .fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[min, max], p| {
                    [min.min(*p), max.max(*p)]
                });
            let reach = |from: f64, to: f64, first: u32, end: u32| {
                let start = (from - FOOTPRINT).ceil().max(f64::from(first)) as u32;
                let last = (to + FOOTPRINT).floor().min(f64::from(end) - 1.0);
                start..(last + 1.0).max(0.0) as u32
            };
            for row in reach(min.y, max.y, rows.start, rows.end) {
                for column in reach(min.x, max.x, 0, columns) {
                    let middle = DVec3::new(f64::from(column), f64::from(row), 0.0);
                    let (at, feature) = flat.closest_point(middle);
                    let distance = if feature == Feature::Face {
                        0.0
                    } else {
                        at.distance(middle)
                    };
                    let place = &mut nearest[((row - rows.start) * columns + column) as usize];
                    // In a tie the first triangle wins, which is the largest.
                    let least = place.map_or(FOOTPRINT, |nearest| nearest.distance);
                    if distance < least {
                        *place = Some(Nearest {
                            distance,
                            triangle,
                            at: at.truncate(),
                        });
                    }
                }
            }
        }
        let middles = rows.flat_map(|row| (0..columns).map(move |column| [column, row]));
        let texels = middles.zip(nearest);
        texels
            .map(|(middle, nearest)| texel(level, chart, middle, &nearest?))
            .collect()
    }
}

/// Projects a triangle into the texels of a chart.
fn in_texels(level: &Level, chart: &Chart, triangle: u32) -> Triangle {
    let vertices = vertices_of(level, triangle).map(|i| &level.vertices[i as usize]);
    Triangle {
        corners: vertices.map(|vertex| chart.texel_at(vertex.position.as_dvec3()).extend(0.0)),
    }
}

fn texel(
    level: &Level,
    chart: &Chart,
    [column, row]: [u32; 2],
    nearest: &Nearest,
) -> Option<Texel> {
    let vertices = vertices_of(level, nearest.triangle).map(|i| &level.vertices[i as usize]);
    let corners = vertices.map(|vertex| vertex.position.as_dvec3());
    let facet_normal = Triangle { corners }.normal()?;
    let [u, v] = [chart.along_u, chart.along_v].map(Vec3::as_dvec3);
    let on_chart = chart.origin.as_dvec3() + u * f64::from(column) + v * f64::from(row);
    // Projection along the chart's normal onto the triangle's plane.
    let along = chart.normal.as_dvec3();
    let height = facet_normal.dot(corners[0] - on_chart) / facet_normal.dot(along);
    let shaded = blended(&in_texels(level, chart, nearest.triangle), nearest.at);
    let normals = vertices.map(|vertex| vertex.normal.unpack());
    let normal = normals[0] * shaded[0] + normals[1] * shaded[1] + normals[2] * shaded[2];
    let facet_normal = facet_normal.as_vec3();
    Some(Texel {
        position: (on_chart + along * height).as_vec3(),
        // A normal that points into the surface is useless for its lighting.
        normal: normal
            .try_normalize()
            .filter(|n| n.dot(facet_normal) > 0.1)
            .unwrap_or(facet_normal),
        facet_normal,
        triangle: nearest.triangle,
        is_on_patch: nearest.distance == 0.0,
    })
}

/// The barycentric coordinates of a point in a flat triangle.
fn blended(flat: &Triangle, at: DVec2) -> [f32; 3] {
    let [a, b, c] = flat.corners.map(DVec3::truncate);
    let whole = (b - a).perp_dot(c - a);
    let shares = [[b, c], [c, a], [a, b]].map(|[from, to]| (from - at).perp_dot(to - at) / whole);
    shares.map(|share| if share.is_finite() { share as f32 } else { 1.0 })
}
