//! Walking problems that are consequences of problems found before, so that one cause gives one message.

use glam::DVec3;

use super::{SAME_HOLE, WalkingCheck};
use crate::game::PLAYER;
use crate::geometry::Aabb;
use crate::level::{Link, RoomId};
use crate::naming::plain_name;
use crate::problems::{Problem, ProblemCode};

/// Problems of meshes that are in the author's file, but are neither drawn nor solid.
const LEFT_OUT: [ProblemCode; 2] = [ProblemCode::MeshOutsideRoom, ProblemCode::MeshSkipped];
/// Maximum distance between a mesh and a place at which the mesh may be the missing step, metres.
const BESIDE_STEP: f64 = 0.5;
/// Minimum width of a mesh that may be meant as a step, metres.
const MIN_TREAD: f64 = 0.2;

impl WalkingCheck<'_> {
    /// Whether a problem found before, with one of `codes` and within `distance` metres of a point, explains a problem
    /// there.
    pub(super) fn is_explained(&self, at: DVec3, codes: &[ProblemCode], distance: f64) -> bool {
        let at = self.level.to_author(at).0;
        let explains = |problem: &Problem| {
            let place = problem
                .place
                .as_ref()
                .filter(|_| codes.contains(&problem.code));
            place.is_some_and(|place| {
                let mut boxes = [Some(place.bounds()), place.extent].into_iter().flatten();
                boxes.any(|bounds| {
                    let around = bounds.grown(distance);
                    // The height is ignored: a player that falls through a hole may be far below the hole.
                    around.contains(at.with_y(at.y.max(around.min.y).min(around.max.y)))
                })
            })
        };
        let known = self.problems.errors.iter().chain(&self.problems.warnings);
        known.into_iter().any(explains)
    }

    /// The boxes of the meshes that have problems with one of `codes`, level coordinates.
    fn extents<'b>(&'b self, codes: &'b [ProblemCode]) -> impl Iterator<Item = Aabb> + 'b {
        let all = self.problems.errors.iter().chain(&self.problems.warnings);
        let of_codes = all.filter(|problem| codes.contains(&problem.code));
        let extents = of_codes.filter_map(|problem| problem.place.as_ref()?.extent);
        extents.map(|extent| Aabb {
            min: extent.min - self.level.origin,
            max: extent.max - self.level.origin,
        })
    }

    /// Whether a mesh that was left out, or is in the wrong room, may be the step or the stairs up to a point.
    pub(super) fn is_step_elsewhere(&self, at: DVec3) -> bool {
        let [outside, skipped] = LEFT_OUT;
        let codes = [outside, skipped, ProblemCode::MeshInOtherRoom];
        let step = PLAYER.step_settings.step_height;
        let may_be_step = |extent: &Aabb| {
            let size = extent.max - extent.min;
            let leads_up = extent.min.y < at.y && extent.max.y > at.y - step;
            size.x.min(size.z) >= MIN_TREAD && leads_up
        };
        self.extents(&codes)
            .any(|extent| may_be_step(&extent) && extent.grown(BESIDE_STEP).contains(at))
    }

    /// Whether a mesh that was left out may be the floor below a point.
    pub(super) fn is_floor_left_out(&self, at: DVec3) -> bool {
        self.extents(&LEFT_OUT).any(|extent| {
            let height = at.y.min(extent.max.y);
            extent.grown(BESIDE_STEP).contains(at.with_y(height))
        })
    }

    /// Whether a mesh that was left out may be the stairs that lead up from a point of a room.
    pub(super) fn are_stairs_left_out(&self, room: RoomId, at: DVec3) -> bool {
        let bounds = self.level.room(room).bounds;
        let step = PLAYER.step_settings.step_height;
        let leads_up = |extent: &Aabb| extent.min.y - at.y < step && extent.max.y - at.y > step;
        self.extents(&LEFT_OUT)
            .any(|extent| extent.overlaps(&bounds) && leads_up(&extent))
    }

    /// Whether the room may be misplaced: one of its portals is reported as far from its other room, the room or an
    /// adjacent one is reported as empty, or any rooms are reported to overlap or to have a wrong scale.
    pub(super) fn is_far(&self, room: RoomId) -> bool {
        let mut warnings = self.problems.warnings.iter();
        let misplaced = [ProblemCode::RoomsOverlap, ProblemCode::Scale];
        if warnings.any(|p| misplaced.contains(&p.code)) {
            return true;
        }
        let is_empty = |room: RoomId| {
            let name = &self.level.room(room).name;
            let mut all = self.problems.errors.iter().chain(&self.problems.warnings);
            all.any(|p| p.code == ProblemCode::RoomEmpty && plain_name(&p.node) == name)
        };
        let mut beyond = self.level.portals_of(room).map(|(_, portal)| portal.far);
        if is_empty(room) || beyond.any(is_empty) {
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

    /// Whether a room, or faces at a place in it, are reported as facing outwards.
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

    /// Whether a point of a room is beside the room's geometry, where a body gets only through a portal that is
    /// reported as beside its opening.
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

    /// Whether a room has something that moves, or was meant to move, and that may carry players.
    pub(super) fn has_lift(&self, room: RoomId) -> bool {
        let level = self.level;
        let movers = level
            .room(room)
            .movers
            .iter()
            .map(|image| level.mover(image.mover));
        let bounds = level.room(room).bounds;
        let is_astray = |name: &str| {
            let all = self.problems.warnings.iter();
            let mut all = all.filter(|p| p.code == ProblemCode::MeshInOtherRoom && p.node == name);
            all.any(|p| {
                p.place
                    .as_ref()
                    .is_some_and(|at| bounds.contains(level.from_author(at.point)))
            })
        };
        movers.into_iter().any(|mover| mover.link.is_none())
            || level.movers.iter().any(|mover| is_astray(&mover.name))
    }
}
