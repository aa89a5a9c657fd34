//! Impacts in the order of time: the earliest of the tick is resolved; those found before for the bodies
//! that take part in it are discarded, and looked for again in the rest of the tick.
//!
//! (C. Ros, "Tractament de col·lisions en temps real", 2001, figure 2.6; J. Hahn, "Realistic Animation of
//! Rigid Bodies", 1988.)

use std::cmp::Ordering;

use glam::DVec3;

use super::contacts::{Contact, Mixed, Sides, code_of, find_manifolds, surface_of};
use super::moving::Moving;
use super::narrow::{TOUCHING, meets, meets_triangle, touch_triangle};
use super::rest::rests;
use super::solver::{apply, effective_mass, relative_velocity};
use super::tuning::{CONTACT_DISTANCE, IMPACT_ROUNDS, MAX_IMPACTS, STILL};
use super::workspace::BodyWorkspace;
use crate::collision::{CollisionWorld, cross};
use crate::geometry::Rigid;
use crate::level::{Level, RigidBody, TICKS_PER_SECOND};
use crate::shapes::SurfaceTriangle;

/// What goes no farther in a tick, metres, meets nothing that the solver does not hold apart: what is that slow
/// and that near is a resting contact, or parts.
const HELD_DISTANCE: f64 = 0.5 * CONTACT_DISTANCE;

/// Two bodies, or a body and a surface, that meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    /// Seconds since the beginning of the tick.
    time: f64,
    /// Index of the body, and which version of its motion this was found for.
    a: u32,
    version_a: u32,
    with: With,
}

#[derive(Clone, Copy, Debug)]
enum With {
    /// Index of the pair, and which version of the second body's motion this was found for.
    Body { pair: u32, version_b: u32 },
    Surface {
        surface: SurfaceTriangle,
        mixed: Mixed,
        code: u64,
    },
}

impl Impact {
    /// Earlier ones first, then by what meets.
    fn order(&self, other: &Self) -> Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time
            .then(self.a.cmp(&other.a))
            .then(self.code().cmp(&other.code()))
    }

    fn code(&self) -> u64 {
        match self.with {
            With::Body { pair, .. } => u64::from(pair),
            With::Surface { code, .. } => code,
        }
    }
}

/// For a heap whose greatest element is the earliest impact.
impl Ord for Impact {
    fn cmp(&self, other: &Self) -> Ordering {
        other.order(self)
    }
}

impl PartialOrd for Impact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Impact {
    fn eq(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }
}

impl Eq for Impact {}

