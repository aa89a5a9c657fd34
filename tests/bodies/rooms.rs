//! Bodies in several rooms. The motion through portals is the same as with all triangles and without portals (brute
//! force), for any order of the file, and after loading a saved game.

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::glam::DVec3;
use opendoor::level::{BodyId, Level};
use opendoor::load::load;
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_ball, crate_at};

/// Three rooms in a row with doorways between them, and bodies of all shapes above the thresholds.
fn rooms(shuffled: bool) -> Level {
    let mut sketch = Sketch::new("rooms");
    let doorways = [-3.0, 3.0].map(|x| cuboid([x, 0.0, -1.0], [x, 2.2, 1.0]));
    for (index, name) in ["west", "middle", "east"].into_iter().enumerate() {
        let from = 6.0 * index as f64 - 9.0;
        let own: Vec<_> = doorways
            .iter()
            .copied()
            .filter(|d| (from..=from + 6.0).contains(&d.min.x))
            .collect();
        let inside = cuboid([from, 0.0, -3.0], [from + 6.0, 3.0, 3.0]);
        let room = sketch.box_room(name, inside, &own);
        for doorway in own {
            let out = if doorway.min.x > from {
                DVec3::X
            } else {
                DVec3::NEG_X
            };
            sketch.portal(room, "", doorway, out);
        }
    }
    sketch.spawn(1, DVec3::new(0.0, 0.0, 2.0), DVec3::X);
    for index in 0..24 {
        let [x, y, z] = [index % 6, index / 12, index / 6 % 2].map(f64::from);
        let centre = DVec3::new(1.05 * x - 2.95, 0.6 + 0.7 * y, 0.8 * z - 0.4);
        let name = format!("body{index:02}");
        match index % 3 {
            0 => add_ball(&mut sketch, &name, centre, 0.25, 0.5, 0.4),
            kind => {
                let outside = crate_at(centre, DVec3::new(0.2, 0.25, 0.15));
                let shape = [BodyShape::Box, BodyShape::Hull][kind as usize - 1];
                add(&mut sketch, &name, shape, outside, 0.5, 0.1);
            }
        }
    }
    if shuffled {
        sketch.source.bodies.reverse();
        sketch.source.meshes.reverse();
    }
    build(sketch.source).expect("it is sound").0
}

/// The names, rooms, positions and velocities of all bodies, as bits.
fn bits(level: &Level, world: &World) -> Vec<(String, String, [u64; 9])> {
    let states = world.bodies.iter().map(|(id, state)| {
        let numbers = [state.at.point, state.velocity, state.spin].map(|v| v.to_array());
        let mut bits = [0; 9];
        for (bit, number) in bits.iter_mut().zip(numbers.iter().flatten()) {
            *bit = number.to_bits();
        }
        let room = level.room(state.at.room).name.clone();
        (level.body(id).name.clone(), room, bits)
    });
    states.collect()
}

fn thrown(level: &Level) -> World {
    let mut world = World::of(level);
    let mut rng = Rng::new(7);
    let ids: Vec<_> = world.bodies.iter().map(|(id, _)| id).collect();
    for id in ids {
        let mut state = *world.bodies.state(id);
        state.velocity = DVec3::new(rng.between(-6.0, 6.0), 0.0, rng.between(-2.0, 2.0));
        world.bodies.set(id, state);
    }
    world
}

#[test]
fn bodies_move_through_portals_as_in_the_whole_soup_to_the_bit() {
    let level = rooms(false);
    let mut worlds = [thrown(&level), thrown(&level)];
    let mut crossed = false;
    let phases = [BroadPhase::Portals, BroadPhase::Exhaustive];
    let mut workspaces = [BodyWorkspace::default(), BodyWorkspace::default()];
    for tick in 0..600 {
        for index in 0..2 {
            let (world, workspace) = (&mut worlds[index], &mut workspaces[index]);
            tick_bodies(&level, world, &mut [], phases[index], GRAVITY, workspace);
        }
        let [portals, soup] = [0, 1].map(|index| bits(&level, &worlds[index]));
        assert_eq!(portals, soup, "{tick}");
        crossed |= portals.iter().any(|(_, room, _)| room != "middle");
    }
    assert!(crossed);
}

#[test]
fn the_order_of_a_file_does_not_change_the_motion_of_bodies() {
    let levels = [rooms(false), rooms(true)];
    let after = levels.each_ref().map(|level| {
        let mut world = thrown(level);
        let mut workspace = BodyWorkspace::default();
        for _ in 0..300 {
            let phase = BroadPhase::Portals;
            tick_bodies(level, &mut world, &mut [], phase, GRAVITY, &mut workspace);
        }
        bits(level, &world)
    });
    assert_eq!(after[0], after[1]);
}

