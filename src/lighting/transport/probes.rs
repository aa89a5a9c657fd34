//! Probes: reflected light that arrives from all directions at places in the air, for objects that move freely.
//!
//! A probe reads the radiosities that nodes read, along rays of its own, so that it follows the doors as they do. Its
//! light is stored as spherical harmonics up to the first order: the mean in colour, the directions in luminance
//! (R. Ramamoorthi and P. Hanrahan, "An Efficient Representation for Irradiance Environment Maps", 2001, section 3).

use std::ops::Range;

use glam::Vec3;

use super::chains::ChainId;
use super::probe_grid::{NO_PROBE, ProbeLayout, ProbeSite};
use crate::level::RoomId;
use crate::lighting::gpu_light::LampLight;

/// The number of rays of a probe.
pub(super) const RAYS: usize = 64;
/// The number of sets of directions, for neighbouring probes.
pub(super) const SETS: usize = 4;

/// The probes of a level.
#[derive(Debug, Default)]
pub(in crate::lighting) struct Probes {
    pub(super) layout: ProbeLayout,
    /// The sites of all grids.
    pub(super) sites: Vec<ProbeSite>,
    /// For each octant of each cell, which of the cell's sites are in sight from its centre: one bit each, in the order of
    /// [`super::probe_grid::CORNERS`].
    pub(super) in_sight: Vec<u8>,
    /// The probes, by room.
    pub(super) probes: Vec<Probe>,
    pub(super) bundles: Vec<ProbeBundle>,
    pub(super) rays: Vec<ProbeRay>,
    /// Light of lamps and suns.
    pub(super) direct: Vec<ProbeDirect>,
}

/// A place in the air.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub room: RoomId,
    pub bundles: Range<u32>,
    pub direct: Range<u32>,
}

/// Light of lamps and suns that arrives at a probe through the same links.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct ProbeDirect {
    pub chain: ChainId,
    /// The mean over all directions, at exposure 1.
    pub light: LightSum,
    /// The part of `light` that comes from lights that are not in the room's list.
    pub unlisted: LightSum,
}

/// Rays of a probe that pass the same links.
#[derive(Clone, Debug)]
pub(super) struct ProbeBundle {
    pub chain: ChainId,
    /// The rays that end on a surface.
    pub rays: Range<u32>,
    /// The number of rays, including those that end in the sky.
    pub count: f32,
    /// The sum of the directions of all rays.
    pub directions: Vec3,
    /// The light of the rays that end in the sky.
    pub sky: LightSum,
}

/// A ray of a probe: the number of its direction in the upper 8 bits, and the source that it reads, a node or a room
/// after the last node, in the others.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct ProbeRay(u32);

impl ProbeRay {
    const BITS: u32 = 24;

    pub(super) fn new(source: u32, direction: usize) -> Self {
        Self(source | (direction as u32) << Self::BITS)
    }

    pub(super) fn source(self) -> u32 {
        self.0 & ((1 << Self::BITS) - 1)
    }

    pub(super) fn direction(self) -> usize {
        (self.0 >> Self::BITS) as usize
    }
}

/// Radiances of rays, and radiances times directions; also their means.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct LightSum {
    /// Linear RGB, 1 being white on the screen.
    pub radiance: Vec3,
    /// The luminance of each ray times its direction.
    pub flow: Vec3,
}

/// Ambient irradiance that depends on the normal: `irradiance * (1 + gradient . normal)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AmbientLight {
    /// The mean of all directions, linear RGB, 1 being white on the screen.
    pub irradiance: Vec3,
    /// The relative excess from this vector's direction, in the coordinates of the room; at most 1 long.
    pub gradient: Vec3,
}

/// The light on all probes for a state of the doors.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::lighting) struct ProbeLight {
    /// The mean of each probe's rays.
    of_probes: Vec<LightSum>,
    /// Whether all links of each chain are open.
    is_open: Vec<bool>,
}

impl LightSum {
    /// Adds a ray.
    pub(super) fn add(&mut self, radiance: Vec3, direction: Vec3) {
        self.add_rays(radiance, 1.0, direction);
    }

    /// Adds rays of the same radiance.
    fn add_rays(&mut self, radiance: Vec3, count: f32, directions: Vec3) {
        self.radiance += radiance * count;
        self.flow += luminance(radiance) * directions;
    }

    fn add_scaled(&mut self, other: &Self, factor: f32) {
        self.radiance += other.radiance * factor;
        self.flow += other.flow * factor;
    }

    /// The irradiance of these means. It is nowhere negative: light that is less uniform than that of a hemisphere counts
    /// as that of a hemisphere.
    fn irradiance(&self) -> AmbientLight {
        let mean = luminance(self.radiance);
        let gradient = if mean > 0.0 {
            (self.flow * (2.0 / mean)).clamp_length_max(1.0)
        } else {
            Vec3::ZERO
        };
        AmbientLight {
            irradiance: self.radiance,
            gradient,
        }
    }
}

