//! A bounding volume hierarchy of triangles, for rays and box queries.

use glam::DVec3;

use super::{Aabb, RaySlabs, Triangle};

/// The maximum number of triangles in a leaf, which are tested one by one.
const LEAF_TRIANGLES: usize = 6;

/// A tree of triangles with bounding boxes.
#[derive(Debug, Default)]
pub(crate) struct TriangleTree {
    /// The triangles in the order of the leaves, each with its index in the input list.
    triangles: Vec<(Triangle, u32)>,
    /// The nodes; each precedes its children.
    nodes: Vec<TriangleTreeNode>,
}

#[derive(Debug)]
struct TriangleTreeNode {
    bounds: Aabb,
    first: usize,
    end: usize,
    /// The index of the second child; 0 in leaves. The first child follows its parent.
    second: usize,
}

/// A hit of a ray on a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleHit {
    /// The ray parameter of the hit.
    pub part: f64,
    /// The triangle's index in the list.
    pub index: u32,
    /// Whether the ray hit the front.
    pub front: bool,
}

impl TriangleTree {
    pub(crate) fn of(triangles: &[Triangle]) -> Self {
        let mut tree = Self {
            triangles: triangles.iter().copied().zip(0..).collect(),
            nodes: Vec::new(),
        };
        if !triangles.is_empty() {
            tree.add_node(0, triangles.len());
        }
        tree
    }

    fn add_node(&mut self, first: usize, end: usize) {
        let index = self.nodes.len();
        let triangles = &mut self.triangles[first..end];
        let bounds = Aabb::around(triangles.iter().flat_map(|(t, _)| t.corners));
        self.nodes.push(TriangleTreeNode {
            bounds,
            first,
            end,
            second: 0,
        });
        if triangles.len() <= LEAF_TRIANGLES {
            return;
        }
        let axis = (bounds.max - bounds.min).max_position();
        let half = triangles.len() / 2;
        let middle = |t: &Triangle| t.corners.iter().map(|p| p[axis]).sum::<f64>();
        triangles.select_nth_unstable_by(half, |(a, i), (b, k)| {
            middle(a).total_cmp(&middle(b)).then(i.cmp(k))
        });
        self.add_node(first, first + half);
        self.nodes[index].second = self.nodes.len();
        self.add_node(first + half, end);
    }

    /// The first hit on an accepted triangle along the segment between two points.
    pub(crate) fn first_hit(
        &self,
        from: DVec3,
        to: DVec3,
        counts: impl Fn(u32) -> bool,
    ) -> Option<TriangleHit> {
        let ray = to - from;
        let mut nearest: Option<TriangleHit> = None;
        self.visit(from, ray, |triangle, index, most| {
            let part = triangle.hit_by_ray(from, ray)?;
            if !(0.0..=most).contains(&part) || !counts(index) {
                return None;
            }
            let front = triangle.cross().dot(ray) < 0.0;
            // Of coincident triangles, front hits take precedence, then the first triangle of the list.
            let key = (part, !front, index);
            if nearest.is_none_or(|hit| key < (hit.part, !hit.front, hit.index)) {
                nearest = Some(TriangleHit { part, index, front });
            }
            Some(part)
        });
        nearest
    }

    /// Calls `meet` with the triangles in the leaves that a ray hits before the nearest hit so far.
    fn visit(
        &self,
        from: DVec3,
        ray: DVec3,
        mut meet: impl FnMut(&Triangle, u32, f64) -> Option<f64>,
    ) {
        let slabs = RaySlabs::of(from, ray);
        let mut most = 1.0;
        let mut next = if self.nodes.is_empty() { None } else { Some(0) };
        let mut waiting = Vec::new();
        while let Some(index) = next.take().or_else(|| waiting.pop()) {
            let node = &self.nodes[index];
            if slabs.within(&node.bounds, [0.0, most]).is_none() {
                continue;
            }
            if node.second == 0 {
                for (triangle, index) in &self.triangles[node.first..node.end] {
                    if let Some(part) = meet(triangle, *index, most) {
                        most = f64::min(most, part);
                    }
                }
            } else {
                next = Some(index + 1);
                waiting.push(node.second);
            }
        }
    }

    /// Calls `found` with the triangles whose boxes overlap a box.
    pub(crate) fn near(&self, query: &Aabb, mut found: impl FnMut(u32, &Triangle)) {
        let mut waiting = if self.nodes.is_empty() {
            Vec::new()
        } else {
            vec![0]
        };
        while let Some(index) = waiting.pop() {
            let node = &self.nodes[index];
            if !node.bounds.overlaps(query) {
                continue;
            }
            if node.second == 0 {
                for (triangle, index) in &self.triangles[node.first..node.end] {
                    if Aabb::around(triangle.corners).overlaps(query) {
                        found(*index, triangle);
                    }
                }
            } else {
                waiting.extend([node.second, index + 1]);
            }
        }
    }
}
