//! Ledges: a body that walks stops where the ground ends.
//!
//! Ground is what is flat enough to walk on, seen from above. The body stands on the point of it
//! that is nearest to its centre, its foot; while it walks, the foot is moved over the ground along
//! the same way. Where that way leaves the ground, or drops to lower ground, stands a rim. Whether
//! it is a ledge is asked as for steps, with a motion of its own: just so far out that the rim no
//! longer holds the body, and down from there. So the answer does not depend on speed. A ledge is
//! a vertical wall to the foot.
//!
//! Over a gap that it does not fall through a body has no foot below it, nor has one that leans
//! over a rim. These walk in small steps, and only where they would come to rest.

use glam::DVec3;

use super::blockers::note;
use super::candidates::{Candidates, Surface};
use super::contacts::{Contact, Contacts, project_velocity};
use super::ground::{Side, Span, foot, grounds, highest, side_at, sine, slip_off};
use super::slide::{gather_around, grown_radius, reach_of};
use super::steps::{find_support, flat, free};
use super::tuning::*;
use super::{Body, Scratch, Solid, State, World};

/// How far a body may walk before it must look again.
pub(super) struct Limit {
    /// Which part of the motion leads there, 0..1.
    pub part: f64,
    /// What the ledge there is to the body, if there is one.
    wall: Option<Contact>,
}

/// Which part of the motion, 0..1, leads up to the first ledge. Where that is at hand, the motion
/// slides along it; then says so.
pub(super) fn part_to_ledge(
    world: &World,
    body: &Body,
    state: &State,
    motion: &mut DVec3,
    scratch: &mut Scratch,
) -> (f64, bool) {
    if !heeds_ledges(body, state) {
        return (1.0, false);
    }
    let wanted = *motion;
    let mut part = 0.0;
    for _ in 0..MAX_RIMS {
        let limit = first_ledge(world, body, state, state.centre, *motion, scratch);
        part = limit.as_ref().map_or(1.0, |limit| limit.part);
        let at_hand = part * motion.length() <= TOUCH * grown_radius(body);
        let Some(wall) = limit.and_then(|limit| limit.wall).filter(|_| at_hand) else {
            break;
        };
        note(&mut scratch.blockers, &wall);
        scratch.contacts.add(wall);
        *motion = project_velocity(wanted, &scratch.contacts.list).velocity;
        part = 0.0;
    }
    if part == 0.0 {
        *motion = DVec3::ZERO;
    }
    gather_around(world, body, state, 0.0, scratch);
    (part, *motion != wanted)
}

/// The first ledge on the way of a body that walks from where it is, but lifted to `from`, by
/// `motion`, or where it must look again. The caller must gather candidates anew.
pub(super) fn first_ledge(
    world: &World,
    body: &Body,
    state: &State,
    from: DVec3,
    motion: DVec3,
    scratch: &mut Scratch,
) -> Option<Limit> {
    let radius = grown_radius(body);
    if !heeds_ledges(body, state) {
        return None;
    }
    // Ground behind what stops the body is none to it.
    let reach = 2.0 * motion.length() + 3.0 * radius;
    gather_around(world, body, state, reach, scratch);
    let free = reach_of(&scratch.candidates, from, motion, radius);
    let limit = first_limit(world, body, state, from, motion * free, scratch)?;
    Some(Limit {
        part: limit.part * free,
        ..limit
    })
}

/// The same where nothing solid is in the way.
fn first_limit(
    world: &World,
    body: &Body,
    state: &State,
    from: DVec3,
    motion: DVec3,
    scratch: &mut Scratch,
) -> Option<Limit> {
    let radius = grown_radius(body);
    let length = flat(motion).length();
    if length <= MIN_MOTION * radius {
        return None;
    }
    // A walk down a slope is level until gravity brings the body down.
    let total = (state.walk.length() + state.fall.length()) * TICK_SECS;
    let walked = (total - scratch.reach_left).max(0.0);
    let foot = foot(&scratch.candidates, body, state.centre, walked);
    let rim = foot.and_then(|foot| first_rim(world, body, state, foot, from, motion, scratch));
    let is_at_hand = |rim: &Rim| rim.part * length <= TOUCH * radius;
    let limit = rim.as_ref().map(|rim| Limit {
        part: rim.part,
        wall: rim.is_ledge.then(|| wall(-rim.side.out, rim.side.solid)),
    });
    let off = foot.map(|foot| flat(foot - state.centre));
    let leans = off.is_none_or(|off| off.length() > TOUCH * radius);
    let at_hand = rim.filter(is_at_hand);
    let is_over_gap = at_hand.as_ref().is_some_and(|rim| !rim.is_ledge);
    let is_at_ledge = at_hand.is_some() && !is_over_gap;
    if is_at_ledge || !is_over_gap && !leans {
        return limit;
    }
    let out = at_hand.map(|rim| rim.side.out);
    let back = out.map(|out| -out).or(off.and_then(DVec3::try_normalize));
    let back = back.filter(|back| back.dot(motion) < -ALONG_RIM * length);
    let back = back.unwrap_or(-flat(motion) / length);
    let fall = first_fall(world, body, state, from, motion, back, scratch);
    let limits = [limit.filter(|_| !is_over_gap), fall];
    let nearer = |a: Limit, b: Limit| if b.part < a.part { b } else { a };
    limits.into_iter().flatten().reduce(nearer)
}

/// Where a way leaves the ground, or drops to lower ground.
struct Rim {
    /// Which part of the motion leads there, 0..1.
    part: f64,
    side: Side,
    /// Whether the body would fall beyond it, rather than find itself over a gap.
    is_ledge: bool,
}

