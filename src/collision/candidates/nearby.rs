//! Boxes in a SIMD layout: several boxes are tested against a sphere at a time.

use glam::{DVec3, Vec3, Vec4};

use crate::geometry::Aabb32;

/// The number of boxes tested at a time.
pub(super) const LANES: usize = 8;

/// An empty box, which no sphere touches.
const NOWHERE: Aabb32 = Aabb32 {
    min: Vec3::INFINITY,
    max: Vec3::NEG_INFINITY,
};

/// A list of boxes.
#[derive(Debug, Default)]
pub(super) struct BoxList {
    rows: Vec<BoxRow>,
    len: usize,
}

/// [`LANES`] boxes, axis by axis, in halves as wide as the processor's SIMD lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct BoxRow {
    halves: [Half; 2],
}

/// Four boxes, axis by axis.
#[derive(Clone, Copy, Debug)]
struct Half {
    min: [Vec4; 3],
    max: [Vec4; 3],
}

/// A sphere that boxes are tested against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    centre: Vec3,
    /// Square of the radius, grown by the rounding error.
    limit: f32,
}

impl BoxList {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.len = 0;
    }

    /// Adds a box.
    pub(super) fn push(&mut self, bounds: &Aabb32) {
        let lane = self.len % LANES;
        if lane == 0 {
            self.rows.push(BoxRow::EMPTY);
        }
        self.rows[self.len / LANES].set(lane, bounds);
        self.len += 1;
    }

    /// Removes all boxes from index `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.rows.truncate(len.div_ceil(LANES));
        let in_last = len % LANES;
        if let Some(last) = self.rows.last_mut().filter(|_| in_last > 0) {
            (in_last..LANES).for_each(|lane| last.set(lane, &NOWHERE));
        }
        self.len = len;
    }

    /// The box with this index.
    pub(super) fn get(&self, index: usize) -> Aabb32 {
        let half = &self.rows[index / LANES].halves[index % LANES / 4];
        Aabb32 {
            min: Vec3::from_array(half.min.map(|lanes| lanes[index % 4])),
            max: Vec3::from_array(half.max.map(|lanes| lanes[index % 4])),
        }
    }

    /// Starts a new row for the next box; returns the index of that row.
    pub(super) fn start_row(&mut self) -> usize {
        self.len = self.rows.len() * LANES;
        self.rows.len()
    }

    /// The probe for boxes within `reach` metres of `centre`.
    pub(super) fn probe(centre: DVec3, reach: f64) -> Probe {
        let centre = centre.as_vec3();
        // The rounding error of f32: of the point, and of the computed distances.
        let rounding = 2.0 * f32::EPSILON * centre.abs().max_element();
        let reach = (reach as f32 + rounding) * (1.0 + 8.0 * f32::EPSILON);
        Probe {
            centre,
            limit: reach * reach,
        }
    }

    /// The distance from a point to the nearest box, metres, at most `limit`; slightly reduced for rounding.
    pub(super) fn nearest(&self, point: DVec3, limit: f64) -> f64 {
        let centre = point.as_vec3();
        let halves = self.rows.iter().flat_map(|row| &row.halves);
        let squared = halves.fold(Vec4::INFINITY, |least, half| {
            least.min(half.squared_distances(centre))
        });
        let rounding = 2.0 * f32::EPSILON * centre.abs().max_element();
        let nearest = squared.min_element().sqrt() * (1.0 - 8.0 * f32::EPSILON) - rounding;
        f64::from(nearest).min(limit)
    }

    /// Calls `found` with the index of every box within the probe, in order; a few boxes that are slightly
    /// farther away may be included.
    #[inline]
    pub(super) fn within(&self, probe: &Probe, mut found: impl FnMut(usize)) {
        for row in 0..self.rows.len() {
            self.within_row(row, probe, &mut found);
        }
    }

    /// Calls `found` as [`Self::within`] does, for the boxes of one row.
    #[inline]
    pub(super) fn within_row(&self, row: usize, probe: &Probe, mut found: impl FnMut(usize)) {
        let mut lanes = self.rows[row].within(probe);
        while lanes != 0 {
            found(row * LANES + lanes.trailing_zeros() as usize);
            lanes &= lanes - 1;
        }
    }

    /// Calls `found` as [`Self::within`] does, for repeated tests of the same boxes. It uses branches, which the
    /// processor then predicts; a loop over set bits would have to wait for the next bit.
    #[inline]
    pub(super) fn again_within(&self, probe: &Probe, mut found: impl FnMut(usize)) {
        for (row, boxes) in self.rows.iter().enumerate() {
            let lanes = boxes.within(probe);
            for lane in (0..LANES).filter(|lane| lanes & 1 << lane != 0) {
                found(row * LANES + lane);
            }
        }
    }
}

impl Probe {
    /// Whether a box is within the probe, apart from rounding.
    pub(super) fn touches(&self, bounds: &Aabb32) -> bool {
        let outside = (bounds.min - self.centre).max(self.centre - bounds.max);
        outside.max(Vec3::ZERO).length_squared() <= self.limit
    }
}

impl BoxRow {
    /// A row of empty boxes.
    const EMPTY: Self = Self {
        halves: [Half {
            min: [Vec4::INFINITY; 3],
            max: [Vec4::NEG_INFINITY; 3],
        }; 2],
    };

    fn set(&mut self, lane: usize, bounds: &Aabb32) {
        let half = &mut self.halves[lane / 4];
        for axis in 0..3 {
            half.min[axis][lane % 4] = bounds.min[axis];
            half.max[axis][lane % 4] = bounds.max[axis];
        }
    }

    /// A bit mask of the boxes within the probe.
    fn within(&self, probe: &Probe) -> u32 {
        let [low, high] = &self.halves;
        low.within(probe) | high.within(probe) << 4
    }
}

impl Half {
    fn within(&self, probe: &Probe) -> u32 {
        let squared = self.squared_distances(probe.centre);
        squared.cmple(Vec4::splat(probe.limit)).bitmask()
    }

    fn squared_distances(&self, centre: Vec3) -> Vec4 {
        let mut squared = Vec4::ZERO;
        for axis in 0..3 {
            let point = Vec4::splat(centre[axis]);
            let outside = (self.min[axis] - point).max(point - self.max[axis]);
            let outside = outside.max(Vec4::ZERO);
            squared += outside * outside;
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
            let mut boxes = BoxList::default();
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
            boxes.within(&BoxList::probe(centre, reach), |i| found.push(i));
            prop_assert!(expected.iter().all(|i| found.contains(i)));
            // The result must not contain boxes far out of reach either.
            let far = |&i: &usize| {
                let bounds = all[i].to_f64();
                centre.distance(centre.clamp(bounds.min, bounds.max)) > reach + 0.1
            };
            prop_assert!(!found.iter().any(far));
        }
    }
}
