//! A rigid body as it is in one tick.

use glam::{DMat3, DQuat, DVec3};

use crate::geometry::Rigid;
use crate::level::{At, MoverId, RigidBody};
use crate::save::{MAX_SPEED, Reader, Saved};

/// A rigid body as it is in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyState {
    /// Its centre of mass.
    pub at: At,
    /// Takes directions of the body's coordinates to those of its room; of unit length.
    pub rotation: DQuat,
    /// The velocity of the centre of mass, m/s, in the room's coordinates.
    pub velocity: DVec3,
    /// Angular velocity, radians per second about each axis of the room.
    pub spin: DVec3,
    /// For how many ticks it has been slow; [`Self::ASLEEP`] where it sleeps: it does not move, and costs
    /// nothing, until something wakes it.
    pub slow_ticks: u32,
    /// The mover that carries it, if one does.
    pub ride: Option<Ride>,
    /// Whether it is in the world. A body that no spawner has brought yet, or that was taken away, sleeps; nothing collides with it, and it is not drawn.
    pub is_present: bool,
}

/// Velocities that no game has are refused, and what sleeps and moves.
impl Saved for BodyState {
    fn save(&self, to: &mut Vec<u8>) {
        self.at.save(to);
        self.rotation.save(to);
        self.velocity.save(to);
        self.spin.save(to);
        self.slow_ticks.save(to);
        self.ride.save(to);
        self.is_present.save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        let state = Self {
            at: At::load(from)?,
            rotation: DQuat::load(from)?,
            velocity: DVec3::load(from)?,
            spin: DVec3::load(from)?,
            slow_ticks: u32::load(from)?,
            ride: Option::load(from)?,
            is_present: bool::load(from)?,
        };
        let motion = [state.velocity, state.spin];
        let is_sound = if state.is_asleep() {
            motion == [DVec3::ZERO; 2]
        } else if !state.is_present {
            false
        } else {
            // Counted up for years, ticks would become those of what sleeps.
            state.slow_ticks < Self::ASLEEP / 2
        };
        (is_sound && motion.iter().all(|v| v.length() <= MAX_SPEED)).then_some(state)
    }
}

/// The motion that a body has from the mover that carries it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ride {
    /// Which.
    pub mover: MoverId,
    /// How the mover moves where the body is, m/s, in coordinates of the body's room.
    pub velocity: DVec3,
    /// How it turns, radians per second.
    pub spin: DVec3,
}

impl Saved for Ride {
    fn save(&self, to: &mut Vec<u8>) {
        self.mover.save(to);
        self.velocity.save(to);
        self.spin.save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
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
    /// [`Self::slow_ticks`] of what sleeps.
    pub const ASLEEP: u32 = u32::MAX;

    /// A body as authored, awake; absent if a spawner brings it.
    pub fn of(body: &RigidBody) -> Self {
        let state = Self::at_start_of(body);
        match body.spawner {
            Some(_) => state.absent(),
            None => state,
        }
    }

    /// Awake, and at rest where a body was authored.
    pub(crate) fn at_start_of(body: &RigidBody) -> Self {
        Self {
            rotation: body.rotation,
            ..Self::at_rest(body.start)
        }
    }

    /// The same, but absent.
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

    /// Awake, and at rest with its centre of mass there.
    pub(crate) fn at_rest(at: At) -> Self {
        Self {
            at,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            slow_ticks: 0,
            ride: None,
            is_present: true,
        }
    }

    /// Takes coordinates of the body's room where it was authored, in which its surfaces are drawn, to those of
    /// its room now.
    pub fn room_from_authored(&self, body: &RigidBody) -> Rigid {
        let authored = Rigid::new(DMat3::from_quat(body.rotation), body.start.point);
        self.room_from_body().after(&authored.inverse())
    }

    /// Takes coordinates of the body to those of its room.
    pub fn room_from_body(&self) -> Rigid {
        Rigid::new(DMat3::from_quat(self.rotation), self.at.point)
    }

    /// Whether it sleeps.
    pub fn is_asleep(&self) -> bool {
        self.slow_ticks == Self::ASLEEP
    }
}
