//! The bodies that take part in a tick: the awake bodies, and the sleeping bodies that they may touch.
//!
//! Awake bodies are entered at their current positions in each tick, and paired by one method of the broad phase.
//! Sleeping bodies are stored in a box tree, which changes only when a body wakes or falls asleep. A tick tests only
//! the sleeping bodies whose boxes the box of an awake body overlaps: a body that rolls beside a sleeping heap costs
//! the same whatever the heap's size. A body that wakes is then paired with the bodies that sleep beside it.

use glam::DVec3;

use super::entries::{Entries, Meeting, meeting};
use super::reach::{MotionBox, find_reached, may_change, motion_box};
use super::{DynamicTree, PairFinder, PairMethod, RoomBox};
use crate::bodies::context::StepContext;
use crate::bodies::moving::Moving;
use crate::collision::{BroadPhase, CollisionWorld};
use crate::geometry::Rigid;
use crate::level::{BodyId, RoomId, Walk};
use crate::world::{Bodies, BodyState, Participant, Revision};

/// The state of the broad phase for the bodies of a world.
#[derive(Debug)]
pub(in crate::bodies) struct Presence {
    awake: Entries,
    finder: Box<dyn PairFinder>,
    asleep: Entries,
    tree: DynamicTree,
    /// The bodies in the awake entries, sorted.
    known: Vec<BodyId>,
    /// The revision of bodies for which the entries are valid, and the broad phase with which the search for rooms
    /// found them.
    found_in: Option<(Revision, BroadPhase)>,
    /// The revision of movers, and so of rooms, for which the sleeping bodies were entered.
    rooms_in: Option<Revision>,
    /// The sleeping bodies that may reach other rooms after movers move, and possibly more.
    unsteady: Vec<BodyId>,
    walk: Walk<()>,
    reached: Vec<MotionBox>,
    keys: Vec<[u32; 2]>,
    /// The bodies that were entered for one tick only, or during the tick.
    guests: Vec<Participant>,
    overlapping: Vec<u32>,
    /// The sleeping bodies that take part.
    taken: Vec<BodyId>,
    /// The search state of each body.
    sleepers: Vec<Sleeper>,
    /// The awake bodies, the bodies that they wake, and so on.
    active: Vec<Participant>,
}

/// The search state of a body that sleeps when a tick begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sleeper {
    /// No awake body has come near the body.
    #[default]
    Absent,
    /// The body takes part, asleep.
    Asleep,
    /// An awake body touches the body.
    Woken,
    /// The body is woken, and paired with the bodies that sleep beside it.
    Paired,
}

/// The bodies that take part in a tick.
pub(in crate::bodies) struct TakingPart<'w> {
    /// The bodies of the level, sorted.
    pub ids: &'w mut Vec<BodyId>,
    /// The bodies and characters that slept until an awake body touched them, sorted.
    pub woken: &'w mut Vec<Participant>,
    /// The pairs that may meet, in any order.
    pub meetings: &'w mut Vec<Meeting>,
}

/// A character that takes part in a tick.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Visitor {
    pub id: Participant,
    /// The motion box.
    pub place: RoomBox,
    pub is_asleep: bool,
}

impl Default for Presence {
    fn default() -> Self {
        Self::new(PairMethod::default())
    }
}

impl Presence {
    pub(in crate::bodies) fn new(method: PairMethod) -> Self {
        Self {
            awake: Entries::default(),
            finder: method.finder(),
            asleep: Entries::default(),
            tree: DynamicTree::default(),
            known: Vec::new(),
            found_in: None,
            rooms_in: None,
            unsteady: Vec::new(),
            walk: Walk::default(),
            reached: Vec::new(),
            keys: Vec::new(),
            guests: Vec::new(),
            overlapping: Vec::new(),
            taken: Vec::new(),
            sleepers: Vec::new(),
            active: Vec::new(),
        }
    }

