//! Several players in one game: they share its doors, lifts, bodies and triggers, and nothing else.

use opendoor::author::grid_glb;
use opendoor::game::{CHARACTER, EventKind, Game, GameError, Input, PLAYER, Start};
use opendoor::glam::DVec3;
use opendoor::level::{AuthorPoint, BodyId, Level, LinkId, MoverId, StartedBy};
use opendoor::load::load_bytes;
use opendoor::replay::{Playback, Replay, ReplayRing};
use opendoor::rng::Rng;
use opendoor::testing::{Monitor, RandomPlayer};

use crate::common::{FORWARD, cases, press_at_random, v};
use crate::restores::random_level;
use crate::shared::built;
use crate::{approach, spawners, triggers};

const STAND: Input = Input {
    forward: 0.0,
    ..FORWARD
};
const GRAB: Input = Input {
    grab: true,
    ..STAND
};

fn feet(point: DVec3) -> Start {
    Start::Feet(AuthorPoint(point))
}

/// A game with a player at each point.
fn game_at(level: &Level, points: &[DVec3]) -> Game {
    let mut game = Game::start(level, &feet(points[0]), PLAYER).unwrap();
    for (index, point) in points.iter().enumerate().skip(1) {
        let added = game.add_player(level, &feet(*point), PLAYER);
        assert_eq!(added, Ok(index));
    }
    game
}

fn at(game: &Game, level: &Level, player: usize) -> DVec3 {
    game.players[player].feet(level).0
}

fn grid(columns: u32, rows: u32) -> Level {
    load_bytes("grid", &grid_glb(columns, rows)).unwrap().0
}

/// Two players before a door that shuts by itself after half a second. The second player opens it and goes into the
/// opening, and stays there if `holds`. Then the first player walks towards the door for three seconds.
fn walk_through_a_door(level: &Level, holds: bool) -> Game {
    let mut game = game_at(level, &[v(0.0, 0.0, -6.0), v(0.0, 0.0, -0.6)]);
    game.players
        .iter_mut()
        .for_each(|player| player.yaw = 180.0);
    game.set_link(level, LinkId(0), true).unwrap();
    for _ in 0..14 {
        game.tick(level, &[STAND, STAND]);
    }
    for _ in 0..120 {
        let is_there = holds && at(&game, level, 1).z > -0.1;
        game.tick(level, &[STAND, if is_there { STAND } else { FORWARD }]);
    }
    for _ in 0..180 {
        game.tick(level, &[FORWARD, STAND]);
    }
    game
}

#[test]
fn a_door_that_one_player_holds_open_lets_the_other_through() {
    let mut source = approach::rooms(false);
    source.movers[0].drive.started_by = StartedBy::Use;
    let level = built(source);
    let mut game = walk_through_a_door(&level, true);
    assert!(at(&game, &level, 1).z.abs() < 0.2 && game.world().is_open(LinkId(0)));
    assert!(at(&game, &level, 0).z > 2.0, "{}", at(&game, &level, 0));
    // The door shuts once no player stands in it.
    for _ in 0..120 {
        game.tick(&level, &[STAND, FORWARD]);
    }
    assert!(!game.world().is_open(LinkId(0)));

    let game = walk_through_a_door(&level, false);
    assert!(!game.world().is_open(LinkId(0)));
    assert!(at(&game, &level, 0).z < -0.3, "{}", at(&game, &level, 0));
}

#[test]
fn a_door_does_not_close_on_a_player_and_its_event_names_the_player() {
    let level = grid(2, 1);
    let mut game = Game::new(&level).unwrap();
    let door = level.link(LinkId(0));
    let middle = level.to_author(level.portal(door.portal).polygon.centre());
    assert_eq!(
        game.add_player(&level, &Start::Feet(middle), CHARACTER),
        Ok(1)
    );
    let closed = game.set_link(&level, LinkId(0), false);
    assert!(matches!(closed, Err(GameError::Blocked(_))), "{closed:?}");
    game.tick(&level, &[]);
    let blocked = game
        .events
        .iter()
        .filter(|event| event.name() == "door_blocked");
    let players: Vec<_> = blocked.map(|event| event.player).collect();
    assert_eq!(players, [Some(1)]);
    game.remove_player(1);
    assert_eq!(game.set_link(&level, LinkId(0), false), Ok(()));
}

