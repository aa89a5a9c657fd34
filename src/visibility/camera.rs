//! The camera, and the matrices that the renderer needs.

use glam::{DMat3, DMat4, DVec3, DVec4};

use crate::level::At;

/// The depth of the near plane, metres. Nearer geometry is not drawn: an eye still nearer to a wall sees through it.
/// With reversed floating-point depth, a small value costs no precision elsewhere. Portals may be nearer; visibility
/// handles this.
pub const NEAR: f64 = 0.001;

/// A camera: position, orientation and field of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The position of the eye.
    pub at: At,
    /// The axes: columns are right, up and back (the camera looks along -Z), in the room's coordinates.
    pub axes: DMat3,
    /// Tangent of half the vertical field of view.
    pub tan_half_height: f64,
    /// Width over height of the picture.
    pub aspect: f64,
}

impl Camera {
    /// Creates a camera without roll. `angles` are the yaw and pitch of [`view_axes`]; `fov` is the vertical field of view
    /// in degrees, between 0 and 180; `aspect` is width over height.
    pub fn new(at: At, angles: [f64; 2], fov: f64, aspect: f64) -> Self {
        Self::with_axes(at, view_axes(angles), fov, aspect)
    }

    /// Creates a camera with the given [`Self::axes`]; otherwise like [`Self::new`].
    pub fn with_axes(at: At, axes: DMat3, fov: f64, aspect: f64) -> Self {
        Self {
            at,
            axes,
            tan_half_height: libm::tan((fov * 0.5).to_radians()),
            aspect,
        }
    }

    /// Yaw and pitch, as passed to [`Self::new`], of a camera without roll: -180 to 180 and -90 to 90 degrees.
    pub fn angles(&self) -> [f64; 2] {
        // The right axis stays horizontal when the camera looks straight up.
        let right = self.axes.x_axis;
        let yaw = libm::atan2(-right.z, right.x);
        let pitch = libm::asin(self.forward().y.clamp(-1.0, 1.0));
        [yaw.to_degrees(), pitch.to_degrees()]
    }

    /// The unit view direction, in the room's coordinates.
    pub fn forward(&self) -> DVec3 {
        -self.axes.z_axis
    }

    /// Tangents of half the horizontal and half the vertical field of view.
    pub fn tan_half(&self) -> [f64; 2] {
        [self.tan_half_height * self.aspect, self.tan_half_height]
    }

    /// The transform from the coordinates of the eye's room to view space: the eye is the origin and looks along -Z,
    /// +X is right, +Y is up.
    pub fn view_from_eye(&self) -> DMat4 {
        let rotation = self.axes.transpose();
        DMat4::from_mat3_translation(rotation, -(rotation * self.at.point))
    }

    /// The projection from view space to clip space: reversed Z, 1 at [`NEAR`] and 0 at infinity, y up.
    pub fn clip_from_view(&self) -> DMat4 {
        let [tan_x, tan_y] = self.tan_half();
        DMat4::from_cols(
            DVec4::X / tan_x,
            DVec4::Y / tan_y,
            -DVec4::W,
            DVec4::Z * NEAR,
        )
    }
}

/// The axes of a view without roll: columns are right, up and back. The yaw is in degrees from -Z, positive to the left;
/// the pitch in degrees, positive up.
pub fn view_axes([yaw, pitch]: [f64; 2]) -> DMat3 {
    let (sin_yaw, cos_yaw) = libm::sincos(yaw.to_radians());
    let (sin_pitch, cos_pitch) = libm::sincos(pitch.to_radians());
    let right = DVec3::new(cos_yaw, 0.0, -sin_yaw);
    let up = DVec3::new(sin_yaw * sin_pitch, cos_pitch, cos_yaw * sin_pitch);
    let back = DVec3::new(sin_yaw * cos_pitch, -sin_pitch, cos_yaw * cos_pitch);
    DMat3::from_cols(right, up, back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::RoomId;

    fn camera(yaw: f64, pitch: f64) -> Camera {
        Camera::new(
            At::new(RoomId(0), DVec3::new(1.0, 2.0, 3.0)),
            [yaw, pitch],
            90.0,
            2.0,
        )
    }

    #[test]
    fn yaw_turns_left_from_minus_z_and_pitch_looks_up() {
        let near = |a: DVec3, b: DVec3| (a - b).length() < 1e-12;
        assert!(near(camera(0.0, 0.0).forward(), DVec3::NEG_Z));
        assert!(near(camera(90.0, 0.0).forward(), DVec3::NEG_X));
        assert!(near(camera(0.0, 90.0).forward(), DVec3::Y));
        assert!(near(camera(-90.0, 0.0).forward(), DVec3::X));
    }

    #[test]
    fn the_angles_are_those_that_it_was_made_with() {
        for yaw in [-179.0, -90.0, 0.0, 12.5, 179.0] {
            for pitch in [-90.0, -45.0, 0.0, 89.0, 90.0] {
                let angles = camera(yaw, pitch).angles();
                for (found, made) in angles.into_iter().zip([yaw, pitch]) {
                    // The arc sine near 1 is exact to only half of the digits.
                    assert!((found - made).abs() < 1e-5, "{yaw} {pitch}: {angles:?}");
                }
            }
        }
    }

    #[test]
    fn the_axes_are_right_handed_and_orthogonal() {
        for (yaw, pitch) in [(0.0, 0.0), (33.0, 70.0), (-210.0, -90.0)] {
            let axes = camera(yaw, pitch).axes;
            assert!((axes.determinant() - 1.0).abs() < 1e-12);
            assert!((axes.transpose() * axes).abs_diff_eq(DMat3::IDENTITY, 1e-12));
        }
    }

    #[test]
    fn a_point_at_the_edge_of_the_picture_goes_to_the_edge_of_clip_space() {
        let camera = camera(90.0, 0.0);
        let clip = camera.clip_from_view() * camera.view_from_eye();
        // 10 m ahead, 20 m to the right (aspect 2, 90 degrees vertically), 10 m up: the top right corner.
        let corner = camera.at.point + 10.0 * DVec3::new(-1.0, 1.0, -2.0);
        let at = clip * corner.extend(1.0);
        assert!((at.truncate() / at.w - DVec3::new(1.0, 1.0, NEAR / 10.0)).length() < 1e-12);
        let near = clip * (camera.at.point + camera.forward() * NEAR).extend(1.0);
        assert!((near.z / near.w - 1.0).abs() < 1e-12);
    }
}
