//! The contacts at the beginning of a tick, which the solver resolves.

pub(super) mod narrow;
pub(super) mod surfaces;

use std::cmp::Ordering;

use glam::DVec3;

use crate::bodies::broad::near::NearbyTriangles;
use crate::bodies::broad::pairs::Pair;
use crate::bodies::characters::Participants;
use crate::bodies::context::StepContext;
use crate::bodies::impacts::rest::rests;
use crate::bodies::moving::Moving;
use crate::bodies::tuning::CONTACT_DISTANCE;
use crate::collision::Solid;
use crate::geometry::Rigid;
use crate::level::{BodyId, LinkId, RigidBody};
use crate::shapes::{Manifold, ManifoldPoint, speculative_points};
use crate::world::{ContactKey, Participant};
use narrow::{touch, touch_triangle};
use surfaces::{MovingSurface, SurfaceMotion, shifted};

/// A contact point of a body with another body or with a surface.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct BodyContact {
    pub key: ContactKey,
    /// The index of the first body among the bodies that take part in the tick.
    pub a: u32,
    /// The index of the second body. `None` for a surface or a kinematic body, which no impulse moves.
    pub b: Option<u32>,
    /// The transform from coordinates of the room of `b` to those of the room of `a`.
    pub a_from_b: Rigid,
    /// Unit vector from `b` to `a`, in coordinates of the room of `a`.
    pub normal: DVec3,
    /// The vector from the centre of each body to the contact point, in coordinates of the room of `a`, metres.
    pub arm_a: DVec3,
    pub arm_b: DVec3,
    /// The average velocity of a touched surface at the point in this tick, m/s.
    pub surface_course: DVec3,
    /// The velocity of a body that sticks to the surface, m/s: includes the motion of a conveyor belt.
    pub surface_velocity: DVec3,
    /// The gap, metres; negative where the sides overlap.
    pub separation: f64,
    pub friction: f64,
    pub bounce: f64,
    /// The closing speed of the sides, m/s, if the contact is speculative.
    pub approach: f64,
    /// The speed, m/s, at which the sides of a speculative contact separate after an impact; 0 if they do not bounce.
    pub parting: f64,
    /// Whether one side can roll on the other; false if face lies on face.
    pub rolls: bool,
}

/// The buffers of a share of the bodies in the parallel search for contacts.
#[derive(Debug, Default)]
pub(in crate::bodies) struct ContactBuffers {
    pub manifolds: Vec<Manifold>,
    pub contacts: Vec<BodyContact>,
}

/// Moves the contacts of all shares to the end of a list, share by share.
pub(in crate::bodies) fn take_all(shares: &mut [ContactBuffers], contacts: &mut Vec<BodyContact>) {
    match shares {
        [all] if contacts.is_empty() => std::mem::swap(contacts, &mut all.contacts),
        _ => contacts.extend(shares.iter().flat_map(|share| &share.contacts)),
    }
}

/// Stores in the bodies how deep their contacts are in static surfaces.
pub(in crate::bodies) fn note_depths(moving: &mut [Moving], contacts: &[BodyContact]) {
    for contact in contacts {
        if contact.b.is_none() && contact.surface_course == DVec3::ZERO {
            let depth = &mut moving[contact.a as usize].depth;
            *depth = depth.max(-contact.separation);
        }
    }
}

impl BodyContact {
    /// Sorts by key, then by contact point.
    pub(in crate::bodies) fn order(&self, other: &Self) -> Ordering {
        let [a, b] = [self, other].map(|contact| contact.arm_a.to_array());
        let by_place = || a.partial_cmp(&b).unwrap_or(Ordering::Equal);
        self.key.cmp(&other.key).then_with(by_place)
    }
}

/// The combined material of two surfaces.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct Mixed {
    pub friction: f64,
    pub bounce: f64,
}

impl Mixed {
    pub(in crate::bodies) fn of(a: &RigidBody, friction: f64, bounce: f64) -> Self {
        Self {
            friction: (a.friction * friction).sqrt(),
            bounce: a.bounce.max(bounce),
        }
    }
}

/// The code of a solid in contact keys. It is the same in every tick.
pub(in crate::bodies) fn code_of(solid: Solid) -> u64 {
    match solid {
        Solid::Triangle(index) => 1 << 32 | u64::from(index),
        Solid::Link(link) => 2 << 32 | u64::from(link.0),
        Solid::Body(body) => ContactKey::code_of(Participant::Body(body)),
    }
}

