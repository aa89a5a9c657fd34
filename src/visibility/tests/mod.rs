//! Tests of the flood in levels small enough that the result is obvious.

mod bent;
mod house;
mod loops;
mod oracle;
mod volumes;

use crate::world::World;
use glam::DVec3;

use super::*;
use crate::author::sketch::{Sketch, SketchOpening, cuboid};
use crate::build::build;
use crate::geometry::Aabb;
use crate::level::{At, Level, LinkId, RoomId};

/// Builds the level of a sketch. Levels require a spawn; it is put in a corner of the first room.
fn built(mut sketch: Sketch) -> Level {
    let first = Aabb::around(sketch.source.meshes[0].positions.iter().copied());
    let corner = first.min + (first.max - first.min) * 0.05;
    sketch.spawn(0, corner, DVec3::NEG_Z);
    match build(sketch.source) {
        Ok((level, _)) => level,
        Err(problems) => panic!("{problems}"),
    }
}

/// Rooms of 4x3x4 m side by side along +X, named `a`, `b`, ..., each open to the next one through `openings`, which
/// have the coordinates of a wall at x = 0.
fn row(count: u32, openings: &[SketchOpening]) -> Sketch {
    let mut sketch = Sketch::new("row");
    for i in 0..count {
        let at = 4.0 * f64::from(i);
        let moved = |by: f64| openings.iter().map(move |o| shifted(o, by));
        let mut holes: Vec<SketchOpening> = Vec::new();
        if i > 0 {
            holes.extend(moved(at));
        }
        if i + 1 < count {
            holes.extend(moved(at + 4.0));
        }
        let name = char::from(b'a' + i as u8).to_string();
        let inside = cuboid([at, 0.0, 0.0], [at + 4.0, 3.0, 4.0]);
        let room = sketch.box_room(&name, inside, &holes);
        if i + 1 < count {
            let dest = char::from(b'b' + i as u8).to_string();
            for opening in moved(at + 4.0) {
                sketch.portal(room, &dest, opening, DVec3::X);
            }
        }
    }
    sketch
}

fn shifted(opening: &SketchOpening, x: f64) -> SketchOpening {
    Aabb {
        min: opening.min + DVec3::X * x,
        max: opening.max + DVec3::X * x,
    }
}

/// A doorway of 1.2 x 2.2 m in the middle of a wall of [`row`].
fn doorway() -> SketchOpening {
    cuboid([0.0, 0.0, 1.4], [0.0, 2.2, 2.6])
}

/// The angles of a camera that looks along +X.
const EAST: [f64; 2] = [-90.0, 0.0];
/// The angles of a camera that looks along -X.
const WEST: [f64; 2] = [90.0, 0.0];

fn camera(room: u32, eye: [f64; 3], angles: [f64; 2]) -> Camera {
    Camera::new(
        At::new(RoomId(room), DVec3::from_array(eye)),
        angles,
        70.0,
        1.5,
    )
}

fn seen_with(level: &Level, world: &World, camera: &Camera) -> String {
    let mut visibility = Visibility::default();
    flood(level, world, camera, &mut visibility);
    let names = visibility.rooms.iter();
    names.map(|r| level.room(r.room).name.as_str()).collect()
}

/// Names of the visible rooms, in the order of discovery.
fn seen(level: &Level, camera: &Camera) -> String {
    seen_with(level, &World::of(level), camera)
}

#[test]
fn the_eye_sees_its_own_room_and_the_rooms_behind_doorways_in_front_of_it() {
    let level = built(row(4, &[doorway()]));
    assert_eq!(seen(&level, &camera(0, [1.0, 1.5, 2.0], EAST)), "abcd");
    assert_eq!(seen(&level, &camera(0, [1.0, 1.5, 2.0], WEST)), "a");
    assert_eq!(seen(&level, &camera(1, [6.0, 1.5, 2.0], EAST)), "bcd");
    assert_eq!(seen(&level, &camera(1, [6.0, 1.5, 2.0], WEST)), "ba");
    // From the corner, the line of sight through two doorways ends at the third room's wall.
    assert_eq!(seen(&level, &camera(0, [2.0, 1.5, 0.2], EAST)), "ab");
}

#[test]
fn an_eye_in_on_or_near_a_portal_sees_through_it_from_either_side() {
    let level = built(row(3, &[doorway()]));
    // The eye may be assigned to either room, and be in front of the portal or behind it. The view must be the same.
    for room in [0, 1] {
        for off in [-0.03, -0.005, -1e-9, 0.0, 1e-9, 0.005, 0.03] {
            for z in [1.4, 1.401, 2.0, 2.6] {
                let ahead = seen(&level, &camera(room, [4.0 + off, 1.5, z], EAST));
                assert!(ahead.contains('b') && ahead.contains('c'), "{off} {ahead}");
                let back = seen(&level, &camera(room, [4.0 + off, 1.5, z], WEST));
                assert!(back.contains('a') && !back.contains('c'), "{off} {back}");
                let along = seen(&level, &camera(room, [4.0 + off, 1.5, z], [0.0, 0.0]));
                assert!(along.contains('a') && along.contains('b'), "{off} {along}");
            }
        }
    }
}

