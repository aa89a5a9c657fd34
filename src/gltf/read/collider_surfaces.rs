//! The triangles of colliders whose shapes are given by numbers instead of a mesh.

use super::physics_values::ColliderShape;
use crate::geometry::Triangle;
use crate::shapes::{Shape, capsule_profile, surface_of_revolution};
use crate::source::BodyShape;

/// Number of sides of a round collider that is approximated by triangles.
const SIDES: u32 = 16;

/// The surface of a collider, with fronts outwards; `None` for a mesh collider. If the collider has the shape of its
/// body, a few points that define the shape are enough.
pub(crate) fn surface(shape: &ColliderShape, of_body: BodyShape) -> Option<Vec<Triangle>> {
    Some(match *shape {
        // Six corners are enough to define a sphere.
        ColliderShape::Sphere { radius } if of_body == BodyShape::Sphere => {
            surface_of_revolution(&[[0.0, -radius], [radius, 0.0], [0.0, radius]], 4)
        }
        ColliderShape::Sphere { radius } => {
            surface_of_revolution(&capsule_profile(0.0, [radius; 2]), SIDES)
        }
        ColliderShape::Box { size } => Shape::Box {
            half_extents: size * 0.5,
        }
        .triangles(),
        // Two rings and two poles are enough to define a capsule.
        ColliderShape::Capsule {
            height,
            radii: [radius, _],
        } if of_body == BodyShape::Capsule => {
            let half = height * 0.5;
            let outline = [
                [0.0, -half - radius],
                [radius, -half],
                [radius, half],
                [0.0, half + radius],
            ];
            surface_of_revolution(&outline, 4)
        }
        ColliderShape::Capsule { height, radii } => {
            surface_of_revolution(&capsule_profile(height, radii), SIDES)
        }
        ColliderShape::Cylinder {
            height,
            radii: [bottom, top],
        } => {
            let half = height * 0.5;
            let outline = [[0.0, -half], [bottom, -half], [top, half], [0.0, half]];
            surface_of_revolution(&outline, SIDES)
        }
        ColliderShape::Convex { .. } | ColliderShape::Trimesh { .. } => return None,
    })
}
