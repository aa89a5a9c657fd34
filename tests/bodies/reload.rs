//! Bodies in a level that is changed and reloaded while it is played.

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{CarriedPlayer, Game, Input, PLAYER, Start};
use opendoor::geometry::Aabb;
use opendoor::glam::{DMat3, DVec3};
use opendoor::level::{BodyId, Level, Track};
use opendoor::load::load;
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, LevelSource, MoverSource};
use opendoor::world::BodyState;

use crate::hall::{add, add_ball, crate_at};

/// Three rooms in a row along x, each of 6 m, the player in the first.
fn rooms() -> Sketch {
    let mut sketch = Sketch::new("rooms");
    let doorways = [6.0, 12.0].map(|x| cuboid([x, 0.0, -1.0], [x, 2.2, 1.0]));
    for (index, name) in ["a", "b", "c"].into_iter().enumerate() {
        let from = 6.0 * index as f64;
        let is_here = |d: &&Aabb| d.min.x == from || d.min.x == from + 6.0;
        let own: Vec<_> = doorways.iter().filter(is_here).copied().collect();
        let inside = cuboid([from, 0.0, -3.0], [from + 6.0, 3.0, 3.0]);
        let room = sketch.box_room(name, inside, &own);
        if index < 2 {
            sketch.portal(room, "", doorways[index], DVec3::X);
        }
    }
    sketch.spawn(0, DVec3::new(1.0, 0.0, 0.0), DVec3::X);
    sketch
}

/// A crate on the floor and a ball in the air in the middle room, and a crate on a shelf in the last room.
fn furnished() -> Sketch {
    let mut sketch = rooms();
    let on_floor = crate_at(DVec3::new(8.0, 0.25, 2.0), DVec3::splat(0.25));
    add(&mut sketch, "crate", BodyShape::Box, on_floor, 0.5, 0.0);
    add_ball(
        &mut sketch,
        "ball",
        DVec3::new(9.0, 2.0, -2.0),
        0.2,
        0.5,
        0.0,
    );
    sketch.furniture(2, 0, cuboid([14.0, 1.0, 1.0], [15.0, 1.1, 2.0]));
    let on_shelf = crate_at(DVec3::new(14.5, 1.3, 1.5), DVec3::splat(0.2));
    add(&mut sketch, "parcel", BodyShape::Hull, on_shelf, 0.5, 0.0);
    sketch
}

fn built(sketch: &Sketch) -> Level {
    build(sketch.source.clone()).expect("it is sound").0
}

fn named(level: &Level, name: &str) -> BodyId {
    let index = level.bodies.iter().position(|body| body.name == name);
    BodyId(index.expect("there is one") as u32)
}

fn state(game: &Game, level: &Level, name: &str) -> BodyState {
    *game.world().bodies.state(named(level, name))
}

/// The position of a body in author's coordinates.
fn place(game: &Game, level: &Level, name: &str) -> DVec3 {
    level.to_author(state(game, level, name).at.point).0
}

/// A game in which all bodies have come to rest, the crate away from its authored position.
fn at_rest(level: &Level) -> Game {
    let mut game = Game::start(level, &Start::Default, PLAYER).expect("there is room");
    let mut pushed = state(&game, level, "crate");
    (pushed.velocity, pushed.spin) = (DVec3::new(2.0, 0.0, -1.5), DVec3::Y);
    game.set_body(named(level, "crate"), pushed);
    (0..300).for_each(|_| game.tick(level, &[]));
    assert_eq!(game.world().bodies.awake_count(), 0);
    game
}

fn body<'a>(source: &'a mut LevelSource, name: &str) -> &'a mut opendoor::source::BodySource {
    let mut bodies = source.bodies.iter_mut();
    bodies.find(|body| body.node == name).expect("there is one")
}

#[test]
fn in_the_same_level_bodies_go_on_bit_by_bit() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/levels/workshop.glb");
    let [level, again] = [0; 2].map(|_| load(path.as_ref()).expect("it is sound").0);
    let mut rng = Rng::new(11);
    for spawn in ["player", "alley", "billiards", "run"] {
        let start = Start::Spawn(spawn.to_owned());
        let mut game = Game::start(&level, &start, PLAYER).expect("there is room");
        for _ in 0..6 {
            let input = Input {
                forward: rng.between(-1.0, 1.0),
                right: rng.between(-1.0, 1.0),
                grab: rng.one_in(4),
                ..Input::default()
            };
            (0..30).for_each(|_| game.tick(&level, &[input]));
            let (mut carried, at) = game.carry_to(&level, &again).expect("there is room");
            assert_eq!(at, [CarriedPlayer::There]);
            for tick in 0..20 {
                let hashes = [game.state_hash(&level), carried.state_hash(&again)];
                assert_eq!(hashes[0], hashes[1], "{spawn} {tick}");
                game.tick(&level, &[]);
                carried.tick(&again, &[]);
            }
        }
    }
}

