//! Unwrapping: lays out a level's surfaces in charts on pages, and assigns lightmap coordinates to vertices.

use std::ops::Range;

use glam::DVec2;

use super::charts::{ChartOutline, TexelSpan};
use super::layout::{Chart, Lightmap, LightmapQuality};
use super::outlines::{SetOutlines, first_triangle, outlines_of_sets};
use super::pack::pack;
use super::patches::{corners_of, is_lit, sets};
use crate::level::Level;
use crate::memo::Memo;
use crate::parallel::{cores, parallel_map};

/// The maximum number of texels of a level. So many take seconds to bake. Larger levels get a lower density.
const BUDGET: u64 = 2 << 20;
/// The minimum of a reduced density, texels per metre: below it, corners would no longer be visible.
const MIN_DENSITY: f64 = 2.5;
/// The maximum number of texels along a page's side: every graphics card supports it.
const PAGE_SIDE: u32 = 2048;
/// The number of texels above which a level has no lightmap: baking would take too long.
const MAX_TEXELS: u64 = 4 << 20;
/// The number of outlines or vertices in a thread's batch. Smaller batches would take microseconds, less than starting
/// a thread.
const PART: usize = 4096;
/// A marker for vertices and triangles that are on no chart.
pub(in crate::lighting) const NO_CHART: u32 = u32::MAX;

/// The lightmap of a level without baked light: everything is unoccluded.
pub fn flat(level: &Level) -> Lightmap {
    Lightmap {
        vertices: (0..level.vertices.len() as u32).collect(),
        places: vec![[0; 4]; level.vertices.len()],
        extents: vec![[0; 4]; level.vertices.len()],
        indices: level.indices.clone(),
        charts: Vec::new(),
        charts_of: vec![0..0; sets(level).len()],
        triangles: Vec::new(),
        page_side: 1,
        pages: 1,
        sky_visibility: vec![u8::MAX],
    }
}

/// Lays out the surfaces of a level, all of them unoccluded for now. Returns the same as [`flat`] if the level needs
/// too many texels. The area alone decides this where possible.
pub(super) fn unwrap(level: &Level, quality: LightmapQuality, cores: usize) -> Lightmap {
    let (outlines, _) = outlines(level, quality, cores, &Memo::default());
    lay_out(level, quality, &outlines)
}

/// The outlines of a level's surfaces, as [`outlines_of_sets`] returns them; none if the level is too large.
pub(super) fn outlines(
    level: &Level,
    quality: LightmapQuality,
    cores: usize,
    last: &Memo<u128, SetOutlines>,
) -> (Vec<SetOutlines>, Memo<u128, SetOutlines>) {
    if is_too_large(level, quality) {
        return Default::default();
    }
    outlines_of_sets(level, cores, last)
}

