//! Pathological levels.

use super::super::occluders::occluders;
use super::super::unwrap::is_too_large;
use super::*;
use crate::level::{Material, RoomId};
use crate::lighting::bvh::FaceSides;
use crate::load::load_bytes;

/// Pseudorandom numbers, 0..1.
pub(super) fn chance() -> impl FnMut() -> f64 {
    let mut state = 1u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    }
}

fn hall_with(triangles: &[[DVec3; 3]]) -> Level {
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([-4., 0., -4.], [4., 4., 4.]), &[]);
    sketch.mesh(hall, 0, triangles);
    built(sketch)
}

fn check(level: &Level, map: &Lightmap) {
    assert_eq!(map.vertices.len(), map.places.len());
    assert_eq!(map.indices.len(), level.indices.len());
    assert_eq!(
        map.sky_visibility.len(),
        (map.pages * map.page_side * map.page_side) as usize
    );
    for chart in &map.charts {
        let numbers = [chart.origin, chart.along_u, chart.along_v, chart.normal];
        assert!(numbers.iter().all(|v| v.is_finite()), "{chart:?}");
    }
}

#[test]
fn triangles_without_area_needles_and_copies_do_no_harm() {
    let mut random = chance();
    let mut triangles = Vec::new();
    for _ in 0..200 {
        let mut point = || v(random(), random(), random()) * 3.0;
        let [a, b, c] = [point(), point(), point()];
        triangles.extend([
            [a, a, a],
            [a, b, b],
            [a, (a + b) * 0.5, b],
            [a, b, b + DVec3::splat(1e-7)],
            [a, b, c],
            [a, b, c],
            [b, a, c],
        ]);
    }
    let level = hall_with(&triangles);
    check(&level, &baked(&level, LightmapQuality::COARSE));
}

/// Regression test: the file repeats one triangle 300,000 times. Every ray tested all copies, and the tree split off
/// only eight copies at a time.
#[test]
fn copies_of_one_triangle_take_light_away_once() {
    let with_copies = |count: usize| {
        let wing = [v(-0.2, 1., 0.), v(0.2, 1., 0.), v(0., 1.2, 0.2)];
        let mut sketch = Sketch::new("hall");
        let hall = sketch.box_room("hall", cuboid([-4., 0., -4.], [4., 4., 4.]), &[]);
        sketch.mesh(hall, 0, &[wing]);
        let mesh = sketch.source.meshes.last_mut().unwrap();
        mesh.triangles = vec![[0, 1, 2]; count];
        mesh.solid = false;
        built(sketch)
    };
    // With or without copies, rays and the tree get the same number of triangles.
    let trees = [1, 300_000].map(|count| occluders(&with_copies(count), RoomId(0), 1.5));
    assert_eq!(trees[0].len(), trees[1].len());
    // Each copy still has a chart, whose layout takes most of the time; hence fewer copies here.
    let level = with_copies(30_000);
    let map = baked(&level, LightmapQuality::COARSE);
    check(&level, &map);
    assert!(map.charts.len() > 30_000);
}

#[test]
fn a_side_that_is_a_front_in_one_of_two_copies_is_a_front() {
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([-4., 0., -4.], [4., 4., 4.]), &[]);
    let two_sided = sketch.material(Material {
        double_sided: true,
        ..Material::default()
    });
    let wing = [v(-2., 1., -2.), v(2., 1., -2.), v(0., 2., 2.)];
    for material in [0, two_sided, 0] {
        sketch.mesh(hall, material, &[wing]);
    }
    let found = occluders(&built(sketch), RoomId(0), 1.5);
    assert_eq!(found.len(), 12 + 1);
    assert_eq!(
        found
            .iter()
            .filter(|o| o.sides == FaceSides::Fronts)
            .count(),
        1
    );
}

/// Triangles that all share one edge, `count` on each side of it.
pub(in crate::lighting::lightmap) fn fan(count: usize) -> Level {
    let mut random = chance();
    let (a, b) = (v(0., 1., 0.), v(0., 3., 0.));
    let mut triangles = Vec::new();
    for _ in 0..count {
        let mut point = || v(random(), 2.0, random());
        triangles.extend([[a, b, point()], [b, a, point()]]);
    }
    hall_with(&triangles)
}

#[test]
fn a_fan_around_one_edge_is_laid_out() {
    let level = fan(5_000);
    check(&level, &unwrap(&level, LightmapQuality::default(), 1));
}

#[test]
fn a_hundred_thousand_splinters_keep_the_budget() {
    let mut random = chance();
    let mut triangles = Vec::new();
    for _ in 0..100_000 {
        let mut point = |size: f64| v(random(), random(), random()) * size;
        let at = point(3.0);
        triangles.push([at, at + point(0.1), at + point(0.1)]);
    }
    let level = hall_with(&triangles);
    let map = unwrap(&level, LightmapQuality::default(), 2);
    check(&level, &map);
    let texels = map.charts.iter().map(|chart| chart.size[0] * chart.size[1]);
    assert!(texels.sum::<u32>() <= 2 << 20);
    assert!(map.charts.len() > 90_000);
}

#[test]
fn a_level_of_square_kilometres_has_coarse_texels_and_one_of_more_has_none() {
    let hall = |side: f64| {
        let mut sketch = Sketch::new("plain");
        sketch.box_room("plain", cuboid([0., 0., 0.], [side, 3., side]), &[]);
        let level = built(sketch);
        let map = unwrap(&level, LightmapQuality::default(), 1);
        check(&level, &map);
        map
    };
    let large = hall(500.0);
    assert!(!large.charts.is_empty() && large.pages <= 4);
    let larger = hall(700.0);
    assert!(larger.charts.is_empty());
    assert_eq!(larger.sky_visibility, [255]);
    assert!(larger.places.iter().all(|place| *place == [0; 4]));
    assert_eq!((larger.charts_of.len(), &larger.charts_of[0]), (1, &(0..0)));
}

#[test]
fn a_level_with_nothing_drawn_is_open() {
    let mut sketch = furnished();
    sketch
        .source
        .meshes
        .iter_mut()
        .for_each(|mesh| mesh.drawn = false);
    let level = built(sketch);
    let map = baked(&level, LightmapQuality::default());
    check(&level, &map);
    assert_eq!(map, flat(&level));
}

#[test]
fn a_level_of_thousands_of_rooms_is_found_too_large_by_its_area_alone() {
    let (level, _) = load_bytes("grid", &crate::author::grid_glb(70, 70)).unwrap();
    assert!(is_too_large(&level, LightmapQuality::default()));
    assert_eq!(baked(&level, LightmapQuality::default()), flat(&level));
    assert!(!is_too_large(
        &built(furnished()),
        LightmapQuality::default()
    ));
}
