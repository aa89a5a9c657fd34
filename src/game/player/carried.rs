//! Carries a player over to a changed version of its level that was loaded again.

use glam::DVec3;

use super::state::{Player, Standing};
use crate::collision::CollisionWorld;
use crate::level::{At, BodyId, Level, MoverId, holds};
use crate::motion::{self, Actor, Body, State, Workspace};

/// If the old position is occupied, a free one is searched at these distances from it, metres.
const AROUND: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];
/// The number of directions in which it is searched.
const DIRECTIONS: u32 = 16;

/// The position of a player in a level that was loaded again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CarriedPlayer {
    /// The unchanged position in the room of the same name.
    There,
    /// A nearby position with room for the player, and its distance in metres.
    Near(f64),
    /// The first spawn: there is no nearby position with room for the player.
    AtSpawn,
}

impl Player {
    /// Returns the player in another version of its level, at its old position or near it; `None` if there is no
    /// room. `bodies` has the new body that takes over the state of each old body.
    pub(in crate::game) fn carried_to(
        &self,
        collision: &CollisionWorld,
        old: &Level,
        bodies: &[Option<BodyId>],
        workspace: &mut Workspace,
    ) -> Option<(Self, CarriedPlayer)> {
        let level = collision.level;
        let body = self.actor.body;
        let new_body = |body: BodyId| bodies[body.0 as usize];
        let same = carried_state(&self.actor.state, old, level);
        let same = same.map(|state| State {
            stands_on: self.actor.state.stands_on.and_then(new_body),
            ..state
        });
        let same = same.filter(|state| {
            holds(level, state.at) && motion::fits(collision, &body, state, workspace)
        });
        let (state, carried) = match same {
            Some(state) => (state, CarriedPlayer::There),
            None => {
                let feet = level.from_author(self.feet(old));
                let (state, distance) = nearest(collision, &body, feet, workspace)?;
                (state, CarriedPlayer::Near(distance))
            }
        };
        let last_standing = Standing {
            state,
            segment_length: body.segment_length,
        };
        let player = Self {
            actor: Actor::new(body, state),
            previous: state,
            last_standing,
            falls_in_a_row: 0,
            ..*self
        };
        Some((player, carried))
    }

    /// The player's body at its standing height.
    pub(in crate::game) fn standing_body(&self) -> Body {
        Body {
            segment_length: self.standing_segment_length,
            ..self.actor.body
        }
    }
}

/// The state of the player in the room of the same name.
fn carried_state(state: &State, old: &Level, level: &Level) -> Option<State> {
    let room = level.room_named(&old.room(state.at.room).name)?;
    let point = state.at.point + (old.origin - level.origin);
    let rides = state.rides.and_then(|id| {
        let mut movers = (0..).map(MoverId).zip(&level.movers);
        let same = movers.find(|(_, mover)| mover.name == old.mover(id).name);
        same.map(|(id, _)| id)
    });
    Some(State {
        at: At::new(room, point),
        rides,
        stands_on: None,
        ..*state
    })
}

/// Finds the nearest sampled position around a point with room for the body, and its distance.
fn nearest(
    collision: &CollisionWorld,
    body: &Body,
    feet: DVec3,
    workspace: &mut Workspace,
) -> Option<(State, f64)> {
    let mut try_at = |feet: DVec3| {
        let state = motion::place(collision, body, None, feet, true, workspace)?;
        motion::fits(collision, body, &state, workspace).then_some(state)
    };
    if let Some(state) = try_at(feet) {
        return Some((state, 0.0));
    }
    for distance in AROUND {
        for up in [0.0, 1.0, -1.0] {
            for i in 0..DIRECTIONS {
                let angle = std::f64::consts::TAU * f64::from(i) / f64::from(DIRECTIONS);
                let (sin, cos) = libm::sincos(angle);
                let off = DVec3::new(cos, up, sin) * distance;
                if let Some(state) = try_at(feet + off) {
                    return Some((state, distance));
                }
            }
        }
    }
    None
}
