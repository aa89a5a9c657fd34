//! The pairs of bodies that may meet, as the tick goes through them.

use std::ops::Range;

use super::entries::Meeting;
use crate::bodies::moving::{Moving, farthest_way};
use crate::geometry::Rigid;
use crate::level::BodyId;

/// Two bodies that may meet, the first one with the lower index.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Pair {
    /// Indices among the bodies that take part in the tick.
    pub a: u32,
    pub b: u32,
    /// Takes coordinates of the room of `b` to those of the room of `a`.
    pub a_from_b: Rigid,
    /// The next pairs of each of the two, [`NONE`] for the last ones.
    next: [u32; 2],
}

/// Spheres are apart by more than this part of their distance, for rounding.
const ROUNDING: f64 = 1e-9;

/// No pair.
pub(in crate::bodies) const NONE: u32 = u32::MAX;

impl Pair {
    /// A pair in no list yet.
    pub(in crate::bodies) fn new(a: u32, b: u32, a_from_b: Rigid) -> Self {
        Self {
            a,
            b,
            a_from_b,
            next: [NONE; 2],
        }
    }

    /// The next pair of one of the two, by its index among the bodies.
    pub(in crate::bodies) fn next_of(&self, index: u32) -> u32 {
        self.next[usize::from(index != self.a)]
    }

    /// Whether the spheres around the two show that they are more than `distance` metres apart where they are now: most pairs
    /// are, and their shapes need not be read.
    pub(in crate::bodies) fn are_farther_than(&self, distance: f64, moving: &[Moving]) -> bool {
        let [a, b] = [self.a, self.b].map(|index| &moving[index as usize]);
        let reach = (a.radius + b.radius + distance) * (1.0 + ROUNDING);
        let middle_of_b = self.a_from_b.point(b.at.point);
        a.at.point.distance_squared(middle_of_b) > reach * reach
    }

    /// How far the centres of the two come towards each other in a time at most, metres, as they move now.
    pub(in crate::bodies) fn relative_way(&self, moving: &[Moving], secs: f64) -> f64 {
        let [a, b] = [self.a, self.b].map(|index| &moving[index as usize]);
        let velocity = a.velocity - self.a_from_b.vector(b.velocity);
        let acceleration = a.acceleration - self.a_from_b.vector(b.acceleration);
        farthest_way(velocity, acceleration, secs)
    }

    /// Whether it is of the same bodies at the same places.
    pub(in crate::bodies) fn is_same(&self, other: &Self) -> bool {
        (self.a, self.b) == (other.a, other.b) && self.a_from_b.is_about(&other.a_from_b)
    }
}

/// Makes pairs of meetings, in order; each pair of bodies once for each place at which the second is met from the first.
/// `index_of` has the index of each body that takes part.
pub(in crate::bodies) fn list_pairs(
    meetings: &mut [Meeting],
    index_of: &[u32],
    pairs: &mut Vec<Pair>,
) {
    let bodies = |meeting: &Meeting| {
        let [a, b] = meeting.bodies.map(|id| u64::from(id.0));
        a << 32 | b
    };
    meetings.sort_unstable_by_key(bodies);
    let index = |id: BodyId| index_of[id.0 as usize];
    pairs.clear();
    pairs.extend(meetings.iter().map(|meeting| {
        let [a, b] = meeting.bodies.map(index);
        Pair::new(a, b, meeting.a_from_b)
    }));
    let is_of_same = |p: &Pair, q: &Pair| (p.a, p.b) == (q.a, q.b);
    for run in pairs.chunk_by_mut(is_of_same).filter(|run| run.len() > 1) {
        run.sort_unstable_by(|p, q| order(&p.a_from_b, &q.a_from_b));
    }
    pairs.dedup_by(|next, kept| next.is_same(kept));
}

/// By where the other room lies, then by how it is turned.
pub(in crate::bodies) fn order(p: &Rigid, q: &Rigid) -> std::cmp::Ordering {
    let numbers = |rigid: &Rigid| {
        let turn = rigid.rotation().to_cols_array();
        rigid.translation().to_array().into_iter().chain(turn)
    };
    let mut by_each = numbers(p).zip(numbers(q)).map(|(p, q)| p.total_cmp(&q));
    by_each
        .find(|order| order.is_ne())
        .unwrap_or(std::cmp::Ordering::Equal)
}

/// Goes through the pairs whose first bodies are these, in order: calls `work` with each body, and with the indices of its
/// pairs. No pair may have been added since they were listed.
pub(in crate::bodies) fn with_pairs(
    pairs: &[Pair],
    bodies: Range<usize>,
    mut work: impl FnMut(u32, Range<usize>),
) {
    let mut next = pairs.partition_point(|pair| (pair.a as usize) < bodies.start);
    for index in bodies {
        let index = index as u32;
        let of_body = pairs[next..].iter().take_while(|pair| pair.a == index);
        let end = next + of_body.count();
        work(index, next..end);
        next = end;
    }
}

/// Lists the pairs of each of `count` bodies: `first_pairs` has the first one of each, [`NONE`] where there is none.
pub(in crate::bodies) fn link_pairs(count: usize, pairs: &mut [Pair], first_pairs: &mut Vec<u32>) {
    first_pairs.clear();
    first_pairs.resize(count, NONE);
    for index in (0..pairs.len()).rev() {
        link(pairs, index, first_pairs);
    }
}

/// Adds a pair, before the others of its bodies.
pub(in crate::bodies) fn add_pair(pairs: &mut Vec<Pair>, pair: Pair, first_pairs: &mut [u32]) {
    let index = pairs.len();
    pairs.push(pair);
    link(pairs, index, first_pairs);
}

fn link(pairs: &mut [Pair], index: usize, first_pairs: &mut [u32]) {
    let pair = &mut pairs[index];
    for (body, next) in [pair.a, pair.b].into_iter().zip(&mut pair.next) {
        *next = std::mem::replace(&mut first_pairs[body as usize], index as u32);
    }
}
