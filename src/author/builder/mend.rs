//! Removes T-junctions: if a corner of one polygon lies on an edge of another, the corner is inserted into that edge,
//! so that rounding opens no gap between the polygons.

use std::collections::BTreeMap;

use glam::DVec3;

use super::polygon::{Loop, TOLERANCE, edges};

/// Welds equal corners, and inserts into each edge all corners that lie on it.
pub(super) fn mend<'a>(loops: impl Iterator<Item = &'a mut Loop>) {
    let mut loops: Vec<&mut Loop> = loops.collect();
    let mut cells = Cells::default();
    for corner in loops.iter_mut().flat_map(|polygon| polygon.iter_mut()) {
        *corner = cells.weld(*corner);
    }
    let along = Along::of(cells.points);
    for polygon in &mut loops {
        let mut mended = Loop::with_capacity(polygon.len());
        for (a, b) in edges(polygon).filter(|(a, b)| a != b) {
            mended.push(a);
            mended.extend(along.on_edge(a, b));
        }
        **polygon = mended;
    }
}

/// An edge that no edge of another polygon matches in the opposite direction, if there is one.
pub(super) fn open_edge<'a>(loops: impl Iterator<Item = &'a Loop>) -> Option<[DVec3; 2]> {
    let mut balance: BTreeMap<[[u64; 3]; 2], (i32, [DVec3; 2])> = BTreeMap::new();
    let key = |p: DVec3| (p + DVec3::ZERO).to_array().map(f64::to_bits);
    for (a, b) in loops.flat_map(|polygon| edges(polygon)) {
        let (ends, sign) = if key(a) < key(b) {
            ([key(a), key(b)], 1)
        } else {
            ([key(b), key(a)], -1)
        };
        balance.entry(ends).or_insert((0, [a, b])).0 += sign;
    }
    let mut open = balance.into_values().filter(|(sum, _)| *sum != 0);
    open.next().map(|(_, edge)| edge)
}

/// Points in a grid. Cells are as wide as the tolerance, so equal points are in the same cell or in adjacent ones.
#[derive(Default)]
struct Cells {
    cells: BTreeMap<[i64; 3], usize>,
    points: Vec<DVec3>,
}

impl Cells {
    /// The first known point that is equal to this one within the tolerance.
    fn weld(&mut self, point: DVec3) -> DVec3 {
        let cell = point.to_array().map(|x| (x / TOLERANCE).floor() as i64);
        for step in 0..27 {
            let near = [
                cell[0] + step % 3 - 1,
                cell[1] + step / 3 % 3 - 1,
                cell[2] + step / 9 - 1,
            ];
            let known = self.cells.get(&near).map(|&i| self.points[i]);
            if let Some(known) = known.filter(|known| known.distance(point) <= TOLERANCE) {
                return known;
            }
        }
        self.cells.insert(cell, self.points.len());
        self.points.push(point);
        point
    }
}

/// Points, sorted along the axis of their greatest spread.
struct Along {
    axis: usize,
    points: Vec<DVec3>,
}

impl Along {
    fn of(mut points: Vec<DVec3>) -> Self {
        let spread = |axis: usize| {
            let ends = points.iter().map(|p| p[axis]);
            let least = ends.clone().fold(f64::INFINITY, f64::min);
            ends.fold(f64::NEG_INFINITY, f64::max) - least
        };
        let axis = (0..3).max_by(|&a, &b| spread(a).total_cmp(&spread(b)));
        let axis = axis.unwrap_or(0);
        points.sort_by(|a, b| a[axis].total_cmp(&b[axis]));
        Self { axis, points }
    }

    /// The points on an edge, without its ends, in order.
    fn on_edge(&self, a: DVec3, b: DVec3) -> Vec<DVec3> {
        let [low, high] = [
            a[self.axis].min(b[self.axis]),
            a[self.axis].max(b[self.axis]),
        ];
        let first = |x: f64| self.points.partition_point(|p| p[self.axis] < x);
        let near = &self.points[first(low - TOLERANCE)..first(high + 2.0 * TOLERANCE)];
        let length = a.distance(b);
        let unit = (b - a) / length;
        let part = |p: DVec3| unit.dot(p - a);
        let lies_on = |p: &&DVec3| {
            let along = part(**p);
            let off = (**p - a - unit * along).length();
            **p != a && **p != b && along > 0.0 && along < length && off <= TOLERANCE
        };
        let mut found: Vec<DVec3> = near.iter().filter(lies_on).copied().collect();
        found.sort_by(|p, q| part(*p).total_cmp(&part(*q)));
        found
    }
}
