//! Impacts in the order of time. The earliest impact of the tick is resolved. Then other impacts known for its bodies
//! are discarded, and the rest of the tick is searched again for these bodies. If a body has too many impacts, its
//! cluster is solved as a whole.
//!
//! (C. Ros, "Tractament de col·lisions en temps real", 2001, figure 2.6; J. Hahn, "Realistic Animation of Rigid
//! Bodies", 1988.)

pub(super) mod ahead;
pub(super) mod impact;
pub(super) mod response;
pub(super) mod rest;
pub(super) mod sinking;

use crate::bodies::broad::farther::find_partners_farther_on;
use crate::bodies::broad::pairs::{NONE, with_pairs};
use crate::bodies::characters::Participants;
use crate::bodies::contacts::narrow::{TOUCHING, touch_triangle};
use crate::bodies::contacts::surfaces::shifted;
use crate::bodies::contacts::{Other, Sides, find_manifolds};
use crate::bodies::context::StepContext;
use crate::bodies::kinematic::move_kinematic;
use crate::bodies::path::{Way, advance};
use crate::bodies::shares::{shares_of, side_by_side};
use crate::bodies::workspace::BodyWorkspace;
use crate::geometry::Rigid;
use ahead::{Ahead, Scene, farthest_met, first_surface, meeting_of};
use impact::{BodyImpact, Struck, With, bounce};

/// Resolves the impacts of a tick, except those of clusters that are solved as a whole.
pub(in crate::bodies) fn resolve_in_order(context: &StepContext, workspace: &mut BodyWorkspace) {
    find_first(context, workspace);
    while let Some(impact) = workspace.impacts.pop() {
        if !is_current(workspace, &impact) {
            continue;
        }
        let b = match impact.with {
            With::Body { pair, .. } => struck_body(context, workspace, (pair, impact.time)),
            With::Surface { .. } => None,
        };
        let mut involved = std::mem::take(&mut workspace.involved);
        involved.clear();
        involved.extend([Some(impact.a), b].into_iter().flatten());
        if is_for_cluster(workspace, &involved) {
            workspace.involved = involved;
            continue;
        }
        for &index in &involved {
            let moving = &mut workspace.moving[index as usize];
            let way = Way::of(context, &workspace.near, moving);
            advance(&way, moving, impact.time, &mut workspace.manifolds);
        }
        find_struck(context.participants, workspace, &impact);
        for &index in &involved {
            let moving = &mut workspace.moving[index as usize];
            moving.leave_solution(context.secs);
            if !moving.is_ball {
                moving.find_inertia(context.participants.body(moving.id));
            }
        }
        bounce(&mut workspace.moving, &mut workspace.struck);
        let at = workspace.moving[impact.a as usize].at;
        let hits = workspace.struck.iter().filter_map(|struck| struck.hit(at));
        workspace.events.hits.extend(hits);
        for &index in &involved {
            let moving = &mut workspace.moving[index as usize];
            moving.impacts += 1;
            moving.has_met_body |= matches!(impact.with, With::Body { .. });
            moving.version += 1;
            moving.is_asleep = false;
            moving.course = moving.velocity;
            moving.turn = moving.spin;
        }
        for &index in &involved {
            find_partners_farther_on(context, workspace, index);
        }
        for (before, &index) in involved.iter().enumerate() {
            find_next(context, workspace, (index, &involved[..before]));
        }
        workspace.involved = involved;
    }
}

/// The second body of a pair, if the impact at a time of the tick acts on it; a kinematic body moves to that time.
fn struck_body(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    (pair, time): (u32, f64),
) -> Option<u32> {
    let index = workspace.pairs[pair as usize].b;
    let moving = &mut workspace.moving[index as usize];
    if !moving.is_kinematic {
        return Some(index);
    }
    move_kinematic(context, moving, time);
    None
}

/// Whether the impact is left to the solution of the bodies' whole cluster, because the cluster is already solved
/// that way or a body has reached its maximum number of impacts.
fn is_for_cluster(workspace: &mut BodyWorkspace, involved: &[u32]) -> bool {
    let BodyWorkspace {
        clusters, moving, ..
    } = workspace;
    clusters.add(moving.len());
    if let [a, b] = *involved {
        clusters.unite(a, b);
    }
    let first = involved[0];
    if involved
        .iter()
        .any(|index| moving[*index as usize].is_worn_out())
    {
        clusters.make_speculative(first);
    }
    clusters.is_speculative(first)
}

