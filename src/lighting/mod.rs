//! Which light reaches which room, what casts shadows in it, and how bright the picture is: found
//! from the level and its open links alone, so that a surface's colour never depends on the view
//! or on what else is drawn.
//!
//! Light goes through portals the way sight does: from the lamp through each open portal within
//! its reach, and what lies beyond is lit only inside the pyramid from the lamp through that
//! opening, so that a doorway throws its shape on the floor of the next room, and no wall, however
//! thin, lets light through. What was reflected goes through portals too: each room has one light
//! from everywhere, which it exchanges with its neighbours.

mod around;
mod bounce;
mod clip_planes;
mod exposure;
mod gpu_light;
mod light_flood;
pub mod lightmap;
mod lists;
mod samples;
mod shadow;
mod sun;
#[cfg(test)]
mod tests;

pub use around::Texels;
pub use gpu_light::GpuLight;
pub use shadow::{Caster, Projection, Shadow, clip_from_room};

use std::ops::Range;

use glam::{DVec3, Vec3};

use crate::level::{Level, Light, LightKind, LinkId, OpenLinks, RoomId};
use bounce::{Patch, Reflectance};
use light_flood::{LightFlood, LitRoom, flood_light};
use lightmap::Lightmap;

/// Light that is this much weaker than the level's typical light does not go on into further
/// rooms; the window of the falloff makes it fade out before.
const FAINTEST: f64 = 0.02;

/// Distance, metres, at which the level's median lamp is taken to light typically.
const TYPICAL_DISTANCE: f64 = 2.0;

/// Ambient irradiance that no room is without, 1 being white on the screen: in a level whose
/// rooms all have lamps, and in one without.
const AMBIENT_WITH_LIGHTS: f32 = 0.06;
const AMBIENT_ALONE: f32 = 0.6;

/// Texels stay as they were while the ambient irradiance that they were made of has changed by
/// less than this part.
const MIN_CHANGE: f32 = 0.005;

/// The lights of a whole level.
#[derive(Clone, Debug)]
pub struct Lighting {
    /// The lights of all lists.
    pub lights: Vec<GpuLight>,
    /// For each of `lights` its shadow map, an index into `shadows`.
    pub shadow_of: Vec<u32>,
    /// The openings that lights come in through, in the coordinates of the room that is lit. For
    /// each the number of its planes, then these: unit normal, and minus the plane's offset; what
    /// is in front of all planes of one of a light's openings is lit.
    pub sides: Vec<[f32; 4]>,
    /// Ranges of `lights`: one for each room, then for each door panel one for its side towards
    /// [`crate::level::Link::near`] and one for the other.
    pub lists: Vec<Range<u32>>,
    /// Ambient irradiance on a white surface, linear RGB, 1 being white on the screen: in the
    /// order of `lists`.
    pub ambient: Vec<Vec3>,
    /// How much more of it comes from above than from below, and a little from one side, so that
    /// surfaces of one colour are told apart where no lamp shines.
    pub hemisphere: Vec3,
    /// The shadow maps that lights refer to, each with what it is of.
    pub shadows: Vec<(ShadowKey, Shadow)>,
    /// Where surfaces lie in the lightmap.
    pub lightmap: Lightmap,
    /// Ambient irradiance on the lightmap's texels, as a part of that of their room.
    pub texels: Texels,
    /// How many views all of them have.
    pub view_count: u32,
    /// How many they have with all doors open, which is the most.
    pub most_views: u32,
    /// Counts the changes of all above.
    pub revision: u64,
    /// For each room whether all its neighbours have the same ambient irradiance.
    openings_alike: Vec<bool>,
    /// For each room the ambient irradiance that the texels were made of.
    settled: Vec<Vec3>,
    exposure: f32,
    /// Ambient irradiance that no room is without.
    least_ambient: f32,
    open: OpenLinks,
    /// What each of the level's lights reaches.
    reaches: Vec<Reach>,
    /// What each material does to light.
    reflectances: Vec<Reflectance>,
    /// The rooms, as they exchange light.
    patches: Vec<Patch>,
}

/// What a shadow map is of: index of the light, and for parallel light the room, in the order of
/// `shadows`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShadowKey {
    /// Index into [`lights`](crate::level::LevelData::lights).
    pub light: u32,
    /// Which of the light's maps: the place that it lights, for parallel light.
    pub place: u32,
}

