//! Ledges: a walking body stops where the ground ends.
//!
//! Ground is any surface flat enough to walk on, in plan view. The body's foot is the point of the ground nearest to
//! its centre. While the body walks, its foot moves over the ground in the same direction. An edge is a point where
//! the path of the foot leaves the ground or drops to lower ground. A separate test motion finds out whether the edge
//! is a ledge: it moves the body outwards, just far enough that the edge no longer supports it, and then down. So the
//! result does not depend on speed. A ledge acts on the foot as a vertical wall.
//!
//! A body over a gap that is too narrow to fall through has no foot, nor has a body that leans over an edge. Such
//! bodies walk in small steps, and only to positions where they would come to rest.

use glam::DVec3;

use super::body::StepSettings;
use super::projection::project_velocity;
use super::queries::{
    ContactPlane, GroundEdge, Queries, Span, edge_at, flat, foot, grounds, highest, sine, slip_off,
};
use super::support::find_support;
use super::tuning::*;
use super::workspace::MotionBuffers;
use crate::collision::Solid;
use crate::collision::SurfaceResponse;

/// The part of a motion that is possible before the next ledge test, and the ledge there.
pub(super) struct Limit {
    /// The part of the motion up to that point, 0..1.
    pub part: f64,
    /// The ledge at that point, as a wall for the body, if there is a ledge.
    wall: Option<ContactPlane>,
}

/// The part of the motion, 0..1, up to the first ledge. If the body is at a ledge already, this function changes
/// `motion` to slide along the ledge, within the body's contact planes; the second result is whether it did.
pub(super) fn stop_at_ledge(
    q: &mut Queries,
    buffers: &mut MotionBuffers,
    motion: &mut DVec3,
) -> (f64, bool) {
    if !stops_at_ledges(q) {
        return (1.0, false);
    }
    let wanted = *motion;
    let mut part = 0.0;
    for _ in 0..MAX_LEDGES {
        let limit = first_ledge(q, &mut buffers.spans, q.state.at.point, *motion);
        part = limit.as_ref().map_or(1.0, |limit| limit.part);
        let reached = part * motion.length() <= TOUCH * q.radius();
        let Some(wall) = limit.and_then(|limit| limit.wall).filter(|_| reached) else {
            break;
        };
        q.report.note(wall.solid, wall.normal);
        buffers.planes.push(wall);
        *motion = project_velocity(wanted, &buffers.planes).velocity;
        part = 0.0;
    }
    if part == 0.0 {
        *motion = DVec3::ZERO;
    }
    (part, *motion != wanted)
}

/// The first ledge on the path of a body that has been lifted to `from` and walks by `motion`, or the point at which
/// the ledge test must be repeated.
pub(super) fn first_ledge(
    q: &mut Queries,
    spans: &mut Vec<Span>,
    from: DVec3,
    motion: DVec3,
) -> Option<Limit> {
    if !stops_at_ledges(q) {
        return None;
    }
    // Ground behind the obstacle that stops the body is not reachable.
    let reach = 2.0 * motion.length() + 3.0 * q.radius();
    let free = q.within(reach).cast(from, motion);
    let limit = first_limit(q, spans, from, motion * free, reach)?;
    Some(Limit {
        part: limit.part * free,
        ..limit
    })
}

/// Whether the body walks and stops at some ledges.
fn stops_at_ledges(q: &Queries) -> bool {
    q.state.grounded && q.body.step_settings.max_drop < f64::INFINITY
}

/// The limit that [`first_ledge`] returns, for a path without solid obstacles. Only ground within `reach` metres is
/// searched.
fn first_limit(
    q: &mut Queries,
    spans: &mut Vec<Span>,
    from: DVec3,
    motion: DVec3,
    reach: f64,
) -> Option<Limit> {
    let (radius, settings, centre) = (q.radius(), &q.body.step_settings, q.state.at.point);
    let length = flat(motion).length();
    if length <= MIN_MOTION * radius {
        return None;
    }
    // On a slope down, the walk stays level until gravity moves the body down.
    let walked = q.walked();
    let foot = foot(&q.within(reach), settings, centre, walked);
    let edge = foot.and_then(|foot| first_edge(q, spans, foot, from, motion, reach));
    let is_reached = |edge: &LedgeEdge| edge.part * length <= TOUCH * radius;
    let limit = edge.as_ref().map(|edge| Limit {
        part: edge.part,
        wall: edge.is_ledge.then(|| wall(-edge.edge.out, edge.edge.solid)),
    });
    let off = foot.map(|foot| flat(foot - centre));
    let leans = off.is_none_or(|off| off.length() > TOUCH * radius);
    let reached = edge.filter(is_reached);
    let is_over_gap = reached.as_ref().is_some_and(|edge| !edge.is_ledge);
    let is_at_ledge = reached.is_some() && !is_over_gap;
    if is_at_ledge || !is_over_gap && !leans {
        return limit;
    }
    let out = reached.map(|edge| edge.edge.out);
    let back = out.map(|out| -out).or(off.and_then(DVec3::try_normalize));
    let back = back.filter(|back| back.dot(motion) < -ALONG_EDGE * length);
    let back = back.unwrap_or(-flat(motion) / length);
    let fall = first_fall(q, from, motion, back);
    let limits = [limit.filter(|_| !is_over_gap), fall];
    let nearer = |a: Limit, b: Limit| if b.part < a.part { b } else { a };
    limits.into_iter().flatten().reduce(nearer)
}

