//! Bodies that walk in the plane of a portal or past its side.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::motion::Body;
use opendoor::source::LevelSource;

use crate::actor::{Actor, body, rho};
use crate::rooms::{joint, play_in_all};
use crate::runs::{for_all, play};
use crate::shapes::{block, heading, v};

/// `p` turned by `degrees` from +x towards +z.
fn turn(p: DVec3, degrees: f64) -> DVec3 {
    heading(degrees) * p.x + DVec3::Y * p.y + heading(degrees + 90.0) * p.z
}

fn turned(mut source: LevelSource, degrees: f64) -> LevelSource {
    let meshes = source.meshes.iter_mut().flat_map(|m| &mut m.positions);
    meshes.for_each(|p| *p = turn(*p, degrees));
    let portals = source.portals.iter_mut().flat_map(|p| &mut p.triangles);
    portals.for_each(|t| *t = t.map(|p| turn(p, degrees)));
    let spawns = source.spawns.iter_mut();
    spawns.for_each(|s| s.position.0 = turn(s.position.0, degrees));
    source
}

/// Walks back and forth in the plane of a portal rotated by `degrees`.
fn pace_in_the_plane(degrees: f64, speed: f64) {
    let start = turn(v(0.0, rho(0.3), -10.0), degrees);
    let source = turned(joint(20.0, 20.0), degrees);
    play(&source, body(0.3, 9.81), ("a", start), |actor| {
        let mut changes = 0;
        for i in 0..120 {
            let room = actor.state.at.room;
            let way = if i % 24 < 12 { speed } else { -speed };
            actor.tick(turn(v(0.0, 0.0, way), degrees), false);
            changes += usize::from(actor.state.at.room != room);
        }
        assert!(changes <= 1, "{changes} changes");
    });
}

#[test]
fn c9_walking_inside_the_plane_of_a_portal_changes_no_room() {
    for_all([0.1, 2.0, 50.0], |&speed: &f64| {
        pace_in_the_plane(0.0, speed)
    });
}

#[test]
fn c9_rounding_across_the_plane_of_a_slanted_portal_changes_no_room() {
    let mut cases = Vec::new();
    for degrees in [30.0, 45.0, 60.0, 77.0, 90.0, 180.0, 211.0] {
        for speed in [0.1, 2.0, 50.0] {
            cases.push((degrees, speed));
        }
    }
    for_all(cases, |&(degrees, speed): &(f64, f64)| {
        pace_in_the_plane(degrees, speed);
    });
}

#[test]
fn c6_a_portal_whose_box_alone_is_reached_changes_nothing() {
    pass_beside_an_opening(|source, body, start, script| play(source, body, start, script));
}

#[test]
fn c6_the_polygons_of_two_rooms_are_walked_along_as_those_of_one() {
    pass_beside_an_opening(|source, body, start, script| play_in_all(source, body, start, script));
}

/// Walks along a wall beside a slanted opening, and back past it.
fn pass_beside_an_opening(play: impl Fn(&LevelSource, Body, (&str, DVec3), &dyn Fn(&mut Actor))) {
    let mut sketch = Sketch::new("slanted");
    let opening = cuboid([0., 0., -1.], [0., 3., 1.]);
    let a = sketch.box_room("a", cuboid([-9., 0., -40.], [0., 5., 40.]), &[opening]);
    let b = sketch.box_room("b", cuboid([0., 0., -40.], [9., 5., 40.]), &[opening]);
    // Directly behind the wall, and beside the opening.
    sketch.mesh(b, 0, &block([0.0625, 0.0, 1.0], [2.0, 4.0, 30.0]));
    sketch.mesh(b, 0, &block([0.0625, 0.0, -30.0], [2.0, 4.0, -1.0]));
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-5., 1., 0.), DVec3::X);
    let mut cases = Vec::new();
    for degrees in [0.0, 10.0, 45.0, 77.0] {
        for radius in [0.05, 0.3, 1.5] {
            for speed in [4.0, 300.0] {
                for lean in [0.0, 1.0, 60.0] {
                    cases.push((degrees, radius, speed, lean));
                }
            }
        }
    }
    for_all(
        cases,
        |&(degrees, radius, speed, lean): &(f64, f64, f64, f64)| {
            let source = turned(sketch.source.clone(), degrees);
            // Beside the opening, within its bounding box, moving away from it.
            let beside = v(-rho(radius) - 2e-6, rho(radius), 1.0 + 1.5 * radius);
            let wish = turn(heading(90.0 - lean) * speed, degrees);
            let start = turn(beside, degrees);
            play(&source, body(radius, 9.81), ("a", start), &|actor| {
                let ticks = (20.0 / speed * 60.0) as usize + 1;
                actor.hold(wish, ticks);
                let way = wish.length() * lean.to_radians().cos() * ticks as f64 / 60.0;
                let along = beside + v(0.0, 0.0, way.min(40.0 - rho(radius) - beside.z));
                actor.assert_at(turn(along, degrees), 1e-5);
                // Back, past the opening, or into it if the body fits.
                actor.hold(turn(heading(-60.0) * speed, degrees), 2 * ticks);
            });
        },
    );
}
