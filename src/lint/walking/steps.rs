//! The steps that a walking body can take.

use glam::DVec3;

use crate::collision::{CollisionWorld, follow};
use crate::game::{PLAYER, PLAYER_HEIGHT, Player, Start, WALK_SPEED};
use crate::geometry::{Aabb, Aabb32};
use crate::level::{At, Spawn, holds};
use crate::motion::{self, Actor, MoveCommand, State, Workspace, cast_sphere};

/// Radius of the swept spheres, metres. It is less than the body's, so that steps of a fixed length pass every gap that
/// the body can pass.
pub(super) const RADIUS: f64 = 0.3;
/// Height of the crouched body, metres.
pub(super) const CROUCHED: f64 = 1.1;
/// Distance between the floor and a resting sphere, metres.
const SKIN: f64 = 2e-3;
/// Lengths of the downward casts that search for a floor one after the other, metres.
const DROPS: [f64; 3] = [1.0, 8.0, 60.0];
/// Number of ticks in which a body depenetrates at a spawn.
const START_TICKS: u32 = 30;
/// Number of ticks of a walk over an edge.
const WALK_TICKS: u32 = 20;
/// Number of ticks of the walk over an edge and the fall after it.
const FALL_TICKS: u32 = 300;
/// Number of directions in which a body tries to leave a place.
const ESCAPES: u32 = 16;
/// Number of ticks of the attempt in each direction.
const ESCAPE_TICKS: u32 = 100;
/// Maximum vertical gap between a resting sphere and the floor: its value on the steepest walkable slope, metres.
const HANGING: f64 = 0.18;
/// Radius of the sphere that measures this gap, metres.
pub(super) const PROBE: f64 = 0.02;
/// If a sphere hangs on the edge of a step, its tread is searched for in these horizontal directions (x, z).
const AROUND: [[f64; 2]; 4] = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
/// Distances at which the tread is searched for, in sphere radii.
const BESIDE_EDGE: [f64; 5] = [0.25, 0.5, 0.75, 1.0, 1.25];
/// Maximum height difference between two adjacent points of a tread, metres.
const LEVEL: f64 = 0.03;
/// Numbers of steps after which a body may have slid down a slope that is too steep to stand on.
const SLIDES: std::ops::RangeInclusive<u32> = 3..=10;
/// Length of a jump, metres.
const JUMP_LENGTH: f64 = 3.0;

/// A place where a body stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    /// The centre of the body's lowest sphere.
    pub at: At,
    /// Whether there is room to stand upright.
    pub upright: bool,
}

/// The result of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum StepResult {
    /// The body stands after the step; with the height above the start, metres.
    To(Stand, f64),
    /// No floor is below this position.
    Out(At),
    /// An obstacle stops the body.
    Blocked,
}

/// The result of a step of a body's lowest sphere.
#[derive(Clone, Copy, Debug)]
pub(super) enum Landing {
    /// The sphere rests here; with the height above the start, metres.
    On(At, f64),
    /// No floor is below this position.
    Out(At),
    /// An obstacle stops the sphere.
    Blocked,
}

/// Sweeps spheres and moves bodies in a level, to find where a player can walk.
pub(super) struct ProbeBody<'a> {
    pub collision: CollisionWorld<'a>,
    workspace: Workspace,
    /// The lowest point of the level, metres.
    lowest: f64,
}

impl<'a> ProbeBody<'a> {
    pub(super) fn new(collision: CollisionWorld<'a>) -> Self {
        let lowest = collision.level.rooms.iter().map(|room| room.bounds.min.y);
        Self {
            lowest: lowest.fold(f64::INFINITY, f64::min),
            collision,
            workspace: Workspace::default(),
        }
    }

    /// The fraction of a motion, 0..1, that a sphere can travel.
    pub(super) fn cast(&mut self, from: At, motion: DVec3, radius: f64) -> f64 {
        cast_sphere(&self.collision, from, motion, radius, &mut self.workspace)
    }

    /// The position in which a sphere rests below a point; `None` without a floor.
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

    /// The body whose lowest sphere rests here; `None` if it cannot even crouch.
    pub(super) fn stand(&mut self, at: At) -> Option<Stand> {
        let clearance = self.clearance(at);
        let upright = clearance >= PLAYER_HEIGHT - SKIN;
        (clearance >= CROUCHED).then_some(Stand { at, upright })
    }

