//! Floors, and positions far from the origin.

use glam::DVec3;

use super::{R, watch};
use crate::actor::{Actor, Stage, body, rho};
use crate::dense::terrain;
use crate::offsets;
use crate::oracle::Corners;
use crate::page::Figure;
use crate::shapes::{block, both_sides, facing, floor, ground, quad, stage, v};
use crate::ticks::{corner, hitch, paced};

pub(super) fn figures() -> Vec<Figure> {
    vec![
        ("B8", over_a_grid()),
        ("B11", over_strips()),
        ("B12", over_overlaps()),
        ("B13", on_a_peak()),
        ("B14", along_a_ridge()),
        ("B15", on_an_edge()),
        ("B18", far_away()),
        ("B19", dropped()),
        ("B20", dropped_on_a_triangle()),
        ("B41", at_any_pace()),
    ]
}

fn over_a_grid() -> String {
    let stage = Stage::of(&stage(&terrain(220, 0.5, |_, _| 0.0)));
    let start = v(-52.0, rho(R), -51.7);
    let mut actor = Actor::new(&stage, body(R, 0.0), "stage", start);
    actor.hold(v(6.0, -6.0, 6.0), 1000);
    let moved = (actor.centre() - start) / 100.0;
    format!(
        "{:.9} in x, {:.9} in z, y by {:.0e}",
        moved.x,
        moved.z,
        moved.y * 100.0
    )
}

/// Measures three seconds of a walk at (4, 0, 0.3) m/s over a floor.
fn crossed(soup: &[Corners]) -> String {
    let stage = Stage::of(&stage(soup));
    let start = v(-6.0, rho(R), -0.45);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    let seen = watch(&mut actor, v(4.0, 0.0, 0.3), 180);
    let [low, high] = seen.heights.map(|y| (y - rho(R)).abs());
    let x = actor.centre().x - start.x;
    format!("{x:.7} of 12, y by {:.0e}", low.max(high))
}

fn over_strips() -> String {
    let mut soup = floor(0.0, [-50.0, 0.0], [-50.0, 50.0]);
    for i in -50..50 {
        let z = f64::from(i);
        soup.extend(floor(0.0, [0.0, 50.0], [z, z + 1.0]));
    }
    crossed(&soup)
}

fn over_overlaps() -> String {
    let mut overlapping = floor(0.0, [-20.0, 1.0], [-50.0, 50.0]);
    overlapping.extend(floor(0.0, [-1.0, 20.0], [-50.0, 50.0]));
    let threefold = [ground(50.0), both_sides(&ground(50.0)), ground(50.0)].concat();
    let (one, other) = (crossed(&overlapping), crossed(&threefold));
    format!("overlapping {one}; threefold {other}")
}

fn on_a_peak() -> String {
    let corners = [[-1., -1.], [-1., 1.], [1., 1.], [1., -1.]].map(|[x, z]| v(x, -1.0, z));
    let mut soup = floor(-1.0, [-50.0, 50.0], [-50.0, 50.0]);
    for i in 0..4 {
        let (a, b) = (corners[i], corners[(i + 1) % 4]);
        soup.extend(facing(
            vec![[DVec3::ZERO, a, b]],
            (a + b) * 5.0 + DVec3::Y * 90.0,
        ));
    }
    let stage = Stage::of(&stage(&soup));
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", v(0.0, 0.52, 0.0));
    actor.hold(DVec3::ZERO, 120);
    let trembles = super::trembles(&mut actor, DVec3::ZERO);
    let end = actor.centre();
    let aside = end.with_y(0.0).length();
    format!(
        "balances at y {:.6}, {aside:.0e} aside, then moves {trembles:.0e}",
        end.y
    )
}

fn along_a_ridge() -> String {
    let x = DVec3::X * 30.0;
    let mut soup = Vec::new();
    for side in [-1.0, 1.0] {
        let low = v(0.0, -1.0, side) * 20.0;
        soup.extend(facing(quad(-x, x, low + x, low - x), v(0.0, 90.0, 0.0)));
    }
    let stage = Stage::of(&stage(&soup));
    let start = v(-8.0, rho(R), 0.0);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    let seen = watch(&mut actor, v(4.0, 0.0, 0.0), 240);
    let x = actor.centre().x - start.x;
    let [low, high] = seen.heights;
    format!(
        "x {x:.6}, y {low:.6} to {high:.6}, gap ≥ {:.6}",
        seen.gaps[0]
    )
}

