//! Millions of ticks of random walks. Each walk is checked against the polygons and compared with the same walk in the
//! broad phase `Exhaustive`: `cargo bench -p opendoor-benches --bench soak -- --ticks 10000000`.
//!
//! Prints a row per level. Stops at the first walk with a violation, and prints the command that reproduces it.
#![expect(clippy::print_stdout, reason = "a table for people")]

#[path = "../tests/sim/door_levels.rs"]
mod door_levels;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use door_levels::{Row, doorways, row_of_rooms, row_of_vestibules};
use opendoor::author::grid_glb;
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::game::{CHARACTER, Game, PLAYER, Start};
use opendoor::level::Level;
use opendoor::load::{load, load_bytes};
use opendoor::motion::{Body, StepSettings, TICK_SECS};
use opendoor::source::LevelSource;
use opendoor::testing::{Monitor, RandomPlayer};

#[derive(Parser)]
struct Args {
    /// Levels: files, or names of levels made in code. By default the levels of `levels/`, two generated grids and
    /// levels full of doors.
    levels: Vec<PathBuf>,
    /// Total number of ticks, divided evenly among levels and seeds.
    #[arg(long, default_value_t = 200_000)]
    ticks: u64,
    /// Walks per level.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Whether to continue after a failure.
    #[arg(long)]
    all: bool,
    /// Passed by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A level, and how a command line loads it.
struct Subject {
    level: Level,
    /// The argument of `opendoor sim`; `None` for a level that is made in code and has no file.
    file: Option<String>,
    /// A command that generates the level's file first; empty if none is needed.
    generate: String,
}

/// Options of `opendoor sim` that select the body. Seeds use them in turn.
const BODIES: [&str; 9] = [
    "--body sphere:0.35",
    "--body sphere:0.1",
    "--body sphere:0.6",
    "--body sphere:0.35 --step-height 0.4 --snap 0.4 --slope-limit 50",
    "--body sphere:0.15 --step-height 0.2 --snap 0.3 --slope-limit 40",
    "--body player",
    "--body capsule:0.25,1.2",
    "--body capsule:0.6,1.9 --step-height 0.5 --snap 0.2",
    "--body capsule:0.3,1.7 --step-height 0.4 --snap 0.4 --slope-limit 50 --max-drop 0.5",
];

/// The body that these options select.
fn body(options: &str) -> Body {
    if options == "--body player" {
        return PLAYER;
    }
    let after = |name: &str| {
        let at = options.find(name)? + name.len();
        options[at..].split_whitespace().next()
    };
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let shape = after("sphere:").or(after("capsule:")).expect("a body");
    let (radius, height) = shape.split_once(',').unwrap_or((shape, "0"));
    let radius = number(radius);
    let segment_length = (number(height) - 2.0 * radius).max(0.0);
    let slope = after("--slope-limit ").map(number);
    let step_settings = StepSettings {
        step_height: after("--step-height ").map_or(0.0, number),
        snap: after("--snap ").map_or(0.0, number),
        max_slope_cos: slope.map_or(0.0, |limit| libm::cos(limit.to_radians())),
        max_drop: after("--max-drop ").map_or(f64::INFINITY, number),
    };
    Body {
        radius,
        segment_length,
        step_settings,
        ..CHARACTER
    }
}

/// Totals of several walks.
struct Sum {
    walks: u64,
    ticks: u64,
    min_gap: f64,
    /// Time spent in `Game::tick`, without the monitor.
    spent: Duration,
    failures: Vec<String>,
}

impl Sum {
    const NONE: Self = Self {
        walks: 0,
        ticks: 0,
        min_gap: f64::INFINITY,
        spent: Duration::ZERO,
        failures: Vec::new(),
    };

    fn and(mut self, other: Self) -> Self {
        self.walks += other.walks;
        self.ticks += other.ticks;
        self.min_gap = self.min_gap.min(other.min_gap);
        self.spent += other.spent;
        self.failures.extend(other.failures);
        self
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let subjects = subjects(&args.levels);
    let mut failed = false;
    let ticks = (args.ticks / subjects.len() as u64 / args.seeds).max(1);
    println!("level                        seeds      ticks    least gap  ns/tick  failures");
    for subject in &subjects {
        let sum = soak(subject, &args, ticks);
        println!(
            "{:<26} {:>7} {:>10} {:>12.9} {:>8.0} {:>9}",
            subject.level.name,
            sum.walks,
            sum.ticks,
            sum.min_gap,
            sum.spent.as_nanos() as f64 / sum.ticks.max(1) as f64,
            sum.failures.len()
        );
        for failure in &sum.failures {
            println!("{failure}");
        }
        if !sum.failures.is_empty() && !args.all {
            return ExitCode::FAILURE;
        }
        failed |= !sum.failures.is_empty();
    }
    ExitCode::from(u8::from(failed))
}

fn subjects(files: &[PathBuf]) -> Vec<Subject> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../levels");
    let files = if files.is_empty() {
        let entries = std::fs::read_dir(&ours).expect("run from the folder of Cargo.toml");
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some_and(|e| e == "glb"));
        files.sort();
        files
    } else {
        files.to_vec()
    };
    let (made, files): (Vec<&PathBuf>, Vec<&PathBuf>) = files
        .iter()
        .partition(|name| made_here(&name.display().to_string()).is_some());
    let mut subjects: Vec<Subject> = files
        .iter()
        .map(|path| Subject {
            level: load(path).unwrap_or_else(|problems| panic!("{problems}")).0,
            file: Some(path.display().to_string()),
            generate: String::new(),
        })
        .collect();
    let names = made.iter().map(|name| name.display().to_string());
    subjects.extend(names.filter_map(|name| made_here(&name)));
    if made.is_empty() && files.iter().all(|file| file.starts_with(&ours)) {
        subjects.extend([(2, 3), (6, 6)].map(|(n, m)| grid(n, m)));
        subjects.extend(MADE_HERE.into_iter().filter_map(made_here));
    }
    subjects
}

