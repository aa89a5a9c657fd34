//! All that changes during play, as one value: the world, and who plays in it.
//!
//! A [`Game`] holds no reference to its level: every function is given it, so that window, tests
//! and the headless walk drive the same value. The same level and inputs give the same
//! [`Game::state_hash`], bit for bit.

mod bodies;
mod body_starts;
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
mod walkable;

pub use body_starts::check_bodies;
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
pub use walkable::check_walking;

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

/// Events of one tick for which there is room from the start.
const USUAL_EVENTS: usize = 16;

/// All that changes during play.
#[derive(Debug)]
pub struct Game {
    /// What changes of the level.
    world: World,
    /// Who plays.
    pub player: Player,
    /// Ticks since the start.
    pub tick: u64,
    /// What happened in the last tick, and between it and the one before.
    pub events: Vec<Event>,
    /// What happened since the last tick.
    pending_events: Vec<Event>,
    /// What fires and acts.
    triggers: Triggers,
    /// The spawners of bodies.
    spawners: Spawners,
    /// What happened to movers in the last tick.
    mover_events: Vec<MoverEvent>,
    /// The memory of ticks of rigid bodies.
    bodies: BodyWorkspace,
    /// The memory of the search for what a body stands on.
    supports: SupportWorkspace,
    /// The memory of lines of sight.
    sight: SightMemory,
    /// Where candidate polygons are looked for.
    pub broad_phase: BroadPhase,
}

impl Game {
    /// A game in which the player stands at `start`, or crouches where there is no room to stand,
    /// and looks along the spawn's yaw.
    ///
    /// # Errors
    /// When there is no such spawn, or no room to stand there.
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

    /// A game at the level's first spawn with the usual [`CHARACTER`].
    ///
    /// # Errors
    /// When there is no spawn, or no room to stand there.
    pub fn new(level: &Level) -> Result<Self, GameError> {
        Self::start(level, &Start::Default, CHARACTER)
    }

    /// Advances by [`motion::TICK_SECS`]. What happened is in [`Self::events`] until the next tick.
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

    /// Lets the triggers act whose time has come.
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
                        // Who stands in the way is an event.
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
    /// When it should close on a body.
    pub fn set_link(&mut self, level: &Level, link: LinkId, open: bool) -> Result<(), GameError> {
        if open {
            self.world.open(link);
            return Ok(());
        }
        // All bodies of the game: one that is left out may end up inside the door panel.
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

    /// What changes of the level; [`Self::set_link`] changes it.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world as motion reads it now.
    pub fn collision<'a>(&'a self, level: &'a Level) -> CollisionWorld<'a> {
        collision(level, &self.world, self.broad_phase)
    }

    /// The player's view, `alpha` (0..1) of the way from the last tick but one to the last.
    ///
    /// The eye is [`EYE_HEIGHT`] above the feet, in a lower body just below its top, and comes after
    /// them on steps; its room is found by following the line up from the centre of the body
    /// through the portals. `fov_deg` is the vertical field of view, `aspect` width over height.
    pub fn camera(&mut self, level: &Level, alpha: f64, fov_deg: f64, aspect: f64) -> Camera {
        let collision = collision(level, &self.world, self.broad_phase);
        self.player.view(&collision, alpha, fov_deg, aspect).0
    }

    /// The player seen from behind, at the same moment: [`Self::camera`], moved back and up as far as nothing solid
    /// is in between, and what its figure does.
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

    /// A number that is equal for equal states. It holds names and coordinates, and no index of
    /// anything, so that the order of a file cannot show in it.
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
        // A sum, so that the order of the links does not matter.
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
        // The same for movers; those at rest at their start are as good as none.
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

/// The world as motion reads it, apart from the players, who change while they read it.
fn collision<'a>(
    level: &'a Level,
    world: &'a World,
    broad_phase: BroadPhase,
) -> CollisionWorld<'a> {
    CollisionWorld::new(level, world).with_broad_phase(broad_phase)
}
