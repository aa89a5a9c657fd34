//! Closed surfaces that consist of convex parts: a crate, a table with its legs.
//!
//! Contacts of convex parts use whole faces and edges: many times faster than testing all pairs of triangles. A part
//! that penetrates deeply is pushed out on the side where it entered.

use std::collections::BTreeMap;

use glam::DVec3;

use super::hull::Hull;
use super::mass;
use super::sphere_tree::{self, SphereNode};
use crate::geometry::{Aabb, Plane, Triangle, by_coordinates};

/// The tolerance for corners in single precision. It limits the height of a corner above the plane of an adjacent
/// triangle, relative to the component's size, and the excess of the hull's volume, relative to the component's
/// volume.
const CONVEX: f64 = 1e-6;

/// The maximum number of corners of a convex part: the cost of a hull grows with them, while a mesh has a tree.
const MAX_CORNERS: usize = 256;

/// The triangles of a closed surface with their neighbours.
pub(super) struct ClosedSurface<'a> {
    pub triangles: &'a [Triangle],
    /// The adjacent triangle of each triangle across the edge from corner `i` to corner `i + 1`.
    pub beyond: Vec<[usize; 3]>,
}

impl<'a> ClosedSurface<'a> {
    /// Finds the neighbours. Returns `None` unless each edge is shared by exactly two triangles that run along it in
    /// opposite directions.
    pub(super) fn of(triangles: &'a [Triangle]) -> Option<Self> {
        let mut corners: Vec<DVec3> = triangles.iter().flat_map(|t| t.corners).collect();
        corners.sort_by(|a, b| by_coordinates(*a, *b));
        corners.dedup();
        let number = |corner: DVec3| {
            let found = corners.binary_search_by(|other| by_coordinates(*other, corner));
            found.unwrap_or_default()
        };
        let numbers = |triangle: &Triangle| triangle.corners.map(number);
        let numbers: Vec<[usize; 3]> = triangles.iter().map(numbers).collect();
        let mut along = BTreeMap::new();
        for (i, numbers) in numbers.iter().enumerate() {
            for k in 0..3 {
                if along
                    .insert([numbers[k], numbers[(k + 1) % 3]], i)
                    .is_some()
                {
                    return None;
                }
            }
        }
        let mut beyond = Vec::with_capacity(triangles.len());
        for numbers in &numbers {
            let across = |k: usize| along.get(&[numbers[(k + 1) % 3], numbers[k]]).copied();
            beyond.push([across(0)?, across(1)?, across(2)?]);
        }
        Some(Self { triangles, beyond })
    }

    /// The connected components of the surface, each as the indices of its triangles.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut is_found = vec![false; self.triangles.len()];
        let mut components = Vec::new();
        for first in 0..self.triangles.len() {
            if is_found[first] {
                continue;
            }
            is_found[first] = true;
            let mut component = vec![first];
            let mut next = 0;
            while next < component.len() {
                for beyond in self.beyond[component[next]] {
                    if !is_found[beyond] {
                        is_found[beyond] = true;
                        component.push(beyond);
                    }
                }
                next += 1;
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }

    /// The solid that a component encloses, if it is convex: no edge is concave, and its hull has no larger volume. The volume
    /// test rejects surfaces that are concave over many edges, each by less than the tolerance, and surfaces that wind around
    /// twice.
    fn convex_solid(&self, component: &[usize]) -> Option<Hull> {
        let corners = || component.iter().flat_map(|&i| self.triangles[i].corners);
        let around = Aabb::around(corners());
        let allowed = CONVEX * (around.max - around.min).max_element();
        for &i in component {
            let plane = Plane::through(self.triangles[i].corners[0], self.triangles[i].normal()?);
            let mut near = self.beyond[i].iter();
            let stands_out = |&beyond: &usize| {
                let corners = self.triangles[beyond].corners;
                corners
                    .iter()
                    .any(|&corner| plane.distance(corner) > allowed)
            };
            if near.any(stands_out) {
                return None;
            }
        }
        let triangles = component.iter().map(|&i| self.triangles[i].corners);
        let volume = mass::of_closed_surface(triangles, corners().next()?, 1.0)?.mass;
        let mut distinct: Vec<DVec3> = corners().collect();
        distinct.sort_by(|a, b| by_coordinates(*a, *b));
        distinct.dedup();
        let hull = Hull::of_points(&distinct).ok()?;
        let is_convex = hull.mass_properties().mass <= (1.0 + CONVEX) * volume;
        (is_convex && hull.corners().len() <= MAX_CORNERS).then_some(hull)
    }
}

/// The convex parts of a mesh, with a sphere tree over them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConvexParts {
    /// The hulls, in coordinates of the mesh.
    pub hulls: Vec<Hull>,
    pub tree: Vec<SphereNode>,
}

