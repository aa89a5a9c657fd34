//! Rooms that are reached by several paths, and memory that is reused from frame to frame.

use super::*;
use crate::level::Level;
use crate::world::World;

#[test]
fn a_longer_path_into_a_room_adds_to_the_view_of_a_shorter_path() {
    // `a` opens to `e` through `b`, and beside it through `c` and `d`. The latter path has one room more, so that `e`
    // is visited before that path arrives. Only that path makes `f` visible.
    let mut sketch = Sketch::new("two ways");
    let hole = |x: f64, z0: f64, z1: f64| cuboid([x, 0.5, z0], [x, 2.5, z1]);
    let short = |x: f64| hole(x, 0.2, 1.8);
    let long = |x: f64| hole(x, 2.2, 3.8);
    let to_f = hole(9.0, 2.6, 3.4);
    let mut room = |name: &str, x: [f64; 2], z: [f64; 2], holes: &[SketchOpening]| {
        sketch.box_room(name, cuboid([x[0], 0.0, z[0]], [x[1], 3.0, z[1]]), holes)
    };
    let a = room("a", [0.0, 4.0], [0.0, 4.0], &[short(4.0), long(4.0)]);
    let b = room("b", [4.0, 5.0], [0.0, 2.0], &[short(4.0), short(5.0)]);
    let c = room("c", [4.0, 4.5], [2.0, 4.0], &[long(4.0), long(4.5)]);
    let d = room("d", [4.5, 5.0], [2.0, 4.0], &[long(4.5), long(5.0)]);
    let e = room("e", [5.0, 9.0], [0.0, 4.0], &[short(5.0), long(5.0), to_f]);
    room("f", [9.0, 12.0], [0.0, 4.0], &[to_f]);
    for (from, to, opening) in [
        (a, "b", short(4.0)),
        (a, "c", long(4.0)),
        (b, "e", short(5.0)),
        (c, "d", long(4.5)),
        (d, "e", long(5.0)),
        (e, "f", to_f),
    ] {
        sketch.portal(from, to, opening, DVec3::X);
    }
    let level = built(sketch);
    assert_eq!(seen(&level, &camera(0, [1.0, 1.5, 3.0], EAST)), "abcedf");
}

#[test]
fn a_ring_of_rooms_ends_and_shows_both_ways_around() {
    let level = built(pillar_hall());
    let mut visibility = Visibility::default();
    let eye = camera(0, [1.0, 1.5, 1.0], [-135.0, 0.0]);
    flood(&level, &World::of(&level), &eye, &mut visibility);
    // Only the corner directly behind the pillar is hidden.
    let names = visibility.rooms.iter().map(|r| &level.room(r.room).name);
    assert_eq!(visibility.rooms.len(), 7);
    assert!(names.into_iter().all(|name| name != "r0202"));
    assert!(visibility.visits <= 14, "{} visits", visibility.visits);
}

/// Eight rooms around a solid pillar, open to each other over the whole height and width.
fn pillar_hall() -> Sketch {
    grid(3, 3, |x, y| (x, y) != (1, 1))
}

/// Rooms of 4x3x4 m in a grid, with their shared walls open except for 0.1 m at each side.
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
fn countless_loops_take_work_in_proportion_to_the_rooms() {
    // An open grid of 20 x 20 rooms has too many paths to walk them all.
    let level = built(grid(20, 20, |x, y| (x * 7 + y * 3) % 11 != 5));
    let mut visibility = Visibility::default();
    for yaw in 0..24 {
        let eye = camera(0, [2.0, 1.5, 2.0], [15.0 * f64::from(yaw), 0.0]);
        flood(&level, &World::of(&level), &eye, &mut visibility);
        assert!(visibility.visits <= 3 * visibility.rooms.len(), "{yaw}");
    }
}

#[test]
fn a_warm_flood_does_not_allocate() {
    let level = built(grid(6, 6, |_, _| true));
    let world = World::of(&level);
    let mut visibility = Visibility::default();
    let look = |yaw: i32| camera(0, [2.0, 1.5, 2.0], [f64::from(yaw), 0.0]);
    for yaw in 0..360 {
        flood(&level, &world, &look(yaw), &mut visibility);
    }
    let before = (visibility.rooms.capacity(), visibility.capacity());
    for yaw in 0..360 {
        flood(&level, &world, &look(yaw), &mut visibility);
    }
    assert_eq!(before, (visibility.rooms.capacity(), visibility.capacity()));
}

#[test]
fn one_workspace_serves_levels_of_different_sizes_in_turn() {
    let (small, large) = (built(row(2, &[doorway()])), built(grid(5, 5, |_, _| true)));
    let mut visibility = Visibility::default();
    let mut list = |level: &Level| {
        let eye = camera(0, [1.0, 1.5, 2.0], [-120.0, 0.0]);
        flood(level, &World::of(level), &eye, &mut visibility);
        visibility.rooms.clone()
    };
    let (first_small, first_large) = (list(&small), list(&large));
    assert_eq!((list(&small), list(&large)), (first_small, first_large));
}

/// Three rooms in a row, with `count` openings in each of the two walls between them, and a beam of each of the two
/// rooms through each opening.
fn sieves(count: u32) -> Level {
    let mut sketch = Sketch::new("sieves");
    let width = 0.5 * f64::from(count);
    let openings = |x: f64| {
        let left = (0..count).map(|i| 0.5 * f64::from(i));
        left.map(move |z| cuboid([x, 0.0, z], [x, 3.0, z + 0.4]))
    };
    for (i, name) in ["a", "b", "c"].into_iter().enumerate() {
        let [from, to] = [4.0 * i as f64, 4.0 * i as f64 + 4.0];
        let inside = cuboid([from, 0.0, 0.0], [to, 3.0, width]);
        let holes: Vec<SketchOpening> = openings(from).chain(openings(to)).collect();
        let holes = &holes[if i == 0 { count as usize } else { 0 }..];
        let holes = &holes[..if i == 2 { count as usize } else { holes.len() }];
        let room = sketch.box_room(name, inside, holes);
        for (x, y, out) in [(from, 2.3, false), (to, 2.6, true)] {
            if x == 0.0 || x == 12.0 {
                continue;
            }
            for opening in openings(x) {
                let z = opening.min.z;
                sketch.furniture(
                    room,
                    0,
                    cuboid([x - 0.5, y, z + 0.1], [x + 0.5, y + 0.1, z + 0.2]),
                );
                if out {
                    let next = ["b", "c"][i];
                    sketch.portal(room, next, opening, DVec3::X);
                }
            }
        }
    }
    built(sketch)
}

/// Regression test: each sprawl was followed through three portals, once for every portal of every visible room.
#[test]
fn the_work_for_sprawling_geometry_grows_with_the_visible_rooms() {
    for count in [5, 40, 200] {
        let level = sieves(count);
        assert_eq!(level.sprawls.len() as u32, 4 * count);
        let mut visibility = Visibility::default();
        let eye = camera(0, [1.0, 1.5, 0.25 * f64::from(count)], EAST);
        flood(&level, &World::of(&level), &eye, &mut visibility);
        assert_eq!(visibility.rooms.len(), 3);
        assert!(visibility.visits <= 6, "{}", visibility.visits);
        // Each visit of a room tests the room's own sprawls only.
        assert!(visibility.sprawls <= visibility.visits * 2 * count as usize);
    }
}
