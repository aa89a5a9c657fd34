//! The measured numbers of docs/scenarios.md, with the geometry that the page specifies.

mod bodies;
mod changed;
mod crowds;
mod crushed;
mod feet;
mod floors;
mod movers;
mod rooms;
mod walls;

use glam::DVec3;

use crate::actor::Actor;
use crate::page::renew;

/// Radius of the body of all scenarios, metres.
const R: f64 = 0.3;

#[test]
#[ignore = "writes the figures into docs/scenarios.md"]
fn figures_of_the_walks() {
    for figures in [
        walls::figures(),
        floors::figures(),
        feet::figures(),
        crushed::figures(),
        crowds::figures(),
        rooms::figures(),
        changed::figures(),
        movers::figures(),
        bodies::figures(),
    ] {
        renew(&figures);
    }
}

/// The measurements of a walking body.
#[derive(Debug)]
struct Seen {
    ticks: usize,
    /// Ticks after which the body was not on the ground.
    airborne: usize,
    /// Least and greatest gap after a tick, metres.
    gaps: [f64; 2],
    /// Lowest and highest centre, metres.
    heights: [f64; 2],
}

/// Keeps the wish for `ticks` ticks and measures the body.
fn watch(actor: &mut Actor, wish: DVec3, ticks: usize) -> Seen {
    let mut seen = Seen {
        ticks,
        airborne: 0,
        gaps: [f64::INFINITY, f64::NEG_INFINITY],
        heights: [f64::INFINITY, f64::NEG_INFINITY],
    };
    let widen = |[low, high]: [f64; 2], x: f64| [low.min(x), high.max(x)];
    for _ in 0..ticks {
        actor.tick(wish, false);
        seen.airborne += usize::from(!actor.state.grounded);
        seen.gaps = widen(seen.gaps, actor.gap());
        seen.heights = widen(seen.heights, actor.centre().y);
    }
    seen
}

/// The greatest displacement of the body in another second with the same wish, metres.
fn trembles(actor: &mut Actor, wish: DVec3) -> f64 {
    let before = actor.state.at.point;
    (0..60).fold(0.0, |most: f64, _| {
        actor.tick(wish, false);
        most.max((actor.state.at.point - before).length())
    })
}

/// The height of a jump, metres.
fn jumps(actor: &mut Actor) -> f64 {
    let before = actor.centre().y;
    actor.tick(DVec3::ZERO, true);
    let seen = watch(actor, DVec3::ZERO, 60);
    seen.heights[1] - before
}
