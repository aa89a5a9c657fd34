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

/// The first of some portals that a segment passes from its back to its front, whatever their order.
pub(super) struct FirstCrossing {
    segment: [DVec3; 2],
    /// The part of the segment before this one does not count.
    done: f64,
    /// At which part of the segment.
    first: Option<(f64, PortalId)>,
}

impl FirstCrossing {
    /// None as yet; those at or after the part `done` of the segment count.
    pub(super) fn on(segment: [DVec3; 2], done: f64) -> Self {
        Self {
            segment,
            done,
            first: None,
        }
    }

    /// Takes one more portal into account, if its link is passed.
    pub(super) fn add(&mut self, id: PortalId, portal: &Portal, passes: impl Fn(LinkId) -> bool) {
        let [from, to] = self.segment;
        let plane = &portal.polygon.plane;
        let [before, after] = [from, to].map(|p| plane.distance(p) - BEYOND_PLANE);
        if before > 0.0 || after <= 0.0 {
            return;
        }
        let part = before / (before - after);
        let is_earlier = self.first.is_none_or(|first| (part, id) < first);
        if part < self.done - 1e-9 || !is_earlier || !passes(portal.link) {
            return;
        }
        let crossing = from + (to - from) * part;
        if portal.polygon.covers(crossing, EDGE_MARGIN) {
            self.first = Some((part, id));
        }
    }

    /// The first portal, and at which part of the segment.
    pub(super) fn found(self) -> Option<(PortalId, f64)> {
        self.first.map(|(part, id)| (id, part))
    }
}
