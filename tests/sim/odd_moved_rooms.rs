//! Moving rooms that are authored badly: each is reported, or does no harm.

use glam::{DQuat, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{CHARACTER, Game, Input, PLAYER, Start};
use opendoor::level::{Cycle, Level, LinkId, MoverId, Track, TrackKey};
use opendoor::rng::Rng;
use opendoor::source::{LevelSource, MoverSource};
use opendoor::world::World;

use crate::lift::{RISE, drive, lift};
use crate::moved_rooms::rise;
use crate::shared::built;

/// The codes of the errors of a source. A level without errors is played, with its movers moving back and forth.
fn codes(mut source: LevelSource) -> Vec<&'static str> {
    for mover in &mut source.movers {
        mover.drive.cycle = Cycle::Shuttle;
    }
    match build(source) {
        Ok((level, _)) => {
            play(&level, 600);
            Vec::new()
        }
        Err(problems) => problems.errors.iter().map(|e| e.code.as_str()).collect(),
    }
}

/// Walks randomly in a level, with all of its movers called and its doors opened from time to time, and saves and
/// restores the game.
fn play(level: &Level, ticks: u32) {
    let mut rng = Rng::new(3);
    for body in [CHARACTER, PLAYER] {
        let mut game = Game::start(level, &Start::Default, body).unwrap();
        let mut copy = Game::restore(level, &game.save(level)).unwrap();
        let mut input = Input::default();
        for tick in 0..ticks {
            if rng.one_in(20) {
                input.forward = rng.between(-1.0, 1.0);
                input.right = rng.between(-1.0, 1.0);
                input.jump = rng.one_in(3);
            }
            let link = (!level.links.is_empty() && rng.one_in(30))
                .then(|| LinkId(rng.below(level.links.len()) as u32));
            let open = rng.one_in(2);
            if tick % 100 == 50 {
                copy = Game::restore(level, &game.save(level)).unwrap();
            }
            for game in [&mut game, &mut copy] {
                let _ = link.map(|link| game.set_link(level, link, open));
                game.tick(level, &[input]);
            }
            let point = game.players[0].actor.state.at.point;
            assert!(point.is_finite(), "{tick} {point}");
            let hashes = [&game, &copy].map(|game| game.state_hash(level));
            assert_eq!(hashes[0], hashes[1], "{tick}");
        }
    }
}

/// A mover that has rooms but no meshes.
fn mover(node: &str, rooms: &[usize], track: Track) -> MoverSource {
    MoverSource {
        node: node.to_owned(),
        meshes: Vec::new(),
        is_door: false,
        track,
        drive: drive(40),
        moved_rooms: rooms.to_vec(),
        moves_with: None,
    }
}

/// The index of a room.
fn room(source: &LevelSource, name: &str) -> usize {
    source.rooms.iter().position(|r| r.name == name).unwrap()
}

#[test]
fn a_room_without_portals_moves_alone() {
    let mut source = lift(rise());
    source
        .portals
        .retain(|portal| !portal.dest.contains("shaft") || portal.room != 3);
    source.movers[0].meshes.clear();
    assert_eq!(codes(source), [""; 0]);
}

#[test]
fn the_room_of_the_spawn_moves_from_the_middle_of_its_way_on() {
    for first_tick in [1, 60, 119, 120] {
        let mut source = lift(rise());
        source.movers[0].drive.first_tick = first_tick;
        let cabin = room(&source, "cabin");
        source.spawns.truncate(1);
        source.spawns[0].room = Some(cabin);
        source.spawns[0].position.0 = DVec3::new(0.0, 0.05, 0.0);
        let level = built(source.clone());
        let game = Game::start(&level, &Start::Default, PLAYER).unwrap();
        let at = game.players[0].actor.state.at;
        assert_eq!(level.room(at.room).name, "cabin", "{first_tick}");
        assert_eq!(codes(source), [""; 0]);
    }
}

#[test]
fn two_movers_of_one_room_are_named() {
    let mut source = lift(rise());
    let cabin = room(&source, "cabin");
    source
        .movers
        .push(mover("other", &[cabin, cabin], rise().0));
    assert_eq!(codes(source), ["mover-property"]);
}

#[test]
fn a_follower_of_a_door_of_itself_or_of_a_follower_is_named() {
    for leader in ["oak-door", "oak", "a-mover", "a", "b-mover", "nothing", ""] {
        let mut source = lift(rise());
        let mut sketch = Sketch::new("");
        sketch.source = source;
        sketch.furniture(0, 0, cuboid([-0.5, 0.0, 1.24], [0.5, 2.125, 1.26]));
        let meshes = sketch
            .source
            .meshes
            .split_off(sketch.source.meshes.len() - 1);
        source = sketch.source;
        source
            .movers
            .push(MoverSource::vanishing_door("oak-door", meshes.clone()));
        for (node, leader) in [("a-mover", leader), ("b-mover", "cabin")] {
            source.movers.push(MoverSource {
                node: node.to_owned(),
                meshes: meshes.clone(),
                moves_with: Some(leader.to_owned()),
                ..mover("", &[], rise().0)
            });
        }
        assert_eq!(codes(source), ["mover-property"], "{leader}");
    }
}

