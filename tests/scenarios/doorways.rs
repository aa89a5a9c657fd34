//! Openings with jambs, doors, and obstacles in the openings.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::LinkId;
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage, body, rho};
use crate::oracle::Soup;
use crate::rng::Rng;
use crate::runs::{assert_same_track, for_all, play};
use crate::shapes::{block, both_sides, facing, heading, quad, v};

/// Rooms `a` (x < -0.2) and `b` (x > 0.2) and a doorway through the wall between them, `width` wide, with the portal at
/// x = `portal`. `owner` selects the rooms of the reveal's triangles: bit 0 for `a`, bit 1 for `b`.
pub(crate) fn doorway(width: f64, portal: f64, mut owner: impl FnMut() -> usize) -> LevelSource {
    let mut sketch = Sketch::new("doorway");
    let half = 0.5 * width;
    let opening = |x: f64| cuboid([x, 0., -half], [x, 4.5, half]);
    let a = sketch.box_room(
        "a",
        cuboid([-9., 0., -5.], [-0.2, 5., 5.]),
        &[opening(-0.2)],
    );
    let b = sketch.box_room("b", cuboid([0.2, 0., -5.], [9., 5., 5.]), &[opening(0.2)]);
    let corner = |x: f64, y: f64, z: f64| v(0.2 * x, 2.25 + 2.25 * y, half * z);
    let ring = [(-1., -1.), (-1., 1.), (1., 1.), (1., -1.)];
    let mut reveal = Vec::new();
    for i in 0..4 {
        let ((y, z), (y2, z2)) = (ring[i], ring[(i + 1) % 4]);
        reveal.extend(quad(
            corner(-1., y, z),
            corner(1., y, z),
            corner(1., y2, z2),
            corner(-1., y2, z2),
        ));
    }
    for triangle in facing(reveal, v(0.0, 2.25, 0.0)) {
        let owner = owner();
        for (bit, room) in [(1, a), (2, b)] {
            if owner & bit != 0 {
                sketch.mesh(room, 0, &[triangle]);
            }
        }
    }
    sketch.portal(a, "b", opening(portal), DVec3::X);
    sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
    sketch.source
}

