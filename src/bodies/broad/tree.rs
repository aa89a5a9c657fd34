//! The dynamic box tree: one for each room, balanced by rotations.
//!
//! The box of a leaf is larger than the box that was put, so that a body that moves a little stays in its leaf. A new
//! leaf is inserted where it enlarges the boxes above it least, by surface. On the way back to the root, rotations
//! shrink boxes (a child is swapped with a child of its sibling), or reduce the height of an unbalanced tree (E.
//! Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019; D. Kopta and others, "Fast, Effective BVH Updates for
//! Animated Scenes", 2012; G. Adelson-Velsky, E. Landis, 1962).

use glam::DVec3;

use super::finder::{NONE, PairFinder, RoomBox, at_key, in_order};
use crate::geometry::Aabb;
use crate::level::RoomId;

/// The margin of a leaf's box, as a fraction of the largest extent of the box that was put. With this value a ball
/// that moves a sixth of its motion box in a tick is put into the tree again every third tick. A larger margin makes
/// this rarer, and queries slower.
const SPARE: f64 = 0.25;

/// The maximum difference in height between children. A smaller difference makes boxes larger without benefit.
/// Without any limit, boxes at one point would turn the tree into a list.
const MAX_SLOPE: u32 = 4;

/// Boxes in trees.
#[derive(Debug, Default)]
pub struct DynamicTree {
    nodes: Vec<BodyTreeNode>,
    /// Nodes that are not in use.
    free: Vec<u32>,
    /// The root of each room.
    roots: Vec<u32>,
    /// The leaves, in any order.
    leaves: Vec<u32>,
    /// The index in `leaves` of the leaf of each key.
    place_of: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct BodyTreeNode {
    /// The box around both children; for a leaf, the box that was put, with a margin.
    bounds: Aabb,
    parent: u32,
    /// The children; [`NONE`] for a leaf.
    children: [u32; 2],
    /// The height; 0 for a leaf.
    height: u32,
    /// The key and box that were put; only for a leaf.
    key: u32,
    place: RoomBox,
}

impl PairFinder for DynamicTree {
    fn put(&mut self, key: u32, place: &RoomBox) {
        let known = *at_key(&mut self.place_of, key, NONE);
        if let Some(&leaf) = self.leaves.get(known as usize) {
            let node = &mut self.nodes[leaf as usize];
            let is_inside =
                node.bounds.contains(place.bounds.min) && node.bounds.contains(place.bounds.max);
            if node.place.room == place.room && is_inside {
                node.place = *place;
                return;
            }
            self.remove(key);
        }
        let spare = SPARE * (place.bounds.max - place.bounds.min).max_element();
        let leaf = self.node(BodyTreeNode {
            bounds: place
                .bounds
                .grown(if spare.is_finite() { spare } else { 0.0 }),
            parent: NONE,
            children: [NONE; 2],
            height: 0,
            key,
            place: *place,
        });
        self.place_of[key as usize] = self.leaves.len() as u32;
        self.leaves.push(leaf);
        self.insert(leaf, place.room);
    }

    fn remove(&mut self, key: u32) {
        let known = std::mem::replace(at_key(&mut self.place_of, key, NONE), NONE);
        if known == NONE {
            return;
        }
        let leaf = self.leaves.swap_remove(known as usize);
        if let Some(moved) = self.leaves.get(known as usize) {
            self.place_of[self.nodes[*moved as usize].key as usize] = known;
        }
        let BodyTreeNode { parent, place, .. } = self.nodes[leaf as usize];
        self.free.push(leaf);
        if parent == NONE {
            self.roots[place.room.0 as usize] = NONE;
            return;
        }
        let BodyTreeNode {
            parent: above,
            children: [a, b],
            ..
        } = self.nodes[parent as usize];
        let sibling = if a == leaf { b } else { a };
        self.free.push(parent);
        self.replace_child(above, parent, sibling, place.room);
        self.refit(above, place.room);
    }

    fn find_pairs(&mut self, pairs: &mut Vec<[u32; 2]>) {
        for &leaf in &self.leaves {
            let BodyTreeNode { key, place, .. } = &self.nodes[leaf as usize];
            self.overlapping(place, |other| {
                if other > *key {
                    pairs.push(in_order(*key, other));
                }
            });
        }
    }

    fn find_overlapping(&mut self, place: &RoomBox, keys: &mut Vec<u32>) {
        self.overlapping(place, |key| keys.push(key));
    }
}

impl DynamicTree {
    /// Whether there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// Calls `found` with the key of every box that overlaps a given one, which need not be in the tree.
    pub fn overlapping(&self, place: &RoomBox, mut found: impl FnMut(u32)) {
        let Some(&root) = self.roots.get(place.room.0 as usize) else {
            return;
        };
        if root == NONE {
            return;
        }
        let mut index = root;
        loop {
            let node = &self.nodes[index as usize];
            if node.bounds.overlaps(&place.bounds) {
                if node.height > 0 {
                    index = node.children[0];
                    continue;
                }
                if node.place.bounds.overlaps(&place.bounds) {
                    found(node.key);
                }
            }
            // Go up to a node whose second child has not been visited.
            loop {
                if index == root {
                    return;
                }
                let above = self.nodes[index as usize].parent;
                let [first, second] = self.nodes[above as usize].children;
                if index == first {
                    index = second;
                    break;
                }
                index = above;
            }
        }
    }

