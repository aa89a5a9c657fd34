//! The room of a light: the room that contains it.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::level::{Alpha, Level, LightKind, Material};
use opendoor::problems::Problem;

use crate::checks::keep_faces;
use crate::common::{MAX_COMPARED, v};

/// Rooms `a` (x < 0) and `b`, with the whole wall open between them.
fn two_rooms() -> Sketch {
    let mut sketch = Sketch::new("two rooms");
    let opening = cuboid([0., 0., -2.], [0., 3., 2.]);
    let a = sketch.box_room("a", cuboid([-6., 0., -2.], [0., 3., 2.]), &[opening]);
    sketch.box_room("b", cuboid([0., 0., -2.], [6., 3., 2.]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-3., 0.5, 0.), DVec3::X);
    sketch
}

fn built(sketch: Sketch) -> (Level, Vec<Problem>) {
    let (level, problems) = build(sketch.source).unwrap_or_else(|problems| panic!("{problems}"));
    (level, problems.warnings.to_vec())
}

/// The room of a lamp at this position, a child of the room with this index; and the level's problems.
fn room_of(mut sketch: Sketch, at: DVec3, parent: Option<usize>) -> (Option<String>, Vec<Problem>) {
    sketch.lamp(0, at, 10.0);
    sketch.source.lights[0].room = parent;
    let (level, warnings) = built(sketch);
    let room = level.lights[0]
        .at
        .map(|at| level.room(at.room).name.clone());
    (room, warnings)
}

#[test]
fn a_lamp_belongs_to_the_room_that_it_stands_in() {
    for (x, name) in [(-3.0, "a"), (3.0, "b")] {
        for parent in [None, Some(0), Some(1)] {
            let (room, warnings) = room_of(two_rooms(), v(x, 2.0, 0.0), parent);
            assert_eq!(room.as_deref(), Some(name), "{x} {parent:?}");
            let elsewhere = parent.is_some_and(|parent| ["a", "b"][parent] != name);
            assert_eq!(warnings.len(), usize::from(elsewhere), "{warnings:?}");
            for warning in warnings {
                assert_eq!((warning.code.as_str(), &*warning.node), ("light", "a_lamp"));
                assert!(warning.message.contains(&format!("child of `{name}`")));
            }
        }
    }
}

#[test]
fn a_lamp_in_the_ceiling_stays_with_its_parents_room_and_one_without_is_dark() {
    for (parent, name) in [(None, None), (Some(0), Some("a")), (Some(1), Some("b"))] {
        let (room, warnings) = room_of(two_rooms(), v(-3.0, 3.02, 0.0), parent);
        assert_eq!(room.as_deref(), name);
        assert_eq!(warnings.len(), 1);
        assert_eq!(
            (warnings[0].code.as_str(), &*warnings[0].node),
            ("light", "a_lamp")
        );
        assert!(warnings[0].message.contains("move it"), "{}", warnings[0]);
    }
}

#[test]
fn a_lamp_in_its_bulb_is_in_the_room_and_one_in_a_crate_is_not() {
    let glow = Material {
        emissive: [1.0; 3],
        ..Material::default()
    };
    let glass = Material {
        alpha: Alpha::Blend,
        ..Material::default()
    };
    for (material, is_in) in [(glow, true), (glass, true), (Material::default(), false)] {
        for parent in [None, Some(0), Some(1)] {
            let mut sketch = two_rooms();
            let bulb = sketch.material(material.clone());
            sketch.furniture(1, bulb, cuboid([2.9, 1.9, -0.1], [3.1, 2.1, 0.1]));
            let (room, warnings) = room_of(sketch, v(3.0, 2.0, 0.0), parent);
            if is_in {
                assert_eq!(room.as_deref(), Some("b"));
            }
            assert_eq!(warnings.is_empty(), is_in && parent != Some(0));
        }
    }
}

/// Regression test: the lamp was in no room, because an open shade winds around it almost once in the opposite
/// direction.
#[test]
fn a_lamp_in_an_open_shade_is_in_its_room_and_one_below_the_floor_is_not() {
    for is_kept in [|p: DVec3| p.y > 1.91, |p: DVec3| p.y < 2.09] {
        let mut sketch = two_rooms();
        sketch.furniture(1, 0, cuboid([2.9, 1.9, -0.1], [3.1, 2.1, 0.1]));
        let shade = sketch.source.meshes.last_mut().unwrap();
        keep_faces(shade, is_kept);
        let (room, warnings) = room_of(sketch, v(3.0, 2.0, 0.01), Some(1));
        assert_eq!(room.as_deref(), Some("b"));
        assert!(warnings.is_empty(), "{warnings:?}");
    }
    let (_, warnings) = room_of(two_rooms(), v(3.0, -0.5, 0.0), Some(1));
    assert_eq!(warnings.len(), 1);
}

#[test]
fn a_lamp_flush_with_a_wall_is_in_the_room_that_it_was_given_to() {
    let bounds = built(two_rooms()).0.rooms[0].bounds;
    for off in [-1e-3, -1e-6, 0.0, 1e-6, 1e-3] {
        let at = v(bounds.centre().x, bounds.max.y + off, 0.3);
        let (room, warnings) = room_of(two_rooms(), at, Some(0));
        assert_eq!((room.as_deref(), warnings.len()), (Some("a"), 0), "{off}");
    }
}

#[test]
fn the_place_of_the_sun_matters_only_where_no_sky_is_seen() {
    for sky in [false, true] {
        let mut sketch = two_rooms();
        sketch.lamp(0, v(0.0, 90.0, 0.0), 10.0);
        sketch.source.lights[0].kind = LightKind::Directional;
        sketch.source.rooms[1].open_to_sky = sky;
        let (_, warnings) = built(sketch);
        assert_eq!(warnings.is_empty(), sky, "{warnings:?}");
    }
}

/// Regression test: each lamp was compared with every triangle of its room, for any number of lamps.
#[test]
fn a_hundred_thousand_lamps_in_a_finely_made_room_cost_a_bounded_number_of_comparisons() {
    const TRIANGLES: usize = 12_000;
    let mut sketch = two_rooms();
    for i in 0..1000 {
        let at = f64::from(i) * 0.005;
        // The furniture of room `a` is only drawn.
        sketch.furniture(1, 0, cuboid([at, 1.0, 0.0], [at + 0.004, 1.1, 0.1]));
        sketch.furniture(0, 0, cuboid([-at - 0.004, 1.0, 0.0], [-at, 1.1, 0.1]));
        sketch.source.meshes.last_mut().unwrap().solid = false;
    }
    for i in 0..100_000 {
        // Each lamp is a child of another room than the one that contains it.
        sketch.lamp(0, v(0.1 + f64::from(i) * 4e-5, 2.0, 0.0), 10.0);
    }
    let (level, _) = built(sketch);
    assert_eq!(level.lights.len(), 100_000);
    let rooms = level.lights.iter().filter_map(|light| Some(light.at?.room));
    let compared = rooms.filter(|&room| level.room(room).name == "b").count();
    assert!(
        (1..=MAX_COMPARED / TRIANGLES).contains(&compared),
        "{compared}"
    );
}
