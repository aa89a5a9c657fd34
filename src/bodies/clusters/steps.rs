//! Clusters that are solved as a whole, with speculative contacts: points that may touch within the step. A
//! speculative contact lets the bodies close the gap, but no more.
//!
//! A step is a whole tick, unless a body rotates fast: the solver extrapolates points along straight lines. If a body
//! of a small cluster rotates so far that the error exceeds a millimetre, the cluster takes steps of a half, a fourth
//! or an eighth of a tick.
//!
//! (E. Catto, "Box2D" version 3, `docs/simulation.md`, 2024; G. Bradshaw, "Speculative Contacts", 2011.)

use glam::DVec3;

use super::deflected::join_met;
use super::direct::solve_directly;
use super::members::{Members, sort_new};
use super::neighbours::stop_neighbours;
use super::predicted::{departure, find_predicted, note_unresolved};
use super::speculative::{begin_again, find_members};
use crate::bodies::broad::farther::find_partners_farther_on;
use crate::bodies::broad::pairs::NONE;
use crate::bodies::contacts::{
    BodyContact, ContactBuffers, note_depths, take_all, touch_bodies, touch_surfaces,
};
use crate::bodies::context::StepContext;
use crate::bodies::events::ImpactRecord;
use crate::bodies::kinematic::move_all_kinematic;
use crate::bodies::moving::Moving;
use crate::bodies::path::{Way, advance};
use crate::bodies::shares::{shares_of, side_by_side};
use crate::bodies::solver::{ContactSubset, Step, solve};
use crate::bodies::tuning::{
    CONTACT_DISTANCE, MAX_DEPARTURE, MAX_STEPPED, MAX_STEPS, MAX_STEPS_UNRESOLVED,
};
use crate::bodies::workspace::BodyWorkspace;
use crate::world::KeptImpulse;

/// The maximum number of times that a solution is improved if bodies penetrate at its end.
const ROUNDS: u32 = 3;
/// The number of contacts above which an island is improved only once: in a large heap, some body rotates fast at any
/// time.
const MAX_IMPROVED_AGAIN: u32 = 512;

/// The minimum number of substeps of a step.
const MIN_SUBSTEPS: u32 = 4;

/// Moves the clusters that are to be solved as a whole to the end of the tick.
pub(in crate::bodies) fn solve_clusters(context: &StepContext, workspace: &mut BodyWorkspace) {
    workspace.speculative_contacts.clear();
    workspace.kept[1].clear();
    if !find_members(context, workspace) {
        return;
    }
    choose_all(workspace);
    // The hits of members come from the solutions of their clusters.
    let BodyWorkspace { moving, events, .. } = workspace;
    let is_member = |hit: &ImpactRecord| moving[hit.a as usize].is_speculative;
    events.hits.retain(|hit| !is_member(hit));
    let mut steps = 1;
    loop {
        workspace.members.hits.clear();
        for step in 1..=steps {
            solve_step(context, workspace, (step, steps));
        }
        keep_smooth(workspace);
        if !choose_rough(context, workspace) {
            return;
        }
        steps *= 2;
    }
}

/// Chooses all members, to be solved in one step.
fn choose_all(workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving, members, ..
    } = workspace;
    let Members {
        all,
        current,
        place_of,
        is_current,
        ..
    } = members;
    current.clone_from(all);
    place_of.resize(moving.len(), 0);
    is_current.clear();
    is_current.resize(moving.len(), false);
    for &index in &*all {
        is_current[index as usize] = true;
    }
}

/// Chooses the members of clusters that need shorter steps, at the beginning of the tick. Returns whether there are
/// any.
fn choose_rough(context: &StepContext, workspace: &mut BodyWorkspace) -> bool {
    let mut current = std::mem::take(&mut workspace.members.current);
    let BodyWorkspace {
        moving,
        clusters,
        members,
        events,
        ..
    } = workspace;
    current.retain(|index| {
        let is_rough = clusters.is_rough(*index);
        members.is_current[*index as usize] = is_rough;
        is_rough
    });
    members.is_current.resize(moving.len(), false);
    members.place_of.resize(moving.len(), 0);
    for index in members.joined.drain(..) {
        members.is_current[index as usize] = true;
        current.push(index);
    }
    current.sort_unstable();
    // The hits of bodies that joined come from the solution, too.
    events
        .hits
        .retain(|hit| !members.is_current[hit.a as usize]);
    clusters.smooth_all();
    for &index in &current {
        begin_again(context, workspace, index);
    }
    workspace.members.current = current;
    !workspace.members.current.is_empty()
}

/// Stores the contacts and impulses of the clusters that need no shorter steps.
fn keep_smooth(workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        clusters,
        members,
        speculative_contacts,
        kept,
        events,
        ..
    } = workspace;
    if speculative_contacts.is_empty() && !clusters.are_any_rough() {
        std::mem::swap(speculative_contacts, &mut members.contacts);
        std::mem::swap(&mut kept[1], &mut members.kept);
    }
    for (contact, impulse) in members.contacts.iter().zip(&members.kept) {
        if !clusters.is_rough(contact.a) {
            speculative_contacts.push(*contact);
            kept[1].push(*impulse);
        }
    }
    let hits = members.hits.iter();
    let smooth = hits.filter(|hit| !clusters.is_rough(hit.a));
    events.hits.extend(smooth);
}

