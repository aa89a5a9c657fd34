//! A tick of the game: posture, motion, events.

use glam::DVec3;

use super::events::{Event, EventKind};
use super::posture::CROUCHED_SPEED;
use super::state::{Game, Input, collision};
use super::yaw::{forward, yaw_of};
use crate::level::Level;
use crate::motion;

impl Game {
    /// Advances by [`motion::TICK_SECS`]. What happened is in [`Self::events`] until the next tick.
    pub fn tick(&mut self, level: &Level, input: &Input) {
        self.take_posture(level, input.crouch);
        let command = motion::Command {
            wish: self.wish(input),
            jump: input.jump,
        };
        self.previous = self.actor.state;
        let collision = collision(level, &self.world, self.broad_phase);
        motion::tick(&collision, &mut self.actor, &mut self.workspace, &command);
        self.eye.follow(self.actor.report.lifted);
        let turn = self.actor.report.target_from_start;
        if !turn.is_identity() {
            let forward = turn.vector(forward(self.yaw));
            self.yaw = yaw_of(forward).unwrap_or(self.yaw);
        }
        self.collect_events(level);
        self.stay_in_rooms(level);
        self.tick += 1;
    }

    /// The wanted velocity, m/s: diagonals are no faster than straight on.
    fn wish(&self, input: &Input) -> DVec3 {
        let ahead = forward(self.yaw);
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

    /// Begins the events of a tick: what happened since the last, and what motion reports of this one.
    fn collect_events(&mut self, level: &Level) {
        self.events.clear();
        self.events.append(&mut self.pending_events);
        let (room, feet) = (self.actor.state.at.room, self.feet(level));
        let reported = self.actor.report.events.iter().map(|&event| Event {
            room,
            feet,
            kind: EventKind::Body(event),
        });
        self.events.extend(reported);
    }
}