/// The third player fires the trigger of the lift that the others stand on.
#[test]
fn a_lift_carries_both_players_that_stand_on_it() {
    let level = built(triggers::hall(|_| {}));
    let mut game = game_at(
        &level,
        &[v(6.6, 0.51, 7.0), v(7.4, 0.51, 7.0), v(0.0, 0.01, 3.0)],
    );
    for _ in 0..60 {
        game.tick(&level, &[STAND, STAND, FORWARD]);
    }
    let rides = |game: &Game, player: usize| game.players[player].actor.state.rides;
    assert_eq!(
        [0, 1].map(|player| rides(&game, player)),
        [Some(MoverId(0)); 2]
    );
    for _ in 0..60 {
        game.tick(&level, &[]);
    }
    let heights = [0, 1, 2].map(|player| at(&game, &level, player).y);
    for (height, expected) in heights.into_iter().zip([3.5, 3.5, 0.0]) {
        assert!((height - expected).abs() < 0.02, "{heights:?}");
    }
}

/// A hall in which two players face each other with a crate between them.
fn around_a_crate() -> (Level, Game) {
    let mut sketch = spawners::hall();
    spawners::add_crate(&mut sketch, "crate", v(-1.8, 0.21, 3.0), None);
    let level = built(sketch.source);
    let mut game = game_at(&level, &[v(-3.0, 0.01, 3.0), v(-0.6, 0.01, 3.0)]);
    for (player, yaw) in game.players.iter_mut().zip([-90.0, 90.0]) {
        (player.yaw, player.pitch) = (yaw, -49.0);
    }
    for _ in 0..30 {
        game.tick(&level, &[]);
    }
    (level, game)
}

const CRATE: BodyId = BodyId(0);

#[test]
fn a_body_is_in_the_hands_of_one_player_only() {
    let (level, mut game) = around_a_crate();
    assert_eq!(
        [0, 1].map(|player| game.takeable(&level, player)),
        [Some(CRATE); 2]
    );
    game.tick(&level, &[GRAB, GRAB]);
    assert_eq!([0, 1].map(|player| game.holds(player)), [Some(CRATE), None]);
    let taken = game.events.iter().filter(|event| event.name() == "taken");
    assert_eq!(
        taken.map(|event| event.player).collect::<Vec<_>>(),
        [Some(0)]
    );
    assert_eq!(game.takeable(&level, 1), None);
    // Without its holder the crate falls, and the other player may take it.
    game.remove_player(0);
    assert_eq!(game.holds(0), None);
    for _ in 0..60 {
        game.tick(&level, &[]);
    }
    game.tick(&level, &[GRAB]);
    assert_eq!(game.holds(0), Some(CRATE));
}

#[test]
fn a_crate_thrown_at_the_other_player_hits_it() {
    let (level, mut game) = around_a_crate();
    game.tick(&level, &[GRAB, STAND]);
    game.players[0].pitch = 0.0;
    for _ in 0..60 {
        game.tick(&level, &[]);
    }
    let before = [0, 1].map(|player| at(&game, &level, player));
    game.tick(&level, &[GRAB, STAND]);
    assert_eq!(game.holds(0), None);
    for _ in 0..60 {
        game.tick(&level, &[]);
        let crate_at = level.to_author(game.world().bodies.state(CRATE).at.point).0;
        assert!(
            crate_at.x < at(&game, &level, 1).x,
            "it passed through: {crate_at}"
        );
    }
    let moved = [0, 1].map(|player| at(&game, &level, player).x - before[player].x);
    assert!(moved[1] > 0.02 && moved[0].abs() < 0.01, "{moved:?}");
}