#[test]
fn a_room_that_tilts_is_named() {
    let tilted = |angle: f64| TrackKey {
        part: 1.0,
        pivot: DVec3::ZERO,
        offset: DVec3::Y,
        rotation: DQuat::from_xyzw((0.5 * angle).sin(), 0.0, 0.0, (0.5 * angle).cos()),
    };
    let tracks = [
        Track::Turn {
            pivot: DVec3::ZERO,
            axis: DVec3::Z,
            angle: 0.01,
        },
        Track::Keys(vec![tilted(1.0)]),
        Track::Keys(vec![
            TrackKey {
                part: 0.0,
                ..tilted(0.0)
            },
            tilted(1e-3),
        ]),
    ];
    for track in tracks {
        let mut source = lift(rise());
        source.movers[0].track = track.clone();
        assert_eq!(codes(source), ["room-tilts"], "{track:?}");
    }
}

#[test]
fn a_room_on_a_track_that_vanishes_stays_where_it_is() {
    let source = lift((Track::Vanish, drive(1)));
    assert_eq!(codes(source), [""; 0]);
}

#[test]
fn a_room_that_goes_out_of_all_bounds_in_a_tick_does_no_harm() {
    for far in [1e3, 1e12, 1e300] {
        for ticks in [1, 7] {
            let key = |part: f64, offset: DVec3| TrackKey {
                part,
                pivot: DVec3::ZERO,
                offset,
                rotation: DQuat::IDENTITY,
            };
            let keys = vec![key(0.0, DVec3::ZERO), key(1.0, DVec3::splat(far))];
            let drive = drive(ticks);
            for track in [Track::Keys(keys), Track::Slide(DVec3::X * far)] {
                let mut source = lift((track, drive.clone()));
                let cabin = room(&source, "cabin");
                source.spawns.truncate(1);
                source.spawns[0].room = Some(cabin);
                source.spawns[0].position.0 = DVec3::new(0.0, 0.05, 0.0);
                source.movers[0].drive.cycle = Cycle::Shuttle;
                // The level is reported as wrong, or can be played.
                if let Ok((level, _)) = build(source) {
                    play(&level, 40);
                }
            }
        }
    }
}

#[test]
fn one_way_and_far_portals_of_a_cabin_do_no_harm() {
    let mut source = lift(rise());
    for portal in source.portals.iter_mut().filter(|p| p.room == 3) {
        portal.two_way = false;
    }
    assert_eq!(codes(source), [""; 0]);
    // From the cabin into the hall above, skipping the shaft.
    let mut source = lift(rise());
    let portal = source.portals.iter_mut().find(|p| p.room == 3).unwrap();
    portal.dest = "high".to_owned();
    let _ = codes(source);
}

#[test]
fn a_portal_into_a_room_that_moves_from_one_that_stands_is_named() {
    let mut source = lift(rise());
    let (cabin, shaft) = (room(&source, "cabin"), room(&source, "shaft"));
    for portal in source.portals.iter_mut().filter(|p| p.room == cabin) {
        portal.room = shaft;
        portal.dest = "cabin".to_owned();
        portal.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let found = codes(source);
    assert!(found.contains(&"portal-of-moved-room"), "{found:?}");
}

/// A cabin in a cabin, and the room around a cabin: each moves independently.
#[test]
fn rooms_that_move_beside_each_other_do_no_harm() {
    for others in [
        vec!["shaft"],
        vec!["high"],
        vec!["low", "high"],
        vec!["shaft", "low", "high"],
    ] {
        let mut source = lift(rise());
        let rooms: Vec<usize> = others.iter().map(|name| room(&source, name)).collect();
        let track = Track::Slide(DVec3::Y * 0.5 * RISE);
        source.movers.push(mover("other-room", &rooms, track));
        let _ = codes(source);
    }
    // All rooms together: no room moves relative to another.
    let mut source = lift(rise());
    source.movers[0].moved_rooms = (0..source.rooms.len()).collect();
    assert_eq!(codes(source), [""; 0]);
}

#[test]
fn a_world_created_in_a_pose_equals_one_that_moved_there() {
    let mut source = lift(rise());
    source.movers[0].drive.cycle = Cycle::Shuttle;
    let level = built(source);
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    (0..50).for_each(|_| game.tick(&level, &[]));
    let restored = Game::restore(&level, &game.save(&level)).unwrap();
    let mut copied = World::of(&level);
    copied.clone_from(game.world());
    for world in [restored.world(), &copied] {
        for link in (0..level.links.len() as u32).map(LinkId) {
            let portal = level.link(link).portal;
            let sides = [world, game.world()].map(|w| w.rooms().portal(&level, portal));
            assert_eq!(sides[0].far_from_near, sides[1].far_from_near);
            assert_eq!(sides[0].bounds, sides[1].bounds);
        }
        assert_eq!(world.pose(MoverId(0)), game.world().pose(MoverId(0)));
    }
}
