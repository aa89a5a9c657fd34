//! A thousand actors in one world, on all cores, with the same result as on one core: `cargo run --release --example
//! crowd`.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;
use std::thread;
use std::time::Instant;

use opendoor::author::grid_glb;
use opendoor::glam::DVec3;
use opendoor::prelude::*;

const ACTORS: usize = 1000;
const TICKS: u64 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let (level, _) = load_bytes("rooms", &grid_glb(8, 8))?;
    let world = World::of(&level);
    let collision = CollisionWorld::new(&level, &world);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut results = Vec::new();
    for threads in [1, cores.max(2)] {
        let mut actors = crowd(&collision);
        let before = Instant::now();
        let share = actors.len().div_ceil(threads);
        thread::scope(|scope| {
            for (part, actors) in actors.chunks_mut(share).enumerate() {
                scope.spawn(move || walk(&collision, part * share, actors));
            }
        });
        let nanoseconds = before.elapsed().as_secs_f64() * 1e9;
        println!(
            "{} actors on {threads} threads: {:.0} ns a tick of each",
            actors.len(),
            nanoseconds / (actors.len() as f64 * TICKS as f64)
        );
        results.push(actors.iter().map(|actor| actor.state).collect::<Vec<_>>());
    }
    assert_eq!(results[0], results[1], "the same on any number of threads");
    Ok(())
}

/// Players in the rooms of a level, the same number in each.
fn crowd(collision: &CollisionWorld) -> Vec<Actor> {
    let mut workspace = Workspace::default();
    let rooms: Vec<RoomId> = collision.level.room_ids().collect();
    let places = (0..ACTORS).filter_map(|i| {
        let room = rooms[i % rooms.len()];
        let bounds = &collision.level.room(room).bounds;
        // The bodies may overlap each other: they collide with the level alone.
        let feet = bounds.centre().with_y(bounds.min.y + 0.2);
        let state = motion::place(collision, &PLAYER, Some(room), feet, true, &mut workspace)?;
        Some(Actor::new(PLAYER, state))
    });
    let actors: Vec<Actor> = places.collect();
    assert_eq!(actors.len(), ACTORS, "each finds a place");
    actors
}

/// Walks each actor in its own directions, which change every second.
fn walk(collision: &CollisionWorld, first: usize, actors: &mut [Actor]) {
    let mut workspace = Workspace::default();
    for tick in 0..TICKS {
        for (i, actor) in actors.iter_mut().enumerate() {
            let turns = 0.618 * ((first + i) as f64 + 7.0 * (tick / 60) as f64);
            let angle = turns.fract() * std::f64::consts::TAU;
            let command = motion::MoveCommand {
                wish: DVec3::new(angle.cos(), 0.0, angle.sin()) * 4.0,
                jump: false,
            };
            motion::tick(collision, actor, &mut workspace, &command);
        }
    }
}