/// The players of all events of a kind.
fn players_of(events: &[(EventKind, Option<usize>)], name: &str) -> Vec<Option<usize>> {
    let is_of = |kind: &EventKind| match kind {
        EventKind::Entered { .. } => name == "entered",
        EventKind::Triggered { .. } => name == "triggered",
        _ => false,
    };
    let of = events.iter().filter(|(kind, _)| is_of(kind));
    of.map(|(_, player)| *player).collect()
}

#[test]
fn each_player_enters_a_trigger_on_its_own() {
    let [both, first] = [vec![Some(0), Some(1)], vec![Some(0)]];
    for (starts, once, triggered) in [
        // The second player enters after the first, while the first is still inside.
        ([3.0, 4.0], false, &both),
        ([3.0, 4.0], true, &first),
        // Both players enter in the same tick, in which a trigger fires once.
        ([3.0, 3.0], false, &first),
    ] {
        let level = built(triggers::hall(|source| source.triggers[0].once = once));
        let mut game = game_at(&level, &starts.map(|z| v(0.0, 0.01, z)));
        let mut events = Vec::new();
        for _ in 0..120 {
            let inputs = [0, 1].map(|player| {
                let is_inside = at(&game, &level, player).z < 0.0;
                if is_inside { STAND } else { FORWARD }
            });
            game.tick(&level, &inputs);
            events.extend(game.events.iter().map(|event| (event.kind, event.player)));
        }
        assert_eq!(players_of(&events, "entered"), both, "{starts:?}");
        assert_eq!(
            &players_of(&events, "triggered"),
            triggered,
            "{starts:?}, {once}"
        );
    }
}

/// The inputs and turns of a player at random, the same for each seed.
fn pressed(seed: u64, ticks: usize) -> Vec<(Input, f64)> {
    let (mut rng, mut input) = (Rng::new(seed), Input::default());
    let presses = (0..ticks).map(|_| {
        press_at_random(&mut rng, &mut input);
        input.interact = false;
        (input, rng.between(-10.0, 10.0))
    });
    presses.collect()
}

#[test]
fn two_players_walk_like_each_one_alone() {
    let level = grid(2, 2);
    let points = [v(3.0, 0.35, 9.0), v(4.0, 0.35, 9.0)];
    let mut both = game_at(&level, &points);
    let mut alone = points.map(|point| game_at(&level, &[point]));
    for (first, second) in pressed(1, 1200).into_iter().zip(pressed(2, 1200)) {
        let moves = [first, second];
        for (index, (input, turn)) in moves.into_iter().enumerate() {
            both.players[index].look(turn, 0.0);
            alone[index].players[0].look(turn, 0.0);
            alone[index].tick(&level, &[input]);
        }
        both.tick(&level, &moves.map(|(input, _)| input));
        for (player, alone) in both.players.iter().zip(&alone) {
            assert_eq!(player.actor.state, alone.players[0].actor.state);
        }
    }
}

#[test]
fn the_state_is_the_same_where_two_players_are_swapped() {
    let level = grid(2, 2);
    let points = [v(3.0, 0.35, 9.0), v(4.0, 0.35, 9.0)];
    let mut games =
        [[0, 1], [1, 0]].map(|order| (order, game_at(&level, &order.map(|i| points[i]))));
    let mut hashes = Vec::new();
    for (first, second) in pressed(1, 600).into_iter().zip(pressed(2, 600)) {
        let moves = [first, second];
        for (order, game) in &mut games {
            for (player, of) in game.players.iter_mut().zip(*order) {
                player.look(moves[of].1, 0.0);
            }
            game.tick(&level, &order.map(|of| moves[of].0));
        }
        let [first, second] = [0, 1].map(|game: usize| games[game].1.state_hash(&level));
        assert_eq!(first, second);
        hashes.push(first);
    }
    hashes.dedup();
    assert!(hashes.len() > 500, "the players moved");
}

