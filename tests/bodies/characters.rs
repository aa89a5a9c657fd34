//! The player among bodies: walking into them, pushing them, standing on them, being carried and hit by them.

use opendoor::author::sketch::Sketch;
use opendoor::build::build;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::glam::DVec3;
use opendoor::level::{BodyId, Level};
use opendoor::source::BodyShape;

use crate::hall::{add_ball, add_heavy, crate_at, hall};

const AHEAD: Input = Input {
    forward: 1.0,
    right: 0.0,
    run: false,
    jump: false,
    crouch: false,
    interact: false,
    grab: false,
};

/// The player's gap to surfaces, metres.
const GAP: f64 = 3.5e-3;

struct Stage {
    level: Level,
    game: Game,
}

impl Stage {
    /// Places the player in the middle of the hall, looking along -z.
    fn new(sketch: Sketch) -> Self {
        let (level, _) = build(sketch.source).expect("it is sound");
        let game = Game::start(&level, &Start::Default, PLAYER).expect("there is room");
        Self { level, game }
    }

    fn ticks(&mut self, count: u32, input: &Input) {
        for _ in 0..count {
            self.game.tick(&self.level, &[*input]);
        }
    }

    fn feet(&self) -> DVec3 {
        self.game.players[0].feet(&self.level).0
    }

    /// Gives the first body a velocity.
    fn throw(&mut self, velocity: DVec3) {
        let mut state = *self.game.world().bodies.state(BodyId(0));
        state.velocity = velocity;
        self.game.set_body(BodyId(0), state);
    }

    fn at(&self, index: u32) -> DVec3 {
        let state = self.game.world().bodies.state(BodyId(index));
        self.level.to_author(state.at.point).0
    }
}

/// A crate with edges of a metre and a mass in kilograms, ahead of the player.
fn crate_ahead(mass: f64, to_the_side: f64) -> Stage {
    let mut sketch = hall(DVec3::new(20.0, 6.0, 40.0));
    let outside = crate_at(DVec3::new(to_the_side, 0.5, -3.0), DVec3::splat(0.5));
    let of = (mass, 0.5, 0.0);
    add_heavy(&mut sketch, "crate", BodyShape::Box, outside, of);
    Stage::new(sketch)
}

#[test]
fn light_crates_are_pushed_along_and_heavy_ones_stop_the_player() {
    let mut ways = Vec::new();
    for mass in [5.0, 30.0, 60.0, 200.0, 2000.0] {
        let mut stage = crate_ahead(mass, 0.0);
        stage.ticks(180, &AHEAD);
        let (feet, centre) = (stage.feet(), stage.at(0));
        // The player does not pass through the crate, and the pushed crate does not rise or fall over.
        assert!(feet.z > centre.z + 0.5 + 0.34, "{mass}: {feet} {centre}");
        assert!((centre.y - 0.5).abs() < 0.02, "{mass}: {centre}");
        assert!(feet.y.abs() < 2.0 * GAP, "{mass}: {feet}");
        ways.push(-3.0 - centre.z);
    }
    assert!(ways[..4].is_sorted_by(|a, b| a >= b), "{ways:?}");
    assert!(ways[0] > 6.0, "{ways:?}");
    assert!(ways[3].abs() < 1e-6 && ways[4].abs() < 1e-6, "{ways:?}");
}

/// Regression test: the crate moved at 2 cm/s, because a push is an impulse and friction let part of its motion through
/// in each tick.
#[test]
fn a_crate_that_friction_holds_stays_where_it_is_and_does_not_turn_whoever_leans_on_it() {
    for (mass, to_the_side) in [(100.0, 0.0), (120.0, 0.3), (300.0, 0.45)] {
        let mut stage = crate_ahead(mass, to_the_side);
        // The crate comes to rest, asleep or not. The player walks to it and pushes for ten seconds.
        let first = *stage.game.world().bodies.state(BodyId(0));
        stage.ticks(660, &AHEAD);
        let last = *stage.game.world().bodies.state(BodyId(0));
        let moved = last.at.point.distance(first.at.point);
        let turned = last.rotation.angle_between(first.rotation);
        assert!(moved < 2e-3 && turned < 2e-3, "{mass}: {moved}, {turned}");
    }
}

