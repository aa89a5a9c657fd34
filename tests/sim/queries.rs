//! Rays, sight and walking distances, compared with every triangle of a level.

use std::path::Path;

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::collision::Solid;
use opendoor::geometry::{Aabb, Rigid, Triangle};
use opendoor::level::{At, AuthorPoint, Level, LinkId, MoverId, RoomId, locate};
use opendoor::load::load;
use opendoor::motion::close_link;
use opendoor::queries::{SightMemory, WalkingDistances, can_see, cast_ray, rooms_within};
use opendoor::rng::Rng;
use opendoor::world::World;

use crate::common::v;
use crate::shared::built;

fn our_level(name: &str) -> Level {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    load(&path.join(name)).unwrap().0
}

/// The fraction of a ray at which it hits the front of a triangle, or either side if `two_sided`. Uses the signs of
/// volumes, independently of the library's method.
fn part_of_hit(triangle: &Triangle, two_sided: bool, from: DVec3, ray: DVec3) -> Option<f64> {
    let corners = triangle.corners.map(|corner| corner - from);
    let sides = [0, 1, 2].map(|i| corners[i].cross(corners[(i + 1) % 3]).dot(ray));
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let is_front = sides.iter().all(|&side| side <= 0.0) && normal.dot(ray) < 0.0;
    let is_back = sides.iter().all(|&side| side >= 0.0) && normal.dot(ray) > 0.0;
    let part = corners[0].dot(normal) / normal.dot(ray);
    (part >= 0.0 && (is_front || two_sided && is_back)).then_some(part)
}

/// The first hit of a ray with the solid triangles of all rooms and movers, and with the polygons of closed links, as a
/// fraction of the ray.
fn first_of_all(level: &Level, world: &World, from: DVec3, ray: DVec3) -> Option<f64> {
    let rooms = level.rooms.iter();
    let rooms = rooms.map(|room| (&room.solids, Rigid::IDENTITY));
    let movers = (0..).map(MoverId).zip(&level.movers);
    let movers = movers.map(|(id, mover)| (&mover.solids, *world.pose(id)));
    let solids = rooms.chain(movers).flat_map(|(set, pose)| {
        level.solids.of(set).map(move |solid| {
            let material = &level.materials[solid.surface.material as usize];
            (solid.triangle().transformed(&pose), material.double_sided)
        })
    });
    let polygons = world.closed().flat_map(|link| {
        let polygon = &level.portal(level.link(link).portal).polygon;
        polygon.triangles().map(|triangle| (triangle, true))
    });
    let hits = solids.chain(polygons);
    let hits = hits.filter_map(|(triangle, both)| part_of_hit(&triangle, both, from, ray));
    hits.reduce(f64::min)
}

/// A random point in a random room.
fn somewhere(level: &Level, rng: &mut Rng) -> At {
    loop {
        let bounds = &level.rooms[rng.below(level.rooms.len())].bounds;
        let part = DVec3::from_array([0; 3].map(|_| rng.between(0.0, 1.0)));
        let point = bounds.min + (bounds.max - bounds.min) * part;
        if let Some(room) = locate(level, point) {
            return At::new(room, point);
        }
    }
}

#[test]
fn a_ray_hits_the_nearest_solid_of_the_level() {
    let mut through_portals = 0;
    for name in ["house.glb", "labyrinth.glb", "proving-ground.glb"] {
        let level = our_level(name);
        let mut world = World::of(&level);
        for link in (0..level.links.len() as u32).map(LinkId).step_by(3) {
            close_link(&level, &mut world, link, []).unwrap();
        }
        let mut rng = Rng::new(7);
        for _ in 0..400 {
            let from = somewhere(&level, &mut rng);
            // Half of the rays are aimed at openings.
            let mut ray = DVec3::from_array([0; 3].map(|_| rng.between(-20.0, 20.0)));
            let openings = &level.room(from.room).portals;
            if rng.below(2) == 0 && !openings.is_empty() {
                let opening = openings.start + rng.below(openings.len()) as u32;
                let middle = level.portals[opening as usize].polygon.centre();
                ray = (middle - from.point) * rng.between(1.0, 5.0);
            }
            let expected = first_of_all(&level, &world, from.point, ray);
            let expected = expected.filter(|&part| part <= 1.0);
            let found = cast_ray(&level, &world, from, ray);
            let metres = expected.map(|part| part * ray.length());
            match (&found, metres) {
                (Some(hit), Some(metres)) => {
                    assert!(
                        (hit.distance - metres).abs() < 1e-6,
                        "{name}: {hit:?}, {metres}"
                    );
                    assert!(hit.normal.dot(ray) < 0.0);
                    through_portals += usize::from(hit.at.room != from.room);
                }
                (None, None) => {}
                _ => panic!("{name}: from {from:?} along {ray}: {found:?}, not {metres:?}"),
            }
        }
    }
    assert!(through_portals > 100, "{through_portals}");
}

