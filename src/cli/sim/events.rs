//! The events of a walk, as JSON and as text.

use serde::Serialize;

use super::place::{ReportedPosition, name, named};
use crate::cli::messages::eprint_line;
use opendoor::collision::Solid;
use opendoor::game::{EventKind, GameEvent};
use opendoor::level::{BodyId, Level};
use opendoor::motion::{self, TICK_SECS};
use opendoor::testing::Monitor;

/// The maximum number of events that are printed as text.
const EVENTS_SHOWN: usize = 10;

/// An event of a walk.
#[derive(Debug, Serialize)]
pub(super) struct EventAnswer<'a> {
    tick: u64,
    seconds: f64,
    kind: &'static str,
    room: &'a str,
    /// The position of the feet.
    position: [f64; 3],
    #[serde(flatten)]
    details: EventDetails<'a>,
}

/// The data that depends on an event's kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum EventDetails<'a> {
    /// The data of `landed` and `hit`.
    Impact {
        /// The speed, m/s.
        speed: f64,
        /// The name of the node that was hit.
        node: &'a str,
        /// The material; none for the polygon of a closed portal.
        #[serde(skip_serializing_if = "Option::is_none")]
        material: Option<&'a str>,
    },
    /// An impact of a rigid body, `body_hit`.
    BodyImpact {
        /// The body.
        node: &'a str,
        /// The speed, m/s.
        speed: f64,
        /// The impulse, N s.
        impulse: f64,
        #[serde(flatten)]
        against: Against<'a>,
    },
    /// A touch of a rigid body, `body_touched` or `body_parted`.
    BodyTouch {
        /// The body.
        node: &'a str,
        #[serde(flatten)]
        against: Against<'a>,
    },
    /// The data of `stepped`: the height, metres.
    Step { height: f64 },
    /// The data of `crossed`.
    Crossing { portal: &'a str, to: &'a str },
    /// The data of `door_blocked`.
    Door { portal: &'a str },
    /// An event of a mover, a trigger or a switch, `body_slept` or `body_woke`.
    Node { node: &'a str },
    /// The data of `mover_arrived`: whether the mover is at the end of its track, else at the start.
    Arrival { node: &'a str, at_end: bool },
    /// The data of `left_rooms`: the place to which the body was moved back.
    Left { back: ReportedPosition<'a> },
    /// No data, as of `jumped` and `crushed`.
    Nothing {},
}

/// The other object of a rigid body's contact.
#[derive(Debug, Serialize)]
pub(super) struct Against<'a> {
    /// The name of the other object's node.
    other: &'a str,
    /// The materials of both objects, the body's first; none for an invisible body or the polygon of a closed portal.
    materials: [Option<&'a str>; 2],
}

/// Prints the first unexpected events as text.
pub(super) fn print_events(level: &Level, monitor: &Monitor) {
    let described = monitor.events.iter();
    let described = described.filter_map(|(tick, event)| Some((tick, event.describe(level)?)));
    let mut rest = 0;
    for (nth, (tick, event)) in described.enumerate() {
        if nth < EVENTS_SHOWN {
            let seconds = *tick as f64 * TICK_SECS;
            eprint_line(&format!("tick {tick}, after {seconds:.2} s: {event}"));
        } else {
            rest += 1;
        }
    }
    if rest > 0 {
        eprint_line(&format!("and {rest} more events"));
    }
}

pub(super) fn event_answer<'a>(
    level: &'a Level,
    (tick, event): &(u64, GameEvent),
) -> EventAnswer<'a> {
    EventAnswer {
        tick: *tick,
        seconds: *tick as f64 * TICK_SECS,
        kind: event.name(),
        room: name(level, event.room),
        position: event.feet.0.to_array(),
        details: details(level, &event.kind),
    }
}

fn details<'a>(level: &'a Level, kind: &EventKind) -> EventDetails<'a> {
    match *kind {
        EventKind::Body(
            motion::MotionEvent::Landed { speed, solid }
            | motion::MotionEvent::Hit { speed, solid },
        ) => EventDetails::Impact {
            speed,
            node: solid.node(level),
            material: solid.material(level).map(|m| m.name.as_str()),
        },
        EventKind::Body(motion::MotionEvent::Stepped { height }) => EventDetails::Step { height },
        EventKind::Body(motion::MotionEvent::Crossed { portal }) => {
            let portal = level.portal(portal);
            EventDetails::Crossing {
                portal: &level.link(portal.link).name,
                to: name(level, portal.far),
            }
        }
        EventKind::DoorBlocked { link } => EventDetails::Door {
            portal: &level.link(link).name,
        },
        EventKind::LeftRooms {
            back_room,
            back_feet,
        } => EventDetails::Left {
            back: named(level, (back_room, back_feet)),
        },
        EventKind::MoverArrived { mover, at_end } => EventDetails::Arrival {
            node: &level.mover(mover).name,
            at_end,
        },
        EventKind::BodyHit {
            body,
            solid,
            speed,
            impulse,
        } => EventDetails::BodyImpact {
            node: &level.body(body).name,
            speed,
            impulse,
            against: against(level, body, solid),
        },
        EventKind::BodyTouched { body, solid } | EventKind::BodyParted { body, solid } => {
            EventDetails::BodyTouch {
                node: &level.body(body).name,
                against: against(level, body, solid),
            }
        }
        EventKind::BodySlept { body } | EventKind::BodyWoke { body } => {
            let node = &level.body(body).name;
            EventDetails::Node { node }
        }
        EventKind::Locked { mover }
        | EventKind::MoverStarted { mover }
        | EventKind::MoverBlocked { mover } => {
            let node = &level.mover(mover).name;
            EventDetails::Node { node }
        }
        EventKind::Entered { trigger } | EventKind::Triggered { trigger } => {
            let node = &level.trigger(trigger).name;
            EventDetails::Node { node }
        }
        _ => EventDetails::Nothing {},
    }
}

fn against<'a>(level: &'a Level, body: BodyId, solid: Solid) -> Against<'a> {
    let materials = [Solid::Body(body), solid].map(|solid| solid.material(level));
    Against {
        other: solid.node(level),
        materials: materials.map(|material| material.map(|material| material.name.as_str())),
    }
}