/// Friction keeps the column from sliding, but its edge is only a fifth as far from the centre as the centre is high,
/// so it tips over.
#[test]
fn a_narrow_column_of_two_hundred_kilograms_is_tipped_over() {
    let mut sketch = hall(DVec3::new(20.0, 6.0, 40.0));
    let outside = crate_at(DVec3::new(0.0, 0.8, -3.0), DVec3::new(0.16, 0.8, 0.16));
    add_heavy(
        &mut sketch,
        "column",
        BodyShape::Box,
        outside,
        (200.0, 0.8, 0.0),
    );
    let mut stage = Stage::new(sketch);
    stage.ticks(360, &AHEAD);
    assert!(stage.at(0).y < 0.3, "{}", stage.at(0));
}

#[test]
fn a_ball_is_kicked_and_not_climbed() {
    let mut sketch = hall(DVec3::new(20.0, 6.0, 60.0));
    let centre = DVec3::new(0.0, 0.15, -2.0);
    add_ball(&mut sketch, "ball", centre, 0.15, 0.3, 0.5);
    let mut stage = Stage::new(sketch);
    stage.ticks(120, &AHEAD);
    assert!(stage.at(0).z < -8.0, "{}", stage.at(0));
    assert!(stage.feet().y.abs() < 2.0 * GAP, "{}", stage.feet());
}

#[test]
fn a_player_on_a_crate_stays_there_and_lets_it_sleep() {
    for mass in [10.0, 100.0] {
        let mut sketch = hall(DVec3::new(20.0, 6.0, 20.0));
        let outside = crate_at(DVec3::new(0.0, 0.3, 0.0), DVec3::new(0.6, 0.3, 0.6));
        let of = (mass, 0.5, 0.0);
        add_heavy(&mut sketch, "crate", BodyShape::Box, outside, of);
        sketch.source.spawns.clear();
        sketch.spawn(0, DVec3::new(0.2, 0.7, 0.1), DVec3::NEG_Z);
        let mut stage = Stage::new(sketch);
        stage.ticks(30, &Input::default());
        let first = stage.feet();
        stage.ticks(600, &Input::default());
        let moved = stage.feet() - first;
        assert!(moved.length() < 5e-3, "{mass}: {moved}");
        assert!((stage.feet().y - 0.6).abs() < 5e-3, "{}", stage.feet());
        assert_eq!(stage.game.players[0].actor.state.stands_on, Some(BodyId(0)));
        assert_eq!(stage.game.world().bodies.awake_count(), 0);
        // The player then walks off the body, in any direction.
        stage.ticks(60, &AHEAD);
        assert!(stage.feet().y.abs() < 2.0 * GAP, "{}", stage.feet());
        assert!(stage.feet().z < -1.5, "{}", stage.feet());
    }
}

#[test]
fn a_boulder_pushes_the_player_along_and_is_not_walked_through() {
    let mut sketch = hall(DVec3::new(20.0, 6.0, 40.0));
    let centre = DVec3::new(0.0, 1.0, -8.0);
    add_ball(&mut sketch, "boulder", centre, 1.0, 0.5, 0.0);
    sketch.source.bodies[0].mass = Some(3000.0);
    let mut stage = Stage::new(sketch);
    stage.throw(DVec3::Z * 5.0);
    for tick in 0..180 {
        stage.ticks(1, &Input::default());
        let (feet, ball) = (stage.feet(), stage.at(0));
        let low = feet + DVec3::Y * 0.35;
        let high = feet + DVec3::Y * 1.45;
        let nearest = DVec3::new(low.x, ball.y.clamp(low.y, high.y), low.z);
        let gap = nearest.distance(ball) - 1.35;
        assert!(gap > -0.05, "{tick}: {gap}");
    }
    assert!(stage.feet().z > 1.0, "{}", stage.feet());
}

