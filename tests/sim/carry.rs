//! A game that continues in its level after the level was changed and reloaded.

use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{CarriedPlayer, Game, Input, PLAYER, Start};
use opendoor::geometry::Aabb;
use opendoor::level::{AuthorPoint, Cycle, Drive, Level, LinkId, MoverId, Track};
use opendoor::load::load_bytes;
use opendoor::motion::{Workspace, fits};
use opendoor::rng::Rng;
use opendoor::source::{LevelSource, MoverSource};

use crate::shared::built;

/// Two rooms with a doorway between them, a vanishing door in it, a lift, and more furniture.
fn rooms(furniture: &[Aabb]) -> LevelSource {
    let opening = cuboid([-0.5, 0.0, 0.0], [0.5, 2.0, 0.0]);
    let mut sketch = Sketch::new("rooms");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, -8.0], [4.0, 5.0, 0.0]), &[opening]);
    let b = sketch.box_room("b", cuboid([-4.0, 0.0, 0.0], [4.0, 5.0, 8.0]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::Z);
    sketch.spawn(a, DVec3::new(0.0, 0.1, -6.0), DVec3::Z);
    for part in furniture {
        sketch.furniture(b, 0, *part);
    }
    let parts = [
        (
            "oak-door",
            a,
            cuboid([-0.5, 0.0, -0.0625], [0.5, 2.0, -0.03125]),
        ),
        ("lift-mover", b, cuboid([2.0, 0.0, 5.0], [3.5, 0.25, 7.0])),
    ];
    for (node, room, part) in parts {
        let before = sketch.source.meshes.len();
        sketch.furniture(room, 0, part);
        let meshes = sketch.source.meshes.split_off(before);
        let mut mover = MoverSource::vanishing_door(node.to_owned(), meshes);
        if node == "lift-mover" {
            mover.is_door = false;
            mover.track = Track::Slide(DVec3::Y * 2.0);
            mover.drive = Drive {
                ticks: 120,
                cycle: Cycle::Shuttle,
                ..Drive::default()
            };
        }
        sketch.source.movers.push(mover);
    }
    sketch.source
}

/// A game whose player has stood in room `b` for some time, with the door open.
fn played(level: &Level, feet: [f64; 3]) -> Game {
    let start = Start::Feet(AuthorPoint(DVec3::from_array(feet)));
    let mut game = Game::start(level, &start, PLAYER).unwrap();
    game.set_link(level, LinkId(0), true).unwrap();
    for _ in 0..50 {
        game.tick(level, &[]);
    }
    game
}

fn lift(level: &Level) -> MoverId {
    let mut movers = (0..).map(MoverId).zip(&level.movers);
    movers.find(|(_, m)| m.name == "lift-mover").unwrap().0
}

#[test]
fn in_the_same_level_all_goes_on_bit_by_bit() {
    let (old, new) = (built(rooms(&[])), built(rooms(&[])));
    // In the second case the player rides the lift.
    for feet in [[1.0, 0.0, 3.0], [2.75, 0.25, 6.0]] {
        let mut game = played(&old, feet);
        let (mut carried, place) = game.carry_to(&old, &new).unwrap();
        assert_eq!(place, [CarriedPlayer::There]);
        assert_eq!(carried.state_hash(&new), game.state_hash(&old));
        let input = Input {
            forward: 1.0,
            jump: true,
            ..Input::default()
        };
        for tick in 0..200 {
            game.tick(&old, &[input]);
            carried.tick(&new, &[input]);
            assert_eq!(carried.state_hash(&new), game.state_hash(&old), "{tick}");
        }
    }
}

#[test]
fn doors_and_movers_keep_their_state_and_a_mover_with_another_track_begins_anew() {
    let old = built(rooms(&[]));
    let game = played(&old, [1.0, 0.0, 3.0]);
    let mut source = rooms(&[cuboid([-3.0, 0.0, 2.0], [-2.0, 1.0, 3.0])]);
    let (again, _) = game.carry_to(&old, &built(source.clone())).unwrap();
    assert!(again.world().is_open(LinkId(0)));
    assert_eq!(again.world().mover(lift(&old)).at, 50);
    for mover in &mut source.movers {
        if mover.node == "lift-mover" {
            mover.track = Track::Slide(DVec3::Y * 3.0);
        }
    }
    let new = built(source);
    let (again, _) = game.carry_to(&old, &new).unwrap();
    assert_eq!(again.world().mover(lift(&new)).at, 0);
}