#[test]
fn a_long_ray_in_a_furnished_hall_meets_the_first_of_all_triangles() {
    let mut rng = Rng::new(11);
    let mut point = |size: f64| DVec3::from_array([0; 3].map(|_| rng.between(0.0, size)));
    let mut sketch = Sketch::new("hall");
    let hall = sketch.box_room("hall", cuboid([0., 0., 0.], [30., 6., 30.]), &[]);
    for _ in 0..300 {
        let low = point(1.0) * v(29., 5., 29.);
        let size = point(0.8) + DVec3::splat(0.1);
        sketch.furniture(hall, 0, Aabb::around([low, low + size]));
    }
    sketch.spawn(hall, v(15., 5.9, 15.), DVec3::X);
    let level = built(sketch.source);
    let world = World::of(&level);
    let room = level.room_named("hall").unwrap();
    let (mut near, mut far) = (0, 0);
    for _ in 0..2000 {
        let inside = v(29.9, 5.9, 29.9);
        let [from, to] = [0; 2].map(|_| point(1.0) * inside + DVec3::splat(0.05));
        let ray = to - from;
        let expected = first_of_all(&level, &world, from, ray).filter(|&part| part <= 1.0);
        let found = cast_ray(&level, &world, At::new(room, from), ray);
        let found = found.map(|hit| hit.distance / ray.length());
        let is_same = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
            (found, expected) => found == expected,
        };
        assert!(
            is_same,
            "from {from} along {ray}: {found:?}, not {expected:?}"
        );
        near += usize::from(expected.is_some());
        far += usize::from(expected.is_none_or(|part| part * ray.length() > 10.0));
    }
    assert!(near > 500 && far > 100, "{near} {far}");
}

/// Two closed rooms far apart. The east door of `a` leads through the north door of `b`, and a chest in `b` is 3 m
/// behind that door.
fn bent() -> Level {
    let mut sketch = Sketch::new("bent");
    let east = cuboid([5., 0., -1.], [5., 3., 1.]);
    let north = cuboid([99., 0., -5.], [101., 3., -5.]);
    let a = sketch.box_room("a", cuboid([-5., 0., -5.], [5., 3., 5.]), &[east]);
    let b = sketch.box_room("b", cuboid([95., 0., -5.], [105., 3., 5.]), &[north]);
    sketch.furniture(b, 0, cuboid([99., 0., -2.], [101., 2., -1.]));
    sketch.portal(a, "b", east, DVec3::X);
    sketch.spawn(a, v(0., 0., 0.), DVec3::X);
    // East of `a` is south of `b`.
    let turn = glam::DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X);
    let portal = &mut sketch.source.portals[0];
    portal.far_from_near = Rigid::new(turn, v(100., 0., -5.) - turn * v(5., 0., 0.));
    built(sketch.source)
}

#[test]
fn a_ray_turns_with_a_portal_that_bends_space() {
    let level = bent();
    let world = World::of(&level);
    let from = At::new(RoomId(0), level.from_author(AuthorPoint(v(0., 1., 0.))));
    let hit = cast_ray(&level, &world, from, v(30., 0., 0.)).unwrap();
    assert_eq!(level.room(hit.at.room).name, "b");
    assert!((hit.distance - 8.0).abs() < 1e-6, "{hit:?}");
    assert!(hit.normal.distance(-DVec3::Z) < 1e-9);
    assert!(matches!(hit.solid, Solid::Triangle(_)));
    // Above the chest the ray continues to the wall.
    let over = from.with_point(from.point + DVec3::Y * 1.5);
    let hit = cast_ray(&level, &world, over, v(30., 0., 0.)).unwrap();
    assert!((hit.distance - 15.0).abs() < 1e-6, "{hit:?}");
    let behind = At::new(hit.at.room, hit.at.point - DVec3::Z);
    let mut memory = SightMemory::default();
    assert!(can_see(&level, &world, over, behind, 15.0, &mut memory));
    assert!(!can_see(&level, &world, over, behind, 13.0, &mut memory));
    assert!(!can_see(&level, &world, from, behind, 15.0, &mut memory));
}

