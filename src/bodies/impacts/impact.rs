//! One impact: its sides and time, and the velocities after it.

use std::cmp::Ordering;

use glam::DVec3;

use super::response::{apply, effective_mass, relative_velocity};
use super::rest::rests;
use crate::bodies::contacts::{BodyContact, Mixed, Sides};
use crate::bodies::events::ImpactRecord;
use crate::bodies::moving::Moving;
use crate::bodies::tuning::{IMPACT_ROUNDS, STILL};
use crate::level::{At, TICKS_PER_SECOND};
use crate::shapes::{Manifold, SurfaceTriangle};

/// An impact of two bodies, or of a body and a surface.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct BodyImpact {
    /// The time since the beginning of the tick, seconds.
    pub time: f64,
    /// The index of the body.
    pub a: u32,
    /// The version of the body's motion for which the impact was found.
    pub version_a: u32,
    pub with: With,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) enum With {
    /// The index of the pair, and the version of the second body's motion for which the impact was found.
    Body { pair: u32, version_b: u32 },
    Surface {
        /// The surface at the beginning of the tick.
        start: SurfaceTriangle,
        /// The velocity of the surface, m/s, and that of its belt relative to the surface.
        course: DVec3,
        belt: DVec3,
        mixed: Mixed,
        code: u64,
    },
}

impl BodyImpact {
    /// Sorts by time, then by the sides.
    pub(in crate::bodies) fn order(&self, other: &Self) -> Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time
            .then(self.a.cmp(&other.a))
            .then(self.code().cmp(&other.code()))
    }

    fn code(&self) -> u64 {
        match self.with {
            With::Body { pair, .. } => u64::from(pair),
            With::Surface { code, .. } => code,
        }
    }
}

/// Reversed order for a max-heap: the greatest element is the earliest impact.
impl Ord for BodyImpact {
    fn cmp(&self, other: &Self) -> Ordering {
        other.order(self)
    }
}

impl PartialOrd for BodyImpact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for BodyImpact {
    fn eq(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }
}

impl Eq for BodyImpact {}

/// A contact point of an impact.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Struck {
    contact: BodyContact,
    /// The velocity of `a` relative to `b` at the point before the impact, m/s.
    before: DVec3,
    /// The required separation speed at the point, m/s. If there is no bounce, it is [`STILL`], because rounding
    /// could make the sides meet again.
    wanted: f64,
    /// The impulse along the normal so far, N s.
    pushed: f64,
    /// The tangential impulse so far, N s.
    rubbed: DVec3,
    /// The impulse of a discarded solution, N s, and the relative velocity after it, m/s.
    bouncing: (DVec3, DVec3),
}

/// Solves the points of one impact together: Newton's law of restitution along the normal, Coulomb's law of friction
/// tangentially.
///
/// Together, the two laws may increase the energy where an impact reverses the direction in which the bodies slide
/// (T. Kane, D. Levinson, "Dynamics: Theory and Applications", 1985; W. Stronge, "Rigid Body Collisions with
/// Friction", 1990). In that case restitution is reduced until no energy is gained.
pub(in crate::bodies) fn bounce(moving: &mut [Moving], struck: &mut [Struck]) {
    // One point without friction is solved exactly in one round. Friction changes the velocities at other points, and
    // the normal velocity at the same point.
    let is_exact = struck.len() == 1 && struck.iter().all(|point| point.contact.friction == 0.0);
    let rounds = if is_exact { 1 } else { IMPACT_ROUNDS };
    let mut rests_all = true;
    for Struck {
        contact,
        before,
        wanted,
        ..
    } in &mut *struck
    {
        *before = relative_velocity(moving, contact);
        let speed = -before.dot(contact.normal);
        let acceleration = moving[contact.a as usize].acceleration;
        let gathered = acceleration.length() * TICKS_PER_SECOND.recip();
        if !rests(speed, contact.bounce, gathered) {
            *wanted = speed * contact.bounce;
            rests_all = false;
        }
        // If a point separates faster than gravity can close it, the bodies do not rest on each other.
        rests_all &= speed >= -gathered;
    }
    solve(moving, struck, rounds);
    if !is_exact && !rests_all {
        let gained = gained(moving, struck);
        if gained > 0.0 {
            bounce_less(moving, struck, gained);
        }
    }
    if rests_all {
        for Struck { contact, .. } in &*struck {
            rest(moving, contact);
        }
    }
}

