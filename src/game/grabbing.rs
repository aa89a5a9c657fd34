//! Bodies that players grab, carry and throw. At most one player carries a body.

use glam::DVec3;

use super::Game;
use super::events::{EventKind, EventWriter};
use super::player::Eye;
use crate::bodies::{HandTarget, is_clear_of, pull, supports, throw};
use crate::collision::{CollisionWorld, follow};
use crate::geometry::Rigid;
use crate::level::{BodyId, Level, TICKS_PER_SECOND};
use crate::queries::{cast_ray, free_line};
use crate::world::{GRAVITY, Held};

/// The maximum distance from the eye at which a player can grab a body, metres.
const REACH: f64 = 2.5;

/// The maximum mass of a body that can be grabbed, kilograms.
const MAX_MASS: f64 = 40.0;

/// The gap between the player and the bounding sphere of a carried body along the view, metres.
const AIR: f64 = 0.25;
/// The minimum horizontal gap between them, metres. It applies where the view is steep.
const MIN_AIR: f64 = 0.05;

/// The maximum length of the line from the hands to the grip, metres.
const MAX_ARM: f64 = 2.0;

/// A surface within this distance of the grip does not interrupt the line to it, in metres: a carried body that is
/// pressed against a wall overlaps the wall slightly.
const GRIP_SLACK: f64 = 0.02;

impl Game {
    /// The body that a player carries.
    pub fn holds(&self, player: usize) -> Option<BodyId> {
        let held = self.world.bodies.held_by(player);
        held.filter(|held| !held.is_released).map(|held| held.body)
    }

    /// The body that a player could grab: the body that it looks at, if that body is near and light enough, is not
    /// carried by another player and does not support a player, directly or through other bodies.
    pub fn takeable(&mut self, level: &Level, player: usize) -> Option<BodyId> {
        self.graspable(level, player).map(|held| held.body)
    }