#[test]
fn a_lift_that_carries_a_crate_carries_the_player_on_it() {
    use opendoor::level::{Cycle, Drive, StartedBy, Track};
    use opendoor::source::MoverSource;
    let mut sketch = hall(DVec3::new(20.0, 12.0, 20.0));
    sketch.furniture(
        0,
        0,
        crate_at(DVec3::new(0.0, 0.1, 0.0), DVec3::new(1.0, 0.1, 1.0)),
    );
    sketch.source.movers.push(MoverSource {
        node: "it-mover".to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        is_door: false,
        track: Track::Slide(DVec3::new(3.0, 4.0, 0.0)),
        drive: Drive {
            // The bodies do not rest on the mover yet. It is so slow that its first tick does not launch them.
            ticks: 900,
            cycle: Cycle::Shuttle,
            wait_ticks: 60,
            started_by: StartedBy::Trigger,
            ..Drive::default()
        },
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    let outside = crate_at(DVec3::new(0.0, 0.5, 0.0), DVec3::new(0.5, 0.3, 0.5));
    add_heavy(
        &mut sketch,
        "crate",
        BodyShape::Box,
        outside,
        (40.0, 0.6, 0.0),
    );
    sketch.source.spawns.clear();
    sketch.spawn(0, DVec3::new(0.1, 0.9, 0.1), DVec3::NEG_Z);
    let mut stage = Stage::new(sketch);
    stage.ticks(30, &Input::default());
    for tick in 0..1900 {
        stage.ticks(1, &Input::default());
        let over = stage.feet() - stage.at(0) - DVec3::Y * 0.3;
        assert!(
            over.y.abs() < 0.02 && over.with_y(0.0).length() < 0.25,
            "{tick}: {over}"
        );
    }
}

#[test]
fn a_player_that_jumps_off_a_moving_crate_keeps_its_velocity() {
    let mut sketch = hall(DVec3::new(20.0, 6.0, 60.0));
    let outside = crate_at(DVec3::new(0.0, 0.3, 0.0), DVec3::new(0.6, 0.3, 0.6));
    add_heavy(
        &mut sketch,
        "crate",
        BodyShape::Box,
        outside,
        (500.0, 0.0, 0.0),
    );
    sketch.source.materials[0].friction = 0.0;
    sketch.source.spawns.clear();
    sketch.spawn(0, DVec3::new(0.0, 0.7, 0.0), DVec3::NEG_Z);
    let mut stage = Stage::new(sketch);
    stage.ticks(10, &Input::default());
    stage.throw(DVec3::X * 2.0);
    stage.ticks(60, &Input::default());
    let carried = stage.feet().x;
    assert!(carried > 0.5, "{carried}");
    let before = stage.feet();
    let jump = Input {
        jump: true,
        ..Input::default()
    };
    stage.ticks(1, &jump);
    stage.ticks(19, &Input::default());
    let way = stage.feet().x - before.x;
    assert!((way - 2.0 / 3.0).abs() < 0.1, "{way}");
}

#[test]
fn a_ball_is_taken_carried_and_thrown() {
    for mass in [0.5, 7.0, 60.0] {
        let mut sketch = hall(DVec3::new(20.0, 6.0, 40.0));
        let centre = DVec3::new(0.0, 0.15, -1.5);
        add_ball(&mut sketch, "ball", centre, 0.15, 0.3, 0.2);
        sketch.source.bodies[0].mass = Some(mass);
        let mut stage = Stage::new(sketch);
        stage.ticks(60, &Input::default());
        stage.game.players[0].pitch = -45.0;
        let grab = Input {
            grab: true,
            ..Input::default()
        };
        stage.ticks(1, &grab);
        assert_eq!(stage.game.holds(0).is_some(), mass < 40.0, "{mass}");
        if mass > 40.0 {
            continue;
        }
        stage.game.players[0].pitch = 0.0;
        stage.ticks(120, &Input::default());
        let held = stage.at(0);
        let place = DVec3::new(0.0, 1.62, -0.75);
        assert!(held.distance(place) < 0.15, "{mass}: {held}");
        // The held body follows the player.
        stage.ticks(60, &AHEAD);
        let before = stage.feet().z - stage.at(0).z;
        assert!((0.5..1.2).contains(&before), "{mass}: {before}");
        let from = stage.at(0);
        stage.ticks(1, &grab);
        stage.ticks(30, &Input::default());
        assert_eq!(stage.game.holds(0), None);
        let way = from.z - stage.at(0).z;
        let speed = (60.0 / mass).min(12.0);
        assert!(way > 0.4 * speed, "{mass}: {way}");
    }
}
