//! Bodies that start inside of geometry.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::AuthorPoint;
use opendoor::motion::{State, Workspace, place};
use opendoor::source::LevelSource;

use crate::actor::{Actor, Stage, body, rho};
use crate::oracle::Corners;
use crate::runs::{for_all, play};
use crate::shapes::{block, ground, heading, stage, v, wall};

/// A closed hall of 40 x 40 x 40 m with its floor at y = 0, and with the triangles `soup`.
pub(crate) fn hall(soup: &[Corners]) -> LevelSource {
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([-20., 0., -20.], [20., 40., 20.]), &[]);
    if !soup.is_empty() {
        sketch.mesh(hall, 0, soup);
    }
    sketch.spawn(hall, v(15.0, 30.0, 15.0), DVec3::X);
    sketch.source
}

/// A body placed with its centre at `centre`, and pushed out of overlapping geometry.
pub(crate) fn placed<'a>(stage: &'a Stage, radius: f64, centre: DVec3) -> Option<Actor<'a>> {
    let mut actor = Actor::new(stage, body(radius, 9.81), "hall", centre);
    let feet = stage.level.from_author(AuthorPoint(centre)) - DVec3::Y * radius;
    let state: State = place(
        &actor.world(),
        &actor.body,
        None,
        feet,
        false,
        &mut Workspace::default(),
    )?;
    actor.state = state;
    Some(actor)
}

#[test]
fn b33_b37_a_body_deep_in_the_floor_is_out_in_one_tick_straight_up() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for depth in [0.001, 0.25, 0.5, 0.9, 0.999] {
            for wish in [v(0.0, 0.0, 0.0), v(4.0, 0.0, 1.0)] {
                cases.push((radius, depth, wish));
            }
        }
    }
    for_all(cases, |&(radius, depth, wish): &(f64, f64, DVec3)| {
        let start = v(0.3, radius * (1.0 - depth), 0.4);
        play(
            &stage(&ground(50.0)),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.forgiven_ticks = 1;
                actor.tick(wish, false);
                actor.assert_at(v(start.x, rho(radius), start.z) + wish / 60.0, 1e-9);
                actor.hold(wish, 60);
                actor.assert_gap();
            },
        );
    });
}

#[test]
fn b34_a_body_put_on_or_just_behind_a_surface_comes_out_in_front_of_it() {
    // Points on a floor (its diagonal, its middle), on a block in a hall, on its side, on a wall, on a ceiling; each
    // with the direction to the front.
    let surfaces = [
        (v(1.0, 0.0, 1.0), DVec3::Y),
        (v(0.3, 0.0, -11.7), DVec3::Y),
        (v(0.0, 10.0, 0.0), DVec3::Y),
        (v(2.0, 10.0, -1.3), DVec3::Y),
        (v(9.0, 7.5, 1.3), DVec3::X),
        (v(20.0, 16.5, 1.3), DVec3::NEG_X),
        (v(3.0, 40.0, 1.3), DVec3::NEG_Y),
    ];
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        // Depths as fractions of the radius, and in metres.
        let metres = [1e-6, 1e-3, 0.01, 0.04, 0.09];
        let parts = [0.0, 1e-12, 0.3, 0.99].map(|part| part * radius);
        for behind in parts.into_iter().chain(metres) {
            for surface in surfaces {
                cases.push((radius, behind, surface));
            }
        }
    }
    let shelf = block([-9.0, 5.0, -9.0], [9.0, 10.0, 9.0]);
    let stage = Stage::of(&hall(&shelf));
    for_all(
        cases,
        |&(radius, behind, (at, front)): &(f64, f64, (DVec3, DVec3))| {
            let put = placed(&stage, radius, at - front * behind);
            // The correct side of a body deeper inside is not defined.
            if behind > radius {
                assert!(put.is_none());
                return;
            }
            let mut actor = put.unwrap();
            actor.assert_at(at + front * rho(radius), 1e-6);
            actor.hold(DVec3::ZERO, 120);
            if front == DVec3::Y {
                actor.assert_at(at + front * rho(radius), 1e-6);
                assert!(actor.state.grounded);
            }
        },
    );
}

