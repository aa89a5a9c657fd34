//! Games as bytes: a restored game continues as if it had never stopped.

use super::Game;
use super::error::GameError;
use super::player::Player;
use super::spawners::Spawners;
use super::triggers::Triggers;
use crate::bodies::{BodyWorkspace, SupportWorkspace};
use crate::collision::BroadPhase;
use crate::hash::Fnv64;
use crate::level::Level;
use crate::motion::Workspace;
use crate::queries::SightMemory;
use crate::save::{Saved, StateReader};
use crate::world::World;

/// The header of a saved game; its digit is increased whenever older saved games can no longer be read.
const MAGIC: &[u8; 8] = b"opendor9";

/// The maximum tick of a saved game. No real game is that old, and a game of this age can still advance.
const MAX_TICK: u64 = 1 << 52;

impl Game {
    /// Saves the whole state as bytes, between two ticks. Data outside the state (the method of the broad phase, the events of
    /// the last tick) is not saved.
    pub fn save(&self, level: &Level) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.save_to(level, &mut bytes);
        bytes
    }

    /// Saves the state to `bytes`, replacing the former content; does not allocate if the capacity suffices.
    pub(crate) fn save_to(&self, level: &Level, bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.extend(MAGIC);
        key(level).save(bytes);
        self.tick.save(bytes);
        self.world.save(bytes);
        self.players.save(bytes);
        self.triggers.save(bytes);
        self.spawners.save(bytes);
    }

    /// Restores a saved game: the same ticks with the same inputs give the same bits.
    ///
    /// # Errors
    /// When the bytes are not a saved game, or were saved in another level.
    pub fn restore(level: &Level, bytes: &[u8]) -> Result<Self, GameError> {
        let Some(bytes) = bytes.strip_prefix(MAGIC) else {
            return Err(GameError::NoSavedGame);
        };
        let from = &mut StateReader {
            bytes,
            level: Some(level),
        };
        if u64::load(from) != Some(key(level)) {
            return Err(GameError::SavedInAnotherLevel {
                level: level.name.clone(),
            });
        }
        let game = read(from).filter(|_| from.bytes.is_empty());
        game.ok_or(GameError::NoSavedGame)
    }
}

fn read(from: &mut StateReader) -> Option<Game> {
    let tick = u64::load(from).filter(|tick| *tick < MAX_TICK)?;
    let world = World::load(from)?;
    let players = Vec::<Player>::load(from)?;
    let triggers = Triggers::load(from)?;
    let spawners = Spawners::load(from)?;
    let count = players.len();
    let is_sound = triggers.player_count() == count && world.bodies.character_count() == count;
    is_sound.then_some(Game {
        world,
        players,
        tick,
        events: Vec::new(),
        pending_events: Vec::new(),
        mover_events: Vec::new(),
        triggers,
        spawners,
        workspace: Workspace::default(),
        characters: Vec::new(),
        bodies: BodyWorkspace::default(),
        supports: SupportWorkspace::default(),
        sight: SightMemory::default(),
        broad_phase: BroadPhase::Portals,
    })
}

/// A hash that identifies a level by its rooms, openings, movers, bodies and triggers.
fn key(level: &Level) -> u64 {
    let rooms = level.rooms.iter().map(|room| room.name.as_str());
    let links = level.links.iter().map(|link| link.name.as_str());
    let movers = level.movers.iter().map(|mover| mover.name.as_str());
    let triggers = level.triggers.iter().map(|trigger| trigger.name.as_str());
    let bodies = level.bodies.iter().map(|body| body.name.as_str());
    let names = rooms.chain(links).chain(movers).chain(bodies);
    let names = names.chain(triggers);
    let hash = names.fold(Fnv64::EMPTY, Fnv64::name);
    level
        .rooms
        .iter()
        .fold(hash, |hash, room| {
            hash.vector(room.bounds.min).vector(room.bounds.max)
        })
        .0
}
