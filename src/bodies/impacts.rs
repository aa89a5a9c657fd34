//! Impacts in the order of time: the earliest of the tick is resolved; those found before for the bodies
//! that take part in it are discarded, and looked for again in the rest of the tick.
//!
//! (C. Ros, "Tractament de col·lisions en temps real", 2001, figure 2.6; J. Hahn, "Realistic Animation of
//! Rigid Bodies", 1988.)

use glam::DVec3;

use super::ahead::{find_body, find_surface};
use super::characters::Participants;
use super::contacts::{Mixed, Other, Sides, find_manifolds};
use super::farther::find_partners_farther_on;
use super::impact::{Impact, Struck, With, bounce};
use super::moving::Moving;
use super::narrow::{TOUCHING, touch_triangle};
use super::pairs::NONE;
use super::surfaces::shifted;
use super::workspace::BodyWorkspace;
use crate::collision::{CollisionWorld, cross};
use crate::geometry::Rigid;
use crate::world::Bodies;

/// Moves all bodies to the end of the tick, `secs` seconds after its beginning.
pub(super) fn resolve_in_order(
    collision: &CollisionWorld,
    (participants, bodies): (&Participants, &Bodies),
    workspace: &mut BodyWorkspace,
    secs: f64,
) {
    workspace.impacts.clear();
    for index in 0..workspace.moving.len() as u32 {
        find_surface(collision, participants, workspace, index, secs);
        let mut pair = workspace.first_pairs[index as usize];
        while pair != NONE {
            let next = workspace.pairs[pair as usize].next_of(index);
            // Each pair once.
            if workspace.pairs[pair as usize].a == index {
                find_body(participants, workspace, pair, secs);
            }
            pair = next;
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
            let who = (participants, bodies);
            find_partners_farther_on(collision, who, workspace, index, secs);
        }
        for index in involved.into_iter().flatten() {
            find_surface(collision, participants, workspace, index, secs);
            let mut pair = workspace.first_pairs[index as usize];
            while pair != NONE {
                let next = workspace.pairs[pair as usize].next_of(index);
                // A pair of both is looked for once.
                if Some(index) != b || workspace.pairs[pair as usize].a != impact.a {
                    find_body(participants, workspace, pair, secs);
                }
                pair = next;
            }
        }
    }
    for moving in &mut workspace.moving {
        advance(collision, moving, secs);
    }
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
    moving.reach -= to.distance(moving.at.point);
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
        struck.extend(points.map(|point| Struck::of(sides.contact(manifold, point, &mixed))));
    }
    bounce(moving, struck);
}
