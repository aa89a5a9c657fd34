//! Splitting of triangles in two for a bounding volume hierarchy.

use glam::Vec3;

use super::leaf::{LANES, Occluder};
use crate::geometry::Aabb32;

/// The fraction by which another split must be better than one in the middle to be preferred. It exceeds rounding
/// errors of costs, so that among equal splits the middle one is chosen and the tree stays shallow.
const WORTH_UNEVEN: f32 = 1e-3;

/// Sorts the occluders and splits them in two, with only whole leaves in one part, so that the sum of both boxes'
/// surface areas, weighted by their numbers of leaves, is minimal (J. MacDonald and K. Booth, "Heuristics for ray
/// tracing using space subdivision", 1990).
pub(in crate::lighting) fn split(occluders: &mut [Occluder]) -> (&mut [Occluder], &mut [Occluder]) {
    let count = occluders.len();
    let mut best = (f32::INFINITY, 0, count / 2);
    let mut costs = vec![0.0; count];
    for axis in 0..3 {
        sort_along(occluders, axis);
        let mut bounds = Bounds::EMPTY;
        for at in (1..count).rev() {
            bounds.add(&occluders[at]);
            costs[at] = bounds.surface() * (count - at).div_ceil(LANES) as f32;
        }
        let mut bounds = Bounds::EMPTY;
        for at in 1..count {
            bounds.add(&occluders[at - 1]);
            if at.is_multiple_of(LANES) || (count - at).is_multiple_of(LANES) {
                let cost = costs[at] + bounds.surface() * at.div_ceil(LANES) as f32;
                let uneven = (2 * at).abs_diff(count) as f32 / count as f32;
                let cost = cost * (1.0 + WORTH_UNEVEN * uneven);
                if cost < best.0 {
                    best = (cost, axis, at);
                }
            }
        }
    }
    let (_, axis, at) = best;
    sort_along(occluders, axis);
    occluders.split_at_mut(at)
}

fn sort_along(occluders: &mut [Occluder], axis: usize) {
    let at = |o: &Occluder| o.corners.iter().map(|corner| corner[axis]).sum::<f32>();
    occluders.sort_unstable_by(|a, b| at(a).total_cmp(&at(b)));
}

struct Bounds(Aabb32);

impl Bounds {
    const EMPTY: Self = Self(Aabb32 {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    });

    fn add(&mut self, occluder: &Occluder) {
        for corner in occluder.corners {
            self.0.min = self.0.min.min(corner);
            self.0.max = self.0.max.max(corner);
        }
    }

    /// Half of the surface area, square metres.
    fn surface(&self) -> f32 {
        let size = self.0.max - self.0.min;
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}
