//! The steps that a walking body can take from where it stands.

use glam::DVec3;

use crate::collision::{CollisionWorld, follow};
use crate::game::player::{PLAYER, PLAYER_HEIGHT, WALK_SPEED};
use crate::geometry::{Aabb, Aabb32};
use crate::level::{At, holds};
use crate::motion::{self, Actor, Command, State, Workspace, cast_sphere};

/// Radius of the spheres that are swept, metres: less than the body's, so that steps of a fixed length find the way
/// through everything that a body fits through.
pub(super) const RADIUS: f64 = 0.3;
/// Height of the crouched body, metres.
pub(super) const CROUCHED: f64 = 1.1;
/// Above what a sphere rests on, metres.
const SKIN: f64 = 2e-3;
/// How far down a floor is looked for, metres, in the order of trying.
const DROPS: [f64; 3] = [1.0, 8.0, 60.0];
/// Ticks of a walk over an edge, and of the fall after it.
const WALK_TICKS: u32 = 20;
const FALL_TICKS: u32 = 300;
/// Directions in which a body tries to leave a place, and ticks for each.
const ESCAPES: u32 = 16;
const ESCAPE_TICKS: u32 = 100;
/// A sphere on the steepest floor that is walked up has floor so far below its surface, metres, at most.
const HANGING: f64 = 0.18;
/// Radius of the sphere that looks for it, metres.
pub(super) const PROBE: f64 = 0.02;
/// How far a jump goes, metres.
const JUMP_LENGTH: f64 = 3.0;

/// Where a body stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    /// The centre of its lowest sphere.
    pub at: At,
    /// Whether there is room to stand upright.
    pub upright: bool,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Onto floor that is so much higher, metres.
    To(Stand, f64),
    /// Over nothing, from this place.
    Out(DVec3),
    /// Nowhere: something is in the way.
    Blocked,
}

/// A body in a world.
pub(super) struct Walker<'a> {
    pub collision: CollisionWorld<'a>,
    workspace: Workspace,
    /// The lowest point of the level, metres.
    lowest: f64,
}

impl<'a> Walker<'a> {
    pub(super) fn new(collision: CollisionWorld<'a>) -> Self {
        let lowest = collision.level.rooms.iter().map(|room| room.bounds.min.y);
        Self {
            lowest: lowest.fold(f64::INFINITY, f64::min),
            collision,
            workspace: Workspace::default(),
        }
    }

    /// The part of a motion that a sphere can do.
    pub(super) fn cast(&mut self, from: At, motion: DVec3, radius: f64) -> f64 {
        cast_sphere(&self.collision, from, motion, radius, &mut self.workspace)
    }

    /// Where a sphere comes to rest below a point; `None` where there is no floor.
    pub(super) fn drop(&mut self, from: At, radius: f64) -> Option<At> {
        let mut from = from;
        for length in DROPS {
            let part = self.cast(from, DVec3::NEG_Y * length, radius);
            let to = from.point - DVec3::Y * (length * part - SKIN).max(0.0);
            (from, _) = follow(&self.collision, from, to);
            if part < 1.0 {
                return Some(from);
            }
            if from.point.y < self.lowest {
                return None;
            }
        }
        None
    }

    /// The body that stands where a sphere rests; `None` where there is not even room to crouch.
    pub(super) fn stand(&mut self, at: At) -> Option<Stand> {
        let clearance = self.clearance(at);
        let upright = clearance >= PLAYER_HEIGHT - SKIN;
        (clearance >= CROUCHED).then_some(Stand { at, upright })
    }

    /// The height above the floor that is free where a sphere rests, metres, at most the player's.
    pub(super) fn clearance(&mut self, at: At) -> f64 {
        let most = PLAYER_HEIGHT - 2.0 * RADIUS;
        2.0 * RADIUS + most * self.cast(at, DVec3::Y * most, RADIUS)
    }

    /// The node of the solid that is nearest to a point of a room; empty if none is near.
    pub(super) fn node_at(&self, At { room, point }: At) -> String {
        let level = self.collision.level;
        let query = Aabb32::around(&Aabb::around([point]).grown(0.1));
        let mut nearest = (f64::INFINITY, String::new());
        level
            .solids
            .touching(&level.room(room).solids, &query, |solid| {
                let distance = solid.triangle().distance(point);
                if distance < nearest.0 {
                    let node = level.solids.node_name(solid.surface);
                    nearest = (distance, node.to_owned());
                }
            });
        nearest.1
    }