impl ConvexParts {
    /// Finds the parts. Returns `None` if a component of the surface is not convex, or has too many corners.
    pub(super) fn of(surface: &ClosedSurface) -> Option<Self> {
        let components = surface.components();
        let hulls = components.iter().map(|part| surface.convex_solid(part));
        let hulls = hulls.collect::<Option<Vec<Hull>>>()?;
        let corners: Vec<&[DVec3]> = hulls.iter().map(|hull| hull.corners()).collect();
        Some(Self {
            tree: sphere_tree::build(&corners),
            hulls,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::shapes::{Shape, rotation_by};

    fn parts_of(triangles: &[Triangle]) -> Option<usize> {
        let parts = ConvexParts::of(&ClosedSurface::of(triangles)?)?;
        Some(parts.hulls.len())
    }

    fn vector(rng: &mut Rng) -> DVec3 {
        DVec3::from([0; 3].map(|_| rng.between(-1.0, 1.0)))
    }

    /// The surface of the hull of some points, in single precision as in files.
    fn convex(rng: &mut Rng, middle: DVec3) -> Vec<Triangle> {
        let points: Vec<DVec3> = (0..12).map(|_| middle + vector(rng)).collect();
        let points: Vec<DVec3> = points.iter().map(|p| p.as_vec3().as_dvec3()).collect();
        Shape::Hull(Hull::of_points(&points).unwrap()).triangles()
    }

    #[test]
    fn each_convex_component_is_a_part_also_where_components_overlap() {
        let mut rng = Rng::new(1);
        for count in [1, 2, 5, 30] {
            let parts = (0..count).flat_map(|_| {
                let middle = 2.0 * vector(&mut rng);
                convex(&mut rng, middle)
            });
            let triangles: Vec<Triangle> = parts.collect();
            assert_eq!(parts_of(&triangles), Some(count));
        }
    }

    #[test]
    fn what_has_a_dent_or_a_cavity_has_no_convex_parts() {
        let mut rng = Rng::new(2);
        let half_extents = DVec3::new(1.0, 0.5, 0.8);
        let mut dents = 0;
        for _ in 0..500 {
            let turn = rotation_by(3.0 * vector(&mut rng));
            let mut triangles = Shape::Box { half_extents }.triangles();
            assert_eq!(parts_of(&triangles), Some(1));
            // One face is pushed inwards at its middle, by a depth between a tenth of a millimetre and half of the
            // box.
            let split = triangles.remove(rng.below(triangles.len()));
            let depth = 1e-4 * 2e3_f64.powf(rng.between(0.0, 1.0));
            let middle = split.corners.iter().sum::<DVec3>() / 3.0;
            let middle = middle - depth * split.normal().unwrap();
            for i in 0..3 {
                let corners = [split.corners[i], split.corners[(i + 1) % 3], middle];
                triangles.push(Triangle { corners });
            }
            for triangle in &mut triangles {
                triangle.corners = triangle.corners.map(|corner| turn * corner);
            }
            dents += usize::from(parts_of(&triangles).is_none());
        }
        assert_eq!(dents, 500);
        let mut hollow = Shape::Box { half_extents }.triangles();
        let inside = Shape::Box {
            half_extents: 0.5 * half_extents,
        };
        hollow.extend(inside.triangles().iter().map(|triangle| {
            let [a, b, c] = triangle.corners;
            Triangle { corners: [a, c, b] }
        }));
        assert_eq!(parts_of(&hollow), None);
    }

    #[test]
    fn a_bowed_strip_whose_edges_hardly_turn_has_no_convex_parts() {
        // A closed bow of 4,000 segments: the angle between successive segments is below the tolerance of an edge.
        let count = 4000;
        let corner = |i: usize, j: usize| {
            let angle = 0.5 * (i as f64 / count as f64 - 0.5);
            let radius = if j & 1 == 0 { 1.0 } else { 1.01 };
            let height = if j & 2 == 0 { 0.0 } else { 0.01 };
            DVec3::new(radius * angle.sin(), height, radius * angle.cos())
        };
        let mut triangles = Vec::new();
        let mut quad = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| {
            triangles.push(Triangle { corners: [a, b, c] });
            triangles.push(Triangle { corners: [a, c, d] });
        };
        for i in 0..count {
            for [j, k] in [[0, 1], [1, 3], [3, 2], [2, 0]] {
                quad(
                    corner(i, j),
                    corner(i, k),
                    corner(i + 1, k),
                    corner(i + 1, j),
                );
            }
        }
        quad(corner(0, 0), corner(0, 2), corner(0, 3), corner(0, 1));
        quad(
            corner(count, 0),
            corner(count, 1),
            corner(count, 3),
            corner(count, 2),
        );
        let surface = ClosedSurface::of(&triangles).unwrap();
        assert!(ConvexParts::of(&surface).is_none());
    }
}
