//! Two sphere casts on parry's hierarchy of boxes: parry's own, and an exact one.

use glam::DVec3;
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::math::{Pose, Vector};
use rapier3d::parry::partitioning::BvhNode;
use rapier3d::parry::query::{ShapeCastOptions, cast_shapes};
use rapier3d::parry::shape::{Ball, TriMesh};

use crate::scenes::Scene;
use crate::slide::{SKIN, SphereCast};
use crate::walk::BODY;

/// Radius of the sphere that is cast exactly, metres.
const RADIUS: f64 = BODY.radius + SKIN;

/// Contacts that a motion approaches by less than this part of its length are passed: rounding.
const GRAZE_SLOPE: f64 = 1e-6;

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

/// Parry's cast of a ball against the mesh.
pub(crate) struct ParryCast<'a>(pub(crate) &'a TriMesh);

impl SphereCast for ParryCast<'_> {
    fn cast(&self, centre: DVec3, direction: DVec3, length: f64) -> Option<(f64, DVec3)> {
        let options = ShapeCastOptions {
            max_time_of_impact: length as f32,
            target_distance: SKIN as f32,
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
        Some((f64::from(hit.time_of_impact), normal))
    }
}

/// The exact cast in f64 against every triangle whose box touches that of the motion.
pub(crate) struct ExactCast<'a>(pub(crate) &'a TriMesh);

impl SphereCast for ExactCast<'_> {
    fn cast(&self, centre: DVec3, direction: DVec3, length: f64) -> Option<(f64, DVec3)> {
        let end = centre + direction * length;
        // A little more than the radius, for the rounding to f32.
        let margin = DVec3::splat(1.01 * RADIUS);
        let (low, high) = (centre.min(end) - margin, centre.max(end) + margin);
        let query = BvhNode::leaf(Aabb::new(vector(low), vector(high)), 0);
        let mut first: Option<(f64, DVec3)> = None;
        for index in self.0.bvh().leaves(|node| node.intersects(&query)) {
            let triangle = self.0.triangle(index);
            let corners = [triangle.a, triangle.b, triangle.c]
                .map(|p| DVec3::from_array(p.to_array().map(f64::from)) - centre);
            if let Some(hit) = sweep(corners, direction)
                && hit.0 <= first.map_or(length, |first| first.0)
            {
                first = Some(hit);
            }
        }
        first
    }
}

/// How far a sphere of [`RADIUS`] comes from the origin along `direction` before it meets the
/// triangle from either side, metres, and the unit normal there. Approaching overlaps count as
/// met at once.
fn sweep(corners: [DVec3; 3], direction: DVec3) -> Option<(f64, DVec3)> {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).try_normalize()?;
    let height = -a.dot(normal);
    let front = normal * 1f64.copysign(height);
    let approach = -direction.dot(front);
    if approach > GRAZE_SLOPE {
        let distance = ((height.abs() - RADIUS) / approach).max(0.0);
        let point = direction * distance - front * (height.abs() - approach * distance);
        let is_inside = |p: DVec3, q: DVec3| (q - p).cross(point - p).dot(normal) >= 0.0;
        if is_inside(a, b) && is_inside(b, c) && is_inside(c, a) {
            return Some((distance, front));
        }
    }
    let mut first: Option<(f64, DVec3)> = None;
    let mut meet = |distance: f64, point: DVec3| {
        let Some(normal) = (direction * distance - point).try_normalize() else {
            return;
        };
        if direction.dot(normal) < -GRAZE_SLOPE && first.is_none_or(|first| distance < first.0) {
            first = Some((distance, normal));
        }
    };
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let edge = q - p;
        let square = edge.length_squared();
        let across = |v: DVec3| v - edge * (v.dot(edge) / square);
        if let Some(distance) = entry(across(-p), across(direction)) {
            let part = (direction * distance - p).dot(edge) / square;
            if (0.0..=1.0).contains(&part) {
                meet(distance, p + edge * part);
            }
        }
        if let Some(distance) = entry(-p, direction) {
            meet(distance, p);
        }
    }
    first
}

/// When a point that moves from `from` by `motion` per unit enters the sphere of [`RADIUS`]
/// around the origin; 0 if it is inside and comes nearer.
fn entry(from: DVec3, motion: DVec3) -> Option<f64> {
    let (a, b) = (motion.length_squared(), from.dot(motion));
    let discriminant = b * b - a * (from.length_squared() - RADIUS * RADIUS);
    (b < 0.0 && discriminant >= 0.0).then(|| ((-b - discriminant.sqrt()) / a).max(0.0))
}

/// The vector in parry's type and precision.
pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.as_vec3().to_array())
}
