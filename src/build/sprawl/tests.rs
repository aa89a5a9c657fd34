use glam::DVec3;

use crate::author::sketch::{Sketch, cuboid};
use crate::build::tests::{built, two_rooms};
use crate::geometry::Aabb;
use crate::level::{Level, PortalId, locate};

const THERE: PortalId = PortalId(0);
const BACK: PortalId = PortalId(1);

fn is_near(a: &Aabb, b: &Aabb) -> bool {
    a.min.abs_diff_eq(b.min, 1e-5) && a.max.abs_diff_eq(b.max, 1e-5)
}

/// The sprawls of a level: the room into which geometry sprawls, the room of the geometry, and the box.
fn sprawls(level: &Level) -> Vec<(&str, &str, Aabb)> {
    let name = |id| level.room(id).name.as_str();
    let into = |s: &super::Sprawl| name(level.portal(s.through).near);
    let sprawls = level.sprawls.iter();
    sprawls.map(|s| (into(s), name(s.room), s.bounds)).collect()
}

fn named(level: &Level, point: [f64; 3]) -> Option<&str> {
    let room = locate(level, DVec3::from_array(point))?;
    Some(level.room(room).name.as_str())
}

#[test]
fn a_reveal_sprawls_to_its_full_depth() {
    let level = built(two_rooms("b", true));
    // The reveal belongs to `a`, and reaches beyond the portal into `b` by 0.1 m.
    assert!(level.sprawl_through(THERE).is_empty());
    let back = level.sprawl_through(BACK);
    assert!((back.min.x - 4.1).abs() < 1e-6 && (back.max.x - 4.2).abs() < 1e-6);
}

#[test]
fn a_reveal_that_begins_in_the_portals_plane_sprawls() {
    let mut sketch = two_rooms("b", true);
    // Moves the portal to the inner end of the reveal.
    for p in sketch.source.portals[0].triangles.iter_mut().flatten() {
        p.x = 4.0;
    }
    let level = built(sketch);
    assert!(level.sprawl_through(THERE).is_empty());
    assert!((level.sprawl_through(BACK).max.x - 4.2).abs() < 1e-6);
}

/// Rooms `a` and `b`, joined by an opening that fills the wall between them. `b` goes around the corner and continues
/// along another wall of `a`, back to back.
fn around_the_corner() -> (Sketch, usize) {
    let mut sketch = Sketch::new("around the corner");
    let opening = cuboid([4.0, 0.0, 0.0], [4.0, 3.0, 4.0]);
    let a = sketch.box_room("a", cuboid([0.0, 0.0, 0.0], [4.0, 3.0, 4.0]), &[opening]);
    let joint = cuboid([4.0, 0.0, 4.0], [4.0, 3.0, 8.0]);
    let b = sketch.box_room(
        "b",
        cuboid([4.0, 0.0, 0.0], [8.0, 3.0, 8.0]),
        &[opening, joint],
    );
    sketch.box_room("", cuboid([0.0, 0.0, 4.0], [4.0, 3.0, 8.0]), &[joint]);
    sketch.source.rooms.pop();
    sketch.source.meshes.last_mut().unwrap().room = b;
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, DVec3::new(1.0, 0.5, 2.0), DVec3::X);
    (sketch, b)
}

#[test]
fn a_wall_back_to_back_with_the_next_room_does_not_sprawl() {
    let level = built(around_the_corner().0);
    assert_eq!(sprawls(&level), []);
}

/// Regression test: all of the surrounding room `b` counted as sprawling through the opening, so that points in `b`
/// were located in the wrong room.
#[test]
fn a_screen_from_the_rim_of_an_opening_to_a_far_wall_does_not_sprawl() {
    let (mut sketch, b) = around_the_corner();
    let [x, z, far] = [4.0, 4.0, 8.0];
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let [p, q, r, s] = [
        corner(x, 0.0, z),
        corner(0.0, 0.0, far),
        corner(0.0, 3.0, far),
        corner(x, 3.0, z),
    ];
    sketch.mesh(b, 0, &[[p, q, r], [p, r, s], [p, r, q], [p, s, r]]);
    let level = built(sketch);
    assert_eq!(sprawls(&level), []);
    assert_eq!(named(&level, [0.5, 1.0, 4.5]), Some("b"));
    assert_eq!(named(&level, [3.5, 1.0, 7.5]), Some("b"));
    assert_eq!(named(&level, [3.5, 1.0, 3.5]), Some("a"));
}

