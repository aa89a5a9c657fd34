//! Batches of draws whose shadow maps fit on the device together.

use std::ops::Range;

use crate::frame::{Frame, Instance};
use crate::lighting::Lighting;

/// The division of a frame's draws into batches; nearly always one.
#[derive(Default)]
pub(super) struct Batches {
    /// The shadow maps of the current batch, indices into [`crate::lighting::LightLists::shadows`].
    pub(super) shadows: Vec<u32>,
    /// The slots of the reflection cubes of the current batch, indices into [`crate::frame::FrameReflections::slots`].
    pub(super) cubes: Vec<u32>,
    /// The last batch that used each shadow map.
    last_batch: Vec<u64>,
    /// The last batch that used each slot.
    last_of_cubes: Vec<u64>,
    /// A counter of batches over all frames.
    batch: u64,
}

impl Batches {
    /// Returns the next batch: the draws from `start` on whose shadow maps have at most `max_views` views and which reflect
    /// at most `max_cubes` cubes, but at least the draws of one instance.
    pub(super) fn next(
        &mut self,
        lighting: &Lighting,
        frame: &Frame,
        start: usize,
        (max_views, max_cubes): (u32, u32),
    ) -> Range<usize> {
        self.batch += 1;
        self.shadows.clear();
        self.cubes.clear();
        self.last_of_cubes.resize(frame.reflections.slots.len(), 0);
        self.last_batch.resize(lighting.lists.shadows.len(), 0);
        let (mut views, mut last_instance) = (0, None);
        for (at, draw) in frame.draws.iter().enumerate().skip(start) {
            if last_instance.replace(draw.instance) == Some(draw.instance) {
                continue;
            }
            let instance = &frame.instances[draw.instance as usize];
            let before = (self.shadows.len(), self.cubes.len());
            for &shadow in shadows_of(lighting, instance) {
                let last_batch = &mut self.last_batch[shadow as usize];
                if std::mem::replace(last_batch, self.batch) != self.batch {
                    self.shadows.push(shadow);
                    views += lighting.lists.shadows[shadow as usize].shadow.view_count();
                }
            }
            for &slot in frame.reflections.slots_of(instance.reflections) {
                let last_batch = &mut self.last_of_cubes[slot as usize];
                if std::mem::replace(last_batch, self.batch) != self.batch {
                    self.cubes.push(slot);
                }
            }
            // If a single room has too many views, some lights cast no shadow; if it reflects too many cubes, some are
            // left out.
            if (views > max_views || self.cubes.len() > max_cubes as usize) && at > start {
                self.shadows.truncate(before.0);
                self.cubes.truncate(before.1);
                return start..at;
            }
        }
        start..frame.draws.len()
    }
}

/// The shadow maps of the lights that reach an instance.
fn shadows_of<'a>(lighting: &'a Lighting, instance: &Instance) -> &'a [u32] {
    let list = lighting.list(instance.lit_by);
    lighting
        .lists
        .shadow_of
        .get(list.start as usize..list.end as usize)
        .unwrap_or_default()
}
