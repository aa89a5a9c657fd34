//! The narrow phase: chooses the function that computes the contact, or the time of impact, of two shapes.

use glam::{DMat3, DVec3};

use crate::bodies::impacts::sinking::{MAX_SINKING, approaching_depth, bulge, halve, sinks};
use crate::bodies::moving::Moving;
use crate::geometry::Rigid;
use crate::shapes::{
    Manifold, MovingSphere, PairCache, Shape, ShapeImpact, SurfaceTriangle, Sweep, contacts,
    moving_sphere_triangle, moving_spheres, surface_contacts, time_of_impact,
    triangle_time_of_impact,
};

/// Rotating shapes are in contact within this distance, metres.
pub(in crate::bodies) const TOUCHING: f64 = 1e-5;

/// The maximum number of times that a search continues after the shapes touch without approaching: they may still
/// meet elsewhere. Each continuation starts 1/`SLIDING_STEPS` of the search's duration after the contact; if the
/// shapes have met in between, bisection finds the time.
const SLIDING_STEPS: u32 = 8;

/// The time range of a search for an impact, in seconds.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Search {
    /// The start of the search since the beginning of the tick.
    pub from: f64,
    /// The duration from the start to the end of the tick.
    pub secs: f64,
    /// The duration within which an impact matters. The result must not depend on it, because it comes from earlier
    /// results, whose order depends on the body's earlier positions.
    pub limit: f64,
    /// Whether the solver keeps the two shapes apart. If it does, only impacts that rotation causes despite the
    /// solver are searched for.
    pub is_held: bool,
}

/// Finds the contacts of a shape, as side `a`, with a triangle; none where they are farther apart than `margin`
/// metres.
pub(in crate::bodies) fn touch_triangle(
    shape: &Shape,
    room_from_body: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
    manifolds: &mut Vec<Manifold>,
) {
    manifolds.clear();
    surface_contacts(shape, room_from_body, surface, margin, manifolds);
}

/// Finds the contacts of two shapes.
pub(in crate::bodies) fn touch(
    (a, room_from_a): (&Shape, &Rigid),
    (b, room_from_b): (&Shape, &Rigid),
    margin: f64,
    manifolds: &mut Vec<Manifold>,
) {
    manifolds.clear();
    // A cache speeds up repeated queries; this is a single query.
    let cache = &mut PairCache::default();
    contacts(a, room_from_a, b, room_from_b, margin, cache, manifolds);
}

/// The time at which a body meets a static triangle, in seconds after the body's own time, from which the search
/// starts.
pub(in crate::bodies) fn meets_triangle(
    shape: &Shape,
    moving: &Moving,
    surface: &SurfaceTriangle,
    search: &Search,
    manifolds: &mut Vec<Manifold>,
) -> Option<f64> {
    if let Shape::Sphere { radius } = shape {
        let sphere = sphere_of(moving, *radius, moving.time);
        return moving_sphere_triangle(&sphere, surface, search.secs, search.limit);
    }
    let sweep = sweep_of(moving, &Rigid::IDENTITY, search);
    let around = sweep.bounding_sphere(shape, search.limit);
    if surface.triangle.distance(around.centre) > around.radius + TOUCHING {
        return None;
    }
    let sweeps = [&sweep, &Sweep::still(Rigid::IDENTITY)];
    let depth_at = |secs| {
        touch_triangle(shape, &sweep.pose_at(secs), surface, TOUCHING, manifolds);
        approaching_depth(manifolds, sweeps, secs)
    };
    if search.is_held {
        let span = (search.secs, search.limit);
        return sinks(bulge(shape, &sweep, search.secs), span, depth_at);
    }
    let triangle = &surface.triangle;
    let touch_in = |span| triangle_time_of_impact(shape, &sweep, triangle, span, TOUCHING);
    first_approach(search, touch_in, depth_at)
}

/// The time at which two bodies meet, in seconds after the start of the search. `a_from_b` transforms from the second
/// body's room to the first body's room.
pub(in crate::bodies) fn meets(
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
    let sweep_a = sweep_of(a, &Rigid::IDENTITY, search);
    let sweep_b = sweep_of(b, a_from_b, search);
    // Early out: along the relative motion, the bounding spheres stay apart.
    let relative = Sweep {
        velocity: sweep_a.velocity - sweep_b.velocity,
        ..sweep_a
    };
    let around_a = relative.bounding_sphere(shape_a, search.limit);
    if !around_a.overlaps(&sweep_b.bounding_sphere(shape_b, 0.0)) {
        return None;
    }
    let depth_at = |secs| {
        let [pose_a, pose_b] = [&sweep_a, &sweep_b].map(|sweep| sweep.pose_at(secs));
        touch((shape_a, &pose_a), (shape_b, &pose_b), TOUCHING, manifolds);
        approaching_depth(manifolds, [&sweep_a, &sweep_b], secs)
    };
    if search.is_held {
        let bulges = bulge(shape_a, &sweep_a, search.secs) + bulge(shape_b, &sweep_b, search.secs);
        return sinks(bulges, (search.secs, search.limit), depth_at);
    }
    let cache = &mut PairCache::default();
    let (one, other) = ((shape_a, &sweep_a), (shape_b, &sweep_b));
    let touch_in = |span| time_of_impact(one, other, span, TOUCHING, cache);
    first_approach(search, touch_in, depth_at)
}

