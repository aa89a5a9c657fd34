//! Rigid transforms between the coordinates of rooms.

use glam::{DMat3, DVec3};

use super::Plane;

/// Rotations that differ by at most this, in radians, count as equal.
const SAME_ROTATION: f64 = 1e-6;
/// Translations that differ by at most this, in metres, count as equal.
const SAME_TRANSLATION: f64 = 1e-4;

/// A rotation (or a mirror) followed by a translation. A transform named `a_from_b` maps coordinates of `b` to coordinates of
/// `a`.
///
/// The identity is flagged, so that an ordinary doorway costs nothing and changes no bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    rotation: DMat3,
    translation: DVec3,
    is_identity: bool,
}

impl Default for Rigid {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Rigid {
    /// The identity transform.
    pub const IDENTITY: Self = Self {
        rotation: DMat3::IDENTITY,
        translation: DVec3::ZERO,
        is_identity: true,
    };

    /// The transform `p -> rotation * p + translation`; `rotation` must be orthogonal.
    pub fn new(rotation: DMat3, translation: DVec3) -> Self {
        Self {
            rotation,
            translation,
            is_identity: rotation == DMat3::IDENTITY && translation == DVec3::ZERO,
        }
    }

    /// Whether the transform is the identity.
    pub fn is_identity(&self) -> bool {
        self.is_identity
    }

    /// Whether the transform contains a mirror.
    pub fn is_mirror(&self) -> bool {
        !self.is_identity && self.rotation.determinant() < 0.0
    }

    /// The point in the other coordinates.
    pub fn point(&self, p: DVec3) -> DVec3 {
        if self.is_identity {
            p
        } else {
            self.rotation * p + self.translation
        }
    }

    /// The inverse transform of point `p`, except for rounding.
    pub fn point_from(&self, p: DVec3) -> DVec3 {
        if self.is_identity {
            return p;
        }
        let DMat3 {
            x_axis,
            y_axis,
            z_axis,
        } = self.rotation;
        let moved = p - self.translation;
        DVec3::new(x_axis.dot(moved), y_axis.dot(moved), z_axis.dot(moved))
    }

    /// The direction (velocity, normal) in the other coordinates.
    pub fn vector(&self, v: DVec3) -> DVec3 {
        if self.is_identity {
            v
        } else {
            self.rotation * v
        }
    }

    /// The plane in the other coordinates.
    pub fn plane(&self, plane: &Plane) -> Plane {
        if self.is_identity {
            return *plane;
        }
        Plane::through(
            self.point(plane.normal * plane.offset),
            self.vector(plane.normal),
        )
    }

    /// The composition: `a_from_b.after(b_from_c)` is `a_from_c`.
    pub fn after(&self, b_from_c: &Self) -> Self {
        if b_from_c.is_identity {
            return *self;
        }
        if self.is_identity {
            return *b_from_c;
        }
        Self::new(
            self.rotation * b_from_c.rotation,
            self.point(b_from_c.translation),
        )
    }

    /// The inverse: `b_from_a` of `a_from_b`.
    pub fn inverse(&self) -> Self {
        if self.is_identity {
            return *self;
        }
        let rotation = self.rotation.transpose();
        Self::new(rotation, -(rotation * self.translation))
    }

    /// Whether two transforms are equal to within a tenth of a millimetre and a millionth of a radian. This is more
    /// than the rounding between two paths to the same room, and less than any difference that an author intends.
    pub fn is_about(&self, other: &Self) -> bool {
        if self.is_identity && other.is_identity {
            return true;
        }
        let turned = self.rotation - other.rotation;
        let moved = self.translation - other.translation;
        turned.abs_diff_eq(DMat3::ZERO, SAME_ROTATION) && moved.length() <= SAME_TRANSLATION
    }

    /// The rotation part.
    pub fn rotation(&self) -> DMat3 {
        self.rotation
    }

    /// The translation part, metres.
    pub fn translation(&self) -> DVec3 {
        self.translation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_and_composition_is_application_in_turn() {
        let quarter = DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X);
        let a_from_b = Rigid::new(quarter, DVec3::new(5.0, 1.0, -2.0));
        let b_from_c = Rigid::new(DMat3::IDENTITY, DVec3::new(0.0, 0.5, 3.0));
        let p = DVec3::new(1.0, 2.0, 3.0);
        assert_eq!(
            a_from_b.after(&b_from_c).point(p),
            a_from_b.point(b_from_c.point(p))
        );
        assert_eq!(a_from_b.inverse().point(a_from_b.point(p)), p);
        assert!(a_from_b.after(&a_from_b.inverse()).is_identity());
    }
}