#[test]
fn c8_a_door_reveal_is_the_same_whichever_room_its_triangles_belong_to() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 0.55] {
        for portal in [-0.2, -0.1, 0.0, 0.2] {
            for (degrees, side) in [(0.0, 0.0), (0.0, 0.5), (30.0, -2.0), (-50.0, 1.0)] {
                for speed in [4.0, 700.0] {
                    cases.push((radius, portal, degrees, side, speed));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, portal, degrees, side, speed): &(f64, f64, f64, f64, f64)| {
            let start = v(-2.0, rho(radius), side);
            let track = |owner: &mut dyn FnMut() -> usize| {
                let stage = Stage::of(&doorway(1.2, portal, owner));
                let mut actor = Actor::new(&stage, body(radius, 9.81), "a", start);
                for i in 0..180 {
                    let back = if i < 110 { 1.0 } else { -1.0 };
                    actor.tick(heading(degrees) * (speed * back), i == 40);
                }
                actor.track
            };
            let in_both = track(&mut || 3);
            for seed in 0..6 {
                let mut rng = Rng::new(seed);
                let other = match seed {
                    0 => track(&mut || 1),
                    1 => track(&mut || 2),
                    _ => track(&mut || 1 + rng.below(3)),
                };
                assert_same_track(&in_both, &other, &format!("owners {seed}"));
            }
        },
    );
}

#[test]
fn c2_c12_a_body_leans_through_an_opening_smaller_than_itself_and_feels_the_solids_behind_it() {
    let mut cases = Vec::new();
    for radius in [0.3, 0.6, 2.0] {
        for width in [0.1, 0.4] {
            for pillar in [0.001, 0.01, 0.03, 0.5] {
                for speed in [4.0, 1e3] {
                    for side in [0.0, 0.02] {
                        cases.push((radius, width, pillar, speed, side));
                    }
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, width, pillar, speed, side): &(f64, f64, f64, f64, f64)| {
            let half = 0.5 * width;
            let at_jambs = -(rho(radius).powi(2) - half * half).sqrt();
            let at_pillar = pillar - rho(radius);
            // Coming to rest at two jambs from the side is another scenario (b32).
            if side != 0.0 && (at_jambs < at_pillar || speed > 4.0) {
                return;
            }
            let mut sketch = Sketch::new("slit");
            let opening = cuboid([0., 0., -half], [0., 5., half]);
            let a = sketch.box_room("a", cuboid([-9., 0., -5.], [0., 5., 5.]), &[opening]);
            let b = sketch.box_room("b", cuboid([0., 0., -5.], [9., 5., 5.]), &[opening]);
            sketch.mesh(b, 0, &block([pillar, 0.0, -4.0], [2.0, 4.0, 4.0]));
            sketch.portal(a, "b", opening, DVec3::X);
            sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
            let start = v(-3.0 * radius, rho(radius), side);
            play(&sketch.source, body(radius, 9.81), ("a", start), |actor| {
                let wish = v(speed, 0.0, 0.0);
                actor.hold(wish, 240);
                assert!(
                    (actor.centre().x - at_jambs.min(at_pillar)).abs() < 1e-5,
                    "{} instead of {}",
                    actor.centre(),
                    at_jambs.min(at_pillar)
                );
                assert_eq!(actor.room(), "a");
                actor.assert_still(wish);
                actor.assert_gap();
            });
        },
    );
}

/// Rooms `a` and `b` of 10 m with an opening of 2 x 3 m at x = 0 in a wall without thickness.
pub(crate) fn gate(length: f64) -> LevelSource {
    let mut sketch = Sketch::new("gate");
    let opening = cuboid([0., 0., -1.], [0., 3., 1.]);
    let a = sketch.box_room("a", cuboid([-length, 0., -5.], [0., 5., 5.]), &[opening]);
    sketch.box_room("b", cuboid([0., 0., -5.], [length, 5., 5.]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-0.5 * length, 1., 0.), DVec3::X);
    sketch.source
}

/// The closed opening of [`gate`] as a solid.
pub(crate) fn shut_gate() -> Soup {
    Soup::new(both_sides(&quad(
        v(0., 0., -1.),
        v(0., 3., -1.),
        v(0., 3., 1.),
        v(0., 0., 1.),
    )))
}

#[test]
fn c13_a_gate_that_shuts_on_a_body_pushes_it_out_and_keeps_it_in_the_level() {
    shut_on_a_body(&[1e-12, -1e-12, 1e-3, -0.3, 0.7, -0.99]);
}

#[test]
fn c13_a_gate_that_shuts_on_a_body_whose_centre_is_in_its_plane_keeps_it_in_the_level() {
    shut_on_a_body(&[0.0]);
}

/// Closes the gate on bodies whose centres are beyond the gate by these multiples of their radii.
fn shut_on_a_body(offs: &[f64]) {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 0.7] {
        for &off in offs {
            // At an arbitrary position, in the middle, and on the diagonals of the opening at the body's height.
            for side in [
                0.2,
                0.0,
                1.0 - 2.0 * rho(radius) / 3.0,
                2.0 * rho(radius) / 3.0 - 1.0,
            ] {
                for way in [0.0, 4.0, -4.0] {
                    cases.push((radius, off, side, way));
                }
            }
        }
    }
    for_all(cases, |&(radius, off, side, way): &(f64, f64, f64, f64)| {
        let side = side.clamp(-1.0 + rho(radius), 1.0 - rho(radius));
        let x = off * radius;
        let room = if off <= 0.0 { "a" } else { "b" };
        play(
            &gate(10.0),
            body(radius, 9.81),
            (room, v(x, rho(radius), side)),
            |actor| {
                actor.close(LinkId(0));
                actor.extra = shut_gate();
                actor.forgiven_ticks = 3;
                actor.hold(v(way, 0.0, 0.0), 3);
                let room = actor.room();
                for _ in 0..120 {
                    actor.tick(v(way, 0.0, 0.3), false);
                    actor.tick(v(-way, 0.0, -0.2), false);
                    assert_eq!(actor.room(), room);
                }
                let inside = if room == "a" {
                    actor.centre().x < 0.0
                } else {
                    actor.centre().x > 0.0
                };
                assert!(inside, "in {room} at {}", actor.centre());
                assert!((actor.centre().y - rho(radius)).abs() < 1e-6);
                // After the gate opens again the body passes through.
                actor.world.open(LinkId(0));
                actor.extra = Soup::new([]);
                let through = if room == "a" { 4.0 } else { -4.0 };
                let aim = -actor.centre().z;
                actor.hold(v(0.0, 0.0, aim), 60);
                actor.hold(v(through, 0.0, 0.0), 240);
                assert_ne!(actor.room(), room);
            },
        );
    });
}

#[test]
fn c13_a_gate_that_shuts_on_a_fast_body_does_not_throw_it_into_a_wall() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 0.7] {
        for off in [-0.001, -0.5, -0.9] {
            for speed in [1000.0, 60.0, 4.0] {
                for more in [0.1, 0.3, 0.5] {
                    cases.push((radius, off, speed, more));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, off, speed, more): &(f64, f64, f64, f64)| {
            // The far wall is just outside of the bounds that the motion would have without the push.
            let length = speed / 60.0 + rho(radius) + more * radius - off * radius;
            if length < 2.1 * rho(radius) {
                return;
            }
            let start = v(off * radius, rho(radius), 0.1);
            play(&gate(length), body(radius, 9.81), ("a", start), |actor| {
                actor.close(LinkId(0));
                actor.extra = shut_gate();
                actor.forgiven_ticks = 1;
                actor.tick(v(-speed, 0.0, 0.0), false);
                assert!(actor.gap() > 0.0, "gap {}", actor.gap());
                assert!(actor.centre().x > -length, "out at {}", actor.centre());
            });
        },
    );
}
