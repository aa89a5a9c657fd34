//! A walk gives the same bits in all builds, for any order of the file and with both broad phases.

use opendoor::author::grid_glb;
use opendoor::collision::{BroadPhase, CollisionWorld};
use opendoor::game::{CHARACTER, Game, PLAYER, Start};
use opendoor::gltf::read_source_bytes;
use opendoor::level::{Level, LinkId};
use opendoor::motion::{self, Actor, Body, BodyCache, MotionEvent, MoveCommand, State, Workspace};
use opendoor::rng::Rng;
use opendoor::source::LevelSource;
use opendoor::testing::{RandomPlayer, Tour, parse};
use opendoor::world::World;

use crate::common::{Playtest, v};
use crate::levels::ours;
use crate::shared::built;

/// A walk with many collisions: furniture, walls, jambs, jumps, a closed door.
const WALK: &str = "goto 9 2.2\nmove 1 0.3 2\njump\ngoto 15 3.7\ngoto 1 1\nface 33\nmove 0.5 -1 3\n\
                    close room_0_1*room_0_0-portal\ngoto 3 12\nmove -1 -0.2 2\njump\nwait 0.5\n\
                    goto 20 20\n";

/// The state hash after [`WALK`] in [`grid`]. It changes only when the simulation or the generated grid is changed
/// intentionally; debug and release builds on all machines must agree on it.
const GOLDEN: u64 = 0x55bc_d2b0_d827_da8c;

fn grid() -> LevelSource {
    read_source_bytes("grid", &grid_glb(4, 4)).unwrap().0
}

fn hash_after_walk(level: &Level, broad_phase: BroadPhase) -> u64 {
    let mut playtest = Playtest::start(level, &Start::Default);
    playtest.game.broad_phase = broad_phase;
    let mut tour = Tour::new(level, parse(WALK).unwrap()).unwrap();
    while let Some(input) = tour.next(level, &mut playtest.game) {
        playtest.tick(&input);
    }
    assert!(playtest.monitor.distance > 30.0, "it walked");
    playtest.game.state_hash(level)
}

#[test]
fn the_walk_ends_in_the_golden_state() {
    let hash = hash_after_walk(&built(grid()), BroadPhase::Portals);
    assert_eq!(hash, GOLDEN, "{hash:#018x}");
}

#[test]
fn the_walk_on_the_whole_soup_is_the_same_bit_for_bit() {
    let level = built(grid());
    let through_portals = hash_after_walk(&level, BroadPhase::Portals);
    assert_eq!(
        through_portals,
        hash_after_walk(&level, BroadPhase::Exhaustive)
    );
}

/// The level with everything in another order.
fn shuffled(mut source: LevelSource, rng: &mut Rng) -> LevelSource {
    let mut old_from_new: Vec<usize> = (0..source.rooms.len()).collect();
    rng.shuffle(&mut old_from_new);
    let mut new_from_old = vec![0; old_from_new.len()];
    for (new, &old) in old_from_new.iter().enumerate() {
        new_from_old[old] = new;
    }
    source.rooms = old_from_new
        .iter()
        .map(|&old| source.rooms[old].clone())
        .collect();
    for mesh in &mut source.meshes {
        mesh.room = new_from_old[mesh.room];
        rng.shuffle(&mut mesh.triangles);
        for corners in &mut mesh.triangles {
            corners.rotate_left(rng.below(3));
        }
    }
    for portal in &mut source.portals {
        portal.room = new_from_old[portal.room];
        rng.shuffle(&mut portal.triangles);
        for corners in &mut portal.triangles {
            corners.rotate_left(rng.below(3));
        }
    }
    let lights = source
        .lights
        .iter_mut()
        .filter_map(|light| light.room.as_mut());
    let spawns = source
        .spawns
        .iter_mut()
        .filter_map(|spawn| spawn.room.as_mut());
    for room in lights.chain(spawns) {
        *room = new_from_old[*room];
    }
    rng.shuffle(&mut source.meshes);
    rng.shuffle(&mut source.portals);
    rng.shuffle(&mut source.lights);
    source
}

