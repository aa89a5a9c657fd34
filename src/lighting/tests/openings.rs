//! Light through openings: many, unusual, and closed ones.

use super::*;
use crate::geometry::Aabb;
use crate::level::{AuthorPoint, MoverPart, PortalId};
use crate::source::{LightSource, MeshSource};

/// Adds a lamp to the room, or a sun if there is no room.
fn light(sketch: &mut Sketch, room: Option<usize>, position: DVec3, candela: f32) {
    sketch.source.lights.push(LightSource {
        node: format!("light {}", sketch.source.lights.len()),
        room,
        position: AuthorPoint(position),
        direction: DVec3::new(0.1, -1.0, 0.2).normalize_or_zero(),
        colour: [1.0; 3],
        intensity: candela,
        range: None,
        radius: 0.0,
        kind: room.map_or(LightKind::Directional, |_| LightKind::Point),
        starts_lit: true,
        flicker: 0.0,
    });
}

fn built(mut sketch: Sketch) -> Level {
    let corners = sketch.source.meshes[0].positions.iter().copied();
    let middle = Aabb::around(corners).centre();
    sketch.spawn(0, middle + DVec3::new(0.13, 0.1, 0.17), DVec3::X);
    match build(sketch.source) {
        Ok((level, _)) => level,
        Err(problems) => panic!("{problems}"),
    }
}

fn found(level: &Level) -> Lighting {
    Lighting::new(level, &World::of(level), flat(level))
}

/// Whether the only parallel light of a room, or its only lamp, has a straight path to a point.
fn arrives(lighting: &Lighting, room: RoomId, is_sun: bool, point: DVec3) -> bool {
    let lights = lighting.lists.of_room(room).iter();
    let mut lights = lights.filter(|light| light.is_parallel() == is_sun);
    let Some(light) = lights.next() else {
        return false;
    };
    assert!(lights.next().is_none(), "one light is in the list once");
    light.passes(point.as_vec3(), &lighting.lists.clip_planes)
}

#[test]
fn a_lamp_in_a_portals_plane_but_beside_it_does_not_light_the_room_behind() {
    let door = cuboid([2.0, 0.0, 0.0], [3.0, 2.0, 0.0]);
    for beside in [0.0, 1e-6, 1e-3, 9e-3, 0.1] {
        let mut sketch = Sketch::new("beside");
        let a = sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 4.0]), &[door]);
        sketch.box_room("b", cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 0.0]), &[door]);
        sketch.portal(a, "b", door, DVec3::NEG_Z);
        sketch.lamp(a, DVec3::new(-3.0, 1.0, beside), 100.0);
        let level = built(sketch);
        let (lighting, b) = (found(&level), level.room_named("b").expect("it is there"));
        for point in [[-3.0, 1.0, -1.0], [2.5, 1.0, -2.0], [3.9, 1.0, -3.0]] {
            let point = DVec3::from_array(point);
            assert!(!arrives(&lighting, b, false, point), "{beside}: {point}");
        }
    }
}

#[test]
fn a_lamp_in_an_opening_lights_both_rooms_and_neither_twice() {
    let door = cuboid([-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]);
    let mut sketch = Sketch::new("in-opening");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 4.0]), &[door]);
    sketch.box_room("b", cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 0.0]), &[door]);
    sketch.portal(a, "b", door, DVec3::NEG_Z);
    sketch.lamp(a, DVec3::new(0.0, 1.0, 0.0), 100.0);
    let level = built(sketch);
    let lighting = found(&level);
    for (room, z) in [(RoomId(0), 3.0), (RoomId(1), -3.0)] {
        assert!(arrives(&lighting, room, false, DVec3::new(-3.0, 0.1, z)));
    }
    assert_eq!(lighting.lists.lights.len(), 2);
}

/// A hall with `count` skylights in a row and a lamp, and a room behind a doorway.
fn under_skylights(count: usize) -> Level {
    let length = 2.0 * count as f64;
    let window = |i: usize| {
        let x = 2.0 * i as f64 + 0.5;
        cuboid([x, 3.0, 1.0], [x + 1.0, 3.0, 2.0])
    };
    let door = cuboid([0.5, 0.0, 3.0], [1.5, 2.9, 3.0]);
    let mut openings: Vec<Aabb> = (0..count).map(window).collect();
    openings.push(door);
    let mut sketch = Sketch::new("skylights");
    let hall = sketch.box_room("a-hall", cuboid([0.0; 3], [length, 3.0, 3.0]), &openings);
    sketch.box_room("behind", cuboid([0.0, 0.0, 3.0], [3.0, 3.0, 6.0]), &[door]);
    sketch.portal(hall, "behind", door, DVec3::Z);
    let sky = sketch.material(crate::level::Material {
        sky: true,
        ..Default::default()
    });
    for i in 0..count {
        let Aabb { min, max } = window(i);
        let corner = |x, z| DVec3::new(x, 3.0, z);
        let [a, b] = [corner(min.x, min.z), corner(max.x, min.z)];
        let [c, d] = [corner(max.x, max.z), corner(min.x, max.z)];
        sketch.mesh(hall, sky, &[[a, b, c], [a, c, d]]);
    }
    sketch.lamp(hall, DVec3::new(1.0, 2.5, 0.5), 40.0);
    light(&mut sketch, None, DVec3::Y * 50.0, 1000.0);
    built(sketch)
}

