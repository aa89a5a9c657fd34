//! The state of a game as one value: the world and the players.
//!
//! A [`Game`] holds no reference to its level: every function is passed the level. So the window, the tests and the
//! headless walk use the same value. The same level and inputs give the same [`Game::state_hash`], bit for bit.
//!
//! Players are numbered by their index in [`Game::players`], and act in this order. They share one world: a door does
//! not close onto any of them, and lifts and rigid bodies interact with all of them. Players do not collide with each
//! other: they walk through each other.
//!
//! ```
//! use opendoor::author::grid_glb;
//! use opendoor::game::{Game, Input, PLAYER, Start};
//! use opendoor::load::load_bytes;
//!
//! let (level, _) = load_bytes("two rooms", &grid_glb(2, 1))?;
//! let mut game = Game::start(&level, &Start::Default, PLAYER)?;
//! let second = game.add_player(&level, &Start::Default, PLAYER)?;
//! game.players[second].look(90.0, 0.0);
//! let forward = Input { forward: 1.0, ..Input::default() };
//! for _ in 0..60 {
//!     game.tick(&level, &[forward, forward]);
//! }
//! let [first, second] = [0, second].map(|player| game.players[player].feet(&level));
//! assert_ne!(first, second);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bodies;
mod carried_bodies;
mod carry;
mod error;
mod events;
mod grabbing;
mod interaction;
mod links;
mod new_ids;
mod placing;
mod player;
mod save;
mod spawners;
mod triggers;

pub use error::GameError;
pub use events::{EVENT_NAMES, EventKind, GameEvent};
pub use interaction::Usable;
pub use links::link_named;
pub use placing::WentBack;
pub use player::{
    CHARACTER, CarriedPlayer, EYE_HEIGHT, Eye, Input, PLAYER, PLAYER_HEIGHT, Player, RUN_SPEED,
    SPEED_UP_SECS, Start, ThirdPerson, WALK_SPEED,
};
#[cfg(feature = "testing")]
pub(crate) use player::{wrapped, yaw_of};

use crate::collision::{BroadPhase, CollisionWorld};
use glam::DVec3;

use crate::bodies::{BodyWorkspace, Character, SupportWorkspace};
use crate::hash::Fnv64;
use crate::level::{At, Level, LightId, LinkId, TriggerTarget};
use crate::motion::{self, Body, InTheWay, MoverEvent, Workspace};
use crate::queries::SightMemory;
use crate::world::{BodyState, GRAVITY, Going, Held, MoverState, World};
use events::EventWriter;
use spawners::Spawners;
use triggers::{Fired, Triggers};

/// The initial capacity for the events of a tick.
const USUAL_EVENTS: usize = 16;

/// The index of the first player, the only one of a game that has just started.
pub const FIRST_PLAYER: usize = 0;

/// The state of a game: everything that changes during play. A parameter `player` is an index into [`Self::players`].
#[derive(Debug)]
pub struct Game {
    /// The changing state of the level.
    world: World,
    /// The players, in the order in which they act. [`Self::add_player`] and [`Self::remove_player`] change the list.
    pub players: Vec<Player>,
    /// The number of ticks since the start.
    pub tick: u64,
    /// The events of the last tick, and those between the last two ticks.
    pub events: Vec<GameEvent>,
    /// The events since the last tick.
    pending_events: Vec<GameEvent>,
    /// The states of triggers and switches.
    triggers: Triggers,
    /// The states of the spawners of bodies.
    spawners: Spawners,
    /// The events of movers in the last tick.
    mover_events: Vec<MoverEvent>,
    /// The workspace of the players' ticks and of the movers.
    workspace: Workspace,
    /// The players as characters of the rigid-body simulation; listed only where needed.
    characters: Vec<Character>,
    /// The workspace of the rigid bodies' ticks.
    bodies: BodyWorkspace,
    /// The workspace of the search for the supports of a body.
    supports: SupportWorkspace,
    /// The workspace of line-of-sight queries.
    sight: SightMemory,
    /// The broad phase that finds candidate polygons.
    pub broad_phase: BroadPhase,
}

impl Game {
    /// Starts a game with one player, which stands at `start`, or crouches if there is no room to stand, and looks
    /// along the spawn's yaw.
    ///
    /// # Errors
    /// When there is no such spawn, or the player does not fit there.
    pub fn start(level: &Level, start: &Start, body: Body) -> Result<Self, GameError> {
        let mut game = Self::in_world(level, World::of(level));
        game.add_player(level, start, body)?;
        Ok(game)
    }

    /// Starts a game without players in a world.
    fn in_world(level: &Level, world: World) -> Self {
        Self {
            world,
            players: Vec::new(),
            tick: 0,
            events: Vec::with_capacity(USUAL_EVENTS),
            pending_events: Vec::with_capacity(USUAL_EVENTS),
            mover_events: Vec::with_capacity(USUAL_EVENTS),
            triggers: Triggers::of(level),
            spawners: Spawners::of(level),
            workspace: Workspace::default(),
            characters: Vec::new(),
            bodies: BodyWorkspace::default(),
            supports: SupportWorkspace::default(),
            sight: SightMemory::default(),
            broad_phase: BroadPhase::Portals,
        }
    }

