//! Brute-force oracles in f64: the sky visibility of a place from every triangle, without a tree, with regular steps
//! over the hemisphere, and the sky visibility beside an infinite wall, from the same steps and a formula.

use super::*;
use crate::level::AuthorPoint;

/// The numbers of steps around the normal and up from the horizon.
const STEPS: [u32; 2] = [128, 32];

/// Directions of equal weight around +Z.
fn directions() -> impl Iterator<Item = DVec3> {
    let [around, up] = STEPS;
    (0..up).flat_map(move |i| {
        // Uniform in the square of the sine: a density proportional to the cosine.
        let sine_squared = (f64::from(i) + 0.5) / f64::from(up);
        let sine = sine_squared.sqrt();
        (0..around).map(move |j| {
            let angle = (f64::from(j) + 0.5) * std::f64::consts::TAU / f64::from(around);
            v(
                sine * angle.cos(),
                sine * angle.sin(),
                (1.0 - sine_squared).sqrt(),
            )
        })
    })
}

/// The fraction of the light that passes an occluder at a distance in metres, according to the documentation.
fn left(distance: f64) -> f64 {
    1.0 - (1.0 - distance / 1.5).max(0.0).powi(2)
}

fn mean(parts: impl Iterator<Item = f64>) -> f64 {
    parts.sum::<f64>() / f64::from(STEPS[0] * STEPS[1])
}

/// The sky visibility, 0..1, of a place on a surface.
pub(super) fn sky_visibility(level: &Level, at: DVec3, normal: DVec3) -> f64 {
    let triangles = 0..level.indices.len() as u32 / 3;
    let triangles: Vec<Triangle> = triangles.map(|i| patches::corners_of(level, i)).collect();
    let side = normal.any_orthonormal_vector();
    let other = normal.cross(side);
    let start = at + normal * 0.005;
    mean(directions().map(|d| {
        let direction = side * d.x + other * d.y + normal * d.z;
        let hits = triangles.iter().filter_map(|t| hit(t, start, direction));
        left(hits.fold(f64::INFINITY, f64::min))
    }))
}

/// The distance at which a ray hits a triangle, metres; found by intersecting the plane and then testing the edges.
fn hit(triangle: &Triangle, start: DVec3, direction: DVec3) -> Option<f64> {
    let normal = triangle.cross();
    let distance = normal.dot(triangle.corners[0] - start) / normal.dot(direction);
    let at = start + direction * distance;
    let is_inside = (0..3).all(|i| {
        let [a, b] = [triangle.corners[i], triangle.corners[(i + 1) % 3]];
        (b - a).cross(at - a).dot(normal) >= 0.0
    });
    (distance > 0.0 && is_inside).then_some(distance)
}

/// The sky visibility, 0..1, on an infinite floor at this distance from an infinite wall, metres.
pub(super) fn beside_a_wall(metres: f64) -> f64 {
    mean(directions().map(|d| if d.x > 0.0 { left(metres / d.x) } else { 1.0 }))
}

#[test]
fn a_floor_beside_an_endless_wall_has_the_light_of_the_formula() {
    let mut sketch = Sketch::new("hall");
    sketch.box_room("hall", cuboid([0., 0., 0.], [8., 8., 8.]), &[]);
    let level = built(sketch);
    let map = baked(&level, FINE);
    let mut last = 0.0;
    for i in 2..20 {
        let metres = 0.05 + 0.1 * f64::from(i);
        let seen = map.seen(
            &level,
            level.from_author(AuthorPoint(v(metres, 0., 4.))),
            DVec3::Y,
        );
        let right = 255.0 * beside_a_wall(metres);
        assert!(
            (seen - right).abs() < 2.0,
            "{seen} for {right} at {metres} m"
        );
        assert!(
            seen > last - 1e-6,
            "darker away from the wall at {metres} m"
        );
        last = seen;
    }
    assert!(last > 255.0 - 1e-6, "{last} where the wall is too far");
}

#[test]
fn a_furnished_room_has_the_light_of_brute_force() {
    let level = built(furnished());
    let map = baked(&level, FINE);
    let mut looked_at = 0;
    for chart in map
        .charts
        .iter()
        .filter(|chart| chart.size.iter().all(|&n| n >= 7))
    {
        let triangles = map.triangles_of(&level, chart);
        let is_clear = |place: [u32; 2]| {
            // Whether a place is neither near the edge, nor under the crate.
            let at = chart.middle(place);
            let on = |p: DVec3| triangles.iter().any(|t| t.distance(p) < 1e-5);
            let [u, v] = [chart.along_u, chart.along_v].map(Vec3::as_dvec3);
            let around = [u, -u, v, -v].iter().all(|&off| on(at + off * 1.5));
            let bounds = cuboid([3.8, -0.1, 2.3], [5.2, 0.1, 3.5]);
            around && !bounds.contains(level.to_author(at).0)
        };
        for row in (2..chart.size[1] - 2).step_by(9) {
            for column in (2..chart.size[0] - 2).step_by(7) {
                if !is_clear([column, row]) {
                    continue;
                }
                // Neighbours are blended in the bake too.
                let mut right = 0.0;
                for (y, of_row) in [(row - 1, 0.25), (row, 0.5), (row + 1, 0.25)] {
                    for (x, of_column) in [(column - 1, 0.25), (column, 0.5), (column + 1, 0.25)] {
                        let at = chart.middle([x, y]);
                        right += of_row
                            * of_column
                            * sky_visibility(&level, at, chart.normal.as_dvec3());
                    }
                }
                let code = f64::from(map.code(chart, [column, row]));
                let off = (code - 255.0 * right).abs();
                assert!(
                    off < 4.0,
                    "{code} for {} at {column}, {row} of {chart:?}",
                    255.0 * right
                );
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 100, "{looked_at}");
}
