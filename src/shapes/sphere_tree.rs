//! A tree of spheres around the parts of a shape, and the simultaneous descent through two trees.
//!
//! S. Quinlan, "Efficient Distance Computation between Non-Convex Objects", 1994; P. Hubbard, "Approximating Polyhedra with
//! Spheres for Time-Critical Collision Detection", 1996. The tree is built top-down, split at the median of the longest axis.
//! Each sphere encloses only the corners of its triangles, so it is smaller than one around its children's spheres.

use glam::DVec3;

use super::bounds::BoundingSphere;
use crate::geometry::{Aabb, Rigid};

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SphereNode {
    pub sphere: BoundingSphere,
    /// The index of the first of two consecutive children; none for a leaf.
    children: Option<u32>,
    /// The number of a leaf's part.
    part: u32,
}

impl SphereNode {
    /// The tree of a shape with a single part.
    pub(super) fn single(sphere: BoundingSphere) -> Self {
        Self {
            sphere,
            children: None,
            part: 0,
        }
    }
}

/// The maximum number of waiting pairs. A balanced tree has one level per bit of the number of parts, and each level
/// of either tree leaves one pair waiting.
const MAX_WAITING: usize = 72;

/// Builds a tree over parts, each given by its corners; the root comes first.
pub(super) fn build(parts: &[impl AsRef<[DVec3]>]) -> Vec<SphereNode> {
    let mut order: Vec<u32> = (0..parts.len() as u32).collect();
    let mut nodes = vec![SphereNode::single(around(parts, &order))];
    let mut open = vec![(0, 0, order.len())];
    while let Some((at, from, to)) = open.pop() {
        let indices = &mut order[from..to];
        if let [part] = indices {
            nodes[at].part = *part;
            continue;
        }
        let middle = |i: &u32| {
            let corners = parts[*i as usize].as_ref();
            corners.iter().sum::<DVec3>() / corners.len() as f64
        };
        let extent = Aabb::around(indices.iter().map(middle));
        let size = extent.max - extent.min;
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        // Equal parts are ordered by number, so that the result does not depend on the sorting algorithm.
        indices.sort_unstable_by(|a, b| {
            let along = middle(a)[axis].total_cmp(&middle(b)[axis]);
            along.then(a.cmp(b))
        });
        let half = from + (to - from) / 2;
        let first = nodes.len();
        nodes[at].children = Some(first as u32);
        for (i, (from, to)) in [(from, half), (half, to)].into_iter().enumerate() {
            nodes.push(SphereNode::single(around(parts, &order[from..to])));
            open.push((first + i, from, to));
        }
    }
    nodes
}

fn around(parts: &[impl AsRef<[DVec3]>], indices: &[u32]) -> BoundingSphere {
    let corners = indices.iter().flat_map(|&i| parts[i as usize].as_ref());
    let corners: Vec<DVec3> = corners.copied().collect();
    BoundingSphere::around(&corners)
}

