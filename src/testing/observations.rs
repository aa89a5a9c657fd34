//! Observes the body during a walk, and evaluates conditions.

use std::fmt::Write;

use glam::DVec3;

use super::walk::{BodyCondition, Bound, Condition};
use crate::game::{FIRST_PLAYER, Game, GameEvent};
use crate::level::{AuthorPoint, BodyId, Level, RigidBody};
use crate::motion::{TICK_SECS, Workspace};
use crate::naming::plain_name;
use crate::visibility::{Visibility, flood};

/// The vertical field of view of the camera of `expect-seen`, degrees; as in play.
const FOV_DEG: f64 = 70.0;
/// The aspect ratio, width over height, of the camera of `expect-seen`; that of a usual window.
const ASPECT: f64 = 16.0 / 9.0;

/// A body that is slower than this, m/s, counts as standing still.
const STANDSTILL: f64 = 0.1;
/// The number of ticks after which a body that stands still while the movement keys are held is stuck: half a second.
const STUCK_TICKS: u32 = 30;

/// The maximum number of names listed in a message.
const MAX_NAMES: usize = 8;

/// Observations of the body during a walk.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// The events since the first command after the last expectations: one for each kind and node.
    events: Vec<GameEvent>,
    /// Whether an expectation has used these events; the next command then starts a new list.
    are_checked: bool,
    /// The number of consecutive ticks in which the keys were held but the body did not move.
    vain_ticks: u32,
    visibility: Visibility,
    /// The workspace of the eye's queries.
    workspace: Workspace,
}

impl Observations {
    /// Adds the last tick; `pushes` is true if the movement keys were held.
    pub(super) fn add_tick(&mut self, level: &Level, game: &Game, pushes: bool) {
        for event in &game.events {
            let key = |event: &GameEvent| (event.name(), event.node(level).map(str::to_owned));
            if !self.events.iter().any(|known| key(known) == key(event)) {
                self.events.push(*event);
            }
        }
        self.vain_ticks = if pushes && speed(game) < STANDSTILL {
            self.vain_ticks + 1
        } else {
            0
        };
    }

    /// Begins a command; `is_check` is true if it is an expectation.
    pub(super) fn begin_command(&mut self, is_check: bool) {
        if !is_check && self.are_checked {
            self.events.clear();
        }
        self.are_checked = is_check;
    }

    /// Checks a condition.
    ///
    /// # Errors
    /// A description of the actual state.
    pub(super) fn check(
        &mut self,
        level: &Level,
        game: &Game,
        condition: &Condition,
        not: bool,
    ) -> Result<(), String> {
        let (holds, what_is) = self.evaluate(level, game, condition);
        if holds == not { Err(what_is) } else { Ok(()) }
    }

    /// Returns whether a condition holds, and a description of the actual state.
    fn evaluate(&mut self, level: &Level, game: &Game, condition: &Condition) -> (bool, String) {
        let AuthorPoint(feet) = game.players[FIRST_PLAYER].feet(level);
        match condition {
            Condition::Room(room) => {
                let is = &level
                    .room(game.players[FIRST_PLAYER].actor.state.at.room)
                    .name;
                (is == room, format!("the body is in room {is}"))
            }
            Condition::Near { point, metres } => {
                let off = feet.distance(DVec3::from_array(*point));
                (
                    off <= *metres,
                    format!("the feet are {off:.3} m from there"),
                )
            }
            Condition::At { x, z, metres } => {
                let off = (feet - DVec3::new(*x, feet.y, *z)).length();
                let what_is = format!("the feet are {off:.3} m from there in plan view");
                (off <= *metres, what_is)
            }
            Condition::Height(bound) => {
                let what_is = format!("the feet are at a height of {:.3} m", feet.y);
                (bound.holds(feet.y), what_is)
            }
            Condition::Speed(bound) => {
                let speed = speed(game);
                let what_is = format!("the horizontal speed is {speed:.3} m/s");
                (bound.holds(speed), what_is)
            }
            Condition::Event { kind, node } => {
                let mut events = self.events.iter();
                let happened = events.any(|event| is_about(level, event, kind, node));
                (happened, self.describe_events(level))
            }
            Condition::Blocked { node } => {
                let names = blockers(level, game);
                let found = if node.is_empty() {
                    !names.is_empty()
                } else {
                    names.iter().any(|name| is_named(name, node))
                };
                (found, describe_blockers(&names))
            }
            Condition::Stuck => {
                let what_is = if game.players[FIRST_PLAYER].actor.report.crushed {
                    "the body is crushed".to_owned()
                } else {
                    let secs = f64::from(self.vain_ticks) * TICK_SECS;
                    format!("the keys have been held for {secs:.2} s without getting on")
                };
                let crushed = game.players[FIRST_PLAYER].actor.report.crushed;
                (crushed || self.vain_ticks >= STUCK_TICKS, what_is)
            }
            Condition::Seen(room) => {
                let collision = game.collision(level);
                let player = &game.players[FIRST_PLAYER];
                let eye = player.eye(&collision, 1.0, &mut self.workspace);
                let camera = eye.camera(FOV_DEG, ASPECT);
                flood(level, game.world(), &camera, &mut self.visibility);
                let rooms = self.visibility.rooms.iter();
                let names = rooms.map(|seen| level.room(seen.room).name.as_str());
                let mut names: Vec<&str> = names.collect();
                names.sort_unstable();
                names.dedup();
                let what_is = format!("the rooms in view are {}", listed(&names));
                (names.contains(&room.as_str()), what_is)
            }
            Condition::Hash(hash) => {
                let is = game.state_hash(level);
                (is == *hash, format!("the hash is {is:016x}"))
            }
            Condition::Body { name, is } => evaluate_bodies(level, game, name, is),
        }
    }

