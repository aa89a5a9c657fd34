//! Predicted contacts: if the solution of a cluster lets bodies end a step deep in each other, they get contacts at
//! that place, and the cluster is solved again.
//!
//! The solver extrapolates the points that touch at the beginning along straight lines. If a body rotates far, or
//! becomes much faster, other points touch. A predicted contact linearises the solver's model at the computed motion:
//! a step of Newton's method.

use glam::DMat3;

use super::members::Members;
use crate::bodies::broad::pairs::NONE;
use crate::bodies::contacts::narrow::{touch, touch_triangle};
use crate::bodies::contacts::surfaces::{MovingSurface, shifted};
use crate::bodies::contacts::{BodyContact, Mixed, Other, Sides, code_of};
use crate::bodies::context::StepContext;
use crate::bodies::impacts::sinking::MAX_SINKING;
use crate::bodies::moving::Moving;
use crate::bodies::tuning::{CONTACT_DISTANCE, MAX_UNRESOLVED};
use crate::bodies::workspace::BodyWorkspace;
use crate::geometry::Rigid;
use crate::shapes::Manifold;

/// Adds the contacts of members that are more than [`MAX_SINKING`] deep at the end of the step, and merges the islands
/// of each contact's bodies. Only islands whose root `is_open` are tested.
pub(in crate::bodies) fn find_predicted(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    secs: f64,
) {
    let before = workspace.members.contacts.len();
    predict(context, workspace, (secs, MAX_SINKING));
    let BodyWorkspace {
        islands,
        clusters,
        members,
        ..
    } = workspace;
    let added = &members.contacts[before..];
    for contact in added {
        if let Some(b) = contact.b {
            islands.unite(contact.a, b);
        }
    }
    clusters.unite_touching(added);
    members.is_open.fill(false);
    for contact in added {
        members.is_open[islands.root_of(contact.a) as usize] = true;
    }
}

/// Adds the contacts of members of open islands that are more than `depth` metres deep at the end of the step.
fn predict(context: &StepContext, workspace: &mut BodyWorkspace, (secs, depth): (f64, f64)) {
    for place in 0..workspace.members.current.len() {
        let index = workspace.members.current[place];
        let root = workspace.islands.root_of(index) as usize;
        if workspace.members.is_open[root] {
            predict_surfaces(context, workspace, (index, place), (secs, depth));
            predict_bodies(context, workspace, (index, place), (secs, depth));
        }
    }
}

/// Marks for shorter steps the clusters of at most `most` bodies in which the final solution lets two bodies in the air
/// end more than [`MAX_UNRESOLVED`] deep in each other: a shorter step has fewer contacts, and bodies rotate less. With
/// `is_predicted`, contacts that were not in the solution count, too. Bodies between surfaces and heavier bodies may
/// have no solution; the next ticks resolve their overlaps.
pub(super) fn note_unresolved(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    (secs, most): (f64, u32),
    is_predicted: bool,
) {
    let known = workspace.members.contacts.len();
    if is_predicted {
        predict(context, workspace, (secs, MAX_UNRESOLVED));
    }
    let BodyWorkspace {
        moving,
        islands,
        clusters,
        members,
        ..
    } = workspace;
    let Members {
        contacts, is_open, ..
    } = members;
    // From here on, the islands without surfaces.
    is_open.fill(true);
    for contact in contacts.iter().filter(|contact| contact.b.is_none()) {
        is_open[islands.root_of(contact.a) as usize] = false;
    }
    for (index, contact) in contacts.iter().enumerate() {
        let is_deep = index >= known || deepening(moving, contact, secs) > MAX_UNRESOLVED;
        let mut bodies = [Some(contact.a), contact.b].into_iter().flatten();
        if is_deep && bodies.all(|body| is_open[islands.root_of(body) as usize]) {
            clusters.make_rough(contact.a, most);
        }
    }
    contacts.truncate(known);
}

/// Whether a solved contact ends deeper than it began, by more than the permitted penetration.
pub(in crate::bodies) fn is_missed(moving: &[Moving], contact: &BodyContact, secs: f64) -> bool {
    deepening(moving, contact, secs) > MAX_SINKING
}

