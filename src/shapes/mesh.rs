//! A solid of arbitrary shape, bounded by a closed surface of triangles.

use std::cmp::Ordering;

use glam::DVec3;

use super::bounds::{BoundingSphere, OrientedBox};
use super::convex_parts::{ClosedSurface, ConvexParts};
use super::hull::farthest;
use super::mass::{self, MassProperties};
use super::sphere_tree::{self, SphereNode};
use super::surface_triangle::SurfaceTriangle;
use crate::geometry::{Aabb, Triangle, by_coordinates};

/// The maximum number of triangles of a mesh: enough for a prop, not for a level.
pub const MAX_TRIANGLES: usize = 1 << 16;

/// The sine of the angle between the normals of two adjacent faces above which a convex edge counts as a ridge.
const RIDGE: f64 = 1e-4;

/// A reason why triangles do not form a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// A coordinate is NaN or infinite.
    #[error("a corner is not finite; apply or remove broken modifiers")]
    NotFinite,
    /// All triangles are degenerate, or there are none.
    #[error("it has no triangles with an area; give it a mesh with a volume")]
    Empty,
    /// The mesh exceeds the maximum number of triangles for contacts.
    #[error("it has more than {MAX_TRIANGLES} triangles; make it simpler")]
    TooManyTriangles,
    /// An edge is not shared by exactly two triangles that run along it in opposite directions.
    #[error(
        "its surface is not closed; fill holes, merge vertices and let all faces look outwards"
    )]
    Open,
    /// The surface encloses no volume, or its normals point inwards.
    #[error("its surface looks inwards; flip its normals")]
    InsideOut,
}

/// Rotates the corners of each triangle so that the lowest comes first, and sorts the triangles by their corners. So sums
/// over the triangles, and the tree, do not depend on the order in a file.
fn in_order_of_coordinates<'a>(triangles: impl Iterator<Item = &'a Triangle>) -> Vec<Triangle> {
    let from_first_corner = |triangle: &Triangle| {
        let [a, b, c] = triangle.corners;
        let turned = [[a, b, c], [b, c, a], [c, a, b]];
        let first = turned.into_iter().min_by(by_corners);
        Triangle {
            corners: first.unwrap_or(triangle.corners),
        }
    };
    let mut sorted: Vec<Triangle> = triangles.map(from_first_corner).collect();
    sorted.sort_by(|p, q| by_corners(&p.corners, &q.corners));
    sorted
}

fn by_corners(p: &[DVec3; 3], q: &[DVec3; 3]) -> Ordering {
    let by_each = p.iter().zip(q).map(|(p, q)| by_coordinates(*p, *q));
    by_each.fold(Ordering::Equal, Ordering::then)
}

/// A solid with a closed surface, in its own coordinates, with a sphere tree over its triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The triangles, solid from outside.
    pub(super) surface: Vec<SurfaceTriangle>,
    pub(super) tree: Vec<SphereNode>,
    /// The convex parts, if the mesh consists of convex parts only.
    pub(super) convex_parts: Option<ConvexParts>,
    /// The mass properties at a density of 1.
    mass: MassProperties,
    /// The distance of the farthest corner from the origin, metres.
    pub(super) radius: f64,
    /// The box around the mesh along its principal axes of inertia.
    pub(super) oriented: OrientedBox,
}

impl Mesh {
    /// Builds a mesh from triangles that are counter-clockwise seen from outside, metres. Degenerate triangles are left out.
    ///
    /// # Errors
    /// Fails if the triangles are not the closed surface of a solid.
    pub fn of_triangles(triangles: &[Triangle]) -> Result<Self, MeshError> {
        let is_finite = |triangle: &Triangle| triangle.corners.iter().all(|c| c.is_finite());
        if !triangles.iter().all(is_finite) {
            return Err(MeshError::NotFinite);
        }
        let with_area = triangles
            .iter()
            .filter(|triangle| triangle.normal().is_some());
        let triangles = in_order_of_coordinates(with_area);
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        if triangles.len() > MAX_TRIANGLES {
            return Err(MeshError::TooManyTriangles);
        }
        let reference = triangles[0].corners[0];
        let corners = triangles.iter().map(|triangle| triangle.corners);
        let mass = mass::of_closed_surface(corners, reference, 1.0);
        let mass = mass.ok_or(MeshError::InsideOut)?;
        let corners = || triangles.iter().flat_map(|triangle| triangle.corners);
        let closed = ClosedSurface::of(&triangles).ok_or(MeshError::Open)?;
        let loops: Vec<[DVec3; 3]> = triangles.iter().map(|triangle| triangle.corners).collect();
        Ok(Self {
            surface: surface(&closed).ok_or(MeshError::Open)?,
            tree: sphere_tree::build(&loops),
            convex_parts: ConvexParts::of(&closed),
            radius: farthest(corners(), DVec3::ZERO),
            oriented: OrientedBox::along_axes_of(&mass, |place| Aabb::around(corners().map(place))),
            mass,
        })
    }