    /// The height above the floor that is free where a sphere rests, metres; at most the player's height.
    pub(super) fn clearance(&mut self, at: At) -> f64 {
        let most = PLAYER_HEIGHT - 2.0 * RADIUS;
        2.0 * RADIUS + most * self.cast(at, DVec3::Y * most, RADIUS)
    }

    /// The node of the solid geometry that is nearest to a point of a room; empty if none is near.
    pub(super) fn node_at(&self, at: At) -> String {
        self.node_near(at, 0.1)
    }

    /// The node and the position of the first obstacle on the straight line from a body to a point.
    pub(super) fn obstacle(&mut self, from: At, to: DVec3) -> Option<(String, DVec3)> {
        let up = DVec3::Y * PLAYER.step_settings.step_height;
        let up = up * self.cast(from, up, RADIUS);
        let (raised, _) = follow(&self.collision, from, from.point + up);
        let along = (to - from.point).with_y(0.0);
        let part = self.cast(raised, along, RADIUS);
        let (met, _) = follow(&self.collision, raised, raised.point + along * part);
        let node = self.node_near(met, RADIUS + 0.01);
        (part < 1.0 && !node.is_empty()).then_some((node, met.point))
    }

    fn node_near(&self, At { room, point }: At, distance: f64) -> String {
        let level = self.collision.level;
        let query = Aabb32::around(&Aabb::around([point]).grown(distance));
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

    /// A step along a horizontal vector, up by at most `lift` metres (a step's or a jump's height).
    pub(super) fn step(&mut self, from: At, along: DVec3, lift: f64) -> StepResult {
        match self.landing(from, along, lift) {
            Landing::On(at, rise) => match self.stand(at) {
                Some(stand) => StepResult::To(stand, rise),
                None => StepResult::Blocked,
            },
            Landing::Out(over) => StepResult::Out(over),
            Landing::Blocked => StepResult::Blocked,
        }
    }

    /// The landing of a body's lowest sphere after such a step; down by any height.
    pub(super) fn landing(&mut self, from: At, along: DVec3, lift: f64) -> Landing {
        let up = lift * self.cast(from, DVec3::Y * lift, RADIUS);
        let above = from.point + DVec3::Y * (up - SKIN).max(0.0);
        let (raised, _) = follow(&self.collision, from, above);
        // The sphere may come to rest against the edge of a step instead of on the tread. So one and two lengths are
        // tried, to see whether it gets past the edge.
        for part in [1.0, 2.0] {
            let along = part * along;
            if self.cast(raised, along, RADIUS) < 1.0 {
                return Landing::Blocked;
            }
            let (over, _) = follow(&self.collision, raised, raised.point + along);
            let Some(landed) = self.drop(over, RADIUS) else {
                return Landing::Out(over);
            };
            if self.is_supported(landed) {
                return Landing::On(landed, landed.point.y - from.point.y);
            }
        }
        self.slide(from, raised, along)
    }

    /// The landing of a body that steps onto a slope that is too steep, and slides down it.
    fn slide(&mut self, from: At, raised: At, along: DVec3) -> Landing {
        for part in SLIDES {
            let along = f64::from(part) * along;
            if self.cast(raised, along, RADIUS) < 1.0 {
                break;
            }
            let (over, _) = follow(&self.collision, raised, raised.point + along);
            let Some(landed) = self.drop(over, RADIUS) else {
                return Landing::Out(over);
            };
            let rise = landed.point.y - from.point.y;
            if rise >= 0.0 {
                break;
            }
            if self.is_supported(landed) {
                return Landing::On(landed, rise);
            }
        }
        Landing::Blocked
    }

    /// Whether the body, which is larger than the sphere, fits where the sphere rests, and is inside the assumed room.
    pub(super) fn fits(&mut self, at: At) -> bool {
        let higher = PLAYER.radius - RADIUS + SKIN;
        let at = At::new(at.room, at.point + DVec3::Y * higher);
        self.cast(at, DVec3::Y * SKIN, PLAYER.radius) > 0.0 && holds(self.collision.level, at)
    }

    /// Whether a player fits at or beside a spawn, upright or crouched.
    pub(super) fn has_room_at(&mut self, spawn: &Spawn) -> bool {
        let start = Start::Spawn(spawn.name.clone());
        let workspace = &mut self.workspace;
        let Ok(player) = Player::start(&self.collision, &start, PLAYER, workspace) else {
            return false;
        };
        let mut actor = player.actor;
        let command = MoveCommand {
            wish: DVec3::ZERO,
            jump: false,
        };
        for _ in 0..START_TICKS {
            motion::tick(&self.collision, &mut actor, &mut self.workspace, &command);
        }
        motion::fits(
            &self.collision,
            &actor.body,
            &actor.state,
            &mut self.workspace,
        )
    }

    /// Whether a body falls out of the level if it walks from a place over an edge.
    pub(super) fn falls_out(&mut self, from: At, over: At) -> bool {
        let higher = PLAYER.radius - RADIUS + SKIN;
        let level = self.collision.level;
        if !holds(level, from) || !holds(level, over) {
            return false;
        }
        let along = over.point - from.point;
        let state = State::at_rest(At::new(from.room, from.point + DVec3::Y * higher));
        let mut actor = Actor::new(PLAYER, state);
        let wish = along.with_y(0.0).normalize_or_zero() * WALK_SPEED;
        for tick in 0..FALL_TICKS {
            // Stops after the edge, so that the body does not walk on after it has landed.
            let wish = if tick < WALK_TICKS { wish } else { DVec3::ZERO };
            let command = MoveCommand { wish, jump: false };
            motion::tick(&self.collision, &mut actor, &mut self.workspace, &command);
            if actor.state.at.point.y < self.lowest - PLAYER_HEIGHT {
                return true;
            }
        }
        false
    }

    /// Whether the body gets from a place to a position for which `is_out` is true, by walking and jumping straight in
    /// one of `ESCAPES` directions.
    pub(super) fn escapes(&mut self, from: At, is_out: impl Fn(At) -> bool) -> bool {
        let higher = PLAYER.radius - RADIUS + SKIN;
        let start = At::new(from.room, from.point + DVec3::Y * higher);
        (0..ESCAPES).any(|turn| {
            let angle = f64::from(turn) * std::f64::consts::TAU / f64::from(ESCAPES);
            let wish = DVec3::new(libm::cos(angle), 0.0, libm::sin(angle)) * WALK_SPEED;
            let mut actor = Actor::new(PLAYER, State::at_rest(start));
            (0..ESCAPE_TICKS).any(|_| {
                let command = MoveCommand { wish, jump: true };
                motion::tick(&self.collision, &mut actor, &mut self.workspace, &command);
                let at = actor.state.at;
                actor.state.grounded && is_out(At::new(at.room, at.point - DVec3::Y * higher))
            })
        })
    }

    /// Whether a resting sphere has floor below its middle, or hangs on the edge of a step that the body can climb.
    fn is_supported(&mut self, at: At) -> bool {
        let below = |walker: &mut Self, at: At, length: f64| {
            let part = walker.cast(at, DVec3::NEG_Y * length, PROBE);
            (part < 1.0).then_some(length * part)
        };
        if below(self, at, RADIUS + HANGING - PROBE).is_some() {
            return true;
        }
        let climbed = PLAYER.step_settings.step_height;
        let Some(floor) = below(self, at, RADIUS + climbed) else {
            return false;
        };
        AROUND.into_iter().any(|[x, z]| {
            let tread = BESIDE_EDGE.map(|part| {
                let ahead = DVec3::new(x, 0.0, z) * (part * RADIUS);
                if self.cast(at, ahead, PROBE) < 1.0 {
                    return None;
                }
                let (over, _) = follow(&self.collision, at, at.point + ahead);
                below(self, over, RADIUS)
            });
            // A tread is level; a surface that continues to rise is a slope.
            tread.windows(2).any(|pair| match *pair {
                [Some(first), Some(second)] => {
                    (first - second).abs() < LEVEL && floor - first.min(second) <= climbed
                }
                _ => false,
            })
        })
    }

    /// A jump across a gap into which a step leads.
    pub(super) fn jump(&mut self, from: At, along: DVec3) -> Option<Stand> {
        let far = along.normalize_or_zero() * JUMP_LENGTH;
        let up = PLAYER.jump_height;
        match self.step(from, far, up) {
            StepResult::To(stand, rise) if rise.abs() <= up + 0.2 => Some(stand),
            _ => None,
        }
    }
}
