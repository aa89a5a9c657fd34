//! Walking on a floor, along walls, into corners.

use glam::DVec3;
use opendoor::game::{CHARACTER, Game, Input, RUN_SPEED, Start, WALK_SPEED};
use opendoor::level::Material;
use opendoor::motion::Body;
use opendoor::rng::Rng;

use crate::common::{FORWARD, Playtest, STANDING, hall_with, quad, v, wall};

#[test]
fn walking_and_running_reach_their_speed_within_a_tenth_of_a_second() {
    let level = hall_with(&[], Material::default());
    for (run, speed) in [(false, WALK_SPEED), (true, RUN_SPEED)] {
        let mut playtest = Playtest::at(&level, v(0., STANDING, 0.));
        let input = Input { run, ..FORWARD };
        playtest.hold(&input, 0.1);
        let before = playtest.centre();
        playtest.hold(&input, 1.0);
        let walked = playtest.centre() - before;
        assert!((walked - v(0., 0., -speed)).length() < 1e-9, "{walked}");
        playtest.stand(0.1);
        let stopped = playtest.centre();
        playtest.stand(1.0);
        assert_eq!(playtest.centre(), stopped, "and stop as fast");
    }
}

#[test]
fn diagonals_are_no_faster_than_straight_on_and_follow_the_view() {
    let level = hall_with(&[], Material::default());
    let mut playtest = Playtest::at(&level, v(0., STANDING, 0.));
    playtest.game.players[0].look(45.0, 10.0);
    let input = Input {
        right: 1.0,
        ..FORWARD
    };
    playtest.hold(&input, 0.1);
    let before = playtest.centre();
    playtest.hold(&input, 1.0);
    // The player looks half left and presses forward and right at once, so it walks straight along -z.
    let walked = playtest.centre() - before;
    assert!(
        (walked - v(0., 0., -WALK_SPEED)).length() < 1e-9,
        "{walked}"
    );
}

#[test]
fn slides_along_walls_at_the_cosine_of_the_angle() {
    for degrees in [15.0, 30.0, 45.0, 60.0, 75.0_f64] {
        // A wall of flush pieces, so that its internal edges would have an effect.
        let pieces =
            (-100..100).flat_map(|i| wall(v(f64::from(i) * 0.4, 0., 0.), v(0., 0., 1.), 0.2));
        let level = hall_with(&pieces.collect::<Vec<_>>(), Material::default());
        let mut playtest = Playtest::at(&level, v(-20., STANDING, STANDING + 0.3));
        playtest.game.players[0].yaw = degrees - 90.0;
        playtest.hold(&FORWARD, 1.0);
        let before = playtest.centre();
        assert!((before.z - STANDING).abs() < 1e-6, "is at the wall");
        playtest.hold(&FORWARD, 2.0);
        let slid = playtest.centre() - before;
        let expected = 2.0 * WALK_SPEED * degrees.to_radians().cos();
        assert!((slid.x - expected).abs() < 1e-6, "{degrees}: {slid}");
        assert!(
            slid.z.abs() < 1e-6 && slid.y.abs() < 1e-6,
            "{degrees}: {slid}"
        );
    }
}

#[test]
fn stops_in_an_acute_corner_and_stays_there() {
    for degrees in [15.0, 30.0, 60.0_f64] {
        let half = 0.5 * degrees.to_radians();
        let (sin, cos) = (half.sin(), half.cos());
        // Two walls that meet at the origin, open towards -x.
        let walls = [-1.0, 1.0].into_iter().flat_map(|side| {
            wall(
                v(-5. * cos, 0., side * 5. * sin),
                v(-sin, 0., -side * cos),
                5.,
            )
        });
        let level = hall_with(&walls.collect::<Vec<_>>(), Material::default());
        for off in [0.0, 10.0, -25.0] {
            let mut playtest = Playtest::at(&level, v(-5., STANDING, 0.));
            playtest.game.players[0].yaw = -90.0 + off;
            playtest.hold(&FORWARD, 4.0);
            let corner = v(-STANDING / sin, STANDING, 0.);
            assert!(
                (playtest.centre() - corner).length() < 1e-5,
                "{degrees} {off}: {}",
                playtest.centre()
            );
            let before = playtest.centre();
            playtest.hold(&FORWARD, 4.0);
            assert!((playtest.centre() - before).length() < 1e-9, "trembles");
        }
    }
}

