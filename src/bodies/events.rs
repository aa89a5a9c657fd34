//! Events of rigid bodies in a tick, for sounds, scripts and logs.
//!
//! No motion depends on events. A hit is an impact: two sides that come together at [`MIN_HIT_SPEED`] or faster. A
//! touch lasts as long as the solver presses two sides against each other, and also while both sleep, and in the tick
//! in which one of them wakes. Touches are state of the world, so that a restored game has the same events.
//! Characters have their own events.

use super::contacts::{BodyContact, solid_of};
use super::tuning::MIN_BOUNCE_SPEED;
use crate::collision::Solid;
use crate::level::{At, BodyId, Level};
use crate::world::{Bodies, ContactKey, Participant};

/// The speed below which an impact is not a hit, m/s.
pub(super) const MIN_HIT_SPEED: f64 = MIN_BOUNCE_SPEED;

/// An event of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyEvent {
    /// The body; if two bodies are involved, the one with the lower index.
    pub body: BodyId,
    /// The contact point; for an event without a contact, the body's centre.
    pub at: At,
    /// The kind of the event, with its data.
    pub kind: BodyEventKind,
}

/// The kinds of events of bodies. The solid that a body touches is a triangle, a closed link, or another body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BodyEventKind {
    /// The body struck a solid.
    Hit {
        /// The struck solid.
        solid: Solid,
        /// The closing speed, m/s.
        speed: f64,
        /// The impulse along the normal in the tick, N s.
        impulse: f64,
    },
    /// The body began to touch a solid.
    Touched {
        /// The touched solid.
        solid: Solid,
    },
    /// The body no longer touches a solid.
    Parted {
        /// The solid that it touched before.
        solid: Solid,
    },
    /// The body fell asleep.
    Slept,
    /// The body was woken.
    Woke,
}

/// An impact of a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpactRecord {
    key: ContactKey,
    /// The index of the body among the bodies that take part in the tick.
    pub a: u32,
    at: At,
    speed: f64,
    impulse: f64,
}

impl ImpactRecord {
    /// The impact at a contact with a closing speed, m/s, and an impulse, N s; `None` if it is too slow for a hit.
    pub(super) fn of(contact: &BodyContact, at: At, speed: f64, impulse: f64) -> Option<Self> {
        (speed >= MIN_HIT_SPEED && impulse > 0.0).then(|| Self {
            key: contact.key,
            a: contact.a,
            at: at.with_point(at.point + contact.arm_a),
            speed,
            impulse,
        })
    }
}

/// The state and buffers of the events of bodies.
#[derive(Debug, Default)]
pub(super) struct EventMemory {
    /// The events of the last tick.
    pub all: Vec<BodyEvent>,
    /// The impacts of this tick.
    pub hits: Vec<ImpactRecord>,
    /// The bodies that fell asleep in this tick.
    pub slept: Vec<BodyId>,
    /// The touches, at the end of the tick, of bodies that took part in it; sorted.
    touching: Vec<ContactKey>,
    /// The buffer of touches of bodies that fall asleep.
    fallen_asleep: Vec<ContactKey>,
}