/// Lays out these outlines of the level, as [`unwrap`] does.
pub(super) fn lay_out(
    level: &Level,
    quality: LightmapQuality,
    of_sets: &[SetOutlines],
) -> Lightmap {
    let sets = sets(level);
    let mut charts_of = Vec::with_capacity(sets.len());
    let mut outlines: Vec<(&ChartOutline, u32)> = Vec::new();
    for (draws, of_set) in sets.iter().zip(of_sets) {
        let start = outlines.len() as u32;
        let first = first_triangle(level, draws);
        outlines.extend(of_set.outlines.iter().map(|outline| (outline, first)));
        charts_of.push(start..outlines.len() as u32);
    }
    let wanted = quality.texels_per_metre;
    let density = density(&outlines, min_density(quality), wanted);
    let spans: Vec<([TexelSpan; 2], f64)> = in_parts(outlines.len(), |outline| {
        outlines[outline].0.spans(density, PAGE_SIDE - 1)
    });
    let sizes: Vec<[u32; 2]> = spans
        .iter()
        .map(|(spans, _)| spans.map(|span| span.count))
        .collect();
    let texels = sizes
        .iter()
        .map(|&[columns, rows]| u64::from(columns) * u64::from(rows));
    if outlines.is_empty() || texels.sum::<u64>() > MAX_TEXELS {
        return flat(level);
    }
    let packed = pack(&sizes, PAGE_SIDE);
    let mut triangles = Vec::new();
    let mut charts = Vec::with_capacity(outlines.len());
    for ((&(outline, first), (spans, density)), &(page, at)) in
        outlines.iter().zip(&spans).zip(&packed.places)
    {
        let start = triangles.len() as u32;
        triangles.extend(outline.triangles.iter().map(|triangle| triangle + first));
        charts.push(chart(
            outline,
            spans,
            *density,
            page,
            at,
            start..triangles.len() as u32,
        ));
    }
    let (vertices, charts_of_vertices, indices) = draw_list(level, &charts, &triangles);
    let places = in_parts(vertices.len(), |at| {
        let chart = charts.get(charts_of_vertices[at] as usize);
        chart.map_or([0; 4], |chart| {
            place(level, vertices[at], chart, packed.side)
        })
    });
    let of_charts: Vec<[u16; 4]> = charts.iter().map(|c| extent(c, packed.side)).collect();
    let extents = charts_of_vertices.iter().map(|&chart| {
        let extent = of_charts.get(chart as usize);
        extent.copied().unwrap_or_default()
    });
    let extents = extents.collect();
    let texels = packed.pages as usize * (packed.side as usize).pow(2);
    Lightmap {
        vertices,
        places,
        extents,
        indices,
        charts,
        charts_of,
        triangles,
        page_side: packed.side,
        pages: packed.pages,
        sky_visibility: vec![u8::MAX; texels],
    }
}

/// Returns the results of short `work` items for 0, 1, ... `count` - 1, in this order, computed on all cores.
fn in_parts<T: Send + Sync>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let parts = count.div_ceil(PART);
    let of_part = |part: usize| {
        let numbers = part * PART..count.min((part + 1) * PART);
        numbers.map(&work).collect::<Vec<T>>()
    };
    let parts = parallel_map(parts, cores(), of_part);
    parts.into_iter().flatten().collect()
}

/// The minimum density of a lightmap of this quality, texels per metre.
fn min_density(quality: LightmapQuality) -> f64 {
    quality.texels_per_metre.min(MIN_DENSITY)
}

/// Whether the area of the lit surfaces exceeds the maximum number of texels at the minimum density.
pub(super) fn is_too_large(level: &Level, quality: LightmapQuality) -> bool {
    let square_metres = MAX_TEXELS as f64 / min_density(quality).powi(2);
    let mut sum = 0.0;
    for draw in level.draws.iter().filter(|draw| is_lit(level, draw)) {
        for triangle in draw.indices.start / 3..draw.indices.end / 3 {
            sum += corners_of(level, triangle).cross().length() * 0.5;
        }
        if sum > square_metres {
            return true;
        }
    }
    false
}