    /// Finds the bodies that take part in a tick, and the pairs of bodies that may meet. Visitors take part in this
    /// tick only. `touch` returns whether the bodies of a pair touch.
    pub(in crate::bodies) fn find(
        &mut self,
        context: &StepContext,
        visitors: &[Visitor],
        TakingPart {
            ids,
            woken,
            meetings,
        }: TakingPart,
        touch: impl FnMut(&Meeting) -> bool,
    ) {
        let StepContext {
            collision,
            bodies,
            secs,
            ..
        } = *context;
        self.follow(collision, bodies, secs);
        for &id in &bodies.awake {
            let moving = context.body_at_the_beginning(id);
            let place = motion_box(&moving, collision.level.body(id), secs);
            self.reach(collision, &place);
            let id = Participant::Body(id);
            self.awake.put(&mut *self.finder, id, &self.reached);
        }
        for visitor in visitors {
            self.reach(collision, &visitor.place);
            self.awake.hold(visitor.id);
            self.awake.put(&mut *self.finder, visitor.id, &self.reached);
        }
        meetings.clear();
        self.keys.clear();
        self.finder.find_pairs(&mut self.keys);
        for keys in &self.keys {
            meetings.extend(meeting((&self.awake, keys[0]), (&self.awake, keys[1])));
        }
        self.active.clear();
        let awake = bodies.awake.iter().copied().map(Participant::Body);
        self.active.extend(awake);
        let awake_visitors = visitors.iter().filter(|visitor| !visitor.is_asleep);
        self.active.extend(awake_visitors.map(|visitor| visitor.id));
        let count = self.active.len();
        self.take_sleepers(visitors, meetings, touch);
        woken.clear();
        woken.extend_from_slice(&self.active[count..]);
        woken.sort_unstable();
        merge(&bodies.awake, &self.taken, ids);
        let visiting = visitors.iter().map(|visitor| visitor.id);
        self.guests.extend(visiting);
    }

    /// Enters a body with a larger box during a tick, and finds the bodies that it meets there, in any order.
    pub(in crate::bodies) fn throw(
        &mut self,
        collision: &CollisionWorld,
        (id, place): (Participant, &RoomBox),
        meetings: &mut Vec<Meeting>,
    ) {
        self.reach(collision, place);
        self.awake.put(&mut *self.finder, id, &self.reached);
        self.guests.push(id);
        meetings.clear();
        let Self {
            awake,
            finder,
            asleep,
            tree,
            overlapping,
            ..
        } = self;
        for (key, entry) in awake.of(id) {
            let place = &entry.reached.place;
            overlapping.clear();
            finder.find_overlapping(place, overlapping);
            let others = overlapping.iter();
            meetings.extend(others.filter_map(|other| meeting((awake, key), (awake, *other))));
            tree.overlapping(place, |other| {
                meetings.extend(meeting((awake, key), (asleep, other)));
            });
        }
    }

    /// Records the state of bodies for which the entries are valid. Bodies that fall asleep or wake later are the
    /// only exceptions.
    pub(in crate::bodies) fn note(&mut self, collision: &CollisionWorld, bodies: &Bodies) {
        self.found_in = Some((bodies.revision(), collision.broad_phase));
    }

    /// Moves bodies that have fallen asleep to the sleeping entries, and removes bodies that have woken from them.
    /// Rebuilds all entries if the world is not the world of the last tick.
    fn follow(&mut self, collision: &CollisionWorld, bodies: &Bodies, secs: f64) {
        let rooms = collision.world.revision();
        for id in self.guests.drain(..) {
            self.awake.remove(&mut *self.finder, id);
        }
        if self.found_in != Some((bodies.revision(), collision.broad_phase)) {
            self.awake.clear(&mut *self.finder);
            self.asleep.clear(&mut self.tree);
            self.unsteady.clear();
            self.awake.resize(bodies.len());
            self.asleep.resize(bodies.len());
            self.sleepers.clear();
            self.sleepers.resize(bodies.len(), Sleeper::Absent);
            for (id, state) in bodies
                .iter()
                .filter(|(_, state)| state.is_asleep() && state.is_present)
            {
                self.put_to_sleep(collision, id, state, secs);
            }
        } else {
            let known = std::mem::take(&mut self.known);
            for &id in known.iter().filter(|id| bodies.state(**id).is_asleep()) {
                self.awake.remove(&mut *self.finder, Participant::Body(id));
                self.put_to_sleep(collision, id, bodies.state(id), secs);
            }
            self.known = known;
            for &id in &bodies.awake {
                let id = Participant::Body(id);
                self.asleep.remove(&mut self.tree, id);
            }
            if self.rooms_in != Some(rooms) {
                self.enter_again(collision, bodies, secs);
            }
        }
        self.rooms_in = Some(rooms);
        self.known.clone_from(&bodies.awake);
    }

    /// Enters the sleeping bodies that may reach other rooms again, after movers have moved.
    fn enter_again(&mut self, collision: &CollisionWorld, bodies: &Bodies, secs: f64) {
        let mut unsteady = std::mem::take(&mut self.unsteady);
        unsteady.sort_unstable();
        unsteady.dedup();
        for &id in unsteady.iter().filter(|id| bodies.state(**id).is_asleep()) {
            self.put_to_sleep(collision, id, bodies.state(id), secs);
        }
        unsteady.clear();
        if self.unsteady.is_empty() {
            self.unsteady = unsteady;
        }
    }

