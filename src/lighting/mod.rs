//! Which light reaches which room, and how bright the picture is: found once from the level
//! alone, so that a surface's colour never depends on the view or on what else is drawn.
//!
//! Light goes through portals the way sight does: from the lamp through each opening within
//! its reach, and what lies beyond is lit only inside the pyramid from the lamp through that
//! opening, so that a doorway throws its shape on the floor of the next room.

use std::ops::Range;

use glam::Vec3;

use crate::frame::doors;
use crate::level::{Level, Light, Room};

pub mod lightmap;
mod spread;

use spread::{Reaching, spread};

/// At most this many lights act on one room: the strongest. Bounds the work for one pixel.
const MAX_LIGHTS: usize = 16;

/// Light that is this much weaker than the level's typical light does not go on into further
/// rooms; the window of the falloff makes it fade out before.
const FAINTEST: f64 = 0.02;

/// Distance, metres, at which the level's median lamp is taken to light typically.
const TYPICAL_DISTANCE: f64 = 2.0;

/// Mean brightness, 0..1, of white surfaces in lit rooms under the lamps alone: near middle grey
/// to the eye, with room above for places near lamps.
const TYPICAL_WHITE: f64 = 0.38;

/// Light from everywhere, 1 being white on the screen: in a level whose rooms all have lamps,
/// and in one without.
const AMBIENT_WITH_LIGHTS: f32 = 0.16;
const AMBIENT_ALONE: f32 = 0.6;

/// A light as it acts on one room, in the room's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct PlacedLight {
    /// Metres.
    pub position: Vec3,
    /// 1 / range^2, 1/m2; negative for parallel light, which does not fall off.
    pub inverse_range_squared: f32,
    /// Linear RGB intensity times exposure: what a white surface shows at 1 m, seen straight.
    pub colour: Vec3,
    /// Spot factor is `cos(angle) * spot_scale + spot_offset`, clamped to 0..1 and squared.
    pub spot_scale: f32,
    /// Unit direction in which it shines.
    pub direction: Vec3,
    /// See `spot_scale`.
    pub spot_offset: f32,
    /// First of its openings' sides in [`Lighting::sides`].
    pub first_side: u32,
    /// How many sides; none where it stands in the room itself.
    pub sides: u32,
    /// Keeps the layout of the shader.
    pub padding: [u32; 2],
}

/// The lights of a whole level.
#[derive(Clone, Debug, Default)]
pub struct Lighting {
    /// The lights of all lists.
    pub lights: Vec<PlacedLight>,
    /// Unit normals of planes through a light's position; what they point to is lit.
    pub sides: Vec<[f32; 4]>,
    /// Ranges of `lights`: one for each room, then one for each door leaf.
    pub lists: Vec<Range<u32>>,
    /// Light from everywhere on a white surface, 1 being white on the screen.
    pub ambient: f32,
}

/// Finds the lights of every room and leaf, and the exposure.
pub fn light(level: &Level) -> Lighting {
    let intensities = level.lights.iter().filter(|l| shines(l));
    let typical = median(intensities.map(|l| f64::from(l.intensity)).collect());
    let faintest = typical / (TYPICAL_DISTANCE * TYPICAL_DISTANCE) * FAINTEST;
    let mut rooms: Vec<Vec<Reaching>> = level.rooms.iter().map(|_| Vec::new()).collect();
    for light in level.lights.iter().filter(|l| shines(l)) {
        let reach = (f64::from(light.intensity) / faintest).sqrt();
        let range = light
            .range
            .map_or(reach, |range| reach.min(f64::from(range)));
        spread(level, light, range, &mut rooms);
    }
    let mut lighting = Lighting {
        ambient: AMBIENT_ALONE,
        ..Lighting::default()
    };
    for reaching in &mut rooms {
        reaching.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        reaching.truncate(MAX_LIGHTS);
        lighting.add_list(reaching.iter());
    }
    for link in doors(level) {
        let link = level.link(link);
        let [from, to] = [link.from, link.to].map(|room| &rooms[room.0 as usize]);
        lighting.add_list(from.iter().chain(to));
    }
    let lit = lighting
        .lists
        .iter()
        .filter(|list| !list.is_empty())
        .count();
    let lit = lit as f32 / lighting.lists.len().max(1) as f32;
    lighting.ambient += (AMBIENT_WITH_LIGHTS - AMBIENT_ALONE) * lit;
    let exposure = exposure(&samples(level, &lighting)) as f32;
    for light in &mut lighting.lights {
        light.colour *= exposure;
    }
    lighting
}

