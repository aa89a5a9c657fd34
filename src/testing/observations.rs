//! What a walk has seen of its body, and whether conditions hold of it.

use std::fmt::Write;

use glam::DVec3;

use super::walk::{BodyCondition, Bound, Condition};
use crate::game::{Event, Game};
use crate::level::{AuthorPoint, BodyId, Level, RigidBody, plain_name};
use crate::motion::TICK_SECS;
use crate::visibility::{Visibility, flood};

/// The view of `expect-seen`: that of play in a window of usual shape; degrees, width over height.
const FOV_DEG: f64 = 70.0;
const ASPECT: f64 = 16.0 / 9.0;

/// A body that is no faster than this, m/s, although the keys are held...
const STANDSTILL: f64 = 0.1;
/// ...for so many ticks, half a second, is stuck.
const STUCK_TICKS: u32 = 30;

/// Names listed in a message.
const MAX_NAMES: usize = 8;

/// What a walk has seen of its body.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// One of each kind and node since the first command after the last expectations.
    events: Vec<Event>,
    /// Whether the events are those before an expectation: then the next command begins a new list.
    are_checked: bool,
    /// Ticks in a row in which the keys were held in vain.
    vain_ticks: u32,
    visibility: Visibility,
}

impl Observations {
    /// Adds the last tick; `pushes` is whether the keys of walking were held.
    pub(super) fn add_tick(&mut self, level: &Level, game: &Game, pushes: bool) {
        for event in &game.events {
            let key = |event: &Event| (event.name(), event.node(level).map(str::to_owned));
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

    /// A command begins; `is_check` is whether it is an expectation.
    pub(super) fn begin_command(&mut self, is_check: bool) {
        if !is_check && self.are_checked {
            self.events.clear();
        }
        self.are_checked = is_check;
    }

    /// Checks a condition.
    ///
    /// # Errors
    /// What is so instead.
    pub(super) fn check(
        &mut self,
        level: &Level,
        game: &mut Game,
        condition: &Condition,
        not: bool,
    ) -> Result<(), String> {
        let (holds, what_is) = self.evaluate(level, game, condition);
        if holds == not { Err(what_is) } else { Ok(()) }
    }

    /// Whether a condition holds, and what is so.
    fn evaluate(
        &mut self,
        level: &Level,
        game: &mut Game,
        condition: &Condition,
    ) -> (bool, String) {
        let AuthorPoint(feet) = game.player.feet(level);
        match condition {
            Condition::Room(room) => {
                let is = &level.room(game.player.actor.state.at.room).name;
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
                let what_is = if game.player.actor.report.crushed {
                    "the body is crushed".to_owned()
                } else {
                    let secs = f64::from(self.vain_ticks) * TICK_SECS;
                    format!("the keys have been held for {secs:.2} s without getting on")
                };
                let crushed = game.player.actor.report.crushed;
                (crushed || self.vain_ticks >= STUCK_TICKS, what_is)
            }
            Condition::Seen(room) => {
                let camera = game.camera(level, 1.0, FOV_DEG, ASPECT);
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

/// The rigid bodies that a name stands for: the one, or all whose names begin so if it ends in `*`.
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

/// Whether a condition holds of all of some bodies, and of the first of which it does not what is so.
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

/// Whether an event is of a kind, and about a node if one is named.
pub(super) fn is_about(level: &Level, event: &Event, kind: &str, node: &str) -> bool {
    let about = event.node(level);
    event.name() == kind && (node.is_empty() || about.is_none_or(|name| is_named(name, node)))
}

/// The nodes that took part of the body's walk in the last tick, each once.
pub(super) fn blockers(level: &Level, game: &Game) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for blocker in &game.player.actor.report.blockers {
        let name = blocker.solid.node(level);
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// What blocks the body, as part of a sentence.
pub(super) fn describe_blockers(names: &[String]) -> String {
    if names.is_empty() {
        return "nothing blocks the body".to_owned();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("the body is blocked by {}", listed(&names))
}

/// Whether a node has this name, with or without its ending.
pub(super) fn is_named(node: &str, name: &str) -> bool {
    node == name || plain_name(node) == name
}

/// Horizontal speed in the last tick, m/s.
fn speed(game: &Game) -> f64 {
    let path = game.player.actor.report.path.iter();
    let lengths = path.map(|piece| (piece.to - piece.from.point).with_y(0.0).length());
    lengths.sum::<f64>() / TICK_SECS
}

/// Names in quotes, the first few of many.
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
