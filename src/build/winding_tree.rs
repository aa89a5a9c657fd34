//! Winding numbers of a surface around many points, each in logarithmic time.
//!
//! [`crate::level::winding`] sums the solid angles of all triangles, which is exact, and fast enough for a few points.
//! Portals need the winding numbers around thousands of points in one room. For them the triangles are stored in a
//! tree, and the sum over a distant node is approximated by the first two terms of its expansion (G. Barill, N.
//! Dickson, R. Schmidt, D. Levin and A. Jacobson, "Fast Winding Numbers for Soups and Clouds", 2018, section 3).
//!
//! A node of long triangles is near most points of a room. Outside its box, the sum over such a node equals the sum over
//! any surface with the same boundary edges inside the box, so a node with few boundary edges has such a surface of few
//! triangles (A. Jacobson, L. Kavan, O. Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding
//! Numbers", 2013, section 4.2). A closed bar has none: its sum is zero.

use std::cell::Cell;
use std::cmp::Ordering;
use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::geometry::{Aabb, Triangle, by_coordinates, solid_angle};

/// Maximum number of triangles in a leaf.
const LEAF_TRIANGLES: usize = 32;
/// A node is approximated for points whose distance from its centre exceeds this many times its radius. On usual
/// surfaces the error stays below 0.01 turns. With 3 radii it would be 1/60, which is close to the thresholds between
/// closed and open rooms.
const FAR_RADII: f64 = 4.0;
/// The extent of triangles along an axis, relative to the largest extent of a node, that counts as none.
const SMALLEST_SIZE: f64 = 1e-6;
/// Maximum number of triangles of a cap: a node of closed objects cuts up to two of them, with some twelve edges each.
const MAX_CAP: usize = 24;

/// A tree of the triangles of a surface.
#[derive(Debug, Default)]
pub(crate) struct WindingTree {
    triangles: Vec<Triangle>,
    /// The nodes; the root is the first. Empty if there are no triangles.
    nodes: Vec<WindingNode>,
    /// The triangles of the caps.
    caps: Vec<Triangle>,
}

/// A node: a range of the triangles with its sums.
#[derive(Clone, Copy, Debug)]
struct WindingNode {
    /// Mean of the triangles' centroids, weighted by area.
    centre: DVec3,
    /// Distance between the centre and the farthest corner, metres.
    radius: f64,
    /// Sum of the area vectors: front normals with the length of the triangle's area, square metres.
    normal: DVec3,
    /// Sum of the outer products of the area vectors and the centroids relative to the centre.
    moment: DMat3,
    /// Start of the range of triangles.
    first: usize,
    /// End of the range of triangles.
    end: usize,
    /// Index of the second child. The first child is the next node. 0 for a leaf.
    second: usize,
    /// The box around the triangles.
    bounds: Aabb,
    /// The range of the cap's triangles, if the node has a cap: a surface inside the box with the same boundary edges.
    cap: Option<(u32, u32)>,
}

/// An edge that bounds a surface: the triangles pass it `count` times more often from the first end to the second than
/// back. The first end comes before the second.
#[derive(Clone, Copy, Debug)]
struct BoundaryEdge {
    ends: [DVec3; 2],
    count: i32,
}

