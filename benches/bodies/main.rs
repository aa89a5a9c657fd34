//! Cost of ticks with many rigid bodies. Prints tables for `docs/bodies.md`: after `--bench`, `pairs`, `bounds`,
//! `sleep`, `balls`, `pyramids`, `heaps` or `cores` selects one table. With the feature `peers` balls, pyramids and
//! heaps are also measured in rapier.

mod bounds;
mod pairs;
#[cfg(feature = "peers")]
mod rapier;
mod scenes;

use std::time::Instant;

use glam::DVec3;
use opendoor::bodies::broad::PairMethod;
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::collision::BroadPhase;
use opendoor::level::{BodyId, Level, Stiffness};
use opendoor::world::World;
use opendoor_benches::table::{self, median, nanoseconds};

/// Number of balls in a furnished room.
const BALLS: u32 = 84;
/// Speed of the balls, m/s.
const SPEED: f64 = 4.0;

/// Measured ticks of a run.
const TICKS: u32 = 60;
/// Ticks before the measurement.
const WARM: u32 = 60;

/// Numbers of substeps to compare, the default first.
const SUBSTEPS: [u32; 2] = [18, 8];

/// Ticks for which a pyramid stands.
const PYRAMID_TICKS: u32 = 180;

/// Ticks in which a heap falls and comes to rest.
const HEAP_TICKS: u32 = 480;

/// Number of alternating runs.
const TURNS: usize = 5;

fn main() {
    // `cargo test --all-targets` also starts benches, without this argument.
    let args: Vec<String> = std::env::args().collect();
    if !args.iter().any(|arg| arg == "--bench") {
        return;
    }
    let sections: [(&str, fn()); 7] = [
        ("pairs", pairs::print),
        ("bounds", bounds::print),
        ("sleep", sleep),
        ("balls", balls),
        ("pyramids", pyramids),
        ("heaps", heaps),
        ("cores", cores),
    ];
    let is_wanted = |name: &str| args.iter().any(|arg| arg == name);
    let all = !sections.iter().any(|(name, _)| is_wanted(name));
    for (name, print) in sections {
        if all || is_wanted(name) {
            print();
        }
    }
}

struct Run<'l> {
    level: &'l Level,
    world: World,
    workspace: BodyWorkspace,
    gravity: DVec3,
}

impl Run<'_> {
    /// Times of `count` ticks, nanoseconds each.
    fn ticks(&mut self, count: u32) -> Vec<f64> {
        let times = (0..count).map(|_| {
            let start = Instant::now();
            let (world, workspace) = (&mut self.world, &mut self.workspace);
            tick_bodies(
                self.level,
                world,
                &mut [],
                BroadPhase::Portals,
                self.gravity,
                workspace,
            );
            start.elapsed().as_nanos() as f64
        });
        times.collect()
    }
}

