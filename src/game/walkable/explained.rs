//! What problems that are known already explain: one cause has one message.

use glam::DVec3;

use super::{Check, SAME_HOLE};
use crate::geometry::Aabb;
use crate::level::{Link, Problem, ProblemCode, RoomId};

impl Check<'_> {
    /// Whether a problem that is known explains one at a place.
    pub(super) fn is_explained(&self, at: DVec3, codes: &[ProblemCode], distance: f64) -> bool {
        let at = self.level.to_author(at).0;
        let explains = |problem: &Problem| {
            let place = problem
                .place
                .as_ref()
                .filter(|_| codes.contains(&problem.code));
            place.is_some_and(|place| {
                let ends = place.edges.iter().flatten().map(|end| end.0);
                let around = Aabb::around(ends.chain([place.point.0])).grown(distance);
                // Whoever falls through a hole may be far below it.
                around.contains(at.with_y(at.y.max(around.min.y).min(around.max.y)))
            })
        };
        let known = self.problems.errors.iter().chain(&self.problems.warnings);
        known.into_iter().any(explains)
    }

    /// Whether a portal of a room leads to where its other room is not, or rooms overlap or are of wrong sizes.
    pub(super) fn is_far(&self, room: RoomId) -> bool {
        let mut warnings = self.problems.warnings.iter();
        let misplaced = [ProblemCode::RoomsOverlap, ProblemCode::Scale];
        if warnings.any(|p| misplaced.contains(&p.code)) {
            return true;
        }
        let mut far = self
            .problems
            .warnings
            .iter()
            .filter(|p| p.code == ProblemCode::PortalFar);
        far.any(|problem| {
            let mut links = self.level.links.iter();
            links.any(|link| link.name == problem.node && [link.near, link.far].contains(&room))
        })
    }

    /// Whether a room, or some of its faces, look outwards, as a problem that is known says.
    pub(super) fn is_turned(&self, room: RoomId) -> bool {
        let bounds = self.level.room(room).bounds;
        let mut warnings = self.problems.warnings.iter();
        warnings.any(|p| {
            let at = p.place.as_ref().map(|at| self.level.from_author(at.point));
            let is_turned =
                [ProblemCode::RoomInsideOut, ProblemCode::FacesTurned].contains(&p.code);
            is_turned && at.is_some_and(|at| bounds.contains(at))
        })
    }

    /// Whether a point of a room is beside all that the room consists of, where one gets to through a portal that is
    /// not in its opening.
    pub(super) fn is_misplaced(&self, room: RoomId, at: DVec3) -> bool {
        let level = self.level;
        let is_open = |link: &&Link| {
            let mut warnings = self.problems.warnings.iter();
            warnings.any(|p| p.code == ProblemCode::PortalGap && p.node == link.name)
        };
        let mut open = level.links.iter().filter(is_open);
        if !open.any(|link| [link.near, link.far].contains(&room)) {
            return false;
        }
        let solids = level.solids.of(&level.room(room).solids);
        let corners = solids.flat_map(|solid| solid.triangle().corners);
        let own = Aabb::around(corners).grown(SAME_HOLE);
        !own.contains(at.with_y(own.centre().y))
    }

    /// Whether something moves in a room, which may carry players.
    pub(super) fn has_lift(&self, room: RoomId) -> bool {
        let level = self.level;
        let movers = level
            .room(room)
            .movers
            .iter()
            .map(|image| level.mover(image.mover));
        movers.into_iter().any(|mover| mover.link.is_none())
    }
}
