//! What a tick did.

use glam::DVec3;

use super::blockers::Blocker;
use super::tuning::{MIN_HIT_SPEED, SAME_SIDE};
use crate::collision::Solid;
use crate::geometry::Rigid;
use crate::level::{At, PortalId};
use crate::save::{Reader, Saved};

/// A straight piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Its start.
    pub from: At,
    /// Its end, metres, in coordinates of the room at its start.
    pub to: DVec3,
}

impl Piece {
    /// Of a body that stays where it is.
    pub fn still(at: At) -> Self {
        Self {
            from: at,
            to: at.point,
        }
    }

    /// Metres.
    pub fn length(&self) -> f64 {
        self.from.point.distance(self.to)
    }
}

/// Something that happened to a body in a tick, for sounds, effects and logs. Speeds are in m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// It jumped.
    Jumped,
    /// It came down onto ground that carries it.
    Landed {
        /// How fast it fell.
        speed: f64,
        /// What it landed on.
        solid: Solid,
    },
    /// It ran or fell against something that it did not touch before.
    Hit {
        /// The part of its velocity that went into it.
        speed: f64,
        /// What it met.
        solid: Solid,
    },
    /// It has climbed a step.
    Stepped {
        /// How far it was lifted, metres: the height of the step, less what it rolled over.
        height: f64,
    },
    /// Its centre crossed a portal.
    Crossed {
        /// The direction of the link that it took.
        portal: PortalId,
    },
    /// Something solid overlaps it, and there is no way out. Once until it is free again.
    Crushed,
}

/// What a tick did.
#[derive(Debug, Default)]
pub struct TickReport {
    /// The straight pieces that the centre moved along, in order. An oracle can check these.
    pub path: Vec<Piece>,
    /// The same of what movers did to it, before that.
    pub carried: Vec<Piece>,
    /// How movers turned it: directions of the room at the start of the tick into those after them; nothing if they did not.
    pub carried_turn: Option<Rigid>,
    /// How far movers pushed it out of their way while it was in the air and rode none, metres.
    pub(super) pushed: DVec3,
    /// Contact planes met.
    pub contact_count: usize,
    /// Turns directions of the room at the start of the tick into those of the room at its end; the
    /// identity unless a portal that bends space was crossed.
    pub target_from_start: Rigid,
    /// How far steps lifted the body, metres, less how far it was let down to stay on the ground.
    pub lifted: f64,
    /// What took part of the body's walk, or crushes it.
    pub blockers: Vec<Blocker>,
    /// Whether the body is crushed: it overlaps what is solid, and there is no way out.
    pub crushed: bool,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What blocked it in the tick before, and whether it was crushed then.
    last_blockers: Vec<Blocker>,
    was_crushed: bool,
    /// How far the step that it climbs has lifted it, metres, and whether it did in this tick.
    climb: f64,
    climbs: bool,
    /// Whether its tick has begun, and not ended.
    pub(super) is_begun: bool,
}

/// Events of one tick for which there is room from the start.
const USUAL_EVENTS: usize = 16;

/// What the next tick asks for: events tell what is new.
impl Saved for TickReport {
    fn save(&self, to: &mut Vec<u8>) {
        self.blockers.save(to);
        self.crushed.save(to);
        self.climb.save(to);
        self.climbs.save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
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
    /// Empties it at the beginning of a tick, unless movers have begun it; what it holds keeps its
    /// memory.
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
                self.events.push(Event::Stepped { height });
            }
        }
    }

    /// The body met something at this speed, m/s; `normal` points from it to the body. What blocked it
    /// in the tick before, or from the same side, is leant against, not hit; what has at least `gentle_y`
    /// as upward part of its normal is rolled over or landed on.
    pub(super) fn note_hit(&mut self, speed: f64, solid: Solid, normal: DVec3, gentle_y: f64) {
        let is_known =
            |known: &Blocker| known.solid == solid || known.normal.dot(normal) > SAME_SIDE;
        let is_steep = normal.y < gentle_y;
        if is_steep && speed >= MIN_HIT_SPEED && !self.last_blockers.iter().any(is_known) {
            self.events.push(Event::Hit { speed, solid });
        }
    }

    /// Whether one of what counts took part of the body's walk in the tick before.
    pub(super) fn was_blocked_by(&self, counts: impl Fn(Solid) -> bool) -> bool {
        self.last_blockers.iter().any(|known| counts(known.solid))
    }

    /// A step lifted the body so far, metres.
    pub(super) fn note_climb(&mut self, height: f64) {
        self.lifted += height;
        self.climb += height;
        self.climbs = true;
    }

    /// The body is crushed.
    pub(super) fn note_crushed(&mut self) {
        self.crushed = true;
        if !self.was_crushed {
            self.events.push(Event::Crushed);
        }
    }

    /// Adds what blocks the body, unless it is among the blockers already; `normal` points from it
    /// to the body.
    pub(super) fn note(&mut self, solid: Solid, normal: DVec3) {
        if self.blockers.iter().all(|known| known.solid != solid) {
            self.blockers.push(Blocker { solid, normal });
        }
    }
}