/// The depth by which a solved contact ends deeper than it began, metres; negative if it does not.
fn deepening(moving: &[Moving], contact: &BodyContact, secs: f64) -> f64 {
    let way_b = contact.b.map_or(contact.surface_course * secs, |b| {
        let b_from_a = contact.a_from_b.inverse();
        let way = moving[b as usize].way_of(b_from_a.vector(contact.arm_b), secs);
        contact.a_from_b.vector(way)
    });
    let way = moving[contact.a as usize].way_of(contact.arm_a, secs) - way_b;
    let after = contact.separation + way.dot(contact.normal);
    contact.separation.min(0.0) - after
}

/// The upper bound of the distance, metres, between a body's point at the end of the step and the position that the
/// solver expects.
pub(in crate::bodies) fn departure(moving: &Moving, secs: f64) -> f64 {
    if moving.is_ball {
        return 0.0;
    }
    let angle = moving.turn.length() * secs;
    moving.radius * (0.5 * angle * angle).min(2.0)
}

/// The body in its pose at the end of the step, with its velocities at the beginning.
fn at_the_end(now: &Moving, start: &Moving, secs: f64) -> Moving {
    let mut end = *start;
    end.at.point = now.centre_at(now.time + secs);
    end.rotation = now.rotation_at(now.time + secs);
    end
}

fn predict_surfaces(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    (index, place): (u32, usize),
    (secs, depth): (f64, f64),
) {
    let StepContext {
        collision,
        participants,
        ..
    } = *context;
    let BodyWorkspace {
        moving,
        near,
        gathered,
        manifolds,
        members,
        ..
    } = workspace;
    let body = &mut moving[index as usize];
    let Members {
        starts, contacts, ..
    } = members;
    let start = &starts[place];
    let way = body.way_in(secs);
    let is_faster = way > start.way_in(secs) + CONTACT_DISTANCE;
    let near = &mut near[body.slot as usize];
    let may_depart = is_faster || departure(body, secs) >= MAX_SINKING;
    if !may_depart && !near.has_moved(collision) {
        return;
    }
    let reach = body.radius + way + context.mover_way;
    if reach > body.listed {
        near.find(gathered, collision, body.at, reach);
        body.listed = reach;
    }
    let end = at_the_end(body, start, secs);
    let rigid_body = participants.body(body.id);
    let near = &*near;
    near.look_within(end.at.point, end.radius, |candidate| {
        if candidate.triangle.distance(end.at.point) > end.radius {
            return;
        }
        let surface = MovingSurface::of(collision, near, candidate);
        // A body that stays near the solver's path is tested against moving surfaces only: points of a rotating
        // surface do not move along straight lines either. Farther surfaces are skipped, because which movers the
        // list contains there depends on earlier ticks.
        if !may_depart && surface.motion.is_still() {
            return;
        }
        let nearest = surface.start.triangle.closest_point(end.at.point).0;
        let course = surface.motion.course_at(nearest);
        let there = shifted(&surface.start, course * (body.time + secs));
        touch_triangle(&rigid_body.shape, &end.pose(), &there, 0.0, manifolds);
        let mixed = Mixed::of(
            rigid_body,
            candidate.surface.friction,
            candidate.surface.bounce,
        );
        let sides = Sides {
            a: (index, &end),
            b: Other::Surface(surface.motion),
            a_from_b: Rigid::IDENTITY,
            other: code_of(candidate.solid),
        };
        add_deep(
            (&sides, &mixed),
            (secs, depth),
            manifolds,
            contacts,
            |contact| {
                let way = body.way_of(contact.arm_a, secs) - contact.surface_course * secs;
                way.dot(contact.normal)
            },
        );
    });
}

