//! Walking on a floor, along walls, into corners.

use opendoor::game::{Input, RUN_SPEED, WALK_SPEED};
use opendoor::level::Material;

use crate::common::{FORWARD, Playtest, STANDING, hall_with, v, wall};

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
    playtest.game.player.look(45.0, 10.0);
    let input = Input {
        right: 1.0,
        ..FORWARD
    };
    playtest.hold(&input, 0.1);
    let before = playtest.centre();
    playtest.hold(&input, 1.0);
    // Half left, and forward and right at once: straight along -z.
    let walked = playtest.centre() - before;
    assert!(
        (walked - v(0., 0., -WALK_SPEED)).length() < 1e-9,
        "{walked}"
    );
}

#[test]
fn slides_along_walls_at_the_cosine_of_the_angle() {
    for degrees in [15.0, 30.0, 45.0, 60.0, 75.0_f64] {
        // A wall of flush pieces, so that the edges inside it would be felt.
        let pieces =
            (-100..100).flat_map(|i| wall(v(f64::from(i) * 0.4, 0., 0.), v(0., 0., 1.), 0.2));
        let level = hall_with(&pieces.collect::<Vec<_>>(), Material::default());
        let mut playtest = Playtest::at(&level, v(-20., STANDING, STANDING + 0.3));
        playtest.game.player.yaw = degrees - 90.0;
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
            playtest.game.player.yaw = -90.0 + off;
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