/// The screen of the previous test, but it leads into `a`.
#[test]
fn a_screen_from_the_rim_of_an_opening_into_the_room_sprawls() {
    let (mut sketch, b) = around_the_corner();
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let [p, q, r, s] = [
        corner(4.0, 0.5, 4.0),
        corner(1.0, 0.5, 1.0),
        corner(1.0, 2.5, 1.0),
        corner(4.0, 2.5, 4.0),
    ];
    sketch.mesh(b, 0, &[[p, q, r], [p, r, s], [p, r, q], [p, s, r]]);
    let level = built(sketch);
    let expected = cuboid([1.0, 0.5, 1.0], [4.0, 2.5, 4.0]);
    assert!(is_near(&level.sprawl_through(THERE), &expected));
    assert!(level.sprawl_through(BACK).is_empty());
}

#[test]
fn only_the_part_of_a_beam_in_the_air_of_the_room_counts() {
    // The beam passes through all of `a`, through the opposite wall of `a`, and continues outside; as one box, and as
    // several.
    for cuts in [1, 7] {
        let mut sketch = two_rooms("b", false);
        for i in 0..cuts {
            let [from, to] = [i, i + 1].map(|i| 5.0 - 15.0 * f64::from(i) / f64::from(cuts));
            sketch.furniture(1, 0, cuboid([to, 1.0, 1.4], [from, 1.2, 1.6]));
        }
        let level = built(sketch);
        let found = level.sprawl_through(THERE);
        assert!(found.min.x <= 1e-5 && found.min.x > -2.2, "{found:?}");
        assert!((found.min.y - 1.0).abs() < 1e-5 && (found.max.y - 1.2).abs() < 1e-5);
        assert!(level.sprawl_through(BACK).is_empty());
    }
}

#[test]
fn geometry_sprawls_on_behind_a_pillar_that_it_passes() {
    let mut sketch = two_rooms("b", false);
    // A rail of two boxes. The first ends inside a pillar of `a`, and the second begins there.
    for (from, to) in [(5.0, 2.5), (2.5, 1.0)] {
        sketch.furniture(1, 0, cuboid([to, 1.0, 1.4], [from, 1.2, 1.6]));
    }
    sketch.furniture(0, 0, cuboid([2.2, 0.5, 1.0], [2.8, 2.0, 2.0]));
    let level = built(sketch);
    assert!((level.sprawl_through(THERE).min.x - 1.0).abs() < 1e-5);
}

#[test]
fn geometry_sprawls_on_behind_a_sheet_that_hangs_in_the_room() {
    let mut sketch = two_rooms("b", false);
    for (from, to) in [(5.0, 2.5), (2.5, 1.0)] {
        sketch.furniture(1, 0, cuboid([to, 1.0, 1.4], [from, 1.2, 1.6]));
    }
    let corner = |y: f64, z: f64| DVec3::new(3.0, y, z);
    let sheet = [corner(0.5, 1.0), corner(0.5, 2.0), corner(1.6, 1.5)];
    sketch.mesh(0, 0, &[sheet]);
    let other = [sheet[0], sheet[2], sheet[1]];
    for sheet in [sheet, other] {
        sketch.source.meshes.last_mut().unwrap().positions = sheet.to_vec();
        let level = built(sketch.clone());
        assert!((level.sprawl_through(THERE).min.x - 1.0).abs() < 1e-5);
    }
}

#[test]
fn pieces_that_only_touch_sprawl_together() {
    let mut sketch = two_rooms("b", false);
    // Steps that belong to `b` and rise in `a`. They are boxes side by side that share no corners.
    for i in 0..4 {
        let x = 4.0 - 0.3 * f64::from(i);
        let top = 0.2 * f64::from(i + 1);
        sketch.furniture(1, 0, cuboid([x - 0.3, 0.0, 1.3], [x, top, 1.7]));
    }
    // A further box joins the first step to `b` through the opening.
    sketch.furniture(1, 0, cuboid([3.9, 0.0, 1.3], [4.3, 0.1, 1.7]));
    let level = built(sketch);
    let found = level.sprawl_through(THERE);
    assert!((found.min.x - 2.8).abs() < 1e-5 && (found.max.y - 0.8).abs() < 1e-5);
}

