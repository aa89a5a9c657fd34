//! Which function finds the contact of two shapes, and when they meet.

use glam::DVec3;

use super::moving::Moving;
use crate::geometry::Rigid;
use crate::shapes::{
    Contact, Manifold, MovingSphere, PairCache, Shape, SurfaceTriangle, closest,
    closest_to_surface, contacts, moving_sphere_triangle, moving_spheres, surface_contacts,
};

/// Shapes that turn touch when they are this near, metres.
pub(super) const TOUCHING: f64 = 1e-5;

/// Shapes that turn and come together more slowly than this do not meet, m/s: in a tick they sink in by micrometres,
/// and the next one holds them apart.
const SLOW: f64 = 1e-3;

/// Steps of conservative advancement, at most.
const MAX_STEPS: u32 = 64;

/// Shapes that touch and part, or slide, are looked at again after this part of the time: a little later they may
/// meet elsewhere, and until then sink in by no more than what a turn does in it.
const SLIDING_STEP: f64 = 0.125;

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

/// When a body meets a triangle that stands still, in seconds after its own time, at most `secs`.
pub(super) fn meets_triangle(
    shape: &Shape,
    moving: &Moving,
    surface: &SurfaceTriangle,
    secs: f64,
    manifolds: &mut Vec<Manifold>,
) -> Option<f64> {
    if let Shape::Sphere { radius } = shape {
        let sphere = sphere_of(moving, *radius, moving.time);
        return moving_sphere_triangle(&sphere, surface, secs);
    }
    let way = Way::of(shape, moving, &Rigid::IDENTITY, moving.time, secs);
    let middle = way.start + way.velocity * (0.5 * secs);
    if surface.triangle.distance(middle) > way.radius + 0.5 * way.velocity.length() * secs {
        return None;
    }
    let none = Way::STILL;
    advance(&way, &none, secs, |time, margin| {
        let pose = way.pose_at(moving, &Rigid::IDENTITY, time);
        let contact = closest_to_surface(shape, &pose, surface, margin, &mut PairCache::default())?;
        let mut is_met = || {
            touch_triangle(shape, &pose, surface, TOUCHING, manifolds);
            let still = (&none, DVec3::ZERO);
            is_approaching(manifolds, (&way, pose.translation()), still)
        };
        let is_met = contact.separation > TOUCHING || is_met();
        Some((contact, is_met))
    })
}

/// When two bodies meet, in seconds after the time `from` of the tick, at most `secs`; the second one's room is
/// the first one's by `a_from_b`.
pub(super) fn meets(
    (shape_a, a): (&Shape, &Moving),
    (shape_b, b): (&Shape, &Moving),
    a_from_b: &Rigid,
    (from, secs): (f64, f64),
    manifolds: &mut Vec<Manifold>,
) -> Option<f64> {
    if let (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) = (shape_a, shape_b) {
        let a = sphere_of(a, *ra, from);
        let b = sphere_of(b, *rb, from);
        let b = MovingSphere {
            centre: a_from_b.point(b.centre),
            velocity: a_from_b.vector(b.velocity),
            acceleration: a_from_b.vector(b.acceleration),
            ..b
        };
        return moving_spheres(&a, &b, secs);
    }
    let way_a = Way::of(shape_a, a, &Rigid::IDENTITY, from, secs);
    let way_b = Way::of(shape_b, b, a_from_b, from, secs);
    // The spheres around both stay apart.
    let reach = way_a.radius + way_b.radius + (way_a.velocity - way_b.velocity).length() * secs;
    if way_a.start.distance_squared(way_b.start) > reach * reach {
        return None;
    }
    advance(&way_a, &way_b, secs, |time, margin| {
        let pose_a = way_a.pose_at(a, &Rigid::IDENTITY, time);
        let pose_b = way_b.pose_at(b, a_from_b, time);
        let cache = &mut PairCache::default();
        let contact = closest(shape_a, &pose_a, shape_b, &pose_b, margin, cache)?;
        let centres = [pose_a.translation(), pose_b.translation()];
        let mut is_met = || {
            touch((shape_a, &pose_a), (shape_b, &pose_b), TOUCHING, manifolds);
            is_approaching(manifolds, (&way_a, centres[0]), (&way_b, centres[1]))
        };
        let is_met = contact.separation > TOUCHING || is_met();
        Some((contact, is_met))
    })
}

