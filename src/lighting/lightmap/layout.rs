//! What a lightmap is: surfaces laid out flat on pages of texels.

use std::ops::Range;

use glam::Vec3;

/// The drawn surfaces of a level laid out flat.
///
/// A page is to be read with clamped coordinates, its texels blended.
#[derive(Clone, Debug, PartialEq)]
pub struct Lightmap {
    /// Which of [`vertices`](crate::level::LevelData::vertices) each vertex to draw is a copy of: a vertex
    /// where charts meet is there once for each.
    pub vertices: Vec<u32>,
    /// For each of them: u and v in 1/65535 of the page's side, the page, 0. Unlit surfaces, and all
    /// of a level without charts, are at the first texel, which is open.
    pub places: Vec<[u16; 4]>,
    /// For each of them the middles of the outermost texels of its chart: minimum u and v, maximum u
    /// and v, in 1/65535 of the page's side. A place that is extrapolated beyond a triangle's edge
    /// is to be clamped to them.
    pub extents: Vec<[u16; 4]>,
    /// As [`indices`](crate::level::LevelData::indices), triangle by triangle, but into `vertices`.
    pub indices: Vec<u32>,
    /// The charts of all rooms and movers; none for a level without a lightmap.
    pub charts: Vec<Chart>,
    /// Ranges of `charts`: one for each room, then one for each mover.
    pub charts_of: Vec<Range<u32>>,
    /// The triangles of the charts, by number: corners are `3 * number..` in `indices`.
    pub triangles: Vec<u32>,
    /// Texels along the side of a page, a power of two.
    pub page_side: u32,
    /// How many pages there are, at least one.
    pub pages: u32,
    /// Part of the hemisphere above each texel from which light comes, 255 being all; page by
    /// page, row by row.
    pub sky_visibility: Vec<u8>,
}

/// A patch of a surface as a rectangle of texels. The outermost ones surround the patch, so that
/// blending never leaves the rectangle; across a narrow patch there is but one.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Its page.
    pub page: u32,
    /// Its first texel there: column, row.
    pub at: [u32; 2],
    /// Columns and rows.
    pub size: [u32; 2],
    /// The middle of the first texel, metres, in the room's coordinates, or the mover's. Exact where the patch is flat; where it bends, see
    /// [`Lightmap::texels`].
    pub origin: Vec3,
    /// From a texel's middle to that of the next in its row, metres.
    pub along_u: Vec3,
    /// From a texel's middle to that of the same column in the next row, metres.
    pub along_v: Vec3,
    /// Unit normal along which the patch is projected; that of the surface where it is flat, and
    /// within 45 degrees of it where the patch bends.
    pub normal: Vec3,
    /// Range of [`Lightmap::triangles`].
    pub triangles: Range<u32>,
}

/// How fine a lightmap is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Texels per metre, unless there would be too many in all.
    pub texels_per_metre: f64,
    /// Rays from each texel.
    pub rays: u32,
}

impl Default for Quality {
    fn default() -> Self {
        Self {
            texels_per_metre: 10.0,
            rays: 32,
        }
    }
}

impl Quality {
    /// For tests: a hundredth of the work.
    pub const COARSE: Self = Self {
        texels_per_metre: 2.5,
        rays: 16,
    };
}
