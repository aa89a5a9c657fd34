//! Bodies that the player grabs, carries and throws.

use glam::DVec3;

use super::Game;
use super::bodies::character_of;
use super::events::{EventKind, EventWriter};
use crate::bodies::{Place, is_clear_of, pull, supports, throw};
use crate::collision::{CollisionWorld, follow};
use crate::geometry::Rigid;
use crate::level::{BodyId, Level, TICKS_PER_SECOND};
use crate::queries::{cast_ray, free_line};
use crate::visibility::Camera;
use crate::world::{GRAVITY, Held};

/// The maximum distance from the eye at which a player can grab a body, metres.
const REACH: f64 = 2.5;

/// The maximum mass of a body that can be grabbed, kilograms.
const MAX_MASS: f64 = 40.0;

/// The gap between the player and the bounding sphere of a carried body, metres: along the view, and its minimum where the view
/// is steep.
const AIR: f64 = 0.25;
const MIN_AIR: f64 = 0.05;

/// The maximum length of the line from the hands to the grip, metres.
const MAX_ARM: f64 = 2.0;

/// The distance from the grip within which a surface does not interrupt the line to it, metres: a carried body that is pressed
/// against a wall overlaps the wall slightly.
const GRIP_SLACK: f64 = 0.02;

impl Game {
    /// The body that the player carries.
    pub fn holds(&self) -> Option<BodyId> {
        let held = self.world.bodies.held();
        held.filter(|held| !held.is_released).map(|held| held.body)
    }

    /// The body that the player could grab: the body that it looks at, if that is near and light enough and does not support
    /// the player, directly or through other bodies.
    pub fn takeable(&mut self, level: &Level) -> Option<BodyId> {
        self.graspable(level).map(|held| held.body)
    }

    fn graspable(&mut self, level: &Level) -> Option<Held> {
        // A released body still overlaps the player.
        if level.bodies.is_empty() || self.world.bodies.held().is_some() {
            return None;
        }
        let camera = self.hand_camera(level);
        let hit = cast_ray(level, &self.world, camera.at, camera.forward() * REACH)?;
        let body = hit.solid.body(level)?;
        if level.body(body).mass.mass > MAX_MASS || self.stands_on(level, body) {
            return None;
        }
        let state = self.world.bodies.state(body);
        let here_from_there = self.world.rooms().portals_of(level, hit.at.room);
        let mut here_from_there = here_from_there
            .filter(|(_, portal)| portal.far == state.at.room)
            .map(|(_, portal)| portal.far_from_near.inverse());
        let here_from_body = if state.at.room == hit.at.room {
            state.room_from_body()
        } else {
            here_from_there.next()?.after(&state.room_from_body())
        };
        Some(Held {
            body,
            grip: here_from_body.point_from(hit.at.point),
            is_released: false,
        })
    }

    /// Whether the player stands on a body, directly or through other bodies.
    fn stands_on(&mut self, level: &Level, body: BodyId) -> bool {
        let stands_on = self.player.actor.state.stands_on;
        stands_on.is_some_and(|upper| supports(level, &self.world, body, upper, &mut self.supports))
    }

    /// Grabs the body ahead, or throws the body that is carried.
    pub(super) fn take_or_throw(&mut self, level: &Level) {
        let held = self.world.bodies.held();
        if let Some(held) = held.filter(|held| !held.is_released) {
            let camera = self.hand_camera(level);
            let there_from_eye = self.line_to(level, &camera, &held);
            self.let_go(held);
            if let Some(there_from_eye) = there_from_eye {
                let direction = there_from_eye.vector(camera.forward());
                throw(level, &mut self.world, held.body, direction);
                self.note(level, held.body, EventKind::Thrown { body: held.body });
            }
        } else if let Some(held) = self.graspable(level) {
            self.world.bodies.hold(Some(held));
            let body = held.body;
            self.note(level, body, EventKind::Taken { body });
        }
    }

    fn let_go(&mut self, held: Held) {
        self.world.bodies.hold(Some(Held {
            is_released: true,
            ..held
        }));
    }

