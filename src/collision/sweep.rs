//! The first contact of a moving sphere with a triangle.

use glam::DVec3;

use super::tolerance::{SEAM, TIE};
use crate::geometry::{Triangle, comes_before};

/// Squared sine of the angle below which a motion counts as parallel to an edge: along such a motion, the distance
/// from the edge's line changes by less than 1e-10 of the motion's length.
const PARALLEL: f64 = 1e-20;

/// The first contact of a swept sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepHit {
    /// Path length up to the contact, metres.
    pub distance: f64,
    /// Unit vector from the contact point to the centre.
    pub normal: DVec3,
    /// Upper bound of the penetration depth that the motion would reach if it continued without end, in metres.
    /// Finite at corners and edges, infinite at a face.
    pub max_depth: f64,
}

/// Sweeps a sphere against a triangle that is solid from both sides and has the unit normal `normal`. The sphere's
/// centre moves from `centre` along the unit vector `direction` by `length` metres. `stand_out` marks the active
/// edges. At an inactive edge the surface continues, so the sphere meets a neighbour's edge or face there instead,
/// and the triangle's own face is slightly enlarged. There is no first contact if the sphere touches the triangle at
/// the start or only moves away from it: this function does not handle overlap.
///
/// The sphere's centre hits the triangle grown by the radius: two parallel faces, a cylinder around each edge and a
/// ball around each corner, in closed form. (The paper of 2001 instead sweeps towards the point of the face closest
/// to the contact with the face's plane, and misses edges.) Each root is computed from the point of closest approach,
/// so that its error does not grow with the length of the motion.
pub fn sweep_sphere(
    triangle: &Triangle,
    normal: DVec3,
    stand_out: [bool; 3],
    centre: DVec3,
    direction: DVec3,
    length: f64,
    radius: f64,
) -> Option<SweepHit> {
    // Relative to the sphere, so that coordinates far from the origin lose no precision.
    let corners = triangle.corners.map(|corner| corner - centre);
    let below = -corners[0].dot(normal);
    let (height, normal) = if below < 0.0 {
        (-below, -normal)
    } else {
        (below, normal)
    };
    let approach = -direction.dot(normal);
    if height - approach.max(0.0) * length > radius + TIE * (height + radius) {
        return None;
    }
    if height > radius {
        // Outside the slab around the plane, the sphere meets the face before any edge of it.
        if approach <= 0.0 {
            return None;
        }
        let distance = (height - radius) / approach;
        if distance > length {
            return None;
        }
        let touched = direction * distance - normal * radius;
        if is_inside(&corners, normal, stand_out, touched, SEAM * radius) {
            return Some(SweepHit {
                distance,
                normal,
                max_depth: f64::INFINITY,
            });
        }
    }
    let mut first: Option<SweepHit> = None;
    let mut consider = |entry: EdgeEntry| {
        if first.is_none_or(|hit| entry.distance < hit.distance) {
            first = entry.hit(direction, length).or(first);
        }
    };
    for i in 0..3 {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        if (stand_out[i] || stand_out[(i + 2) % 3])
            && let Some(entry) = enter_ball(a, direction, radius)
        {
            consider(entry);
        }
        if stand_out[i]
            && !is_beyond(a, b, radius + length)
            && let Some(entry) = enter_edge(a, b, direction, radius)
        {
            consider(entry);
        }
    }
    first
}

/// Sweeps a sphere as [`sweep_sphere`] does against a vertical capsule with the given segment ends: `radius`
/// is the sum of the sphere's and the capsule's radius.
pub(crate) fn sweep_round(
    ends: [DVec3; 2],
    centre: DVec3,
    direction: DVec3,
    length: f64,
    radius: f64,
) -> Option<SweepHit> {
    let [low, high] = ends.map(|end| end - centre);
    let edge = (low != high).then(|| enter_edge(low, high, direction, radius));
    let ball = |end: DVec3| enter_ball(end, direction, radius);
    let hits = [ball(low), ball(high), edge.flatten()]
        .into_iter()
        .flatten();
    let hits = hits.filter_map(|entry| entry.hit(direction, length));
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// The entry of a ray into the ball around a corner or the cylinder around an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EdgeEntry {
    distance: f64,
    /// Vector from the contact point to the centre, metres.
    outwards: DVec3,
    /// See [`SweepHit::max_depth`]. The depth times the radius is at most the square of half the chord.
    max_depth: f64,
}

