//! Impacts in the order of time: the earliest of the tick is resolved; those found before for the bodies
//! that take part in it are discarded, and looked for again in the rest of the tick.
//!
//! (C. Ros, "Tractament de col·lisions en temps real", 2001, figure 2.6; J. Hahn, "Realistic Animation of
//! Rigid Bodies", 1988.)

use glam::DVec3;

use super::characters::Participants;
use super::contacts::{Contact, Mixed, Other, Sides, code_of, find_manifolds};
use super::impact::{Impact, Struck, With, bounce};
use super::moving::Moving;
use super::narrow::{TOUCHING, meets, meets_triangle, touch_triangle};
use super::surfaces::{MovingSurface, shifted};
use super::tuning::CONTACT_DISTANCE;
use super::workspace::BodyWorkspace;
use crate::collision::{CollisionWorld, cross};
use crate::geometry::Rigid;
use crate::level::RigidBody;

/// What goes no farther in a tick, metres, meets nothing that the solver does not hold apart: what is that slow
/// and that near is a resting contact, or parts.
const HELD_DISTANCE: f64 = 0.5 * CONTACT_DISTANCE;

/// Moves all bodies to the end of the tick, `secs` seconds after its beginning.
pub(super) fn resolve_in_order(
    collision: &CollisionWorld,
    participants: &Participants,
    workspace: &mut BodyWorkspace,
    secs: f64,
) {
    workspace.impacts.clear();
    for index in 0..workspace.moving.len() as u32 {
        find_surface(collision, participants, workspace, index, secs);
        for at in own_pairs(workspace, index) {
            let pair = workspace.partners[at];
            // Each pair once.
            if workspace.pairs[pair as usize].a == index {
                find_body(participants, workspace, pair, secs);
            }
        }
    }
    while let Some(impact) = workspace.impacts.pop() {
        if !is_current(workspace, &impact) {
            continue;
        }
        let b = match impact.with {
            With::Body { pair, .. } => Some(workspace.pairs[pair as usize].b),
            With::Surface { .. } => None,
        };
        let involved = [Some(impact.a), b];
        for index in involved.into_iter().flatten() {
            advance(
                collision,
                &mut workspace.moving[index as usize],
                impact.time,
            );
        }
        resolve(participants, workspace, &impact);
        for index in involved.into_iter().flatten() {
            let moving = &mut workspace.moving[index as usize];
            moving.impacts += 1;
            moving.has_met_body |= b.is_some();
            moving.version += 1;
            (moving.is_solved, moving.is_asleep) = (false, false);
            moving.course = moving.velocity;
            moving.turn = moving.spin;
            if moving.is_worn_out() {
                (moving.course, moving.turn) = (DVec3::ZERO, DVec3::ZERO);
                moving.acceleration = DVec3::ZERO;
                if !moving.is_ball {
                    // Jammed between others: it has come to rest there.
                    (moving.velocity, moving.spin) = (DVec3::ZERO, DVec3::ZERO);
                }
            }
        }
        for index in involved.into_iter().flatten() {
            find_surface(collision, participants, workspace, index, secs);
            for at in own_pairs(workspace, index) {
                let pair = workspace.partners[at];
                // A pair of both is looked for once.
                if Some(index) == b && workspace.pairs[pair as usize].a == impact.a {
                    continue;
                }
                find_body(participants, workspace, pair, secs);
            }
        }
    }
    for moving in &mut workspace.moving {
        advance(collision, moving, secs);
    }
}

fn own_pairs(workspace: &BodyWorkspace, index: u32) -> std::ops::Range<usize> {
    let [first, end] = workspace.pairs_of[index as usize];
    first as usize..end as usize
}

fn is_current(workspace: &BodyWorkspace, impact: &Impact) -> bool {
    let version = |index: u32| workspace.moving[index as usize].version;
    let is_current = version(impact.a) == impact.version_a;
    match impact.with {
        With::Body { pair, version_b } => {
            is_current && version(workspace.pairs[pair as usize].b) == version_b
        }
        With::Surface { .. } => is_current,
    }
}

