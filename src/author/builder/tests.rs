use std::collections::BTreeMap;

use glam::{DMat3, DVec2, DVec3};

use super::*;
use crate::build::build;
use crate::geometry::Rigid;
use crate::level::{Material, locate};

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn builder() -> (LevelBuilder, RoomMaterials) {
    let mut builder = LevelBuilder::new("test");
    let material = builder.material(Material::default());
    (builder, RoomMaterials::all(material))
}

/// Asserts that every edge of a room's triangles and portals occurs equally often in both directions, bit for bit.
/// Portals count in both of their rooms. The check shares no code with the builder.
fn assert_watertight(source: &LevelSource) {
    let key = |p: DVec3| (p + DVec3::ZERO).to_array().map(f64::to_bits);
    for (room, named) in source.rooms.iter().enumerate() {
        let mut balance: BTreeMap<_, i32> = BTreeMap::new();
        let mut add = |corners: [DVec3; 3]| {
            let area = (corners[1] - corners[0])
                .cross(corners[2] - corners[0])
                .length();
            assert!(area > 1e-9, "{}: no area: {corners:?}", named.name);
            for i in 0..3 {
                let [a, b] = [key(corners[i]), key(corners[(i + 1) % 3])];
                assert_ne!(a, b);
                *balance.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
            }
        };
        for mesh in source.meshes.iter().filter(|mesh| mesh.room == room) {
            for triangle in &mesh.triangles {
                add(triangle.map(|i| mesh.positions[i as usize]));
            }
        }
        for portal in &source.portals {
            for &[a, b, c] in &portal.triangles {
                if portal.room == room {
                    // Portals face out of the room, so their back closes the room's surface: reverse the winding.
                    add([a, c, b]);
                } else if portal.dest == named.name {
                    add([a, b, c].map(|p| portal.far_from_near.point(p)));
                }
            }
        }
        let open = balance.values().filter(|sum| **sum != 0).count();
        assert_eq!(open, 0, "{}: open edges", named.name);
    }
}

/// Builds a source and asserts that there are no errors and no warnings.
fn good(builder: &LevelBuilder) -> crate::level::Level {
    let (level, problems) = build(builder.source()).unwrap();
    assert_eq!(problems, crate::problems::Problems::default());
    level
}

#[test]
fn openings_of_all_kinds_leave_rooms_watertight() {
    let (mut b, stone) = builder();
    let hall = BuilderShape::cuboid(at(0., 0., 0.), at(6., 3., 4.));
    let hall = b.room("hall", &hall, stone).unwrap();
    // Three more rooms: one with five walls, one with a concave outline, and one above the hall.
    let outline = [(6.3, -1.), (9., -1.), (11., 2.), (9., 5.), (6.3, 5.)];
    let outline = outline.map(|(x, z)| DVec2::new(x, z));
    let hexagon = b
        .room("study", &BuilderShape::prism(&outline, -0.5, 2.7), stone)
        .unwrap();
    let bend = [(0., 4.2), (6., 4.2), (6., 9.), (4., 9.), (4., 6.), (0., 6.)];
    let bend = bend.map(|(x, z)| DVec2::new(x, z));
    let bend = b
        .room("bend", &BuilderShape::prism(&bend, 0., 3.), stone)
        .unwrap();
    let loft = BuilderShape::cuboid(at(-1., 3.3, -1.), at(7., 6., 4.));
    let loft = b.room("loft", &loft, stone).unwrap();

    let oak = Door::new("oak", stone.walls);
    let door = Opening::doorway(at(6.1, 0., 1.), DVec3::X, 1.1, 2.1).with_door(oak);
    b.connect(hall, hexagon, &door).unwrap();
    // A window beside the door, in the same wall.
    let window = Opening::doorway(at(6., 0.9, 3.), DVec3::X, 1.3, 1.2);
    b.connect(hall, hexagon, &window).unwrap();
    b.connect(
        hall,
        bend,
        &Opening::doorway(at(3., 0., 4.), DVec3::Z, 1.1, 2.1),
    )
    .unwrap();
    let round: Vec<DVec3> = (0..7)
        .map(|i| {
            let (sin, cos) = libm::sincos(f64::from(i) * std::f64::consts::TAU / 7.0);
            at(2. + 0.7 * cos, 3., 2. + 0.7 * sin)
        })
        .collect();
    b.connect(hall, loft, &Opening::polygon(&round)).unwrap();
    for room in [hall, hexagon, bend, loft] {
        let name = &b.parts.rooms[room.0.index as usize].name;
        let lamp = match name.as_str() {
            "hall" => at(1., 2., 1.),
            "study" => at(8., 2., 2.),
            "bend" => at(1., 2., 5.),
            _ => at(1., 5., 1.),
        };
        b.lamp(room, lamp, 10.0).unwrap();
    }
    b.block(
        hall,
        "table",
        &BuilderShape::cuboid(at(4., 0., 3.), at(5., 0.7, 3.5)),
        stone.walls,
    )
    .unwrap();
    let stairs = BuilderShape::stairs(at(4.5, 0., 6.), at(4.5, 1., 8.), 0.8, 6);
    b.block(bend, "stairs", &stairs, stone.walls).unwrap();
    b.spawn(hall, "player", at(1., 0., 3.), DVec3::X).unwrap();
    assert_watertight(&b.source());
    let level = good(&b);
    assert_eq!(level.links.len(), 4);
    assert_eq!(level.movers.len(), 1);
    assert!(level.movers[0].link.is_some() && !level.movers[0].see_through);
}

