//! The states of triggers and switches: which of them fire, wait or act.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use glam::DVec3;

use super::events::{EventKind, EventWriter};
use super::player::Player;
use crate::collision::Solid;
use crate::hash::Fnv64;
use crate::level::{Level, RoomId, Trigger, TriggerId, TriggerKind};
use crate::save::{Saved, StateReader, saved};
use crate::world::World;

/// The states of all triggers of a level.
#[derive(Debug, Default)]
pub(super) struct Triggers {
    states: Vec<TriggerState>,
    /// For each player and each trigger, whether the player was inside the trigger's volume in its last tick.
    inside: Vec<Vec<bool>>,
    /// The triggers that have fired and not acted yet, in the order of firing; each trigger at most once per tick.
    pending: Vec<Fired>,
    /// The triggers that act in this tick, in the order of firing.
    due: Vec<Fired>,
    /// Whether each trigger has already fired in this tick.
    fired_now: Vec<bool>,
    /// The workspace of [`reaches`].
    rooms: Vec<RoomId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TriggerState {
    /// The number of ticks in which the trigger cannot fire.
    waits: u32,
    has_fired: bool,
}

/// A trigger that has fired and not acted yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fired {
    pub(super) trigger: TriggerId,
    /// The number of remaining ticks.
    ticks: u32,
    /// The index of the player that fired it; `None` if that player was removed.
    pub(super) player: Option<u32>,
}

saved!(TriggerState { waits, has_fired });
saved!(Fired {
    trigger,
    ticks,
    player
});

impl Saved for Triggers {
    fn save(&self, to: &mut Vec<u8>) {
        self.states.save(to);
        self.inside.save(to);
        self.pending.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let states = Vec::load(from)?;
        let inside = Vec::<Vec<bool>>::load(from)?;
        let pending = Vec::<Fired>::load(from)?;
        let count = from.level?.triggers.len();
        let has_all = states.len() == count && inside.iter().all(|inside| inside.len() == count);
        let has_fired = |fired: &Fired| {
            let player = fired.player;
            player.is_none_or(|player| (player as usize) < inside.len())
        };
        let is_sound = has_all && pending.iter().all(has_fired);
        is_sound.then(|| Self::in_states(states, inside, pending))
    }
}

impl Triggers {
    pub(super) fn of(level: &Level) -> Self {
        let states = vec![TriggerState::default(); level.triggers.len()];
        Self::in_states(states, Vec::new(), Vec::new())
    }

    /// The number of players.
    pub(super) fn player_count(&self) -> usize {
        self.inside.len()
    }

    /// Adds a player, which is inside no trigger.
    pub(super) fn add_player(&mut self) {
        self.inside.push(vec![false; self.states.len()]);
    }

    /// Removes a player; the players after it move up by one. The triggers that it has fired still act.
    pub(super) fn remove_player(&mut self, index: usize) {
        self.inside.remove(index);
        let moved_up = |player: u32| match player.cmp(&(index as u32)) {
            Ordering::Less => Some(player),
            Ordering::Equal => None,
            Ordering::Greater => Some(player - 1),
        };
        for fired in &mut self.pending {
            fired.player = fired.player.and_then(moved_up);
        }
    }

    /// Creates the states of triggers between two ticks.
    fn in_states(states: Vec<TriggerState>, inside: Vec<Vec<bool>>, pending: Vec<Fired>) -> Self {
        Self {
            due: Vec::with_capacity(states.len()),
            fired_now: vec![false; states.len()],
            rooms: Vec::new(),
            states,
            inside,
            pending,
        }
    }

    /// Carries the triggers over to another version of their level. They keep their states, but wait no longer than the new
    /// version specifies. `new_ids` contains, for each trigger, its index in the new version, if any.
    pub(super) fn carried_to(&self, level: &Level, new_ids: &[Option<u32>]) -> Self {
        let mut carried = Self::of(level);
        carried.inside = vec![vec![false; level.triggers.len()]; self.inside.len()];
        let new_ids: Vec<Option<TriggerId>> = new_ids.iter().map(|id| id.map(TriggerId)).collect();
        for (index, (&was, id)) in self.states.iter().zip(&new_ids).enumerate() {
            let Some(id) = *id else {
                continue;
            };
            let trigger = level.trigger(id);
            let is_volume = matches!(trigger.kind, TriggerKind::Volume { .. });
            carried.states[id.0 as usize] = TriggerState {
                waits: was.waits.min(trigger.wait_ticks),
                has_fired: was.has_fired,
            };
            for (inside, was_inside) in carried.inside.iter_mut().zip(&self.inside) {
                inside[id.0 as usize] = was_inside[index] && is_volume;
            }
        }
        let pending = self.pending.iter().filter_map(|pending| {
            let trigger = new_ids[pending.trigger.0 as usize]?;
            let ticks = pending.ticks.min(level.trigger(trigger).delay_ticks + 1);
            Some(Fired {
                trigger,
                ticks,
                ..*pending
            })
        });
        // If the new delay is shorter, a trigger may be due several times in one tick; it acts once.
        let mut known = BTreeSet::new();
        let pending = pending.filter(|pending| known.insert((pending.trigger, pending.ticks)));
        carried.pending.extend(pending);
        carried
    }