/// The first ledge or wide gap on the way of the foot.
fn first_rim(
    world: &World,
    body: &Body,
    state: &State,
    foot: DVec3,
    from: DVec3,
    motion: DVec3,
    scratch: &mut Scratch,
) -> Option<Rim> {
    let (radius, step_settings) = (grown_radius(body), &body.step_settings);
    let nearby = TOUCH * radius;
    let length = flat(motion).length();
    let way = flat(motion) / length;
    scratch.spans.clear();
    // What is lower than a walk down the steepest ground leads is not known for certain, and none.
    let lowest =
        foot.y - 0.5 * radius - length * sine(step_settings.ground_y()) / step_settings.ground_y();
    for ground in grounds(&scratch.candidates, step_settings) {
        let span = ground.span(foot, way, nearby);
        let span = span.filter(|span| span.highest_on(length) >= lowest);
        scratch.spans.extend(span);
    }
    let mut at = 0.0;
    loop {
        let part = at / length;
        let centre = from + motion * part;
        let below = |s: &&Span| s.ends[0] <= at + nearby && s.at(at) < centre.y;
        let spans = || scratch.spans.iter().filter(below);
        let before = spans().filter(|s| s.ends[1] >= at - nearby);
        let after = spans().filter(|s| s.ends[1] > at + nearby);
        let [before, after] = [highest(before, at), highest(after, at)];
        let ends = scratch.spans.iter().flat_map(|s| s.ends);
        let next = ends.filter(|&end| end > at + nearby).reduce(f64::min);
        if before - after > STEP_GAIN * radius {
            let point = (foot + way * at).with_y(before);
            let side = side_at(&scratch.candidates, step_settings, point, way, radius)?;
            let is_ledge = !rests_beyond(world, body, state, centre, point, &side, scratch);
            let ahead = (at + SETTLING_STEP * radius).min(length);
            let is_gap = after == f64::NEG_INFINITY && next.is_none_or(|next| next > ahead);
            if is_ledge || is_gap {
                return Some(Rim {
                    part,
                    side,
                    is_ledge,
                });
            }
        }
        at = next.filter(|&next| next < length)?;
    }
}

/// How far a body may walk that no ground is below: in small steps, as long as it would come to
/// rest. Where it would not stands a wall with the normal `back`.
fn first_fall(
    world: &World,
    body: &Body,
    state: &State,
    from: DVec3,
    motion: DVec3,
    back: DVec3,
    scratch: &mut Scratch,
) -> Option<Limit> {
    let radius = grown_radius(body);
    let part = (SETTLING_STEP * radius / motion.length()).min(1.0);
    let reach = from.distance(state.centre) + body.step_settings.max_drop + 4.0 * radius;
    gather_around(world, body, state, reach, scratch);
    let (candidates, contacts) = (&scratch.candidates, &mut scratch.footing);
    let feet = state.centre.y - radius;
    // One who falls already is not held back.
    if !rests(candidates, contacts, body, state.centre, feet) {
        return None;
    }
    let solid = contacts.list.first()?.solid;
    let step = motion * part;
    let next = from + step * free(candidates, from, step, radius, contacts);
    if !rests(candidates, contacts, body, next, feet) {
        let wall = Some(wall(back, solid));
        return Some(Limit { part: 0.0, wall });
    }
    (part < 1.0).then_some(Limit { part, wall: None })
}

/// Whether the body walks and stops at some ledges.
fn heeds_ledges(body: &Body, state: &State) -> bool {
    state.grounded && body.step_settings.max_drop < f64::INFINITY
}

/// Whether a body whose centre is above the rim `point` comes to rest beyond it, on something
/// that is at most its greatest drop below.
fn rests_beyond(
    world: &World,
    body: &Body,
    state: &State,
    centre: DVec3,
    point: DVec3,
    side: &Side,
    scratch: &mut Scratch,
) -> bool {
    let (radius, step_settings) = (grown_radius(body), &body.step_settings);
    let off = flat(point - centre) + side.out * slip_off(side.surface, body);
    let above = centre.y - point.y;
    let reach = state.centre.distance(centre) + above + step_settings.max_drop + 3.0 * radius;
    gather_around(world, body, state, reach, scratch);
    let (candidates, contacts) = (&scratch.candidates, &mut scratch.footing);
    // Over what rises towards the rim.
    let up = DVec3::Y * radius;
    let top = centre + up * free(candidates, centre, up, radius, contacts);
    let beyond = top + off * free(candidates, top, off, radius, contacts);
    rests(candidates, contacts, body, beyond, point.y)
}

/// Whether a sphere that is let down from `centre` comes to rest on something that is at most the
/// body's greatest drop below the height `ground`.
fn rests(
    candidates: &Candidates,
    contacts: &mut Contacts,
    body: &Body,
    centre: DVec3,
    ground: f64,
) -> bool {
    let (radius, step_settings) = (grown_radius(body), &body.step_settings);
    // In a notch it sinks by up to its radius, and still is borne at the height of the rims.
    let drop = centre.y - ground + step_settings.max_drop;
    let support = find_support(
        candidates,
        centre,
        drop,
        radius,
        step_settings.max_slope_cos,
        contacts,
    );
    let lowest = ground - step_settings.max_drop - STEP_GAIN * radius;
    support.is_some_and(|support| support.support_y >= lowest)
}

/// A vertical plane that stops a body.
fn wall(normal: DVec3, solid: Solid) -> Contact {
    Contact {
        normal,
        surface: Surface::SMOOTH,
        is_face: true,
        along: DVec3::ZERO,
        solid,
    }
}
