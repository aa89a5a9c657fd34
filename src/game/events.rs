//! Events of a tick, for players, sounds, logs and scripts.

use glam::DVec3;

use crate::bodies::{BodyEvent, BodyEventKind};
use crate::collision::Solid;
use crate::level::{At, AuthorPoint, BodyId, Level, LinkId, MoverId, RoomId, TriggerId};
use crate::motion::{self, Actor, Body, MoverEvent, State};
use crate::naming::plain_name;
use crate::world::World;

/// An event of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GameEvent {
    /// The room of the body or mover after the tick, unless the event states otherwise.
    pub room: RoomId,
    /// The position in the author's coordinates, metres: the body's lowest point, unless the event states otherwise.
    pub feet: AuthorPoint,
    /// The kind of event.
    pub kind: EventKind,
    /// The index of the player that the event concerns, if any: the player that moved, entered a trigger or used an
    /// object.
    pub player: Option<usize>,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// An event of the player's motion.
    Body(motion::MotionEvent),
    /// A door could not close because a body stands in it. Room and position are those of that body at that time;
    /// `player` is `None` for a rigid body.
    DoorBlocked {
        /// The link that stays open.
        link: LinkId,
    },
    /// The player entered the volume of a trigger.
    Entered {
        /// The trigger.
        trigger: TriggerId,
    },
    /// A trigger or switch acts on its targets. Player, room and position are those of the player that fired it.
    Triggered {
        /// The trigger.
        trigger: TriggerId,
    },
    /// The player used a locked door or mover. Room and position are the player's.
    Locked {
        /// The mover.
        mover: MoverId,
    },
    /// A mover left a position at which it rested or waited. Room and position are those of the mover's centre.
    MoverStarted {
        /// The mover.
        mover: MoverId,
    },
    /// A mover arrived at an end of its track. Room and position are those of the mover's centre.
    MoverArrived {
        /// The mover.
        mover: MoverId,
        /// Whether the mover is at the end of its track; otherwise it is at the start.
        at_end: bool,
    },
    /// A mover is blocked by a body that cannot move out of its way. Room and position are those of the mover's
    /// centre.
    MoverBlocked {
        /// The mover.
        mover: MoverId,
    },
    /// A spawner spawned a rigid body. Room and position are those of the body's centre.
    Spawned {
        /// The body.
        body: BodyId,
    },
    /// A rigid body hit something. Room and position are those of the contact.
    BodyHit {
        /// The body; of two bodies, the one with the lower index.
        body: BodyId,
        /// The other side of the contact.
        solid: Solid,
        /// The closing speed, m/s.
        speed: f64,
        /// The impulse along the normal, N s.
        impulse: f64,
    },
    /// A rigid body began to touch something. Room and position are those of the body's centre.
    BodyTouched {
        /// The body; of two bodies, the one with the lower index.
        body: BodyId,
        /// The other side of the contact.
        solid: Solid,
    },
    /// A rigid body no longer touches something. Room and position are those of the body's centre.
    BodyParted {
        /// The body; of two bodies, the one with the lower index.
        body: BodyId,
        /// The other side of the former contact.
        solid: Solid,
    },
    /// A rigid body fell asleep. Room and position are those of the body's centre.
    BodySlept {
        /// The body.
        body: BodyId,
    },
    /// A rigid body woke. Room and position are those of the body's centre.
    BodyWoke {
        /// The body.
        body: BodyId,
    },
    /// The player grabbed a rigid body. Room and position are those of the body's centre.
    Taken {
        /// The body.
        body: BodyId,
    },
    /// The player threw the rigid body that it carried. Room and position are those of the body's centre.
    Thrown {
        /// The body.
        body: BodyId,
    },
    /// The player's body left its room through a hole in the room's surface, not through a portal. It was then in no
    /// room, and was put back where it last stood. Room and position are those before it was put back.
    LeftRooms {
        /// The room into which the body was put back.
        back_room: RoomId,
        /// The lowest point of the body after it was put back.
        back_feet: AuthorPoint,
    },
    /// The player's body left all rooms twice from the same position without standing in between. It stays there
    /// until a floor reaches it or it is moved elsewhere.
    NoFloor,
}