    /// Starts a game at the level's first spawn with the default body [`CHARACTER`].
    ///
    /// # Errors
    /// When there is no spawn, or the player does not fit there.
    pub fn new(level: &Level) -> Result<Self, GameError> {
        Self::start(level, &Start::Default, CHARACTER)
    }

    /// Advances by [`motion::TICK_SECS`], with an input for each player. A player without an input gets the default
    /// one and stands still; surplus inputs are ignored. The events are in [`Self::events`] until the next tick.
    pub fn tick(&mut self, level: &Level, inputs: &[Input]) {
        let input_of = |player: usize| inputs.get(player).copied().unwrap_or_default();
        let count = self.players.len();
        self.events.clear();
        self.events.append(&mut self.pending_events);
        self.act(level);
        self.spawn_bodies(level);
        for player in 0..count {
            let input = input_of(player);
            if input.interact {
                self.use_ahead(level, player);
            }
            if input.grab {
                self.take_or_throw(level, player);
            }
        }
        for player in 0..count {
            self.carry_held(level, player);
            self.open_approached_doors(level, player);
        }
        for player in &mut self.players {
            player.previous = player.actor.state;
        }
        self.mover_events.clear();
        motion::move_movers(
            level,
            &mut self.world,
            &mut self.players,
            &mut self.workspace,
            &mut self.mover_events,
        );
        self.tick_bodies(level, DVec3::NEG_Y * GRAVITY);
        let mut events = EventWriter {
            level,
            events: &mut self.events,
            player: None,
        };
        for &event in &self.mover_events {
            events.push_mover(&self.world, event);
        }
        let collision = collision(level, &self.world, self.broad_phase);
        for (index, player) in self.players.iter_mut().enumerate() {
            events.player = Some(index);
            player.tick(
                &collision,
                &input_of(index),
                &mut self.workspace,
                &mut events,
            );
        }
        for player in 0..count {
            self.push_bodies(level, player);
        }
        let mut events = EventWriter {
            level,
            events: &mut self.events,
            player: None,
        };
        for (index, player) in self.players.iter().enumerate() {
            events.player = Some(index);
            let world = (level, &self.world);
            self.triggers.touch(world, (index, player), &mut events);
        }
        self.tick += 1;
    }

    /// Lets the triggers that are due act on their targets.
    fn act(&mut self, level: &Level) {
        self.triggers.count_down();
        let mut index = 0;
        while let Some(fired) = self.triggers.due(index) {
            index += 1;
            self.note_triggered(level, fired);
            let id = fired.trigger;
            for target in &level.trigger(id).targets {
                match *target {
                    TriggerTarget::Link(link) => {
                        let open = !self.world.is_open(link);
                        // A blocked door is reported as an event.
                        let _ = self.set_link(level, link, open);
                    }
                    TriggerTarget::Mover(mover) => self.world.call(mover),
                    TriggerTarget::Trigger(other) => self.triggers.fire(level, other, fired.player),
                    TriggerTarget::Spawner(spawner) => self.begin_spawner(level, spawner),
                    TriggerTarget::Body(body) => {
                        self.set_body(body, BodyState::of(level.body(body)));
                    }
                    TriggerTarget::Light(light) => self.world.switch_light(light),
                }
            }
        }
    }

    /// Adds the event of a trigger that acts.
    fn note_triggered(&mut self, level: &Level, fired: Fired) {
        let trigger = fired.trigger;
        let kind = EventKind::Triggered { trigger };
        let player = fired.player.map(|player| player as usize);
        let events = &mut self.events;
        let mut events = EventWriter {
            level,
            events,
            player,
        };
        match player {
            Some(player) => events.push(&self.players[player].actor, kind),
            None => {
                let room = level.trigger(trigger).room;
                events.push_at(At::new(room, level.room(room).bounds.centre()), kind);
            }
        }
    }

    /// Opens or closes a link.
    ///
    /// # Errors
    /// When the link should close but a body is in the way.
    pub fn set_link(&mut self, level: &Level, link: LinkId, open: bool) -> Result<(), GameError> {
        if open {
            self.world.open(link);
            return Ok(());
        }
        // All bodies of the game: an omitted body could end up inside the door panel.
        let bodies = self.players.iter().map(|player| &player.actor);
        let bodies = bodies.map(|actor| (&actor.body, &actor.state));
        let closed = motion::close_link(level, &mut self.world, link, bodies);
        if let Err(blocked) = &closed {
            let kind = EventKind::DoorBlocked { link };
            let mut events = EventWriter {
                level,
                events: &mut self.pending_events,
                player: None,
            };
            match blocked.by {
                InTheWay::Actor(index) => {
                    events.player = Some(index);
                    events.push(&self.players[index].actor, kind);
                }
                InTheWay::Body(body) => events.push_at(self.world.bodies.state(body).at, kind),
            }
        }
        Ok(closed?)
    }