impl WindingTree {
    /// Builds the tree of these triangles. The same triangles in the same order give the same tree.
    pub(crate) fn of(triangles: Vec<Triangle>) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(2 * triangles.len().div_ceil(LEAF_TRIANGLES)),
            triangles,
            caps: Vec::new(),
        };
        match tree.triangles.len() {
            0 => {}
            // The sum over a single leaf is fast without a cap.
            1..=LEAF_TRIANGLES => tree.nodes.push(node(&tree.triangles, 0)),
            count => {
                tree.add_node(0, count);
            }
        }
        tree
    }

    /// Adds a node and its descendants. Each node is split in half, so the depth is logarithmic. Returns the boundary
    /// edges, sorted.
    fn add_node(&mut self, first: usize, end: usize) -> Vec<BoundaryEdge> {
        let index = self.nodes.len();
        let triangles = &mut self.triangles[first..end];
        self.nodes.push(node(triangles, first));
        let boundary = if triangles.len() <= LEAF_TRIANGLES {
            boundary_of(triangles)
        } else {
            let axis = split_axis(triangles);
            let half = triangles.len() / 2;
            triangles.select_nth_unstable_by(half, |a, b| {
                centroid(a)[axis].total_cmp(&centroid(b)[axis])
            });
            let of_first = self.add_node(first, first + half);
            self.nodes[index].second = self.nodes.len();
            let of_second = self.add_node(first + half, end);
            sum_of(&of_first, &of_second)
        };
        self.nodes[index].cap = self.add_cap(&boundary, (end - first).min(MAX_CAP + 1));
        boundary
    }

    /// Adds a cap with these boundary edges, if it has fewer than `limit` triangles.
    fn add_cap(&mut self, boundary: &[BoundaryEdge], limit: usize) -> Option<(u32, u32)> {
        let first = self.caps.len();
        let Some(apex) = boundary.first().map(|edge| edge.ends[0]) else {
            return Some((first as u32, first as u32));
        };
        let edges = boundary.iter().filter(|edge| !edge.ends.contains(&apex));
        let count = |edge: &BoundaryEdge| edge.count.unsigned_abs() as usize;
        if edges.clone().map(count).sum::<usize>() >= limit {
            return None;
        }
        for edge in edges {
            let [a, b] = edge.ends;
            let corners = if edge.count > 0 {
                [a, b, apex]
            } else {
                [b, a, apex]
            };
            self.caps
                .extend((0..count(edge)).map(|_| Triangle { corners }));
        }
        Some((first as u32, self.caps.len() as u32))
    }

    /// The winding number of the surface around a point, positive if the fronts face the point. Adds the number of
    /// evaluated terms to `work`.
    pub(crate) fn turns(&self, point: DVec3, work: &Cell<u64>) -> f64 {
        let (mut angle, mut summands) = (0.0, 0);
        let mut waiting = Vec::new();
        let mut next = if self.nodes.is_empty() { None } else { Some(0) };
        while let Some(index) = next.take().or_else(|| waiting.pop()) {
            let node = &self.nodes[index];
            let towards = node.centre - point;
            if towards.length() > FAR_RADII * node.radius {
                angle += far_angle(node, towards);
                summands += 1;
            } else if let Some(cap) = node.cap.filter(|_| !node.bounds.contains(point)) {
                let cap = &self.caps[cap.0 as usize..cap.1 as usize];
                angle += sum_around(cap, point);
                summands += cap.len().max(1) as u64;
            } else if node.second == 0 {
                let triangles = &self.triangles[node.first..node.end];
                angle += sum_around(triangles, point);
                summands += triangles.len() as u64;
            } else {
                next = Some(index + 1);
                waiting.push(node.second);
            }
        }
        work.set(work.get() + summands);
        angle / (4.0 * PI)
    }
}

fn sum_around(triangles: &[Triangle], point: DVec3) -> f64 {
    triangles.iter().map(|t| solid_angle(t, point)).sum()
}

/// The boundary edges of a surface, sorted.
fn boundary_of(triangles: &[Triangle]) -> Vec<BoundaryEdge> {
    let edges = triangles.iter().flat_map(|triangle| {
        // The sum turns negative zeros into positive ones.
        let corners = triangle.corners.map(|corner| corner + DVec3::ZERO);
        [0, 1, 2].map(|i| {
            let ends = [corners[i], corners[(i + 1) % 3]];
            match by_coordinates(ends[0], ends[1]) {
                Ordering::Less => BoundaryEdge { ends, count: 1 },
                Ordering::Equal => BoundaryEdge { ends, count: 0 },
                Ordering::Greater => BoundaryEdge {
                    ends: [ends[1], ends[0]],
                    count: -1,
                },
            }
        })
    });
    let mut edges: Vec<BoundaryEdge> = edges.collect();
    edges.sort_unstable_by(BoundaryEdge::order);
    edges.dedup_by(|next, kept| {
        let is_same = next.order(kept).is_eq();
        kept.count += if is_same { next.count } else { 0 };
        is_same
    });
    edges.retain(|edge| edge.count != 0);
    edges
}