    /// Advances by a tick, and finds the triggers that act in it, which [`Self::due`] returns.
    pub(super) fn count_down(&mut self) {
        self.fired_now.fill(false);
        self.due.clear();
        for state in &mut self.states {
            state.waits = state.waits.saturating_sub(1);
        }
        let due = &mut self.due;
        self.pending.retain_mut(|pending| {
            pending.ticks = pending.ticks.saturating_sub(1);
            if pending.ticks == 0 {
                due.push(*pending);
            }
            pending.ticks > 0
        });
    }

    /// The trigger that acts in this tick after `index` others.
    pub(super) fn due(&self, index: usize) -> Option<Fired> {
        self.due.get(index).copied()
    }

    /// Fires a trigger for a player, unless the trigger has already fired in this tick, is waiting, or has fired and
    /// fires only once. It acts in the next tick, or after its delay.
    pub(super) fn fire(&mut self, level: &Level, id: TriggerId, player: Option<u32>) {
        let (trigger, state) = (level.trigger(id), &mut self.states[id.0 as usize]);
        if state.waits > 0 || state.has_fired && trigger.once {
            return;
        }
        if std::mem::replace(&mut self.fired_now[id.0 as usize], true) {
            return;
        }
        state.waits = trigger.wait_ticks;
        state.has_fired = true;
        self.pending.push(Fired {
            trigger: id,
            ticks: trigger.delay_ticks + 1,
            player,
        });
    }

    /// Fires the volumes that a player has entered, and the switches that it bumped into. A player enters a volume
    /// even if other players are already inside.
    pub(super) fn touch(
        &mut self,
        (level, world): (&Level, &World),
        (index, player): (usize, &Player),
        events: &mut EventWriter,
    ) {
        if self.states.is_empty() {
            return;
        }
        let actor = &player.actor;
        let by = Some(index as u32);
        let at = actor.state.at;
        let segment = [at.point, at.point + DVec3::Y * actor.body.segment_length];
        for id in (0..level.triggers.len() as u32).map(TriggerId) {
            let trigger = level.trigger(id);
            if !matches!(trigger.kind, TriggerKind::Volume { .. }) {
                continue;
            }
            let radius = actor.body.radius;
            let is_in = trigger.holds(segment, radius)
                && reaches((level, world), trigger, (at.room, radius), &mut self.rooms);
            let was_in = std::mem::replace(&mut self.inside[index][id.0 as usize], is_in);
            if is_in && !was_in {
                events.push(actor, EventKind::Entered { trigger: id });
                self.fire(level, id, by);
            }
        }
        for blocker in &actor.report.blockers {
            if let Some(id) = switch_of(level, blocker.solid)
                && matches!(level.trigger(id).kind, TriggerKind::Switch { bump: true })
            {
                self.fire(level, id, by);
            }
        }
    }

    /// Extends a hash with all data that determines the future behaviour of the triggers.
    pub(super) fn hash(&self, level: &Level, hash: Fnv64) -> Fnv64 {
        let states = level.triggers.iter().zip(&self.states).enumerate();
        let states = states.map(|(index, (trigger, state))| {
            let inside = self.inside.iter().filter(|inside| inside[index]);
            (trigger, state, inside.count() as u8)
        });
        let changed =
            states.filter(|(_, state, inside)| *inside > 0 || **state != TriggerState::default());
        let hash = changed.fold(hash, |hash, (trigger, state, inside)| {
            let flags = [u8::from(state.has_fired), inside];
            let hash = hash.name(&trigger.name).bytes(&flags);
            hash.bytes(&state.waits.to_le_bytes())
        });
        self.pending.iter().fold(hash, |hash, pending| {
            let hash = hash.name(&level.trigger(pending.trigger).name);
            hash.bytes(&pending.ticks.to_le_bytes())
        })
    }
}

/// Whether the volume of a trigger is active in a room. It is active in the trigger's own room, in rooms joined to
/// that by a portal, and further through portals within `distance` metres of the volume. Only portals that currently
/// do not bend space are passed, because the rooms on both sides of them share the same coordinates.
fn reaches(
    (level, world): (&Level, &World),
    trigger: &Trigger,
    (room, distance): (RoomId, f64),
    found: &mut Vec<RoomId>,
) -> bool {
    let TriggerKind::Volume { bounds, .. } = &trigger.kind else {
        return false;
    };
    let around = bounds.grown(distance);
    found.clear();
    found.push(trigger.room);
    let mut next = 0;
    while let Some(&near) = found.get(next) {
        if near == room {
            return true;
        }
        next += 1;
        for (_, portal) in world.rooms().portals_of(level, near) {
            let is_in_reach = near == trigger.room || portal.polygon.bounds().overlaps(&around);
            if is_in_reach && portal.far_from_near.is_identity() && !found.contains(&portal.far) {
                found.push(portal.far);
            }
        }
    }
    false
}

/// The switch that a solid is part of.
pub(super) fn switch_of(level: &Level, solid: Solid) -> Option<TriggerId> {
    let triggers = &level.room(solid.room(level)).triggers;
    let node = solid.node(level);
    let mut of_node = triggers
        .iter()
        .filter(|id| level.trigger(**id).name == node);
    of_node.next().copied()
}
