//! A level made in code: two rooms whose doorway bends space. What leaves one to the east enters the
//! other to the south. `cargo run --example level_in_code`.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use opendoor::geometry::Rigid;
use opendoor::glam::{DMat3, DVec3};
use opendoor::level::sketch::{Sketch, cuboid};
use opendoor::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut sketch = Sketch::new("bent");
    // Openings are cut out of the walls where a flat box lies in them.
    let east = cuboid([4.0, 0.0, -1.0], [4.0, 2.5, 1.0]);
    let north = cuboid([99.0, 0.0, -4.0], [101.0, 2.5, -4.0]);
    let here = sketch.box_room("here", cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 4.0]), &[east]);
    let there = cuboid([96.0, 0.0, -4.0], [104.0, 3.0, 4.0]);
    let there = sketch.box_room("there", there, &[north]);
    sketch.furniture(there, 0, cuboid([99.0, 0.0, 2.0], [101.0, 1.0, 3.0]));
    sketch.lamp(here, DVec3::new(0.0, 2.5, 0.0), 100.0);
    sketch.portal(here, "there", east, DVec3::X);
    sketch.spawn(here, DVec3::ZERO, DVec3::X);
    // East of the first room is south in the second; the openings fall together.
    let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X);
    let moved = DVec3::new(100.0, 0.0, -4.0) - turn * DVec3::new(4.0, 0.0, 0.0);
    sketch.source.portals[0].far_from_near = Rigid::new(turn, moved);
    let (level, problems) = build(sketch.source)?;
    for warning in &problems.warnings {
        println!("warning: {warning}");
    }

    let mut game = Game::new(&level)?;
    let input = Input {
        forward: 1.0,
        ..Input::default()
    };
    for tick in 0..180 {
        game.tick(&level, &input);
        if tick % 30 == 29 {
            let room = &level.room(game.player.actor.state.at.room).name;
            println!(
                "in {room}, feet at {}, yaw {:.0}",
                game.player.feet(&level),
                game.player.yaw
            );
        }
    }
    let ended = &level.room(game.player.actor.state.at.room).name;
    assert_eq!(ended, "there", "the doorway leads into the other room");
    Ok(())
}
