//! The pairs of bodies that may meet, as lists for each body.

use std::ops::Range;

use glam::DVec3;

use super::entries::Meeting;
use crate::bodies::moving::{Moving, farthest_way};
use crate::geometry::Rigid;
use crate::world::Participant;

/// A pair of bodies that may meet: the one with the lower index first, but a kinematic one second.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Pair {
    /// Indices among the bodies that take part in the tick.
    pub a: u32,
    pub b: u32,
    /// The transform from coordinates of the room of `b` to those of the room of `a`.
    pub a_from_b: Rigid,
    /// The next pair of each of the two bodies, [`NONE`] for the last pair.
    next: [u32; 2],
}

/// The relative tolerance for rounding in the distance test of bounding spheres.
const ROUNDING: f64 = 1e-9;

/// The value for no pair.
pub(in crate::bodies) const NONE: u32 = u32::MAX;

impl Pair {
    /// A pair that is not in a list yet.
    pub(in crate::bodies) fn new(a: u32, b: u32, a_from_b: Rigid) -> Self {
        Self {
            a,
            b,
            a_from_b,
            next: [NONE; 2],
        }
    }

    /// The next pair of one of the two bodies, given by its index.
    pub(in crate::bodies) fn next_of(&self, index: u32) -> u32 {
        self.next[usize::from(index != self.a)]
    }

    /// The other of the two bodies.
    pub(in crate::bodies) fn other_than(&self, index: u32) -> u32 {
        if self.a == index { self.b } else { self.a }
    }

    /// Whether the bounding spheres of the two bodies are more than `distance` metres apart at their current
    /// positions. Most pairs are, and their shapes need not be read.
    pub(in crate::bodies) fn are_farther_than(&self, distance: f64, moving: &[Moving]) -> bool {
        let spheres = [self.a, self.b].map(|index| {
            let moving = &moving[index as usize];
            (moving.at.point, moving.radius)
        });
        self.are_spheres_farther_than(distance, spheres)
    }

    /// Whether two spheres, given by their centres in the rooms of the two bodies and by their radii, are more than
    /// `distance` metres apart.
    pub(in crate::bodies) fn are_spheres_farther_than(
        &self,
        distance: f64,
        [(centre_a, radius_a), (centre_b, radius_b)]: [(DVec3, f64); 2],
    ) -> bool {
        let reach = (radius_a + radius_b + distance) * (1.0 + ROUNDING);
        centre_a.distance_squared(self.a_from_b.point(centre_b)) > reach * reach
    }

    /// The upper bound of the distance by which the centres approach each other in a time, metres, at the current
    /// velocities.
    pub(in crate::bodies) fn relative_way(&self, moving: &[Moving], secs: f64) -> f64 {
        let [a, b] = [self.a, self.b].map(|index| &moving[index as usize]);
        let velocity = a.velocity - self.a_from_b.vector(b.velocity);
        let acceleration = a.acceleration - self.a_from_b.vector(b.acceleration);
        farthest_way(velocity, acceleration, secs)
    }

    /// Whether another pair has the same bodies at the same relative positions.
    pub(in crate::bodies) fn is_same(&self, other: &Self) -> bool {
        (self.a, self.b) == (other.a, other.b) && self.a_from_b.is_about(&other.a_from_b)
    }
}

/// Makes sorted pairs from meetings: one pair of bodies for each transform between their rooms. `index` returns the
/// index of a participant among those of the tick.
pub(in crate::bodies) fn list_pairs(
    meetings: &mut [Meeting],
    index: impl Fn(Participant) -> u32,
    pairs: &mut Vec<Pair>,
) {
    meetings.sort_unstable_by_key(|meeting| meeting.bodies);
    pairs.clear();
    pairs.extend(meetings.iter().map(|meeting| {
        let [a, b] = meeting.bodies.map(&index);
        Pair::new(a, b, meeting.a_from_b)
    }));
    let is_of_same = |p: &Pair, q: &Pair| (p.a, p.b) == (q.a, q.b);
    for run in pairs.chunk_by_mut(is_of_same).filter(|run| run.len() > 1) {
        run.sort_unstable_by(|p, q| order(&p.a_from_b, &q.a_from_b));
    }
    pairs.dedup_by(|next, kept| next.is_same(kept));
}

/// Orders by translation, then by rotation.
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

/// Iterates in order over the pairs whose first bodies are in a range: calls `work` with each body and the range of
/// its pairs. No pair may have been added since [`list_pairs`].
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

/// Links the pairs of each of `count` bodies into lists: `first_pairs` has the first pair of each body, [`NONE`] for
/// a body without pairs.
pub(in crate::bodies) fn link_pairs(count: usize, pairs: &mut [Pair], first_pairs: &mut Vec<u32>) {
    first_pairs.clear();
    first_pairs.resize(count, NONE);
    for index in (0..pairs.len()).rev() {
        link(pairs, index, first_pairs);
    }
}

/// Adds a pair at the front of the lists of its bodies.
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