impl Lighting {
    fn add_list<'a>(&mut self, reaching: impl Iterator<Item = &'a Reaching>) {
        let start = self.lights.len() as u32;
        for place in reaching {
            let first_side = self.sides.len() as u32;
            let sides = place
                .sides
                .iter()
                .map(|n| n.as_vec3().extend(0.0).to_array());
            self.sides.extend(sides);
            self.lights.push(PlacedLight {
                first_side,
                sides: place.sides.len() as u32,
                ..place.light
            });
        }
        self.lists.push(start..self.lights.len() as u32);
    }
}

/// Whether the light does anything.
fn shines(light: &Light) -> bool {
    light.room.is_some() && light.intensity.is_finite() && light.intensity > 0.0
}

/// A place on a drawn surface.
struct Sample {
    /// How much light falls on it, in the lights' own unit.
    illumination: f64,
    /// Its part of the surfaces of its room; lit places weigh more, since a lamp at one end of a
    /// long dark passage is made for that end.
    weight: f64,
}

/// The factor that makes lit rooms as bright as [`TYPICAL_WHITE`] on the mean. Brightness
/// saturates, so that neither a lamp against a wall nor a dark corner weighs much; and every
/// room counts the same, so that one hall does not set the exposure of a whole house.
fn exposure(samples: &[Sample]) -> f64 {
    let weight: f64 = samples.iter().map(|s| s.weight).sum();
    let brightness = |exposure: f64| {
        let parts = samples.iter().map(|s| {
            let light = s.illumination * exposure;
            s.weight * light / (1.0 + light)
        });
        parts.sum::<f64>() / weight
    };
    if weight <= 0.0 {
        return 1.0;
    }
    // Bisection over the powers of two: authors differ by factors of thousands.
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..40 {
        let middle: f64 = 0.5 * (low + high);
        if brightness(middle.exp2()) < TYPICAL_WHITE {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.exp2()
}

/// Places on the surfaces of lit rooms that face a light.
fn samples(level: &Level, lighting: &Lighting) -> Vec<Sample> {
    let rooms = level.rooms.iter().zip(&lighting.lists);
    let lit: Vec<_> = rooms.filter(|(_, list)| !list.is_empty()).collect();
    let mut samples = Vec::new();
    // Some hundred rooms tell as much as all of a huge level.
    for (room, list) in lit.iter().step_by(lit.len().div_ceil(512).max(1)) {
        let lights = &lighting.lights[list.start as usize..list.end as usize];
        let start = samples.len();
        sample_room(level, room, lights, &mut samples);
        let of_room = &mut samples[start..];
        let area: f64 = of_room.iter().map(|s| s.weight).sum();
        of_room.iter_mut().for_each(|s| s.weight /= area);
    }
    samples
}

/// Places on one room's surfaces, weighted by area and light.
fn sample_room(level: &Level, room: &Room, lights: &[PlacedLight], samples: &mut Vec<Sample>) {
    for draw in &level.draws[room.draws.start as usize..room.draws.end as usize] {
        let indices = &level.indices[draw.indices.start as usize..draw.indices.end as usize];
        // Enough for a mean, however fine the mesh is.
        let step = (indices.len() / 3).div_ceil(64).max(1);
        for corners in indices.chunks_exact(3).step_by(step) {
            let [a, b, c] = [0, 1, 2].map(|i| level.vertices[corners[i] as usize].position);
            let cross = (b - a).cross(c - a);
            let Some(normal) = cross.try_normalize() else {
                continue;
            };
            let centre = (a + b + c) / 3.0;
            for point in [
                centre,
                (centre + a) * 0.5,
                (centre + b) * 0.5,
                (centre + c) * 0.5,
            ] {
                let light: f32 = lights.iter().map(|l| l.on_surface(point, normal)).sum();
                if light > 0.0 {
                    samples.push(Sample {
                        illumination: f64::from(light),
                        weight: f64::from(cross.length() * light.sqrt()),
                    });
                }
            }
        }
    }
}

impl PlacedLight {
    /// How much light (greatest channel) falls on a surface; the same formula as in the shader,
    /// without the openings' sides.
    fn on_surface(&self, point: Vec3, normal: Vec3) -> f32 {
        if self.inverse_range_squared < 0.0 {
            return self.colour.max_element() * normal.dot(-self.direction).max(0.0);
        }
        let to_light = self.position - point;
        let distance_squared = to_light.length_squared().max(1e-4);
        let part = distance_squared * self.inverse_range_squared;
        let window = (1.0 - part * part).clamp(0.0, 1.0);
        let direction = to_light / distance_squared.sqrt();
        let spot = (-direction).dot(self.direction) * self.spot_scale + self.spot_offset;
        let spot = spot.clamp(0.0, 1.0);
        self.colour.max_element() * normal.dot(direction).max(0.0) * window * spot * spot
            / distance_squared
    }
}

/// The middle value; 0 of none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
