//! The point where a straight path leaves a room.

use glam::DVec3;

use super::{LinkId, Portal, PortalId};

/// Portals are enlarged by this margin, metres, so that a path through the shared edge of two portals crosses one of them.
const EDGE_MARGIN: f64 = 1e-6;

/// A portal counts as crossed when a path is this far beyond the portal's plane, in metres, and as crossed back when
/// it is as far before the plane. So rounding does not make a body that moves in the plane itself change rooms.
const BEYOND_PLANE: f64 = 1e-9;

/// The maximum number of portals that one straight path of a body or ray crosses. A bullet in a corridor of very
/// short rooms stays below it. Between two facing portals that bend space, the crossings would otherwise never end.
pub(crate) const MAX_CROSSINGS: usize = 256;

/// The first portal that a segment crosses from back to front, independent of the order in which portals are added.
pub(super) struct FirstCrossing {
    segment: [DVec3; 2],
    /// The start of the searched part of the segment, as a fraction.
    done: f64,
    /// The fraction of the segment at the first crossing, and the portal.
    first: Option<(f64, PortalId)>,
}

impl FirstCrossing {
    /// An empty result; only crossings at or after the fraction `done` of the segment count.
    pub(super) fn on(segment: [DVec3; 2], done: f64) -> Self {
        Self {
            segment,
            done,
            first: None,
        }
    }

    /// Takes one more portal into account if `passes` is true for its link.
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

    /// The first portal and the fraction of the segment at which it is crossed.
    pub(super) fn found(self) -> Option<(PortalId, f64)> {
        self.first.map(|(part, id)| (id, part))
    }
}
