//! Two sphere casts on parry's hierarchy of boxes: parry's own, and an exact one.

use glam::DVec3;
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::math::{Pose, Vector};
use rapier3d::parry::partitioning::BvhNode;
use rapier3d::parry::query::{ShapeCastOptions, cast_shapes};
use rapier3d::parry::shape::{Ball, TriMesh};

use crate::common::walk::BODY;
use crate::scenes::Scene;
use crate::slide::{SKIN, SphereCast};

/// Radius of the sphere that is cast exactly, metres.
const RADIUS: f64 = BODY.radius + SKIN;

/// How far parry's casts look beyond the motion, metres: the gap at a grazing angle.
const PULL_BACK: f64 = 10.0 * SKIN;

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

/// Parry's cast of a ball against the mesh. The ball is the body itself, and the gap is kept by
/// pulling it back along the motion: with a ball grown by the gap, parry meets the floor again
/// with every motion along it, and the character stands still.
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

/// The exact cast in f64 against every triangle whose box touches that of the motion.
pub(crate) struct ExactCast<'a>(pub(crate) &'a TriMesh);

impl SphereCast for ExactCast<'_> {
    const NUDGE: f64 = 0.0;

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
        if first.is_none_or(|first| distance < first.0)
            && let Some(normal) = (direction * distance - point).try_normalize()
            && direction.dot(normal) < -GRAZE_SLOPE
        {
            first = Some((distance, normal));
        }
    };
    for (p, q) in [(a, b), (b, c), (c, a)] {
        // The sphere's centre moves in the frame of the corner `p`; across the edge, its
        // coordinates lose the parts along it.
        let (edge, out) = (q - p, p.length_squared() - RADIUS * RADIUS);
        let (at, along) = (-p.dot(edge), direction.dot(edge));
        let (approach, inverse) = (-p.dot(direction), 1.0 / edge.length_squared());
        let cylinder = [
            1.0 - along * along * inverse,
            approach - at * along * inverse,
            out - at * at * inverse,
        ];
        if let Some(distance) = entry(cylinder) {
            let part = (at + along * distance) * inverse;
            if (0.0..=1.0).contains(&part) {
                meet(distance, p + edge * part);
            }
        }
        if let Some(distance) = entry([1.0, approach, out]) {
            meet(distance, p);
        }
    }
    first
}

/// The first root of `a t^2 + 2 b t + c`, the square of a distance less that of the radius: where
/// it becomes negative; 0 if it is and the distance shrinks, nothing if the distance grows.
fn entry([a, b, c]: [f64; 3]) -> Option<f64> {
    let discriminant = b * b - a * c;
    (b < 0.0 && discriminant >= 0.0).then(|| ((-b - discriminant.sqrt()) / a).max(0.0))
}

/// The vector in parry's type and precision.
pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.as_vec3().to_array())
}
