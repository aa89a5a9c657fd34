//! The numbers that decide how rigid bodies behave.

/// Slower impacts are resting contacts, which the solver holds, m/s; see [`rests`](super::impacts::rest::rests).
pub(super) const MIN_BOUNCE_SPEED: f64 = 0.5;

/// Shapes that are nearer than this are in contact, metres: farther than an impact slower than
/// [`MIN_BOUNCE_SPEED`] goes in a tick (8.3 mm), so that one which is not in contact at the beginning of a tick
/// is not missed.
pub(super) const CONTACT_DISTANCE: f64 = 0.01;

/// A substep in which a contact changes the speed of its bodies by more than this, m/s, is solved again, for there was an impact.
pub(super) const MAX_RESIDUAL: f64 = 0.02;

/// In all substeps of a tick so often at most, and fewer times where more than [`EXTRA_CONTACTS`] would be solved again: what is
/// light between heavy bodies needs many rounds, and many bodies have no time for them.
pub(super) const MAX_EXTRA_ROUNDS: usize = 64;
pub(super) const EXTRA_CONTACTS: usize = 1024;

/// An island of so many contacts at most, of which one was not held, is solved directly; where the masses are alike, one of so
/// many at most.
pub(super) const MAX_DIRECT: usize = 96;
pub(super) const MAX_DIRECT_ALIKE: usize = 32;

/// Where a point of a body departs in a step by more than this from where the solver expects it, because the body turns, a cluster of
/// at most [`MAX_STEPPED`] bodies takes shorter steps, [`MAX_STEPS`] of them in a tick at most. Metres.
pub(super) const MAX_DEPARTURE: f64 = 1e-3;
pub(super) const MAX_STEPPED: u32 = 64;
pub(super) const MAX_STEPS: u32 = 8;

/// Stiffness of a contact of two bodies, as the frequency of its spring for each substep of a tick, Hz: 180 Hz at 18 substeps. A
/// surface is twice as stiff. A body under a weight of `n` times its own sinks in by `2 n g / (2 pi f)^2`: under nine others
/// by 0.14 mm. At more than a fifth of the rate of substeps pyramids creep.
pub(super) const HERTZ_OF_SUBSTEP: f64 = 10.0;

/// Damping of a contact, as part of the critical one: what overlaps comes apart slowly, and bounces do not come of
/// it.
pub(super) const DAMPING_RATIO: f64 = 10.0;

/// A point of contact is that of the last tick within this distance, metres.
pub(super) const SAME_POINT: f64 = 0.02;

/// Rolling resistance: surfaces give way a little, so that the force that holds a body lies this far from the middle of
/// the contact, metres, where the friction is 1. Of hard balls it is a tenth to half of a millimetre.
pub(super) const ROLLING_ARM: f64 = 5e-4;

/// What overlaps is pushed out no faster, m/s.
pub(super) const MAX_PUSH_SPEED: f64 = 3.0;

/// A body that is slower than this for [`TICKS_TO_SLEEP`] falls asleep, with all that it touches, m/s: the
/// speed of its fastest point.
pub(super) const SLEEP_SPEED: f64 = 0.05;

/// Half a second.
pub(super) const TICKS_TO_SLEEP: u32 = 30;

/// Impacts of one ball in one tick at most, before its cluster is solved as a whole. Of balls in a row few have more than two.
pub(super) const MAX_IMPACTS_OF_BALLS: u32 = 32;

/// The same for other shapes: a box that lands on an edge has two or three.
pub(super) const MAX_IMPACTS: u32 = 4;

/// A cluster of so many bodies is solved as a whole, unless all of them are balls.
pub(super) const MIN_SPECULATIVE: u32 = 6;

/// Slower approaches are none, m/s: rounding. What does not bounce parts at this speed.
pub(super) const STILL: f64 = 1e-9;

/// Rounds in which the points of one impact's manifold are solved together.
pub(super) const IMPACT_ROUNDS: u32 = 12;