/// The solid of a code; `None` for a character, and for an invalid code.
pub(in crate::bodies) fn solid_of(code: u64) -> Option<Solid> {
    let index = code as u32;
    match code >> 32 {
        1 => Some(Solid::Triangle(index)),
        2 => Some(Solid::Link(LinkId(index))),
        3 => Some(Solid::Body(BodyId(index))),
        _ => None,
    }
}

/// Adds the contacts of a body with the surfaces near it.
pub(in crate::bodies) fn touch_surfaces(
    context: &StepContext,
    (index, moving): (u32, &Moving),
    near: &NearbyTriangles,
    secs: f64,
    (manifolds, contacts): (&mut Vec<Manifold>, &mut Vec<BodyContact>),
) {
    let StepContext {
        collision,
        participants,
        mover_way,
        ..
    } = *context;
    if CONTACT_DISTANCE + mover_way < moving.clearance && !moving.is_speculative {
        return;
    }
    let body = participants.body(moving.id);
    let pose = moving.pose();
    let first = contacts.len();
    let of_body = ContactReach::of(moving, secs);
    let reach = moving.radius + of_body.way + CONTACT_DISTANCE + mover_way;
    near.look_within(moving.at.point, reach, |candidate| {
        // Triangles beyond the reach are ignored, because their presence in the list depends on earlier ticks.
        if candidate.triangle.distance(moving.at.point) > reach {
            return;
        }
        let surface = MovingSurface::of(collision, near, candidate);
        let nearest = surface.start.triangle.closest_point(moving.at.point).0;
        let start = &shifted(
            &surface.start,
            surface.motion.course_at(nearest) * moving.time,
        );
        let margin = match surface.motion.is_still() {
            true => of_body.margin(),
            false => of_body.margin_of(mover_way),
        };
        touch_triangle(&body.shape, &pose, start, margin, manifolds);
        let mixed = Mixed::of(body, candidate.surface.friction, candidate.surface.bounce);
        let sides = Sides {
            a: (index, moving),
            b: Other::Surface(surface.motion),
            a_from_b: Rigid::IDENTITY,
            other: code_of(candidate.solid),
        };
        add(&sides, &mixed, secs, manifolds, contacts);
    });
    // Sorted by key and point, because the order of the list of nearby triangles depends on the body's earlier
    // positions.
    contacts[first..].sort_unstable_by(BodyContact::order);
}

/// The distances within which a body may touch something in a tick, metres.
#[derive(Clone, Copy)]
pub(in crate::bodies) struct ContactReach {
    is_speculative: bool,
    /// The greatest distance that the centre moves.
    way: f64,
    /// The greatest distance that any point moves because of rotation.
    by_turn: f64,
}

impl ContactReach {
    fn of(moving: &Moving, secs: f64) -> Self {
        let is_speculative = moving.is_speculative;
        Self {
            is_speculative,
            way: if is_speculative {
                moving.way_in(secs)
            } else {
                0.0
            },
            by_turn: moving.way_by_turn(secs),
        }
    }

    pub(in crate::bodies) fn of_pair(pair: &Pair, moving: &[Moving], secs: f64) -> Self {
        let [a, b] = [pair.a, pair.b].map(|index| &moving[index as usize]);
        Self {
            is_speculative: a.is_speculative && b.is_speculative,
            way: pair.relative_way(moving, secs),
            by_turn: a.way_by_turn(secs) + b.way_by_turn(secs),
        }
    }

    /// The gap below which a contact is listed.
    fn margin(&self) -> f64 {
        let resting = CONTACT_DISTANCE + self.by_turn;
        if self.is_speculative {
            resting + self.way
        } else {
            resting
        }
    }

    /// The margin to a surface that moves by `moved` metres in the tick.
    fn margin_of(&self, moved: f64) -> f64 {
        self.margin() + if self.is_speculative { moved } else { 0.0 }
    }

    /// The margin of speculative contacts.
    pub(in crate::bodies) fn speculative(&self) -> f64 {
        CONTACT_DISTANCE + self.by_turn + self.way
    }
}

/// Whether two bodies are in contact.
pub(in crate::bodies) fn are_touching(
    participants: &Participants,
    pair: &Pair,
    moving: &[Moving],
    manifolds: &mut Vec<Manifold>,
) -> bool {
    find_manifolds(participants, pair, moving, CONTACT_DISTANCE, manifolds);
    !manifolds.is_empty()
}