#[test]
fn solids_in_an_opening_are_hit_by_rays_of_every_length() {
    for depth in [0.0, 1e-4, 1e-3, 0.1] {
        let mut sketch = Sketch::new("flush");
        let door = cuboid([4., 0., -1.], [4., 3., 1.]);
        let a = sketch.box_room("a", cuboid([-4., 0., -4.], [4., 3., 4.]), &[door]);
        let b = sketch.box_room("b", cuboid([4., 0., -4.], [12., 3., 4.]), &[door]);
        sketch.furniture(b, 0, cuboid([4. - depth, 0., -0.5], [5., 2., 0.5]));
        sketch.portal(a, "b", door, DVec3::X);
        sketch.spawn(a, DVec3::ZERO, DVec3::X);
        let level = built(sketch.source);
        let world = World::of(&level);
        let from = At::new(RoomId(0), level.from_author(AuthorPoint(v(3.5, 1., 0.))));
        for length in [0.6, 0.9, 5., 10., 1e6] {
            let hit = cast_ray(&level, &world, from, DVec3::X * length);
            let hit = hit.unwrap_or_else(|| panic!("{depth} {length}: nothing"));
            // Corners are rounded to f32.
            let expected = 0.5 - depth;
            assert!(
                (hit.distance - expected).abs() < 1e-6,
                "{depth} {length}: {hit:?}"
            );
        }
    }
}