#[test]
fn a_portal_seen_from_the_side_that_it_does_not_open_shows_nothing() {
    // The eye is in `b`, far beyond the portal, but wrongly assigned to `a`.
    let level = built(row(2, &[doorway()]));
    assert_eq!(seen(&level, &camera(0, [6.0, 1.5, 2.0], WEST)), "a");
}

#[test]
fn a_portal_that_crosses_the_plane_of_the_eye_is_clipped_to_the_part_ahead() {
    let wide = cuboid([0.0, 0.0, 0.0], [0.0, 3.0, 4.0]);
    let level = built(row(2, &[wide]));
    // The eye looks along -Z, beside an opening that extends from ahead of it to behind it.
    let beside = camera(0, [3.0, 1.5, 2.0], [0.0, 0.0]);
    assert_eq!(seen(&level, &beside), "ab");
    let away = camera(0, [3.0, 1.5, 2.0], [60.0, 0.0]);
    assert_eq!(seen(&level, &away), "a");
    // The whole opening is behind the eye.
    assert_eq!(seen(&level, &camera(0, [3.0, 1.5, 2.0], WEST)), "a");
}

#[test]
fn a_closed_door_hides_the_room_behind_it_until_it_opens() {
    let level = built(row(3, &[doorway()]));
    let mut world = World::of(&level);
    let camera = camera(0, [1.0, 1.5, 2.0], EAST);
    world.close(LinkId(1));
    assert_eq!(seen_with(&level, &world, &camera), "ab");
    world.open(LinkId(1));
    assert_eq!(seen_with(&level, &world, &camera), "abc");
}

#[test]
fn a_one_way_portal_is_seen_through_one_way() {
    let mut sketch = row(2, &[doorway()]);
    sketch.source.portals[0].two_way = false;
    let level = built(sketch);
    assert_eq!(seen(&level, &camera(0, [1.0, 1.5, 2.0], EAST)), "ab");
    assert_eq!(seen(&level, &camera(1, [7.0, 1.5, 2.0], WEST)), "b");
}

#[test]
fn of_several_portals_between_two_rooms_each_counts() {
    let slits = [
        cuboid([0.0, 0.0, 0.2], [0.0, 2.2, 0.6]),
        cuboid([0.0, 0.0, 3.4], [0.0, 2.2, 3.8]),
    ];
    let level = built(row(3, &slits));
    // An eye in front of one slit sees `c` through that slit only, whichever slit is visited first.
    for (z, own, other) in [(0.4, LinkId(0), LinkId(1)), (3.6, LinkId(1), LinkId(0))] {
        let eye = camera(0, [1.0, 1.5, z], EAST);
        let mut world = World::of(&level);
        assert_eq!(seen_with(&level, &world, &eye), "abc");
        world.close(other);
        assert_eq!(seen_with(&level, &world, &eye), "abc");
        world.close(own);
        world.open(other);
        assert_eq!(seen_with(&level, &world, &eye), "ab");
    }
}

#[test]
fn geometry_that_sprawls_through_a_portal_is_visible_although_the_opening_is_not() {
    // A beam of `b` extends 1 m into `a`; the eye in `a` looks past the doorway and sees only the beam.
    let mut sketch = row(3, &[doorway()]);
    let beam = cuboid([3.0, 1.0, 1.5], [5.0, 1.2, 1.7]);
    sketch.furniture(1, 0, beam);
    let level = built(sketch);
    assert!(!level.sprawls.is_empty(), "the fixture has a sprawl");
    let past = camera(0, [3.2, 1.1, 3.5], [0.0, 0.0]);
    let ends_before_the_doorway = Camera {
        tan_half_height: 0.1,
        ..past
    };
    let rooms = seen(&level, &ends_before_the_doorway);
    assert_eq!(rooms, "ab");
    // With the doorway shut, the beam is still visible, but nothing behind it.
    let mut shut = World::of(&level);
    shut.close(LinkId(0));
    assert_eq!(seen_with(&level, &shut, &past), "ab");
}

#[test]
fn geometry_that_sprawls_through_two_portals_is_visible_although_neither_opening_is() {
    let mut sketch = row(3, &[doorway()]);
    sketch.furniture(2, 0, cuboid([3.0, 1.0, 1.5], [9.0, 1.2, 1.7]));
    let level = built(sketch);
    let past = Camera {
        tan_half_height: 0.1,
        ..camera(0, [3.2, 1.1, 3.5], [0.0, 0.0])
    };
    // Nothing of `b`, through which the beam passes, is in the picture.
    assert_eq!(seen(&level, &past), "ac");
}

#[test]
fn frustum_culling_lists_the_rooms_in_the_frustum_and_no_culling_lists_all() {
    let level = built(row(4, &[doorway()]));
    let world = World::of(&level);
    let eye = camera(1, [5.0, 1.5, 0.3], EAST);
    let mut visibility = Visibility::default();
    let mut list = |culling| {
        visible_rooms(culling, &level, &world, &eye, &mut visibility);
        let rooms = visibility.rooms.iter();
        rooms
            .map(|r| level.room(r.room).name.as_str())
            .collect::<String>()
    };
    assert_eq!(list(Culling::Portals), "bc");
    assert_eq!(list(Culling::Frustum), "bcd");
    assert_eq!(list(Culling::None), "bacd");
}
