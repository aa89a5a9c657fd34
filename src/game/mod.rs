//! The state of a game as one value: the world and the player.
//!
//! A [`Game`] holds no reference to its level: every function is passed the level, so that the window, the tests and the
//! headless walk use the same value. The same level and inputs give the same [`Game::state_hash`], bit for bit.

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
pub use events::{EVENT_NAMES, Event, EventKind};
pub use interaction::Usable;
pub use links::link_named;
pub use placing::WentBack;
pub use player::{
    CHARACTER, Carried, EYE_HEIGHT, Input, PLAYER, PLAYER_HEIGHT, Player, RUN_SPEED, SPEED_UP_SECS,
    Start, ThirdPerson, WALK_SPEED,
};
#[cfg(feature = "testing")]
pub(crate) use player::{wrapped, yaw_of};

use crate::collision::{BroadPhase, CollisionWorld};
use glam::DVec3;

use crate::bodies::{BodyWorkspace, SupportWorkspace};
use crate::hash::Fnv64;
use crate::level::{Level, LinkId, Target};
use crate::motion::{self, Body, InTheWay, MoverEvent};
use crate::queries::SightMemory;
use crate::visibility::Camera;
use crate::world::{BodyState, GRAVITY, Going, Held, MoverState, World};
use events::EventWriter;
use spawners::Spawners;
use triggers::Triggers;

/// The initial capacity for the events of a tick.
const USUAL_EVENTS: usize = 16;

/// The state of a game: everything that changes during play.
#[derive(Debug)]
pub struct Game {
    /// The changing state of the level.
    world: World,
    /// The player.
    pub player: Player,
    /// The number of ticks since the start.
    pub tick: u64,
    /// The events of the last tick, and those between it and the tick before.
    pub events: Vec<Event>,
    /// The events since the last tick.
    pending_events: Vec<Event>,
    /// The states of triggers and switches.
    triggers: Triggers,
    /// The states of the spawners of bodies.
    spawners: Spawners,
    /// The events of movers in the last tick.
    mover_events: Vec<MoverEvent>,
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
    /// Starts a game in which the player stands at `start`, or crouches if there is no room to stand, and looks along the
    /// spawn's yaw.
    ///
    /// # Errors
    /// When there is no such spawn, or the player does not fit there.
    pub fn start(level: &Level, start: &Start, body: Body) -> Result<Self, GameError> {
        let world = World::of(level);
        let player = Player::start(&CollisionWorld::new(level, &world), start, body)?;
        Ok(Self::with_player(level, world, player))
    }