impl Probes {
    /// The reflected light at a point of a room, metres; `None` if no probe is in sight.
    pub(in crate::lighting) fn light_at(
        &self,
        light: &ProbeLight,
        room: RoomId,
        point: Vec3,
    ) -> Option<AmbientLight> {
        let grid = self.layout.grids.get(room.0 as usize)?;
        let (mut sum, mut weights) = (LightSum::default(), 0.0);
        for (site, weight) in grid.around(point, &self.in_sight) {
            let ProbeSite { probe, chain } = self.sites[site as usize];
            let is_open = light.is_open.get(chain as usize) == Some(&true);
            if weight > 0.0 && probe != NO_PROBE && is_open {
                sum.add_scaled(&light.of_probes[probe as usize], weight);
                weights += weight;
            }
        }
        (weights > 0.0).then(|| {
            let mut mean = LightSum::default();
            mean.add_scaled(&sum, 1.0 / weights);
            mean.irradiance()
        })
    }

    pub(super) fn bundles_of(&self, probe: &Probe) -> &[ProbeBundle] {
        &self.bundles[probe.bundles.start as usize..probe.bundles.end as usize]
    }

    pub(super) fn direct_of(&self, probe: &Probe) -> &[ProbeDirect] {
        &self.direct[probe.direct.start as usize..probe.direct.end as usize]
    }

    pub(super) fn rays_of(&self, bundle: &ProbeBundle) -> &[ProbeRay] {
        &self.rays[bundle.rays.start as usize..bundle.rays.end as usize]
    }
}

impl ProbeLight {
    /// Gathers the light of the probes in rooms for which `is_changed` holds. `ends` has for each chain the room in which
    /// its rays meet a shut link, and `radiosities` those of nodes, then of rooms, of which the first is number
    /// `first_room`. The tuple has the exposure, the minimum ambient irradiance, and the light of lamps to include.
    pub(super) fn update(
        &mut self,
        probes: &Probes,
        ends: &[Option<RoomId>],
        (radiosities, first_room): (&[Vec3], usize),
        (exposure, min_ambient, lamps): (f32, f32, LampLight),
        is_changed: impl Fn(RoomId) -> bool,
    ) {
        self.is_open.clear();
        self.is_open.extend(ends.iter().map(Option::is_none));
        let directions = directions();
        self.of_probes
            .resize(probes.probes.len(), LightSum::default());
        for (probe, light) in probes.probes.iter().zip(&mut self.of_probes) {
            if !is_changed(probe.room) {
                continue;
            }
            let mut sum = LightSum::default();
            for bundle in probes.bundles_of(probe) {
                match ends[bundle.chain as usize] {
                    None => {
                        sum.add_scaled(&bundle.sky, 1.0);
                        for ray in probes.rays_of(bundle) {
                            let radiance = radiosities[ray.source() as usize];
                            sum.add(radiance, directions[ray.direction()]);
                        }
                    }
                    Some(room) => {
                        let radiance = radiosities[first_room + room.0 as usize];
                        sum.add_rays(radiance, bundle.count, bundle.directions);
                    }
                }
            }
            *light = LightSum::default();
            light.add_scaled(&sum, 1.0 / RAYS as f32);
            light.radiance += min_ambient;
            for direct in probes.direct_of(probe) {
                if ends[direct.chain as usize].is_none() {
                    let arrives = match lamps {
                        LampLight::Drawn => &direct.unlisted,
                        LampLight::Baked => &direct.light,
                    };
                    light.add_scaled(arrives, exposure);
                }
            }
        }
    }
}

/// Unit vectors in [`SETS`] sets of [`RAYS`], each distributed evenly over the sphere: golden spirals.
pub(super) fn directions() -> [Vec3; SETS * RAYS] {
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    std::array::from_fn(|number| {
        let (set, index) = (number / RAYS, (number % RAYS) as f64);
        let height = 1.0 - (2.0 * index + 1.0) / RAYS as f64;
        let radius = (1.0 - height * height).sqrt();
        let turn = std::f64::consts::TAU * set as f64 / SETS as f64;
        let (sin, cos) = libm::sincos(GOLDEN_ANGLE * index + turn);
        let [x, y, z] = [radius * cos, height, radius * sin];
        // The axis of the spiral is not that of the walls.
        Vec3::new(
            (0.8 * x - 0.6 * y) as f32,
            (0.6 * x + 0.8 * y) as f32,
            z as f32,
        )
    })
}

fn luminance(colour: Vec3) -> f32 {
    colour.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}
