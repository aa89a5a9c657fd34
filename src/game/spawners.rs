//! The states of spawners: which body comes next, and when it comes.

use super::new_ids::new_ids;
use crate::hash::Fnv64;
use crate::level::{BodyId, Level, Spawner, SpawnerId};
use crate::save::{Saved, StateReader, saved};

/// The states of all spawners of a level.
#[derive(Debug, Default)]
pub(super) struct Spawners {
    states: Vec<SpawnerState>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct SpawnerState {
    /// The index of the next body.
    next: u32,
    /// The number of bodies that are still to be spawned.
    left: u32,
    /// The number of ticks until the next body.
    waits: u32,
}

saved!(SpawnerState { next, left, waits });

impl SpawnerState {
    fn of(spawner: &Spawner) -> Self {
        match spawner.begins_at_once {
            true => Self::beginning(spawner),
            false => Self::default(),
        }
    }

    fn beginning(spawner: &Spawner) -> Self {
        Self {
            left: spawner.bodies.len() as u32,
            ..Self::default()
        }
    }

    /// The valid state nearest to this one.
    fn within(self, spawner: &Spawner) -> Self {
        let count = spawner.bodies.len() as u32;
        Self {
            next: if self.next < count { self.next } else { 0 },
            left: self.left.min(count),
            waits: self.waits.min(spawner.every_ticks),
        }
    }
}

impl Saved for Spawners {
    fn save(&self, to: &mut Vec<u8>) {
        self.states.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let spawners = &from.level?.spawners;
        let states = Vec::<SpawnerState>::load(from)?;
        let mut pairs = states.iter().zip(spawners);
        let is_sound = states.len() == spawners.len()
            && pairs.all(|(state, spawner)| state.within(spawner) == *state);
        is_sound.then_some(Self { states })
    }
}

impl Spawners {
    pub(super) fn of(level: &Level) -> Self {
        Self {
            states: level.spawners.iter().map(SpawnerState::of).collect(),
        }
    }

    /// Starts to spawn the bodies of a spawner, from the first.
    pub(super) fn begin(&mut self, level: &Level, id: SpawnerId) {
        self.states[id.0 as usize] = SpawnerState::beginning(level.spawner(id));
    }

    /// Advances a spawner by a tick. Returns the body that it would spawn in this tick, if any.
    pub(super) fn due(&mut self, level: &Level, id: SpawnerId) -> Option<BodyId> {
        let state = &mut self.states[id.0 as usize];
        if state.left == 0 {
            return None;
        }
        if state.waits > 0 {
            state.waits -= 1;
            return None;
        }
        Some(level.spawner(id).bodies[state.next as usize])
    }

    /// Records that a spawner has spawned the body returned by [`Self::due`].
    pub(super) fn bring(&mut self, level: &Level, id: SpawnerId) {
        let (spawner, state) = (level.spawner(id), &mut self.states[id.0 as usize]);
        state.next = (state.next + 1) % spawner.bodies.len() as u32;
        state.left -= u32::from(!spawner.endless);
        state.waits = spawner.every_ticks.saturating_sub(1);
    }

    /// The spawners carried over to another version of their level.
    pub(super) fn carried_to(&self, old: &Level, new: &Level) -> Self {
        let mut carried = Self::of(new);
        let ids = new_ids(&old.spawners, &new.spawners, |spawner| &spawner.name);
        for (state, id) in self.states.iter().zip(ids) {
            if let Some(id) = id {
                carried.states[id as usize] = state.within(new.spawner(SpawnerId(id)));
            }
        }
        carried
    }

    /// Extends a hash with all data that determines the future behaviour of the spawners.
    pub(super) fn hash(&self, level: &Level, hash: Fnv64) -> Fnv64 {
        let states = level.spawners.iter().zip(&self.states);
        states.fold(hash, |hash, (spawner, state)| {
            let SpawnerState { next, left, waits } = *state;
            let numbers = [next, left, waits].map(u32::to_le_bytes);
            hash.name(&spawner.name).bytes(numbers.as_flattened())
        })
    }
}
