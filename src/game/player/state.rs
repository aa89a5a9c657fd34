//! The data of a player.

use glam::DVec3;

use super::boom::Boom;
use super::eye::EyeHeight;
use super::input::wrapped;
use crate::figure::Gait;
use crate::game::events::feet;
use crate::hash::Fnv64;
use crate::level::{AuthorPoint, Level};
use crate::motion::{Actor, Body, State};
use crate::save::{MAX_SPEED, Saved, StateReader, saved};

/// The maximum pitch, degrees: less than straight up, where left and right would swap.
const MAX_PITCH: f64 = 89.0;

/// A body that is controlled by a player, and the view from it.
#[derive(Debug)]
pub struct Player {
    /// The character: its state after the last tick, and its current body, which has a shorter segment while it
    /// crouches.
    pub actor: Actor,
    /// The length of the capsule's segment when the body stands, metres.
    pub(in crate::game) standing_segment_length: f64,
    /// Whether the body crouches, or is moving down to the crouched posture.
    pub crouched: bool,
    /// The state before the last tick.
    pub previous: State,
    /// The yaw of the view, degrees from -Z, positive to the left, in the coordinates of the body's room.
    pub yaw: f64,
    /// The pitch of the view, degrees, positive up.
    pub pitch: f64,
    /// The state in which the body last stood; outdated while the body stands.
    pub(super) last_standing: Standing,
    /// The number of times that the body left all rooms.
    pub(super) times_left: u64,
    /// The number of times that the body left all rooms since it last stood.
    pub(super) falls_in_a_row: u32,
    /// Walking speed, m/s.
    pub walk_speed: f64,
    /// Running speed, m/s.
    pub run_speed: f64,
    /// Whether the eye moves smoothly over steps instead of jumping with the body. Affects only the view.
    pub smooth_steps: bool,
    /// The eye's height above the body's lowest point.
    pub(super) eye: EyeHeight,
    /// The motion of the player's figure. It affects only the drawing and is not part of the game state.
    pub(super) gait: Gait,
    /// The boom that holds the camera behind the player. It is not part of the game state either.
    pub(super) boom: Boom,
    /// The force with which the player pulls the body that it carries, N, in coordinates of the player's room;
    /// computed again in each tick.
    pub(in crate::game) pull: DVec3,
}

/// The state in which a body last stood, with the length of its segment at that time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) state: State,
    /// The length of the capsule's segment, metres.
    pub(super) segment_length: f64,
}

saved!(Standing {
    state,
    segment_length
});

/// Saves everything except values that each tick computes again and values that affect only the drawing.
impl Saved for Player {
    fn save(&self, to: &mut Vec<u8>) {
        self.actor.save(to);
        self.standing_segment_length.save(to);
        self.crouched.save(to);
        self.previous.save(to);
        [self.yaw, self.pitch].save(to);
        self.last_standing.save(to);
        self.times_left.save(to);
        self.falls_in_a_row.save(to);
        [self.walk_speed, self.run_speed].save(to);
        self.eye.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let actor = Actor::load(from)?;
        let standing_segment_length = f64::load(from)?;
        let crouched = bool::load(from)?;
        let previous = State::load(from)?;
        let [yaw, pitch] = <[f64; 2]>::load(from)?;
        let last_standing = Standing::load(from)?;
        let times_left = u64::load(from)?;
        let falls_in_a_row = u32::load(from)?;
        let [walk_speed, run_speed] = <[f64; 2]>::load(from)?;
        let eye = EyeHeight::load(from)?;
        let is_upright = 0.0..=standing_segment_length;
        let lengths = [actor.body.segment_length, last_standing.segment_length];
        let has_posture = lengths.iter().all(|length| is_upright.contains(length));
        let has_view =
            pitch.abs() <= MAX_PITCH && eye.is_within(&actor.body, standing_segment_length);
        let has_speeds = [walk_speed, run_speed].iter().all(|v| v.abs() <= MAX_SPEED);
        (has_posture && has_view && has_speeds).then_some(Self {
            actor,
            standing_segment_length,
            crouched,
            previous,
            yaw,
            pitch,
            last_standing,
            times_left,
            falls_in_a_row,
            walk_speed,
            run_speed,
            smooth_steps: true,
            eye,
            gait: Gait::default(),
            boom: Boom::default(),
            pull: DVec3::ZERO,
        })
    }
}

impl AsRef<Actor> for Player {
    fn as_ref(&self) -> &Actor {
        &self.actor
    }
}

impl AsMut<Actor> for Player {
    fn as_mut(&mut self) -> &mut Actor {
        &mut self.actor
    }
}

impl Player {
    /// Whether crouching lowers the body.
    pub fn can_crouch(&self) -> bool {
        self.standing_segment_length > 0.0
    }

    /// Turns the view by angles in degrees: positive is left and up.
    pub fn look(&mut self, left: f64, up: f64) {
        self.yaw = wrapped(self.yaw + left);
        self.pitch = (self.pitch + up).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// The lowest point of the body where it last stood; `None` while it stands.
    pub(in crate::game) fn last_feet(&self, level: &Level) -> Option<AuthorPoint> {
        let Standing {
            state,
            segment_length,
        } = &self.last_standing;
        let body = Body {
            segment_length: *segment_length,
            ..self.actor.body
        };
        (!self.actor.state.grounded).then(|| feet(level, &body, state))
    }

    /// The lowest point of the body.
    pub fn feet(&self, level: &Level) -> AuthorPoint {
        feet(level, &self.actor.body, &self.actor.state)
    }

    /// Extends a hash with all data that determines the player's future behaviour. The hash contains names and
    /// coordinates, but no indices.
    pub(in crate::game) fn hash(&self, level: &Level, hash: Fnv64) -> Fnv64 {
        let state = &self.actor.state;
        let mut hash = hash
            .name(&level.room(state.at.room).name)
            .vector(state.at.point)
            .vector(state.walk)
            .vector(state.fall)
            .number(self.yaw)
            .number(self.pitch)
            .bytes(&[u8::from(state.grounded)]);
        if let Some(mover) = state.rides {
            hash = hash.name(&level.mover(mover).name);
        }
        if let Some(body) = state.stands_on {
            hash = hash.name(&level.body(body).name);
        }
        if self.crouched {
            hash = hash.name("crouched");
        }
        if self.actor.body.segment_length != self.standing_segment_length {
            hash = hash.number(self.actor.body.segment_length);
        }
        if self.times_left > 0 {
            // The state to which the body is put back if it leaves all rooms.
            let Standing {
                state,
                segment_length,
            } = &self.last_standing;
            hash = hash
                .name(&level.room(state.at.room).name)
                .bytes(&self.times_left.to_le_bytes())
                .bytes(&self.falls_in_a_row.to_le_bytes())
                .number(*segment_length)
                .vector(state.at.point);
        }
        hash
    }
}