#[test]
fn a_facade_sprawls_above_the_walls_of_an_open_court() {
    let mut sketch = Sketch::new("court");
    let p = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let quad = |q: [DVec3; 4]| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]];
    // A court without walls: only a floor.
    let court = sketch.room("court");
    let floor = [
        p(0.0, 0.0, 0.0),
        p(0.0, 0.0, 4.0),
        p(4.0, 0.0, 4.0),
        p(4.0, 0.0, 0.0),
    ];
    sketch.mesh(court, 0, &quad(floor));
    let door = cuboid([4.2, 0.0, 1.0], [4.2, 2.0, 2.0]);
    let house = sketch.box_room("house", cuboid([4.2, 0.0, 0.0], [8.0, 3.0, 4.0]), &[door]);
    // The jambs of the doorway and the 6 m high facade belong to the house.
    let jamb = |z: f64, sign: f64| {
        let mut q = [
            p(4.0, 0.0, z),
            p(4.2, 0.0, z),
            p(4.2, 2.0, z),
            p(4.0, 2.0, z),
        ];
        if sign < 0.0 {
            q.reverse();
        }
        quad(q)
    };
    let mut faces: Vec<[DVec3; 3]> = Vec::new();
    faces.extend(jamb(1.0, 1.0));
    faces.extend(jamb(2.0, -1.0));
    for (z0, z1) in [(0.0, 1.0), (2.0, 4.0)] {
        faces.extend(quad([
            p(4.0, 0.0, z0),
            p(4.0, 0.0, z1),
            p(4.0, 6.0, z1),
            p(4.0, 6.0, z0),
        ]));
    }
    faces.extend(quad([
        p(4.0, 2.0, 1.0),
        p(4.0, 2.0, 2.0),
        p(4.0, 6.0, 2.0),
        p(4.0, 6.0, 1.0),
    ]));
    sketch.mesh(house, 0, &faces);
    // The portal is at the inner end of the doorway.
    sketch.portal(court, "house", door, DVec3::X);
    sketch.spawn(house, DVec3::new(6.0, 0.5, 2.0), DVec3::X);
    let level = built(sketch);
    let found = level.sprawl_through(THERE);
    assert!((found.min.x - 4.0).abs() < 1e-5, "{found:?}");
    assert!((found.max.y - 6.0).abs() < 1e-5, "{found:?}");
    assert_eq!(named(&level, [4.1, 1.0, 1.5]), Some("court"));
    assert_eq!(named(&level, [2.0, 1.0, 1.5]), Some("court"));
    assert_eq!(named(&level, [2.0, 5.0, 1.5]), Some("court"));
    assert_eq!(named(&level, [2.0, -1.0, 1.5]), None);
    assert_eq!(named(&level, [6.0, 1.0, 1.5]), Some("house"));
}

#[test]
fn geometry_that_sprawls_through_a_thin_room_is_listed_in_the_next_room() {
    let mut sketch = Sketch::new("thin");
    let [left, right] = [0.0, 0.1].map(|x| cuboid([x, 0.0, 1.0], [x, 2.2, 2.2]));
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [0.0, 3.0, 4.0]), &[left]);
    let thin = cuboid([0.0, 0.0, 1.0], [0.1, 2.2, 2.2]);
    let b = sketch.box_room("b", thin, &[left, right]);
    let c = sketch.box_room("c", cuboid([0.1, 0.0, 0.0], [4.0, 3.0, 4.0]), &[right]);
    // A rail that belongs to `c` and extends 0.6 m into `a`.
    sketch.furniture(c, 0, cuboid([-0.6, 0.3, 1.5], [0.5, 0.6, 1.7]));
    sketch.portal(a, "b", left, DVec3::X);
    sketch.portal(b, "c", right, DVec3::X);
    sketch.spawn(a, DVec3::new(-2.0, 0.5, 2.0), DVec3::X);
    let level = built(sketch);
    let [in_a, in_b] = &sprawls(&level)[..] else {
        panic!("{:?}", sprawls(&level));
    };
    assert_eq!((in_a.0, in_a.1), ("a", "c"));
    assert!(is_near(&in_a.2, &cuboid([-0.6, 0.3, 1.5], [0.0, 0.6, 1.7])));
    assert_eq!((in_b.0, in_b.1), ("b", "c"));
}