#[test]
fn b34_a_tick_that_begins_inside_a_face_ends_in_front_of_it() {
    begin_on_the_ground(&[(0.3, -1.7), (2.0, 0.0), (-40.0, 3.0)]);
}

#[test]
fn b34_a_tick_that_begins_on_an_edge_in_a_floor_ends_in_front_of_it() {
    // Points on the ground's diagonal.
    begin_on_the_ground(&[(1.0, 1.0), (0.0, 0.0), (-7.5, -7.5)]);
}

/// Begins with the body's centre in the plane of the ground.
fn begin_on_the_ground(places: &[(f64, f64)]) {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for &(x, z) in places {
            cases.push((radius, x, z));
        }
    }
    for_all(cases, |&(radius, x, z): &(f64, f64, f64)| {
        play(
            &stage(&ground(50.0)),
            body(radius, 9.81),
            ("stage", v(x, 0.0, z)),
            |actor| {
                actor.forgiven_ticks = 2;
                actor.hold(DVec3::ZERO, 60);
                actor.assert_at(v(x, rho(radius), z), 1e-6);
            },
        );
    });
}

/// Two walls that face each other, `width` apart, around x = 0.
pub(crate) fn slot(width: f64) -> Vec<Corners> {
    let mut soup = ground(3e3);
    for side in [-0.5, 0.5] {
        let x = side * width;
        soup.extend(wall(v(x, 0.0, -2e3), v(x, 0.0, 2e3), 20.0, DVec3::ZERO));
    }
    soup
}

#[test]
fn b35_a_body_put_between_walls_too_narrow_for_it_comes_to_the_middle() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for part in [0.7, 5.0 / 6.0, 0.99] {
            for off in [0.0, 0.1, -0.4] {
                cases.push((radius, part, off));
            }
        }
    }
    for_all(cases, |&(radius, part, off): &(f64, f64, f64)| {
        let width = 2.0 * radius * part;
        let start = v(off * width, rho(radius), 0.0);
        play(
            &stage(&slot(width)),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.forgiven_ticks = usize::MAX;
                actor.hold(DVec3::ZERO, 120);
                let x = actor.centre().x;
                assert!(
                    x.abs() < 0.01 * radius,
                    "{:.4} m deep in one wall, {:.4} in the other",
                    radius - 0.5 * width + x,
                    radius - 0.5 * width - x
                );
                actor.assert_still(DVec3::ZERO);
                let (blockers, crushed) = actor.why();
                assert!(crushed);
                for side in [DVec3::X, DVec3::NEG_X] {
                    assert!(blockers.iter().any(|b| b.normal == side), "{blockers:?}");
                }
            },
        );
    });
}

#[test]
fn b35_between_walls_that_leave_no_room_for_the_gap_nothing_is_touched() {
    for radius in [0.05, 0.3, 2.0] {
        for spare in [1e-5, 0.005, 0.0099] {
            let width = 2.0 * radius * (1.0 + spare);
            let level = Stage::of(&stage(&slot(width)));
            for off in [0.0, 0.3, -0.4] {
                let start = v(off * 2.0 * radius * spare, rho(radius), 0.0);
                let mut actor = Actor::new(&level, body(radius, 9.81), "stage", start);
                // Every piece of the body's path is checked.
                actor.hold(DVec3::ZERO, 60);
                actor.hold(v(0.0, 0.0, 2.0), 60);
                assert!(actor.centre().x.abs() < 1e-3 * radius, "{}", actor.centre());
            }
        }
    }
}

#[test]
fn b35_a_body_stuck_between_walls_can_walk_out_along_them_but_not_through_them() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 2.0] {
        for part in [0.7, 0.99] {
            for speed in [4.0, 1e3] {
                cases.push((radius, part, speed));
            }
        }
    }
    for_all(cases, |&(radius, part, speed): &(f64, f64, f64)| {
        let width = 2.0 * radius * part;
        let start = v(0.1 * width, rho(radius), 0.0);
        play(
            &stage(&slot(width)),
            body(radius, 9.81),
            ("stage", start),
            |actor| {
                actor.forgiven_ticks = usize::MAX;
                for way in [v(1.0, 0.0, 0.0), v(-1.0, 0.0, 0.0), v(0.7, 0.0, 0.1)] {
                    actor.hold(way * speed, 60);
                    assert!(
                        actor.centre().x.abs() < 0.5 * width,
                        "went through to {}",
                        actor.centre()
                    );
                }
            },
        );
    });
}