/// Moves the chosen members through a step. The pair has the index of the step and the number of steps of the tick.
fn solve_step(context: &StepContext, workspace: &mut BodyWorkspace, (step, steps): (u32, u32)) {
    let secs = context.secs / f64::from(steps);
    move_all_kinematic(context, workspace, secs * f64::from(step - 1));
    gather(context, workspace, secs);
    touch(context, workspace, secs);
    begin(context, workspace, (step, steps));
    let stiffness = context.participants.level.stiffness;
    let of_solver = Step {
        secs,
        substeps: (stiffness.substeps() / steps).max(MIN_SUBSTEPS),
        stiffness,
        has_impacts: true,
    };
    solve_open(workspace, of_solver);
    solve_directly(workspace, of_solver);
    pair_farther_on(context, workspace);
    let mut is_final = false;
    for round in 0..ROUNDS {
        if round > 0 {
            close_large(workspace);
        }
        find_predicted(context, workspace, secs);
        is_final = !workspace.members.is_open.contains(&true);
        if is_final {
            break;
        }
        restore_open(workspace);
        solve_open(workspace, of_solver);
        solve_directly(workspace, of_solver);
    }
    let time = secs * f64::from(step);
    if steps < MAX_STEPS_UNRESOLVED {
        note_unresolved(context, workspace, (secs, MAX_STEPPED), !is_final);
    }
    if steps < MAX_STEPS {
        note_rough(workspace, secs);
        join_met(context, workspace, (time, steps == 1));
    }
    list_hits(&mut workspace.members);
    workspace.joints.end();
    let is_last = step == steps;
    finish(
        context,
        workspace,
        if is_last { context.secs } else { time },
        is_last,
    );
}

/// Lists the impacts of a step.
fn list_hits(members: &mut Members) {
    let Members {
        contacts,
        kept,
        starts,
        place_of,
        hits,
        ..
    } = members;
    hits.extend(contacts.iter().zip(&*kept).filter_map(|(contact, kept)| {
        let start = &starts[place_of[contact.a as usize] as usize];
        ImpactRecord::of(contact, start.at, contact.approach, kept.total)
    }));
}

/// If the solution moves a member beyond its motion box, pairs the member with the bodies that it may meet there.
fn pair_farther_on(context: &StepContext, workspace: &mut BodyWorkspace) {
    for place in 0..workspace.members.current.len() {
        let index = workspace.members.current[place];
        find_partners_farther_on(context, workspace, index);
    }
    let count = workspace.moving.len();
    workspace.members.place_of.resize(count, 0);
    workspace.members.is_current.resize(count, false);
}

/// Marks the small clusters in which a body rotates too far for the step.
fn note_rough(workspace: &mut BodyWorkspace, secs: f64) {
    let BodyWorkspace {
        moving,
        clusters,
        members,
        ..
    } = workspace;
    for &index in &members.current {
        let body = &moving[index as usize];
        if body.is_solved && departure(body, secs) > MAX_DEPARTURE {
            clusters.make_rough(index, MAX_STEPPED);
        }
    }
}

/// Moves the chosen members to the end of a step.
fn finish(context: &StepContext, workspace: &mut BodyWorkspace, time: f64, is_last: bool) {
    let BodyWorkspace {
        moving,
        near,
        members,
        manifolds,
        ..
    } = workspace;
    let Members {
        current,
        solved_states,
        ..
    } = members;
    solved_states.clear();
    solved_states.extend(current.iter().map(|index| moving[*index as usize]));
    for &index in &*current {
        let body = &mut moving[index as usize];
        advance(&Way::of(context, near, body), body, time, manifolds);
    }
    stop_neighbours(context, workspace, time);
    let BodyWorkspace {
        moving, members, ..
    } = workspace;
    let Members {
        current, starts, ..
    } = members;
    for (&index, start) in current.iter().zip(&*starts) {
        let body = &mut moving[index as usize];
        let rigid_body = context.participants.body(body.id);
        body.keep_energy_of_spin(rigid_body, start.rotation);
        if !is_last {
            body.acceleration = start.acceleration;
            (body.course, body.turn) = (body.velocity, body.spin);
            (body.is_solved, body.fall) = (false, DVec3::ZERO);
            body.stopped_at = f64::INFINITY;
            if !body.is_ball {
                body.find_inertia(rigid_body);
            }
        }
    }
}

/// Finds the triangles near the members. If an impact has changed a body, its existing list may not reach far enough.
fn gather(context: &StepContext, workspace: &mut BodyWorkspace, secs: f64) {
    let BodyWorkspace {
        moving,
        near,
        gathered,
        members,
        ..
    } = workspace;
    for &index in &members.current {
        let body = &mut moving[index as usize];
        body.depth = 0.0;
        body.listed = body.radius + body.way_in(secs) + CONTACT_DISTANCE + context.mover_way;
        near[body.slot as usize].find(gathered, context.collision, body.at, body.listed);
    }
}

