//! Volumes of space that a camera sees through an aperture, for culling boxes and spheres.

use glam::DVec3;

use super::aperture::{Aperture, DIRECTIONS, SLOP};
use super::camera::Camera;
use crate::geometry::{Aabb, Plane, Rigid};

/// The number of sides: two for each direction of an aperture, and the plane of the eye.
const SIDES: usize = 2 * DIRECTIONS.len() + 1;

/// The convex volume that a camera sees through an aperture, in coordinates of the camera's room: the eight sides of
/// the aperture, and the plane of the eye.
///
/// Its tests are conservative: they may keep an invisible object, but never drop one with a visible point. Each side
/// is moved out by `SLOP` (2 mm), far more than the rounding of the planes in f64 and of drawn coordinates in f32.
/// The margin of [`Aperture::of_camera`] covers the edges of the picture.
#[derive(Clone, Copy, Debug)]
pub struct ViewVolume {
    /// Unit normals, pointing inwards; zero normals and offsets for a volume without bounds.
    sides: [Plane; SIDES],
}

impl ViewVolume {
    /// All of space.
    pub const UNBOUNDED: Self = Self {
        sides: [Plane {
            normal: DVec3::ZERO,
            offset: 0.0,
        }; SIDES],
    };

    /// The volume that `camera` sees through an aperture of its own.
    pub fn of(aperture: &Aperture, camera: &Camera) -> Self {
        if *aperture == Aperture::UNBOUNDED {
            return Self::UNBOUNDED;
        }
        let [right, up, forward] = [camera.axes.x_axis, camera.axes.y_axis, camera.forward()];
        let eye = camera.at.point;
        let mut sides = [Plane::through(eye, forward); SIDES];
        let pairs = sides.chunks_exact_mut(2);
        for ((pair, [x, y]), (min, max)) in pairs.zip(DIRECTIONS).zip(aperture.intervals()) {
            let along = right * x + up * y;
            // A non-finite normal drops nothing.
            let inwards = [along - forward * min, forward * max - along];
            for (side, normal) in pair.iter_mut().zip(inwards) {
                *side = Plane::through(eye, normal * normal.length().recip());
            }
        }
        Self { sides }
    }

    /// Whether a sphere may have a visible point.
    pub fn touches_sphere(&self, centre: DVec3, radius: f64) -> bool {
        let limit = -(radius + SLOP);
        !self.sides.iter().any(|side| side.distance(centre) < limit)
    }

    /// Whether a box may have a visible point. `eye_from_box` is the transform from the coordinates of the box to
    /// those of the camera's room.
    pub fn touches_box(&self, bounds: &Aabb, eye_from_box: &Rigid) -> bool {
        if bounds.is_empty() {
            return false;
        }
        let half = (bounds.max - bounds.min) * 0.5;
        let centre = eye_from_box.point(bounds.centre());
        // The extent of the box from its centre along a normal.
        let is_outside = |side: &Plane, extent: f64| side.distance(centre) < -(extent + SLOP);
        if eye_from_box.is_identity() {
            let outside = |side: &Plane| is_outside(side, side.normal.abs().dot(half));
            return !self.sides.iter().any(outside);
        }
        let [x, y, z] = [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z]
            .map(|axis| eye_from_box.vector(axis));
        let outside = |side: &Plane| {
            let along = [x, y, z].map(|axis| side.normal.dot(axis).abs());
            is_outside(side, along.iter().sum())
        };
        !self.sides.iter().any(outside)
    }
}

/// All of space.
impl Default for ViewVolume {
    fn default() -> Self {
        Self::UNBOUNDED
    }
}
