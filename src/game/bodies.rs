//! The players among rigid bodies: bodies move the players, and players push bodies.

use glam::{DQuat, DVec3};

use super::Game;
use super::events::{EventKind, EventWriter};
use super::player::Player;
use crate::bodies::broad::PairMethod;
use crate::bodies::{
    BodyWorkspace, Character, Clock, PhaseTimes, is_clear_of, is_place_free, land, push,
    tick_bodies,
};
use crate::level::{BodyId, Level, SpawnerId, TICKS_PER_SECOND};
use crate::motion::{self, MotionEvent};
use crate::world::BodyState;

/// A player slower than this is at rest, m/s.
const STILL: f64 = 1e-6;

impl Game {
    /// Advances the rigid bodies by a tick, and moves the players by the displacements that they cause.
    pub(super) fn tick_bodies(&mut self, level: &Level, gravity: DVec3) {
        if level.bodies.is_empty() {
            return;
        }
        self.list_characters();
        tick_bodies(
            level,
            &mut self.world,
            &mut self.characters,
            self.broad_phase,
            gravity,
            &mut self.bodies,
        );
        let events = &mut self.events;
        let mut events = EventWriter {
            level,
            events,
            player: None,
        };
        for &event in self.bodies.events() {
            events.push_body(event);
        }
        let collision = super::collision(level, &self.world, self.broad_phase);
        for (player, character) in self.players.iter_mut().zip(&self.characters) {
            let (moved, change) = (character.moved, character.velocity_change);
            if moved != DVec3::ZERO || change != DVec3::ZERO {
                let (actor, workspace) = (&mut player.actor, &mut self.workspace);
                motion::displace(&collision, actor, workspace, moved, change);
            }
        }
    }

    /// Lists the players as characters of the rigid-body simulation.
    pub(super) fn list_characters(&mut self) {
        self.characters.clear();
        self.characters
            .extend(self.players.iter().map(character_of));
    }

    /// Sets the method that finds candidate pairs of bodies from the next tick on. All methods find the same pairs.
    pub fn find_pairs_by(&mut self, method: PairMethod) {
        self.bodies = BodyWorkspace::new(method);
    }

    /// The number of times that a body was stopped in a tick because it would have passed a surface or ended deep in
    /// it, since this game was created. Several bodies in one tick count separately.
    pub fn bodies_held_back(&self) -> u64 {
        self.bodies.held_back()
    }

    /// Measures the phases of later ticks of rigid bodies with a clock.
    pub fn time_bodies_by(&mut self, clock: Clock) {
        self.bodies.set_clock(clock);
    }

    /// The time that the phases of the rigid bodies' ticks have taken since a [clock](Self::time_bodies_by) was set.
    pub fn body_times(&self) -> PhaseTimes {
        self.bodies.times()
    }

    /// Sets the state of a rigid body; the body is present and awake from then on. Bodies that rested on it wake in the
    /// next tick.
    pub fn set_body(&mut self, id: BodyId, state: BodyState) {
        self.world.bodies.set(id, state);
    }

    /// Moves a kinematic body to a pose in the next tick, in coordinates of the body's room; `point` is the position of
    /// its centre of mass, metres. The body pushes other bodies and players on its way, and nothing stops it. It keeps
    /// the velocity and the spin of this motion until they are set again. Ignores non-finite poses, and bodies that are
    /// absent or not [kinematic](BodyState::is_kinematic).
    pub fn move_kinematic(&mut self, id: BodyId, point: DVec3, rotation: DQuat) {
        self.world.bodies.move_kinematic(id, point, rotation);
    }

    /// Sets the velocity, m/s, and the spin, radians per second, of a kinematic body, in coordinates of its room, until
    /// they are set again. The rest is as for [`Self::move_kinematic`].
    pub fn set_kinematic_velocity(&mut self, id: BodyId, velocity: DVec3, spin: DVec3) {
        self.world.bodies.set_kinematic_velocity(id, velocity, spin);
    }

    /// Removes a rigid body from the world: it does not collide and is not visible until [`Self::set_body`]. Bodies
    /// that rested on it wake in the next tick.
    pub fn remove_body(&mut self, id: BodyId) {
        self.world.bodies.remove(id);
    }