/// The names of all kinds of events, as returned by [`GameEvent::name`].
pub const EVENT_NAMES: [&str; 23] = [
    "jumped",
    "landed",
    "hit",
    "stepped",
    "crossed",
    "crushed",
    "door_blocked",
    "entered",
    "triggered",
    "locked",
    "mover_started",
    "mover_arrived",
    "mover_blocked",
    "spawned",
    "body_hit",
    "body_touched",
    "body_parted",
    "body_slept",
    "body_woke",
    "taken",
    "thrown",
    "left_rooms",
    "no_floor",
];

/// Appends events to a list. The creator of the writer chooses the list, so the code that adds events does not depend
/// on whose events they are.
pub(super) struct EventWriter<'a> {
    pub(super) level: &'a Level,
    pub(super) events: &'a mut Vec<GameEvent>,
    /// The index of the player that the events concern, if any.
    pub(super) player: Option<usize>,
}

impl EventWriter<'_> {
    /// Adds an event of the player's body at its current position.
    pub(super) fn push(&mut self, actor: &Actor, kind: EventKind) {
        self.events.push(GameEvent {
            room: actor.state.at.room,
            feet: feet(self.level, &actor.body, &actor.state),
            kind,
            player: self.player,
        });
    }

    /// Adds an event at a position.
    pub(super) fn push_at(&mut self, at: At, kind: EventKind) {
        self.events.push(GameEvent {
            room: at.room,
            feet: self.level.to_author(at.point),
            kind,
            player: self.player,
        });
    }

    /// Adds an event of a rigid body.
    pub(super) fn push_body(&mut self, BodyEvent { body, at, kind, .. }: BodyEvent) {
        let kind = match kind {
            BodyEventKind::Hit {
                solid,
                speed,
                impulse,
            } => EventKind::BodyHit {
                body,
                solid,
                speed,
                impulse,
            },
            BodyEventKind::Touched { solid } => EventKind::BodyTouched { body, solid },
            BodyEventKind::Parted { solid } => EventKind::BodyParted { body, solid },
            BodyEventKind::Slept => EventKind::BodySlept { body },
            BodyEventKind::Woke => EventKind::BodyWoke { body },
        };
        self.push_at(at, kind);
    }

    /// Adds an event of a mover at its current position.
    pub(super) fn push_mover(&mut self, world: &World, event: MoverEvent) {
        let (id, kind) = match event {
            MoverEvent::Started(mover) => (mover, EventKind::MoverStarted { mover }),
            MoverEvent::Arrived(mover) => {
                let at_end = world.mover(mover).at > 0;
                (mover, EventKind::MoverArrived { mover, at_end })
            }
            MoverEvent::Blocked(mover, _) => (mover, EventKind::MoverBlocked { mover }),
        };
        let mover = self.level.mover(id);
        let middle = self.level.parts_of(mover).next();
        let middle = middle.map_or(DVec3::ZERO, |(_, part)| part.middle);
        self.events.push(GameEvent {
            room: mover.room,
            feet: self.level.to_author(world.pose(id).point(middle)),
            kind,
            player: self.player,
        });
    }
}

/// The lowest point of a body.
pub(super) fn feet(level: &Level, body: &Body, state: &State) -> AuthorPoint {
    level.to_author(state.at.point - DVec3::Y * body.radius)
}

