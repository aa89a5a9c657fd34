//! What ticks of many rigid bodies cost. Prints tables for `docs/bodies.md`.

mod scenes;

use std::time::Instant;

use glam::DVec3;
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::collision::BroadPhase;
use opendoor::level::Level;
use opendoor::world::World;
use opendoor_benches::table::{self, median};

fn main() {
    // `cargo test --all-targets` starts benches too, without this argument.
    let args: Vec<String> = std::env::args().collect();
    if !args.iter().any(|arg| arg == "--bench") {
        return;
    }
    let wanted = |name: &str| args.iter().any(|arg| arg == name);
    let mut lines = vec![["scene", "ns", "hash"].map(String::from).to_vec()];
    if wanted("small") {
        lines.push(balls(12, 20));
    }
    if wanted("balls") {
        lines.push(balls(12, 300));
        lines.push(balls(240, 60));
    }
    if wanted("sleep") {
        lines.push(sleeping(100_000));
    }
    table::print("Ticks:", &lines);
}

struct Run<'l> {
    level: &'l Level,
    world: World,
    workspace: BodyWorkspace,
    gravity: DVec3,
}

impl Run<'_> {
    fn tick(&mut self) {
        tick_bodies(
            self.level,
            &mut self.world,
            &mut [],
            BroadPhase::Portals,
            self.gravity,
            &mut self.workspace,
        );
    }
}

fn balls(rooms: u32, ticks: u32) -> Vec<String> {
    let level = scenes::level(scenes::furnished(rooms, 84), 1.0);
    let mut run = Run {
        world: World::of(&level),
        level: &level,
        workspace: BodyWorkspace::default(),
        gravity: DVec3::ZERO,
    };
    scenes::throw_all(&mut run.world, 4.0);
    let count = run.world.bodies.len() as f64;
    let times = (0..ticks).map(|_| {
        let start = Instant::now();
        run.tick();
        start.elapsed().as_nanos() as f64 / count
    });
    let time = median(times.collect());
    vec![
        format!("{count} balls in {rooms} rooms"),
        format!("{time:.0}"),
        format!("{:016x}", scenes::hash(&run.world)),
    ]
}

fn sleeping(count: u32) -> Vec<String> {
    let level = scenes::level(scenes::hall(count), 0.0);
    let mut run = Run {
        world: World::of(&level),
        level: &level,
        workspace: BodyWorkspace::default(),
        gravity: DVec3::NEG_Y * 9.81,
    };
    while run.world.bodies.awake_count() > 0 {
        run.tick();
    }
    let mut state = *run.world.bodies.state(opendoor::level::BodyId(7));
    state.at.point.y += 5.0;
    run.world.bodies.set(opendoor::level::BodyId(7), state);
    let times = (0..50).map(|_| {
        let start = Instant::now();
        run.tick();
        start.elapsed().as_nanos() as f64
    });
    let time = median(times.collect());
    vec![
        format!("{count} balls asleep, one awake"),
        format!("{time:.0}"),
        format!("{:016x}", scenes::hash(&run.world)),
    ]
}
