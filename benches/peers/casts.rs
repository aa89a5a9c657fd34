//! Parry's own sphere cast.

use glam::DVec3;
use rapier3d::parry::math::{Pose, Vector};
use rapier3d::parry::query::{ShapeCastOptions, cast_shapes};
use rapier3d::parry::shape::{Ball, TriMesh};

use crate::scenes::Scene;
use crate::slide::{SKIN, SphereCast};
use opendoor_benches::walk::BODY;

/// Extra length of parry's casts beyond the motion, metres, so that a hit just beyond its end can be pulled back by the
/// gap even at a grazing angle.
const PULL_BACK: f64 = 10.0 * SKIN;

/// All triangles of a scene as one mesh.
pub(crate) fn whole_mesh(scene: &Scene) -> TriMesh {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for mesh in scene.meshes() {
        let base = points.len() as u32;
        points.extend(mesh.points.iter().map(|p| Vector::from_array(p.to_array())));
        triangles.extend(mesh.triangles.iter().map(|t| t.map(|i| base + i)));
    }
    TriMesh::new(points, triangles).expect("the scene has triangles")
}

/// Parry's cast of a ball against the mesh. The ball is as large as the body, without the gap; pulling it back along
/// the motion keeps the gap. With a ball grown by the gap, parry would report the floor again in every motion along it,
/// and the character would stand still.
pub(crate) struct ParryCast<'a>(pub(crate) &'a TriMesh);

impl SphereCast for ParryCast<'_> {
    const NUDGE: f64 = 1e-4;

    fn cast(&self, centre: DVec3, direction: DVec3, length: f64) -> Option<(f64, DVec3)> {
        let options = ShapeCastOptions {
            max_time_of_impact: (length + PULL_BACK) as f32,
            target_distance: 0.0,
            stop_at_penetration: false,
            compute_impact_geometry_on_penetration: true,
        };
        let hit = cast_shapes(
            &Pose::from_translation(vector(centre)),
            vector(direction),
            &Ball::new(BODY.radius as f32),
            &Pose::IDENTITY,
            Vector::ZERO,
            self.0,
            options,
        );
        let hit = hit.expect("parry casts balls against meshes")?;
        let normal = DVec3::from_array(hit.normal2.to_array().map(f64::from));
        let approach = (-normal.dot(direction)).max(SKIN / PULL_BACK);
        let distance = (f64::from(hit.time_of_impact) - SKIN / approach).max(0.0);
        (distance < length).then_some((distance, normal))
    }
}

/// The vector in parry's type and precision.
pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.as_vec3().to_array())
}
