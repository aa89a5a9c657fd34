//! Where a straight path leaves a room.

use glam::DVec3;

use super::{LinkId, Portal, PortalId};

/// Portals count as this much larger, metres, so that a path through the shared edge of two of
/// them crosses one.
const EDGE_MARGIN: f64 = 1e-6;

/// A portal is crossed this far beyond its plane, metres, and left again as far before it: where a
/// body moves in the plane itself, rounding does not make it change rooms.
const BEYOND_PLANE: f64 = 1e-9;

/// Portals that one straight line crosses at most, of a body or a ray: a bullet in a corridor of very
/// short rooms stays below; two portals that face each other and bend space would keep it without end.
pub(crate) const MAX_CROSSINGS: usize = 256;

/// The first of a room's portals that a segment passes from its back to its front, at or after the part
/// `done` of the segment, and at which part; of the portals of links that are passed.
pub(in crate::level) fn first_crossing<'a>(
    portals: impl Iterator<Item = (PortalId, &'a Portal)>,
    [from, to]: [DVec3; 2],
    done: f64,
    passes: impl Fn(LinkId) -> bool,
) -> Option<(PortalId, f64)> {
    let mut first: Option<(PortalId, f64)> = None;
    for (id, portal) in portals {
        let plane = &portal.polygon.plane;
        let [before, after] = [from, to].map(|p| plane.distance(p) - BEYOND_PLANE);
        if before > 0.0 || after <= 0.0 {
            continue;
        }
        let part = before / (before - after);
        let earlier = first.is_none_or(|(_, earliest)| part < earliest);
        if part < done - 1e-9 || !earlier || !passes(portal.link) {
            continue;
        }
        let crossing = from + (to - from) * part;
        if portal.polygon.covers(crossing, EDGE_MARGIN) {
            first = Some((id, part));
        }
    }
    first
}
