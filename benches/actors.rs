//! Many bodies in one level: what does a tick of each cost beside that of one body alone? Prints a table
//! for `docs/benchmarks.md`.

use std::time::Instant;

use opendoor::build::build;
use opendoor::level::Level;
use opendoor::motion::Workspace;
use opendoor::rng::Rng;
use opendoor::world::World;

use opendoor_benches::table::{self, median, nanoseconds, reached};
use opendoor_benches::walk::{LEG, Walker};
use opendoor_benches::{memory, rooms};

/// Bodies of a crowd.
const CROWD: u64 = 10_000;

/// Ticks of a crowd in a run.
const TICKS: u64 = 60;

/// Equal runs, whose median counts.
const RUNS: usize = 5;

fn main() {
    // `cargo test --all-targets` starts benches too, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let head = ["rooms", "one actor", "each of 10,000", "ratio", "at most 2"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for side in [4, 256] {
        let rooms = (side * side).to_string();
        lines.push(match memory::shortage(rooms::needed_gib(side)) {
            None => crowd_beside_one(side, rooms),
            Some(why) => vec![rooms, why],
        });
    }
    table::print("A tick:", &lines);
}

fn crowd_beside_one(side: u32, rooms: String) -> Vec<String> {
    let (level, _) = build(rooms::source(side)).expect("the rooms are a good level");
    let world = World::of(&level);
    let mut one = crowd(&level, &world, side, 1);
    let mut many = crowd(&level, &world, side, CROWD);
    // They take turns, so that what else the machine does hits both alike.
    let runs = (0..RUNS).map(|_| [time(&mut one, CROWD * TICKS), time(&mut many, TICKS)]);
    let runs: Vec<[f64; 2]> = runs.collect();
    let of = |which: usize| nanoseconds(median(runs.iter().map(|run| run[which]).collect()));
    let ratio = median(runs.iter().map(|[one, many]| many / one).collect());
    let ratios = format!("{ratio:.2}");
    vec![rooms, of(0), of(1), ratios, reached(ratio <= 2.0)]
}

/// Bodies in the middle of rooms, any of them.
fn crowd<'a>(level: &'a Level, world: &'a World, side: u32, count: u64) -> Vec<Walker<'a>> {
    let any = |i: u64| (Rng::new(i).bits() % u64::from(side)) as u32;
    let walkers = (0..count).map(|i| Walker::new(level, world, [any(2 * i), any(2 * i + 1)]));
    walkers.collect()
}

/// Nanoseconds of a tick of each body of a crowd that walks on for so many ticks, each its own way.
fn time(crowd: &mut [Walker], ticks: u64) -> f64 {
    let mut workspace = Workspace::default();
    let before = Instant::now();
    for tick in 0..ticks {
        for (i, walker) in (0..).zip(&mut *crowd) {
            walker.tick(&mut workspace, tick + LEG * i);
        }
    }
    1e9 * before.elapsed().as_secs_f64() / (ticks * crowd.len() as u64) as f64
}
