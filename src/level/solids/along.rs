//! The triangles of a set along a ray, from front to back.

use super::boxes::BoxQuantization;
use super::triangle::{CLUSTER, GROUP};
use super::{SolidGroup, SolidSet, SolidTriangle, Solids};
use crate::geometry::{Aabb32, RaySlabs};

/// The maximum number of groups in a cluster.
const CLUSTER_GROUPS: usize = CLUSTER / GROUP;

/// A box that the ray enters: the ray parameter at the entry, and the index of the box.
type Entered = (f64, u32);

/// A ray among the triangles of a set.
struct RayWalk<'a, F> {
    solids: &'a Solids,
    set: &'a SolidSet,
    ray: &'a RaySlabs,
    /// The interval of the ray parameter; its end is the limit that `test` returned last.
    interval: [f64; 2],
    test: F,
}

impl Solids {
    /// Calls `test` with the triangles of the set that a ray may hit in an interval of the ray parameter. The boxes
    /// are visited in the order in which the ray enters them, up to the limit that `test` returned last.
    pub(crate) fn along(
        &self,
        set: &SolidSet,
        ray: &RaySlabs,
        interval: [f64; 2],
        test: impl FnMut(SolidTriangle) -> f64,
    ) {
        let mut walk = RayWalk {
            solids: self,
            set,
            ray,
            interval,
            test,
        };
        let (counts, top) = self.level_counts(set);
        walk.visit_boxes(&counts, top, 0..counts[top]);
    }
}

impl<F: FnMut(SolidTriangle) -> f64> RayWalk<'_, F> {
    /// Visits at most [`GROUP`] boxes of a level of the hierarchy. Level 0 has the boxes of the clusters.
    fn visit_boxes(&mut self, counts: &[usize; 12], level: usize, boxes: std::ops::Range<usize>) {
        let (clusters, upper) = (self.solids.clusters_of(self.set), &self.solids.upper);
        let below: usize = counts[1..level.max(1)].iter().sum();
        let mut entered = EnteredBoxes::<GROUP>::default();
        for index in boxes {
            let bounds = match level {
                0 => &clusters[index].bounds,
                _ => &upper[self.set.upper as usize + below + index],
            };
            if let Some([enter, _]) = self.ray.within(&bounds.to_f64(), self.interval) {
                entered.add(enter, index as u32);
            }
        }
        for &(enter, index) in entered.sorted() {
            if enter > self.interval[1] {
                break;
            }
            let index = index as usize;
            if level == 0 {
                self.visit_cluster(self.set.clusters.start + index as u32);
            } else {
                let end = ((index + 1) * GROUP).min(counts[level - 1]);
                self.visit_boxes(counts, level - 1, index * GROUP..end);
            }
        }
    }

    fn visit_cluster(&mut self, index: u32) {
        let cluster = &self.solids.clusters[index as usize];
        let bounds = cluster.bounds.to_f64();
        let Some(inside) = self.ray.within(&bounds, self.interval) else {
            return;
        };
        let parts = cluster.parts(&self.solids.blocks);
        let steps = BoxQuantization::of(&cluster.bounds);
        let around = Aabb32::around(&self.ray.bounds(inside));
        let around_in_steps = steps.round(&around);
        let mut entered = EnteredBoxes::<CLUSTER_GROUPS>::default();
        let groups = parts.triangles.len().div_ceil(GROUP);
        for (row, boxes) in parts.rows.iter().enumerate() {
            let touching = boxes.touching(&around_in_steps);
            for lane in (0..GROUP.min(groups - row * GROUP)).filter(|&lane| touching[lane]) {
                let bounds = boxes.get(lane, &steps).to_f64();
                if let Some([enter, _]) = self.ray.within(&bounds, self.interval) {
                    entered.add(enter, (row * GROUP + lane) as u32);
                }
            }
        }
        for &(enter, group) in entered.sorted() {
            if enter > self.interval[1] {
                break;
            }
            let first = group * GROUP as u32;
            let end = (first + GROUP as u32).min(parts.triangles.len() as u32);
            let group = SolidGroup {
                cluster: index,
                triangles: first..end,
            };
            for (at, corners) in (0..).zip(self.solids.corners_of(&group)) {
                if Aabb32::around_points(&corners).overlaps(&around) {
                    self.interval[1] = (self.test)(self.solids.triangle_of(&group, at));
                }
            }
        }
    }
}

/// A list of entered boxes.
struct EnteredBoxes<const N: usize> {
    boxes: [Entered; N],
    count: usize,
}

impl<const N: usize> Default for EnteredBoxes<N> {
    fn default() -> Self {
        Self {
            boxes: [(0.0, 0); N],
            count: 0,
        }
    }
}

impl<const N: usize> EnteredBoxes<N> {
    fn add(&mut self, enter: f64, index: u32) {
        self.boxes[self.count] = (enter, index);
        self.count += 1;
    }

    /// The boxes in the order in which the ray enters them.
    fn sorted(&mut self) -> &[Entered] {
        let boxes = &mut self.boxes[..self.count];
        boxes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        boxes
    }
}
