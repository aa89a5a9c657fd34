//! The layout of a lightmap: surfaces laid out flat on pages of texels.

use std::ops::Range;

use glam::Vec3;

/// The drawn surfaces of a level laid out flat.
///
/// Pages must be sampled with clamped coordinates and linear filtering.
#[derive(Clone, Debug, PartialEq)]
pub struct Lightmap {
    /// The original of each vertex to draw, an index into [`vertices`](crate::level::LevelData::vertices). A vertex
    /// where charts meet is duplicated for each chart.
    pub vertices: Vec<u32>,
    /// The lightmap position of each vertex: `[u, v, page, 0]`, with u and v in 1/65535 of the page's side. Unlit
    /// surfaces, and all surfaces of a level without charts, use the first texel, which is unoccluded.
    pub places: Vec<[u16; 4]>,
    /// The extent of each vertex's chart, given by the centres of the outermost texels: minimum u and v, maximum u and
    /// v, in 1/65535 of the page's side. A position that is extrapolated beyond a triangle's edge must be clamped to
    /// it.
    pub extents: Vec<[u16; 4]>,
    /// Triangle indices like [`indices`](crate::level::LevelData::indices), but into `vertices`.
    pub indices: Vec<u32>,
    /// The charts of all rooms and movers; none for a level without a lightmap.
    pub charts: Vec<Chart>,
    /// Ranges of `charts`: one for each room, then one for each mover.
    pub charts_of: Vec<Range<u32>>,
    /// The triangles of the charts, by number: corners are `3 * number..` in `indices`.
    pub triangles: Vec<u32>,
    /// Texels along the side of a page, a power of two.
    pub page_side: u32,
    /// The number of pages, at least one.
    pub pages: u32,
    /// The fraction of the hemisphere above each texel from which light arrives, 255 for all of it; page by page, row
    /// by row.
    pub sky_visibility: Vec<u8>,
}

/// A patch of a surface as a rectangle of texels. The outermost texels surround the patch, so that blending never
/// leaves the rectangle. A narrow patch has only one texel across.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The index of its page.
    pub page: u32,
    /// The first texel on the page: column, row.
    pub at: [u32; 2],
    /// Columns and rows.
    pub size: [u32; 2],
    /// The centre of the first texel, metres, in the coordinates of the room or mover. Exact for a flat patch; for a
    /// curved patch, see [`Lightmap::texels`].
    pub origin: Vec3,
    /// The offset from a texel's centre to that of the next texel in its row, metres.
    pub along_u: Vec3,
    /// The offset from a texel's centre to that of the same column in the next row, metres.
    pub along_v: Vec3,
    /// The unit normal along which the patch is projected: the surface normal of a flat patch, and within 45 degrees
    /// of it on a curved patch.
    pub normal: Vec3,
    /// The range of [`Lightmap::triangles`].
    pub triangles: Range<u32>,
}

impl Lightmap {
    /// Index of a chart's texel, given by column and row, in the lists of texels.
    pub(in crate::lighting) fn texel_index(&self, chart: &Chart, [column, row]: [u32; 2]) -> usize {
        let side = self.page_side as usize;
        let page_row = chart.page as usize * side + (chart.at[1] + row) as usize;
        page_row * side + (chart.at[0] + column) as usize
    }
}

/// The resolution and sampling quality of a lightmap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightmapQuality {
    /// Texels per metre, unless the total would be too large.
    pub texels_per_metre: f64,
    /// The number of rays from each texel.
    pub rays: u32,
}

impl Default for LightmapQuality {
    fn default() -> Self {
        Self {
            texels_per_metre: 10.0,
            rays: 32,
        }
    }
}

impl LightmapQuality {
    /// A quality for tests, with a hundredth of the work.
    pub const COARSE: Self = Self {
        texels_per_metre: 2.5,
        rays: 16,
    };
}
