//! Doorways into rooms that players cannot enter, with the reasons.

use std::collections::BTreeSet;

use glam::DVec3;

use super::doorways::Doorway;
use super::flood::WalkableArea;
use super::slopes::{Slope, slope_before};
use super::steps::ProbeBody;
use super::{WalkingCheck, in_author};
use crate::game::PLAYER;
use crate::level::{At, Link, RoomId};
use crate::lint::findings::Finding;
use crate::naming::meant_door;
use crate::problems::{ProblemCode, ProblemPlace};

impl WalkingCheck<'_> {
    /// Reports doorways into rooms that players cannot enter, or only by jumping. Doorways out of rooms that low beams
    /// divide are excluded, because the beams are reported.
    pub(super) fn rooms(
        &mut self,
        walker: &mut ProbeBody,
        flood: &WalkableArea,
        cut: &BTreeSet<RoomId>,
    ) {
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
                let slope = slope_before(walker, flood, from, doorway.foot);
                let found = (obstacle, slope);
                if self.blame(link, &doorway, (to, side), reached[b], found) {
                    done.insert(to);
                }
            }
        }
    }

    /// Reports the reason why players do not pass a doorway; returns whether it found one.
    fn blame(
        &mut self,
        link: &Link,
        doorway: &Doorway,
        (to, side): (RoomId, f64),
        jumps: bool,
        (obstacle, slope): (Option<(String, DVec3)>, Option<Slope>),
    ) -> bool {
        let step = PLAYER.step_settings.step_height;
        let name = &self.level.room(to).name;
        // The height of the sill on the entry side.
        let sill = if side > 0.0 {
            doorway.sill
        } else {
            doorway.sill - doorway.rise
        };
        let is_panel = |finding: &Finding| {
            let panel = link.panel.map(|panel| &self.level.mover(panel).name);
            panel.is_some_and(|panel| finding.node == *panel)
        };
        let shut = [ProblemCode::MoverNeverStarts, ProblemCode::MoverProperty];
        // A mesh with the name of a door may be the walls of a room.
        let are_walls = |finding: &Finding| {
            let mut movers = self.level.movers.iter();
            let mover = movers.find(|mover| mover.name == finding.node);
            let link = mover.and_then(|mover| Some(self.level.link(mover.link?)));
            link.is_some_and(|link| [link.near, link.far].contains(&to))
        };
        let large = [ProblemCode::DoorTooLarge];
        // A problem that hides the blocked doorway also hides the reason why it is blocked.
        let mut blocked = self.finding(
            ProblemCode::DoorwayBlocked,
            &link.name,
            doorway.foot,
            String::new(),
        );
        let opening = in_author(self.level, self.level.portal(link.portal).bounds);
        blocked.place = blocked.place.map(|place| place.about(opening));
        if self.report.of_codes(&shut).any(is_panel)
            || self.report.of_codes(&large).any(are_walls)
            || self.report.is_hidden(&blocked)
        {
            return true;
        }
        if let Some(slope) = slope {
            if !self.is_step_elsewhere(slope.at) {
                let message = format!(
                    "it rises by {:.0} degrees on the way to the doorway into room `{name}`, too steep for a player, who slides down; make it flatter than {:.0} degrees, or put stairs there",
                    slope.degrees,
                    libm::acos(PLAYER.step_settings.max_slope_cos).to_degrees()
                );
                self.warn(ProblemCode::SlopeTooSteep, &slope.node, slope.at, message);
            }
            return true;
        }
        if sill > step && self.is_step_elsewhere(doorway.foot) {
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
            let mut finding =
                self.finding(ProblemCode::StepTooHigh, &link.name, doorway.foot, message);
            finding.portal = Some(link.name.clone());
            self.report.add(finding);
            return true;
        }
        if jumps {
            return false;
        }
        if doorway.width < 2.0 * PLAYER.radius - 0.01 {
            let message = format!(
                "the {thing} into room `{name}` is {:.2} m wide, too narrow for a player of {} m; make the opening and its portal wider",
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