#[test]
fn sunlight_through_many_windows_takes_no_light_from_the_lamps_and_goes_through_doorways() {
    for count in [1, 20, 300] {
        let level = under_skylights(count);
        let lighting = found(&level);
        let (hall, behind) = (RoomId(0), RoomId(1));
        let sun = level
            .lights
            .iter()
            .find(|l| l.kind == LightKind::Directional);
        let direction = sun.expect("it is there").direction;
        let lamp_arrives = |room, point: [f64; 3]| {
            let point = level.from_author(AuthorPoint(DVec3::from_array(point)));
            arrives(&lighting, room, false, point)
        };
        assert!(lamp_arrives(hall, [1.0, 0.1, 1.0]));
        assert!(lamp_arrives(behind, [1.5, 0.1, 4.0]));
        let mut next = scattered(count as u64);
        let (mut lit, mut unlit) = (0, 0);
        for _ in 0..2000 {
            let x = next(0.0, 2.0 * count as f64);
            let point = DVec3::new(x, next(0.0, 2.9), next(0.1, 5.9));
            // The ray back to the sun meets the ceiling at `above`, and the plane of the doorway at `in_door`.
            let above = point + direction * ((3.0 - point.y) / direction.y);
            let in_door = point + direction * ((3.0 - point.z) / direction.z);
            let window = (above.x / 2.0).floor() * 2.0 + 0.5;
            let edge = (above.x - window).min(window + 1.0 - above.x);
            let edge = edge.min(above.z - 1.0).min(2.0 - above.z);
            let behind_door = point.z > 3.0;
            let door = (in_door.x - 0.5).min(1.5 - in_door.x).min(2.9 - in_door.y);
            let is_near_edge = edge.abs() < 1e-3 || behind_door && door.abs() < 1e-3;
            if is_near_edge || behind_door && x > 3.0 {
                continue;
            }
            let room = if behind_door { behind } else { hall };
            let wanted = edge > 0.0 && (!behind_door || door > 0.0);
            let found = arrives(&lighting, room, true, level.from_author(AuthorPoint(point)));
            assert_eq!(found, wanted, "{count} windows, {point}");
            *if wanted { &mut lit } else { &mut unlit } += 1;
        }
        assert!(lit > 20 && unlit > 100, "{lit}, {unlit}");
    }
}

#[test]
fn light_goes_on_through_doorways_as_far_as_it_reaches() {
    const ROOMS: usize = 20;
    let door = |i: usize| {
        let z = -(i as f64);
        cuboid([-0.4, 0.5, z], [0.4, 1.5, z])
    };
    let mut sketch = Sketch::new("enfilade");
    for i in 0..ROOMS {
        let z = -(i as f64);
        let mut openings = Vec::new();
        openings.extend((i > 0).then(|| door(i)));
        openings.extend((i + 1 < ROOMS).then(|| door(i + 1)));
        let inside = cuboid([-1.0, 0.0, z - 1.0], [1.0, 2.0, z]);
        let room = sketch.box_room(&format!("room-{i:02}"), inside, &openings);
        if i + 1 < ROOMS {
            sketch.portal(
                room,
                &format!("room-{:02}", i + 1),
                door(i + 1),
                DVec3::NEG_Z,
            );
        }
    }
    sketch.lamp(0, DVec3::new(0.0, 1.0, -0.5), 1000.0);
    sketch.source.lights[0].range = Some(100.0);
    // The other lamps are dim, so that the range of the bright lamp is long by comparison.
    for i in 1..3 {
        sketch.lamp(i, DVec3::new(0.9, 1.9, -0.1 - i as f64), 1.0);
    }
    let level = built(sketch);
    let lighting = found(&level);
    let last = RoomId(ROOMS as u32 - 1);
    assert!(arrives(&lighting, last, false, DVec3::new(0.0, 1.0, -19.9)));
    assert!(!arrives(
        &lighting,
        last,
        false,
        DVec3::new(0.9, 1.0, -19.9)
    ));
}

