//! An exact sphere cast in f64 on parry's bounding volume hierarchy.

use glam::DVec3;
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::partitioning::BvhNode;
use rapier3d::parry::shape::TriMesh;

use crate::casts::vector;
use crate::slide::{SKIN, SphereCast};
use opendoor_benches::walk::BODY;

/// Radius of the cast sphere, metres.
const RADIUS: f64 = BODY.radius + SKIN;

/// Contacts that a motion approaches by less than this fraction of its length are ignored, because of rounding.
const GRAZE_SLOPE: f64 = 1e-6;

/// A sphere that would enter a plane by less than this fraction of its radius misses the plane, because of rounding.
const SKIMS: f64 = 1e-10;

/// A cast against every triangle whose box overlaps that of the motion. Triangles are solid from both sides, as in
/// parry's meshes, or only from the front, as in our rooms.
pub(crate) struct ExactCast<'a, const ONE_SIDED: bool>(pub(crate) &'a TriMesh);

impl<const ONE_SIDED: bool> SphereCast for ExactCast<'_, ONE_SIDED> {
    const NUDGE: f64 = 0.0;

    fn cast(&self, centre: DVec3, direction: DVec3, length: f64) -> Option<(f64, DVec3)> {
        let end = centre + direction * length;
        // Slightly more than the radius, because of the rounding to f32.
        let margin = DVec3::splat(1.01 * RADIUS);
        let (low, high) = (centre.min(end) - margin, centre.max(end) + margin);
        let query = BvhNode::leaf(Aabb::new(vector(low), vector(high)), 0);
        let mut first: Option<(f64, DVec3)> = None;
        for index in self.0.bvh().leaves(|node| node.intersects(&query)) {
            let triangle = self.0.triangle(index);
            let corners = [triangle.a, triangle.b, triangle.c]
                .map(|p| DVec3::from_array(p.to_array().map(f64::from)) - centre);
            let limit = first.map_or(length, |first| first.0);
            first = sweep::<ONE_SIDED>(corners, direction, limit).or(first);
        }
        first
    }
}

/// The distance that a sphere of [`RADIUS`] moves from the origin along `direction` before it hits the triangle,
/// metres, and the unit normal there; `None` if the distance exceeds `limit`. An approaching overlap counts as an
/// immediate hit. If `ONE_SIDED`, motions that come from behind the triangle do not hit it.
fn sweep<const ONE_SIDED: bool>(
    corners: [DVec3; 3],
    direction: DVec3,
    limit: f64,
) -> Option<(f64, DVec3)> {
    let [a, b, c] = corners;
    // Not normalised yet: most triangles are rejected before a unit normal is needed.
    let normal = (b - a).cross(c - a);
    if ONE_SIDED && direction.dot(normal) > 0.0 {
        return None;
    }
    let front = normal * 1f64.copysign(-a.dot(normal));
    let away = direction.dot(front);
    let (height, scale) = (-a.dot(front), front.length());
    if height + away.min(0.0) * limit >= RADIUS * scale * (1.0 - SKIMS) {
        return None;
    }
    if -away > GRAZE_SLOPE * scale {
        let distance = ((height - RADIUS * scale) / -away).max(0.0);
        let centre = direction * distance;
        let is_inside = |p: DVec3, q: DVec3| (q - p).cross(centre - p).dot(front) >= 0.0;
        if is_inside(a, b) && is_inside(b, c) && is_inside(c, a) {
            return Some((distance, front / scale));
        }
    }
    let mut first = None;
    let mut limit = limit;
    let mut meet = |distance: f64, point: DVec3| {
        if distance < limit
            && let Some(normal) = (direction * distance - point).try_normalize()
            && direction.dot(normal) < -GRAZE_SLOPE
        {
            limit = distance;
            first = Some((distance, normal));
        }
    };
    for (p, q) in [(a, b), (b, c), (c, a)] {
        // The squared distance between the moving centre and the edge's line, minus the squared radius, times the
        // squared length of the edge.
        let (edge, out) = (q - p, p.length_squared() - RADIUS * RADIUS);
        let (at, along) = (-p.dot(edge), direction.dot(edge));
        let (approach, square) = (-p.dot(direction), edge.length_squared());
        let line = [
            square - along * along,
            approach * square - at * along,
            out * square - at * at,
        ];
        if let Some(distance) = entry(line) {
            let part = at + along * distance;
            if (0.0..=square).contains(&part) {
                meet(distance, p + edge * (part / square));
            }
        }
        if let Some(distance) = entry([1.0, approach, out]) {
            meet(distance, p);
        }
    }
    first
}

/// The first root of `a t^2 + 2 b t + c`, a squared distance minus the squared radius: where it becomes negative.
/// Returns 0 if it is negative and the distance shrinks, and `None` if the distance grows.
fn entry([a, b, c]: [f64; 3]) -> Option<f64> {
    let discriminant = b * b - a * c;
    (b < 0.0 && discriminant >= 0.0).then(|| ((-b - discriminant.sqrt()) / a).max(0.0))
}
