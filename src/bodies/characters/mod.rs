//! Characters among bodies. In a tick of bodies, a character is a body that does not rotate and stays where it is,
//! unless bodies run into it or carry it. The character's own motion follows, and the bodies that it pushes then get
//! an impulse ([`push`]).

pub(super) mod blocking;
pub(super) mod hands;
pub(super) mod overlaps;
pub(super) mod pushing;
pub(super) mod supports;

use glam::{DMat3, DQuat, DVec3};

use crate::bodies::moving::Moving;
use crate::bodies::velocity::velocity_at;
use crate::collision::{CollisionWorld, follow};
use crate::geometry::Rigid;
use crate::level::{At, BodyId, Level, RigidBody};
use crate::shapes::{Hull, MassProperties, Shape};
use crate::world::{BodyState, Participant};

/// The mass of a character, kilograms.
pub(in crate::bodies) const MASS: f64 = 80.0;

/// The friction of a character.
const FRICTION: f64 = 0.8;

/// The number of corners of a ring around a capsule.
const RING: u32 = 12;

/// The rings around each end of a capsule, as angles from the horizontal, degrees.
const RINGS: [f64; 3] = [0.0, 30.0, 60.0];

/// The distance from a character, metres, beyond which no body reaches it in a tick, except a fast one.
const FAR: f64 = 0.5;

/// The change of a character's velocity, m/s, below which it is ignored.
const STILL: f64 = 0.02;

/// A character as an obstacle for bodies, and the effect of bodies on it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Character {
    /// The centre of the lower end sphere of the capsule.
    pub at: At,
    /// The radius of the capsule, metres.
    pub radius: f64,
    /// The length of the capsule's segment, upwards, metres.
    pub segment_length: f64,
    /// The velocity at which the character slides over its support, m/s, not counting its walk.
    pub slip: DVec3,
    /// The body that the character stands on, and loads with its weight.
    pub stands_on: Option<BodyId>,
    /// The force with which the hands pull a body, N. The feet resist the reaction, so that it does not move the
    /// character. If the held body presses another body against the character, the feet resist that push up to the
    /// same force.
    pub pull: DVec3,
    /// Whether the character stands without walking; it then wakes no body.
    pub is_at_rest: bool,
    /// The displacement of the character by bodies in the last tick, metres, in coordinates of the room in which it
    /// began the tick.
    pub moved: DVec3,
    /// The change of the character's velocity by bodies, m/s. For a character that stands on a body, it is relative
    /// to that body.
    pub velocity_change: DVec3,
}

impl Character {
    /// A character that stands and that no body has moved.
    pub fn new(at: At, radius: f64, segment_length: f64) -> Self {
        Self {
            at,
            radius,
            segment_length,
            slip: DVec3::ZERO,
            stands_on: None,
            pull: DVec3::ZERO,
            is_at_rest: true,
            moved: DVec3::ZERO,
            velocity_change: DVec3::ZERO,
        }
    }

    /// Clears the effects of bodies on the character.
    pub(in crate::bodies) fn stay(&mut self) {
        (self.moved, self.velocity_change) = (DVec3::ZERO, DVec3::ZERO);
    }

    /// The acceleration of the character by the reaction to the pull of its hands, m/s2. The floor absorbs the
    /// vertical component.
    fn reaction(&self, is_carried: bool) -> DVec3 {
        let reaction = self.pull / -MASS;
        if is_carried {
            reaction
        } else {
            reaction.with_y(0.0)
        }
    }

    /// The lowest point of the capsule.
    pub(in crate::bodies) fn foot(&self) -> DVec3 {
        self.at.point - DVec3::Y * self.radius
    }
}

/// The bodies that stand for characters in a tick, in the order of the characters.
#[derive(Debug, Default)]
pub(in crate::bodies) struct CharacterBodies {
    bodies: Vec<RigidBody>,
    /// The sizes for which the bodies were made: radius and length of the segment, metres.
    sizes: Vec<[f64; 2]>,
    /// The bodies in the hands of characters, which all characters pass through.
    held: Vec<BodyId>,
}

/// The bodies of a level, and the characters among them.
#[derive(Clone, Copy)]
pub(in crate::bodies) struct Participants<'a> {
    pub level: &'a Level,
    pub characters: &'a CharacterBodies,
}

