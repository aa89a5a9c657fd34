//! Checks of a player's movement in a level: places where players fall out of the level or cannot get out again,
//! doorways that are too small, and steps that are too high. Used by `check` alone.

mod blocked;
mod displaced;
mod doorways;
mod flood;
mod headroom;
mod risers;
mod slopes;
mod steps;

use std::collections::BTreeSet;

use glam::DVec3;

use super::findings::Finding;
use super::later::LaterReport;
use crate::collision::CollisionWorld;
use crate::geometry::Aabb;
use crate::level::{At, Level, LevelData, PortalId, RoomId};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::world::World;
use doorways::Doorway;
use flood::WalkableArea;
use steps::{ProbeBody, Stand};

use crate::game::{PLAYER, PLAYER_HEIGHT};

/// Minimum mass of a rigid body that blocks players, kilograms. Players push lighter bodies away.
const PUSHED: f64 = 80.0;
/// Maximum number of tested doorways.
const MAX_DOORWAYS: usize = 2_000;
/// If a larger fraction of all places than this, 0..1, has no way back, no traps are reported.
const MAX_TRAP: f64 = 0.5;
/// Minimum number of places in a trap. A smaller one is a corner behind furniture, unless it is deep.
const MIN_PIT: usize = 8;
/// Minimum depth of the fall into a small trap, metres.
const MIN_DEPTH: f64 = 1.5;
/// Maximum number of places of a trap from which an escape is tried.
const MAX_ESCAPES: usize = 8;
/// Reports movement problems of a player in a level with spawns. `problems` are those found so far.
pub fn check_walking(level: &Level, problems: &mut Problems) {
    if level.spawns.is_empty() || level.bends_space {
        return;
    }
    let report = LaterReport::of(level, problems);
    let mut check = WalkingCheck { level, report };
    if check.has(ProblemCode::UpAxis) {
        return;
    }
    let mut world = World::all_open(level);
    world.bodies.hide(|id| level.body(id).mass.mass < PUSHED);
    let mut walker = ProbeBody::new(CollisionWorld::new(level, &world));
    let starts = check.starts(&mut walker);
    let narrow = check.doorways(&mut walker);
    // The walk is skipped if a node's scale is flattened: the node may be a staircase, and everything beyond it would
    // be reported as unreachable.
    if starts.is_empty() || check.has(ProblemCode::FlatScale) {
        return;
    }
    let flood = WalkableArea::from(&mut walker, &starts, &narrow);
    check.outs(&mut walker, &flood);
    let cut = check.headroom(&mut walker, &flood);
    if flood.is_complete {
        check.traps(&mut walker, &flood, starts.len());
        check.rooms(&mut walker, &flood, &cut);
    }
    check.risers(&mut walker, &flood);
}

struct WalkingCheck<'a> {
    level: &'a Level,
    report: LaterReport<'a>,
}

/// A box of the level in author's coordinates.
fn in_author(level: &LevelData, bounds: Aabb) -> Aabb {
    let [min, max] = [bounds.min, bounds.max].map(|corner| level.to_author(corner).0);
    Aabb { min, max }
}