    fn put_to_sleep(
        &mut self,
        collision: &CollisionWorld,
        id: BodyId,
        state: &BodyState,
        secs: f64,
    ) {
        let place = box_of(collision, id, state, secs);
        self.reach(collision, &place);
        let entered = Participant::Body(id);
        self.asleep.put(&mut self.tree, entered, &self.reached);
        if may_change(collision.level, collision.world, &self.reached) {
            self.unsteady.push(id);
        }
    }

    /// Lists the rooms that a box reaches.
    fn reach(&mut self, collision: &CollisionWorld, place: &RoomBox) {
        let CollisionWorld { level, world, .. } = *collision;
        match collision.broad_phase {
            BroadPhase::Portals => {
                find_reached(level, world, &mut self.walk, place, &mut self.reached);
            }
            BroadPhase::Exhaustive => {
                self.reached.clear();
                self.reached.push(MotionBox {
                    place: RoomBox {
                        room: RoomId(0),
                        ..*place
                    },
                    room_from_home: Rigid::IDENTITY,
                });
            }
        }
    }

    /// Finds the sleeping bodies that an active body may meet. Bodies that it touches become active too.
    fn take_sleepers(
        &mut self,
        visitors: &[Visitor],
        meetings: &mut Vec<Meeting>,
        mut touch: impl FnMut(&Meeting) -> bool,
    ) {
        self.taken.clear();
        for visitor in visitors.iter().filter(|visitor| visitor.is_asleep) {
            self.meet_sleepers(visitor.id, meetings, |_| false);
        }
        let mut next = 0;
        loop {
            while let Some(&id) = self.active.get(next) {
                next += 1;
                self.meet_sleepers(id, meetings, &mut touch);
            }
            let active = &self.active;
            let is_active = |id: &Participant| active.contains(id);
            let asleep = |visitor: &&Visitor| visitor.is_asleep && !is_active(&visitor.id);
            let wakes = |visitor: &&Visitor| {
                let is_of_both = |meeting: &&Meeting| {
                    meeting.bodies.contains(&visitor.id) && meeting.bodies.iter().any(is_active)
                };
                meetings.iter().filter(is_of_both).any(&mut touch)
            };
            match visitors.iter().filter(asleep).find(wakes) {
                Some(visitor) => self.active.push(visitor.id),
                None => break,
            }
        }
        for id in &self.taken {
            self.sleepers[id.0 as usize] = Sleeper::Absent;
        }
        self.taken.sort_unstable();
    }

    /// Lists the sleeping bodies that a body may meet. Bodies that it touches become active.
    fn meet_sleepers(
        &mut self,
        id: Participant,
        meetings: &mut Vec<Meeting>,
        mut touch: impl FnMut(&Meeting) -> bool,
    ) {
        let Self {
            awake,
            asleep,
            tree,
            taken,
            sleepers,
            active,
            ..
        } = self;
        if tree.is_empty() {
            return;
        }
        let sleeper = id.body().map(|id| &mut sleepers[id.0 as usize]);
        let entries = match sleeper {
            Some(sleeper) if *sleeper == Sleeper::Woken => {
                *sleeper = Sleeper::Paired;
                &*asleep
            }
            _ => &*awake,
        };
        for (key, entry) in entries.of(id) {
            tree.overlapping(&entry.reached.place, |other| {
                let Participant::Body(body) = asleep.entry(other).body else {
                    return;
                };
                let sleeper = &mut sleepers[body.0 as usize];
                if *sleeper == Sleeper::Paired {
                    return;
                }
                if *sleeper == Sleeper::Absent {
                    *sleeper = Sleeper::Asleep;
                    taken.push(body);
                }
                let Some(meeting) = meeting((entries, key), (asleep, other)) else {
                    return;
                };
                if *sleeper == Sleeper::Asleep && touch(&meeting) {
                    *sleeper = Sleeper::Woken;
                    active.push(Participant::Body(body));
                }
                meetings.push(meeting);
            });
        }
    }
}

/// The motion box of a body in its current state, without acceleration.
fn box_of(collision: &CollisionWorld, id: BodyId, state: &BodyState, secs: f64) -> RoomBox {
    let body = collision.level.body(id);
    motion_box(&Moving::of(id, body, state, DVec3::ZERO), body, secs)
}

/// Merges two sorted lists.
fn merge(one: &[BodyId], other: &[BodyId], merged: &mut Vec<BodyId>) {
    merged.clear();
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    while let Some(first) = one.peek() {
        let before = other.next_if(|second| second < first);
        merged.extend(before.or_else(|| one.next()));
    }
    merged.extend(other);
}
