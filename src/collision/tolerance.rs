//! Tolerances of sweeps, relative to the radius: the numbers that make neighbouring triangles one surface.

/// A face whose edge is inside a surface reaches over it by this part of the radius: as far as
/// the neighbours of an edge taken for flat leave open between them ([`crate::level::EdgeKind`]).
pub(crate) const SEAM: f64 = 1e-4;

/// What rounding may make of a height or of a squared distance, as part of it: a polygon that is met
/// within so much of another is not left out by a quick test.
pub(crate) const TIE: f64 = 1e-12;