#[test]
fn rooms_turned_by_any_angle_stay_watertight() {
    for degrees in [1.0, 30.0, 45.0, 77.7, 123.4] {
        let (mut b, stone) = builder();
        let turn = Rigid::new(
            DMat3::from_rotation_y(f64::to_radians(degrees)),
            at(30.1, 2.7, -8.3),
        );
        let shape = |min, max| BuilderShape::cuboid(min, max).moved(&turn);
        let hall = b
            .room("hall", &shape(at(0., 0., 0.), at(6., 3., 4.)), stone)
            .unwrap();
        let study = b
            .room("study", &shape(at(6.25, -0.3, 0.), at(9., 3., 4.)), stone)
            .unwrap();
        let east = turn.vector(DVec3::X);
        for z in [1.0, 3.0] {
            let mut doorway = Opening::doorway(turn.point(at(6., 0., z)), east, 1.2, 2.2);
            if z == 3.0 {
                doorway = doorway.with_door(Door::new("oak", stone.walls));
            }
            b.connect(hall, study, &doorway).unwrap();
        }
        b.spawn(hall, "player", turn.point(at(1., 0., 3.)), east)
            .unwrap();
        b.lamp(hall, turn.point(at(1., 2., 3.)), 10.0).unwrap();
        assert_watertight(&b.source());
        let level = good(&b);
        // Points in the reveal, on both sides of its middle.
        for (x, room) in [(6.1, "hall"), (6.14, "study")] {
            let point = level.from_author(crate::level::AuthorPoint(turn.point(at(x, 1., 1.))));
            let found = locate(&level, point).unwrap();
            assert_eq!(level.room(found).name, room);
        }
    }
}

#[test]
fn a_bent_opening_is_cut_on_its_other_side_too() {
    let (mut b, stone) = builder();
    let here = b
        .room(
            "here",
            &BuilderShape::cuboid(at(-4., 0., -4.), at(4., 3., 4.)),
            stone,
        )
        .unwrap();
    let there = b
        .room(
            "there",
            &BuilderShape::cuboid(at(96., 0., -4.), at(104., 3., 4.)),
            stone,
        )
        .unwrap();
    let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X);
    let moved = at(100., 0., -4.2) - turn * at(4., 0., 0.);
    let opening = Opening::doorway(at(4., 0., 0.), DVec3::X, 2.0, 2.5);
    b.connect(here, there, &opening.bent(Rigid::new(turn, moved)))
        .unwrap();
    b.spawn(here, "player", at(0., 0., 0.), DVec3::X).unwrap();
    b.lamp(here, at(0., 2., 0.), 10.0).unwrap();
    assert_watertight(&b.source());
    assert!(!good(&b).portals[0].far_from_near.is_identity());
}

#[test]
fn blocks_of_all_shapes_are_closed_and_look_outwards() {
    let profile = [
        at(0., 0., 0.),
        at(3., 0., 0.),
        at(3., 1., 0.),
        at(1., 1., 0.),
        at(1., 2., 0.),
        at(0., 2., 0.),
    ];
    let shapes = [
        (BuilderShape::cuboid(at(3., 2., 1.), at(0., 0., 0.)), 6.0),
        (BuilderShape::extrusion(&profile, at(0., 0., -2.)), 8.0),
        (BuilderShape::extrusion(&profile, at(0., 0., 2.)), 8.0),
        (BuilderShape::ramp(at(0., 0., 0.), at(0., 1., 4.), 3.0), 6.0),
        (
            BuilderShape::stairs(at(0., 0., 0.), at(4., 1., 0.), 2.0, 4),
            5.0,
        ),
        (
            BuilderShape::stairs(at(1., 0., 1.), at(1., 1., -3.), 2.0, 4),
            5.0,
        ),
    ];
    for (shape, volume) in shapes {
        let (mut b, stone) = builder();
        b.room(
            "hall",
            &BuilderShape::cuboid(at(0., 0., 0.), at(9., 9., 9.)),
            stone,
        )
        .unwrap();
        b.block(RoomKey(b.key(0)), "thing", &shape, stone.walls)
            .unwrap();
        let source = b.source();
        assert_watertight(&source);
        let mesh = &source.meshes[0];
        let cones = mesh.triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
            a.dot(b.cross(c)) / 6.0
        });
        let enclosed: f64 = cones.sum();
        assert!((enclosed - volume).abs() < 1e-9, "{enclosed} for {volume}");
    }
}

