//! Runs the checks of the surfaces of rooms, which look at one room at a time.

use glam::DVec3;

use super::alike::look_at_alike;
use super::coplanar::{self, MeshOverlap};
use super::covers::{self, Cover};
use super::cracks::{self, Cracks};
use super::facing::{self, Wrong};
use super::facing_report;
use super::findings::LintReport;
use super::holes::{self, RoomHole};
use super::missing_faces::{self, MissingFace};
use super::openings::{self, NearHoles};
use super::rooms::CheckedRooms;
use super::shown;
use crate::geometry::{Aabb, BoxTree};
use crate::level::{PortalId, RoomId};

/// Reports the problems of the surfaces of all rooms, and of their openings.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    let (level, source) = (report.level, report.source);
    let look = |room: usize| Some(look_at(rooms, RoomId(room as u32))).filter(RoomFindings::is_bad);
    // Equal rooms also have equal geometry behind their portals, so one check serves all.
    let found = look_at_alike(&rooms.first_alike, look);
    let (mut covers, mut at_portals, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut floating = Vec::new();
    let lamps = source.lights.iter();
    let lamps = BoxTree::new(lamps.map(|light| Aabb::around([light.position.0])));
    for (room, found) in found {
        let room = RoomId(room as u32);
        let places = || rooms.meshes.places(level, source, room);
        facing_report::report(room, (&found.wrong, &lamps), places, report);
        missing_faces::report(room, &found.missing_faces, report);
        coplanar::report(room, &found.overlaps, report);
        if let Some(cracks) = &found.cracks {
            cracks::report(room, cracks, places, report);
        }
        covers.extend(found.covers);
        floating.extend(found.floating);
        if found.holes.is_empty() {
            continue;
        }
        let portals = NearHoles::of(level, room);
        for hole in found.holes {
            match portals.portal_at(&hole) {
                Some(portal) => at_portals.push((portal, hole)),
                None => others.push(hole),
            }
        }
    }
    openings::report(level, &covers, &at_portals, &floating, report);
    openings::report_doubles(level, report);
    shown::report(rooms, others, report);
}

/// The problems of the surface of one room.
#[derive(Debug, Default)]
struct RoomFindings {
    holes: Vec<RoomHole>,
    cracks: Option<Cracks>,
    covers: Vec<Cover>,
    floating: Vec<(PortalId, DVec3)>,
    wrong: Wrong,
    missing_faces: Vec<MissingFace>,
    overlaps: Vec<MeshOverlap>,
}

impl RoomFindings {
    fn is_bad(&self) -> bool {
        self.wrong.is_any()
            || !self.missing_faces.is_empty()
            || !self.holes.is_empty()
            || self.cracks.is_some()
            || !self.covers.is_empty()
            || !self.floating.is_empty()
            || !self.overlaps.is_empty()
    }
}

/// Runs the checks that look at one room.
fn look_at(rooms: &CheckedRooms, room: RoomId) -> RoomFindings {
    let scene = &*rooms.scene(room);
    let wrong = facing::wrong(rooms.level, rooms.source, room, scene);
    if wrong.room.is_some() {
        // In such a room holes cannot be detected.
        return RoomFindings {
            wrong,
            ..RoomFindings::default()
        };
    }
    let mut holes = holes::holes(rooms.level, room, scene);
    let drawn = scene.drawn_apart(rooms.level, rooms.source, &rooms.meshes, room);
    if let Some(drawn) = drawn {
        let of_drawn = holes::holes(rooms.level, room, &drawn).into_iter();
        let known = BoxTree::new(holes.iter().map(|hole| hole.bounds));
        let is_known = |hole: &RoomHole| known.any_touching(&hole.bounds, |_| true);
        let of_drawn: Vec<RoomHole> = of_drawn.filter(|hole| !is_known(hole)).collect();
        holes.extend(of_drawn.into_iter().map(RoomHole::drawn_only));
    }
    RoomFindings {
        cracks: cracks::cracks(scene, &holes),
        holes,
        covers: covers::covers(rooms.level, rooms.source, room, scene),
        floating: openings::floating(rooms.level, room, scene, |far| rooms.scene(far)),
        missing_faces: missing_faces::missing_faces(rooms.level, rooms.source, scene),
        overlaps: coplanar::overlaps(rooms.level, rooms.source, scene, &wrong),
        wrong,
    }
}
