//! Conditions of `expect` lines.

use super::lines::{numbers, split_word};
use crate::game::EVENT_NAMES;

/// A condition of an `expect` line. Points and heights refer to the feet, author's coordinates, metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The body is in this room.
    Room(String),
    /// The feet are near a point.
    Near {
        /// The point.
        point: [f64; 3],
        /// The maximum distance, metres.
        metres: f64,
    },
    /// The feet are near a point in plan view.
    At {
        /// The coordinate east of the author's origin.
        x: f64,
        /// The coordinate south of the author's origin.
        z: f64,
        /// The maximum distance, metres.
        metres: f64,
    },
    /// The height of the feet.
    Height(Bound),
    /// The horizontal speed in the last tick, m/s.
    Speed(Bound),
    /// An event has happened since the first command after the previous `expect` lines.
    Event {
        /// The event's kind, as in `sim --json`.
        kind: String,
        /// The node that the event is about; empty for any node.
        node: String,
    },
    /// A node blocked part of the body's walk in the last tick.
    Blocked {
        /// The blocking node; empty for any node.
        node: String,
    },
    /// The body is crushed, or does not move although the keys are held.
    Stuck,
    /// The visibility flood from the player's eye reaches the room.
    Seen(String),
    /// The state of the game has this hash.
    Hash(u64),
    /// A condition of a rigid body, or of all bodies with a common name prefix.
    Body {
        /// The body's node; with `*` at its end, all bodies with this prefix.
        name: String,
        /// The condition.
        is: BodyCondition,
    },
}

/// A condition of a rigid body. Points and heights refer to its centre, author's coordinates, metres.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyCondition {
    /// The body is in this room.
    In(String),
    /// The body is near a point in plan view.
    At {
        /// The coordinate east of the author's origin.
        x: f64,
        /// The coordinate south of the author's origin.
        z: f64,
        /// The maximum distance, metres.
        metres: f64,
    },
    /// The height of the body.
    Height(Bound),
    /// The speed of the body, m/s.
    Speed(Bound),
    /// The body is asleep.
    Asleep,
}

/// A lower or upper bound of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// A lower bound: at least this number.
    Above(f64),
    /// An upper bound: at most this number.
    Below(f64),
}

/// The syntax of all conditions.
const CONDITIONS: &str = "room NAME, near X Y Z METRES, at X Z within METRES, above Y, below Y, \
                                     speed above V, speed below V, event KIND [NODE], blocked [by NODE], \
                                     stuck, hash HASH, body NAME CONDITION";

/// Parses a condition.
pub(super) fn condition(text: &str) -> Result<Condition, String> {
    let (word, rest) = split_word(text);
    match word {
        "room" => room(rest, "expect room NAME").map(Condition::Room),
        "near" => {
            let [x, y, z, metres] = numbers(rest, "expect near X Y Z METRES")?;
            Ok(Condition::Near {
                point: [x, y, z],
                metres: distance(metres)?,
            })
        }
        "at" => {
            let ([x, z], metres) = place(rest, "expect at X Z within METRES")?;
            Ok(Condition::At { x, z, metres })
        }
        "above" | "below" => bound(word, rest, "expect above Y").map(Condition::Height),
        "speed" => {
            let (word, rest) = split_word(rest);
            bound(word, rest, "expect speed above V").map(Condition::Speed)
        }
        "event" => event(rest).map(|(kind, node)| Condition::Event { kind, node }),
        "blocked" => match split_word(rest) {
            ("", "") => Ok(Condition::Blocked {
                node: String::new(),
            }),
            ("by", node) if !node.is_empty() => Ok(Condition::Blocked {
                node: node.to_owned(),
            }),
            _ => Err("write `expect blocked by NODE`, or `expect blocked`".to_owned()),
        },
        "stuck" => numbers(rest, "expect stuck").map(|[]| Condition::Stuck),
        "hash" => {
            let hash = u64::from_str_radix(rest, 16).ok();
            let hash = hash.filter(|_| rest.len() == 16 && !rest.starts_with('+'));
            hash.map(Condition::Hash).ok_or_else(|| {
                format!(
                    "`{rest}` is no hash: copy the 16 digits that `opendoor sim` prints as `state`"
                )
            })
        }
        "body" => body(rest),
        _ => Err(format!(
            "`{word}` is nothing that can be expected; write one of {CONDITIONS}"
        )),
    }
}

/// Parses a point in plan view and the maximum distance to it.
fn place(text: &str, usage: &str) -> Result<([f64; 2], f64), String> {
    let parts = text.split_once(" within ");
    let (point, metres) = parts.ok_or_else(|| format!("write `{usage}`"))?;
    let [metres] = numbers(metres, usage)?;
    Ok((numbers(point, usage)?, distance(metres)?))
}

/// Parses a condition of a rigid body.
fn body(text: &str) -> Result<Condition, String> {
    const USAGE: &str = "expect body NAME in ROOM, at X Z within METRES, above Y, below Y, speed above V, speed below V, or asleep";
    let (name, rest) = split_word(text);
    let (word, rest) = split_word(rest);
    let is = match word {
        "in" => room(rest, "expect body NAME in ROOM").map(BodyCondition::In)?,
        "at" => {
            let ([x, z], metres) = place(rest, "expect body NAME at X Z within METRES")?;
            BodyCondition::At { x, z, metres }
        }
        "above" | "below" => BodyCondition::Height(bound(word, rest, "expect body NAME above Y")?),
        "speed" => {
            let (word, rest) = split_word(rest);
            BodyCondition::Speed(bound(word, rest, "expect body NAME speed above V")?)
        }
        "asleep" => numbers(rest, USAGE).map(|[]| BodyCondition::Asleep)?,
        _ => return Err(format!("write `{USAGE}`")),
    };
    let name = name.to_owned();
    Ok(Condition::Body { name, is })
}

/// Parses the name of a room.
pub(super) fn room(text: &str, usage: &str) -> Result<String, String> {
    if text.is_empty() {
        Err(format!("say which room: {usage}"))
    } else {
        Ok(text.to_owned())
    }
}

/// Parses the kind of an event, and the node that it is about, if one is named.
pub(super) fn event(text: &str) -> Result<(String, String), String> {
    let (kind, node) = split_word(text);
    if EVENT_NAMES.contains(&kind) {
        Ok((kind.to_owned(), node.to_owned()))
    } else {
        Err(format!("the events are {}", EVENT_NAMES.join(", ")))
    }
}

fn bound(word: &str, rest: &str, usage: &str) -> Result<Bound, String> {
    match word {
        "above" => numbers(rest, usage).map(|[least]| Bound::Above(least)),
        "below" => numbers(rest, usage).map(|[most]| Bound::Below(most)),
        _ => Err(format!("write `{usage}`, or the same with `below`")),
    }
}

fn distance(metres: f64) -> Result<f64, String> {
    if metres >= 0.0 {
        Ok(metres)
    } else {
        Err("METRES is a distance, 0 or more".to_owned())
    }
}