#[test]
fn shuffled_rooms_portals_and_triangles_change_no_bit() {
    let expected = hash_after_walk(&built(grid()), BroadPhase::Portals);
    let mut rng = Rng::new(7);
    for _ in 0..6 {
        let level = built(shuffled(grid(), &mut rng));
        assert_eq!(hash_after_walk(&level, BroadPhase::Portals), expected);
    }
}

#[test]
fn cached_data_changes_no_bit_of_a_tick() {
    let feet = PLAYER.step_settings;
    let bodies = [
        (0.35, 0.0, CHARACTER.step_settings),
        (0.2, 0.0, feet),
        (0.3, 1.1, feet),
    ];
    for level in ours().iter().chain([&built(grid())]) {
        for ((radius, segment_length, step_settings), seed) in bodies.into_iter().zip(0..) {
            let body = Body {
                radius,
                segment_length,
                step_settings,
                ..CHARACTER
            };
            let mut warm = Game::start(level, &Start::Default, body).unwrap();
            let mut cold = Game::start(level, &Start::Default, body).unwrap();
            let mut wander = [RandomPlayer::new(seed), RandomPlayer::new(seed)];
            for tick in 0..1500 {
                let inputs = [
                    wander[0].next(level, &mut warm, 0),
                    wander[1].next(level, &mut cold, 0),
                ];
                cold.players[0].actor.cache = BodyCache::default();
                warm.tick(level, &[inputs[0]]);
                cold.tick(level, &[inputs[1]]);
                assert_eq!(
                    warm.state_hash(level),
                    cold.state_hash(level),
                    "{}, {body:?}, seed {seed}, tick {tick}",
                    level.name
                );
            }
        }
    }
}

/// Actors that walk in all directions from the first spawn, with one workspace for all or one for each; returns their
/// states and events after each tick.
fn crowd(level: &Level, is_shared: bool) -> Vec<(State, Vec<MotionEvent>)> {
    let world = World::of(level);
    let collision = CollisionWorld::new(level, &world);
    let start = Game::start(level, &Start::Default, PLAYER).unwrap();
    let actor = || Actor::new(start.players[0].actor.body, start.players[0].actor.state);
    let mut actors: Vec<_> = (0..12).map(|_| (actor(), Workspace::default())).collect();
    let mut shared = Workspace::default();
    let mut all = Vec::new();
    for tick in 0..600 {
        for (i, (actor, own)) in actors.iter_mut().enumerate() {
            let angle = i as f64 + 0.7 * f64::from(tick / 40);
            let command = MoveCommand {
                wish: v(angle.cos(), 0.0, angle.sin()) * 4.0,
                jump: tick % 90 == 0,
            };
            let workspace = if is_shared { &mut shared } else { own };
            motion::tick(&collision, actor, workspace, &command);
            all.push((actor.state, actor.report.events.clone()));
        }
    }
    all
}

#[test]
fn a_shared_workspace_changes_no_walk_of_actors() {
    for level in ours().iter().chain([&built(grid())]) {
        assert!(crowd(level, true) == crowd(level, false), "{}", level.name);
    }
}

fn set_link(game: &mut Game, level: &Level, link: u32, open: bool) {
    game.set_link(level, LinkId(link), open).unwrap();
}

#[test]
fn different_states_have_different_hashes() {
    let level = built(grid());
    let mut playtest = Playtest::start(&level, &Start::Default);
    let mut seen = vec![playtest.game.state_hash(&level)];
    let mut note = |playtest: &Playtest| {
        let hash = playtest.game.state_hash(&level);
        assert!(!seen.contains(&hash));
        seen.push(hash);
    };
    playtest.game.players[0].yaw += 1e-12;
    note(&playtest);
    playtest.game.players[0].actor.state.at.point.x +=
        1e-15 + playtest.game.players[0].actor.state.at.point.x * 1e-15;
    note(&playtest);
    playtest.game.players[0].actor.state.grounded = !playtest.game.players[0].actor.state.grounded;
    note(&playtest);
    set_link(&mut playtest.game, &level, 3, false);
    note(&playtest);
    set_link(&mut playtest.game, &level, 3, true);
    set_link(&mut playtest.game, &level, 4, false);
    note(&playtest);
}
