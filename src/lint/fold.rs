//! Suppresses consequences of reported problems, so that one cause gives one message.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::report::{Finding, Report};
use super::{elsewhere, empty};
use crate::geometry::Aabb;
use crate::level::{LevelData, Link, RoomId};
use crate::naming::plain_name;
use crate::problems::{Problem, ProblemCode, Problems};

use ProblemCode as Code;

/// Problems of the openings between two rooms.
const OF_OPENINGS: [ProblemCode; 6] = [
    Code::PortalGap,
    Code::PortalTooLarge,
    Code::PortalWallNotCut,
    Code::PortalMissing,
    Code::WallNotCut,
    Code::MeshInOtherRoom,
];
/// Errors of portals that lead nowhere; their opening then has no portal.
const UNLINKED: [ProblemCode; 8] = [
    Code::PortalOutsideRoom,
    Code::PortalWithoutMesh,
    Code::PortalMesh,
    Code::PortalPolygon,
    Code::PortalUnknownRoom,
    Code::PortalIntoItself,
    Code::PortalLeadsNowhere,
    Code::PortalTransform,
];

/// Checks that use lengths of human scale.
const OF_LENGTHS: [ProblemCode; 3] = [
    Code::MoverThroughWall,
    Code::DoorWithGap,
    Code::DoorWithHole,
];

/// Maximum distance between the middle of a door panel and its opening, metres.
const PANEL: f64 = 0.3;

/// Maximum distance between a portal and its opening, metres.
const BESIDE_PORTAL: f64 = 0.5;
/// Maximum depth of the rim of a ceiling hole below the top of its room, metres.
const AT_TOP: f64 = 0.05;

