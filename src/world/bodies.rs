//! The states of the rigid bodies.

use std::cmp::Ordering;

use glam::{DQuat, DVec3};

use super::applied_force::AppliedForce;
use super::body_state::BodyState;
use super::hands::{Hands, Held};
use super::participant::{ContactKey, Participant};
use super::revision::{Revision, Revisions};
use super::touches::Touches;
use crate::level::{At, BodyId, Level, RoomId};
use crate::save::{Saved, StateReader, saved};

/// The accumulated impulse at a contact point in the last tick: the warm start of the next tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeptImpulse {
    /// The pair in contact.
    pub key: ContactKey,
    /// The contact point relative to the body's centre of mass, metres, in coordinates of the body's room.
    pub arm: DVec3,
    /// The impulse along the normal, N s.
    pub normal: f64,
    /// The friction impulse in the contact plane, N s, in coordinates of the body's room.
    pub tangent: DVec3,
    /// The sum of the impulses along the normal over the whole tick, N s.
    pub total: f64,
}

impl KeptImpulse {
    /// A zero impulse.
    pub(crate) fn none(key: ContactKey) -> Self {
        Self {
            key,
            arm: DVec3::ZERO,
            normal: 0.0,
            tangent: DVec3::ZERO,
            total: 0.0,
        }
    }

    /// Orders by the pair in contact, then by the position of the contact point.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let [a, b] = [self, other].map(|kept| kept.arm.to_array());
        let by_place = || a.partial_cmp(&b).unwrap_or(Ordering::Equal);
        self.key.cmp(&other.key).then_with(by_place)
    }
}

saved!(KeptImpulse {
    key,
    arm,
    normal,
    tangent,
    total
});

/// The impulse of a joint in the last substep of the last tick: the warm start of the next tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct JointImpulse {
    /// The impulse of the point constraint on the body, N s, in coordinates of the body's room.
    pub linear: DVec3,
    /// The impulse of a hinge's axis constraint, N m s, in coordinates of the body's room.
    pub angular: DVec3,
    /// The impulses of the lower and the upper limit of a hinge, N m s; a rope has only the upper one, N s.
    pub lower: f64,
    pub upper: f64,
}

saved!(JointImpulse {
    linear,
    angular,
    lower,
    upper
});

/// The position of a body before it was moved by a caller or removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeftPlace {
    pub body: BodyId,
    pub at: At,
}

saved!(LeftPlace { body, at });

/// All rigid bodies of a level.
#[derive(Debug, Default)]
pub struct Bodies {
    /// Per body of the level: its state.
    pub(crate) states: Vec<BodyState>,
    /// The states at the beginning of the last tick, for frames between ticks.
    pub(crate) before: Vec<BodyState>,
    /// The warm starts of contacts between awake bodies and other bodies or surfaces, sorted by key.
    pub(crate) impulses: Vec<KeptImpulse>,
    /// The touches that last, for the events of bodies.
    pub(crate) touches: Touches,
    /// Per joint of the level: its warm start.
    pub(crate) joint_impulses: Vec<JointImpulse>,
    /// The awake bodies, in order.
    pub(crate) awake: Vec<BodyId>,
    /// The positions that bodies left since the last tick, by removal or by a caller: sleeping bodies beside them wake.
    pub(crate) left: Vec<LeftPlace>,
    /// The forces on bodies in the next tick, in order of the bodies.
    pub(crate) applied_forces: Vec<AppliedForce>,
    /// The bodies that were woken since the last tick, in the order of waking.
    pub(crate) woken: Vec<BodyId>,
    pub(super) hands: Hands,
    /// Per room of the level: the bodies that are present and have their centres in the room, in order.
    in_rooms: Vec<Vec<BodyId>>,
    revisions: Revisions,
}

/// Whether all bodies are in the same state.
impl PartialEq for Bodies {
    fn eq(&self, other: &Self) -> bool {
        self.states == other.states
            && self.before == other.before
            && self.impulses == other.impulses
            && self.touches == other.touches
            && self.joint_impulses == other.joint_impulses
            && self.awake == other.awake
            && self.left == other.left
            && self.applied_forces == other.applied_forces
            && self.woken == other.woken
            && self.hands == other.hands
    }
}

