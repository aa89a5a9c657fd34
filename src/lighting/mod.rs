//! Lights and the rooms that they reach, shadow maps, ambient irradiance, and the exposure: computed from the level
//! and its open links alone, so that a surface's colour never depends on the view or on other surfaces in the picture.
//!
//! Light passes portals like sight does: from the lamp through each open portal within its range. A room beyond is lit
//! only inside the pyramid from the lamp through that opening, so that a doorway projects its shape onto the floor of
//! the next room, and no light passes a wall, however thin. Reflected light passes portals too.
//!
//! Each step is a function of the previous steps:
//!
//! ```text
//! open links, poses -> reaches -> lists -> patches -> ambient irradiance -> light on nodes -> texels
//! ```
//!
//! If a link opens or closes, each step is repeated for the rooms that the previous step changed. If a mover moves,
//! the shadow maps that contain it are updated. The cost of an update depends on the changes, not on the size of the
//! level.

mod clip_planes;
mod gpu_light;
mod room_set;
mod shadow;
mod sun;

mod bvh;
mod changes;
mod entries;
mod exposure;
mod facets;
mod flicker;
mod irradiance;
mod lamp_size;
mod light_flood;
pub mod lightmap;
mod lists;
mod patch;
mod patch_cache;
mod radiosity;
mod reach;
mod reflectance;
mod reflected;
mod reflection;
mod rgb9e5;
mod samples;
pub mod stored;
mod transport;
mod varying;

#[cfg(test)]
mod tests;

use changes::LightChanges;
#[cfg(feature = "gpu")]
pub(crate) use facets::facet_albedo;
pub use gpu_light::{GpuLight, LampLight};
pub use irradiance::Texels;
pub use lists::{LightLists, LitBy, ShadowMap};
pub use patch_cache::PatchCache;
use patch_cache::SurfaceReflectances;
pub use reach::LightPath;
pub use reflection::Relighting;
pub use shadow::{Caster, Shadow, ShadowProjection, clip_from_room};

use std::io;
use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;

use crate::geometry::Rigid;
use crate::level::{Level, MoverPartId, RoomId};
use crate::world::World;
use lightmap::{Draft, Lightmap, LightmapQuality};
use patch::RoomPatch;
use radiosity::{Radiosity, min_ambient};
use reach::Reaches;
use room_set::RoomSet;
use stored::{LightFile, LightFiles, StoredKind};
pub use transport::AmbientLight;
use transport::{ProbeLight, Solution, Transport, TransportLights};
pub use varying::factors_of_materials;

/// The lights of a whole level.
#[derive(Clone, Debug)]
pub struct Lighting {
    /// The lights that act on each surface, and their shadow maps.
    pub lists: LightLists,
    /// The factor for lights that makes lit rooms typically bright.
    pub exposure: f32,
    /// Ambient irradiance on a white surface of each room, linear RGB, 1 being white on the screen.
    pub ambient: Vec<Vec3>,
    /// The excess of ambient irradiance from above over that from below, with a small component to one side, so that
    /// differently oriented surfaces of one colour can be distinguished where no lamp lights them.
    pub hemisphere: Vec3,
    /// The lightmap layout of the surfaces.
    pub lightmap: Arc<Lightmap>,
    /// Ambient irradiance on the lightmap's texels, relative to that of their room.
    pub texels: Texels,
    /// The reflected light in the air, for objects that move freely.
    probes: ProbeLight,
    /// The number of views of all shadow maps with all doors open, which is the maximum.
    pub max_views: u32,
    /// A counter of changes of all fields above.
    pub revision: u64,
    /// The world for which all of the above was computed.
    world: World,
    reaches: Reaches,
    surfaces: SurfaceReflectances,
    cache: PatchCache,
    /// The patch of each room.
    patches: Vec<RoomPatch>,
    radiosity: Radiosity,
    /// The paths of reflected light; empty without a lightmap.
    transport: Arc<Transport>,
    solution: Solution,
    /// Whether links or the radiosity of rooms changed since the solution was computed.
    is_solution_stale: bool,
    /// The wanted way to draw the light of lamps, and that of the last solution.
    lamps: [LampLight; 2],
    /// The minimum ambient irradiance.
    min_ambient: f32,
}

