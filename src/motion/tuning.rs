//! The constants that define how bodies behave, each with its unit, its reason and the effect of a wrong value. A
//! constant of a single algorithm is in that algorithm's module.

use crate::level::TICKS_PER_SECOND;

/// Length of a tick, seconds.
pub const TICK_SECS: f64 = 1.0 / TICKS_PER_SECOND;

/// Gap kept between the sphere and all solids, as a fraction of the radius. The solver moves a sphere grown by the
/// gap, so that rounding never brings the real sphere into contact. With larger values, bodies visibly float. Below
/// about 1e-6, the gap is smaller than the rounding of f32 coordinates in a level 100 m wide.
pub(super) const SKIN: f64 = 0.01;

/// Distances that differ by less than this fraction of the radius count as equal. So the grown sphere touches a surface
/// from which its gap is that small. With zero, the contact up to which the body has just advanced would be missed.
/// Above 1e-4, internal edges of a flat floor would lift a sphere that rolls over them.
pub(super) const TOUCH: f64 = 1e-7;

/// A motion passes a surface if it approaches the surface by less than this fraction of its length, and by less than
/// [`GRAZE_DEPTH`] in total. Without this tolerance, a motion along a surface would collide with it because of
/// rounding.
pub(super) const GRAZE_SLOPE: f64 = 1e-6;

/// Maximum approach of a motion that passes a surface (see [`GRAZE_SLOPE`]), as a fraction of the skin. The next
/// depenetration restores the lost gap.
pub(super) const GRAZE_DEPTH: f64 = 1e-3;

/// A motion after which a sphere extends beyond a plane by at most this fraction of its radius passes all polygons in
/// that plane: at an edge, it approaches by at most `sqrt(2 SKIMS)` of its length, which is less than
/// [`GRAZE_SLOPE`].
pub(super) const SKIMS: f64 = 4e-13;

/// A contact plane stops a motion only if the motion enters the plane by more than this fraction of its length: the
/// rounding of a projection onto the plane.
pub(super) const ENTER_SLOPE: f64 = 1e-10;

/// Maximum number of straight pieces of one pass. Ordinary ticks take one to four; a run around a pillar takes one
/// for each facet passed. If a motion needs more, its rest is dropped, which is safe.
pub(super) const MAX_SLIDES: usize = 256;

/// Maximum number of pushes out of an overlap in one tick. Outside wedges, one is enough.
pub(super) const MAX_PUSHES: usize = 16;

/// Motions shorter than this part of the radius are finished.
pub(super) const MIN_MOTION: f64 = 1e-12;

/// Maximum number of plane exchanges in the search for the two planes that determine the remaining velocity. Three
/// are common. A larger number means a cycle due to rounding; then the remaining velocity is zero.
pub(super) const MAX_EXCHANGES: usize = 64;

/// A surface supports a body that slips on it, and lets it jump, if the upward part of its normal is at least this:
/// the cosine of 50 degrees.
pub(super) const GROUND_NORMAL_Y: f64 = 0.642_787_609_686_539_4;

/// Impacts slower than this, in m/s, do not bounce. Gravity alone adds 0.16 per tick, and a resting body must stay at
/// rest.
pub(super) const MIN_BOUNCE_SPEED: f64 = 0.5;

/// The distance below a spawn that is searched for its floor, metres.
pub(super) const SPAWN_DROP: f64 = 1000.0;

/// Maximum number of steps tried in one tick; enough for all steps that a running body can pass in a tick.
pub(super) const MAX_CLIMBS: usize = 4;

/// The distance beyond the obstacle at which the step test places the centre, as a fraction of the radius. Zero would
/// test exactly at the edge.
pub(super) const STEP_OVER: f64 = 0.05;

/// A step test succeeds only if it lifts the foot by more than this fraction of the radius, or moves the body by at
/// least 1 - `STEP_GAIN` of the test distance. Without this rule, the notch below a steep slope would count as a step
/// of no height in every tick.
pub(super) const STEP_GAIN: f64 = 0.01;

/// A surface whose normal has less than this upward part is a wall even if the body has no slope limit. A surface
/// whose normal has less than this horizontal part is never a wall.
pub(super) const MIN_WALKABLE_Y: f64 = 0.1;

/// An edge or corner stops the walk like a wall if its contact normal has less than this upward part: a sphere on the
/// floor is stopped by steps of more than three quarters of its radius. With zero, the sphere would roll over edges
/// just below its middle, which takes minutes.
pub(super) const MIN_EDGE_Y: f64 = 0.25;

/// Maximum number of ledges that a body slides along at once: two form a corner.
pub(super) const MAX_LEDGES: usize = 8;

/// A path runs along an edge of the ground if it leaves the edge by less than this fraction of its length: the
/// rounding of a motion along the edge.
pub(super) const ALONG_EDGE: f64 = 1e-9;

/// A contact whose normal has less than this upward part supports no weight.
pub(super) const MIN_SUPPORT_Y: f64 = 0.01;

/// A sphere that is lowered slides by at most this fraction of its radius before its direction is computed again,
/// because the path over an edge is an arc.
pub(super) const SETTLING_STEP: f64 = 0.25;

/// Maximum number of straight pieces while a sphere is lowered.
pub(super) const MAX_SETTLINGS: usize = 32;

/// A body is at rest if several planes hold it and push it back and forth by less than this fraction of the skin in
/// one tick. The gaps to all planes except one may be wrong by as much.
pub(super) const REST_DISTANCE: f64 = 0.25;

/// A body that falls faster than the speed that gravity gives it in this many ticks is not at rest.
pub(super) const SLOW_TICKS: f64 = 4.0;

/// The radius of a body's core, as part of the body's radius: a push out of an overlap never moves the core
/// through anything solid.
pub(super) const CORE: f64 = 0.1;

/// A mover pushes in steps of at most this part of a body's radius, so that the body's core stays on the same
/// side of the mover's faces.
pub(super) const PUSH_STEP: f64 = 0.25;

/// Impacts slower than this, in m/s, are not reported as hits: a player at rest reaches 1.17 in the tick in which it
/// begins to walk into a wall next to it.
pub(super) const MIN_HIT_SPEED: f64 = 1.25;

/// Falls slower than this, in m/s, are not reported as landings: the speed of a fall from 1.3 cm.
pub(super) const MIN_LANDING_SPEED: f64 = 0.5;

/// Two contact normals are on the same side of a body if the cosine of their angle is at least this (8 degrees).
pub(super) const SAME_SIDE: f64 = 0.99;

/// Rigid bodies lighter than this, in kilograms, are pushed away instead of climbed.
pub(super) const MAX_PUSHED_MASS: f64 = 40.0;

/// A pushed rigid body slower than this, in m/s, does not give way.
pub(super) const GIVES_WAY: f64 = 0.2;
