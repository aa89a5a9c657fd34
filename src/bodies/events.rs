//! What happened to rigid bodies in a tick, for sounds, scripts and logs.
//!
//! No motion depends on it. A hit is an impact: two sides that come together at [`MIN_HIT_SPEED`] or faster. A touch lasts as
//! long as the solver presses two sides against each other, or one of them sleeps there. Characters have events of their own.

use super::contacts::{Contact, code_of_body, solid_of};
use super::tuning::MIN_BOUNCE_SPEED;
use crate::collision::Solid;
use crate::level::{At, BodyId, Level};
use crate::world::{Bodies, ContactKey};

/// Slower impacts are no hits, m/s.
pub(super) const MIN_HIT_SPEED: f64 = MIN_BOUNCE_SPEED;

/// Something that happened to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyEvent {
    /// The body; of two the one with the lower index.
    pub body: BodyId,
    /// Where: the point of a contact, else the body's centre.
    pub at: At,
    /// What.
    pub kind: BodyEventKind,
}

/// The kinds of events of bodies. What a body touches is a triangle, a closed link, or a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BodyEventKind {
    /// It struck something.
    Hit {
        /// What.
        solid: Solid,
        /// How fast they came together, m/s.
        speed: f64,
        /// What they gave each other along the normal in the tick, N s.
        impulse: f64,
    },
    /// It began to touch something.
    Touched {
        /// What.
        solid: Solid,
    },
    /// It no longer touches something.
    Parted {
        /// What.
        solid: Solid,
    },
    /// It fell asleep.
    Slept,
    /// It was woken.
    Woke,
}

/// An impact of a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    key: ContactKey,
    /// Index of the body among those that take part.
    pub a: u32,
    at: At,
    speed: f64,
    impulse: f64,
}

impl Hit {
    /// The impact at a contact, where the sides came together at a speed, m/s, and gave each other an impulse, N s; `None` for a
    /// slower one.
    pub(super) fn of(contact: &Contact, at: At, speed: f64, impulse: f64) -> Option<Self> {
        (speed >= MIN_HIT_SPEED && impulse > 0.0).then(|| Self {
            key: contact.key,
            a: contact.a,
            at: at.with_point(at.point + contact.arm_a),
            speed,
            impulse,
        })
    }
}

/// The memory of the events of bodies.
#[derive(Debug, Default)]
pub(super) struct EventMemory {
    /// The events of the last tick.
    pub all: Vec<BodyEvent>,
    /// The impacts of this tick.
    pub hits: Vec<Hit>,
    /// The bodies that were awake after the last tick, in order; `None` before the first one.
    awake: Option<Vec<BodyId>>,
    /// The contacts in which the sides pressed each other, in order: in the tick before the last one, and in the last one.
    touching: [Vec<ContactKey>; 2],
}

impl EventMemory {
    /// Begins a tick.
    pub(super) fn begin(&mut self, bodies: &Bodies) {
        self.all.clear();
        self.hits.clear();
        if self.awake.is_none() {
            self.awake = Some(bodies.awake.clone());
            let [_, after] = &mut self.touching;
            list_touching(bodies, after);
        }
    }

    /// Lists what happened in a tick, at its end.
    pub(super) fn end(&mut self, level: &Level, bodies: &Bodies) {
        self.list_hits(bodies);
        self.list_touches(level, bodies);
        let awake = self.awake.get_or_insert_default();
        for (from, to, kind) in [
            (&bodies.awake, &*awake, BodyEventKind::Slept),
            (&*awake, &bodies.awake, BodyEventKind::Woke),
        ] {
            let changed = to.iter().filter(|id| from.binary_search(id).is_err());
            let changed = changed.filter(|id| bodies.state(**id).is_present);
            self.all.extend(changed.map(|&body| BodyEvent {
                body,
                at: bodies.state(body).at,
                kind,
            }));
        }
        awake.clone_from(&bodies.awake);
    }

