//! A level made in code: two rooms whose doorway bends space. A body that walks east out of the first room walks south
//! into the second. `cargo run --example level_in_code`.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use opendoor::author::builder::{BuilderShape, LevelBuilder, Opening, RoomMaterials};
use opendoor::geometry::Rigid;
use opendoor::glam::{DMat3, DVec3};
use opendoor::level::Material;
use opendoor::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = LevelBuilder::new("bent");
    let plaster = builder.material(Material::default());
    let surfaces = RoomMaterials::all(plaster);
    let cuboid = |min: [f64; 3], max: [f64; 3]| BuilderShape::cuboid(min.into(), max.into());
    let here = cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 4.0]);
    let here = builder.room("here", &here, surfaces)?;
    let there = cuboid([96.0, 0.0, -4.0], [104.0, 3.0, 4.0]);
    let there = builder.room("there", &there, surfaces)?;
    let table = cuboid([99.0, 0.0, 2.0], [101.0, 1.0, 3.0]);
    builder.block(there, "table", &table, plaster)?;
    builder.lamp(here, DVec3::new(0.0, 2.5, 0.0), 100.0)?;
    builder.spawn(here, "player", DVec3::ZERO, DVec3::X)?;
    // East of the first room is south in the second; the two openings coincide.
    let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X);
    let moved = DVec3::new(100.0, 0.0, -4.0) - turn * DVec3::new(4.0, 0.0, 0.0);
    let east = Opening::doorway(DVec3::new(4.0, 0.0, 0.0), DVec3::X, 2.0, 2.5);
    builder.connect(here, there, &east.bent(Rigid::new(turn, moved)))?;
    let (level, problems) = build(builder.source())?;
    for warning in &problems.warnings {
        println!("warning: {warning}");
    }

    let mut game = Game::new(&level)?;
    let input = Input {
        forward: 1.0,
        ..Input::default()
    };
    for tick in 0..180 {
        game.tick(&level, &[input]);
        if tick % 30 == 29 {
            let room = &level.room(game.players[0].actor.state.at.room).name;
            println!(
                "in {room}, feet at {}, yaw {:.0}",
                game.players[0].feet(&level),
                game.players[0].yaw
            );
        }
    }
    let ended = &level.room(game.players[0].actor.state.at.room).name;
    assert_eq!(ended, "there", "the doorway leads into the other room");
    Ok(())
}
