//! Influence of surfaces on the exposure, independent of their triangulation.

use super::*;
use crate::level::{AuthorPoint, Image, Material, Texture};
use crate::source::LightSource;

/// A room whose sides are cut into `strips` strips, with a lamp that lights a spot of its floor.
fn room_of_strips(strips: usize, candela: f32) -> Level {
    let mut sketch = Sketch::new("strips");
    let inside = cuboid([-4.0, 0.0, -3.0], [4.0, 3.0, 3.0]);
    let room = sketch.box_room("room", inside, &[]);
    for mesh in &mut sketch.source.meshes {
        let corners: Vec<[DVec3; 3]> = mesh
            .triangles
            .iter()
            .map(|t| t.map(|i| mesh.positions[i as usize]))
            .collect();
        mesh.positions.clear();
        mesh.triangles.clear();
        for [a, b, c] in corners {
            for k in 0..strips {
                let at = |k: usize, p: DVec3| a.lerp(p, k as f64 / strips as f64);
                let (p, q, r, s) = (at(k, b), at(k, c), at(k + 1, b), at(k + 1, c));
                for triangle in [[p, r, s], [p, s, q]] {
                    if triangle[0] != triangle[2] {
                        let first = mesh.positions.len() as u32;
                        mesh.positions.extend(triangle);
                        mesh.triangles.push([first, first + 1, first + 2]);
                    }
                }
            }
        }
    }
    sketch.source.lights.push(LightSource {
        node: "spot".to_owned(),
        room: Some(room),
        position: AuthorPoint(DVec3::new(-1.0, 2.9, 0.7)),
        direction: DVec3::NEG_Y,
        colour: [1.0; 3],
        intensity: candela,
        range: None,
        radius: 0.0,
        kind: LightKind::Spot {
            inner: 0.2,
            outer: 0.35,
        },
        starts_lit: true,
        flicker: 0.0,
    });
    sketch.spawn(room, DVec3::new(0.3, 0.0, 0.4), DVec3::X);
    build(sketch.source).expect("the sketch is good").0
}

#[test]
fn the_brightness_of_a_picture_does_not_depend_on_how_walls_are_cut() {
    let lit = |strips: usize| {
        let level = room_of_strips(strips, 5000.0);
        let lighting = Lighting::new(&level, &World::of(&level), flat(&level));
        let white = lighting.lists.lights[0].colour.x * lighting.exposure;
        (white, lighting.ambient[0].x)
    };
    let (white, ambient) = lit(1);
    assert!(white < 100.0, "the lamp is adapted to: {white}");
    for strips in [2, 7, 40] {
        let (other_white, other_ambient) = lit(strips);
        assert!(
            (other_white / white - 1.0).abs() < 0.15,
            "{white}, {other_white}"
        );
        let off = (other_ambient / ambient - 1.0).abs();
        assert!(off < 0.15, "{ambient}, {other_ambient}");
    }
}

#[test]
fn an_emissive_map_lights_by_its_mean() {
    let ambient = |lit_texels: usize| {
        let mut sketch = Sketch::new("map");
        let room = sketch.box_room("room", cuboid([-2.0, 0.0, -2.0], [2.0, 3.0, 2.0]), &[]);
        let mut rgba = [[0u8, 0, 0, 255]; 16];
        rgba[..lit_texels].fill([255; 4]);
        sketch.source.images.push(Image {
            name: "glow".to_owned(),
            width: 4,
            height: 4,
            rgba: rgba.as_flattened().into(),
        });
        let glow = sketch.material(Material {
            emissive: [1.0; 3],
            emissive_texture: Some(Texture::new(0)),
            ..Material::default()
        });
        sketch.furniture(room, glow, cuboid([-1.0, 1.0, -1.9], [1.0, 2.0, -1.8]));
        sketch.spawn(room, DVec3::new(0.3, 0.0, 0.4), DVec3::X);
        let (level, _) = build(sketch.source).expect("the sketch is good");
        let lighting = Lighting::new(&level, &World::of(&level), flat(&level));
        lighting.ambient[0].x - lighting.min_ambient
    };
    let (one, all) = (ambient(1), ambient(16));
    assert!(all > 0.01, "{all}");
    assert!((all / one - 16.0).abs() < 0.5, "{one}, {all}");
}

#[test]
fn a_sun_in_a_level_without_sky_sets_the_exposure_like_a_lamp() {
    for lux in [0.1, 10.0, 100_000.0] {
        let mut sketch = Sketch::new("sun");
        let room = sketch.box_room("room", cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 4.0]), &[]);
        sketch.source.lights.push(LightSource {
            node: "sun".to_owned(),
            room: Some(room),
            position: AuthorPoint(DVec3::new(0.0, 2.0, 0.0)),
            direction: DVec3::new(0.3, -1.0, 0.2).normalize_or_zero(),
            colour: [1.0; 3],
            intensity: lux,
            range: None,
            radius: 0.0,
            kind: LightKind::Directional,
            starts_lit: true,
            flicker: 0.0,
        });
        sketch.spawn(room, DVec3::new(0.3, 0.0, 0.4), DVec3::X);
        let (level, _) = build(sketch.source).expect("the sketch is good");
        let lighting = Lighting::new(&level, &World::of(&level), flat(&level));
        let on_floor =
            lighting.lists.lights[0].colour.x * lighting.exposure + lighting.ambient[0].x;
        assert!((0.3..1.3).contains(&on_floor), "{on_floor}");
    }
}