fn on_an_edge() -> String {
    let stage = Stage::of(&stage(&block([0.0, -1.0, -20.0], [20.0, 0.0, 20.0])));
    let start = v(0.0, rho(R), 0.3);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    actor.hold(DVec3::ZERO, 600);
    format!("drifts {:.0e} m", (actor.centre() - start).length())
}

fn far_away() -> String {
    let far = |exponent: i32| {
        let offset = v(10.0_f64.powi(exponent), 0.0, 0.0);
        let stop = v(-rho(R) / 15.0_f64.to_radians().sin(), rho(R), 0.0);
        let corner = Stage::of(&offsets::stage_at(&offsets::corner(), offset));
        let start = offset + v(-5.0, rho(R), 0.0);
        let mut actor = Actor::new(&corner, body(R, 9.81), "stage", start);
        actor.hold(v(4.0, 0.0, 0.0), 240);
        let cornered = (actor.centre() - offset - stop).length();
        let flat = Stage::of(&offsets::stage_at(&ground(32.0), offset));
        let start = offset + v(-8.0, rho(R), 0.0);
        let mut actor = Actor::new(&flat, body(R, 9.81), "stage", start);
        actor.hold(v(4.0, 0.0, 0.5), 240);
        let off = (actor.centre() - start - v(16.0, 0.0, 2.0)).length();
        format!("1e{exponent} {cornered:.0e}, {off:.0e}")
    };
    let all = [3, 4, 5, 6].map(far).join("; ");
    format!("off in the corner and after the walk, m: {all}")
}

fn dropped() -> String {
    let stage = Stage::of(&stage(&ground(50.0)));
    let drop = |height: f64| {
        let start = v(0.37, rho(R) + 0.5, -0.21);
        let mut actor = Actor::new(&stage, body(R, 0.0), "stage", start);
        actor.tick(v(0.0, -60.0 * height, 0.0), false);
        (actor.centre().y - rho(R)).abs()
    };
    let worst = [1.0, 100.0, 1e4, 1e5]
        .map(drop)
        .into_iter()
        .fold(0.0, f64::max);
    format!("y {:.3}, {worst:.0e} off at worst", rho(R))
}

fn dropped_on_a_triangle() -> String {
    let lone = [v(0., 0., 0.), v(0., 0., 1.), v(1., 0., 0.)];
    let stage = Stage::of(&stage(&[lone]));
    let drop = |(name, target): (&str, DVec3)| {
        let start = target + DVec3::Y * 400.0;
        let mut actor = Actor::new(&stage, body(R, 0.0), "stage", start);
        actor.tick(v(0.0, -60e3, 0.0), false);
        let off = (actor.centre() - target - DVec3::Y * rho(R)).length();
        format!("{name} {off:.0e}")
    };
    let targets = [("edge", v(0.5, 0., 0.)), ("vertex", DVec3::ZERO)];
    format!("hit; off by, m: {}", targets.map(drop).join(", "))
}

fn at_any_pace() -> String {
    let stage = Stage::of(&stage(&corner()));
    let stop = v(-rho(R) / 15.0_f64.to_radians().sin(), rho(R), 0.0);
    let mut worst: f64 = 0.0;
    for tick_secs in [1e-4, 1e-3, 1.0 / 240.0, 1.0 / 60.0, 0.1, 0.5] {
        let (body, pace) = paced(R, tick_secs);
        let mut actor = Actor::new(&stage, body, "stage", stop - v(3.0, 0.0, 0.03));
        actor.hold(DVec3::X * (4.0 * pace), (2.0 / tick_secs) as usize);
        worst = worst.max((actor.centre() - stop).length());
    }
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", stop + v(-4.0, 2.0, 0.0));
    actor.hold(v(4.0, 0.0, 0.0), 10);
    hitch(&mut actor, 5.0, v(4.0, 0.0, 0.0));
    actor.hold(v(4.0, 0.0, 0.0), 90);
    let hitched = (actor.centre() - stop).length();
    format!("the same corner within {worst:.0e} m, after a hitch of 5 s {hitched:.0e} m")
}