    fn with_player(level: &Level, world: World, player: Player) -> Self {
        Self {
            world,
            player,
            tick: 0,
            events: Vec::with_capacity(USUAL_EVENTS),
            pending_events: Vec::with_capacity(USUAL_EVENTS),
            mover_events: Vec::with_capacity(USUAL_EVENTS),
            triggers: Triggers::of(level),
            spawners: Spawners::of(level),
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

    /// Advances by [`motion::TICK_SECS`]. The events are in [`Self::events`] until the next tick.
    pub fn tick(&mut self, level: &Level, input: &Input) {
        self.events.clear();
        self.events.append(&mut self.pending_events);
        self.act(level);
        self.spawn_bodies(level);
        if input.interact {
            self.use_ahead(level);
        }
        if input.grab {
            self.take_or_throw(level);
        }
        let pull = self.carry_held(level);
        self.open_for_who_comes(level);
        self.player.previous = self.player.actor.state;
        self.mover_events.clear();
        let Player {
            actor, workspace, ..
        } = &mut self.player;
        let actors = std::slice::from_mut(actor);
        let events = &mut self.mover_events;
        motion::move_movers(level, &mut self.world, actors, workspace, events);
        let gravity = DVec3::NEG_Y * GRAVITY;
        self.tick_bodies(level, gravity, pull);
        let collision = collision(level, &self.world, self.broad_phase);
        let events = &mut self.events;
        let mut events = EventWriter { level, events };
        for &event in &self.mover_events {
            events.push_mover(&self.world, event);
        }
        self.player.tick(&collision, input, &mut events);
        self.push_bodies(level);
        let events = &mut self.events;
        let mut events = EventWriter { level, events };
        let world = (level, &self.world);
        self.triggers.touch(world, &self.player, &mut events);
        self.tick += 1;
    }

    /// Lets the triggers that are due act on their targets.
    fn act(&mut self, level: &Level) {
        self.triggers.count_down();
        let mut index = 0;
        while let Some(id) = self.triggers.due(index) {
            index += 1;
            let (events, actor) = (&mut self.events, &self.player.actor);
            EventWriter { level, events }.push(actor, EventKind::Triggered { trigger: id });
            for target in &level.trigger(id).targets {
                match *target {
                    Target::Link(link) => {
                        let open = !self.world.is_open(link);
                        // A blocked door is reported as an event.
                        let _ = self.set_link(level, link, open);
                    }
                    Target::Mover(mover) => self.world.call(mover),
                    Target::Trigger(other) => self.triggers.fire(level, other),
                    Target::Spawner(spawner) => self.begin_spawner(level, spawner),
                    Target::Body(body) => {
                        self.set_body(body, BodyState::of(level.body(body)));
                    }
                }
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
        let actors = [&self.player.actor];
        let bodies = actors.map(|actor| (&actor.body, &actor.state));
        let closed = motion::close_link(level, &mut self.world, link, bodies);
        if let Err(blocked) = &closed {
            let events = &mut self.pending_events;
            let kind = EventKind::DoorBlocked { link };
            let mut events = EventWriter { level, events };
            match blocked.by {
                InTheWay::Actor(index) => events.push(actors[index], kind),
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

    /// The player's view at `alpha` (0..1) between the last tick but one and the last.
    ///
    /// The eye is [`EYE_HEIGHT`] above the feet, or just below the top of a lower body, and follows steps with a delay. Its
    /// room is found by following the line up from the body's centre through the portals. `fov_deg` is the vertical field of
    /// view, `aspect` width over height.
    pub fn camera(&mut self, level: &Level, alpha: f64, fov_deg: f64, aspect: f64) -> Camera {
        let collision = collision(level, &self.world, self.broad_phase);
        self.player.view(&collision, alpha, fov_deg, aspect).0
    }

    /// The third-person view at the same moment: [`Self::camera`], moved back and up as far as no solid is in between, and the
    /// state of the player's figure.
    pub fn third_person(
        &mut self,
        level: &Level,
        alpha: f64,
        fov_deg: f64,
        aspect: f64,
    ) -> ThirdPerson {
        let collision = collision(level, &self.world, self.broad_phase);
        self.player.third_person(&collision, alpha, fov_deg, aspect)
    }

    /// Returns a hash that is equal for equal states. It is computed from names and coordinates, not from indices, so that it
    /// does not depend on the order of objects in a file.
    pub fn state_hash(&self, level: &Level) -> u64 {
        let hash = self.player.hash(level, Fnv64::EMPTY);
        let hash = match self.world.bodies.held() {
            Some(Held {
                body,
                grip,
                is_released,
            }) => hash
                .name("holds")
                .name(&level.body(body).name)
                .vector(grip)
                .bytes(&[u8::from(is_released)]),
            None => hash,
        };
        // Combined by a sum, so that the order of the links does not matter.
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
        // Movers are combined in the same way; movers at rest at their start are omitted.
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
            hash.number(state.rotation.w).0
        });
        let hash = match bodies.fold(0, u64::wrapping_add) {
            0 => hash,
            bodies => hash.bytes(&bodies.to_le_bytes()),
        };
        let hash = self.triggers.hash(level, hash);
        self.spawners.hash(level, hash).0
    }
}

/// The collision world of a world. A free function, so that the player can be borrowed mutably at the same time.
fn collision<'a>(
    level: &'a Level,
    world: &'a World,
    broad_phase: BroadPhase,
) -> CollisionWorld<'a> {
    CollisionWorld::new(level, world).with_broad_phase(broad_phase)
}