#[test]
fn a_player_without_an_input_stands_and_further_inputs_are_ignored() {
    let level = grid(2, 1);
    let points = [v(3.0, 0.35, 3.0), v(4.0, 0.35, 3.0)];
    let played = |inputs: &[Input]| {
        let mut game = game_at(&level, &points);
        (0..60).for_each(|_| game.tick(&level, inputs));
        game.state_hash(&level)
    };
    assert_eq!(played(&[FORWARD]), played(&[FORWARD, Input::default()]));
    assert_eq!(played(&[FORWARD; 2]), played(&[FORWARD; 5]));
    assert_ne!(played(&[FORWARD]), played(&[FORWARD; 2]));
    // Without players the world goes on.
    let mut game = game_at(&level, &points[..1]);
    game.remove_player(0);
    game.tick(&level, &[FORWARD]);
    assert_eq!((game.tick, game.players.len()), (1, 0));
    let restored = Game::restore(&level, &game.save(&level)).unwrap();
    assert_eq!(restored.state_hash(&level), game.state_hash(&level));
}

#[test]
fn a_player_that_does_not_fit_is_not_added() {
    let level = grid(2, 1);
    let mut game = Game::new(&level).unwrap();
    let before = game.save(&level);
    let added = game.add_player(&level, &feet(DVec3::splat(1e6)), PLAYER);
    assert!(matches!(added, Err(GameError::NoRoom { .. })), "{added:?}");
    assert_eq!(game.save(&level), before);
}

/// Games of two players in random levels of lifts, bodies and spawners. Each tick is done by the game, and by a game
/// that was restored from its bytes just before. At the end a replay does all ticks.
#[test]
fn saved_games_and_replays_of_two_players_go_on_with_the_same_bits() {
    let (mut played, mut carried) = (0, [0; 2]);
    let worlds = cases(12, 24);
    for seed in 0..worlds {
        let rng = &mut Rng::new(7000 + seed);
        let level = random_level(rng);
        let Ok(mut game) = Game::start(&level, &Start::Default, PLAYER) else {
            // A mover may stand where the player starts.
            continue;
        };
        game.add_player(&level, &Start::Default, PLAYER).unwrap();
        let (mut ring, mut inputs) = (ReplayRing::default(), [Input::default(); 2]);
        for _ in 0..240 {
            for (index, input) in inputs.iter_mut().enumerate() {
                press_at_random(rng, input);
                // The player searches for a body in every other tick, and carries it for some seconds.
                let has_body = game.holds(index).is_some();
                input.grab = rng.one_in(if has_body { 200 } else { 2 });
                let [yaw, pitch] = [20.0, 9.0].map(|most| rng.between(-most, most));
                game.players[index].look(yaw, pitch);
            }
            ring.add_tick(&level, &game, &inputs);
            let mut again = Game::restore(&level, &game.save(&level)).unwrap();
            game.tick(&level, &inputs);
            again.tick(&level, &inputs);
            assert_eq!(
                again.save(&level),
                game.save(&level),
                "seed {seed}, {}",
                game.tick
            );
            assert_eq!(again.events, game.events, "seed {seed}, {}", game.tick);
            for (index, ticks) in carried.iter_mut().enumerate() {
                *ticks += usize::from(game.holds(index).is_some());
            }
        }
        let bytes = ring.replay(&level, &game).unwrap().to_bytes();
        let replay = Replay::from_bytes(&bytes).unwrap();
        assert_eq!((replay.players(), replay.ticks()), (2, 240));
        let (mut again, mut playback) = Playback::begin(&level, replay).unwrap();
        while playback.begin_tick(&level, &mut again) {
            again.tick(&level, playback.inputs());
        }
        assert_eq!(playback.divergence(), None, "seed {seed}");
        assert_eq!(again.save(&level), game.save(&level), "seed {seed}");
        played += 1;
    }
    assert!(
        3 * played > 2 * worlds && carried.iter().all(|ticks| *ticks > 4 * worlds as usize),
        "{played} levels, {carried:?} ticks"
    );
}

