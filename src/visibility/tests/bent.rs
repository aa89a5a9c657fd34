//! Portals that bend space.

use crate::geometry::Rigid;
use crate::level::Level;
use crate::world::World;
use glam::{DMat3, DVec3};

use super::loops::grid;
use super::*;

/// The number of rounding steps in a metre. Coordinates that are rounded to these steps are exact in f32 even far away.
const STEPS_PER_METRE: f64 = 1024.0;

/// Rounds the corners of a sketch's rooms and portals, so that they stay exact in f32 far away.
pub(super) fn rounded(mut sketch: Sketch) -> Sketch {
    move_corners(&mut sketch, |_, p| {
        (p * STEPS_PER_METRE).round() / STEPS_PER_METRE
    });
    sketch
}

/// Builds the sketch with every room in coordinates of its own, rotated by quarter turns and moved far away. Also
/// returns, for each room, the transform from the straight level's coordinates to the room's.
pub(super) fn bent(mut sketch: Sketch) -> (Level, Vec<Rigid>) {
    let own_from_straight: Vec<Rigid> = (0..sketch.source.rooms.len())
        .map(|i| {
            let quarter = DMat3::from_cols(DVec3::NEG_Z, DVec3::Y, DVec3::X);
            let turned = (0..i % 4).fold(DMat3::IDENTITY, |r, _| r * quarter);
            Rigid::new(turned, DVec3::new(100.0 * i as f64, -7.0, 31.0))
        })
        .collect();
    move_corners(&mut sketch, |room, p| own_from_straight[room].point(p));
    let source = &mut sketch.source;
    for portal in &mut source.portals {
        let far = source
            .rooms
            .iter()
            .position(|room| room.name == portal.dest);
        let own_from_near = own_from_straight[portal.room].inverse();
        portal.far_from_near = own_from_straight[far.unwrap()].after(&own_from_near);
    }
    let level = built(sketch);
    let level_from_author = Rigid::new(DMat3::IDENTITY, -level.origin);
    let own = own_from_straight.iter();
    let own = own.map(|own| level_from_author.after(own)).collect();
    (level, own)
}

/// Moves the corners of all rooms and portals.
fn move_corners(sketch: &mut Sketch, moved: impl Fn(usize, DVec3) -> DVec3) {
    for mesh in &mut sketch.source.meshes {
        let room = mesh.room;
        mesh.positions.iter_mut().for_each(|p| *p = moved(room, *p));
    }
    for portal in &mut sketch.source.portals {
        let room = portal.room;
        let corners = portal.triangles.iter_mut().flatten();
        corners.for_each(|p| *p = moved(room, *p));
    }
}

#[test]
fn portals_that_bend_space_show_the_same_rooms_where_they_appear() {
    let sketch = grid(4, 4, |_, _| true);
    let level = built(rounded(sketch.clone()));
    let world = World::of(&level);
    let straight = camera(5, [5.0, 1.5, 6.5], [-100.0, 10.0]);
    let mut expected = Visibility::default();
    flood(&level, &world, &straight, &mut expected);
    let (level, own_from_level) = bent(rounded(sketch));
    let own = &own_from_level[5];
    let turned = Camera {
        at: straight.at.with_point(own.point(straight.at.point)),
        axes: own.rotation() * straight.axes,
        ..straight
    };
    let mut found = Visibility::default();
    flood(&level, &world, &turned, &mut found);
    assert!(expected.rooms.len() > 4);
    assert_eq!(found.visits, expected.visits);
    for (found, expected) in found.rooms.iter().zip(&expected.rooms) {
        assert_eq!(found.room, expected.room);
        let there = own.after(&own_from_level[found.room.0 as usize].inverse());
        for p in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z] {
            assert!((found.eye_from_room.point(p) - there.point(p)).length() < 1e-9);
        }
    }
}

/// One room of 4x3x4 m whose east opening leads to its own west opening, and back.
fn endless() -> Level {
    let hole = |x: f64| cuboid([x, 0.0, 1.0], [x, 2.0, 3.0]);
    let mut sketch = Sketch::new("endless");
    let inside = cuboid([0.0; 3], [4.0, 3.0, 4.0]);
    let room = sketch.box_room("a", inside, &[hole(0.0), hole(4.0)]);
    sketch.portal(room, "a", hole(4.0), DVec3::X);
    sketch.source.portals[0].far_from_near = Rigid::new(DMat3::IDENTITY, DVec3::X * -4.0);
    built(sketch)
}

#[test]
fn a_room_seen_through_its_own_portal_appears_again_and_again_but_not_for_ever() {
    let level = endless();
    assert_eq!(level.portals[0].polygon.plane.normal, DVec3::X);
    let mut visibility = Visibility::default();
    let eye = camera(0, [1.0, 1.0, 2.0], EAST);
    flood(&level, &World::of(&level), &eye, &mut visibility);
    assert_eq!(visibility.rooms.len(), 64);
    for (i, image) in visibility.rooms.iter().enumerate() {
        let at = image.eye_from_room.point(DVec3::ZERO);
        assert_eq!(at, DVec3::X * 4.0 * i as f64, "the nearest come first");
    }
    let aside = camera(0, [2.0, 1.0, 1.5], [0.0, 0.0]);
    assert_eq!(seen(&level, &aside), "a");
}
