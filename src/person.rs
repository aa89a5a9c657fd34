//! The figure that players have, drawn where a game has them.

use crate::figure::{Figure, Pose};
use crate::frame::{Frame, PosedFigure, add_figure};
use crate::game::ThirdPerson;
use crate::level::{FigureError, Level, read_figure};
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// A figure, and the memory of posing it.
#[derive(Debug)]
pub struct Person {
    figure: Figure,
    pose: Pose,
}

impl Person {
    /// Our own figure, which is part of the program: `levels/figures/person.py` builds it.
    ///
    /// # Errors
    /// When that file was replaced by one that is no figure.
    pub fn new() -> Result<Self, FigureError> {
        let figure = read_figure(include_bytes!("../levels/figures/person.glb"))?;
        Ok(Self {
            figure,
            pose: Pose::default(),
        })
    }

    /// Adds the figure to a frame that was composed for `camera` of these visible rooms.
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