/// Drops consequences of other findings, and problems of the level that are consequences of findings.
pub(super) fn fold(report: &mut Report, problems: &mut Problems) {
    openings_of_portals_in_error(report, problems);
    elsewhere::fold(report);
    let findings = std::mem::take(&mut report.findings);
    let mut empty: BTreeSet<RoomId> = BTreeSet::new();
    let (mut overlaps, mut inside_out, mut scales) = Default::default();
    for finding in &findings {
        let causes: &mut Causes = match finding.code {
            Code::RoomsOverlap => &mut overlaps,
            Code::RoomInsideOut => &mut inside_out,
            Code::Scale => &mut scales,
            Code::RoomEmpty => {
                empty.extend(&finding.rooms);
                continue;
            }
            _ => continue,
        };
        causes.add(finding);
    }
    let is_all_scaled = findings.iter().any(is_scale_of_all);
    // Rooms with the same name are one room, with the faces of both.
    let is_merged = |room: &RoomId| {
        let name = &report.level.room(*room).name;
        let mut errors = problems.errors.iter();
        errors.any(|p| p.code == Code::RoomNameTwice && plain_name(&p.node) == name)
    };
    let is_flattened = |node: &str| {
        let mut warnings = problems.warnings.iter();
        warnings.any(|p| p.code == Code::FlatScale && p.node == node)
    };
    let flat_rooms: Vec<RoomId> = {
        let meshes = report.source.meshes.iter();
        let flat = meshes.filter(|mesh| is_flattened(&mesh.node));
        flat.map(|mesh| RoomId(mesh.room as u32)).collect()
    };
    let is_named_almost = |node: &str| {
        let all = problems.errors.iter().chain(&problems.warnings);
        all.into_iter()
            .any(|p| p.code == Code::NameAlmost && p.node == node)
    };
    let reports = |code: ProblemCode| {
        let mut all = problems.errors.iter().chain(&problems.warnings);
        all.any(|p| p.code == code)
    };
    let follows = |finding: &Finding| {
        let is_empty = |room: &RoomId| empty.contains(room);
        // The position that the walls of a room without walls may have moved to.
        let is_at_empty = || {
            let at = finding.place.as_ref();
            let at = at.map(|place| report.level.from_author(place.point));
            let is_near = |link: &&Link| {
                let around = report.level.portal(link.portal).bounds.grown(BESIDE_PORTAL);
                at.is_some_and(|at| around.contains(at))
            };
            let mut links = report.level.links.iter().filter(is_near);
            !empty.is_empty() && links.any(|link| is_empty(&link.near) || is_empty(&link.far))
        };
        match finding.code {
            Code::PortalMissing | Code::WallNotCut if is_at_empty() => true,
            Code::RoomUnreachable => finding.rooms.iter().all(is_empty),
            _ if finding.rooms.iter().any(is_merged) => true,
            _ if is_flattened(&finding.node) => true,
            _ if finding.rooms.iter().any(|room| flat_rooms.contains(room)) => true,
            // A door panel with a misspelt name.
            Code::DoorwayBlocked => is_named_almost(&finding.node),
            Code::PortalTwice => {
                let link = |node: &str| report.level.links.iter().find(|link| link.name == node);
                let ends = link(&finding.node).map(|link| [link.near, link.far]);
                if ends.is_some_and(|ends| ends.iter().any(is_merged)) {
                    return true;
                }
                let mut links = report.level.links.iter();
                links.any(|link| {
                    let is_of_both = ends
                        .is_some_and(|ends| ends.contains(&link.near) && ends.contains(&link.far));
                    is_of_both && is_named_almost(&link.name)
                })
            }
            Code::RoomHole
                if reports(Code::NoCustomProperties) && is_sky(report.level, finding) =>
            {
                true
            }
            // A room whose property `open` is misspelt.
            Code::RoomHole => finding.rooms.first().is_some_and(|room| {
                let node = &report.source.rooms[room.0 as usize].node;
                let mut warnings = problems.warnings.iter();
                warnings.any(|p| p.code == Code::RoomOpen && p.node == *node)
            }),
            // The cure is the same.
            Code::NeedleTriangles => reports(Code::DegenerateTriangles),
            Code::MeshInOtherRoom if finding.rooms.len() == 1 => problems
                .errors
                .iter()
                .any(|p| p.code == Code::RoomNameTwice),
            // In geometry that small, all corners nearly meet.
            Code::RoomCrack => is_all_scaled || scales.have(&finding.rooms),
            code if OF_OPENINGS.contains(&code) => {
                let mut all = finding.rooms.iter();
                overlaps.have(&finding.rooms)
                    || all.any(|room| inside_out.have(&[*room]))
                    || problems.warnings.iter().any(|p| {
                        let far = [Code::PortalFar, Code::PortalAmbiguous];
                        far.contains(&p.code) && p.node == finding.node
                    })
            }
            _ => false,
        }
    };
    // The panels of rooms with the same name stand in the same openings.
    let panels = report.source.movers.iter().filter(|mover| mover.is_door);
    let doubled = panels.filter(|panel| {
        let mut meshes = panel.meshes.iter();
        meshes.any(|mesh| is_merged(&RoomId(mesh.room as u32)))
    });
    let doubled: Vec<&String> = doubled.map(|panel| &panel.node).collect();
    let kept: Vec<bool> = findings.iter().map(|finding| !follows(finding)).collect();
    let kept = findings.iter().zip(kept).filter(|(_, kept)| *kept);
    report.findings = kept.map(|(finding, _)| finding.clone()).collect();
    problems.drop(|p| p.code == Code::DoorTwice && doubled.contains(&&p.node));
    let is_flat = |problem: &Problem| problem.code == Code::FlatScale;
    if problems.warnings.iter().any(is_flat) {
        let source = report.source;
        let lights = source.lights.iter().map(|light| (&light.node, light.room));
        let spawns = source.spawns.iter().map(|spawn| (&spawn.node, spawn.room));
        let children = lights
            .chain(spawns)
            .filter(|(_, room)| room.is_some_and(|room| flat_rooms.contains(&RoomId(room as u32))));
        let in_flat_rooms: Vec<&String> = children.map(|(node, _)| node).collect();
        problems.drop(|problem| match problem.code {
            Code::DegenerateTriangles => true,
            Code::Light | Code::SpawnOutside => in_flat_rooms.contains(&&problem.node),
            _ => false,
        });
    }
    if problems.count(&[Code::NoCustomProperties]) > 0 {
        problems.drop_codes(&[Code::TriggerTarget]);
    }
    rooms_of_taken_names(problems);
    things_of_missing_rooms(report.level, problems);
    if report.findings.iter().any(is_scale_of_all) {
        problems.drop(|problem| OF_LENGTHS.contains(&problem.code));
    }
    what_stands_in_bad_rooms(report, problems);
    walls_of_doors(report, problems);
}

/// The findings of a code that may cause others, by their rooms.
#[derive(Default)]
struct Causes<'a> {
    all: Vec<&'a [RoomId]>,
    /// Indices of the findings of each room.
    of_rooms: BTreeMap<RoomId, Vec<usize>>,
}

impl<'a> Causes<'a> {
    fn add(&mut self, finding: &'a Finding) {
        for &room in &finding.rooms {
            self.of_rooms.entry(room).or_default().push(self.all.len());
        }
        self.all.push(&finding.rooms);
    }

