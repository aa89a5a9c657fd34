//! Triggers and switches at work: who fires, what waits, what acts.

use glam::DVec3;

use super::events::{EventKind, EventWriter};
use super::player::Player;
use crate::collision::Solid;
use crate::hash::Fnv64;
use crate::level::{Level, RoomId, TriggerId, TriggerKind};
use crate::save::{Reader, Saved, saved};
use crate::world::World;

/// The states of all triggers of a level.
#[derive(Debug, Default)]
pub(super) struct Triggers {
    states: Vec<TriggerState>,
    /// What has fired and not acted yet, in the order of firing.
    pending: Vec<Pending>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TriggerState {
    /// Ticks in which it does not fire.
    waits: u32,
    has_fired: bool,
    /// Whether the player was in it in the last tick.
    is_entered: bool,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    trigger: TriggerId,
    /// Ticks that are left.
    ticks: u32,
}

saved!(TriggerState {
    waits,
    has_fired,
    is_entered
});
saved!(Pending { trigger, ticks });

impl Saved for Triggers {
    fn save(&self, to: &mut Vec<u8>) {
        self.states.save(to);
        self.pending.save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        let states = Vec::load(from)?;
        let pending = Vec::load(from)?;
        let has_all = states.len() == from.level?.triggers.len();
        has_all.then_some(Self { states, pending })
    }
}

impl Triggers {
    pub(super) fn of(level: &Level) -> Self {
        Self {
            states: vec![TriggerState::default(); level.triggers.len()],
            pending: Vec::new(),
        }
    }

    /// The same triggers in another version of their level: they go on as they were, but wait no longer than they
    /// do there. `new_ids` has for each the one that it is there, if any.
    pub(super) fn carried_to(&self, level: &Level, new_ids: &[Option<u32>]) -> Self {
        let mut carried = Self::of(level);
        let new_ids: Vec<Option<TriggerId>> = new_ids.iter().map(|id| id.map(TriggerId)).collect();
        for (&was, id) in self.states.iter().zip(&new_ids) {
            let Some(id) = *id else {
                continue;
            };
            let trigger = level.trigger(id);
            let is_volume = matches!(trigger.kind, TriggerKind::Volume { .. });
            carried.states[id.0 as usize] = TriggerState {
                waits: was.waits.min(trigger.wait_ticks),
                has_fired: was.has_fired,
                is_entered: was.is_entered && is_volume,
            };
        }
        let pending = self.pending.iter().filter_map(|pending| {
            let trigger = new_ids[pending.trigger.0 as usize]?;
            let ticks = pending.ticks.min(level.trigger(trigger).delay_ticks + 1);
            Some(Pending { trigger, ticks })
        });
        carried.pending.extend(pending);
        carried
    }

    /// A tick passes.
    pub(super) fn count_down(&mut self) {
        for state in &mut self.states {
            state.waits = state.waits.saturating_sub(1);
        }
        for pending in &mut self.pending {
            pending.ticks = pending.ticks.saturating_sub(1);
        }
    }

    /// The next trigger that acts in this tick.
    pub(super) fn next_due(&mut self) -> Option<TriggerId> {
        let due = self.pending.iter().position(|pending| pending.ticks == 0)?;
        Some(self.pending.remove(due).trigger)
    }

    /// Fires a trigger, unless it waits or fires no more. It acts in the next tick, or after its delay.
    pub(super) fn fire(&mut self, level: &Level, id: TriggerId) {
        let (trigger, state) = (level.trigger(id), &mut self.states[id.0 as usize]);
        if state.waits > 0 || state.has_fired && trigger.once {
            return;
        }
        state.waits = trigger.wait_ticks;
        state.has_fired = true;
        self.pending.push(Pending {
            trigger: id,
            ticks: trigger.delay_ticks + 1,
        });
    }

    /// Fires the volumes that the player has come into, and the switches that it ran against.
    pub(super) fn touch(
        &mut self,
        (level, world): (&Level, &World),
        player: &Player,
        events: &mut EventWriter,
    ) {
        if self.states.is_empty() {
            return;
        }
        let actor = &player.actor;
        let at = actor.state.at;
        let segment = [at.point, at.point + DVec3::Y * actor.body.segment_length];
        for id in (0..level.triggers.len() as u32).map(TriggerId) {
            let trigger = level.trigger(id);
            if !matches!(trigger.kind, TriggerKind::Volume { .. }) {
                continue;
            }
            let is_in = is_beside((level, world), at.room, trigger.room)
                && trigger.holds(segment, actor.body.radius);
            let was_in = std::mem::replace(&mut self.states[id.0 as usize].is_entered, is_in);
            if is_in && !was_in {
                events.push(actor, EventKind::Entered { trigger: id });
                self.fire(level, id);
            }
        }
        for blocker in &actor.report.blockers {
            if let Some(id) = switch_of(level, blocker.solid)
                && matches!(level.trigger(id).kind, TriggerKind::Switch { bump: true })
            {
                self.fire(level, id);
            }
        }
    }

    /// Goes on with a hash of all that decides what they do next.
    pub(super) fn hash(&self, level: &Level, hash: Fnv64) -> Fnv64 {
        let states = level.triggers.iter().zip(&self.states);
        let changed = states.filter(|(_, state)| **state != TriggerState::default());
        let hash = changed.fold(hash, |hash, (trigger, state)| {
            let flags = [u8::from(state.has_fired), u8::from(state.is_entered)];
            let hash = hash.name(&trigger.name).bytes(&flags);
            hash.bytes(&state.waits.to_le_bytes())
        });
        self.pending.iter().fold(hash, |hash, pending| {
            let hash = hash.name(&level.trigger(pending.trigger).name);
            hash.bytes(&pending.ticks.to_le_bytes())
        })
    }
}

/// Whether two rooms are one, or joined by a portal that bends no space now: then their coordinates are the
/// same.
fn is_beside((level, world): (&Level, &World), a: RoomId, b: RoomId) -> bool {
    a == b
        || world
            .rooms()
            .portals_of(level, a)
            .any(|(_, portal)| portal.far == b && portal.far_from_near.is_identity())
}

/// The switch that something solid is a part of.
pub(super) fn switch_of(level: &Level, solid: Solid) -> Option<TriggerId> {
    let triggers = &level.room(solid.room(level)).triggers;
    let node = solid.node(level);
    let mut of_node = triggers
        .iter()
        .filter(|id| level.trigger(**id).name == node);
    of_node.next().copied()
}
