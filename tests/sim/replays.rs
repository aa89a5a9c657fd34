//! Replays: the last minute of a game plays again with the same bits, or the first divergence is reported.

use std::collections::BTreeSet;

use opendoor::author::grid_glb;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::glam::DVec3;
use opendoor::level::{Level, Stiffness};
use opendoor::load::load_bytes;
use opendoor::replay::{Divergence, Playback, Replay, ReplayError, ReplayRing};
use opendoor::rng::Rng;
use opendoor::source::LevelSource;

use crate::common::{FORWARD, press_at_random, v};
use crate::levels::ours;
use crate::restores::random_level;

/// Plays randomly, like a player with keys and mouse, and records the ticks in a ring.
fn play(level: &Level, game: &mut Game, ring: &mut ReplayRing, ticks: u32) {
    let mut rng = Rng::new(11);
    let mut input = Input::default();
    for _ in 0..ticks {
        press_at_random(&mut rng, &mut input);
        input.grab = rng.one_in(60);
        if rng.one_in(3) {
            game.players[0].look(rng.between(-20.0, 20.0), rng.between(-3.0, 3.0));
        }
        ring.add_tick(level, game, &[input]);
        game.tick(level, &[input]);
    }
}

/// Plays a replay to its end.
fn play_again(level: &Level, replay: Replay) -> (Game, Option<Divergence>) {
    let (mut game, mut playback) = Playback::begin(level, replay).unwrap();
    while playback.begin_tick(level, &mut game) {
        game.tick(level, playback.inputs());
    }
    assert_eq!(playback.ticks_done(), playback.replay().ticks());
    (game, playback.divergence())
}

fn grid() -> Level {
    load_bytes("grid.glb", &grid_glb(2, 1)).unwrap().0
}

/// The replay of `ticks` ticks from the start of a level.
fn recorded(level: &Level, ticks: u32) -> Replay {
    let mut game = Game::start(level, &Start::Default, PLAYER).unwrap();
    let mut ring = ReplayRing::default();
    play(level, &mut game, &mut ring, ticks);
    ring.replay(level, &game).unwrap()
}

#[test]
fn the_last_minute_in_every_level_plays_again_with_the_same_bits() {
    std::thread::scope(|scope| {
        for level in ours() {
            scope.spawn(|| plays_again(level));
        }
    });
}

fn plays_again(level: &Level) {
    let mut game = Game::start(level, &Start::Default, PLAYER).unwrap();
    let mut ring = ReplayRing::default();
    // Longer than the ring, so that it wraps around.
    play(level, &mut game, &mut ring, 72 * 60 + 17);
    // Mouse motion between the last tick and the key that writes the replay.
    game.players[0].look(3.21, 0.5);
    let replay = ring.replay(level, &game).unwrap();
    assert_eq!(replay.ticks(), 62 * 60 + 17, "{}", level.name);
    let read = Replay::from_bytes(&replay.to_bytes()).unwrap();
    assert_eq!(read, replay);
    let (again, divergence) = play_again(level, read);
    assert_eq!(divergence, None, "{}", level.name);
    assert_eq!(again.tick, game.tick);
    assert_eq!(again.state_hash(level), game.state_hash(level));
    assert_eq!(again.save(level), game.save(level), "{}", level.name);
}

/// A replay of a game that has already run for some time begins with a restored state.
#[test]
fn replays_that_begin_amid_a_game_in_random_levels_play_again_with_the_same_bits() {
    let mut played = 0;
    for seed in 0..12 {
        let rng = &mut Rng::new(5000 + seed);
        let level = random_level(rng);
        let Ok(mut game) = Game::start(&level, &Start::Default, PLAYER) else {
            // A mover may be at the player's start.
            continue;
        };
        let mut before = ReplayRing::default();
        play(&level, &mut game, &mut before, 1 + rng.below(240) as u32);
        // In half of the cases the game was itself restored.
        if rng.one_in(2) {
            game = Game::restore(&level, &game.save(&level)).unwrap();
        }
        let mut ring = ReplayRing::default();
        play(&level, &mut game, &mut ring, 180);
        let bytes = ring.replay(&level, &game).unwrap().to_bytes();
        let (again, divergence) = play_again(&level, Replay::from_bytes(&bytes).unwrap());
        assert_eq!(divergence, None, "seed {seed}");
        assert_eq!(again.save(&level), game.save(&level), "seed {seed}");
        played += 1;
    }
    assert!(played > 6, "{played} levels");
}

