//! Kinematic bodies: a program determines their motion, and they push bodies and players.

use opendoor::author::sketch::Sketch;
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::game::{EventKind, Game, Input, PLAYER, Start};
use opendoor::geometry::Rigid;
use opendoor::glam::{DMat3, DQuat, DVec3};
use opendoor::level::{AuthorPoint, BodyId, JointKind, Level};
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, JointSource};
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_ball, add_heavy, crate_at, hall};
use crate::judge::Solid;
use crate::long::tick;

const SECS: f64 = 1.0 / 60.0;

/// A level whose body with this name is kinematic. Positions are those of the author.
struct Stage {
    level: Level,
    game: Game,
    kinematic: BodyId,
}

impl Stage {
    fn new(sketch: Sketch, name: &str) -> Self {
        let (level, _) = build(sketch.source).expect("it is sound");
        let mut game = Game::start(&level, &Start::Default, PLAYER).expect("there is room");
        let kinematic = id(&level, name);
        make_kinematic(&mut game, kinematic, true);
        Self {
            level,
            game,
            kinematic,
        }
    }

    fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.game.tick(&self.level, &[Input::default()]);
        }
    }

    fn move_at(&mut self, velocity: DVec3, spin: DVec3) {
        let id = self.kinematic;
        self.game.set_kinematic_velocity(id, velocity, spin);
    }

    fn at(&self, name: &str) -> DVec3 {
        let state = self.game.world().bodies.state(id(&self.level, name));
        self.level.to_author(state.at.point).0
    }

    fn pose(&self, name: &str) -> Rigid {
        let id = id(&self.level, name);
        self.game.world().bodies.state(id).room_from_body()
    }

    fn velocity(&self, name: &str) -> DVec3 {
        let id = id(&self.level, name);
        self.game.world().bodies.state(id).velocity
    }

    fn is_asleep(&self, name: &str) -> bool {
        let id = id(&self.level, name);
        self.game.world().bodies.state(id).is_asleep()
    }

    fn feet(&self) -> DVec3 {
        self.game.players[0].feet(&self.level).0
    }
}

fn id(level: &Level, name: &str) -> BodyId {
    let index = level.bodies.iter().position(|body| body.name == name);
    BodyId(index.expect("the level has this body") as u32)
}

fn make_kinematic(game: &mut Game, id: BodyId, is_kinematic: bool) {
    let mut state = *game.world().bodies.state(id);
    state.is_kinematic = is_kinematic;
    game.set_body(id, state);
}

/// A hall of 20 m with the player in a corner, far from everything.
fn wide_hall() -> Sketch {
    let mut sketch = hall(DVec3::new(20.0, 8.0, 20.0));
    sketch.source.spawns.clear();
    sketch.spawn(0, DVec3::new(9.0, 0.0, 9.0), DVec3::NEG_Z);
    sketch
}

fn add_box(sketch: &mut Sketch, name: &str, centre: DVec3, half: DVec3, mass: f64) {
    let outside = crate_at(centre, half);
    add_heavy(sketch, name, BodyShape::Box, outside, (mass, 0.5, 0.0));
}

/// The penetration of two boxes, metres.
fn depth((a, half_a): (&Rigid, DVec3), (b, half_b): (&Rigid, DVec3)) -> f64 {
    let [a, b] = [(a, half_a), (b, half_b)].map(|(pose, half)| {
        let solid = Solid::skewed_box(half, 0.0);
        solid.posed(pose)
    });
    a.depth(&b)
}

#[test]
fn a_kinematic_body_is_where_its_program_puts_it_whatever_is_in_the_way() {
    let mut rng = Rng::new(3);
    let mut sketch = wide_hall();
    add_box(
        &mut sketch,
        "paddle",
        DVec3::Y,
        DVec3::new(0.8, 0.3, 0.1),
        0.5,
    );
    for index in 0..12 {
        let centre = DVec3::new(
            rng.between(-2.0, 2.0),
            0.3 + 0.5 * f64::from(index % 4),
            -0.6,
        );
        let name = format!("crate{index:02}");
        add_box(&mut sketch, &name, centre, DVec3::splat(0.2), 3000.0);
    }
    let mut stage = Stage::new(sketch, "paddle");
    let start = stage.pose("paddle").translation();
    for now in 1..240 {
        let time = f64::from(now) * SECS;
        let point = start
            + DVec3::new(
                (3.0 * time).sin() * 2.0,
                (2.0 * time).sin(),
                (5.0 * time).sin(),
            );
        let rotation = DQuat::from_scaled_axis(DVec3::new(0.3, 1.0, 0.2) * (4.0 * time.sin()));
        stage.game.move_kinematic(stage.kinematic, point, rotation);
        stage.ticks(1);
        let state = stage.game.world().bodies.state(stage.kinematic);
        assert!(state.at.point.distance(point) < 1e-12, "{now}");
        assert!(state.rotation.dot(rotation).abs() > 1.0 - 1e-12, "{now}");
        assert!(!state.is_asleep());
    }
}

