//! A body that leaves all rooms is detected in the same tick and put back.

use std::path::Path;
use std::process::Command;

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::collision::BroadPhase;
use opendoor::game::{CHARACTER, EventKind, Game, GameEvent, Input, PLAYER, Start};
use opendoor::geometry::Aabb;
use opendoor::level::{Cycle, Drive, Level, Track};
use opendoor::motion::Body;
use opendoor::source::MoverSource;
use opendoor::testing::{Monitor, RandomPlayer, ViolationKind};

use serde_json::{Value, json};

use crate::common::{FORWARD, eye_of, v};
use crate::gltf_file::GltfFile;
use crate::shared::built;

/// A cell of 8 x 3 x 8 m with its floor at y = 0, and with a hole that no portal closes.
fn cell_with(hole: Aabb) -> Level {
    let mut sketch = Sketch::new("cell");
    let cell = sketch.box_room("cell", cuboid([-4., 0., -4.], [4., 3., 4.]), &[hole]);
    sketch.spawn(cell, v(-2.5, 0.1, 0.), DVec3::X);
    built(sketch.source)
}

fn hole_in_the_floor() -> Level {
    cell_with(cuboid([0., 0., -1.], [2., 0., 1.]))
}

fn feet_y(game: &Game) -> f64 {
    game.players[0].actor.state.at.point.y - game.players[0].actor.body.radius
}

/// Whether an event reports that the body left all rooms.
fn has_left(event: &GameEvent) -> bool {
    matches!(event.kind, EventKind::LeftRooms { .. })
}

/// The room and position at which the body left all rooms in the last tick, if it did.
fn left(game: &Game, level: &Level) -> Option<(String, DVec3)> {
    let mut left = game.events.iter().filter(|event| has_left(event));
    let event = left.next()?;
    assert_eq!(left.next(), None);
    let room = level.room(event.room).name.clone();
    Some((room, level.from_author(event.feet)))
}

/// Runs ticks until the body leaves its room, at most ten seconds.
fn walk_out(game: &mut Game, level: &Level, input: &Input) {
    while left(game, level).is_none() {
        game.tick(level, &[*input]);
        assert!(
            game.tick < 600,
            "at {}",
            game.players[0].actor.state.at.point
        );
    }
}

const BODIES: [Body; 3] = [
    CHARACTER,
    PLAYER,
    Body {
        radius: 0.1,
        ..CHARACTER
    },
];

#[test]
fn a_body_that_falls_through_a_hole_in_the_floor_is_back_on_it_in_the_same_tick() {
    let level = hole_in_the_floor();
    for body in BODIES {
        let mut game = Game::start(&level, &Start::Default, body).unwrap();
        let mut monitor = Monitor::new(&level, &game, 0);
        let mut stood = game.players[0].actor.state.at.point;
        let event = loop {
            let before = game.players[0].actor.state;
            game.tick(&level, &[FORWARD]);
            monitor.add_tick(&level, &game);
            if let Some(event) = left(&game, &level) {
                // Before the tick the centre was inside the room; the tick would have moved it below the floor.
                assert!(before.at.point.y > -2e-3 && !before.grounded);
                break event;
            }
            assert!(
                game.players[0].actor.state.at.point.y > -2e-3,
                "{}",
                game.players[0].actor.state.at.point
            );
            if game.players[0].actor.state.grounded && game.players[0].actor.state.fall.x == 0.0 {
                stood = game.players[0].actor.state.at.point;
            }
            assert!(game.tick < 600);
        };
        let (room, feet) = event;
        assert_eq!(room, "cell");
        assert!(
            feet.y < -body.radius && feet.x > 0.0 && feet.x < 2.0,
            "{feet}"
        );
        assert_eq!(game.players[0].actor.state.at.point, stood);
        assert_eq!(
            (
                game.players[0].actor.state.walk,
                game.players[0].actor.state.fall
            ),
            (DVec3::ZERO, DVec3::ZERO)
        );
        let violation = monitor.violation.clone().unwrap();
        assert_eq!(violation.fault, ViolationKind::LeftRooms);
        assert_eq!(
            (violation.tick, violation.room.as_str()),
            (game.tick, "cell")
        );
        // The body stands at this position without further help.
        for _ in 0..300 {
            game.tick(&level, &[]);
            monitor.add_tick(&level, &game);
            assert_eq!(left(&game, &level), None);
        }
        // A sphere may lean over the edge.
        assert!(feet_y(&game) > -0.3 * body.radius && monitor.min_gap > 0.0);
        let events = monitor.events.iter();
        assert_eq!(events.filter(|(_, event)| has_left(event)).count(), 1);
    }
}

