//! A convex polyhedron.

use glam::DVec3;

use super::bounds::{BoundingSphere, OrientedBox};
use super::mass::{self, MassProperties};
use crate::geometry::{Aabb, Plane};

/// An edge between two faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HullEdge {
    /// Indices of the corners.
    pub corners: [u32; 2],
    /// Indices of the faces on the left and on the right of the edge, seen from outside.
    pub faces: [u32; 2],
}

/// A convex solid with flat faces, made by [`Hull::of_points`].
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    pub(super) corners: Vec<DVec3>,
    pub(super) planes: Vec<Plane>,
    /// The start of each face's loop in `loops`, plus a final end index.
    pub(super) starts: Vec<u32>,
    /// The corner indices of all faces, concatenated, counter-clockwise seen from outside.
    pub(super) loops: Vec<u32>,
    pub(super) edges: Vec<HullEdge>,
    /// The mass properties at a density of 1.
    mass: MassProperties,
    bounds: BoundingSphere,
    /// The distance of the farthest corner from the origin, metres.
    pub(super) radius: f64,
    /// The box around the hull along its principal axes of inertia.
    pub(super) oriented: OrientedBox,
}

impl Hull {
    /// Builds a hull from closed loops of corners, counter-clockwise seen from outside. Returns `None` if the faces do not
    /// close, or enclose no volume.
    pub(super) fn from_faces(corners: Vec<DVec3>, faces: &[(Plane, Vec<u32>)]) -> Option<Self> {
        let mut halves = Vec::new();
        let (mut planes, mut starts, mut loops) = (Vec::new(), vec![0], Vec::new());
        for (face, (plane, corners)) in (0..).zip(faces) {
            planes.push(*plane);
            loops.extend_from_slice(corners);
            starts.push(loops.len() as u32);
            for (i, &from) in corners.iter().enumerate() {
                let to = corners[(i + 1) % corners.len()];
                halves.push(([from.min(to), from.max(to)], from < to, face));
            }
        }
        halves.sort_unstable();
        let mut edges = Vec::new();
        for pair in halves.chunks(2) {
            let &[(corners, false, right), (others, true, left)] = pair else {
                return None;
            };
            if corners != others {
                return None;
            }
            let faces = [left, right];
            edges.push(HullEdge { corners, faces });
        }
        let corner = |i: u32| corners[i as usize];
        let triangles = faces.iter().flat_map(|(_, face)| {
            let fan = face.get(1..).unwrap_or_default().windows(2);
            fan.map(move |pair| [corner(face[0]), corner(pair[0]), corner(pair[1])])
        });
        let mass = mass::of_closed_surface(triangles, *corners.first()?, 1.0)?;
        let bounds = BoundingSphere::around(&corners);
        let radius = farthest(corners.iter().copied(), DVec3::ZERO);
        let oriented = OrientedBox::along_axes_of(&mass, |place| {
            Aabb::around(corners.iter().map(|corner| place(*corner)))
        });
        Some(Self {
            corners,
            planes,
            starts,
            loops,
            edges,
            mass,
            bounds,
            radius,
            oriented,
        })
    }

    /// The corners, metres.
    pub fn corners(&self) -> &[DVec3] {
        &self.corners
    }

    /// The faces: their planes, with outward normals, and their corner indices, counter-clockwise seen from outside.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = (&Plane, &[u32])> {
        (0..self.planes.len()).map(|face| (&self.planes[face], self.face(face)))
    }

    /// The corner indices of a face.
    pub(super) fn face(&self, face: usize) -> &[u32] {
        &self.loops[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// The centre of mass, metres.
    pub fn centre(&self) -> DVec3 {
        self.mass.centre
    }

    /// The index of the corner farthest in a direction, the first of several.
    pub(super) fn support(&self, direction: DVec3) -> usize {
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        for (i, corner) in self.corners.iter().enumerate() {
            let along = direction.dot(*corner);
            if along > most {
                (best, most) = (i, along);
            }
        }
        best
    }

    /// The smallest axis-aligned box around the corners, transformed by `place`.
    pub(super) fn aabb(&self, place: impl Fn(DVec3) -> DVec3) -> Aabb {
        Aabb::around(self.corners.iter().map(|corner| place(*corner)))
    }

    /// The distance of the farthest corner from a point, metres.
    pub(super) fn radius_about(&self, centre: DVec3) -> f64 {
        farthest(self.corners.iter().copied(), centre)
    }

    /// The mass properties at a density of 1.
    pub(super) fn mass_properties(&self) -> MassProperties {
        self.mass
    }

    /// A sphere around the corners.
    pub(super) fn bounding_sphere(&self) -> BoundingSphere {
        self.bounds
    }
}

/// The distance of the farthest point from `centre`, metres.
pub(super) fn farthest(points: impl Iterator<Item = DVec3>, centre: DVec3) -> f64 {
    let squares = points.map(|point| (point - centre).length_squared());
    squares.fold(0.0, f64::max).sqrt()
}
