//! Triangles that take light away, in a tree of boxes, for short rays.

use glam::Vec3;

use crate::geometry::Aabb32;

/// Triangles in a leaf, side by side, so that one instruction works on several.
const LANES: usize = 8;
/// A back that is hit so shortly before a front, metres, is the back of a wall whose front is
/// meant: rooms may share a wall without thickness.
const THIN: f32 = 1e-3;

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

/// Occluders, searched by rays and boxes. Its answers do not depend on their order.
pub(super) struct Tree {
    /// Depth first: the first child follows its parent.
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

struct Node {
    bounds: Aabb32,
    below: Below,
}

#[derive(Clone, Copy)]
enum Below {
    Leaf(u32),
    /// The index of the second child.
    Second(u32),
}

type Lanes = [f32; LANES];

/// Corners and sides, coordinate by coordinate. Lanes to spare hold a triangle without area.
#[derive(Default)]
struct Leaf {
    a: [Lanes; 3],
    ab: [Lanes; 3],
    ac: [Lanes; 3],
    two_sided: [bool; LANES],
}

impl Tree {
    pub(super) fn new(mut occluders: Vec<Occluder>) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            leaves: Vec::new(),
        };
        if !occluders.is_empty() {
            tree.add(&mut occluders);
        }
        tree
    }

    fn add(&mut self, occluders: &mut [Occluder]) {
        let corners = occluders.iter().flat_map(|o| o.corners);
        let bounds = Aabb32::around_points(&corners.collect::<Vec<_>>());
        let index = self.nodes.len();
        self.nodes.push(Node {
            bounds,
            below: Below::Leaf(self.leaves.len() as u32),
        });
        if occluders.len() <= LANES {
            self.leaves.push(Leaf::new(occluders));
            return;
        }
        // Halves along the longest side, in whole leaves.
        let axis = (bounds.max - bounds.min).max_position();
        let middle = (occluders.len() / 2).next_multiple_of(LANES);
        let at = |o: &Occluder| o.corners[0][axis] + o.corners[1][axis] + o.corners[2][axis];
        occluders.select_nth_unstable_by(middle, |a, b| at(a).total_cmp(&at(b)));
        let (first, second) = occluders.split_at_mut(middle);
        self.add(first);
        self.nodes[index].below = Below::Second(self.nodes.len() as u32);
        self.add(second);
    }

    /// Whether anything in the box rises more than `height` metres above the plane through `on`
    /// with this normal.
    pub(super) fn rises(&self, within: &Aabb32, on: Vec3, normal: Vec3, height: f32) -> bool {
        let mut stack = [0; 64];
        let mut waiting = usize::from(!self.nodes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let index = stack[waiting] as usize;
            let node = &self.nodes[index];
            if !node.bounds.overlaps(within) {
                continue;
            }
            match node.below {
                Below::Leaf(leaf) => {
                    if self.leaves[leaf as usize].rises(within, on, normal, height) {
                        return true;
                    }
                }
                Below::Second(second) => {
                    stack[waiting] = second;
                    stack[waiting + 1] = index as u32 + 1;
                    waiting += 2;
                }
            }
        }
        false
    }

    /// The first thing on the way from `start` along a unit vector, up to `length` metres.
    pub(super) fn hit(&self, start: Vec3, direction: Vec3, length: f32) -> Option<Hit> {
        let ray = Ray::new(start, direction);
        let mut met = Met {
            front: length,
            back: length,
        };
        let mut stack = [(0, 0.0); 64];
        let mut waiting = usize::from(!self.nodes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let (index, distance) = stack[waiting];
            if distance > met.limit() {
                continue;
            }
            let node: &Node = &self.nodes[index as usize];
            let second = match node.below {
                Below::Leaf(leaf) => {
                    self.leaves[leaf as usize].meet(&ray, &mut met);
                    continue;
                }
                Below::Second(second) => second,
            };
            let children = [index + 1, second].map(|child| {
                let bounds = &self.nodes[child as usize].bounds;
                (child, ray.enters(bounds, met.limit()))
            });
            // The nearer one is looked at first.
            let [near, far] = if children[0].1 <= children[1].1 {
                children
            } else {
                [children[1], children[0]]
            };
            for child in [far, near] {
                if child.1 < f32::INFINITY {
                    stack[waiting] = child;
                    waiting += 1;
                }
            }
        }
        let distance = met.front.min(met.back);
        (distance < length).then_some(Hit {
            distance,
            is_back: met.back + THIN < met.front,
        })
    }
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
        // Never exactly along an axis: no division by zero.
        let slanted = direction
            .to_array()
            .map(|x| if x.abs() < 1e-9 { 1e-9 } else { x });
        Self {
            start,
            direction,
            inverse: Vec3::from_array(slanted).recip(),
        }
    }

    /// Where it enters a box, metres; infinite if it does not, or not before `limit`.
    fn enters(&self, bounds: &Aabb32, limit: f32) -> f32 {
        let to_min = (bounds.min - self.start) * self.inverse;
        let to_max = (bounds.max - self.start) * self.inverse;
        let (mut enter, mut leave) = (0.0, limit);
        for axis in 0..3 {
            let (a, b) = (to_min[axis], to_max[axis]);
            let (first, last) = if a < b { (a, b) } else { (b, a) };
            enter = if first > enter { first } else { enter };
            leave = if last < leave { last } else { leave };
        }
        // A box without thickness is not to be missed by a rounding.
        if enter <= leave * (1.0 + 4.0 * f32::EPSILON) {
            enter
        } else {
            f32::INFINITY
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
            leaf.two_sided[lane] = occluder.two_sided;
        }
        leaf
    }

    /// T. Möller and B. Trumbore, "Fast, minimum storage ray-triangle intersection", 1997, on all
    /// lanes at once.
    fn meet(&self, ray: &Ray, met: &mut Met) {
        let Self {
            a,
            ab,
            ac,
            two_sided,
        } = self;
        let (d, s) = (ray.direction, ray.start);
        let mut distances = [f32::INFINITY; LANES];
        let mut turns = [0.0f32; LANES];
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
            distances[i] = if inside { distance } else { f32::INFINITY };
            turns[i] = turn;
        }
        for i in 0..LANES {
            let is_front = two_sided[i] | (turns[i] > 0.0);
            let nearest = if is_front {
                &mut met.front
            } else {
                &mut met.back
            };
            if distances[i] < *nearest {
                *nearest = distances[i];
            }
        }
    }

    fn rises(&self, within: &Aabb32, on: Vec3, normal: Vec3, height: f32) -> bool {
        (0..LANES).any(|i| {
            let [a, ab, ac] =
                [&self.a, &self.ab, &self.ac].map(|v| Vec3::new(v[0][i], v[1][i], v[2][i]));
            // Lanes to spare have no sides.
            ab.abs().max(ac.abs()).max_element() > 0.0 && {
                let corners = [a, a + ab, a + ac];
                Aabb32::around_points(&corners).overlaps(within)
                    && corners
                        .iter()
                        .any(|corner| normal.dot(*corner - on) > height)
            }
        })
    }
}
