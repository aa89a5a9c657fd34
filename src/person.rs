//! The player's figure, drawn at a player's position.

use crate::figure::{Figure, Pose};
use crate::figure::{FigureError, read_figure};
use crate::frame::{Frame, PosedFigure, add_figure};
use crate::game::ThirdPerson;
use crate::level::Level;
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// A figure, and the buffers for posing it.
#[derive(Debug)]
pub struct Person {
    figure: Figure,
    pose: Pose,
}

impl Person {
    /// Loads the built-in figure, which is part of the program: `levels/figures/person.py` builds it.
    ///
    /// # Errors
    /// Fails if that file was replaced by a file that is not a valid figure.
    pub fn new() -> Result<Self, FigureError> {
        let figure = read_figure(include_bytes!("../levels/figures/person.glb"))?;
        Ok(Self {
            figure,
            pose: Pose::default(),
        })
    }

    /// Adds the figure to a frame that was composed for `camera` and these visible rooms.
    pub fn add_to(
        &mut self,
        (level, world): (&Level, &World),
        seen: &ThirdPerson,
        camera: &Camera,
        rooms: &[VisibleRoom],
        frame: &mut Frame,
    ) {
        self.pose.set(&self.figure, &seen.stance);
        let posed = PosedFigure {
            figure: &self.figure,
            pose: &self.pose,
            room: seen.room,
            room_from_figure: seen.room_from_figure,
            is_shown: seen.shows_figure,
        };
        add_figure((level, world), camera, rooms, &posed, frame);
    }
}
