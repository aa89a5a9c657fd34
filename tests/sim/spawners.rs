//! Spawners that add rigid bodies, triggers that reset bodies, and removed bodies.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{EventKind, Game, Input};
use opendoor::level::{AuthorPoint, BodyId, Level};
use opendoor::problems::ProblemCode as Code;
use opendoor::rng::Rng;
use opendoor::source::{
    BodyShape, BodySource, SpawnerSource, Spawning, TriggerKindSource, TriggerSource,
};
use opendoor::world::BodyState;
use serde_json::json;

use crate::checks::House;
use crate::checks_followers::said_edited;
use crate::gltf_file::{GltfFile, read};

/// The spawn position of crates.
const PLACE: DVec3 = DVec3::new(1.5, 2.0, 0.5);
/// Half the size of a crate, metres.
const HALF: f64 = 0.2;

const SPAWNER: Spawning = Spawning {
    count: 4,
    every_ticks: 20,
    speed: 2.0,
    endless: false,
};

/// Adds a crate, or a spawner of crates.
pub(crate) fn add_crate(sketch: &mut Sketch, node: &str, place: DVec3, spawning: Option<Spawning>) {
    let half = DVec3::splat(HALF);
    sketch.furniture(
        0,
        0,
        cuboid((place - half).to_array(), (place + half).to_array()),
    );
    sketch.source.bodies.push(BodySource {
        node: node.to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        shape: BodyShape::Box,
        axes: DMat3::IDENTITY,
        mass: Some(5.0),
        friction: None,
        bounce: None,
    });
    let node = node.to_owned();
    let spawners = spawning.map(|spawning| SpawnerSource { node, spawning });
    sketch.source.spawners.extend(spawners);
}

/// A hall with a player in a corner.
pub(crate) fn hall() -> Sketch {
    let mut sketch = Sketch::new("hall");
    let room = sketch.box_room("hall", cuboid([-4.0, 0.0, -4.0], [4.0, 4.0, 4.0]), &[]);
    sketch.spawn(room, DVec3::new(-3.0, 0.0, 3.0), DVec3::X);
    sketch
}

fn hall_with(spawner: Spawning) -> Level {
    let mut sketch = hall();
    add_crate(&mut sketch, "crate-spawner", PLACE, Some(spawner));
    built(sketch)
}

fn built(sketch: Sketch) -> Level {
    build(sketch.source).expect("it is sound").0
}

/// Adds two triggers: the first fires when the game begins, the second 200 ticks later.
fn add_triggers(sketch: &mut Sketch, targets: [&[&str]; 2]) {
    let around = cuboid([-3.9, 0.1, 2.1], [-2.1, 3.0, 3.9]);
    sketch.furniture(0, 0, around);
    let mesh = sketch.source.meshes.pop().expect("it was just added");
    let corners = mesh.triangles.iter();
    let corners = corners.map(|t| t.map(|i| mesh.positions[i as usize]));
    let kinds = [
        TriggerKindSource::Volume(corners.collect()),
        TriggerKindSource::Relay,
    ];
    let names = ["first-trigger", "second-trigger"];
    for ((kind, node), targets) in kinds.into_iter().zip(names).zip(targets) {
        sketch.source.triggers.push(TriggerSource {
            node: node.to_owned(),
            room: 0,
            targets: targets.iter().map(|&name| name.to_owned()).collect(),
            delay_ticks: if node == names[1] { 199 } else { 0 },
            kind,
            wait_ticks: 0,
            once: false,
            message: String::new(),
        });
    }
}

fn present(game: &Game) -> Vec<BodyId> {
    let bodies = game.world().bodies.iter();
    let present = bodies.filter(|(_, state)| state.is_present);
    present.map(|(id, _)| id).collect()
}

fn ticks(game: &mut Game, level: &Level, count: u32) {
    for _ in 0..count {
        game.tick(level, &[]);
    }
}

