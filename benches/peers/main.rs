//! A tick of our character beside a tick of others: same triangles, same start, same wishes.
//!
//! Each iteration is a walk of a thousand ticks, so that criterion's milliseconds are
//! microseconds a tick. A table of all of them, with how far each walked and how deep it got
//! into something solid, goes to stderr at the end. `docs/benchmarks.md` has the figures.
//! It takes 5 GiB of memory.

mod casts;
#[path = "../common/mod.rs"]
mod common;
mod controller;
mod exact;
mod judge;
mod rapier;
mod scenes;
mod slide;

use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode};
use opendoor::level::OpenLinks;

use casts::{ParryCast, whole_mesh};
use common::walk::wish;
use controller::{Controller, Ours};
use exact::ExactCast;
use judge::{Verdict, judge};
use rapier::Rapier;
use scenes::Scene;
use slide::Slider;

/// Ticks of a walk.
const TICKS: u64 = 1000;

/// A cell of the table.
struct Outcome {
    controller: &'static str,
    /// Time of a tick in the fastest walk, nanoseconds: what else the machine does only adds.
    nanoseconds: f64,
    verdict: Verdict,
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(15)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .without_plots()
        .configure_from_args();
    let makers: [fn() -> Scene; 7] = [
        scenes::empty_room,
        scenes::boxes,
        scenes::staircases,
        scenes::bumpy_floor,
        || scenes::furnished(4),
        || scenes::furnished(128),
        || scenes::furnished(256),
    ];
    let mut table = Vec::new();
    for make in makers {
        let scene = make();
        let triangles = scene
            .level
            .rooms
            .iter()
            .map(|r| r.solids.len())
            .sum::<usize>();
        let row = format!("{} ({triangles})", scene.name);
        table.push((row, compare(&mut criterion, &scene)));
    }
    criterion.final_summary();
    print_table(&table);
}

/// Times and judges every controller in the scene, one after another.
fn compare(criterion: &mut Criterion, scene: &Scene) -> Vec<Outcome> {
    let open = OpenLinks::of(&scene.level);
    let mesh = whole_mesh(scene);
    eprintln!(
        "{}: ours {:.1} MiB, parry's {:.1} MiB",
        scene.name,
        mebibytes(scene.level.solids.bytes()),
        mebibytes(mesh.total_memory_size()),
    );
    let mut ours = Ours::new(&scene.level, &open, scene.feet);
    let start = ours.centre();
    let mut controllers: [(&'static str, &mut dyn Controller); 4] = [
        ("ours", &mut ours),
        ("bvh-exact", &mut Slider::new(ExactCast(&mesh))),
        ("parry-slide", &mut Slider::new(ParryCast(&mesh))),
        ("rapier", &mut Rapier::new(scene)),
    ];
    let mut group = criterion.benchmark_group(&scene.name);
    group.sampling_mode(SamplingMode::Flat);
    let mut outcomes = Vec::new();
    for (name, controller) in &mut controllers {
        let mut fastest = Duration::MAX;
        group.bench_function(*name, |bencher| {
            bencher.iter_custom(|walks| {
                let times = (0..walks).map(|_| {
                    let before = Instant::now();
                    controller.restart(start);
                    for tick in 0..TICKS {
                        controller.tick(wish(tick));
                    }
                    before.elapsed()
                });
                let mut total = Duration::ZERO;
                for time in times {
                    fastest = fastest.min(time);
                    total += time;
                }
                total
            });
        });
        // A filter may have left it out.
        if fastest < Duration::MAX {
            outcomes.push(Outcome {
                controller: name,
                nanoseconds: 1e9 * fastest.as_secs_f64() / TICKS as f64,
                verdict: judge(scene, start, TICKS, *controller),
            });
        }
    }
    group.finish();
    outcomes
}

fn mebibytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Nanoseconds a tick, length of the walk, greatest penetration.
fn print_table(table: &[(String, Vec<Outcome>)]) {
    for (row, outcomes) in table {
        eprintln!("{row}");
        for Outcome {
            controller,
            nanoseconds,
            verdict,
        } in outcomes
        {
            let fell = if verdict.fell_out { ", FELL OUT" } else { "" };
            eprintln!(
                "    {controller:12} {nanoseconds:9.0} ns a tick, walked {:5.1} m, deepest {:+8.4} mm{fell}",
                verdict.path,
                1e3 * verdict.deepest,
            );
        }
    }
}
