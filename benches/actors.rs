//! Measures whether a tick of each of many bodies in one level costs more than the tick of a single body. Prints a
//! table for `docs/benchmarks.md`.

use std::time::Instant;

use opendoor::build::build;
use opendoor::level::Level;
use opendoor::motion::Workspace;
use opendoor::rng::Rng;
use opendoor::world::World;

use opendoor_benches::table::{self, median, nanoseconds, reached};
use opendoor_benches::walk::{LEG, Walker};
use opendoor_benches::{memory, rooms};

/// Bodies in a crowd.
const CROWD: u64 = 10_000;

/// Ticks of a crowd in a run.
const TICKS: u64 = 60;

/// Number of equal runs; the median counts.
const RUNS: usize = 5;

fn main() {
    // `cargo test --all-targets` also starts benches, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let head = ["rooms", "one body", "each of 10,000", "ratio", "at most 2"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for side in [4, 256] {
        let rooms = (side * side).to_string();
        lines.push(match memory::shortage(rooms::needed_gib(side)) {
            None => crowd_beside_one(side, rooms),
            Some(why) => vec![rooms, why],
        });
    }
    table::print("Nanoseconds per tick and body:", &lines);
}

fn crowd_beside_one(side: u32, rooms: String) -> Vec<String> {
    let (level, _) = build(rooms::source(side)).expect("the rooms are a good level");
    let world = World::of(&level);
    let mut one = crowd(&level, &world, side, 1);
    let mut many = crowd(&level, &world, side, CROWD);
    // The two alternate, so that other load on the machine affects both equally.
    let runs = (0..RUNS).map(|_| [time(&mut one, CROWD * TICKS), time(&mut many, TICKS)]);
    let runs: Vec<[f64; 2]> = runs.collect();
    let of = |which: usize| nanoseconds(median(runs.iter().map(|run| run[which]).collect()));
    let ratio = median(runs.iter().map(|[one, many]| many / one).collect());
    let ratios = format!("{ratio:.2}");
    vec![rooms, of(0), of(1), ratios, reached(ratio <= 2.0)]
}

/// Bodies in the middle of randomly chosen rooms.
fn crowd<'a>(level: &'a Level, world: &'a World, side: u32, count: u64) -> Vec<Walker<'a>> {
    let any = |i: u64| (Rng::new(i).bits() % u64::from(side)) as u32;
    let walkers = (0..count).map(|i| Walker::new(level, world, [any(2 * i), any(2 * i + 1)]));
    walkers.collect()
}

/// Nanoseconds per tick and body of a crowd that walks for `ticks` ticks, each body in its own directions.
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
