//! Snaps corners of faces to a grid, to find equal ones.

use glam::DVec3;

/// Grid spacing, metres: closer corners are usually merged. Corners on both sides of a rounding boundary are found to
/// be closed later.
const WELD: f64 = 1.0 / 1024.0;

/// A corner on the grid.
pub(super) type GridCorner = [i64; 3];

/// The point of the grid that is nearest to a point.
pub(super) fn corner(point: DVec3) -> GridCorner {
    (point / WELD).round().to_array().map(|x| x as i64)
}
