//! Which function finds the contact of two shapes, and when they meet.

use glam::DVec3;

use super::moving::Moving;
use super::way::{Way, approaching_depth, halve};
use crate::geometry::Rigid;
use crate::shapes::{
    Contact, Manifold, MovingSphere, PairCache, Shape, SurfaceTriangle, closest,
    closest_to_surface, contacts, moving_sphere_triangle, moving_spheres, surface_contacts,
};

/// Shapes that turn touch when they are this near, metres.
pub(super) const TOUCHING: f64 = 1e-5;

/// Steps of conservative advancement, at most.
const MAX_STEPS: u32 = 64;

/// Shapes that touch and part, or slide, are looked at again after this part of the time: a little later they may
/// meet elsewhere. When they did is found by halving the step.
const SLIDING_STEP: f64 = 0.125;

/// What the solver holds apart may sink in by so much in a tick, metres. With a fifth of it dominoes that fall, which turn
/// about an edge that the solver holds, cost twice as much.
const MAX_SINKING: f64 = 5e-4;

/// When to look for a meeting, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Since the beginning of the tick.
    pub from: f64,
    /// From then to the end of the tick, and for how long a meeting matters. What is found does not depend on
    /// the latter: it is what was found before, in an order that depends on where the body has been.
    pub secs: f64,
    pub limit: f64,
    /// Whether the solver holds the two apart: then it is when a turn brings them together nevertheless.
    pub is_held: bool,
}

/// The contacts of a shape with a triangle, the shape being `a`; none where they are farther apart than
/// `margin` metres.
pub(super) fn touch_triangle(
    shape: &Shape,
    room_from_body: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
    manifolds: &mut Vec<Manifold>,
) {
    manifolds.clear();
    surface_contacts(shape, room_from_body, surface, margin, manifolds);
}

/// The contacts of two shapes.
pub(super) fn touch(
    (a, room_from_a): (&Shape, &Rigid),
    (b, room_from_b): (&Shape, &Rigid),
    margin: f64,
    manifolds: &mut Vec<Manifold>,
) {
    manifolds.clear();
    // What was found before is not used: a state that is restored has none of it.
    let cache = &mut PairCache::default();
    contacts(a, room_from_a, b, room_from_b, margin, cache, manifolds);
}

/// When a body meets a triangle that stands still, in seconds after its own time, from which it is looked for.
pub(super) fn meets_triangle(
    shape: &Shape,
    moving: &Moving,
    surface: &SurfaceTriangle,
    search: &Search,
    manifolds: &mut Vec<Manifold>,
) -> Option<f64> {
    if let Shape::Sphere { radius } = shape {
        let sphere = sphere_of(moving, *radius, moving.time);
        return moving_sphere_triangle(&sphere, surface, search.limit);
    }
    let way = Way::of(shape, moving, &Rigid::IDENTITY, (search.from, search.secs));
    let half = 0.5 * search.limit;
    let middle = way.start + way.velocity * half;
    if surface.triangle.distance(middle) > way.radius + way.velocity.length() * half {
        return None;
    }
    let pose_at = |time| way.pose_at(moving, &Rigid::IDENTITY, time);
    let depth_at = |time| {
        let pose = pose_at(time);
        touch_triangle(shape, &pose, surface, TOUCHING, manifolds);
        let still = (&Way::STILL, DVec3::ZERO);
        approaching_depth(manifolds, (&way, pose.translation()), still)
    };
    if search.is_held {
        return sinks([&way, &Way::STILL], search, depth_at);
    }
    let contact_at = |time, margin| {
        let cache = &mut PairCache::default();
        closest_to_surface(shape, &pose_at(time), surface, margin, cache)
    };
    advance([&way, &Way::STILL], search, contact_at, depth_at)
}

