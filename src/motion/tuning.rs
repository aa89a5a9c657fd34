//! The numbers that decide how bodies behave: unit, reason, what breaks without. Those of one algorithm stand
//! beside it.

use crate::level::TICKS_PER_SECOND;

/// Length of a tick, seconds.
pub const TICK_SECS: f64 = 1.0 / TICKS_PER_SECOND;

/// Gap kept between the sphere and everything solid, as part of its radius. The solver moves a
/// sphere grown by it, so that rounding never brings the real one into contact. Larger: bodies
/// visibly float; smaller than about 1e-6: f32 coordinates of a level 100 m wide eat it up.
pub(super) const SKIN: f64 = 0.01;

/// Distances that differ by less than this part of the radius are equal: what is this near to
/// the grown sphere touches it. Zero would miss the contact that was just advanced to; above
/// 1e-4 the edges inside a flat floor would lift a sphere that rolls over them.
pub(super) const TOUCH: f64 = 1e-7;

/// A motion that approaches a surface by less than this part of its length, and over all of it by
/// less than [`GRAZE_DEPTH`], passes it. Without it the rounding of a motion along a surface is
/// a collision with it.
pub(super) const GRAZE_SLOPE: f64 = 1e-6;

/// See [`GRAZE_SLOPE`]; part of the skin. The gap lost is given back by the next depenetration.
pub(super) const GRAZE_DEPTH: f64 = 1e-3;

/// A sphere that stays above a plane but for this part of its radius meets nothing in that plane
/// at more than [`GRAZE_SLOPE`]: the sine of the slope at an edge is `sqrt(2 SKIMS)`.
pub(super) const SKIMS: f64 = 4e-13;

/// A contact plane stops a motion only if the motion enters it by more than this part of its
/// length: the rounding of a projection onto the plane.
pub(super) const ENTER_SLOPE: f64 = 1e-10;

/// Straight pieces of one pass at most. Ordinary ticks take one to four, a run around a pillar of
/// many facets as many as it passes; a motion that needs more loses its rest, which is safe.
pub(super) const MAX_SLIDES: usize = 256;

/// Pushes out of an overlap in one tick at most. One is enough outside wedges.
pub(super) const MAX_PUSHES: usize = 16;

/// Motions shorter than this part of the radius are over.
pub(super) const MIN_MOTION: f64 = 1e-12;

/// Planes exchanged at most in finding the two that decide which velocity is left. Three are
/// common; rounding alone could make it go round in circles, and then nothing is left.
pub(super) const MAX_EXCHANGES: usize = 64;

/// A surface whose normal has at least this upward part carries a body that slips on it: the
/// cosine of 50 degrees. It may jump from there.
pub(super) const GROUND_NORMAL_Y: f64 = 0.642_787_609_686_539_4;

/// Impacts slower than this do not bounce, m/s: gravity alone makes 0.16 a tick, and a resting
/// body must rest.
pub(super) const MIN_BOUNCE_SPEED: f64 = 0.5;

/// How far below a spawn its floor is looked for, metres.
pub(super) const SPAWN_DROP: f64 = 1000.0;

/// Steps tried in one tick at most; enough for all that a run's tick can pass.
pub(super) const MAX_CLIMBS: usize = 4;

/// How far beyond what was met the centre is brought to ask whether that is a step, as part of
/// the radius. Zero would ask on the very edge.
pub(super) const STEP_OVER: f64 = 0.05;

/// A step must lift the foot by this part of the radius, or lead past what was met but for it.
/// Without it the notch below a steep slope is a step of no height, again in every tick.
pub(super) const STEP_GAIN: f64 = 0.01;

/// What has less than this upward part in its normal is a wall even where no slope is too steep;
/// and what has not this much sideways is no wall.
pub(super) const MIN_WALKABLE_Y: f64 = 0.1;

/// An edge or corner whose contact normal has less than this upward part is a wall to the walk: a
/// sphere on the floor is stopped by steps of more than three quarters of its radius. Zero: it
/// rolls over edges just below its middle, in minutes.
pub(super) const MIN_EDGE_Y: f64 = 0.25;

/// Ledges that a body slides along at once at most: two make a corner.
pub(super) const MAX_LEDGES: usize = 8;

/// A path that departs from an edge of the ground by less than this part of its length is along it:
/// the rounding of a motion along the edge.
pub(super) const ALONG_EDGE: f64 = 1e-9;

/// A contact whose normal has less than this upward part bears nothing.
pub(super) const MIN_SUPPORT_Y: f64 = 0.01;

/// A sphere that settles slides this part of its radius before it looks again which way is down:
/// over an edge the straight way leads away from the arc.
pub(super) const SETTLING_STEP: f64 = 0.25;

/// Straight pieces of a settling at most.
pub(super) const MAX_SETTLINGS: usize = 32;

/// A body that was pushed to and fro in one tick by less than this part of the skin, by planes that
/// hold it together, is at rest. The gaps to all but one of them may be off by as much.
pub(super) const REST_DISTANCE: f64 = 0.25;

/// A body that falls faster than gravity makes it in so many ticks is not at rest.
pub(super) const SLOW_TICKS: f64 = 4.0;

/// The middle of a body, as part of its radius, which no push out of an overlap moves through
/// anything solid.
pub(super) const CORE: f64 = 0.1;

/// A mover pushes in steps of at most this part of a body's radius, so that the middle of the body stays
/// on the side of its faces that it was on.
pub(super) const PUSH_STEP: f64 = 0.25;

/// Slower impacts are not reported as hits, m/s: a player at rest gathers 1.17 in the tick in which it
/// begins to walk into a wall that it stands at.
pub(super) const MIN_HIT_SPEED: f64 = 1.25;

/// Slower falls are not reported as landings, m/s: from 1.3 cm.
pub(super) const MIN_LANDING_SPEED: f64 = 0.5;

/// Cosine of the angle within which two normals count as the same side of a body: 8 degrees.
pub(super) const SAME_SIDE: f64 = 0.99;

/// Lighter rigid bodies are pushed away, not climbed, kilograms.
pub(super) const MAX_PUSHED_MASS: f64 = 40.0;

/// What is pushed and is slower than this does not give way, m/s.
pub(super) const GIVES_WAY: f64 = 0.2;
