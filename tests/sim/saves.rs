//! Saved games: a restored game continues like the original, and broken bytes do no harm.

use opendoor::game::{CHARACTER, Game, GameError, Input, PLAYER, Start};
use opendoor::level::{BodyId, Level};
use opendoor::motion::Body;
use opendoor::rng::Rng;
use opendoor::world::BodyState;

use crate::common::{eye_of, press_at_random};
use crate::levels::ours;
use crate::restores::random_level;

/// Plays a game at random and saves it from time to time; the restored copies must continue in the same way.
fn play(level: &Level, body: Body, seed: u64, ticks: u32) {
    let mut game = Game::start(level, &Start::Default, body).unwrap();
    let mut rng = Rng::new(seed);
    let mut input = Input::default();
    let mut copy: Option<Game> = None;
    for _ in 0..ticks {
        press_at_random(&mut rng, &mut input);
        let look = rng.one_in(30).then(|| rng.between(-90.0, 90.0));
        if rng.one_in(200) {
            let bytes = game.save(level);
            let restored = Game::restore(level, &bytes).unwrap();
            assert_eq!(restored.save(level), bytes);
            copy = Some(restored);
        }
        for game in [Some(&mut game), copy.as_mut()].into_iter().flatten() {
            look.iter()
                .for_each(|left| game.players[0].look(*left, 0.0));
            game.tick(level, &[input]);
        }
        if let Some(copy) = &copy {
            let hashes = [copy, &game].map(|game| game.state_hash(level));
            assert_eq!(hashes[0], hashes[1], "tick {}", game.tick);
            assert_eq!(copy.events, game.events, "tick {}", game.tick);
        }
    }
}

#[test]
fn a_restored_game_goes_on_with_the_same_bits_and_events() {
    for (nth, level) in (0..).zip(ours()) {
        for body in [CHARACTER, PLAYER] {
            play(level, body, 7 + nth, 3000);
        }
    }
}

/// Regression test: such a game was accepted, and its next tick overflowed.
#[test]
fn a_saved_game_of_an_impossible_age_is_refused() {
    let levels = ours();
    let game = Game::start(&levels[0], &Start::Default, PLAYER).unwrap();
    let mut bytes = game.save(&levels[0]);
    assert_eq!(bytes[16..24], [0; 8]);
    bytes[16..24].fill(0xff);
    assert!(Game::restore(&levels[0], &bytes).is_err());
}

/// A million ticks. Run with `cargo test --release -- --ignored saves`.
#[test]
#[ignore = "takes too long unoptimised"]
fn a_restored_game_goes_on_for_a_million_ticks() {
    for (nth, level) in (0..).zip(ours()) {
        play(level, PLAYER, 100 + nth, 250_000);
    }
}

#[test]
fn broken_bytes_and_those_of_another_level_are_refused_or_played_without_harm() {
    let levels = ours();
    let named = |name: &str| levels.iter().find(|level| level.name == name).unwrap();
    let (works, house) = (named("works.glb"), named("house.glb"));
    let mut game = Game::start(works, &Start::Default, PLAYER).unwrap();
    (0..100).for_each(|_| game.tick(works, &[]));
    let good = game.save(works);
    let refused = Game::restore(house, &good).unwrap_err();
    assert!(matches!(refused, GameError::SavedInAnotherLevel { .. }));
    for length in 0..good.len() {
        assert!(Game::restore(works, &good[..length]).is_err(), "{length}");
    }
    let mut rng = Rng::new(5);
    let mut played = 0;
    for _ in 0..2000 {
        let mut bytes = good.clone();
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len());
            bytes[at] = rng.bits() as u8;
        }
        if let Ok(mut game) = Game::restore(works, &bytes) {
            game.tick(works, &[]);
            played += 1;
        }
    }
    assert!(played > 100, "{played}");
}

/// A replacement for a number of a saved game.
fn damaged_number(rng: &mut Rng, was: f64) -> f64 {
    let odd = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1e-300,
        1e-9,
        1e3,
        1e6,
        1e9,
        -1e9,
        1e300,
        f64::NAN,
        f64::INFINITY,
    ];
    match rng.below(4) {
        0 => odd[rng.below(odd.len())],
        1 => -was,
        2 => was * rng.between(-2.0, 2.0),
        _ => was + rng.between(-1.0, 1.0),
    }
}

