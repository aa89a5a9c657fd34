//! Our tick alone: its growth with the size of the level, the cost of cold caches, the worst tick of a million and the
//! memory of the collision data. Prints a table for `docs/benchmarks.md`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use opendoor::build::build;
use opendoor::level::Level;
use opendoor::motion::{State, Workspace};
use opendoor::rng::Rng;
use opendoor::world::World;

use opendoor_benches::table::{self, median, nanoseconds, reached};
use opendoor_benches::walk::{LEG, Walker};
use opendoor_benches::{memory, rooms};

/// Number of equal runs; the median counts.
const RUNS: usize = 5;

/// Ticks of a run.
const TICKS: u64 = 100_000;

/// Ticks between two teleports that keep caches cold.
const STAY: u64 = 8;

fn main() {
    // `cargo test --all-targets` also starts benches, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let head = ["quantity", "measured", "goal", "reached"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for (side, report) in [
        (128, report_building as fn(&mut Vec<Vec<String>>)),
        (256, report_ticks),
    ] {
        match memory::shortage(rooms::needed_gib(side)) {
            None => report(&mut lines),
            Some(why) => lines.push(line(&format!("{} rooms", side * side), &why, None)),
        }
    }
    table::print("Our tick alone:", &lines);
}

/// A row of the table. `goal` is the text of a goal, and whether the goal is reached.
fn line(what: &str, measured: &str, goal: Option<(&str, bool)>) -> Vec<String> {
    let (goal, is_reached) = goal.map_or(("", String::new()), |(g, is)| (g, reached(is)));
    vec![what.into(), measured.into(), goal.into(), is_reached]
}

/// Measures linking and packing: from the parsed file to the room graph and the packed triangles, without drawing.
fn report_building(lines: &mut Vec<Vec<String>>) {
    let mut built = None;
    let times = (0..3).map(|_| {
        // Drops the previous level first: two levels at once would take too much memory.
        built = None;
        let source = rooms::source(128);
        let before = Instant::now();
        let (level, _) = build(source).expect("the rooms are a good level");
        built = Some(level);
        before.elapsed().as_secs_f64()
    });
    let secs = median(times.collect());
    let Some(level) = built else { return };
    let (bytes, triangles) = (level.solids.bytes() as f64, level.solids.len());
    let (mebibytes, each) = (bytes / f64::from(1 << 20), bytes / triangles as f64);
    lines.push(line(
        "16,384 furnished rooms, linked and packed after parsing",
        &format!("{secs:.2} s"),
        Some(("under 1 s", secs < 1.0)),
    ));
    lines.push(line(
        &format!("the {triangles} triangles of these rooms in memory, {each:.1} bytes each"),
        &format!("{mebibytes:.1} MiB"),
        Some(("59 MiB", mebibytes <= 59.0)),
    ));
}

/// Measures ticks that depend on the number of rooms.
fn report_ticks(lines: &mut Vec<Vec<String>>) {
    let [small, large] = [4, 256].map(|side| {
        let (level, _) = build(rooms::source(side)).expect("the rooms are a good level");
        level
    });
    let [few, many] = [&small, &large].map(World::of);
    let legs = [
        Legs::new(&small, &few, 1..3, LEG),
        Legs::new(&large, &many, 1..3, LEG),
        Legs::new(&large, &many, 1..3, STAY),
        Legs::new(&large, &many, 0..256, STAY),
    ];
    // The variants alternate, so that other load on the machine affects all equally.
    let runs: Vec<[f64; 4]> = (0..RUNS).map(|_| legs.each_ref().map(Legs::time)).collect();
    let time = |which: usize| nanoseconds(median(runs.iter().map(|run| run[which]).collect()));
    let ratio =
        |over: usize, under: usize| median(runs.iter().map(|run| run[over] / run[under]).collect());
    let growth = ratio(1, 0);
    let cold = ratio(3, 1);
    lines.push(line(
        "a tick in a level of 16 rooms",
        &format!("{} ns", time(0)),
        None,
    ));
    lines.push(line(
        "the same walks in a level of 65,536 rooms",
        &format!("{} ns, {growth:.2} times", time(1)),
        Some(("under 1.15 times", growth < 1.15)),
    ));
    lines.push(line(
        "there, with a teleport every 8 ticks within the same rooms, caches warm",
        &format!("{} ns, {:.2} times", time(2), ratio(2, 1)),
        None,
    ));
    lines.push(line(
        "there, with a teleport every 8 ticks among all rooms, caches cold",
        &format!("{} ns, {cold:.2} times", time(3)),
        Some(("1.5 times", cold <= 1.5)),
    ));
    report_worst_tick(&large, &many, lines);
}

