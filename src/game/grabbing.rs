//! Bodies that the player takes, carries before it, and throws.

use glam::DVec3;

use super::Game;
use super::events::{EventKind, EventWriter};
use crate::collision::follow;
use crate::level::{At, BodyId, Level, TICKS_PER_SECOND};
use crate::queries::cast_ray;
use crate::visibility::Camera;
use crate::world::BodyState;

/// How far a player reaches, metres.
const REACH: f64 = 2.5;

/// Heavier bodies cannot be taken, kilograms.
const MAX_MASS: f64 = 40.0;

/// Between the player and what it holds there is this much air, metres.
const AIR: f64 = 0.25;

/// What is held goes to its place in this part of the way each tick, and no faster than so, m/s.
const FOLLOW: f64 = 0.3;
const MAX_SPEED: f64 = 8.0;

/// What part of its turning is left after a tick.
const SPIN_LEFT: f64 = 0.8;

/// What comes to be this far from its place is lost, metres.
const LOST: f64 = 1.5;

/// A throw gives an impulse of so many N s, and no more speed than so, m/s.
const THROW_IMPULSE: f64 = 60.0;
const THROW_SPEED: f64 = 12.0;

impl Game {
    /// The body that the player holds.
    pub fn holds(&self) -> Option<BodyId> {
        self.player.holds
    }

    /// The body that the player would take: the one that it looks at, if that is near and light enough.
    pub fn takeable(&mut self, level: &Level) -> Option<BodyId> {
        if level.bodies.is_empty() {
            return None;
        }
        let camera = self.camera(level, 1.0, 90.0, 1.0);
        let hit = cast_ray(level, &self.world, camera.at, camera.forward() * REACH)?;
        let body = hit.solid.body(level)?;
        let is_stood_on = self.player.actor.state.stands_on == Some(body);
        (level.body(body).mass.mass <= MAX_MASS && !is_stood_on).then_some(body)
    }

    /// Takes the body ahead, or throws the one that is held.
    pub(super) fn take_or_throw(&mut self, level: &Level) {
        if let Some(body) = self.player.holds.take() {
            self.throw(level, body);
        } else if let Some(body) = self.takeable(level) {
            self.player.holds = Some(body);
            self.note(level, body, EventKind::Taken { body });
        }
    }

    fn throw(&mut self, level: &Level, body: BodyId) {
        let camera = self.camera(level, 1.0, 90.0, 1.0);
        let state = *self.world.bodies.state(body);
        let speed = (THROW_IMPULSE / level.body(body).mass.mass).min(THROW_SPEED);
        let Some((_, there_from_eye)) = self.place_before(level, &camera, body) else {
            return;
        };
        let thrown = there_from_eye.vector(camera.forward() * speed);
        let velocity = state.velocity + thrown;
        self.world.bodies.set(body, BodyState { velocity, ..state });
        self.note(level, body, EventKind::Thrown { body });
    }

    /// Moves what is held towards its place before the eye; it collides on its way as all bodies do.
    pub(super) fn carry_held(&mut self, level: &Level) {
        let Some(body) = self.player.holds else {
            return;
        };
        let camera = self.camera(level, 1.0, 90.0, 1.0);
        let state = *self.world.bodies.state(body);
        let place = self.place_before(level, &camera, body);
        let way = place.map(|(place, _)| place.point - state.at.point);
        let is_under_feet = self.player.actor.state.stands_on == Some(body);
        let Some(way) = way.filter(|way| way.length() < LOST + REACH && !is_under_feet) else {
            self.player.holds = None;
            return;
        };
        let velocity = (way * (FOLLOW * TICKS_PER_SECOND)).clamp_length_max(MAX_SPEED);
        // Half of what gravity does in the tick to come, so that it hangs where it is.
        let lift = DVec3::Y * (0.5 * self.player.actor.body.gravity / TICKS_PER_SECOND);
        let state = BodyState {
            velocity: velocity + lift,
            spin: state.spin * SPIN_LEFT,
            ..state
        };
        self.world.bodies.set(body, state);
    }

    /// The place before the eye of what is held, in coordinates of the body's room, and the transform to these from
    /// the eye's; none where no straight way leads from one to the other.
    fn place_before(
        &self,
        level: &Level,
        camera: &Camera,
        body: BodyId,
    ) -> Option<(At, crate::geometry::Rigid)> {
        let radius = level.body(body).radius;
        let distance = self.player.actor.body.radius + AIR + radius;
        let collision = self.collision(level);
        let target = camera.at.point + camera.forward() * distance;
        let (place, place_from_eye) = follow(&collision, camera.at, target);
        let room = self.world.bodies.state(body).at.room;
        if place.room == room {
            return Some((place, place_from_eye));
        }
        let mut portals = self.world.rooms().portals_of(level, place.room);
        let (_, portal) = portals.find(|(_, portal)| portal.far == room)?;
        let there_from_place = portal.far_from_near;
        let point = there_from_place.point(place.point);
        Some((
            At::new(room, point),
            there_from_place.after(&place_from_eye),
        ))
    }

    fn note(&mut self, level: &Level, body: BodyId, kind: EventKind) {
        let at = self.world.bodies.state(body).at;
        let events = &mut self.events;
        EventWriter { level, events }.push_at(at, kind);
    }
}
