//! Tolerances of sweeps, relative to the radius: they make neighbouring triangles one surface.

/// A face extends across an internal edge by this part of the radius: as wide as the gap between the
/// neighbours of an edge that is taken for flat ([`crate::level::EdgeKind`]).
pub(crate) const SEAM: f64 = 1e-4;

/// The relative rounding error of a height or of a squared distance: a quick test does not reject a polygon
/// that is met within this tolerance of another one.
pub(crate) const TIE: f64 = 1e-12;
