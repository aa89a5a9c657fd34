//! Charts: patches as rectangles of texels, before they are placed on a page.

use glam::{DVec2, DVec3};

use super::patches::{SurfacePatch, corners_of};
use crate::level::Level;

/// The rectangle along one of the patch's own edges is used if its area is at most this fraction of the area of the
/// rectangle along the world's axes. Texels of neighbouring charts coincide only along the world's axes.
const WORTH_TURNING: f64 = 0.9;
/// The width in texels below which a patch gets a single texel across and no texels around it.
const NARROW: f64 = 0.5;
/// The minimum distance in texels from the patch to the centres of the outermost texels around it. Positions on a page
/// are exact to a 64th of a texel, and blending must stay inside.
const MARGIN: f64 = 1.0 / 32.0;

/// A patch's outline and its bounding rectangle along two axes.
#[derive(Debug)]
pub(super) struct ChartOutline {
    /// The unit normal along which the patch is projected.
    pub normal: DVec3,
    /// Unit vectors in the plane; right-handed together with the normal.
    pub axes: [DVec3; 2],
    /// A point of the patch.
    pub at: DVec3,
    /// The extent along each axis, metres from the level's origin.
    pub min: DVec2,
    pub max: DVec2,
    /// The triangles, as in [`SurfacePatch`].
    pub triangles: Vec<u32>,
}

/// A row of texels along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TexelSpan {
    /// The centre of the first texel, metres along the axis.
    pub first: f64,
    /// The number of texels.
    pub count: u32,
}

impl ChartOutline {
    pub(super) fn of(level: &Level, patch: SurfacePatch) -> Self {
        let SurfacePatch { normal, triangles } = patch;
        let seed = corners_of(level, triangles[0]).corners;
        let mut best = Self::along(level, normal, world_axis(normal), &triangles);
        let mut least = WORTH_TURNING * best.area();
        for i in 0..3 {
            let side = seed[(i + 1) % 3] - seed[i];
            let turned = Self::along(level, normal, side, &triangles);
            if turned.area() < least {
                least = turned.area();
                best = turned;
            }
        }
        Self {
            at: seed[0],
            triangles,
            ..best
        }
    }

    /// The rectangle with a side in this direction.
    fn along(level: &Level, normal: DVec3, direction: DVec3, triangles: &[u32]) -> Self {
        let u = (direction - normal * normal.dot(direction)).normalize_or_zero();
        let axes = [u, normal.cross(u)];
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &triangle in triangles {
            for corner in corners_of(level, triangle).corners {
                let at = DVec2::from_array(axes.map(|axis| axis.dot(corner)));
                min = min.min(at);
                max = max.max(at);
            }
        }
        Self {
            normal,
            axes,
            at: DVec3::ZERO,
            min,
            max,
            triangles: Vec::new(),
        }
    }

    /// The area, square metres.
    fn area(&self) -> f64 {
        (self.max - self.min).element_product()
    }

    /// The density, texels per metre, at which the outline is at most `max` texels long.
    fn density(&self, wanted: f64, max: u32) -> f64 {
        let length = (self.max - self.min).max_element();
        // The texels are `length` rounded up, plus the centres beyond both ends.
        wanted.min(f64::from(max - 3) / length.max(f64::MIN_POSITIVE))
    }

    /// The texels along both axes, and the density, texels per metre. Their centres are at half-integer multiples of
    /// the texel size from the level's origin: texels of charts in one plane coincide, and no centre lies exactly in a
    /// wall, since authors prefer round numbers.
    pub(super) fn spans(&self, wanted: f64, max: u32) -> ([TexelSpan; 2], f64) {
        let density = self.density(wanted, max);
        let spans = [0, 1].map(|axis| {
            let (min, max) = (self.min[axis] * density, self.max[axis] * density);
            if max - min < NARROW {
                return TexelSpan {
                    first: 0.5 * (min + max) / density,
                    count: 1,
                };
            }
            let first = (min - 0.5 - MARGIN).floor();
            let last = (max - 0.5 + MARGIN).ceil();
            TexelSpan {
                first: (first + 0.5) / density,
                count: (last - first) as u32 + 1,
            }
        });
        (spans, density)
    }
}

/// The world axis that is most nearly in the plane with this normal; in a tie x before z before y.
fn world_axis(normal: DVec3) -> DVec3 {
    let axes = [DVec3::X, DVec3::Z, DVec3::Y];
    let tilt = |axis: &DVec3| normal.dot(*axis).abs();
    let nearest = axes.into_iter().min_by(|a, b| tilt(a).total_cmp(&tilt(b)));
    nearest.unwrap_or(DVec3::X)
}