#[test]
fn a_player_without_room_is_moved_to_the_nearest_free_place() {
    let old = built(rooms(&[]));
    let game = played(&old, [0.0, 0.0, 4.0]);
    // A crate at the player's position; the player is moved beside it, or onto it.
    let new = built(rooms(&[cuboid([-0.5, 0.0, 3.5], [0.5, 1.0, 4.5])]));
    let (mut again, place) = game.carry_to(&old, &new).unwrap();
    let [CarriedPlayer::Near(distance)] = place[..] else {
        panic!("{place:?}")
    };
    assert!(distance <= 1.0, "{distance}");
    let player = &again.players[0];
    let moved = player.feet(&new).0 - game.players[0].feet(&old).0;
    assert!(moved.length() <= 1.5 * distance.max(1.0), "{moved}");
    let collision = again.collision(&new);
    let (body, state) = (&player.actor.body, &player.actor.state);
    assert!(fits(&collision, body, state, &mut Workspace::default()));
    let ahead = Input {
        forward: 1.0,
        ..Input::default()
    };
    let before = again.players[0].feet(&new).0;
    (0..60).for_each(|_| again.tick(&new, &[ahead]));
    assert!(again.players[0].feet(&new).0.distance(before) > 0.5);
}

#[test]
fn a_player_in_a_removed_room_is_on_a_floor_nearby_or_at_the_spawn() {
    let old = built(rooms(&[]));
    let game = played(&old, [0.0, 0.0, 7.0]);
    let mut sketch = Sketch::new("room");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, -8.0], [4.0, 5.0, 0.0]), &[]);
    sketch.spawn(a, DVec3::new(0.0, 0.1, -6.0), DVec3::Z);
    let near = built(sketch.source.clone());
    let (again, place) = game.carry_to(&old, &near).unwrap();
    // The new level has only room `a`; the nearest position found on its floor is eight metres away.
    assert!(
        matches!(place[..], [CarriedPlayer::Near(distance)] if distance == 8.0),
        "{place:?}"
    );
    assert_eq!(near.room(again.players[0].actor.state.at.room).name, "a");
    let mut sketch = Sketch::new("room");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, -80.0], [4.0, 5.0, -60.0]), &[]);
    sketch.spawn(a, DVec3::new(0.0, 0.1, -70.0), DVec3::Z);
    let far = built(sketch.source);
    let (again, place) = game.carry_to(&old, &far).unwrap();
    assert_eq!(place, [CarriedPlayer::AtSpawn]);
    assert!((again.players[0].feet(&far).0.z + 70.0).abs() < 1e-3);
}

/// A thousand damaged saves: truncated, or with changed bytes.
#[test]
fn bad_saves_of_a_level_do_no_harm() {
    let good = grid_glb(3, 1);
    let (level, _) = load_bytes("good", &good).unwrap();
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let mut rng = Rng::new(13);
    let (mut refused, mut carried) = (0, 0);
    for _ in 0..1_000 {
        let mut bytes = good.clone();
        match rng.below(4) {
            0 => bytes.truncate(rng.below(good.len())),
            1 => {
                for _ in 0..=rng.below(8) {
                    let at = rng.below(bytes.len());
                    bytes[at] ^= 1 << rng.below(8);
                }
            }
            2 => {
                let at = rng.below(bytes.len());
                let end = (at + 1 + rng.below(4096)).min(bytes.len());
                bytes[at..end].fill(0);
            }
            _ => {
                let [a, b] = [0; 2].map(|_| rng.below(bytes.len() - 64));
                bytes.copy_within(a..a + 64, b);
            }
        }
        let Ok((changed, _)) = load_bytes("bad", &bytes) else {
            refused += 1;
            continue;
        };
        if let Ok((mut again, _)) = game.carry_to(&level, &changed) {
            carried += 1;
            for _ in 0..5 {
                let input = Input {
                    forward: 1.0,
                    ..Input::default()
                };
                again.tick(&changed, &[input]);
            }
            assert!(again.players[0].feet(&changed).0.is_finite());
        }
        game.tick(&level, &[]);
    }
    assert!(refused > 200 && carried > 200, "{refused} {carried}");
    assert_eq!(
        game.carry_to(&level, &level).unwrap().1,
        [CarriedPlayer::There]
    );
}