/// Simulates a second without input from this velocity, and returns the positions after each tick.
fn places(solids: &[[DVec3; 3]], body: Body, centre: DVec3, velocity: DVec3) -> Vec<DVec3> {
    let level = hall_with(solids, Material::default());
    let feet = level.to_author(centre - DVec3::Y * body.radius);
    let mut game = Game::start(&level, &Start::Feet(feet), body).unwrap();
    game.players[0].actor.state.walk = velocity;
    let ticks = 0..60;
    let places = ticks.map(|_| {
        game.tick(&level, &[]);
        game.players[0].actor.state.at.point
    });
    places.collect()
}

/// Two walls that meet at a post between two heights, and extend from it in these directions.
fn post(at: DVec3, ways: [DVec3; 2], ends: [f64; 2]) -> Vec<[DVec3; 3]> {
    let ends = ends.map(|y| at.with_y(y));
    let walls = ways.map(|way| quad([ends[0], ends[0] + way, ends[1] + way, ends[1]]));
    walls.into_iter().flatten().collect()
}

#[test]
fn the_height_of_a_post_changes_no_bit_of_a_walk_against_it() {
    let mut rng = Rng::new(3);
    let mut met = 0;
    for _ in 0..60 {
        let mut between = |min, max| rng.between(min, max);
        let at = v(between(-9., 9.), 0., between(-9., 9.));
        let (sin, cos) = between(0.0, 6.3).sin_cos();
        let (front, side) = (v(cos, 0., sin), v(-sin, 0., cos));
        let ways = [side - front, -side - front].map(|way| way * between(1.0, 5.0));
        let body = Body {
            radius: between(0.1, 0.5),
            segment_length: between(-0.8, 0.8).max(0.0),
            ..CHARACTER
        };
        let from = at + front * 2.0 + side * (body.radius * between(-0.5, 0.5));
        let centre = from.with_y(1.01 * body.radius + 1e-6);
        let velocity = -front * between(3.0, 60.0);
        let walks = [[-0.5, 4.0], [-3.7, 5.1], [-20.0, 33.3]]
            .map(|ends| places(&post(at, ways, ends), body, centre, velocity));
        // Compared up to the tick of the first contact with the post: the planes of the walls are rounded differently.
        let is_straight = |place: &&DVec3| (**place - from).cross(front).y.abs() < 1e-9;
        let straight = walks[0].iter().take_while(is_straight).count();
        met += u32::from(straight < walks[0].len());
        let up_to = |walk: &Vec<DVec3>| walk.iter().take(straight + 1).copied().collect::<Vec<_>>();
        assert_eq!(up_to(&walks[1]), up_to(&walks[0]));
        assert_eq!(up_to(&walks[2]), up_to(&walks[0]));
    }
    assert!(met > 40, "{met}");
}

#[test]
fn a_fast_walk_along_a_wall_is_not_stopped_by_the_post_where_it_ends() {
    let mut rng = Rng::new(4);
    for _ in 0..200 {
        let mut between = |min, max| rng.between(min, max);
        let at = v(between(-30., 30.), 0., between(-30., 30.));
        let (sin, cos) = between(0.0, 6.3).sin_cos();
        let (front, side) = (v(cos, 0., sin), v(-sin, 0., cos));
        let body = Body {
            radius: between(0.02, 0.05),
            ..CHARACTER
        };
        let wall = |way: DVec3, top: f64, facing: DVec3| {
            let corners = [at, at + way, at + way + DVec3::Y * top, at + DVec3::Y * top];
            let is_seen = way.cross(DVec3::Y).dot(facing) > 0.0;
            let order = if is_seen { [0, 1, 2, 3] } else { [1, 0, 3, 2] };
            quad(order.map(|i| corners[i]))
        };
        let alone = wall(-side * 8.0, 3.0, front).to_vec();
        // The second wall extends backwards from the post, and faces the walk.
        let second = wall(side * 0.5 - front * 3.0, 3.5, -side);
        let both = [alone.clone(), second.to_vec()].concat();
        let from = at - side * 1.0 + front * (1.01 * body.radius);
        let centre = from.with_y(1.01 * body.radius + 1e-6);
        let velocity = (side - front * 0.1) * between(100.0, 300.0);
        let [alone, both] = [alone, both].map(|solids| places(&solids, body, centre, velocity));
        assert_eq!(alone[..2], both[..2]);
    }
}
