//! The player: a body with its input, posture and eye.
//!
//! The player's next state is a function of the player and of the world. The tick, in this module, writes its events
//! to the list that the game passes. `bodies` and `input` define the inputs, and `state` the player's data. `posture`
//! and `leaving` compute parts of a tick, `view` computes the eye between two ticks. `third_person` computes the view
//! from behind, and moves the figure with the body.

mod bodies;
mod boom;
mod carried;
mod eye;
mod input;
mod leaving;
mod posture;
mod start;
mod state;
mod third_person;
mod view;

pub use bodies::{CHARACTER, PLAYER, PLAYER_HEIGHT, RUN_SPEED, SPEED_UP_SECS, WALK_SPEED};
pub use carried::CarriedPlayer;
pub use eye::EYE_HEIGHT;
pub use input::Input;
#[cfg(feature = "testing")]
pub(crate) use input::{wrapped, yaw_of};
pub use start::Start;
pub use state::Player;
pub use third_person::ThirdPerson;
pub use view::Eye;

use glam::DVec3;

use super::events::{EventKind, EventWriter};
use crate::collision::CollisionWorld;
use crate::motion::{self, Workspace};
use bodies::CROUCHED_SPEED;

impl Player {
    /// Advances by [`motion::TICK_SECS`].
    pub(super) fn tick(
        &mut self,
        collision: &CollisionWorld,
        input: &Input,
        workspace: &mut Workspace,
        events: &mut EventWriter,
    ) {
        self.take_posture(collision, input.crouch, workspace);
        let command = motion::MoveCommand {
            wish: self.wish(input),
            jump: input.jump,
        };
        motion::tick(collision, &mut self.actor, workspace, &command);
        let lifted = self.actor.report.lifted;
        self.eye
            .follow(if self.smooth_steps { lifted } else { 0.0 });
        let report = &self.actor.report;
        let carried = report.carried_turn.unwrap_or_default();
        let turn = report.target_from_start.after(&carried);
        if !turn.is_identity() {
            let forward = turn.vector(input::forward(self.yaw));
            self.yaw = input::yaw_of(forward).unwrap_or(self.yaw);
        }
        for &event in &self.actor.report.events {
            events.push(&self.actor, EventKind::Body(event));
        }
        self.follow_picture();
        self.stay_in_rooms(collision, workspace, events);
    }

    /// The desired velocity, m/s. Diagonal movement is no faster than straight movement.
    fn wish(&self, input: &Input) -> DVec3 {
        let ahead = input::forward(self.yaw);
        let right = DVec3::new(-ahead.z, 0.0, ahead.x);
        let speed = if input.run {
            self.run_speed
        } else {
            self.walk_speed
        };
        let way = ahead * input.forward + right * input.right;
        let speed = if self.crouched {
            speed * CROUCHED_SPEED
        } else {
            speed
        };
        way * (speed / way.length().max(1.0))
    }
}
