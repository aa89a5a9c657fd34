//! The player's hands: the bodies that they can lift, hold and throw, and the forces on the player.

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::glam::{DMat3, DVec3};
use opendoor::level::{BodyId, Level, LinkId};
use opendoor::motion::MotionEvent;
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::testing::Monitor;

use crate::hall::{add_ball, add_heavy, crate_at, hall};
use crate::long::ticks;

const SECS: f64 = 1.0 / 60.0;
/// Greatest force of the hands, and of a push by the walking player, N.
const FORCE: f64 = 500.0;

const GRAB: Input = Input {
    forward: 0.0,
    right: 0.0,
    run: false,
    jump: false,
    crouch: false,
    interact: false,
    grab: true,
};

struct Stage {
    level: Level,
    game: Game,
}

impl Stage {
    /// Places the player at the spawn, looking along -z.
    fn new(sketch: Sketch) -> Self {
        let (level, _) = build(sketch.source).expect("it is sound");
        let game = Game::start(&level, &Start::Default, PLAYER).expect("there is room");
        Self { level, game }
    }

    fn tick(&mut self, input: &Input) {
        self.game.tick(&self.level, &[*input]);
    }

    fn ticks(&mut self, count: u32) {
        (0..count).for_each(|_| self.tick(&Input::default()));
    }

    /// The greatest speed of any point of the body that carries the player, m/s.
    fn carrier_speed(&self) -> f64 {
        self.game.players[0]
            .actor
            .state
            .stands_on
            .map_or(0.0, |body| {
                let state = self.game.world().bodies.state(body);
                state.velocity.length() + state.spin.length() * self.level.body(body).radius
            })
    }

    fn grab(&mut self) {
        self.tick(&GRAB);
    }

    /// Turns the view to a yaw and a pitch, degrees.
    fn face(&mut self, yaw: f64, pitch: f64) {
        (self.game.players[0].yaw, self.game.players[0].pitch) = (yaw, pitch);
    }

    /// Turns the view from the eye, 1.62 m above the feet, to a point in author's coordinates.
    fn face_point(&mut self, point: DVec3) {
        let way = point - (self.feet() + DVec3::Y * 1.62);
        let yaw = libm::atan2(-way.x, -way.z).to_degrees();
        let pitch = libm::atan2(way.y, way.with_y(0.0).length()).to_degrees();
        self.face(yaw, pitch);
    }

    fn feet(&self) -> DVec3 {
        self.game.players[0].feet(&self.level).0
    }

    fn at(&self, index: u32) -> DVec3 {
        let state = self.game.world().bodies.state(BodyId(index));
        self.level.to_author(state.at.point).0
    }

    fn velocity(&self, index: u32) -> DVec3 {
        self.game.world().bodies.state(BodyId(index)).velocity
    }

    /// Kinetic and potential energy of all bodies, J.
    fn energy(&self) -> f64 {
        let energy = |(id, state): (BodyId, &opendoor::world::BodyState)| {
            let body = self.level.body(id);
            let turn = DMat3::from_quat(state.rotation);
            let inertia = turn * body.mass.inertia() * turn.transpose();
            let kinetic = body.mass.mass * state.velocity.length_squared();
            let turning = state.spin.dot(inertia * state.spin);
            0.5 * (kinetic + turning) + body.mass.mass * 9.81 * state.at.point.y
        };
        self.game.world().bodies.iter().map(energy).sum()
    }
}

/// Adds a crate of this half size, metres, and mass, kilograms.
fn add_crate(sketch: &mut Sketch, name: &str, centre: DVec3, half: f64, mass: f64) {
    let outside = crate_at(centre, DVec3::splat(half));
    add_heavy(sketch, name, BodyShape::Box, outside, (mass, 0.5, 0.1));
}