    /// The changing state of the level; modified by [`Self::set_link`].
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The collision world of the current state.
    pub fn collision<'a>(&'a self, level: &'a Level) -> CollisionWorld<'a> {
        collision(level, &self.world, self.broad_phase)
    }

    /// The third-person view of a player at `alpha` (0..1) between the last two ticks: the state of the player's
    /// figure, and a camera behind and above [`Player::eye`], as far away as solids permit. `fov_deg` is the vertical
    /// field of view, `aspect` width over height.
    pub fn third_person(
        &mut self,
        level: &Level,
        player: usize,
        alpha: f64,
        fov_deg: f64,
        aspect: f64,
    ) -> ThirdPerson {
        let collision = collision(level, &self.world, self.broad_phase);
        let (player, workspace) = (&mut self.players[player], &mut self.workspace);
        player.third_person(&collision, alpha, [fov_deg, aspect], workspace)
    }

    /// Returns a hash that is equal for equal states. It is computed from names and coordinates instead of indices,
    /// so it does not depend on the order of objects in a file.
    pub fn state_hash(&self, level: &Level) -> u64 {
        // Players are combined by a sum, so that a swap of two players with the bodies that they carry does not
        // change the hash.
        let players = (0..self.players.len()).map(|player| self.player_hash(level, player));
        let hash = Fnv64(players.fold(0, u64::wrapping_add));
        // Links are combined by a sum, so that their order does not matter.
        let closed = self.world.closed().map(|id| {
            let link = level.link(id);
            Fnv64::EMPTY
                .name(&link.name)
                .name(&level.room(link.near).name)
                .name(&level.room(link.far).name)
                .0
        });
        let closed = closed.fold(0, u64::wrapping_add);
        let hash = hash.bytes(&closed.to_le_bytes());
        // Movers are combined by a sum too; movers at rest at their start are omitted.
        let movers = self
            .world
            .movers()
            .filter(|(_, state)| **state != MoverState::START);
        let moved = movers.map(|(id, state)| {
            let going = match state.going {
                Going::Rest => 0u8,
                Going::There => 1,
                Going::Back => 2,
            };
            let name = Fnv64::EMPTY.name(&level.mover(id).name).bytes(&[going]);
            let name = name.bytes(&state.at.to_le_bytes());
            name.bytes(&state.waits.to_le_bytes()).0
        });
        let hash = match moved.fold(0, u64::wrapping_add) {
            0 => hash,
            moved => hash.bytes(&moved.to_le_bytes()),
        };
        // Lights in their authored state are omitted too.
        let lights = (0..).map(LightId).zip(&level.lights);
        let switched = lights.filter(|(id, light)| self.world.is_lit(*id) != light.starts_lit);
        let switched = switched.map(|(_, light)| Fnv64::EMPTY.name(&light.name).0);
        let hash = match switched.fold(0, u64::wrapping_add) {
            0 => hash,
            switched => hash.bytes(&switched.to_le_bytes()),
        };
        let present = self
            .world
            .bodies
            .iter()
            .filter(|(_, state)| state.is_present);
        let bodies = present.map(|(id, state)| {
            let hash = Fnv64::EMPTY.name(&level.body(id).name);
            let hash = hash.name(&level.room(state.at.room).name);
            let hash = hash.vector(state.at.point).vector(state.velocity);
            let hash = hash.vector(state.spin).vector(state.rotation.xyz());
            let hash = hash.number(state.rotation.w);
            match state.is_kinematic {
                true => hash.name("kinematic").0,
                false => hash.0,
            }
        });
        let hash = match bodies.fold(0, u64::wrapping_add) {
            0 => hash,
            bodies => hash.bytes(&bodies.to_le_bytes()),
        };
        let hash = self.triggers.hash(level, hash);
        self.spawners.hash(level, hash).0
    }

    /// The hash of a player and of the body that it carries.
    fn player_hash(&self, level: &Level, player: usize) -> u64 {
        let hash = self.players[player].hash(level, Fnv64::EMPTY);
        let Some(held) = self.world.bodies.held_by(player) else {
            return hash.0;
        };
        let Held {
            body,
            grip,
            is_released,
        } = held;
        let hash = hash.name("holds").name(&level.body(body).name);
        hash.vector(grip).bytes(&[u8::from(is_released)]).0
    }
}

/// The collision world of a [`World`]. A free function, so that players can be borrowed mutably at the same time.
fn collision<'a>(
    level: &'a Level,
    world: &'a World,
    broad_phase: BroadPhase,
) -> CollisionWorld<'a> {
    CollisionWorld::new(level, world).with_broad_phase(broad_phase)
}