#[test]
fn a_spawner_adds_its_bodies_one_after_another_at_their_authored_places() {
    let level = hall_with(SPAWNER);
    assert_eq!(level.bodies.len(), 4);
    let mut game = Game::new(&level).unwrap();
    for tick in 0..200 {
        let before = present(&game);
        game.tick(&level, &[]);
        let spawned = game.events.iter().filter_map(|event| match event.kind {
            EventKind::Spawned { body } => Some((body, event.node(&level))),
            _ => None,
        });
        let spawned: Vec<_> = spawned.collect();
        let is_time = tick % SPAWNER.every_ticks == 0 && tick < 4 * SPAWNER.every_ticks;
        if !is_time {
            assert!(spawned.is_empty() && present(&game) == before, "{tick}");
            continue;
        }
        let id = BodyId(tick / SPAWNER.every_ticks);
        assert_eq!(spawned, [(id, Some("crate-spawner"))]);
        let state = game.world().bodies.state(id);
        let fallen = level.to_author(state.at.point).0 - PLACE;
        assert!(fallen.length() < 0.05 && (state.velocity - DVec3::NEG_Z * 2.0).length() < 0.2);
    }
    assert_eq!(present(&game).len(), 4);
    let on_floor = |id: BodyId| game.world().bodies.state(id).at.point.y + level.origin.y;
    assert!(
        present(&game)
            .into_iter()
            .all(|id| on_floor(id) > HALF - 1e-3)
    );
}

#[test]
fn an_endless_spawner_removes_its_oldest_body() {
    let spawner = Spawning {
        endless: true,
        ..SPAWNER
    };
    let level = hall_with(spawner);
    let mut game = Game::new(&level).unwrap();
    let mut brought = Vec::new();
    for _ in 0..200 {
        game.tick(&level, &[]);
        brought.extend(game.events.iter().filter_map(|event| match event.kind {
            EventKind::Spawned { body } => Some(body.0),
            _ => None,
        }));
    }
    assert_eq!(brought, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]);
    assert_eq!(present(&game).len(), 4);
}

#[test]
fn a_body_waits_as_long_as_another_one_or_the_player_is_in_its_place() {
    let spawner = Spawning {
        speed: 0.0,
        ..SPAWNER
    };
    let mut sketch = hall();
    let on_floor = PLACE.with_y(HALF + 1e-3);
    add_crate(&mut sketch, "crate-spawner", on_floor, Some(spawner));
    let at_player = DVec3::new(-3.0, 0.5, 3.0);
    add_crate(&mut sketch, "other-spawner", at_player, Some(spawner));
    let level = built(sketch);
    let mut game = Game::new(&level).unwrap();
    ticks(&mut game, &level, 300);
    assert_eq!(present(&game), [BodyId(0)]);
    game.remove_body(BodyId(0));
    let walk = Input {
        forward: 1.0,
        ..Input::default()
    };
    for _ in 0..60 {
        game.tick(&level, &[walk]);
    }
    assert_eq!(present(&game), [BodyId(1), BodyId(4)]);
}

#[test]
fn a_trigger_begins_a_spawner_and_begins_it_again() {
    let mut sketch = hall();
    add_crate(&mut sketch, "crate-spawner", PLACE, Some(SPAWNER));
    let targets: [&[&str]; 2] = [&["crate", "second"], &["crate-spawner"]];
    add_triggers(&mut sketch, targets);
    let level = built(sketch);
    let mut game = Game::new(&level).unwrap();
    let mut counts = Vec::new();
    for _ in 0..400 {
        game.tick(&level, &[]);
        let count = present(&game).len();
        if counts.last() != Some(&count) {
            counts.push(count);
        }
    }
    assert_eq!(counts, [0, 1, 2, 3, 4, 1, 2, 3, 4]);
}

#[test]
fn a_trigger_puts_a_body_back_to_where_it_was_authored() {
    let mut sketch = hall();
    add_crate(&mut sketch, "pin-body", PLACE, None);
    add_triggers(&mut sketch, [&["second"], &["pin-body"]]);
    let level = built(sketch);
    let mut game = Game::new(&level).unwrap();
    let place = |game: &Game| level.to_author(game.world().bodies.state(BodyId(0)).at.point);
    ticks(&mut game, &level, 200);
    assert!((place(&game).0.y - HALF).abs() < 1e-3);
    let back = (0..5).find(|_| {
        game.tick(&level, &[]);
        place(&game).0.distance(PLACE) < 0.01
    });
    assert!(back.is_some());
}

#[test]
fn bodies_on_a_removed_body_fall() {
    let mut sketch = hall();
    add_crate(&mut sketch, "a-body", PLACE.with_y(HALF), None);
    add_crate(&mut sketch, "b-body", PLACE.with_y(3.0 * HALF), None);
    let level = built(sketch);
    let mut game = Game::new(&level).unwrap();
    ticks(&mut game, &level, 200);
    assert_eq!(game.world().bodies.awake_count(), 0);
    game.remove_body(BodyId(0));
    ticks(&mut game, &level, 100);
    let AuthorPoint(place) = level.to_author(game.world().bodies.state(BodyId(1)).at.point);
    assert!((place.y - HALF).abs() < 1e-3, "{place}");
    assert_eq!(present(&game), [BodyId(1)]);
}

