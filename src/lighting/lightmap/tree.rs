//! Triangles that take light away, in a tree of boxes, for short rays. Boxes and triangles stand
//! side by side in eights, so that one instruction works on several.

use glam::Vec3;

use super::split::split;
use crate::geometry::Aabb32;

/// Children of a node, triangles of a leaf.
pub(super) const LANES: usize = 8;
/// A back that is hit so shortly before a front, metres, is the back of a wall whose front is
/// meant: rooms may share a wall without thickness.
const THIN: f32 = 1e-3;
/// What is nearer to an axis than this is turned away from it, so that nothing is divided by 0.
const SLANT: f32 = 1e-9;

/// A triangle that takes light away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Occluder {
    /// Metres, counter-clockwise seen from the front.
    pub corners: [Vec3; 3],
    /// Whether its back is a front too.
    pub two_sided: bool,
}

/// What a ray meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    /// Metres.
    pub distance: f32,
    /// Whether it comes from behind: it starts inside of something, or outside of everything.
    pub is_back: bool,
}

/// The half of a box above a plane.
pub(super) struct Above {
    pub within: Aabb32,
    /// A point of the plane, and its unit normal.
    pub on: Vec3,
    pub normal: Vec3,
}

/// Occluders, searched by rays and boxes. Its answers do not depend on their order.
pub(super) struct Tree {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    /// Nodes and leaves on the way that wait at the same time, at most.
    most_waiting: usize,
}

type Lanes = [f32; LANES];

/// Boxes, coordinate by coordinate, and what is in them. Lanes to spare are empty boxes.
struct Node {
    min: [Lanes; 3],
    max: [Lanes; 3],
    children: [Child; LANES],
}

#[derive(Clone, Copy)]
enum Child {
    Node(u32),
    Leaf(u32),
}

/// Corners and sides, coordinate by coordinate. Lanes to spare hold a triangle without area.
#[derive(Default)]
struct Leaf {
    a: [Lanes; 3],
    ab: [Lanes; 3],
    ac: [Lanes; 3],
    /// A ray that turns about a triangle more than this meets its front: 0, or for one with two
    /// fronts less than anything.
    least_turn: Lanes,
}

impl Tree {
    pub(super) fn new(mut occluders: Vec<Occluder>) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            leaves: Vec::new(),
            most_waiting: 0,
        };
        tree.add(&mut occluders, 1);
        tree
    }

    /// Adds a node with these below it, in the depth given.
    fn add(&mut self, occluders: &mut [Occluder], depth: usize) -> u32 {
        self.most_waiting = self.most_waiting.max(depth * LANES);
        let index = self.nodes.len();
        self.nodes.push(Node {
            min: [[f32::INFINITY; LANES]; 3],
            max: [[f32::NEG_INFINITY; LANES]; 3],
            children: [Child::Leaf(0); LANES],
        });
        // The greatest part is cut until there are enough.
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

    /// Whether anything in the box rises more than `height` metres above its plane.
    pub(super) fn rises(&self, above: &Above, height: f32) -> bool {
        self.any_rises(&self.nodes[0], above, height)
    }

    fn any_rises(&self, node: &Node, above: &Above, height: f32) -> bool {
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

    /// Room for what [`Tree::hit`] has to remember.
    pub(super) fn waiting(&self) -> Vec<Waiting> {
        Vec::with_capacity(self.most_waiting)
    }

    /// The first thing on the way from `start` along a unit vector, up to `length` metres.
    pub(super) fn hit(
        &self,
        start: Vec3,
        direction: Vec3,
        length: f32,
        waiting: &mut Vec<Waiting>,
    ) -> Option<Hit> {
        let ray = Ray::new(start, direction);
        let mut met = Met {
            front: length,
            back: length,
        };
        waiting.clear();
        ray.enter(&self.nodes[0], &met, waiting);
        while let Some(Waiting { distance, child }) = waiting.pop() {
            if distance > met.limit() {
                continue;
            }
            match child {
                Child::Leaf(leaf) => self.leaves[leaf as usize].meet(&ray, &mut met),
                Child::Node(node) => ray.enter(&self.nodes[node as usize], &met, waiting),
            }
        }
        let distance = met.front.min(met.back);
        (distance < length).then_some(Hit {
            distance,
            is_back: met.back + THIN < met.front,
        })
    }
}

/// A child whose box a ray enters, to be looked into.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    distance: f32,
    child: Child,
}