#[test]
fn a_recording_starts_again_where_a_player_joins() {
    let level = grid(2, 1);
    let (mut game, mut ring) = (Game::new(&level).unwrap(), ReplayRing::default());
    for tick in 0..90 {
        if tick == 60 {
            game.add_player(&level, &Start::Default, PLAYER).unwrap();
            assert_eq!(ring.replay(&level, &game), None);
        }
        ring.add_tick(&level, &game, &[FORWARD]);
        game.tick(&level, &[FORWARD]);
    }
    let replay = ring.replay(&level, &game).unwrap();
    assert_eq!((replay.players(), replay.ticks()), (2, 30));
}

#[test]
fn damaged_games_of_two_players_are_refused_or_play() {
    let (level, mut game) = around_a_crate();
    game.tick(&level, &[STAND, GRAB]);
    let good = game.save(&level);
    let mut rng = Rng::new(5);
    let (mut refused, mut played) = (0, 0);
    for _ in 0..1000 {
        let mut bytes = good.clone();
        let at = rng.below(bytes.len());
        bytes[at] = rng.bits() as u8;
        match Game::restore(&level, &bytes) {
            Ok(mut game) => {
                game.tick(&level, &[GRAB, GRAB]);
                played += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(
        refused > 100 && played > 100,
        "{refused} refused, {played} played"
    );
}

#[test]
fn both_players_are_carried_to_a_changed_level() {
    let (level, mut game) = around_a_crate();
    game.tick(&level, &[STAND, GRAB]);
    let (again, carried) = game.carry_to(&level, &level).unwrap();
    assert_eq!(carried, [opendoor::game::CarriedPlayer::There; 2]);
    assert_eq!(
        [0, 1].map(|player| again.holds(player)),
        [None, Some(CRATE)]
    );
    assert_eq!(again.state_hash(&level), game.state_hash(&level));
}

/// Two random players in two rooms, one of them in the doorway at first. Both open and close its door.
#[test]
fn two_random_players_open_and_close_the_doors_of_each_other_and_touch_nothing() {
    let level = grid(2, 1);
    let middle = level.portal(level.link(LinkId(0)).portal).polygon.centre();
    let doorway = Start::Feet(level.to_author(middle));
    let (mut moved, mut held_open, mut crossed) = ([0; 2], [0; 2], [0; 2]);
    for seed in 0..8 {
        let mut game = Game::start(&level, &Start::Default, CHARACTER).unwrap();
        game.add_player(&level, &doorway, CHARACTER).unwrap();
        let mut players = [0, 1].map(|index: u64| RandomPlayer::new(2 * seed + index));
        let mut monitors = [0, 1].map(|player| Monitor::new(&level, &game, player));
        let (mut inputs, mut rng) = ([Input::default(); 2], Rng::new(100 + seed));
        for _ in 0..3000 {
            for (index, player) in players.iter_mut().enumerate() {
                let before = game.world().is_open(LinkId(0));
                inputs[index] = player.next(&level, &mut game, index);
                if rng.one_in(30) {
                    // The result is ignored: a door that is held open causes an event, which is counted.
                    let _ = game.set_link(&level, LinkId(0), !game.world().is_open(LinkId(0)));
                }
                moved[index] += usize::from(game.world().is_open(LinkId(0)) != before);
            }
            game.tick(&level, &inputs);
            for event in &game.events {
                let counts = match event.name() {
                    "door_blocked" => &mut held_open,
                    "crossed" => &mut crossed,
                    _ => continue,
                };
                counts[event.player.unwrap()] += 1;
            }
            for monitor in &mut monitors {
                monitor.add_tick(&level, &game);
                assert_eq!(monitor.violation, None, "seed {seed}");
            }
        }
    }
    let counts = [moved, held_open, crossed];
    assert!(
        counts.as_flattened().iter().all(|count| *count > 20),
        "{counts:?}"
    );
}