impl Participants<'_> {
    pub(in crate::bodies) fn body(&self, id: Participant) -> &RigidBody {
        match id {
            Participant::Body(id) => self.level.body(id),
            Participant::Character(index) => &self.characters.bodies[index as usize],
        }
    }

    /// The index of a participant in lists of all of them.
    pub(in crate::bodies) fn slot(&self, id: Participant) -> usize {
        id.slot(self.level.bodies.len())
    }

    /// Whether two bodies pass through each other: two characters, a character and a body in the hands of any character,
    /// or bodies that a joint connects.
    pub(in crate::bodies) fn pass_through(&self, pair: [Participant; 2]) -> bool {
        match pair.map(Participant::body) {
            [None, None] => true,
            [Some(a), Some(b)] => self.level.joints.are_joined([a, b]),
            [Some(id), None] | [None, Some(id)] => self.characters.held.contains(&id),
        }
    }

    /// The number of participants, awake or not.
    pub(in crate::bodies) fn count(&self) -> usize {
        self.level.bodies.len() + self.characters.bodies.len()
    }
}

impl CharacterBodies {
    /// The shape of a character, around the middle of its segment.
    pub(in crate::bodies) fn shape(&self, index: usize) -> &Shape {
        &self.bodies[index].shape
    }

    /// Sets the bodies in the hands of characters.
    pub(in crate::bodies) fn hold(&mut self, held: impl Iterator<Item = BodyId>) {
        self.held.clear();
        self.held.extend(held);
    }

    /// Makes the bodies of characters. A body is reused where the character's size is the same as in the last tick.
    pub(in crate::bodies) fn make(&mut self, characters: &[Character]) {
        self.bodies.truncate(characters.len());
        self.sizes.truncate(characters.len());
        for (index, character) in characters.iter().enumerate() {
            let size = [character.radius, character.segment_length];
            if self.sizes.get(index) == Some(&size) {
                continue;
            }
            let body = body_of(character);
            if index < self.bodies.len() {
                (self.bodies[index], self.sizes[index]) = (body, size);
            } else {
                self.bodies.push(body);
                self.sizes.push(size);
            }
        }
    }
}

fn body_of(character: &Character) -> RigidBody {
    let shape = shape_of(character.radius, character.segment_length);
    let radius = shape.radius_about(DVec3::ZERO);
    RigidBody {
        spawner: None,
        name: String::new(),
        start: character.at,
        rotation: DQuat::IDENTITY,
        radius,
        drawn_radius: radius,
        shape,
        mass: MassProperties {
            mass: MASS,
            centre: DVec3::ZERO,
            // No torque turns a character.
            moments: DVec3::INFINITY,
            axes: DMat3::IDENTITY,
        },
        friction: FRICTION,
        bounce: 0.0,
        solids: Default::default(),
        draws: 0..0,
    }
}

/// A character's shape, centred at the middle of its segment: a sphere, or a polyhedron inside the capsule. It is
/// smaller than the capsule that collides with triangles, so that a body that touches the capsule is not pushed away.
fn shape_of(radius: f64, segment_length: f64) -> Shape {
    if segment_length <= 0.0 {
        return Shape::Sphere { radius };
    }
    let half = 0.5 * segment_length;
    let mut corners = vec![DVec3::Y * (half + radius), DVec3::NEG_Y * (half + radius)];
    for angle in RINGS {
        let (up, out) = libm::sincos(angle.to_radians());
        for i in 0..RING {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(i) / f64::from(RING));
            let flat = DVec3::new(cos, 0.0, sin) * (out * radius);
            let high = DVec3::Y * (half + up * radius);
            corners.extend([flat + high, flat - high]);
        }
    }
    match Hull::of_points(&corners) {
        Ok(hull) => Shape::Hull(hull),
        Err(_) => Shape::Sphere { radius },
    }
}

