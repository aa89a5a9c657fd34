//! A level that grows while the player walks: whenever the player enters the last room, the builder adds another room,
//! and the game continues in the new level. `cargo run --example growing`.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use opendoor::author::builder::{
    BuilderError, BuilderShape, LevelBuilder, Opening, RoomKey, RoomMaterials,
};
use opendoor::build::build;
use opendoor::game::{CarriedPlayer, Game, Input};
use opendoor::glam::DVec3;
use opendoor::level::{Level, Material};
use opendoor::rng::Rng;

/// Number of rooms at which the walk ends.
const ROOMS: usize = 12;
/// Thickness of the wall between two rooms, metres.
const WALL: f64 = 0.25;

/// The rooms built so far: a row along x.
struct Row {
    builder: LevelBuilder,
    surfaces: RoomMaterials,
    rng: Rng,
    rooms: Vec<RoomKey>,
    /// The x coordinate of the end of the last room.
    end: f64,
}

impl Row {
    fn new() -> Result<Self, BuilderError> {
        let mut builder = LevelBuilder::new("growing");
        let surfaces = RoomMaterials::all(builder.material(Material::default()));
        let mut row = Self {
            builder,
            surfaces,
            rng: Rng::new(1),
            rooms: Vec::new(),
            end: 0.0,
        };
        row.grow()?;
        row.builder
            .spawn(row.rooms[0], "player", DVec3::new(1.0, 0.0, 0.0), DVec3::X)?;
        Ok(row)
    }

    /// Adds a room and a doorway to it.
    fn grow(&mut self) -> Result<(), BuilderError> {
        let start = self.end + WALL;
        let length = self.rng.between(4.0, 8.0).round();
        let half = self.rng.between(2.0, 4.0).round();
        let height = self.rng.between(3.0, 5.0).round();
        let inside = BuilderShape::cuboid(
            DVec3::new(start, 0.0, -half),
            DVec3::new(start + length, height, half),
        );
        let name = format!("room {}", self.rooms.len());
        let room = self.builder.room(&name, &inside, self.surfaces)?;
        let middle = DVec3::new(start + 0.5 * length, height - 0.5, 0.0);
        self.builder.lamp(room, middle, 40.0)?;
        if let Some(&last) = self.rooms.last() {
            let foot = DVec3::new(self.end, 0.0, 0.0);
            let doorway = Opening::doorway(foot, DVec3::X, 1.25, 2.25);
            self.builder.connect(last, room, &doorway)?;
        }
        self.rooms.push(room);
        self.end = start + length;
        Ok(())
    }

    fn level(&self) -> Result<Level, Box<dyn Error>> {
        let (level, problems) = build(self.builder.source())?;
        for warning in &problems.warnings {
            println!("warning: {warning}");
        }
        Ok(level)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut row = Row::new()?;
    let mut level = row.level()?;
    let mut game = Game::new(&level)?;
    let forward = Input {
        forward: 1.0,
        ..Input::default()
    };
    let mut ticks = 0;
    while row.rooms.len() < ROOMS {
        game.tick(&level, &[forward]);
        ticks += 1;
        if ticks > 60 * 60 {
            return Err("the player is stuck".into());
        }
        let room = &level.room(game.players[0].actor.state.at.room).name;
        if *room == format!("room {}", row.rooms.len() - 1) {
            let feet = game.players[0].feet(&level);
            println!("in {room} after {ticks} ticks, feet at {feet}: one more");
            row.grow()?;
            let next = row.level()?;
            let (carried, to) = game.carry_to(&level, &next)?;
            assert_eq!(
                to,
                [CarriedPlayer::There],
                "nothing changed where the player is"
            );
            (game, level) = (carried, next);
        }
    }
    assert_eq!(level.rooms.len(), ROOMS);
    Ok(())
}