/// Moves a body along its course to a time of the tick, from room to room.
fn advance(collision: &CollisionWorld, moving: &mut Moving, time: f64) {
    if time <= moving.time {
        return;
    }
    let (to, rotation) = (moving.centre_at(time), moving.rotation_at(time));
    let secs = time - moving.time;
    moving.rotation = rotation;
    moving.velocity += moving.acceleration * secs;
    if !moving.is_solved {
        moving.course = moving.velocity;
    }
    moving.time = time;
    if to == moving.at.point {
        return;
    }
    let (at, bent) = cross(collision, moving.at, to, |_| {});
    moving.at = at;
    if let Some(end_from_start) = bent {
        turn_with(moving, &end_from_start);
    }
}

/// Turns what a body carries with it into the coordinates of the room that it came to.
fn turn_with(moving: &mut Moving, end_from_start: &Rigid) {
    let turn = glam::DQuat::from_mat3(&end_from_start.rotation());
    moving.rotation = turn * moving.rotation;
    for vector in [
        &mut moving.velocity,
        &mut moving.spin,
        &mut moving.course,
        &mut moving.turn,
        &mut moving.acceleration,
    ] {
        *vector = end_from_start.vector(*vector);
    }
    let rotation = end_from_start.rotation();
    moving.inverse_inertia = rotation * moving.inverse_inertia * rotation.transpose();
}

/// Finds the first surface that a body meets in the rest of the tick.
fn find_surface(
    collision: &CollisionWorld,
    participants: &Participants,
    workspace: &mut BodyWorkspace,
    index: u32,
    secs: f64,
) {
    let moving = &workspace.moving[index as usize];
    let rest = secs - moving.time;
    if rest <= 0.0 || moving.is_worn_out() {
        return;
    }
    let way = moving.centre_at(secs) - moving.at.point;
    let turns = !moving.is_ball && moving.turn != DVec3::ZERO;
    let body = participants.body(moving.id);
    let near = &mut workspace.near[moving.id.0 as usize];
    let moved = workspace.moved;
    let is_still = way == DVec3::ZERO && !turns;
    let is_held = moving.is_solved && farthest(moving, body, rest) < HELD_DISTANCE;
    // What goes nowhere may still be met by a mover.
    if (is_still || is_held) && (moved == 0.0 || !near.has_moved(collision)) {
        return;
    }
    // Where gravity turns the way round, it is a little longer than its chord.
    let bulge = moving.acceleration.length() * rest * rest * 0.125;
    let distance = way.length() + bulge + moved;
    if moving.version > 0 {
        near.find(&mut workspace.gathered, collision, moving.at, distance);
    }
    let near = &*near;
    let middle = moving.at.point + way * 0.5;
    let reach = near.radius + 0.5 * way.length() + bulge + moved;
    let manifolds = &mut workspace.manifolds;
    let mut first: Option<Impact> = None;
    let contacts = contacts_of(&workspace.contacts, index);
    near.look_within(middle, reach, |candidate| {
        let code = code_of(candidate.solid);
        // The solver holds them apart.
        if moving.is_solved && contacts.iter().any(|contact| contact.key.other == code) {
            return;
        }
        let height = (moving.at.point - candidate.triangle.corners[0]).dot(candidate.normal);
        let end = height + way.dot(candidate.normal);
        let clear = near.radius + bulge + moved;
        if height > clear && end > clear || (height < -clear && end < -clear) {
            return;
        }
        let surface = MovingSurface::of(collision, near, candidate);
        let nearest = match surface.is_still() {
            true => moving.at.point,
            false => surface.start.triangle.closest_point(moving.at.point).0,
        };
        let [course, velocity] = [surface.course_at(nearest), surface.velocity_at(nearest)];
        let relative = Moving {
            course: moving.course - course,
            ..*moving
        };
        let now = shifted(&surface.start, course * moving.time);
        let limit = first.map_or(rest, |impact| impact.time - moving.time);
        let after = meets_triangle(&body.shape, &relative, &now, limit, manifolds);
        let Some(after) = after else {
            return;
        };
        let (friction, bounce) = (candidate.surface.friction, candidate.surface.bounce);
        let impact = Impact {
            time: moving.time + after,
            a: index,
            version_a: moving.version,
            with: With::Surface {
                start: surface.start,
                course,
                velocity,
                mixed: Mixed::of(body, friction, bounce),
                code,
            },
        };
        if first.is_none_or(|first| impact.order(&first).is_lt()) {
            first = Some(impact);
        }
    });
    workspace.impacts.extend(first);
}

