//! Sphere casts: how much of a straight motion a sphere can do.

use glam::DVec3;

use crate::collision::tolerance::TIE;
use crate::collision::{Ball, CandidateCache, Solid, SweepHit, sweep_round, sweep_sphere};
use crate::level::EdgeKind;
use crate::motion::tuning::*;

/// The part of a motion, 0..1, that a sphere can do among candidates; 0 where it overlaps one at the start.
pub(super) fn free_part(
    candidates: &CandidateCache,
    centre: DVec3,
    motion: DVec3,
    radius: f64,
) -> f64 {
    let mut overlaps = false;
    candidates.look_within(centre, radius, |candidate| {
        overlaps |= candidate.triangle.distance(centre) < radius;
    });
    let in_ball = |ball: &Ball| ball.ends[0].distance(centre) < radius + ball.radius;
    overlaps |= candidates.balls().iter().any(in_ball);
    if overlaps {
        return 0.0;
    }
    cast(candidates, centre, motion, radius)
}

/// The part of a motion, 0..1, that a sphere can do before it meets something.
pub(super) fn cast(candidates: &CandidateCache, centre: DVec3, motion: DVec3, radius: f64) -> f64 {
    cast_at(candidates, centre, motion, radius, |_| true)
}

/// Casts as [`cast`] does, but only against the candidates for which `counts` is true.
pub(super) fn cast_at(
    candidates: &CandidateCache,
    centre: DVec3,
    motion: DVec3,
    radius: f64,
    counts: impl Fn(Solid) -> bool,
) -> f64 {
    let length = motion.length();
    if length <= MIN_MOTION * radius {
        return 0.0;
    }
    first_hit(candidates, centre, motion, radius, counts).map_or(1.0, |hit| hit.distance / length)
}

/// The first candidate that the sphere meets on its path. The result does not depend on the order of the candidates,
/// even if several are met at once.
fn first_hit(
    candidates: &CandidateCache,
    centre: DVec3,
    motion: DVec3,
    radius: f64,
    counts: impl Fn(Solid) -> bool,
) -> Option<SweepHit> {
    let length = motion.length();
    let direction = motion / length;
    let graze_depth = GRAZE_DEPTH * SKIN * radius;
    let grazes = |hit: &SweepHit| {
        let slope = -direction.dot(hit.normal);
        let depth = (slope * (length - hit.distance)).min(hit.max_depth);
        slope < GRAZE_SLOPE && depth < graze_depth
    };
    let mut first: Option<SweepHit> = None;
    let middle = centre + motion * 0.5;
    candidates.look_within(middle, radius + 0.5 * length, |candidate| {
        let away = direction.dot(candidate.normal);
        let height = (centre - candidate.triangle.corners[0]).dot(candidate.normal);
        let height_after = |distance: f64| height + away.min(0.0) * distance;
        if height_after(length) >= radius * (1.0 - SKIMS) {
            return;
        }
        let leaves = away > GRAZE_SLOPE && !candidate.two_sided;
        let stand_out = candidate.edges.map(|kind| match kind {
            EdgeKind::Boundary => !leaves,
            EdgeKind::Convex => true,
            EdgeKind::Internal => false,
        });
        if leaves && stand_out == [false; 3] {
            return;
        }
        let limit = first.map_or(length, |hit| hit.distance);
        // Not an exact comparison: of two candidates met at once, rounding may place the later one slightly earlier.
        if height_after(limit) > radius + TIE * (height + radius)
            || !candidate.may_touch(centre, height, direction, away, limit, radius)
            || !counts(candidate.solid)
        {
            return;
        }
        let Some(hit) = sweep_sphere(
            &candidate.triangle,
            candidate.normal,
            stand_out,
            centre,
            direction,
            limit,
            radius,
        ) else {
            return;
        };
        // Exact comparison: a hit of a face returns exactly its normal, whereas a hit of a neighbour's edge
        // may return almost the same normal.
        let from_behind = !candidate.two_sided && hit.normal == -candidate.normal;
        if !from_behind && !grazes(&hit) {
            first = Some(earlier(first, hit));
        }
    });
    for ball in candidates.balls() {
        let hit = sweep_round(ball.ends, centre, direction, length, radius + ball.radius);
        if let Some(hit) = hit.filter(|hit| !grazes(hit) && counts(ball.solid)) {
            first = Some(earlier(first, hit));
        }
    }
    first
}

/// The earlier of two hits; of two at the same distance, the choice does not depend on their order.
fn earlier(first: Option<SweepHit>, hit: SweepHit) -> SweepHit {
    let key = |h: &SweepHit| [h.distance, h.normal.x, h.normal.y, h.normal.z];
    match first {
        Some(first) if key(&first) <= key(&hit) => first,
        _ => hit,
    }
}
