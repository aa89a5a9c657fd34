//! Overhangs, gaps, funnels, and bodies that start inside of geometry.

use glam::DVec3;

use super::{R, jumps, trembles, watch};
use crate::actor::{Actor, SKIN, Stage, body, rho};
use crate::corridors::corridor;
use crate::falls::overhang;
use crate::funnels::funnel;
use crate::page::Figure;
use crate::shapes::{block, ground, stage, v};
use crate::starts::{hall, placed, slot};
use crate::wedges::groove;

pub(super) fn figures() -> Vec<Figure> {
    let [b33, b37] = out_of_the_floor();
    vec![
        ("B31", at_an_overhang()),
        ("B32", through_a_gap()),
        ("B33", b33),
        ("B34", on_a_plane()),
        ("B35", between_walls()),
        ("B36", in_funnels()),
        ("B37", b37),
    ]
}

fn at_an_overhang() -> String {
    let stage = Stage::of(&stage(&overhang(0.9)));
    let start = v(0.0, rho(R), 2.3);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    let towards = v(0.0, 0.0, -4.0);
    for i in 0..300 {
        actor.tick(towards, i % 20 == 7);
    }
    actor.hold(towards, 120);
    let gap = actor.gap();
    actor.hold(-towards, 460);
    let back = actor.centre().z - start.z;
    let jumped = jumps(&mut actor);
    format!("gap {gap:.6}; walks back {back:.1} m past its start and jumps {jumped:.3} m")
}

fn through_a_gap() -> String {
    let source = stage(&corridor(2.0 * rho(R) + 1e-3));
    let stage_wide = Stage::of(&source);
    let start = v(-4.0 * R, rho(R), 0.2 * R);
    let mut actor = Actor::new(&stage_wide, body(R, 9.81), "stage", start);
    let mut ticks = 0;
    while actor.centre().x < 5.0 && ticks < 900 {
        actor.tick(v(4.0, 0.0, 0.0), false);
        ticks += 1;
    }
    let passes = if actor.centre().x >= 5.0 {
        "passes"
    } else {
        "stuck"
    };
    let half = 0.5 * (2.0 * R - 1e-3);
    let narrow = Stage::of(&stage(&corridor(2.0 * half)));
    let start = v(-4.0 * R, rho(R), 0.0);
    let mut actor = Actor::new(&narrow, body(R, 9.81), "stage", start);
    actor.hold(v(4.0, 0.0, 0.0), 240);
    let off = actor.centre().x + (rho(R) * rho(R) - half * half).sqrt();
    let trembles = trembles(&mut actor, v(4.0, 0.0, 0.0));
    format!(
        "{passes}; stops at x {:.6}, {:.0e} off, then moves {trembles:.0e}",
        actor.centre().x,
        off.abs()
    )
}

fn out_of_the_floor() -> [String; 2] {
    let stage = Stage::of(&stage(&ground(50.0)));
    let start = v(0.3, 0.5 * R, 0.4);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    actor.forgiven_ticks = 10;
    let mut ticks = 0;
    while (actor.gap() - SKIN * R).abs() > 0.1 * SKIN * R && ticks < 100 {
        actor.tick(DVec3::ZERO, false);
        ticks += 1;
    }
    let aside = (actor.centre() - start).with_y(0.0).length();
    let off = (actor.centre().y - rho(R)).abs();
    [
        format!("out in {ticks} tick, {aside:.0e} m aside"),
        format!("k is always 1: {off:.0e} m off rho after {ticks} tick"),
    ]
}

fn on_a_plane() -> String {
    let open = Stage::of(&stage(&ground(50.0)));
    let begun = |depth: f64| {
        let start = v(0.3, -depth, -1.7);
        let mut actor = Actor::new(&open, body(R, 9.81), "stage", start);
        actor.forgiven_ticks = usize::MAX;
        actor.hold(DVec3::ZERO, 60);
        format!("{depth:.0e} m behind y {:.4}", actor.centre().y)
    };
    let shelf = Stage::of(&hall(&block([-9.0, 3.0, -9.0], [9.0, 10.0, 9.0])));
    let put = |depth: f64| match placed(&shelf, R, v(0.3, 10.0 - depth, -1.7)) {
        None => format!("{depth:.0e} m behind refused"),
        Some(mut actor) => {
            actor.hold(DVec3::ZERO, 120);
            format!("{depth:.0e} m behind y {:.4}", actor.centre().y - 10.0)
        }
    };
    let begun = [0.0, 1e-6, 1e-3].map(begun).join(", ");
    let put = [0.0, 1e-6, 1e-3, 0.09].map(put).join(", ");
    format!("a tick begun {begun}; put {put}")
}

fn between_walls() -> String {
    let stage = Stage::of(&stage(&slot(0.5)));
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", v(0.05, rho(R), 0.0));
    actor.forgiven_ticks = usize::MAX;
    actor.hold(DVec3::ZERO, 120);
    let x = actor.centre().x;
    let trembles = trembles(&mut actor, DVec3::ZERO);
    let crushed = actor.why().1;
    let [left, right] = [x, -x].map(|x| R - 0.25 + x);
    format!("{left:.6} and {right:.6} deep, crushed: {crushed}, moves {trembles:.0e}")
}

fn in_funnels() -> String {
    let drop = |plates: usize| {
        let soup = if plates == 2 {
            groove(40.0, 9.0)
        } else {
            funnel(plates, 40.0, 9.0)
        };
        let stage = Stage::of(&stage(&soup));
        let rest = rho(R) / 40.0_f64.to_radians().cos();
        let start = v(0.0, rest + 0.6, 0.0);
        let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
        actor.hold(DVec3::ZERO, 120);
        let airborne = watch(&mut actor, DVec3::ZERO, 60).airborne;
        let jumped = jumps(&mut actor);
        format!("{plates} plates: airborne {airborne}/60 at rest, jumps {jumped:.3} m")
    };
    [2, 3, 4].map(drop).join("; ")
}
