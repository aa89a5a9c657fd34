//! Corners, wedges and walls.

use glam::DVec3;

use super::{R, Seen, jumps, trembles, watch};
use crate::actor::{Actor, Stage, body, rho};
use crate::beams::{INCH, beams};
use crate::corners::acute_corner;
use crate::page::Figure;
use crate::shapes::{block, facing, ground, heading, quad, stage, v, wall};
use crate::wedges::{ceiling_wedge, groove};

pub(super) fn figures() -> Vec<Figure> {
    let [b5, b6] = in_a_groove();
    vec![
        ("B1", in_a_corner(0.0)),
        ("B2", in_a_corner(10.0)),
        (
            "B3",
            [30.0, 10.0].map(|d| under_a_ceiling(d, 0.0)).join("; "),
        ),
        ("B4", under_a_ceiling(30.0, 1.0)),
        ("B5", b5),
        ("B6", b6),
        ("B7", along_a_wall()),
        ("B9", along_a_staircase()),
        ("B10", over_beams()),
        ("B16", against_an_edge()),
        ("B29", down_a_wall()),
        ("B30", down_a_shaft()),
        ("B39", along_a_zig_zag()),
        ("B40", under_a_corner()),
    ]
}

fn in_a_corner(degrees: f64) -> String {
    let stage = Stage::of(&stage(&acute_corner(15.0, 20.0)));
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", v(-5.0, rho(R), 0.0));
    let wish = heading(degrees) * 4.0;
    let Seen { gaps, .. } = watch(&mut actor, wish, 240);
    let end = actor.centre();
    let trembles = trembles(&mut actor, wish);
    format!(
        "x {:.5}, z {:.0e}, y {:.6}, gap ≥ {:.6}; then moves {trembles:.0e}",
        end.x, end.z, end.y, gaps[0]
    )
}

fn under_a_ceiling(degrees: f64, aside: f64) -> String {
    let stage = Stage::of(&stage(&ceiling_wedge(degrees, 50.0)));
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", v(-5.0, rho(R), 0.0));
    let wish = v(4.0, 0.0, aside);
    let seen = watch(&mut actor, wish, 240);
    let end = actor.centre();
    let [least, _] = seen.gaps;
    if aside == 0.0 {
        let trembles = trembles(&mut actor, wish);
        format!(
            "{degrees}°: x {:.5}, y {:.5}, gap ≥ {least:.6}, then moves {trembles:.0e}",
            end.x, end.y
        )
    } else {
        format!("z {:.4}, x {:.5}, gap ≥ {least:.6}", end.z, end.x)
    }
}

fn in_a_groove() -> [String; 2] {
    let stage = Stage::of(&stage(&groove(60.0, 60.0)));
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", v(0.2, 3.0, 0.0));
    actor.hold(DVec3::ZERO, 180);
    let rest = watch(&mut actor, DVec3::ZERO, 60);
    let end = actor.centre();
    let trembles = trembles(&mut actor, DVec3::ZERO);
    let fallen = format!(
        "y {:.5}, x {:.0e}; airborne {} of {} ticks at rest, moves {trembles:.0e}",
        end.y, end.x, rest.airborne, rest.ticks
    );
    let before = actor.centre();
    let seen = watch(&mut actor, v(0.0, 0.0, 4.0), 240);
    let z = actor.centre().z - before.z;
    let run = format!(
        "z {z:.4}, y ≤ {:.5}, airborne {}/240; jumps {:.3} m",
        seen.heights[1],
        seen.airborne,
        jumps(&mut actor)
    );
    [fallen, run]
}

fn along_a_wall() -> String {
    let mut soup = ground(60.0);
    for i in -50..50 {
        let (a, b) = (f64::from(i) * 0.4, f64::from(i + 1) * 0.4);
        soup.extend(wall(v(a, 0., 0.), v(b, 0., 0.), 4.0, v(a, 0., 9.)));
    }
    let stage = Stage::of(&stage(&soup));
    let (mut least, mut aside): (f64, f64) = (f64::INFINITY, 0.0);
    for degrees in [1.0, 10.0, 45.0, 80.0] {
        let start = v(-16.0, rho(R), rho(R));
        let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
        let wish = heading(-degrees) * 4.0;
        actor.hold(wish, 240);
        let moved = actor.centre() - start;
        least = least.min(moved.x / (wish.x * 4.0));
        aside = aside.max(moved.with_x(0.0).length());
    }
    format!("{least:.7} of the way at worst, {aside:.0e} m aside or up")
}

fn along_a_staircase() -> String {
    let mut soup = ground(40.0);
    for i in 0..40 {
        let x = -10.0 + 0.5 * f64::from(i);
        let top = 0.25 * f64::from(i + 1);
        soup.extend(block([x, 0.0, -2.0], [x + 0.5, top, 0.0]));
    }
    let stage = Stage::of(&stage(&soup));
    let (mut least, mut aside): (f64, f64) = (f64::INFINITY, 0.0);
    for degrees in [1.0, 10.0, 45.0, 80.0] {
        let start = v(-6.0, rho(R), rho(R));
        let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
        let wish = heading(-degrees) * 4.0;
        actor.hold(wish, 210);
        let moved = actor.centre() - start;
        least = least.min(moved.x / (wish.x * 3.5));
        aside = aside.max(moved.with_x(0.0).length());
    }
    format!("{least:.7} of the way at worst, {aside:.0e} m aside or up")
}

