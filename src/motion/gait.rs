//! Feet: slopes too steep to walk on, steps up, staying on the ground on the way down. Ledges are
//! next door.
//!
//! None of it asks how fast the body is. What holds a body is found by letting a sphere down until
//! friction or a notch stops it: on stairs whose treads are shorter than the sphere is wide it
//! rests between two edges, not on a tread.

use glam::DVec3;

use super::candidates::Candidates;
use super::contacts::{Contact, Contacts, allow, touching};
use super::crossing::travel;
use super::edges::least_edge_y;
use super::ledges::first_ledge;
use super::slide::{gather_around, grown_radius, pushing, reach_of, react};
use super::tuning::*;
use super::{Body, Scratch, State, World};

/// What a body does beside the loop of the paper: on the ground, but for the slope limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Height of the highest step that it climbs, metres; 0 for none. A sphere rolls over what is
    /// lower than `radius * (1 - walkable_y)` whatever is said here.
    pub step_height: f64,
    /// How far down it goes at most to stay on the ground, metres; 0 for not at all.
    pub snap: f64,
    /// Upward part of the normal of the steepest ground that it walks up; what is steeper is a
    /// wall to it. 0 where only friction limits slopes.
    pub walkable_y: f64,
    /// The greatest drop that it walks off, metres: at a deeper one it stops. Infinite where it
    /// walks off everything. So that slopes and leaning over a rim do not throw it into the air,
    /// a body that stops anywhere has a snap of its radius and what it walks in a tick, up to this.
    pub max_drop: f64,
}

impl Gait {
    /// The pure loop.
    pub const PURE: Self = Self {
        step_height: 0.0,
        snap: 0.0,
        walkable_y: 0.0,
        max_drop: f64::INFINITY,
    };

    /// Whether it does anything.
    pub(super) fn walks(&self) -> bool {
        *self != Self::PURE
    }

    /// How far down a body goes at most to stay on the ground, metres.
    fn snap(&self, radius: f64, state: &State) -> f64 {
        if self.max_drop == f64::INFINITY {
            return self.snap;
        }
        let steepest = radius + state.walk.length() * TICK_SECS;
        self.snap.max(self.max_drop.min(steepest))
    }

    /// Upward part of the normal of the steepest ground.
    pub(super) fn ground_y(&self) -> f64 {
        if self.walkable_y > 0.0 {
            self.walkable_y
        } else {
            GROUND_NORMAL_Y
        }
    }
}

/// Makes walls of what is too steep to be walked up: a vertical plane beside each such contact.
pub(super) fn raise_walls(contacts: &mut Contacts, walkable_y: f64) {
    let steep = |contact: &Contact| {
        let least_y = if contact.is_face {
            walkable_y
        } else {
            least_edge_y(walkable_y)
        };
        contact.normal.y > 0.0 && contact.normal.y < least_y
    };
    for index in 0..contacts.list.len() {
        let contact = contacts.list[index];
        if steep(&contact)
            && let Some(normal) = flat(contact.normal).try_normalize()
        {
            contacts.add(Contact { normal, ..contact });
        }
    }
}

/// The normal of what a motion runs into most head-on, if that is too steep to be walked up.
pub(super) fn obstacle(motion: DVec3, contacts: &[Contact], gait: &Gait) -> Option<DVec3> {
    let limit = -ENTER_SLOPE * motion.length();
    let steep = contacts.iter().filter(|c| {
        let walkable_y = gait.walkable_y.max(LEAST_WALKABLE_Y);
        c.normal.y < walkable_y && flat(c.normal).length() > LEAST_WALKABLE_Y
    });
    let against = steep.map(|c| (motion.dot(c.normal), c.normal));
    let against = against.filter(|&(push, _)| push < limit);
    let most = against.reduce(|a, b| if b.0 < a.0 { b } else { a });
    most.map(|(_, normal)| normal)
}

