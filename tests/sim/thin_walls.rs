//! Random levels whose walls have no thickness: the walls of neighbours coincide, their fronts face opposite
//! directions, and boxes stand against them.

use glam::DVec3;
use opendoor::author::sketch::Sketch;
use opendoor::game::{CHARACTER, Game, Start};
use opendoor::geometry::Aabb;
use opendoor::level::Material;
use opendoor::motion::Body;
use opendoor::rng::Rng;
use opendoor::source::LevelSource;
use opendoor::testing::Monitor;

use crate::common::cases;
use crate::shared::built;
use crate::wander::{walk_twice, walk_twice_at};

/// Size of a room, metres.
const CELL: f64 = 3.1;

/// A random multiple of five centimetres. Few of these multiples are exact in f32.
fn between(rng: &mut Rng, min: f64, max: f64) -> f64 {
    let steps = ((max - min) * 20.0) as usize;
    min + rng.below(steps + 1) as f64 / 20.0
}

/// Rooms in a grid of 3 x 2 x 3 cells, most of them joined to their neighbours, with furniture.
fn level(seed: u64) -> LevelSource {
    let mut rng = Rng::new(seed);
    let mut sketch = Sketch::new(&format!("thin walls {seed}"));
    let frictions = [0.0, 0.0, 0.2, 0.7];
    let materials = frictions.map(|friction| {
        sketch.material(Material {
            friction,
            ..Material::default()
        })
    });
    let counts = [3_usize, 2, 3];
    let cell = |i: usize| [i % 3, i / 3 % 2, i / 6];
    let inside = |i: usize| {
        let min = DVec3::from_array(cell(i).map(|k| k as f64 * CELL));
        Aabb {
            min,
            max: min + DVec3::splat(CELL),
        }
    };
    // The two rooms of each opening, the axis between them, and the opening.
    let mut openings: Vec<(usize, usize, usize, Aabb)> = Vec::new();
    for i in 0..18 {
        for (axis, next) in [(0, 1), (1, 3), (2, 6)] {
            if cell(i)[axis] + 1 == counts[axis] || rng.below(4) == 0 {
                continue;
            }
            let mut hole = inside(i);
            hole.min[axis] = hole.max[axis];
            for k in (0..3).filter(|&k| k != axis) {
                let (low, high) = (hole.min[k], hole.max[k]);
                let on_floor = k == 1 && rng.one_in(2);
                hole.min[k] = if on_floor {
                    low
                } else {
                    between(&mut rng, low, low + 0.75)
                };
                hole.max[k] = between(&mut rng, high - 1.0, high);
            }
            openings.push((i, i + next, axis, hole));
        }
    }
    for i in 0..18 {
        let of_room = openings.iter().filter(|o| o.0 == i || o.1 == i);
        let holes: Vec<Aabb> = of_room.map(|o| o.3).collect();
        let room = sketch.box_room(&format!("r{i:02}"), inside(i), &holes);
        sketch.source.meshes[room].material = materials[rng.below(4)];
    }
    for i in 0..18 {
        for _ in 0..rng.below(4) {
            let mut outside = inside(i);
            for k in 0..3 {
                let (low, high) = (outside.min[k], outside.max[k]);
                let size = between(&mut rng, 0.25, 1.5);
                let at = match rng.below(4) {
                    0 | 1 => low,
                    2 => high - size,
                    _ => between(&mut rng, low, high - 1.5),
                };
                (outside.min[k], outside.max[k]) = (at, at + size);
            }
            let centre = inside(i).centre();
            let at_spawn = Aabb::around([centre]).grown(0.6).overlaps(&outside);
            let in_the_way = openings.iter().any(|o| o.3.overlaps(&outside));
            if !in_the_way && !at_spawn {
                sketch.furniture(i, materials[rng.below(4)], outside);
            }
        }
    }
    for &(from, to, axis, hole) in &openings {
        let mut out = DVec3::ZERO;
        out[axis] = 1.0;
        if rng.one_in(2) {
            sketch.portal(from, &format!("r{to:02}"), hole, out);
        } else {
            sketch.portal(to, &format!("r{from:02}"), hole, -out);
        }
    }
    sketch.spawn(0, DVec3::splat(0.5 * CELL), DVec3::X);
    for i in 1..18 {
        sketch.spawn(i, inside(i).centre(), DVec3::X);
        sketch.source.spawns[i].node = format!("player-spawn{i}");
    }
    sketch.source
}

/// Regression seeds: in these levels some walks differed, because boxes behind a wall were hit too.
const DIFFERED: [u64; 8] = [285, 484, 498, 544, 570, 574, 577, 1276];

const WALK_TICKS: u64 = 900;

#[test]
fn walks_between_walls_of_no_thickness_are_those_over_the_whole_soup() {
    let mut walks = 0;
    for seed in DIFFERED.into_iter().chain(0..5) {
        let level = built(level(seed));
        for (i, spawn) in level.spawns.iter().enumerate() {
            let start = Start::Spawn(spawn.name.clone());
            let body = Body {
                radius: [0.35, 0.15, 0.5][i % 3],
                segment_length: [0.0, 0.0, 0.4][i / 3 % 3],
                ..CHARACTER
            };
            let fits = Game::start(&level, &start, body)
                .is_ok_and(|game| Monitor::new(&level, &game, 0).violation.is_none());
            if fits {
                walk_twice(&level, body, &start, seed, WALK_TICKS);
                walks += 1;
            }
        }
    }
    assert!(walks > 200, "{walks}");
}

#[test]
fn fast_walks_along_the_posts_of_thin_walls_are_those_over_the_whole_soup() {
    let mut walks = 0;
    let worlds = cases(12, 40);
    for seed in 0..worlds {
        let level = built(level(seed));
        for (i, spawn) in level.spawns.iter().enumerate().step_by(3) {
            let start = Start::Spawn(spawn.name.clone());
            let speed = [20.0, 60.0, 200.0][i / 3 % 3];
            let body = Body {
                radius: [0.03, 0.1][i % 2],
                acceleration: 100.0 * speed,
                ..CHARACTER
            };
            if Game::start(&level, &start, body).is_ok() {
                walk_twice_at(speed, &level, body, &start, seed, 200);
                walks += 1;
            }
        }
    }
    assert!(walks > 5 * worlds, "{walks}");
}
