//! How deep shapes that move come into each other where they touch, and from when on.

use crate::shapes::{Manifold, Shape, Sweep};

/// Shapes that turn and come together more slowly than this do not meet, m/s: in a tick they sink in by micrometres,
/// and the next one holds them apart.
const SLOW: f64 = 1e-3;

/// What the solver holds apart may sink in by so much in a tick, metres. With a fifth of it dominoes that fall, which turn
/// about an edge that the solver holds, cost twice as much.
pub(in crate::bodies) const MAX_SINKING: f64 = 5e-4;

/// Times that are looked at for what sinks, at most.
const MAX_LOOKS: u32 = 64;

/// A touching point that comes together is found again by halving the time until it is no deeper than this, metres.
const FOUND: f64 = 1e-4;

/// Halvings at most: of an eighth of a tick they leave ten microseconds.
const MAX_HALVINGS: u32 = 8;

/// How deep the deepest of those points of the manifolds is that come together as the two shapes move after `secs` seconds,
/// metres; `None` where none does.
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

/// How high the arc is, at most, on which a turn moves a point of a shape in `secs` seconds, metres.
pub(in crate::bodies) fn bulge(shape: &Shape, sweep: &Sweep, secs: f64) -> f64 {
    sweep.departure_from_chords(shape.radius_about(sweep.centre), secs)
}

/// When shapes that the solver holds apart come together by more than [`MAX_SINKING`]. It knows where points go that
/// touched at first, as if they went on straight: what goes on straight it holds for good, and between two times
/// that are looked at, what turns comes no nearer than an arc's height above its chord; in all of the time that is `bulge`,
/// metres. `depth_at` is how deep they are at a time, if they come together then.
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

/// When something begins to come together that does so `after` a time, as deep as `depth`, and not `before` it, in
/// seconds; `depth_at` is how deep it is at a time, if it comes together then.
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
