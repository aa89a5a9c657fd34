//! What a player who uses what is ahead of it finds there.

use glam::DVec3;

use super::Game;
use super::events::{EventKind, EventWriter};
use super::triggers::switch_of;
use crate::collision::Solid;
use crate::level::{
    At, Level, LinkId, MoverId, Portal, PortalId, StartedBy, TriggerId, plain_name,
};
use crate::queries::cast_ray;
use crate::visibility::Camera;
use crate::world::World;

/// How far a player reaches, metres.
const REACH: f64 = 2.5;
/// Doors that open by themselves do so for players who come this near, metres.
const APPROACH: f64 = 2.0;
/// How far a door may be off the line of sight: the cosine of the angle.
const AHEAD: f64 = 0.85;
/// Openings whose normal is steeper than this are hatches: the cosine of the angle to the vertical.
const HATCH: f64 = 0.7;
/// Solids that a line of sight meets this near an opening are in it, metres.
const IN_OPENING: f64 = 1e-6;
/// Where an opening is looked for: this part of the way from its centre to each corner.
const NEAR_CORNER: f64 = 0.8;

/// What a player can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usable {
    /// A link whose door panel vanishes, or swings: it opens or closes.
    Door(LinkId),
    /// Another mover: it is set going, or back.
    Mover(MoverId),
    /// A switch: it fires.
    Switch(TriggerId),
    /// A door or another mover that is locked: nothing moves, and the player is told.
    Locked(MoverId),
}

impl Usable {
    /// What using it does, as a prompt says it.
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
    /// The door, mover or switch that the player would use: the one that it looks at within reach. Where it looks at
    /// none, the door within reach and sight that is least off the line of sight.
    pub fn usable(&mut self, level: &Level) -> Option<Usable> {
        // The view's width does not matter here.
        let camera = self.camera(level, 1.0, 90.0, 1.0);
        let world = self.world();
        if let Some(hit) = cast_ray(level, world, camera.at, camera.forward() * REACH) {
            if let Some(mover) = hit.solid.mover(level) {
                return usable_mover(level, mover);
            }
            if let Some(switch) = switch_of(level, hit.solid) {
                return Some(Usable::Switch(switch));
            }
        }
        let panel = door_ahead(level, world, &camera)?;
        usable_mover(level, panel)
    }

    /// Uses what is ahead.
    pub(super) fn use_ahead(&mut self, level: &Level) {
        match self.usable(level) {
            Some(Usable::Door(link)) => {
                let open = !self.world.opens(link);
                // Who stands in the way is an event.
                let _ = self.set_link(level, link, open);
            }
            Some(Usable::Mover(mover)) => self.world.call(mover),
            Some(Usable::Switch(trigger)) => self.triggers.fire(level, trigger),
            Some(Usable::Locked(mover)) => {
                let (events, actor) = (&mut self.events, &self.player.actor);
                EventWriter { level, events }.push(actor, EventKind::Locked { mover });
            }
            None => {}
        }
    }

    /// Opens the doors that open by themselves where the player comes near them: on their storey, with
    /// nothing solid in between.
    pub(super) fn open_for_who_comes(&mut self, level: &Level) {
        let actor = &self.player.actor;
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

/// What using a mover does, if a player can use it.
fn usable_mover(level: &Level, id: MoverId) -> Option<Usable> {
    let mover = level.mover(id);
    match (mover.drive.started_by, mover.drive.locked) {
        (StartedBy::Trigger, _) | (StartedBy::Approach, false) => None,
        (_, true) => Some(Usable::Locked(id)),
        (_, false) => Some(mover.link.map_or(Usable::Mover(id), Usable::Door)),
    }
}

/// The panel of the door, within reach and sight of a player, that is least off its line of sight.
fn door_ahead(level: &Level, world: &World, camera: &Camera) -> Option<MoverId> {
    let (eye, forward) = (camera.at.point, camera.forward());
    let portals = world.rooms().portals_of(level, camera.at.room);
    let doors = portals.filter_map(|(_, portal)| {
        let panel = level.link(portal.link).panel?;
        let polygon = &portal.polygon;
        let is_looked_at = polygon.triangles().any(|triangle| {
            let part = triangle.hit_by_ray(eye, forward * REACH);
            part.is_some_and(|part| (0.0..=1.0).contains(&part))
        });
        let towards = (polygon.centre() - eye).normalize_or_zero();
        let ahead = if is_looked_at {
            1.0
        } else {
            towards.dot(forward)
        };
        let is_ahead = ahead > AHEAD && polygon.distance(eye) < REACH;
        let is_ahead = is_ahead && is_in_sight(level, world, camera.at, portal);
        is_ahead.then_some((ahead, panel))
    });
    let most = doors.max_by(|a, b| a.0.total_cmp(&b.0));
    most.map(|(_, panel)| panel)
}

/// Whether a part of an opening, or of its door panel before it, can be seen from a point of its room with
/// nothing solid in between.
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
