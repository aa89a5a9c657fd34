//! What a player cannot do in a level: places that it falls out of, or cannot get out of, doorways that it does not fit
//! through, steps that it cannot climb. For `check` alone.

mod doorways;
mod flood;
mod headroom;
mod risers;
mod steps;

use std::collections::BTreeSet;

use glam::DVec3;

use crate::collision::CollisionWorld;
use crate::geometry::Aabb;
use crate::level::{
    At, Level, Link, PortalId, Problem, ProblemCode, ProblemPlace, Problems, RoomId, meant_door,
};
use crate::world::World;
use doorways::Doorway;
use flood::Flood;
use steps::{Stand, Walker};

use super::player::{PLAYER, PLAYER_HEIGHT};

/// Bodies that are lighter, kilograms, stop nobody: players push them out of their way.
const PUSHED: f64 = 80.0;
/// Doorways that are looked at, at most.
const MAX_DOORWAYS: usize = 2_000;
/// A part of the level from which no way leads back is a trap unless it is the larger part of it, 0..1.
const MAX_TRAP: f64 = 0.5;
/// A trap is a corner behind furniture unless a body has so many places in it, or falls so deep, metres.
const MIN_PIT: usize = 8;
const MIN_DEPTH: f64 = 1.5;
/// Places of a trap from which players try to escape, at most.
const MAX_ESCAPES: usize = 8;
/// A hole that is reported this near, metres, is the one that a player falls out of.
const SAME_HOLE: f64 = 2.5;

/// What a player may fall through.
const HOLES: [ProblemCode; 9] = [
    ProblemCode::PortalFar,
    ProblemCode::RoomHole,
    ProblemCode::PortalGap,
    ProblemCode::PortalMissing,
    ProblemCode::WallNotCut,
    ProblemCode::SpawnWithoutFloor,
    ProblemCode::RoomsOverlap,
    ProblemCode::FacesTurned,
    ProblemCode::PortalWallNotCut,
];

/// Of steps beside each other one is reported; below a beam on a staircase those on it are not passed.
const EXPLAIN_STEPS: [ProblemCode; 4] = [
    ProblemCode::StepTooHigh,
    ProblemCode::HeadroomTooLow,
    ProblemCode::MeshInsideOut,
    ProblemCode::FacesTurned,
];
/// What is so near to a portal, metres, is in its opening.
const IN_OPENING: f64 = 0.1;
/// What players go through that they are meant to stand on.
const TURNED: [ProblemCode; 2] = [ProblemCode::MeshInsideOut, ProblemCode::FacesTurned];

/// Adds what a player cannot do in a level with spawns: `problems` are those known so far.
pub fn check_walking(level: &Level, problems: &mut Problems) {
    if level.spawns.is_empty() || level.portals.iter().any(|p| !p.far_from_near.is_identity()) {
        return;
    }
    let mut world = World::all_open(level);
    world.bodies.hide(|id| level.body(id).mass.mass < PUSHED);
    let mut walker = Walker::new(CollisionWorld::new(level, &world));
    let mut check = Check { level, problems };
    let starts = check.starts(&mut walker);
    let narrow = check.doorways(&mut walker);
    // What a node was before it was flattened may have been stairs.
    let is_flat = |problem: &Problem| problem.code == ProblemCode::FlatScale;
    if starts.is_empty() || check.problems.warnings.iter().any(is_flat) {
        return;
    }
    let flood = Flood::from(&mut walker, &starts, &narrow);
    check.outs(&mut walker, &flood);
    let cut = check.headroom(&mut walker, &flood);
    if flood.is_complete {
        check.traps(&mut walker, &flood, starts.len());
        check.rooms(&mut walker, &flood, &cut);
    }
    check.risers(&mut walker, &flood);
}

struct Check<'a> {
    level: &'a Level,
    problems: &'a mut Problems,
}

