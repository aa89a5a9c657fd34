//! What a player who uses what is ahead of it finds there.

use super::Game;
use super::triggers::switch_of;
use crate::level::{Level, LinkId, MoverId, StartedBy, TriggerId, plain_name};
use crate::queries::cast_ray;
use crate::visibility::Camera;
use crate::world::World;

/// How far a player reaches, metres.
const REACH: f64 = 2.5;
/// How far a door panel may be off the line of sight: the cosine of the angle.
const AHEAD: f64 = 0.5;

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
            Self::Switch(id) => format!("use the {}", plain_name(&level.trigger(id).name)),
        }
    }
}

impl Game {
    /// What the player would use: what it looks at within reach, or else the door nearest ahead of it.
    pub fn usable(&mut self, level: &Level) -> Option<Usable> {
        // The view's width does not matter here.
        let camera = self.camera(level, 1.0, 90.0, 1.0);
        let looked_at = self.looked_at(level, &camera);
        looked_at.or_else(|| door_ahead(level, &self.world, &camera).map(Usable::Door))
    }

    fn looked_at(&self, level: &Level, camera: &Camera) -> Option<Usable> {
        let hit = cast_ray(level, self.world(), camera.at, camera.forward() * REACH)?;
        match hit.solid.mover(level) {
            Some(mover) => usable_mover(level, mover),
            None => switch_of(level, hit.solid).map(Usable::Switch),
        }
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
            None => {}
        }
    }
}

/// What using a mover does, if a player can use it.
fn usable_mover(level: &Level, id: MoverId) -> Option<Usable> {
    let mover = level.mover(id);
    let can_use = mover.drive.started_by == StartedBy::Use && !mover.drive.locked;
    can_use.then(|| mover.link.map_or(Usable::Mover(id), Usable::Door))
}

/// The nearest link with a door panel ahead of a player.
fn door_ahead(level: &Level, world: &World, camera: &Camera) -> Option<LinkId> {
    let portals = world.rooms().portals_of(level, camera.at.room);
    let doors = portals.filter(|(_, portal)| {
        let panel = level.link(portal.link).panel;
        panel.is_some_and(|panel| usable_mover(level, panel).is_some())
    });
    let reachable = doors.filter_map(|(_, portal)| {
        let distance = portal.polygon.distance(camera.at.point);
        let towards = (portal.polygon.centre() - camera.at.point).normalize_or_zero();
        let is_ahead = towards.dot(camera.forward()) > AHEAD;
        (is_ahead && distance < REACH).then_some((distance, portal.link))
    });
    let nearest = reachable.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, link)| link)
}
