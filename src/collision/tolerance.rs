//! Tolerances of sweeps, as fractions of the radius. They make neighbouring triangles one surface.

/// A face extends across an internal edge by this fraction of the radius. This is as wide as the gap between two
/// neighbours whose edge counts as flat ([`crate::level::EdgeKind`]).
pub(crate) const SEAM: f64 = 1e-4;

/// The relative rounding error of a height or of a squared distance. If two polygons are met within this tolerance of
/// each other, a quick test rejects neither.
pub(crate) const TIE: f64 = 1e-12;
