//! Checks of a built level, beyond those of the build: rooms that are not closed, portals that do not fit, overlapping
//! rooms, movers that pass through walls. None of these problems makes a level unusable, and the checks take longer
//! than loading, so that they run only on request.

mod alike;
mod astray;
mod bodies;
mod clear;
mod copies;
mod coplanar;
mod corners;
mod covers;
mod cracks;
mod edges;
mod elsewhere;
mod empty;
mod facing;
mod facing_report;
mod fixing;
mod fold;
mod holes;
mod inspection;
mod left_out;
mod lights;
mod misfits;
mod missing_faces;
mod movers;
mod openings;
mod panels;
mod panes;
mod pieces;
mod reach;
mod report;
mod reveals;
mod rims;
mod room_meshes;
mod sanity;
mod scene;
mod scenes;
mod selection;
mod shapes;
mod sheets;
mod shown;
mod space;
mod turned;
mod up_axis;
mod walking;

use std::sync::Arc;

use glam::DVec3;

use crate::level::{Level, LevelData, PortalId, RoomId};
use crate::problems::Problems;
use crate::source::LevelSource;
use alike::look_at_alike;
pub use bodies::check_bodies;
use coplanar::Overlap;
use covers::Cover;
use cracks::Cracks;
use facing::Wrong;
pub use fixing::{Fixed, fix, fix_bytes};
use holes::Hole;
pub use inspection::{Inspection, explain, inspect, inspect_bytes, inspect_source};
use missing_faces::MissingFace;
pub use movers::check_movers;
use openings::NearHoles;
use report::Report;
use room_meshes::Meshes;
use scene::Scene;
use scenes::Scenes;
pub use walking::check_walking;

/// Adds all problems of a level that the build does not find. `source` is the one that the level was built from, in the
/// state that the build leaves: with its rooms sorted.
pub(crate) fn check(level: &Level, source: &LevelSource, problems: &mut Problems) {
    check_movers(level, problems);
    let rooms = Rooms::of(level, source);
    let look = |room: usize| Some(rooms.look_at(RoomId(room as u32))).filter(Found::is_bad);
    // Equal rooms include equal geometry behind their portals.
    let found = look_at_alike(&rooms.first_alike, look);
    let mut report = Report {
        level,
        source,
        findings: Vec::new(),
    };
    let (mut covers, mut at_portals, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut floating = Vec::new();
    for (room, found) in found {
        let room = RoomId(room as u32);
        let places = || rooms.meshes.places(level, source, room);
        facing_report::report(room, &found.wrong, places, &mut report);
        missing_faces::report(room, &found.missing_faces, &mut report);
        coplanar::report(room, &found.overlaps, &mut report);
        if let Some(cracks) = &found.cracks {
            cracks::report(room, cracks, places, &mut report);
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
    openings::report(level, &covers, &at_portals, &floating, &mut report);
    openings::report_doubles(level, &mut report);
    shown::report(&rooms, others, &mut report);
    space::report(&rooms, &mut report);
    empty::report(&rooms, problems, &mut report);
    copies::report(&rooms, &mut report);
    reach::report(&mut report);
    sanity::report(&rooms, &mut report);
    lights::report(&rooms, &mut report);
    clear::report(&mut report);
    astray::report(&mut report);
    panes::report(&rooms, &mut report);
    astray::fold(&report, problems);
    panels::fold(&rooms, &report, problems);
    rims::fold(&mut report, problems);
    fold::fold(&mut report, problems);
    left_out::fold(&mut report, problems);
    turned::fold(&mut report);
    misfits::fold(&mut report);
    up_axis::fold(&mut report, problems);
    report.into_problems(problems);
}

/// The rooms of a level with their scenes, which are built on first use.
pub(super) struct Rooms<'a> {
    level: &'a LevelData,
    source: &'a LevelSource,
    meshes: Meshes,
    /// For each room the first equal one.
    first_alike: Vec<u32>,
    scenes: Scenes,
}

/// The problems of the surface of one room.
#[derive(Debug, Default)]
struct Found {
    holes: Vec<Hole>,
    cracks: Option<Cracks>,
    covers: Vec<Cover>,
    floating: Vec<(PortalId, DVec3)>,
    wrong: Wrong,
    missing_faces: Vec<MissingFace>,
    overlaps: Vec<Overlap>,
}

impl Found {
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

impl<'a> Rooms<'a> {
    fn of(level: &'a LevelData, source: &'a LevelSource) -> Self {
        let meshes = Meshes::of(source);
        Self {
            level,
            source,
            first_alike: shapes::first_alike(level, source, &meshes),
            meshes,
            scenes: Scenes::of(level.rooms.len()),
        }
    }

    fn scene(&self, room: RoomId) -> Arc<Scene> {
        let make = || Scene::of(self.level, self.source, &self.meshes, room);
        self.scenes.get(room, make)
    }

    fn look_at(&self, room: RoomId) -> Found {
        let scene = &*self.scene(room);
        let wrong = facing::wrong(self.level, self.source, room, scene);
        if wrong.room.is_some() {
            // Holes cannot be detected there.
            return Found {
                wrong,
                ..Found::default()
            };
        }
        let mut holes = holes::holes(self.level, room, scene);
        let drawn = scene.drawn_apart(self.level, self.source, &self.meshes, room);
        if let Some(drawn) = drawn {
            let of_drawn = holes::holes(self.level, room, &drawn).into_iter();
            let is_known = |hole: &Hole| {
                holes
                    .iter()
                    .any(|known| known.bounds.overlaps(&hole.bounds))
            };
            let of_drawn: Vec<Hole> = of_drawn.filter(|hole| !is_known(hole)).collect();
            holes.extend(of_drawn.into_iter().map(Hole::drawn_only));
        }
        Found {
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