impl WalkingCheck<'_> {
    fn finding(&self, code: ProblemCode, node: &str, at: DVec3, message: String) -> Finding {
        let place = ProblemPlace::at(self.level.to_author(at));
        Finding::warning(code, node, message, place)
    }

    fn warn(&mut self, code: ProblemCode, node: &str, at: DVec3, message: String) {
        self.report.add(self.finding(code, node, at, message));
    }

    /// Whether a problem of a code is known.
    fn has(&self, code: ProblemCode) -> bool {
        self.report.of_codes(&[code]).next().is_some()
    }

    /// The start positions of players. Reports spawns without a floor.
    fn starts(&mut self, walker: &mut ProbeBody) -> Vec<Stand> {
        let mut starts = Vec::new();
        for spawn in &self.level.spawns {
            let mut above = spawn.at;
            above.point.y += steps::RADIUS + 0.05;
            match walker.drop(above, steps::RADIUS) {
                Some(landed) => {
                    starts.extend(walker.stand(landed));
                    if !walker.has_room_at(spawn) {
                        let message = "a player does not fit here, and is stuck; move the spawn, or the object at this place";
                        let (code, name) = (ProblemCode::SpawnBlocked, spawn.name.clone());
                        self.warn(code, &name, spawn.at.point, message.to_owned());
                    }
                }
                None => {
                    let message = "a player falls out of the level from here: there is no solid floor below; put one there, or move the spawn";
                    let name = spawn.name.clone();
                    self.warn(
                        ProblemCode::SpawnWithoutFloor,
                        &name,
                        spawn.at.point,
                        message.to_owned(),
                    );
                }
            }
        }
        starts
    }

    /// Reports doorways that are too low. Returns the portals of doorways that are too narrow.
    fn doorways(&mut self, walker: &mut ProbeBody) -> BTreeSet<PortalId> {
        let level = self.level;
        let mut narrow = BTreeSet::new();
        for link in level.links.iter().take(MAX_DOORWAYS) {
            let Some(doorway) = Doorway::of(walker, link) else {
                continue;
            };
            if doorway.is_low(walker, link) {
                let message = format!(
                    "the doorway is {:.2} m high, lower than a player of {PLAYER_HEIGHT} m, who can only crouch through it; make the opening and its portal higher",
                    doorway.height
                );
                self.warn(
                    ProblemCode::DoorwayTooSmall,
                    &link.name,
                    doorway.foot,
                    message,
                );
            }
            if doorway.is_narrow(walker, link) {
                narrow.insert(link.portal);
                narrow.extend(link.back);
            }
        }
        narrow
    }

    /// Reports places where players fall out of the level, one for each room.
    fn outs(&mut self, walker: &mut ProbeBody, flood: &WalkableArea) {
        let mut done = BTreeSet::new();
        for &(from, over) in &flood.outs {
            let At { room, point: at } = over;
            if done.contains(&room) {
                continue;
            }
            let name = &self.level.room(room).name;
            let message = format!(
                "a player who walks here in room `{name}` falls out of the level: there is no solid floor below; put one there (a mesh that is not `-nocol`), or a wall before it"
            );
            let node = format!("{name}-room");
            let mut finding = self.finding(ProblemCode::FloorMissing, &node, at, message);
            let around = in_author(self.level, self.level.room(room).bounds);
            finding.place = finding.place.map(|place| place.about(around));
            let is_hidden = self.report.is_hidden(&finding);
            let start = flood.places[from].stand.at;
            if !is_hidden
                && !self.is_far(room)
                && !self.is_misplaced(room, at)
                && walker.falls_out(start, over)
            {
                done.insert(room);
                self.report.add(finding);
            }
        }
    }

    /// Reports steps of staircases that players can climb only by jumping, and obstacles onto which they must jump to
    /// enter a room.
    fn risers(&mut self, walker: &mut ProbeBody, flood: &WalkableArea) {
        for riser in risers::risers(walker, flood) {
            let At { room, point } = riser.at;
            let node = walker.node_at(riser.at);
            if node.is_empty() || self.has_lift(room) || self.is_step_elsewhere(point) {
                continue;
            }
            let message = format!(
                "the step here in room `{}` is {:.2} m high, higher than a player climbs ({} m), who must jump to get on; make all steps of the stairs equally high, or add some",
                self.level.room(room).name,
                riser.height,
                PLAYER.step_settings.step_height
            );
            self.warn(ProblemCode::StepTooHigh, &node, point, message);
        }
    }

    /// Reports obstacles that are too low for upright players, once for each node. Returns the rooms that they divide.
    fn headroom(&mut self, walker: &mut ProbeBody, flood: &WalkableArea) -> BTreeSet<RoomId> {
        let (mut done, mut cut) = (BTreeSet::new(), BTreeSet::new());
        for low in headroom::low_places(walker, flood) {
            let At { room, point } = low.at;
            let node = walker.node_at(low.at);
            if node.is_empty() || !done.insert(node.clone()) {
                continue;
            }
            let only = if low.clearance < steps::CROUCHED {
                "who does not get below it"
            } else {
                "who can only crouch below it"
            };
            let message = format!(
                "it hangs {:.2} m above the floor of room `{}`, lower than a player of {PLAYER_HEIGHT} m, {only}, and there is no other way to the place behind it; raise it, or give it the ending `-nocol`",
                low.clearance,
                self.level.room(room).name,
            );
            self.warn(ProblemCode::HeadroomTooLow, &node, point, message);
            cut.insert(room);
        }
        cut
    }

    /// Reports places without a way back.
    fn traps(&mut self, walker: &mut ProbeBody, flood: &WalkableArea, starts: usize) {
        let leads_back = flood.lead_back(starts);
        let trapped = leads_back.iter().filter(|leads| !**leads).count();
        if trapped == 0 || trapped as f64 > MAX_TRAP * flood.places.len() as f64 {
            return;
        }
        let mut rooms: Vec<(RoomId, DVec3)> = Vec::new();
        for part in flood.parts(&leads_back) {
            let free = |&&place: &&usize| walker.fits(flood.places[place].stand.at);
            // If a trap can be reached only by jumping, the player jumped over furniture on purpose.
            let walked = part.iter().any(|&place| !flood.places[place].jumped);
            let fitting: Vec<usize> = part.iter().filter(free).copied().collect();
            let tried = fitting
                .iter()
                .step_by(fitting.len().div_ceil(MAX_ESCAPES).max(1));
            let mut tried = tried.map(|&place| flood.places[place].stand.at);
            let is_out = |at: At| flood.leads_back_at(at, &leads_back);
            let into = |edge: &&(usize, usize, f64)| leads_back[edge.0] && part.contains(&edge.1);
            let depth = flood.edges.iter().filter(into).map(|edge| -edge.2);
            let is_pit = fitting.len() >= MIN_PIT || depth.fold(0.0, f64::max) > MIN_DEPTH;
            if !walked
                || !is_pit
                || fitting.is_empty()
                || tried.any(|at| walker.escapes(at, is_out))
            {
                continue;
            }
            for place in fitting {
                let at = flood.places[place].stand.at;
                if !rooms.iter().any(|(room, _)| *room == at.room) {
                    rooms.push((at.room, at.point));
                }
            }
        }
        let are_stairs_left_out =
            |&(room, at): &(RoomId, DVec3)| self.are_stairs_left_out(room, at);
        if rooms.iter().any(|(room, _)| self.has_lift(*room))
            || rooms.iter().any(are_stairs_left_out)
        {
            return;
        }
        if let Some((room, at)) = rooms.first().copied() {
            let name = self.level.room(room).name.clone();
            let more = match rooms.len() - 1 {
                0 => String::new(),
                count => format!(", and from {count} rooms behind it"),
            };
            let message = format!(
                "a player who gets here in room `{name}` does not get out again{more}: all ways back are higher than it jumps ({} m); add stairs, a ramp or a step, or keep it from falling in",
                PLAYER.jump_height
            );
            self.warn(ProblemCode::NoWayBack, &format!("{name}-room"), at, message);
        }
    }
}
