//! Every number by which motion is tuned: its unit, its reason, what breaks without it.

/// Length of a tick, seconds.
pub const TICK_SECS: f64 = 1.0 / 60.0;

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

/// See [`GRAZE_SLOPE`]; part of the skin. The gap lost is given back by the next recovery.
pub(super) const GRAZE_DEPTH: f64 = 1e-3;

/// A sphere that stays above a plane but for this part of its radius meets nothing in that plane
/// at more than [`GRAZE_SLOPE`]: the sine of the slope at an edge is `sqrt(2 SKIMS)`.
pub(super) const SKIMS: f64 = 4e-13;

/// A contact plane stops a motion only if the motion enters it by more than this part of its
/// length: the rounding of a projection onto the plane.
pub(super) const ENTER_SLOPE: f64 = 1e-10;

/// Straight pieces of one pass at most. Ordinary ticks take one to four; a motion that needs
/// more loses its rest, which is safe.
pub(super) const MAX_SLIDES: usize = 16;

/// Pushes out of an overlap in one tick at most. One is enough outside wedges.
pub(super) const MAX_PUSHES: usize = 16;

/// Motions shorter than this part of the radius are over.
pub(super) const MIN_MOTION: f64 = 1e-12;

/// Contact planes looked at in one place at most; beyond, the last in their own order are left
/// out, and the next sweep stops at them.
pub(super) const MAX_PLANES: usize = 24;

/// Portals crossed in one straight piece at most: a body at the speed of a bullet in a corridor
/// of very short rooms.
pub(super) const MAX_CROSSINGS: usize = 256;

/// A surface whose normal has at least this upward part carries a body that slips on it: the
/// cosine of 50 degrees. It may jump from there.
pub(super) const GROUND_NORMAL_Y: f64 = 0.642_787_609_686_539_4;

/// Impacts slower than this do not bounce, m/s: gravity alone makes 0.16 a tick, and a resting
/// body must rest.
pub(super) const MIN_BOUNCE_SPEED: f64 = 0.5;

/// How far below a spawn its floor is looked for, metres.
pub(super) const SPAWN_DROP: f64 = 1000.0;
