//! Feet: slopes too steep to walk on, steps up, staying on the ground on the way down. Ledges are
//! next door.
//!
//! None of it asks how fast the body is. What holds a body is found by letting a sphere down until
//! friction or a notch stops it: on stairs whose treads are shorter than the sphere is wide it
//! rests between two edges, not on a tread.

use glam::DVec3;

use super::candidates::Candidates;
use super::contacts::{Contact, Contacts, project_velocity, touching};
use super::crossing::travel;
use super::edges::min_edge_y;
use super::ledges::first_ledge;
use super::slide::{active_contacts, gather_around, grown_radius, reach_of, react};
use super::tuning::*;
use super::{Body, Scratch, State, World};

/// What a body does beside the loop of the paper: on the ground, but for the slope limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSettings {
    /// Height of the highest step that it climbs, metres; 0 for none. A sphere rolls over what is
    /// lower than `radius * (1 - max_slope_cos)` whatever is said here.
    pub step_height: f64,
    /// How far down it goes at most to stay on the ground, metres; 0 for not at all.
    pub snap: f64,
    /// Upward part of the normal of the steepest ground that it walks up; what is steeper is a
    /// wall to it. 0 where only friction limits slopes.
    pub max_slope_cos: f64,
    /// The greatest drop that it walks off, metres: at a deeper one it stops. Infinite where it
    /// walks off everything. So that slopes and leaning over a rim do not throw it into the air,
    /// a body that stops anywhere has a snap of its radius and what it walks in a tick, up to this.
    pub max_drop: f64,
}

impl StepSettings {
    /// The pure loop.
    pub const OFF: Self = Self {
        step_height: 0.0,
        snap: 0.0,
        max_slope_cos: 0.0,
        max_drop: f64::INFINITY,
    };

    /// Whether it does anything.
    pub(super) fn walks(&self) -> bool {
        *self != Self::OFF
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
        if self.max_slope_cos > 0.0 {
            self.max_slope_cos
        } else {
            GROUND_NORMAL_Y
        }
    }
}

/// Makes walls of what is too steep to be walked up: a vertical plane beside each such contact.
pub(super) fn raise_walls(contacts: &mut Contacts, max_slope_cos: f64) {
    let steep = |contact: &Contact| {
        let least_y = if contact.is_face {
            max_slope_cos
        } else {
            min_edge_y(max_slope_cos)
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
pub(super) fn obstacle(
    motion: DVec3,
    contacts: &[Contact],
    step_settings: &StepSettings,
) -> Option<DVec3> {
    let limit = -ENTER_SLOPE * motion.length();
    let steep = contacts.iter().filter(|c| {
        let max_slope_cos = step_settings.max_slope_cos.max(MIN_WALKABLE_Y);
        c.normal.y < max_slope_cos && flat(c.normal).length() > MIN_WALKABLE_Y
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
    let reach = body.step_settings.step_height + over.max(forward.length());
    gather_around(world, body, state, reach + radius, scratch);
    let candidates = &scratch.candidates;
    let contacts = &mut scratch.footing;
    let mut done = |from: DVec3, motion: DVec3| free(candidates, from, motion, radius, contacts);

    let rise = done(state.centre, DVec3::Y * body.step_settings.step_height)
        * body.step_settings.step_height;
    let top = state.centre + DVec3::Y * rise;
    let towards = towards.normalize_or_zero() * over;
    let tried = towards * done(top, towards);
    let part = done(top, forward);
    let is_nothing = |part: f64| (forward * part).length() <= MIN_MOTION * radius;
    if rise <= TOUCH * radius || is_nothing(part) {
        return 0.0;
    }
    let contacts = &mut scratch.footing;
    let Some(support) = find_support(
        candidates,
        top + tried,
        rise,
        radius,
        body.step_settings.max_slope_cos,
        contacts,
    ) else {
        return 0.0;
    };
    let feet = state.centre.y - radius;
    let gain = support.support_y - feet;
    let beyond = flat(support.centre - state.centre).dot(towards) / over;
    let is_new = gain > STEP_GAIN * radius || beyond >= over * (1.0 - STEP_GAIN);
    if !is_new || gain > body.step_settings.step_height * (1.0 + TOUCH) + TOUCH * radius {
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
    let step_settings = &body.step_settings;
    let contacts = &mut scratch.footing;
    touching(&scratch.candidates, state.centre, radius, contacts);
    if is_stable(&contacts.list, step_settings.max_slope_cos) {
        return true;
    }
    let snap = step_settings.snap(radius, state);
    let deepest = snap.max(step_settings.step_height);
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
    let is_walkable = |c: &Contact| c.normal.y >= step_settings.max_slope_cos.max(MIN_WALKABLE_Y);
    let on_slope = contacts.list.iter().any(is_walkable);
    let stays = is_stable(&contacts.list, step_settings.max_slope_cos)
        || on_edge
            && find_support(
                candidates,
                place,
                deepest + down.y,
                radius,
                step_settings.max_slope_cos,
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
pub(super) struct Support {
    centre: DVec3,
    /// Height of the lowest point that holds it.
    pub(super) support_y: f64,
}

/// Lets a sphere down from `centre` by at most `drop` metres, sliding off what does not hold it;
/// `None` where nothing does.
pub(super) fn find_support(
    candidates: &Candidates,
    mut centre: DVec3,
    drop: f64,
    radius: f64,
    max_slope_cos: f64,
    contacts: &mut Contacts,
) -> Option<Support> {
    let lowest = centre.y - drop - TOUCH * radius;
    for _ in 0..MAX_SETTLINGS {
        touching(candidates, centre, radius, contacts);
        if is_stable(&contacts.list, max_slope_cos) {
            let below = contacts.list.iter().filter(|c| c.supports());
            let supports = below.map(|c| centre.y - radius * c.normal.y);
            return Some(Support {
                centre,
                support_y: supports.fold(f64::INFINITY, f64::min),
            });
        }
        let way = project_velocity(DVec3::NEG_Y, &contacts.list).velocity;
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
pub(super) fn is_stable(contacts: &[Contact], max_slope_cos: f64) -> bool {
    // Slow enough not to bounce.
    let pull = DVec3::NEG_Y * (0.1 * MIN_BOUNCE_SPEED);
    let projection = project_velocity(pull, contacts);
    if react(pull, &projection, contacts) != DVec3::ZERO {
        return false;
    }
    let mut active_contacts = active_contacts(&projection, contacts);
    match (active_contacts.next(), active_contacts.next()) {
        (Some((only, _)), None) => only.normal.y >= max_slope_cos,
        _ => true,
    }
}

pub(super) fn flat(v: DVec3) -> DVec3 {
    DVec3::new(v.x, 0.0, v.z)
}
