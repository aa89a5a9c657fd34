//! A viewer: from the world and a camera to the frame that the renderer draws.

use std::time::{Duration, Instant};

use super::compose::compose;
use super::data::Frame;
use super::reflections::RoomReflections;
use crate::level::Level;
use crate::lighting::{Lighting, Relighting};
use crate::visibility::{Camera, Culling, Visibility, visible_rooms};
use crate::world::World;

/// The state of a view from frame to frame. The renderer draws `frame` with `lighting`.
#[derive(Debug)]
pub struct Viewer {
    /// The lighting of the world.
    pub lighting: Lighting,
    /// The rooms to draw.
    pub visibility: Visibility,
    /// The picture to draw.
    pub frame: Frame,
    /// The thread for reflected light, if frames do not wait for it.
    relighting: Option<Relighting>,
    /// Whether frames have reflections.
    reflects: bool,
    /// The reflections of rooms on smooth surfaces.
    reflections: RoomReflections,
}

impl Viewer {
    /// Creates the viewer of a world with this lighting; its frame is empty at first.
    pub fn new(lighting: Lighting) -> Self {
        Self {
            lighting,
            visibility: Visibility::default(),
            frame: Frame::default(),
            relighting: None,
            reflects: false,
            reflections: RoomReflections::default(),
        }
    }

    /// Creates the viewer of a game that is played: after a change, reflected light follows some frames later.
    pub fn live(lighting: Lighting) -> Self {
        Self {
            relighting: Some(Relighting::default()),
            ..Self::new(lighting)
        }
    }

    /// Sets whether frames have the reflections of rooms on smooth surfaces; they have none at first.
    pub fn set_reflections(&mut self, reflects: bool) {
        self.reflects = reflects;
    }

    /// Replaces the lighting by another one of the same level.
    pub fn set_lighting(&mut self, lighting: Lighting) {
        self.lighting = lighting;
        self.reflections.clear();
        // The thread may compute light for the lightmap before.
        if let Some(relighting) = &mut self.relighting {
            *relighting = Relighting::default();
        }
    }

    /// Composes the picture of a camera: updates the lighting to the world, finds the rooms that are visible to `culled_by`
    /// (usually the same camera), and composes their frame. Returns the time taken to find the rooms.
    pub fn compose(
        &mut self,
        level: &Level,
        world: &World,
        camera: &Camera,
        (culling, culled_by): (Culling, &Camera),
    ) -> Duration {
        match &mut self.relighting {
            Some(relighting) => self.lighting.update_live(level, world, relighting),
            None => self.lighting.update(level, world),
        };
        let start = Instant::now();
        visible_rooms(culling, level, world, culled_by, &mut self.visibility);
        let took = start.elapsed();
        let visible = self.visibility.seen_by(culled_by);
        compose(level, world, camera, &visible, &mut self.frame);
        if self.reflects {
            let is_live = self.relighting.is_some();
            let state = (level, world);
            self.reflections
                .add_to(state, &self.lighting, &mut self.frame, is_live);
        } else {
            self.frame.reflections.clear();
        }
        took
    }
}