/// The nearest front and back met.
struct Met {
    front: f32,
    back: f32,
}

impl Met {
    /// What is farther changes nothing.
    fn limit(&self) -> f32 {
        self.front.min(self.back + THIN)
    }
}

struct Ray {
    start: Vec3,
    direction: Vec3,
    inverse: Vec3,
}

impl Ray {
    fn new(start: Vec3, direction: Vec3) -> Self {
        let slanted = direction.to_array();
        let slanted = slanted.map(|x| if x.abs() < SLANT { SLANT } else { x });
        Self {
            start,
            direction,
            inverse: Vec3::from_array(slanted).recip(),
        }
    }

    /// Adds the children of a node whose boxes it enters.
    fn enter(&self, node: &Node, met: &Met, waiting: &mut Vec<Waiting>) {
        // A box without thickness is not to be missed by a rounding.
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
                waiting.push(Waiting {
                    distance: enter[lane],
                    child: node.children[lane],
                });
            }
        }
    }
}

impl Leaf {
    fn new(occluders: &[Occluder]) -> Self {
        let mut leaf = Self::default();
        for (lane, occluder) in occluders.iter().enumerate() {
            let [a, b, c] = occluder.corners;
            for axis in 0..3 {
                leaf.a[axis][lane] = a[axis];
                leaf.ab[axis][lane] = b[axis] - a[axis];
                leaf.ac[axis][lane] = c[axis] - a[axis];
            }
            if occluder.two_sided {
                leaf.least_turn[lane] = f32::NEG_INFINITY;
            }
        }
        leaf
    }

    /// T. Möller and B. Trumbore, "Fast, minimum storage ray-triangle intersection", 1997, on all
    /// lanes at once.
    fn meet(&self, ray: &Ray, met: &mut Met) {
        let Self { a, ab, ac, .. } = self;
        let (d, s) = (ray.direction, ray.start);
        let (mut fronts, mut backs) = ([f32::INFINITY; LANES], [f32::INFINITY; LANES]);
        for i in 0..LANES {
            let (abx, aby, abz) = (ab[0][i], ab[1][i], ab[2][i]);
            let (acx, acy, acz) = (ac[0][i], ac[1][i], ac[2][i]);
            let (px, py, pz) = (
                d.y * acz - d.z * acy,
                d.z * acx - d.x * acz,
                d.x * acy - d.y * acx,
            );
            let turn = abx * px + aby * py + abz * pz;
            let scale = 1.0 / turn;
            let (tx, ty, tz) = (s.x - a[0][i], s.y - a[1][i], s.z - a[2][i]);
            let u = (tx * px + ty * py + tz * pz) * scale;
            let (qx, qy, qz) = (
                ty * abz - tz * aby,
                tz * abx - tx * abz,
                tx * aby - ty * abx,
            );
            let v = (d.x * qx + d.y * qy + d.z * qz) * scale;
            let distance = (acx * qx + acy * qy + acz * qz) * scale;
            // Comparisons with what is no number fail: no triangle without area is met.
            let inside = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (distance > 0.0);
            let is_front = turn > self.least_turn[i];
            fronts[i] = if inside & is_front {
                distance
            } else {
                f32::INFINITY
            };
            backs[i] = if inside & !is_front {
                distance
            } else {
                f32::INFINITY
            };
        }
        met.front = met.front.min(least(fronts));
        met.back = met.back.min(least(backs));
    }

    fn rises(&self, above: &Above, height: f32) -> bool {
        (0..LANES).any(|i| {
            let [a, ab, ac] =
                [&self.a, &self.ab, &self.ac].map(|v| Vec3::new(v[0][i], v[1][i], v[2][i]));
            // Lanes to spare have no sides.
            ab.abs().max(ac.abs()).max_element() > 0.0 && {
                let corners = [a, a + ab, a + ac];
                Aabb32::around_points(&corners).overlaps(&above.within)
                    && corners
                        .iter()
                        .any(|corner| above.normal.dot(*corner - above.on) > height)
            }
        })
    }
}

/// The least number.
fn least(lanes: Lanes) -> f32 {
    let less = |a: f32, b: f32| if a < b { a } else { b };
    let [a, b, c, d, e, f, g, h] = lanes;
    let [a, b, c, d] = [less(a, e), less(b, f), less(c, g), less(d, h)];
    less(less(a, c), less(b, d))
}
