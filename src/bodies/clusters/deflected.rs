//! Members that their solution deflects towards bodies of no cluster.
//!
//! A cluster consists of the bodies that may meet at the velocities of the beginning of the tick. Impacts in its
//! solution change these velocities: a member may then meet another body, which would neither stop it nor be hit. Such
//! a body joins the cluster, and the cluster is solved again.

use super::speculative::join;
use crate::bodies::broad::pairs::{NONE, Pair};
use crate::bodies::contacts::narrow::{Search, TOUCHING, meets};
use crate::bodies::context::StepContext;
use crate::bodies::tuning::{CONTACT_DISTANCE, MAX_STEPPED};
use crate::bodies::workspace::BodyWorkspace;

/// Adds to the clusters the bodies that current members meet by the end of a step, `until` seconds since the beginning
/// of the tick, and marks these clusters for shorter steps. In later steps than the first, large clusters get no more
/// bodies, because this would take too long.
pub(super) fn join_met(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    (until, is_first): (f64, bool),
) {
    let mut members = std::mem::take(&mut workspace.members);
    let known = members.all.len();
    members.by_root.clear();
    for place in 0..members.current.len() {
        let index = members.current[place];
        // In the first step, a member without contacts moves as the search for impacts expected.
        if is_first && !workspace.moving[index as usize].is_solved {
            continue;
        }
        let mut next = workspace.first_pairs[index as usize];
        while next != NONE {
            let pair = workspace.pairs[next as usize];
            next = pair.next_of(index);
            let other = if pair.a == index { pair.b } else { pair.a };
            if workspace.moving[other as usize].is_speculative
                || !meet_by(context, workspace, &pair, until)
            {
                continue;
            }
            let clusters = &mut workspace.clusters;
            clusters.add(workspace.moving.len());
            let most = if is_first { u32::MAX } else { MAX_STEPPED };
            if clusters.make_rough(index, most) {
                clusters.unite(index, other);
                join(context, workspace, &mut members, other);
            }
        }
    }
    members.joined.extend_from_slice(&members.all[known..]);
    workspace.members = members;
}

/// Whether the bodies of a pair meet by a time of the tick.
fn meet_by(context: &StepContext, workspace: &mut BodyWorkspace, pair: &Pair, until: f64) -> bool {
    let participants = context.participants;
    let BodyWorkspace {
        moving, manifolds, ..
    } = workspace;
    let [a, b] = [pair.a, pair.b].map(|index| &moving[index as usize]);
    let from = a.time.max(b.time);
    let reach = a.reach_in(until - a.time) + b.reach_in(until - b.time);
    // Bodies within the contact distance are in one cluster.
    if from >= until
        || reach < 0.5 * CONTACT_DISTANCE
        || pair.are_farther_than(reach + TOUCHING, moving)
    {
        return false;
    }
    let search = Search {
        from,
        secs: until - from,
        limit: until - from,
        is_held: false,
    };
    let [a, b] = [a, b].map(|moving| (&participants.body(moving.id).shape, moving));
    meets(a, b, &pair.a_from_b, &search, manifolds).is_some()
}