#[test]
fn a_court_has_no_ceiling_and_lies_in_the_open() {
    let (mut b, stone) = builder();
    b.court(
        "court",
        &BuilderShape::cuboid(at(0., 0., 0.), at(9., 4., 9.)),
        stone,
    )
    .unwrap();
    let source = b.source();
    assert!(source.rooms[0].open_to_sky);
    assert_eq!(source.meshes[0].triangles.len(), 10);
}

#[test]
fn each_mistake_is_named_and_changes_nothing() {
    let (mut b, stone) = builder();
    let cube = |x: f64| BuilderShape::cuboid(at(x, 0., 0.), at(x + 4., 3., 4.));
    let hall = b.room("hall", &cube(0.), stone).unwrap();
    let study = b.room("study", &cube(4.2), stone).unwrap();
    let (mut other, other_stone) = builder();
    let foreign = other.room("else", &cube(0.), other_stone).unwrap();
    let before = format!("{:?}", b.source());

    let says = |error: Result<(), BuilderError>, says: &str| {
        let error = error.unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    };
    for name in ["", "a-room", "a*b", "a.001", " a"] {
        says(b.room(name, &cube(9.), stone).map(drop), "choose another");
    }
    says(
        b.room("hall", &cube(9.), stone).map(drop),
        "`hall-room` is there already",
    );
    says(
        b.room("new", &cube(9.), other_stone).map(drop),
        "material of another builder",
    );
    says(
        b.lamp(foreign, at(0., 0., 0.), 1.),
        "room of another builder",
    );
    let flat = BuilderShape::cuboid(at(0., 0., 0.), at(1., 0., 1.));
    says(
        b.room("new", &flat, stone).map(drop),
        "not flat or has no area",
    );
    let nan = BuilderShape::cuboid(at(0., f64::NAN, 0.), at(1., 0., 1.));
    says(b.room("new", &nan, stone).map(drop), "NaN");
    let open = BuilderShape::polygons(vec![vec![at(0., 0., 0.), at(1., 0., 0.), at(0., 1., 0.)]]);
    says(b.room("new", &open, stone).map(drop), "leave a hole");

    let doorway = |x: f64, z: f64| Opening::doorway(at(x, 0., z), DVec3::X, 1.0, 2.0);
    says(b.connect(hall, hall, &doorway(4., 2.)), "same room");
    says(
        b.connect(hall, foreign, &doorway(4., 2.)),
        "another builder",
    );
    // Openings that fail: far from the wall, beyond the wall's end, not parallel to the wall, above both rooms.
    says(
        b.connect(hall, study, &doorway(14., 2.)),
        "no face of `hall`",
    );
    says(
        b.connect(hall, study, &doorway(4., 3.8)),
        "no face of `hall`",
    );
    says(
        b.connect(study, hall, &doorway(8.2, 2.)),
        "no face of `hall`",
    );
    let slanted = Opening::doorway(at(4., 0., 2.), at(1., 0., 0.1), 1.0, 2.0);
    says(b.connect(hall, study, &slanted), "no face of `hall`");
    let line = Opening::polygon(&[at(4., 0., 1.), at(4., 1., 1.), at(4., 2., 1.)]);
    says(b.connect(hall, study, &line), "not a flat convex polygon");
    says(
        b.connect(hall, study, &Opening::polygon(&[])),
        "not a flat convex polygon",
    );
    let triangle = Opening::polygon(&[at(4., 0., 1.), at(4., 2., 2.), at(4., 0., 3.)]);
    let triangle = triangle.with_door(Door::new("oak", stone.walls));
    says(
        b.connect(hall, study, &triangle),
        "oak-door: its opening is no upright rectangle",
    );
    assert_eq!(format!("{:?}", b.source()), before);

    b.connect(hall, study, &doorway(4., 2.)).unwrap();
    says(
        b.connect(hall, study, &doorway(4., 2.5)),
        "clear of its edges and of other openings",
    );
}