#[test]
fn a_kinematic_plough_pushes_boxes_and_balls_at_its_speed_and_none_gets_through() {
    for (speed, mass) in [(0.03, 1.0), (1.0, 0.05), (1.0, 5000.0), (6.0, 20.0)] {
        let mut sketch = wide_hall();
        let half = DVec3::new(1.5, 0.4, 0.1);
        add_box(
            &mut sketch,
            "plough",
            DVec3::new(0.0, 0.42, -8.0),
            half,
            1.0,
        );
        let crates = ["a", "b", "z"].map(|name| {
            let x = f64::from(name.as_bytes()[0] % 3) - 1.0;
            add_box(
                &mut sketch,
                name,
                DVec3::new(x, 0.25, -7.4),
                DVec3::splat(0.25),
                mass,
            );
            name
        });
        add_ball(
            &mut sketch,
            "ball",
            DVec3::new(0.5, 0.2, -7.0),
            0.2,
            0.5,
            0.0,
        );
        let mut stage = Stage::new(sketch, "plough");
        stage.ticks(90);
        assert!(crates.iter().all(|name| stage.is_asleep(name)));
        stage.move_at(DVec3::Z * speed, DVec3::ZERO);
        let mut deepest = 0.0_f64;
        for _ in 0..(2.0 / (speed * SECS)).min(900.0) as u32 {
            stage.ticks(1);
            for name in crates {
                let plough = stage.pose("plough");
                let crate_ = stage.pose(name);
                deepest = deepest.max(depth((&plough, half), (&crate_, DVec3::splat(0.25))));
            }
        }
        assert!(deepest < 2e-3, "{speed} {mass}: {deepest}");
        let front = stage.at("plough").z + 0.1;
        for name in crates {
            let velocity = stage.velocity(name);
            let back = stage.at(name).z - 0.25;
            assert!(back > front - 2e-3, "{speed} {mass} {name}: {back} {front}");
            if speed < 2.0 && front > -7.6 {
                assert!(back < front + 2e-2, "{speed} {mass} {name}: {back} {front}");
                assert!(
                    (velocity.z - speed).abs() < 0.1 * speed,
                    "{name}: {velocity}"
                );
            }
        }
        assert!(stage.at("ball").z > front);
    }
}

/// Bounds as for movers.
#[test]
fn a_thin_kinematic_plate_at_sixty_metres_a_second_passes_neither_a_ball_nor_a_crate() {
    for (is_ball, fill) in [(true, 0), (false, 0), (false, 8)] {
        let mut sketch = wide_hall();
        let half = DVec3::new(1.0, 1.0, 5e-4);
        add_box(&mut sketch, "plate", DVec3::new(0.0, 2.0, -8.0), half, 1.0);
        let middle = DVec3::new(0.1, 2.0, -4.3);
        match is_ball {
            true => add_ball(&mut sketch, "thing", middle, 0.1, 0.5, 0.2),
            false => add_box(&mut sketch, "thing", middle, DVec3::splat(0.1), 1.0),
        }
        for index in 0..fill {
            let beside =
                middle + DVec3::new(0.0, 0.1 * f64::from(index), 0.3 * f64::from(index + 1));
            let name = format!("fill{index}");
            add_box(&mut sketch, &name, beside, DVec3::splat(0.1), 1.0);
        }
        let mut stage = Stage::new(sketch, "plate");
        stage.move_at(DVec3::Z * 60.0, DVec3::ZERO);
        for _ in 0..12 {
            stage.ticks(1);
            let before = stage.at("thing").z > stage.at("plate").z + 0.09;
            assert!(
                before,
                "{is_ball} {fill}: {} {}",
                stage.at("thing"),
                stage.at("plate")
            );
        }
        assert!(stage.velocity("thing").z > 50.0);
    }
}

