//! The camera behind the player, compared with brute force: the rooms along a straight line, and its distance to solid
//! geometry.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{Game, Input, PLAYER, Start, ThirdPerson};
use opendoor::geometry::{Rigid, closest_on_segment};
use opendoor::level::{At, Level};
use opendoor::load::load;
use opendoor::motion::{PathSegment, clearance};
use opendoor::rng::Rng;
use opendoor::testing::RandomPlayer;
use opendoor::world::World;

use crate::common::{eye_of, v};
use crate::levels::our_files;
use crate::shared::built;

/// Position of the unobstructed camera relative to the eye, metres: right, up, back.
const ROD: DVec3 = DVec3::new(0.0, 0.35, 3.0);
/// Minimum distance of the camera from solid geometry, metres: its radius of 0.09, minus the allowed penetration.
const KEEPS: f64 = 0.08;

/// The pieces of a straight line from room to room: the start of each piece, its end in the same coordinates, and the
/// transform from the coordinates of the line's start. Intersects the line with every portal polygon of each room.
fn pieces(level: &Level, world: &World, from: At, to: DVec3) -> Vec<(At, DVec3, Rigid)> {
    let (mut from, mut to, mut here_from_start) = (from, to, Rigid::IDENTITY);
    let mut pieces = Vec::new();
    loop {
        let mut first: Option<(f64, At, DVec3, Rigid)> = None;
        for (_, portal) in world.rooms().portals_of(level, from.room) {
            let ray = to - from.point;
            let goes_out = portal.polygon.plane.normal.dot(ray) > 0.0;
            for triangle in portal.polygon.triangles() {
                let Some(part) = triangle.hit_by_ray(from.point, ray) else {
                    continue;
                };
                let is_first = first.as_ref().is_none_or(|(least, ..)| part < *least);
                if goes_out && part > 1e-9 && part <= 1.0 && is_first && world.is_open(portal.link)
                {
                    let bend = portal.far_from_near;
                    let there = At::new(portal.far, bend.point(from.point + ray * part));
                    first = Some((part, there, bend.point(to), bend));
                }
            }
        }
        let Some((part, there, there_to, bend)) = first else {
            pieces.push((from, to, here_from_start));
            return pieces;
        };
        pieces.push((from, from.point + (to - from.point) * part, here_from_start));
        (from, to) = (there, there_to);
        here_from_start = bend.after(&here_from_start);
    }
}

/// Fails if the camera is not on the line behind the eye, or is too close to solid geometry. Returns the used fraction
/// of the line.
fn check(level: &Level, game: &mut Game, seen: &ThirdPerson) -> f64 {
    let eye = eye_of(game, level, 1.0).camera(70.0, 1.6);
    let rod = eye.axes * ROD;
    let camera = &seen.camera;
    let pieces = pieces(level, game.world(), eye.at, eye.at.point + rod);
    let found = pieces.iter().find_map(|(from, to, here_from_eye)| {
        let nearest = closest_on_segment(camera.at.point, from.point, *to);
        let is_here = camera.at.room == from.room && nearest.distance(camera.at.point) < 1e-6;
        is_here.then(|| here_from_eye.inverse().point(camera.at.point))
    });
    let room = |at: At| &level.room(at.room).name;
    let end = found.unwrap_or_else(|| {
        let (from, to) = (room(eye.at), room(camera.at));
        panic!(
            "{}: {:?} in {to}, seen from {from} {:?}",
            level.name, camera.at, eye.at
        )
    });
    let collision = game.collision(level);
    let piece = PathSegment {
        from: eye.at,
        to: end,
    };
    let clear = clearance(&collision, &piece, 0.0, 0.2);
    // If the eye itself is closer, its distance is the bound.
    let still = clearance(&collision, &PathSegment::still(eye.at), 0.0, 0.2);
    assert!(
        clear >= KEEPS.min(still - 1e-6),
        "{}: {clear} at {:?} in {}, from {:?}",
        level.name,
        camera.at,
        room(camera.at),
        eye.at
    );
    end.distance(eye.at.point) / rod.length()
}

