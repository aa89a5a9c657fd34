//! The members of clusters that are solved as a whole.

use glam::DVec3;

use super::characters::Participants;
use super::contacts::{Contact, Reach, find_manifolds};
use super::moving::Moving;
use super::pairs::NONE;
use super::workspace::BodyWorkspace;
use crate::collision::CollisionWorld;
use crate::world::{Bodies, KeptImpulse};

/// What a tick of bodies is given.
#[derive(Clone, Copy)]
pub(super) struct Given<'w> {
    pub collision: &'w CollisionWorld<'w>,
    pub participants: &'w Participants<'w>,
    pub bodies: &'w Bodies,
    /// m/s2.
    pub gravity: DVec3,
    /// Of the tick, seconds.
    pub secs: f64,
}

/// Members of clusters that are solved as a whole, rebuilt in each tick.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// Indices among the bodies that take part in the tick, in order.
    pub all: Vec<u32>,
    /// The lowest body of each body's cluster, and the bodies by that.
    roots: Vec<u32>,
    by_root: Vec<[u32; 2]>,
    /// Those whose clusters are solved now, in order; how each is at the beginning of the step, and by their index where they are.
    pub current: Vec<u32>,
    pub starts: Vec<Moving>,
    pub place_of: Vec<u32>,
    pub is_current: Vec<bool>,
    /// The contacts of the step, and the impulses with which each of them ends.
    pub contacts: Vec<Contact>,
    pub kept: Vec<KeptImpulse>,
    /// The impulses that the step begins with.
    pub before: Vec<KeptImpulse>,
    /// Per body, valid for the lowest one of an island: whether its contacts are to be solved.
    pub is_open: Vec<bool>,
    /// The contacts that are to be solved: their numbers among all, themselves, and their impulses.
    pub numbers: Vec<u32>,
    pub open: Vec<Contact>,
    pub solved: Vec<KeptImpulse>,
    /// The lowest bodies of the islands of which a contact was not held.
    pub hard: Vec<u32>,
    /// Their contacts: the lowest body, and the number among those that are open; and those of one of the islands.
    pub by_island: Vec<[u32; 2]>,
    pub alone: Vec<Contact>,
}

/// Lists the members of clusters that are to be solved as a whole, as they are at the beginning of the tick. The clusters that
/// they may touch join them. Returns whether there are any.
pub(super) fn find_members(given: &Given, workspace: &mut BodyWorkspace) -> bool {
    let mut members = std::mem::take(&mut workspace.members);
    members.all.clear();
    // What was struck may have come to others.
    workspace.clusters.add(workspace.moving.len());
    for index in 0..workspace.moving.len() as u32 {
        if workspace.clusters.is_speculative(index) {
            members.all.push(index);
        }
    }
    let any = !members.all.is_empty();
    if any {
        join_neighbours(given, workspace, &mut members);
        members.all.sort_unstable();
    }
    workspace.members = members;
    any
}

fn join_neighbours(given: &Given, workspace: &mut BodyWorkspace, members: &mut Members) {
    let Members {
        all,
        roots,
        by_root,
        ..
    } = members;
    let clusters = &mut workspace.clusters;
    roots.clear();
    roots.extend((0..workspace.moving.len() as u32).map(|index| clusters.root_of(index)));
    by_root.clear();
    by_root.extend((0..).zip(&*roots).map(|(index, root)| [*root, index]));
    by_root.sort_unstable();
    for &index in &*all {
        begin_again(given, workspace, index);
    }
    let mut next = 0;
    while let Some(&index) = all.get(next) {
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
                && may_touch(given, workspace, pair, other)
            {
                let root = roots[other as usize];
                let first = by_root.partition_point(|[of, _]| *of < root);
                let cluster = by_root[first..].iter();
                for [_, joining] in cluster.take_while(|[of, _]| *of == root) {
                    begin_again(given, workspace, *joining);
                    all.push(*joining);
                }
            }
            pair = following;
        }
    }
}

/// Puts a body back to the beginning of the tick, awake, as a member of a cluster that is solved as a whole.
pub(super) fn begin_again(given: &Given, workspace: &mut BodyWorkspace, index: u32) {
    workspace.moving[index as usize] = Moving {
        is_speculative: true,
        ..at_the_beginning(given, workspace, index)
    };
}

/// A body as it is at the beginning of the tick, awake.
fn at_the_beginning(given: &Given, workspace: &BodyWorkspace, index: u32) -> Moving {
    let Given {
        participants,
        bodies,
        gravity,
        ..
    } = *given;
    let BodyWorkspace {
        moving, entering, ..
    } = workspace;
    let id = moving[index as usize].id;
    let start = if participants.is_character(id) {
        let mut characters = entering.iter();
        let character = characters.find(|character| character.id == id);
        *character.expect("characters take part from the beginning")
    } else {
        let mut start = Moving::of(id, participants.body(id), bodies.state(id), gravity);
        start.acceleration = gravity;
        start
    };
    Moving {
        is_asleep: false,
        is_solved: false,
        ..start
    }
}

/// Whether a member and another body of a pair may touch within the tick.
fn may_touch(given: &Given, workspace: &mut BodyWorkspace, pair: u32, other: u32) -> bool {
    let now = workspace.moving[other as usize];
    let mut start = at_the_beginning(given, workspace, other);
    let is_asleep = given.participants.character(start.id).is_none()
        && given.bodies.state(start.id).is_asleep();
    if is_asleep {
        start.acceleration = DVec3::ZERO;
    }
    workspace.moving[other as usize] = start;
    let BodyWorkspace {
        moving,
        pairs,
        manifolds,
        ..
    } = workspace;
    let pair = &pairs[pair as usize];
    let reach = Reach::of_pair(pair, moving, given.secs).speculative();
    let touches = !pair.are_farther_than(reach, moving) && {
        find_manifolds(given.participants, pair, moving, reach, manifolds);
        !manifolds.is_empty()
    };
    moving[other as usize] = now;
    touches
}