fn predict_bodies(
    context: &StepContext,
    workspace: &mut BodyWorkspace,
    (index, place): (u32, usize),
    (secs, depth): (f64, f64),
) {
    let participants = context.participants;
    let BodyWorkspace {
        moving,
        pairs,
        first_pairs,
        manifolds,
        members,
        ..
    } = workspace;
    let Members {
        starts,
        place_of,
        is_current,
        contacts,
        ..
    } = members;
    let mut next = first_pairs[index as usize];
    while next != NONE {
        let pair = &pairs[next as usize];
        next = pair.next_of(index);
        let other = pair.b;
        let [now_a, now_b] = [index, other].map(|index| &moving[index as usize]);
        if pair.a != index || !(is_current[other as usize] || now_b.is_kinematic) {
            continue;
        }
        let start_a = &starts[place];
        let start_b = match now_b.is_kinematic {
            true => now_b,
            false => &starts[place_of[other as usize] as usize],
        };
        let way = |a: &Moving, b: &Moving| {
            let way = a.centre_at(a.time + secs) - a.at.point;
            let of_b = pair
                .a_from_b
                .vector(b.centre_at(b.time + secs) - b.at.point);
            (way - of_b).length()
        };
        let is_faster = way(now_a, now_b) > way(start_a, start_b) + CONTACT_DISTANCE;
        let departures = departure(now_a, secs) + departure(now_b, secs);
        if !is_faster && departures < MAX_SINKING {
            continue;
        }
        let ends = [now_a, now_b].map(|now| now.centre_at(now.time + secs));
        let spheres = [(ends[0], now_a.radius), (ends[1], now_b.radius)];
        if pair.are_spheres_farther_than(0.0, spheres) {
            continue;
        }
        let [pose_a, pose_b] = [(now_a, ends[0]), (now_b, ends[1])].map(|(now, end)| {
            let rotation = now.rotation_at(now.time + secs);
            Rigid::new(DMat3::from_quat(rotation), end)
        });
        let [shape_a, shape_b] = [now_a, now_b].map(|now| &participants.body(now.id).shape);
        let pose_b = pair.a_from_b.after(&pose_b);
        touch((shape_a, &pose_a), (shape_b, &pose_b), 0.0, manifolds);
        if !are_any_deeper(manifolds, depth) {
            continue;
        }
        let ends = [(now_a, start_a), (now_b, start_b)];
        let ends = ends.map(|(now, start)| at_the_end(now, start, secs));
        let (sides, mixed) = Sides::of_bodies(participants, pair, [&ends[0], &ends[1]]);
        let parted = |contact: &BodyContact| {
            let way_b = contact.b.map_or(contact.surface_course * secs, |_| {
                let b_from_a = pair.a_from_b.inverse();
                let way = now_b.way_of(b_from_a.vector(contact.arm_b), secs);
                pair.a_from_b.vector(way)
            });
            let way = now_a.way_of(contact.arm_a, secs) - way_b;
            way.dot(contact.normal)
        };
        add_deep((&sides, &mixed), (secs, depth), manifolds, contacts, parted);
    }
}

/// Whether a point of the manifolds is at least `depth` metres deep.
fn are_any_deeper(manifolds: &[Manifold], depth: f64) -> bool {
    let mut points = manifolds.iter().flat_map(Manifold::points);
    points.any(|point| point.separation <= -depth)
}

/// Adds the points of manifolds that are more than `depth` metres deep at the end of the step. `parted` returns the
/// distance, metres, by which the solver's linear model separates the sides along a contact normal in the step.
fn add_deep(
    (sides, mixed): (&Sides, &Mixed),
    (secs, depth): (f64, f64),
    manifolds: &[Manifold],
    contacts: &mut Vec<BodyContact>,
    parted: impl Fn(&BodyContact) -> f64,
) {
    for manifold in manifolds {
        for point in manifold.points() {
            if point.separation > -depth {
                continue;
            }
            let mut contact = sides.contact(manifold, point, mixed);
            contact.separation = (point.separation - parted(&contact)).max(0.0);
            let speeds = sides.impact_speeds(manifold.normal, point, mixed.bounce, secs);
            [contact.approach, contact.parting] = speeds;
            contacts.push(contact);
        }
    }
}