fn solve(moving: &mut [Moving], struck: &mut [Struck], rounds: u32) {
    for _ in 0..rounds {
        for point in &mut *struck {
            point.solve(moving);
        }
    }
}

/// The energy that an impact has added so far, J: each impulse does its work at the mean of the velocities before and
/// after it.
fn gained(moving: &[Moving], struck: &[Struck]) -> f64 {
    let works = struck.iter().map(|point| {
        let after = relative_velocity(moving, &point.contact);
        0.5 * point.impulse().dot(point.before + after)
    });
    works.sum()
}

/// Reduces the bounce of a solution that gained the energy `gained_with`, J: interpolates towards the solution
/// without a bounce, which gains no energy, until no energy is gained. Both solutions push within the friction cone,
/// and so does each interpolation.
fn bounce_less(moving: &mut [Moving], struck: &mut [Struck], gained_with: f64) {
    for point in &mut *struck {
        point.bouncing = (point.impulse(), relative_velocity(moving, &point.contact));
    }
    for point in &mut *struck {
        apply(moving, &point.contact, -point.impulse());
        (point.wanted, point.pushed, point.rubbed) = (STILL, 0.0, DVec3::ZERO);
    }
    solve(moving, struck, IMPACT_ROUNDS);
    let gained_without = gained(moving, struck);
    // The energy is a quadratic function of the interpolation parameter, and negative at its start.
    let squares = struck.iter().map(|point| {
        let (impulse, velocity) = point.bouncing;
        let now = relative_velocity(moving, &point.contact);
        0.5 * (impulse - point.impulse()).dot(velocity - now)
    });
    let square = squares.sum::<f64>().max(0.0);
    let linear = gained_with - gained_without - square;
    let root = (linear * linear - 4.0 * square * gained_without)
        .max(0.0)
        .sqrt();
    let part = -2.0 * gained_without / (linear + root);
    let part = if part > 0.0 { part.min(1.0) } else { 0.0 };
    for point in struck {
        let rest = (point.bouncing.0 - point.impulse()) * part;
        apply(moving, &point.contact, rest);
    }
}

impl Struck {
    fn of(contact: BodyContact) -> Self {
        Self {
            contact,
            before: DVec3::ZERO,
            bouncing: (DVec3::ZERO, DVec3::ZERO),
            wanted: STILL,
            pushed: 0.0,
            rubbed: DVec3::ZERO,
        }
    }

    /// The contact points of the manifolds of two sides.
    pub(in crate::bodies) fn all_of<'a>(
        sides: &'a Sides,
        manifolds: &'a [Manifold],
        mixed: &'a Mixed,
    ) -> impl Iterator<Item = Self> + use<'a> {
        manifolds.iter().flat_map(move |manifold| {
            let points = manifold.points().iter();
            points.map(move |point| Self::of(sides.contact(manifold, point, mixed)))
        })
    }

    /// The hit event of the point, of a body at `at`; `None` if it is too slow.
    pub(in crate::bodies) fn hit(&self, at: At) -> Option<ImpactRecord> {
        let speed = -self.before.dot(self.contact.normal);
        ImpactRecord::of(&self.contact, at, speed, self.pushed)
    }

    fn impulse(&self) -> DVec3 {
        self.contact.normal * self.pushed + self.rubbed
    }

    fn solve(&mut self, moving: &mut [Moving]) {
        let Self {
            contact,
            wanted,
            pushed,
            rubbed,
            ..
        } = self;
        let normal = contact.normal;
        let speed = relative_velocity(moving, contact).dot(normal);
        let mass = effective_mass(moving, contact, normal);
        let total = (*pushed + mass * (*wanted - speed)).max(0.0);
        apply(moving, contact, normal * (total - *pushed));
        *pushed = total;
        if contact.friction == 0.0 {
            return;
        }
        let velocity = relative_velocity(moving, contact);
        let across = velocity - normal * velocity.dot(normal);
        let speed = across.length();
        if speed <= STILL {
            return;
        }
        let direction = across / speed;
        let stop = direction * (-speed * effective_mass(moving, contact, direction));
        let mut after = *rubbed + stop;
        let (size, most) = (after.length(), contact.friction * total);
        if size > most {
            after *= most / size;
        }
        apply(moving, contact, after - *rubbed);
        *rubbed = after;
    }
}