/// How a light comes into a room, in the room's coordinates, metres.
#[derive(Clone, Copy, Debug)]
pub struct LightPath<'a> {
    /// Where the lamp appears to be.
    pub position: DVec3,
    /// The part of the last portal that its light fills; empty in its own room.
    pub opening: &'a [DVec3],
    /// sRGB, opaque.
    pub colour: [u8; 4],
}

/// What one light reaches.
#[derive(Clone, Debug, Default)]
struct Reach {
    range: f64,
    position: DVec3,
    colour: [u8; 4],
    spread: LightFlood,
    shadows: Vec<(ShadowKey, Shadow)>,
    /// For each place of the spread the index of its map among `shadows`.
    shadow_of: Vec<usize>,
}

impl Lighting {
    /// Finds the lights of every room and panel, and the exposure.
    pub fn new(level: &Level, open: &OpenLinks, lightmap: Lightmap) -> Self {
        let intensities = level.lights.iter().filter(|l| shines(l));
        let intensities = intensities.filter(|l| l.kind != LightKind::Directional);
        let typical = median(intensities.map(|l| f64::from(l.intensity)).collect());
        let faintest = typical / (TYPICAL_DISTANCE * TYPICAL_DISTANCE) * FAINTEST;
        let reaches = level.lights.iter().map(|light| {
            let reach = (f64::from(light.intensity) / faintest).sqrt();
            let range = light
                .range
                .map_or(reach, |range| reach.min(f64::from(range)));
            let [r, g, b] = light.colour.map(|c| (libm::sqrtf(c) * 255.0) as u8);
            Reach {
                range,
                position: light.position,
                colour: [r, g, b, 255],
                ..Reach::default()
            }
        });
        let mut lighting = Self {
            lights: Vec::new(),
            shadow_of: Vec::new(),
            sides: Vec::new(),
            lists: Vec::new(),
            ambient: Vec::new(),
            hemisphere: Vec3::new(0.11, 0.14, 0.08),
            shadows: Vec::new(),
            lightmap,
            texels: Texels::default(),
            openings_alike: vec![true; level.rooms.len()],
            settled: vec![Vec3::ZERO; level.rooms.len()],
            view_count: 0,
            most_views: 0,
            revision: 0,
            exposure: 1.0,
            least_ambient: 0.0,
            open: OpenLinks::all_open(level),
            reaches: reaches.collect(),
            reflectances: bounce::reflectances(level),
            patches: vec![Patch::default(); level.rooms.len()],
        };
        // Exposure and the least light are those of the level with all doors open, whatever they do
        // later.
        let mut lit = vec![true; level.rooms.len()];
        lighting.reach_again(level, &mut lit);
        lists::assemble(level, &mut lighting);
        let rooms = level.room_ids();
        let lit_rooms = rooms.filter(|&room| !lighting.of_room(room).is_empty());
        let part = lit_rooms.count() as f32 / level.rooms.len().max(1) as f32;
        lighting.least_ambient = AMBIENT_ALONE + (AMBIENT_WITH_LIGHTS - AMBIENT_ALONE) * part;
        lighting.bounce(level, &lit);
        lighting.exposure = exposure::exposure(level, &lighting);
        lists::assemble(level, &mut lighting);
        lighting.most_views = lighting.view_count;
        lighting.bounce(level, &lit);
        let of_rooms = lighting.ambient[..level.rooms.len()].to_vec();
        lighting.settled = of_rooms;
        if !lighting.update(level, open) {
            around::update_irradiance(level, &mut lighting, |_| true);
        }
        lighting
    }

