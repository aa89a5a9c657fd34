//! Adjacent charts: no visible seams.

use super::*;
use crate::level::AuthorPoint;

/// Maximum difference, of 255, between both sides of a seam.
const MAX_STEP: f64 = 4.0;

/// Compares the sky visibility one millimetre to both sides of places along a line.
fn compare(map: &Lightmap, level: &Level, [from, to]: [DVec3; 2], normal: DVec3) {
    let across = (to - from).cross(normal).normalize_or_zero() * 1e-3;
    let mut least = f64::INFINITY;
    for i in 0..=200 {
        let at = level.from_author(AuthorPoint(from.lerp(to, f64::from(i) / 200.0)));
        let [a, b] = [at + across, at - across];
        assert_ne!(
            map.chart_at(level, a, normal),
            map.chart_at(level, b, normal)
        );
        let [a, b] = [a, b].map(|at| map.seen(level, at, normal));
        assert!((a - b).abs() < MAX_STEP, "{a} and {b} at {at}");
        least = least.min(a);
    }
    assert!(least < 230.0, "nothing to be seen there");
}

#[test]
fn floors_that_meet_under_a_portal_are_equally_bright() {
    let doorway = cuboid([4., 0., 1.03], [4., 2.2, 2.47]);
    let mut sketch = Sketch::new("two rooms");
    let here = sketch.box_room("here", cuboid([0., 0., 0.], [4., 3., 4.]), &[doorway]);
    let there = sketch.box_room("there", cuboid([4., 0., -1.], [8., 3., 6.]), &[doorway]);
    sketch.portal(here, "there", doorway, DVec3::X);
    sketch.furniture(there, 0, cuboid([4.5, 0., 1.2], [5.0, 0.7, 1.6]));
    sketch.furniture(here, 0, cuboid([3.2, 0., 2.0], [3.6, 0.5, 2.4]));
    let level = built(sketch);
    let map = baked(&level, LightmapQuality::default());
    compare(&map, &level, [v(4., 0., 1.04), v(4., 0., 2.46)], DVec3::Y);
}

#[test]
fn a_floor_in_two_pieces_is_as_bright_on_both_sides() {
    // A T-junction at no round coordinates: the corner of two pieces lies on the edge of the third one.
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([0., 0., 0.], [6., 3., 6.]), &[]);
    let mesh = &mut sketch.source.meshes[0];
    let is_floor = |corners: &[u32; 3], positions: &[DVec3]| {
        corners.iter().all(|&i| positions[i as usize].y == 0.0)
    };
    let positions = mesh.positions.clone();
    mesh.triangles
        .retain(|corners| !is_floor(corners, &positions));
    let piece = |x0: f64, x1: f64, z0: f64, z1: f64| {
        let [a, b, c, d] = [v(x0, 0., z0), v(x0, 0., z1), v(x1, 0., z1), v(x1, 0., z0)];
        [[a, b, c], [a, c, d]]
    };
    let x = 2.337;
    let pieces = [
        piece(0., x, 0., 6.),
        piece(x, 6., 0., 3.1),
        piece(x, 6., 3.1, 6.),
    ];
    sketch.mesh(hall, 0, pieces.as_flattened());
    sketch.furniture(hall, 0, cuboid([2.8, 0., 1.], [3.4, 0.8, 5.]));
    let level = built(sketch);
    let map = baked(&level, LightmapQuality::default());
    compare(&map, &level, [v(x, 0., 0.02), v(x, 0., 3.08)], DVec3::Y);
    compare(&map, &level, [v(x, 0., 3.12), v(x, 0., 5.98)], DVec3::Y);
}

#[test]
fn the_sides_of_a_corner_are_equally_bright_where_they_meet() {
    let level = built(furnished());
    let map = baked(&level, LightmapQuality::default());
    for i in 2..=58 {
        let z = 0.1 * f64::from(i);
        let at = |x, y| level.from_author(AuthorPoint(v(x, y, z)));
        let floor = map.seen(&level, at(7.999, 0.0), DVec3::Y);
        let wall = map.seen(&level, at(8.0, 0.001), DVec3::NEG_X);
        assert!(
            (floor - wall).abs() < 10.0,
            "floor {floor}, wall {wall} at z = {z}"
        );
    }
}
