//! Snaps the corners of faces to a grid, so that equal corners can be found.

use glam::DVec3;

/// Spacing of the grid, metres. Most corners that are closer than this get the same grid point. Close corners on both
/// sides of a rounding boundary do not; later tests accept the gap between them.
const WELD: f64 = 1.0 / 1024.0;

/// A corner on the grid.
pub(super) type GridCorner = [i64; 3];

/// The point of the grid that is nearest to a point.
pub(super) fn corner(point: DVec3) -> GridCorner {
    (point / WELD).round().to_array().map(|x| x as i64)
}
