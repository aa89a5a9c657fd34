//! The order in which contacts are solved, and which of them side by side.

use super::body::GROUND;
use crate::bodies::contacts::Contact;

/// Orders contacts, rebuilt in each tick.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Which of the points of its two bodies each contact is.
    ranks: Vec<u32>,
    by_rank: Vec<u32>,
    /// Of the contacts in the order of ranks: after how many others each is solved.
    levels: Vec<u32>,
    by_level: Vec<u32>,
    /// Per body the level of its last contact so far.
    last: Vec<u32>,
    counts: Vec<u32>,
}

impl Order {
    /// Orders those of the contacts that are `chosen`: calls `place` with the index of each among those, and with its
    /// level. `body_of` has the index among the solver's bodies of each body that takes part in the tick.
    ///
    /// The first point of all that touch is solved, then the second of all, and so on. Solved face by face, what the last
    /// point of each leaves adds up, and high stacks rock and creep. Contacts that have no body in common are of one
    /// level if nothing before them is in the way: what is solved does not depend on the order within a level, and is the
    /// same as if one contact after another were solved.
    pub(super) fn find(
        &mut self,
        (contacts, chosen): (&[Contact], &[u32]),
        body_of: &[u32],
        body_count: usize,
        mut place: impl FnMut(u32, u32),
    ) {
        self.ranks.clear();
        let (mut rank, mut last) = (0, None);
        for &index in chosen {
            let contact = &contacts[index as usize];
            rank = if last == Some(contact.key) {
                rank + 1
            } else {
                0
            };
            last = Some(contact.key);
            self.ranks.push(rank);
        }
        sort_by_count(&self.ranks, &mut self.counts, &mut self.by_rank);
        self.last.clear();
        self.last.resize(body_count, 0);
        self.levels.clear();
        for &index in &self.by_rank {
            let contact = &contacts[chosen[index as usize] as usize];
            let a = body_of[contact.a as usize];
            let b = contact.b.map_or(GROUND, |b| body_of[b as usize]);
            let [before_a, before_b] = [a, b].map(|body| self.last[body as usize]);
            self.levels.push(before_a.max(before_b));
            let after = before_a.max(before_b) + 1;
            self.last[a as usize] = after;
            if b != GROUND {
                self.last[b as usize] = after;
            }
        }
        sort_by_count(&self.levels, &mut self.counts, &mut self.by_level);
        for &index in &self.by_level {
            place(self.by_rank[index as usize], self.levels[index as usize]);
        }
    }
}

/// Lists the indices of keys by key, those of one key in their order.
fn sort_by_count(keys: &[u32], counts: &mut Vec<u32>, sorted: &mut Vec<u32>) {
    counts.clear();
    let most = keys.iter().max().map_or(0, |most| *most as usize);
    counts.resize(most + 1, 0);
    for &key in keys {
        counts[key as usize] += 1;
    }
    let mut first = 0;
    for count in &mut *counts {
        first += std::mem::replace(count, first);
    }
    sorted.clear();
    sorted.resize(keys.len(), 0);
    for (index, &key) in (0..).zip(keys) {
        let place = &mut counts[key as usize];
        sorted[*place as usize] = index;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::geometry::Rigid;
    use crate::level::BodyId;
    use crate::rng::Rng;
    use crate::world::ContactKey;

    /// A contact of one body with another, or with a surface.
    fn contact(a: u32, b: Option<u32>) -> Contact {
        Contact {
            key: ContactKey {
                body: BodyId(a),
                other: b.map_or(0, |b| u64::from(b) + 1),
            },
            a,
            b,
            a_from_b: Rigid::IDENTITY,
            normal: DVec3::Y,
            arm_a: DVec3::ZERO,
            arm_b: DVec3::ZERO,
            surface_course: DVec3::ZERO,
            surface_velocity: DVec3::ZERO,
            separation: 0.0,
            friction: 0.5,
            bounce: 0.0,
            approach: 0.0,
            parting: 0.0,
            rolls: false,
        }
    }

    /// Random contacts of bodies, some at several points, in the order of their keys.
    fn contacts(rng: &mut Rng, bodies: u32) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for a in 0..bodies {
            let others = (a + 1..bodies).map(Some);
            for b in std::iter::once(None).chain(others) {
                let points = rng.between(-6.0, 5.0).max(0.0) as usize;
                contacts.extend((0..points).map(|_| contact(a, b)));
            }
        }
        contacts
    }

    #[test]
    fn contacts_of_a_level_have_no_body_in_common_and_those_of_a_body_keep_their_order() {
        let mut rng = Rng::new(3);
        let mut order = Order::default();
        let mut widest = 0;
        for bodies in (0..40).chain([120]) {
            let contacts = contacts(&mut rng, bodies);
            // The ground has the index 0.
            let body_of: Vec<u32> = (1..=bodies).collect();
            let mut placed = Vec::new();
            let chosen: Vec<u32> = (0..contacts.len() as u32).collect();
            order.find(
                (&contacts, &chosen),
                &body_of,
                bodies as usize + 1,
                |index, level| placed.push((index, level)),
            );
            let mut all: Vec<u32> = placed.iter().map(|(index, _)| *index).collect();
            all.sort_unstable();
            assert_eq!(all, chosen);
            assert!(placed.is_sorted_by_key(|(_, level)| *level));
            for level in placed.chunk_by(|p, q| p.1 == q.1) {
                widest = widest.max(level.len());
                let contact = |(index, _): &(u32, u32)| &contacts[*index as usize];
                let bodies = level.iter().map(contact);
                let bodies = bodies.flat_map(|contact| [Some(contact.a), contact.b]);
                let mut bodies: Vec<u32> = bodies.flatten().collect();
                let count = bodies.len();
                bodies.sort_unstable();
                bodies.dedup();
                assert_eq!(bodies.len(), count, "one body twice in a level");
            }
            // The first points of all that touch, then the second ones.
            let rank = |index: u32| {
                let key = contacts[index as usize].key;
                let before = contacts[..index as usize].iter();
                before.filter(|contact| contact.key == key).count()
            };
            for body in 0..bodies {
                let is_of_body = |index: &u32| {
                    let contact = &contacts[*index as usize];
                    contact.a == body || contact.b == Some(body)
                };
                let solved = placed.iter().map(|(index, _)| *index).filter(is_of_body);
                let solved: Vec<_> = solved.map(|index| (rank(index), index)).collect();
                assert!(solved.is_sorted(), "{bodies}: {solved:?}");
            }
        }
        assert!(widest > 8, "{widest}");
    }
}
