//! Charts: patches as rectangles of texels, first without a place on a page.

use glam::{DVec2, DVec3};

use super::patches::{Patch, corners_of};
use crate::level::Level;

/// How much smaller than along the axes of the world the rectangle around a patch must be along
/// one of its own sides: only along the world's do texels of neighbouring charts coincide.
const WORTH_TURNING: f64 = 0.9;
/// A patch narrower than so many texels has one across, which needs no neighbours.
const NARROW: f64 = 0.5;
/// Texels by which the middles of the outermost ones lie beyond the patch at least, so that
/// blending stays inside: places on a page are exact to a 64th of a texel.
const MARGIN: f64 = 1.0 / 32.0;

/// A patch with axes: its outline, and a rectangle around that.
#[derive(Debug)]
pub(super) struct Outline {
    /// Unit normal along which it is projected.
    pub normal: DVec3,
    /// Unit vectors; with the normal a right-handed system.
    pub axes: [DVec3; 2],
    /// A point of the patch.
    pub at: DVec3,
    /// Its extent along each axis, metres from the level's origin.
    pub min: DVec2,
    pub max: DVec2,
    /// As in [`Patch`].
    pub triangles: Vec<u32>,
}

/// Texels along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// Where the middle of the first one lies, metres along the axis.
    pub first: f64,
    /// How many.
    pub count: u32,
}

impl Outline {
    pub(super) fn of(level: &Level, patch: Patch) -> Self {
        let Patch { normal, triangles } = patch;
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

    /// Square metres.
    fn area(&self) -> f64 {
        (self.max - self.min).element_product()
    }

    /// The density, texels per metre, at which it is at most `max` texels long.
    fn density(&self, wanted: f64, max: u32) -> f64 {
        let length = (self.max - self.min).max_element();
        // The extent in whole texels, the middles beyond both ends.
        wanted.min(f64::from(max - 3) / length.max(f64::MIN_POSITIVE))
    }

    /// Its texels along both axes, and how many there are in a metre. Their middles are at whole
    /// texels and a half from the level's origin, so that those of charts in one plane coincide
    /// and none lies exactly in a wall, since authors like round numbers.
    pub(super) fn spans(&self, wanted: f64, max: u32) -> ([Span; 2], f64) {
        let density = self.density(wanted, max);
        let spans = [0, 1].map(|axis| {
            let (min, max) = (self.min[axis] * density, self.max[axis] * density);
            if max - min < NARROW {
                return Span {
                    first: 0.5 * (min + max) / density,
                    count: 1,
                };
            }
            let first = (min - 0.5 - MARGIN).floor();
            let last = (max - 0.5 + MARGIN).ceil();
            Span {
                first: (first + 0.5) / density,
                count: (last - first) as u32 + 1,
            }
        });
        (spans, density)
    }
}

/// The axis of the world that is most nearly in the plane with this normal; x before z before y.
fn world_axis(normal: DVec3) -> DVec3 {
    let axes = [DVec3::X, DVec3::Z, DVec3::Y];
    let tilt = |axis: &DVec3| normal.dot(*axis).abs();
    let nearest = axes.into_iter().min_by(|a, b| tilt(a).total_cmp(&tilt(b)));
    nearest.unwrap_or(DVec3::X)
}