/// Calls `leaf` with the numbers of two parts and the reach, for all pairs of parts whose spheres are within the
/// reach, nearer spheres first. `leaf` returns the new reach, metres. The descent starts at both roots, and opens the
/// larger sphere of a pair in each step.
pub(super) fn descend(
    a: &[SphereNode],
    b: &[SphereNode],
    a_from_b: &Rigid,
    mut reach: f64,
    mut leaf: impl FnMut(usize, usize, f64) -> f64,
) {
    let gap = |i: u32, j: u32| {
        let (a, b) = (&a[i as usize].sphere, &b[j as usize].sphere);
        let apart = (a.centre - a_from_b.point(b.centre)).length();
        apart - a.radius - b.radius
    };
    if a.is_empty() || b.is_empty() {
        return;
    }
    let mut waiting = [(0, 0, 0.0); MAX_WAITING];
    waiting[0] = (0, 0, gap(0, 0));
    let mut count = 1;
    while count > 0 {
        count -= 1;
        let (i, j, apart) = waiting[count];
        if apart > reach {
            continue;
        }
        let (node_a, node_b) = (&a[i as usize], &b[j as usize]);
        let opens_a = node_b.children.is_none() || node_a.sphere.radius >= node_b.sphere.radius;
        let pairs = match (node_a.children, node_b.children) {
            (None, None) => {
                reach = leaf(node_a.part as usize, node_b.part as usize, reach);
                continue;
            }
            (Some(first), _) if opens_a => [(first, j), (first + 1, j)],
            (_, Some(first)) => [(i, first), (i, first + 1)],
            (Some(first), None) => [(first, j), (first + 1, j)],
        };
        let [one, other] = pairs.map(|(i, j)| (i, j, gap(i, j)));
        // The nearer pair is visited next.
        let [later, sooner] = if one.2 <= other.2 {
            [other, one]
        } else {
            [one, other]
        };
        for pair in [later, sooner] {
            if pair.2 <= reach && count < MAX_WAITING {
                waiting[count] = pair;
                count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Triangle;
    use crate::rng::Rng;

    fn tree_over(triangles: &[Triangle]) -> Vec<SphereNode> {
        let corners: Vec<[DVec3; 3]> = triangles.iter().map(|triangle| triangle.corners).collect();
        build(&corners)
    }

    fn triangles(rng: &mut Rng, count: usize) -> Vec<Triangle> {
        let vector = |rng: &mut Rng, size: f64| {
            DVec3::from_array(std::array::from_fn(|_| rng.between(-size, size)))
        };
        let one = |_| {
            let middle = vector(rng, 2.0);
            Triangle {
                corners: std::array::from_fn(|_| middle + vector(rng, 0.2)),
            }
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn every_sphere_holds_its_triangles_and_every_triangle_is_a_leaf() {
        let mut rng = Rng::new(6);
        for count in [1, 2, 3, 7, 100, 1000] {
            let triangles = triangles(&mut rng, count);
            let nodes = tree_over(&triangles);
            assert_eq!(nodes.len(), 2 * count - 1);
            let mut found = vec![0; count];
            let mut open = vec![(0, Vec::new())];
            while let Some((at, mut above)) = open.pop() {
                above.push(nodes[at].sphere);
                match nodes[at].children {
                    Some(first) => {
                        let first = first as usize;
                        open.extend([(first, above.clone()), (first + 1, above)]);
                    }
                    None => {
                        let part = nodes[at].part as usize;
                        found[part] += 1;
                        assert!(above.len() <= 12);
                        for sphere in above {
                            for corner in triangles[part].corners {
                                let distance = (corner - sphere.centre).length();
                                assert!(distance <= sphere.radius * (1.0 + 1e-12) + 1e-12);
                            }
                        }
                    }
                }
            }
            assert!(found.iter().all(|&times| times == 1));
        }
    }

    #[test]
    fn the_descent_misses_no_pair_within_reach_and_skips_most_others() {
        let mut rng = Rng::new(7);
        let [a, b] = [300, 200].map(|count| triangles(&mut rng, count));
        let offset = Rigid::new(glam::DMat3::IDENTITY, DVec3::X * 3.0);
        let [nodes_a, nodes_b] = [&a, &b].map(|triangles| tree_over(triangles));
        let mut visited = std::collections::BTreeSet::new();
        descend(&nodes_a, &nodes_b, &offset, 0.1, |i, j, reach| {
            assert!(visited.insert((i, j)));
            reach
        });
        for (i, of_a) in a.iter().enumerate() {
            for (j, of_b) in b.iter().enumerate() {
                let of_b = of_b.transformed(&offset);
                let near = crate::geometry::points_of_contact(of_a, &of_b, 0.1).next();
                assert!(near.is_none() || visited.contains(&(i, j)));
            }
        }
        assert!(visited.len() < a.len() * b.len() / 10, "{}", visited.len());
    }
}
