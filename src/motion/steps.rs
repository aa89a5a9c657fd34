//! Steps up, and the snap to the ground on the way down. Ledges are in [`super::ledges`].
//!
//! No test here depends on the speed of the body. The support of a body is found by lowering a sphere until
//! friction or a notch stops it ([`find_support`]).

use glam::DVec3;

use super::body::StepSettings;
use super::ledges::first_ledge;
use super::queries::{ContactPlane, Queries, Span, flat};
use super::reactions::is_stable;
use super::support::find_support;
use super::tuning::*;
use crate::collision::{CollisionWorld, Solid};
use crate::level::BodyId;

/// The normal of the contact that a motion enters most directly, among the contacts too steep to be walked up.
pub(super) fn obstacle(
    motion: DVec3,
    contacts: &[ContactPlane],
    step_settings: &StepSettings,
    is_pushed_away: impl Fn(Solid) -> bool,
) -> Option<DVec3> {
    let limit = -ENTER_SLOPE * motion.length();
    let steep = contacts.iter().filter(|c| {
        let max_slope_cos = step_settings.max_slope_cos.max(MIN_WALKABLE_Y);
        c.normal.y < max_slope_cos && flat(c.normal).length() > MIN_WALKABLE_Y
    });
    let steep = steep.filter(|contact| !is_pushed_away(contact.solid));
    let against = steep.map(|c| (motion.dot(c.normal), c.normal));
    let against = against.filter(|&(push, _)| push < limit);
    let most = against.reduce(|a, b| if b.0 < a.0 { b } else { a });
    most.map(|(_, normal)| normal)
}

impl Queries<'_> {
    /// Whether a solid is a rigid body that is pushed away rather than climbed: a light one, unless it was pushed in
    /// the last tick and did not give way.
    pub(super) fn is_pushed_away(&self, solid: Solid) -> bool {
        let CollisionWorld { level, world, .. } = *self.collision;
        let is_of = |id: BodyId, solid: Solid| self.body_of(solid) == Some(id);
        self.body_of(solid).is_some_and(|id| {
            let state = world.bodies.state(id);
            let stands = state.velocity.length() < GIVES_WAY;
            let was_pushed = || self.report.was_blocked_by(|solid| is_of(id, solid));
            let is_light = level.body(id).mass.mass < MAX_PUSHED_MASS && !state.is_kinematic;
            is_light && !(stands && was_pushed())
        })
    }
}

/// Climbs the obstacle with the normal `obstacle`, if it is a step: lifts the body, moves it forward by
/// `wanted`, and lowers it again. Returns the part of the motion, 0..1, that was done.
///
/// A separate test motion finds out whether the obstacle is a step. It is just long enough to bring the
/// centre above the obstacle, so that the result does not depend on speed.
pub(super) fn climb(q: &mut Queries, spans: &mut Vec<Span>, obstacle: DVec3, wanted: DVec3) -> f64 {
    let (radius, settings, centre) = (q.radius(), &q.body.step_settings, q.state.at.point);
    let forward = flat(wanted);
    let towards = flat(-obstacle);
    let over = (towards.length() + STEP_OVER) * radius;
    let reach = settings.step_height + over.max(forward.length());
    let mut near = q.within(reach + radius);

    let rise = near.free(centre, DVec3::Y * settings.step_height) * settings.step_height;
    let top = centre + DVec3::Y * rise;
    let towards = towards.normalize_or_zero() * over;
    let tried = towards * near.free(top, towards);
    let part = near.free(top, forward);
    let is_nothing = |part: f64| (forward * part).length() <= MIN_MOTION * radius;
    if rise <= TOUCH * radius || is_nothing(part) {
        return 0.0;
    }
    let support = find_support(q, top + tried, rise, settings.max_slope_cos);
    let Some(support) = support else {
        return 0.0;
    };
    let feet = centre.y - radius;
    let gain = support.height - feet;
    let beyond = flat(support.centre - centre).dot(towards) / over;
    let is_new = gain > STEP_GAIN * radius || beyond >= over * (1.0 - STEP_GAIN);
    if !is_new || gain > settings.step_height * (1.0 + TOUCH) + TOUCH * radius {
        return 0.0;
    }
    let ledge = first_ledge(q, spans, top, forward * part);
    let part = part * ledge.map_or(1.0, |limit| limit.part);
    if is_nothing(part) {
        return 0.0;
    }
    let onward = forward * part;
    let sinks = DVec3::NEG_Y * rise;
    let down = sinks * q.within(reach + radius).free(top + onward, sinks);
    let mut steps = [DVec3::Y * rise, onward, down];
    for i in 0..steps.len() {
        if let Some(bent) = q.travel(steps[i]) {
            steps = steps.map(|step| bent.vector(step));
        }
    }
    q.report.note_climb(rise + down.y);
    part
}

/// Keeps a body that has walked on the ground: at its position if the contacts hold it, otherwise lowered by at most
/// its snap onto walkable ground. Returns whether the ground holds the body; with too little friction it slips.
///
/// A body on the edge of a step stays there without slipping off, as long as there is ground just below.
pub(super) fn stay_on_ground(q: &mut Queries) -> bool {
    let (radius, settings, centre) = (q.radius(), &q.body.step_settings, q.state.at.point);
    let max_slope_cos = settings.max_slope_cos;
    if is_stable(&q.touching().contacts.list, max_slope_cos) {
        return true;
    }
    let snap = settings.snap(radius, q.state);
    let deepest = snap.max(settings.step_height);
    let mut near = q.within(deepest + 2.0 * radius);
    let snap = DVec3::NEG_Y * snap;
    let down = snap * near.free(centre, snap);
    let place = centre + down;
    let contacts = &near.contacts(place).list;
    let on_edge = contacts.iter().any(|c| c.normal.y > 0.0)
        && contacts.iter().all(|c| !c.is_face || c.normal.y <= 0.0);
    let is_walkable = |c: &ContactPlane| c.normal.y >= max_slope_cos.max(MIN_WALKABLE_Y);
    let on_slope = contacts.iter().any(is_walkable);
    let is_held = is_stable(contacts, max_slope_cos);
    let stays =
        is_held || on_edge && find_support(q, place, deepest + down.y, max_slope_cos).is_some();
    if (stays || on_slope) && down != DVec3::ZERO {
        q.travel(down);
        q.report.lifted += down.y;
    }
    stays
}