impl GameEvent {
    /// The name of the event's kind, as scripts read it.
    pub fn name(&self) -> &'static str {
        match self.kind {
            EventKind::Body(event) => match event {
                motion::MotionEvent::Jumped => "jumped",
                motion::MotionEvent::Landed { .. } => "landed",
                motion::MotionEvent::Hit { .. } => "hit",
                motion::MotionEvent::Stepped { .. } => "stepped",
                motion::MotionEvent::Crossed { .. } => "crossed",
                motion::MotionEvent::Crushed => "crushed",
            },
            EventKind::DoorBlocked { .. } => "door_blocked",
            EventKind::Entered { .. } => "entered",
            EventKind::Triggered { .. } => "triggered",
            EventKind::Locked { .. } => "locked",
            EventKind::MoverStarted { .. } => "mover_started",
            EventKind::MoverArrived { .. } => "mover_arrived",
            EventKind::MoverBlocked { .. } => "mover_blocked",
            EventKind::Spawned { .. } => "spawned",
            EventKind::BodyHit { .. } => "body_hit",
            EventKind::BodyTouched { .. } => "body_touched",
            EventKind::BodyParted { .. } => "body_parted",
            EventKind::BodySlept { .. } => "body_slept",
            EventKind::BodyWoke { .. } => "body_woke",
            EventKind::Taken { .. } => "taken",
            EventKind::Thrown { .. } => "thrown",
            EventKind::LeftRooms { .. } => "left_rooms",
            EventKind::NoFloor => "no_floor",
        }
    }

    /// The name of the node that the event is about, if any.
    pub fn node<'a>(&self, level: &'a Level) -> Option<&'a str> {
        match self.kind {
            EventKind::Body(
                motion::MotionEvent::Landed { solid, .. } | motion::MotionEvent::Hit { solid, .. },
            ) => Some(solid.node(level)),
            EventKind::Body(motion::MotionEvent::Crossed { portal }) => {
                Some(&level.link(level.portal(portal).link).name)
            }
            EventKind::Body(_) | EventKind::LeftRooms { .. } | EventKind::NoFloor => None,
            EventKind::DoorBlocked { link } => Some(&level.link(link).name),
            EventKind::Entered { trigger } | EventKind::Triggered { trigger } => {
                Some(&level.trigger(trigger).name)
            }
            EventKind::Spawned { body } => {
                let body = level.body(body);
                let spawner = body.spawner.map(|spawner| &level.spawner(spawner).name);
                Some(spawner.unwrap_or(&body.name))
            }
            EventKind::Taken { body }
            | EventKind::Thrown { body }
            | EventKind::BodyHit { body, .. }
            | EventKind::BodyTouched { body, .. }
            | EventKind::BodyParted { body, .. }
            | EventKind::BodySlept { body }
            | EventKind::BodyWoke { body } => Some(&level.body(body).name),
            EventKind::Locked { mover }
            | EventKind::MoverStarted { mover }
            | EventKind::MoverArrived { mover, .. }
            | EventKind::MoverBlocked { mover } => Some(&level.mover(mover).name),
        }
    }

    /// The text for the player: the message of a trigger, or the name of a locked mover.
    pub fn message(&self, level: &Level) -> Option<String> {
        match self.kind {
            EventKind::Triggered { trigger } => {
                let message = &level.trigger(trigger).message;
                (!message.is_empty()).then(|| message.clone())
            }
            EventKind::Locked { mover } => {
                let name = plain_name(&level.mover(mover).name);
                Some(format!("the {name} is locked"))
            }
            _ => None,
        }
    }

    /// Describes, in a sentence, an event that should not happen in a valid level; `None` for other events.
    pub fn describe(&self, level: &Level) -> Option<String> {
        let room = &level.room(self.room).name;
        match self.kind {
            EventKind::LeftRooms {
                back_room,
                back_feet,
            } => Some(format!(
                "the body left room `{room}` through a hole, at {}; it is back in room `{}`, at {back_feet}",
                self.feet,
                level.room(back_room).name,
            )),
            EventKind::NoFloor => Some(format!(
                "there is no floor below {} in room `{room}`: the body is held there",
                self.feet
            )),
            _ => None,
        }
    }
}
