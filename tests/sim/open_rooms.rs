//! Rooms that are not closed, as in levels made for Godot 3: courts without a ceiling, and floors alone.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::game::{Game, PLAYER, Start};
use opendoor::geometry::Aabb;
use opendoor::level::{AuthorPoint, Level, locate};
use opendoor::rng::Rng;
use opendoor::source::LevelSource;

use crate::common::{quad, v};

fn built_without_a_word(source: LevelSource) -> Level {
    let (level, problems) = build(source).unwrap();
    assert!(problems.warnings.is_empty(), "{problems}");
    level
}

fn room_at(level: &Level, point: [f64; 3]) -> Option<&str> {
    let room = locate(
        level,
        level.from_author(AuthorPoint(DVec3::from_array(point))),
    )?;
    Some(level.room(room).name.as_str())
}

/// Adds a court of 20 x 20 m without a ceiling, whose walls are from 0.5 to 4 m high.
fn court(sketch: &mut Sketch) -> usize {
    let court = sketch.room("court");
    let corners = [[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]];
    let floor = [0, 3, 2, 1].map(|i: usize| v(corners[i][0], 0.0, corners[i][1]));
    let mut faces = quad(floor).to_vec();
    for (i, height) in [0.5, 4.0, 1.0, 2.5].into_iter().enumerate() {
        let ([x0, z0], [x1, z1]) = (corners[i], corners[(i + 1) % 4]);
        let [a, b] = [v(x0, 0.0, z0), v(x1, 0.0, z1)];
        let up = DVec3::Y * height;
        faces.extend(quad([a, b, b + up, a + up]));
    }
    sketch.mesh(court, 0, &faces);
    court
}

#[test]
fn points_in_and_above_a_court_without_a_ceiling_are_in_it() {
    let mut sketch = Sketch::new("court");
    let court = court(&mut sketch);
    sketch.spawn(court, v(10.0, 0.0, 10.0), DVec3::X);
    // Lamps on poles, above most of the walls, at the walls and in the middle.
    let lamps = [
        [10.0, 3.8, 10.0],
        [1.0, 3.0, 1.0],
        [19.5, 6.0, 10.0],
        [10.0, 3.0, 0.5],
    ];
    for lamp in lamps {
        sketch.lamp(court, DVec3::from_array(lamp), 100.0);
    }
    let level = built_without_a_word(sketch.source);
    for point in lamps {
        assert_eq!(room_at(&level, point), Some("court"), "{point:?}");
    }
    for x in 0..10 {
        for z in 0..10 {
            for y in [0.1, 1.0, 2.0, 5.0, 15.0] {
                let point = [1.0 + 2.0 * f64::from(x), y, 1.0 + 2.0 * f64::from(z)];
                assert_eq!(room_at(&level, point), Some("court"), "{point:?}");
            }
        }
    }
    // Points in no room: below the ground, and beside the walls but no higher than the walls.
    for point in [
        [10.0, -0.1, 10.0],
        [-0.5, 1.0, 10.0],
        [20.5, 2.0, 10.0],
        [10.0, 0.3, -0.2],
    ] {
        assert_eq!(room_at(&level, point), None, "{point:?}");
    }
    let game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    assert_eq!(
        level.room(game.players[0].actor.state.at.room).name,
        "court"
    );
}

#[test]
fn a_house_in_an_open_landscape_is_distinguished_from_it() {
    // The landscape is a floor with a hole for the house, and the outer faces of the house.
    let mut sketch = Sketch::new("landscape");
    let land = sketch.room("land");
    let lines = [-30.0, 0.0, 6.0, 30.0];
    for i in 0..9 {
        let (x, z) = (i % 3, i / 3);
        if (x, z) != (1, 1) {
            let ([x0, x1], [z0, z1]) = ([lines[x], lines[x + 1]], [lines[z], lines[z + 1]]);
            let floor = [v(x0, 0., z0), v(x0, 0., z1), v(x1, 0., z1), v(x1, 0., z0)];
            sketch.mesh(land, 0, &quad(floor));
        }
    }
    let door = cuboid([6.0, 0.0, 2.0], [6.0, 2.2, 3.0]);
    let mut shell = Sketch::new("");
    shell.box_room("", cuboid([0.0; 3], [6.0, 3.0, 6.0]), &[door]);
    let mut outside = shell.source.meshes.remove(0);
    for [_, b, c] in &mut outside.triangles {
        std::mem::swap(b, c);
    }
    outside.room = land;
    sketch.source.meshes.push(outside);
    let house = sketch.box_room("house", cuboid([0.0; 3], [6.0, 3.0, 6.0]), &[door]);
    sketch.portal(house, "land", door, DVec3::X);
    sketch.spawn(land, v(12.0, 0.0, 3.0), DVec3::NEG_X);
    sketch.lamp(house, v(3.0, 2.5, 3.0), 100.0);
    sketch.lamp(land, v(7.0, 5.0, 3.0), 100.0);
    let level = built_without_a_word(sketch.source);
    for (point, room) in [
        ([3.0, 1.0, 3.0], Some("house")),
        ([5.99, 1.0, 2.5], Some("house")),
        ([6.01, 1.0, 2.5], Some("land")),
        ([-1.0, 1.0, 3.0], Some("land")),
        ([3.0, 3.5, 3.0], Some("land")),
        ([20.0, 12.0, -20.0], Some("land")),
        ([20.0, -1.0, -20.0], None),
        ([3.0, -0.5, 3.0], None),
    ] {
        assert_eq!(room_at(&level, point), room, "{point:?}");
    }
}

/// Regression test: one leaf in a room made its winding number outside its walls a fraction. So points in the walls and
/// above the ceiling were in the room if a face of decoration, which is sunk into the walls by a centimetre, was nearest.
#[test]
fn leaves_in_a_room_open_its_walls_to_no_point_outside() {
    let mut rng = Rng::new(3);
    let door = cuboid([6.0, 0.0, 2.0], [6.0, 2.2, 3.0]);
    let halves = [
        ("left", cuboid([0.0; 3], [6.0, 3.0, 6.0])),
        ("right", cuboid([6.0, 0.0, 0.0], [9.0, 4.0, 6.0])),
    ];
    for _ in 0..20 {
        let mut sketch = Sketch::new("palms");
        for (name, inside) in halves {
            let room = sketch.box_room(name, inside, &[door]);
            let mut point_inside = || {
                let part = DVec3::from_array([0; 3].map(|_| rng.between(0.001, 0.999)));
                inside.min + (inside.max - inside.min) * part
            };
            let leaves = [0; 3].map(|_| [0; 3].map(|_| point_inside()));
            let mouldings = [0; 4].map(|_| Aabb::around([point_inside(), inside.max + 0.01]));
            sketch.mesh(room, 0, &leaves);
            let first = sketch.source.meshes.len() - 1;
            for moulding in mouldings {
                sketch.furniture(room, 0, moulding);
            }
            for mesh in &mut sketch.source.meshes[first..] {
                mesh.solid = false;
            }
            sketch.lamp(room, inside.centre(), 100.0);
        }
        sketch.portal(0, "right", door, DVec3::X);
        sketch.spawn(0, v(3.0, 0.0, 3.0), DVec3::X);
        let level = built_without_a_word(sketch.source);
        for _ in 0..500 {
            let point = [0; 3].map(|_| rng.between(-1.0, 10.0));
            let room = halves
                .iter()
                .find(|(_, inside)| inside.contains(DVec3::from_array(point)));
            let name = room.map(|(name, ..)| *name);
            assert_eq!(room_at(&level, point), name, "{point:?}");
        }
    }
}
