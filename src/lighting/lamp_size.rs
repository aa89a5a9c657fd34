//! The sizes of lamps: the sphere of a point light, the disc of a spot.

use glam::Vec3;

use crate::geometry::{Aabb, Triangle};
use crate::level::{Alpha, Level, Light, LightKind, Material};

/// The points of a lamp to which the samples of a node look.
const POINTS: usize = 16;
/// The point of a disc in its centre.
pub(super) const CENTRE: [f32; 2] = [0.0; 2];
/// The golden angle, radians: points at its multiples are evenly distributed over a disc (H. Vogel, 1979).
const GOLDEN_ANGLE: f32 = 2.399_963_2;

/// The radius with which a light casts shadows; see [`Light::radius`]. A lamp does not reach into the opaque surfaces of
/// its room, which would hide a part of it.
pub(super) fn radius(level: &Level, light: &Light) -> f32 {
    let (Some(at), true) = (light.at, light.radius > 0.0) else {
        return light.radius;
    };
    let disc = match light.kind {
        LightKind::Directional => return light.radius,
        LightKind::Spot { .. } => Some(light.direction),
        LightKind::Point => None,
    };
    let mut radius = f64::from(light.radius);
    let draws = level.room(at.room).draws.clone();
    for draw in &level.draws[draws.start as usize..draws.end as usize] {
        let material = &level.materials[draw.material as usize];
        let around = Aabb::around([at.point]).grown(radius);
        if !around.overlaps(&draw.bounds) || passes_light(material) {
            continue;
        }
        let indices = &level.indices[draw.indices.start as usize..draw.indices.end as usize];
        for corners in indices.chunks_exact(3) {
            let corner = |i: usize| level.vertices[corners[i] as usize].position.as_dvec3();
            let triangle = Triangle {
                corners: [0, 1, 2].map(corner),
            };
            let nearest = triangle.closest_point(at.point).0 - at.point;
            // Surfaces behind a disc do not hide it.
            if disc.is_none_or(|direction| nearest.dot(direction) > 1e-3) {
                radius = radius.min(nearest.length());
            }
        }
    }
    radius as f32
}

/// Whether light passes a surface: it is glass, or a part of a lamp.
fn passes_light(material: &Material) -> bool {
    material.emissive != [0.0; 3] || material.alpha == Alpha::Blend || material.sky
}

/// A point of the unit disc for a sample with this index.
pub(super) fn point_of_disc(index: usize) -> [f32; 2] {
    // Neighbouring samples look to distant points.
    let at = (index * 7) % POINTS;
    let distance = ((at as f32 + 0.5) / POINTS as f32).sqrt();
    let (sin, cos) = libm::sincosf(at as f32 * GOLDEN_ANGLE);
    [distance * cos, distance * sin]
}

/// The vector from the centre of a disc with this unit normal to one of its points, at radius 1.
pub(super) fn disc_offset(normal: Vec3, [x, y]: [f32; 2]) -> Vec3 {
    let (across, up) = normal.any_orthonormal_pair();
    across * x + up * y
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;

    /// The radius of a lamp of this kind and radius 30 cm at this height in a room of 3 m with a shelf at 1 m, and a glowing
    /// bulb around the lamp.
    fn radius_at(height: f64, kind: LightKind) -> f32 {
        let mut sketch = Sketch::new("lamp");
        let room = sketch.box_room("room", cuboid([-3.0, 0.0, -3.0], [3.0, 3.0, 3.0]), &[]);
        sketch.furniture(room, 0, cuboid([-1.0, 0.9, -1.0], [1.0, 1.0, 1.0]));
        let bulb = sketch.material(Material {
            emissive: [1.0; 3],
            ..Material::default()
        });
        let low = [-0.05, height - 0.05, -0.05];
        sketch.furniture(room, bulb, cuboid(low, [0.05, height + 0.05, 0.05]));
        sketch.lamp(room, DVec3::new(0.0, height, 0.0), 20.0);
        let light = &mut sketch.source.lights[0];
        (light.radius, light.kind) = (0.3, kind);
        sketch.spawn(room, DVec3::new(2.0, 0.5, 2.0), DVec3::X);
        let (level, _) = build(sketch.source).expect("the sketch is good");
        radius(&level, &level.lights[0])
    }

    #[test]
    fn a_lamp_does_not_reach_into_opaque_surfaces() {
        let spot = LightKind::Spot {
            inner: 0.3,
            outer: 0.8,
        };
        let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
        assert!(near(radius_at(2.0, LightKind::Point), 0.3));
        assert!(near(radius_at(2.9, LightKind::Point), 0.1));
        assert!(near(radius_at(1.2, LightKind::Point), 0.2));
        assert!(
            near(radius_at(2.9, spot), 0.3),
            "the ceiling is behind the disc"
        );
        assert!(near(radius_at(1.2, spot), 0.2));
    }

    #[test]
    fn the_points_of_a_disc_are_evenly_distributed() {
        let points: Vec<_> = (0..POINTS).map(point_of_disc).collect();
        let mean = |of: fn(&[f32; 2]) -> f32| points.iter().map(of).sum::<f32>() / POINTS as f32;
        assert!(mean(|p| p[0]).abs() < 0.05 && mean(|p| p[1]).abs() < 0.05);
        assert!((mean(|p| p[0] * p[0] + p[1] * p[1]) - 0.5).abs() < 0.01);
        for [a, b] in [[0, 1], [5, 9], [14, 15]] {
            let offset = [0, 1].map(|i| points[a][i] - points[b][i]);
            assert!(offset[0].hypot(offset[1]) > 0.1);
        }
    }
}