impl Clone for Bodies {
    fn clone(&self) -> Self {
        Self {
            states: self.states.clone(),
            before: self.before.clone(),
            impulses: self.impulses.clone(),
            touches: self.touches.clone(),
            joint_impulses: self.joint_impulses.clone(),
            awake: self.awake.clone(),
            left: self.left.clone(),
            applied_forces: self.applied_forces.clone(),
            woken: self.woken.clone(),
            hands: self.hands.clone(),
            in_rooms: self.in_rooms.clone(),
            revisions: Revisions::default(),
        }
    }

    /// Allocates nothing if both are of one level.
    fn clone_from(&mut self, source: &Self) {
        self.states.clone_from(&source.states);
        self.before.clone_from(&source.before);
        self.impulses.clone_from(&source.impulses);
        self.touches.clone_from(&source.touches);
        self.joint_impulses.clone_from(&source.joint_impulses);
        self.awake.clone_from(&source.awake);
        self.left.clone_from(&source.left);
        self.applied_forces.clone_from(&source.applied_forces);
        self.woken.clone_from(&source.woken);
        self.hands.clone_from(&source.hands);
        self.in_rooms.clone_from(&source.in_rooms);
        self.revisions.advance();
    }
}

impl Saved for Bodies {
    fn save(&self, to: &mut Vec<u8>) {
        self.states.save(to);
        self.impulses.save(to);
        self.touches.save(to);
        self.joint_impulses.save(to);
        self.hands.save(to);
        self.left.save(to);
        self.applied_forces.save(to);
        self.woken.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let level = from.level?;
        let states = Vec::<BodyState>::load(from)?;
        let impulses = Vec::<KeptImpulse>::load(from)?;
        let touches = Touches::load(from)?;
        let joint_impulses = Vec::<JointImpulse>::load(from)?;
        let is_sorted = impulses.is_sorted_by(|a, b| a.key <= b.key);
        let is_on_body = |impulse: &KeptImpulse| {
            let body = impulse.key.first.body().map(|id| level.body(id));
            body.is_some_and(|body| impulse.arm.length() <= 2.0 * body.radius)
        };
        let has_all =
            states.len() == level.bodies.len() && joint_impulses.len() == level.joints.all.len();
        if !has_all || !is_sorted || !impulses.iter().all(is_on_body) {
            return None;
        }
        let mut bodies = Self::in_states(level, states);
        (bodies.impulses, bodies.touches) = (impulses, touches);
        bodies.joint_impulses = joint_impulses;
        bodies.hands = Hands::load(from)?;
        bodies.left = Vec::load(from)?;
        bodies.applied_forces = Vec::load(from)?;
        let are_applied_forces_sorted = bodies.applied_forces.is_sorted_by(|a, b| a.body < b.body);
        if !are_applied_forces_sorted || !bodies.applied_forces.iter().all(AppliedForce::is_sound) {
            return None;
        }
        bodies.woken = Vec::load(from)?;
        Some(bodies)
    }
}

impl Bodies {
    /// The bodies of a level as authored.
    pub(super) fn of(level: &Level) -> Self {
        let states = level.bodies.iter().map(BodyState::of).collect();
        Self::in_states(level, states)
    }

    /// The bodies of a level in the given states.
    pub(crate) fn in_states(level: &Level, states: Vec<BodyState>) -> Self {
        let mut in_rooms = vec![Vec::new(); level.rooms.len()];
        for (id, state) in (0..).map(BodyId).zip(&states) {
            if state.is_present {
                in_rooms[state.at.room.0 as usize].push(id);
            }
        }
        let mut bodies = Self {
            before: states.clone(),
            states,
            impulses: Vec::new(),
            touches: Touches::default(),
            joint_impulses: vec![JointImpulse::default(); level.joints.all.len()],
            awake: Vec::new(),
            left: Vec::new(),
            applied_forces: Vec::new(),
            woken: Vec::new(),
            hands: Hands::default(),
            in_rooms,
            revisions: Revisions::default(),
        };
        bodies.find_awake();
        bodies
    }

    /// The state of a body.
    pub fn state(&self, id: BodyId) -> &BodyState {
        &self.states[id.0 as usize]
    }

