//! Bodies that lie over the rim of a slow turntable.

use std::f64::consts::TAU;

use opendoor::author::sketch::Sketch;
use opendoor::glam::DVec3;
use opendoor::level::{Cycle, Drive, StartedBy, Track};
use opendoor::rng::Rng;
use opendoor::source::BodyShape;

use crate::hall::{add, crate_at, hall};
use crate::movers::{Stage, add_mover};

/// The turntable, a square plate of two metres, and a wide box that drops onto its rim.
fn box_over_the_rim(rng: &mut Rng) -> Sketch {
    let mut sketch = hall(DVec3::new(8.0, 4.0, 8.0));
    let drive = Drive {
        ticks: 1500,
        cycle: Cycle::Loop,
        started_by: StartedBy::Trigger,
        ..Drive::default()
    };
    let track = Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle: TAU,
    };
    let plate = crate_at(DVec3::Y * 0.05, DVec3::new(1.0, 0.05, 1.0));
    add_mover(&mut sketch, plate, track, drive);
    let half = DVec3::new(
        rng.between(0.6, 1.1),
        rng.between(0.1, 0.3),
        rng.between(0.6, 1.1),
    );
    let [x, z] = [0; 2].map(|_| rng.between(-0.9, 0.9));
    let centre = DVec3::new(x, 0.1 + half.y + rng.between(0.0, 0.05), z);
    add(
        &mut sketch,
        "box",
        BodyShape::Box,
        crate_at(centre, half),
        0.3,
        0.0,
    );
    sketch
}

/// No box moves farther in a tick than its fall and the turntable explain. In a random world a box of two metres jumped by
/// more than a metre: the contact with the upper edge of the turntable had the normal of its side. These simpler scenes
/// did not jump then either.
#[test]
fn a_box_that_lies_over_the_rim_of_a_turntable_does_not_jump() {
    for seed in 0..60 {
        let mut stage = Stage::new(box_over_the_rim(&mut Rng::new(seed)));
        let mut last = stage.at(0);
        for tick in 0..240 {
            stage.ticks(1);
            let way = stage.at(0).distance(last);
            assert!(way < 0.05, "seed {seed}, tick {tick}: {way} m");
            last = stage.at(0);
        }
    }
}
