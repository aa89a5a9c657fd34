//! Axes of the passage through a portal, by which rooms at two portals are turned to each other.

use glam::{DMat3, DVec2, DVec3};

use super::Rigid;

/// Sine of the angle between a portal's plane and the horizontal below which the plane counts as horizontal.
const HORIZONTAL: f64 = 0.02;

/// The axes of a passage through a portal: orthogonal unit vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassageAxes {
    pub right: DVec3,
    pub up: DVec3,
    /// The direction of passage, a normal of the portal.
    pub forward: DVec3,
}

impl PassageAxes {
    /// The axes of the passage through a plane along the unit vector `forward`. Up is the vertical projected onto the
    /// plane, or north (-Z) if the plane is horizontal.
    pub(crate) fn of(forward: DVec3) -> Self {
        let in_plane = |axis: DVec3| axis - forward * axis.dot(forward);
        let vertical = in_plane(DVec3::Y);
        let up = if vertical.length() > HORIZONTAL {
            vertical.normalize_or(DVec3::Y)
        } else {
            in_plane(DVec3::NEG_Z).normalize_or(DVec3::NEG_Z)
        };
        Self {
            right: forward.cross(up),
            up,
            forward,
        }
    }

    /// The axes turned around `forward` by an angle, radians, clockwise as seen along `forward`.
    pub(crate) fn rolled(&self, angle: f64) -> Self {
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        Self {
            right: self.right * cosine - self.up * sine,
            up: self.up * cosine + self.right * sine,
            forward: self.forward,
        }
    }

    /// The coordinates of an offset in the plane: right and up, metres.
    pub(crate) fn in_plane(&self, offset: DVec3) -> DVec2 {
        DVec2::new(self.right.dot(offset), self.up.dot(offset))
    }

    /// The rotation from coordinates along these axes.
    pub(crate) fn matrix(&self) -> DMat3 {
        DMat3::from_cols(self.right, self.up, self.forward)
    }
}

/// The angle, radians, at which the far room appears through a portal with the normal `forward`: that of its passage's
/// up axis, clockwise from the near room's.
pub(crate) fn roll_of(forward: DVec3, far_from_near: &Rigid) -> f64 {
    let far_up = PassageAxes::of(far_from_near.vector(forward)).up;
    let far_up = far_from_near.inverse().vector(far_up);
    let up = PassageAxes::of(forward).in_plane(far_up);
    libm::atan2(up.x, up.y)
}