impl Lighting {
    /// Computes the lights of every room and mover, and the exposure.
    pub fn new(level: &Level, world: &World, lightmap: impl Into<Arc<Lightmap>>) -> Self {
        Self::with_cache(level, world, lightmap, &PatchCache::default())
    }

    /// Computes the lighting of a reloaded level, like [`Lighting::new`], with the cache of the last version to save time.
    pub fn with_cache(
        level: &Level,
        world: &World,
        lightmap: impl Into<Arc<Lightmap>>,
        last: &PatchCache,
    ) -> Self {
        let trace =
            |map: &Lightmap, lights: TransportLights| Transport::new(level, map, lights, &|_| {});
        Self::traced(level, world, lightmap.into(), last, &trace)
    }

    /// Computes the lighting like [`Lighting::new`], but reads the paths of reflected light from `files` if they were
    /// stored there; otherwise stores them. The lightmap must have this quality. `progress` is called from any thread with
    /// the fraction that is done, 0..1.
    pub fn load_or_trace(
        level: &Level,
        world: &World,
        lightmap: impl Into<Arc<Lightmap>>,
        quality: LightmapQuality,
        files: &LightFiles,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Self {
        let trace = |map: &Lightmap, lights: TransportLights| {
            Transport::load_or_trace(level, map, quality, files, lights, progress)
        };
        Self::traced(
            level,
            world,
            lightmap.into(),
            &PatchCache::default(),
            &trace,
        )
    }

    fn traced(
        level: &Level,
        world: &World,
        lightmap: Arc<Lightmap>,
        last: &PatchCache,
        trace: &dyn Fn(&Lightmap, TransportLights) -> Transport,
    ) -> Self {
        let mut lighting = Self::without_texels(level, world, lightmap, last, trace);
        lighting.texels = Texels::uniform(&lighting.lightmap);
        lighting.update_reflection(level);
        lighting
    }

    /// Computes the lighting with the texels of a draft, in a fraction of the time.
    pub fn of_draft(level: &Level, world: &World, draft: &Draft, last: &PatchCache) -> Self {
        let lightmap = Arc::clone(draft.lightmap());
        let mut lighting =
            Self::without_texels(level, world, lightmap, last, &|_, _| Transport::default());
        lighting.texels = Texels::of_draft(draft.texels().to_vec());
        lighting
    }

    /// Computes everything except the texels. `trace` computes the paths of reflected light.
    fn without_texels(
        level: &Level,
        world: &World,
        lightmap: Arc<Lightmap>,
        last: &PatchCache,
        trace: &dyn Fn(&Lightmap, TransportLights) -> Transport,
    ) -> Self {
        // The exposure is that of the level with all doors open, whatever the doors do later.
        let all_open = World::all_open(level);
        let reaches = Reaches::new(level, &all_open);
        let lists = LightLists::new(level, &reaches);
        let surfaces = SurfaceReflectances::of(level);
        let next_patches = last.patches.next();
        let patches = surfaces.patches(level, (&lists, &reaches), &next_patches);
        let next_lit_places = last.lit_places.next();
        let exposure = surfaces.exposure(level, (&lists, &reaches), &next_lit_places);
        let lights = TransportLights {
            reaches: &reaches,
            listed: lists.listed(),
        };
        let transport = trace(&lightmap, lights);
        let min_ambient = min_ambient(level, !transport.nodes.is_empty());
        let mut lighting = Self {
            max_views: lists.view_count,
            lists,
            exposure,
            ambient: vec![Vec3::splat(min_ambient); level.rooms.len()],
            hemisphere: Vec3::new(0.11, 0.14, 0.08),
            texels: Texels::default(),
            probes: ProbeLight::default(),
            lightmap,
            revision: 0,
            world: all_open,
            reaches,
            surfaces,
            cache: last.clone(),
            patches: patches.clone(),
            radiosity: Radiosity::new(level, level.sky.mean()),
            transport: Arc::new(transport),
            solution: Solution::default(),
            is_solution_stale: false,
            lamps: [LampLight::Drawn; 2],
            min_ambient,
        };
        let all = RoomSet::all(level.rooms.len());
        lighting.reflect(level, &all);
        lighting.follow(level, world);
        let changed = patches.iter().zip(&lighting.patches).zip(level.room_ids());
        for ((_, patch), room) in changed.filter(|((all_open, patch), _)| all_open != patch) {
            let Self { lists, reaches, .. } = &lighting;
            let lights = lists.all_of_room(level, reaches, room);
            let key = lighting.surfaces.key_of(level, &lights, room);
            next_patches.get_or_compute(key, || *patch);
        }
        lighting.cache = PatchCache {
            patches: next_patches.finish(),
            lit_places: next_lit_places.finish(),
        };
        for part in (0..level.mover_parts.len() as u32).map(MoverPartId) {
            let Self { lists, reaches, .. } = &mut lighting;
            lists.write_part(level, world, reaches, part);
        }
        lighting
    }

    /// Chooses the way in which the light of lamps is drawn after the next update. It is always drawn by the shader if
    /// reflected light is not traced.
    pub fn set_lamps(&mut self, lamps: LampLight) {
        if self.lamps[0] != lamps && !self.transport.nodes.is_empty() {
            self.lamps[0] = lamps;
            self.is_solution_stale = true;
        }
    }

    /// Updates the lighting after changes of doors and moving objects. Returns whether anything changed.
    pub fn update(&mut self, level: &Level, world: &World) -> bool {
        let mut changed = self.follow(level, world);
        if self.is_solution_stale {
            self.update_reflection(level);
            self.revision += 1;
            changed = true;
        }
        changed
    }

    /// Updates everything except the nodes and the texels. Returns whether anything changed.
    fn follow(&mut self, level: &Level, world: &World) -> bool {
        let Some(changes) = LightChanges::between(level, &self.world, world, &self.reaches) else {
            return false;
        };
        self.world.clone_from(world);
        let rooms = level.rooms.len();
        let mut relisted = RoomSet::new(rooms);
        let Self { lists, reaches, .. } = self;
        for &light in &changes.to_flood {
            reaches.flood_again(level, world, light, &mut relisted);
            lists.write_maps(reaches, light);
        }
        for &light in &changes.to_cast {
            reaches.cast_again(level, world, light, &mut relisted);
            lists.write_maps(reaches, light);
        }
        let mut repatched = changes.relinked;
        if !changes.glowing.is_empty() {
            self.surfaces.follow(level, world);
            relisted.insert_all(&changes.glowing);
        }
        for room in relisted.iter() {
            let is_relit = lists.write_room(level, reaches, room);
            if is_relit || !lists.listed().contains_all(room) || changes.glowing.contains(room) {
                let lights = lists.all_of_room(level, reaches, room);
                let key = self.surfaces.key_of(level, &lights, room);
                let cached = self.cache.patches.get(&key).copied();
                let patch = cached.unwrap_or_else(|| self.surfaces.patch(level, &lights, room));
                self.patches[room.0 as usize] = patch;
                repatched.insert(room);
            }
        }
        let mut parts = lists.parts_in(world, &relisted);
        for &mover in &changes.moved {
            let mover = level.mover(mover);
            // Other movers that extend through portals of the moved rooms have new poses on the other side.
            let rooms = mover.moved_rooms.iter();
            let images = rooms.flat_map(|room| &level.room(*room).movers);
            let movers = images.map(|image| level.mover(image.mover));
            let all = movers
                .chain([mover])
                .flat_map(|mover| level.parts_of(mover));
            parts.extend(all.map(|(part, _)| part));
        }
        for part in parts {
            lists.write_part(level, world, reaches, part);
        }
        if !repatched.is_empty() {
            self.reflect(level, &repatched);
            self.is_solution_stale = !self.transport.nodes.is_empty();
        }
        self.revision += 1;
        true
    }

    /// Solves the radiosity of rooms after changes of the patches or links of `changed` rooms.
    fn reflect(&mut self, level: &Level, changed: &RoomSet) {
        let mut relit = changed.clone();
        self.radiosity.update(
            &self.world,
            (&self.patches, self.exposure),
            changed,
            &mut relit,
        );
        if self.lists.varying.has_flicker() {
            self.find_flickering(level, &relit);
        }
        for room in relit.iter() {
            if !self.transport.has_nodes(room) {
                let ambient = self.radiosity.ambient()[room.0 as usize];
                self.ambient[room.0 as usize] = ambient + self.min_ambient;
            }
        }
    }

    /// Encodes the computed light of the level, with the quality of its lightmap, for a file beside the level; see
    /// [`stored::LightFiles::beside`].
    ///
    /// # Errors
    ///
    /// If the compression fails.
    pub fn light_file(&self, level: &Level, quality: LightmapQuality) -> io::Result<LightFile> {
        let mut file = LightFile::default();
        if !self.lightmap.charts.is_empty() {
            let key = lightmap::key(level, quality);
            let visibility = &self.lightmap.sky_visibility;
            file.add(StoredKind::Lightmap, key, visibility)?;
            self.transport.add_to(level, quality, &mut file)?;
        }
        Ok(file)
    }

    /// The cache for the lighting of the next version of the level.
    pub fn cache(&self) -> &PatchCache {
        &self.cache
    }

    /// The number of places for which reflected light is computed.
    pub fn node_count(&self) -> usize {
        self.transport.nodes.len()
    }

    /// The factor of the ambient irradiance of an instance by the flickering of lights; `factors` are those of
    /// [`Self::write_factors`].
    pub fn ambient_factor(&self, lit_by: LitBy, factors: &[f32]) -> Vec3 {
        let room = match lit_by {
            LitBy::Room(room) | LitBy::Place(room, _) => Some(room),
            LitBy::MoverPart(part) => self.world.room_of_part(part),
        };
        room.map_or(Vec3::ONE, |room| self.lists.varying.of_room(room, factors))
    }

    /// Writes the factors of lights at a time, seconds; without a time those of lights that do not flicker.
    pub fn write_factors(&self, secs: Option<f64>, to: &mut Vec<f32>) {
        self.lists.varying.write_factors(&self.world, secs, to);
    }

    /// The lights that the shader computes on a surface, a range of [`LightLists::lights`].
    pub fn list(&self, lit_by: LitBy) -> Range<u32> {
        match self.lamps[1] {
            LampLight::Drawn => self.lists.range(lit_by, &self.world),
            LampLight::Baked => 0..0,
        }
    }

    /// The ambient irradiance on a surface; zero for a nonexistent surface.
    pub fn ambient(&self, lit_by: LitBy) -> AmbientLight {
        let room = match lit_by {
            LitBy::Room(room) => Some(room),
            LitBy::MoverPart(part) => self.world.room_of_part(part),
            LitBy::Place(room, point) => {
                let probes = &self.transport.probes;
                if let Some(light) = probes.light_at(&self.probes, room, point) {
                    return light;
                }
                Some(room)
            }
        };
        let ambient = room.and_then(|room| self.ambient.get(room.0 as usize));
        AmbientLight {
            irradiance: ambient.copied().unwrap_or_default(),
            gradient: self.hemisphere,
        }
    }

    /// The shadow maps into which an object in a room must be drawn: indices into [`LightLists::shadows`], each with
    /// the transform from the room's coordinates to those of the light's room. Needed for objects that change in every
    /// frame; all other objects are among [`Shadow::casters`].
    pub fn maps_over(&self, room: RoomId) -> impl Iterator<Item = (u32, &Rigid)> {
        let mut before = None;
        let lights = self.reaches.lights_in(room);
        // A light that enters by several paths is listed several times in a row.
        let lights = lights.filter(move |&light| before.replace(light) != Some(light));
        lights.flat_map(move |light| {
            let first = self.lists.first_map(light);
            let maps = &self.reaches.of_lights[light as usize].rooms_of_maps;
            let rooms = (first..).zip(maps);
            rooms.flat_map(move |(map, places)| {
                let here = places.iter().filter(move |place| place.room == room);
                here.map(move |place| (map, &place.here_from_other))
            })
        })
    }

    /// The paths of lights into a room.
    pub fn light_paths_into(&self, room: RoomId) -> impl Iterator<Item = LightPath<'_>> {
        self.reaches
            .of_lights
            .iter()
            .flat_map(move |reach| reach.paths_into(room))
    }
}
