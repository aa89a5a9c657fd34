//! Generated dungeons: good, connected levels that no body leaves.

use std::collections::BTreeSet;

use opendoor::author::dungeon;
use opendoor::build::build;
use opendoor::game::{Game, PLAYER, Start};
use opendoor::gltf::{read_source_bytes, write_glb};
use opendoor::level::{Level, RoomId};
use opendoor::lint::check_movers;
use opendoor::load::load_bytes;
use opendoor::problems::Problems;
use opendoor::testing::{Monitor, RandomPlayer};

/// The dungeon as read from its file.
fn read(rooms: u32, seed: u64) -> Level {
    let bytes = write_glb(&dungeon(rooms, seed).unwrap()).unwrap();
    let (level, problems) = load_bytes("dungeon", &bytes).unwrap();
    assert!(problems.warnings.is_empty(), "seed {seed}: {problems}");
    level
}

fn assert_good(level: &Level, seed: u64) {
    let mut problems = Problems::default();
    check_movers(level, &mut problems);
    assert!(problems.warnings.is_empty(), "seed {seed}: {problems}");
    let mut reached = BTreeSet::from([RoomId(0)]);
    let mut open = vec![RoomId(0)];
    while let Some(room) = open.pop() {
        for (_, portal) in level.portals_of(room) {
            if reached.insert(portal.far) {
                open.push(portal.far);
            }
        }
    }
    assert_eq!(
        reached.len(),
        level.rooms.len(),
        "seed {seed}: all rooms are connected"
    );
    let lit: BTreeSet<RoomId> = level
        .lights
        .iter()
        .filter_map(|light| Some(light.at?.room))
        .collect();
    assert_eq!(
        lit.len(),
        level.rooms.len(),
        "seed {seed}: every room has a lamp"
    );
    assert_eq!(level.spawns.len(), 1);
}

/// Walks at random from the spawn and from many rooms, and checks every tick; returns the number of visited rooms.
fn wander(level: &Level, seed: u64, ticks: u64) -> usize {
    let mut rooms = BTreeSet::new();
    let starts = RandomPlayer::starts(level);
    let starts = std::iter::once(Start::Default).chain(starts);
    for (walk, start) in (0..).zip(starts) {
        let Ok(mut game) = Game::start(level, &start, PLAYER) else {
            continue;
        };
        let mut monitor = Monitor::new(level, &game, 0);
        // The middle of a flight of stairs is no valid start.
        if monitor.violation.is_some() {
            continue;
        }
        let mut player = RandomPlayer::new(seed + walk);
        for _ in 0..ticks {
            let input = player.next(level, &mut game, 0);
            game.tick(level, &[input]);
            monitor.add_tick(level, &game);
        }
        if let Some(violation) = &monitor.violation {
            panic!("seed {seed}, {start:?}: {violation}");
        }
        rooms.extend(monitor.rooms);
    }
    rooms.len()
}

#[test]
fn dungeons_of_all_sizes_are_good_and_connected_levels() {
    for (rooms, seed) in [(1, 1), (2, 2), (5, 3), (16, 4), (50, u64::MAX)] {
        let level = read(rooms, seed);
        assert_good(&level, seed);
        assert!(level.rooms.len() >= 2 * rooms as usize - 1);
    }
}

#[test]
fn a_dungeon_has_stairs_and_doors_and_is_the_same_for_the_same_seed() {
    let file = |seed| write_glb(&dungeon(24, seed).unwrap()).unwrap();
    assert_eq!(file(7), file(7));
    assert_ne!(file(7), file(8));
    let level = read(24, 7);
    assert!(level.movers.len() > 3, "{} doors", level.movers.len());
    let (source, _) = read_source_bytes("dungeon", &file(7)).unwrap();
    let heights = source
        .portals
        .iter()
        .map(|portal| portal.triangles[0][0].y.floor() as i64);
    assert!(heights.collect::<BTreeSet<i64>>().len() > 2, "storeys");
    let (built, _) = build(dungeon(24, 7).unwrap()).unwrap();
    assert_eq!(built.vertices.len(), level.vertices.len());
}

#[test]
fn random_walks_through_dungeons_lose_no_body() {
    let (mut seen, mut rooms) = (0, 0);
    for seed in 0..6 {
        let level = read(9, seed);
        seen += wander(&level, seed, 300);
        rooms += level.rooms.len();
    }
    assert!(2 * seen > rooms, "{seen} of {rooms} rooms");
}

#[test]
#[ignore = "minutes; run optimised"]
fn random_walks_through_two_hundred_dungeons_lose_no_body() {
    for seed in 0..200 {
        let level = read(1 + seed as u32 % 40, seed);
        assert_good(&level, seed);
        wander(&level, seed, 1_200);
    }
}
