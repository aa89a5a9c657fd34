//! Touches of bodies that last from tick to tick, for the events of bodies. No motion depends on them.

use super::participant::ContactKey;
use crate::level::BodyId;
use crate::save::{Saved, StateReader};

/// The pairs of a body and a solid that press each other, or that did so when the bodies fell asleep.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Touches {
    /// The touches of the last tick in which one body is awake, or was removed after that tick; sorted.
    pub awake: Vec<ContactKey>,
    /// The touches in which all bodies sleep; sorted. They last until one of the bodies wakes.
    asleep: Vec<ContactKey>,
}

impl Clone for Touches {
    fn clone(&self) -> Self {
        Self {
            awake: self.awake.clone(),
            asleep: self.asleep.clone(),
        }
    }

    /// Allocates nothing if the lists have the capacity already.
    fn clone_from(&mut self, source: &Self) {
        self.awake.clone_from(&source.awake);
        self.asleep.clone_from(&source.asleep);
    }
}

impl Saved for Touches {
    fn save(&self, to: &mut Vec<u8>) {
        self.awake.save(to);
        self.asleep.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let [awake, asleep] = [Vec::<ContactKey>::load(from)?, Vec::load(from)?];
        let is_sorted = awake.is_sorted() && asleep.is_sorted();
        is_sorted.then_some(Self { awake, asleep })
    }
}

impl Touches {
    /// Moves the touches of bodies that no longer sleep to the list of the awake ones. Calls `note` for each of them.
    pub(crate) fn wake(
        &mut self,
        sleeps: impl Fn(BodyId) -> bool,
        mut note: impl FnMut(&ContactKey),
    ) {
        let Self { awake, asleep } = self;
        let count = awake.len();
        asleep.retain(|key| {
            let stays = key.bodies().all(&sleeps);
            if !stays {
                note(key);
                awake.push(*key);
            }
            stays
        });
        if awake.len() > count {
            awake.sort_unstable();
        }
    }

    /// Replaces the touches of awake bodies by those at the end of a tick, sorted. If all bodies of a touch have
    /// fallen asleep, it joins the touches of sleeping bodies; `fallen_asleep` is a buffer for these.
    pub(crate) fn replace(
        &mut self,
        touches: &[ContactKey],
        sleeps: impl Fn(BodyId) -> bool,
        fallen_asleep: &mut Vec<ContactKey>,
    ) {
        self.awake.clear();
        fallen_asleep.clear();
        for key in touches {
            let list = if key.bodies().all(&sleeps) {
                &mut *fallen_asleep
            } else {
                &mut self.awake
            };
            list.push(*key);
        }
        insert_sorted(&mut self.asleep, fallen_asleep);
    }
}

/// Inserts sorted keys into a sorted list: merges them from the end.
fn insert_sorted(list: &mut Vec<ContactKey>, keys: &[ContactKey]) {
    let (mut old, mut new) = (list.len(), keys.len());
    list.extend_from_slice(keys);
    while new > 0 {
        let is_old = old > 0 && list[old - 1] > keys[new - 1];
        list[old + new - 1] = if is_old { list[old - 1] } else { keys[new - 1] };
        *if is_old { &mut old } else { &mut new } -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::world::participant::Participant;

    fn key(body: u32) -> ContactKey {
        ContactKey {
            first: Participant::Body(BodyId(body)),
            other: 0,
        }
    }

    #[test]
    fn keys_inserted_into_a_sorted_list_are_sorted() {
        let mut rng = Rng::new(5);
        for _ in 0..500 {
            let mut lists = [0; 2].map(|_| {
                let count = rng.below(8);
                let mut keys: Vec<_> = (0..count).map(|_| key(rng.below(20) as u32)).collect();
                keys.sort_unstable();
                keys
            });
            let mut expected = lists.concat();
            expected.sort_unstable();
            let [list, keys] = &mut lists;
            insert_sorted(list, keys);
            assert_eq!(*list, expected);
        }
    }
}
