//! The numbers that decide how rigid bodies behave.

/// Slower impacts are resting contacts, which the solver holds, m/s; see [`rests`](super::impulse::rests).
pub(super) const MIN_BOUNCE_SPEED: f64 = 0.5;

/// Shapes that are nearer than this are in contact, metres: farther than an impact slower than
/// [`MIN_BOUNCE_SPEED`] goes in a tick (8.3 mm), so that one which is not in contact at the beginning of a tick
/// is not missed.
pub(super) const CONTACT_DISTANCE: f64 = 0.01;

/// Steps of a solver in a tick: stacks are stiffer by the square of it.
pub(super) const SUBSTEPS: u32 = 4;

/// Stiffness of a contact, as the frequency of its spring, Hz: a quarter of the rate of substeps, the highest that
/// is stable. What is loaded sinks in by its load over the square of it: ten boxes by a tenth of a millimetre.
pub(super) const CONTACT_HERTZ: f64 = 60.0;

/// Damping of a contact, as part of the critical one.
pub(super) const DAMPING_RATIO: f64 = 10.0;

/// What overlaps is pushed out no faster, m/s.
pub(super) const MAX_PUSH_SPEED: f64 = 3.0;

/// A body that is slower than this for [`TICKS_TO_SLEEP`] falls asleep, with all that it touches, m/s: the
/// speed of its fastest point.
pub(super) const SLEEP_SPEED: f64 = 0.05;

/// Half a second.
pub(super) const TICKS_TO_SLEEP: u32 = 30;

/// Impacts of one body in one tick at most. One that has more stays where it is for the rest of the tick, and
/// keeps its velocity: the time is lost, and nothing is passed.
pub(super) const MAX_IMPACTS: u32 = 64;

/// Slower approaches are none, m/s: rounding.
pub(super) const STILL: f64 = 1e-9;

/// Rounds in which the points of one impact's manifold are solved together.
pub(super) const IMPACT_ROUNDS: u32 = 12;
