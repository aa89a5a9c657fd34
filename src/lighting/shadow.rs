//! Shadow maps as data: their projections and their casters.
//!
//! In light space the lamp is at the origin. The map of a point light has six views, one along each half axis. That of
//! a spot has one view along +Z. That of parallel light is made for one room and is a square of tiles. Depth is
//! reversed, 1 near the light. It is linear over the plane of any polygon, so that the shader computes a polygon's own
//! depth at any texel and compares it with the texel: a plane needs no bias to keep from shadowing itself.

use std::ops::Range;

use glam::{DMat3, DMat4, DVec2, DVec3, DVec4, Mat4, Vec4};

use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, Light, LightKind, RoomId};

/// Depth of the near plane of lamps, metres; as in the shader.
const NEAR: f64 = 0.02;
/// The part of a view's side without the guard bands, which provide neighbours for filtering; as in the shader. The
/// guard band limits the width of penumbras: a 16th of the side.
pub(super) const INNER: f64 = 0.875;
/// The maximum angle of a spot from its axis, radians; a wider spot uses the six views of a point light.
const MAX_SPOT_ANGLE: f32 = 1.05;
/// The maximum size of a tile of parallel light, metres; exceeded if the room needs more than [`MAX_TILES`] tiles.
const TILE_METRES: f64 = 8.0;
/// The margin of the depth range of parallel light beyond all casters, metres.
const DEPTH_MARGIN: f64 = 0.1;
/// The maximum number of tiles of parallel light along a side.
const MAX_TILES: u32 = 4;

/// Geometry that casts shadows.
#[derive(Clone, Debug, PartialEq)]
pub struct Caster {
    /// The transform from the caster's coordinates, those of a room or mover, to those of the light's room.
    pub light_room_from_room: Rigid,
    /// The caster's range in [`draws`](crate::level::LevelData::draws).
    pub draws: Range<u32>,
    /// The bounds, in the caster's coordinates.
    pub bounds: Aabb,
}

impl Caster {
    pub(super) fn room(level: &Level, room: RoomId, light_room_from_room: Rigid) -> Self {
        let room = level.room(room);
        Self {
            light_room_from_room,
            draws: room.draws.clone(),
            bounds: room.bounds,
        }
    }

    /// Creates the caster of a mover or a body.
    pub(super) fn of(level: &Level, draws: Range<u32>, light_room_from_model: Rigid) -> Self {
        let ranges = &level.draws[draws.start as usize..draws.end as usize];
        let indices = ranges.iter().flat_map(|draw| draw.indices.clone());
        let corners = indices.map(|i| level.indices[i as usize]);
        let corners = corners.map(|v| level.vertices[v as usize].position.as_dvec3());
        Self {
            light_room_from_room: light_room_from_model,
            draws,
            bounds: Aabb::around(corners),
        }
    }
}

/// A shadow map.
#[derive(Clone, Debug, PartialEq)]
pub struct Shadow {
    /// The projection of its views.
    pub projection: ShadowProjection,
    /// The transform from the coordinates of the light's room to light space.
    pub light_from_light_room: Rigid,
    /// The geometry drawn into it.
    pub casters: Vec<Caster>,
    /// The radius of the light: in metres; for parallel light the tangent of the angular radius of its disc.
    pub radius: f64,
    /// Whether back faces cast no shadow: parallel light in a closed room without sky must pass its ceiling.
    pub fronts_only: bool,
}

/// The views of a shadow map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShadowProjection {
    /// Six square views around a point.
    Cube,
    /// A square pyramid along +Z.
    Cone {
        /// Tangent of half the angle.
        tan: f64,
    },
    /// A square perpendicular to parallel light along +Z, in `tiles * tiles` tiles.
    Tiles {
        /// Tiles along a side.
        tiles: u32,
        /// Half the side, metres.
        half: f64,
        /// Minimum and maximum z, metres.
        depth: [f64; 2],
    },
}