/// Moves all bodies to the end of the tick, `secs` seconds after its beginning.
pub(super) fn resolve_in_order(
    collision: &CollisionWorld,
    workspace: &mut BodyWorkspace,
    secs: f64,
) {
    workspace.impacts.clear();
    for index in 0..workspace.moving.len() as u32 {
        find_surface(collision, workspace, index, secs);
        for at in own_pairs(workspace, index) {
            let pair = workspace.partners[at];
            // Each pair once.
            if workspace.pairs[pair as usize].a == index {
                find_body(collision.level, workspace, pair, secs);
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
        resolve(collision.level, workspace, &impact);
        for index in involved.into_iter().flatten() {
            let moving = &mut workspace.moving[index as usize];
            moving.impacts += 1;
            moving.version += 1;
            (moving.is_solved, moving.is_asleep) = (false, false);
            moving.course = moving.velocity;
            moving.turn = moving.spin;
            if moving.impacts >= MAX_IMPACTS {
                (moving.course, moving.turn) = (DVec3::ZERO, DVec3::ZERO);
                moving.acceleration = DVec3::ZERO;
            }
        }
        for index in involved.into_iter().flatten() {
            find_surface(collision, workspace, index, secs);
            for at in own_pairs(workspace, index) {
                let pair = workspace.partners[at];
                // A pair of both is looked for once.
                if Some(index) == b && workspace.pairs[pair as usize].a == impact.a {
                    continue;
                }
                find_body(collision.level, workspace, pair, secs);
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
fn find_surface(collision: &CollisionWorld, workspace: &mut BodyWorkspace, index: u32, secs: f64) {
    let moving = &workspace.moving[index as usize];
    let rest = secs - moving.time;
    let way = moving.centre_at(secs) - moving.at.point;
    let turns = !moving.is_ball && moving.turn != DVec3::ZERO;
    if rest <= 0.0 || (way == DVec3::ZERO && !turns) {
        return;
    }
    let body = collision.level.body(moving.id);
    if moving.is_solved && farthest(moving, body, rest) < HELD_DISTANCE {
        return;
    }
    let manifolds = &mut workspace.manifolds;
    let near = &mut workspace.near[moving.id.0 as usize];
    // Where gravity turns the way round, it is a little longer than its chord.
    let bulge = moving.acceleration.length() * rest * rest * 0.125;
    let distance = way.length() + bulge;
    if moving.version > 0 {
        near.find(&mut workspace.gathered, collision, moving.at, distance);
    }
    let middle = moving.at.point + way * 0.5;
    let reach = near.radius + 0.5 * way.length() + bulge;
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
        let clear = near.radius + bulge;
        if height > clear && end > clear || (height < -clear && end < -clear) {
            return;
        }
        let surface = surface_of(candidate);
        let limit = first.map_or(rest, |impact| impact.time - moving.time);
        let Some(after) = meets_triangle(&body.shape, moving, &surface, limit, manifolds) else {
            return;
        };
        let (friction, bounce) = (candidate.surface.friction, candidate.surface.bounce);
        let impact = Impact {
            time: moving.time + after,
            a: index,
            version_a: moving.version,
            with: With::Surface {
                surface,
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
fn find_body(level: &Level, workspace: &mut BodyWorkspace, index: u32, secs: f64) {
    let pair = &workspace.pairs[index as usize];
    let [a, b] = [pair.a, pair.b].map(|index| &workspace.moving[index as usize]);
    let from = a.time.max(b.time);
    if secs <= from {
        return;
    }
    let (body_a, body_b) = (level.body(a.id), level.body(b.id));
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
fn resolve(level: &Level, workspace: &mut BodyWorkspace, impact: &Impact) {
    let BodyWorkspace {
        moving,
        pairs,
        manifolds,
        struck,
        ..
    } = workspace;
    let (b, a_from_b, mixed) = match impact.with {
        With::Surface { surface, mixed, .. } => {
            let a = &moving[impact.a as usize];
            let shape = &level.body(a.id).shape;
            touch_triangle(shape, &a.pose(), &surface, TOUCHING, manifolds);
            (None, Rigid::IDENTITY, mixed)
        }
        With::Body { pair, .. } => {
            let pair = &pairs[pair as usize];
            find_manifolds(level, pair, moving, TOUCHING, manifolds);
            let [a, b] = [pair.a, pair.b].map(|index| level.body(moving[index as usize].id));
            (
                Some(pair.b),
                pair.a_from_b,
                Mixed::of(a, b.friction, b.bounce),
            )
        }
    };
    for index in [Some(impact.a), b].into_iter().flatten() {
        let moving = &mut moving[index as usize];
        if !moving.is_ball {
            moving.find_inertia(level.body(moving.id));
        }
    }
    let sides = Sides {
        a: (impact.a, &moving[impact.a as usize]),
        b: b.map(|index| (index, &moving[index as usize])),
        a_from_b,
        other: 0,
    };
    struck.clear();
    for manifold in manifolds.iter() {
        let points = manifold.points().iter();
        struck.extend(points.map(|point| Struck {
            contact: sides.contact(manifold.normal, point, &mixed),
            wanted: 0.0,
            pushed: 0.0,
            rubbed: DVec3::ZERO,
        }));
    }
    bounce(moving, struck);
}

/// A point of an impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struck {
    contact: Contact,
    /// The speed at which the surfaces part there, m/s.
    wanted: f64,
    /// Impulses so far, N s: along the normal, and across it.
    pushed: f64,
    rubbed: DVec3,
}

/// Solves the points of one impact together: Newton's rule along the normal, Coulomb's across it.
fn bounce(moving: &mut [Moving], struck: &mut [Struck]) {
    let rounds = if struck.len() == 1 { 1 } else { IMPACT_ROUNDS };
    let mut rests_all = true;
    for Struck {
        contact, wanted, ..
    } in &mut *struck
    {
        let speed = -relative_velocity(moving, contact).dot(contact.normal);
        let acceleration = moving[contact.a as usize].acceleration;
        let gathered = acceleration.length() * TICKS_PER_SECOND.recip();
        if !rests(speed, contact.bounce, gathered) {
            *wanted = speed * contact.bounce;
            rests_all = false;
        }
    }
    for _ in 0..rounds {
        for point in &mut *struck {
            point.solve(moving);
        }
    }
    if rests_all {
        for Struck { contact, .. } in &*struck {
            rest(moving, contact);
        }
    }
}

impl Struck {
    fn solve(&mut self, moving: &mut [Moving]) {
        let Self {
            contact,
            wanted,
            pushed,
            rubbed,
        } = self;
        let normal = contact.normal;
        let speed = relative_velocity(moving, contact).dot(normal);
        let mass = effective_mass(moving, contact, normal);
        let total = (*pushed + mass * (*wanted - speed)).max(0.0);
        apply(moving, contact, normal * (total - *pushed));
        *pushed = total;
        if contact.friction == 0.0 {
            return;
        }
        let velocity = relative_velocity(moving, contact);
        let across = velocity - normal * velocity.dot(normal);
        let speed = across.length();
        if speed <= STILL {
            return;
        }
        let direction = across / speed;
        let stop = direction * (-speed * effective_mass(moving, contact, direction));
        let mut after = *rubbed + stop;
        let (size, most) = (after.length(), contact.friction * total);
        if size > most {
            after *= most / size;
        }
        apply(moving, contact, after - *rubbed);
        *rubbed = after;
    }
}

/// For the rest of the tick gravity does not pull together what rests on each other.
fn rest(moving: &mut [Moving], contact: &Contact) {
    let a = &mut moving[contact.a as usize];
    match contact.b {
        None => {
            let into = a.acceleration.dot(contact.normal).min(0.0);
            a.acceleration -= contact.normal * into;
        }
        Some(b) => {
            a.acceleration = DVec3::ZERO;
            moving[b as usize].acceleration = DVec3::ZERO;
        }
    }
}