/// How far any point of a body goes in a time, at most, metres.
fn farthest(moving: &Moving, body: &RigidBody, secs: f64) -> f64 {
    let by_turn = if moving.is_ball {
        0.0
    } else {
        moving.turn.length() * body.shape.radius_about(DVec3::ZERO)
    };
    (moving.course.length() + by_turn) * secs
}

/// The contacts of a body with surfaces, which come first, and with bodies of higher index.
fn contacts_of(contacts: &[Contact], index: u32) -> &[Contact] {
    let first = contacts.partition_point(|contact| contact.a < index);
    let end = contacts.partition_point(|contact| contact.a <= index);
    &contacts[first..end]
}

/// Finds when the bodies of a pair meet in the rest of the tick.
fn find_body(participants: &Participants, workspace: &mut BodyWorkspace, index: u32, secs: f64) {
    let pair = &workspace.pairs[index as usize];
    let [a, b] = [pair.a, pair.b].map(|index| &workspace.moving[index as usize]);
    let from = a.time.max(b.time);
    if secs <= from {
        return;
    }
    let (body_a, body_b) = (participants.body(a.id), participants.body(b.id));
    if a.is_solved && b.is_solved {
        let rest = secs - from;
        if farthest(a, body_a, rest) + farthest(b, body_b, rest) < HELD_DISTANCE {
            return;
        }
        let contacts = contacts_of(&workspace.contacts, pair.a);
        if contacts.iter().any(|contact| contact.b == Some(pair.b)) {
            return;
        }
    }
    let (shape_a, shape_b) = (&body_a.shape, &body_b.shape);
    let span = (from, secs - from);
    let manifolds = &mut workspace.manifolds;
    let after = meets((shape_a, a), (shape_b, b), &pair.a_from_b, span, manifolds);
    workspace.impacts.extend(after.map(|after| Impact {
        time: from + after,
        a: pair.a,
        version_a: a.version,
        with: With::Body {
            pair: index,
            version_b: b.version,
        },
    }));
}

/// Gives the bodies of an impact the velocities that they have after it.
fn resolve(participants: &Participants, workspace: &mut BodyWorkspace, impact: &Impact) {
    let BodyWorkspace {
        moving,
        pairs,
        manifolds,
        struck,
        ..
    } = workspace;
    let still = [DVec3::ZERO; 2];
    let (b, a_from_b, mixed, of_surface) = match impact.with {
        With::Surface {
            start,
            course,
            velocity,
            mixed,
            ..
        } => {
            let a = &moving[impact.a as usize];
            let shape = &participants.body(a.id).shape;
            let now = shifted(&start, course * impact.time);
            touch_triangle(shape, &a.pose(), &now, TOUCHING, manifolds);
            (None, Rigid::IDENTITY, mixed, [course, velocity])
        }
        With::Body { pair, .. } => {
            let pair = &pairs[pair as usize];
            find_manifolds(participants, pair, moving, TOUCHING, manifolds);
            let [a, b] = [pair.a, pair.b].map(|index| participants.body(moving[index as usize].id));
            let mixed = Mixed::of(a, b.friction, b.bounce);
            (Some(pair.b), pair.a_from_b, mixed, still)
        }
    };
    for index in [Some(impact.a), b].into_iter().flatten() {
        let moving = &mut moving[index as usize];
        if !moving.is_ball {
            moving.find_inertia(participants.body(moving.id));
        }
    }
    let sides = Sides {
        a: (impact.a, &moving[impact.a as usize]),
        b: match b {
            Some(index) => Other::Body(index, &moving[index as usize]),
            None => Other::Steady(of_surface),
        },
        a_from_b,
        other: 0,
    };
    struck.clear();
    for manifold in manifolds.iter() {
        let points = manifold.points().iter();
        struck
            .extend(points.map(|point| Struck::of(sides.contact(manifold.normal, point, &mixed))));
    }
    bounce(moving, struck);
}
