//! Boxes in a layout that finds those near a point several at a time.

use glam::{DVec3, Vec3};

use crate::geometry::Aabb32;

/// Boxes tested at a time.
pub(super) const LANES: usize = 8;

/// A list of boxes.
#[derive(Debug, Default)]
pub(super) struct Boxes {
    rows: Vec<Row>,
    len: usize,
    /// The greatest coordinate, by magnitude.
    farthest: f32,
}

/// [`LANES`] boxes, axis by axis.
#[derive(Clone, Copy, Debug)]
struct Row {
    min: [[f32; LANES]; 3],
    max: [[f32; LANES]; 3],
}

/// A sphere that boxes are tested against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    centre: Vec3,
    /// Square of its radius, with what rounding may take.
    limit: f32,
    rounding: f32,
}

impl Boxes {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.len = 0;
        self.farthest = 0.0;
    }

    /// Adds a box; returns its index.
    pub(super) fn push(&mut self, bounds: &Aabb32) -> usize {
        let lane = self.len % LANES;
        if lane == 0 {
            self.rows.push(Row::EMPTY);
        }
        let row = &mut self.rows[self.len / LANES];
        for axis in 0..3 {
            row.min[axis][lane] = bounds.min[axis];
            row.max[axis][lane] = bounds.max[axis];
        }
        let corner = bounds.min.abs().max(bounds.max.abs());
        self.farthest = self.farthest.max(corner.max_element());
        self.len += 1;
        self.len - 1
    }

    /// Lets the next box be the first of a row; returns the index of that row.
    pub(super) fn start_row(&mut self) -> usize {
        self.len = self.rows.len() * LANES;
        self.rows.len()
    }

    /// What is within `reach` metres of `centre`, to be asked for.
    pub(super) fn probe(&self, centre: DVec3, reach: f64) -> Probe {
        let centre = centre.as_vec3();
        // What rounding to f32 may take: of the point, and of each difference.
        let farthest = self.farthest.max(centre.abs().max_element());
        let rounding = 4.0 * f32::EPSILON * farthest;
        let reach = (reach as f32 + rounding) * (1.0 + 8.0 * f32::EPSILON);
        Probe {
            centre,
            limit: reach * reach,
            rounding,
        }
    }

    /// Calls `found` with the index of every box within the probe, and with how near it comes at
    /// most, metres, in order; a few that come a little less near may be among them.
    #[inline]
    pub(super) fn within(&self, probe: &Probe, mut found: impl FnMut(usize, f64)) {
        for row in 0..self.rows.len() {
            self.within_row(row, probe, &mut found);
        }
    }

    /// The same for the boxes of one row.
    #[inline]
    pub(super) fn within_row(
        &self,
        row: usize,
        probe: &Probe,
        mut found: impl FnMut(usize, f64),
    ) {
        let squared = self.rows[row].squared_distances(probe.centre);
        let mut lanes = 0_u32;
        for (lane, &squared) in squared.iter().enumerate() {
            lanes |= u32::from(squared <= probe.limit) << lane;
        }
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % LANES;
            lanes &= lanes - 1;
            let least = squared[lane].sqrt() * (1.0 - 8.0 * f32::EPSILON) - probe.rounding;
            found(row * LANES + lane, f64::from(least));
        }
    }
}

impl Row {
    /// Boxes that are nowhere, until they are filled.
    const EMPTY: Self = Self {
        min: [[f32::INFINITY; LANES]; 3],
        max: [[f32::NEG_INFINITY; LANES]; 3],
    };

    fn squared_distances(&self, point: Vec3) -> [f32; LANES] {
        let mut squared = [0.0_f32; LANES];
        for ((min, max), point) in self.min.iter().zip(&self.max).zip(point.to_array()) {
            for ((squared, min), max) in squared.iter_mut().zip(min).zip(max) {
                let outside = (min - point).max(point - max).max(0.0);
                *squared += outside * outside;
            }
        }
        squared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_box_that_is_within_reach_is_missed(
            corners in prop::collection::vec(prop::array::uniform6(-5.0..5.0_f32), 0..40),
            offset in prop::sample::select(vec![0.0, 1e3, 1e5]),
            point in prop::array::uniform3(-6.0..6.0_f64),
            reach in 0.0..3.0_f64,
        ) {
            let centre = DVec3::from_array(point) + DVec3::splat(offset);
            let mut boxes = Boxes::default();
            let (mut all, mut expected) = (Vec::new(), Vec::new());
            for (i, c) in corners.iter().enumerate() {
                let [a, b] = [&c[..3], &c[3..]].map(|c| Vec3::from_slice(c) + Vec3::splat(offset as f32));
                let bounds = Aabb32::around_points(&[a, b]);
                boxes.push(&bounds);
                all.push(bounds);
                let exact = bounds.to_f64();
                if centre.distance(centre.clamp(exact.min, exact.max)) <= reach {
                    expected.push(i);
                }
            }
            let mut found = Vec::new();
            boxes.within(&boxes.probe(centre, reach), |i, least| {
                let bounds = all[i].to_f64();
                assert!(least <= centre.distance(centre.clamp(bounds.min, bounds.max)));
                found.push(i);
            });
            prop_assert!(expected.iter().all(|i| found.contains(i)));
            // Nor is much found that is out of reach.
            let far = |&i: &usize| {
                let bounds = all[i].to_f64();
                centre.distance(centre.clamp(bounds.min, bounds.max)) > reach + 0.1
            };
            prop_assert!(!found.iter().any(far));
        }
    }
}
