//! Who takes part in a tick: the bodies that are awake, and those asleep that they may come to touch.
//!
//! Those that are awake are put where they are now in each tick, and paired by one method of the broad phase. Those
//! asleep stand in a box tree, in which nothing changes until one wakes or falls asleep: a tick looks only at those
//! whose boxes what is awake overlaps, and at those that these overlap in turn, for what is struck may strike them.

use glam::DVec3;

use super::entries::{Entries, Meeting, meeting};
use super::reach::{Reached, find_reached, may_change, motion_box};
use super::{DynamicTree, PairFinder, PairMethod, RoomBox};
use crate::bodies::context::StepContext;
use crate::collision::{BroadPhase, CollisionWorld};
use crate::geometry::Rigid;
use crate::level::{BodyId, RoomId, Walk};
use crate::world::{Bodies, BodyState, Revision};

/// What a broad phase knows of the bodies of a world.
#[derive(Debug)]
pub(in crate::bodies) struct Presence {
    awake: Entries,
    finder: Box<dyn PairFinder>,
    asleep: Entries,
    tree: DynamicTree,
    /// Those entered as awake, in order.
    known: Vec<BodyId>,
    /// Which state of which world all this is of, by which broad phase of surfaces.
    found_in: Option<(Revision, BroadPhase)>,
    /// Which state of movers, and so of rooms, those asleep were entered in.
    rooms_in: Option<Revision>,
    /// Those asleep that may reach other rooms when movers move, and maybe others.
    unsteady: Vec<BodyId>,
    walk: Walk<()>,
    reached: Vec<Reached>,
    keys: Vec<[u32; 2]>,
    /// Entered for one tick only, or in the course of it.
    guests: Vec<BodyId>,
    overlapping: Vec<u32>,
    /// Those asleep that take part, and whether each body is one of them.
    taken: Vec<BodyId>,
    is_taken: Vec<bool>,
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
            is_taken: Vec::new(),
        }
    }

    /// Finds who takes part in a tick, in order, and who of them may meet, in any order. Visitors take
    /// part in this tick alone, with a box of their motion each; they come after the bodies of the level.
    pub(in crate::bodies) fn find(
        &mut self,
        context: &StepContext,
        visitors: &[(BodyId, RoomBox)],
        (ids, meetings): (&mut Vec<BodyId>, &mut Vec<Meeting>),
    ) {
        let StepContext {
            collision,
            bodies,
            gravity,
            secs,
            ..
        } = *context;
        self.follow(collision, bodies, secs);
        for &id in &bodies.awake {
            let place = box_of(collision, id, bodies.state(id), gravity, secs);
            self.reach(collision, &place);
            self.awake.put(&mut *self.finder, id, &self.reached);
        }
        for (id, place) in visitors {
            self.reach(collision, place);
            self.awake.hold(*id);
            self.awake.put(&mut *self.finder, *id, &self.reached);
        }
        meetings.clear();
        self.keys.clear();
        self.finder.find_pairs(&mut self.keys);
        for keys in &self.keys {
            meetings.extend(meeting((&self.awake, keys[0]), (&self.awake, keys[1])));
        }
        let visiting = visitors.iter().map(|(id, _)| *id);
        self.take_sleepers(
            bodies.awake.iter().copied().chain(visiting.clone()),
            meetings,
        );
        merge(&bodies.awake, &self.taken, ids);
        ids.extend(visiting.clone());
        self.guests.extend(visiting);
    }

    /// Enters a body, in the course of a tick, with a larger box, and finds who meets it there; in any order.
    pub(in crate::bodies) fn throw(
        &mut self,
        collision: &CollisionWorld,
        (id, place): (BodyId, &RoomBox),
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

    /// Notes that what is known is of a state of bodies, but for those that have fallen asleep or woken since.
    pub(in crate::bodies) fn note(&mut self, collision: &CollisionWorld, bodies: &Bodies) {
        self.found_in = Some((bodies.revision(), collision.broad_phase));
    }

    /// Enters those that have fallen asleep among those asleep, and takes out those that have woken; all again where
    /// this is another world than that of the last tick.
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
            self.is_taken.clear();
            self.is_taken.resize(bodies.len(), false);
            for (id, state) in bodies
                .iter()
                .filter(|(_, state)| state.is_asleep() && state.is_present)
            {
                self.put_to_sleep(collision, id, state, secs);
            }
        } else {
            let known = std::mem::take(&mut self.known);
            for &id in known.iter().filter(|id| bodies.state(**id).is_asleep()) {
                self.awake.remove(&mut *self.finder, id);
                self.put_to_sleep(collision, id, bodies.state(id), secs);
            }
            self.known = known;
            for &id in &bodies.awake {
                self.asleep.remove(&mut self.tree, id);
            }
            if self.rooms_in != Some(rooms) {
                self.enter_again(collision, bodies, secs);
            }
        }
        self.rooms_in = Some(rooms);
        self.known.clone_from(&bodies.awake);
    }

    /// Movers have moved: those asleep that may reach other rooms now are entered again.
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
        let place = box_of(collision, id, state, DVec3::ZERO, secs);
        self.reach(collision, &place);
        self.asleep.put(&mut self.tree, id, &self.reached);
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
                self.reached.push(Reached {
                    place: RoomBox {
                        room: RoomId(0),
                        ..*place
                    },
                    room_from_home: Rigid::IDENTITY,
                });
            }
        }
    }

    /// Finds those asleep that one meets who is awake, or who was found here.
    fn take_sleepers(&mut self, awake: impl Iterator<Item = BodyId>, meetings: &mut Vec<Meeting>) {
        self.taken.clear();
        if self.tree.is_empty() {
            return;
        }
        let Self {
            asleep,
            tree,
            taken,
            is_taken,
            ..
        } = self;
        let mut take = |taken: &mut Vec<BodyId>, key: u32| {
            let BodyId(body) = asleep.entry(key).body;
            if !std::mem::replace(&mut is_taken[body as usize], true) {
                taken.push(BodyId(body));
            }
        };
        for (key, entry) in awake.flat_map(|id| self.awake.of(id)) {
            tree.overlapping(&entry.reached.place, |other| {
                meetings.extend(meeting((&self.awake, key), (asleep, other)));
                take(taken, other);
            });
        }
        let mut next = 0;
        while let Some(&id) = taken.get(next) {
            for (key, entry) in asleep.of(id) {
                tree.overlapping(&entry.reached.place, |other| {
                    // Each of the two finds the other.
                    if key < other {
                        meetings.extend(meeting((asleep, key), (asleep, other)));
                    }
                    take(taken, other);
                });
            }
            next += 1;
        }
        for id in &*taken {
            is_taken[id.0 as usize] = false;
        }
        taken.sort_unstable();
    }
}

/// The box of the motion of a body as it is.
fn box_of(
    collision: &CollisionWorld,
    id: BodyId,
    state: &BodyState,
    gravity: DVec3,
    secs: f64,
) -> RoomBox {
    let radius = collision.level.body(id).radius;
    motion_box(state.at, radius, state.velocity, gravity, secs)
}

/// Makes one list in order of two.
fn merge(one: &[BodyId], other: &[BodyId], merged: &mut Vec<BodyId>) {
    merged.clear();
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    while let Some(first) = one.peek() {
        let before = other.next_if(|second| second < first);
        merged.extend(before.or_else(|| one.next()));
    }
    merged.extend(other);
}
