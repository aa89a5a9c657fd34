//! Times of impact of two moving and rotating shapes: conservative advancement.
//!
//! B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996: the shapes advance by a time in which no point
//! can cover the gap; then the gap is measured again. The speed at which the gap closes along the direction of the closest
//! points is bounded by the velocity along that direction plus, for a rotation, the shape's radius about its centre of rotation
//! times the component of the angular velocity perpendicular to the direction.

use glam::DVec3;

use super::contacts::{closest, closest_to_triangle};
use super::convex_convex::Closest;
use super::moving::Sweep;
use super::pair_cache::PairCache;
use super::shape::Shape;
use crate::geometry::Triangle;

/// The maximum number of steps. A shape that slides past at a small gap takes many. If they run out, the result is
/// the time reached so far; no contact is missed until then.
const MAX_STEPS: usize = 128;

/// The gap that an advance aims at, relative to the gap of the query.
const AIM: f64 = 0.5;

/// An impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeImpact {
    /// The time of the sweeps, seconds.
    pub secs: f64,
    /// The gap at that time, metres; 0 if the shapes overlap.
    pub gap: f64,
}

/// Finds the first time between `from` and `to` seconds at which two shapes are within `gap` metres of each other,
/// with `gap` above 0. At that time they do not overlap, unless they overlap at `from`, and no earlier contact is
/// missed. Returns `None` if they do not touch in that time, or are apart and certainly come no nearer. If the steps
/// run out because shapes slide past each other, returns the time reached, with a wider gap.
///
/// The result does not depend on `to`, the end of the search, with one exception: if shapes slide past each other, an
/// earlier end may prove that they do not touch until then. `cache` belongs to the pair, and does not affect the
/// result.
pub fn time_of_impact(
    (a, sweep_a): (&Shape, &Sweep),
    (b, sweep_b): (&Shape, &Sweep),
    [from, to]: [f64; 2],
    gap: f64,
    cache: &mut PairCache,
) -> Option<ShapeImpact> {
    let relative = Relative {
        velocity: sweep_a.velocity - sweep_b.velocity,
        turns: [Turn::of(a, sweep_a), Turn::of(b, sweep_b)],
        are_convex: is_convex(a) && is_convex(b),
    };
    advance(&relative, [from, to], gap, |time, reach| {
        let [at_a, at_b] = [sweep_a, sweep_b].map(|sweep| sweep.pose_at(time));
        closest(a, &at_a, b, &at_b, reach, cache)
    })
}

/// Finds the time of impact, like [`time_of_impact`], of a shape and a triangle at rest, solid from both sides. The triangle's
/// normal is tried first as the separating axis: it separates most triangles that are not reached.
pub fn triangle_time_of_impact(
    shape: &Shape,
    sweep: &Sweep,
    triangle: &Triangle,
    [from, to]: [f64; 2],
    gap: f64,
) -> Option<ShapeImpact> {
    let normal = triangle.normal().unwrap_or_default();
    let start = sweep.world_from_shape.point(sweep.centre);
    let is_in_front = (start - triangle.corners[0]).dot(normal) >= 0.0;
    let cache = &mut PairCache::along(if is_in_front { normal } else { -normal });
    let relative = Relative {
        velocity: sweep.velocity,
        turns: [Turn::of(shape, sweep), Turn::NONE],
        are_convex: is_convex(shape),
    };
    advance(&relative, [from, to], gap, |time, reach| {
        closest_to_triangle(shape, &sweep.pose_at(time), triangle, reach, cache)
    })
}

/// The relative motion of two shapes.
struct Relative {
    /// The velocity of the centre of `a` relative to the centre of `b`.
    velocity: DVec3,
    turns: [Turn; 2],
    /// Whether both shapes are convex. A convex shape lies on one side of the plane through its closest point
    /// perpendicular to the normal.
    are_convex: bool,
}

fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::Mesh(_))
}

impl Relative {
    /// The maximum speed at which the gap along a unit vector from `b` to `a` can close at any time. For a mesh the direction
    /// is ignored: other parts than the closest may approach from elsewhere.
    fn closing(&self, normal: DVec3) -> f64 {
        if !self.are_convex {
            return self.fastest();
        }
        let by_turns = self.turns.iter().map(|turn| turn.closing(normal));
        -self.velocity.dot(normal) + by_turns.sum::<f64>()
    }

    /// The maximum closing speed along any direction.
    fn fastest(&self) -> f64 {
        let by_turns = self.turns.iter().map(Turn::fastest);
        self.velocity.length() + by_turns.sum::<f64>()
    }
}

/// The rotation of a shape.
struct Turn {
    angular_velocity: DVec3,
    /// The radius of the rotating part, metres. The rotating part of a ball is its centre, that of a capsule its
    /// segment.
    radius: f64,
    /// Another upper bound of the speed of the rotating part, m/s, besides angular velocity times radius.
    limit: f64,
}

impl Turn {
    const NONE: Self = Self {
        angular_velocity: DVec3::ZERO,
        radius: 0.0,
        limit: f64::INFINITY,
    };

    fn of(shape: &Shape, sweep: &Sweep) -> Self {
        let angular_velocity = sweep.angular_velocity;
        let (radius, limit) = match shape {
            Shape::Sphere { .. } => (sweep.centre.length(), f64::INFINITY),
            Shape::Capsule { half_segment, .. } => {
                // A rotation about a fixed axis does not change the speed of the segment's ends.
                let half = sweep.world_from_shape.vector(*half_segment);
                let by_centre = angular_velocity.length() * sweep.centre.length();
                let limit = angular_velocity.cross(half).length() + by_centre;
                (half.length() + sweep.centre.length(), limit)
            }
            _ => (shape.radius_about(sweep.centre), f64::INFINITY),
        };
        Self {
            angular_velocity,
            radius,
            limit,
        }
    }

    /// The maximum speed of the rotating part along a unit vector.
    fn closing(&self, normal: DVec3) -> f64 {
        let by_radius = self.angular_velocity.cross(normal).length() * self.radius;
        by_radius.min(self.limit)
    }

    /// The maximum speed of the rotating part along any direction.
    fn fastest(&self) -> f64 {
        (self.angular_velocity.length() * self.radius).min(self.limit)
    }
}

/// Advances the time until the gap is small enough. `closest(time, reach)` measures the gap.
fn advance(
    relative: &Relative,
    [from, to]: [f64; 2],
    gap: f64,
    mut closest: impl FnMut(f64, f64) -> Option<Closest>,
) -> Option<ShapeImpact> {
    let fastest = relative.fastest();
    let mut time = from;
    let mut last = None;
    for _ in 0..MAX_STEPS {
        // Farther gaps cannot close in the remaining time.
        let closest = closest(time, fastest * (to - time) + gap)?;
        let found = ShapeImpact {
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

    fn meet(a: (&Shape, &Sweep), b: (&Shape, &Sweep), span: [f64; 2]) -> Option<ShapeImpact> {
        time_of_impact(a, b, span, GAP, &mut PairCache::default())
    }

    fn at(place: DVec3) -> Rigid {
        Rigid::new(glam::DMat3::IDENTITY, place)
    }

    /// A stick of 2 m that rotates about its centre at 6 radians per second, and a post in the path of its ends.
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
        // A quarter turn, minus the angle of the two half widths.
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
        // The other end arrives half a turn later.
        let half = std::f64::consts::PI / 6.0;
        assert!((from(first + 0.5 * half) - first - half).abs() < 1e-4);
    }
}
