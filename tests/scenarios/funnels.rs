//! Funnels of steep plates.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::actor::{body, rho};
use crate::oracle::Corners;
use crate::rng::Rng;
use crate::runs::{for_all, play};
use crate::shapes::{facing, stage, v};

/// `count` plates around the y axis that meet at the origin and rise at `degrees`. Any sphere that rests on the axis
/// touches all of them.
pub(crate) fn funnel(count: usize, degrees: f64, reach: f64) -> Vec<Corners> {
    let angle = degrees.to_radians();
    let half = TAU / count as f64 * 0.5;
    let rim = |i: usize, side: f64| {
        let around = half * (2.0 * i as f64 + side);
        let out = reach * angle.cos() / half.cos();
        v(out * around.cos(), reach * angle.sin(), out * around.sin())
    };
    let plate = |i: usize| [DVec3::ZERO, rim(i, -1.0), rim(i, 1.0)];
    facing((0..count).map(plate).collect(), v(0.0, reach, 0.0))
}

/// Drops a body into a funnel, `off` times its radius away from the axis; it comes to rest, then jumps.
fn drop_and_jump(radius: f64, count: usize, degrees: f64, off: f64) {
    let source = stage(&funnel(count, degrees, 30.0 * radius));
    let rest = rho(radius) / degrees.to_radians().cos();
    let start = v(off * radius, rest + 2.0 * radius, 0.5 * off * radius);
    play(&source, body(radius, 9.81), ("stage", start), |actor| {
        actor.hold(DVec3::ZERO, 300);
        actor.assert_still(DVec3::ZERO);
        actor.assert_gap();
        assert!(actor.state.grounded, "not on the ground");
        if off == 0.0 {
            actor.assert_at(v(0.0, rest, 0.0), 1e-4 * rest);
        }
        let before = actor.centre().y;
        actor.tick(DVec3::ZERO, true);
        let mut highest: f64 = 0.0;
        for _ in 0..60 {
            highest = highest.max(actor.centre().y);
            actor.tick(DVec3::ZERO, false);
        }
        // A body off the axis may touch the plates on its way up.
        let jumped = highest - before;
        assert!(jumped > 0.5 && jumped < 1.003, "jumped {jumped}");
    });
}

fn drops(counts: &[usize]) -> Vec<(f64, usize, f64)> {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for &count in counts {
            for degrees in [20.0, 40.0, 60.0, 75.0] {
                cases.push((radius, count, degrees));
            }
        }
    }
    cases
}

#[test]
fn b36_a_funnel_of_few_plates_holds_a_body_dropped_on_its_axis_and_lets_it_jump() {
    for_all(drops(&[3, 4, 5, 8, 16, 24]), |&(radius, count, degrees)| {
        drop_and_jump(radius, count, degrees, 0.0);
    });
}

#[test]
fn b36_a_funnel_of_few_plates_holds_a_body_dropped_beside_its_axis_and_lets_it_jump() {
    for_all(drops(&[3, 4, 5, 8, 16, 24]), |&(radius, count, degrees)| {
        drop_and_jump(radius, count, degrees, 0.3);
    });
}

#[test]
fn b36_a_funnel_of_very_many_plates_holds_a_body_and_lets_it_jump() {
    for_all(drops(&[32, 64, 200]), |&(radius, count, degrees)| {
        drop_and_jump(radius, count, degrees, 0.0);
        drop_and_jump(radius, count, degrees, 0.3);
    });
}

#[test]
fn b36_nothing_is_thrown_through_a_funnel() {
    throw_into_funnels(&[3, 4, 5, 8, 16, 24]);
}

#[test]
fn b36_nothing_is_thrown_through_a_funnel_of_very_many_plates() {
    throw_into_funnels(&[64, 200]);
}

/// Throws a body back and forth in a closed funnel.
fn throw_into_funnels(counts: &[usize]) {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for &count in counts {
            for degrees in [20.0, 60.0, 85.0] {
                for speed in [1.0, 50.0, 1e4] {
                    cases.push((radius, count, degrees, speed));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, count, degrees, speed): &(f64, usize, f64, f64)| {
            let mut soup = funnel(count, degrees, 30.0 * radius);
            // A lid, so that no body leaves over the edge.
            let rim = soup.iter().map(|&[_, b, c]| [v(0.0, b.y, 0.0), b, c]);
            let lid = facing(rim.collect(), DVec3::ZERO);
            soup.extend(lid);
            let source = stage(&soup);
            let rest = rho(radius) / degrees.to_radians().cos();
            let start = v(0.0, rest + radius, 0.0);
            play(&source, body(radius, 0.0), ("stage", start), |actor| {
                let mut rng = Rng::new(count as u64);
                actor.hold(v(0.0, -speed, 0.0), 60);
                for _ in 0..(1600 / count).clamp(10, 100) {
                    let way = rng.cube().with_y(-rng.unit()) * speed;
                    actor.hold(way, 3);
                }
                actor.hold(v(0.0, -speed, 0.0), 60);
                assert!(actor.centre().y > 0.0, "fell through to {}", actor.centre());
            });
        },
    );
}
