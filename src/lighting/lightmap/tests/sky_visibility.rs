//! Tests of dark and bright places.

use super::*;
use crate::level::{Alpha, AuthorPoint, Material};
use crate::source::MoverSource;

const DOORWAY: [[f64; 3]; 2] = [[4.0, 0.0, 1.5], [4.0, 2.2, 2.5]];

/// Two rooms of 4 x 3 x 4 m side by side along x with a doorway between them, joined by a portal if `joined`; a crate
/// stands in the second one, close to the doorway.
fn two_rooms(joined: bool) -> Sketch {
    let doorway = cuboid(DOORWAY[0], DOORWAY[1]);
    let mut sketch = Sketch::new("two rooms");
    let here = sketch.box_room("here", cuboid([0., 0., 0.], [4., 3., 4.]), &[doorway]);
    let there = sketch.box_room("there", cuboid([4., 0., 0.], [8., 3., 4.]), &[doorway]);
    sketch.furniture(there, 0, cuboid([4.3, 0., 1.0], [5.0, 1.0, 3.0]));
    if joined {
        sketch.portal(here, "there", doorway, DVec3::X);
    }
    sketch
}

fn on_floor(level: &Level, map: &Lightmap, x: f64, z: f64) -> f64 {
    map.seen(level, level.from_author(AuthorPoint(v(x, 0., z))), DVec3::Y)
}

#[test]
fn a_corner_is_darker_than_an_edge_and_an_edge_than_the_open_floor() {
    let level = built(furnished());
    let map = baked(&level, LightmapQuality::default());
    let floor = |x, z| on_floor(&level, &map, x, z);
    let [corner, edge, open] = [floor(0.02, 5.98), floor(2.2, 5.98), floor(2.2, 3.0)];
    assert!(
        corner + 25.0 < edge && edge + 50.0 < open,
        "{corner} {edge} {open}"
    );
    assert!(open > 255.0 - 1e-6, "{open}");
}

#[test]
fn a_crate_behind_an_open_portal_takes_light_away() {
    let [joined, apart] = [true, false].map(|joined| {
        let level = built(two_rooms(joined));
        let map = baked(&level, LightmapQuality::default());
        on_floor(&level, &map, 3.9, 2.0)
    });
    assert!(
        joined + 20.0 < apart,
        "{joined} before the crate, {apart} without portal"
    );
}

#[test]
fn a_room_that_winds_back_into_the_same_place_blocks_no_light_there() {
    let plain = built(two_rooms(true));
    let mut sketch = two_rooms(true);
    sketch.furniture(1, 0, cuboid([3.0, 0.3, 1.7], [3.6, 0.4, 2.3]));
    let wound = built(sketch);
    let [plain, wound] = [plain, wound].map(|level| {
        let map = baked(&level, LightmapQuality::default());
        on_floor(&level, &map, 3.3, 2.0)
    });
    assert_eq!(plain, wound);
}

#[test]
fn a_door_panel_takes_no_light_away() {
    let mut sketch = two_rooms(true);
    let without = {
        let level = built(sketch.clone());
        baked(&level, LightmapQuality::default())
    };
    sketch.furniture(0, 0, cuboid([3.97, 0., 1.5], [4.03, 2.2, 2.5]));
    let mesh = sketch.source.meshes.pop().unwrap();
    sketch
        .source
        .movers
        .push(MoverSource::vanishing_door("leaf-door", vec![mesh]));
    let level = built(sketch);
    let map = baked(&level, LightmapQuality::default());
    assert_eq!(map.charts_of.len(), 3);
    assert_eq!(map.charts_of[2].len(), 6);
    for z in 1..39 {
        let [x, z] = [3.95, 0.1 * f64::from(z)];
        let before = built(two_rooms(true));
        assert_eq!(
            on_floor(&level, &map, x, z),
            on_floor(&before, &without, x, z)
        );
    }
    // The doorway fills half of the hemisphere over the crate's front, the room fills the other half.
    let front = map.seen(
        &level,
        level.from_author(AuthorPoint(v(3.97, 1.8, 2.0))),
        DVec3::NEG_X,
    );
    assert!(front > 200.0, "{front}");
}

