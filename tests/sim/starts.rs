//! The room in which a body starts, and positions where no body can start.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{CHARACTER, Game, PLAYER, Start};
use opendoor::level::{AuthorPoint, Level, locate};
use opendoor::testing::{Monitor, RandomPlayer};

use crate::common::{quad, v};
use crate::shared::built;

/// A wall from one point in plan to another between two heights. Its front is on the left.
fn wall(from: [f64; 2], to: [f64; 2], heights: [f64; 2]) -> [[DVec3; 3]; 2] {
    let at = |[x, z]: [f64; 2], y: f64| v(x, y, z);
    let [low, high] = heights;
    quad([at(from, low), at(to, low), at(to, high), at(from, high)])
}

/// Floor and ceiling of a convex room whose corners are clockwise in plan (x to the right, z down).
fn slabs(corners: &[[f64; 2]], height: f64) -> Vec<[DVec3; 3]> {
    let at = |[x, z]: [f64; 2], y: f64| v(x, y, z);
    let fans = corners[1..].windows(2).flat_map(|pair| {
        let [a, b, c] = [corners[0], pair[0], pair[1]];
        let floor = [a, c, b].map(|p| at(p, 0.0));
        let ceiling = [a, b, c].map(|p| at(p, height));
        [floor, ceiling]
    });
    fans.collect()
}

/// A wedge-shaped closet, `length` long and `width` wide at its end, beside a hall. The wall between them has no
/// thickness, and a doorway at the wide end. The spawn is at the fraction `part` of the distance to that end.
fn wedge(length: f64, width: f64, part: f64) -> Level {
    const HEIGHT: f64 = 3.0;
    let at = |part: f64| [length * part, width * part];
    let (door, corner) = ([at(0.8), at(0.95)], [length, 0.0]);
    let long = |flipped: bool| {
        let spans = [
            (at(0.0), door[0], [0.0, HEIGHT]),
            (door[0], door[1], [2.0, HEIGHT]),
            (door[1], at(1.0), [0.0, HEIGHT]),
        ];
        spans.into_iter().flat_map(move |(from, to, heights)| {
            if flipped {
                wall(from, to, heights)
            } else {
                wall(to, from, heights)
            }
        })
    };
    let mut sketch = Sketch::new("wedge");
    let closet = sketch.room("closet");
    let mut faces = slabs(&[at(0.0), corner, at(1.0)], HEIGHT);
    faces.extend(wall(at(0.0), corner, [0.0, HEIGHT]));
    faces.extend(wall(corner, at(1.0), [0.0, HEIGHT]));
    faces.extend(long(false));
    sketch.mesh(closet, 0, &faces);
    let hall = sketch.room("hall");
    let ends = [[length, 5.0], [0.0, 5.0]];
    let mut faces = slabs(&[at(0.0), at(1.0), ends[0], ends[1]], HEIGHT);
    faces.extend(wall(at(1.0), ends[0], [0.0, HEIGHT]));
    faces.extend(wall(ends[0], ends[1], [0.0, HEIGHT]));
    faces.extend(wall(ends[1], at(0.0), [0.0, HEIGHT]));
    faces.extend(long(true));
    sketch.mesh(hall, 0, &faces);
    let [from, to] = door;
    sketch.portal(closet, "hall", cuboid([0.0; 3], [0.0; 3]), DVec3::X);
    let triangles = wall(from, to, [0.0, 2.0]);
    sketch.source.portals[0].triangles = triangles.to_vec();
    let [x, z] = [length * part, 0.5 * width * part];
    sketch.spawn(closet, v(x, 0.05, z), DVec3::X);
    built(sketch.source)
}