/// Regression test: a body that was crushed between walls was stuck for ever at the edges where the walls ended. The
/// sweep hit these edges, but they were not contacts to slide along, because they lie in the planes of the touched
/// walls.
#[test]
fn b35_a_body_stuck_in_an_opening_just_as_wide_as_itself_can_walk_out_of_it() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3, 0.6, 2.0] {
        for spare in [1e-6, 1e-3, 0.009] {
            for speed in [0.5, 4.0, 100.0] {
                for degrees in [0.0, 20.0, 180.0] {
                    cases.push((radius, spare, speed, degrees));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, spare, speed, degrees): &(f64, f64, f64, f64)| {
            let half = radius * (1.0 + spare);
            let mut soup = ground(900.0);
            for side in [-1.0, 1.0] {
                let [near, far] = [side * half, side * (half + 5.0)];
                let (low, high) = (f64::min(near, far), f64::max(near, far));
                soup.extend(block([-0.1, -1.0, low], [0.1, 9.0 * radius, high]));
            }
            let start = v(0.0, rho(radius), 0.0);
            play(
                &stage(&soup),
                body(radius, 9.81),
                ("stage", start),
                |actor| {
                    actor.hold(DVec3::ZERO, 5);
                    let ticks = 60.0 * 4.0 * radius / speed + 12.0;
                    actor.hold(heading(degrees) * speed, ticks as usize);
                    let out = heading(degrees).x.signum() * actor.centre().x;
                    assert!(out > 2.0 * radius + 0.1, "at {}", actor.centre());
                },
            );
        },
    );
}

#[test]
fn b36_a_body_put_into_a_pit_of_steep_walls_can_jump_out() {
    let mut cases = Vec::new();
    for radius in [0.05, 0.3] {
        for plates in [2, 3, 4] {
            for degrees in [40.0, 55.0, 70.0_f64] {
                for depth in [0.0, 0.5, 0.95] {
                    cases.push((radius, plates, degrees, depth));
                }
            }
        }
    }
    for_all(
        cases,
        |&(radius, plates, degrees, depth): &(f64, usize, f64, f64)| {
            // A pyramid cut into the middle of the hall, open to the top.
            let (sin, cos) = degrees.to_radians().sin_cos();
            let half = std::f64::consts::PI / plates as f64;
            let bottom = v(0.0, 5.0, 0.0);
            let mut soup = Vec::new();
            for i in 0..plates {
                let rim = |side: f64| {
                    let around = half * (2.0 * i as f64 + side);
                    let out = 4.0 * cos / if plates > 2 { half.cos() } else { 1.0 };
                    bottom + v(out * around.cos(), 4.0 * sin, out * around.sin())
                };
                let along = DVec3::Z * 9.0;
                let plate = if plates > 2 {
                    vec![[bottom, rim(-1.0), rim(1.0)]]
                } else {
                    let up = v(cos * (1.0 - 2.0 * i as f64), sin, 0.0) * 4.0 + bottom;
                    crate::shapes::quad(bottom - along, bottom + along, up + along, up - along)
                };
                soup.extend(crate::shapes::facing(plate, bottom + DVec3::Y * 9.0));
            }
            let stage = Stage::of(&hall(&soup));
            let rest = rho(radius) / cos;
            let start = bottom + DVec3::Y * (rest - depth * radius);
            let mut actor = placed(&stage, radius, start).unwrap();
            actor.forgiven_ticks = 2;
            actor.hold(DVec3::ZERO, 60);
            actor.assert_gap();
            assert!(actor.state.grounded);
            let before = actor.centre().y;
            actor.tick(DVec3::ZERO, true);
            actor.hold(DVec3::ZERO, 26);
            assert!(
                actor.centre().y > before + 0.9,
                "jumped {}",
                actor.centre().y - before
            );
        },
    );
}
