//! The tuning constants of rigid bodies.

/// The closing speed below which an impact is a resting contact of the solver, m/s; see
/// [`rests`](super::impacts::rest::rests).
pub(super) const MIN_BOUNCE_SPEED: f64 = 0.5;

/// The distance within which shapes are in contact, metres. It exceeds the distance that an impact slower than
/// [`MIN_BOUNCE_SPEED`] covers in a tick (8.3 mm), so that no such impact is missed because there is no contact at
/// the beginning of the tick.
pub(super) const CONTACT_DISTANCE: f64 = 0.01;

/// The change of speed, m/s, above which a substep is solved again: a contact that changes the speed of its bodies by
/// more than this contains an impact.
pub(super) const MAX_RESIDUAL: f64 = 0.02;

/// The maximum number of extra rounds over all substeps of a tick. A light body between heavy bodies needs many.
pub(super) const MAX_EXTRA_ROUNDS: usize = 64;
/// The number of contacts solved again above which there are fewer extra rounds, because they would take too long.
pub(super) const EXTRA_CONTACTS: usize = 1024;

/// The maximum number of contacts of an island that is solved directly because one of them was not resolved.
pub(super) const MAX_DIRECT: usize = 96;
/// The maximum number of contacts of such an island if its masses are similar.
pub(super) const MAX_DIRECT_ALIKE: usize = 32;

/// The departure, metres, above which a cluster takes shorter steps: the distance between a point of a rotating body
/// at the end of a step and the position that the solver expects.
pub(super) const MAX_DEPARTURE: f64 = 1e-3;
/// The maximum number of bodies of a cluster that takes shorter steps.
pub(super) const MAX_STEPPED: u32 = 64;
/// The maximum number of steps of a cluster in a tick, unless its contacts are not resolved.
pub(super) const MAX_STEPS: u32 = 8;
/// The depth, metres, by which contacts of a cluster that takes no shorter steps may become deeper in a step.
pub(super) const MAX_UNRESOLVED: f64 = 1e-3;
/// The maximum number of steps in a tick of a cluster whose contacts are not resolved.
pub(super) const MAX_STEPS_UNRESOLVED: u32 = 32;

/// Stiffness of a contact of two bodies: the frequency of its spring, Hz, for each substep of a tick, so 180 Hz at 18
/// substeps. A surface is twice as stiff. Under a weight of `n` times its own, a body sinks in by `2 n g / (2 pi
/// f)^2`: the lowest of ten equal bodies by 0.14 mm. At more than a fifth of the substep rate, pyramids creep.
pub(super) const HERTZ_OF_SUBSTEP: f64 = 10.0;

/// Damping ratio of a contact, relative to critical damping: overlaps are resolved slowly, and cause no bounce.
pub(super) const DAMPING_RATIO: f64 = 10.0;

/// The distance within which a contact point is matched to a point of the last tick, metres.
pub(super) const SAME_POINT: f64 = 0.02;

/// Rolling resistance: the distance, metres, of the supporting force from the middle of the contact at a friction of
/// 1, because surfaces deform slightly. For hard balls it is a tenth to half of a millimetre.
pub(super) const ROLLING_ARM: f64 = 5e-4;

/// The maximum speed at which overlaps are pushed apart, m/s.
pub(super) const MAX_PUSH_SPEED: f64 = 3.0;

/// The speed of a body's fastest point, m/s, below which the body falls asleep after [`TICKS_TO_SLEEP`], together
/// with all bodies that it touches.
pub(super) const SLEEP_SPEED: f64 = 0.05;

/// The number of slow ticks before a body falls asleep: half a second.
pub(super) const TICKS_TO_SLEEP: u32 = 30;

/// The maximum number of impacts of a ball in a tick, before its cluster is solved as a whole. In a row of balls few
/// have more than two.
pub(super) const MAX_IMPACTS_OF_BALLS: u32 = 32;

/// The maximum number of impacts in a tick of a body that is not a ball. A box that lands on an edge has two or three.
pub(super) const MAX_IMPACTS: u32 = 4;

/// The minimum number of bodies of a cluster that is solved as a whole, unless all of them are balls.
pub(super) const MIN_SPECULATIVE: u32 = 6;

/// The closing speed, m/s, below which sides count as not approaching, because of rounding. Sides that do not bounce
/// separate at this speed.
pub(super) const STILL: f64 = 1e-9;

/// The number of rounds in which the points of one impact are solved together.
pub(super) const IMPACT_ROUNDS: u32 = 12;