/// Finds the contacts of the members.
fn touch(context: &StepContext, workspace: &mut BodyWorkspace, secs: f64) {
    let participants = context.participants;
    let BodyWorkspace {
        moving,
        near,
        pairs,
        first_pairs,
        touching,
        members,
        ..
    } = workspace;
    let Members {
        current,
        is_current,
        contacts,
        sorted,
        ..
    } = members;
    contacts.clear();
    sorted.clear();
    let (bodies, pairs, current) = (&moving[..], &pairs[..], &current[..]);
    let touching = shares_of(current.len(), touching);
    side_by_side(0..current.len(), touching, &|share, touching| {
        let ContactBuffers {
            manifolds,
            contacts,
        } = touching;
        contacts.clear();
        for &index in &current[share] {
            let body = &bodies[index as usize];
            let near = &near[body.slot as usize];
            let found = (&mut *manifolds, &mut *contacts);
            touch_surfaces(context, (index, body), near, secs, found);
            let mut pair = first_pairs[index as usize];
            while pair != NONE {
                let of_pair = &pairs[pair as usize];
                let other = of_pair.b as usize;
                if of_pair.a == index && (is_current[other] || bodies[other].is_kinematic) {
                    touch_bodies(participants, of_pair, bodies, secs, (manifolds, contacts));
                }
                pair = of_pair.next_of(index);
            }
        }
    });
    take_all(touching, contacts);
    note_depths(moving, contacts);
}

/// Stores the states of the members at the beginning of a step, opens their islands, and lists the impulses with
/// which the step begins.
fn begin(context: &StepContext, workspace: &mut BodyWorkspace, (step, steps): (u32, u32)) {
    let BodyWorkspace {
        moving,
        index_of,
        islands,
        clusters,
        joints,
        members,
        ..
    } = workspace;
    let Members {
        current,
        is_current,
        starts,
        place_of,
        contacts,
        kept,
        before,
        is_open,
        ..
    } = members;
    if step == 1 {
        before.clone_from(&context.bodies.impulses);
    } else {
        before.clone_from(kept);
        before.sort_unstable_by(KeptImpulse::order);
    }
    kept.clear();
    islands.find(moving.len(), contacts.iter());
    clusters.unite_touching(contacts);
    let bodies = (&moving[..], &index_of[..]);
    let time = context.secs * f64::from(step - 1) / f64::from(steps);
    joints.begin(
        context,
        bodies,
        (current, is_current),
        (islands, clusters),
        (step == 1, context.secs - time),
    );
    is_open.clear();
    is_open.resize(moving.len(), true);
    starts.clear();
    for (place, &index) in (0..).zip(&*current) {
        place_of[index as usize] = place;
        moving[index as usize].begin_step(step, steps);
        starts.push(moving[index as usize]);
    }
}

/// Solves the contacts of islands that are open.
fn solve_open(workspace: &mut BodyWorkspace, step: Step) {
    let BodyWorkspace {
        moving,
        islands,
        joints,
        members,
        solver,
        ..
    } = workspace;
    let Members {
        contacts: all,
        kept,
        before,
        is_open,
        sorted,
        numbers,
        solved,
        ..
    } = members;
    // The contacts are sorted by their bodies, because the order of lists depends on earlier ticks.
    sort_new(all, sorted, numbers);
    numbers.clear();
    numbers.extend(sorted.iter().filter(|number| {
        let contact = &all[**number as usize];
        is_open[islands.root_of(contact.a) as usize]
    }));
    joints.open(|body| is_open[islands.root_of(body) as usize]);
    let of_joints = (&joints.open[..], &mut joints.solved);
    let open = ContactSubset { all, numbers };
    let of_contacts = (open, &mut *islands);
    solve(
        moving,
        of_contacts,
        (before, solved),
        of_joints,
        solver,
        step,
    );
    joints.note_solved();
    let none = |contact: &BodyContact| KeptImpulse::none(contact.key);
    let known = kept.len();
    kept.extend(all[known..].iter().map(none));
    for (number, solved) in numbers.iter().zip(&*solved) {
        kept[*number as usize] = *solved;
    }
}

/// Closes the islands of the last solution that are too large to be improved again.
fn close_large(workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        islands, members, ..
    } = workspace;
    let Members {
        contacts,
        numbers,
        is_open,
        counts,
        ..
    } = members;
    counts.clear();
    counts.resize(is_open.len(), 0);
    let solved = ContactSubset {
        all: contacts,
        numbers,
    };
    for contact in solved.iter() {
        let root = islands.root_of(contact.a) as usize;
        counts[root] += 1;
        is_open[root] &= counts[root] <= MAX_IMPROVED_AGAIN;
    }
}

/// Resets the members of open islands to the beginning of the step.
fn restore_open(workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        islands,
        members,
        ..
    } = workspace;
    for (&index, start) in members.current.iter().zip(&members.starts) {
        if members.is_open[islands.root_of(index) as usize] {
            let listed = moving[index as usize].listed;
            moving[index as usize] = Moving { listed, ..*start };
        }
    }
}
