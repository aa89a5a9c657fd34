//! One tick of all rigid bodies of a world.

use glam::DVec3;

use super::broad::near::{NearbyTriangles, find_all};
use super::broad::pairs::{Pair, link_pairs, list_pairs, with_pairs};
use super::broad::presence::{TakingPart, Visitor};
use super::broad::reach::motion_box;
use super::characters::{Character, Participants, enter as enter_character, leave};
use super::clusters::members::Members;
use super::clusters::predicted::is_missed;
use super::clusters::steps::solve_clusters;
use super::contacts::{
    BodyContact, ContactBuffers, are_touching, note_depths, take_all, touch_bodies, touch_surfaces,
};
use super::context::StepContext;
use super::disturb::wake_beside_changes;
use super::impacts::{advance_all, resolve_in_order};
use super::kinematic::{finish_kinematic, list_kinematic};
use super::openings::enter_moved_rooms;
use super::riding::{board, carry, find_carriers, list_boarded, may_board};
use super::shares::{shares_of, side_by_side};
use super::sleep::let_sleep;
use super::solver::{ContactSubset, Step, solve};
use super::sorting::sort_nearly_sorted;
use super::times::Stopwatch;
use super::tuning::CONTACT_DISTANCE;
use super::velocity::change_of_room;
use super::workspace::BodyWorkspace;
use crate::collision::{BroadPhase, CollisionWorld};
use crate::level::{Level, TICKS_PER_SECOND};
use crate::save::{MAX_SPEED, bounded};
use crate::world::{Bodies, KeptImpulse, Participant, World};

/// Advances the bodies of a world by a tick. `gravity` is an acceleration, m/s2, the same in all rooms.
///
/// In order: the bodies that take part and the triangles near them are listed; resting contacts are solved together; all bodies
/// move, and their impacts are resolved in the order of time; clusters are solved as a whole; slow islands fall asleep.
pub fn tick_bodies(
    level: &Level,
    world: &mut World,
    characters: &mut [Character],
    broad_phase: BroadPhase,
    gravity: DVec3,
    workspace: &mut BodyWorkspace,
) {
    let secs = TICKS_PER_SECOND.recip();
    let mut of_characters = std::mem::take(&mut workspace.characters);
    of_characters.make(characters);
    of_characters.hold(world.bodies.held());
    let participants = Participants {
        level,
        characters: &of_characters,
    };
    enter_characters(&participants, world, characters, gravity, workspace);
    let mut bodies = std::mem::take(&mut world.bodies);
    workspace.events.clear();
    wake_beside_changes(level, world, &mut bodies);
    workspace.joints.wake_joined(level, &mut bodies);
    let is_quiet = workspace.entering.iter().all(|moving| moving.is_asleep);
    if bodies.awake.is_empty() && is_quiet {
        workspace.events.end_without_bodies(level, &mut bodies);
        bodies.applied_forces.clear();
        world.bodies = bodies;
        workspace.characters = of_characters;
        return;
    }
    if !bodies.woken.is_empty() {
        bodies.wake_touches(|_| ());
    }
    let collision = CollisionWorld::new(level, world)
        .with_broad_phase(broad_phase)
        .without_bodies();
    for id in &bodies.awake {
        bodies.before[id.0 as usize] = bodies.states[id.0 as usize];
    }
    carry(&collision, &mut bodies);
    if may_board(&collision, &bodies) {
        let context = StepContext::new(&collision, &participants, &bodies, gravity);
        meet(&context, workspace);
        workspace.clusters.reset(workspace.moving.len());
        touch(&context, workspace);
        list_boarded(&context, workspace);
        board(&collision, workspace, &mut bodies);
    }
    let context = StepContext::new(&collision, &participants, &bodies, gravity);
    step(&context, workspace);
    let mut watch = Stopwatch::start(workspace.clock);
    keep(level, workspace, &mut bodies);
    write_back(&collision, workspace, &mut bodies);
    enter_moved_rooms(&collision, &mut bodies);
    find_carriers(&collision, workspace, &mut bodies);
    let_sleep(level, workspace, &mut bodies);
    bodies
        .impulses
        .retain(|impulse| !impulse.key.first.is_character());
    bodies.applied_forces.clear();
    bodies.advance();
    let held_back = workspace.moving.iter().filter(|moving| moving.is_held_back);
    workspace.held_back += held_back.count() as u64;
    workspace.presence.note(&collision, &bodies);
    workspace.events.end(level, &mut bodies);
    world.bodies = bodies;
    let collision = CollisionWorld::new(level, world);
    for moving in &workspace.moving {
        if let Participant::Character(index) = moving.id {
            leave(&collision, &mut characters[index as usize], moving, secs);
        }
    }
    workspace.characters = of_characters;
    watch.end(&mut workspace.times.finish);
}