/// Names of the levels that are made in code.
const MADE_HERE: [&str; 3] = ["doors", "hatches", "vestibules"];

/// The level of this name, if it is made in code.
fn made_here(name: &str) -> Option<Subject> {
    let source = match name {
        "doors" => row_of_rooms(Row::Level, &doorways()),
        "hatches" => row_of_rooms(Row::Upright, &doorways()),
        "vestibules" => row_of_vestibules(Row::Level, &[0.001, 0.04, 0.2, 0.4, 0.45, 0.6, 1.0]),
        _ => return None,
    };
    let name = name.to_owned();
    let (level, _) = build(LevelSource { name, ..source }).expect("a level made here is good");
    Some(Subject {
        level,
        file: None,
        generate: String::new(),
    })
}

fn grid(n: u32, m: u32) -> Subject {
    let file = format!("grid_{n}x{m}.glb");
    let loaded = load_bytes(&file, &grid_glb(n, m));
    Subject {
        level: loaded.expect("a generated level is good").0,
        generate: format!("opendoor generate grid {n} {m} -o {file} && "),
        file: Some(file),
    }
}

/// Runs all walks of a level, on all cores.
fn soak(subject: &Subject, args: &Args, ticks: u64) -> Sum {
    let starts = RandomPlayer::starts(&subject.level);
    let (next, stop) = (AtomicU64::new(args.from), AtomicBool::new(false));
    let worker = || {
        let mut sum = Sum::NONE;
        while !stop.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed - args.from >= args.seeds {
                break;
            }
            let walk = walk(subject, &starts, seed, ticks);
            stop.fetch_or(!walk.failures.is_empty() && !args.all, Ordering::Relaxed);
            sum = sum.and(walk);
        }
        sum
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let sums = workers.into_iter().map(|w| w.join().expect("no panic"));
        sums.fold(Sum::NONE, Sum::and)
    })
}

fn walk(subject: &Subject, starts: &[Start], seed: u64, ticks: u64) -> Sum {
    let level = &subject.level;
    let options = BODIES[seed as usize % BODIES.len()];
    let Some((start, mut game, mut monitor)) = first_that_fits(level, starts, body(options), seed)
    else {
        return Sum::NONE;
    };
    // Uses `body(options)`, not the body of `game`: a game starts crouched where the body does not fit upright.
    let mut on_soup = Game::start(level, start, body(options)).expect("the same start");
    on_soup.broad_phase = BroadPhase::Exhaustive;
    let [mut wander, mut wander_on_soup] = [RandomPlayer::new(seed), RandomPlayer::new(seed)];
    let mut sum = Sum {
        walks: 1,
        ..Sum::NONE
    };
    let mut problem = None;
    while problem.is_none() && game.tick < ticks {
        let input = wander.next(level, &mut game, 0);
        let before = Instant::now();
        game.tick(level, &[input]);
        sum.spent += before.elapsed();
        monitor.add_tick(level, &game);
        let input = wander_on_soup.next(level, &mut on_soup, 0);
        on_soup.tick(level, &[input]);
        problem = match &monitor.violation {
            Some(violation) => Some(violation.to_string()),
            None if game.players[0].actor.state != on_soup.players[0].actor.state => Some(format!(
                "tick {}: with --whole-soup the body goes another way: {:?}, {:?}",
                game.tick, game.players[0].actor.state, on_soup.players[0].actor.state
            )),
            None => None,
        };
    }
    sum.ticks = game.tick;
    sum.min_gap = monitor.min_gap;
    sum.failures.extend(problem.map(|problem| {
        let start = match start {
            Start::Default => String::new(),
            Start::Spawn(name) => format!(" --spawn '{name}'"),
            Start::Feet(at) => format!(" --at={},{},{}", at.0.x, at.0.y, at.0.z),
        };
        let Some(file) = &subject.file else {
            let name = &level.name;
            return format!(
                "{problem}\n    cargo bench -p opendoor-benches --bench soak -- {name} --from {seed} --seeds 1 --ticks \
                 {}\n    from{start}, {options}",
                game.tick
            );
        };
        let secs = game.tick as f64 * TICK_SECS;
        format!(
            "{problem}\n    {}opendoor sim {file} --wander {seed}{start} {options} --seconds \
             {secs:.3} --trace soak.csv",
            subject.generate,
        )
    }));
    sum
}

/// Seeds use the starts in turn, and skip those where the body does not fit. Returns `None` if the body fits nowhere.
fn first_that_fits<'a>(
    level: &Level,
    starts: &'a [Start],
    body: Body,
    seed: u64,
) -> Option<(&'a Start, Game, Monitor)> {
    let first = (seed as usize / BODIES.len()) % starts.len();
    let in_turn = starts.iter().cycle().skip(first).take(starts.len());
    let mut fitting = in_turn.filter_map(|start| {
        let game = Game::start(level, start, body).ok()?;
        let monitor = Monitor::new(level, &game, 0);
        monitor
            .violation
            .is_none()
            .then_some((start, game, monitor))
    });
    fitting.next()
}