impl EdgeEntry {
    /// The first contact at this entry of a sphere that moves along the unit vector `direction` by `length` metres.
    fn hit(&self, direction: DVec3, length: f64) -> Option<SweepHit> {
        let is_reached = (0.0..=length).contains(&self.distance);
        (is_reached && self.outwards.dot(direction) < 0.0).then(|| SweepHit {
            distance: self.distance,
            normal: self.outwards.try_normalize().unwrap_or(-direction),
            max_depth: self.max_depth,
        })
    }
}

/// Whether a point of the triangle's plane is inside the triangle, or outside across inactive edges by at most
/// `margin`.
fn is_inside(
    corners: &[DVec3; 3],
    normal: DVec3,
    stand_out: [bool; 3],
    point: DVec3,
    margin: f64,
) -> bool {
    let side = |i: usize| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let side = (b - a).cross(point - a).dot(normal);
        let is_near = !stand_out[i] && side * side <= margin * margin * (b - a).length_squared();
        if is_near { 0.0 } else { side }
    };
    let sides = [side(0), side(1), side(2)];
    // The normal may have been turned towards the sphere, so either sign counts if all signs agree.
    sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
}

/// The entry of a ray from the origin into the ball around `p`.
fn enter_ball(p: DVec3, direction: DVec3, radius: f64) -> Option<EdgeEntry> {
    let nearest = p.dot(direction);
    let miss = (p - direction * nearest).length_squared();
    let half_chord_squared = radius * radius - miss;
    (half_chord_squared >= 0.0).then(|| {
        let distance = nearest - half_chord_squared.sqrt();
        EdgeEntry {
            distance,
            outwards: direction * distance - p,
            max_depth: half_chord_squared / radius,
        }
    })
}

/// Whether the line through `a` and `b` is farther than `reach` from the origin, by more than rounding. This is true
/// for most edges, so the test is a quick one without a root or a quotient.
fn is_beyond(a: DVec3, b: DVec3, reach: f64) -> bool {
    let edge = b - a;
    let (far, along) = (a.length_squared(), a.dot(edge));
    let near = reach * reach + TIE * (far + reach * reach);
    (far - near) * edge.length_squared() > along * along
}

/// The entry that [`enter_cylinder`] finds, bit-identical for both triangles that share the edge.
fn enter_edge(a: DVec3, b: DVec3, direction: DVec3, radius: f64) -> Option<EdgeEntry> {
    if comes_before(a, b) {
        enter_cylinder(a, b, direction, radius)
    } else {
        enter_cylinder(b, a, direction, radius)
    }
}