#[test]
fn a_minute_is_kept_at_least_and_ten_seconds_more_at_most() {
    let level = grid();
    let mut game = Game::new(&level).unwrap();
    let mut ring = ReplayRing::default();
    assert_eq!(ring.replay(&level, &game), None);
    for tick in 1..=150 * 60 {
        ring.add_tick(&level, &game, &[Input::default()]);
        game.tick(&level, &[]);
        if tick % 60 == 0 || tick % 600 == 1 {
            let kept = ring.replay(&level, &game).unwrap().ticks();
            let range = tick.min(3601)..=tick.min(4200);
            assert!(range.contains(&kept), "{kept} of {tick} ticks");
        }
    }
}

#[test]
fn the_ring_begins_afresh_in_another_game_and_on_request() {
    let level = grid();
    let (mut game, mut ring) = (Game::new(&level).unwrap(), ReplayRing::default());
    play(&level, &mut game, &mut ring, 100);
    let mut other = Game::new(&level).unwrap();
    assert_eq!(ring.replay(&level, &other), None, "not its game");
    play(&level, &mut other, &mut ring, 70);
    assert_eq!(ring.replay(&level, &other).unwrap().ticks(), 70);
    ring.clear();
    assert_eq!(ring.replay(&level, &other), None);
    play(&level, &mut other, &mut ring, 30);
    let replay = ring.replay(&level, &other).unwrap();
    assert_eq!(replay.ticks(), 30);
    assert_eq!(play_again(&level, replay).1, None);
}

/// The number of ticks of a walk in circles: seven and a half seconds.
const CIRCLE_TICKS: usize = 450;

/// A change of the walk in the tick with this index.
#[derive(Clone, Copy, Debug)]
enum Altered {
    StepBack(usize),
    LookBack(usize),
}

/// A replay of a walk in circles with one altered tick: the player walks backwards, or looks the opposite way.
fn with_altered(level: &Level, altered: Altered) -> Replay {
    let mut game = Game::start(level, &Start::Default, PLAYER).unwrap();
    let mut ring = ReplayRing::default();
    let saved = game.save(level).len();
    for _ in 0..CIRCLE_TICKS {
        game.players[0].look(5.0, 0.0);
        ring.add_tick(level, &game, &[FORWARD]);
        game.tick(level, &[FORWARD]);
    }
    let replay = ring.replay(level, &game).unwrap();
    let mut bytes = replay.to_bytes();
    let (input_bytes, view_bytes) = (2 * 8 + 5, 2 * 8);
    let inputs = 8 + 4 + 8 + level.name.len() + 16 + 8 + saved + 8 + 8;
    let views = inputs + CIRCLE_TICKS * input_bytes + 8;
    let hashes = views + CIRCLE_TICKS * view_bytes;
    assert_eq!(bytes.len(), hashes + 8 + 8 * 8 + 8 + view_bytes + 8);
    let at = match altered {
        Altered::StepBack(tick) => inputs + tick * input_bytes,
        Altered::LookBack(tick) => views + tick * view_bytes,
    };
    let number = f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let changed = match altered {
        Altered::StepBack(_) => {
            assert_eq!(number, FORWARD.forward);
            -number
        }
        Altered::LookBack(_) => number + 180.0,
    };
    bytes[at..at + 8].copy_from_slice(&changed.to_le_bytes());
    Replay::from_bytes(&bytes).unwrap()
}