#[test]
fn the_camera_is_never_in_a_wall_nor_in_another_room() {
    for path in our_files() {
        let (level, _) = load(&path).unwrap();
        // The oracle measures whole rooms, which overlap if portals bend space.
        if level.bends_space {
            continue;
        }
        let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
        let (mut wander, mut rng) = (RandomPlayer::new(17), Rng::new(23));
        let (mut full, mut short) = (0, 0);
        for tick in 0..2400 {
            let input = wander.next(&level, &mut game, 0);
            game.tick(&level, &[input]);
            if tick % 8 > 0 {
                continue;
            }
            let was = (game.players[0].yaw, game.players[0].pitch);
            game.players[0].look(rng.between(-180.0, 180.0), rng.between(-90.0, 90.0));
            let seen = game.third_person(&level, 0, 1.0, 70.0, 1.6);
            let part = check(&level, &mut game, &seen);
            full += usize::from(part > 0.9);
            short += usize::from(part < 0.5);
            (game.players[0].yaw, game.players[0].pitch) = was;
        }
        assert!(full + short > 50, "{}: {full} {short}", level.name);
        assert!(short > 20, "{}: {full} {short}", level.name);
    }
}

/// Two rooms far apart, joined by doorways with a quarter turn: the camera sees a player that walks backwards through
/// one doorway from the other room.
fn bent() -> Level {
    let mut sketch = Sketch::new("bent");
    let door = cuboid([-1.0, 0.0, -4.0], [1.0, 2.5, -4.0]);
    let other = cuboid([104.0, 0.0, -1.0], [104.0, 2.5, 1.0]);
    let near = sketch.box_room("near", cuboid([-4.0, 0.0, -4.0], [4.0, 4.0, 4.0]), &[door]);
    sketch.box_room(
        "far",
        cuboid([96.0, 0.0, -4.0], [104.0, 4.0, 4.0]),
        &[other],
    );
    sketch.portal(near, "far", door, DVec3::NEG_Z);
    // Leaving the first room towards -z enters the other room towards -x.
    let turn = DMat3::from_rotation_y(90f64.to_radians());
    let to = v(104.0, 0.0, 0.0) - turn * v(0.0, 0.0, -4.0);
    sketch.source.portals[0].far_from_near = Rigid::new(turn, to);
    sketch.spawn(near, v(0.0, 0.1, 0.0), DVec3::Z);
    built(sketch.source)
}

#[test]
fn the_camera_goes_backwards_through_a_doorway_that_bends_space() {
    let level = bent();
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let back = Input {
        forward: -1.0,
        ..Input::default()
    };
    let (mut beyond, mut crossed) = (0, 0);
    for _ in 0..120 {
        game.tick(&level, &[back]);
        for up in [-20.0, 0.0, 15.0] {
            game.players[0].pitch = up;
            let seen = game.third_person(&level, 0, 1.0, 70.0, 1.6);
            check(&level, &mut game, &seen);
            let name = |at: At| level.room(at.room).name.clone();
            let [body, camera] = [game.players[0].actor.state.at, seen.camera.at].map(name);
            beyond += usize::from(body == "near" && camera == "far");
            crossed += usize::from(body == "far");
            if (body.as_str(), camera.as_str()) == ("near", "far") && up == 0.0 {
                // The camera looks at the player: out of the far room towards +x.
                assert!(seen.camera.forward().distance(DVec3::X) < 1e-6);
            }
        }
    }
    assert!(beyond > 10 && crossed > 10, "{beyond} {crossed}");
}

/// A room with a wall behind the player.
fn walled() -> Level {
    let mut sketch = Sketch::new("walled");
    let room = sketch.box_room("room", cuboid([-9.0, 0.0, -9.0], [9.0, 4.0, 9.0]), &[]);
    sketch.furniture(room, 0, cuboid([-1.0, 0.0, 1.0], [1.0, 3.0, 1.2]));
    sketch.spawn(room, v(0.0, 0.1, 0.0), DVec3::NEG_Z);
    built(sketch.source)
}