#[test]
fn moved_bodies_keep_their_positions_and_velocities() {
    let sketch = furnished();
    let old = built(&sketch);
    let mut game = Game::start(&old, &Start::Default, PLAYER).expect("there is room");
    let mut thrown = state(&game, &old, "ball");
    thrown.velocity = DVec3::new(3.0, 2.0, 0.5);
    thrown.spin = DVec3::new(1.0, 2.0, 3.0);
    game.set_body(named(&old, "ball"), thrown);
    (0..20).for_each(|_| game.tick(&old, &[]));
    let mut changed = sketch;
    // The changed level has another body, which comes first in the order of names, and another origin.
    let other = crate_at(DVec3::new(1.0, 0.25, 2.0), DVec3::splat(0.25));
    add(&mut changed, "a", BodyShape::Box, other, 0.5, 0.0);
    let far = cuboid([1e4, 0.0, -3.0], [1e4 + 6.0, 3.0, 3.0]);
    changed.box_room("far", far, &[]);
    let new = built(&changed);
    assert_ne!(old.origin, new.origin);
    let (mut again, _) = game.carry_to(&old, &new).expect("there is room");
    let [before, after] = [state(&game, &old, "ball"), state(&again, &new, "ball")];
    assert!(place(&game, &old, "ball").distance(place(&again, &new, "ball")) < 1e-9);
    assert_eq!(before.velocity, after.velocity);
    assert_eq!((before.spin, before.rotation), (after.spin, after.rotation));
    assert_eq!(old.room(before.at.room).name, new.room(after.at.room).name);
    for _ in 0..10 {
        game.tick(&old, &[]);
        again.tick(&new, &[]);
    }
    assert!(place(&game, &old, "ball").distance(place(&again, &new, "ball")) < 1e-9);
}

#[test]
fn sleeping_bodies_sleep_on_unless_something_beside_them_changed() {
    let sketch = furnished();
    let old = built(&sketch);
    let game = at_rest(&old);
    assert!(place(&game, &old, "crate").distance(DVec3::new(8.0, 0.25, 2.0)) > 0.2);
    // A new object in the first room: bodies next to it wake, bodies in the last room do not.
    let mut changed = sketch.clone();
    changed.furniture(0, 0, cuboid([3.0, 0.0, 1.0], [4.0, 1.0, 2.0]));
    let new = built(&changed);
    let (again, _) = game.carry_to(&old, &new).expect("there is room");
    for name in ["crate", "ball", "parcel"] {
        let [before, after] = [(&game, &old), (&again, &new)].map(|(g, l)| place(g, l, name));
        assert_eq!(before, after, "{name}");
    }
    let sleeps = |name: &str| state(&again, &new, name).is_asleep();
    assert_eq!(
        ["crate", "ball", "parcel"].map(sleeps),
        [false, false, true]
    );
    // The parcel falls when its shelf is removed.
    let mut changed = sketch;
    changed.source.meshes.pop();
    let new = built(&changed);
    let (mut again, _) = game.carry_to(&old, &new).expect("there is room");
    (0..60).for_each(|_| again.tick(&new, &[]));
    assert!(place(&again, &new, "parcel").y < 0.3);
    // A body that rested on a removed body falls.
    let mut stack = rooms();
    for (name, y) in [("low", 0.25), ("top", 0.75)] {
        let centre = DVec3::new(8.0, y, 2.0);
        let outside = crate_at(centre, DVec3::splat(0.25));
        add(&mut stack, name, BodyShape::Box, outside, 0.5, 0.0);
    }
    let old = built(&stack);
    let mut game = Game::start(&old, &Start::Default, PLAYER).expect("there is room");
    (0..120).for_each(|_| game.tick(&old, &[]));
    stack.source.bodies.remove(0);
    let new = built(&stack);
    let (mut again, _) = game.carry_to(&old, &new).expect("there is room");
    (0..60).for_each(|_| again.tick(&new, &[]));
    assert!((place(&again, &new, "top").y - 0.25).abs() < 0.01);
}

