//! When two shapes that move and turn touch: conservative advancement.
//!
//! B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996: in a time in which no point can have covered
//! the gap, the shapes can be moved on; then the gap is measured again. How fast the gap closes along the direction of the
//! closest points is bounded by the velocity along it and, for a turn, by the shape's radius about what it turns
//! about times the part of the angular velocity across it.

use glam::DVec3;

use super::contacts::{closest, closest_to_triangle};
use super::convex_convex::Closest;
use super::moving::Sweep;
use super::pair_cache::PairCache;
use super::shape::Shape;
use crate::geometry::Triangle;

/// Steps, at most: what glides past at a small gap takes many. The time reached by then is the answer; nothing was
/// passed.
const MAX_STEPS: usize = 128;

/// The advance aims at this part of the gap that was asked for.
const AIM: f64 = 0.5;

/// A touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Seconds, on the clock of the sweeps.
    pub secs: f64,
    /// The gap at that time, metres; 0 where the shapes overlap.
    pub gap: f64,
}

/// When two shapes first are within `gap` metres of each other, which must be above 0, of the times from `from` to `to`
/// seconds: the shapes at that time do not overlap, if they did not at `from`, and they pass no contact before. `None` if
/// they do not touch in that time, or if they are apart and it is certain that they come no nearer. What glides past close by
/// for very many steps is answered by the time reached, with a wider gap.
///
/// `to` is only where the search ends: what is found does not depend on it, but for what glides past, which may be known to
/// touch nothing by then. `cache` is the pair's, and changes no answer.
pub fn time_of_impact(
    (a, sweep_a): (&Shape, &Sweep),
    (b, sweep_b): (&Shape, &Sweep),
    [from, to]: [f64; 2],
    gap: f64,
    cache: &mut PairCache,
) -> Option<Impact> {
    let relative = Relative {
        velocity: sweep_a.velocity - sweep_b.velocity,
        turns: [turn(a, sweep_a), turn(b, sweep_b)],
        are_convex: is_convex(a) && is_convex(b),
    };
    advance(&relative, [from, to], gap, |time, reach| {
        let [at_a, at_b] = [sweep_a, sweep_b].map(|sweep| sweep.pose_at(time));
        closest(a, &at_a, b, &at_b, reach, cache)
    })
}

/// The same of a shape and a triangle that stands still, solid from both sides. Most that are not reached in the time are
/// apart along the triangle's normal, which is tried first.
pub fn triangle_time_of_impact(
    shape: &Shape,
    sweep: &Sweep,
    triangle: &Triangle,
    [from, to]: [f64; 2],
    gap: f64,
) -> Option<Impact> {
    let normal = triangle.normal().unwrap_or_default();
    let start = sweep.world_from_shape.point(sweep.centre);
    let is_in_front = (start - triangle.corners[0]).dot(normal) >= 0.0;
    let cache = &mut PairCache::along(if is_in_front { normal } else { -normal });
    let relative = Relative {
        velocity: sweep.velocity,
        turns: [turn(shape, sweep), (DVec3::ZERO, 0.0)],
        are_convex: is_convex(shape),
    };
    advance(&relative, [from, to], gap, |time, reach| {
        closest_to_triangle(shape, &sweep.pose_at(time), triangle, reach, cache)
    })
}

/// How two shapes move against each other.
struct Relative {
    /// Of the centre of `a` against that of `b`.
    velocity: DVec3,
    /// Angular velocity of each, and the radius of what it moves.
    turns: [(DVec3, f64); 2],
    /// Whether a plane across the closest points has all of each on one side.
    are_convex: bool,
}

fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::Mesh(_))
}

impl Relative {
    /// The speed at which the gap along a unit vector from `b` to `a` closes, at most, at any time. Of a mesh other
    /// parts than the closest may close in from elsewhere.
    fn closing(&self, normal: DVec3) -> f64 {
        if !self.are_convex {
            return self.fastest();
        }
        let by_turns = self
            .turns
            .iter()
            .map(|(w, radius)| w.cross(normal).length() * radius);
        -self.velocity.dot(normal) + by_turns.sum::<f64>()
    }

    /// The same along any direction.
    fn fastest(&self) -> f64 {
        let by_turns = self.turns.iter().map(|(w, radius)| w.length() * radius);
        self.velocity.length() + by_turns.sum::<f64>()
    }
}

/// What turns of a shape: nothing of a ball about its middle.
fn turn(shape: &Shape, sweep: &Sweep) -> (DVec3, f64) {
    let radius = match shape {
        Shape::Sphere { .. } => sweep.centre.length(),
        _ => shape.radius_about(sweep.centre),
    };
    (sweep.angular_velocity, radius)
}