#[test]
fn a_body_that_walks_out_through_a_hole_in_a_wall_is_put_back() {
    let level = cell_with(cuboid([4., 0., -1.], [4., 2.5, 1.]));
    for body in BODIES {
        let mut game = Game::start(&level, &Start::Default, body).unwrap();
        while left(&game, &level).is_none() {
            assert!(game.players[0].actor.state.at.point.x < 4.002 && game.tick < 600);
            game.tick(&level, &[FORWARD]);
        }
        assert!((3.0..4.002).contains(&game.players[0].actor.state.at.point.x));
        assert!(feet_y(&game) > 0.0 && game.players[0].actor.state.grounded);
    }
}

#[test]
fn above_a_court_without_a_ceiling_a_body_is_still_in_it_and_over_its_walls_it_is_not() {
    let level = cell_with(cuboid([-4., 3., -4.], [4., 3., 4.]));
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    // Thrown 20 m high, the body comes down at the same position.
    game.players[0].actor.state.fall.y = 20.0;
    let mut highest: f64 = 0.0;
    for _ in 0..600 {
        game.tick(&level, &[]);
        highest = highest.max(feet_y(&game));
        assert_eq!(left(&game, &level), None);
    }
    assert!(highest > 15.0 && feet_y(&game) < 0.01);
    (
        game.players[0].actor.state.fall.y,
        game.players[0].actor.state.grounded,
    ) = (20.0, false);
    while left(&game, &level).is_none() {
        game.tick(&level, &[FORWARD]);
        assert!(game.tick < 1200 && game.players[0].actor.state.at.point.x < 4.002);
    }
    assert!(feet_y(&game) < 0.01);
}

/// A body that falls upright is put back as tall as the available height allows.
#[test]
fn a_body_that_crept_out_of_a_duct_and_fell_is_put_back_crouched() {
    let mut sketch = Sketch::new("duct");
    let hole = cuboid([0., 0., -2.], [4., 0., 2.]);
    let cell = sketch.box_room("cell", cuboid([-4., 0., -2.], [4., 6., 2.]), &[hole]);
    sketch.furniture(cell, 0, cuboid([-3., 1.2, -2.], [0., 6., 2.]));
    // The room extends far below its floor, so that the body has stood up before it leaves the room.
    sketch.furniture(cell, 0, cuboid([-4., -4., -2.], [-3.5, -3.5, 2.]));
    sketch.spawn(cell, v(-3.5, 0.1, 0.), DVec3::X);
    let level = built(sketch.source);
    let start = Start::Feet(level.to_author(v(-2.0, 0., 0.)));
    let mut game = Game::start(&level, &start, PLAYER).unwrap();
    let mut monitor = Monitor::new(&level, &game, 0);
    game.players[0].yaw = -90.0;
    let mut falling_axis = 0.0;
    while left(&game, &level).is_none() {
        falling_axis = game.players[0].actor.body.segment_length;
        game.tick(&level, &[FORWARD]);
        monitor.add_tick(&level, &game);
        assert!(game.tick < 600);
    }
    assert!(monitor.min_gap > 0.0, "{}", monitor.min_gap);
    assert_eq!(falling_axis, PLAYER.segment_length);
    assert!(
        game.players[0].actor.body.segment_length < 0.41
            && game.players[0].actor.state.at.point.x < 0.3
    );
}

