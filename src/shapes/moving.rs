//! Motion of a shape with constant velocity and constant angular velocity.

use glam::{DMat3, DVec3};

use super::bounds::BoundingSphere;
use super::shape::Shape;
use crate::geometry::Rigid;

/// The rotation by the length of `turn`, radians, about its direction (O. Rodrigues, 1840). The sine and cosine are libm's,
/// with the same result on every machine.
pub fn rotation_by(turn: DVec3) -> DMat3 {
    let angle = turn.length();
    if angle == 0.0 {
        return DMat3::IDENTITY;
    }
    let axis = turn / angle;
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    // 1 - cos, without cancellation.
    let half = libm::sin(angle * 0.5);
    let versine = 2.0 * half * half;
    let outer = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
    let cross = DMat3::from_cols(
        DVec3::new(0.0, axis.z, -axis.y),
        DVec3::new(-axis.z, 0.0, axis.x),
        DVec3::new(axis.y, -axis.x, 0.0),
    );
    DMat3::from_diagonal(DVec3::splat(cosine)) + outer * versine + cross * sine
}

/// The motion of a shape over a time: its centre of mass moves along a line while it rotates about the centre, both at constant
/// velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// The pose at time 0.
    pub world_from_shape: Rigid,
    /// The centre of rotation, in the shape's coordinates, metres: the centre of mass.
    pub centre: DVec3,
    /// The velocity of the centre, metres per second.
    pub velocity: DVec3,
    /// The angular velocity, radians per second about each axis of the world.
    pub angular_velocity: DVec3,
}

impl Sweep {
    /// A sweep without motion.
    pub fn still(world_from_shape: Rigid) -> Self {
        Self {
            world_from_shape,
            centre: DVec3::ZERO,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
        }
    }

    /// The pose after `secs` seconds.
    pub fn pose_at(&self, secs: f64) -> Rigid {
        let centre = self.world_from_shape.point(self.centre) + self.velocity * secs;
        if self.angular_velocity == DVec3::ZERO {
            let moved = self.world_from_shape.translation() + self.velocity * secs;
            return Rigid::new(self.world_from_shape.rotation(), moved);
        }
        let rotation = rotation_by(self.angular_velocity * secs) * self.world_from_shape.rotation();
        Rigid::new(rotation, centre - rotation * self.centre)
    }

    /// The velocity, m/s, of the shape's point that is at `point` after `secs` seconds.
    pub fn velocity_at(&self, point: DVec3, secs: f64) -> DVec3 {
        let centre = self.world_from_shape.point(self.centre) + self.velocity * secs;
        self.velocity + self.angular_velocity.cross(point - centre)
    }

    /// A sphere around all poses from 0 to `secs`.
    pub fn bounding_sphere(&self, shape: &Shape, secs: f64) -> BoundingSphere {
        let half = self.velocity * (0.5 * secs);
        BoundingSphere {
            centre: self.world_from_shape.point(self.centre) + half,
            radius: shape.radius_about(self.centre) + half.length(),
        }
    }

    /// The maximum distance, metres, between a point `radius` metres from the centre and the chord of its path over
    /// `secs` seconds. It is the error of linear interpolation: the second derivative times the square of the time,
    /// divided by 8.
    pub fn departure_from_chords(&self, radius: f64, secs: f64) -> f64 {
        let angle_squared = self.angular_velocity.length_squared() * secs * secs;
        radius * angle_squared / 8.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb;
    use crate::rng::Rng;

    fn vector(rng: &mut Rng, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| rng.between(-size, size)))
    }

    #[test]
    fn a_turn_by_a_vector_turns_by_its_length_and_keeps_its_direction() {
        let quarter = rotation_by(DVec3::Z * std::f64::consts::FRAC_PI_2);
        assert!((quarter * DVec3::X - DVec3::Y).length() < 1e-15);
        assert!((quarter * DVec3::Z - DVec3::Z).length() < 1e-15);
        assert_eq!(rotation_by(DVec3::ZERO), DMat3::IDENTITY);
        let small = rotation_by(DVec3::X * 1e-9) * DVec3::Y;
        assert!((small.z - 1e-9).abs() < 1e-24);
    }

    #[test]
    fn the_sphere_around_a_motion_holds_every_pose_of_it() {
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let half_extents = vector(&mut rng, 1.0).abs() + DVec3::splat(0.01);
            let shape = Shape::Box { half_extents };
            let sweep = Sweep {
                world_from_shape: Rigid::new(
                    rotation_by(vector(&mut rng, 3.0)),
                    vector(&mut rng, 9.0),
                ),
                centre: vector(&mut rng, 0.5),
                velocity: vector(&mut rng, 20.0),
                angular_velocity: vector(&mut rng, 8.0),
            };
            let secs = rng.between(0.0, 1.0);
            let sphere = sweep.bounding_sphere(&shape, secs);
            for k in 0..=20 {
                let pose = sweep.pose_at(secs * f64::from(k) / 20.0);
                let centre = pose.point(sweep.centre);
                let expected = sweep.world_from_shape.point(sweep.centre);
                let expected = expected + sweep.velocity * (secs * f64::from(k) / 20.0);
                assert!((centre - expected).length() < 1e-12);
                for corner in Aabb::around([-half_extents, half_extents]).corners() {
                    let corner = pose.point(corner);
                    assert!((corner - sphere.centre).length() < sphere.radius + 1e-9);
                }
            }
        }
    }
}