/// When two bodies meet, in seconds after the time from which it is looked for; the second one's room is the first
/// one's by `a_from_b`.
pub(super) fn meets(
    (shape_a, a): (&Shape, &Moving),
    (shape_b, b): (&Shape, &Moving),
    a_from_b: &Rigid,
    search: &Search,
    manifolds: &mut Vec<Manifold>,
) -> Option<f64> {
    if let (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) = (shape_a, shape_b) {
        let a = sphere_of(a, *ra, search.from);
        let b = sphere_of(b, *rb, search.from);
        let b = MovingSphere {
            centre: a_from_b.point(b.centre),
            velocity: a_from_b.vector(b.velocity),
            acceleration: a_from_b.vector(b.acceleration),
            ..b
        };
        return moving_spheres(&a, &b, search.limit);
    }
    let span = (search.from, search.secs);
    let way_a = Way::of(shape_a, a, &Rigid::IDENTITY, span);
    let way_b = Way::of(shape_b, b, a_from_b, span);
    // The spheres around both stay apart.
    let way = (way_a.velocity - way_b.velocity).length() * search.limit;
    let reach = way_a.radius + way_b.radius + way;
    if way_a.start.distance_squared(way_b.start) > reach * reach {
        return None;
    }
    let poses_at = |time| {
        let pose_a = way_a.pose_at(a, &Rigid::IDENTITY, time);
        [pose_a, way_b.pose_at(b, a_from_b, time)]
    };
    let depth_at = |time| {
        let [pose_a, pose_b] = poses_at(time);
        touch((shape_a, &pose_a), (shape_b, &pose_b), TOUCHING, manifolds);
        let [centre_a, centre_b] = [pose_a.translation(), pose_b.translation()];
        approaching_depth(manifolds, (&way_a, centre_a), (&way_b, centre_b))
    };
    if search.is_held {
        return sinks([&way_a, &way_b], search, depth_at);
    }
    let contact_at = |time, margin| {
        let [pose_a, pose_b] = poses_at(time);
        let cache = &mut PairCache::default();
        closest(shape_a, &pose_a, shape_b, &pose_b, margin, cache)
    };
    advance([&way_a, &way_b], search, contact_at, depth_at)
}

/// Conservative advancement (B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996): the
/// shapes are on two sides of a slab as wide as their distance, and no point of either crosses it sooner
/// than the fastest would. `contact_at` answers with the closest points at a time, nothing where the shapes are
/// farther apart than a margin; `depth_at` with how deep they are where they touch, if they come together.
fn advance(
    [a, b]: [&Way; 2],
    search: &Search,
    mut contact_at: impl FnMut(f64, f64) -> Option<Contact>,
    mut depth_at: impl FnMut(f64) -> Option<f64>,
) -> Option<f64> {
    let turn_speed = a.turn_speed + b.turn_speed;
    let fastest = (a.velocity - b.velocity).length() + turn_speed;
    // The time now, and that of the last step if they touched then.
    let (mut time, mut touched) = (0.0, None);
    for _ in 0..MAX_STEPS {
        let rest = (search.limit - time).max(0.0);
        let contact = contact_at(time, fastest * rest + TOUCHING)?;
        let gap = contact.separation;
        if gap <= TOUCHING {
            if let Some(depth) = depth_at(time) {
                let is_late = depth > MAX_SINKING;
                let before = touched.filter(|_| is_late).unwrap_or(time);
                let met = halve([before, time], depth, depth_at);
                return (met <= search.limit).then_some(met);
            }
            if time >= search.limit {
                return None;
            }
            touched = Some(time);
            time = (time + SLIDING_STEP * search.secs).min(search.secs);
        } else {
            let approach = if a.is_convex && b.is_convex {
                turn_speed - (a.velocity - b.velocity).dot(contact.normal)
            } else {
                fastest
            };
            if approach <= 0.0 {
                return None;
            }
            touched = None;
            // To half of what counts as touching: it is reached in a finite number of steps.
            time += (gap - 0.5 * TOUCHING) / approach;
            if time > search.limit {
                return None;
            }
        }
    }
    (time <= search.limit).then_some(time)
}

