//! The state of a rigid body in one tick.

use glam::{DMat3, DQuat, DVec3};

use crate::geometry::Rigid;
use crate::level::{At, MoverId, RigidBody};
use crate::save::{MAX_SPEED, Saved, StateReader};

/// The state of a rigid body in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyState {
    /// The position of the centre of mass.
    pub at: At,
    /// The rotation from the body's coordinates to those of its room; of unit length.
    pub rotation: DQuat,
    /// The velocity of the centre of mass, m/s, in the room's coordinates.
    pub velocity: DVec3,
    /// Angular velocity, radians per second about each axis of the room.
    pub spin: DVec3,
    /// The number of ticks for which the body has been slow. [`Self::ASLEEP`] for a sleeping body, which does not
    /// move, and costs nothing, until something wakes it.
    pub slow_ticks: u32,
    /// The mover that carries the body, if any.
    pub ride: Option<Ride>,
    /// Whether the body is in the world. If a body was removed, or no spawner has created it yet, it sleeps, collides
    /// with nothing, and is not drawn.
    pub is_present: bool,
    /// Whether a program determines the motion of the body: the body moves at `velocity` and `spin`, nothing stops it,
    /// and it pushes other bodies and characters. Set it with [`Game::set_body`](crate::game::Game::set_body).
    pub is_kinematic: bool,
}

/// Loading rejects excessive velocities, and sleeping bodies that move.
impl Saved for BodyState {
    fn save(&self, to: &mut Vec<u8>) {
        self.at.save(to);
        self.rotation.save(to);
        self.velocity.save(to);
        self.spin.save(to);
        self.slow_ticks.save(to);
        self.ride.save(to);
        // Two flags in one byte: saved games from before there were kinematic bodies are still valid.
        to.push(u8::from(self.is_present) | u8::from(self.is_kinematic) << 1);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let mut state = Self {
            at: At::load(from)?,
            rotation: DQuat::load(from)?,
            velocity: DVec3::load(from)?,
            spin: DVec3::load(from)?,
            slow_ticks: u32::load(from)?,
            ride: Option::load(from)?,
            is_present: false,
            is_kinematic: false,
        };
        let flags = u8::load(from).filter(|flags| *flags < 4)?;
        (state.is_present, state.is_kinematic) = (flags & 1 != 0, flags & 2 != 0);
        let motion = [state.velocity, state.spin];
        let is_sound = if state.is_asleep() {
            motion == [DVec3::ZERO; 2]
        } else if !state.is_present {
            false
        } else {
            // Over years, a larger count could reach the value of sleeping bodies.
            state.slow_ticks < Self::ASLEEP / 2
        };
        (is_sound && motion.iter().all(|v| v.length() <= MAX_SPEED)).then_some(state)
    }
}

/// The velocity that a body gets from the mover that carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ride {
    /// The mover.
    pub mover: MoverId,
    /// The mover's velocity at the body's position, m/s, in coordinates of the body's room.
    pub velocity: DVec3,
    /// The mover's angular velocity, radians per second.
    pub spin: DVec3,
}

impl Saved for Ride {
    fn save(&self, to: &mut Vec<u8>) {
        self.mover.save(to);
        self.velocity.save(to);
        self.spin.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let mover = MoverId::load(from)?;
        let [velocity, spin] = [DVec3::load(from)?, DVec3::load(from)?];
        let motion = [velocity, spin];
        let ride = Self {
            mover,
            velocity,
            spin,
        };
        motion
            .iter()
            .all(|v| v.length() <= MAX_SPEED)
            .then_some(ride)
    }
}

impl BodyState {
    /// The value of [`Self::slow_ticks`] of a sleeping body.
    pub const ASLEEP: u32 = u32::MAX;

    /// A body as authored, awake; absent if a spawner creates it.
    pub fn of(body: &RigidBody) -> Self {
        let state = Self::at_start_of(body);
        match body.spawner {
            Some(_) => state.absent(),
            None => state,
        }
    }

    /// A body awake and at rest in its authored pose.
    pub(crate) fn at_start_of(body: &RigidBody) -> Self {
        Self {
            rotation: body.rotation,
            ..Self::at_rest(body.start)
        }
    }

    /// This state, but absent.
    pub(crate) fn absent(self) -> Self {
        Self {
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            slow_ticks: Self::ASLEEP,
            ride: None,
            is_present: false,
            ..self
        }
    }

    /// A body awake and at rest, with its centre of mass at `at`.
    pub(crate) fn at_rest(at: At) -> Self {
        Self {
            at,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            slow_ticks: 0,
            ride: None,
            is_present: true,
            is_kinematic: false,
        }
    }

    /// The transform from coordinates of the body's authored room, in which its surfaces are drawn, to those of its current
    /// room.
    pub fn room_from_authored(&self, body: &RigidBody) -> Rigid {
        let authored = Rigid::new(DMat3::from_quat(body.rotation), body.start.point);
        self.room_from_body().after(&authored.inverse())
    }

    /// The transform from coordinates of the body to those of its room.
    pub fn room_from_body(&self) -> Rigid {
        Rigid::new(DMat3::from_quat(self.rotation), self.at.point)
    }

    /// Whether the body is in the world and sleeps, or is kinematic and at rest.
    pub(crate) fn sleeps(&self) -> bool {
        self.is_present && (self.is_asleep() || self.is_kinematic_at_rest())
    }

    /// Whether the body is kinematic and does not move: it acts on other bodies as a static surface does.
    pub(crate) fn is_kinematic_at_rest(&self) -> bool {
        self.is_kinematic && !self.moves()
    }

    /// Whether the body has a velocity or a spin.
    pub(crate) fn moves(&self) -> bool {
        (self.velocity, self.spin) != (DVec3::ZERO, DVec3::ZERO)
    }

    /// Interpolates the pose within a tick that began in the state `before`. `part` is the part of the tick, 0..1.
    pub(super) fn put_between(&mut self, before: &Self, part: f64) {
        self.at.point = before.at.point.lerp(self.at.point, part);
        self.rotation = between_rotations(before.rotation, self.rotation, part);
    }

    /// Whether the body sleeps, or is absent.
    pub fn is_asleep(&self) -> bool {
        self.slow_ticks == Self::ASLEEP
    }
}

/// The normalised linear interpolation of two nearby rotations, along the shorter arc.
fn between_rotations(from: DQuat, to: DQuat, part: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let mixed = from * (1.0 - part) + to * part;
    let length = mixed.length();
    if length > 0.0 {
        mixed * length.recip()
    } else {
        to
    }
}
