//! Portals with a transform give the same results as ordinary doorways: a level in which one room is authored
//! elsewhere, and joined by such portals, equals the level in which the rooms are adjacent.

use glam::{DMat3, DVec3};

use crate::author::sketch::{Sketch, cuboid};
use crate::build::build;
use crate::geometry::{Aabb, Rigid};
use crate::level::{AuthorPoint, EdgeKind, Level, RoomId, locate};
use crate::problems::Problems;
use crate::source::{MoverSource, PortalSource};

/// Two transforms of the authored room `b`: by a quarter turn into the middle of `a`, and far away.
fn places() -> [Rigid; 2] {
    let quarter = DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X);
    [
        Rigid::new(quarter, DVec3::new(-4.0, 0.0, -2.0)),
        Rigid::new(quarter, DVec3::new(3000.0, -64.0, 700.0)),
    ]
}

/// Rooms `a` (x < 0) and `b` (x > 0), with a doorway between them and an opening high above it. In the doorway are a
/// box of `b` that sprawls into `a`, and a door panel that is a child of `b`. A spawn is in `b`.
fn rooms() -> Sketch {
    let door = cuboid([0., 0., -0.5], [0., 2., 0.5]);
    let window = cuboid([0., 2.5, -1.], [0., 2.75, 1.]);
    let mut sketch = Sketch::new("apart");
    let a = sketch.box_room("a", cuboid([-4., 0., -2.], [0., 3., 2.]), &[door, window]);
    let b = sketch.box_room("b", cuboid([0., 0., -2.], [4., 3., 2.]), &[door, window]);
    sketch.furniture(b, 0, cuboid([-0.5, 0., 0.25], [0.5, 1.5, 0.5]));
    sketch.furniture(b, 0, cuboid([-0.125, 0., -0.5], [0.125, 2., 0.5]));
    let panel = sketch.source.meshes.pop();
    sketch.source.movers.push(MoverSource::vanishing_door(
        "gate-door",
        panel.into_iter().collect(),
    ));
    sketch.portal(a, "b", door, DVec3::X);
    sketch.portal(a, "b", window, DVec3::X);
    sketch.spawn(b, DVec3::new(2.0, 0.25, 0.5), DVec3::X);
    sketch
}

/// The sketch, with room `b` transformed.
fn apart(mut sketch: Sketch, b_from_straight: &Rigid) -> Sketch {
    let source = &mut sketch.source;
    let doors = source.movers.iter_mut().flat_map(|door| &mut door.meshes);
    let meshes = source.meshes.iter_mut().chain(doors);
    for mesh in meshes.filter(|mesh| mesh.room == 1) {
        let positions = mesh.positions.iter_mut();
        positions.for_each(|p| *p = b_from_straight.point(*p));
    }
    for spawn in source.spawns.iter_mut().filter(|s| s.room == Some(1)) {
        spawn.position.0 = b_from_straight.point(spawn.position.0);
    }
    for portal in &mut source.portals {
        portal.far_from_near = *b_from_straight;
    }
    sketch
}

