//! The steps of [`Lighting`] for reflected light: at once, or by a thread of its own.

use std::sync::Arc;

use super::Lighting;
use super::flicker::flickering_parts;
use super::lists::RoomLights;
use super::reflection::{Reflection, ReflectionInputs, Relighting};
use super::room_set::RoomSet;
use super::transport::{Gate, SolutionInputs};
use crate::level::{Level, RoomId};
use crate::world::World;

impl Lighting {
    /// Updates the lighting as [`Lighting::update`] does, but lets a thread compute the reflected light on the
    /// surfaces, which follows some frames later. Returns whether anything changed.
    pub fn update_live(
        &mut self,
        level: &Level,
        world: &World,
        relighting: &mut Relighting,
    ) -> bool {
        let mut changed = self.follow(level, world);
        if let Some(reflection) = relighting.take_finished() {
            self.set_reflection(reflection);
            self.revision += 1;
            changed = true;
        }
        if self.is_solution_stale && !relighting.is_busy() {
            let reflection = Reflection {
                solution: std::mem::take(&mut self.solution),
                texels: self.texels.clone(),
                ambient: self.ambient.clone(),
            };
            relighting.start(reflection, self.reflection_inputs(level));
            self.is_solution_stale = false;
        }
        changed
    }

    /// Computes the reflected light on the surfaces after changes of links or of the radiosity of rooms.
    pub(super) fn update_reflection(&mut self, level: &Level) {
        let inputs = self.reflection_inputs(level);
        let mut reflection = Reflection {
            solution: std::mem::take(&mut self.solution),
            texels: std::mem::take(&mut self.texels),
            ambient: self.ambient.clone(),
        };
        reflection.update(&inputs);
        self.set_reflection(reflection);
        self.is_solution_stale = false;
    }

    fn set_reflection(&mut self, reflection: Reflection) {
        self.probes.clone_from(reflection.solution.probes());
        self.lamps[1] = reflection.solution.lamps();
        self.solution = reflection.solution;
        self.texels = reflection.texels;
        for (room, ambient) in (0u32..).map(RoomId).zip(reflection.ambient) {
            if self.transport.has_nodes(room) {
                self.ambient[room.0 as usize] = ambient;
            }
        }
    }

    fn reflection_inputs(&self, level: &Level) -> ReflectionInputs {
        ReflectionInputs {
            solution: SolutionInputs {
                transport: Arc::clone(&self.transport),
                lightmap: Arc::clone(&self.lightmap),
                reflectances: self.surfaces.of_materials(),
                exposure: self.exposure,
                open: Gate::states(level, &self.world),
                rooms: self.radiosity.ambient().to_vec(),
                min_ambient: self.min_ambient,
                lamps: self.lamps[0],
            },
            hemisphere: self.hemisphere,
        }
    }

    /// Finds the parts of the reflected light of rooms that flicker.
    pub(super) fn find_flickering(&mut self, level: &Level, rooms: &RoomSet) {
        let ambient = self.radiosity.ambient();
        for room in rooms.iter() {
            let index = room.0 as usize;
            let lights = self.lists.all_of_room(level, &self.reaches, room);
            let of_room = (&self.patches[index], self.exposure, ambient[index]);
            let patch_of = |lights: &RoomLights| self.surfaces.patch(level, lights, room);
            let flickers = |factor| self.lists.varying.flickers(factor);
            let parts = flickering_parts(&lights, of_room, flickers, patch_of);
            self.lists.varying.set_parts(room, parts);
        }
    }
}