/// Regression test: the player's back blocked the crate, and the crate pushed the player at up to 8 m/s for as long as
/// it was held.
#[test]
fn a_player_who_turns_round_with_a_crate_stays_where_it_stands() {
    let mut rng = Rng::new(2);
    for trial in 0..20 {
        let (half, mass) = (rng.between(0.08, 0.3), rng.between(0.2, 39.9));
        let mut sketch = hall(DVec3::new(20.0, 6.0, 20.0));
        add_crate(
            &mut sketch,
            "crate",
            DVec3::new(0.0, half, -1.2),
            half,
            mass,
        );
        let mut stage = Stage::new(sketch);
        stage.ticks(20);
        let start = stage.feet();
        stage.face_point(DVec3::new(0.0, half, -1.2));
        stage.grab();
        assert!(stage.game.holds(0).is_some(), "{trial}");
        stage.face(0.0, rng.between(-60.0, 40.0));
        stage.ticks(40);
        let turn_ticks = rng.below(12) + 1;
        for tick in 1..=turn_ticks {
            let part = tick as f64 / turn_ticks as f64;
            stage.face(180.0 * part, stage.game.players[0].pitch);
            stage.ticks(1);
        }
        stage.ticks(90);
        let way = (stage.feet() - start).length();
        assert!(
            way < 0.01,
            "trial {trial}: {mass} kg, {turn_ticks} ticks: {way}"
        );
        assert!(stage.game.holds(0).is_some(), "{trial}: {}", stage.at(0));
    }
}

/// Regression test: only the body directly under the feet could not be taken. So a player on a stack took a lower body,
/// and flew up with it.
#[test]
fn a_crate_that_bears_the_player_directly_or_through_others_cannot_be_taken() {
    for (count, awake) in [(2, true), (2, false), (4, true), (4, false)] {
        let mut sketch = hall(DVec3::new(20.0, 8.0, 20.0));
        // Each crate is wider than the crate above it.
        let half = |index: u32| 0.5 - 0.08 * f64::from(index);
        let mut top = 0.0;
        for index in 0..count {
            let centre = DVec3::Y * (top + 0.15);
            let outside = crate_at(centre, DVec3::new(half(index), 0.15, half(index)));
            let name = format!("crate-{index}");
            add_heavy(
                &mut sketch,
                &name,
                BodyShape::Box,
                outside,
                (10.0, 0.5, 0.1),
            );
            top += 0.3;
        }
        // A crate beside the feet, which supports nothing.
        let edge = half(count - 1);
        let free = DVec3::new(0.0, top + 0.05, 0.05 - edge);
        add_crate(&mut sketch, "free", free, 0.05, 1.0);
        sketch.source.spawns.clear();
        sketch.spawn(0, DVec3::new(0.0, top + 0.01, 0.4 - edge), DVec3::NEG_Z);
        let mut stage = Stage::new(sketch);
        stage.ticks(if awake { 20 } else { 300 });
        let high = stage.feet().y;
        assert!(high > top - 0.02, "{high}");
        for index in 0..count {
            let half = half(index);
            stage.face_point(stage.at(index) + DVec3::new(0.3 * half, 0.15, 0.02 - half));
            assert_eq!(
                stage.game.takeable(&stage.level, 0),
                None,
                "{index} of {count}"
            );
            stage.grab();
            stage.ticks(30);
            assert!(stage.feet().y < high + 0.02, "{}", stage.feet());
        }
        stage.face_point(stage.at(count));
        stage.grab();
        assert_eq!(stage.game.holds(0), Some(BodyId(count)));
    }
}