impl Shadow {
    /// Creates the map of a lamp in its own room.
    pub(super) fn of_lamp(light: &Light, casters: Vec<Caster>) -> Self {
        let (projection, rotation) = match light.kind {
            LightKind::Spot { outer, .. } if outer <= MAX_SPOT_ANGLE => {
                let tan = libm::tan(f64::from(outer)).max(1e-3);
                (ShadowProjection::Cone { tan }, along_z(light.direction))
            }
            _ => (ShadowProjection::Cube, DMat3::IDENTITY),
        };
        Self {
            projection,
            light_from_light_room: Rigid::new(rotation, -(rotation * light.position())),
            casters,
            radius: f64::from(light.radius),
            fronts_only: false,
        }
    }

    /// Creates the map of parallel light for a room's bounds, without casters.
    pub(super) fn of_sun(
        light: &Light,
        bounds: &Aabb,
        light_room_from_room: &Rigid,
        fronts_only: bool,
    ) -> Self {
        let rotation = along_z(light.direction);
        let turned = Rigid::new(rotation, DVec3::ZERO);
        let lit = bounds.transformed(&turned.after(light_room_from_room));
        let size = lit.max - lit.min;
        let side = size.x.max(size.y).max(0.1);
        let centre = lit.centre();
        Self {
            projection: ShadowProjection::Tiles {
                tiles: ((side / TILE_METRES).ceil() as u32).clamp(1, MAX_TILES),
                half: side * 0.5 + 0.01,
                depth: [lit.min.z - DEPTH_MARGIN, lit.max.z + DEPTH_MARGIN],
            },
            light_from_light_room: Rigid::new(rotation, -DVec3::new(centre.x, centre.y, 0.0)),
            casters: Vec::new(),
            radius: libm::tan(f64::from(light.radius)),
            fronts_only,
        }
    }

    /// Adds casters, and extends the depth range to contain them.
    pub(super) fn add_casters(&mut self, casters: Vec<Caster>) {
        for caster in casters {
            let light_from_room = self
                .light_from_light_room
                .after(&caster.light_room_from_room);
            let bounds = caster.bounds.transformed(&light_from_room);
            if let ShadowProjection::Tiles { depth, .. } = &mut self.projection {
                depth[0] = depth[0].min(bounds.min.z - DEPTH_MARGIN);
                depth[1] = depth[1].max(bounds.max.z + DEPTH_MARGIN);
            }
            if !self.casters.contains(&caster) {
                self.casters.push(caster);
            }
        }
    }

    /// The number of views.
    pub fn view_count(&self) -> u32 {
        match self.projection {
            ShadowProjection::Cube => 6,
            ShadowProjection::Cone { .. } => 1,
            ShadowProjection::Tiles { tiles, .. } => tiles * tiles,
        }
    }

    /// The radius of the penumbra of an edge, per radius of the light and difference in depth between the edge and the
    /// lit surface; 1 is half of a view without its guard bands. As depth is hyperbolic, the penumbra is linear in it.
    pub(super) fn penumbra(&self) -> f64 {
        match self.projection {
            ShadowProjection::Cube => 1.0 / NEAR,
            ShadowProjection::Cone { tan } => 1.0 / (NEAR * tan),
            ShadowProjection::Tiles { tiles, half, depth } => {
                (depth[1] - depth[0]) / half * f64::from(tiles)
            }
        }
    }

    /// The radius of the penumbra of an edge, in texels of a map that is `size` texels wide, per difference in depth.
    #[cfg(feature = "gpu")]
    pub(crate) fn penumbra_texels(&self, size: u32) -> f64 {
        self.radius * self.penumbra() * f64::from(size) * INNER * 0.5
    }