/// How a shape moves over a time, steadily: gravity within the time is in the chord.
struct Way {
    from: f64,
    /// m/s and radians per second.
    velocity: DVec3,
    turn: DVec3,
    /// Of a sphere around its centre, metres.
    radius: f64,
    /// How fast a turn moves any of it, at most, m/s.
    turn_speed: f64,
    /// Whether a plane across the closest points has all of it on one side.
    is_convex: bool,
    start: DVec3,
}

impl Way {
    const STILL: Self = Self {
        from: 0.0,
        velocity: DVec3::ZERO,
        turn: DVec3::ZERO,
        radius: 0.0,
        turn_speed: 0.0,
        is_convex: true,
        start: DVec3::ZERO,
    };

    fn of(shape: &Shape, moving: &Moving, a_from_b: &Rigid, from: f64, secs: f64) -> Self {
        let [start, end] = [from, from + secs].map(|time| moving.centre_at(time));
        let is_ball = matches!(shape, Shape::Sphere { .. });
        let turn = if is_ball { DVec3::ZERO } else { moving.turn };
        let radius = shape.radius_about(DVec3::ZERO);
        Self {
            from,
            velocity: a_from_b.vector((end - start) / secs),
            turn: a_from_b.vector(turn),
            radius,
            turn_speed: turn.length() * radius,
            is_convex: !matches!(shape, Shape::Mesh(_)),
            start: a_from_b.point(start),
        }
    }

    fn pose_at(&self, moving: &Moving, a_from_b: &Rigid, secs: f64) -> Rigid {
        let rotation = glam::DMat3::from_quat(moving.rotation_at(self.from + secs));
        let rotation = a_from_b.rotation() * rotation;
        Rigid::new(rotation, self.start + self.velocity * secs)
    }

    fn velocity_of(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.turn.cross(arm)
    }
}

/// Whether a point of the manifolds comes together.
fn is_approaching(manifolds: &[Manifold], a: (&Way, DVec3), b: (&Way, DVec3)) -> bool {
    manifolds.iter().any(|manifold| {
        manifold.points().iter().any(|point| {
            let of_a = a.0.velocity_of(point.on_a - a.1);
            let of_b = b.0.velocity_of(point.on_b - b.1);
            (of_a - of_b).dot(manifold.normal) < -SLOW
        })
    })
}

/// Conservative advancement (B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996): the
/// shapes are on two sides of a slab as wide as their distance, and no point of either crosses it sooner
/// than the fastest would. `contact` answers with the closest points at a time, and whether they count as met
/// where they touch; nothing where the shapes are farther apart than a margin.
fn advance(
    a: &Way,
    b: &Way,
    secs: f64,
    mut contact: impl FnMut(f64, f64) -> Option<(Contact, bool)>,
) -> Option<f64> {
    let turn_speed = a.turn_speed + b.turn_speed;
    let fastest = (a.velocity - b.velocity).length() + turn_speed;
    let mut time = 0.0;
    for _ in 0..MAX_STEPS {
        let (contact, is_met) = contact(time, fastest * (secs - time) + TOUCHING)?;
        let gap = contact.separation;
        if gap <= TOUCHING && is_met {
            return Some(time);
        }
        let approach = if a.is_convex && b.is_convex {
            turn_speed - (a.velocity - b.velocity).dot(contact.normal)
        } else {
            fastest
        };
        if gap > TOUCHING && approach <= 0.0 {
            return None;
        }
        let step = if gap > TOUCHING {
            // To half of what counts as touching: it is reached in a finite number of steps.
            (gap - 0.5 * TOUCHING) / approach
        } else {
            SLIDING_STEP * secs
        };
        time += step;
        if time > secs {
            return None;
        }
    }
    Some(time)
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
