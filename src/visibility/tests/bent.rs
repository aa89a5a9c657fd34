//! Portals that bend space.

use glam::{DMat3, DVec3};

use super::loops::grid;
use super::*;
use crate::geometry::{ConvexPolygon, Triangle};
use crate::level::{Link, Portal, PortalId};

/// The level with every room in coordinates of its own: turned by quarters and moved far away.
pub(super) fn bent(mut level: Level) -> (Level, Vec<Rigid>) {
    let own_from_level: Vec<Rigid> = (0..level.rooms.len())
        .map(|i| {
            let quarter = DMat3::from_cols(DVec3::NEG_Z, DVec3::Y, DVec3::X);
            let turned = (0..i % 4).fold(DMat3::IDENTITY, |r, _| r * quarter);
            Rigid::new(turned, DVec3::new(100.0 * i as f64, -7.0, 31.0))
        })
        .collect();
    let own = |room: RoomId| &own_from_level[room.0 as usize];
    let moved = |b: &Aabb, by: &Rigid| Aabb::around(b.corners().map(|c| by.point(c)));
    for portal in &mut level.portals {
        let from = own(portal.near);
        portal.polygon = from.polygon(&portal.polygon);
        portal.bounds = moved(&portal.bounds, from);
        portal.far_from_near = own(portal.far).after(&from.inverse());
    }
    for sprawl in &mut level.sprawls {
        let into = own(level.portals[sprawl.through.0 as usize].near);
        sprawl.bounds = moved(&sprawl.bounds, into);
        sprawl.into_from_room = into.after(&own(sprawl.room).inverse());
    }
    for (room, by) in level.rooms.iter_mut().zip(&own_from_level) {
        room.bounds = moved(&room.bounds, by);
    }
    (level, own_from_level)
}

#[test]
fn portals_that_bend_space_show_the_same_rooms_where_they_appear() {
    let level = built(grid(4, 4, |_, _| true));
    let world = World::of(&level);
    let straight = camera(5, [5.0, 1.5, 6.5], [-100.0, 10.0]);
    let mut expected = Visibility::default();
    flood(&level, &world, &straight, &mut expected);
    let (level, own_from_level) = bent(level);
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

/// One room of 4x3x4 m whose east opening leads to its west opening, and back.
fn endless() -> Level {
    let mut level = built(row(1, &[]));
    let hole = |x: f64, turned: bool| {
        let corner = |y: f64, z: f64| DVec3::new(x, y, z);
        let (a, b) = (corner(0.0, 1.0), corner(0.0, 3.0));
        let (c, d) = (corner(2.0, 3.0), corner(2.0, 1.0));
        let halves = [[a, c, b], [a, d, c]].map(|corners| Triangle { corners });
        let polygon = ConvexPolygon::from_triangles(&halves).unwrap();
        if turned { polygon.flipped() } else { polygon }
    };
    for (polygon, step) in [(hole(4.0, false), -4.0), (hole(0.0, true), 4.0)] {
        level.portals.push(Portal {
            link: LinkId(0),
            near: RoomId(0),
            far: RoomId(0),
            bounds: polygon.bounds(),
            polygon,
            far_from_near: Rigid::new(DMat3::IDENTITY, DVec3::X * step),
        });
    }
    level.rooms[0].portals = 0..2;
    level.links.push(Link {
        name: "endless".to_owned(),
        near: RoomId(0),
        far: RoomId(0),
        area: 4.0,
        portal: PortalId(0),
        back: Some(PortalId(1)),
        panel: None,
    });
    level
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
