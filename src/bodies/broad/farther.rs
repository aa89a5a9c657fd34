//! Pairs the bodies that an impact or a cluster wakes during the tick, or moves beyond their motion box. Such bodies
//! may meet bodies with which they were not paired.

use super::pairs::{NONE, Pair, add_pair, order};
use super::reach::motion_box;
use crate::bodies::context::StepContext;
use crate::bodies::kinematic::move_kinematic;
use crate::bodies::tuning::CONTACT_DISTANCE;
use crate::bodies::workspace::BodyWorkspace;
use crate::world::Participant;

/// The extra size of motion boxes, metres.
const SPARE: f64 = 0.5 * CONTACT_DISTANCE;

/// Pairs a body with all bodies that it may meet in the rest of the tick, if it may leave its motion box, or was
/// asleep.
pub(in crate::bodies) fn find_partners_farther_on(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    index: u32,
) {
    let moving = &mut workspace.moving[index as usize];
    let rest = context.secs - moving.time;
    let reach = moving.reach_in(rest);
    if reach <= moving.reach + SPARE {
        return;
    }
    moving.reach = reach;
    let (id, time) = (moving.id, moving.time);
    let place = motion_box(moving, context.participants.body(id), rest);
    let mut meetings = std::mem::take(&mut workspace.meetings);
    workspace
        .presence
        .throw(context.collision, (id, &place), &mut meetings);
    meetings.retain(|meeting| !context.pass_through(meeting.bodies));
    meetings.sort_unstable_by(|p, q| {
        let by_bodies = p.bodies.cmp(&q.bodies);
        by_bodies.then_with(|| order(&p.a_from_b, &q.a_from_b))
    });
    list_partners(workspace, index);
    let known = workspace.pairs.len();
    for meeting in &meetings {
        let [a, b] = meeting.bodies.map(|id| join(context, workspace, id, time));
        let [of_a, of_b] = [a, b].map(|index| workspace.moving[index as usize].is_kinematic);
        // A body that joins late has the highest index.
        let pair = if of_b || a < b && !of_a {
            Pair::new(a, b, meeting.a_from_b)
        } else {
            Pair::new(b, a, meeting.a_from_b.inverse())
        };
        if !is_known(workspace, (index, known), &pair) {
            add_pair(&mut workspace.pairs, pair, &mut workspace.first_pairs);
        }
    }
    workspace.meetings = meetings;
}

/// Returns the index of a body among the bodies that take part. Adds the body if it did not take part; `time` is the
/// current time of the tick, seconds.
fn join(context: &StepContext, workspace: &mut BodyWorkspace, id: Participant, time: f64) -> u32 {
    let slot = context.participants.slot(id);
    let known = workspace.index_of[slot];
    let moving = workspace.moving.get(known as usize);
    if moving.is_some_and(|moving| moving.id == id) {
        return known;
    }
    // Awake bodies take part from the beginning.
    let index = workspace.moving.len() as u32;
    workspace.index_of[slot] = index;
    workspace.first_pairs.push(NONE);
    let asleep = context.at_the_beginning(&workspace.entering, id);
    workspace.moving.push(asleep);
    if asleep.is_kinematic {
        workspace.kinematic.push(index);
        move_kinematic(context, &mut workspace.moving[index as usize], time);
    }
    index
}

/// Lists the pairs of the body at `index`, sorted by the other body.
fn list_partners(workspace: &mut BodyWorkspace, index: u32) {
    let BodyWorkspace {
        pairs,
        first_pairs,
        partners,
        ..
    } = workspace;
    partners.clear();
    let mut at = first_pairs[index as usize];
    while at != NONE {
        let pair = &pairs[at as usize];
        partners.push([pair.other_than(index), at]);
        at = pair.next_of(index);
    }
    partners.sort_unstable();
}

/// Whether a pair of the body at `index` is one of the first `known` pairs, or of the later ones, which are sorted by
/// their bodies.
fn is_known(workspace: &BodyWorkspace, (index, known): (u32, usize), pair: &Pair) -> bool {
    let BodyWorkspace {
        pairs, partners, ..
    } = workspace;
    let other = pair.other_than(index);
    let first = partners.partition_point(|[partner, _]| *partner < other);
    let of_other = partners[first..].iter();
    let mut of_other = of_other.take_while(|[partner, _]| *partner == other);
    let later = pairs[known..].iter().rev();
    let mut later = later.take_while(|later| later.other_than(index) == other);
    of_other.any(|[_, at]| pairs[*at as usize].is_same(pair)) || later.any(|at| at.is_same(pair))
}
