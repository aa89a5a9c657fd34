//! Our tick on its own: does it grow with the level, what do cold caches cost, what is the worst
//! tick of a million, what does the collision data take. `docs/benchmarks.md` has the figures.
//!
//! All are means of the fastest of some equal runs: what else the machine does only adds.

mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use opendoor::level::{Level, OpenLinks, build};
use opendoor::motion::{self, Command, Scope, Scratch, State, World};

use common::rooms;
use common::walk::{BODY, scrambled, wish};

/// Equal runs of which the fastest counts.
const RUNS: usize = 5;

/// Ticks of a walk.
const TICKS: u64 = 100_000;

/// Ticks between two teleports.
const STAY: u64 = 8;

fn main() {
    // `cargo test --all-targets` starts benches too, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    report_building();
    let small = rooms_level(4);
    let large = rooms_level(256);
    report_growth(&small, &large);
    report_cold_caches(&large);
    report_worst_tick(&large);
}

fn rooms_level(side: u32) -> Level {
    let (level, _) = build(rooms::source(side)).expect("the rooms are a good level");
    level
}

/// A body in a level, walking.
struct Walker<'a> {
    world: World<'a>,
    state: State,
    scratch: Scratch,
}

impl<'a> Walker<'a> {
    /// A body that stands in the middle of a room.
    fn new(level: &'a Level, open: &'a OpenLinks, [column, row]: [u32; 2]) -> Self {
        let world = World {
            level,
            open,
            scope: Scope::Portals,
        };
        let mut scratch = Scratch::default();
        let feet = level.from_author(rooms::middle(column, row));
        let state = motion::place(&world, &BODY, feet, true, &mut scratch);
        Self {
            world,
            state: state.expect("the middle of a room is in a room"),
            scratch,
        }
    }

    fn tick(&mut self, tick: u64) {
        let command = Command {
            wish: wish(tick),
            jump: false,
        };
        motion::tick(
            &self.world,
            &BODY,
            &mut self.state,
            &command,
            &mut self.scratch,
        );
    }
}

/// The least time of equal runs, nanoseconds a tick.
fn fastest(mut run: impl FnMut() -> Duration) -> f64 {
    let least = (0..RUNS).map(|_| run()).min().unwrap_or_default();
    1e9 * least.as_secs_f64() / TICKS as f64
}

/// A walk of [`TICKS`] from room to room, in few rooms and in many.
fn report_growth(small: &Level, large: &Level) {
    let [few, many] = [small, large].map(|level| {
        let open = OpenLinks::of(level);
        fastest(|| {
            let mut walker = Walker::new(level, &open, [2, 2]);
            let before = Instant::now();
            for tick in 0..TICKS {
                walker.tick(tick);
            }
            before.elapsed()
        })
    });
    eprintln!(
        "a walk from room to room: {few:.0} ns a tick in {} rooms, {many:.0} in {}, {:.2} times",
        small.rooms.len(),
        large.rooms.len(),
        many / few
    );
}

/// A teleport every [`STAY`] ticks: to one of 16 rooms, and to any of all rooms, whose triangles
/// the processor has to fetch from memory. The tick after the teleport counts, finding the place
/// does not.
fn report_cold_caches(level: &Level) {
    let open = OpenLinks::of(level);
    let places = |side: u32| -> Vec<State> {
        let any = |i: u64| 64 + (scrambled(i) % u64::from(side)) as u32;
        (0..TICKS / STAY)
            .map(|i| Walker::new(level, &open, [any(2 * i), any(2 * i + 1)]).state)
            .collect()
    };
    let mut walker = Walker::new(level, &open, [64, 64]);
    let mut time = |places: &[State]| {
        fastest(|| {
            forget_memory();
            let before = Instant::now();
            for (i, place) in (0..).zip(places) {
                walker.state = *place;
                for tick in STAY * i..STAY * (i + 1) {
                    walker.tick(tick);
                }
            }
            before.elapsed()
        })
    };
    let (warm, cold) = (time(&places(4)), time(&places(192)));
    eprintln!(
        "a teleport every {STAY} ticks in {} rooms: {warm:.0} ns a tick among 16 of them, {cold:.0} among \
         36,864, {:.2} times",
        level.rooms.len(),
        cold / warm
    );
}

/// Fills the processor's caches with something else.
fn forget_memory() {
    let other: Vec<u64> = (0..1 << 27).collect();
    black_box(other.iter().sum::<u64>());
}

/// The distribution of a tick's time in a walk of a million. The walk is the same in every run,
/// so a tick that is slow by itself is slow in all of them.
fn report_worst_tick(level: &Level) {
    const WALK: usize = 1_000_000;
    let open = OpenLinks::of(level);
    let mut least = vec![Duration::MAX; WALK];
    for _ in 0..RUNS {
        let mut walker = Walker::new(level, &open, [64, 64]);
        for (tick, least) in (0..).zip(&mut least) {
            let before = Instant::now();
            walker.tick(tick);
            *least = before.elapsed().min(*least);
        }
    }
    least.sort();
    let at = |part: f64| least[((WALK - 1) as f64 * part) as usize].as_nanos();
    eprintln!(
        "a walk of a million ticks in {} rooms, fastest of {RUNS} runs tick by tick, ns: least {}, median \
         {}, 90 % {}, 99 % {}, 99.9 % {}, 99.99 % {}, worst {}, {:.1} medians",
        level.rooms.len(),
        at(0.0),
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        at(0.9999),
        at(1.0),
        at(1.0) as f64 / at(0.5) as f64
    );
}

/// From what a file says to the room graph and the packed triangles, nothing drawn.
fn report_building() {
    let least = (0..3)
        .map(|_| {
            let source = rooms::source(128);
            let before = Instant::now();
            let level = build(source).expect("the rooms are a good level");
            let elapsed = before.elapsed();
            drop(level);
            elapsed
        })
        .min()
        .unwrap_or_default();
    let level = rooms_level(128);
    let (bytes, triangles) = (level.solids.bytes(), level.solids.len());
    eprintln!(
        "{} rooms, {triangles} triangles: linked and packed in {:.2} s after parsing; the triangles take \
         {:.1} MiB, {:.1} bytes each",
        level.rooms.len(),
        least.as_secs_f64(),
        bytes as f64 / f64::from(1 << 20),
        bytes as f64 / triangles as f64
    );
}