/// A point where a path leaves the ground, or drops to lower ground.
struct LedgeEdge {
    /// The part of the motion up to that point, 0..1.
    part: f64,
    edge: GroundEdge,
    /// Whether the body would fall beyond the edge; otherwise the edge is that of a narrow gap.
    is_ledge: bool,
}

/// The first ledge or wide gap on the path of the foot.
fn first_edge(
    q: &mut Queries,
    spans: &mut Vec<Span>,
    foot: DVec3,
    from: DVec3,
    motion: DVec3,
    reach: f64,
) -> Option<LedgeEdge> {
    let (radius, settings) = (q.radius(), &q.body.step_settings);
    let nearby = TOUCH * radius;
    let length = flat(motion).length();
    let way = flat(motion) / length;
    spans.clear();
    // Ground lower than the end of a walk down the steepest slope may be gathered incompletely, so it does not count
    // as ground.
    let lowest = foot.y - 0.5 * radius - length * sine(settings.ground_y()) / settings.ground_y();
    for ground in grounds(&q.within(reach), settings) {
        let span = ground.span(foot, way, nearby);
        spans.extend(span.filter(|span| span.highest_on(length) >= lowest));
    }
    let mut at = 0.0;
    loop {
        let part = at / length;
        let centre = from + motion * part;
        let below = |s: &&Span| s.ends[0] <= at + nearby && s.at(at) < centre.y;
        let here = || spans.iter().filter(below);
        let before = here().filter(|s| s.ends[1] >= at - nearby);
        let after = here().filter(|s| s.ends[1] > at + nearby);
        let [before, after] = [highest(before, at), highest(after, at)];
        let ends = spans.iter().flat_map(|s| s.ends);
        let next = ends.filter(|&end| end > at + nearby).reduce(f64::min);
        if before - after > STEP_GAIN * radius {
            let point = (foot + way * at).with_y(before);
            let edge = edge_at(&q.within(reach), settings, point, way, radius)?;
            let is_ledge = !rests_beyond(q, centre, point, &edge);
            let ahead = (at + SETTLING_STEP * radius).min(length);
            let is_gap = after == f64::NEG_INFINITY && next.is_none_or(|next| next > ahead);
            if is_ledge || is_gap {
                return Some(LedgeEdge {
                    part,
                    edge,
                    is_ledge,
                });
            }
        }
        at = next.filter(|&next| next < length)?;
    }
}

/// The part of the motion that a body without ground below it may walk: a small step, if the body would come to rest
/// at its end; otherwise none, and a wall with the normal `back` stops the body.
fn first_fall(q: &mut Queries, from: DVec3, motion: DVec3, back: DVec3) -> Option<Limit> {
    let (radius, settings, centre) = (q.radius(), &q.body.step_settings, q.state.at.point);
    let part = (SETTLING_STEP * radius / motion.length()).min(1.0);
    let reach = from.distance(centre) + settings.max_drop + 4.0 * radius;
    let feet = centre.y - radius;
    // A body that is already falling is not stopped.
    if !rests(q, settings, centre, feet) {
        return None;
    }
    let mut near = q.within(reach);
    let solid = near.last_contacts().first()?.solid;
    let step = motion * part;
    let next = from + step * near.free(from, step);
    if !rests(q, settings, next, feet) {
        let wall = Some(wall(back, solid));
        return Some(Limit { part: 0.0, wall });
    }
    (part < 1.0).then_some(Limit { part, wall: None })
}

/// Whether a body with its centre above the edge at `point` comes to rest beyond the edge, on a support that
/// is at most the body's maximum drop below.
fn rests_beyond(q: &mut Queries, centre: DVec3, point: DVec3, edge: &GroundEdge) -> bool {
    let (radius, settings) = (q.radius(), &q.body.step_settings);
    let off = flat(point - centre) + edge.out * slip_off(edge.surface, settings, radius);
    let above = centre.y - point.y;
    let reach = q.state.at.point.distance(centre) + above + settings.max_drop + 3.0 * radius;
    let mut near = q.within(reach);
    // The ground may rise towards the edge, so the sphere is lifted first.
    let up = DVec3::Y * radius;
    let top = centre + up * near.free(centre, up);
    let beyond = top + off * near.free(top, off);
    rests(q, settings, beyond, point.y)
}

/// Whether a sphere lowered from `centre` comes to rest on a support that is at most the body's maximum drop
/// below the height `ground`.
fn rests(q: &mut Queries, settings: &StepSettings, centre: DVec3, ground: f64) -> bool {
    let radius = q.radius();
    // In a notch the sphere sinks by up to its radius, although it is supported at the height of the edges.
    let drop = centre.y - ground + settings.max_drop;
    let support = find_support(q, centre, drop, settings.max_slope_cos);
    let lowest = ground - settings.max_drop - STEP_GAIN * radius;
    support.is_some_and(|support| support.height >= lowest)
}

/// A vertical contact plane that stops a body.
fn wall(normal: DVec3, solid: Solid) -> ContactPlane {
    ContactPlane {
        normal,
        surface: SurfaceResponse::SMOOTH,
        is_face: true,
        along: DVec3::ZERO,
        solid,
    }
}