impl EventMemory {
    /// Removes the events of the last tick.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.hits.clear();
        self.slept.clear();
    }

    /// Ends the touches of removed bodies, in a tick in which no body is awake.
    pub(super) fn end_without_bodies(&mut self, level: &Level, bodies: &mut Bodies) {
        self.touching.clear();
        self.list_touches(level, bodies);
        bodies.woken.clear();
    }

    /// Lists the events of a tick, at its end.
    pub(super) fn end(&mut self, level: &Level, bodies: &mut Bodies) {
        self.list_hits();
        list_touching(bodies, &mut self.touching);
        self.keep_of_woken(bodies);
        self.list_touches(level, bodies);
        self.slept.sort_unstable();
        bodies.woken.sort_unstable();
        bodies.woken.dedup();
        let slept = self.slept.iter().map(|id| (id, BodyEventKind::Slept));
        let woken = bodies.woken.iter().map(|id| (id, BodyEventKind::Woke));
        let of_sleep = woken.chain(slept);
        let of_sleep = of_sleep.filter(|(id, _)| bodies.state(**id).is_present);
        self.all.extend(of_sleep.map(|(&body, kind)| BodyEvent {
            body,
            at: bodies.state(body).at,
            kind,
        }));
        bodies.woken.clear();
    }

    /// Adds one event for all impacts of the same two sides.
    fn list_hits(&mut self) {
        let Self { all, hits, .. } = self;
        hits.retain_mut(|hit| match without_characters(hit.key) {
            Some(key) => {
                hit.key = key;
                true
            }
            None => false,
        });
        hits.sort_unstable_by(|p, q| {
            let by_speed = || p.speed.total_cmp(&q.speed);
            let by_impulse = || p.impulse.total_cmp(&q.impulse);
            p.key.cmp(&q.key).then_with(by_speed).then_with(by_impulse)
        });
        for of_two in hits.chunk_by(|p, q| p.key == q.key) {
            let fastest = of_two[of_two.len() - 1];
            let solid = solid_of(fastest.key.other);
            if let (Some(body), Some(solid)) = (fastest.key.first.body(), solid) {
                all.push(BodyEvent {
                    body,
                    at: fastest.at,
                    kind: BodyEventKind::Hit {
                        solid,
                        speed: fastest.speed,
                        impulse: of_two.iter().map(|hit| hit.impulse).sum(),
                    },
                });
            }
        }
    }

    /// Adds the touches of bodies that woke during the tick: only some of their contacts were solved.
    fn keep_of_woken(&mut self, bodies: &mut Bodies) {
        if bodies.woken.is_empty() {
            return;
        }
        let count = bodies.touches.awake.len();
        bodies.wake_touches(|key| self.touching.push(*key));
        if bodies.touches.awake.len() > count {
            self.touching.sort_unstable();
            self.touching.dedup();
        }
    }

    /// Lists the touches that began or ended in the tick, and stores those at its end.
    fn list_touches(&mut self, level: &Level, bodies: &mut Bodies) {
        let Self {
            all,
            touching,
            fallen_asleep,
            ..
        } = self;
        let mut event = |body: BodyId, kind: BodyEventKind| {
            let at = bodies.state(body).at;
            all.push(BodyEvent { body, at, kind });
        };
        let before = &bodies.touches.awake;
        for_each_new(level, (before, touching), |body, solid| {
            event(body, BodyEventKind::Touched { solid });
        });
        for_each_new(level, (touching, before), |body, solid| {
            event(body, BodyEventKind::Parted { solid });
        });
        bodies.replace_touches(touching, fallen_asleep);
    }
}

/// The key with the lower body index first; `None` where a side is a character.
fn without_characters(key: ContactKey) -> Option<ContactKey> {
    if key.has_character() {
        return None;
    }
    let other = key.other_body().map(Participant::Body);
    Some(match other {
        Some(other) if other < key.first => ContactKey {
            first: other,
            other: ContactKey::code_of(key.first),
        },
        _ => key,
    })
}

/// The solid of a code; `None` where the level has no such solid (the code may come from a saved game).
fn solid_of_level(level: &Level, code: u64) -> Option<Solid> {
    solid_of(code).filter(|solid| match *solid {
        Solid::Triangle(index) => level.solids.has(index),
        Solid::Link(link) => (link.0 as usize) < level.links.len(),
        Solid::Body(body) => (body.0 as usize) < level.bodies.len(),
    })
}

/// Lists the contacts in which the sides press each other.
fn list_touching(bodies: &Bodies, touching: &mut Vec<ContactKey>) {
    touching.clear();
    let pressed = bodies.impulses.iter().filter(|impulse| impulse.total > 0.0);
    touching.extend(pressed.filter_map(|impulse| without_characters(impulse.key)));
    touching.sort_unstable();
    touching.dedup();
}

/// Calls `act` for each solid that a body touches after a change and did not touch before it. Both lists are sorted.
/// All triangles of one node count as one solid: a ball that rolls from one triangle to the next continues to touch
/// it.
fn for_each_new(
    level: &Level,
    (before, after): (&[ContactKey], &[ContactKey]),
    mut act: impl FnMut(BodyId, Solid),
) {
    let of_body = |keys: &[ContactKey], body: Participant| {
        let first = keys.partition_point(|key| key.first < body);
        let count = keys[first..].partition_point(|key| key.first == body);
        first..first + count
    };
    for (index, key) in after.iter().enumerate() {
        if before.binary_search(key).is_ok() {
            continue;
        }
        let solid = solid_of_level(level, key.other);
        let (Some(body), Some(solid)) = (key.first.body(), solid) else {
            continue;
        };
        if !matches!(solid, Solid::Triangle(_)) {
            act(body, solid);
            continue;
        }
        let is_known = |key: &ContactKey| match solid_of_level(level, key.other) {
            Some(known @ Solid::Triangle(_)) => known.node(level) == solid.node(level),
            _ => false,
        };
        let earlier = &after[of_body(after, key.first).start..index];
        let known = before[of_body(before, key.first)].iter().chain(earlier);
        if !known.into_iter().any(is_known) {
            act(body, solid);
        }
    }
}