    /// Whether one of them concerns all of these rooms.
    fn have(&self, rooms: &[RoomId]) -> bool {
        let Some((first, rest)) = rooms.split_first() else {
            return !self.all.is_empty();
        };
        let mut causes = self.of_rooms.get(first).into_iter().flatten();
        causes.any(|&cause| rest.iter().all(|room| self.all[cause].contains(room)))
    }
}

/// Drops rooms without walls whose walls are named as a door.
fn walls_of_doors(report: &mut Report, problems: &Problems) {
    let of_code = problems.warnings.iter();
    let of_code = of_code.filter(|p| p.code == Code::DoorTooLarge);
    let is_too_large = |node: &str| of_code.clone().any(|p| p.node == node);
    let source = report.source;
    let doors = source
        .movers
        .iter()
        .filter(|mover| is_too_large(&mover.node));
    let rooms = doors.flat_map(|door| door.meshes.iter().map(|mesh| RoomId(mesh.room as u32)));
    let rooms: Vec<RoomId> = rooms.collect();
    report.findings.retain(|finding| {
        let is_without = |room: &RoomId| rooms.contains(room);
        !(finding.code == Code::RoomEmpty && finding.rooms.iter().any(is_without))
    });
}

/// Drops errors of portals to unknown rooms, as many as there are rooms with a duplicate name: the portals most likely
/// refer to those.
fn rooms_of_taken_names(problems: &mut Problems) {
    let of = |code: ProblemCode| problems.errors.iter().filter(move |p| p.code == code);
    let count = of(Code::RoomNameTwice).count();
    let unknown = of(Code::PortalUnknownRoom).take(count);
    let unknown: Vec<String> = unknown.map(|problem| problem.node.clone()).collect();
    problems.drop(|p| p.code == Code::PortalUnknownRoom && unknown.contains(&p.node));
}

/// Drops meshes outside all rooms that lie at portals to unknown rooms, and lamps outside all rooms: they belong to
/// those rooms.
fn things_of_missing_rooms(level: &LevelData, problems: &mut Problems) {
    let of_unknown = problems.errors.iter();
    let of_unknown = of_unknown.filter(|p| p.code == Code::PortalUnknownRoom);
    let portals: Vec<DVec3> = of_unknown
        .filter_map(|problem| Some(problem.place.as_ref()?.point.0))
        .collect();
    problems.drop(|problem| {
        let extent = problem.place.as_ref().and_then(|place| place.extent);
        let is_behind = |extent: Aabb| {
            let around = extent.grown(PANEL);
            portals.iter().any(|portal| around.contains(*portal))
        };
        let is_outside = || {
            let at = problem.place.as_ref().map(|p| level.from_author(p.point));
            let mut rooms = level.rooms.iter();
            at.is_some_and(|at| !rooms.any(|room| room.bounds.contains(at)))
        };
        match problem.code {
            Code::MeshOutsideRoom => extent.is_some_and(is_behind),
            Code::Light => !portals.is_empty() && is_outside(),
            _ => false,
        }
    });
}

/// Whether a hole is the missing ceiling of a room that may be outdoors.
fn is_sky(level: &LevelData, finding: &Finding) -> bool {
    let (Some(place), [room]) = (&finding.place, finding.rooms.as_slice()) else {
        return false;
    };
    let (rim, bounds) = (place.bounds(), level.room(*room).bounds);
    let [low, high] = [rim.min.y, bounds.max.y + level.origin.y];
    high - low < AT_TOP
}

/// Whether the whole level has a wrong scale.
fn is_scale_of_all(finding: &Finding) -> bool {
    finding.code == Code::Scale && finding.rooms.is_empty()
}