/// Walks of `stay` ticks, each from another position in some of the rooms.
struct Legs<'a> {
    level: &'a Level,
    world: &'a World,
    places: Vec<State>,
    stay: u64,
}

impl<'a> Legs<'a> {
    /// Chooses random rooms of these columns and rows. A start is a position that a walk from the middle of a room
    /// reaches within less than a leg, so starts lie near walls, furniture and doors as often as ordinary positions of
    /// a walk do.
    fn new(level: &'a Level, world: &'a World, rooms: std::ops::Range<u32>, stay: u64) -> Self {
        let side = u64::from(rooms.end - rooms.start);
        let any = |i: u64| rooms.start + (Rng::new(i).bits() % side) as u32;
        let places = (0..TICKS / stay)
            .map(|i| {
                let mut walker = Walker::new(level, world, [any(2 * i), any(2 * i + 1)]);
                let mut workspace = Workspace::default();
                let leg = Rng::new(i).bits() >> 32;
                for tick in 0..leg % LEG {
                    walker.tick(&mut workspace, leg * LEG + tick);
                }
                walker.actor.state
            })
            .collect();
        Self {
            level,
            world,
            places,
            stay,
        }
    }

    /// Nanoseconds per tick. Placing the body after a teleport is not measured; the tick after it is.
    fn time(&self) -> f64 {
        let mut walker = Walker::new(self.level, self.world, [1, 1]);
        let mut workspace = Workspace::default();
        forget_memory();
        let before = Instant::now();
        for (i, place) in (0..).zip(&self.places) {
            walker.actor.state = *place;
            for tick in self.stay * i..self.stay * (i + 1) {
                walker.tick(&mut workspace, tick);
            }
        }
        let ticks = self.places.len() as u64 * self.stay;
        1e9 * before.elapsed().as_secs_f64() / ticks as f64
    }
}

/// Fills the processor's caches with other data.
fn forget_memory() {
    let other: Vec<u64> = (0..1 << 27).collect();
    black_box(other.iter().sum::<u64>());
}

/// Measures the distribution of the times of a million ticks. The walk is the same in every run, so a tick that is
/// inherently slow is slow in all runs: the minimum over the runs counts.
fn report_worst_tick(level: &Level, world: &World, lines: &mut Vec<Vec<String>>) {
    const WALK: usize = 1_000_000;
    let mut least = vec![Duration::MAX; WALK];
    let mut worst_of_all = Duration::ZERO;
    for _ in 0..RUNS {
        let mut walker = Walker::new(level, world, [64, 64]);
        let mut workspace = Workspace::default();
        for (tick, least) in (0..).zip(&mut least) {
            let before = Instant::now();
            walker.tick(&mut workspace, tick);
            let time = before.elapsed();
            *least = time.min(*least);
            worst_of_all = worst_of_all.max(time);
        }
    }
    least.sort();
    let at = |part: f64| least[((WALK - 1) as f64 * part) as usize].as_nanos() as f64;
    for (part, what) in [
        (0.5, "the median tick of a walk of a million ticks"),
        (0.99, "the 99th percentile of this walk"),
        (0.9999, "the 99.99th percentile of this walk"),
    ] {
        lines.push(line(what, &format!("{} ns", nanoseconds(at(part))), None));
    }
    let ratio = at(1.0) / at(0.5);
    lines.push(line(
        "the worst tick of this walk, with the minimum of 5 equal walks for each tick",
        &format!("{} ns, {ratio:.1} times the median", nanoseconds(at(1.0))),
        Some(("under 20 times the median", ratio < 20.0)),
    ));
    lines.push(line(
        "the worst tick of all 5 walks, including interruptions by other processes",
        &format!("{} ns", nanoseconds(worst_of_all.as_nanos() as f64)),
        None,
    ));
}
