//! The position of the eye, and its room.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{CHARACTER, EYE_HEIGHT, Input, PLAYER, Start};
use opendoor::geometry::Rigid;
use opendoor::level::{Level, Material, RoomId};
use opendoor::testing::RandomPlayer;
use opendoor::visibility::Camera;

use crate::common::{FORWARD, Playtest, STANDING, eye_of, hall_with, v};
use crate::shared::built;

fn view(playtest: &mut Playtest, alpha: f64) -> Camera {
    eye_of(&playtest.game, playtest.level, alpha).camera(70.0, 1.5)
}

/// The player with its feet at a point.
fn playtest_at(level: &Level, feet: DVec3) -> Playtest<'_> {
    Playtest::with_body(level, &Start::Feet(level.to_author(feet)), PLAYER)
}

/// Height of the eye above the feet, metres.
fn eye_height(playtest: &mut Playtest) -> f64 {
    let feet = playtest
        .level
        .from_author(playtest.game.players[0].feet(playtest.level));
    view(playtest, 1.0).at.point.y - feet.y
}

const CROUCH: Input = Input {
    crouch: true,
    forward: 0.0,
    ..FORWARD
};

#[test]
fn the_eye_is_160_centimetres_above_the_feet_and_looks_along_yaw_and_pitch() {
    let level = hall_with(&[], Material::default());
    let mut playtest = playtest_at(&level, v(1., 0.0035, 2.));
    playtest.game.players[0].look(90.0, 30.0);
    let camera = view(&mut playtest, 1.0);
    assert!((camera.at.point - v(1., 0.0035 + EYE_HEIGHT, 2.)).length() < 1e-12);
    let ahead = v(-f64::sqrt(0.75), 0.5, 0.);
    assert!((camera.forward() - ahead).length() < 1e-12, "left and up");
    playtest.game.players[0].look(0.0, 300.0);
    assert!(
        view(&mut playtest, 1.0).forward().y < 1.0,
        "never over the head"
    );
    playtest.game.players[0].look(350.0, 0.0);
    assert!((playtest.game.players[0].yaw - 80.0).abs() < 1e-9);
}

#[test]
fn the_eye_of_a_lower_body_is_just_below_its_top() {
    let level = hall_with(&[], Material::default());
    let mut ball = Playtest::start(&level, &Start::Default);
    assert!((eye_height(&mut ball) - 0.5).abs() < 1e-9);
    let mut playtest = playtest_at(&level, v(1., 0.0035, 2.));
    playtest.hold(&CROUCH, 1.0);
    assert!((eye_height(&mut playtest) - 0.9).abs() < 1e-6);
    playtest.stand(1.0);
    assert!((eye_height(&mut playtest) - EYE_HEIGHT).abs() < 1e-6);
}