/// Random input of a player in the workshop: walks around, takes nearby bodies and throws them.
fn input(rng: &mut Rng) -> Input {
    Input {
        forward: rng.between(-1.0, 1.0),
        right: rng.between(-1.0, 1.0),
        run: rng.one_in(2),
        jump: rng.one_in(8),
        crouch: false,
        interact: rng.one_in(20),
        grab: rng.one_in(10),
    }
}

#[test]
fn a_saved_game_goes_on_with_its_bodies_to_the_bit() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/levels/workshop.glb");
    let (level, _) = load(path.as_ref()).expect("it is sound");
    for spawn in ["player", "alley", "billiards", "run"] {
        let start = Start::Spawn(spawn.to_owned());
        let mut game = Game::start(&level, &start, PLAYER).expect("there is room");
        let mut rng = Rng::new(3);
        for _ in 0..6 {
            let held = input(&mut rng);
            game.players[0].look(rng.between(-60.0, 60.0), rng.between(-20.0, 20.0));
            for _ in 0..20 {
                game.tick(&level, &[held]);
            }
            let bytes = game.save(&level);
            let mut restored = Game::restore(&level, &bytes).expect("it was saved");
            assert_eq!(restored.state_hash(&level), game.state_hash(&level));
            let more = input(&mut rng);
            for tick in 0..20 {
                game.tick(&level, &[more]);
                restored.tick(&level, &[more]);
                let hashes = [&game, &restored].map(|game| game.state_hash(&level));
                assert_eq!(hashes[0], hashes[1], "{spawn} {tick}");
            }
        }
    }
}

/// The pair list is made for the motion of the body before it is struck, so it has no solid behind an opening that this
/// motion does not reach. The struck body collides with that solid nevertheless.
#[test]
fn a_ball_that_is_struck_towards_a_closed_link_or_a_wall_behind_a_portal_does_not_pass_it() {
    let mut sketch = Sketch::new("closed");
    let doorway = cuboid([3.0, 0.0, -1.0], [3.0, 2.2, 1.0]);
    // Behind the opening is a niche one centimetre deep.
    for (name, from, to, out) in [
        ("west", -3.0, 3.0, DVec3::X),
        ("niche", 3.0, 3.01, DVec3::NEG_X),
    ] {
        let inside = cuboid([from, 0.0, -3.0], [to, 3.0, 3.0]);
        let room = sketch.box_room(name, inside, &[doorway]);
        sketch.portal(room, "", doorway, out);
    }
    sketch.spawn(0, DVec3::new(-2.5, 0.0, 2.5), DVec3::X);
    for (name, x) in [("a-struck", 2.6), ("b-striker", 1.6)] {
        add_ball(&mut sketch, name, DVec3::new(x, 1.2, 0.0), 0.1, 0.0, 1.0);
    }
    let level = build(sketch.source).expect("it is sound").0;
    let link = opendoor::level::LinkId(0);
    let mut struck = 0;
    for is_open in [false, true] {
        for case in 0..40 {
            let way = f64::from(case) / 40.0;
            let mut games = [BroadPhase::Portals, BroadPhase::Exhaustive].map(|broad_phase| {
                let mut game = Game::new(&level).expect("there is room");
                game.broad_phase = broad_phase;
                game.set_link(&level, link, is_open)
                    .expect("nothing is in it");
                for (index, x, speed) in [(0, 2.6, 0.5), (1, 1.6 + 0.3 * way, 20.0)] {
                    let mut state = *game.world().bodies.state(BodyId(index));
                    state.at.point.x = x;
                    state.velocity = DVec3::X * speed;
                    if index == 0 {
                        state.velocity = DVec3::Z * speed;
                    }
                    game.set_body(BodyId(index), state);
                }
                game
            });
            for tick in 0..8 {
                games.iter_mut().for_each(|game| game.tick(&level, &[]));
                let [portals, soup] = [0, 1].map(|index: usize| bits(&level, games[index].world()));
                assert_eq!(portals, soup, "{is_open} {case} {tick}");
                let limit = if is_open { 2.91 } else { 2.9 };
                for (id, state) in games[0].world().bodies.iter() {
                    let x = state.at.point.x;
                    assert!(
                        x < limit + 1e-4,
                        "{is_open}, case {case}, tick {tick}, {id:?}: {x}"
                    );
                }
            }
            struck += u32::from(games[0].world().bodies.state(BodyId(0)).velocity.x.abs() > 1.0);
        }
    }
    assert!(struck > 60, "{struck}");
}
