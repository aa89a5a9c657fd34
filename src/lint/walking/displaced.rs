//! Walking problems that are consequences of problems found before, so that one cause gives one message.

use glam::DVec3;

use super::WalkingCheck;
use crate::game::PLAYER;
use crate::geometry::Aabb;
use crate::level::{Link, RoomId};
use crate::naming::plain_name;
use crate::problems::ProblemCode;

/// Problems of meshes that are in the author's file, but are neither drawn nor solid.
const LEFT_OUT: [ProblemCode; 2] = [ProblemCode::MeshOutsideRoom, ProblemCode::MeshSkipped];
/// Maximum distance between a mesh and a place at which the mesh may be the missing step, metres.
const BESIDE_STEP: f64 = 0.5;
/// Maximum distance in plan between a place in a room and the geometry of the room, metres.
const BESIDE_ROOM: f64 = 2.5;
/// Minimum width of a step that is meant to be stood on, metres.
const MIN_TREAD: f64 = 0.2;

impl WalkingCheck<'_> {
    /// The boxes around the meshes that problems of some codes refer to, level coordinates.
    fn extents<'b>(&'b self, codes: &'b [ProblemCode]) -> impl Iterator<Item = Aabb> + 'b {
        let of_codes = self.report.of_codes(codes);
        let extents = of_codes.filter_map(|finding| finding.place.as_ref()?.extent);
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

    /// Whether a left-out mesh may be the stairs up from a point of a room.
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
        let is_empty = |room: RoomId| {
            let name = &self.level.room(room).name;
            let mut empty = self.report.of_codes(&[ProblemCode::RoomEmpty]);
            empty.any(|finding| plain_name(&finding.node) == name)
        };
        let mut beyond = self.level.portals_of(room).map(|(_, portal)| portal.far);
        if is_empty(room) || beyond.any(is_empty) {
            return true;
        }
        let mut far = self.report.of_codes(&[ProblemCode::PortalFar]);
        far.any(|finding| {
            let mut links = self.level.links.iter();
            links.any(|link| link.name == finding.node && [link.near, link.far].contains(&room))
        })
    }

    /// Whether a point of a room is beside the room's geometry, where a body gets only through a portal that is
    /// reported as beside its opening.
    pub(super) fn is_misplaced(&self, room: RoomId, at: DVec3) -> bool {
        let level = self.level;
        let is_open = |link: &&Link| {
            let mut gaps = self.report.of_codes(&[ProblemCode::PortalGap]);
            gaps.any(|finding| finding.node == link.name)
        };
        let mut open = level.links.iter().filter(is_open);
        if !open.any(|link| [link.near, link.far].contains(&room)) {
            return false;
        }
        let solids = level.solids.of(&level.room(room).solids);
        let corners = solids.flat_map(|solid| solid.triangle().corners);
        let own = Aabb::around(corners).grown(BESIDE_ROOM);
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
            let astray = self.report.of_codes(&[ProblemCode::MeshInOtherRoom]);
            let mut places = astray
                .filter(|finding| finding.node == name)
                .filter_map(|finding| finding.place.as_ref());
            places.any(|place| bounds.contains(level.from_author(place.point)))
        };
        movers.into_iter().any(|mover| mover.link.is_none())
            || level.movers.iter().any(|mover| is_astray(&mover.name))
    }
}
