//! The report of a tick: the path, the events and the blockers of a body.

use glam::DVec3;

use super::blockers::Blocker;
use super::tuning::{MIN_HIT_SPEED, SAME_SIDE};
use crate::collision::Solid;
use crate::geometry::Rigid;
use crate::level::{At, PortalId};
use crate::save::{Saved, StateReader};

/// A straight piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSegment {
    /// The start.
    pub from: At,
    /// The end, metres, in the coordinates of the room at the start.
    pub to: DVec3,
}

impl PathSegment {
    /// A piece of zero length, for a body that does not move.
    pub fn still(at: At) -> Self {
        Self {
            from: at,
            to: at.point,
        }
    }

    /// The length, metres.
    pub fn length(&self) -> f64 {
        self.from.point.distance(self.to)
    }
}

/// An event of a body in a tick, for sounds, effects and logs. Speeds are in m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MotionEvent {
    /// The body jumped.
    Jumped,
    /// The body landed on ground that supports it.
    Landed {
        /// The speed of the fall.
        speed: f64,
        /// The solid that the body landed on.
        solid: Solid,
    },
    /// The body ran or fell against something that it did not touch before.
    Hit {
        /// The part of the body's velocity along the contact normal.
        speed: f64,
        /// The solid that the body hit.
        solid: Solid,
    },
    /// The body has climbed a step.
    Stepped {
        /// The distance that the step lifted the body, in metres. This is the height of the step, less the part over
        /// which the body rolled.
        height: f64,
    },
    /// The body's centre crossed a portal.
    Crossed {
        /// The portal; each direction of a link has its own.
        portal: PortalId,
    },
    /// The body is crushed: it overlaps a solid and cannot be pushed out. Reported once, until the body is free
    /// again.
    Crushed,
}

/// The report of one tick of a body.
#[derive(Debug, Default)]
pub struct TickReport {
    /// The straight pieces along which the centre moved, in order.
    pub path: Vec<PathSegment>,
    /// The straight pieces along which movers and rigid bodies moved the body, before its own tick.
    pub carried: Vec<PathSegment>,
    /// The rotation by movers: it takes directions at the start of the tick to directions after the movers have
    /// moved. `None` if they did not rotate the body.
    pub carried_turn: Option<Rigid>,
    /// The total displacement, metres, by which movers pushed the body out of their way. Only pushes while the body was
    /// in the air and rode no mover count.
    pub(super) pushed: DVec3,
    /// The number of contact planes met.
    pub contact_count: usize,
    /// Takes directions in the room at the start of the tick to directions in the room at its end. The identity,
    /// unless the body crossed a portal that bends space.
    pub target_from_start: Rigid,
    /// The distance that steps lifted the body, metres, less the distance that it moved down to stay on the ground.
    pub lifted: f64,
    /// The blockers: contacts that stopped a part of the body's walk, or that crush it.
    pub blockers: Vec<Blocker>,
    /// Whether the body is crushed: it overlaps something solid and cannot be pushed out.
    pub crushed: bool,
    /// The events, in order.
    pub events: Vec<MotionEvent>,
    /// The blockers of the previous tick.
    last_blockers: Vec<Blocker>,
    /// Whether the body was crushed in the previous tick.
    was_crushed: bool,
    /// The distance that the current step has lifted the body so far, in metres.
    climb: f64,
    /// Whether the body climbed in this tick.
    climbs: bool,
    /// Whether the tick has begun and not ended.
    pub(super) is_begun: bool,
}

/// The number of events per tick for which memory is reserved from the start.
const USUAL_EVENTS: usize = 16;

/// Saves only the fields that the next tick reads to find new events.
impl Saved for TickReport {
    fn save(&self, to: &mut Vec<u8>) {
        self.blockers.save(to);
        self.crushed.save(to);
        self.climb.save(to);
        self.climbs.save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        Some(Self {
            blockers: Vec::load(from)?,
            crushed: bool::load(from)?,
            climb: f64::load(from)?,
            climbs: bool::load(from)?,
            ..Self::default()
        })
    }
}

impl TickReport {
    /// Clears the report at the beginning of a tick, unless movers have begun it already. The lists keep their memory.
    pub(super) fn begin(&mut self) {
        if std::mem::replace(&mut self.is_begun, true) {
            return;
        }
        self.carried.clear();
        self.carried_turn = None;
        self.pushed = DVec3::ZERO;
        self.path.clear();
        self.contact_count = 0;
        if !self.target_from_start.is_identity() {
            self.target_from_start = Rigid::IDENTITY;
        }
        self.lifted = 0.0;
        std::mem::swap(&mut self.blockers, &mut self.last_blockers);
        self.blockers.clear();
        self.was_crushed = std::mem::take(&mut self.crushed);
        self.events.clear();
        if self.events.capacity() < USUAL_EVENTS {
            self.events.reserve(USUAL_EVENTS);
        }
        // A step takes several ticks.
        if !std::mem::take(&mut self.climbs) {
            let height = std::mem::take(&mut self.climb);
            if height > 0.0 {
                self.events.push(MotionEvent::Stepped { height });
            }
        }
    }

    /// Adds a hit of `solid` at `speed`, m/s; `normal` points from the solid to the body. It is no hit but resting
    /// contact if the solid, or a contact from the same side, blocked the body in the previous tick. It is no hit
    /// either if the upward part of the surface's normal is at least `gentle_y`: the body rolls over such a surface
    /// or lands on it.
    pub(super) fn note_hit(&mut self, speed: f64, solid: Solid, normal: DVec3, gentle_y: f64) {
        let is_known =
            |known: &Blocker| known.solid == solid || known.normal.dot(normal) > SAME_SIDE;
        let is_steep = normal.y < gentle_y;
        if is_steep && speed >= MIN_HIT_SPEED && !self.last_blockers.iter().any(is_known) {
            self.events.push(MotionEvent::Hit { speed, solid });
        }
    }

    /// Whether a solid for which `counts` is true stopped a part of the body's walk in the previous tick.
    pub(super) fn was_blocked_by(&self, counts: impl Fn(Solid) -> bool) -> bool {
        self.last_blockers.iter().any(|known| counts(known.solid))
    }

    /// Adds a lift of the body by a step, metres.
    pub(super) fn note_climb(&mut self, height: f64) {
        self.lifted += height;
        self.climb += height;
        self.climbs = true;
    }

    /// Marks the body as crushed, and adds the event if it was not crushed before.
    pub(super) fn note_crushed(&mut self) {
        self.crushed = true;
        if !self.was_crushed {
            self.events.push(MotionEvent::Crushed);
        }
    }

    /// Adds a blocker, unless the same solid is among the blockers already; `normal` points from the solid to the body.
    pub(super) fn note(&mut self, solid: Solid, normal: DVec3) {
        if self.blockers.iter().all(|known| known.solid != solid) {
            self.blockers.push(Blocker { solid, normal });
        }
    }
}
