//! The player's figure in rendered images.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{Game, PLAYER, Start, ThirdPerson};
use opendoor::geometry::Rigid;
use opendoor::level::{AuthorPoint, Level, Material};
use opendoor::visibility::{Camera, Culling};

use crate::fixture::{Studio, gpu};
use crate::shared::built;

const SIZE: [u32; 2] = [160, 120];

/// The figure of a player with feet at `feet`, looking towards -z.
fn person(level: &Level, feet: [f64; 3]) -> ThirdPerson {
    let feet = Start::Feet(AuthorPoint(DVec3::from_array(feet)));
    let mut game = Game::start(level, &feet, PLAYER).expect("there is room");
    ThirdPerson {
        shows_figure: true,
        ..game.third_person(level, 0, 1.0, 70.0, 1.6)
    }
}

/// The number of pixels that differ noticeably, and their bounding box: left, top, right, bottom.
fn difference(a: &[u8], b: &[u8]) -> (usize, [usize; 4]) {
    let mut count = 0;
    let mut around = [usize::MAX, usize::MAX, 0, 0];
    let pixels = a.chunks_exact(4).zip(b.chunks_exact(4));
    for (at, (a, b)) in pixels.enumerate() {
        if a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 8) {
            let [x, y] = [at % SIZE[0] as usize, at / SIZE[0] as usize];
            count += 1;
            around = [
                around[0].min(x),
                around[1].min(y),
                around[2].max(x),
                around[3].max(y),
            ];
        }
    }
    (count, around)
}

/// Two white rooms with a doorway between them, and a lamp on the ceiling of each.
fn two_rooms(bend: Rigid) -> Level {
    let mut sketch = Sketch::new("two rooms");
    sketch.source.materials[0] = Material {
        base_colour: [0.8, 0.8, 0.8, 1.0],
        ..Material::default()
    };
    let far = |p: [f64; 3]| bend.point(DVec3::from_array(p));
    let door = cuboid([-1.0, 0.0, -3.0], [1.0, 2.5, -3.0]);
    let [a, b] = [far([-1.0, 0.0, -3.0]), far([1.0, 2.5, -3.0])];
    let other = cuboid(a.min(b).to_array(), a.max(b).to_array());
    let [c, d] = [far([-3.0, 0.0, -3.0]), far([3.0, 3.0, -9.0])];
    let inside = cuboid(c.min(d).to_array(), c.max(d).to_array());
    let near = sketch.box_room("near", cuboid([-3.0, 0.0, -3.0], [3.0, 3.0, 3.0]), &[door]);
    let beyond = sketch.box_room("far", inside, &[other]);
    sketch.portal(near, "far", door, DVec3::NEG_Z);
    sketch.source.portals[0].far_from_near = bend;
    sketch.lamp(near, DVec3::new(1.5, 2.9, 1.0), 40.0);
    sketch.lamp(beyond, far([1.5, 2.9, -5.0]), 40.0);
    sketch.spawn(near, DVec3::new(0.0, 0.1, 2.0), DVec3::NEG_Z);
    built(sketch.source)
}

fn view(studio: &Studio) -> Camera {
    studio.camera([0.0, 1.5, 2.0], [0.0, 0.0])
}

#[test]
fn a_figure_is_seen_through_a_doorway_also_where_that_bends_space() {
    let gpu = gpu();
    let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X);
    let mut before: Option<(usize, [usize; 4])> = None;
    for bend in [
        Rigid::IDENTITY,
        Rigid::new(turn, DVec3::new(60.0, 0.0, 0.0)),
    ] {
        let level = two_rooms(bend);
        let mut studio = Studio::new(&gpu, &level, SIZE);
        let camera = view(&studio);
        let empty = studio.draw(&camera, Culling::Portals);
        let feet = bend.point(DVec3::new(0.0, 0.0, -5.0));
        let mut seen = person(&level, feet.to_array());
        // As seen from the camera, the figure faces the same direction in every case.
        seen.room_from_figure = Rigid::new(bend.rotation(), seen.room_from_figure.translation());
        let drawn = studio.draw_with(&camera, Culling::Portals, Some(&seen));
        let found = difference(&empty, &drawn);
        // The figure is 1.8 m high and 7 m away, where the image is 14 m high. So it is 15 pixels high, with its
        // shadow.
        let [left, top, right, bottom] = found.1;
        assert!(found.0 > 60, "{found:?}");
        assert!(
            left > 60 && right < 100 && top > 50 && bottom < 85,
            "{found:?}"
        );
        if let Some(before) = before.replace(found) {
            let [a, b] = [before.0, found.0];
            assert!(a.abs_diff(b) < a / 10 + 3, "{before:?} {found:?}");
        }
    }
}

#[test]
fn a_figure_in_a_doorway_is_drawn_once_and_in_both_rooms() {
    let gpu = gpu();
    let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X);
    let bend = Rigid::new(turn, DVec3::new(60.0, 0.0, 0.0));
    let level = two_rooms(bend);
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let mut pixels = Vec::new();
    // The middle of the figure is in the first room, then in the portal, then in the second room.
    for z in [-2.9, -2.99] {
        let seen = person(&level, [0.0, 0.0, z]);
        let camera = view(&studio);
        let empty = studio.draw(&camera, Culling::Portals);
        let drawn = studio.draw_with(&camera, Culling::Portals, Some(&seen));
        pixels.push(difference(&empty, &drawn).0);
        // The view from the other side.
        let eye = bend.point(DVec3::new(0.5, 1.5, -7.0));
        let camera = studio.camera(eye.to_array(), [90.0, 0.0]);
        let empty = studio.draw(&camera, Culling::Portals);
        let drawn = studio.draw_with(&camera, Culling::Portals, Some(&seen));
        pixels.push(difference(&empty, &drawn).0);
    }
    // At distances of 5 and 4 m a metre is 12 and 15 pixels; the figure is 1.8 m high and about 0.4 m wide.
    assert!(pixels.iter().all(|count| *count > 100), "{pixels:?}");
}

#[test]
fn a_figure_that_is_not_shown_casts_its_shadow_and_leaves_it_when_it_goes() {
    let gpu = gpu();
    let level = two_rooms(Rigid::IDENTITY);
    let mut studio = Studio::new(&gpu, &level, SIZE);
    let camera = view(&studio);
    let empty = studio.draw(&camera, Culling::Portals);
    let seen = person(&level, [0.0, 0.0, -0.5]);
    let shown = studio.draw_with(&camera, Culling::Portals, Some(&seen));
    let hidden = ThirdPerson {
        shows_figure: false,
        ..seen
    };
    let hidden = studio.draw_with(&camera, Culling::Portals, Some(&hidden));
    let (shadow, _) = difference(&empty, &hidden);
    let (all, _) = difference(&empty, &shown);
    assert!(shadow > 50, "{shadow}");
    assert!(all > shadow + 200, "{all} {shadow}");
    let gone = studio.draw(&camera, Culling::Portals);
    assert_eq!(difference(&empty, &gone).0, 0);
}