#[test]
fn glass_and_sky_take_no_light_away_but_foliage_does() {
    let under = v(6.75, 0., 2.75);
    let floor_under = |material: Material| {
        let mut sketch = furnished();
        let material = sketch.material(material);
        sketch.furniture(0, material, cuboid([6., 0.4, 2.], [7.5, 0.5, 3.5]));
        let level = built(sketch);
        let map = baked(&level, LightmapQuality::default());
        let right = oracle::sky_visibility(&level, level.from_author(AuthorPoint(under)), DVec3::Y);
        (on_floor(&level, &map, under.x, under.z), 255.0 * right)
    };
    let alpha = |alpha| Material {
        alpha,
        ..Default::default()
    };
    let sky = Material {
        sky: true,
        ..Default::default()
    };
    for seen_through in [alpha(Alpha::Blend), sky] {
        assert!(floor_under(seen_through).0 > 254.0);
    }
    for solid in [alpha(Alpha::Mask(0.5)), alpha(Alpha::Opaque)] {
        let (seen, right) = floor_under(solid);
        assert!(
            (seen - right).abs() < 4.0 && seen < 200.0,
            "{seen} for {right}"
        );
    }
}

#[test]
fn nothing_black_shows_around_things_that_stand_or_lie_on_the_floor() {
    let mut sketch = furnished();
    // A mat, a centimetre above the floor.
    sketch.furniture(0, 0, cuboid([5.6, 0.01, 4.03], [6.4, 0.02, 4.6]));
    // A post, a box that sinks into the floor, and a box whose bottom coincides with the floor.
    sketch.furniture(0, 0, cuboid([1.0, -0.2, 3.0], [1.06, 2.0, 3.06]));
    sketch.furniture(0, 0, cuboid([1.0, -0.5, 4.0], [1.83, 0.5, 4.77]));
    let level = built(sketch);
    let map = baked(&level, LightmapQuality::default());
    let around = |[x0, x1]: [f64; 2], [z0, z1]: [f64; 2], least: f64| {
        for i in 0..=50 {
            let part = f64::from(i) / 50.0;
            let (x, z) = (x0 + (x1 - x0) * part, z0 + (z1 - z0) * part);
            for [x, z] in [
                [x0 - 0.01, z],
                [x1 + 0.01, z],
                [x, z0 - 0.01],
                [x, z1 + 0.01],
            ] {
                let seen = on_floor(&level, &map, x, z);
                assert!(seen > least, "{seen} at {x}, {z}");
            }
        }
    };
    // Beside a wall the value is about 130, and in a corner half of that.
    around([5.6, 6.4], [4.03, 4.6], 225.0);
    around([1.0, 1.06], [3.0, 3.06], 150.0);
    around([1.0, 1.83], [4.0, 4.77], 125.0);
    around([4.0, 5.0], [2.5, 3.3], 125.0);
}

#[test]
fn a_slope_takes_no_light_from_itself() {
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([-120., 0., -120.], [120., 100., 120.]), &[]);
    let normal = v(0.31, 0.87, -0.22).normalize_or_zero();
    let side = normal.any_orthonormal_vector() * 5.0;
    let (other, middle) = (normal.cross(side), v(111.1, 77.7, -99.9));
    let [a, b, c, d] = [side, other, -side, -other].map(|corner| middle + corner);
    sketch.mesh(hall, 0, &[[a, b, c], [a, c, d]]);
    let level = built(sketch);
    let map = baked(&level, LightmapQuality::default());
    let slope = map.chart_at(&level, level.from_author(AuthorPoint(middle)), normal);
    for row in 0..slope.size[1] {
        for column in 0..slope.size[0] {
            assert_eq!(map.code(slope, [column, row]), 255);
        }
    }
}

#[test]
fn every_number_of_cores_gives_the_same() {
    let level = built(two_rooms(true));
    let alone = baked_on(&level, LightmapQuality::COARSE, 1);
    for cores in [2, 5, 64] {
        assert!(
            baked_on(&level, LightmapQuality::COARSE, cores) == alone,
            "{cores} cores"
        );
    }
}

#[test]
fn progress_comes_to_its_end() {
    let level = built(two_rooms(true));
    let told = std::sync::Mutex::new(Vec::new());
    bake(&level, LightmapQuality::COARSE, &|part| {
        told.lock().unwrap().push(part)
    });
    let told = told.into_inner().unwrap();
    assert!(told.iter().all(|part| (0.0..=1.0).contains(part)));
    assert!(told.contains(&1.0));
}
