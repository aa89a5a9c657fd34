//! parry3d's answers in our types.

use glam::{DQuat, DVec3};
use opendoor::geometry::{Rigid, Triangle};
use opendoor::shapes::Shape;
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{self, SharedShape};

pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

pub(crate) fn pose(rigid: &Rigid) -> Pose {
    let turn = DQuat::from_mat3(&rigid.rotation());
    Pose {
        rotation: Rotation::from_array(turn.to_array()),
        translation: vector(rigid.translation()),
    }
}

pub(crate) fn shape(of: &Shape) -> SharedShape {
    match of {
        Shape::Sphere { radius } => SharedShape::ball(*radius),
        Shape::Capsule {
            half_segment,
            radius,
        } => SharedShape::capsule(vector(-*half_segment), vector(*half_segment), *radius),
        Shape::Hull(hull) => {
            let corners: Vec<Vector> = hull.corners().iter().copied().map(vector).collect();
            SharedShape::convex_hull(&corners).unwrap()
        }
        Shape::Mesh(mesh) => {
            let corners = mesh.triangles().flat_map(|triangle| triangle.corners);
            let corners: Vec<Vector> = corners.map(vector).collect();
            let triangles = (0..corners.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
            SharedShape::trimesh(corners.clone(), triangles.collect()).unwrap()
        }
        Shape::Box { half_extents } => SharedShape::new(shape::Cuboid::new(vector(*half_extents))),
    }
}

pub(crate) fn triangle(of: &Triangle) -> SharedShape {
    let [a, b, c] = of.corners.map(vector);
    SharedShape::triangle(a, b, c)
}

/// Signed distance of two shapes by parry, metres.
pub(crate) fn separation(a: &SharedShape, at_a: &Rigid, b: &SharedShape, at_b: &Rigid) -> f64 {
    let contact = query::contact(&pose(at_a), &**a, &pose(at_b), &**b, 1e9);
    contact.unwrap().unwrap().dist
}