/// The boundary edges of two surfaces together.
fn sum_of(a: &[BoundaryEdge], b: &[BoundaryEdge]) -> Vec<BoundaryEdge> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let Some(next) = match (a.peek(), b.peek()) {
        (Some(of_a), Some(of_b)) => Some(of_a.order(of_b)),
        (Some(_), None) => Some(Ordering::Less),
        (None, of_b) => of_b.map(|_| Ordering::Greater),
    } {
        let of_a = a.next_if(|_| next.is_le());
        let of_b = b.next_if(|_| next.is_ge());
        let edges = || of_a.into_iter().chain(of_b);
        let count = edges().map(|edge| edge.count).sum();
        sum.extend(edges().take(1).map(|edge| BoundaryEdge { count, ..*edge }));
        sum.pop_if(|edge| edge.count == 0);
    }
    sum
}

impl BoundaryEdge {
    fn order(&self, other: &Self) -> Ordering {
        let by_first = by_coordinates(self.ends[0], other.ends[0]);
        by_first.then_with(|| by_coordinates(self.ends[1], other.ends[1]))
    }
}

/// The axis along which the centroids extend farthest, relative to the mean extent of the triangles. So long triangles
/// are split across: a split along them would leave two nodes of the same size.
fn split_axis(triangles: &[Triangle]) -> usize {
    let around = Aabb::around(triangles.iter().map(centroid));
    let extent = around.max - around.min;
    let sizes = triangles.iter().map(|triangle| {
        let bounds = Aabb::around(triangle.corners);
        bounds.max - bounds.min
    });
    let mean = sizes.sum::<DVec3>() / triangles.len() as f64;
    let least = SMALLEST_SIZE * extent.max_element();
    let size = (mean + DVec3::splat(least)).max(DVec3::splat(f64::MIN_POSITIVE));
    (extent / size).max_position()
}

fn centroid(triangle: &Triangle) -> DVec3 {
    triangle.corners.iter().sum::<DVec3>() / 3.0
}

fn node(triangles: &[Triangle], first: usize) -> WindingNode {
    let (mut area, mut centre, mut normal) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for triangle in triangles {
        let cross = triangle.cross();
        area += cross.length();
        centre += cross.length() * centroid(triangle);
        normal += 0.5 * cross;
    }
    let middle = || Aabb::around(triangles.iter().map(centroid)).centre();
    let centre = if area > 0.0 { centre / area } else { middle() };
    let mut moment = DMat3::ZERO;
    let mut radius = 0.0_f64;
    for triangle in triangles {
        let off = centroid(triangle) - centre;
        let normal = 0.5 * triangle.cross();
        moment += DMat3::from_cols(normal * off.x, normal * off.y, normal * off.z);
        let reach = triangle.corners.map(|corner| corner.distance(centre));
        radius = reach.into_iter().fold(radius, f64::max);
    }
    WindingNode {
        centre,
        radius,
        normal,
        moment,
        first,
        end: first + triangles.len(),
        second: 0,
        bounds: Aabb::around(triangles.iter().flat_map(|triangle| triangle.corners)),
        cap: None,
    }
}