#[test]
fn bodies_that_the_author_changed_start_as_authored() {
    let sketch = furnished();
    let old = built(&sketch);
    let game = at_rest(&old);
    let was = place(&game, &old, "crate");
    type Change = fn(&mut LevelSource);
    let moved: Change = |source| {
        for point in &mut body(source, "crate").meshes[0].positions {
            point.z -= 0.001;
        }
    };
    let turned: Change = |source| {
        body(source, "crate").axes = DMat3::from_rotation_y(std::f64::consts::FRAC_PI_2);
    };
    let other_shape: Change = |source| body(source, "crate").shape = BodyShape::Hull;
    let heavier: Change = |source| body(source, "crate").mass = Some(50.0);
    let starts = DVec3::new(8.0, 0.25, 2.0);
    let cases = [
        ("moved", moved, starts - 0.001 * DVec3::Z),
        ("turned", turned, starts),
        ("other shape", other_shape, starts),
        ("heavier", heavier, was),
    ];
    for (what, change, expected) in cases {
        let mut changed = sketch.source.clone();
        change(&mut changed);
        let (new, _) = build(changed).expect("it is sound");
        let (again, _) = game.carry_to(&old, &new).expect("there is room");
        let found = place(&again, &new, "crate");
        assert!(found.distance(expected) < 1e-9, "{what}: {found}");
        assert!(place(&again, &new, "ball").distance(place(&game, &old, "ball")) < 1e-9);
    }
}

#[test]
fn bodies_without_a_valid_place_start_as_authored() {
    let sketch = furnished();
    let old = built(&sketch);
    let game = at_rest(&old);
    let starts = DVec3::new(8.0, 0.25, 2.0);
    let was = place(&game, &old, "crate");
    // Furniture at the crate's resting position.
    let mut filled = sketch.clone();
    let around = crate_at(was, DVec3::splat(0.1));
    filled.furniture(1, 0, around);
    // A platform at the crate's resting position.
    let mut with_platform = sketch.clone();
    with_platform.furniture(1, 0, around);
    let meshes = with_platform.source.meshes.pop().into_iter().collect();
    let mut platform = MoverSource::vanishing_door("platform-mover", meshes);
    platform.is_door = false;
    platform.track = Track::Slide(DVec3::Y);
    with_platform.source.movers.push(platform);
    // A new name of the crate's room.
    let mut renamed = sketch;
    renamed.source.rooms[1].name = "other".to_owned();
    for changed in [filled, with_platform, renamed] {
        let new = built(&changed);
        let (again, _) = game.carry_to(&old, &new).expect("there is room");
        let found = place(&again, &new, "crate");
        assert!(found.distance(starts) < 1e-9, "{found}");
        assert!(!state(&again, &new, "crate").is_asleep());
    }
}

#[test]
fn a_held_body_stays_held_if_it_still_exists() {
    let mut sketch = rooms();
    add_ball(
        &mut sketch,
        "ball",
        DVec3::new(2.2, 1.6, 0.0),
        0.15,
        0.5,
        0.0,
    );
    let old = built(&sketch);
    let mut game = Game::start(&old, &Start::Default, PLAYER).expect("there is room");
    game.tick(
        &old,
        &[Input {
            grab: true,
            ..Input::default()
        }],
    );
    assert!(game.holds(0).is_some());
    (0..30).for_each(|_| game.tick(&old, &[]));
    let mut changed = sketch.clone();
    let other = crate_at(DVec3::new(4.0, 0.25, 2.0), DVec3::splat(0.25));
    add(&mut changed, "a", BodyShape::Box, other, 0.5, 0.0);
    let new = built(&changed);
    let (mut again, _) = game.carry_to(&old, &new).expect("there is room");
    assert_eq!(again.holds(0), Some(named(&new, "ball")));
    (0..60).for_each(|_| again.tick(&new, &[]));
    assert!(place(&again, &new, "ball").y > 1.3);
    sketch.source.bodies.clear();
    let new = built(&sketch);
    let (mut again, _) = game.carry_to(&old, &new).expect("there is room");
    assert_eq!(again.holds(0), None);
    again.tick(&new, &[]);
}

/// Regression test: the rooms of the meshes of bodies were not renumbered when rooms were sorted by name.
#[test]
fn a_body_where_two_rooms_overlap_is_in_the_one_that_it_is_a_child_of() {
    for [first, second] in [["a", "b"], ["b", "a"]] {
        let mut sketch = Sketch::new("overlap");
        let inside = cuboid([0.0; 3], [4.0; 3]);
        sketch.box_room(first, inside, &[]);
        sketch.box_room(second, inside, &[]);
        sketch.spawn(0, DVec3::new(1.0, 0.0, 1.0), DVec3::X);
        add_ball(&mut sketch, "ball", DVec3::splat(2.0), 0.2, 0.5, 0.0);
        let level = built(&sketch);
        let room = level.body(BodyId(0)).start.room;
        assert_eq!(level.room(room).name, first);
    }
}