/// `closest(time, reach)` measures the gap.
fn advance(
    relative: &Relative,
    [from, to]: [f64; 2],
    gap: f64,
    mut closest: impl FnMut(f64, f64) -> Option<Closest>,
) -> Option<Impact> {
    let fastest = relative.fastest();
    let mut time = from;
    let mut last = None;
    for _ in 0..MAX_STEPS {
        // What is further away cannot be reached in the time that is left.
        let closest = closest(time, fastest * (to - time) + gap)?;
        let found = Impact {
            secs: time,
            gap: closest.gap(),
        };
        let Closest::Apart(contact) = closest else {
            return Some(found);
        };
        let closing = relative.closing(contact.normal);
        if closing <= 0.0 {
            return None;
        }
        if found.gap <= gap {
            return Some(found);
        }
        last = Some(found);
        time += (found.gap - AIM * gap) / closing;
        if time > to {
            return None;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rigid;

    const GAP: f64 = 1e-4;

    fn meet(a: (&Shape, &Sweep), b: (&Shape, &Sweep), span: [f64; 2]) -> Option<Impact> {
        time_of_impact(a, b, span, GAP, &mut PairCache::default())
    }

    fn at(place: DVec3) -> Rigid {
        Rigid::new(glam::DMat3::IDENTITY, place)
    }

    /// A stick of 2 m that turns about its middle, 6 radians per second, and a post in the way of its ends.
    fn stick_and_post() -> [(Shape, Sweep); 2] {
        let stick = Shape::Box {
            half_extents: DVec3::new(1.0, 0.02, 0.02),
        };
        let post = Shape::Sphere { radius: 0.05 };
        let turning = Sweep {
            angular_velocity: DVec3::Y * 6.0,
            ..Sweep::still(Rigid::IDENTITY)
        };
        let still = Sweep::still(at(DVec3::new(0.0, 0.0, -0.9)));
        [(stick, turning), (post, still)]
    }

    #[test]
    fn a_ball_of_a_centimetre_at_five_hundred_metres_a_second_does_not_pass_a_plate_of_one_millimetre()
     {
        let plate = Shape::Box {
            half_extents: DVec3::new(1.0, 0.0005, 1.0),
        };
        let ball = Shape::Sphere { radius: 0.01 };
        for turn in [DVec3::ZERO, DVec3::new(30.0, 5.0, 80.0)] {
            let moving = Sweep {
                velocity: DVec3::Y * -500.0,
                angular_velocity: turn,
                ..Sweep::still(at(DVec3::new(0.1, 4.0, 0.2)))
            };
            let still = Sweep::still(Rigid::IDENTITY);
            let found = meet((&ball, &moving), (&plate, &still), [0.0, 1.0 / 60.0]);
            let found = found.unwrap();
            let exact = (4.0 - 0.0105) / 500.0;
            assert!(found.secs <= exact && found.secs > exact - GAP / 500.0);
            assert!(found.gap > 0.0 && found.gap <= GAP);
        }
    }

    #[test]
    fn a_stick_that_turns_hits_with_its_end_and_stops_short_of_it() {
        let [(stick, turning), (post, still)] = stick_and_post();
        let found = meet((&stick, &turning), (&post, &still), [0.0, 1.0]).unwrap();
        // A quarter of a turn, less the angle of the two half widths.
        let quarter = std::f64::consts::FRAC_PI_2 - libm::asin(0.07 / 0.9);
        assert!((found.secs * 6.0 - quarter).abs() < 1e-3, "{found:?}");
        assert!(found.gap > 0.0);
        let further = Sweep::still(at(DVec3::new(0.0, 0.0, -1.06)));
        assert_eq!(
            meet((&stick, &turning), (&post, &further), [0.0, 1.0]),
            None
        );
    }

    #[test]
    fn shapes_that_part_do_not_meet_and_those_that_touch_and_approach_meet_at_once() {
        let cube = Shape::Box {
            half_extents: DVec3::splat(0.5),
        };
        let still = Sweep::still(Rigid::IDENTITY);
        let moving = |velocity: DVec3| Sweep {
            velocity,
            ..Sweep::still(at(DVec3::X * (1.0 + 0.5 * GAP)))
        };
        let meets = |velocity| meet((&cube, &moving(velocity)), (&cube, &still), [0.0, 1.0]);
        assert_eq!(meets(DVec3::X), None);
        assert_eq!(meets(DVec3::Y), None);
        assert_eq!(meets(-DVec3::X).unwrap().secs, 0.0);
    }

    #[test]
    fn a_search_that_begins_later_finds_the_next_touch_and_what_overlaps_touches_at_once() {
        let [(stick, turning), (post, still)] = stick_and_post();
        let from = |from: f64| {
            meet((&stick, &turning), (&post, &still), [from, 2.0])
                .unwrap()
                .secs
        };
        let first = from(0.0);
        let inside = std::f64::consts::FRAC_PI_2 / 6.0;
        assert_eq!(from(inside), inside);
        // The other end comes half a turn later.
        let half = std::f64::consts::PI / 6.0;
        assert!((from(first + 0.5 * half) - first - half).abs() < 1e-4);
    }
}