    /// Pulls the carried body towards its position in front of the eye. On its way it collides like all bodies, but not with
    /// the player. Returns the force, N, in coordinates of the player's room.
    pub(super) fn carry_held(&mut self, level: &Level) -> DVec3 {
        let Some(held) = self.world.bodies.held() else {
            return DVec3::ZERO;
        };
        if held.is_released {
            let character = character_of(&self.player);
            let collision = CollisionWorld::new(level, &self.world);
            let state = self.world.bodies.state(held.body);
            if is_clear_of(&collision, (held.body, state), &character, &mut self.bodies) {
                self.world.bodies.hold(None);
            }
            return DVec3::ZERO;
        }
        let camera = self.hand_camera(level);
        let is_too_heavy = level.body(held.body).mass.mass > MAX_MASS;
        let is_free = !is_too_heavy && !self.stands_on(level, held.body);
        let line = is_free.then(|| self.line_to(level, &camera, &held));
        let Some(there_from_eye) = line.flatten() else {
            self.let_go(held);
            return DVec3::ZERO;
        };
        let there_from_player = there_from_eye.after(&self.eye_from_player(level, &camera));
        let offset = self.place_before(level, &camera, held.body);
        let place = there_from_eye.point(camera.at.point + offset);
        let place = Place {
            way: place - self.world.bodies.state(held.body).at.point,
            velocity: there_from_player.vector(self.player.actor.state.walk),
        };
        let time = (GRAVITY, TICKS_PER_SECOND.recip());
        let force = pull(level, &mut self.world, held.body, &place, time);
        there_from_player.inverse().vector(force)
    }

    fn hand_camera(&mut self, level: &Level) -> Camera {
        self.camera(level, 1.0, 90.0, 1.0)
    }

    /// The transform from coordinates of the player's room to those of the eye's room.
    fn eye_from_player(&self, level: &Level, camera: &Camera) -> Rigid {
        let room = self.player.actor.state.at.room;
        if room == camera.at.room {
            return Rigid::IDENTITY;
        }
        let mut portals = self.world.rooms().portals_of(level, room);
        let portal = portals.find(|(_, portal)| portal.far == camera.at.room);
        portal.map_or(Rigid::IDENTITY, |(_, portal)| portal.far_from_near)
    }

    /// Finds an unobstructed line from the eye to the grip that is not too far from the hands. Returns the transform from
    /// coordinates of the eye's room to those of the body's room.
    fn line_to(&mut self, level: &Level, camera: &Camera, held: &Held) -> Option<Rigid> {
        let state = self.world.bodies.state(held.body);
        let grip = state.room_from_body().point(held.grip);
        // The grip may be in another room than the centre.
        let collision = CollisionWorld::new(level, &self.world);
        let (end, end_from_there) = follow(&collision, state.at, grip);
        let hands = camera.forward() * (self.player.actor.body.radius + AIR);
        let longest = MAX_ARM + hands.length();
        let end_from_eye = free_line(
            level,
            &self.world,
            [camera.at, end],
            [longest, GRIP_SLACK],
            &mut self.sight,
        )?;
        let arm = end.point - end_from_eye.point(camera.at.point + hands);
        let there_from_eye = end_from_there.inverse().after(&end_from_eye);
        (arm.length() <= MAX_ARM).then_some(there_from_eye)
    }

    /// The position of a carried body relative to the eye: along the view, and beside the player where the view is steep.
    fn place_before(&self, level: &Level, camera: &Camera, body: BodyId) -> DVec3 {
        let size = self.player.actor.body.radius + level.body(body).radius;
        let view = camera.forward() * (size + AIR);
        let flat = view.with_y(0.0);
        let least = flat.try_normalize().unwrap_or(DVec3::ZERO) * (size + MIN_AIR);
        if flat.length() < least.length() {
            least.with_y(view.y)
        } else {
            view
        }
    }

    fn note(&mut self, level: &Level, body: BodyId, kind: EventKind) {
        let at = self.world.bodies.state(body).at;
        let events = &mut self.events;
        EventWriter { level, events }.push_at(at, kind);
    }
}