/// Regression test: the held crate hung behind the closed door, followed the player, and was thrown there.
#[test]
fn a_crate_is_let_go_when_the_line_to_it_is_cut_and_then_not_thrown() {
    let mut rng = Rng::new(6);
    let mut cut = 0;
    for trial in 0..20 {
        let door = cuboid([-0.5, 0.0, -3.0], [0.5, 2.2, -3.0]);
        let mut sketch = Sketch::new("two");
        let near = cuboid([-3.0, 0.0, -3.0], [3.0, 3.0, 3.0]);
        let far = cuboid([-3.0, 0.0, -9.0], [3.0, 3.0, -3.0]);
        let room = sketch.box_room("near", near, &[door]);
        sketch.portal(room, "far", door, DVec3::NEG_Z);
        sketch.box_room("far", far, &[door]);
        let mass = rng.between(0.5, 39.0);
        let beyond = DVec3::new(0.0, 0.1, -3.0 - rng.between(0.3, 0.5));
        add_crate(&mut sketch, "crate", beyond, 0.1, mass);
        sketch.spawn(room, DVec3::new(0.0, 0.01, -2.2), DVec3::NEG_Z);
        let mut stage = Stage::new(sketch);
        stage.ticks(20);
        stage.face_point(beyond);
        stage.grab();
        assert!(stage.game.holds(0).is_some(), "{trial}");
        stage.face(0.0, -20.0);
        let lifted = rng.below(30) as u32;
        stage.ticks(lifted);
        let shut = stage.game.set_link(&stage.level, LinkId(0), false);
        if shut.is_err() {
            // The crate is in the doorway.
            continue;
        }
        stage.ticks(1);
        if stage.at(0).z > -3.0 {
            // The crate is already on the player's side.
            assert!(stage.game.holds(0).is_some(), "{trial}");
            continue;
        }
        assert_eq!(stage.game.holds(0), None, "{trial}");
        cut += 1;
        let before = stage.velocity(0);
        stage.grab();
        assert!((stage.velocity(0) - before).length() < 0.5, "{trial}");
        stage.ticks(60);
        assert!(stage.at(0).y < 0.2, "{trial}: {}", stage.at(0));
    }
    assert!(cut > 3, "{cut}");
}

/// Regression test: the crate's speed was set without a limit of the force.
#[test]
fn hands_change_the_momentum_of_a_crate_by_no_more_than_their_force() {
    let mut rng = Rng::new(7);
    for trial in 0..30 {
        let mass = rng.between(0.5, 39.9);
        let mut sketch = hall(DVec3::new(20.0, 8.0, 20.0));
        add_crate(
            &mut sketch,
            "crate",
            DVec3::new(0.0, 0.15, -1.5),
            0.15,
            mass,
        );
        let mut stage = Stage::new(sketch);
        stage.ticks(20);
        stage.face_point(DVec3::new(0.0, 0.15, -1.5));
        stage.grab();
        for _ in 0..120 {
            if rng.one_in(20) {
                stage.face(rng.between(-180.0, 180.0), rng.between(-10.0, 60.0));
            }
            let before = stage.velocity(0);
            let free = stage.at(0).y > 0.7;
            stage.ticks(1);
            let force = (stage.velocity(0) - before) * mass / SECS + DVec3::Y * mass * 9.81;
            let most = FORCE * (1.0 + 1e-6);
            let is_held = stage.game.holds(0).is_some();
            assert!(
                !free || !is_held || force.length() <= most,
                "{trial}: {force}"
            );
        }
    }
}

/// Regression test: a slab of 100 kg on a held crate was lifted with the crate.
#[test]
fn a_crate_under_a_slab_that_is_too_heavy_is_not_lifted() {
    let mut sketch = hall(DVec3::new(20.0, 8.0, 20.0));
    for (name, x) in [("a", -0.7), ("b", 0.0), ("c", 0.7)] {
        add_crate(&mut sketch, name, DVec3::new(x, 0.2, -1.5), 0.2, 20.0);
    }
    let slab = crate_at(DVec3::new(0.0, 0.5, -1.5), DVec3::new(1.0, 0.1, 0.2));
    add_heavy(&mut sketch, "slab", BodyShape::Box, slab, (100.0, 0.5, 0.0));
    let mut stage = Stage::new(sketch);
    stage.ticks(60);
    stage.face_point(DVec3::new(0.0, 0.2, -1.3));
    stage.grab();
    assert_eq!(stage.game.holds(0), Some(BodyId(1)));
    for _ in 0..120 {
        stage.face(0.0, 60.0);
        stage.ticks(1);
        let slab = stage.at(3);
        assert!(slab.y < 0.52, "{slab}");
    }
}