/// Removes, for the rest of the tick, the gravity that presses a resting contact together. The gravity that both
/// bodies share remains: without it, two bodies that fly upwards together would gain energy.
fn rest(moving: &mut [Moving], contact: &BodyContact) {
    let normal = contact.normal;
    let of_a = moving[contact.a as usize].acceleration.dot(normal);
    let of_b = contact.b.map_or(0.0, |b| {
        let acceleration = moving[b as usize].acceleration;
        contact.a_from_b.vector(acceleration).dot(normal)
    });
    let together = (of_a - of_b).min(0.0);
    // The acceleration is removed first from the side that is accelerated towards the other.
    let taken = together.max(of_a.min(0.0));
    moving[contact.a as usize].acceleration -= normal * taken;
    if let Some(b) = contact.b {
        let given = contact
            .a_from_b
            .inverse()
            .vector(normal * (together - taken));
        moving[b as usize].acceleration += given;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rigid;
    use crate::level::BodyId;
    use crate::world::{ContactKey, Participant};

    fn ball(id: u32, height: f64, acceleration: DVec3) -> Moving {
        let velocity = DVec3::Y * 2.0;
        Moving {
            id: Participant::Body(BodyId(id)),
            velocity,
            course: velocity,
            acceleration,
            is_ball: true,
            has_met_body: true,
            impacts: 1,
            version: 1,
            ..Moving::of_unit_mass(DVec3::Y * height)
        }
    }

    /// The accelerations of a ball and of a second ball that rests on it. The upper ball is the contact's `a` or its
    /// `b`.
    fn after_rest([below, above]: [DVec3; 2], is_a_above: bool) -> [DVec3; 2] {
        let (a, b, normal) = if is_a_above {
            (1, 0, DVec3::Y)
        } else {
            (0, 1, DVec3::NEG_Y)
        };
        let mut moving = [ball(0, 0.5, below), ball(1, 1.5, above)];
        let contact = BodyContact {
            key: ContactKey {
                first: Participant::Body(BodyId(a)),
                other: u64::from(b),
            },
            a,
            b: Some(b),
            a_from_b: Rigid::IDENTITY,
            normal,
            arm_a: normal * -0.5,
            arm_b: normal * 0.5,
            surface_course: DVec3::ZERO,
            surface_velocity: DVec3::ZERO,
            separation: 0.0,
            friction: 0.0,
            bounce: 0.0,
            approach: 0.0,
            parting: 0.0,
            rolls: true,
        };
        bounce(&mut moving, &mut [Struck::of(contact)]);
        moving.map(|moving| moving.acceleration)
    }

    /// Regression test: gravity was removed from both bodies of a contact, so that two bodies that flew upwards
    /// together gained energy.
    #[test]
    fn what_flies_together_still_falls_and_what_lies_on_something_held_does_not() {
        let gravity = DVec3::Y * -9.81;
        for is_a_above in [false, true] {
            let both = after_rest([gravity; 2], is_a_above);
            assert_eq!(both, [gravity; 2]);
            let held = after_rest([DVec3::ZERO, gravity], is_a_above);
            assert_eq!(held, [DVec3::ZERO; 2]);
        }
    }
}