#[test]
fn a_changed_input_or_view_is_reported_in_its_second() {
    let level = grid();
    let (step, look) = (Altered::StepBack, Altered::LookBack);
    for (change, same_until, found_before) in [
        (step(0), 0, 60),
        (step(59), 0, 60),
        (step(60), 60, 120),
        (step(200), 180, 240),
        (step(449), 420, 450),
        // A view is part of the state before its tick.
        (look(0), 0, 0),
        (look(59), 0, 60),
        (look(60), 0, 60),
        (look(61), 60, 120),
        (look(449), 420, 450),
    ] {
        let (_, divergence) = play_again(&level, with_altered(&level, change));
        let divergence = divergence.unwrap();
        assert_eq!(
            (divergence.same_until, divergence.tick),
            (same_until, found_before),
            "{change:?}"
        );
        assert_ne!(divergence.expected, divergence.found);
    }
    let told = play_again(&level, with_altered(&level, step(200)))
        .1
        .unwrap();
    let told = told.to_string();
    assert!(told.contains("between 3.00 s and 4.00 s"), "{told}");
}

#[test]
fn other_changes_by_a_program_are_reported_too() {
    let level = grid();
    let (mut game, mut ring) = (Game::new(&level).unwrap(), ReplayRing::default());
    play(&level, &mut game, &mut ring, 100);
    game.players[0].walk_speed = 1.0;
    for _ in 0..100 {
        ring.add_tick(&level, &game, &[FORWARD]);
        game.tick(&level, &[FORWARD]);
    }
    let divergence = play_again(&level, ring.replay(&level, &game).unwrap()).1;
    assert_eq!(divergence.unwrap().same_until, 60);
}

/// Two rooms with objects that affect the simulation: a sliding crate, a switch and a lamp.
fn sketched() -> Sketch {
    let mut sketch = Sketch::new("two");
    let hole = cuboid([4., 0., 1.], [4., 2., 3.]);
    let a = sketch.box_room("a", cuboid([0., 0., 0.], [4., 3., 4.]), &[hole]);
    let b = sketch.box_room("b", cuboid([4., 0., 0.], [8., 3., 4.]), &[hole]);
    sketch.portal(a, "b", hole, DVec3::X);
    sketch.furniture(b, 0, cuboid([6., 0., 1.], [7., 1., 2.]));
    sketch.spawn(a, v(1., 0.1, 1.), DVec3::X);
    sketch
}

#[test]
fn levels_in_which_something_else_may_happen_have_another_hash() {
    let hash = |change: &dyn Fn(&mut LevelSource)| {
        let mut source = sketched().source;
        change(&mut source);
        build(source).unwrap().0.simulation_hash()
    };
    let plain = hash(&|_| ());
    let mut hashes = BTreeSet::from([plain]);
    let changes: [&dyn Fn(&mut LevelSource); 9] = [
        &|source| source.rooms[0].name = "c".to_owned(),
        &|source| source.rooms[0].open_to_sky = true,
        &|source| source.meshes.last_mut().unwrap().positions[0].y += 0.25,
        &|source| source.meshes.last_mut().unwrap().node = "other".into(),
        &|source| source.materials[0].friction = 0.1,
        &|source| source.materials[0].double_sided = true,
        &|source| source.portals[0].two_way = false,
        &|source| source.stiffness = Stiffness::new(8),
        &|source| source.portals[0].node = "b-portal*2".to_owned(),
    ];
    for (nth, change) in changes.iter().enumerate() {
        assert!(hashes.insert(hash(change)), "change {nth}");
    }
    for change in [
        &(|source: &mut LevelSource| source.name = "three".to_owned()) as &dyn Fn(&mut LevelSource),
        &|source| source.materials[0].base_colour = [1.0, 0.0, 0.0, 1.0],
        &|source| source.spawns[0].position.0.x += 0.5,
        &|source| source.exposure_stops = 1.0,
        &|source| source.meshes.reverse(),
    ] {
        assert_eq!(hash(change), plain);
    }
    // The hash includes movers, bodies and triggers: all of our levels have different hashes.
    let ours: BTreeSet<u128> = ours().iter().map(|level| level.simulation_hash()).collect();
    assert_eq!(ours.len(), crate::levels::our_files().len());
}

