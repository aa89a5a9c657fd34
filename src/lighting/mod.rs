//! Lights and the rooms that they reach, shadow maps, ambient irradiance, and the exposure: computed
//! from the level and its open links alone, so that a surface's colour never depends on the view
//! or on other surfaces in the picture.
//!
//! Light goes through portals the way sight does: from the lamp through each open portal within
//! its range, and a room beyond is lit only inside the pyramid from the lamp through that opening, so
//! that a doorway casts its shape on the floor of the next room, and no light passes a wall, however
//! thin. Reflected light goes through portals too: each room has one ambient irradiance, which depends
//! on those of its neighbours.
//!
//! Each step is made from the former ones by a function:
//!
//! ```text
//! open links -> reaches -> lists -> patches -> ambient irradiance -> texels
//! ```

mod clip_planes;
mod gpu_light;
mod shadow;
mod sun;

mod light_flood;
mod reach;

mod lists;
mod samples;

mod exposure;
mod radiosity;

mod irradiance;
pub mod lightmap;
mod rgb9e5;

#[cfg(test)]
mod tests;

pub use gpu_light::GpuLight;
pub use irradiance::Texels;
pub use lists::{LightLists, LitBy};
pub use reach::LightPath;
pub use shadow::{Caster, Projection, Shadow, ShadowKey, clip_from_room};

use std::ops::Range;

use glam::Vec3;

use crate::level::{Level, RoomId};
use crate::world::World;
use lightmap::Lightmap;
use radiosity::{Patch, Reflectance};
use reach::Reach;

/// Ambient irradiance that no room is without, 1 being white on the screen: in a level whose
/// rooms all have lamps, and in one without.
const AMBIENT_WITH_LIGHTS: f32 = 0.06;
const AMBIENT_ALONE: f32 = 0.6;

/// The lights of a whole level.
#[derive(Clone, Debug)]
pub struct Lighting {
    /// Which lights act on which surface, and with which shadow maps.
    pub lists: LightLists,
    /// The factor for lights that makes lit rooms typically bright.
    pub exposure: f32,
    /// Ambient irradiance on a white surface, linear RGB, 1 being white on the screen: of each room,
    /// then of each part of a mover.
    pub ambient: Vec<Vec3>,
    /// How much more of it comes from above than from below, and a little from one side, so that
    /// surfaces of one colour differ where no lamp lights them.
    pub hemisphere: Vec3,
    /// Where surfaces lie in the lightmap.
    pub lightmap: Lightmap,
    /// Ambient irradiance on the lightmap's texels, as a part of that of their room.
    pub texels: Texels,
    /// How many views all shadow maps have with all doors open, which is the maximum.
    pub max_views: u32,
    /// Counts the changes of all above.
    pub revision: u64,
    world: World,
    /// For each of the level's lights.
    reaches: Vec<Reach>,
    /// For each material.
    reflectances: Vec<Reflectance>,
    /// For each room.
    patches: Vec<Patch>,
    /// Ambient irradiance that no room is without.
    min_ambient: f32,
}

impl Lighting {
    /// Finds the lights of every room and mover, and the exposure.
    pub fn new(level: &Level, world: &World, lightmap: Lightmap) -> Self {
        // Exposure and the least light are those of the level with all doors open, whatever they do
        // later.
        let all_open = World::all_open(level);
        let ranges = (0u32..).zip(reach::ranges(level));
        let reaches = ranges.map(|(light, range)| reach::reach(level, &all_open, light, range));
        let reaches: Vec<Reach> = reaches.collect();
        let lists = lists::assemble(level, &all_open, &reaches);
        let reflectances = radiosity::reflectances(level);
        let all = vec![true; level.rooms.len()];
        let mut patches = vec![Patch::default(); level.rooms.len()];
        let expose = |exposure, patches: &mut [Patch]| {
            radiosity::update_patches(level, &lists, exposure, &reflectances, &all, patches);
        };
        expose(1.0, &mut patches);
        let exposure = exposure::exposure(level, &all_open, &lists, &patches);
        expose(exposure, &mut patches);
        let lit_rooms = level
            .room_ids()
            .filter(|&room| !lists.of_room(room).is_empty());
        let part = lit_rooms.count() as f32 / level.rooms.len().max(1) as f32;
        let min_ambient = AMBIENT_ALONE + (AMBIENT_WITH_LIGHTS - AMBIENT_ALONE) * part;
        let ambient = radiosity::ambient(level, &all_open, &patches, min_ambient);
        let texels = Texels::new(&lightmap, ambient[..level.rooms.len()].to_vec());
        let mut lighting = Self {
            max_views: lists.view_count,
            lists,
            exposure,
            ambient,
            hemisphere: Vec3::new(0.11, 0.14, 0.08),
            lightmap,
            texels,
            revision: 0,
            world: all_open,
            reaches,
            reflectances,
            patches,
            min_ambient,
        };
        if *world != lighting.world {
            lighting.follow(level, world);
        }
        lighting.update_texels(level, all);
        lighting
    }

    /// Follows the doors, which pass light or not. Returns whether anything changed.
    pub fn update(&mut self, level: &Level, world: &World) -> bool {
        if *world == self.world {
            return false;
        }
        let changed = self.follow(level, world);
        self.update_texels(level, changed);
        true
    }

    /// Brings all but the texels to these links; returns for each room whether its lights or its links
    /// changed.
    fn follow(&mut self, level: &Level, world: &World) -> Vec<bool> {
        let mut is_beside = vec![false; level.rooms.len()];
        for room in world.changed_rooms(&self.world, level) {
            is_beside[room.0 as usize] = true;
        }
        self.world = world.clone();
        let mut changed = is_beside.clone();
        for (light, reach) in (0u32..).zip(&mut self.reaches) {
            let mut lit_rooms = reach.lit_rooms.iter().map(|lit| lit.room.0 as usize);
            if lit_rooms.any(|room| is_beside[room]) {
                let again = reach::reach(level, world, light, reach.range);
                for lit in reach.lit_rooms.iter().chain(&again.lit_rooms) {
                    changed[lit.room.0 as usize] = true;
                }
                *reach = again;
            }
        }
        self.lists = lists::assemble(level, world, &self.reaches);
        radiosity::update_patches(
            level,
            &self.lists,
            self.exposure,
            &self.reflectances,
            &changed,
            &mut self.patches,
        );
        self.ambient = radiosity::ambient(level, world, &self.patches, self.min_ambient);
        self.revision += 1;
        changed
    }

    fn update_texels(&mut self, level: &Level, changed: Vec<bool>) {
        let ambient = &self.ambient[..level.rooms.len()];
        self.texels
            .update(level, &self.world, &self.lightmap, ambient, changed);
    }

    /// The lights of a surface, a range of [`LightLists::lights`]; none where the level has no such
    /// surface.
    pub fn list(&self, lit_by: LitBy) -> Range<u32> {
        let range = self.lists.ranges.get(lit_by.index(self.patches.len()));
        range.cloned().unwrap_or_default()
    }

    /// Ambient irradiance on a surface; none where the level has no such surface.
    pub fn ambient(&self, lit_by: LitBy) -> Vec3 {
        let ambient = self.ambient.get(lit_by.index(self.patches.len()));
        ambient.copied().unwrap_or_default()
    }

    /// The paths by which lights come into a room.
    pub fn light_paths_into(&self, room: RoomId) -> impl Iterator<Item = LightPath<'_>> {
        self.reaches
            .iter()
            .flat_map(move |reach| reach.paths_into(room))
    }
}
