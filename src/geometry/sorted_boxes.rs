//! Boxes sorted along one axis, for overlap queries (sweep and prune).

use super::Aabb;

/// Ends of boxes with a smaller relative difference may be equal, apart from rounding.
const ROUNDING: f64 = 1e-12;

/// Boxes with indices, sorted along the axis of their largest spread.
#[derive(Clone, Debug, Default)]
pub struct SortedBoxes {
    axis: usize,
    /// The lower ends of the finite boxes along the axis, ascending, with the boxes' indices.
    starts: Vec<(f64, u32)>,
    /// The largest extent of the finite boxes along the axis.
    longest: f64,
    /// The non-finite boxes.
    infinite: Vec<u32>,
}

impl SortedBoxes {
    /// Sorts boxes; their indices are consecutive.
    pub fn new(boxes: &[Aabb]) -> Self {
        let is_finite = |bounds: &Aabb| bounds.min.is_finite() && bounds.max.is_finite();
        let numbered = || (0..).zip(boxes);
        let finite = || numbered().filter(|(_, bounds)| is_finite(bounds));
        let spread = Aabb::around(finite().map(|(_, bounds)| bounds.min));
        let spread = (spread.max - spread.min).to_array();
        let axis = (0..3).max_by(|a, b| spread[*a].total_cmp(&spread[*b]));
        let axis = axis.unwrap_or(0);
        let extents = finite().map(|(_, bounds)| bounds.max[axis] - bounds.min[axis]);
        let longest = extents.fold(0.0, f64::max);
        let starts = finite().map(|(index, bounds)| (bounds.min[axis], index));
        let mut starts: Vec<(f64, u32)> = starts.collect();
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let infinite = numbered().filter(|(_, bounds)| !is_finite(bounds));
        Self {
            axis,
            starts,
            longest,
            infinite: infinite.map(|(index, _)| index).collect(),
        }
    }

    /// The boxes that may touch another one, in no particular order.
    pub fn may_touch(&self, other: &Aabb) -> impl Iterator<Item = u32> {
        let [low, high] = [other.min, other.max].map(|end| end[self.axis]);
        let low = low - self.longest - ROUNDING * (low.abs() + self.longest);
        let first = self.starts.partition_point(|(start, _)| *start < low);
        let touching = self.starts[first..].iter();
        let touching = touching.take_while(move |(start, _)| *start <= high);
        let touching = touching.map(|(_, index)| *index);
        touching.chain(self.infinite.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;

    fn bounds() -> impl Strategy<Value = Aabb> {
        let corner = || prop::array::uniform3(-9.0..9.0f64).prop_map(DVec3::from_array);
        (corner(), 0.0..3.0f64).prop_map(|(p, size)| Aabb::around([p, p + DVec3::splat(size)]))
    }

    proptest! {
        #[test]
        fn no_box_that_touches_is_missed_and_an_infinite_one_never(
            mut boxes in prop::collection::vec(bounds(), 0..40), other in bounds(), infinite in 0..4usize,
        ) {
            if let Some(last) = boxes.get_mut(infinite) {
                *last = last.grown(f64::INFINITY);
            }
            let found: Vec<u32> = SortedBoxes::new(&boxes).may_touch(&other).collect();
            for (index, bounds) in (0..).zip(&boxes) {
                prop_assert!(!bounds.overlaps(&other) || found.contains(&index));
            }
        }
    }

    #[test]
    fn of_a_row_of_boxes_few_may_touch_one_at_its_end() {
        let at = |i: u32| Aabb::around([DVec3::new(0.0, 0.0, f64::from(i))]).grown(0.4);
        let row = SortedBoxes::new(&(0..1000).map(at).collect::<Vec<_>>());
        assert_eq!(row.may_touch(&at(999)).collect::<Vec<_>>(), [999]);
    }
}
