//! Starting positions of a player.

use glam::DVec3;

use super::bodies::{RUN_SPEED, WALK_SPEED, crouched};
use super::boom::Boom;
use super::eye::EyeHeight;
use super::state::{Player, Standing};
use crate::collision::CollisionWorld;
use crate::figure::Gait;
use crate::game::error::{GameError, choices};
use crate::level::{AuthorPoint, Level, RoomId, Spawn};
use crate::motion::{self, Actor, Body, State, Workspace};
use crate::naming::composed;

/// The starting position of the body.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Start {
    /// The level's first spawn, on the floor below it.
    #[default]
    Default,
    /// The spawn with this name, on the floor below it.
    Spawn(String),
    /// A point for the feet.
    Feet(AuthorPoint),
}

impl Player {
    /// Creates a player that stands at `start`, or crouches if there is no room to stand, and looks along the spawn's
    /// yaw.
    ///
    /// # Errors
    /// When there is no such spawn, or the player does not fit there.
    pub(crate) fn start(
        collision: &CollisionWorld,
        start: &Start,
        body: Body,
        workspace: &mut Workspace,
    ) -> Result<Self, GameError> {
        let level = collision.level;
        let (what, room, feet, yaw) = match start {
            Start::Feet(author) => (
                "the point".to_owned(),
                None,
                level.from_author(*author),
                0.0,
            ),
            Start::Default => of_spawn(level.spawns.first().ok_or_else(|| GameError::NoSpawn {
                level: level.name.clone(),
            })?),
            Start::Spawn(name) => of_spawn(spawn_named(level, name)?),
        };
        let drop = !matches!(start, Start::Feet(_));
        let placed = feet
            .is_finite()
            .then(|| put(collision, &body, room, feet, drop, workspace))
            .flatten();
        let Some((body_now, state)) = placed else {
            let feet = level.to_author(feet);
            return Err(GameError::NoRoom { what, feet });
        };
        Ok(Self {
            actor: Actor::new(body_now, state),
            standing_segment_length: body.segment_length,
            crouched: body_now != body,
            previous: state,
            yaw,
            pitch: 0.0,
            last_standing: Standing {
                state,
                segment_length: body_now.segment_length,
            },
            times_left: 0,
            falls_in_a_row: 0,
            walk_speed: WALK_SPEED,
            run_speed: RUN_SPEED,
            smooth_steps: true,
            eye: EyeHeight::of(&body_now),
            gait: Gait::default(),
            boom: Boom::default(),
            pull: DVec3::ZERO,
        })
    }
}

/// Puts a body into a room, crouched if there is no room for it upright. Returns the body in that posture, and its
/// state.
fn put(
    collision: &CollisionWorld,
    body: &Body,
    room: Option<RoomId>,
    feet: DVec3,
    drop: bool,
    workspace: &mut Workspace,
) -> Option<(Body, State)> {
    let upright = motion::place(collision, body, room, feet, drop, workspace);
    let low = crouched(body);
    if low != *body
        && !upright.is_some_and(|state| motion::fits(collision, body, &state, workspace))
    {
        let state = motion::place(collision, &low, room, feet, drop, workspace);
        let fitting = state.filter(|state| motion::fits(collision, &low, state, workspace));
        if let Some(state) = fitting {
            return Some((low, state));
        }
    }
    upright.map(|state| (*body, state))
}

fn of_spawn(spawn: &Spawn) -> (String, Option<RoomId>, DVec3, f64) {
    let what = format!("spawn `{}`", spawn.name);
    (what, Some(spawn.at.room), spawn.at.point, spawn.yaw)
}

/// Finds the spawn whose node has this name, with or without `-spawn`.
fn spawn_named<'a>(level: &'a Level, name: &str) -> Result<&'a Spawn, GameError> {
    let name = composed(name);
    let stem = |name: &'a str| name.strip_suffix("-spawn").unwrap_or(name);
    let exact = level.spawns.iter().find(|spawn| spawn.name == name);
    exact
        .or_else(|| level.spawns.iter().find(|spawn| stem(&spawn.name) == name))
        .ok_or_else(|| GameError::UnknownSpawn {
            name: name.clone(),
            candidates: choices("spawn", level.spawns.iter().map(|s| s.name.as_str())),
        })
}