/// Finds the contact manifolds of the bodies of a pair within a distance, metres, in coordinates of the room of the
/// first.
pub(in crate::bodies) fn find_manifolds(
    participants: &Participants,
    pair: &Pair,
    moving: &[Moving],
    distance: f64,
    manifolds: &mut Vec<Manifold>,
) {
    let [a, b] = [pair.a, pair.b].map(|index| &moving[index as usize]);
    let pose_b = pair.a_from_b.after(&b.pose());
    let shape_a = (&participants.body(a.id).shape, &a.pose());
    let shape_b = (&participants.body(b.id).shape, &pose_b);
    touch(shape_a, shape_b, distance, manifolds);
}

/// Adds the contacts of two bodies.
pub(in crate::bodies) fn touch_bodies(
    participants: &Participants,
    pair: &Pair,
    moving: &[Moving],
    secs: f64,
    (manifolds, contacts): (&mut Vec<Manifold>, &mut Vec<BodyContact>),
) {
    let margin = ContactReach::of_pair(pair, moving, secs).margin();
    if pair.are_farther_than(margin, moving) {
        return;
    }
    find_manifolds(participants, pair, moving, margin, manifolds);
    let (sides, mixed) = Sides::of_pair(participants, pair, moving);
    if let ([known], true) = (&manifolds[..], sides.a.1.is_speculative) {
        let further = speculative(participants, pair, moving, (known, margin));
        let may_touch = |point: &ManifoldPoint| {
            let way = sides.approach(further.normal, point, secs) * secs;
            point.separation <= way + CONTACT_DISTANCE
        };
        let further = further.retain(may_touch);
        if !further.is_empty() {
            manifolds.push(further);
        }
    }
    add(&sides, &mixed, secs, manifolds, contacts);
}

/// The [speculative points](speculative_points) of two bodies within `margin` metres, except those of the known
/// manifold.
fn speculative(
    participants: &Participants,
    pair: &Pair,
    moving: &[Moving],
    (known, margin): (&Manifold, f64),
) -> Manifold {
    let [a, b] = [pair.a, pair.b].map(|index| &moving[index as usize]);
    let [shape_a, shape_b] = [a, b].map(|moving| &participants.body(moving.id).shape);
    let (pose_a, pose_b) = (a.pose(), pair.a_from_b.after(&b.pose()));
    speculative_points(shape_a, &pose_a, shape_b, &pose_b, known, margin)
}

/// The second side of a contact. A kinematic body is a surface.
#[derive(Clone, Copy)]
pub(in crate::bodies) enum Other<'a> {
    Body(u32, &'a Moving),
    Surface(SurfaceMotion),
    /// A surface whose points all move at one velocity. The two vectors are its course and the velocity of its belt
    /// relative to the surface, m/s.
    Steady([DVec3; 2]),
}

/// The two sides of a contact. Each body has its index among the bodies that take part in the tick.
pub(in crate::bodies) struct Sides<'a> {
    pub a: (u32, &'a Moving),
    pub b: Other<'a>,
    /// The transform from coordinates of the room of `b` to those of the room of `a`.
    pub a_from_b: Rigid,
    /// The code of the solid that `a` touches.
    pub other: u64,
}

impl<'a> Sides<'a> {
    /// The sides of a pair of bodies, and their combined material.
    pub(in crate::bodies) fn of_pair(
        participants: &Participants,
        pair: &Pair,
        moving: &'a [Moving],
    ) -> (Self, Mixed) {
        let both = [pair.a, pair.b].map(|index| &moving[index as usize]);
        Self::of_bodies(participants, pair, both)
    }