/// Damages one to four numbers, four-byte words or bytes of a saved game of a random level, anywhere after its header.
/// Accepted games are played for some ticks, with their visibility computed.
fn play_damaged(seed: u64, times: usize, ticks: u32) -> [usize; 2] {
    let mut rng = Rng::new(seed);
    let level = random_level(&mut rng);
    let Ok(mut game) = Game::start(&level, &Start::Default, PLAYER) else {
        return [0; 2];
    };
    let mut input = Input::default();
    for _ in 0..20 + rng.below(60) {
        press_at_random(&mut rng, &mut input);
        game.tick(&level, &[input]);
    }
    let good = game.save(&level);
    let (mut played, mut refused) = (0, 0);
    for _ in 0..times {
        let mut bytes = good.clone();
        for _ in 0..=rng.below(4) {
            let at = 16 + rng.below(bytes.len() - 24);
            match rng.below(3) {
                0 => bytes[at] = rng.bits() as u8,
                1 => bytes[at..at + 4].copy_from_slice(&(rng.below(5) as u32).to_le_bytes()),
                _ => {
                    let number = &mut bytes[at..at + 8];
                    let was = f64::from_le_bytes(number.try_into().unwrap());
                    number.copy_from_slice(&damaged_number(&mut rng, was).to_le_bytes());
                }
            }
        }
        let Ok(mut game) = Game::restore(&level, &bytes) else {
            refused += 1;
            continue;
        };
        played += 1;
        for _ in 0..ticks {
            press_at_random(&mut rng, &mut input);
            input.grab = rng.one_in(10);
            game.tick(&level, &[input]);
            let eye = eye_of(&game, &level, 0.5).at.point;
            let bodies = game.world().bodies.iter().map(|(_, state)| state.at.point);
            let player = [eye, game.players[0].actor.state.at.point];
            let mut points = bodies.chain(player);
            assert!(points.all(|point| point.is_finite()), "seed {seed}");
        }
    }
    [played, refused]
}

/// Regression test: a capsule of negative length was accepted, and a later tick panicked. Speeds that made positions
/// infinite were accepted too.
#[test]
fn a_game_with_sizes_speeds_or_a_view_that_no_game_has_is_refused() {
    let level = random_level(&mut Rng::new(2));
    let refuses = |change: &dyn Fn(&mut Game)| {
        let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
        assert!(Game::restore(&level, &game.save(&level)).is_ok());
        change(&mut game);
        let refused = Game::restore(&level, &game.save(&level));
        matches!(refused, Err(GameError::NoSavedGame))
    };
    assert!(refuses(
        &|game| game.players[0].actor.body.segment_length = -1.0
    ));
    assert!(refuses(
        &|game| game.players[0].actor.body.segment_length = 99.0
    ));
    assert!(refuses(&|game| game.players[0].actor.body.radius = 0.0));
    assert!(refuses(&|game| game.players[0].actor.body.gravity = -9.81));
    assert!(refuses(&|game| game.players[0]
        .actor
        .body
        .step_settings
        .snap = -1.0));
    assert!(refuses(&|game| game.players[0].actor.state.fall.y = -1e8));
    assert!(refuses(
        &|game| game.players[0].actor.state.at.point.x = f64::NAN
    ));
    assert!(refuses(&|game| game.players[0].pitch = 91.0));
    assert!(refuses(&|game| game.players[0].run_speed = 1e8));
    let with_body = |change: fn(&mut BodyState)| {
        refuses(&|game| {
            let mut state = *game.world().bodies.state(BodyId(0));
            change(&mut state);
            game.set_body(BodyId(0), state);
        })
    };
    assert!(with_body(|state| state.velocity.x = 1e8));
    assert!(with_body(|state| state.spin.y = -1e8));
    assert!(with_body(|state| state.rotation *= 1.1));
}

#[test]
fn a_damaged_game_is_refused_or_plays() {
    let counts = [2, 3].map(|seed| play_damaged(seed, 150, 6));
    let [played, refused] = counts
        .iter()
        .fold([0; 2], |all, n| [all[0] + n[0], all[1] + n[1]]);
    assert!(played > 20 && refused > 20, "{played} {refused}");
}

/// Run with `cargo test --release -- --ignored saves`.
#[test]
#[ignore = "minutes in release"]
fn tens_of_thousands_of_damaged_games_are_refused_or_play() {
    let counts = (100..200).map(|seed| play_damaged(seed, 500, 30));
    let [played, refused] = counts.fold([0; 2], |all, n| [all[0] + n[0], all[1] + n[1]]);
    eprintln!("{played} played, {refused} refused");
    assert!(played > 5000 && refused > 5000);
}