    /// A step along a horizontal vector, up a step or a jump of at most `lift` metres.
    pub(super) fn step(&mut self, from: At, along: DVec3, lift: f64) -> Step {
        let up = lift * self.cast(from, DVec3::Y * lift, RADIUS);
        let above = from.point + DVec3::Y * (up - SKIN).max(0.0);
        let (raised, _) = follow(&self.collision, from, above);
        // Where a sphere comes to hang on an edge, what counts is whether it gets over that.
        for along in [along, 2.0 * along] {
            if self.cast(raised, along, RADIUS) < 1.0 {
                return Step::Blocked;
            }
            let (over, _) = follow(&self.collision, raised, raised.point + along);
            let Some(landed) = self.drop(over, RADIUS) else {
                return Step::Out(over.point);
            };
            let rise = landed.point.y - from.point.y;
            if rise > SKIN && !self.is_supported(landed) {
                continue;
            }
            return match self.stand(landed) {
                Some(stand) => Step::To(stand, rise),
                None => Step::Blocked,
            };
        }
        Step::Blocked
    }

    /// Whether the body itself has room where the smaller sphere rests, and is in the room that it seems to be in.
    pub(super) fn fits(&mut self, at: At) -> bool {
        let higher = PLAYER.radius - RADIUS + SKIN;
        let at = At::new(at.room, at.point + DVec3::Y * higher);
        self.cast(at, DVec3::Y * SKIN, PLAYER.radius) > 0.0 && holds(self.collision.level, at)
    }

    /// Whether the body that walks from a place along a horizontal vector falls out of the level.
    pub(super) fn falls_out(&mut self, from: At, along: DVec3) -> bool {
        let higher = PLAYER.radius - RADIUS + SKIN;
        if !holds(self.collision.level, from) {
            return false;
        }
        let state = State::at_rest(At::new(from.room, from.point + DVec3::Y * higher));
        let mut actor = Actor::new(PLAYER, state);
        let wish = along.with_y(0.0).normalize_or_zero() * WALK_SPEED;
        for tick in 0..FALL_TICKS {
            // Over the edge, and no farther.
            let wish = if tick < WALK_TICKS { wish } else { DVec3::ZERO };
            let command = Command { wish, jump: false };
            motion::tick(&self.collision, &mut actor, &mut self.workspace, &command);
            if actor.state.at.point.y < self.lowest - PLAYER_HEIGHT {
                return true;
            }
        }
        false
    }

    /// Whether the body gets from a place to where it is out, walking and jumping straight in one of many directions.
    pub(super) fn escapes(&mut self, from: At, is_out: impl Fn(At) -> bool) -> bool {
        let higher = PLAYER.radius - RADIUS + SKIN;
        let start = At::new(from.room, from.point + DVec3::Y * higher);
        (0..ESCAPES).any(|turn| {
            let angle = f64::from(turn) * std::f64::consts::TAU / f64::from(ESCAPES);
            let wish = DVec3::new(libm::cos(angle), 0.0, libm::sin(angle)) * WALK_SPEED;
            let mut actor = Actor::new(PLAYER, State::at_rest(start));
            (0..ESCAPE_TICKS).any(|_| {
                let command = Command { wish, jump: true };
                motion::tick(&self.collision, &mut actor, &mut self.workspace, &command);
                let at = actor.state.at;
                actor.state.grounded && is_out(At::new(at.room, at.point - DVec3::Y * higher))
            })
        })
    }

    /// Whether a sphere that rests has floor below its middle, and does not hang on an edge that it cannot climb.
    fn is_supported(&mut self, at: At) -> bool {
        let length = RADIUS + HANGING;
        self.cast(at, DVec3::NEG_Y * length, PROBE) < 1.0 - PROBE / length
    }

    /// A jump over what a step would fall into.
    pub(super) fn jump(&mut self, from: At, along: DVec3) -> Option<Stand> {
        let far = along.normalize_or_zero() * JUMP_LENGTH;
        let up = PLAYER.jump_height;
        match self.step(from, far, up) {
            Step::To(stand, rise) if rise.abs() <= up + 0.2 => Some(stand),
            _ => None,
        }
    }
}
