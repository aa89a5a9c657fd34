//! A light as it acts on one room, in the shader's layout.

use glam::{Vec3, Vec4};

use super::shadow::Shadow;
use crate::geometry::Rigid;
use crate::level::{Light, LightKind};

/// The way in which the light of lamps and suns is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LampLight {
    /// The shader computes the light of the strongest lamps and suns of a room, with shadow maps and highlights.
    #[default]
    Drawn,
    /// The light of all lamps and suns is part of the reflected light. It is drawn in a fraction of the time, with soft
    /// shadows and without highlights. Moving objects cast no shadows.
    Baked,
}

/// A light as it acts on one room, in the room's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct GpuLight {
    /// The position, metres.
    pub position: Vec3,
    /// 1 / range^2, in 1/m^2; negative for parallel light, which has no falloff.
    pub inverse_range_squared: f32,
    /// Linear RGB intensity: the radiance of a white surface at 1 m that faces the light, at exposure 1.
    pub colour: Vec3,
    /// The scale of the spot factor, which is `cos(angle) * spot_scale + spot_offset`, clamped to 0..1 and squared.
    pub spot_scale: f32,
    /// Unit direction of the light's rays.
    pub direction: Vec3,
    /// The offset of the spot factor; see `spot_scale`.
    pub spot_offset: f32,
    /// Index of the light's first opening in [`super::LightLists::clip_planes`].
    pub first_clip_plane: u32,
    /// The number of openings through which the light enters; 0 for a light in the room itself.
    pub opening_count: u32,
    /// The first view of its shadow map, counted over all of [`super::LightLists::shadows`].
    pub first_view: u32,
    /// The projection of its shadow map in the lowest 8 bits, see [`super::ShadowProjection`]: 0 for a cube, 1 for a cone,
    /// otherwise 1 more than the number of tiles along a side. The index of its factor in the other bits.
    pub projection: u32,
    /// The transform from the room's coordinates to those of the shadow map; see [`super::ShadowProjection`].
    pub map_from_room: [Vec4; 3],
    /// The radius of its sphere, metres; for parallel light the tangent of the angular radius of its disc. 0 for sharp
    /// shadows.
    pub radius: f32,
    /// The radius of the penumbra of an edge in the shadow map, per difference in depth; 1 is half of a view.
    pub penumbra: f32,
    /// Fills the size up to a multiple of 16 bytes.
    pub padding: [f32; 2],
}

/// The bits of the projection in [`GpuLight::projection`].
const PROJECTION_BITS: u32 = 8;

impl GpuLight {
    /// The light with a range of `range` metres and this radius, in the coordinates that `room_from_light` maps to;
    /// without its shadow and its clip planes.
    pub(super) fn new(light: &Light, room_from_light: &Rigid, range: f64, radius: f32) -> Self {
        // As KHR_lights_punctual recommends: a factor linear in the cosine, squared in the shader.
        let (spot_scale, spot_offset) = match light.kind {
            LightKind::Spot { inner, outer } => {
                let (inner, outer) = (libm::cosf(inner), libm::cosf(outer));
                let scale = 1.0 / (inner - outer).max(1e-3);
                (scale, -outer * scale)
            }
            LightKind::Point | LightKind::Directional => (0.0, 1.0),
        };
        let inverse_range_squared = match light.kind {
            LightKind::Directional => -1.0,
            LightKind::Point | LightKind::Spot { .. } => (1.0 / (range * range).max(1e-6)) as f32,
        };
        Self {
            position: room_from_light.point(light.position()).as_vec3(),
            inverse_range_squared,
            colour: Vec3::from_array(light.colour) * light.intensity,
            spot_scale,
            direction: room_from_light.vector(light.direction).as_vec3(),
            spot_offset,
            first_clip_plane: 0,
            opening_count: 0,
            first_view: 0,
            projection: 0,
            map_from_room: [Vec4::ZERO; 3],
            radius: match light.kind {
                LightKind::Directional => libm::tanf(radius),
                LightKind::Point | LightKind::Spot { .. } => radius,
            },
            penumbra: 0.0,
            padding: [0.0; 2],
        }
    }

    /// Returns the light without its indices into the clip planes and the views of shadow maps.
    pub(super) fn anywhere(&self) -> Self {
        Self {
            first_clip_plane: 0,
            first_view: 0,
            ..*self
        }
    }

    /// Whether the light is parallel, from a source at infinity.
    pub(super) fn is_parallel(&self) -> bool {
        self.inverse_range_squared < 0.0
    }

    /// Sets the index of the light's factor in a frame.
    pub(super) fn set_factor(&mut self, factor: u32) {
        self.projection |= factor << PROJECTION_BITS;
    }

    /// The index of the light's factor in a frame.
    pub(super) fn factor(&self) -> u32 {
        self.projection >> PROJECTION_BITS
    }

    /// Sets the shadow map in which the shader looks the light up.
    pub(super) fn set_shadow(&mut self, shadow: &Shadow, light_room_from_room: &Rigid) {
        self.projection |= shadow.projection_code();
        self.map_from_room = shadow.rows(light_room_from_room);
        self.penumbra = self.radius * shadow.penumbra() as f32;
    }

    /// Whether the light has a straight path to a point of the room through one of its openings.
    pub(super) fn passes(&self, point: Vec3, clip_planes: &[[f32; 4]]) -> bool {
        let is_inside = |plane: &[f32; 4]| Vec4::from_array(*plane).dot(point.extend(1.0)) >= 0.0;
        let mut rest = &clip_planes[self.first_clip_plane as usize..];
        let mut passes = (0..self.opening_count).map(|_| {
            let (of_opening, others) = rest[1..].split_at(rest[0][0] as usize);
            rest = others;
            of_opening.iter().all(is_inside)
        });
        self.opening_count == 0 || passes.any(|passes| passes)
    }

    /// The light that falls on a surface of the room, linear RGB; the same formula as in the shader, without shadows.
    pub(super) fn on_surface(&self, point: Vec3, normal: Vec3, clip_planes: &[[f32; 4]]) -> Vec3 {
        if self.is_parallel() {
            let facing = normal.dot(-self.direction);
            return if facing > 0.0 && self.passes(point, clip_planes) {
                self.colour * facing
            } else {
                Vec3::ZERO
            };
        }
        let to_light = self.position - point;
        let distance_squared = to_light.length_squared().max(1e-4);
        let part = distance_squared * self.inverse_range_squared;
        let window = (1.0 - part * part).clamp(0.0, 1.0);
        let direction = to_light / distance_squared.sqrt();
        let spot = (-direction).dot(self.direction) * self.spot_scale + self.spot_offset;
        let spot = spot.clamp(0.0, 1.0);
        let part = normal.dot(direction).max(0.0) * window * spot * spot / distance_squared;
        // The openings are tested last, because most lights are behind the surface or out of range.
        if part > 0.0 && self.passes(point, clip_planes) {
            self.colour * part
        } else {
            Vec3::ZERO
        }
    }
}