/// Regression test: the held crate pulled another crate against the player, and pushed the player back without end.
#[test]
fn a_body_between_the_player_and_the_held_one_does_not_drive_the_player() {
    let mut rng = Rng::new(8);
    for trial in 0..4 {
        let mut sketch = hall(DVec3::new(30.0, 6.0, 30.0));
        let mass = rng.between(1.0, 30.0);
        add_crate(
            &mut sketch,
            "between",
            DVec3::new(0.0, 0.2, -0.75),
            0.2,
            mass,
        );
        let mass = rng.between(5.0, 39.0);
        add_crate(&mut sketch, "held", DVec3::new(0.0, 0.3, -1.6), 0.3, mass);
        let mut stage = Stage::new(sketch);
        stage.ticks(20);
        let start = stage.feet();
        stage.face_point(DVec3::new(0.0, 0.55, -1.32));
        stage.grab();
        assert_eq!(stage.game.holds(0), Some(BodyId(1)), "{trial}");
        // The target position of the held crate is occupied by the other crate.
        for _ in 0..240 {
            stage.face(0.0, -70.0);
            stage.ticks(1);
        }
        let way = (stage.feet() - start).length();
        // Overlaps that the solver pushes apart cause a small creep.
        assert!(way < 1.0, "{trial}: {way}");
    }
}

/// An internal force of a system does not move its centre of mass.
#[test]
fn a_player_on_a_sliding_plate_does_not_drive_it_with_a_crate_against_a_block_on_it() {
    let mut rng = Rng::new(9);
    for trial in 0..2 {
        let mut sketch = hall(DVec3::new(40.0, 8.0, 40.0));
        let plate = crate_at(DVec3::new(0.0, 0.15, 0.0), DVec3::new(2.0, 0.15, 2.0));
        add_heavy(
            &mut sketch,
            "a-plate",
            BodyShape::Box,
            plate,
            (300.0, 0.0, 0.0),
        );
        let block = crate_at(DVec3::new(0.0, 1.2, -1.3), DVec3::new(0.4, 0.9, 0.4));
        add_heavy(
            &mut sketch,
            "block",
            BodyShape::Box,
            block,
            (200.0, 100.0, 0.0),
        );
        let centre = DVec3::new(-1.0, 0.45, 0.0);
        add_crate(&mut sketch, "crate", centre, 0.15, rng.between(5.0, 20.0));
        sketch.source.materials[0].friction = 0.0;
        sketch.source.spawns.clear();
        sketch.spawn(0, DVec3::new(0.0, 0.31, 0.0), DVec3::NEG_Z);
        let mut stage = Stage::new(sketch);
        stage.ticks(30);
        stage.face_point(centre);
        stage.grab();
        assert_eq!(stage.game.holds(0), Some(BodyId(2)), "{trial}");
        stage.face(0.0, -40.0);
        for _ in 0..240 {
            stage.ticks(1);
            let speed = stage.velocity(0).length();
            assert!(speed < 0.8, "{trial}: {speed}");
        }
    }
}

/// A hall with crates, balls and a wall that forms a corner, and a second room behind a door.
fn playroom(rng: &mut Rng) -> Sketch {
    let mut sketch = hall(DVec3::new(6.0, 4.0, 6.0));
    let wall = cuboid([-1.5, 0.0, -2.2], [1.0, 1.8, -2.1]);
    sketch.furniture(0, 0, wall);
    sketch.furniture(0, 0, cuboid([1.6, 0.0, -1.0], [2.6, 0.8, 1.0]));
    for index in 0..7 {
        let [x, z] = [(); 2].map(|()| rng.between(-2.2, 2.2));
        let half = rng.between(0.06, 0.3);
        let mut centre = DVec3::new(x, 1.0 + 0.3 * f64::from(index), z);
        if wall.contains(centre) {
            centre.y = wall.max.y + half;
        }
        let mass = 0.3 * 200_f64.powf(rng.between(0.0, 1.0));
        if rng.one_in(3) {
            add_ball(&mut sketch, &format!("b{index}"), centre, half, 0.4, 0.3);
            sketch.source.bodies[index as usize].mass = Some(mass);
        } else {
            add_crate(&mut sketch, &format!("b{index}"), centre, half, mass);
        }
    }
    sketch
}