    /// The triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = &Triangle> {
        self.surface.iter().map(|surface| &surface.triangle)
    }

    /// The centre of mass, metres.
    pub fn centre(&self) -> DVec3 {
        self.mass.centre
    }

    /// The mass properties at a density of 1.
    pub(super) fn mass_properties(&self) -> MassProperties {
        self.mass
    }

    /// A sphere around the triangles.
    pub(super) fn bounding_sphere(&self) -> BoundingSphere {
        self.tree[0].sphere
    }

    /// The smallest axis-aligned box around the corners, transformed by `place`.
    pub(super) fn aabb(&self, place: impl Fn(DVec3) -> DVec3) -> Aabb {
        let corners = self.triangles().flat_map(|triangle| triangle.corners);
        Aabb::around(corners.map(place))
    }

    /// The distance of the farthest corner from a point, metres.
    pub(super) fn radius_about(&self, centre: DVec3) -> f64 {
        let corners = self.triangles().flat_map(|triangle| triangle.corners);
        farthest(corners, centre)
    }
}

/// The triangles with their internal edges: flat or concave edges; `None` if a triangle is degenerate.
fn surface(closed: &ClosedSurface) -> Option<Vec<SurfaceTriangle>> {
    let mut found = Vec::with_capacity(closed.triangles.len());
    for (triangle, beyond) in closed.triangles.iter().zip(&closed.beyond) {
        let mut internal_edges = [false; 3];
        for k in 0..3 {
            let [from, to] = [triangle.corners[k], triangle.corners[(k + 1) % 3]];
            let [here, there] = [triangle, &closed.triangles[beyond[k]]].map(|t| t.normal());
            // At a ridge the normals turn about the edge; at a concave edge against it.
            let turn = here?.cross(there?).dot((to - from).try_normalize()?);
            internal_edges[k] = turn <= RIDGE && here?.dot(there?) > -0.999;
        }
        found.push(SurfaceTriangle {
            internal_edges,
            ..SurfaceTriangle::one_sided(*triangle)
        });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_triangles(min: DVec3, max: DVec3) -> Vec<Triangle> {
        let c = Aabb { min, max }.corners();
        let quads = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        let halves = quads.map(|[p, q, r, s]| [[c[p], c[q], c[r]], [c[p], c[r], c[s]]]);
        halves
            .into_iter()
            .flatten()
            .map(|corners| Triangle { corners })
            .collect()
    }

    #[test]
    fn a_box_of_triangles_has_ridges_at_its_edges_and_none_across_its_faces() {
        let triangles = box_triangles(DVec3::ZERO, DVec3::ONE);
        let outwards = Mesh::of_triangles(&triangles).unwrap();
        let flipped = |t: &Triangle| Triangle {
            corners: [t.corners[0], t.corners[2], t.corners[1]],
        };
        let inwards: Vec<Triangle> = triangles.iter().map(flipped).collect();
        for surface in &outwards.surface {
            assert_eq!(surface.internal_edges.iter().filter(|&&is| is).count(), 1);
        }
        assert!((outwards.mass_properties().mass - 1.0).abs() < 1e-12);
        assert!((outwards.centre() - DVec3::splat(0.5)).length() < 1e-12);
        assert_eq!(Mesh::of_triangles(&inwards), Err(MeshError::InsideOut));
    }

    #[test]
    fn what_is_no_solid_is_answered_by_what_it_is() {
        let open = box_triangles(DVec3::ZERO, DVec3::ONE)[1..].to_vec();
        let nan = vec![Triangle {
            corners: [DVec3::NAN; 3],
        }];
        let line = vec![Triangle {
            corners: [DVec3::ZERO, DVec3::X, DVec3::X * 2.0],
        }];
        assert_eq!(Mesh::of_triangles(&open), Err(MeshError::Open));
        assert_eq!(Mesh::of_triangles(&nan), Err(MeshError::NotFinite));
        assert_eq!(Mesh::of_triangles(&line), Err(MeshError::Empty));
        assert_eq!(Mesh::of_triangles(&[]), Err(MeshError::Empty));
    }
}
