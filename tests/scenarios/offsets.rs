//! Far from the origin.

use glam::DVec3;
use opendoor::author::sketch::Sketch;
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage, body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{add_lobby, block, ground, heading, moved, v, wall};

/// A stage authored at `offset`.
pub(crate) fn stage_at(soup: &[Corners], offset: DVec3) -> LevelSource {
    let mut sketch = Sketch::new("far");
    let stage = sketch.room("stage");
    sketch.mesh(stage, 0, &moved(soup, offset));
    add_lobby(&mut sketch, offset - DVec3::Y * 90.0);
    sketch.source
}

pub(crate) fn corner() -> Vec<Corners> {
    let mut soup = ground(32.0);
    for side in [165.0, 195.0] {
        soup.extend(wall(DVec3::ZERO, heading(side) * 20.0, 8.0, -DVec3::X));
    }
    soup
}

#[test]
fn b18_a_corner_far_away_stops_the_body_at_the_same_place() {
    let mut cases = Vec::new();
    for exponent in [3, 4, 5, 6, 7] {
        for way in [v(1., 0., 0.), v(-1., 1., 0.3), v(0.1, -1., 1.)] {
            for radius in [0.05, 0.3, 2.0] {
                cases.push((way * 10.0_f64.powi(exponent), radius));
            }
        }
    }
    for_all(cases, |&(offset, radius): &(DVec3, f64)| {
        let stop = rho(radius) / 15.0_f64.to_radians().sin();
        let start = offset + v(-stop - 2.0, rho(radius) + 1e-3, 0.0);
        let wish = v(4.0, 0.0, 0.0);
        play(
            &stage_at(&corner(), offset),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.hold(wish, 200);
                actor.assert_at(offset + v(-stop, rho(radius), 0.0), 1e-4);
                actor.assert_still(wish);
                actor.assert_gap();
            },
        );
    });
}

/// Polygons at both ends of a very large level, so that its middle is far from the body. Then not only the author's
/// coordinates are large, but also the level's own.
fn with_far_end(soup: &[Corners], far: DVec3) -> LevelSource {
    let mut sketch = Sketch::new("large");
    let stage = sketch.room("stage");
    sketch.mesh(stage, 0, soup);
    let end = sketch.room("end");
    sketch.mesh(end, 0, &moved(&ground(8.0), far));
    add_lobby(&mut sketch, v(0.0, -90.0, 0.0));
    sketch.source
}

#[test]
fn b18_in_a_level_of_20_km_the_far_end_is_as_good_as_the_middle() {
    // Multiples of 1/16 m are exact in f32 up to 1e6 m.
    let mut soup = ground(32.0);
    soup.extend(block([2.0, 0.0, -10.0], [4.0, 3.0, 0.0625]));
    soup.extend(block([0.0, 0.0, 1.0], [8.0, 5.0, 1.5]));
    for radius in [0.05, 0.3, 2.0] {
        for far in [
            v(20_480., 0., 0.),
            v(-20_480., 1024., 40_960.),
            v(65_536., 0., 65_536.),
        ] {
            let track = |source: &LevelSource| {
                let stage = Stage::of(source);
                let start = v(-4.0 - radius, rho(radius), -0.3);
                let mut actor = Actor::new(&stage, body(radius, 9.81), "stage", start);
                (0..400)
                    .map(|i| {
                        actor.tick(heading(f64::from(i) * 0.5) * 4.0, i % 50 == 3);
                        actor.centre()
                    })
                    .collect::<Vec<_>>()
            };
            let near = track(&with_far_end(&soup, v(64.0, 0.0, 0.0)));
            for (i, (a, b)) in near
                .iter()
                .zip(track(&with_far_end(&soup, far)))
                .enumerate()
            {
                assert!((*a - b).length() < 1e-6, "{radius} {far} tick {i}: {a} {b}");
            }
        }
    }
}
