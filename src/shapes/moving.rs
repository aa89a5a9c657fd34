//! A shape that moves steadily: from a pose, along a line, turning about an axis of fixed direction.

use glam::{DMat3, DVec3};

use super::bounds::{BoundingSphere, OrientedBox};
use super::shape::Shape;
use crate::geometry::{Aabb, Rigid};

/// The rotation by the length of `turn`, radians, about its direction (O. Rodrigues, 1840). The sines are libm's,
/// the same on every machine.
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

/// The motion of a shape over a time: its centre of mass goes along a line, and it turns about it, both steadily.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// The pose at time 0.
    pub world_from_shape: Rigid,
    /// What it turns about, in the shape's coordinates, metres: its centre of mass.
    pub centre: DVec3,
    /// Velocity of that centre, metres per second.
    pub velocity: DVec3,
    /// Radians per second about each axis of the world.
    pub angular_velocity: DVec3,
}

impl Sweep {
    /// What stands still.
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

    /// A sphere around all poses from 0 to `secs`.
    pub fn bounding_sphere(&self, shape: &Shape, secs: f64) -> BoundingSphere {
        let BoundingSphere { centre, radius } = self.sphere_that_turns(shape);
        let half = self.velocity * (0.5 * secs);
        BoundingSphere {
            centre: centre + half,
            radius: radius + half.length(),
        }
    }

    /// An axis-aligned box around all poses from 0 to `secs`: around the first and the last pose, grown by what
    /// arcs depart from their chords, and no larger than around a sphere that goes along.
    pub fn aabb(&self, shape: &Shape, secs: f64) -> Aabb {
        let ends = shape
            .aabb(&self.world_from_shape)
            .union(shape.aabb(&self.pose_at(secs)));
        if self.angular_velocity == DVec3::ZERO {
            return ends;
        }
        let BoundingSphere { centre, radius } = self.sphere_that_turns(shape);
        let arcs = ends.grown(self.departure_from_chords(radius, secs));
        let along = Aabb::around([centre, centre + self.velocity * secs]).grown(radius);
        Aabb {
            min: arcs.min.max(along.min),
            max: arcs.max.min(along.max),
        }
    }

    /// A box along the way around all poses from 0 to `secs`: of a fast shape it holds far less than the
    /// axis-aligned one.
    pub fn oriented_box(&self, shape: &Shape, secs: f64) -> OrientedBox {
        let way = self.velocity * secs;
        let Some(forward) = way.try_normalize() else {
            let aabb = self.aabb(shape, secs);
            return OrientedBox::of_aabb(&aabb);
        };
        let (right, up) = forward.any_orthonormal_pair();
        let way_from_world = Rigid::new(
            DMat3::from_cols(forward, right, up).transpose(),
            DVec3::ZERO,
        );
        let turned = Self {
            world_from_shape: way_from_world.after(&self.world_from_shape),
            velocity: way_from_world.vector(self.velocity),
            angular_velocity: way_from_world.vector(self.angular_velocity),
            ..*self
        };
        let aabb = turned.aabb(shape, secs);
        let in_way = OrientedBox::of_aabb(&aabb);
        OrientedBox {
            world_from_box: way_from_world.inverse().after(&in_way.world_from_box),
            half_extents: in_way.half_extents,
        }
    }

    /// A sphere that holds the shape however it is turned, at time 0.
    fn sphere_that_turns(&self, shape: &Shape) -> BoundingSphere {
        BoundingSphere {
            centre: self.world_from_shape.point(self.centre),
            radius: shape.radius_about(self.centre),
        }
    }

    /// How far a point at `radius` metres from the centre departs from the straight line between its ends: the
    /// error of linear interpolation, second derivative times the square of the time over 8.
    fn departure_from_chords(&self, radius: f64, secs: f64) -> f64 {
        let angle_squared = self.angular_velocity.length_squared() * secs * secs;
        radius * angle_squared / 8.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn bounds_of_a_motion_hold_every_pose_of_it() {
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
            let aabb = sweep.aabb(&shape, secs).grown(1e-9);
            let sphere = sweep.bounding_sphere(&shape, secs);
            let oriented = sweep.oriented_box(&shape, secs);
            for k in 0..=20 {
                let pose = sweep.pose_at(secs * f64::from(k) / 20.0);
                let centre = pose.point(sweep.centre);
                let expected = sweep.world_from_shape.point(sweep.centre);
                let expected = expected + sweep.velocity * (secs * f64::from(k) / 20.0);
                assert!((centre - expected).length() < 1e-12);
                for corner in Aabb::around([-half_extents, half_extents]).corners() {
                    let corner = pose.point(corner);
                    assert!(aabb.contains(corner));
                    assert!((corner - sphere.centre).length() < sphere.radius + 1e-9);
                    let inside = oriented.world_from_box.point_from(corner).abs();
                    assert!(
                        inside
                            .cmple(oriented.half_extents + DVec3::splat(1e-9))
                            .all()
                    );
                }
            }
        }
    }

    #[test]
    fn the_box_of_a_motion_that_does_not_turn_is_exact() {
        let shape = Shape::Sphere { radius: 0.5 };
        let sweep = Sweep {
            velocity: DVec3::X * 4.0,
            ..Sweep::still(Rigid::IDENTITY)
        };
        let aabb = sweep.aabb(&shape, 0.5);
        assert_eq!(aabb.min, DVec3::splat(-0.5));
        assert_eq!(aabb.max, DVec3::new(2.5, 0.5, 0.5));
    }
}
