//! A bounding volume hierarchy of boxes, for overlap queries.

use super::Aabb;

/// The maximum number of boxes in a leaf, which are tested one by one.
const LEAF: usize = 8;

/// A tree of boxes with indices, split at the median along the axis of their largest spread.
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    /// The boxes in the order of the leaves.
    boxes: Vec<(Aabb, u32)>,
    /// The nodes; each precedes its children.
    nodes: Vec<BoxTreeNode>,
}

#[derive(Clone, Debug)]
struct BoxTreeNode {
    bounds: Aabb,
    /// The range of boxes of a leaf; empty for inner nodes.
    first: u32,
    end: u32,
    /// The node that follows this node's whole subtree.
    next: u32,
}

impl BoxTree {
    /// Builds a tree of boxes; their indices are consecutive.
    pub fn new(boxes: impl IntoIterator<Item = Aabb>) -> Self {
        let mut tree = Self {
            boxes: boxes.into_iter().zip(0..).collect(),
            nodes: Vec::new(),
        };
        if !tree.boxes.is_empty() {
            tree.add_node(0, tree.boxes.len());
        }
        tree
    }

    /// Whether the tree has no boxes.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    fn add_node(&mut self, first: usize, end: usize) {
        let index = self.nodes.len();
        let boxes = &mut self.boxes[first..end];
        let bounds = boxes.iter().map(|(bounds, _)| *bounds);
        let bounds = bounds.fold(Aabb::EMPTY, Aabb::union);
        let is_leaf = boxes.len() <= LEAF;
        let end_of_leaf = if is_leaf { end } else { first };
        self.nodes.push(BoxTreeNode {
            bounds,
            first: first as u32,
            end: end_of_leaf as u32,
            next: 0,
        });
        if !is_leaf {
            let middles = boxes.iter().map(|(bounds, _)| bounds.centre());
            let spread = Aabb::around(middles);
            let axis = (spread.max - spread.min).max_position();
            let half = boxes.len() / 2;
            boxes.select_nth_unstable_by(half, |(a, i), (b, k)| {
                let [a, b] = [a, b].map(|bounds| bounds.centre()[axis]);
                a.total_cmp(&b).then(i.cmp(k))
            });
            self.add_node(first, first + half);
            self.add_node(first + half, end);
        }
        self.nodes[index].next = self.nodes.len() as u32;
    }

    /// Calls `found` with the index of each box that touches `other`, in no particular order.
    pub fn each_touching(&self, other: &Aabb, mut found: impl FnMut(u32)) {
        self.any_touching(other, |index| {
            found(index);
            false
        });
    }

    /// Whether `counts` is true for any box that touches `other`; the search ends at the first.
    pub fn any_touching(&self, other: &Aabb, mut counts: impl FnMut(u32) -> bool) -> bool {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.bounds.overlaps(other) {
                at = node.next as usize;
                continue;
            }
            for (bounds, index) in &self.boxes[node.first as usize..node.end as usize] {
                if bounds.overlaps(other) && counts(*index) {
                    return true;
                }
            }
            at += 1;
        }
        false
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
        fn the_boxes_found_are_those_that_touch(
            mut boxes in prop::collection::vec(bounds(), 0..99), other in bounds(), infinite in 0..99usize,
        ) {
            if let Some(everywhere) = boxes.get_mut(infinite) {
                *everywhere = EVERYWHERE;
            }
            let mut found = Vec::new();
            BoxTree::new(boxes.iter().copied()).each_touching(&other, |index| found.push(index));
            found.sort_unstable();
            let touching = (0..).zip(&boxes).filter(|(_, bounds)| bounds.overlaps(&other));
            prop_assert_eq!(found, touching.map(|(index, _)| index).collect::<Vec<u32>>());
        }
    }

    const EVERYWHERE: Aabb = Aabb {
        min: DVec3::NEG_INFINITY,
        max: DVec3::INFINITY,
    };

    #[test]
    fn a_box_everywhere_is_found_everywhere() {
        let at = |i: u32| Aabb::around([DVec3::new(0.0, 0.0, f64::from(i))]).grown(0.4);
        let boxes = (0..100).map(|i| if i % 2 == 0 { EVERYWHERE } else { at(i) });
        let mut found = 0;
        BoxTree::new(boxes).each_touching(&at(200), |_| found += 1);
        assert_eq!(found, 50);
    }
}
