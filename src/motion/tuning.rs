//! The constants that define how bodies behave, each with its unit, its reason and the fault that a wrong
//! value causes. Constants of a single algorithm are in its own module.

use crate::level::TICKS_PER_SECOND;

/// Length of a tick, seconds.
pub const TICK_SECS: f64 = 1.0 / TICKS_PER_SECOND;

/// Gap kept between the sphere and all solids, as part of its radius. The solver moves a sphere grown by the
/// gap, so that rounding never brings the real sphere into contact. Larger values: bodies visibly float.
/// Smaller than about 1e-6: the gap is below the rounding of f32 coordinates in a level 100 m wide.
pub(super) const SKIN: f64 = 0.01;

/// Distances that differ by less than this part of the radius are equal: a surface this near to the grown
/// sphere touches it. With zero, the contact that the body has just advanced to would be missed; above 1e-4,
/// internal edges of a flat floor would lift a sphere that rolls over them.
pub(super) const TOUCH: f64 = 1e-7;

/// A motion that approaches a surface by less than this part of its length, and over its whole length by less
/// than [`GRAZE_DEPTH`], passes the surface. Without this tolerance, the rounding of a motion along a surface
/// would be a collision with it.
pub(super) const GRAZE_SLOPE: f64 = 1e-6;

/// See [`GRAZE_SLOPE`]; as part of the skin. The next depenetration restores the lost gap.
pub(super) const GRAZE_DEPTH: f64 = 1e-3;

/// A sphere that dips below a plane by at most this part of its radius meets nothing in that plane at more
/// than [`GRAZE_SLOPE`]: the sine of the slope at an edge is `sqrt(2 SKIMS)`.
pub(super) const SKIMS: f64 = 4e-13;

/// A contact plane stops a motion only if the motion enters the plane by more than this part of the motion's
/// length: the rounding of a projection onto the plane.
pub(super) const ENTER_SLOPE: f64 = 1e-10;

/// Maximum number of straight pieces of one pass. Ordinary ticks take one to four, a run around a pillar of
/// many facets takes one for each facet passed; a motion that needs more loses its rest, which is safe.
pub(super) const MAX_SLIDES: usize = 256;

/// Maximum number of pushes out of an overlap in one tick. Outside wedges, one is enough.
pub(super) const MAX_PUSHES: usize = 16;

/// Motions shorter than this part of the radius are finished.
pub(super) const MIN_MOTION: f64 = 1e-12;

/// Maximum number of plane exchanges while finding the two planes that determine the remaining velocity.
/// Three are common; more can only be a cycle from rounding, and then the remaining velocity is zero.
pub(super) const MAX_EXCHANGES: usize = 64;

/// A surface whose normal has at least this upward part supports a body that slips on it: the cosine of 50
/// degrees. The body may jump from there.
pub(super) const GROUND_NORMAL_Y: f64 = 0.642_787_609_686_539_4;

/// Impacts slower than this do not bounce, m/s: gravity alone adds 0.16 per tick, and a resting body must stay at rest.
pub(super) const MIN_BOUNCE_SPEED: f64 = 0.5;

/// The distance below a spawn that is searched for its floor, metres.
pub(super) const SPAWN_DROP: f64 = 1000.0;

/// Maximum number of steps tried in one tick; enough for all steps that a running body can pass in a tick.
pub(super) const MAX_CLIMBS: usize = 4;

/// The distance beyond the obstacle at which the step test places the centre, as a fraction of the radius. Zero would
/// test exactly at the edge.
pub(super) const STEP_OVER: f64 = 0.05;

/// A step must lift the foot by this part of the radius, or lead over the full test distance, less this part
/// of it. Without this rule, the notch below a steep slope would be a step of no height in every tick.
pub(super) const STEP_GAIN: f64 = 0.01;

/// A surface whose normal has less than this upward part is a wall even where no slope is too steep; a
/// surface whose normal has less than this horizontal part is never a wall.
pub(super) const MIN_WALKABLE_Y: f64 = 0.1;

/// An edge or corner whose contact normal has less than this upward part is a wall to the walk: a sphere on
/// the floor is stopped by steps of more than three quarters of its radius. With zero, the sphere rolls over
/// edges just below its middle, which takes minutes.
pub(super) const MIN_EDGE_Y: f64 = 0.25;

/// Maximum number of ledges that a body slides along at once: two form a corner.
pub(super) const MAX_LEDGES: usize = 8;

/// A path that leaves an edge of the ground by less than this part of its length runs along the edge: the
/// rounding of a motion along the edge.
pub(super) const ALONG_EDGE: f64 = 1e-9;

/// A contact whose normal has less than this upward part supports no weight.
pub(super) const MIN_SUPPORT_Y: f64 = 0.01;

/// A sphere that is lowered slides this part of its radius before the direction is computed again: over an
/// edge, a straight motion departs from the arc.
pub(super) const SETTLING_STEP: f64 = 0.25;

/// Maximum number of straight pieces while a sphere is lowered.
pub(super) const MAX_SETTLINGS: usize = 32;

/// A body that several planes hold, and that they pushed back and forth in one tick by less than this part of
/// the skin, is at rest. The gaps to all planes except one may be wrong by as much.
pub(super) const REST_DISTANCE: f64 = 0.25;

/// A body that falls faster than the speed that gravity gives it in this many ticks is not at rest.
pub(super) const SLOW_TICKS: f64 = 4.0;

/// The radius of a body's core, as part of the body's radius: a push out of an overlap never moves the core
/// through anything solid.
pub(super) const CORE: f64 = 0.1;

/// A mover pushes in steps of at most this part of a body's radius, so that the body's core stays on the same
/// side of the mover's faces.
pub(super) const PUSH_STEP: f64 = 0.25;

/// Slower impacts are not reported as hits, m/s: a player at rest reaches 1.17 in the tick in which it begins
/// to walk into a wall next to it.
pub(super) const MIN_HIT_SPEED: f64 = 1.25;

/// Slower falls are not reported as landings, m/s: the value is a fall from 1.3 cm.
pub(super) const MIN_LANDING_SPEED: f64 = 0.5;

/// Cosine of the angle within which two normals count as the same side of a body: 8 degrees.
pub(super) const SAME_SIDE: f64 = 0.99;

/// Lighter rigid bodies are pushed away, not climbed, kilograms.
pub(super) const MAX_PUSHED_MASS: f64 = 40.0;

/// A pushed rigid body that is slower than this does not give way, m/s.
pub(super) const GIVES_WAY: f64 = 0.2;