#[test]
fn bodies_stay_on_a_kinematic_platform_that_rises_sinks_slides_and_turns() {
    let motions = [
        (DVec3::Y * 0.5, DVec3::ZERO),
        (DVec3::Y * -0.5, DVec3::ZERO),
        (DVec3::new(0.7, 0.0, 0.2), DVec3::ZERO),
        (DVec3::ZERO, DVec3::Y * 0.5),
    ];
    for (velocity, spin) in motions {
        let mut sketch = wide_hall();
        let half = DVec3::new(1.5, 0.1, 1.5);
        add_box(&mut sketch, "platform", DVec3::Y * 3.0, half, 1.0);
        for (index, name) in ["a", "b", "q", "r"].into_iter().enumerate() {
            let [x, y] = [index % 2, index / 2].map(|at| at as f64);
            let centre = DVec3::new(x - 0.5, 3.35 + 0.5 * y, 0.4);
            add_box(&mut sketch, name, centre, DVec3::splat(0.25), 1.0);
        }
        let mut stage = Stage::new(sketch, "platform");
        stage.ticks(30);
        let relative = |stage: &Stage, name| {
            let pose = stage.pose("platform").inverse().after(&stage.pose(name));
            pose.translation()
        };
        let names = ["a", "b", "q", "r"];
        let before = names.map(|name| relative(&stage, name));
        // The platform speeds up within what friction can pass on.
        for now in 1..=150 {
            let part = f64::from(now.min(60)) / 60.0;
            stage.move_at(velocity * part, spin * part);
            stage.ticks(1);
        }
        for (name, before) in names.into_iter().zip(before) {
            let now = relative(&stage, name);
            assert!(
                now.distance(before) < 2e-2,
                "{velocity} {spin} {name}: {before} {now}"
            );
            assert!(
                (now.y - before.y).abs() < 2e-3,
                "{velocity} {spin} {name}: {before} {now}"
            );
        }
    }
}

#[test]
fn bodies_sleep_on_a_kinematic_body_at_rest_alone_and_wake_when_it_begins_to_move() {
    let mut sketch = wide_hall();
    add_box(
        &mut sketch,
        "table",
        DVec3::Y * 0.5,
        DVec3::new(4.0, 0.1, 1.0),
        1.0,
    );
    add_box(
        &mut sketch,
        "crate",
        DVec3::new(-3.0, 0.8, 0.0),
        DVec3::splat(0.2),
        1.0,
    );
    add_box(
        &mut sketch,
        "x-far",
        DVec3::new(6.0, 0.2, 0.0),
        DVec3::splat(0.2),
        1.0,
    );
    add_ball(
        &mut sketch,
        "ball",
        DVec3::new(3.0, 0.8, 0.0),
        0.2,
        0.5,
        0.0,
    );
    let mut stage = Stage::new(sketch, "table");
    let [ball, crate_] = ["ball", "crate"].map(|name| id(&stage.level, name));
    let parts = |stage: &Stage| {
        let mut events = stage.game.events.iter();
        events
            .any(|event| matches!(event.kind, EventKind::BodyParted { body, .. } if body == crate_))
    };
    let mut has_parted = false;
    for now in 0..120 {
        let level = &stage.level;
        let sideways = if now % 20 < 10 { 1.0 } else { -1.0 };
        stage.game.apply_impulse(
            level,
            ball,
            DVec3::X * (0.02 * sideways),
            stage.game.world().bodies.state(ball).at.point,
        );
        stage.ticks(1);
        has_parted |= now > 30 && parts(&stage);
    }
    assert!(stage.is_asleep("crate") && stage.is_asleep("table"));
    assert!(!stage.is_asleep("ball"), "it is kept awake");
    assert!(!has_parted, "they touch while one of them sleeps");
    stage.move_at(DVec3::Y * 0.01, DVec3::ZERO);
    stage.ticks(1);
    assert!(!stage.is_asleep("crate") && stage.is_asleep("x-far"));
    // The table is slower than the speed at which bodies fall asleep, but it moves.
    for _ in 0..180 {
        stage.ticks(1);
        assert!(!stage.is_asleep("crate") && !stage.is_asleep("table"));
    }
    let over = stage.at("crate").y - stage.at("table").y - 0.3;
    assert!(over.abs() < 1e-3, "{over}");
    stage.move_at(DVec3::ZERO, DVec3::ZERO);
    for _ in 0..60 {
        stage.ticks(1);
        assert!(!parts(&stage));
    }
    assert!(stage.is_asleep("crate") && stage.is_asleep("table"));
    stage.game.remove_body(stage.kinematic);
    stage.ticks(60);
    assert!(stage.at("crate").y < 0.3, "it falls: {}", stage.at("crate"));
}

