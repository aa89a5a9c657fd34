//! The order in which contacts are solved, and their distribution among the lanes of quads.

use super::body::GROUND;
use super::lanes::LANES;
use crate::bodies::contacts::BodyContact;

/// The order of contacts, rebuilt in each tick.
#[derive(Debug, Default)]
pub(super) struct ContactOrder {
    /// The rank of each contact among the points of its two bodies.
    ranks: Vec<u32>,
    by_rank: Vec<u32>,
    /// The number of quads, from the first, that contain all contacts of each body so far.
    last: Vec<u32>,
    /// The number of taken lanes of each quad.
    taken: Vec<u32>,
    /// The next quad in the search for a free lane, for each quad.
    next_free: Vec<u32>,
    counts: Vec<u32>,
}

impl ContactOrder {
    /// Puts the `chosen` contacts into the lanes of quads. For each contact it calls `place` with its index among the
    /// chosen contacts, and with its lane, counted over all quads. Returns the number of quads. `body_of` maps a body
    /// of the tick to its index among the solver's bodies.
    ///
    /// The first points of all contacts are solved first, then the second points, and so on. If whole faces were
    /// solved one after another, the residual errors of each face's last point would add up, and high stacks would
    /// rock and creep. A contact is placed in the first quad with a free lane after the quads of the earlier contacts
    /// of its bodies. So no quad has a body twice, and the results equal those of a solver that takes one contact
    /// after another.
    pub(super) fn find(
        &mut self,
        (contacts, chosen): (&[BodyContact], &[u32]),
        body_of: &[u32],
        body_count: usize,
        mut place: impl FnMut(u32, u32),
    ) -> usize {
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
        self.taken.clear();
        self.next_free.clear();
        for position in 0..self.by_rank.len() {
            let index = self.by_rank[position];
            let contact = &contacts[chosen[index as usize] as usize];
            let a = body_of[contact.a as usize];
            let b = contact.b.map_or(GROUND, |b| body_of[b as usize]);
            let [after_a, after_b] = [a, b].map(|body| self.last[body as usize]);
            let quad = self.first_free(after_a.max(after_b));
            let lane = self.taken[quad as usize];
            place(index, quad * LANES as u32 + lane);
            self.taken[quad as usize] = lane + 1;
            if lane + 1 == LANES as u32 {
                self.next_free[quad as usize] = quad + 1;
            }
            self.last[a as usize] = quad + 1;
            if b != GROUND {
                self.last[b as usize] = quad + 1;
            }
        }
        self.taken.len()
    }

    /// The first quad at or after `from` with a free lane. Adds a quad if there is none.
    fn first_free(&mut self, from: u32) -> u32 {
        let mut quad = from;
        while let Some(&next) = self.next_free.get(quad as usize) {
            if next == quad {
                return quad;
            }
            // Paths are halved, so that they stay short (R. Tarjan, J. van Leeuwen, "Worst-Case Analysis of Set Union
            // Algorithms", 1984).
            let after = self.next_free.get(next as usize);
            self.next_free[quad as usize] = after.copied().unwrap_or(next);
            quad = next;
        }
        self.next_free.push(quad);
        self.taken.push(0);
        quad
    }
}

/// Sorts the indices of keys by key; equal keys keep their order.
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
    use crate::world::{ContactKey, Participant};

    /// A contact of one body with another, or with a surface.
    fn contact(a: u32, b: Option<u32>) -> BodyContact {
        BodyContact {
            key: ContactKey {
                first: Participant::Body(BodyId(a)),
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
    fn contacts(rng: &mut Rng, bodies: u32) -> Vec<BodyContact> {
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
    fn contacts_of_a_quad_have_no_body_in_common_and_those_of_a_body_keep_their_order() {
        let mut rng = Rng::new(3);
        let mut order = ContactOrder::default();
        let mut fullest = 0.0_f64;
        for bodies in (0..40).chain([120]) {
            let contacts = contacts(&mut rng, bodies);
            // The ground has the index 0.
            let body_of: Vec<u32> = (1..=bodies).collect();
            let mut placed = Vec::new();
            let chosen: Vec<u32> = (0..contacts.len() as u32).collect();
            let quads = order.find(
                (&contacts, &chosen),
                &body_of,
                bodies as usize + 1,
                |index, place| placed.push((index, place)),
            );
            let mut all: Vec<u32> = placed.iter().map(|(index, _)| *index).collect();
            all.sort_unstable();
            assert_eq!(all, chosen);
            placed.sort_unstable_by_key(|(_, place)| *place);
            assert!(placed.is_sorted_by(|p, q| p.1 < q.1), "one lane twice");
            let quad_of = |place: u32| place as usize / LANES;
            assert!(placed.iter().all(|(_, place)| quad_of(*place) < quads));
            for quad in placed.chunk_by(|p, q| quad_of(p.1) == quad_of(q.1)) {
                let contact = |(index, _): &(u32, u32)| &contacts[*index as usize];
                let bodies = quad.iter().map(contact);
                let bodies = bodies.flat_map(|contact| [Some(contact.a), contact.b]);
                let mut bodies: Vec<u32> = bodies.flatten().collect();
                let count = bodies.len();
                bodies.sort_unstable();
                bodies.dedup();
                assert_eq!(bodies.len(), count, "one body twice in a quad");
            }
            fullest = fullest.max(contacts.len() as f64 / (quads * LANES).max(1) as f64);
            // The first points of all pairs come first, then the second points.
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
        assert!(fullest > 0.95, "{fullest}");
    }
}