/// Runs the phases that move the bodies that take part to the end of the tick.
fn step(context: &StepContext, workspace: &mut BodyWorkspace) {
    let mut watch = Stopwatch::start(workspace.clock);
    meet(context, workspace);
    watch.end(&mut workspace.times.broad_phase);
    choose_clusters(context, workspace);
    touch(context, workspace);
    leave_movers(workspace);
    watch.end(&mut workspace.times.contacts);
    solve_resting(context, workspace);
    watch.end(&mut workspace.times.resting);
    resolve_in_order(context, workspace);
    watch.end(&mut workspace.times.impacts);
    solve_clusters(context, workspace);
    watch.end(&mut workspace.times.clusters);
    advance_all(context, workspace);
    finish_kinematic(context, workspace);
    watch.end(&mut workspace.times.finish);
}

/// Lists the characters that bodies may reach in this tick.
fn enter_characters(
    participants: &Participants,
    world: &World,
    characters: &mut [Character],
    gravity: DVec3,
    workspace: &mut BodyWorkspace,
) {
    let collision = CollisionWorld::new(participants.level, world);
    workspace.entering.clear();
    for (index, character) in (0..).zip(characters) {
        character.stay();
        let secs = TICKS_PER_SECOND.recip();
        let moving = enter_character(
            &collision,
            participants,
            (index, &*character),
            gravity,
            secs,
        );
        workspace.entering.extend(moving);
    }
}

/// Lists the bodies that take part, and the pairs that may meet.
fn meet(context: &StepContext, workspace: &mut BodyWorkspace) {
    begin(context, workspace);
    list_kinematic(workspace);
    gather(context, workspace);
}

/// Finds the clusters that are solved as a whole.
fn choose_clusters(context: &StepContext, workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        index_of,
        pairs,
        clusters,
        joints,
        ..
    } = workspace;
    joints.find(context, moving);
    let joined = joints.pairs(context.participants.level, moving, index_of);
    clusters.find(context, moving, pairs, joined);
    clusters.note_members(moving);
}

/// Marks the clusters of bodies that rest on moving surfaces, so that they are solved as a whole.
fn leave_movers(workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        contacts,
        clusters,
        ..
    } = workspace;
    clusters.leave_movers(moving, contacts);
}

/// Lists the bodies that take part, and finds the pairs of them that may meet.
fn begin(context: &StepContext, workspace: &mut BodyWorkspace) {
    let StepContext {
        participants, secs, ..
    } = *context;
    let BodyWorkspace {
        presence,
        ids,
        woken,
        meetings,
        manifolds,
        moving,
        index_of,
        near,
        pairs,
        first_pairs,
        entering,
        visitors,
        ..
    } = workspace;
    visitors.clear();
    visitors.extend(entering.iter().map(|moving| Visitor {
        id: moving.id,
        place: motion_box(moving, participants.body(moving.id), secs),
        is_asleep: moving.is_asleep,
    }));
    let taking_part = TakingPart {
        ids: &mut *ids,
        woken: &mut *woken,
        meetings: &mut *meetings,
    };
    presence.find(context, visitors, taking_part, |meeting| {
        let now = meeting
            .bodies
            .map(|id| context.at_the_beginning(entering, id));
        let pair = Pair::new(0, 1, meeting.a_from_b);
        !context.pass_through(meeting.bodies)
            && context.may_wake(meeting.bodies)
            && !pair.are_farther_than(CONTACT_DISTANCE, &now)
            && are_touching(participants, &pair, &now, manifolds)
    });
    let count = participants.count();
    near.resize_with(count, NearbyTriangles::default);
    index_of.resize(count, 0);
    moving.clear();
    moving.extend(ids.iter().map(|id| context.body_at_the_beginning(*id)));
    moving.extend_from_slice(entering);
    for (index, moving) in (0..).zip(moving.iter_mut()) {
        index_of[moving.slot as usize] = index;
        if woken.binary_search(&moving.id).is_ok() {
            moving.wake(match moving.id {
                Participant::Body(id) => context.acceleration_of(id),
                Participant::Character(_) => moving.acceleration,
            });
        }
    }
    meetings.retain(|meeting| !context.pass_through(meeting.bodies));
    for meeting in &mut *meetings {
        meeting.put_kinematic_second(context);
    }
    let index = |id: Participant| index_of[participants.slot(id)];
    list_pairs(meetings, index, pairs);
    link_pairs(moving.len(), pairs, first_pairs);
}

/// Finds the triangles near each body that is awake.
fn gather(context: &StepContext, workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        near,
        gatherings,
        ..
    } = workspace;
    find_all(context, moving, near, gatherings);
}