    /// Follows the doors: what they let through and what they shut out. Says whether anything
    /// changed.
    pub fn update(&mut self, level: &Level, open: &OpenLinks) -> bool {
        if *open == self.open {
            return false;
        }
        let links = (0..level.links.len() as u32).map(LinkId);
        let moved = links.filter(|&link| open.is_open(link) != self.open.is_open(link));
        let mut near_moved = vec![false; level.rooms.len()];
        for link in moved.map(|link| level.link(link)) {
            near_moved[link.near.0 as usize] = true;
            near_moved[link.far.0 as usize] = true;
        }
        self.open = open.clone();
        self.reach_again(level, &mut near_moved);
        lists::assemble(level, self);
        self.bounce(level, &near_moved);
        let unsettled = |room: RoomId| {
            let (was, is) = (self.settled[room.0 as usize], self.ambient[room.0 as usize]);
            (is - was).abs().max_element() > MIN_CHANGE * is.max_element()
        };
        // What a room looks like depends on its neighbours.
        for room in level.room_ids() {
            let mut near = level.portals_of(room).map(|(_, portal)| portal.far);
            near_moved[room.0 as usize] |= unsettled(room) || near.any(unsettled);
        }
        // Only what is told to the neighbours too: small changes would add up unseen.
        let rooms = level.room_ids();
        let unsettled: Vec<RoomId> = rooms.filter(|&room| unsettled(room)).collect();
        for room in unsettled {
            self.settled[room.0 as usize] = self.ambient[room.0 as usize];
        }
        around::update_irradiance(level, self, |room| near_moved[room]);
        true
    }

    /// Spreads again the lights that reach a room that is `changed`, and marks all rooms that they
    /// reached or reach now.
    fn reach_again(&mut self, level: &Level, changed: &mut [bool]) {
        let before = changed.to_vec();
        let lights = level.lights.iter().zip(&mut self.reaches);
        for ((light, reach), index) in lights.zip(0u32..).filter(|((light, _), _)| shines(light)) {
            let places = &reach.spread.places;
            if places.is_empty() || places.iter().any(|at| before[at.room.0 as usize]) {
                let again = reach_of(level, &self.open, light, index, reach);
                for at in places.iter().chain(&again.spread.places) {
                    changed[at.room.0 as usize] = true;
                }
                *reach = again;
            }
        }
    }

    /// Lets light that is reflected go round; the lights of `changed` rooms are others than before.
    fn bounce(&mut self, level: &Level, changed: &[bool]) {
        for room in level.room_ids().filter(|room| changed[room.0 as usize]) {
            self.patches[room.0 as usize] = bounce::patch(level, self, room, &self.reflectances);
        }
        self.ambient = bounce::ambient(level, self);
    }

    /// The ways by which lights come into a room.
    pub fn light_paths_into(&self, room: RoomId) -> impl Iterator<Item = LightPath<'_>> {
        let reaches = self.reaches.iter();
        reaches.flat_map(move |reach| {
            let places = reach.spread.places.iter();
            let here = places.filter(move |at| at.room == room);
            here.map(|at| LightPath {
                position: at.room_from_light.point(reach.position),
                opening: &at.opening,
                colour: reach.colour,
            })
        })
    }
}

fn reach_of(level: &Level, open: &OpenLinks, light: &Light, index: u32, before: &Reach) -> Reach {
    let spread = flood_light(level, open, light, before.range);
    let mut reach = Reach {
        range: before.range,
        position: before.position,
        colour: before.colour,
        ..Reach::default()
    };
    let key = |place| ShadowKey {
        light: index,
        place,
    };
    if light.kind == LightKind::Directional {
        let fronts_only = !level.shows_sky();
        for (place, at) in spread.places.iter().enumerate() {
            // One map for all the ways into a room.
            let first = spread.places[..place]
                .iter()
                .position(|p| p.room == at.room && p.room_from_light == at.room_from_light);
            let map = first.map(|first| reach.shadow_of[first]);
            let casters = spread.casters(level, open, Some(place));
            let map = map.unwrap_or_else(|| {
                let bounds = level.room(at.room).bounds;
                let light_from_room = at.room_from_light.inverse();
                let shadow = Shadow::of_sun(light, &bounds, &light_from_room, fronts_only);
                reach.shadows.push((key(place as u32), shadow));
                reach.shadows.len() - 1
            });
            reach.shadows[map].1.add_casters(casters);
            reach.shadow_of.push(map);
        }
    } else if !spread.places.is_empty() {
        let casters = spread.casters(level, open, None);
        let shadow = Shadow::of_lamp(light, casters);
        reach.shadows.push((key(0), shadow));
        reach.shadow_of = vec![0; spread.places.len()];
    }
    Reach { spread, ..reach }
}

/// Whether the light does anything.
fn shines(light: &Light) -> bool {
    light.intensity.is_finite() && light.intensity > 0.0
}

/// The middle value; 0 of none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