    /// The sides of a pair of bodies in the given states, and their combined material.
    pub(in crate::bodies) fn of_bodies(
        participants: &Participants,
        pair: &Pair,
        [a, b]: [&'a Moving; 2],
    ) -> (Self, Mixed) {
        let (body_a, body_b) = (participants.body(a.id), participants.body(b.id));
        let (other, a_from_b) = match b.is_kinematic {
            true => {
                let motion = SurfaceMotion::of_kinematic(b, &pair.a_from_b);
                (Other::Surface(motion), Rigid::IDENTITY)
            }
            false => (Other::Body(pair.b, b), pair.a_from_b),
        };
        let sides = Self {
            a: (pair.a, a),
            b: other,
            a_from_b,
            other: ContactKey::code_of(b.id),
        };
        let mixed = Mixed::of(body_a, body_b.friction, body_b.bounce);
        (sides, mixed)
    }

    /// The contact at a point of a manifold.
    pub(in crate::bodies) fn contact(
        &self,
        manifold: &Manifold,
        point: &ManifoldPoint,
        mixed: &Mixed,
    ) -> BodyContact {
        let normal = manifold.normal;
        let (index, a) = self.a;
        let on_b = point.on_b;
        let (b, centre_b, surface_course, belt) = match self.b {
            Other::Body(index, b) => {
                let centre = self.a_from_b.point(b.at.point);
                (Some(index), centre, DVec3::ZERO, DVec3::ZERO)
            }
            Other::Surface(surface) => (None, on_b, surface.course_at(on_b), surface.belt()),
            Other::Steady([course, belt]) => (None, on_b, course, belt),
        };
        BodyContact {
            key: ContactKey {
                first: a.id,
                other: self.other,
            },
            a: index,
            b,
            surface_course,
            surface_velocity: surface_course + belt.reject_from_normalized(normal),
            a_from_b: self.a_from_b,
            normal,
            arm_a: point.on_a - a.at.point,
            arm_b: on_b - centre_b,
            separation: point.separation,
            friction: mixed.friction,
            bounce: mixed.bounce,
            approach: 0.0,
            parting: 0.0,
            rolls: manifold.points().len() <= 2,
        }
    }

    /// The closing speed of the sides at a point at the end of a tick, m/s, without contact impulses.
    fn approach(&self, normal: DVec3, point: &ManifoldPoint, secs: f64) -> f64 {
        let (_, a) = self.a;
        let of_a = a.velocity_of(point.on_a - a.at.point) + a.acceleration * secs;
        let of_b = match self.b {
            Other::Surface(surface) => surface.course_at(point.on_b),
            Other::Steady([course, _]) => course,
            Other::Body(_, b) => {
                let arm = point.on_b - self.a_from_b.point(b.at.point);
                let arm = self.a_from_b.inverse().vector(arm);
                let velocity = b.velocity_of(arm) + b.acceleration * secs;
                self.a_from_b.vector(velocity)
            }
        };
        (of_b - of_a).dot(normal)
    }

    /// The closing speed of the sides at a point in an impact within the tick, and their separation speed after the
    /// impact, both in m/s. The separation speed is 0 if they do not bounce.
    pub(in crate::bodies) fn impact_speeds(
        &self,
        normal: DVec3,
        point: &ManifoldPoint,
        bounce: f64,
        secs: f64,
    ) -> [f64; 2] {
        let now = self.approach(normal, point, 0.0);
        let acceleration = (self.approach(normal, point, secs) - now) / secs;
        let square = now * now.abs() + 2.0 * acceleration * point.separation.max(0.0);
        let speed = square.max(0.0).sqrt();
        let [gathered, _] = self.gathers(secs);
        let parting = match rests(speed, bounce, gathered) {
            true => 0.0,
            false => bounce * speed,
        };
        [speed, parting]
    }

    /// Two speeds that gravity adds in a tick, m/s: the relative speed of the two bodies, and the speed of the body
    /// that gravity accelerates more.
    fn gathers(&self, secs: f64) -> [f64; 2] {
        let of_a = self.a.1.acceleration;
        let Other::Body(_, b) = self.b else {
            return [of_a.length() * secs; 2];
        };
        let of_b = self.a_from_b.vector(b.acceleration);
        [(of_a - of_b).length(), of_a.length().max(of_b.length())].map(|a| a * secs)
    }
}

/// Adds the contacts of manifolds that the solver resolves: in a speculative cluster, all contacts.
fn add(
    sides: &Sides,
    mixed: &Mixed,
    secs: f64,
    manifolds: &[Manifold],
    contacts: &mut Vec<BodyContact>,
) {
    for manifold in manifolds {
        let normal = manifold.normal;
        let approach = |point: &ManifoldPoint| sides.approach(normal, point, secs);
        let is_speculative = sides.a.1.is_speculative;
        if is_speculative || may_rest(manifold, approach, mixed.bounce, sides.gathers(secs)) {
            let points = manifold.points().iter();
            contacts.extend(points.map(|point| {
                let mut contact = sides.contact(manifold, point, mixed);
                if is_speculative {
                    let speeds = sides.impact_speeds(normal, point, mixed.bounce, secs);
                    [contact.approach, contact.parting] = speeds;
                }
                contact
            }));
        }
    }
}

/// Whether the solver resolves a contact as a resting contact: no point closes fast enough to bounce, and gravity
/// could close at least one separating point again. `falls` is the speed that gravity gives a body in a tick, m/s;
/// `gathers` is the relative speed that gravity gives the two sides.
fn may_rest(
    manifold: &Manifold,
    approach: impl Fn(&ManifoldPoint) -> f64,
    bounce: f64,
    [gathers, falls]: [f64; 2],
) -> bool {
    let mut parts = true;
    for point in manifold.points() {
        let speed = approach(point);
        if !rests(speed, bounce, gathers) {
            return false;
        }
        parts &= speed < -falls;
    }
    !parts
}
