//! Computes vertices from a pose.

use glam::{Affine3A, Vec3, Vec3A};

use super::model::Figure;
use super::pose::Pose;

/// Calls `each` with the position, metres, and the unit normal of every vertex in a pose, in the order of [`Figure::vertices`],
/// in the figure's coordinates. Uses linear blend skinning.
pub fn skin(
    figure: &Figure,
    pose: &Pose,
    palette: &mut Vec<Affine3A>,
    mut each: impl FnMut(Vec3, Vec3),
) {
    palette.clear();
    let joints = figure.joints.iter().zip(&pose.model_from_joint);
    palette
        .extend(joints.map(|(joint, &model_from_joint)| model_from_joint * joint.joint_from_model));
    for vertex in &figure.vertices {
        let (mut position, mut normal) = (Vec3A::ZERO, Vec3A::ZERO);
        for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights) {
            if weight > 0.0
                && let Some(moved) = palette.get(usize::from(joint))
            {
                position += moved.transform_point3a(vertex.position.into()) * weight;
                normal += moved.transform_vector3a(vertex.normal.into()) * weight;
            }
        }
        each(position.into(), Vec3::from(normal).normalize_or(Vec3::Y));
    }
}