/// Solves the resting contacts, except those of clusters that are solved as a whole.
fn solve_resting(context: &StepContext, workspace: &mut BodyWorkspace) {
    let StepContext { bodies, secs, .. } = *context;
    let stiffness = context.participants.level.stiffness;
    let BodyWorkspace {
        moving,
        contacts,
        clusters,
        islands,
        solver,
        kept,
        members: Members { numbers, .. },
        ..
    } = workspace;
    islands.find(moving.len(), contacts.iter());
    numbers.clear();
    numbers.extend(0..contacts.len() as u32);
    let all = ContactSubset {
        all: contacts,
        numbers,
    };
    solve(
        moving,
        (all, islands),
        (&bodies.impulses, &mut kept[0]),
        (&[], &mut Vec::new()),
        solver,
        Step {
            secs,
            substeps: stiffness.substeps(),
            stiffness,
            has_impacts: false,
        },
    );
    for contact in &*contacts {
        if is_missed(moving, contact, secs) {
            clusters.make_speculative(contact.a);
        }
    }
}

/// Keeps the impulses of the tick for the next one, in the order of their keys, and the contacts of bodies that
/// touch.
fn keep(level: &Level, workspace: &mut BodyWorkspace, bodies: &mut Bodies) {
    let impulses = &mut bodies.impulses;
    let BodyWorkspace {
        moving,
        index_of,
        contacts,
        speculative_contacts,
        islands,
        joints,
        kept: [resting, speculative],
        ..
    } = workspace;
    // Bodies whose cluster was solved as a whole later in the tick have their contacts in `speculative_contacts`.
    let is_resting = |contact: &BodyContact| !moving[contact.a as usize].is_speculative;
    let resting = contacts.iter().zip(&*resting);
    let resting = resting.filter(|(contact, _)| is_resting(contact));
    impulses.clear();
    impulses.extend(resting.map(|(_, kept)| *kept));
    impulses.extend_from_slice(speculative);
    sort_nearly_sorted(impulses, |p, q| p.key == q.key, KeptImpulse::order);
    contacts.retain(|contact| !moving[contact.a as usize].is_speculative);
    // Across a gap, a body does not ride a mover. But contacts with a gap count for the islands that sleep together;
    // otherwise the bodies would wake each other forever.
    islands.find(moving.len(), contacts.iter().chain(&*speculative_contacts));
    for [a, b] in joints.pairs(level, moving, index_of) {
        islands.unite(a, b);
    }
    joints.keep(&mut bodies.joint_impulses);
    let touches = |contact: &&BodyContact| contact.separation <= CONTACT_DISTANCE;
    contacts.extend(speculative_contacts.iter().filter(touches));
}

/// Finds the contacts of each body in turn: with surfaces first, then with other bodies.
fn touch(context: &StepContext, workspace: &mut BodyWorkspace) {
    let StepContext {
        participants, secs, ..
    } = *context;
    let BodyWorkspace {
        moving,
        near,
        pairs,
        contacts,
        touching,
        clusters,
        ..
    } = workspace;
    let (bodies, pairs) = (&moving[..], &pairs[..]);
    let touching = shares_of(bodies.len(), touching);
    side_by_side(0..bodies.len(), touching, &|share, touching| {
        let ContactBuffers {
            manifolds,
            contacts,
        } = touching;
        contacts.clear();
        with_pairs(pairs, share, |index, of_body| {
            let body = &bodies[index as usize];
            if body.is_asleep || body.is_speculative {
                return;
            }
            let near = &near[body.slot as usize];
            let found = (&mut *manifolds, &mut *contacts);
            touch_surfaces(context, (index, body), near, secs, found);
            for pair in &pairs[of_body] {
                let other = &bodies[pair.b as usize];
                if !other.is_asleep || other.is_kinematic {
                    touch_bodies(participants, pair, bodies, secs, (manifolds, contacts));
                }
            }
        });
    });
    contacts.clear();
    take_all(touching, contacts);
    note_depths(moving, contacts);
    clusters.unite_touching(contacts);
}

fn write_back(collision: &CollisionWorld, workspace: &BodyWorkspace, bodies: &mut Bodies) {
    for moving in &workspace.moving {
        let Some(id) = moving.id.body().filter(|_| !moving.stays()) else {
            continue;
        };
        bodies.wake(id);
        let was_in = bodies.state(id).at.room;
        bodies.put(id, moving.at, moving.rotation);
        let state = &mut bodies.states[id.0 as usize];
        (state.velocity, state.spin) = (moving.velocity, moving.spin);
        if was_in != moving.at.room {
            // The stored ride is in coordinates of the earlier room.
            state.ride = None;
            let [velocity, spin] = change_of_room(collision, was_in, moving.at);
            state.velocity += velocity;
            state.spin += spin;
        }
        state.velocity = bounded(state.velocity, MAX_SPEED);
        state.spin = bounded(state.spin, MAX_SPEED);
    }
}
