//! Random tracks and sizes of movers, and random bodies.

use glam::{DMat3, DQuat, DVec3};
use opendoor::game::PLAYER;
use opendoor::level::{Cycle, Drive, Track, TrackKey, WhenBlocked};
use opendoor::motion::{Body, StepSettings};

use crate::rng::Rng;

pub(super) fn vector(rng: &mut Rng, low: DVec3, high: DVec3) -> DVec3 {
    low + (high - low) * (rng.cube() * 0.5 + 0.5)
}

pub(super) fn log_between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    (rng.between(low.ln(), high.ln())).exp()
}

pub(super) fn direction(rng: &mut Rng) -> DVec3 {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    match rng.below(5) {
        0 => DVec3::Y,
        1 | 2 => axes[rng.below(3)],
        _ => rng.cube().normalize_or(DVec3::Z),
    }
}

/// A random track for a mover around `middle`, and its approximate length, metres.
pub(super) fn track(rng: &mut Rng, middle: DVec3) -> (Track, f64) {
    let near = middle + rng.cube();
    match rng.below(5) {
        0 | 1 => {
            let by = direction(rng) * rng.between(-4.0, 4.0);
            (Track::Slide(by), by.length())
        }
        2 | 3 => {
            let angle = [1.57, -1.9, std::f64::consts::TAU, -3.0, 0.4, 13.0][rng.below(6)];
            let axis = direction(rng);
            let turn = Track::Turn {
                pivot: near,
                axis,
                angle,
            };
            (turn, 2.0 * angle.abs())
        }
        _ => {
            let count = 2 + rng.below(4);
            let mut keys = vec![TrackKey {
                part: 0.0,
                pivot: near,
                offset: DVec3::ZERO,
                rotation: DQuat::IDENTITY,
            }];
            for i in 1..count {
                let turn = DMat3::from_axis_angle(direction(rng), rng.between(-2.0, 2.0));
                keys.push(TrackKey {
                    part: i as f64 / (count - 1) as f64,
                    pivot: near,
                    offset: rng.cube() * 2.0,
                    rotation: DQuat::from_mat3(&turn),
                });
            }
            (Track::Keys(keys), 4.0 * count as f64)
        }
    }
}

pub(super) fn drive(rng: &mut Rng, length: f64) -> Drive {
    let speed = log_between(rng, 0.02, 100.0);
    let ticks = (60.0 * length / speed).clamp(1.0, 1e6) as u32;
    Drive {
        ticks,
        first_tick: if rng.below(3) > 0 {
            0
        } else {
            rng.below(ticks as usize + 1) as u32
        },
        cycle: [
            Cycle::Call,
            Cycle::Return,
            Cycle::Shuttle,
            Cycle::Loop,
            Cycle::Once,
        ][rng.below(5)],
        wait_ticks: rng.below(20) as u32,
        when_blocked: [WhenBlocked::Reverse, WhenBlocked::Wait, WhenBlocked::Crush][rng.below(3)],
        surface_velocity: if rng.below(6) == 0 {
            (rng.cube() * 5.0).with_y(0.0)
        } else {
            DVec3::ZERO
        },
        ..Drive::default()
    }
}

/// A random size of a mover's box: blocks, plates of 1 mm, long panels.
pub(super) fn size(rng: &mut Rng) -> DVec3 {
    let mut size = vector(rng, DVec3::splat(0.2), DVec3::new(2.0, 2.0, 2.0));
    let thin = rng.below(3);
    match rng.below(3) {
        0 => {}
        1 => size[thin] = 0.001,
        _ => {
            size[thin] = 0.06;
            size[(thin + 1) % 3] = 5.0;
        }
    }
    size
}

pub(super) fn body(rng: &mut Rng) -> Body {
    let radius = log_between(rng, 0.05, 0.6);
    let shape = rng.below(3);
    Body {
        radius,
        segment_length: if shape == 0 {
            0.0
        } else {
            rng.between(0.2, 4.0) * radius
        },
        step_settings: if shape == 2 {
            StepSettings {
                max_drop: [f64::INFINITY, 0.3][rng.below(2)],
                ..PLAYER.step_settings
            }
        } else {
            StepSettings::OFF
        },
        ..PLAYER
    }
}