#[test]
fn drawn_geometry_that_is_not_solid_sprawls_too() {
    let mut sketch = two_rooms("b", false);
    // A curtain rod that belongs to `b` and extends 0.2 m into `a`.
    sketch.furniture(1, 0, cuboid([3.8, 2.0, 1.5], [5.0, 2.1, 1.6]));
    sketch.source.meshes.last_mut().unwrap().solid = false;
    let level = built(sketch);
    assert!((level.sprawl_through(THERE).min.x - 3.8).abs() < 1e-5);
    assert!(level.sprawls[0].triangles.is_empty());
}

#[test]
fn geometry_through_many_openings_of_a_wall_belongs_to_one_of_them() {
    let mut sketch = Sketch::new("comb");
    let openings: Vec<_> = (0..12)
        .map(|i| 0.25 + f64::from(i))
        .map(|z| cuboid([4.0, 0.0, z], [4.0, 2.0, z + 0.5]))
        .collect();
    let a = sketch.box_room("a", cuboid([0.0; 3], [4.0, 3.0, 12.0]), &openings);
    let b = sketch.box_room("b", cuboid([4.0, 0.0, 0.0], [8.0, 3.0, 12.0]), &openings);
    for opening in &openings {
        let z = opening.min.z;
        sketch.furniture(b, 0, cuboid([3.5, 1.0, z + 0.2], [4.5, 1.1, z + 0.3]));
        sketch.portal(a, "b", *opening, DVec3::X);
    }
    sketch.furniture(b, 0, cuboid([3.4, 1.0, 0.2], [3.6, 1.1, 11.8]));
    sketch.spawn(a, DVec3::new(1.0, 0.5, 2.0), DVec3::X);
    let level = built(sketch);
    let [(into, of, bounds)] = &sprawls(&level)[..] else {
        panic!("{:?}", sprawls(&level));
    };
    assert_eq!((*into, *of), ("a", "b"));
    assert!(is_near(bounds, &cuboid([3.4, 1.0, 0.2], [4.0, 1.1, 11.8])));
}

/// A hall over a pit, both open to the sky. `n * n` posts stand in the pit and rise into the hall.
fn pit_with_posts(n: u32) -> Sketch {
    let mut sketch = Sketch::new("posts");
    let opening = cuboid([0.0; 3], [8.0, 0.0, 8.0]);
    let lid = |y: f64| cuboid([-4.0, y, -4.0], [12.0, y, 12.0]);
    let inside = cuboid([-4.0, 0.0, -4.0], [12.0, 3.0, 12.0]);
    let hall = sketch.box_room("hall", inside, &[opening, lid(3.0)]);
    let pit = sketch.box_room("pit", cuboid([0.0, -1.6, 0.0], [8.0, 0.0, 8.0]), &[opening]);
    sketch.source.rooms[hall].open_to_sky = true;
    let pitch = 8.0 / f64::from(n);
    for i in 0..n * n {
        let [x, z] = [i % n, i / n].map(|k| (f64::from(k) + 0.5) * pitch);
        let half = 0.2 * pitch;
        let outside = cuboid([x - half, -1.6, z - half], [x + half, 1.0, z + half]);
        sketch.furniture(pit, 0, outside);
    }
    sketch.portal(hall, "pit", opening, DVec3::NEG_Y);
    sketch.spawn(hall, DVec3::new(-2.0, 0.1, -2.0), DVec3::X);
    sketch
}

/// Regression test: the posts took the work of all searches, which grew with the square of their number. Then the parts
/// of posts above the pit were not found.
#[test]
fn many_posts_that_rise_from_a_pit_are_found_in_the_hall() {
    for n in [2, 16] {
        let level = built(pit_with_posts(n));
        let pitch = 8.0 / f64::from(n);
        for i in 0..n - 1 {
            let [x, z] = [i, (i * 7) % (n - 1)].map(|k| f64::from(k + 1) * pitch);
            for (y, room) in [(0.5, "hall"), (0.98, "hall"), (-0.02, "pit"), (-1.0, "pit")] {
                assert_eq!(named(&level, [x, y, z]), Some(room), "{n}: {x} {y} {z}");
            }
        }
        let parts: usize = level.sprawls.iter().map(|s| s.parts.len()).sum();
        // Each post has 14 parts in the hall: two triangles of its top, and three triangles of each side above the opening.
        assert_eq!(parts, 14 * (n * n) as usize, "{n} x {n} posts");
    }
}