    /// The transform from light space to the clip space of a view.
    pub fn clip_from_light(&self, view: u32) -> DMat4 {
        match self.projection {
            ShadowProjection::Cube => perspective(INNER) * DMat4::from_mat3(face(view)),
            ShadowProjection::Cone { tan } => perspective(INNER / tan),
            ShadowProjection::Tiles { tiles, half, depth } => {
                let [near, far] = depth;
                let tile = DVec2::new(f64::from(view % tiles), f64::from(view / tiles));
                let scale = f64::from(tiles) / half;
                let centre = (tile * 2.0 + 1.0 - f64::from(tiles)) / f64::from(tiles) * half;
                let z = -1.0 / (far - near);
                DMat4::from_cols(
                    DVec4::X * scale * INNER,
                    DVec4::Y * scale * INNER,
                    DVec4::Z * z,
                    (-(centre * scale * INNER))
                        .extend(1.0 - near * z)
                        .extend(1.0),
                )
            }
        }
    }

    /// Rows of the affine transform with which the shader maps a point of a room to the shadow map. For a cube the
    /// transform maps to light space. For a cone or tiles it is scaled so that the map spans -1 to 1; for tiles, z is
    /// the depth.
    pub(super) fn rows(&self, light_room_from_room: &Rigid) -> [Vec4; 3] {
        let light_from_room = self.light_from_light_room.after(light_room_from_room);
        let (rotation, t) = (light_from_room.rotation(), light_from_room.translation());
        let mut rows = [0, 1, 2].map(|i| rotation.row(i).extend(t[i]));
        match self.projection {
            ShadowProjection::Cube => {}
            ShadowProjection::Cone { tan } => {
                rows[0] /= tan;
                rows[1] /= tan;
            }
            ShadowProjection::Tiles { half, depth, .. } => {
                rows[0] /= half;
                rows[1] /= half;
                rows[2] = (DVec4::W * depth[1] - rows[2]) / (depth[1] - depth[0]);
            }
        }
        rows.map(|row| row.as_vec4())
    }

    /// The projection as a number for the shader: 0 for the cube, 1 for the cone, otherwise 1 more than the number of
    /// tiles along a side.
    pub(super) fn projection_code(&self) -> u32 {
        match self.projection {
            ShadowProjection::Cube => 0,
            ShadowProjection::Cone { .. } => 1,
            ShadowProjection::Tiles { tiles, .. } => 1 + tiles,
        }
    }
}

/// The rotation from a unit direction to +Z.
fn along_z(direction: DVec3) -> DMat3 {
    let x = direction.any_orthonormal_vector();
    DMat3::from_cols(x, direction.cross(x), direction).transpose()
}

/// The rotation from light space to a face of the cube, with the face's axis as z: +X, -X, +Y, -Y, +Z, -Z are views 0
/// to 5. The next two axes are x and y. Some faces are mirrored by the rotation, which does not affect shadows.
fn face(view: u32) -> DMat3 {
    let axis = (view / 2) as usize;
    let sign = if view.is_multiple_of(2) { 1.0 } else { -1.0 };
    let unit = |i: usize| DMat3::IDENTITY.col(i % 3);
    DMat3::from_cols(unit(axis + 1), unit(axis + 2), unit(axis) * sign).transpose()
}

/// A perspective projection along +Z; depth is NEAR / z.
fn perspective(scale: f64) -> DMat4 {
    DMat4::from_cols(
        DVec4::X * scale,
        DVec4::Y * scale,
        DVec4::W,
        DVec4::Z * NEAR,
    )
}

/// The matrix with which a caster is drawn; `light_room_from_room` is the transform from the caster's coordinates to
/// those of the light's room.
pub fn clip_from_room(shadow: &Shadow, light_room_from_room: &Rigid, view: u32) -> Mat4 {
    let light = shadow.light_from_light_room.after(light_room_from_room);
    let light_from_room = DMat4::from_mat3_translation(light.rotation(), light.translation());
    (shadow.clip_from_light(view) * light_from_room).as_mat4()
}