/// Drops openings whose portals exist but are in error, and the panels in them.
fn openings_of_portals_in_error(report: &mut Report, problems: &mut Problems) {
    let level = report.level;
    let is_linked = |at: DVec3| {
        let links = level.portals.iter();
        links
            .map(|p| p.polygon.centre())
            .any(|p| p.distance(at) < 0.05)
    };
    let mut unlinked = Vec::new();
    for link in &level.links {
        let is_far = |p: &Problem| p.code == Code::PortalFar && p.node == link.name;
        if problems.warnings.iter().any(is_far) {
            unlinked.push(level.portal(link.portal).bounds.grown(0.5));
        }
    }
    for portal in &report.source.portals {
        let corners = portal.triangles.iter().flatten();
        let around = Aabb::around(corners.map(|&p| p - level.origin));
        let is_unknown = !portal.dest.is_empty() && level.room_named(&portal.dest).is_none();
        let mut errors = problems.errors.iter();
        let in_error = is_unknown || errors.any(|p| p.node == portal.node);
        if in_error && !around.is_empty() && !is_linked(around.centre()) {
            unlinked.push(around.grown(0.5));
        }
    }
    // The opening that a distant portal was meant for may be anywhere in the room that it leads to.
    let mut far: Vec<RoomId> = level
        .links
        .iter()
        .filter(|link| {
            let mut warnings = problems.warnings.iter();
            warnings.any(|p| p.code == Code::PortalFar && p.node == link.name)
        })
        .map(|link| link.far)
        .collect();
    // The position of portals that are in no room is unknown.
    let count = |code| problems.errors.iter().filter(|p| p.code == code).count();
    let mut lost = count(Code::PortalOutsideRoom) + count(Code::PortalWithoutMesh);
    let is_unlinked = |p: &Problem| UNLINKED.contains(&p.code);
    if unlinked.is_empty() && !problems.errors.iter().any(is_unlinked) {
        return;
    }
    problems.drop(|problem| {
        let place = problem.place.as_ref().map(|p| level.from_author(p.point));
        let stands_in = |at: DVec3| unlinked.iter().any(|around| around.contains(at));
        problem.code == Code::DoorWithoutPortal && place.is_some_and(stands_in)
    });
    report.findings.retain(|finding| {
        let is_opening = matches!(
            finding.code,
            Code::PortalMissing | Code::RoomHole | Code::WallNotCut
        );
        let Some(place) = finding.place.as_ref().filter(|_| is_opening) else {
            return true;
        };
        let at = level.from_author(place.point);
        if unlinked.iter().any(|around| around.contains(at)) {
            return false;
        }
        let of_far = |room: &RoomId| finding.rooms.first() == Some(room);
        if let Some(index) = far.iter().position(of_far) {
            far.swap_remove(index);
            return false;
        }
        let is_lost = finding.code == Code::PortalMissing && lost > 0;
        lost -= usize::from(is_lost);
        !is_lost
    });
}

/// Drops problems of spawns and lamps in rooms that face outwards, or have no floor: they are in no room. Where an
/// error is a consequence of a finding, the finding becomes the error.
fn what_stands_in_bad_rooms(report: &mut Report, problems: &mut Problems) {
    let (level, source) = (report.level, report.source);
    let points = |problem: &Problem| -> Option<DVec3> {
        let spawn = || {
            source
                .spawns
                .iter()
                .find(|spawn| spawn.node == problem.node)
        };
        let light = || {
            source
                .lights
                .iter()
                .find(|light| light.node == problem.node)
        };
        let author = match problem.code {
            Code::SpawnOutside => spawn()?.position,
            Code::Light => light()?.position,
            _ => return None,
        };
        Some(level.from_author(author))
    };
    let follows = |finding: &Finding, problem: &Problem| {
        if finding.code == Code::Scale {
            let mut links = level.links.iter();
            let is_end = |rooms: [RoomId; 2]| finding.rooms.iter().any(|room| rooms.contains(room));
            return problem.code == Code::SpawnOutside
                || problem.code == Code::PortalFar
                    && links
                        .any(|link| link.name == problem.node && is_end([link.near, link.far]));
        }
        if finding.code == Code::RoomEmpty {
            return empty::is_cause(report.level, source, finding, problem);
        }
        let turned = [Code::RoomInsideOut, Code::FacesTurned].contains(&finding.code);
        let Some(room) = finding.rooms.first() else {
            return false;
        };
        let bounds = level.room(*room).bounds.grown(0.01);
        let is_in_it = points(problem).is_some_and(|point| bounds.contains(point));
        let backwards = problem.code == Code::PortalBackwards;
        // A panel whose portal is missing.
        let is_panel = problem.code == Code::DoorWithoutPortal;
        if is_panel && finding.code == Code::PortalMissing {
            let rim = finding.place.iter().flat_map(|place| &place.edges);
            let around = Aabb::around(rim.flatten().map(|p| p.0)).grown(PANEL);
            let at = problem.place.as_ref();
            return at.is_some_and(|place| around.contains(place.point.0));
        }
        turned && (is_in_it || backwards && finding.code == Code::RoomInsideOut)
    };
    for finding in &mut report.findings {
        let is_error = problems
            .errors
            .iter()
            .any(|problem| follows(finding, problem));
        finding.is_error |= is_error;
    }
    let findings = &report.findings;
    problems.drop(|problem| findings.iter().any(|finding| follows(finding, problem)));
}