/// Bodies are set, removed and simulated at random. Each body is present as expected, and games are restored to the
/// bit.
#[test]
fn bodies_added_and_removed_at_random_are_at_their_given_places() {
    let mut rng = Rng::new(34);
    for trial in 0..12 {
        let mut sketch = hall();
        let spawner = Spawning {
            count: 12,
            endless: rng.one_in(2),
            ..SPAWNER
        };
        add_crate(&mut sketch, "crate-spawner", PLACE, Some(spawner));
        let level = built(sketch);
        let mut game = Game::new(&level).unwrap();
        let mut expected = [false; 12];
        for step in 0..120 {
            let id = BodyId(rng.below(12) as u32);
            match rng.below(3) {
                0 => {
                    game.remove_body(id);
                    expected[id.0 as usize] = false;
                }
                1 => {
                    let x = rng.between(-3.5, 3.5);
                    let place = DVec3::new(x, rng.between(0.5, 3.0), rng.between(-3.5, -1.0));
                    let mut state: BodyState = *game.world().bodies.state(id);
                    state.at.point = level.from_author(AuthorPoint(place));
                    game.set_body(id, state);
                    assert_eq!(game.world().bodies.state(id).at, state.at);
                    expected[id.0 as usize] = true;
                }
                _ => {
                    let saved = game.save(&level);
                    let mut restored = Game::restore(&level, &saved).expect("it was just saved");
                    game.tick(&level, &[]);
                    restored.tick(&level, &[]);
                    let hashes = [&game, &restored].map(|game| game.state_hash(&level));
                    assert_eq!(hashes[0], hashes[1], "trial {trial}, step {step}");
                    for event in &game.events {
                        if let EventKind::Spawned { body } = event.kind {
                            expected[body.0 as usize] = true;
                        }
                    }
                }
            }
            let there = present(&game);
            let is_there = |index: usize| there.contains(&BodyId(index as u32));
            for (index, &expected) in expected.iter().enumerate() {
                assert_eq!(is_there(index), expected, "trial {trial}, step {step}");
            }
        }
    }
}

#[test]
fn the_properties_of_a_spawner_are_read() {
    let mut file = GltfFile::new();
    let corners = [
        [0.0, 0.0, 0.0],
        [0.2, 0.0, 0.0],
        [0.0, 0.2, 0.0],
        [0.0, 0.0, 0.2],
    ];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let triangles: Vec<[f32; 3]> = faces.into_iter().flatten().map(|i| corners[i]).collect();
    let mesh = file.triangles(&triangles);
    file.in_room(mesh);
    let nodes = file.json["nodes"].as_array_mut().unwrap();
    let of_mesh = nodes.iter_mut().find(|node| node.get("mesh").is_some());
    let of_mesh = of_mesh.expect("it was just added");
    of_mesh["name"] = json!("rock-spawner");
    of_mesh["extras"] =
        json!({"count": 3, "every": 0.25, "speed": 4.0, "endless": true, "mass": 2.0});
    let (source, problems) = read(&file);
    let spawner = source.spawners[0].spawning;
    let expected = Spawning {
        count: 3,
        every_ticks: 15,
        speed: 4.0,
        endless: true,
    };
    assert_eq!(spawner, expected);
    assert_eq!(source.bodies[0].mass, Some(2.0));
    let of_body = |code: Code| code == Code::BodyProperty;
    assert!(!problems.warnings.iter().any(|p| of_body(p.code)));
}

#[test]
fn wrong_properties_of_a_spawner_are_named() {
    let source = House::then(|sketch| {
        add_crate(sketch, "rock-body", DVec3::new(1.0, 1.0, 1.0), None);
    });
    for (extras, said) in [
        (json!({"count": 3}), false),
        (json!({"count": 0}), true),
        (json!({"evry": 2.0}), true),
        (json!({"speed": "fast"}), true),
    ] {
        let problems = said_edited("spawner.glb", &source, |text| {
            let mut nodes = text["nodes"].as_array_mut().unwrap().iter_mut();
            let node = nodes.find(|node| node["name"] == "rock-body").unwrap();
            node["name"] = json!("rock-spawner");
            node["extras"] = extras.clone();
        });
        let mut codes = problems.iter().filter(|p| p.node == "rock-spawner");
        assert_eq!(
            codes.any(|p| p.code == Code::BodyProperty),
            said,
            "{extras}"
        );
    }
}