#[test]
fn the_eye_never_leaves_the_body() {
    // Steps of 0.3 m in both directions, and a beam that requires crouching.
    let mut sketch = Sketch::new("steps");
    let room = sketch.box_room("hall", cuboid([-9., 0., -9.], [9., 4., 9.]), &[]);
    for step in 0..4 {
        let [far, top] = [4.0, 0.3].map(|size| f64::from(step) * size / 4.0);
        let half = 4.5 - far;
        let height = top * 4.0 + 0.3;
        sketch.furniture(room, 0, cuboid([-half, 0., -half], [half, height, half]));
    }
    sketch.furniture(room, 0, cuboid([-9., 1.3, 6.], [9., 4., 7.]));
    sketch.spawn(room, v(0., 1.5, 0.), DVec3::X);
    let level = built(sketch.source);
    for body in [PLAYER, CHARACTER] {
        for seed in 0..4 {
            let mut playtest = Playtest::with_body(&level, &Start::Default, body);
            let mut wander = RandomPlayer::new(seed);
            for tick in 0..1500 {
                let height = playtest.game.players[0].actor.body.segment_length
                    + 2.0 * playtest.game.players[0].actor.body.radius;
                let input = wander.next(&level, &mut playtest.game, 0);
                playtest.tick(&input);
                let heights = [
                    height,
                    playtest.game.players[0].actor.body.segment_length
                        + 2.0 * playtest.game.players[0].actor.body.radius,
                ];
                let (from, to) = (
                    playtest.game.players[0].previous.at.point,
                    playtest.centre(),
                );
                for step in 0..=4 {
                    let alpha = f64::from(step) / 4.0;
                    let eye = view(&mut playtest, alpha).at.point;
                    let centre = from.lerp(to, alpha);
                    let above_feet = eye.y - (centre.y - body.radius);
                    let height = heights[0] + (heights[1] - heights[0]) * alpha;
                    let off = (eye - centre).with_y(0.0).length();
                    assert!(
                        off < 1e-9 && above_feet > 0.0 && above_feet < height - 0.099,
                        "seed {seed}, tick {tick}: {above_feet} of {height}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_eye_is_in_the_room_above_when_it_looks_out_of_a_hatch() {
    let mut sketch = Sketch::new("hatch");
    let hatch = cuboid([-1., 1., -1.], [1., 1., 1.]);
    let cellar = sketch.box_room("cellar", cuboid([-3., 0., -3.], [3., 1., 3.]), &[hatch]);
    sketch.box_room("hall", cuboid([-3., 1., -3.], [3., 4., 3.]), &[hatch]);
    sketch.portal(cellar, "hall", hatch, DVec3::Y);
    sketch.spawn(cellar, v(0., 0.3, 0.), DVec3::X);
    let level = built(sketch.source);
    let mut playtest = playtest_at(&level, v(0., 0.0035, 0.));
    assert_eq!(playtest.room(), "cellar");
    assert_eq!(level.room(view(&mut playtest, 1.0).at.room).name, "hall");
    playtest.hold(&CROUCH, 1.0);
    assert_eq!(level.room(view(&mut playtest, 1.0).at.room).name, "cellar");
}

/// Rooms `a` (x < 0) and `b`, with the whole wall open between them.
fn joint() -> Level {
    let mut sketch = Sketch::new("joint");
    let opening = cuboid([0., 0., -2.], [0., 3., 2.]);
    let a = sketch.box_room("a", cuboid([-6., 0., -2.], [0., 3., 2.]), &[opening]);
    sketch.box_room("b", cuboid([0., 0., -2.], [6., 3., 2.]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-3., 0.5, 0.), DVec3::X);
    built(sketch.source)
}

#[test]
fn between_two_ticks_the_eye_is_on_the_line_between_them_and_in_its_room() {
    let level = joint();
    let mut playtest = Playtest::at(&level, v(-1., STANDING, 0.3));
    playtest.game.players[0].yaw = -90.0;
    let mut both_in_one_tick = false;
    while playtest.centre().x < 0.5 {
        playtest.tick(&FORWARD);
        let (from, to) = (
            playtest.game.players[0].previous.at.point.x,
            playtest.centre().x,
        );
        let mut rooms = Vec::new();
        for step in 0..=10 {
            let alpha = f64::from(step) / 10.0;
            let camera = view(&mut playtest, alpha);
            assert!((camera.at.point.x - (from + (to - from) * alpha)).abs() < 1e-9);
            let expected = RoomId(u32::from(camera.at.point.x > 0.0));
            assert!(camera.at.room == expected || camera.at.point.x.abs() < 1e-9);
            rooms.push(camera.at.room);
        }
        rooms.dedup();
        both_in_one_tick |= rooms.len() == 2;
    }
    assert!(both_in_one_tick, "the crossing was seen");
}

#[test]
fn the_view_turns_with_the_body_where_a_portal_bends_space() {
    // The east door of `a` leads through the north door of `b`, 100 m away.
    let mut sketch = Sketch::new("bent");
    let east = cuboid([5., 0., -1.], [5., 3., 1.]);
    let north = cuboid([99., 0., -5.], [101., 3., -5.]);
    let a = sketch.box_room("a", cuboid([-5., 0., -5.], [5., 3., 5.]), &[east]);
    sketch.box_room("b", cuboid([95., 0., -5.], [105., 3., 5.]), &[north]);
    sketch.portal(a, "b", east, DVec3::X);
    sketch.spawn(a, v(0., 0.5, 0.), DVec3::X);
    let quarter = DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X);
    let b_from_a = Rigid::new(quarter, v(100., 0., -5.) - quarter * v(5., 0., 0.));
    sketch.source.portals[0].far_from_near = b_from_a;
    let level = built(sketch.source);
    let mut playtest = Playtest::at(&level, v(3., STANDING, 0.));
    playtest.game.players[0].yaw = -90.0;
    playtest.hold(&FORWARD, 1.5);
    assert_eq!(playtest.room(), "b");
    assert!(
        (playtest.game.players[0].yaw.abs() - 180.0).abs() < 1e-9,
        "east became south"
    );
    // The walk of 6 m, less the acceleration, continues straight ahead: 2 m of it are in `a`.
    assert!((playtest.centre().x - 100.).abs() < 1e-9 && playtest.centre().z > -1.5);
    let camera = view(&mut playtest, 0.3);
    assert_eq!(camera.at.room, RoomId(1));
    assert!((camera.forward() - DVec3::Z).length() < 1e-9);
}
