//! The first impact of a body in the rest of the tick, without regard to other impacts.

use glam::DVec3;

use super::impact::{BodyImpact, With};
use crate::bodies::broad::near::NearbyTriangles;
use crate::bodies::broad::pairs::Pair;
use crate::bodies::contacts::narrow::{Search, TOUCHING, meets, meets_triangle};
use crate::bodies::contacts::surfaces::{MovingSurface, shifted};
use crate::bodies::contacts::{BodyContact, Mixed, code_of};
use crate::bodies::context::StepContext;
use crate::bodies::moving::Moving;
use crate::bodies::tuning::CONTACT_DISTANCE;
use crate::shapes::Manifold;
use crate::world::ContactKey;

/// The distance, metres, below which the motion of a body in a tick causes no impacts, except at contacts that the
/// solver resolves: such a short motion ends before a new contact, or the contact is resting or separating.
const HELD_DISTANCE: f64 = 0.5 * CONTACT_DISTANCE;

/// The state of everything that may collide in the rest of a tick.
#[derive(Clone, Copy)]
pub(in crate::bodies) struct Scene<'w> {
    pub context: &'w StepContext<'w>,
    pub moving: &'w [Moving],
    pub pairs: &'w [Pair],
    pub contacts: &'w [BodyContact],
}

/// The buffers of a share of the bodies in the parallel search for first impacts.
#[derive(Debug, Default)]
pub(in crate::bodies) struct Ahead {
    pub manifolds: Vec<Manifold>,
    pub impacts: Vec<BodyImpact>,
}

/// The greatest distance from a body's current position at which it may meet surfaces in the rest of the tick,
/// metres.
pub(in crate::bodies) fn farthest_met(moving: &Moving, moved: f64, secs: f64) -> f64 {
    let way = moving.centre_at(secs) - moving.at.point;
    way.length() + bulge(moving, secs - moving.time) + moved
}

/// The upper bound of the deviation of a body's path from its chord, metres: gravity curves the path.
fn bulge(moving: &Moving, rest: f64) -> f64 {
    moving.acceleration.length() * rest * rest * 0.125
}

/// The first of the nearby surfaces that a body meets in the rest of the tick.
pub(in crate::bodies) fn first_surface(
    scene: &Scene,
    near: &NearbyTriangles,
    index: u32,
    manifolds: &mut Vec<Manifold>,
) -> Option<BodyImpact> {
    let &StepContext {
        collision,
        participants,
        secs,
        mover_way: moved,
        ..
    } = scene.context;
    let moving = &scene.moving[index as usize];
    let rest = secs - moving.time;
    // The list of a sleeping body is out of date. Movers that reach the body have woken it.
    if rest <= 0.0 || moving.is_speculative || moving.is_asleep {
        return None;
    }
    let way = moving.centre_at(secs) - moving.at.point;
    let turns = !moving.is_ball && moving.turn != DVec3::ZERO;
    let body = participants.body(moving.id);
    let is_still = way == DVec3::ZERO && !turns;
    let is_held = moving.is_solved && farthest(moving, rest) < HELD_DISTANCE;
    // Only a mover can hit a body that stays in place. The list of movers depends on the body's earlier positions.
    let meets_movers_alone = is_still || is_held;
    if meets_movers_alone && (moved == 0.0 || !near.has_moved(collision)) {
        return None;
    }
    let bulge = bulge(moving, rest);
    if way.length() + bulge + moved + TOUCHING < moving.clearance {
        return None;
    }
    let middle = moving.at.point + way * 0.5;
    let reach = moving.radius + 0.5 * way.length() + bulge + moved;
    // The first impact, with the time until it. Impacts are compared by this time, because times since the beginning
    // of the tick are rounded sums: two of them could be equal, and the order of the list would decide.
    let mut first: Option<(f64, BodyImpact)> = None;
    let contacts = match moving.is_solved {
        true => contacts_of(scene.contacts, index),
        false => &[],
    };
    near.look_within(middle, reach, |candidate| {
        let code = code_of(candidate.solid);
        // The solver keeps the sides of a contact apart, except when rotation brings them together.
        let is_held = contacts.iter().any(|contact| contact.key.other == code);
        if is_held && !turns {
            return;
        }
        let height = (moving.at.point - candidate.triangle.corners[0]).dot(candidate.normal);
        let end = height + way.dot(candidate.normal);
        let clear = moving.radius + bulge + moved;
        if height > clear && end > clear || (height < -clear && end < -clear) {
            return;
        }
        let surface = MovingSurface::of(collision, near, candidate);
        if meets_movers_alone && surface.motion.is_still() {
            return;
        }
        let nearest = match surface.motion.is_still() {
            true => moving.at.point,
            false => surface.start.triangle.closest_point(moving.at.point).0,
        };
        let course = surface.motion.course_at(nearest);
        let seen_from_surface;
        let relative = if course == DVec3::ZERO {
            moving
        } else {
            seen_from_surface = Moving {
                course: moving.course - course,
                ..*moving
            };
            &seen_from_surface
        };
        let now = shifted(&surface.start, course * moving.time);
        let limit = first.map_or(rest, |(after, _)| after);
        let search = Search {
            from: moving.time,
            secs: rest,
            limit,
            is_held,
        };
        let after = meets_triangle(&body.shape, relative, &now, &search, manifolds);
        let Some(after) = after else {
            return;
        };
        let (friction, bounce) = (candidate.surface.friction, candidate.surface.bounce);
        let impact = BodyImpact {
            time: moving.time + after,
            a: index,
            version_a: moving.version,
            with: With::Surface {
                start: surface.start,
                course,
                belt: surface.motion.belt(),
                mixed: Mixed::of(body, friction, bounce),
                code,
            },
        };
        let is_before = |(known, first): (f64, BodyImpact)| {
            let by_time = after.total_cmp(&known);
            by_time.then_with(|| impact.order(&first)).is_lt()
        };
        if first.is_none_or(is_before) {
            first = Some((after, impact));
        }
    });
    first.map(|(_, impact)| impact)
}

