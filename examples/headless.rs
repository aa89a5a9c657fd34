//! Walks through a level without a window, and queries the surroundings: `cargo run --example headless [LEVEL.glb]`.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;
use std::path::Path;

use opendoor::author::grid_glb;
use opendoor::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let (level, problems) = match std::env::args().nth(1) {
        Some(path) => load(Path::new(&path))?,
        // Six furnished rooms.
        None => load_bytes("rooms", &grid_glb(3, 2))?,
    };
    println!("{}: {} rooms", level.name, level.rooms.len());
    for warning in &problems.warnings {
        println!("warning: {warning}");
    }

    // Run for five seconds while turning.
    let mut game = Game::start(&level, &Start::Default, PLAYER)?;
    let start = game.players[0].actor.state.at;
    let input = Input {
        forward: 1.0,
        run: true,
        ..Input::default()
    };
    for _ in 0..300 {
        game.players[0].look(1.0, 0.0);
        game.tick(&level, &[input]);
        for event in &game.events {
            println!("{:6.2} s: {}", game.tick as f64 * TICK_SECS, event.name());
        }
    }
    let at = game.players[0].actor.state.at;
    let name = |room: RoomId| &level.room(room).name;
    println!(
        "the feet are in {} at {}",
        name(at.room),
        game.players[0].feet(&level)
    );

    // Cast a ray forward.
    let collision = game.collision(&level);
    let eye = game.players[0].eye(&collision, 1.0, &mut Workspace::default());
    let camera = eye.camera(70.0, 16.0 / 9.0);
    let ray = camera.forward() * 100.0;
    match cast_ray(&level, game.world(), camera.at, ray) {
        Some(hit) => {
            let node = hit.solid.node(&level);
            println!(
                "{:.2} m ahead is {node} in {}",
                hit.distance,
                name(hit.at.room)
            );
        }
        None => println!("nothing is ahead"),
    }

    // Find the visible rooms, the nearby rooms, and whether the start is in sight.
    let mut visibility = Visibility::default();
    flood(&level, game.world(), &camera, &mut visibility);
    for seen in &visibility.rooms {
        println!("{} is in view", name(seen.room));
    }
    let mut near = WalkingDistances::default();
    rooms_within(&level, game.world(), at, 8.0, &mut near);
    for found in &near.rooms {
        println!("{} is {:.1} m away", name(found.room), found.metres);
    }
    let mut memory = SightMemory::default();
    let sees = can_see(&level, game.world(), at, start, 50.0, &mut memory);
    println!(
        "the start is {}",
        if sees { "in sight" } else { "out of sight" }
    );
    Ok(())
}