/// Regression test: a body placed in a crevice came out behind the wall, in no room, and fell for ever.
#[test]
fn a_body_placed_in_a_crevice_is_refused_or_in_a_room_that_contains_it() {
    let (mut refused, mut started) = (0, 0);
    for length in [0.5, 1.0, 3.0] {
        for width in [0.05, 0.1, 0.3, 1.5] {
            for part in [0.1, 0.5, 0.9] {
                let level = wedge(length, width, part);
                for body in [CHARACTER, PLAYER] {
                    let Ok(mut game) = Game::start(&level, &Start::Default, body) else {
                        refused += 1;
                        continue;
                    };
                    started += 1;
                    let centre = game.players[0].actor.state.at.point;
                    assert_eq!(
                        locate(&level, centre),
                        Some(game.players[0].actor.state.at.room),
                        "{centre}"
                    );
                    let mut monitor = Monitor::new(&level, &game, 0);
                    if monitor.violation.is_some() {
                        // Too narrow for the body, which overlaps both walls equally.
                        continue;
                    }
                    let mut wander = RandomPlayer::new(2);
                    for _ in 0..300 {
                        let input = wander.next(&level, &mut game, 0);
                        game.tick(&level, &[input]);
                        monitor.add_tick(&level, &game);
                    }
                    assert_eq!(monitor.violation, None, "{length} {width} {part}");
                }
            }
        }
    }
    assert!(refused > 5 && started > 5, "{refused} {started}");
}

/// A kiosk, open on one side, in a gallery. A wall of the gallery joins one corner of each. Regression test: a spawn
/// beyond the kiosk was located in the kiosk.
#[test]
fn a_game_starts_in_the_room_that_the_spawn_is_in() {
    const HEIGHT: f64 = 3.0;
    let mut sketch = Sketch::new("ring");
    let inner = [[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0]];
    let kiosk = sketch.room("kiosk");
    let mut faces = slabs(&[inner[0], inner[3], inner[2], inner[1]], HEIGHT);
    let sides = [
        (inner[1], inner[0]),
        (inner[0], inner[3]),
        (inner[2], inner[1]),
    ];
    for (from, to) in sides {
        faces.extend(wall(from, to, [0.0, HEIGHT]));
    }
    sketch.mesh(kiosk, 0, &faces);
    let gallery = sketch.room("gallery");
    let lines = [-4.0, 0.0, 4.0, 8.0];
    let mut faces = Vec::new();
    for i in 0..9 {
        let (x, z) = (i % 3, i / 3);
        if (x, z) != (1, 1) {
            let ([x0, x1], [z0, z1]) = ([lines[x], lines[x + 1]], [lines[z], lines[z + 1]]);
            faces.extend(slabs(&[[x0, z0], [x1, z0], [x1, z1], [x0, z1]], HEIGHT));
        }
    }
    let outer = [[-4.0, -4.0], [8.0, -4.0], [8.0, 8.0], [-4.0, 8.0]];
    for i in 0..4 {
        faces.extend(wall(outer[i], outer[(i + 1) % 4], [0.0, HEIGHT]));
    }
    for (from, to) in sides {
        faces.extend(wall(to, from, [0.0, HEIGHT]));
    }
    for (from, to) in [([0.0, -4.0], [4.0, 0.0]), ([4.0, 0.0], [0.0, -4.0])] {
        faces.extend(wall(from, to, [0.0, HEIGHT]));
    }
    sketch.mesh(gallery, 0, &faces);
    let opening = cuboid([4.0, 0.0, 0.0], [4.0, HEIGHT, 4.0]);
    sketch.portal(kiosk, "gallery", opening, DVec3::X);
    sketch.spawn(gallery, v(-2.0, 0.05, 2.0), DVec3::X);
    let level = built(sketch.source);
    let gallery = level.room_named("gallery").unwrap();
    assert_eq!(level.spawns[0].at.room, gallery);
    for body in [CHARACTER, PLAYER] {
        for start in [Start::Default, Start::Feet(AuthorPoint(v(-2.0, 0.05, 2.0)))] {
            let mut game = Game::start(&level, &start, body).unwrap();
            assert_eq!(game.players[0].actor.state.at.room, gallery);
            let mut monitor = Monitor::new(&level, &game, 0);
            let mut wander = RandomPlayer::new(7);
            for _ in 0..600 {
                let input = wander.next(&level, &mut game, 0);
                game.tick(&level, &[input]);
                monitor.add_tick(&level, &game);
            }
            assert_eq!(monitor.violation, None);
        }
    }
}