    /// Applies an impulse to a rigid body at a point, and wakes it: a hit, a shot, a jump. `impulse` is in N s and
    /// `point` in metres, both in coordinates of the body's room. Non-finite impulses and impulses on absent or
    /// kinematic bodies are ignored.
    pub fn apply_impulse(&mut self, level: &Level, id: BodyId, impulse: DVec3, point: DVec3) {
        let bodies = &mut self.world.bodies;
        bodies.apply_impulse(id, level.body(id), impulse, point);
    }

    /// Applies an angular impulse, N m s, about the axes of the body's room. The rest is as for
    /// [`Self::apply_impulse`].
    pub fn apply_angular_impulse(&mut self, level: &Level, id: BodyId, impulse: DVec3) {
        let bodies = &mut self.world.bodies;
        bodies.apply_angular_impulse(id, level.body(id), impulse);
    }

    /// Applies a force to a rigid body at a point in the next tick, and wakes the body: wind, buoyancy, an engine.
    /// The forces of a tick add up. For a lasting force, call this before each tick; the body then does not fall
    /// asleep. `force` is in N; the rest is as for [`Self::apply_impulse`].
    pub fn apply_force(&mut self, level: &Level, id: BodyId, force: DVec3, point: DVec3) {
        let bodies = &mut self.world.bodies;
        bodies.apply_force(id, level.body(id), force, point);
    }

    /// Applies a torque, N m, about the axes of the body's room. The rest is as for [`Self::apply_force`].
    pub fn apply_torque(&mut self, level: &Level, id: BodyId, torque: DVec3) {
        self.world.bodies.apply_torque(id, level.body(id), torque);
    }

    /// Removes the bodies of a spawner, and starts to spawn them again.
    pub(super) fn begin_spawner(&mut self, level: &Level, id: SpawnerId) {
        for &body in &level.spawner(id).bodies {
            self.remove_body(body);
        }
        self.spawners.begin(level, id);
    }

    /// Spawns the bodies that are due. A body waits while another body or a player occupies its starting position.
    pub(super) fn spawn_bodies(&mut self, level: &Level) {
        for (spawner, id) in level.spawners.iter().zip((0..).map(SpawnerId)) {
            let Some(body) = self.spawners.due(level, id) else {
                continue;
            };
            let state = BodyState {
                velocity: spawner.velocity,
                ..BodyState::at_start_of(level.body(body))
            };
            self.list_characters();
            let collision = super::collision(level, &self.world, self.broad_phase);
            let memory = &mut self.bodies;
            if is_clear_of(&collision, (body, &state), &self.characters, memory)
                && is_place_free(level, &self.world, (body, &state), memory)
            {
                self.spawners.bring(level, id);
                self.set_body(body, state);
                let events = &mut self.events;
                let mut events = EventWriter {
                    level,
                    events,
                    player: None,
                };
                events.push_at(state.at, EventKind::Spawned { body });
            }
        }
    }

    /// Pushes the bodies that a player ran into or landed on in its last tick.
    pub(super) fn push_bodies(&mut self, level: &Level, player: usize) {
        if level.bodies.is_empty() {
            return;
        }
        let player = &self.players[player];
        let character = character_of(player);
        let (report, state) = (&player.actor.report, &player.actor.state);
        let secs = TICKS_PER_SECOND.recip();
        for blocker in &report.blockers {
            if let Some(body) = blocker.solid.body(level) {
                let against = (state.walk, blocker.normal);
                push(level, &mut self.world, body, &character, against, secs);
            }
        }
        for event in &report.events {
            if let MotionEvent::Landed { speed, solid } = *event
                && let Some(body) = solid.body(level)
            {
                land(level, &mut self.world, body, &character, speed);
            }
        }
    }
}

/// A player as a character of the rigid-body simulation.
fn character_of(player: &Player) -> Character {
    let (body, state) = (&player.actor.body, &player.actor.state);
    let mut character = Character::new(state.at, body.radius, body.segment_length);
    if state.grounded {
        character.slip = state.fall.with_y(0.0);
    }
    character.stands_on = state.stands_on;
    character.pull = player.pull;
    character.is_at_rest = state.grounded && state.walk.length() < STILL;
    character
}