#[test]
fn the_camera_comes_near_at_once_and_goes_back_smoothly() {
    let level = walled();
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let part = |yaw: f64, game: &mut Game| {
        game.players[0].yaw = yaw;
        let seen = game.third_person(&level, 0, 1.0, 70.0, 1.6);
        (check(&level, game, &seen), seen.shows_figure)
    };
    let (full, shows) = part(180.0, &mut game);
    assert!(full > 0.999 && shows, "{full}");
    let (near, shows) = part(0.0, &mut game);
    assert!((0.25..0.4).contains(&near), "{near}");
    assert!(shows);
    let mut last = part(180.0, &mut game).0;
    assert!((last - near).abs() < 1e-9, "it does not jump back: {last}");
    for tick in 0..120 {
        game.tick(&level, &[]);
        let now = part(180.0, &mut game).0;
        assert!(now >= last && now - last < 0.1, "{last} to {now}");
        last = now;
        assert!(tick < 60 || now > 0.95, "{now} after {tick} ticks");
    }
}

#[test]
fn where_there_is_no_room_behind_the_view_is_that_of_the_eye_and_shows_no_figure() {
    let level = walled();
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let back = Input {
        forward: -1.0,
        ..Input::default()
    };
    for _ in 0..60 {
        game.tick(&level, &[back]);
    }
    game.players[0].pitch = 0.0;
    let seen = game.third_person(&level, 0, 1.0, 70.0, 1.6);
    let eye = eye_of(&game, &level, 1.0).camera(70.0, 1.6);
    assert!(seen.camera.at.point.distance(eye.at.point) < 0.3);
    assert!(!seen.shows_figure);
}

#[test]
fn a_door_that_is_shut_is_between() {
    let mut sketch = Sketch::new("door");
    let door = cuboid([-1.0, 0.0, 1.0], [1.0, 2.5, 1.0]);
    let room = sketch.box_room("room", cuboid([-4.0, 0.0, -9.0], [4.0, 4.0, 1.0]), &[door]);
    let behind = sketch.box_room("behind", cuboid([-4.0, 0.0, 1.0], [4.0, 4.0, 9.0]), &[door]);
    sketch.portal(room, "behind", door, DVec3::Z);
    sketch.spawn(room, v(0.0, 0.1, 0.0), DVec3::NEG_Z);
    assert_eq!(behind, 1);
    let level = built(sketch.source);
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let link = level.portals[0].link;
    let open = game.third_person(&level, 0, 1.0, 70.0, 1.6);
    assert!(check(&level, &mut game, &open) > 0.999);
    assert_eq!(level.room(open.camera.at.room).name, "behind");
    game.set_link(&level, link, false).unwrap();
    let shut = game.third_person(&level, 0, 1.0, 70.0, 1.6);
    assert!(check(&level, &mut game, &shut) < 0.4);
    assert_eq!(level.room(shut.camera.at.room).name, "room");
}

#[test]
fn the_figure_stands_where_the_body_does() {
    let level = walled();
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let mut rng = Rng::new(2);
    for _ in 0..200 {
        let input = Input {
            forward: rng.between(-1.0, 1.0),
            right: rng.between(-1.0, 1.0),
            ..Input::default()
        };
        game.players[0].look(rng.between(-9.0, 9.0), 0.0);
        game.tick(&level, &[input]);
        let seen = game.third_person(&level, 0, 1.0, 70.0, 1.6);
        let state = &game.players[0].actor.state;
        let feet = state.at.point - DVec3::Y * PLAYER.radius;
        assert!(seen.room_from_figure.point(DVec3::ZERO).distance(feet) < 1e-9);
        let (sin, cos) = game.players[0].yaw.to_radians().sin_cos();
        let ahead = seen.room_from_figure.vector(DVec3::NEG_Z);
        assert!(ahead.distance(v(-sin, 0.0, -cos)) < 1e-9);
        assert_eq!(seen.room, state.at.room);
    }
}