/// The solid angle of a distant node: that of the sum of its area vectors at the centre, plus a first-order correction
/// for their positions.
fn far_angle(node: &WindingNode, towards: DVec3) -> f64 {
    let squared = towards.length_squared();
    let cubed = squared * squared.sqrt();
    let trace = node.moment.x_axis.x + node.moment.y_axis.y + node.moment.z_axis.z;
    let along = towards.dot(node.moment * towards);
    -(node.normal.dot(towards) + trace - 3.0 * along / squared) / cubed
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(triangles: &[Triangle], point: DVec3) -> f64 {
        let angles = triangles.iter().map(|t| solid_angle(t, point));
        angles.sum::<f64>() / (4.0 * PI)
    }

    /// A sphere of `2 * n * n` triangles with fronts inside, deformed by `bend`. Cells for which `is_open` returns true
    /// are left out.
    fn bowl(n: usize, bend: f64, is_open: impl Fn(usize) -> bool) -> Vec<Triangle> {
        let at = |i: usize, j: usize| {
            let (u, v) = (2.0 * PI * i as f64 / n as f64, PI * j as f64 / n as f64);
            let radius = 1.0 + bend * (5.0 * u).sin() * (3.0 * v).sin();
            radius * DVec3::new(v.sin() * u.cos(), v.cos(), v.sin() * u.sin())
        };
        let cells = (0..n * n).filter(|&cell| !is_open(cell));
        let triangles = cells.flat_map(|cell| {
            let (i, j) = (cell % n, cell / n);
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            [[a, b, c], [a, c, d]].map(|corners| Triangle { corners })
        });
        triangles.collect()
    }

    proptest! {
        #[test]
        fn the_tree_agrees_with_the_sum_over_all_triangles(
            bend in 0.0..0.3f64,
            open in 0..400usize,
            point in prop::array::uniform3(-1.6..1.6f64),
        ) {
            let triangles = bowl(40, bend, |cell| cell < open);
            let point = DVec3::from_array(point);
            let found = WindingTree::of(triangles.clone()).turns(point, &Cell::new(0));
            prop_assert!((found - exact(&triangles, point)).abs() < 1e-2, "{}", found);
        }
    }

    #[test]
    fn the_work_for_a_point_hardly_grows_with_the_surface() {
        let work = |n: usize| {
            let (tree, work) = (WindingTree::of(bowl(n, 0.1, |_| false)), Cell::new(0));
            for i in 0..100 {
                let point = DVec3::new(f64::from(i) * 0.012, 0.1, 0.2);
                tree.turns(point, &work);
            }
            work.get() / 100
        };
        let (few, many) = (work(32), work(256));
        assert!(
            many < 4 * few,
            "{few} of 2,048, {many} of 131,072 triangles"
        );
    }

    /// Bars of 8 m side by side. The ends of an open bar are missing.
    fn bars(count: u32, is_open: impl Fn(u32) -> bool) -> Vec<Triangle> {
        let pitch = 8.0 / f64::from(count);
        let corner = |bar: u32, code: u32| {
            let [right, high, far] = [1, 2, 4].map(|bit| f64::from(u8::from(code & bit > 0)));
            DVec3::new(
                (f64::from(bar) + 0.5 * right) * pitch,
                0.1 * high,
                8.0 * far,
            )
        };
        let sides = [[0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        let ends = [[0, 1, 3, 2], [4, 6, 7, 5]];
        let faces = (0..count).flat_map(|bar| {
            let ends = ends
                .into_iter()
                .filter(|_| !is_open(bar))
                .collect::<Vec<_>>();
            sides.into_iter().chain(ends).map(move |face| (bar, face))
        });
        let triangles = faces.flat_map(|(bar, face)| {
            let [a, b, c, d] = face.map(|code| corner(bar, code));
            [[a, b, c], [a, c, d]].map(|corners| Triangle { corners })
        });
        triangles.collect()
    }

    /// Regression test: all bars are near a point between them, so each winding number summed all of their triangles.
    #[test]
    fn the_work_for_a_point_hardly_grows_with_the_number_of_long_bars() {
        let work = |count: u32| {
            let triangles = bars(count, |_| false);
            let (tree, work) = (WindingTree::of(triangles.clone()), Cell::new(0));
            for i in 0..100 {
                let x = (f64::from(i % 10) + 0.75) * 8.0 / f64::from(count);
                let point = DVec3::new(x, 0.02 * f64::from(i / 10), 0.07 * f64::from(i));
                let found = tree.turns(point, &work);
                assert!((found - exact(&triangles, point)).abs() < 1e-2, "{found}");
            }
            work.get() / 100
        };
        let (few, many) = (work(30), work(1000));
        assert!(many < 4 * few, "{few} for 30 bars, {many} for 1,000");
    }

    proptest! {
        #[test]
        fn caps_change_no_winding_number(
            open in 0..40_u32,
            bend in -1.0..1.0f64,
            point in prop::array::uniform3(-0.5..1.5f64),
        ) {
            let mut triangles = bars(40, |bar| bar % 7 * bar % 11 < open % 9);
            triangles.extend(bowl(12, bend, |cell| cell % 5 < open as usize % 4));
            let point = DVec3::from_array(point) * DVec3::new(8.0, 0.2, 8.0);
            let found = WindingTree::of(triangles.clone()).turns(point, &Cell::new(0));
            prop_assert!((found - exact(&triangles, point)).abs() < 1e-2, "{}", found);
        }
    }

    #[test]
    fn degenerate_triangles_wind_around_nothing() {
        let point = DVec3::ONE;
        let flat = Triangle {
            corners: [DVec3::ZERO; 3],
        };
        for triangles in [Vec::new(), vec![flat; 100]] {
            let tree = WindingTree::of(triangles);
            assert_eq!(tree.turns(point, &Cell::new(0)).abs(), 0.0);
        }
    }
}
