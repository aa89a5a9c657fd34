//! Corners of faces on a grid, so that equal ones are found.

use glam::DVec3;

/// Corners nearer to each other than this, metres, are one; those that a step of the grid parts are found to
/// be closed later.
const WELD: f64 = 1.0 / 1024.0;

/// A corner on the grid.
pub(super) type Corner = [i64; 3];

/// The point of the grid that is nearest to a point.
pub(super) fn corner(point: DVec3) -> Corner {
    (point / WELD).round().to_array().map(|x| x as i64)
}
