//! What the flood finds, in levels small enough to see it by thought.

use glam::{DMat3, DVec3};

use super::*;
use crate::geometry::{Aabb, ConvexPolygon, Triangle};
use crate::level::sketch::{Opening, Sketch, cuboid};
use crate::level::{Link, LinkId, Portal, PortalId, build};

/// The level of a sketch; a spawn, which levels need, is put into a corner of the first room.
pub(super) fn built(mut sketch: Sketch) -> Level {
    let first = Aabb::around(sketch.source.meshes[0].positions.iter().copied());
    let corner = first.min + (first.max - first.min) * 0.05;
    sketch.spawn(0, corner, DVec3::NEG_Z);
    match build(sketch.source) {
        Ok((level, _)) => level,
        Err(problems) => panic!("{problems}"),
    }
}

/// Rooms of 4x3x4 m side by side along +X, named `a`, `b`, ..., each open to the next.
fn row(count: u32, openings: &[Opening]) -> Sketch {
    let mut sketch = Sketch::new("row");
    for i in 0..count {
        let at = 4.0 * f64::from(i);
        let moved = |by: f64| openings.iter().map(move |o| shifted(o, by));
        let mut holes: Vec<Opening> = Vec::new();
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

fn shifted(opening: &Opening, x: f64) -> Opening {
    Aabb {
        min: opening.min + DVec3::X * x,
        max: opening.max + DVec3::X * x,
    }
}

/// A doorway of 1.2 x 2.2 m in the middle of a wall of [`row`].
fn doorway() -> Opening {
    cuboid([0.0, 0.0, 1.4], [0.0, 2.2, 2.6])
}

/// Looking along +X.
const EAST: [f64; 2] = [-90.0, 0.0];
/// Looking along -X.
const WEST: [f64; 2] = [90.0, 0.0];

fn camera(room: u32, eye: [f64; 3], angles: [f64; 2]) -> Camera {
    Camera::new(RoomId(room), DVec3::from_array(eye), angles, 70.0, 1.5)
}

fn seen_with(level: &Level, open: &OpenLinks, camera: &Camera) -> String {
    let mut visibility = Visibility::default();
    flood(level, open, camera, &mut visibility);
    let names = visibility.rooms.iter();
    names.map(|r| level.room(r.room).name.as_str()).collect()
}

/// Names of the visible rooms, in the order of discovery.
fn seen(level: &Level, camera: &Camera) -> String {
    seen_with(level, &OpenLinks::of(level), camera)
}

#[test]
fn the_eye_sees_its_own_room_and_what_doorways_in_front_of_it_reveal() {
    let level = built(row(4, &[doorway()]));
    assert_eq!(seen(&level, &camera(0, [1.0, 1.5, 2.0], EAST)), "abcd");
    assert_eq!(seen(&level, &camera(0, [1.0, 1.5, 2.0], WEST)), "a");
    assert_eq!(seen(&level, &camera(1, [6.0, 1.5, 2.0], EAST)), "bcd");
    assert_eq!(seen(&level, &camera(1, [6.0, 1.5, 2.0], WEST)), "ba");
    // From the corner the line of sight through two doorways ends in the third room's wall.
    assert_eq!(seen(&level, &camera(0, [2.0, 1.5, 0.2], EAST)), "ab");
}

#[test]
fn an_eye_in_on_or_near_a_portal_sees_through_it_from_either_side() {
    let level = built(row(3, &[doorway()]));
    // Both rooms may be thought to hold the eye; the view must not depend on a millimetre.
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
    // An eye in `b`, whose room is wrongly taken for `a`, far beyond the portal.
    let level = built(row(2, &[doorway()]));
    assert_eq!(seen(&level, &camera(0, [6.0, 1.5, 2.0], WEST)), "a");
}

#[test]
fn a_portal_that_crosses_the_plane_of_the_eye_is_seen_as_far_as_it_is_ahead() {
    let wide = cuboid([0.0, 0.0, 0.0], [0.0, 3.0, 4.0]);
    let level = built(row(2, &[wide]));
    // Looking along -Z beside an opening that goes from far ahead to far behind.
    let beside = camera(0, [3.0, 1.5, 2.0], [0.0, 0.0]);
    assert_eq!(seen(&level, &beside), "ab");
    let away = camera(0, [3.0, 1.5, 2.0], [60.0, 0.0]);
    assert_eq!(seen(&level, &away), "a");
    // All of it behind the eye.
    assert_eq!(seen(&level, &camera(0, [3.0, 1.5, 2.0], WEST)), "a");
}

#[test]
fn a_closed_door_hides_what_is_behind_it_until_it_opens() {
    let level = built(row(3, &[doorway()]));
    let mut open = OpenLinks::of(&level);
    let camera = camera(0, [1.0, 1.5, 2.0], EAST);
    open.set(LinkId(1), false);
    assert_eq!(seen_with(&level, &open, &camera), "ab");
    open.set(LinkId(1), true);
    assert_eq!(seen_with(&level, &open, &camera), "abc");
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
    // From before the one slit, `c` is seen through that slit only, whichever comes first.
    for (z, own, other) in [(0.4, LinkId(0), LinkId(1)), (3.6, LinkId(1), LinkId(0))] {
        let eye = camera(0, [1.0, 1.5, z], EAST);
        let mut open = OpenLinks::of(&level);
        assert_eq!(seen_with(&level, &open, &eye), "abc");
        open.set(other, false);
        assert_eq!(seen_with(&level, &open, &eye), "abc");
        open.set(own, false);
        open.set(other, true);
        assert_eq!(seen_with(&level, &open, &eye), "ab");
    }
}

#[test]
fn a_ring_of_rooms_ends_and_shows_both_ways_around() {
    let level = built(pillar_hall());
    let mut visibility = Visibility::default();
    let eye = camera(0, [1.0, 1.5, 1.0], [-135.0, 0.0]);
    flood(&level, &OpenLinks::of(&level), &eye, &mut visibility);
    // Only the corner straight behind the pillar is hidden.
    let names = visibility.rooms.iter().map(|r| &level.room(r.room).name);
    assert_eq!(visibility.rooms.len(), 7);
    assert!(names.into_iter().all(|name| name != "r0202"));
    assert!(visibility.visits <= 14, "{} visits", visibility.visits);
}

/// Eight rooms around a solid pillar, open to each other in the whole height and width.
fn pillar_hall() -> Sketch {
    grid(3, 3, |x, y| (x, y) != (1, 1))
}

/// Rooms of 4x3x4 m in a grid, their shared walls open but for 0.1 m at each side.
pub(super) fn grid(columns: usize, rows: usize, exists: impl Fn(usize, usize) -> bool) -> Sketch {
    let mut sketch = Sketch::new("grid");
    let name = |x: usize, y: usize| format!("r{y:02}{x:02}");
    for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
        if !exists(x, y) {
            continue;
        }
        let (x0, z0) = (4.0 * x as f64, 4.0 * y as f64);
        let east = |x0: f64| cuboid([x0, 0.1, z0 + 0.1], [x0, 2.9, z0 + 3.9]);
        let south = |z0: f64| cuboid([x0 + 0.1, 0.1, z0], [x0 + 3.9, 2.9, z0]);
        let to_east = x + 1 < columns && exists(x + 1, y);
        let to_south = y + 1 < rows && exists(x, y + 1);
        let mut holes = Vec::new();
        if to_east {
            holes.push(east(x0 + 4.0));
        }
        if to_south {
            holes.push(south(z0 + 4.0));
        }
        if x > 0 && exists(x - 1, y) {
            holes.push(east(x0));
        }
        if y > 0 && exists(x, y - 1) {
            holes.push(south(z0));
        }
        let inside = cuboid([x0, 0.0, z0], [x0 + 4.0, 3.0, z0 + 4.0]);
        let room = sketch.box_room(&name(x, y), inside, &holes);
        if to_east {
            sketch.portal(room, &name(x + 1, y), east(x0 + 4.0), DVec3::X);
        }
        if to_south {
            sketch.portal(room, &name(x, y + 1), south(z0 + 4.0), DVec3::Z);
        }
    }
    sketch
}

#[test]
fn loops_without_number_take_work_in_proportion_to_the_rooms() {
    // The paths through an open grid of 20 x 20 rooms are more than could ever be walked.
    let level = built(grid(20, 20, |x, y| (x * 7 + y * 3) % 11 != 5));
    let mut visibility = Visibility::default();
    for yaw in 0..24 {
        let eye = camera(0, [2.0, 1.5, 2.0], [15.0 * f64::from(yaw), 0.0]);
        flood(&level, &OpenLinks::of(&level), &eye, &mut visibility);
        assert!(visibility.visits <= 3 * visibility.rooms.len(), "{yaw}");
    }
}

#[test]
fn a_warm_flood_does_not_allocate() {
    let level = built(grid(6, 6, |_, _| true));
    let open = OpenLinks::of(&level);
    let mut visibility = Visibility::default();
    let look = |yaw: i32| camera(0, [2.0, 1.5, 2.0], [f64::from(yaw), 0.0]);
    for yaw in 0..360 {
        flood(&level, &open, &look(yaw), &mut visibility);
    }
    let before = (visibility.rooms.capacity(), visibility.work.capacity());
    for yaw in 0..360 {
        flood(&level, &open, &look(yaw), &mut visibility);
    }
    assert_eq!(
        before,
        (visibility.rooms.capacity(), visibility.work.capacity())
    );
}

#[test]
fn one_memory_serves_levels_of_different_sizes_in_turn() {
    let (small, large) = (built(row(2, &[doorway()])), built(grid(5, 5, |_, _| true)));
    let mut visibility = Visibility::default();
    let mut list = |level: &Level| {
        let eye = camera(0, [1.0, 1.5, 2.0], [-120.0, 0.0]);
        flood(level, &OpenLinks::of(level), &eye, &mut visibility);
        visibility.rooms.clone()
    };
    let (first_small, first_large) = (list(&small), list(&large));
    assert_eq!((list(&small), list(&large)), (first_small, first_large));
}

#[test]
fn what_pokes_through_a_portal_shows_although_the_opening_does_not() {
    // A beam of `b` reaches 1 m into `a`; the eye in `a` looks past the doorway at the beam only.
    let mut sketch = row(3, &[doorway()]);
    let beam = cuboid([3.0, 1.0, 1.5], [5.0, 1.2, 1.7]);
    sketch.furniture(1, 0, beam);
    let level = built(sketch);
    assert!(level.portals[0].overhangs, "the fixture has an overhang");
    let past = camera(0, [3.2, 1.1, 3.5], [0.0, 0.0]);
    let ends_before_the_doorway = Camera {
        tan_half_height: 0.1,
        ..past
    };
    let rooms = seen(&level, &ends_before_the_doorway);
    assert_eq!(rooms, "ab");
    // The same with the doorway shut: the beam still shows, nothing behind it does.
    let mut shut = OpenLinks::of(&level);
    shut.set(LinkId(0), false);
    assert_eq!(seen_with(&level, &shut, &past), "ab");
}

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
        let from = own(portal.from);
        portal.polygon = from.polygon(&portal.polygon);
        portal.reach = moved(&portal.reach, from);
        portal.to_from_from = own(portal.to).after(&from.inverse());
    }
    for (room, by) in level.rooms.iter_mut().zip(&own_from_level) {
        room.bounds = moved(&room.bounds, by);
    }
    (level, own_from_level)
}

