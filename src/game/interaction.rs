//! Interaction of a player with the object ahead of it.

use glam::DVec3;

use super::Game;
use super::events::{EventKind, EventWriter};
use super::player::Eye;
use super::triggers::switch_of;
use crate::collision::Solid;
use crate::level::{At, Level, LinkId, MoverId, Portal, PortalId, StartedBy, TriggerId};
use crate::naming::plain_name;
use crate::queries::cast_ray;
use crate::world::World;

/// The maximum distance of a usable object, metres.
const REACH: f64 = 2.5;
/// Automatic doors open within this distance of a player, metres.
const APPROACH: f64 = 2.0;
/// Cosine of the maximum angle between the line of sight and the direction to a door.
const AHEAD: f64 = 0.85;
/// An opening is a hatch if the vertical part of its normal is larger than this.
const HATCH: f64 = 0.7;
/// A solid on the line of sight within this distance of an opening counts as part of the opening, metres.
const IN_OPENING: f64 = 1e-6;
/// The visibility of an opening is sampled at this fraction of the line from its centre to each corner.
const NEAR_CORNER: f64 = 0.8;

/// An object that a player can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usable {
    /// A link whose door panel vanishes or swings. It opens or closes.
    Door(LinkId),
    /// Another mover. It starts, or reverses.
    Mover(MoverId),
    /// A switch. It fires.
    Switch(TriggerId),
    /// A locked door or another locked mover. Nothing moves, and the player is notified.
    Locked(MoverId),
}

impl Usable {
    /// Describes the effect of using the object, for a prompt.
    pub fn describe(&self, level: &Level, world: &World) -> String {
        match *self {
            Self::Door(link) => {
                let does = if world.opens(link) { "close" } else { "open" };
                let panel = level.link(link).panel;
                let name = panel.map_or("door", |panel| plain_name(&level.mover(panel).name));
                format!("{does} the {name}")
            }
            Self::Mover(mover) => format!("use the {}", plain_name(&level.mover(mover).name)),
            Self::Locked(mover) => {
                format!("open the {} (locked)", plain_name(&level.mover(mover).name))
            }
            Self::Switch(id) => format!("use the {}", plain_name(&level.trigger(id).name)),
        }
    }
}

impl Game {
    /// Returns the door, mover or switch that a player would use. This is the object that the player looks at, if it
    /// is within reach; otherwise the door within reach and sight with the smallest angle to the line of sight.
    pub fn usable(&mut self, level: &Level, player: usize) -> Option<Usable> {
        let eye = self.hand_eye(level, player);
        let world = self.world();
        if let Some(hit) = cast_ray(level, world, eye.at, eye.forward() * REACH) {
            if let Some(mover) = hit.solid.mover(level) {
                return usable_mover(level, mover);
            }
            if let Some(switch) = switch_of(level, hit.solid) {
                return Some(Usable::Switch(switch));
            }
        }
        let panel = door_ahead(level, world, &eye)?;
        usable_mover(level, panel)
    }

    /// Uses the object ahead of a player.
    pub(super) fn use_ahead(&mut self, level: &Level, player: usize) {
        match self.usable(level, player) {
            Some(Usable::Door(link)) => {
                let open = !self.world.opens(link);
                // A blocked door is reported as an event.
                let _ = self.set_link(level, link, open);
            }
            Some(Usable::Mover(mover)) => self.world.call(mover),
            Some(Usable::Switch(trigger)) => {
                self.triggers.fire(level, trigger, Some(player as u32))
            }
            Some(Usable::Locked(mover)) => {
                let mut events = EventWriter {
                    level,
                    events: &mut self.events,
                    player: Some(player),
                };
                events.push(&self.players[player].actor, EventKind::Locked { mover });
            }
            None => {}
        }
    }

    /// Opens automatic doors that a player approaches on its own storey, with no solid in between.
    pub(super) fn open_approached_doors(&mut self, level: &Level, player: usize) {
        let actor = &self.players[player].actor;
        let at = actor.state.at;
        let feet = at.point.y - actor.body.radius;
        let head = at.with_point(at.point + DVec3::Y * actor.body.segment_length);
        for id in level.room(at.room).portals.clone().map(PortalId) {
            let portal = self.world.rooms().portal(level, id);
            let (link, polygon) = (portal.link, &portal.polygon);
            let Some(panel) = level.link(link).panel else {
                continue;
            };
            let drive = &level.mover(panel).drive;
            let opens = drive.started_by == StartedBy::Approach && !drive.locked;
            let is_hatch = polygon.plane.normal.y.abs() > HATCH;
            let comes = opens
                && polygon.distance(at.point) < APPROACH
                && (is_hatch || feet < polygon.centre().y)
                && [head, at]
                    .into_iter()
                    .any(|from| is_in_sight(level, &self.world, from, portal));
            if comes {
                self.world.open(link);
            }
        }
    }
}

/// The effect of using a mover; `None` if players cannot use it.
fn usable_mover(level: &Level, id: MoverId) -> Option<Usable> {
    let mover = level.mover(id);
    match (mover.drive.started_by, mover.drive.locked) {
        (StartedBy::Trigger, _) | (StartedBy::Approach, false) => None,
        (_, true) => Some(Usable::Locked(id)),
        (_, false) => Some(mover.link.map_or(Usable::Mover(id), Usable::Door)),
    }
}

/// The door panel within reach and sight of the eye with the smallest angle to the line of sight.
fn door_ahead(level: &Level, world: &World, eye: &Eye) -> Option<MoverId> {
    let (point, forward) = (eye.at.point, eye.forward());
    let portals = world.rooms().portals_of(level, eye.at.room);
    let doors = portals.filter_map(|(_, portal)| {
        let panel = level.link(portal.link).panel?;
        let polygon = &portal.polygon;
        let is_looked_at = polygon.triangles().any(|triangle| {
            let part = triangle.hit_by_ray(point, forward * REACH);
            part.is_some_and(|part| (0.0..=1.0).contains(&part))
        });
        let towards = (polygon.centre() - point).normalize_or_zero();
        let ahead = if is_looked_at {
            1.0
        } else {
            towards.dot(forward)
        };
        let is_ahead = ahead > AHEAD && polygon.distance(point) < REACH;
        let is_ahead = is_ahead && is_in_sight(level, world, eye.at, portal);
        is_ahead.then_some((ahead, panel))
    });
    let most = doors.max_by(|a, b| a.0.total_cmp(&b.0));
    most.map(|(_, panel)| panel)
}

/// Whether a part of an opening, or of the door panel in front of it, can be seen from a point of the opening's room
/// with no solid in between.
fn is_in_sight(level: &Level, world: &World, from: At, portal: &Portal) -> bool {
    let polygon = &portal.polygon;
    let centre = polygon.centre();
    let is_seen = |point: DVec3| {
        let ray = point - from.point;
        let Some(hit) = cast_ray(level, world, from, ray) else {
            return true;
        };
        let is_door = match hit.solid {
            Solid::Link(link) => link == portal.link,
            solid => {
                let mover = solid.mover(level);
                mover.is_some_and(|mover| level.mover(mover).link == Some(portal.link))
            }
        };
        is_door || hit.distance >= ray.length() - IN_OPENING
    };
    let corners = polygon.triangles().flat_map(|triangle| triangle.corners);
    let mut inside = corners.map(|corner| centre.lerp(corner, NEAR_CORNER));
    is_seen(centre) || inside.any(is_seen)
}
