//! Preliminary light on changed surfaces, copied from older surfaces in the same place until their own light is baked.

use glam::Vec3;

use super::layout::{Chart, Lightmap};

/// The maximum distance between charts in one plane, metres. It is less than the thickness of objects lying on a
/// surface, and more than errors of f32 coordinates.
const IN_PLANE: f32 = 2e-3;
/// The minimum cosine of the angle between the normals of charts in one plane.
const SAME_NORMAL: f32 = 0.9999;

/// An older chart in the plane of a new one, and the positions of the new chart's texels on it: column and row of the
/// first texel, and the offsets to the next texel in its row and in its column.
struct Older<'a> {
    chart: &'a Chart,
    first: [f32; 2],
    by_column: [f32; 2],
    by_row: [f32; 2],
}

/// For each texel of a chart, row by row, the index of the nearest texel in an older lightmap; `None` where the older
/// charts have no texel. Only those of the given charts in the plane of `chart` are searched.
pub(super) fn nearest_texels(
    chart: &Chart,
    older: &Lightmap,
    charts: &[Chart],
) -> impl Iterator<Item = Option<usize>> {
    let in_plane = charts.iter().filter(|other| {
        other.normal.dot(chart.normal) >= SAME_NORMAL
            && (chart.origin - other.origin).dot(other.normal).abs() <= IN_PLANE
    });
    let in_plane: Vec<Older> = in_plane.map(|other| Older::of(other, chart)).collect();
    let side = older.page_side as usize;
    let [columns, rows] = chart.size;
    (0..rows).flat_map(move |row| {
        let found: Vec<Option<usize>> = (0..columns)
            .map(|column| {
                let mut places = in_plane.iter().map(|older| older.place(column, row, side));
                places.find_map(|place| place)
            })
            .collect();
        found
    })
}

impl<'a> Older<'a> {
    fn of(older: &'a Chart, chart: &Chart) -> Self {
        let steps = |v: Vec3| {
            [older.along_u, older.along_v].map(|axis| {
                let length = axis.length_squared();
                if length > 0.0 {
                    v.dot(axis) / length
                } else {
                    0.0
                }
            })
        };
        Self {
            chart: older,
            first: steps(chart.origin - older.origin),
            by_column: steps(chart.along_u),
            by_row: steps(chart.along_v),
        }
    }

    /// The index in the older lightmap of the nearest texel of the older chart.
    fn place(&self, column: u32, row: u32, side: usize) -> Option<usize> {
        let [x, y] = [0, 1].map(|axis| {
            let at = self.first[axis]
                + self.by_column[axis] * column as f32
                + self.by_row[axis] * row as f32;
            at.round()
        });
        let [columns, rows] = self.chart.size.map(|n| n as f32);
        // Also true for non-finite numbers.
        if !(0.0..columns).contains(&x) || !(0.0..rows).contains(&y) {
            return None;
        }
        let [page, first_row] = [self.chart.page, self.chart.at[1] + y as u32].map(|n| n as usize);
        Some((page * side + first_row) * side + (self.chart.at[0] + x as u32) as usize)
    }
}