    /// One event for the impacts of two sides.
    fn list_hits(&mut self, bodies: &Bodies) {
        let Self { all, hits, .. } = self;
        hits.retain_mut(|hit| match between_bodies_of_level(bodies, hit.key) {
            Some(key) => {
                hit.key = key;
                true
            }
            None => false,
        });
        hits.sort_by_key(|hit| hit.key);
        for of_two in hits.chunk_by(|p, q| p.key == q.key) {
            let faster = |p: Hit, q: &Hit| if q.speed > p.speed { *q } else { p };
            let fastest = of_two.iter().skip(1).fold(of_two[0], faster);
            if let Some(solid) = solid_of(fastest.key.other) {
                all.push(BodyEvent {
                    body: fastest.key.body,
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

    fn list_touches(&mut self, level: &Level, bodies: &Bodies) {
        let Self {
            all,
            awake,
            touching: [before, after],
            ..
        } = self;
        std::mem::swap(before, after);
        list_touching(bodies, after);
        let was_awake = |id: BodyId| {
            let awake = awake.as_ref();
            awake.is_some_and(|awake| awake.binary_search(&id).is_ok())
        };
        let mut event = |body: BodyId, kind: BodyEventKind| {
            let at = bodies.state(body).at;
            all.push(BodyEvent { body, at, kind });
        };
        for_each_new(level, (before, after), |body, solid| {
            // A body that sleeps touches what it lies on all the time.
            if was_awake(body) || matches!(solid, Solid::Body(other) if was_awake(other)) {
                event(body, BodyEventKind::Touched { solid });
            }
        });
        for_each_new(level, (after, before), |body, solid| {
            if !bodies.state(body).is_asleep() {
                event(body, BodyEventKind::Parted { solid });
            }
        });
    }
}

/// A key without characters, the body with the lower index first; `None` where one is a character.
fn between_bodies_of_level(bodies: &Bodies, key: ContactKey) -> Option<ContactKey> {
    let is_of_level = |BodyId(index): BodyId| (index as usize) < bodies.len();
    let other = match solid_of(key.other) {
        Some(Solid::Body(other)) => Some(other),
        _ => None,
    };
    if !is_of_level(key.body) || !other.is_none_or(is_of_level) {
        return None;
    }
    Some(match other {
        Some(other) if other < key.body => ContactKey {
            body: other,
            other: code_of_body(key.body),
        },
        _ => key,
    })
}

/// Lists the contacts in which the sides press each other.
fn list_touching(bodies: &Bodies, touching: &mut Vec<ContactKey>) {
    touching.clear();
    let pressed = bodies.impulses.iter().filter(|impulse| impulse.total > 0.0);
    touching.extend(pressed.filter_map(|impulse| between_bodies_of_level(bodies, impulse.key)));
    touching.sort_unstable();
    touching.dedup();
}

/// Calls `act` for what a body touches after a change and did not touch before it. Both lists are in order. The triangles of one
/// node are one thing: a ball that rolls from one to the next goes on touching it.
fn for_each_new(
    level: &Level,
    (before, after): (&[ContactKey], &[ContactKey]),
    mut act: impl FnMut(BodyId, Solid),
) {
    let of_body = |keys: &[ContactKey], body: BodyId| {
        let first = keys.partition_point(|key| key.body < body);
        let count = keys[first..].partition_point(|key| key.body == body);
        first..first + count
    };
    for (index, key) in after.iter().enumerate() {
        if before.binary_search(key).is_ok() {
            continue;
        }
        let Some(solid) = solid_of(key.other) else {
            continue;
        };
        let is_known = |key: &ContactKey| {
            let known = solid_of(key.other);
            known.is_some_and(|known| known == solid || are_of_one_node(level, known, solid))
        };
        let earlier = &after[of_body(after, key.body).start..index];
        let known = before[of_body(before, key.body)].iter().chain(earlier);
        if !known.into_iter().any(is_known) {
            act(key.body, solid);
        }
    }
}

/// Whether two solids are triangles of one node.
fn are_of_one_node(level: &Level, a: Solid, b: Solid) -> bool {
    let is_triangle = |solid: Solid| matches!(solid, Solid::Triangle(_));
    is_triangle(a) && is_triangle(b) && a.node(level) == b.node(level)
}
