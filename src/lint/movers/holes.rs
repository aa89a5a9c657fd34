//! Holes in door panels that occlude the room behind them.

use glam::{DVec2, DVec3};

use crate::geometry::ConvexPolygon;
use crate::level::{LevelData, MoverId};

/// Distance between sample points of an opening, metres.
const SPACING: f64 = 0.02;
/// Maximum number of sample points along each side of an opening; in a large opening they are farther apart.
const MAX_POINTS: f64 = 300.0;
/// Minimum width and height of a hole, in uncovered sample points: a few centimetres.
const HOLE: usize = 2;
/// Width of the gap between a door and the sides of its opening, metres.
const PLAY: f64 = 0.02;
/// Minimum cosine of the angle between a face and its opening; a face with less is seen edge-on and covers nothing.
const EDGE_ON: f64 = 0.01;

/// A point in a hole of a door panel that occludes the room behind it, and the cure.
pub(super) fn hole(level: &LevelData, id: MoverId) -> Option<(DVec3, String)> {
    let mover = level.mover(id);
    let link = level.link(mover.link.filter(|_| !mover.see_through)?);
    let polygon = &level.portal(link.portal).polygon;
    for (side, room) in [(1.0, link.far), (-1.0, link.near)] {
        let mut shade = Shade::over(polygon);
        for draw in &level.draws[mover.draws.start as usize..mover.draws.end as usize] {
            let two_sided = level.materials[draw.material as usize].double_sided;
            let indices = draw.indices.start as usize..draw.indices.end as usize;
            for corners in level.indices[indices].as_chunks::<3>().0 {
                let corners = corners.map(|i| level.vertices[i as usize].position.as_dvec3());
                let cross = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                let turned = side * cross.dot(polygon.plane.normal);
                let turned = if two_sided { turned.abs() } else { turned };
                if turned > EDGE_ON * cross.length() {
                    shade.cover(corners);
                }
            }
        }
        if let Some(at) = shade.hole() {
            let message = format!(
                "seen from room `{}` it has a hole here, through which one sees the sky, for a shut panel without glass hides the room behind it; close the hole, or give a part of the panel a material that blends or is masked",
                level.room(room).name
            );
            return Some((at, message));
        }
    }
    None
}

/// A grid of sample points over an opening, some of them covered.
struct Shade<'a> {
    polygon: &'a ConvexPolygon,
    /// Unit vectors in the plane.
    axes: [DVec3; 2],
    /// The first sample point.
    from: DVec3,
    spacing: DVec2,
    columns: usize,
    /// Whether each point is covered, in row-major order.
    covered: Vec<bool>,
}

impl<'a> Shade<'a> {
    fn over(polygon: &'a ConvexPolygon) -> Self {
        let corners = &polygon.vertices;
        let along = (corners[1] - corners[0]).normalize_or_zero();
        let axes = [along, polygon.plane.normal.cross(along)];
        let flat = |p: &DVec3| DVec2::from_array(axes.map(|axis| axis.dot(*p - corners[0])));
        let low = corners.iter().map(flat).reduce(DVec2::min);
        let high = corners.iter().map(flat).reduce(DVec2::max);
        let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
        let counts = ((high - low) / SPACING)
            .ceil()
            .clamp(DVec2::ONE, DVec2::splat(MAX_POINTS));
        let [columns, rows] = counts.to_array().map(|count| count as usize + 1);
        Self {
            polygon,
            axes,
            from: corners[0] + axes[0] * low.x + axes[1] * low.y,
            spacing: (high - low) / counts,
            columns,
            covered: vec![false; columns * rows],
        }
    }

    /// The position of a point in the grid, in units of the sample distance.
    fn steps(&self, point: DVec3) -> DVec2 {
        let flat = self.axes.map(|axis| axis.dot(point - self.from));
        DVec2::from_array(flat) / self.spacing
    }

    /// Marks the points that a triangle covers, projected along the normal of the opening.
    fn cover(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners.map(|p| self.steps(p));
        let rows = self.covered.len() / self.columns;
        let last = DVec2::new(self.columns as f64, rows as f64) - 1.0;
        let low = a.min(b).min(c).ceil().max(DVec2::ZERO);
        let high = a.max(b).max(c).floor().min(last);
        if low.cmpgt(high).any() {
            return;
        }
        let turn = (b - a).perp_dot(c - a).signum();
        let edges = [(a, b), (b, c), (c, a)];
        let [first, last] = [low.x as usize, high.x as usize];
        for row in low.y as usize..=high.y as usize {
            // The triangle covers the columns on the inner side of all its edges.
            let (mut begin, mut end) = (first, last + 1);
            for (from, to) in edges {
                let is_in = |column: usize| {
                    let p = DVec2::new(column as f64, row as f64);
                    turn * (to - from).perp_dot(p - from) >= -1e-9
                };
                if begin >= end {
                    break;
                }
                match (is_in(begin), is_in(end - 1)) {
                    (true, true) => {}
                    (false, false) => end = begin,
                    (from_start, _) => {
                        let change = partition(begin..end, |column| is_in(column) == from_start);
                        let part = if from_start { &mut end } else { &mut begin };
                        *part = change;
                    }
                }
            }
            let row = row * self.columns;
            self.covered[row + begin..row + end].fill(true);
        }
    }

    /// The middle of a block of uncovered points.
    fn hole(&self) -> Option<DVec3> {
        let place = |column: usize, row: usize| {
            let at = DVec2::new(column as f64, row as f64) * self.spacing;
            self.from + self.axes[0] * at.x + self.axes[1] * at.y
        };
        let corners = &self.polygon.vertices;
        let sides = corners.iter().zip(corners.iter().cycle().skip(1));
        let planes: Vec<(DVec3, DVec3)> = sides
            .map(|(&from, &to)| {
                let out = (to - from).cross(self.polygon.plane.normal);
                (from, out.normalize_or_zero())
            })
            .collect();
        let is_open = |column: usize, row: usize| {
            let within = |p: DVec3| planes.iter().all(|(at, out)| out.dot(p - *at) < -PLAY);
            !self.covered[row * self.columns + column] && within(place(column, row))
        };
        let rows = self.covered.len() / self.columns;
        for row in 0..rows.saturating_sub(HOLE - 1) {
            for column in 0..self.columns.saturating_sub(HOLE - 1) {
                let block = (0..HOLE * HOLE).map(|i| (column + i % HOLE, row + i / HOLE));
                if block.into_iter().all(|(column, row)| is_open(column, row)) {
                    return Some(
                        place(column, row).midpoint(place(column + HOLE - 1, row + HOLE - 1)),
                    );
                }
            }
        }
        None
    }
}

/// The first index for which a predicate is false, if it is true for all before it and false for all after it.
fn partition(range: std::ops::Range<usize>, is_first: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low.midpoint(high);
        if is_first(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