#[test]
fn forces_impulses_and_hands_do_not_move_a_kinematic_body() {
    let mut sketch = hall(DVec3::splat(10.0));
    add_box(
        &mut sketch,
        "thing",
        DVec3::new(0.0, 1.5, -1.5),
        DVec3::splat(0.2),
        1.0,
    );
    let mut stage = Stage::new(sketch, "thing");
    let start = stage.pose("thing").translation();
    let thing = stage.kinematic;
    for now in 0..120 {
        let level = &stage.level;
        stage
            .game
            .apply_force(level, thing, DVec3::X * 500.0, start);
        stage.game.apply_torque(level, thing, DVec3::X * 500.0);
        stage
            .game
            .apply_impulse(level, thing, DVec3::X, start + DVec3::Y);
        stage.game.apply_angular_impulse(level, thing, DVec3::X);
        assert_eq!(stage.game.takeable(level, 0), None);
        let input = Input {
            forward: 1.0,
            grab: now % 2 == 0,
            ..Input::default()
        };
        stage.game.tick(&stage.level, &[input]);
    }
    assert_eq!(stage.pose("thing").translation(), start);
    assert!(stage.is_asleep("thing"));
    // As a rigid body again, it falls.
    make_kinematic(&mut stage.game, thing, false);
    stage.ticks(60);
    assert!(stage.at("thing").y < 0.5);
}

#[test]
fn a_player_rides_a_kinematic_platform_and_a_kinematic_wall_pushes_it() {
    let motions = [
        (DVec3::Y * 1.0, DVec3::ZERO),
        (DVec3::Y * -0.5, DVec3::ZERO),
        (DVec3::X * 1.5, DVec3::ZERO),
        (DVec3::ZERO, DVec3::Y * 1.0),
    ];
    for (velocity, spin) in motions {
        let mut sketch = hall(DVec3::new(20.0, 10.0, 20.0));
        sketch.source.spawns.clear();
        sketch.spawn(0, DVec3::new(0.6, 2.1, 0.0), DVec3::NEG_Z);
        let half = DVec3::new(1.5, 0.1, 1.5);
        add_box(&mut sketch, "platform", DVec3::Y * 2.0, half, 1.0);
        let mut stage = Stage::new(sketch, "platform");
        stage.ticks(30);
        let start = stage.feet();
        assert!((start.y - 2.1).abs() < 5e-3, "{start}");
        stage.move_at(velocity, spin);
        for now in 1..=60 {
            stage.ticks(1);
            let time = f64::from(now) * SECS;
            let expected = DQuat::from_scaled_axis(spin * time) * start + velocity * time;
            let feet = stage.feet();
            let off = feet.distance(expected);
            assert!(off < 0.04, "{velocity} {spin} {now}: {feet} {expected}");
        }
    }
    let mut sketch = hall(DVec3::new(20.0, 6.0, 20.0));
    add_box(
        &mut sketch,
        "wall",
        DVec3::new(0.0, 1.1, -2.0),
        DVec3::new(2.0, 1.0, 0.1),
        1.0,
    );
    let mut stage = Stage::new(sketch, "wall");
    for speed in [0.5, 4.0] {
        stage.move_at(DVec3::Z * speed, DVec3::ZERO);
        for now in 0..(2.0 / (speed * SECS)) as u32 {
            stage.ticks(1);
            let gap = stage.feet().z - 0.35 - (stage.at("wall").z + 0.1);
            assert!(gap > -0.01, "{speed} {now}: {gap}");
        }
    }
    assert!(stage.feet().z > 1.0, "{}", stage.feet());
}

