//! Steps and slopes. "Steps on" means steps and snap of 0.4 m and a slope limit of 50 degrees.

use glam::DVec3;
use opendoor::level::Material;
use opendoor::motion::Body;

use super::{R, watch};
use crate::actor::{Actor, Stage, body, rho};
use crate::falls::slope;
use crate::floors::crest;
use crate::page::Figure;
use crate::shapes::{block, facing, ground, quad, stage, stage_of, v};
use crate::steps::{flight, on_ground, walker};

pub(super) fn figures() -> Vec<Figure> {
    vec![
        ("B17", over_a_crest()),
        ("B21", up_the_stairs()),
        ("B22", onto_shelves()),
        ("B23", against_shallow_steps()),
        ("B24", down_the_stairs()),
        ("B25", along_a_low_wall()),
        ("B26", up_slopes()),
        ("B27", on_a_slope()),
        ("B28", down_a_slope()),
    ]
}

/// A body with step settings for which a tick is as long as 60 / `hertz` ordinary ticks, and the factor by which its
/// speeds are greater.
fn paced_walker(hertz: f64) -> (Body, f64) {
    let pace = 60.0 / hertz;
    let mut body = walker(R, 0.4);
    body.gravity *= pace * pace;
    (body, pace)
}

fn over_a_crest() -> String {
    let (soup, top) = crest(0.6_f64.to_degrees());
    let stage = Stage::of(&stage(&soup));
    let mut actor = on_ground(&stage, walker(R, 0.4), v(-1.0, rho(R), 0.0));
    let (mut airborne, mut ticks) = (0, 0);
    while actor.centre().x < top.x + 2.0 && ticks < 600 {
        airborne += watch(&mut actor, v(4.0, 0.0, 0.0), 1).airborne;
        ticks += 1;
    }
    let off = actor.centre().y - top.y - rho(R);
    format!("airborne {airborne} of {ticks} ticks, {off:.0e} m off the top's height")
}

fn up_the_stairs() -> String {
    let stage = Stage::of(&stage(&flight(10, 0.3, 0.3)));
    let climb = |hertz: f64| {
        let (body, pace) = paced_walker(hertz);
        let mut actor = on_ground(&stage, body, v(0.0, rho(R), -1.0));
        let (mut airborne, mut stops, mut ticks) = (0, 0, 0.0);
        while actor.centre().y < 3.0 + rho(R) - 1e-6 && ticks < 1e4 {
            let before = actor.centre().z;
            actor.tick(v(0.0, 0.0, 4.0 * pace), false);
            ticks += 1.0;
            airborne += usize::from(!actor.state.grounded);
            stops += usize::from(actor.centre().z <= before);
        }
        let ratio = ticks / hertz / ((actor.centre().z + 1.0) / 4.0);
        format!("{hertz} Hz: airborne {airborne}, stops {stops}, {ratio:.3} of the ideal time")
    };
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", v(0.0, rho(R), -1.0));
    actor.hold(v(0.0, 0.0, 4.0), 240);
    let without = actor.centre().z;
    let with = [60.0, 120.0, 240.0, 360.0].map(climb).join("; ");
    format!("steps off z {without:.5}; {with}")
}

fn onto_shelves() -> String {
    let climb = |height: f64| {
        let mut soup = ground(50.0);
        soup.extend(block([-3.0, -0.5, 0.0], [3.0, height, 40.0]));
        let stage = Stage::of(&stage(&soup));
        let at_speed = |speed: f64| {
            let start = v(0.0, rho(R), -rho(R) - 0.05);
            let mut actor = on_ground(&stage, walker(R, 0.4), start);
            actor.hold(v(0.0, 0.0, speed), (1.0 / speed * 60.0) as usize + 10);
            let climbed = actor.centre().y > rho(R) + 0.5 * height;
            if climbed { "climbed" } else { "blocks" }
        };
        let said = [0.06, 4.0, 30.0].map(at_speed);
        format!("{height}: {}", said.join(", "))
    };
    let all = [0.3, 0.31, 0.41].map(climb).join("; ");
    format!("at 0.06, 4, 30 m/s, {all}")
}

fn against_shallow_steps() -> String {
    let stage = Stage::of(&stage(&flight(10, 0.3, 0.05)));
    let mut actor = on_ground(&stage, walker(R, 0.4), v(0.0, rho(R), -1.0));
    let seen = watch(&mut actor, v(0.0, 0.0, 4.0), 240);
    let end = actor.centre();
    format!(
        "z {:.5}, rises by {:.0e} m",
        end.z,
        seen.heights[1] - rho(R)
    )
}

fn down_the_stairs() -> String {
    let stage = Stage::of(&stage(&flight(10, 0.3, 0.3)));
    let mut actor = on_ground(&stage, walker(R, 0.4), v(0.0, 3.0 + rho(R), 4.0));
    let seen = watch(&mut actor, v(0.0, 0.0, -4.0), 150);
    let y = actor.centre().y - 3.0;
    format!("grounded {}/150, y {y:.5}", 150 - seen.airborne)
}