    fn describe_events(&self, level: &Level) -> String {
        let events = self.events.iter();
        let described = events.map(|event| match event.node(level) {
            Some(node) => format!("{} {node}", event.name()),
            None => event.name().to_owned(),
        });
        let described: Vec<String> = described.collect();
        let described: Vec<&str> = described.iter().map(String::as_str).collect();
        format!("the events since are {}", listed(&described))
    }
}

impl Bound {
    fn holds(self, number: f64) -> bool {
        match self {
            Self::Above(least) => number >= least,
            Self::Below(most) => number <= most,
        }
    }
}

/// Returns the rigid bodies that a name matches: the body of that name, or all bodies with that prefix if the name ends in `*`.
pub(super) fn bodies_named<'a>(
    level: &'a Level,
    name: &'a str,
) -> impl Iterator<Item = (BodyId, &'a RigidBody)> {
    let bodies = (0..).map(BodyId).zip(&level.bodies);
    bodies.filter(move |(_, body)| match name.strip_suffix('*') {
        Some(start) => body.name.starts_with(start),
        None => is_named(&body.name, name),
    })
}

/// Returns whether a condition holds for all matching bodies, and a description of the actual state of the first body that
/// fails it (of the last body if none does).
fn evaluate_bodies(
    level: &Level,
    game: &Game,
    name: &str,
    condition: &BodyCondition,
) -> (bool, String) {
    let mut last = "there is no such body".to_owned();
    for (id, body) in bodies_named(level, name) {
        let state = game.world().bodies.state(id);
        let AuthorPoint(at) = level.to_author(state.at.point);
        let (holds, what_is) = match condition {
            BodyCondition::In(room) => {
                let is = &level.room(state.at.room).name;
                (is == room, format!("is in room {is}"))
            }
            BodyCondition::At { x, z, metres } => {
                let off = (at - DVec3::new(*x, at.y, *z)).length();
                let what_is = format!("is {off:.3} m from there in plan view");
                (off <= *metres, what_is)
            }
            BodyCondition::Height(bound) => {
                let what_is = format!("is at a height of {:.3} m", at.y);
                (bound.holds(at.y), what_is)
            }
            BodyCondition::Speed(bound) => {
                let speed = state.velocity.length();
                (bound.holds(speed), format!("is {speed:.3} m/s fast"))
            }
            BodyCondition::Asleep => {
                let is = if state.is_asleep() {
                    "sleeps"
                } else {
                    "is awake"
                };
                (state.is_asleep(), is.to_owned())
            }
        };
        last = format!("body `{}` {what_is}", body.name);
        if !holds {
            return (false, last);
        }
    }
    (true, last)
}

/// Whether an event is of a kind, and about the given node if one is named.
pub(super) fn is_about(level: &Level, event: &GameEvent, kind: &str, node: &str) -> bool {
    let about = event.node(level);
    event.name() == kind && (node.is_empty() || about.is_none_or(|name| is_named(name, node)))
}

/// The nodes that blocked part of the body's walk in the last tick, without duplicates.
pub(super) fn blockers(level: &Level, game: &Game) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for blocker in &game.players[FIRST_PLAYER].actor.report.blockers {
        let name = blocker.solid.node(level);
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Describes what blocks the body, as part of a sentence.
pub(super) fn describe_blockers(names: &[String]) -> String {
    if names.is_empty() {
        return "nothing blocks the body".to_owned();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("the body is blocked by {}", listed(&names))
}

/// Whether a node has this name, with or without its naming suffix.
pub(super) fn is_named(node: &str, name: &str) -> bool {
    node == name || plain_name(node) == name
}

/// The horizontal speed in the last tick, m/s.
fn speed(game: &Game) -> f64 {
    let path = game.players[FIRST_PLAYER].actor.report.path.iter();
    let lengths = path.map(|piece| (piece.to - piece.from.point).with_y(0.0).length());
    lengths.sum::<f64>() / TICK_SECS
}

/// Lists names in quotes; of many names only the first few.
pub(super) fn listed(names: &[&str]) -> String {
    let mut text = String::new();
    for (nth, name) in names.iter().take(MAX_NAMES).enumerate() {
        let comma = if nth > 0 { ", " } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}`{name}`");
    }
    match names.len().saturating_sub(MAX_NAMES) {
        _ if names.is_empty() => "none".to_owned(),
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
