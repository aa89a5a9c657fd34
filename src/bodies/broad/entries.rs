//! The motion boxes of bodies, each under a key in the broad phase.

use super::PairFinder;
use super::reach::MotionBox;
use crate::bodies::context::StepContext;
use crate::geometry::Rigid;
use crate::world::Participant;

/// The value for no entry.
const NONE: u32 = u32::MAX;

/// The rooms that bodies reach: an entry for each room, with a key that stays the same as long as the entry exists.
#[derive(Debug, Default)]
pub(in crate::bodies) struct Entries {
    /// All entries, by key.
    all: Vec<Entry>,
    free: Vec<u32>,
    /// The key of the first entry of each participant, by its slot.
    first: Vec<u32>,
    /// The number of bodies of the level.
    body_count: usize,
}

/// A room that a body reaches.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Entry {
    pub body: Participant,
    pub reached: MotionBox,
    /// The key of the body's next entry.
    next: u32,
}

impl Entries {
    /// Makes room for the bodies of a level.
    pub(in crate::bodies) fn resize(&mut self, body_count: usize) {
        self.body_count = body_count;
        self.first.resize(body_count, NONE);
    }

    /// Makes room for one more participant.
    pub(in crate::bodies) fn hold(&mut self, body: Participant) {
        let count = self.first.len().max(body.slot(self.body_count) + 1);
        self.first.resize(count, NONE);
    }

    pub(in crate::bodies) fn entry(&self, key: u32) -> &Entry {
        &self.all[key as usize]
    }

    /// The entries of a body, with their keys.
    pub(in crate::bodies) fn of(&self, body: Participant) -> impl Iterator<Item = (u32, &Entry)> {
        let entry = |key: u32| self.all.get(key as usize).map(|entry| (key, entry));
        let first = entry(self.first[body.slot(self.body_count)]);
        std::iter::successors(first, move |(_, last)| entry(last.next))
    }

    /// Enters a body in all rooms that it reaches, in place of its earlier entries.
    pub(in crate::bodies) fn put(
        &mut self,
        finder: &mut dyn PairFinder,
        body: Participant,
        reached: &[MotionBox],
    ) {
        let mut known = self.first[body.slot(self.body_count)];
        let mut last = NONE;
        for &reached in reached {
            let entry = Entry {
                body,
                reached,
                next: NONE,
            };
            let key = match self.all.get_mut(known as usize) {
                Some(place) => {
                    let key = known;
                    known = std::mem::replace(place, entry).next;
                    key
                }
                None => self.add(entry),
            };
            finder.put(key, &reached.place);
            self.set_next(body, last, key);
            last = key;
        }
        self.set_next(body, last, NONE);
        self.free_from(finder, known);
    }

    /// Removes a body.
    pub(in crate::bodies) fn remove(&mut self, finder: &mut dyn PairFinder, body: Participant) {
        let first = &mut self.first[body.slot(self.body_count)];
        let key = std::mem::replace(first, NONE);
        self.free_from(finder, key);
    }

    /// Removes all bodies.
    pub(in crate::bodies) fn clear(&mut self, finder: &mut dyn PairFinder) {
        for slot in 0..self.first.len() {
            let key = std::mem::replace(&mut self.first[slot], NONE);
            self.free_from(finder, key);
        }
    }

    fn add(&mut self, entry: Entry) -> u32 {
        if let Some(key) = self.free.pop() {
            self.all[key as usize] = entry;
            return key;
        }
        self.all.push(entry);
        self.all.len() as u32 - 1
    }

    /// Sets the body's next entry after the entry `after`, or its first entry if there is no entry `after`.
    fn set_next(&mut self, body: Participant, after: u32, next: u32) {
        match self.all.get_mut(after as usize) {
            Some(entry) => entry.next = next,
            None => self.first[body.slot(self.body_count)] = next,
        }
    }

    fn free_from(&mut self, finder: &mut dyn PairFinder, mut key: u32) {
        while key != NONE {
            finder.remove(key);
            self.free.push(key);
            key = self.all[key as usize].next;
        }
    }
}

/// Two bodies whose boxes overlap in a room.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Meeting {
    /// The two bodies: the lower one first, but a kinematic one second.
    pub bodies: [Participant; 2],
    /// The transform from coordinates of the second body's room to those of the first body's room.
    pub a_from_b: Rigid,
}

impl Meeting {
    /// Puts a kinematic body second.
    pub(in crate::bodies) fn put_kinematic_second(&mut self, context: &StepContext) {
        if context.is_kinematic(self.bodies[0]) {
            self.bodies.swap(0, 1);
            self.a_from_b = self.a_from_b.inverse();
        }
    }
}

/// The meeting of two entries, unless they belong to the same body.
pub(in crate::bodies) fn meeting(one: (&Entries, u32), other: (&Entries, u32)) -> Option<Meeting> {
    let [one, other] = [one, other].map(|(entries, key)| entries.entry(key));
    let (a, b) = if one.body < other.body {
        (one, other)
    } else {
        (other, one)
    };
    (a.body != b.body).then(|| Meeting {
        bodies: [a.body, b.body],
        a_from_b: a
            .reached
            .room_from_home
            .inverse()
            .after(&b.reached.room_from_home),
    })
}