#[test]
fn a_written_level_reads_back_as_it_was() {
    let (mut b, stone) = builder();
    let hall = BuilderShape::cuboid(at(100., 0., 0.), at(106., 3., 4.));
    let hall = b.room("hall", &hall, stone).unwrap();
    let yard = b.court(
        "yard",
        &BuilderShape::cuboid(at(106.25, 0., 0.), at(112., 3., 4.)),
        stone,
    );
    let yard = yard.unwrap();
    let mut door = Door::new("oak", stone.walls);
    door.drive.locked = true;
    door.drive.wait_ticks = 90;
    let doorway = Opening::doorway(at(106., 0., 2.), DVec3::X, 1.25, 2.25);
    b.connect(hall, yard, &doorway.with_door(door)).unwrap();
    b.connect(
        hall,
        yard,
        &Opening::doorway(at(106., 1., 3.25), DVec3::X, 0.5, 1.).one_way(),
    )
    .unwrap();
    b.lamp(hall, at(103., 2.5, 2.), 40.).unwrap();
    b.spawn(hall, "player", at(101., 0., 2.), at(3., 0., -4.))
        .unwrap();
    let (made, _) = build(b.source()).unwrap();
    let (read, problems) =
        crate::load::load_bytes("test", &crate::gltf::write_glb(&b.source()).unwrap()).unwrap();
    assert_eq!(problems, crate::problems::Problems::default());
    assert_eq!(made.origin, read.origin);
    let corners = |level: &crate::level::Level| -> Vec<_> {
        level
            .indices
            .iter()
            .map(|&i| level.vertices[i as usize].position)
            .collect()
    };
    let (made_corners, read_corners) = (corners(&made), corners(&read));
    assert_eq!(made_corners.len(), read_corners.len());
    // The file has corners in f32, relative to an origin near their room, so they are only rounded.
    for corner in &read_corners {
        let nearest = made_corners.iter().map(|other| {
            (0..3)
                .map(|i| (other[i] - corner[i]).abs())
                .fold(0.0, f32::max)
        });
        assert!(nearest.fold(f32::INFINITY, f32::min) < 1e-5);
    }
    let links = |level: &crate::level::Level| format!("{:?}", level.links);
    assert_eq!(links(&made), links(&read));
    assert_eq!(made.movers[0].drive, read.movers[0].drive);
    let end = |level: &crate::level::Level| {
        let pose = level.movers[0].track.pose(1.0);
        level
            .to_author(pose.point(level.from_author(crate::level::AuthorPoint(at(106.2, 1., 2.5)))))
    };
    assert!(end(&made).0.distance(end(&read).0) < 1e-5);
    assert_eq!(made.lights.len(), read.lights.len());
    assert!((made.spawns[0].yaw - read.spawns[0].yaw).abs() < 1e-4);
    assert_eq!(read.rooms[1].open_to_sky, made.rooms[1].open_to_sky);
    assert_eq!(made.materials[0].friction, read.materials[0].friction);
}

#[test]
fn an_opening_that_bends_space_is_written_as_two_portals() {
    use crate::gltf::write_glb;
    let (mut b, stone) = builder();
    let here = b
        .room(
            "here",
            &BuilderShape::cuboid(at(-4., 0., -4.), at(4., 3., 4.)),
            stone,
        )
        .unwrap();
    let there = b
        .room(
            "there",
            &BuilderShape::cuboid(at(96., 0., -4.), at(104., 3., 4.)),
            stone,
        )
        .unwrap();
    let moved = Rigid::new(DMat3::IDENTITY, at(92., 0., 0.));
    let opening = Opening::doorway(at(4., 0., 0.), DVec3::X, 2.0, 2.5);
    b.connect(here, there, &opening.bent(moved)).unwrap();
    b.spawn(here, "player", DVec3::ZERO, DVec3::X).unwrap();
    let bytes = write_glb(&b.source()).unwrap();
    let (source, problems) = crate::gltf::read_source_bytes("folded.glb", &bytes).unwrap();
    assert!(problems.errors.is_empty(), "{problems}");
    let levels = [b.source(), source].map(|source| crate::build::build(source).unwrap().0);
    let transforms = levels
        .each_ref()
        .map(|level| level.portals[0].far_from_near);
    assert!(!transforms[0].is_identity() && transforms[1].is_about(&transforms[0]));
    assert_eq!(levels[0].portals.len(), levels[1].portals.len());
}