#[test]
fn movers_bodies_and_triggers_are_part_of_the_hash() {
    let source = |name: &str| {
        let files = crate::levels::our_files();
        let path = files.iter().find(|path| path.ends_with(name)).unwrap();
        opendoor::gltf::read_source(path).unwrap().0
    };
    let hash = |source: &LevelSource| build(source.clone()).unwrap().0.simulation_hash();
    let works = source("works.glb");
    let plain = hash(&works);
    let mut changed = works.clone();
    changed.movers[0].drive.ticks += 1;
    assert_ne!(hash(&changed), plain, "a mover's time");
    let mut changed = works.clone();
    changed.triggers[0].delay_ticks += 1;
    assert_ne!(hash(&changed), plain, "a trigger's delay");
    let workshop = source("workshop.glb");
    let plain = hash(&workshop);
    let mut changed = workshop.clone();
    changed.bodies[0].mass = Some(3.21);
    assert_ne!(hash(&changed), plain, "a body's mass");
    let mut changed = workshop.clone();
    changed.bodies[0].friction = Some(0.123);
    assert_ne!(hash(&changed), plain, "a body's friction");
}

#[test]
fn another_level_is_refused_unless_it_is_asked_for() {
    let level = build(sketched().source).unwrap().0;
    let mut source = sketched().source;
    // A change of 5 cm at a corner that the player does not reach, within the room's bounds.
    source.meshes.last_mut().unwrap().positions[0].y += 0.05;
    let changed = build(source).unwrap().0;
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let mut ring = ReplayRing::default();
    for _ in 0..80 {
        ring.add_tick(&level, &game, &[Input::default()]);
        game.tick(&level, &[]);
    }
    let replay = ring.replay(&level, &game).unwrap();
    let refused = Playback::begin(&changed, replay.clone()).unwrap_err();
    assert!(matches!(refused, ReplayError::OtherLevel { .. }));
    let told = refused.to_string();
    assert!(told.contains("recorded in two") && told.contains("--changed-level"));

    let (mut again, mut playback) =
        Playback::begin_on_changed_level(&changed, replay.clone()).unwrap();
    while playback.begin_tick(&changed, &mut again) {
        again.tick(&changed, playback.inputs());
    }
    assert_eq!(playback.divergence(), None);

    // No state of the game is valid in this level.
    let refused = Playback::begin_on_changed_level(&grid(), replay).unwrap_err();
    assert!(matches!(refused, ReplayError::Begin(_)), "{refused}");
}

#[test]
fn damaged_replays_are_errors_or_play_without_harm() {
    let level = grid();
    let good = recorded(&level, 130).to_bytes();
    for length in 0..good.len() {
        assert!(Replay::from_bytes(&good[..length]).is_err(), "{length}");
    }
    let longer = [&good[..], &[0]].concat();
    assert!(matches!(
        Replay::from_bytes(&longer),
        Err(ReplayError::Damaged)
    ));
    assert!(matches!(
        Replay::from_bytes(b"GIF89a"),
        Err(ReplayError::NoReplay)
    ));
    let mut newer = good.clone();
    newer[8] = 77;
    let refused = Replay::from_bytes(&newer).unwrap_err();
    assert!(matches!(refused, ReplayError::OtherFormat { found: 77 }));
    // List lengths that exceed any memory.
    let mut huge = good.clone();
    huge[12..20].fill(0xff);
    assert!(matches!(
        Replay::from_bytes(&huge),
        Err(ReplayError::Damaged)
    ));

    let mut rng = Rng::new(3);
    let (mut refused, mut played, mut divergence) = (0, 0, 0);
    for _ in 0..5000 {
        let mut bytes = good.clone();
        for _ in 0..=rng.below(4) {
            // Half of the changes are in the lengths and the saved game.
            let end = if rng.one_in(2) { 600 } else { bytes.len() };
            let at = rng.below(end.min(bytes.len()));
            bytes[at] = rng.bits() as u8;
        }
        let begun = Replay::from_bytes(&bytes).and_then(|replay| Playback::begin(&level, replay));
        let Ok((mut game, mut playback)) = begun else {
            refused += 1;
            continue;
        };
        // Only a few ticks: the states are arbitrary, and slow to simulate in a debug build.
        for _ in 0..3 {
            if playback.begin_tick(&level, &mut game) {
                game.tick(&level, playback.inputs());
            }
        }
        played += 1;
        divergence += usize::from(playback.divergence().is_some());
    }
    assert!(
        refused > 500 && played > 500 && divergence > 100,
        "{refused}, {played}, {divergence}"
    );
}