/// Balls with perfect restitution in closed furnished rooms, with each method of the broad phase.
fn balls() {
    let head = ["balls", "engine", "ns per ball and tick", "hash"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for rooms in [12, 240] {
        let level = scenes::level(scenes::furnished(rooms, BALLS), 1.0);
        let mut runs = PairMethod::ALL.map(|method| Run {
            world: World::of(&level),
            level: &level,
            workspace: BodyWorkspace::new(method),
            gravity: DVec3::ZERO,
        });
        let count = level.bodies.len() as f64;
        for run in &mut runs {
            scenes::throw_all(&mut run.world, SPEED);
            run.ticks(WARM);
        }
        let mut times = vec![Vec::new(); PairMethod::ALL.len()];
        for _ in 0..TURNS {
            for (run, times) in runs.iter_mut().zip(&mut times) {
                times.push(median(run.ticks(TICKS)) / count);
            }
        }
        for ((run, method), times) in runs.iter().zip(PairMethod::ALL).zip(times) {
            lines.push(vec![
                count.to_string(),
                format!("ours, {method:?}").to_lowercase(),
                nanoseconds(median(times)),
                format!("{:016x}", scenes::hash(&run.world)),
            ]);
        }
        #[cfg(feature = "peers")]
        {
            let scene = scenes::furnished(rooms, BALLS);
            let times = rapier::steps(&scene, SPEED, WARM + TICKS);
            let time = median(times[WARM as usize..].to_vec());
            lines.push(vec![
                count.to_string(),
                "rapier".into(),
                nanoseconds(time),
                String::new(),
            ]);
        }
    }
    table::print("Balls at 4 m/s:", &lines);
}

/// Measures balls in many rooms, on one thread and on all cores: first in flight, then falling into heaps, where the
/// solver does most of the work.
fn cores() {
    let head = ["balls", "case", "threads", "us per tick", "hash"];
    let mut lines = vec![head.map(String::from).to_vec()];
    let all = rayon::current_num_threads();
    for (what, bounce, gravity) in [
        ("in flight", 1.0, DVec3::ZERO),
        ("heaps", 0.0, DVec3::NEG_Y * 9.81),
    ] {
        for rooms in [12, 240] {
            let level = scenes::level(scenes::furnished(rooms, BALLS), bounce);
            let mut runs = [1, all].map(|threads| {
                let mut world = World::of(&level);
                scenes::throw_all(&mut world, SPEED);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let run = Run {
                    world,
                    level: &level,
                    workspace: BodyWorkspace::default(),
                    gravity,
                };
                (threads, pool.build().expect("threads start"), run, vec![])
            });
            for (_, pool, run, times) in &mut runs {
                pool.install(|| run.ticks(WARM / 2));
                times.clear();
            }
            for _ in 0..TURNS {
                for (_, pool, run, times) in &mut runs {
                    times.extend(pool.install(|| run.ticks(TICKS / TURNS as u32)));
                }
            }
            for (threads, _, run, times) in runs {
                lines.push(vec![
                    level.bodies.len().to_string(),
                    what.into(),
                    threads.to_string(),
                    format!("{:.0}", median(times) / 1e3),
                    format!("{:016x}", scenes::hash(&run.world)),
                ]);
            }
        }
    }
    table::print("On one thread and on all threads:", &lines);
}

/// Pyramids of boxes that stand and are kept awake.
fn pyramids() {
    let head = [
        "rows",
        "boxes",
        "engine",
        "us per box and tick",
        "moved, mm",
    ];
    let mut lines = vec![head.map(String::from).to_vec()];
    for rows in [20, 100] {
        let count = scenes::pyramid(rows).count();
        let mut line = |what: &str, (times, farthest): (Vec<f64>, f64)| {
            let time = median(times[WARM as usize..].to_vec()) / count as f64 / 1e3;
            lines.push(vec![
                rows.to_string(),
                count.to_string(),
                what.into(),
                format!("{time:.2}"),
                format!("{:.2}", farthest * 1e3),
            ]);
        };
        for substeps in SUBSTEPS {
            line(&ours(substeps), pyramid(rows, Stiffness::new(substeps)));
        }
        #[cfg(feature = "peers")]
        {
            for (what, iterations) in [("rapier", None), ("rapier, 18 substeps", Some(18))] {
                line(what, rapier::pyramid(rows, PYRAMID_TICKS, iterations));
            }
        }
    }
    table::print("Standing pyramids:", &lines);
}

/// The name in tables of our tick with this number of substeps.
fn ours(substeps: u32) -> String {
    format!("ours, {substeps} substeps")
}

/// Nanoseconds of each tick of a standing pyramid whose boxes are awake, and the largest displacement of a box, metres.
fn pyramid(rows: u32, stiffness: Stiffness) -> (Vec<f64>, f64) {
    let level = scenes::pyramid_level(rows, stiffness);
    let mut run = Run {
        world: World::of(&level),
        level: &level,
        workspace: BodyWorkspace::default(),
        gravity: DVec3::NEG_Y * 9.81,
    };
    let places = |world: &World| -> Vec<DVec3> {
        world
            .bodies
            .iter()
            .map(|(_, state)| state.at.point)
            .collect()
    };
    let first = places(&run.world);
    let count = first.len();
    let mut times = Vec::new();
    for now in 0..PYRAMID_TICKS {
        if now % 20 == 0 {
            let state = *run.world.bodies.state(BodyId(0));
            run.world.bodies.set(BodyId(0), state);
        }
        times.extend(run.ticks(1));
    }
    // A box may fall off a soft pyramid, and then fall asleep.
    assert!(run.world.bodies.awake_count() >= count - count / 100);
    let ways = places(&run.world).into_iter().zip(first);
    let farthest = ways
        .map(|(now, first)| now.distance(first))
        .fold(0.0, f64::max);
    (times, farthest)
}

/// Bodies that fall into heaps, from the fall to rest.
fn heaps() {
    let head = [
        "bodies",
        "engine, shapes",
        "total, ms",
        "us per body and tick",
        "worst tick, ms",
        "asleep after, s",
    ];
    let mut lines = vec![head.map(String::from).to_vec()];
    for count in [100, 1000] {
        for kind in scenes::Kind::ALL {
            let mut line = |what: &str, times: &[f64], asleep: Option<u32>| {
                let all = times.iter().sum::<f64>();
                let worst = times.iter().copied().fold(0.0, f64::max);
                let each = all / f64::from(count) / f64::from(HEAP_TICKS) / 1e3;
                lines.push(vec![
                    count.to_string(),
                    format!("{what}, {kind:?}").to_lowercase(),
                    format!("{:.0}", all / 1e6),
                    format!("{each:.2}"),
                    format!("{:.2}", worst / 1e6),
                    asleep.map_or("-".into(), |ticks| {
                        format!("{:.1}", f64::from(ticks) / 60.0)
                    }),
                ]);
            };
            for substeps in SUBSTEPS {
                let (times, asleep) = heap(kind, count, Stiffness::new(substeps));
                line(&ours(substeps), &times, asleep);
            }
            #[cfg(feature = "peers")]
            {
                let (times, asleep) = rapier::heap(kind, count, HEAP_TICKS);
                line("rapier", &times, asleep);
            }
        }
    }
    table::print("Heaps:", &lines);
}

/// Nanoseconds of each tick of a falling heap, and the tick from which all bodies sleep.
fn heap(kind: scenes::Kind, count: u32, stiffness: Stiffness) -> (Vec<f64>, Option<u32>) {
    let level = scenes::heap_level(kind, count, stiffness);
    let mut run = Run {
        world: World::of(&level),
        level: &level,
        workspace: BodyWorkspace::default(),
        gravity: DVec3::NEG_Y * 9.81,
    };
    let mut asleep = None;
    let mut times = Vec::new();
    for now in 0..HEAP_TICKS {
        times.extend(run.ticks(1));
        if asleep.is_none() && run.world.bodies.awake_count() == 0 {
            asleep = Some(now);
        }
    }
    (times, asleep)
}

/// Measures balls that sleep side by side while none, one or a hundred other balls are awake.
fn sleep() {
    let head = ["asleep", "awake", "us per tick"];
    let mut lines = vec![head.map(String::from).to_vec()];
    for count in [1000, 10_000, 100_000] {
        let level = scenes::level(scenes::hall(count), 0.0);
        for awake in [0, 1, 100] {
            let mut run = Run {
                world: World::of(&level),
                level: &level,
                workspace: BodyWorkspace::default(),
                gravity: DVec3::NEG_Y * 9.81,
            };
            while run.world.bodies.awake_count() > 0 {
                run.ticks(1);
            }
            for index in 0..awake {
                let id = BodyId(index * (count / 100).max(1));
                let mut state = *run.world.bodies.state(id);
                state.at.point.y += 5.0;
                run.world.bodies.set(id, state);
            }
            let times = run.ticks(TICKS);
            // No raised ball has fallen back onto the others yet.
            assert_eq!(run.world.bodies.awake_count(), awake as usize);
            let micros = format!("{:.2}", median(times) / 1e3);
            lines.push(vec![count.to_string(), awake.to_string(), micros]);
        }
    }
    table::print("Asleep:", &lines);
}
