//! Faces and edges of a box.

use glam::{DMat3, DVec3};

use super::clip::ClipPolygon;

/// A box with a pose.
pub(super) struct PosedBox {
    pub centre: DVec3,
    pub axes: DMat3,
    pub half: DVec3,
}

impl PosedBox {
    /// The axis and the number of the face whose normal is nearest to a direction.
    pub(super) fn face_towards(&self, direction: DVec3) -> (usize, u16) {
        let along = self.axes.transpose() * direction;
        let abs = along.abs();
        let axis = if abs.x >= abs.y && abs.x >= abs.z {
            0
        } else if abs.y >= abs.z {
            1
        } else {
            2
        };
        let is_negative = along[axis] < 0.0;
        (axis, 2 * axis as u16 + u16::from(is_negative))
    }

    /// The four corners of a face, in order around it.
    pub(super) fn corners_of_face(&self, face: u16) -> [DVec3; 4] {
        let axis = usize::from(face / 2);
        let out = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
        let [along, u, v] = [axis, (axis + 1) % 3, (axis + 2) % 3]
            .map(|axis| self.axes.col(axis) * self.half[axis]);
        let middle = self.centre + along * out;
        [
            middle + u + v,
            middle - u + v,
            middle - u - v,
            middle + u - v,
        ]
    }

    /// Clips a polygon against the four faces around the face along `axis`.
    pub(super) fn clip_to_face<const N: usize>(&self, polygon: &mut ClipPolygon<N>, axis: usize) {
        for (side, axis) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
            let along = self.axes.col(axis);
            let (middle, half) = (along.dot(self.centre), self.half[axis]);
            let side = 2 * side as u16;
            polygon.clip(along, half + middle, side);
            polygon.clip(-along, half - middle, side + 1);
        }
    }

    /// The centre of the edge along `axis` that lies farthest in a direction, and the number of that edge among the four.
    pub(super) fn middle_of_edge(&self, axis: usize, direction: DVec3) -> (DVec3, u64) {
        let (mut middle, mut signs) = (self.centre, 0);
        for (bit, axis) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
            let along = self.axes.col(axis);
            if along.dot(direction) < 0.0 {
                middle -= along * self.half[axis];
                signs |= 1 << bit;
            } else {
                middle += along * self.half[axis];
            }
        }
        (middle, signs)
    }
}
