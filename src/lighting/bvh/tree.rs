//! A bounding volume hierarchy of occluders with eight children per node. Boxes and triangles are
//! stored as SoA in groups of eight, for SIMD.

use glam::Vec3;

use super::leaf::{Above, LANES, Lanes, Leaf, NearestHits, Occluder, Ray, THIN};
use super::split::split;
use crate::geometry::Aabb32;

/// The first surface that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::lighting) struct BvhHit {
    /// The distance, metres.
    pub distance: f32,
    /// Whether the ray hits the back face: it starts inside an object, or outside the level.
    pub is_back: bool,
    /// The number of the triangle.
    pub id: u32,
}

/// A tree of occluders for queries with rays and boxes. Results do not depend on the order of the occluders.
pub(in crate::lighting) struct Tree {
    nodes: Vec<WideNode>,
    leaves: Vec<Leaf>,
    /// The maximum number of entries of a traversal's stack.
    max_stack: usize,
}

/// Boxes, one array per coordinate, and their contents. Unused lanes are empty boxes.
struct WideNode {
    min: [Lanes; 3],
    max: [Lanes; 3],
    children: [Child; LANES],
}

#[derive(Clone, Copy)]
enum Child {
    Node(u32),
    Leaf(u32),
}

impl Tree {
    pub(in crate::lighting) fn new(mut occluders: Vec<Occluder>) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            leaves: Vec::new(),
            max_stack: 0,
        };
        tree.add(&mut occluders, 1);
        tree
    }

    /// Adds a node with these occluders below it, at the given depth.
    fn add(&mut self, occluders: &mut [Occluder], depth: usize) -> u32 {
        self.max_stack = self.max_stack.max(depth * LANES);
        let index = self.nodes.len();
        self.nodes.push(WideNode {
            min: [[f32::INFINITY; LANES]; 3],
            max: [[f32::NEG_INFINITY; LANES]; 3],
            children: [Child::Leaf(0); LANES],
        });
        // The largest part is split until there are enough parts.
        let mut parts = vec![occluders];
        while parts.len() < LANES {
            let sizes = parts.iter().enumerate();
            let Some((greatest, part)) = sizes.max_by_key(|(_, part)| part.len()) else {
                break;
            };
            if part.len() <= LANES {
                break;
            }
            let part = parts.swap_remove(greatest);
            let (first, second) = split(part);
            parts.extend([first, second]);
        }
        for (lane, part) in parts.into_iter().enumerate() {
            let corners: Vec<Vec3> = part.iter().flat_map(|o| o.corners).collect();
            let bounds = Aabb32::around_points(&corners);
            for axis in 0..3 {
                self.nodes[index].min[axis][lane] = bounds.min[axis];
                self.nodes[index].max[axis][lane] = bounds.max[axis];
            }
            self.nodes[index].children[lane] = if part.len() <= LANES {
                self.leaves.push(Leaf::new(part));
                Child::Leaf(self.leaves.len() as u32 - 1)
            } else {
                Child::Node(self.add(part, depth + 1))
            };
        }
        index as u32
    }

    /// Whether any occluder in the box rises more than `height` metres above the plane of `above`.
    pub(in crate::lighting) fn rises(&self, above: &Above, height: f32) -> bool {
        self.any_rises(&self.nodes[0], above, height)
    }

    fn any_rises(&self, node: &WideNode, above: &Above, height: f32) -> bool {
        let [min, max] = [above.within.min, above.within.max];
        let mut touches = [true; LANES];
        for axis in 0..3 {
            for (lane, touches) in touches.iter_mut().enumerate() {
                *touches &=
                    (node.min[axis][lane] <= max[axis]) & (min[axis] <= node.max[axis][lane]);
            }
        }
        let touched = node
            .children
            .iter()
            .zip(touches)
            .filter(|(_, touches)| *touches);
        let mut touched = touched.map(|(child, _)| *child);
        touched.any(|child| match child {
            Child::Node(node) => self.any_rises(&self.nodes[node as usize], above, height),
            Child::Leaf(leaf) => self.leaves[leaf as usize].rises(above, height),
        })
    }

    /// An empty stack for [`Tree::hit`].
    pub(in crate::lighting) fn stack(&self) -> Vec<PendingNode> {
        Vec::with_capacity(self.max_stack)
    }

    /// The first hit of a ray from `start` along a unit vector, up to `length` metres.
    pub(in crate::lighting) fn hit(
        &self,
        start: Vec3,
        direction: Vec3,
        length: f32,
        stack: &mut Vec<PendingNode>,
    ) -> Option<BvhHit> {
        let ray = Ray::new(start, direction);
        let mut met = NearestHits {
            front: length,
            back: length,
            front_id: 0,
            back_id: 0,
        };
        stack.clear();
        ray.enter(&self.nodes[0], &met, stack);
        while let Some(PendingNode { distance, child }) = stack.pop() {
            if distance > met.limit() {
                continue;
            }
            match child {
                Child::Leaf(leaf) => self.leaves[leaf as usize].meet(&ray, &mut met),
                Child::Node(node) => ray.enter(&self.nodes[node as usize], &met, stack),
            }
        }
        let distance = met.front.min(met.back);
        let is_back = met.back + THIN < met.front;
        (distance < length).then_some(BvhHit {
            distance,
            is_back,
            id: if is_back || met.front >= length {
                met.back_id
            } else {
                met.front_id
            },
        })
    }
}

/// A pending child whose box the ray enters.
#[derive(Clone, Copy)]
pub(in crate::lighting) struct PendingNode {
    distance: f32,
    child: Child,
}

impl Ray {
    /// Pushes the children of a node whose boxes the ray enters.
    fn enter(&self, node: &WideNode, met: &NearestHits, stack: &mut Vec<PendingNode>) {
        // A margin, so that rounding never misses a box without thickness.
        const WIDER: f32 = 1.0 + 4.0 * f32::EPSILON;
        let (mut enter, mut leave) = ([0.0; LANES], [met.limit(); LANES]);
        for axis in 0..3 {
            let (start, inverse) = (self.start[axis], self.inverse[axis]);
            let [near, far] = if inverse > 0.0 {
                [&node.min[axis], &node.max[axis]]
            } else {
                [&node.max[axis], &node.min[axis]]
            };
            for lane in 0..LANES {
                let first = (near[lane] - start) * inverse;
                let last = (far[lane] - start) * inverse * WIDER;
                enter[lane] = if first > enter[lane] {
                    first
                } else {
                    enter[lane]
                };
                leave[lane] = if last < leave[lane] {
                    last
                } else {
                    leave[lane]
                };
            }
        }
        for lane in 0..LANES {
            if enter[lane] <= leave[lane] {
                stack.push(PendingNode {
                    distance: enter[lane],
                    child: node.children[lane],
                });
            }
        }
    }
}