fn built(sketch: Sketch) -> (Level, Problems) {
    build(sketch.source).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The corners of a box in whole millimetres, for comparison.
fn millimetres(bounds: Aabb) -> [[i64; 3]; 2] {
    [bounds.min, bounds.max].map(|p| (p * 1000.0).round().as_i64vec3().to_array())
}

/// The results of a build, in coordinates of the level with adjacent rooms.
#[derive(Debug, PartialEq)]
struct Measured {
    warnings: Vec<String>,
    links: Vec<(String, [RoomId; 2], bool, bool)>,
    portals: Vec<(RoomId, [[i64; 3]; 2])>,
    bounds: Vec<[[i64; 3]; 2]>,
    sprawls: Vec<(RoomId, u32, [[i64; 3]; 2])>,
    barriers: Vec<Vec<[[i64; 3]; 2]>>,
    movers: Vec<Vec<[[i64; 3]; 2]>>,
    internal_edges: usize,
}

fn measured(sketch: Sketch, b_from_straight: &Rigid) -> Measured {
    let (level, problems) = built(sketch);
    let author = Rigid::new(DMat3::IDENTITY, level.origin);
    let straight_from = [author, b_from_straight.inverse().after(&author)];
    let straight = |room: RoomId, bounds: Aabb| {
        millimetres(bounds.transformed(&straight_from[room.0 as usize]))
    };
    let all = || level.room_ids().map(|id| (id, level.room(id)));
    let edges = level
        .rooms
        .iter()
        .flat_map(|room| level.solids.of(&room.solids));
    let edges = edges.flat_map(|solid| solid.edges);
    Measured {
        warnings: problems
            .warnings
            .iter()
            .map(|p| format!("{} {}", p.code, p.node))
            .collect(),
        links: level
            .links
            .iter()
            .map(|link| {
                (
                    link.name.clone(),
                    [link.near, link.far],
                    link.back.is_some(),
                    link.panel.is_some(),
                )
            })
            .collect(),
        portals: level
            .portals
            .iter()
            .map(|p| (p.near, straight(p.near, p.bounds)))
            .collect(),
        bounds: all().map(|(id, room)| straight(id, room.bounds)).collect(),
        sprawls: level
            .sprawls
            .iter()
            .map(|sprawl| {
                let into = level.portal(sprawl.through).near;
                (
                    sprawl.room,
                    sprawl.triangles.end,
                    straight(into, sprawl.bounds),
                )
            })
            .collect(),
        barriers: all()
            .map(|(id, room)| {
                room.barriers
                    .iter()
                    .map(|barrier| straight(id, barrier.bounds))
                    .collect()
            })
            .collect(),
        movers: all()
            .map(|(id, room)| {
                let movers = room.movers.iter();
                movers.map(|image| straight(id, image.bounds)).collect()
            })
            .collect(),
        internal_edges: edges.filter(|kind| *kind == EdgeKind::Internal).count(),
    }
}

#[test]
fn rooms_authored_apart_are_measured_like_adjacent_rooms() {
    type BentChange = fn(&mut PortalSource);
    let changes: [BentChange; 4] = [
        |_| (),
        |portal| portal.two_way = false,
        // Portals that face the wrong way; the build turns them, with a warning.
        |portal| portal.triangles.iter_mut().for_each(|t| t.reverse()),
        |portal| portal.dest.clear(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut sketch = rooms();
        sketch.source.portals.iter_mut().for_each(change);
        let expected = measured(sketch.clone(), &Rigid::IDENTITY);
        assert!(!expected.sprawls.is_empty() && expected.internal_edges > 0);
        assert_eq!(expected.links[0].1, [RoomId(0), RoomId(1)]);
        for place in places() {
            let found = measured(apart(sketch.clone(), &place), &place);
            assert_eq!(found, expected, "change {number}, {place:?}");
        }
    }
}

#[test]
fn a_point_in_a_reveal_is_in_the_room_whose_side_of_the_portal_it_is_on() {
    let hole = |x: f64| cuboid([x, 0., -0.5], [x, 2., 0.5]);
    // With the first transform the rooms overlap, so the room of a point is ambiguous. Only the second is used here.
    let [_, place] = &places();
    for owner in [0, 1] {
        let mut sketch = Sketch::new("deep reveal");
        let a = sketch.box_room("a", cuboid([-4., 0., -2.], [0., 3., 2.]), &[hole(0.)]);
        sketch.box_room("b", cuboid([4., 0., -2.], [8., 3., 2.]), &[hole(4.)]);
        sketch.box_room(
            "",
            cuboid([0., 0., -0.5], [4., 2., 0.5]),
            &[hole(0.), hole(4.)],
        );
        sketch.source.rooms.pop();
        sketch.source.meshes[2].room = owner;
        sketch.portal(a, "b", hole(3.5), DVec3::X);
        sketch.spawn(1, DVec3::new(6., 0.5, 0.), DVec3::X);
        let (level, problems) = built(apart(sketch, place));
        assert_eq!(problems.warnings, []);
        assert_eq!(level.spawns[0].at.room, RoomId(1));
        for i in 0..40 {
            let straight = DVec3::new(0.05 + 0.1 * f64::from(i), 1., 0.);
            let is_in_a = straight.x < 3.5;
            let own = [straight, place.point(straight)];
            let [in_a, in_b] = own.map(|p| locate(&level, level.from_author(AuthorPoint(p))));
            assert_eq!(in_a == Some(RoomId(0)), is_in_a, "{straight}, {owner}");
            assert_eq!(in_b == Some(RoomId(1)), !is_in_a, "{straight}, {owner}");
        }
    }
}

/// Regression test: every portal that leads into its own room was an error, even with a transform.
#[test]
fn a_room_may_lead_into_itself_elsewhere() {
    let hole = |x: f64| cuboid([x, 0.0, -1.0], [x, 2.0, 1.0]);
    let sketch = |dest: &str, step: f64| {
        let mut sketch = Sketch::new("endless");
        let inside = cuboid([-2.0, 0.0, -2.0], [2.0, 3.0, 2.0]);
        let room = sketch.box_room("a", inside, &[hole(-2.0), hole(2.0)]);
        sketch.portal(room, dest, hole(2.0), DVec3::X);
        sketch.source.portals[0].far_from_near = Rigid::new(DMat3::IDENTITY, DVec3::X * step);
        sketch.spawn(room, DVec3::new(0.0, 0.5, 0.0), DVec3::X);
        sketch.source
    };
    for dest in ["a", ""] {
        let (level, problems) = build(sketch(dest, -4.0)).unwrap();
        assert_eq!(problems.warnings, []);
        let link = &level.links[0];
        let [portal, back] = [Some(link.portal), link.back].map(|id| level.portal(id.unwrap()));
        assert_eq!((portal.bounds, back.bounds), (hole(2.0), hole(-2.0)));
        assert_eq!(
            [portal, back].map(|p| p.polygon.plane.normal.x),
            [1.0, -1.0]
        );
        let there_and_back = back.far_from_near.after(&portal.far_from_near);
        assert!(there_and_back.is_identity());
        assert_eq!(level.room(RoomId(0)).barriers.len(), 2);
    }
    assert_eq!(
        build(sketch("a", 0.0)).unwrap_err().errors[0].code,
        "portal-into-itself"
    );
}

#[test]
fn a_transform_that_is_no_rotation_and_translation_is_an_error() {
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    for (rotation, translation) in [
        (DMat3::IDENTITY, DVec3::new(0.0, f64::NAN, 0.0)),
        (DMat3::IDENTITY, DVec3::X * f64::INFINITY),
        (DMat3::IDENTITY * f64::NAN, DVec3::ZERO),
        (DMat3::IDENTITY * 1.001, DVec3::ZERO),
        (DMat3::ZERO, DVec3::ZERO),
        (mirror, DVec3::ZERO),
    ] {
        let mut sketch = rooms();
        sketch.source.portals[0].far_from_near = Rigid::new(rotation, translation);
        let errors = build(sketch.source).unwrap_err().errors;
        let of_portal = errors.iter().find(|problem| problem.node == "b*0-portal");
        assert_eq!(of_portal.unwrap().code, "portal-transform", "{errors:?}");
    }
}