/// Moves all bodies to the end of the tick.
pub(in crate::bodies) fn advance_all(context: &StepContext, workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        near,
        ahead,
        ..
    } = workspace;
    let near = &near[..];
    let ahead = shares_of(moving.len(), ahead);
    side_by_side(&mut moving[..], ahead, &|some, ahead| {
        for moving in some {
            let way = Way::of(context, near, moving);
            advance(&way, moving, context.secs, &mut ahead.manifolds);
        }
    });
}

/// Finds the first impact of each body in the tick, without regard to other impacts.
fn find_first(context: &StepContext, workspace: &mut BodyWorkspace) {
    let BodyWorkspace {
        moving,
        near,
        pairs,
        contacts,
        impacts,
        ahead,
        ..
    } = workspace;
    let scene = Scene {
        context,
        moving,
        pairs,
        contacts,
    };
    let ahead = shares_of(moving.len(), ahead);
    side_by_side(0..moving.len(), ahead, &|bodies, ahead| {
        let Ahead { manifolds, impacts } = ahead;
        impacts.clear();
        with_pairs(scene.pairs, bodies, |index, pairs| {
            let near = &near[scene.moving[index as usize].slot as usize];
            impacts.extend(first_surface(&scene, near, index, manifolds));
            for pair in pairs {
                impacts.extend(meeting_of(&scene, pair as u32, manifolds));
            }
        });
    });
    impacts.clear();
    impacts.extend(ahead.iter().flat_map(|ahead| &ahead.impacts));
}

/// Finds the first impacts of a body in the rest of the tick, except those with bodies whose impacts are known.
fn find_next(context: &StepContext, workspace: &mut BodyWorkspace, (index, known): (u32, &[u32])) {
    let BodyWorkspace {
        moving,
        near,
        gathered,
        manifolds,
        pairs,
        first_pairs,
        contacts,
        impacts,
        ..
    } = workspace;
    let body = &mut moving[index as usize];
    let near = &mut near[body.slot as usize];
    body.listed = body.radius + farthest_met(body, context.mover_way, context.secs);
    near.find(gathered, context.collision, body.at, body.listed);
    let scene = Scene {
        context,
        moving,
        pairs,
        contacts,
    };
    impacts.extend(first_surface(&scene, near, index, manifolds));
    let mut pair = first_pairs[index as usize];
    while pair != NONE {
        // A pair of two involved bodies is searched once.
        let other = pairs[pair as usize].other_than(index);
        if !known.contains(&other) {
            impacts.extend(meeting_of(&scene, pair, manifolds));
        }
        pair = pairs[pair as usize].next_of(index);
    }
}

fn is_current(workspace: &BodyWorkspace, impact: &BodyImpact) -> bool {
    let version = |index: u32| workspace.moving[index as usize].version;
    let is_current = version(impact.a) == impact.version_a;
    match impact.with {
        With::Body { pair, version_b } => {
            is_current && version(workspace.pairs[pair as usize].b) == version_b
        }
        With::Surface { .. } => is_current,
    }
}

/// Lists the contact points of the two sides of an impact.
fn find_struck(participants: &Participants, workspace: &mut BodyWorkspace, impact: &BodyImpact) {
    let BodyWorkspace {
        moving,
        pairs,
        manifolds,
        struck,
        ..
    } = workspace;
    struck.clear();
    let (sides, mixed) = match impact.with {
        With::Surface {
            start,
            course,
            belt,
            mixed,
            code,
        } => {
            let a = &moving[impact.a as usize];
            let shape = &participants.body(a.id).shape;
            let now = shifted(&start, course * impact.time);
            touch_triangle(shape, &a.pose(), &now, TOUCHING, manifolds);
            let sides = Sides {
                a: (impact.a, a),
                b: Other::Steady([course, belt]),
                a_from_b: Rigid::IDENTITY,
                other: code,
            };
            (sides, mixed)
        }
        With::Body { pair, .. } => {
            let pair = &pairs[pair as usize];
            find_manifolds(participants, pair, moving, TOUCHING, manifolds);
            Sides::of_pair(participants, pair, moving)
        }
    };
    struck.extend(Struck::all_of(&sides, manifolds, &mixed));
}
