//! Bodies that strike several things in turn, again and again at one time, as a box between the floor and another one does:
//! their impacts are solved together. In turn each would undo a part of the last one, until the body may have no more.

use super::characters::Participants;
use super::contacts::{Mixed, Other, Sides, code_of, find_manifolds};
use super::course::{Way, advance};
use super::impact::Struck;
use super::narrow::{TOUCHING, touch_triangle};
use super::pairs::NONE;
use super::surfaces::{MovingSurface, shifted};
use super::workspace::BodyWorkspace;
use crate::collision::CollisionWorld;
use crate::geometry::Rigid;

/// Lists the points at which the bodies that are involved in an impact touch anything at that time, seconds since the
/// beginning of the tick, and adds the bodies that they touch there to those that are involved; from one that is crowded
/// to the next.
pub(super) fn find_all_that_touch(
    (collision, participants, time): (&CollisionWorld, &Participants, f64),
    workspace: &mut BodyWorkspace,
    involved: &mut Vec<u32>,
) {
    workspace.struck.clear();
    let mut next = 0;
    while let Some(&index) = involved.get(next) {
        if workspace.moving[index as usize].is_crowded() {
            touch_surfaces(collision, participants, workspace, (index, time));
            let mut pair = workspace.first_pairs[index as usize];
            while pair != NONE {
                let known = &involved[..next];
                let other = touch_body(
                    collision,
                    (participants, known),
                    workspace,
                    (pair, index),
                    time,
                );
                let is_new = |other: &u32| !involved.contains(other);
                involved.extend(other.filter(is_new));
                pair = workspace.pairs[pair as usize].next_of(index);
            }
        }
        next += 1;
    }
    // By what touches, not by the order of lists that depend on where bodies have been.
    workspace.struck.sort_unstable_by(Struck::order);
}

fn touch_surfaces(
    collision: &CollisionWorld,
    participants: &Participants,
    workspace: &mut BodyWorkspace,
    (index, time): (u32, f64),
) {
    let BodyWorkspace {
        moving,
        near,
        gathered,
        manifolds,
        struck,
        moved,
        ..
    } = workspace;
    let moving = &moving[index as usize];
    let body = participants.body(moving.id);
    let near = &mut near[moving.id.0 as usize];
    let distance = TOUCHING + *moved;
    near.find(gathered, collision, moving.at, moving.radius + distance);
    let near = &*near;
    near.look_within(moving.at.point, moving.radius + distance, |candidate| {
        let surface = MovingSurface::of(collision, near, candidate);
        let nearest = surface.start.triangle.closest_point(moving.at.point).0;
        let [course, velocity] = [surface.course_at(nearest), surface.velocity_at(nearest)];
        let now = shifted(&surface.start, course * time);
        touch_triangle(&body.shape, &moving.pose(), &now, TOUCHING, manifolds);
        let sides = Sides {
            a: (index, moving),
            b: Other::Steady([course, velocity]),
            a_from_b: Rigid::IDENTITY,
            other: code_of(candidate.solid),
        };
        let mixed = Mixed::of(body, candidate.surface.friction, candidate.surface.bounce);
        struck.extend(Struck::all_of(&sides, manifolds, &mixed));
    });
}

/// Lists the points at which the bodies of a pair touch, of which one is crowded, and gives the other one if there are any.
/// Those of a pair of two that are crowded are listed when the first of them is looked at.
fn touch_body(
    collision: &CollisionWorld,
    (participants, known): (&Participants, &[u32]),
    workspace: &mut BodyWorkspace,
    (pair, index): (u32, u32),
    time: f64,
) -> Option<u32> {
    let BodyWorkspace {
        moving,
        near,
        pairs,
        manifolds,
        struck,
        ..
    } = workspace;
    let pair = &pairs[pair as usize];
    let other = if pair.a == index { pair.b } else { pair.a };
    if known.contains(&other) && moving[other as usize].is_crowded() {
        return None;
    }
    let before = moving[other as usize];
    let body = &mut moving[other as usize];
    let way = Way {
        collision,
        shape: &participants.body(body.id).shape,
        near: &near[body.id.0 as usize],
    };
    advance(&way, body, time, manifolds);
    find_manifolds(participants, pair, moving, TOUCHING, manifolds);
    if manifolds.is_empty() {
        moving[other as usize] = before;
        return None;
    }
    let (sides, mixed) = Sides::of_pair(participants, pair, moving);
    struck.extend(Struck::all_of(&sides, manifolds, &mixed));
    Some(other)
}