/// The entry of a ray from the origin into the cylinder around the edge from `a` to `b`; `None` past the edge's ends.
/// Edges on the same axis-parallel line, as at the corners of walls, give the same bits even if their ends differ.
fn enter_cylinder(a: DVec3, b: DVec3, direction: DVec3, radius: f64) -> Option<EdgeEntry> {
    let edge = b - a;
    let length = edge.length();
    let along = edge / length;
    let across = direction - along * direction.dot(along);
    let speed_squared = across.length_squared();
    if speed_squared < PARALLEL {
        return None;
    }
    let offset = a - along * a.dot(along);
    let nearest = offset.dot(across) / speed_squared;
    let miss = (offset - across * nearest).length_squared();
    let half_chord_squared = radius * radius - miss;
    if half_chord_squared < 0.0 {
        return None;
    }
    let distance = nearest - (half_chord_squared / speed_squared).sqrt();
    let at = (direction * distance - a).dot(along);
    (0.0..=length).contains(&at).then(|| EdgeEntry {
        distance,
        outwards: across * distance - offset,
        max_depth: half_chord_squared / radius,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn v(x: f64, y: f64, z: f64) -> DVec3 {
        DVec3::new(x, y, z)
    }

    fn cast(corners: [DVec3; 3], radius: f64, from: DVec3, motion: DVec3) -> Option<SweepHit> {
        let triangle = Triangle { corners };
        let length = motion.length();
        let normal = triangle.normal().unwrap();
        sweep_sphere(
            &triangle,
            normal,
            [true; 3],
            from,
            motion / length,
            length,
            radius,
        )
    }

    fn point(range: f64) -> impl Strategy<Value = DVec3> {
        let x = -range..range;
        (x.clone(), x.clone(), x).prop_map(|(x, y, z)| v(x, y, z))
    }

    /// The distance along the path at which the sphere first touches the triangle, found by marching: steps of the
    /// free distance never pass a contact.
    fn marched(triangle: &Triangle, from: DVec3, motion: DVec3, radius: f64) -> Option<f64> {
        let (mut at, length) = (0.0, motion.length());
        for _ in 0..20_000 {
            let free = triangle.distance(from + motion * (at / length)) - radius;
            if free < 1e-9 {
                return Some(at);
            }
            at += free;
            if at > length {
                return None;
            }
        }
        Some(at)
    }

    #[test]
    fn an_upright_edge_is_met_in_the_same_bits_wherever_it_ends() {
        let mut rng = crate::rng::Rng::new(1);
        let mut met = 0;
        for _ in 0..10_000 {
            let mut number = |range: f64| rng.between(-range, range);
            let [x, z, y] = [number(300.0), number(300.0), number(300.0)];
            let motion = v(-x, number(1.0), -z);
            let direction = motion / motion.length();
            let enter = |down: f64, up: f64| {
                let ends = [v(x, y - down, z), v(x, y + up, z)];
                enter_edge(ends[0], ends[1], direction, 6.0)
            };
            let hits =
                [(400.0, 400.0), (401.0, 430.0), (511.3, 466.6)].map(|(down, up)| enter(down, up));
            met += u32::from(hits[0].is_some());
            assert!(hits[1..].iter().all(|hit| *hit == hits[0]), "{hits:?}");
        }
        assert!(met > 5_000, "{met}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn the_first_contact_is_where_marching_finds_it(
            a in point(2.0), b in point(2.0), c in point(2.0),
            from in point(4.0), motion in point(8.0), radius in 0.05..1.0f64,
        ) {
            let triangle = Triangle { corners: [a, b, c] };
            prop_assume!(triangle.normal().is_some() && motion.length() > 1e-3);
            prop_assume!(triangle.distance(from) > radius + 1e-6);
            let hit = cast([a, b, c], radius, from, motion);
            let oracle = marched(&triangle, from, motion, radius);
            match (hit, oracle) {
                (Some(hit), Some(at)) => {
                    let end = from + motion * (hit.distance / motion.length());
                    prop_assert!((triangle.distance(end) - radius).abs() < 1e-9);
                    // Marching converges slowly at grazing contacts.
                    prop_assert!((hit.distance - at).abs() < 1e-3, "{} {}", hit.distance, at);
                }
                (Some(hit), None) => {
                    let end = from + motion * (hit.distance / motion.length());
                    prop_assert!((triangle.distance(end) - radius).abs() < 1e-9);
                }
                (None, Some(at)) => {
                    let end = from + motion * (at / motion.length());
                    let grazes = triangle.distance(end) > radius - 1e-8;
                    let later = from + motion * ((at + 1e-2) / motion.length());
                    prop_assert!(grazes && triangle.distance(later) > radius - 1e-4, "missed at {at}");
                }
                (None, None) => {}
            }
        }
    }
}
