//! The surfaces of rooms: their scenes, and the checks that look at one room at a time.

use std::sync::Arc;

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
use super::room_meshes::Meshes;
use super::scene::RoomScene;
use super::scenes::Scenes;
use super::{shapes, shown};
use crate::geometry::BoxTree;
use crate::level::{LevelData, PortalId, RoomId};
use crate::source::LevelSource;

/// Reports the problems of the surface of each room, and of its openings.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    let (level, source) = (report.level, report.source);
    let look = |room: usize| Some(rooms.look_at(RoomId(room as u32))).filter(RoomFindings::is_bad);
    // Equal rooms include equal geometry behind their portals.
    let found = look_at_alike(&rooms.first_alike, look);
    let (mut covers, mut at_portals, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut floating = Vec::new();
    for (room, found) in found {
        let room = RoomId(room as u32);
        let places = || rooms.meshes.places(level, source, room);
        facing_report::report(room, &found.wrong, places, report);
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

/// The rooms of a level with their scenes, which are built on first use.
pub(super) struct CheckedRooms<'a> {
    pub(super) level: &'a LevelData,
    pub(super) source: &'a LevelSource,
    pub(super) meshes: Meshes,
    /// For each room the first equal one.
    pub(super) first_alike: Vec<u32>,
    scenes: Scenes,
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

impl<'a> CheckedRooms<'a> {
    pub(super) fn of(level: &'a LevelData, source: &'a LevelSource) -> Self {
        let meshes = Meshes::of(source);
        Self {
            level,
            source,
            first_alike: shapes::first_alike(level, source, &meshes),
            meshes,
            scenes: Scenes::of(level.rooms.len()),
        }
    }

    pub(super) fn scene(&self, room: RoomId) -> Arc<RoomScene> {
        let make = || RoomScene::of(self.level, self.source, &self.meshes, room);
        self.scenes.get(room, make)
    }

    fn look_at(&self, room: RoomId) -> RoomFindings {
        let scene = &*self.scene(room);
        let wrong = facing::wrong(self.level, self.source, room, scene);
        if wrong.room.is_some() {
            // Holes cannot be detected there.
            return RoomFindings {
                wrong,
                ..RoomFindings::default()
            };
        }
        let mut holes = holes::holes(self.level, room, scene);
        let drawn = scene.drawn_apart(self.level, self.source, &self.meshes, room);
        if let Some(drawn) = drawn {
            let of_drawn = holes::holes(self.level, room, &drawn).into_iter();
            let known = BoxTree::new(holes.iter().map(|hole| hole.bounds));
            let is_known = |hole: &RoomHole| known.any_touching(&hole.bounds, |_| true);
            let of_drawn: Vec<RoomHole> = of_drawn.filter(|hole| !is_known(hole)).collect();
            holes.extend(of_drawn.into_iter().map(RoomHole::drawn_only));
        }
        RoomFindings {
            cracks: cracks::cracks(scene, &holes),
            holes,
            covers: covers::covers(self.level, self.source, room, scene),
            floating: openings::floating(self.level, room, scene, |far| self.scene(far)),
            missing_faces: missing_faces::missing_faces(self.level, self.source, scene),
            overlaps: coplanar::overlaps(self.level, self.source, scene, &wrong),
            wrong,
        }
    }
}
