//! A convex polyhedron.

use glam::DVec3;

use super::bounds::{BoundingSphere, OrientedBox};
use super::mass::{self, MassProperties};
use crate::geometry::{Aabb, Plane};

/// An edge between two faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HullEdge {
    /// Numbers of the corners.
    pub corners: [u32; 2],
    /// Numbers of the faces on its left and on its right, seen from outside.
    pub faces: [u32; 2],
}

/// A convex solid with flat faces, made by [`Hull::of_points`].
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    pub(super) corners: Vec<DVec3>,
    pub(super) planes: Vec<Plane>,
    /// Where each face's loop begins in `loops`; one more than there are faces.
    pub(super) starts: Vec<u32>,
    /// Corners of the faces one after the other, counter-clockwise seen from outside.
    pub(super) loops: Vec<u32>,
    pub(super) edges: Vec<HullEdge>,
    /// Of a density of 1.
    mass: MassProperties,
    bounds: BoundingSphere,
    /// The distance of the farthest corner from the origin, metres.
    pub(super) radius: f64,
    /// The box around it along its principal axes.
    pub(super) oriented: OrientedBox,
}

impl Hull {
    /// From loops of corners, counter-clockwise seen from outside, that close; `None` if they do not, or hold no
    /// volume.
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

    /// The faces: their planes, with normals that point outwards, and their corners' numbers, counter-clockwise
    /// seen from outside.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = (&Plane, &[u32])> {
        (0..self.planes.len()).map(|face| (&self.planes[face], self.face(face)))
    }

    /// The corners' numbers of a face.
    pub(super) fn face(&self, face: usize) -> &[u32] {
        &self.loops[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// The centre of mass, metres.
    pub fn centre(&self) -> DVec3 {
        self.mass.centre
    }

    /// The corner that lies farthest in a direction, the first of several.
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

    /// The smallest box along the axes around the corners as `place` puts them.
    pub(super) fn aabb(&self, place: impl Fn(DVec3) -> DVec3) -> Aabb {
        Aabb::around(self.corners.iter().map(|corner| place(*corner)))
    }

    /// The distance of the farthest corner from a point, metres.
    pub(super) fn radius_about(&self, centre: DVec3) -> f64 {
        farthest(self.corners.iter().copied(), centre)
    }

    /// Of a density of 1.
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