    /// The states of all bodies, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (BodyId, &BodyState)> {
        let states = self.states.iter().enumerate();
        states.map(|(index, state)| (BodyId(index as u32), state))
    }

    /// The present bodies whose centres are in a room.
    pub(crate) fn in_room(&self, room: RoomId) -> impl Iterator<Item = (BodyId, &BodyState)> {
        let ids = self.in_rooms.get(room.0 as usize);
        ids.into_iter().flatten().map(|id| (*id, self.state(*id)))
    }

    /// The number of present bodies whose centres are in a room.
    pub(crate) fn count_in_room(&self, room: RoomId) -> usize {
        self.in_rooms[room.0 as usize].len()
    }

    /// The body at this index of the list of bodies in a room.
    pub(crate) fn nth_in_room(&self, room: RoomId, index: usize) -> BodyId {
        self.in_rooms[room.0 as usize][index]
    }

    /// The bodies whose position or rotation differs from that in `before`.
    pub(crate) fn changed<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = BodyId> + 'a {
        let states = self.iter().zip(&before.states);
        let moved = states
            .filter(|((_, now), before)| now.at != before.at || now.rotation != before.rotation);
        moved.map(|((id, _), _)| id)
    }

    /// The number of bodies of the level.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether the level has no bodies.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The number of awake bodies.
    pub fn awake_count(&self) -> usize {
        self.awake.len()
    }

    /// Sets a body's state; the body becomes present and awake.
    pub fn set(&mut self, id: BodyId, state: BodyState) {
        let last = *self.state(id);
        if last.at != state.at {
            self.leave_place(id);
        }
        self.note_room(id, Some(state.at.room));
        if last.at.room != state.at.room || state.is_kinematic {
            // The force is in coordinates of the earlier room. Forces do not act on kinematic bodies.
            self.applied_forces.retain(|force| force.body != id);
        }
        if last.is_kinematic != state.is_kinematic {
            self.become_other_kind(id);
        }
        if (last.at, last.rotation, last.is_present) != (state.at, state.rotation, true) {
            self.revisions.advance();
        }
        self.states[id.0 as usize] = BodyState {
            slow_ticks: 0,
            is_present: true,
            ride: state.ride.filter(|_| !state.is_kinematic),
            ..state
        };
        if last.is_asleep() {
            self.list_awake(id);
        }
        if last.is_asleep() && last.is_present {
            self.woken.push(id);
        }
    }

    /// Removes a body from the world: nothing collides with it or draws it until it is set again.
    pub(crate) fn remove(&mut self, id: BodyId) {
        if !self.state(id).is_present {
            return;
        }
        self.leave_place(id);
        self.note_room(id, None);
        self.awake.retain(|other| *other != id);
        let first = Participant::Body(id);
        self.impulses.retain(|impulse| impulse.key.first != first);
        self.applied_forces.retain(|force| force.body != id);
        self.hands.drop_body(id);
        let state = &mut self.states[id.0 as usize];
        *state = state.absent();
        self.wake_touches(|_| ());
        self.revisions.advance();
    }

    /// Moves the touches of bodies that have woken or were removed to the touches of awake bodies. Calls `note` for
    /// each of them.
    pub(crate) fn wake_touches(&mut self, note: impl FnMut(&ContactKey)) {
        let Self {
            states, touches, ..
        } = self;
        touches.wake(|BodyId(index)| states[index as usize].sleeps(), note);
    }

    /// Sets the touches of bodies that took part in a tick, at its end; `fallen_asleep` is a buffer.
    pub(crate) fn replace_touches(
        &mut self,
        touches: &[ContactKey],
        fallen_asleep: &mut Vec<ContactKey>,
    ) {
        let states = &self.states;
        let sleeps = |BodyId(index): BodyId| states[index as usize].sleeps();
        self.touches.replace(touches, sleeps, fallen_asleep);
    }

    /// Records the position of a body before it is moved by a caller or removed.
    pub(super) fn leave_place(&mut self, id: BodyId) {
        let state = self.state(id);
        if state.is_present {
            let at = state.at;
            self.left.push(LeftPlace { body: id, at });
        }
    }

    /// Moves a body during a tick; [`Self::advance`] follows at the end of the tick.
    pub(crate) fn put(&mut self, id: BodyId, at: At, rotation: DQuat) {
        self.note_room(id, Some(at.room));
        let state = &mut self.states[id.0 as usize];
        (state.at, state.rotation) = (at, rotation);
    }

    /// Moves a body to the list of its new room, or removes it from all lists if `room` is none.
    fn note_room(&mut self, id: BodyId, room: Option<RoomId>) {
        let state = self.state(id);
        let old = state.is_present.then_some(state.at.room);
        if old == room {
            return;
        }
        if let Some(old) = old {
            self.in_rooms[old.0 as usize].retain(|other| *other != id);
        }
        if let Some(room) = room {
            let ids = &mut self.in_rooms[room.0 as usize];
            let at = ids.partition_point(|other| *other < id);
            ids.insert(at, id);
        }
    }

    /// The body in the hands of a character.
    pub(crate) fn held_by(&self, character: usize) -> Option<Held> {
        self.hands.of(character)
    }

    /// The bodies in the hands of characters. All characters pass through these bodies.
    pub(crate) fn held(&self) -> impl Iterator<Item = BodyId> {
        self.hands.bodies()
    }

    /// Sets or clears the body in the hands of a character. A new character is added.
    pub(crate) fn hold(&mut self, character: usize, held: Option<Held>) {
        let body = |held: Option<Held>| held.map(|held| held.body);
        if body(self.held_by(character)) != body(held) {
            // The body is now passable to characters, or solid again.
            self.revisions.advance();
        }
        self.hands.set(character, held);
    }

    /// The number of characters that have hands.
    pub(crate) fn character_count(&self) -> usize {
        self.hands.count()
    }

    /// Removes a character, whose hands become empty; the characters after it move up by one.
    pub(crate) fn remove_character(&mut self, character: usize) {
        self.hold(character, None);
        self.hands.remove(character);
    }

    /// Whether characters pass through a body.
    pub(crate) fn is_passable(&self, id: BodyId) -> bool {
        self.held().any(|held| held == id)
    }

    /// Removes bodies from the lists of their rooms, so that collision queries do not find them.
    pub(crate) fn hide(&mut self, is_hidden: impl Fn(BodyId) -> bool) {
        for ids in &mut self.in_rooms {
            ids.retain(|id| !is_hidden(*id));
        }
        self.revisions.advance();
    }

    /// Wakes a body, if it is present.
    pub fn wake(&mut self, id: BodyId) {
        let state = &mut self.states[id.0 as usize];
        if state.is_asleep() && state.is_present {
            state.slow_ticks = 0;
            self.list_awake(id);
            self.woken.push(id);
        }
    }

    /// Adds a body to the list of awake bodies.
    fn list_awake(&mut self, id: BodyId) {
        let at = self.awake.partition_point(|other| *other < id);
        self.awake.insert(at, id);
    }

    /// Rebuilds the list of awake bodies.
    fn find_awake(&mut self) {
        self.awake.clear();
        let awake = self.states.iter().enumerate();
        let awake = awake.filter(|(_, state)| !state.is_asleep());
        self.awake
            .extend(awake.map(|(index, _)| BodyId(index as u32)));
    }

    /// Removes bodies that have fallen asleep from the list of awake bodies.
    pub(crate) fn forget_sleepers(&mut self) {
        let states = &self.states;
        self.awake.retain(|id| !states[id.0 as usize].is_asleep());
    }

    /// The revision of this state, valid until the next tick or until all bodies are set to another state. Bodies
    /// that wake in between are in [`Self::awake`].
    pub(crate) fn revision(&self) -> Revision {
        self.revisions.now()
    }

    /// Starts a new revision, at the end of a tick.
    pub(crate) fn advance(&mut self) {
        self.revisions.advance();
    }

    /// Interpolates awake bodies within the last tick, for a frame between ticks. `alpha` is the part of the tick,
    /// 0..1. Bodies that changed rooms stay at the end of the tick.
    pub(super) fn put_between_ticks(&mut self, alpha: f64) {
        for id in &self.awake {
            let now = &mut self.states[id.0 as usize];
            let before = &self.before[id.0 as usize];
            if before.at.room == now.at.room {
                now.put_between(before, alpha);
            }
        }
    }
}