/// Climbs what has the normal `obstacle`, if that is a step: lifts the body, moves it forward by
/// `wanted`, lets it down again. Returns the part of the motion, 0..1, that was done.
///
/// Whether it is a step is asked with a forward motion of its own, just long enough to bring the
/// centre above what was met, so that the answer does not depend on speed.
pub(super) fn climb(
    world: &World,
    body: &Body,
    state: &mut State,
    obstacle: DVec3,
    wanted: DVec3,
    scratch: &mut Scratch,
) -> f64 {
    let radius = grown_radius(body);
    let forward = flat(wanted);
    let towards = flat(-obstacle);
    let over = (towards.length() + STEP_OVER) * radius;
    let reach = body.gait.step_height + over.max(forward.length());
    gather_around(world, body, state, reach + radius, scratch);
    let candidates = &scratch.candidates;
    let contacts = &mut scratch.footing;
    let mut done = |from: DVec3, motion: DVec3| free(candidates, from, motion, radius, contacts);

    let rise = done(state.centre, DVec3::Y * body.gait.step_height) * body.gait.step_height;
    let top = state.centre + DVec3::Y * rise;
    let towards = towards.normalize_or_zero() * over;
    let tried = towards * done(top, towards);
    let part = done(top, forward);
    let is_nothing = |part: f64| (forward * part).length() <= MIN_MOTION * radius;
    if rise <= TOUCH * radius || is_nothing(part) {
        return 0.0;
    }
    let contacts = &mut scratch.footing;
    let Some(foothold) = settle_down(
        candidates,
        top + tried,
        rise,
        radius,
        body.gait.walkable_y,
        contacts,
    ) else {
        return 0.0;
    };
    let feet = state.centre.y - radius;
    let gain = foothold.support_y - feet;
    let beyond = flat(foothold.centre - state.centre).dot(towards) / over;
    let is_new = gain > STEP_GAIN * radius || beyond >= over * (1.0 - STEP_GAIN);
    if !is_new || gain > body.gait.step_height * (1.0 + TOUCH) + TOUCH * radius {
        return 0.0;
    }
    let ledge = first_ledge(world, body, state, top, forward * part, scratch);
    let part = part * ledge.map_or(1.0, |limit| limit.part);
    if is_nothing(part) {
        return 0.0;
    }
    let onward = forward * part;
    gather_around(world, body, state, reach + radius, scratch);
    let (candidates, contacts) = (&mut scratch.candidates, &mut scratch.footing);
    let sinks = DVec3::NEG_Y * rise;
    let down = sinks * free(candidates, top + onward, sinks, radius, contacts);
    let mut steps = [DVec3::Y * rise, onward, down];
    for i in 0..steps.len() {
        if let Some(bent) = travel(world, state, steps[i], &mut scratch.path) {
            steps = steps.map(|step| bent.vector(step));
            scratch.target_from_start = bent.after(&scratch.target_from_start);
        }
    }
    scratch.lifted += rise + down.y;
    gather_around(world, body, state, 0.0, scratch);
    part
}

