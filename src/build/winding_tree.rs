//! Winding numbers of a surface around many points, each in logarithmic time.
//!
//! [`crate::level::winding`] sums the solid angles of all triangles, which is exact, and fast enough for a few points.
//! Portals need the winding numbers around thousands of points in one room. For them the triangles are stored in a
//! tree, and the sum over a distant node is approximated by the first two terms of its expansion (G. Barill, N.
//! Dickson, R. Schmidt, D. Levin and A. Jacobson, "Fast Winding Numbers for Soups and Clouds", 2018, section 3).

use std::cell::Cell;
use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::geometry::{Aabb, Triangle, solid_angle};

/// Maximum number of triangles in a leaf.
const LEAF_TRIANGLES: usize = 32;
/// A node is approximated for points whose distance from its centre exceeds this many times its radius. On usual
/// surfaces the error stays below 0.01 turns. With 3 it would be 1/60, which is close to the thresholds between closed
/// and open rooms.
const FAR_RADII: f64 = 4.0;

/// A tree of the triangles of a surface.
#[derive(Debug, Default)]
pub(crate) struct WindingTree {
    triangles: Vec<Triangle>,
    /// The nodes; the root is the first. Empty if there are no triangles.
    nodes: Vec<WindingNode>,
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
}

impl WindingTree {
    /// Builds the tree of these triangles. The same triangles in the same order give the same tree.
    pub(crate) fn of(triangles: Vec<Triangle>) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(2 * triangles.len().div_ceil(LEAF_TRIANGLES)),
            triangles,
        };
        if !tree.triangles.is_empty() {
            tree.add_node(0, tree.triangles.len());
        }
        tree
    }

    /// Adds a node and its descendants. Each node is split in half, so the depth is logarithmic.
    fn add_node(&mut self, first: usize, end: usize) {
        let index = self.nodes.len();
        let triangles = &mut self.triangles[first..end];
        self.nodes.push(node(triangles, first));
        if triangles.len() <= LEAF_TRIANGLES {
            return;
        }
        let around = Aabb::around(triangles.iter().map(centroid));
        let axis = (around.max - around.min).max_position();
        let half = triangles.len() / 2;
        triangles
            .select_nth_unstable_by(half, |a, b| centroid(a)[axis].total_cmp(&centroid(b)[axis]));
        self.add_node(first, first + half);
        self.nodes[index].second = self.nodes.len();
        self.add_node(first + half, end);
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
            } else if node.second == 0 {
                let triangles = &self.triangles[node.first..node.end];
                angle += triangles.iter().map(|t| solid_angle(t, point)).sum::<f64>();
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