#[test]
fn a_kinematic_body_passes_doorways_and_pushes_what_is_behind_them() {
    let mut sketch = Sketch::new("rooms");
    let doorway = opendoor::author::sketch::cuboid([0.0, 0.0, -1.5], [0.0, 2.5, 1.5]);
    for (name, from, out) in [("west", -6.0, DVec3::X), ("east", 0.0, DVec3::NEG_X)] {
        let inside = opendoor::author::sketch::cuboid([from, 0.0, -3.0], [from + 6.0, 3.0, 3.0]);
        let room = sketch.box_room(name, inside, &[doorway]);
        sketch.portal(room, "", doorway, out);
    }
    sketch.spawn(0, DVec3::new(-5.0, 0.0, 2.5), DVec3::X);
    add_box(
        &mut sketch,
        "block",
        DVec3::new(-3.0, 0.5, 0.0),
        DVec3::splat(0.4),
        1.0,
    );
    add_box(
        &mut sketch,
        "a-crate",
        DVec3::new(1.0, 0.25, 0.0),
        DVec3::splat(0.25),
        5.0,
    );
    add_box(
        &mut sketch,
        "z-crate",
        DVec3::new(-1.0, 0.25, 0.0),
        DVec3::splat(0.25),
        5.0,
    );
    let mut stage = Stage::new(sketch, "block");
    stage.move_at(DVec3::X * 1.5, DVec3::ZERO);
    stage.ticks(180);
    let state = stage.game.world().bodies.state(stage.kinematic);
    assert_eq!(stage.level.room(state.at.room).name, "east");
    let x = stage.at("block").x;
    assert!((x - 1.5).abs() < 1e-9, "{x}");
    for name in ["a-crate", "z-crate"] {
        let beside = stage.at(name).x - x;
        assert!(beside > 0.65 - 2e-3, "{name}: {beside}");
    }
}

#[test]
fn a_pendulum_hangs_from_a_kinematic_body_and_follows_it() {
    for is_base in [false, true] {
        let mut sketch = wide_hall();
        let pivot = DVec3::new(0.0, 5.0, 0.0);
        add_box(&mut sketch, "hook", pivot, DVec3::splat(0.1), 1.0);
        add_box(
            &mut sketch,
            "bob",
            pivot - DVec3::Y,
            DVec3::splat(0.2),
            20.0,
        );
        let mut bodies = vec!["bob".to_owned(), "hook".to_owned()];
        if is_base {
            bodies.reverse();
        }
        sketch.source.joints.push(JointSource {
            node: "joint".to_owned(),
            room: None,
            position: AuthorPoint(pivot),
            axes: DMat3::IDENTITY,
            bodies,
            kind: JointKind::Ball,
            damping: 0.0,
        });
        let mut stage = Stage::new(sketch, "hook");
        stage.ticks(90);
        assert!(stage.is_asleep("bob") && stage.is_asleep("hook"));
        for now in 0..240 {
            let time = f64::from(now) * SECS;
            let velocity = DVec3::new(2.0 * (2.0 * time).cos(), 0.5, (3.0 * time).sin());
            stage.move_at(velocity, DVec3::new(1.0, 2.0, -1.0) * time.sin());
            stage.ticks(1);
            let end = stage.pose("bob").point(DVec3::Y);
            let gap = end.distance(stage.pose("hook").translation());
            assert!(gap < 5e-3, "{is_base} {now}: {gap}");
        }
        // A slow motion keeps the pendulum awake, and it follows.
        for _ in 0..600 {
            stage.move_at(DVec3::X * 0.01, DVec3::ZERO);
            stage.ticks(1);
        }
        assert!(!stage.is_asleep("bob"));
        let side = stage.at("bob") - stage.at("hook");
        assert!((side.length() - 1.0).abs() < 5e-3, "{side}");
    }
}

