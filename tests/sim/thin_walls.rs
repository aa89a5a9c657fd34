//! Random levels whose walls have no thickness: the walls of neighbours coincide, their fronts face
//! opposite ways, and boxes stand against them.

use glam::DVec3;
use opendoor::game::{CHARACTER, Game, Record, Start, Wander};
use opendoor::geometry::Aabb;
use opendoor::level::sketch::Sketch;
use opendoor::level::{LevelSource, Material};
use opendoor::motion::{Body, Scope};

use crate::common::built;

/// Rooms of this size, metres.
const CELL: f64 = 3.0;

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> usize {
        (self.next() % n) as usize
    }

    /// A multiple of a sixteenth, exact in f32.
    fn between(&mut self, least: f64, most: f64) -> f64 {
        let steps = ((most - least) * 16.0) as u64;
        least + self.below(steps + 1) as f64 / 16.0
    }
}

/// Rooms of a grid of 3 x 2 x 3 cells, most joined to their neighbours, with furniture.
fn level(seed: u64) -> LevelSource {
    let mut dice = Dice(seed);
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
    let mut openings: Vec<(usize, usize, usize, Aabb)> = Vec::new();
    for i in 0..18 {
        for (axis, next) in [(0, 1), (1, 3), (2, 6)] {
            if cell(i)[axis] + 1 == counts[axis] || dice.below(4) == 0 {
                continue;
            }
            let mut hole = inside(i);
            hole.min[axis] = hole.max[axis];
            for k in (0..3).filter(|&k| k != axis) {
                let (low, high) = (hole.min[k], hole.max[k]);
                let on_floor = k == 1 && dice.below(2) == 0;
                hole.min[k] = if on_floor {
                    low
                } else {
                    dice.between(low, low + 0.75)
                };
                hole.max[k] = dice.between(high - 1.0, high);
            }
            openings.push((i, i + next, axis, hole));
        }
    }
    for i in 0..18 {
        let of_room = openings.iter().filter(|o| o.0 == i || o.1 == i);
        let holes: Vec<Aabb> = of_room.map(|o| o.3).collect();
        let room = sketch.box_room(&format!("r{i:02}"), inside(i), &holes);
        sketch.source.meshes[room].material = materials[dice.below(4)];
    }
    for i in 0..18 {
        for _ in 0..dice.below(4) {
            let mut outside = inside(i);
            for k in 0..3 {
                let (low, high) = (outside.min[k], outside.max[k]);
                let size = dice.between(0.25, 1.5);
                let at = match dice.below(4) {
                    0 | 1 => low,
                    2 => high - size,
                    _ => dice.between(low, high - 1.5),
                };
                (outside.min[k], outside.max[k]) = (at, at + size);
            }
            let in_the_way = |o: &&(usize, usize, usize, Aabb)| o.3.overlaps(&outside);
            let centre = inside(i).centre();
            let at_spawn = Aabb::around([centre]).grown(0.6).overlaps(&outside);
            if openings.iter().find(in_the_way).is_none() && !at_spawn {
                sketch.furniture(i, materials[dice.below(4)], outside);
            }
        }
    }
    for &(from, to, axis, hole) in &openings {
        let mut out = DVec3::ZERO;
        out[axis] = 1.0;
        if dice.below(2) == 0 {
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

#[test]
fn walks_between_walls_of_no_thickness_are_those_over_the_whole_soup() {
    let count: u64 = std::env::var("SEEDS").map_or(40, |s| s.parse().unwrap());
    let mut differ = Vec::new();
    for seed in 0..count {
        let level = built(level(seed));
        let starts: Vec<Start> = level
            .spawns
            .iter()
            .map(|s| Start::Spawn(s.name.clone()))
            .collect();
        for (i, start) in starts.iter().enumerate() {
            let body = Body {
                radius: [0.35, 0.15, 0.5][i % 3],
                axis: [0.0, 0.0, 0.4][i / 3 % 3],
                ..CHARACTER
            };
            let Ok(mut game) = Game::start(&level, start, body) else {
                continue;
            };
            let mut record = Record::new(&level, &game);
            if record.breach.is_some() {
                continue;
            }
            let mut on_soup = Game::start(&level, start, body).unwrap();
            on_soup.scope = Scope::WholeSoup;
            let [mut wander, mut wander_on_soup] = [Wander::new(seed), Wander::new(seed)];
            for tick in 0..900 {
                let before = game.state;
                let input = wander.next(&level, &mut game);
                game.tick(&level, &input);
                let input = wander_on_soup.next(&level, &mut on_soup);
                on_soup.tick(&level, &input);
                record.add_tick(&level, &game);
                if let Some(breach) = &record.breach {
                    differ.push(format!("{seed} {start:?} {body:?}: {breach}"));
                    break;
                }
                if game.state != on_soup.state {
                    let off = game.state.centre.distance(on_soup.state.centre);
                    differ.push(format!("{seed} {start:?} r {} axis {} tick {tick} off {off:e}\n  before {before:?}\n  {:?}\n  {:?}", body.radius, body.axis, game.state, on_soup.state));
                    break;
                }
            }
        }
    }
    assert!(differ.is_empty(), "{}\n{}", differ.len(), differ.join("\n"));
}