#[test]
fn a_reveal_that_belongs_to_the_room_behind_is_lit_through_its_opening() {
    // The wall is 0.4 m thick; the whole reveal belongs to b, and the portal is at its far end.
    let (near, far) = (
        cuboid([-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]),
        cuboid([-1.0, 0.0, -0.4], [1.0, 2.0, -0.4]),
    );
    let mut sketch = Sketch::new("reveal");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 4.0]), &[near]);
    let b = sketch.box_room("b", cuboid([-4.0, 0.0, -4.4], [4.0, 3.0, -0.4]), &[far]);
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let mut quad = |room: usize, [p, q, r, s]: [DVec3; 4]| {
        sketch.mesh(room, 0, &[[p, q, r], [p, r, s]]);
    };
    for x in [-1.0, 1.0] {
        let mut side = [
            corner(x, 0.0, 0.0),
            corner(x, 0.0, -0.4),
            corner(x, 2.0, -0.4),
            corner(x, 2.0, 0.0),
        ];
        if x > 0.0 {
            side.reverse();
        }
        quad(b, side);
    }
    for y in [0.0, 2.0] {
        let mut side = [
            corner(-1.0, y, 0.0),
            corner(1.0, y, 0.0),
            corner(1.0, y, -0.4),
            corner(-1.0, y, -0.4),
        ];
        if y > 0.0 {
            side.reverse();
        }
        quad(b, side);
    }
    sketch.portal(a, "b", far, DVec3::NEG_Z);
    sketch.lamp(a, DVec3::new(-3.0, 1.0, 1.0), 100.0);
    let level = built(sketch);
    let sprawl = level.sprawl_through(PortalId(0));
    assert!(!sprawl.is_empty(), "b sprawls into a");
    let (lighting, b) = (found(&level), level.room_named("b").expect("it is there"));
    let (lit, unlit) = (DVec3::new(0.99, 1.0, -0.2), DVec3::new(-0.99, 1.0, -0.2));
    assert!(arrives(&lighting, b, false, lit));
    // The wall is between the lamp and this point.
    assert!(!arrives(&lighting, b, false, unlit));
}

/// Compares both sides of the panel between a dark room and a lit one: their light lists, and their ambient
/// irradiance.
#[test]
fn each_side_of_a_shut_door_has_the_light_of_its_own_room() {
    for from_the_dark in [false, true] {
        let door = cuboid([-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]);
        let mut sketch = Sketch::new("panel");
        let a = sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 4.0]), &[door]);
        let b = sketch.box_room("b", cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 0.0]), &[door]);
        if from_the_dark {
            sketch.portal(a, "b", door, DVec3::NEG_Z);
        } else {
            sketch.portal(b, "a", door, DVec3::Z);
        }
        let panel = cuboid([-1.0, 0.0, -0.03], [1.0, 2.0, 0.03]);
        sketch.furniture(if from_the_dark { a } else { b }, 0, panel);
        let mesh: MeshSource = sketch.source.meshes.pop().expect("it was added");
        sketch
            .source
            .movers
            .push(crate::source::MoverSource::vanishing_door(
                "panel-door",
                vec![mesh],
            ));
        sketch.lamp(b, DVec3::new(0.0, 2.0, -2.0), 100.0);
        let level = built(sketch);
        let lighting = found(&level);
        let panel = level.mover(level.links[0].panel.expect("it is there"));
        let rooms = [level.links[0].near, level.links[0].far];
        for ((part, MoverPart { draws, .. }), room) in level.parts_of(panel).zip(rooms) {
            let indices = draws
                .clone()
                .flat_map(|draw| level.draws[draw as usize].indices.clone());
            let corners = indices.map(|i| level.vertices[level.indices[i as usize] as usize]);
            let corners: Vec<_> = corners.collect();
            // A panel's large face has 6 indices. Triangles of its four narrow faces may belong to either side.
            assert!(corners.len() >= 6, "{}", corners.len());
            let inwards = if level.room(room).name == "a" {
                1.0
            } else {
                -1.0
            };
            let faces = |sign: f32| {
                let flat = corners.iter().filter(|v| v.normal.unpack().z * sign > 0.9);
                flat.count()
            };
            assert_eq!((faces(inwards), faces(-inwards)), (6, 0));
            let (part, room) = (LitBy::MoverPart(part), LitBy::Room(room));
            assert_eq!(lighting.list(part), lighting.list(room));
            assert_eq!(lighting.ambient(part), lighting.ambient(room));
        }
        let [dark, lit] = ["a", "b"].map(|name| level.room_named(name).expect("it is there"));
        assert_eq!(lighting.lists.of_room(dark).len(), 0);
        assert_eq!(lighting.lists.of_room(lit).len(), 1);
    }
}
