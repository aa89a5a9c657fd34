//! A tick of our character compared with other controllers: same triangles, same body, same walk.
//!
//! A walk has legs. All controllers start each leg at our character's position, so that all walk the same path.
//! Criterion measures every controller by itself; each of its iterations is a walk of a thousand ticks, so its
//! milliseconds are microseconds per tick. The tables at the end, those of `docs/benchmarks.md`, come from alternating
//! walks, so that other load on the machine affects all controllers equally. A first argument selects scenes and
//! controllers: `-- bumpy`, `-- rooms/ours`.

mod casts;
mod controller;
mod exact;
mod judge;
mod rapier;
mod report;
mod scenes;
mod slide;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode};
use opendoor::motion::State;
use opendoor::world::World;
use rapier3d::parry::shape::TriMesh;

use casts::{ParryCast, whole_mesh};
use controller::{Controller, Ours};
use exact::ExactCast;
use judge::{TICKS, judge, legs, walk};
use opendoor_benches::{memory, rooms};
use rapier::Rapier;
use report::{Outcome, Row};
use scenes::Scene;
use slide::Slider;

/// Number of turns of each controller.
const ROUNDS: usize = 15;

/// Minimum time of a turn.
const TURN: Duration = Duration::from_millis(20);

/// Names of the compared controllers, ours first.
pub(crate) const NAMES: [&str; 5] = [
    "ours",
    "bvh-exact",
    "bvh-exact, one-sided",
    "parry-slide",
    "rapier",
];

/// A function that builds a scene.
type Make = fn() -> Scene;

fn main() {
    // `cargo test --all-targets` also starts benches, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .without_plots()
        .configure_from_args();
    let first = std::env::args().nth(1);
    let filter = first.filter(|arg| !arg.starts_with('-'));
    let is_selected = |scene: &str, name: &str| {
        let filter = filter.as_deref().unwrap_or_default();
        format!("{scene}/{name}").contains(filter)
    };
    let scenes: [(&str, f64, Make); 7] = [
        ("empty room", 0.0, scenes::empty_room),
        ("200 boxes", 0.0, scenes::boxes),
        ("staircases", 0.0, scenes::staircases),
        ("bumpy floor", 0.0, scenes::bumpy_floor),
        ("16 furnished rooms", 0.0, || scenes::furnished(4)),
        ("16384 furnished rooms", gib(128), || scenes::furnished(128)),
        ("65536 furnished rooms", gib(256), || scenes::furnished(256)),
    ];
    let mut rows = Vec::new();
    for (name, needed_gib, make) in scenes {
        let selected = NAMES.map(|controller| is_selected(name, controller));
        if !selected.contains(&true) {
            continue;
        }
        rows.push(match memory::shortage(needed_gib) {
            Some(why) => Row::skipped(name, why),
            None => compare(&mut criterion, &make(), selected),
        });
    }
    criterion.final_summary();
    report::print(&rows);
}

/// Memory of the rooms and of their copies for the peers, GiB.
fn gib(side: u32) -> f64 {
    rooms::needed_gib(side) * SPARE
}

/// Factor on the needed memory: a reserve of one half, for the turns of other peers and for other allocators.
const SPARE: f64 = 1.5;

/// Measures and checks the selected controllers in the scene.
fn compare(criterion: &mut Criterion, scene: &Scene, selected: [bool; NAMES.len()]) -> Row {
    let world = World::of(&scene.level);
    let mesh = whole_mesh(scene);
    let mut ours = Ours::new(&scene.level, &world, scene.feet);
    let legs = legs(&mut ours);
    let mut controllers: Vec<_> = (0..NAMES.len())
        .filter(|&index| selected[index])
        .map(|index| (index, make(index, scene, &world, &mesh)))
        .collect();
    let mut group = criterion.benchmark_group(&scene.name);
    group.sampling_mode(SamplingMode::Flat);
    for (index, controller) in &mut controllers {
        group.bench_function(NAMES[*index], |bencher| {
            bencher.iter(|| once(controller.as_mut(), &legs));
        });
    }
    group.finish();
    let mut times = vec![Vec::new(); controllers.len()];
    for _ in 0..ROUNDS {
        for ((_, controller), times) in controllers.iter_mut().zip(&mut times) {
            times.push(turn(controller.as_mut(), &legs));
        }
    }
    let mut outcomes = [const { None }; NAMES.len()];
    for ((index, controller), times) in controllers.iter_mut().zip(times) {
        outcomes[*index] = Some(Outcome {
            times,
            verdict: judge(scene, &legs, controller.as_mut()),
        });
    }
    let triangles = scene.level.rooms.iter().map(|room| room.solids.len()).sum();
    Row::measured(&scene.name, triangles, outcomes)
}

/// The controller with this index in [`NAMES`].
fn make<'a>(
    index: usize,
    scene: &'a Scene,
    world: &'a World,
    mesh: &'a TriMesh,
) -> Box<dyn Controller + 'a> {
    match index {
        0 => Box::new(Ours::new(&scene.level, world, scene.feet)),
        1 => Box::new(Slider::new(ExactCast::<false>(mesh))),
        2 => Box::new(Slider::new(ExactCast::<true>(mesh))),
        3 => Box::new(Slider::new(ParryCast(mesh))),
        _ => Box::new(Rapier::new(scene)),
    }
}

/// Walks once.
fn once(controller: &mut dyn Controller, legs: &[State]) {
    walk(controller, legs, |_, after| {
        black_box(after);
    });
}

/// Walks for at least [`TURN`]; returns nanoseconds per tick.
fn turn(controller: &mut dyn Controller, legs: &[State]) -> f64 {
    let before = Instant::now();
    let mut walks = 0;
    while before.elapsed() < TURN {
        once(controller, legs);
        walks += 1;
    }
    1e9 * before.elapsed().as_secs_f64() / (walks * TICKS) as f64
}
