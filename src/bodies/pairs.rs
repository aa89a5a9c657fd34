//! The pairs of bodies that may meet, as the tick goes through them.

use super::presence::Meeting;
use crate::geometry::Rigid;
use crate::level::BodyId;

/// Two bodies that may meet, the first one with the lower index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Indices among the bodies that take part in the tick.
    pub a: u32,
    pub b: u32,
    /// Takes coordinates of the room of `b` to those of the room of `a`.
    pub a_from_b: Rigid,
}

/// Makes pairs of meetings, in order; each pair of bodies once for each place at which the second is met from the first.
/// `index_of` has the index of each body that takes part.
pub(super) fn list_pairs(meetings: &mut [Meeting], index_of: &[u32], pairs: &mut Vec<Pair>) {
    let bodies = |meeting: &Meeting| {
        let [a, b] = meeting.bodies.map(|id| u64::from(id.0));
        a << 32 | b
    };
    meetings.sort_unstable_by_key(bodies);
    let index = |id: BodyId| index_of[id.0 as usize];
    pairs.clear();
    pairs.extend(meetings.iter().map(|meeting| {
        let [a, b] = meeting.bodies.map(index);
        Pair {
            a,
            b,
            a_from_b: meeting.a_from_b,
        }
    }));
    let is_same = |p: &Pair, q: &Pair| (p.a, p.b) == (q.a, q.b);
    for run in pairs.chunk_by_mut(is_same).filter(|run| run.len() > 1) {
        run.sort_unstable_by(|p, q| order(&p.a_from_b, &q.a_from_b));
    }
    pairs.dedup_by(|next, kept| is_same(next, kept) && next.a_from_b.is_about(&kept.a_from_b));
}

/// By where the other room lies, then by how it is turned.
fn order(p: &Rigid, q: &Rigid) -> std::cmp::Ordering {
    let numbers = |rigid: &Rigid| {
        let turn = rigid.rotation().to_cols_array();
        rigid.translation().to_array().into_iter().chain(turn)
    };
    let mut by_each = numbers(p).zip(numbers(q)).map(|(p, q)| p.total_cmp(&q));
    by_each
        .find(|order| order.is_ne())
        .unwrap_or(std::cmp::Ordering::Equal)
}

/// Lists the pairs of each body: per body the first of its places in `partners`, and one past the last.
pub(super) fn list_partners(
    count: usize,
    pairs: &[Pair],
    pairs_of: &mut Vec<[u32; 2]>,
    partners: &mut Vec<u32>,
) {
    pairs_of.clear();
    pairs_of.resize(count, [0; 2]);
    for pair in pairs {
        pairs_of[pair.a as usize][1] += 1;
        pairs_of[pair.b as usize][1] += 1;
    }
    let mut first = 0;
    for range in pairs_of.iter_mut() {
        let count = range[1];
        *range = [first; 2];
        first += count;
    }
    partners.clear();
    partners.resize(first as usize, 0);
    for (index, pair) in (0..).zip(pairs) {
        for body in [pair.a, pair.b] {
            let end = &mut pairs_of[body as usize][1];
            partners[*end as usize] = index;
            *end += 1;
        }
    }
}