/// The density, texels per metre, at which the charts stay within the budget; at least `min`.
fn density(outlines: &[(&ChartOutline, u32)], min: f64, wanted: f64) -> f64 {
    let fits = |density: f64| {
        let texels = in_parts(outlines.len(), |outline| {
            let ([u, v], _) = outlines[outline].0.spans(density, PAGE_SIDE - 1);
            u64::from(u.count) * u64::from(v.count)
        });
        texels.iter().sum::<u64>() <= BUDGET
    };
    if fits(wanted) {
        return wanted;
    }
    let (mut low, mut high) = (min, wanted);
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn chart(
    outline: &ChartOutline,
    spans: &[TexelSpan; 2],
    density: f64,
    page: u32,
    at: [u32; 2],
    triangles: Range<u32>,
) -> Chart {
    let [u, v] = outline.axes;
    let height = outline.normal * outline.normal.dot(outline.at);
    Chart {
        page,
        at,
        size: spans.map(|span| span.count),
        origin: (u * spans[0].first + v * spans[1].first + height).as_vec3(),
        along_u: (u / density).as_vec3(),
        along_v: (v / density).as_vec3(),
        normal: outline.normal.as_vec3(),
        triangles,
    }
}

/// The vertices to draw, their charts ([`NO_CHART`] for none), and the indices of the triangles.
fn draw_list(level: &Level, charts: &[Chart], triangles: &[u32]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let chart_of = chart_of_triangles(level, charts, triangles);
    // The copies of each vertex, as linked lists: few vertices have more than three.
    const NONE: u32 = u32::MAX;
    let mut last_copy = vec![NONE; level.vertices.len()];
    let mut earlier: Vec<u32> = Vec::new();
    let mut charts_of_copies: Vec<u32> = Vec::new();
    let mut vertices = Vec::with_capacity(level.vertices.len());
    let mut indices = Vec::with_capacity(level.indices.len());
    for (corners, &chart) in level.indices.chunks_exact(3).zip(&chart_of) {
        for &vertex in corners {
            let mut copy = last_copy[vertex as usize];
            while copy != NONE && charts_of_copies[copy as usize] != chart {
                copy = earlier[copy as usize];
            }
            if copy == NONE {
                copy = vertices.len() as u32;
                earlier.push(last_copy[vertex as usize]);
                last_copy[vertex as usize] = copy;
                charts_of_copies.push(chart);
                vertices.push(vertex);
            }
            indices.push(copy);
        }
    }
    (vertices, charts_of_copies, indices)
}

/// The chart of each triangle of a level, or [`NO_CHART`]. `triangles` are [`Lightmap::triangles`].
pub(in crate::lighting) fn chart_of_triangles(
    level: &Level,
    charts: &[Chart],
    triangles: &[u32],
) -> Vec<u32> {
    let mut chart_of = vec![NO_CHART; level.indices.len() / 3];
    for (index, chart) in (0u32..).zip(charts) {
        for &triangle in &triangles[chart.triangles.start as usize..chart.triangles.end as usize] {
            chart_of[triangle as usize] = index;
        }
    }
    chart_of
}

/// The position of a vertex on its chart's page.
fn place(level: &Level, vertex: u32, chart: &Chart, side: u32) -> [u16; 4] {
    let position = level.vertices[vertex as usize].position.as_dvec3();
    let at = chart.texel_at(position);
    let [u, v] = [0, 1].map(|axis| {
        // Across a narrow patch, all points are at the centre of the single texel.
        let at = if chart.size[axis] == 1 { 0.0 } else { at[axis] };
        let in_page = f64::from(chart.at[axis]) + at + 0.5;
        (in_page / f64::from(side) * 65535.0).round() as u16
    });
    [u, v, chart.page as u16, 0]
}

/// The centres of the outermost texels of a chart on its page: minimum u and v, maximum u and v. Rounded inwards; all
/// vertices are still inside.
fn extent(chart: &Chart, side: u32) -> [u16; 4] {
    let middle = |texel: u32| (f64::from(texel) + 0.5) / f64::from(side) * 65535.0;
    let [min, max] = [0, 1].map(|end| {
        [0, 1].map(|axis| match chart.size[axis] {
            1 => middle(chart.at[axis]).round() as u16,
            _ if end == 0 => middle(chart.at[axis]).ceil() as u16,
            count => middle(chart.at[axis] + count - 1).floor() as u16,
        })
    });
    [min[0], min[1], max[0], max[1]]
}

impl Chart {
    /// Column and row of a position in the chart's texels; integers are texel centres.
    pub(in crate::lighting) fn texel_at(&self, position: glam::DVec3) -> DVec2 {
        let off = position - self.origin.as_dvec3();
        let axes = [self.along_u, self.along_v].map(|axis| axis.as_dvec3());
        DVec2::from_array(axes.map(|axis| axis.dot(off) / axis.length_squared()))
    }
}