fn along_a_low_wall() -> String {
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for height in [0.3, 0.41, 3.0] {
        let mut soup = ground(50.0);
        soup.extend(block([-20.0, -0.5, -20.0], [20.0, height, 0.0]));
        let stage = Stage::of(&stage(&soup));
        for hertz in [60.0, 120.0, 240.0, 360.0] {
            let (body, pace) = paced_walker(hertz);
            let mut actor = on_ground(&stage, body, v(-3.0, rho(R), rho(R)));
            actor.hold(v(5.0, 0.0, -1.0) * pace, hertz as usize);
            let x = actor.centre().x + 3.0;
            (least, most) = (least.min(x), most.max(x));
        }
    }
    format!("x {least:.6} to {most:.6} for walls of 0.3, 0.41, 3 m")
}

fn up_slopes() -> String {
    let (mut worst, mut rises) = (0.0_f64, Vec::new());
    for degrees in [5.0, 15.0, 25.0, 35.0, 45.0, 55.0, 65.0, 75.0] {
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let stage = Stage::of(&stage(&slope(degrees)));
        let start = v(-sin, cos, 0.0) * rho(R);
        let wish = v(2.0, 0.0, 0.0);
        let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
        actor.hold(wish, 90);
        let slip = (9.81 * (sin - 0.7 * cos)).max(0.0) * 0.5 * 1.5 * 1.5;
        let expected = start + v(cos, sin, 0.0) * (2.0 * cos * 1.5 - slip);
        worst = worst.max((actor.centre() - expected).length());
        if degrees > 50.0 {
            let mut actor = Actor::new(&stage, walker(R, 0.4), "stage", start);
            rises.push(watch(&mut actor, wish, 90).heights[1] - start.y);
        }
    }
    let begun_on_it = rises.iter().map(|rise| format!("{rise:.3}"));
    let begun_on_it = begun_on_it.collect::<Vec<_>>().join(", ");
    let [walked, jumped] = [false, true].map(|jumps| up_from_the_floor(55.0, 0.7, jumps));
    let held = up_from_the_floor(55.0, 2.0, true);
    format!(
        "steps off {worst:.0e} m off; steps on, up 55° from the floor {walked:.0e} m at 6 m/s, \
         jumping each second {jumped:.2} m, of friction 2 {held:.1} m; begun on 55°, 65°, 75° at 2 m/s {begun_on_it} m"
    )
}

/// The greatest height that a body with step settings reaches in ten seconds on a slope at the end of a floor, metres.
fn up_from_the_floor(degrees: f64, friction: f64, jumps: bool) -> f64 {
    let (sin, cos) = f64::to_radians(degrees).sin_cos();
    let (side, along) = (v(20.0, 0.0, 0.0), v(0.0, sin, cos) * 40.0);
    let mut soup = ground(50.0);
    let sheet = quad(-side, side, side + along, along - side);
    soup.extend(facing(sheet, v(0.0, 100.0, 0.0)));
    let material = Material {
        friction,
        ..Material::default()
    };
    let stage = Stage::of(&stage_of(&soup, material));
    let mut actor = on_ground(&stage, walker(R, 0.4), v(0.0, rho(R), -2.0));
    (0..600).fold(0.0, |highest: f64, i| {
        actor.tick(v(0.0, 0.0, 6.0), jumps && i % 60 == 20);
        highest.max(actor.centre().y - rho(R))
    })
}

fn on_a_slope() -> String {
    let material = Material {
        friction: 1.01,
        ..Material::default()
    };
    let stage = Stage::of(&stage_of(&slope(45.0), material));
    let drift = |body: Body| {
        let start = v(-1.0, 1.0, 0.0) * (0.5_f64.sqrt() * rho(R));
        let mut actor = Actor::new(&stage, body, "stage", start);
        actor.hold(DVec3::ZERO, 3600);
        (actor.centre() - start).length()
    };
    let (without, with) = (drift(body(R, 9.81)), drift(walker(R, 0.4)));
    format!(
        "drifts {without:.0e} m with steps off, {with:.0e} with steps on, in 60 s (friction 1.01)"
    )
}

fn down_a_slope() -> String {
    let (top, side) = (v(0.0, 10.0, 0.0), v(20.0, 0.0, 0.0));
    let foot = v(0.0, 0.0, 10.0);
    let mut soup = ground(50.0);
    let sheet = quad(top - side, top + side, foot + side, foot - side);
    soup.extend(facing(sheet, v(0.0, 100.0, 0.0)));
    let material = Material {
        friction: 1.01,
        ..Material::default()
    };
    let stage = Stage::of(&stage_of(&soup, material));
    let start = v(0.0, 9.0, 1.0) + v(0.0, 1.0, 1.0) * (0.5_f64.sqrt() * rho(R));
    let descend = |body: Body| {
        let mut actor = Actor::new(&stage, body, "stage", start);
        actor.hold(DVec3::ZERO, 2);
        let (mut worst, mut first) = (0.0_f64, None);
        for i in 1..=20 {
            let before = actor.centre();
            actor.tick(v(0.0, 0.0, 10.0), false);
            let step = actor.centre() - before;
            worst = worst.max((step.y + step.z).abs());
            if !actor.state.grounded && first.is_none() {
                first = Some(i);
            }
        }
        (worst, first)
    };
    let (snapped, free) = (descend(walker(R, 0.4)), descend(body(R, 9.81)));
    let said = |first: Option<i32>| {
        first.map_or("never airborne".to_owned(), |i| {
            format!("airborne at tick {i}")
        })
    };
    format!(
        "steps on dy + dx ≤ {:.0e}, {}; steps off, {}",
        snapped.0,
        said(snapped.1),
        said(free.1)
    )
}