#[test]
fn a_body_that_falls_twice_from_where_it_started_is_held_there() {
    let level = cell_with(cuboid([-4., 0., -4.], [4., 0., 4.]));
    let start = Start::Feet(level.to_author(v(0., 1., 0.)));
    let mut game = Game::start(&level, &start, CHARACTER).unwrap();
    let first = game.players[0].actor.state.at.point;
    let mut kinds = Vec::new();
    for tick in 0..600 {
        game.tick(&level, &[FORWARD]);
        let unexpected = game.events.iter().map(GameEvent::name);
        kinds.extend(unexpected.filter(|name| ["left_rooms", "no_floor"].contains(name)));
        if left(&game, &level).is_some() {
            assert_eq!(game.players[0].actor.state.at.point, first);
        }
        if tick % 7 == 0 {
            game = Game::restore(&level, &game.save(&level)).unwrap();
        }
    }
    assert_eq!(kinds, ["left_rooms", "left_rooms", "no_floor"]);
    assert_eq!(game.players[0].actor.state.at.point, first);
    assert!(game.players[0].has_no_floor());
    // After it is placed elsewhere the body falls again.
    game.put_player(&level, 0, &start).unwrap();
    assert!(!game.players[0].has_no_floor());
    game.tick = 0;
    walk_out(&mut game, &level, &Input::default());
}

#[test]
fn a_floor_that_reaches_a_held_body_carries_it() {
    let mut sketch = Sketch::new("cell");
    let hole = cuboid([-4., 0., -4.], [4., 0., 4.]);
    let bounds = cuboid([-4., 0., -4.], [4., 3., 4.]);
    let cell = sketch.box_room("cell", bounds, &[hole]);
    sketch.spawn(cell, v(0., 1., 0.), DVec3::X);
    // A plate that slides below the spawn and rests there.
    let first = sketch.source.meshes.len();
    sketch.furniture(cell, 0, cuboid([6., 0.9, -1.], [8., 0.999, 1.]));
    let meshes = sketch.source.meshes.split_off(first);
    let mut plate = MoverSource::vanishing_door("plate-mover", meshes);
    plate.is_door = false;
    plate.track = Track::Slide(DVec3::X * -7.0);
    plate.drive = Drive {
        ticks: 1200,
        cycle: Cycle::Shuttle,
        wait_ticks: 60,
        ..Drive::default()
    };
    sketch.source.movers.push(plate);
    let level = built(sketch.source);
    let start = Start::Feet(level.to_author(v(0., 1., 0.)));
    let mut game = Game::start(&level, &start, CHARACTER).unwrap();
    while !game.players[0].has_no_floor() {
        game.tick(&level, &[]);
        assert!(game.tick < 1200);
    }
    assert!((feet_y(&game) - 1.0).abs() < 0.01);
    while game.players[0].has_no_floor() {
        game.tick(&level, &[]);
        assert!(game.tick < 12_000);
    }
    assert!(game.players[0].actor.state.grounded);
}

#[test]
fn walks_that_leave_are_the_same_again_and_on_the_whole_soup() {
    let level = hole_in_the_floor();
    for seed in 0..3 {
        let walk = |broad_phase| {
            let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
            game.broad_phase = broad_phase;
            let mut wander = RandomPlayer::new(seed);
            let (mut hashes, mut times) = (Vec::new(), 0);
            for _ in 0..2000 {
                let input = wander.next(&level, &mut game, 0);
                game.tick(&level, &[input]);
                times += usize::from(left(&game, &level).is_some());
                hashes.push(game.state_hash(&level));
            }
            (hashes, times)
        };
        let (hashes, times) = walk(BroadPhase::Portals);
        assert!(times > 0, "seed {seed}");
        assert_eq!((hashes, times), walk(BroadPhase::Exhaustive));
    }
}

#[test]
fn where_the_body_will_be_put_back_counts_in_the_hash_once_it_has_left() {
    let level = hole_in_the_floor();
    let fallen = |from: DVec3| {
        let start = Start::Feet(level.to_author(from));
        let mut game = Game::start(&level, &start, CHARACTER).unwrap();
        game.players[0].actor.state.at.point = v(1., 1., 0.);
        walk_out(&mut game, &level, &Input::default());
        // In the air again: the two states differ only by their history.
        game.players[0].actor.state.at.point = v(1., 1., 0.);
        game.players[0].actor.state.grounded = false;
        game.state_hash(&level)
    };
    let here = fallen(v(-2., 0.0035, 0.));
    assert_eq!(here, fallen(v(-2., 0.0035, 0.)));
    assert_ne!(here, fallen(v(-3., 0.0035, 0.)));
}