/// When shapes that the solver holds apart come together by more than [`MAX_SINKING`]. It knows where points go that
/// touched at first, as if they went on straight: what goes on straight it holds for good, and between two times
/// that are looked at, what turns comes no nearer than an arc's height above its chord.
fn sinks(
    ways: [&Way; 2],
    search: &Search,
    mut depth_at: impl FnMut(f64) -> Option<f64>,
) -> Option<f64> {
    let angles = ways.map(|way| way.angle_in(search.secs));
    let [a, b] = [0, 1].map(|i| ways[i].radius * angles[i] * angles[i] / 8.0);
    let looks = ((a + b) / MAX_SINKING).sqrt().ceil() as u32;
    let looks = looks.min(MAX_STEPS);
    let mut sunk_at = |time| {
        let depth = depth_at(time).map(|depth| depth - MAX_SINKING);
        depth.filter(|depth| *depth > 0.0)
    };
    let mut before = 0.0;
    for look in 1..=looks {
        let time = search.secs * f64::from(look) / f64::from(looks);
        if let Some(depth) = sunk_at(time) {
            return Some(halve([before, time], depth, sunk_at))
                .filter(|time| *time <= search.limit);
        }
        if time > search.limit {
            return None;
        }
        before = time;
    }
    None
}

/// A ball from a time of the tick on.
fn sphere_of(moving: &Moving, radius: f64, from: f64) -> MovingSphere {
    let secs = from - moving.time;
    MovingSphere {
        centre: moving.centre_at(from),
        radius,
        velocity: moving.course + moving.acceleration * secs,
        acceleration: moving.acceleration,
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat};

    use super::*;
    use crate::geometry::Triangle;
    use crate::level::{At, BodyId, RoomId, TICKS_PER_SECOND};
    use crate::rng::Rng;

    fn random(rng: &mut Rng, size: f64) -> DVec3 {
        DVec3::from([0; 3].map(|_| rng.between(-size, size)))
    }

    fn tumbling(rng: &mut Rng) -> Moving {
        let turn = random(rng, 3.0);
        let (velocity, spin) = (random(rng, 4.0), random(rng, 12.0));
        Moving {
            id: BodyId(0),
            time: 0.0,
            at: At {
                room: RoomId(0),
                point: DVec3::new(0.0, rng.between(0.1, 0.25), 0.0),
            },
            rotation: DQuat::from_scaled_axis(turn),
            velocity,
            spin,
            course: velocity,
            turn: spin,
            acceleration: DVec3::NEG_Y * 9.81,
            fall: DVec3::ZERO,
            inverse_mass: 1.0,
            inverse_inertia: DMat3::IDENTITY,
            reach: 1.0,
            is_ball: false,
            is_solved: false,
            is_asleep: false,
            is_restless: false,
            has_met_body: false,
            impacts: 0,
            version: 0,
        }
    }

    /// The lists of triangles near bodies have an order of their own, and what was met before limits the search: steps
    /// were parts of that limit, and a game that was restored went another way.
    #[test]
    fn when_a_triangle_is_met_does_not_depend_on_how_long_that_matters() {
        let shape = Shape::Box {
            half_extents: DVec3::new(0.1, 0.15, 0.2),
        };
        let corners = [DVec3::X * -9.0, DVec3::Z * 9.0, DVec3::new(9.0, 0.0, -9.0)];
        let floor = SurfaceTriangle::one_sided(Triangle { corners });
        let mut rng = Rng::new(5);
        let (secs, mut met) = (TICKS_PER_SECOND.recip(), 0);
        for _ in 0..3000 {
            let moving = tumbling(&mut rng);
            for is_held in [false, true] {
                let meets_within = |limit: f64| {
                    let search = Search {
                        from: 0.0,
                        secs,
                        limit,
                        is_held,
                    };
                    meets_triangle(&shape, &moving, &floor, &search, &mut Vec::new())
                };
                let Some(time) = meets_within(secs).filter(|time| *time > 0.0) else {
                    continue;
                };
                met += 1;
                let later = rng.between(time, secs);
                assert_eq!(meets_within(later), Some(time));
                assert_eq!(meets_within(time * rng.between(0.1, 0.99)), None);
            }
        }
        assert!(met > 1000, "{met}");
    }
}