#[test]
fn portals_that_bend_space_show_the_same_rooms_where_they_appear() {
    let level = built(grid(4, 4, |_, _| true));
    let open = OpenLinks::of(&level);
    let straight = camera(5, [5.0, 1.5, 6.5], [-100.0, 10.0]);
    let mut expected = Visibility::default();
    flood(&level, &open, &straight, &mut expected);
    let (level, own_from_level) = bent(level);
    let own = &own_from_level[5];
    let turned = Camera {
        eye: own.point(straight.eye),
        axes: own.rotation() * straight.axes,
        ..straight
    };
    let mut found = Visibility::default();
    flood(&level, &open, &turned, &mut found);
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
            from: RoomId(0),
            to: RoomId(0),
            reach: polygon.bounds(),
            polygon,
            to_from_from: Rigid::new(DMat3::IDENTITY, DVec3::X * step),
            overhangs: false,
        });
    }
    level.rooms[0].portals = 0..2;
    level.links.push(Link {
        name: "endless".to_owned(),
        from: RoomId(0),
        to: RoomId(0),
        area: 4.0,
        portal: PortalId(0),
        back: Some(PortalId(1)),
        leaf: None,
    });
    level
}

#[test]
fn a_room_seen_through_its_own_portal_appears_again_and_again_but_not_for_ever() {
    let level = endless();
    assert_eq!(level.portals[0].polygon.plane.normal, DVec3::X);
    let mut visibility = Visibility::default();
    let eye = camera(0, [1.0, 1.0, 2.0], EAST);
    flood(&level, &OpenLinks::of(&level), &eye, &mut visibility);
    assert_eq!(visibility.rooms.len(), 64);
    for (i, image) in visibility.rooms.iter().enumerate() {
        let at = image.eye_from_room.point(DVec3::ZERO);
        assert_eq!(at, DVec3::X * 4.0 * i as f64, "the nearest come first");
    }
    let aside = camera(0, [2.0, 1.0, 1.5], [0.0, 0.0]);
    assert_eq!(seen(&level, &aside), "a");
}

#[test]
fn frustum_culling_lists_what_the_picture_could_hold_and_none_lists_everything() {
    let level = built(row(4, &[doorway()]));
    let open = OpenLinks::of(&level);
    let eye = camera(1, [5.0, 1.5, 0.3], EAST);
    let mut visibility = Visibility::default();
    let mut list = |culling| {
        visible_rooms(culling, &level, &open, &eye, &mut visibility);
        let rooms = visibility.rooms.iter();
        rooms
            .map(|r| level.room(r.room).name.as_str())
            .collect::<String>()
    };
    assert_eq!(list(Culling::Portals), "bc");
    assert_eq!(list(Culling::Frustum), "bcd");
    assert_eq!(list(Culling::None), "bacd");
}