/// Keeps a body that has walked on the ground: where it is if that holds it, else down by at most
/// its snap onto ground to walk on. Returns whether that holds it: on ground with too little
/// friction it slips.
///
/// A body on the edge of a step stays there, without slipping off, as long as the ground below
/// is near.
pub(super) fn stay_on_ground(
    world: &World,
    body: &Body,
    state: &mut State,
    scratch: &mut Scratch,
) -> bool {
    let radius = grown_radius(body);
    let gait = &body.gait;
    let contacts = &mut scratch.footing;
    touching(&scratch.candidates, state.centre, radius, contacts);
    if holds(&contacts.list, gait.walkable_y) {
        return true;
    }
    let snap = gait.snap(radius, state);
    let deepest = snap.max(gait.step_height);
    gather_around(world, body, state, deepest + 2.0 * radius, scratch);
    let candidates = &mut scratch.candidates;
    let snap = DVec3::NEG_Y * snap;
    let contacts = &mut scratch.footing;
    let down = snap * free(candidates, state.centre, snap, radius, contacts);
    let place = state.centre + down;
    touching(candidates, place, radius, contacts);
    let on_edge = contacts.list.iter().any(|c| c.normal.y > 0.0)
        && contacts
            .list
            .iter()
            .all(|c| !c.is_face || c.normal.y <= 0.0);
    let is_walkable = |c: &Contact| c.normal.y >= gait.walkable_y.max(LEAST_WALKABLE_Y);
    let on_slope = contacts.list.iter().any(is_walkable);
    let stays = holds(&contacts.list, gait.walkable_y)
        || on_edge
            && settle_down(
                candidates,
                place,
                deepest + down.y,
                radius,
                gait.walkable_y,
                contacts,
            )
            .is_some();
    if (stays || on_slope) && down != DVec3::ZERO {
        if let Some(bent) = travel(world, state, down, &mut scratch.path) {
            scratch.target_from_start = bent.after(&scratch.target_from_start);
        }
        scratch.lifted += down.y;
        gather_around(world, body, state, 0.0, scratch);
    }
    stays
}

/// Where a sphere that was let down comes to rest.
pub(super) struct Foothold {
    centre: DVec3,
    /// Height of the lowest point that holds it.
    pub(super) support_y: f64,
}

/// Lets a sphere down from `centre` by at most `drop` metres, sliding off what does not hold it;
/// `None` where nothing does.
pub(super) fn settle_down(
    candidates: &Candidates,
    mut centre: DVec3,
    drop: f64,
    radius: f64,
    walkable_y: f64,
    contacts: &mut Contacts,
) -> Option<Foothold> {
    let lowest = centre.y - drop - TOUCH * radius;
    for _ in 0..MAX_SETTLINGS {
        touching(candidates, centre, radius, contacts);
        if holds(&contacts.list, walkable_y) {
            let below = contacts.list.iter().filter(|c| c.supports());
            let supports = below.map(|c| centre.y - radius * c.normal.y);
            return Some(Foothold {
                centre,
                support_y: supports.fold(f64::INFINITY, f64::min),
            });
        }
        let way = allow(DVec3::NEG_Y, &contacts.list).free;
        let left = centre.y - lowest;
        if way.y >= -MIN_MOTION || left <= 0.0 {
            return None;
        }
        let slides = way != DVec3::NEG_Y;
        let longest = if slides { SETTLING_STEP * radius } else { left };
        let motion = way * (left / -way.y).min(longest / way.length());
        centre += motion * reach_of(candidates, centre, motion, radius);
    }
    None
}

/// Which part of a motion, 0..1, a sphere can do: nothing if it enters what it touches.
pub(super) fn free(
    candidates: &Candidates,
    centre: DVec3,
    motion: DVec3,
    radius: f64,
    contacts: &mut Contacts,
) -> f64 {
    touching(candidates, centre, radius, contacts);
    if contacts.enters(motion) {
        return 0.0;
    }
    reach_of(candidates, centre, motion, radius)
}

/// Whether contacts hold a body at rest against gravity: by friction on ground flat enough, or in
/// a notch.
pub(super) fn holds(contacts: &[Contact], walkable_y: f64) -> bool {
    // Slow enough not to bounce.
    let pull = DVec3::NEG_Y * (0.1 * MIN_BOUNCE_SPEED);
    let allowed = allow(pull, contacts);
    if react(pull, &allowed, contacts) != DVec3::ZERO {
        return false;
    }
    let mut pushing = pushing(&allowed, contacts);
    match (pushing.next(), pushing.next()) {
        (Some((only, _)), None) => only.normal.y >= walkable_y,
        _ => true,
    }
}

pub(super) fn flat(v: DVec3) -> DVec3 {
    DVec3::new(v.x, 0.0, v.z)
}
