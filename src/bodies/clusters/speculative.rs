//! The members of clusters that are solved as a whole.

use super::members::Members;
use crate::bodies::broad::farther::find_partners_farther_on;
use crate::bodies::broad::pairs::NONE;
use crate::bodies::contacts::{ContactReach, find_manifolds};
use crate::bodies::context::StepContext;
use crate::bodies::moving::Moving;
use crate::bodies::workspace::BodyWorkspace;
use crate::world::Participant;

/// Lists the members of clusters that are to be solved as a whole, in their states at the beginning of the tick.
/// Clusters that the members may touch join them. Returns whether there are any members.
pub(in crate::bodies) fn find_members(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
) -> bool {
    let mut members = std::mem::take(&mut workspace.members);
    members.all.clear();
    // Bodies that were struck may have been added to the tick.
    workspace.clusters.add(workspace.moving.len());
    for index in 0..workspace.moving.len() as u32 {
        if workspace.clusters.is_speculative(index) {
            members.all.push(index);
        }
    }
    let any = !members.all.is_empty();
    if any {
        join_neighbours(context, workspace, &mut members);
        members.all.sort_unstable();
    }
    workspace.members = members;
    any
}

fn join_neighbours(context: &StepContext, workspace: &mut BodyWorkspace, members: &mut Members) {
    for &index in &members.all {
        // A body that is speculative from the beginning of the tick has not moved.
        if !workspace.moving[index as usize].is_speculative {
            become_member(context, workspace, index);
        }
    }
    members.by_root.clear();
    let mut next = 0;
    while let Some(&index) = members.all.get(next) {
        next += 1;
        let mut pair = workspace.first_pairs[index as usize];
        while pair != NONE {
            let of_pair = &workspace.pairs[pair as usize];
            let other = if of_pair.a == index {
                of_pair.b
            } else {
                of_pair.a
            };
            let following = of_pair.next_of(index);
            if !workspace.moving[other as usize].is_speculative
                && may_touch(context, workspace, pair, other)
            {
                join(context, workspace, members, other);
            }
            pair = following;
        }
    }
}

/// Makes all bodies of a body's cluster members.
pub(super) fn join(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    members: &mut Members,
    index: u32,
) {
    let Members { all, by_root, .. } = members;
    let clusters = &mut workspace.clusters;
    let count = workspace.moving.len();
    clusters.add(count);
    if !by_root.is_empty() && index as usize >= by_root.len() {
        // A body added to the tick after `by_root` was built forms a cluster of its own.
        become_member(context, workspace, index);
        all.push(index);
        return;
    }
    if by_root.is_empty() {
        let count = count as u32;
        by_root.extend((0..count).map(|index| [clusters.root_of(index), index]));
        by_root.sort_unstable();
    }
    let root = workspace.clusters.root_of(index);
    let first = by_root.partition_point(|[of, _]| *of < root);
    let cluster = by_root[first..].iter();
    for [_, joining] in cluster.take_while(|[of, _]| *of == root) {
        become_member(context, workspace, *joining);
        all.push(*joining);
    }
}

/// Makes a body a member: resets it to the beginning of the tick, and pairs it with the bodies that it may meet in
/// the tick.
fn become_member(context: &StepContext, workspace: &mut BodyWorkspace, index: u32) {
    begin_again(context, workspace, index);
    find_partners_farther_on(context, workspace, index);
}

/// Resets a body to the beginning of the tick, awake, as a member of a cluster that is solved as a whole.
pub(in crate::bodies) fn begin_again(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    index: u32,
) {
    workspace.moving[index as usize] = Moving {
        is_speculative: true,
        ..at_the_beginning(context, workspace, index)
    };
}

/// The state of a body at the beginning of the tick, awake.
fn at_the_beginning(context: &StepContext, workspace: &BodyWorkspace, index: u32) -> Moving {
    let BodyWorkspace {
        moving, entering, ..
    } = workspace;
    let id = moving[index as usize].id;
    let mut start = context.at_the_beginning(entering, id);
    if let Participant::Body(id) = id {
        start.acceleration = context.acceleration_of(id);
    }
    Moving {
        is_asleep: false,
        is_solved: false,
        ..start
    }
}

/// Whether a member and another body of a pair may touch within the tick.
fn may_touch(context: &StepContext, workspace: &mut BodyWorkspace, pair: u32, other: u32) -> bool {
    let now = workspace.moving[other as usize];
    workspace.moving[other as usize] = at_the_beginning(context, workspace, other);
    let BodyWorkspace {
        moving,
        pairs,
        manifolds,
        ..
    } = workspace;
    let pair = &pairs[pair as usize];
    let reach = ContactReach::of_pair(pair, moving, context.secs).speculative();
    let touches = !pair.are_farther_than(reach, moving) && {
        find_manifolds(context.participants, pair, moving, reach, manifolds);
        !manifolds.is_empty()
    };
    moving[other as usize] = now;
    touches
}