impl Check<'_> {
    fn warn(&mut self, code: ProblemCode, node: &str, at: DVec3, message: String) {
        let place = ProblemPlace::at(self.level.to_author(at));
        self.problems
            .add(false, code, node, Some(place), || message);
    }

    /// Whether a problem that is known explains one at a place.
    fn is_explained(&self, at: DVec3, codes: &[ProblemCode], distance: f64) -> bool {
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

    /// Where players stand at the start; reports spawns over nothing.
    fn starts(&mut self, walker: &mut Walker) -> Vec<Stand> {
        let mut starts = Vec::new();
        for spawn in &self.level.spawns {
            let mut above = spawn.at;
            above.point.y += steps::RADIUS + 0.05;
            match walker.drop(above, steps::RADIUS) {
                Some(landed) => {
                    starts.extend(walker.stand(landed));
                    if !walker.has_room_at(spawn) {
                        let message = "a player has no room here, and is stuck; move the spawn, or what stands there";
                        let (code, name) = (ProblemCode::SpawnBlocked, spawn.name.clone());
                        self.warn(code, &name, spawn.at.point, message.to_owned());
                    }
                }
                None => {
                    if self.is_explained(spawn.at.point, &HOLES, SAME_HOLE) {
                        continue;
                    }
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

    /// Reports doorways that are too low, and returns the portals of those that are too narrow.
    fn doorways(&mut self, walker: &mut Walker) -> BTreeSet<PortalId> {
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

    /// Reports where players fall out of the level, for each room once.
    fn outs(&mut self, walker: &mut Walker, flood: &Flood) {
        let mut done = BTreeSet::new();
        for &(from, over) in &flood.outs {
            let At { room, point: at } = over;
            if done.contains(&room)
                || self.is_explained(at, &HOLES, SAME_HOLE)
                || self.is_far(room)
                || self.is_misplaced(room, at)
                || self.is_turned(room)
            {
                continue;
            }
            let start = flood.places[from].stand.at;
            if !walker.falls_out(start, over) {
                continue;
            }
            done.insert(room);
            let name = &self.level.room(room).name;
            let message = format!(
                "a player who walks here in room `{name}` falls out of the level: there is no solid floor below; put one there (a mesh that is not `-nocol`), or a wall before it"
            );
            let node = format!("{name}-room");
            self.warn(ProblemCode::FloorMissing, &node, at, message);
        }
    }

    /// Reports steps of staircases that players can only jump up, and what they must jump onto to get into a room.
    fn risers(&mut self, walker: &mut Walker, flood: &Flood) {
        for riser in risers::risers(walker, flood) {
            let At { room, point } = riser.at;
            let node = walker.node_at(riser.at);
            if node.is_empty()
                || self.has_lift(room)
                || self.is_explained(point, &EXPLAIN_STEPS, SAME_HOLE)
            {
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

    /// Reports what hangs so low in a room that players do not get below it upright, of each node once; returns the
    /// rooms that it cuts.
    fn headroom(&mut self, walker: &mut Walker, flood: &Flood) -> BTreeSet<RoomId> {
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
                "it hangs {:.2} m above the floor of room `{}`, lower than a player of {PLAYER_HEIGHT} m, {only}, and there is no other way to what is behind; raise it, or give it the ending `-nocol`",
                low.clearance,
                self.level.room(room).name,
            );
            self.warn(ProblemCode::HeadroomTooLow, &node, point, message);
            cut.insert(room);
        }
        cut
    }

    /// Whether a portal of a room leads to where its other room is not, or rooms overlap or are of wrong sizes.
    fn is_far(&self, room: RoomId) -> bool {
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
    fn is_turned(&self, room: RoomId) -> bool {
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
    fn is_misplaced(&self, room: RoomId, at: DVec3) -> bool {
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
    fn has_lift(&self, room: RoomId) -> bool {
        let level = self.level;
        let movers = level
            .room(room)
            .movers
            .iter()
            .map(|image| level.mover(image.mover));
        movers.into_iter().any(|mover| mover.link.is_none())
    }

    /// Reports places that no way leads back from.
    fn traps(&mut self, walker: &mut Walker, flood: &Flood, starts: usize) {
        let leads_back = flood.lead_back(starts);
        let trapped = leads_back.iter().filter(|leads| !**leads).count();
        if trapped == 0 || trapped as f64 > MAX_TRAP * flood.places.len() as f64 {
            return;
        }
        let mut rooms: Vec<(RoomId, DVec3)> = Vec::new();
        for part in flood.parts(&leads_back) {
            let free = |&&place: &&usize| walker.fits(flood.places[place].stand.at);
            // Who jumps behind furniture wants to be there.
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
        if rooms.iter().any(|(room, _)| self.has_lift(*room)) {
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

    /// Reports doorways into rooms that players do not get into, or only by jumping; but those out of rooms that are cut.
    fn rooms(&mut self, walker: &mut Walker, flood: &Flood, cut: &BTreeSet<RoomId>) {
        let level = self.level;
        let mut walked = vec![false; level.rooms.len()];
        let mut reached = vec![false; level.rooms.len()];
        for place in &flood.places {
            let room = place.stand.at.room.0 as usize;
            reached[room] = true;
            walked[room] |= !place.jumped;
        }
        let mut done = BTreeSet::new();
        for link in &level.links {
            let sides = [(link.near, link.far, 1.0), (link.far, link.near, -1.0)];
            for (from, to, side) in sides {
                let [a, b] = [from, to].map(|room| room.0 as usize);
                let leads_on = walked[a] && !walked[b] && !(side < 0.0 && link.back.is_none());
                if !leads_on
                    || cut.contains(&from)
                    || done.contains(&to)
                    || self.has_lift(from)
                    || self.has_lift(to)
                {
                    continue;
                }
                let Some(doorway) = Doorway::of(walker, link) else {
                    continue;
                };
                let places = flood.places.iter().filter(|place| !place.jumped);
                let places = places.map(|place| place.stand.at);
                let distance = |at: &At| at.point.distance_squared(doorway.foot);
                let nearest = places
                    .filter(|at| at.room == from)
                    .min_by(|a, b| distance(a).total_cmp(&distance(b)));
                let obstacle = nearest.and_then(|at| walker.obstacle(at, doorway.foot));
                if self.blame(link, &doorway, (to, side), reached[b], obstacle) {
                    done.insert(to);
                }
            }
        }
    }

    /// Reports why a doorway is not passed. Whether it did.
    fn blame(
        &mut self,
        link: &Link,
        doorway: &Doorway,
        (to, side): (RoomId, f64),
        jumps: bool,
        obstacle: Option<(String, DVec3)>,
    ) -> bool {
        let step = PLAYER.step_settings.step_height;
        let name = &self.level.room(to).name;
        // The sill as seen from the side that one comes from.
        let sill = if side > 0.0 {
            doorway.sill
        } else {
            doorway.sill - doorway.rise
        };
        let known = [
            ProblemCode::DoorwayTooSmall,
            ProblemCode::PortalWallNotCut,
            ProblemCode::PortalGap,
        ];
        let is_known = |p: &Problem| known.contains(&p.code) && p.node == link.name;
        let is_turned = self.is_explained(doorway.foot, &TURNED, SAME_HOLE);
        let opening = self.level.portal(link.portal).bounds.grown(IN_OPENING);
        let fills = |p: &Problem| {
            let at = p
                .place
                .as_ref()
                .map(|place| self.level.from_author(place.point));
            p.code == ProblemCode::DoorwayBlocked && at.is_some_and(|at| opening.contains(at))
        };
        let panel = link.panel.map(|panel| &self.level.mover(panel).name);
        let is_shut = |p: &Problem| {
            p.code == ProblemCode::MoverNeverStarts && panel.is_some_and(|panel| p.node == *panel)
        };
        if is_turned
            || self.problems.warnings.iter().any(fills)
            || self.problems.warnings.iter().any(is_shut)
            || self.problems.warnings.iter().any(is_known)
        {
            return true;
        }
        let thing = if doorway.has_door { "door" } else { "doorway" };
        if sill > step {
            let only = if jumps {
                "who must jump"
            } else {
                "who does not get"
            };
            let message = format!(
                "the {thing} into room `{name}` begins {sill:.2} m above the floor before it, a step higher than a player climbs ({step} m), {only} into it; add steps, or lower it"
            );
            self.warn(ProblemCode::StepTooHigh, &link.name, doorway.foot, message);
            return true;
        }
        if jumps {
            return false;
        }
        if doorway.width < 2.0 * PLAYER.radius - 0.01 {
            let message = format!(
                "the {thing} into room `{name}` is {:.2} m wide, narrower than a player of {} m, who does not get in; make the opening and its portal wider",
                doorway.width,
                2.0 * PLAYER.radius
            );
            self.warn(
                ProblemCode::DoorwayTooSmall,
                &link.name,
                doorway.foot,
                message,
            );
            return true;
        }
        let blockers = doorway.blockers(self.level, link);
        let meant = blockers
            .iter()
            .find_map(|node| Some((node, meant_door(node)?)));
        let message = match (meant, blockers.is_empty()) {
            (Some((node, door)), _) => format!(
                "`{node}` fills the doorway into room `{name}` and never opens, for its name is only almost that of a door: rename it to `{door}`"
            ),
            (None, false) => format!(
                "players do not get through the {thing} into room `{name}`: `{}` stands in it or before it; make room, or give it the ending `-nocol`",
                blockers.join("`, `")
            ),
            (None, true) if let Some((node, at)) = &obstacle => {
                let place = ProblemPlace::at(self.level.to_author(*at));
                format!(
                    "players do not get to the {thing} into room `{name}`: `{node}` is in their way {place}, or too steep there; make room"
                )
            }
            (None, true) => format!(
                "players do not get through the {thing} into room `{name}`: something solid stands before it, or the floor is too steep there; make room"
            ),
        };
        self.warn(
            ProblemCode::DoorwayBlocked,
            &link.name,
            doorway.foot,
            message,
        );
        true
    }
}