/// The greatest distance that any point of a body moves in a time, metres.
fn farthest(moving: &Moving, secs: f64) -> f64 {
    let by_turn = if moving.is_ball {
        0.0
    } else {
        moving.turn.length() * moving.radius
    };
    (moving.course.length() + by_turn) * secs
}

/// The contacts of a body with surfaces, which come first, and with bodies of higher index.
fn contacts_of(contacts: &[BodyContact], index: u32) -> &[BodyContact] {
    let first = contacts.partition_point(|contact| contact.a < index);
    let end = contacts.partition_point(|contact| contact.a <= index);
    &contacts[first..end]
}

/// The impact of the bodies of a pair in the rest of the tick, if there is one.
pub(in crate::bodies) fn meeting_of(
    scene: &Scene,
    index: u32,
    manifolds: &mut Vec<Manifold>,
) -> Option<BodyImpact> {
    let &StepContext {
        participants, secs, ..
    } = scene.context;
    let pair = &scene.pairs[index as usize];
    let [a, b] = [pair.a, pair.b].map(|index| &scene.moving[index as usize]);
    if a.is_speculative && b.is_speculative {
        return None;
    }
    let from = a.time.max(b.time);
    if secs <= from {
        return None;
    }
    let ways = [a, b].map(|moving| moving.way_in(secs - moving.time));
    if pair.are_farther_than(ways[0] + ways[1] + TOUCHING, scene.moving) {
        return None;
    }
    let (body_a, body_b) = (participants.body(a.id), participants.body(b.id));
    let mut is_held = false;
    if a.is_solved && b.is_solved {
        let rest = secs - from;
        if farthest(a, rest) + farthest(b, rest) < HELD_DISTANCE {
            return None;
        }
        let contacts = contacts_of(scene.contacts, pair.a);
        let code = ContactKey::code_of(b.id);
        is_held = contacts.iter().any(|contact| contact.key.other == code);
        if is_held && a.is_ball && b.is_ball {
            return None;
        }
    }
    let (shape_a, shape_b) = (&body_a.shape, &body_b.shape);
    let search = Search {
        from,
        secs: secs - from,
        limit: secs - from,
        is_held,
    };
    let after = meets(
        (shape_a, a),
        (shape_b, b),
        &pair.a_from_b,
        &search,
        manifolds,
    )?;
    Some(BodyImpact {
        time: from + after,
        a: pair.a,
        version_a: a.version,
        with: With::Body {
            pair: index,
            version_b: b.version,
        },
    })
}