    /// Allocates a node.
    fn node(&mut self, node: BodyTreeNode) -> u32 {
        if let Some(index) = self.free.pop() {
            self.nodes[index as usize] = node;
            return index;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn bounds(&self, index: u32) -> Aabb {
        self.nodes[index as usize].bounds
    }

    fn height(&self, index: u32) -> u32 {
        self.nodes[index as usize].height
    }

    fn insert(&mut self, leaf: u32, room: RoomId) {
        let root = *at_key(&mut self.roots, room.0, NONE);
        if root == NONE {
            self.roots[room.0 as usize] = leaf;
            return;
        }
        let bounds = self.bounds(leaf);
        let mut sibling = root;
        while self.height(sibling) > 0 {
            let node = &self.nodes[sibling as usize];
            let joined = surface(&node.bounds.union(bounds));
            // A leaf that descends further also pays for the growth of all boxes above it.
            let gained = joined - surface(&node.bounds);
            let [a, b] = node.children.map(|child| {
                let own = self.bounds(child);
                let joined = surface(&own.union(bounds));
                let is_leaf = self.height(child) == 0;
                gained
                    + if is_leaf {
                        joined
                    } else {
                        joined - surface(&own)
                    }
            });
            if joined < a && joined < b {
                break;
            }
            sibling = node.children[usize::from(b < a)];
        }
        let above = self.nodes[sibling as usize].parent;
        let node = BodyTreeNode {
            bounds: self.bounds(sibling).union(bounds),
            parent: above,
            children: [sibling, leaf],
            height: self.height(sibling) + 1,
            ..self.nodes[leaf as usize]
        };
        let joint = self.node(node);
        self.replace_child(above, sibling, joint, room);
        self.nodes[sibling as usize].parent = joint;
        self.nodes[leaf as usize].parent = joint;
        self.refit(above, room);
    }

    /// Replaces a child of `parent`, or the root.
    fn replace_child(&mut self, parent: u32, child: u32, by: u32, room: RoomId) {
        self.nodes[by as usize].parent = parent;
        if parent == NONE {
            self.roots[room.0 as usize] = by;
            return;
        }
        let [a, b] = &mut self.nodes[parent as usize].children;
        *(if *a == child { a } else { b }) = by;
    }

    /// Balances all nodes from the given one up to the root, and fits their boxes to their children.
    fn refit(&mut self, mut index: u32, room: RoomId) {
        while index != NONE {
            index = self.balance(index, room);
            self.enclose(index);
            self.tighten(index);
            index = self.nodes[index as usize].parent;
        }
    }

    fn enclose(&mut self, index: u32) {
        let [a, b] = self.nodes[index as usize].children;
        let height = 1 + self.height(a).max(self.height(b));
        let bounds = self.bounds(a).union(self.bounds(b));
        let node = &mut self.nodes[index as usize];
        (node.bounds, node.height) = (bounds, height);
    }

    /// Swaps a child of a node with a child of its sibling, if that makes the sibling's box smaller.
    fn tighten(&mut self, index: u32) {
        let [a, b] = self.nodes[index as usize].children;
        let mut best = (0.0, None);
        for (near, far) in [(a, b), (b, a)] {
            if self.height(far) == 0 {
                continue;
            }
            let below = self.nodes[far as usize].children;
            for (up, stays) in [(below[0], below[1]), (below[1], below[0])] {
                let [near_height, up_height, height] = [near, up, stays].map(|at| self.height(at));
                let slope = height.abs_diff(near_height);
                let slope_above = (1 + height.max(near_height)).abs_diff(up_height);
                if slope.max(slope_above) > MAX_SLOPE {
                    continue;
                }
                let joined = self.bounds(near).union(self.bounds(stays));
                let gain = surface(&self.bounds(far)) - surface(&joined);
                if gain > best.0 {
                    best = (gain, Some((near, far, up)));
                }
            }
        }
        if let (_, Some((near, far, up))) = best {
            for (parent, child, by) in [(index, near, up), (far, up, near)] {
                let [first, second] = &mut self.nodes[parent as usize].children;
                *(if *first == child { first } else { second }) = by;
                self.nodes[by as usize].parent = parent;
            }
            self.enclose(far);
            self.enclose(index);
        }
    }

    /// Rotates a node whose children differ in height by more than [`MAX_SLOPE`]: the higher child moves up, and
    /// hands the lower one of its own children to the node. Returns the root of the new subtree.
    fn balance(&mut self, index: u32, room: RoomId) -> u32 {
        let BodyTreeNode {
            parent, children, ..
        } = self.nodes[index as usize];
        let [a, b] = children.map(|child| self.height(child));
        let (high, low) = match (a > b + MAX_SLOPE, b > a + MAX_SLOPE) {
            (true, _) => (children[0], children[1]),
            (_, true) => (children[1], children[0]),
            _ => return index,
        };
        let mut below = self.nodes[high as usize].children;
        if self.height(below[0]) < self.height(below[1]) {
            below.swap(0, 1);
        }
        let [kept, given] = below;
        self.replace_child(parent, index, high, room);
        self.nodes[high as usize].children = [index, kept];
        self.nodes[index as usize].parent = high;
        self.nodes[index as usize].children = [low, given];
        self.nodes[given as usize].parent = index;
        self.enclose(index);
        high
    }
}

/// Half the surface of a box, m2.
fn surface(bounds: &Aabb) -> f64 {
    let DVec3 { x, y, z } = bounds.max - bounds.min;
    x * y + y * z + z * x
}
