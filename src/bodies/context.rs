//! The input of a tick of bodies.

use glam::DVec3;

use super::characters::Participants;
use super::moving::Moving;
use crate::collision::CollisionWorld;
use crate::level::{BodyId, TICKS_PER_SECOND};
use crate::world::{Bodies, Participant};

/// The input that all phases of a tick read. No phase changes it.
#[derive(Clone, Copy)]
pub(super) struct StepContext<'w> {
    /// The world with its movers at the end of the tick, without bodies.
    pub collision: &'w CollisionWorld<'w>,
    pub participants: &'w Participants<'w>,
    /// The bodies at the beginning of the tick.
    pub bodies: &'w Bodies,
    /// The acceleration of gravity, m/s2.
    pub gravity: DVec3,
    /// Duration of the tick, seconds.
    pub secs: f64,
    /// The greatest distance that any point of a mover has moved in the tick, metres.
    pub mover_way: f64,
}

impl<'w> StepContext<'w> {
    pub(super) fn new(
        collision: &'w CollisionWorld<'w>,
        participants: &'w Participants<'w>,
        bodies: &'w Bodies,
        gravity: DVec3,
    ) -> Self {
        Self {
            collision,
            participants,
            bodies,
            gravity,
            secs: TICKS_PER_SECOND.recip(),
            mover_way: farthest_mover_way(collision),
        }
    }

    /// The state of a body, or of one of the `characters` that take part, at the beginning of the tick.
    pub(super) fn at_the_beginning(&self, characters: &[Moving], id: Participant) -> Moving {
        match id {
            Participant::Body(id) => self.body_at_the_beginning(id),
            Participant::Character(_) => {
                let mut characters = characters.iter();
                let character = characters.find(|character| character.id == id);
                *character.expect("characters take part from the beginning")
            }
        }
    }

    /// The state of a body of the level at the beginning of the tick.
    pub(super) fn body_at_the_beginning(&self, id: BodyId) -> Moving {
        let (body, state) = (self.participants.level.body(id), self.bodies.state(id));
        let moving = Moving::of(id, body, state, self.acceleration_of(id));
        moving.with_torque_spin(self.bodies.applied_force(id).torque_spin)
    }

    /// A kinematic body at a time of the tick, seconds, in coordinates of the room in which it begins the tick.
    pub(super) fn kinematic_at(&self, id: BodyId, time: f64) -> Moving {
        let start = self.body_at_the_beginning(id);
        Moving {
            time,
            at: start.at.with_point(start.centre_at(time)),
            rotation: start.rotation_at(time),
            ..start
        }
    }

    /// Whether two participants pass through each other.
    pub(super) fn pass_through(&self, pair: [Participant; 2]) -> bool {
        pair.iter().all(|id| self.is_kinematic(*id)) || self.participants.pass_through(pair)
    }

    /// Whether one of two participants that touch may wake the other: a kinematic body at rest wakes no body.
    pub(super) fn may_wake(&self, pair: [Participant; 2]) -> bool {
        let is_at_rest = |id: BodyId| self.bodies.state(id).is_kinematic_at_rest();
        !pair
            .into_iter()
            .filter_map(Participant::body)
            .any(is_at_rest)
    }

    pub(super) fn is_kinematic(&self, id: Participant) -> bool {
        id.body()
            .is_some_and(|id| self.bodies.state(id).is_kinematic)
    }

    /// The acceleration of a body by gravity and applied forces, m/s2, in coordinates of its room at the beginning of
    /// the tick.
    pub(super) fn acceleration_of(&self, id: BodyId) -> DVec3 {
        self.gravity + self.bodies.applied_force(id).acceleration
    }
}

/// The greatest distance that any point of a mover has moved in this tick, metres.
fn farthest_mover_way(collision: &CollisionWorld) -> f64 {
    let CollisionWorld { level, world, .. } = collision;
    let movers = (0..).map_while(|index| world.awake(index));
    let farthest = movers.map(|id| {
        let moved = world.now_from_before(id);
        let bounds = level.solids.bounds(&level.mover(id).solids);
        let now = bounds.corners().map(|corner| world.pose(id).point(corner));
        // No point of a box moves farther than the farthest-moving corner.
        let ways = now.map(|corner| moved.point_from(corner).distance(corner));
        if moved.is_identity() {
            0.0
        } else {
            ways.into_iter().fold(0.0, f64::max)
        }
    });
    farthest.fold(0.0, f64::max)
}
