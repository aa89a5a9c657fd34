//! Large numbers of triangles, ticks and soups.

use std::time::Instant;

use glam::DVec3;

use super::{R, trembles};
use crate::actor::{Actor, SKIN, Stage, body, rho};
use crate::dense::{half_pipe, terrain};
use crate::page::Figure;
use crate::rng::Rng;
use crate::shapes::{facing, floor, ground, heading, stage, v, wall};
use crate::soups::{free_place, hall_of_soup, random_radius, wander};

pub(super) fn figures() -> Vec<Figure> {
    let (bumps, fan) = (over_bumps(), over_needles());
    vec![
        ("B38", format!("{bumps}; {fan}; {}", down_a_half_pipe())),
        ("B42", a_million_turns()),
        ("D9", through_soups()),
    ]
}

/// Median time of a tick of walking back and forth, 30 ticks each way, microseconds.
fn micros(actor: &mut Actor, wish: DVec3) -> f64 {
    actor.is_judged = false;
    let mut times = Vec::new();
    for i in 0..1200 {
        let wish = if i / 30 % 2 == 0 { wish } else { -wish };
        let begin = Instant::now();
        actor.tick(wish, false);
        times.push(begin.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn over_bumps() -> String {
    let mut soup = terrain(60, 0.005, |i, k| {
        0.002 * f64::from(((i * 7 + k * 13) % 5) as u8) / 4.0
    });
    soup.extend(floor(-0.01, [-5.0, 5.0], [-5.0, 5.0]));
    let stage = Stage::of(&stage(&soup));
    let start = v(-0.12, rho(R) + 0.003, 0.01);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    actor.hold(DVec3::ZERO, 30);
    let before = actor.centre().x;
    actor.hold(v(0.5, 0.0, 0.0), 30);
    let crossed = actor.centre().x - before;
    actor.hold(v(-0.5, 0.0, 0.0), 30);
    let micros = micros(&mut actor, v(0.5, 0.0, 0.0));
    format!("bumps: {crossed:.3} of 0.25 m, {micros:.0} us a tick")
}

fn over_needles() -> String {
    let rim = |i: usize| heading(360.0 * i as f64 / 400.0) * 20.0;
    let fan = (0..400).map(|i| [DVec3::ZERO, rim(i), rim(i + 1)]);
    let soup = facing(fan.collect(), v(0.0, 90.0, 0.0));
    let stage = Stage::of(&stage(&soup));
    let start = v(-1.0, rho(R), 0.01);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    let micros = micros(&mut actor, v(4.0, 0.0, 0.0));
    format!("fan: {micros:.1} us")
}

fn down_a_half_pipe() -> String {
    let stage = Stage::of(&stage(&half_pipe(R)));
    let follow = |lean: f64| {
        let mut actor = Actor::new(&stage, body(R, 9.81), "stage", v(-3.0, -0.005, 0.0));
        let wish = v(4.0, 0.0, lean);
        actor.hold(wish, 160);
        let off = (actor.centre().x - 5.0 + rho(R)).abs();
        let trembles = 1e3 * trembles(&mut actor, wish);
        format!("{off:.0e} m off the cap, then moves {trembles:.2} mm")
    };
    let [straight, slight, strong] = [0.0, 0.5, -3.0].map(follow);
    format!("half pipe: {straight}; leaning by 0.5 m/s {slight}; by 3 m/s {strong}")
}

fn a_million_turns() -> String {
    let mut soup = ground(60.0);
    soup.extend(wall(v(0., 0., -50.), v(0., 0., 50.), 20.0, -DVec3::X));
    let stage = Stage::of(&stage(&soup));
    let start = v(-rho(R), rho(R), 0.0);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    for i in 0..1_000_000 {
        let way = if i % 2 == 0 { 4.0 } else { -4.0 };
        actor.tick(v(way, 0.0, 0.37 * way), false);
        if i % 10_000 == 0 {
            actor.track.clear();
        }
    }
    actor.hold(v(4.0, 0.0, 0.0), 2);
    let skin = SKIN * R;
    let off = (actor.gap() - skin).abs() / skin;
    format!("gap {off:.0e} s off after 1000000 ticks")
}

fn through_soups() -> String {
    let (mut soups, mut ticks, mut least) = (0, 0, f64::INFINITY);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let radius = random_radius(&mut rng).min(1.5);
        let stage = Stage::of(&hall_of_soup(&mut rng, radius));
        let Some(start) = free_place(&stage, &mut rng, radius, DVec3::splat(8.0)) else {
            continue;
        };
        let gravity = if seed % 3 == 0 { 0.0 } else { 9.81 };
        let mut actor = Actor::new(&stage, body(radius, gravity), "hall", start);
        wander(&mut actor, &mut Rng::new(seed + 1000), 1e5);
        for state in &actor.track {
            let [x, y, z] = [state[0], state[1], state[2]].map(f64::from_bits);
            let gap = stage.soup.distance(v(x, y, z), v(x, y, z)) - radius;
            least = least.min(gap / (SKIN * radius));
        }
        (soups, ticks) = (soups + 1, ticks + actor.track.len());
    }
    format!("gap ≥ {least:.4} s after {ticks} ticks in {soups} soups, > 0 all along the paths")
}