/// Plays at random with hands; returns the number of ticks in which a body was held.
fn play(seed: u64, count: u32) -> u32 {
    let mut rng = Rng::new(seed);
    let mut stage = Stage::new(playroom(&mut rng));
    let mut monitor = Monitor::new(&stage.level, &stage.game, 0);
    let (mut input, mut held_ticks) = (Input::default(), 0);
    stage.ticks(30);
    for tick in 0..count {
        if rng.one_in(20) {
            input = Input {
                forward: rng.between(-1.0, 1.0),
                right: rng.between(-1.0, 1.0),
                run: rng.one_in(2),
                jump: rng.one_in(6),
                crouch: rng.one_in(8),
                ..Input::default()
            };
            if rng.one_in(3) {
                (input.forward, input.right) = (0.0, 0.0);
            }
        }
        if rng.one_in(15) {
            stage.face(rng.between(-180.0, 180.0), rng.between(-89.0, 50.0));
        }
        if rng.one_in(20) {
            // Looks at a body, so that the hands hold a body often.
            let bodies = stage.level.bodies.len();
            stage.face_point(stage.at(rng.below(bodies) as u32));
        }
        input.grab = rng.one_in(25);
        let before = stage.energy();
        let carrier_speed = stage.carrier_speed();
        let held = stage.game.holds(0);
        let speed = |stage: &Stage| {
            let held = held.or(stage.game.holds(0));
            held.map_or(0.0, |BodyId(index)| stage.velocity(index).length())
        };
        let fastest = speed(&stage);
        stage.tick(&input);
        monitor.add_tick(&stage.level, &stage.game);
        assert_eq!(monitor.violation, None, "seed {seed}, tick {tick}");
        let fastest = fastest.max(speed(&stage));
        held_ticks += u32::from(stage.game.holds(0).is_some());
        // The energy gained in a tick has a bound: the work of the hands and of a walk at the running speed, a throw of
        // 60 N s, and the landing of the player.
        let hands = FORCE * (fastest + stage.game.players[0].run_speed) * SECS;
        let is_thrown = held.is_some() && stage.game.holds(0).is_none();
        let throw = if is_thrown {
            60.0 * (fastest + 12.0)
        } else {
            0.0
        };
        // Other bodies collide with the player as with a mass of 80 kg that has the velocity of the body below the
        // player.
        let carried = 40.0 * carrier_speed * carrier_speed;
        // At most all of the player's kinetic energy at landing goes to the body below.
        let events = &stage.game.players[0].actor.report.events;
        let landings = events.iter().map(|event| match event {
            MotionEvent::Landed { speed, .. } => 40.0 * speed * speed,
            _ => 0.0,
        });
        let landing: f64 = landings.sum();
        let gained = stage.energy() - before;
        assert!(
            gained <= 1.0 + hands + throw + landing + carried,
            "seed {seed}, tick {tick}: {gained} J, {hands} J by hands"
        );
    }
    held_ticks
}

#[test]
fn random_play_with_hands_gives_no_more_energy_than_hands_have() {
    let held: u32 = (0..6).map(|seed| play(seed, 200)).sum();
    assert!(held > 60, "{held}");
}

/// Regression test for two defects: a player between a thrown crate and a wall was pressed halfway into the floor, and
/// a player that stepped on a spinning ball got the velocity of a point below the feet, a quarter of a metre beside the
/// ball.
#[test]
fn crates_that_strike_the_player_do_not_press_it_into_the_floor() {
    for seed in [216, 237, 240] {
        play(seed, 760);
    }
}

#[test]
#[ignore = "a million ticks: minutes in release"]
fn random_play_with_hands_for_a_million_ticks() {
    let seeds = u64::from(ticks(1000));
    let held: u32 = (100..100 + seeds).map(|seed| play(seed, 1000)).sum();
    eprintln!("something was held in {held} ticks of {}", seeds * 1000);
}