/// The state of a character at the beginning of a tick; `None` where no body is near.
pub(in crate::bodies) fn enter(
    collision: &CollisionWorld,
    participants: &Participants,
    (index, character): (u32, &Character),
    gravity: DVec3,
    secs: f64,
) -> Option<Moving> {
    let (at, _) = middle_of(collision, character);
    let reach = FAR + character.radius + 0.5 * character.segment_length;
    let CollisionWorld { level, world, .. } = collision;
    let is_near = |(id, here_from_body): (BodyId, Rigid)| {
        let speed = world.bodies.state(id).velocity.length();
        let reach = reach + level.body(id).radius + speed * secs;
        here_from_body.translation().distance(at.point) < reach
    };
    let own = world.bodies.in_room(at.room);
    let own = own.map(|(id, state)| (id, state.room_from_body()));
    let portals = world.rooms().portals_of(level, at.room);
    let behind = portals.flat_map(|(_, portal)| {
        let here_from_there = portal.far_from_near.inverse();
        let bodies = world.bodies.in_room(portal.far);
        bodies.map(move |(id, state)| (id, here_from_there.after(&state.room_from_body())))
    });
    if !own.chain(behind).any(is_near) {
        return None;
    }
    let is_carried = carrier_is_awake(collision, character);
    let state = BodyState {
        velocity: character.slip + velocity_below(collision, character),
        ..BodyState::at_rest(at)
    };
    let weight = if is_carried { gravity } else { DVec3::ZERO };
    let acceleration = weight + character.reaction(is_carried);
    let id = Participant::Character(index);
    let slot = participants.slot(id) as u32;
    let body = participants.body(id);
    let mut moving = Moving::of_participant((id, slot), body, &state, acceleration);
    moving.is_asleep = character.is_at_rest && !is_carried;
    moving.is_solved = moving.is_asleep;
    moving.is_ball = true;
    moving.is_restless = !character.is_at_rest;
    Some(moving)
}

/// Whether the character stands on a body that is awake.
fn carrier_is_awake(collision: &CollisionWorld, character: &Character) -> bool {
    let bodies = &collision.world.bodies;
    let carrier = character.stands_on.map(|id| bodies.state(id));
    carrier.is_some_and(|state| !state.is_asleep())
}

/// Removes from a vector its component along another one, but at most the length of the other one.
fn without(vector: DVec3, other: DVec3) -> DVec3 {
    let Some(direction) = other.try_normalize() else {
        return vector;
    };
    vector - direction * vector.dot(direction).clamp(0.0, other.length())
}

/// The middle of a character's segment, and the transform from coordinates of the character's room to those of the
/// room of that point.
pub(in crate::bodies) fn middle_of(
    collision: &CollisionWorld,
    character: &Character,
) -> (At, Rigid) {
    let up = DVec3::Y * (0.5 * character.segment_length);
    follow(collision, character.at, character.at.point + up)
}

/// The velocity, m/s, at a character's foot, of the body on which the character stands, in coordinates of the
/// character's room.
fn velocity_below(collision: &CollisionWorld, character: &Character) -> DVec3 {
    let carrier = character.stands_on;
    carrier.map_or(DVec3::ZERO, |body| {
        velocity_at(
            collision.level,
            collision.world,
            body,
            character.at.with_point(character.foot()),
        )
    })
}

/// Stores the effects of a tick of bodies in a character. `moving` is the character, and `collision` has the world,
/// at the end of the tick.
pub(in crate::bodies) fn leave(
    collision: &CollisionWorld,
    character: &mut Character,
    moving: &Moving,
    secs: f64,
) {
    let (start, start_from_home) = middle_of(collision, character);
    // A displacement into a room with a transform is applied in the next tick.
    let same = start.room == moving.at.room
        || collision
            .world
            .rooms()
            .portals_of(collision.level, start.room)
            .any(|(_, portal)| portal.far == moving.at.room && portal.far_from_near.is_identity());
    if !moving.has_met_body || !same || moving.is_asleep {
        return;
    }
    let home_from_start = start_from_home.inverse();
    let moved = home_from_start.vector(moving.at.point - start.point);
    let is_carried = carrier_is_awake(collision, character);
    let reaction = character.reaction(is_carried) * secs;
    character.moved = without(moved - character.slip * secs, reaction * secs);
    let velocity = home_from_start.vector(moving.velocity);
    let change = velocity - velocity_below(collision, character) - character.slip;
    let change = without(change, reaction);
    let change = match character.stands_on {
        // The vertical change is only the weight of the character on its support.
        Some(_) => change.with_y(0.0),
        None => change,
    };
    if change.length() > STILL {
        character.velocity_change = change;
    }
}
