//! The penetration depth of moving shapes in contact, and the time at which penetration begins.

use crate::shapes::{Manifold, Shape, Sweep};

/// The closing speed, m/s, below which rotating shapes have no impact: they penetrate by micrometres in a tick, and
/// the next tick separates them.
const SLOW: f64 = 1e-3;

/// The penetration that the shapes of a solved contact may gain in a tick, metres. With a fifth of this value,
/// falling dominoes, which rotate about an edge in a solved contact, would cost twice as much.
pub(in crate::bodies) const MAX_SINKING: f64 = 5e-4;

/// The maximum number of times at which penetration is sampled.
const MAX_LOOKS: u32 = 64;

/// The depth, metres, at which the bisection for the time of an approaching contact stops.
const FOUND: f64 = 1e-4;

/// The maximum number of bisections: eight bisections of an eighth of a tick leave ten microseconds.
const MAX_HALVINGS: u32 = 8;

/// The greatest depth, metres, among points of the manifolds that approach each other `secs` seconds into the motion
/// of the two shapes; `None` if no point approaches.
pub(in crate::bodies) fn approaching_depth(
    manifolds: &[Manifold],
    [a, b]: [&Sweep; 2],
    secs: f64,
) -> Option<f64> {
    let points = manifolds.iter().flat_map(|manifold| {
        let points = manifold.points().iter();
        points.map(|point| (manifold.normal, point))
    });
    let approaching = points.filter(|(normal, point)| {
        let velocity = a.velocity_at(point.on_a, secs) - b.velocity_at(point.on_b, secs);
        velocity.dot(*normal) < -SLOW
    });
    let depths = approaching.map(|(_, point)| -point.separation);
    depths.max_by(f64::total_cmp)
}

/// The greatest height of the arc on which rotation moves a point of a shape in `secs` seconds, metres.
pub(in crate::bodies) fn bulge(shape: &Shape, sweep: &Sweep, secs: f64) -> f64 {
    sweep.departure_from_chords(shape.radius_about(sweep.centre), secs)
}

/// The time at which shapes of a solved contact penetrate by more than [`MAX_SINKING`]. The solver extrapolates the
/// points that touch at the beginning along straight lines, so it keeps shapes apart unless they rotate. Between two
/// samples, rotation brings a point nearer by at most the height of its arc above the chord; `bulge` is this height
/// over the whole time, metres. `depth_at` returns the depth at a time, if the shapes approach each other then.
pub(in crate::bodies) fn sinks(
    bulge: f64,
    (secs, limit): (f64, f64),
    mut depth_at: impl FnMut(f64) -> Option<f64>,
) -> Option<f64> {
    let looks = (bulge / MAX_SINKING).sqrt().ceil() as u32;
    let looks = looks.min(MAX_LOOKS);
    let mut sunk_at = |time| {
        let depth = depth_at(time).map(|depth| depth - MAX_SINKING);
        depth.filter(|depth| *depth > 0.0)
    };
    let mut before = 0.0;
    for look in 1..=looks {
        let time = secs * f64::from(look) / f64::from(looks);
        if let Some(depth) = sunk_at(time) {
            return Some(halve([before, time], depth, sunk_at)).filter(|time| *time <= limit);
        }
        if time > limit {
            return None;
        }
        before = time;
    }
    None
}

/// The time, in seconds, at which two shapes begin to approach each other, found by bisection between the time
/// before, when they do not approach, and the time `after`, when they do, with penetration `depth`. `depth_at`
/// returns the depth at a time, if they approach each other then.
pub(in crate::bodies) fn halve(
    [mut before, mut after]: [f64; 2],
    mut depth: f64,
    mut depth_at: impl FnMut(f64) -> Option<f64>,
) -> f64 {
    for _ in 0..MAX_HALVINGS {
        if depth <= FOUND {
            break;
        }
        let middle = 0.5 * (before + after);
        match depth_at(middle) {
            Some(now) => (after, depth) = (middle, now),
            None => before = middle,
        }
    }
    after
}
