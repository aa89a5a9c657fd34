//! Boxes in a layout that finds those near a point several at a time.

use glam::DVec3;

use crate::geometry::Aabb32;

/// Boxes tested at a time.
const LANES: usize = 8;

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

impl Boxes {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.len = 0;
        self.farthest = 0.0;
    }

    pub(super) fn push(&mut self, bounds: &Aabb32) {
        let lane = self.len % LANES;
        if lane == 0 {
            // Boxes that are nowhere, until they are filled.
            self.rows.push(Row {
                min: [[f32::INFINITY; LANES]; 3],
                max: [[f32::NEG_INFINITY; LANES]; 3],
            });
        }
        let row = &mut self.rows[self.len / LANES];
        for axis in 0..3 {
            row.min[axis][lane] = bounds.min[axis];
            row.max[axis][lane] = bounds.max[axis];
        }
        let corner = bounds.min.abs().max(bounds.max.abs());
        self.farthest = self.farthest.max(corner.max_element());
        self.len += 1;
    }

    /// Calls `found` with the index of every box that comes within `reach` of `centre`, in order;
    /// a few that come a little less near may be among them.
    pub(super) fn within(&self, centre: DVec3, reach: f64, mut found: impl FnMut(usize)) {
        let point = centre.as_vec3().to_array();
        // What rounding to f32 may take: of the point, and of each difference.
        let farthest = self.farthest.max(centre.as_vec3().abs().max_element());
        let reach = (reach as f32 + 4.0 * f32::EPSILON * farthest) * (1.0 + 8.0 * f32::EPSILON);
        let limit = reach * reach;
        for (first, row) in (0..).step_by(LANES).zip(&self.rows) {
            let mut squared = [0.0_f32; LANES];
            for ((min, max), point) in row.min.iter().zip(&row.max).zip(point) {
                for ((squared, min), max) in squared.iter_mut().zip(min).zip(max) {
                    let outside = (min - point).max(point - max).max(0.0);
                    *squared += outside * outside;
                }
            }
            for (lane, squared) in squared.iter().enumerate() {
                if *squared <= limit {
                    found(first + lane);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
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
            boxes.within(centre, reach, |i| found.push(i));
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
