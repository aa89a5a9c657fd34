//! Contacts at the beginning of a tick: what the solver holds apart.

use std::cmp::Ordering;

use glam::DVec3;

use super::moving::Moving;
use super::narrow::{touch, touch_triangle};
use super::pairs::Pair;
use super::rest::rests;
use super::tuning::CONTACT_DISTANCE;
use super::workspace::Near;
use crate::collision::{Candidate, Solid};
use crate::geometry::Rigid;
use crate::level::{EdgeKind, Level, RigidBody};
use crate::shapes::{Manifold, ManifoldPoint, SurfaceTriangle};
use crate::world::ContactKey;

/// A point at which a body touches another one, or a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub key: ContactKey,
    /// Index of the body among those that take part in the tick.
    pub a: u32,
    /// The other body, if it is one that can be moved; a surface stands still.
    pub b: Option<u32>,
    /// Takes coordinates of the room of `b` to those of the room of `a`.
    pub a_from_b: Rigid,
    /// Unit vector from `b` to `a`, in coordinates of the room of `a`.
    pub normal: DVec3,
    /// From the centre of each body to the point, in coordinates of the room of `a`, metres.
    pub arm_a: DVec3,
    pub arm_b: DVec3,
    /// The gap, metres; negative where they overlap.
    pub separation: f64,
    pub friction: f64,
    pub bounce: f64,
}

/// What the contact of two surfaces is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixed {
    pub friction: f64,
    pub bounce: f64,
}

impl Mixed {
    pub(super) fn of(a: &RigidBody, friction: f64, bounce: f64) -> Self {
        Self {
            friction: (a.friction * friction).sqrt(),
            bounce: a.bounce.max(bounce),
        }
    }
}

/// Names what a body touches, from tick to tick.
pub(super) fn code_of(solid: Solid) -> u64 {
    match solid {
        Solid::Triangle(index) => 1 << 32 | u64::from(index),
        Solid::Link(link) => 2 << 32 | u64::from(link.0),
    }
}

/// A candidate as shapes read it.
pub(super) fn surface_of(candidate: &Candidate) -> SurfaceTriangle {
    SurfaceTriangle {
        triangle: candidate.triangle,
        is_two_sided: candidate.two_sided,
        internal_edges: candidate.edges.map(|kind| kind == EdgeKind::Internal),
    }
}

/// Adds the contacts of a body with the surfaces near it.
pub(super) fn touch_surfaces(
    level: &Level,
    (index, moving): (u32, &Moving),
    near: &Near,
    secs: f64,
    contacts: &mut Vec<Contact>,
) {
    let body = level.body(moving.id);
    let pose = moving.pose();
    let first = contacts.len();
    near.look_within(
        moving.at.point,
        near.radius + CONTACT_DISTANCE,
        |candidate| {
            let surface = surface_of(candidate);
            let manifold = touch_triangle(&body.shape, &pose, &surface, CONTACT_DISTANCE);
            let mixed = Mixed::of(body, candidate.surface.friction, candidate.surface.bounce);
            let key = ContactKey {
                body: moving.id,
                other: code_of(candidate.solid),
            };
            let approach = |point: &ManifoldPoint| {
                let arm = point.on_a - moving.at.point;
                let velocity = moving.velocity_of(arm) + moving.acceleration * secs;
                -velocity.dot(manifold.normal)
            };
            let gathers = moving.acceleration.length() * secs;
            if !may_rest(&manifold, approach, mixed.bounce, [gathers; 2]) {
                return;
            }
            for point in manifold.points() {
                contacts.push(Contact {
                    key,
                    a: index,
                    b: None,
                    a_from_b: Rigid::IDENTITY,
                    normal: manifold.normal,
                    arm_a: point.on_a - moving.at.point,
                    arm_b: DVec3::ZERO,
                    separation: point.separation,
                    friction: mixed.friction,
                    bounce: mixed.bounce,
                });
            }
        },
    );
    // By what is touched, not by the order of a list that depends on where the body has been.
    let place = |contact: &Contact| contact.arm_a.to_array();
    contacts[first..].sort_unstable_by(|a, b| {
        let by_place = || place(a).partial_cmp(&place(b)).unwrap_or(Ordering::Equal);
        a.key.cmp(&b.key).then_with(by_place)
    });
}

/// Whether two bodies are in contact.
pub(super) fn are_touching(level: &Level, pair: &Pair, moving: &[Moving]) -> bool {
    let [a, b] = [pair.a, pair.b].map(|index| &moving[index as usize]);
    let pose_b = pair.a_from_b.after(&b.pose());
    let shape_a = (&level.body(a.id).shape, &a.pose());
    !touch(
        shape_a,
        (&level.body(b.id).shape, &pose_b),
        CONTACT_DISTANCE,
    )
    .is_empty()
}

/// Adds the contacts of two bodies.
pub(super) fn touch_bodies(
    level: &Level,
    pair: &Pair,
    moving: &[Moving],
    secs: f64,
    contacts: &mut Vec<Contact>,
) {
    let [a, b] = [pair.a, pair.b].map(|index| &moving[index as usize]);
    let (body_a, body_b) = (level.body(a.id), level.body(b.id));
    let pose_b = pair.a_from_b.after(&b.pose());
    let (shape_a, shape_b) = ((&body_a.shape, &a.pose()), (&body_b.shape, &pose_b));
    let manifold = touch(shape_a, shape_b, CONTACT_DISTANCE);
    let mixed = Mixed::of(body_a, body_b.friction, body_b.bounce);
    let approach = |point: &ManifoldPoint| {
        let arm_b = pair
            .a_from_b
            .inverse()
            .vector(point.on_b - pose_b.translation());
        let of_a = a.velocity_of(point.on_a - a.at.point) + a.acceleration * secs;
        let of_b = b.velocity_of(arm_b) + b.acceleration * secs;
        -(of_a - pair.a_from_b.vector(of_b)).dot(manifold.normal)
    };
    let gathers = (a.acceleration - b.acceleration).length() * secs;
    let falls = a.acceleration.length().max(b.acceleration.length()) * secs;
    if !may_rest(&manifold, approach, mixed.bounce, [gathers, falls]) {
        return;
    }
    for point in manifold.points() {
        contacts.push(Contact {
            key: ContactKey {
                body: a.id,
                other: 3 << 32 | u64::from(b.id.0),
            },
            a: pair.a,
            b: Some(pair.b),
            a_from_b: pair.a_from_b,
            normal: manifold.normal,
            arm_a: point.on_a - a.at.point,
            arm_b: point.on_b - pose_b.translation(),
            separation: point.separation,
            friction: mixed.friction,
            bounce: mixed.bounce,
        });
    }
}

/// Whether a contact is for the solver: none of its points meets fast enough to bounce, and one at least does not
/// part faster than gravity, which gives each body `falls` m/s in a tick, could bring it back; `gathers` is what
/// it gives them relative to each other.
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