    fn graspable(&mut self, level: &Level, player: usize) -> Option<Held> {
        // A released body still overlaps a player.
        if level.bodies.is_empty() || self.world.bodies.held_by(player).is_some() {
            return None;
        }
        let eye = self.hand_eye(level, player);
        let hit = cast_ray(level, &self.world, eye.at, eye.forward() * REACH)?;
        let body = hit.solid.body(level)?;
        let is_held = self.world.bodies.held().any(|held| held == body);
        let is_too_heavy = level.body(body).mass.mass > MAX_MASS;
        let is_kinematic = self.world.bodies.state(body).is_kinematic;
        if is_held || is_too_heavy || is_kinematic || self.supports_a_player(level, body) {
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

    /// Whether a player stands on a body, directly or through other bodies.
    fn supports_a_player(&mut self, level: &Level, body: BodyId) -> bool {
        let stands_on = self.players.iter().map(|player| &player.actor.state);
        let mut stands_on = stands_on.filter_map(|state| state.stands_on);
        stands_on.any(|upper| supports(level, &self.world, body, upper, &mut self.supports))
    }

    /// Grabs the body ahead of a player, or throws the body that it carries.
    pub(super) fn take_or_throw(&mut self, level: &Level, player: usize) {
        let held = self.world.bodies.held_by(player);
        if let Some(held) = held.filter(|held| !held.is_released) {
            let eye = self.hand_eye(level, player);
            let there_from_eye = self.line_to(level, player, &eye, &held);
            self.let_go(player, held);
            if let Some(there_from_eye) = there_from_eye {
                let direction = there_from_eye.vector(eye.forward());
                throw(level, &mut self.world, held.body, direction);
                let kind = EventKind::Thrown { body: held.body };
                self.note(level, player, held.body, kind);
            }
        } else if let Some(held) = self.graspable(level, player) {
            self.world.bodies.hold(player, Some(held));
            let body = held.body;
            self.note(level, player, body, EventKind::Taken { body });
        }
    }

    fn let_go(&mut self, player: usize, held: Held) {
        let released = Held {
            is_released: true,
            ..held
        };
        self.world.bodies.hold(player, Some(released));
    }

    /// Pulls the body that a player carries towards its position in front of the eye, and stores the force. On its
    /// way the body collides like all bodies, but not with players.
    pub(super) fn carry_held(&mut self, level: &Level, player: usize) {
        let pull = match self.world.bodies.held_by(player) {
            None => DVec3::ZERO,
            Some(held) if held.is_released => {
                self.let_be_solid(level, player, held.body);
                DVec3::ZERO
            }
            Some(held) => self.pull_held(level, player, held).unwrap_or_else(|| {
                self.let_go(player, held);
                DVec3::ZERO
            }),
        };
        self.players[player].pull = pull;
    }

    /// Makes a released body solid to players again, once no player overlaps it.
    fn let_be_solid(&mut self, level: &Level, player: usize, body: BodyId) {
        self.list_characters();
        let collision = CollisionWorld::new(level, &self.world);
        let placed = (body, self.world.bodies.state(body));
        if is_clear_of(&collision, placed, &self.characters, &mut self.bodies) {
            self.world.bodies.hold(player, None);
        }
    }

    /// Pulls a carried body. Returns the force, N, in coordinates of the player's room; `None` if the player loses
    /// the body.
    fn pull_held(&mut self, level: &Level, player: usize, held: Held) -> Option<DVec3> {
        let eye = self.hand_eye(level, player);
        let is_too_heavy = level.body(held.body).mass.mass > MAX_MASS;
        if is_too_heavy || self.supports_a_player(level, held.body) {
            return None;
        }
        let there_from_eye = self.line_to(level, player, &eye, &held)?;
        let there_from_player = there_from_eye.after(&self.eye_from_player(level, player, &eye));
        let offset = self.place_before(level, player, &eye, held.body);
        let place = there_from_eye.point(eye.at.point + offset);
        let place = HandTarget {
            way: place - self.world.bodies.state(held.body).at.point,
            velocity: there_from_player.vector(self.players[player].actor.state.walk),
        };
        let time = (GRAVITY, TICKS_PER_SECOND.recip());
        let force = pull(level, &mut self.world, held.body, &place, time);
        Some(there_from_player.inverse().vector(force))
    }

    /// The eye of a player after the last tick, with which the player aims.
    pub(super) fn hand_eye(&mut self, level: &Level, player: usize) -> Eye {
        let collision = super::collision(level, &self.world, self.broad_phase);
        self.players[player].eye(&collision, 1.0, &mut self.workspace)
    }

    /// The transform from coordinates of the player's room to those of the eye's room.
    fn eye_from_player(&self, level: &Level, player: usize, eye: &Eye) -> Rigid {
        let room = self.players[player].actor.state.at.room;
        if room == eye.at.room {
            return Rigid::IDENTITY;
        }
        let mut portals = self.world.rooms().portals_of(level, room);
        let portal = portals.find(|(_, portal)| portal.far == eye.at.room);
        portal.map_or(Rigid::IDENTITY, |(_, portal)| portal.far_from_near)
    }

    /// Finds an unobstructed line from the eye to the grip. `None` if there is none, or if the grip is too far from
    /// the hands. Returns the transform from coordinates of the eye's room to those of the body's room.
    fn line_to(&mut self, level: &Level, player: usize, eye: &Eye, held: &Held) -> Option<Rigid> {
        let state = self.world.bodies.state(held.body);
        let grip = state.room_from_body().point(held.grip);
        // The grip may be in another room than the body's centre.
        let collision = CollisionWorld::new(level, &self.world);
        let (end, end_from_there) = follow(&collision, state.at, grip);
        let hands = eye.forward() * (self.players[player].actor.body.radius + AIR);
        let longest = MAX_ARM + hands.length();
        let end_from_eye = free_line(
            level,
            &self.world,
            [eye.at, end],
            [longest, GRIP_SLACK],
            &mut self.sight,
        )?;
        let arm = end.point - end_from_eye.point(eye.at.point + hands);
        let there_from_eye = end_from_there.inverse().after(&end_from_eye);
        (arm.length() <= MAX_ARM).then_some(there_from_eye)
    }

    /// The position of a carried body relative to the eye: along the view, but always in front of the player, not above
    /// or below.
    fn place_before(&self, level: &Level, player: usize, eye: &Eye, body: BodyId) -> DVec3 {
        let size = self.players[player].actor.body.radius + level.body(body).radius;
        let view = eye.forward() * (size + AIR);
        let flat = view.with_y(0.0);
        let least = flat.try_normalize().unwrap_or(DVec3::ZERO) * (size + MIN_AIR);
        if flat.length() < least.length() {
            least.with_y(view.y)
        } else {
            view
        }
    }

    fn note(&mut self, level: &Level, player: usize, body: BodyId, kind: EventKind) {
        let at = self.world.bodies.state(body).at;
        let events = &mut self.events;
        let player = Some(player);
        let mut events = EventWriter {
            level,
            events,
            player,
        };
        events.push_at(at, kind);
    }
}
