//! Clusters that are solved as a whole, with speculative contacts: points of which it is only possible that they touch
//! within the tick let the bodies come together as far as the gap, and no farther.
//!
//! (E. Catto, "Box2D" version 3, `docs/simulation.md`, 2024; G. Bradshaw, "Speculative Contacts", 2011.)

use glam::DVec3;

use super::characters::Participants;
use super::contacts::{Reach, Touching, find_manifolds, touch_bodies, touch_surfaces};
use super::moving::Moving;
use super::pairs::NONE;
use super::shares::{shares_of, side_by_side};
use super::solver::solve;
use super::tuning::CONTACT_DISTANCE;
use super::workspace::BodyWorkspace;
use crate::collision::CollisionWorld;
use crate::world::Bodies;

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
    all: Vec<u32>,
    /// The lowest body of each body's cluster, and the bodies by that.
    roots: Vec<u32>,
    by_root: Vec<[u32; 2]>,
}

/// Solves the clusters that are to be solved as a whole, from the beginning of the tick on.
pub(super) fn solve_clusters(given: &Given, workspace: &mut BodyWorkspace) {
    workspace.speculative_contacts.clear();
    workspace.kept[1].clear();
    if !find_members(given, workspace) {
        return;
    }
    gather(given, workspace);
    touch(given, workspace);
    let BodyWorkspace {
        moving,
        speculative_contacts: contacts,
        islands,
        solver,
        kept,
        ..
    } = workspace;
    islands.find(moving.len(), contacts);
    solve(
        moving,
        (contacts, islands),
        (&given.bodies.impulses, &mut kept[1]),
        solver,
        given.secs,
    );
}

/// Lists the members of clusters that are to be solved as a whole, as they are at the beginning of the tick. The clusters that
/// they may touch join them. Returns whether there are any.
fn find_members(given: &Given, workspace: &mut BodyWorkspace) -> bool {
    let mut members = std::mem::take(&mut workspace.members);
    members.all.clear();
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
fn begin_again(given: &Given, workspace: &mut BodyWorkspace, index: u32) {
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

/// Finds the triangles near the members: what an impact changed may have listed fewer.
fn gather(given: &Given, workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        near,
        gathered,
        members,
        moved,
        ..
    } = workspace;
    for &index in &members.all {
        let body = &mut moving[index as usize];
        body.listed = body.radius + body.way_in(given.secs) + CONTACT_DISTANCE + *moved;
        near[body.id.0 as usize].find(gathered, given.collision, body.at, body.listed);
    }
}

/// Finds the contacts of the members.
fn touch(given: &Given, workspace: &mut BodyWorkspace) {
    let Given {
        collision,
        participants,
        secs,
        ..
    } = *given;
    let BodyWorkspace {
        moving,
        near,
        pairs,
        first_pairs,
        touching,
        members,
        moved,
        speculative_contacts: contacts,
        ..
    } = workspace;
    let (moving, pairs, members) = (&moving[..], &pairs[..], &members.all[..]);
    let touching = shares_of(members.len(), touching);
    side_by_side(0..members.len(), touching, &|share, touching| {
        let Touching {
            manifolds,
            contacts,
        } = touching;
        contacts.clear();
        for &index in &members[share] {
            let body = &moving[index as usize];
            let near = (&near[body.id.0 as usize], *moved);
            let found = (&mut *manifolds, &mut *contacts);
            touch_surfaces(collision, participants, (index, body), near, secs, found);
            let mut pair = first_pairs[index as usize];
            while pair != NONE {
                let of_pair = &pairs[pair as usize];
                if of_pair.a == index && moving[of_pair.b as usize].is_speculative {
                    touch_bodies(participants, of_pair, moving, secs, (manifolds, contacts));
                }
                pair = of_pair.next_of(index);
            }
        }
    });
    contacts.extend(touching.iter().flat_map(|touching| &touching.contacts));
    // By what touches, not by the order of lists that depend on where bodies have been.
    contacts.sort_unstable_by(super::contacts::Contact::order);
}