/// Random kinematic boxes among random bodies.
fn crowd(seed: u64) -> (Level, World, Vec<BodyId>) {
    let mut rng = Rng::new(seed);
    let mut sketch = hall(DVec3::new(6.0, 5.0, 6.0));
    for index in 0..14 {
        let at = |rng: &mut Rng| rng.between(-2.2, 2.2);
        let centre = DVec3::new(at(&mut rng), rng.between(0.5, 3.5), at(&mut rng));
        let half = DVec3::from([0; 3].map(|_| rng.between(0.1, 0.3)));
        let name = format!("thing{index:02}");
        match index % 3 {
            0 => add_ball(&mut sketch, &name, centre, half.x, 0.5, 0.3),
            kind => {
                let shape = [BodyShape::Box, BodyShape::Hull][kind as usize - 1];
                add(&mut sketch, &name, shape, crate_at(centre, half), 0.5, 0.1);
            }
        }
    }
    let (level, _) = build(sketch.source).expect("it is sound");
    let mut world = World::of(&level);
    let kinematic: Vec<_> = [1, 6, 7, 12].map(BodyId).to_vec();
    for &id in &kinematic {
        let mut state = *world.bodies.state(id);
        state.is_kinematic = true;
        world.bodies.set(id, state);
    }
    (level, world, kinematic)
}

fn drive(world: &mut World, kinematic: &[BodyId], rng: &mut Rng) {
    for &id in kinematic {
        if rng.between(0.0, 1.0) < 0.1 {
            let mut random = |size: f64| DVec3::from([0; 3].map(|_| rng.between(-size, size)));
            let (velocity, spin) = (random(2.0), random(3.0));
            let is_still = velocity.x > 1.0;
            let scale = if is_still { 0.0 } else { 1.0 };
            world
                .bodies
                .set_kinematic_velocity(id, velocity * scale, spin * scale);
        }
    }
}

#[test]
fn bodies_among_random_kinematic_bodies_stay_in_the_hall_and_every_method_gives_the_same_bits() {
    let mut unlike = 0;
    for seed in 0..20 {
        let (level, mut world, kinematic) = crowd(seed);
        let mut other = world.clone();
        let mut rng = Rng::new(seed);
        let mut workspace = BodyWorkspace::default();
        let mut of_other = BodyWorkspace::new(opendoor::bodies::broad::PairMethod::Tree);
        for now in 0..240 {
            drive(&mut world, &kinematic, &mut rng);
            other.bodies.clone_from(&world.bodies);
            tick(&level, &mut world, GRAVITY, &mut workspace);
            // The other world uses all triangles, another broad phase, and often a new workspace.
            if now % 7 == 0 {
                of_other = BodyWorkspace::new(opendoor::bodies::broad::PairMethod::Sweep);
            }
            tick_bodies(
                &level,
                &mut other,
                &mut [],
                BroadPhase::Exhaustive,
                GRAVITY,
                &mut of_other,
            );
            unlike += u32::from(world.bodies != other.bodies);
            for (id, state) in world
                .bodies
                .iter()
                .filter(|(id, _)| !kinematic.contains(id))
            {
                let at = level.to_author(state.at.point).0;
                let inside = at.x.abs().max(at.z.abs()) < 3.0 && at.y > 0.0 && at.y < 5.0;
                assert!(inside, "{seed} {now} {id:?}: {at}");
                assert!(
                    state.velocity.length() < 60.0,
                    "{seed} {now} {id:?}: {}",
                    state.velocity
                );
            }
        }
    }
    assert_eq!(unlike, 0);
}

#[test]
fn a_game_with_kinematic_bodies_is_restored_from_every_tick() {
    for seed in 0..4 {
        let (level, mut world, kinematic) = crowd(seed);
        let mut game = Game::new(&level).expect("there is room");
        for &id in &kinematic {
            make_kinematic(&mut game, id, true);
        }
        let mut rng = Rng::new(seed);
        for now in 0..120 {
            drive(&mut world, &kinematic, &mut rng);
            for &id in &kinematic {
                let state = world.bodies.state(id);
                game.set_kinematic_velocity(id, state.velocity, state.spin);
            }
            let bytes = game.save(&level);
            let mut restored = Game::restore(&level, &bytes).expect("it is a saved game");
            assert_eq!(restored.state_hash(&level), game.state_hash(&level));
            let inputs = vec![Input::default(); game.players.len()];
            game.tick(&level, &inputs);
            restored.tick(&level, &inputs);
            assert_eq!(
                restored.state_hash(&level),
                game.state_hash(&level),
                "{seed} {now}"
            );
        }
    }
}