fn over_beams() -> String {
    let walk = |chamfer: f64| {
        let stage = Stage::of(&stage(&beams(chamfer)));
        let (mut launches, mut fastest, mut highest) = (0, 0.0_f64, 0.0_f64);
        for way in [1.0, -1.0] {
            let start = v(6.0 * INCH - way * 242.0 * INCH, rho(R), -15.0);
            let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
            for _ in 0..120 {
                let before = actor.centre().y;
                actor.tick(v(way * 350.0, 0.0, 20.0) * INCH, false);
                launches += usize::from(actor.state.fall.y > 1e-9);
                fastest = fastest.max((actor.centre().y - before) * 60.0);
                highest = highest.max((actor.centre().y - rho(R)) * 1e3);
            }
        }
        format!(
            "{launches} of 240 ticks; rolls up by {fastest:.2} m/s, {highest:.0} mm over the tops"
        )
    };
    let (flat, chamfered) = (walk(0.0), walk(1.5 * INCH));
    format!("flat: {flat}; chamfered: {chamfered}")
}

fn against_an_edge() -> String {
    let mut soup = ground(50.0);
    soup.extend(block([0.0, 0.0, -1.0], [40.0, 8.0, 40.0]));
    let stage = Stage::of(&stage(&soup));
    let start = v(-3.0, rho(R), -4.0);
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    let wish = v(2.8284, 0.0, 2.8284);
    actor.hold(wish, 240);
    let trembles = trembles(&mut actor, wish);
    let off = actor.centre() - v(0.0, rho(R), -1.0);
    format!(
        "{:.6} m from the edge, then moves {trembles:.0e}",
        off.length()
    )
}

fn down_a_wall() -> String {
    let fall = |degrees: f64| {
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let (up, normal) = (v(cos, sin, 0.0) * 60.0, v(-sin, cos, 0.0));
        let z = DVec3::Z * 60.0;
        let soup = facing(quad(-up - z, z - up, up + z, up - z), normal * 900.0);
        let stage = Stage::of(&stage(&soup));
        let start = normal * rho(R) + up * 0.5;
        let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
        let seen = watch(&mut actor, DVec3::ZERO, 120);
        let part = (start.y - actor.centre().y) / (0.5 * 9.81 * 4.0);
        format!(
            "{degrees}°: {part:.4}, grounded {}/120",
            120 - seen.airborne
        )
    };
    format!("of a free fall {}", [89.9, 90.1].map(fall).join("; "))
}

fn down_a_shaft() -> String {
    let mut worst: f64 = 0.0;
    for half in [2.5, 5.0, 15.0, 30.0] {
        let stop = rho(R) / f64::to_radians(half).sin();
        let stage = Stage::of(&stage(&acute_corner(half, stop + 60.0)));
        let top = 40.0 + rho(R);
        let start = v(-stop - 0.1 * R, top, 0.0);
        let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
        for i in 1..=160 {
            actor.tick(v(4.0, 0.0, 0.0), false);
            let secs = f64::from(i) / 60.0;
            let parabola = top - 0.5 * 9.81 * secs * secs;
            worst = worst.max((actor.centre().y - parabola).abs());
        }
    }
    format!("{worst:.0e} m off the parabola")
}

fn along_a_zig_zag() -> String {
    let mut soup = ground(120.0);
    let mut at = v(-30.0, 0.0, 0.0);
    for i in 0..25 {
        let length = 0.5 + 3.5 * f64::from(i) / 24.0;
        let turn = if i % 2 == 0 { 20.0 } else { -20.0 };
        let next = at + heading(turn) * length;
        soup.extend(wall(at, next, 9.0, at + v(0.0, 0.0, 50.0)));
        at = next;
    }
    let stage = Stage::of(&stage(&soup));
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", v(-29.5, rho(R), 1.6));
    let (mut slowest, mut ticks) = (f64::INFINITY, 0);
    while actor.centre().x < at.x - 2.0 && ticks < 2000 {
        let before = actor.centre().x;
        actor.tick(heading(-30.0) * 4.0, false);
        slowest = slowest.min((actor.centre().x - before) * 60.0);
        ticks += 1;
    }
    format!("past all 25 folds of 20° at 30°, never under {slowest:.2} of 4 m/s")
}

fn under_a_corner() -> String {
    let inside = v(-1.0, 1.0, -1.0);
    let mut soup = ground(50.0);
    soup.extend(wall(v(0., 0., -50.), DVec3::ZERO, 60.0, inside));
    soup.extend(wall(v(-50., 0., 0.), DVec3::ZERO, 60.0, inside));
    let height = 2.0 * rho(R) + 0.3;
    let ceiling = ground(50.0).into_iter().map(|[a, b, c]| [a, c, b]);
    soup.extend(ceiling.map(|t| t.map(|p| p + DVec3::Y * height)));
    let stage = Stage::of(&stage(&soup));
    let start = v(-rho(R), rho(R), -rho(R));
    let mut actor = Actor::new(&stage, body(R, 9.81), "stage", start);
    let wish = heading(45.0) * 4.0;
    actor.hold(wish, 10);
    actor.tick(wish, true);
    let (mut highest, mut ticks) = (0.0_f64, 1);
    while !actor.state.grounded && ticks < 300 {
        highest = highest.max(actor.centre().y);
        actor.tick(wish, false);
        ticks += 1;
    }
    format!(
        "up by {:.6} of 0.3 m, on the floor again after {ticks} ticks",
        highest - rho(R)
    )
}
