//! The solver's part of contacts, which the kernel does not decide: the solid side of a triangle, touching, and the
//! motion after the first contact. No gravity.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::collision::CollisionWorld;
use opendoor::level::{At, Level, Material, RoomId};
use opendoor::motion::{Actor, Body, MoveCommand, State, StepSettings, TICK_SECS, Workspace, tick};
use opendoor::world::World;

use crate::cast::v;
use crate::random::Random;
use crate::shared::built;

pub(crate) const BODY: Body = Body {
    radius: 0.3,
    segment_length: 0.0,
    gravity: 0.0,
    jump_height: 1.0,
    acceleration: 1e12,
    step_settings: StepSettings::OFF,
};

/// Distance of a centre from a touched surface: the radius and the gap.
pub(crate) const TOUCHING: f64 = 0.3 * 1.01;

/// A hall from -60 to 60 m in all axes that contains the solid triangles `solids`.
pub(crate) fn hall_with(solids: &[[DVec3; 3]], double_sided: bool) -> Level {
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([-60.; 3], [60.; 3]), &[]);
    let material = sketch.material(Material {
        double_sided,
        ..Material::default()
    });
    sketch.mesh(hall, material, solids);
    sketch.spawn(hall, v(0., -59., 30.), DVec3::X);
    let level = built(sketch.source);
    assert_eq!(level.origin, DVec3::ZERO);
    level
}

/// The centre after a tick with the wanted displacement `motion`.
pub(crate) fn moved(level: &Level, body: &Body, centre: DVec3, motion: DVec3) -> DVec3 {
    let world = World::of(level);
    let mut actor = Actor::new(*body, State::at_rest(At::new(RoomId(0), centre)));
    let command = MoveCommand {
        wish: motion / TICK_SECS,
        jump: false,
    };
    let collision = CollisionWorld::new(level, &world);
    tick(&collision, &mut actor, &mut Workspace::default(), &command);
    actor.state.at.point
}

/// A triangle in the plane z = 0 with its front towards +z.
pub(crate) const SHEET: [DVec3; 3] = [
    DVec3::new(50.0, 25.0, 0.0),
    DVec3::new(-50.0, 25.0, 0.0),
    DVec3::new(0.0, -25.0, 0.0),
];

fn assert_near(found: DVec3, expected: DVec3, context: &str) {
    let wrong = (found - expected).length();
    assert!(wrong < 1e-9, "{context}: {found} is off by {wrong} m");
}

#[test]
fn a_one_sided_sheet_stops_the_body_in_front_of_it_only() {
    let level = hall_with(&[SHEET], false);
    let from_front = moved(&level, &BODY, v(0., 0., 15.), v(0., 0., -30.));
    assert_near(from_front, v(0., 0., TOUCHING), "from the front");
    let from_behind = moved(&level, &BODY, v(0., 0., -15.), v(0., 0., 30.));
    assert_near(from_behind, v(0., 0., 15.), "from behind");
    let from_inside = moved(&level, &BODY, v(0., 0., -0.1), v(0., 0., 15.));
    assert_near(from_inside, v(0., 0., 14.9), "out of it");
}

#[test]
fn a_double_sided_sheet_stops_the_body_on_both_sides() {
    let level = hall_with(&[SHEET], true);
    for side in [1.0, -1.0] {
        let stopped = v(0., 0., TOUCHING * side);
        for start in [15.0, 0.1] {
            let end = moved(
                &level,
                &BODY,
                v(0., 0., start) * side,
                v(0., 0., -30.) * side,
            );
            assert_near(end, stopped, "against it");
        }
    }
}

#[test]
fn a_body_that_rolls_off_the_edge_of_a_floor_is_stopped_by_the_wall_behind_it() {
    let floor = [v(0., 0., -50.), v(0., 0., 50.), v(-50., 0., 0.)];
    let wall = [v(1., -50., -50.), v(1., -50., 50.), v(1., 50., 0.)];
    let level = hall_with(&[floor, wall], false);
    // The solver's sphere, which includes the gap, has the scenario's radius.
    let body = Body {
        radius: 0.25 / 1.01,
        ..BODY
    };
    let motion = v(4., -0.3, 0.);
    let end = moved(&level, &body, v(-0.78131, 0.3092001, 0.), motion);
    assert!((end.x - 0.75).abs() < 1e-9, "{end}");
    // Without the floor the body would reach the wall at a height of 0.194, and continue down the wall. The edge of the
    // floor lifts it to at most the sphere's height over the edge.
    assert!(
        (-0.01..0.25).contains(&end.y) && end.z.abs() < 1e-9,
        "{end}"
    );
}

/// A motion away from a wall is complete, however near to touching it the body starts. A body that starts closer than
/// its gap is also moved out by the missing part.
#[test]
fn a_body_that_touches_a_wall_leaves_it_with_its_full_motion() {
    let level = hall_with(&[SHEET], false);
    for gap in [0.0, 1e-12, -1e-12, -1e-6, -1e-4, 0.3 - TOUCHING] {
        for motion in [v(0., 0., 0.07), v(0.05, -0.02, 0.07), v(0.05, 0., 1e-9)] {
            let start = v(0.4, 0.2, TOUCHING + gap);
            let given_back = if gap < -1e-7 {
                v(0., 0., -gap)
            } else {
                DVec3::ZERO
            };
            let end = moved(&level, &BODY, start, motion);
            assert_near(end, start + given_back + motion, &format!("{gap} {motion}"));
        }
    }
}

#[test]
fn a_body_that_touches_a_wall_moves_along_it_without_loss() {
    // A wall in the plane 2 x + 3 y + 6 z = 0, so that distances from it are rounded.
    let normal = v(2., 3., 6.) / 7.0;
    let wall = [v(30., 0., -10.), v(-30., 30., -5.), v(0., -30., 15.)];
    assert!((wall[1] - wall[0]).cross(wall[2] - wall[0]).dot(normal) > 0.0);
    let level = hall_with(&[wall], false);
    let mut random = Random::new(16);
    for _ in 0..1000 {
        let start = random.in_cube(0.5);
        let start = start + normal * (TOUCHING - start.dot(normal));
        let mut motion = random.square_to(normal) * random.of_any_size(1e-4, 1.0);
        for axis in 0..3 {
            motion[axis] = match random.below(3) {
                0 => motion[axis].next_up(),
                1 => motion[axis].next_down(),
                _ => motion[axis],
            };
        }
        let end = moved(&level, &BODY, start, motion);
        let lost = (end - start - motion).length();
        assert!(lost < 1e-12, "{lost} m of {motion} from {start}");
    }
}

#[test]
fn motions_too_short_to_see_end_at_once_and_move_nothing() {
    let level = hall_with(&[SHEET], false);
    for length in [0.0, -0.0, 5e-324, 1e-310, 1e-160, 6.9e-39] {
        for height in [TOUCHING, 5.0] {
            for direction in [DVec3::Z, DVec3::NEG_Z, DVec3::X, v(1., -1., -1.)] {
                let centre = v(0.4, 0.2, height);
                let end = moved(&level, &BODY, centre, direction * length);
                assert_eq!(end, centre, "{length} {direction}");
            }
        }
    }
}