/// The first time at which shapes in contact approach each other. `touch_in` returns their first contact between two
/// times, and `depth_at` returns their depth at a time of contact, if they approach each other then.
fn first_approach(
    search: &Search,
    mut touch_in: impl FnMut([f64; 2]) -> Option<ShapeImpact>,
    mut depth_at: impl FnMut(f64) -> Option<f64>,
) -> Option<f64> {
    // The start of the remaining search, and the time of the last contact before it.
    let (mut from, mut touched) = (0.0, 0.0);
    for _ in 0..=SLIDING_STEPS {
        // The search runs to its end, not to the limit; otherwise the result for shapes that slide past each other
        // would depend on the limit.
        let ShapeImpact { secs, gap } = touch_in([from, search.secs])?;
        if gap > TOUCHING {
            // The search ran out of steps, since the shapes slide past each other. The time reached counts as an
            // impact, and the next search starts there.
            return Some(secs).filter(|secs| *secs <= search.limit);
        }
        if let Some(depth) = depth_at(secs) {
            let is_late = secs == from && depth > MAX_SINKING;
            let before = if is_late { touched } else { secs };
            let met = halve([before, secs], depth, depth_at);
            return (met <= search.limit).then_some(met);
        }
        if secs >= search.limit {
            return None;
        }
        touched = secs;
        from = (secs + search.secs / f64::from(SLIDING_STEPS)).min(search.secs);
    }
    None
}

/// The motion of a body at constant velocity over the time of a search, which begins at 0. The velocity is that of
/// the path's chord, so it includes gravity.
fn sweep_of(moving: &Moving, a_from_b: &Rigid, search: &Search) -> Sweep {
    let [start, end] = [search.from, search.from + search.secs].map(|time| moving.centre_at(time));
    let rotation = DMat3::from_quat(moving.rotation_at(search.from));
    let turn = if moving.is_ball {
        DVec3::ZERO
    } else {
        moving.turn
    };
    Sweep {
        velocity: a_from_b.vector((end - start) / search.secs),
        angular_velocity: a_from_b.vector(turn),
        ..Sweep::still(a_from_b.after(&Rigid::new(rotation, start)))
    }
}

/// The motion of a ball from a time of the tick on.
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
    use glam::DQuat;

    use super::*;
    use crate::geometry::Triangle;
    use crate::level::{At, RoomId, TICKS_PER_SECOND};
    use crate::rng::Rng;
    use crate::shapes::Mesh;

    fn random(rng: &mut Rng, size: f64) -> DVec3 {
        DVec3::from([0; 3].map(|_| rng.between(-size, size)))
    }

    fn tumbling(rng: &mut Rng) -> Moving {
        let turn = random(rng, 3.0);
        let (velocity, spin) = (random(rng, 4.0), random(rng, 12.0));
        Moving {
            rotation: DQuat::from_scaled_axis(turn),
            velocity,
            spin,
            course: velocity,
            turn: spin,
            acceleration: DVec3::NEG_Y * 9.81,
            ..Moving::of_unit_mass(DVec3::new(0.0, rng.between(0.1, 0.25), 0.0))
        }
    }

    /// Regression test: the step size of a search was a fraction of the limit, which depends on the order of the
    /// lists of nearby triangles. A restored game lists them in another order, so it diverged.
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

    /// Regression test: the number of steps is limited, and a search whose end lay between its last two steps
    /// reported no impact until the end.
    #[test]
    fn what_glides_past_is_met_at_one_time_wherever_the_search_ends() {
        let half_extents = DVec3::splat(0.5);
        let cube = Shape::Box { half_extents }.triangles();
        let mesh = Shape::Mesh(Mesh::of_triangles(&cube).unwrap());
        let corners = [DVec3::X * -9.0, DVec3::Z * 9.0, DVec3::new(9.0, 0.0, -9.0)];
        let floor = SurfaceTriangle::one_sided(Triangle { corners });
        let moving = Moving {
            course: DVec3::X * 2.0,
            ..Moving::of_unit_mass(DVec3::Y * (0.5 + 2.0 * TOUCHING))
        };
        let secs = TICKS_PER_SECOND.recip();
        let meets_within = |limit: f64| {
            let search = Search {
                from: 0.0,
                secs,
                limit,
                is_held: false,
            };
            meets_triangle(&mesh, &moving, &floor, &search, &mut Vec::new())
        };
        let found = meets_within(secs).unwrap();
        assert!(found < 0.1 * secs);
        for after in 0..200 {
            assert_eq!(meets_within(found + 1e-7 * f64::from(after)), Some(found));
        }
    }

    #[test]
    fn a_crate_that_slides_over_an_internal_edge_meets_nothing() {
        let cube = Shape::Box {
            half_extents: DVec3::splat(0.5),
        };
        let corners = [DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0];
        let mut surface = SurfaceTriangle::one_sided(Triangle { corners });
        let sliding = Moving {
            at: At {
                room: RoomId(0),
                point: DVec3::new(-2.0, 0.5 - TOUCHING, 1.0),
            },
            rotation: DQuat::from_rotation_y(0.2),
            course: DVec3::X,
            turn: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            ..tumbling(&mut Rng::new(1))
        };
        let search = Search {
            from: 0.0,
            secs: 4.0,
            limit: 4.0,
            is_held: false,
        };
        let meets = |surface: &SurfaceTriangle| {
            meets_triangle(&cube, &sliding, surface, &search, &mut Vec::new())
        };
        assert!(meets(&surface).is_some());
        surface.internal_edges = [true; 3];
        assert_eq!(meets(&surface), None);
    }
}