#[test]
fn the_picture_does_not_show_the_way_back() {
    let level = hole_in_the_floor();
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    walk_out(&mut game, &level, &FORWARD);
    let eyes = [0.0, 0.5, 1.0].map(|alpha| eye_of(&game, &level, alpha).at.point);
    assert_eq!(eyes, [eyes[0]; 3]);
    assert!(
        (eyes[0] - game.players[0].actor.state.at.point)
            .with_y(0.0)
            .length()
            < 1e-9
    );
}

#[test]
fn a_thousand_events_of_a_kind_are_kept_and_the_rest_counted() {
    let level = hole_in_the_floor();
    let mut game = Game::start(&level, &Start::Default, CHARACTER).unwrap();
    let mut monitor = Monitor::new(&level, &game, 0);
    let mut times = 0;
    while times < 1010 {
        game.tick(&level, &[FORWARD]);
        monitor.add_tick(&level, &game);
        times += usize::from(left(&game, &level).is_some());
        assert!(game.tick < 1_000_000);
    }
    let kept = monitor.events.iter().filter(|(_, event)| has_left(event));
    assert_eq!((kept.count(), monitor.events_omitted), (1000, 10));
}

/// A file with a box of 8 x 3 x 4 m, seen from inside, whose floor ends at x = 4.
fn file_with_half_a_floor() -> GltfFile {
    let quads = [
        [[0., 0., 0.], [0., 0., 4.], [4., 0., 4.], [4., 0., 0.]],
        [[0., 3., 0.], [8., 3., 0.], [8., 3., 4.], [0., 3., 4.]],
        [[0., 0., 0.], [0., 3., 0.], [0., 3., 4.], [0., 0., 4.]],
        [[8., 0., 0.], [8., 0., 4.], [8., 3., 4.], [8., 3., 0.]],
        [[0., 0., 0.], [8., 0., 0.], [8., 3., 0.], [0., 3., 0.]],
        [[0., 0., 4.], [0., 3., 4.], [8., 3., 4.], [8., 0., 4.]],
    ];
    let corners = quads.map(|[a, b, c, d]| [a, b, c, a, c, d]).concat();
    let mut file = GltfFile::new();
    let mesh = file.triangles(&corners);
    file.in_room(mesh);
    let spawn = json!({"name": "player-spawn", "translation": [1., 0.1, 2.]});
    let spawn = file.push("nodes", spawn);
    file.roots(&[1, spawn]);
    file
}

#[test]
fn sim_reports_a_body_that_leaves_all_rooms_and_fails() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("half-a-floor.glb");
    std::fs::write(&path, file_with_half_a_floor().glb()).unwrap();
    let walk = path.with_extension("walk");
    std::fs::write(&walk, "face -90\nmove 1 0 1\nwait 1\n").unwrap();
    let args = ["sim", "--body", "player", "--json", "--walk"];
    let program = env!("CARGO_BIN_EXE_opendoor");
    let output = Command::new(program)
        .args(args)
        .args([&walk, &path])
        .output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let events = answer["events"].as_array().unwrap().iter();
    let left: Vec<&Value> = events
        .filter(|event| event["kind"] == "left_rooms")
        .collect();
    let [event] = left[..] else {
        panic!("{answer}");
    };
    let keys: Vec<&String> = event.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["back", "kind", "position", "room", "seconds", "tick"]
    );
    assert_eq!(
        (&event["kind"], &event["room"]),
        (&"left_rooms".into(), &"hall".into())
    );
    let x = |place: &Value| place["position"][0].as_f64().unwrap();
    assert!((4.0..6.0).contains(&x(event)), "{event}");
    assert!(event["position"][1].as_f64().unwrap() < -0.35);
    assert_eq!(event["back"], answer["end"]);
    assert!((3.5..4.3).contains(&x(&answer["end"])), "{answer}");
    let said = String::from_utf8_lossy(&output.stderr);
    let tick = format!("tick {}", event["tick"]);
    assert!(
        said.contains(&tick) && said.contains("the body left room `hall` through a hole, at ("),
        "{said}"
    );
}