#[test]
fn a_place_in_another_room_is_seen_through_the_one_of_two_bent_doors_that_shows_it() {
    // The two doors are side by side in one wall, so the line to a position behind one often passes through the other.
    let mut sketch = Sketch::new("twice");
    let here = [-2., 2.].map(|z| cuboid([5., 0., z - 1.], [5., 3., z + 1.]));
    let there = [98., 102.].map(|x| cuboid([x - 1., 0., -5.], [x + 1., 3., -5.]));
    let a = sketch.box_room("a", cuboid([-5., 0., -5.], [5., 3., 5.]), &here);
    sketch.box_room("b", cuboid([95., 0., -5.], [105., 3., 5.]), &there);
    for door in here {
        sketch.portal(a, "b", door, DVec3::X);
    }
    sketch.spawn(a, DVec3::ZERO, DVec3::X);
    let turn = glam::DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X);
    let moved = [v(96., 0., -10.), v(104., 0., -10.)];
    for (portal, moved) in sketch.source.portals.iter_mut().zip(moved) {
        portal.far_from_near = Rigid::new(turn, moved);
    }
    let level = built(sketch.source);
    let world = World::of(&level);
    let (mut rng, mut memory) = (Rng::new(3), SightMemory::default());
    let mut seen = 0;
    for _ in 0..4000 {
        let mut within = |x: f64| {
            v(
                x + rng.between(-4.9, 4.9),
                rng.between(0.1, 2.9),
                rng.between(-4.9, 4.9),
            )
        };
        let (from, to) = (within(0.0), within(100.0));
        // Both rooms are empty boxes, so only the point where the line leaves the first room matters.
        let [mut is_seen, mut is_close] = [false; 2];
        for (moved, middle) in moved.into_iter().zip([-2.0, 2.0]) {
            let ray = turn.transpose() * (to - moved) - from;
            let part = (5.0 - from.x) / ray.x;
            let through = from + ray * part;
            let aside = (through.z - middle).abs();
            let inside = (1.0 - aside).min(through.y).min(3.0 - through.y);
            is_seen |= (0.0..=1.0).contains(&part) && inside > 0.0;
            is_close |= inside.abs() < 1e-3;
        }
        let [from, to] = [(0, from), (1, to)]
            .map(|(room, point)| At::new(RoomId(room), level.from_author(AuthorPoint(point))));
        let found = can_see(&level, &world, from, to, 100.0, &mut memory);
        assert!(is_close || found == is_seen, "{from:?} {to:?}: {found}");
        seen += usize::from(found);
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn a_place_in_an_opening_or_on_a_floor_is_seen_from_both_rooms() {
    let level = ring();
    let world = World::of(&level);
    let mut memory = SightMemory::default();
    let at = |room: u32, x: f64, y: f64, z: f64| {
        At::new(RoomId(room), level.from_author(AuthorPoint(v(x, y, z))))
    };
    for to in [
        at(0, 10., 1., 5.),
        at(1, 10., 1., 5.),
        at(0, 5., 0., 5.),
        at(1, 12., 0., 5.),
    ] {
        for from in [at(0, 6., 1.5, 5.), at(1, 14., 1.5, 5.)] {
            let is_seen = can_see(&level, &world, from, to, 50.0, &mut memory);
            assert!(is_seen, "{from:?} {to:?}");
        }
    }
}

#[test]
fn a_place_is_seen_where_nothing_solid_is_on_the_straight_line_to_it() {
    let level = our_level("house.glb");
    let mut world = World::of(&level);
    for link in (0..level.links.len() as u32).map(LinkId).step_by(4) {
        close_link(&level, &mut world, link, []).unwrap();
    }
    let (mut rng, mut memory) = (Rng::new(11), SightMemory::default());
    let (mut seen, mut seen_elsewhere) = (0, 0);
    for _ in 0..4000 {
        let [from, to] = [0; 2].map(|_| somewhere(&level, &mut rng));
        let ray = to.point - from.point;
        if ray.length() > 12.0 {
            continue;
        }
        let first = first_of_all(&level, &world, from.point, ray);
        let expected = first.is_none_or(|part| part > 1.0);
        let found = can_see(&level, &world, from, to, 12.0, &mut memory);
        assert_eq!(found, expected, "{from:?} {to:?}");
        seen += usize::from(found);
        seen_elsewhere += usize::from(found && from.room != to.room);
    }
    assert!(seen > 50 && seen_elsewhere > 5, "{seen}, {seen_elsewhere}");
}

/// A ring of four rooms of 10 x 10 m around a block, with doorways of 2 m in the middle of their walls.
fn ring() -> Level {
    let mut sketch = Sketch::new("ring");
    let place = [[0., 0.], [10., 0.], [10., 10.], [0., 10.]];
    let east = |[x, z]: [f64; 2]| cuboid([x + 10., 0., z + 4.], [x + 10., 3., z + 6.]);
    let south = |[x, z]: [f64; 2]| cuboid([x + 4., 0., z + 10.], [x + 6., 3., z + 10.]);
    let doors = [
        east(place[0]),
        south(place[1]),
        east(place[3]),
        south(place[0]),
    ];
    let of_room = [[0, 3], [0, 1], [1, 2], [2, 3]];
    for (i, [x, z]) in place.into_iter().enumerate() {
        let inside = cuboid([x, 0., z], [x + 10., 3., z + 10.]);
        sketch.box_room(
            &format!("r{i}"),
            inside,
            &of_room[i].map(|door| doors[door]),
        );
    }
    sketch.portal(0, "r1", doors[0], DVec3::X);
    sketch.portal(1, "r2", doors[1], DVec3::Z);
    sketch.portal(3, "r2", doors[2], DVec3::X);
    sketch.portal(0, "r3", doors[3], DVec3::Z);
    sketch.spawn(0, v(1., 0., 1.), DVec3::X);
    built(sketch.source)
}

#[test]
fn the_distance_of_a_room_is_the_shortest_path_to_its_entrance() {
    let level = ring();
    let mut world = World::of(&level);
    let from = At::new(RoomId(0), level.from_author(AuthorPoint(v(9., 0., 5.))));
    let mut found = WalkingDistances::default();
    let distances = |world: &World, metres: f64, found: &mut WalkingDistances| -> Vec<(u32, f64)> {
        rooms_within(&level, world, from, metres, found);
        let mut all: Vec<_> = found.rooms.iter().map(|r| (r.room.0, r.metres)).collect();
        all.sort_by_key(|(room, _)| *room);
        all
    };
    // To the east door 1 m; to the south door 3 m and 5 m across; from the east door at (10, 5) to the next room's door
    // at (14, 10).
    let south = (3f64 * 3. + 5. * 5.).sqrt();
    let opposite = 1.0 + (4f64 * 4. + 5. * 5.).sqrt();
    let is_near = |found: &[(u32, f64)], expected: &[(u32, f64)]| {
        found.len() == expected.len()
            && found
                .iter()
                .zip(expected)
                .all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6)
    };
    let all = distances(&world, 100.0, &mut found);
    let expected = [(0, 0.0), (1, 1.0), (2, opposite), (3, south)];
    assert!(is_near(&all, &expected), "{all:?}");
    let near = distances(&world, 5.0, &mut found);
    assert!(is_near(&near, &expected[..2]), "{near:?}");
    // With the east door closed the shortest path leads around the other side.
    let east = level
        .portals_of(RoomId(0))
        .find(|(_, portal)| portal.far == RoomId(1));
    close_link(&level, &mut world, east.unwrap().1.link, []).unwrap();
    let around = distances(&world, 100.0, &mut found);
    assert_eq!(around.len(), 4);
    assert!(
        around[1].1 > around[2].1 && around[2].1 > around[3].1,
        "{around:?}"
    );
}
