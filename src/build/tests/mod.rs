//! Tests of the room graph; the levels are built from sketches.

mod bent;

use crate::world::World;
use glam::DVec3;
use proptest::prelude::*;

use super::build;
use crate::author::sketch::{Sketch, cuboid};
use crate::geometry::{Aabb, Rigid};
use crate::level::*;
use crate::problems::{Problem, Problems};
use crate::rng::Rng;
use crate::source::{BoundSource, MoverSource, PortalSource};

/// Two rooms with a doorway through a wall of 0.2 m. Each room owns half of the reveal; with `one_jamb`, the first room
/// owns all of it.
pub(super) fn two_rooms(dest: &str, one_jamb: bool) -> Sketch {
    let mut sketch = Sketch::new("two rooms");
    let reveal_end = if one_jamb { 4.2 } else { 4.1 };
    let a = sketch_room(&mut sketch, "a", [0.0, 0.0, 0.0], [4.0, 3.0, 4.0], 4.0);
    let b = sketch_room(&mut sketch, "b", [4.2, 0.0, 0.0], [8.2, 3.0, 4.0], 4.2);
    tube(&mut sketch, a, 4.0, reveal_end);
    if !one_jamb {
        tube(&mut sketch, b, 4.1, 4.2);
    }
    sketch.portal(a, dest, cuboid([4.1, 0.0, 1.0], [4.1, 2.2, 2.2]), DVec3::X);
    sketch.spawn(a, DVec3::new(1.0, 0.5, 2.0), DVec3::X);
    sketch
}

fn sketch_room(sketch: &mut Sketch, name: &str, min: [f64; 3], max: [f64; 3], wall: f64) -> usize {
    let door = cuboid([wall, 0.0, 1.0], [wall, 2.2, 2.2]);
    sketch.box_room(name, cuboid(min, max), &[door])
}

/// The four sides of a door reveal between two positions along x.
fn tube(sketch: &mut Sketch, room: usize, from: f64, to: f64) {
    let inside = cuboid([from, 0.0, 1.0], [to, 2.2, 2.2]);
    let ends = [
        cuboid([from, 0.0, 1.0], [from, 2.2, 2.2]),
        cuboid([to, 0.0, 1.0], [to, 2.2, 2.2]),
    ];
    let mut other = Sketch::new("");
    other.box_room("", inside, &ends);
    let mut mesh = other.source.meshes.remove(0);
    mesh.room = room;
    sketch.source.meshes.push(mesh);
}

pub(super) fn built(sketch: Sketch) -> Level {
    match build(sketch.source) {
        Ok((level, problems)) => {
            assert_eq!(problems, Problems::default());
            level
        }
        Err(problems) => panic!("{problems}"),
    }
}

fn first_error(sketch: Sketch) -> Problem {
    build(sketch.source).expect_err("must be refused").errors[0].clone()
}

#[test]
fn a_doorway_joins_two_rooms_both_ways() {
    let level = built(two_rooms("b", false));
    assert_eq!(level.links.len(), 1);
    assert_eq!(level.portals.len(), 2);
    let [there, back] = &level.portals[..] else {
        panic!()
    };
    assert_eq!((there.near, there.far), (RoomId(0), RoomId(1)));
    assert_eq!((back.near, back.far), (RoomId(1), RoomId(0)));
    assert_eq!(there.polygon.plane, back.polygon.plane.flipped());
    assert!((level.links[0].area - 2.64).abs() < 1e-6);
    assert!(level.sprawls.is_empty());
    assert_eq!(level.back(PortalId(0)), Some(PortalId(1)));
    assert_eq!(level.back(PortalId(1)), Some(PortalId(0)));
}

#[test]
fn a_one_way_portal_has_no_way_back() {
    let mut sketch = two_rooms("b", false);
    sketch.source.portals[0].two_way = false;
    let level = built(sketch);
    assert_eq!(level.portals.len(), 1);
    assert_eq!(level.back(PortalId(0)), None);
}

#[test]
fn an_unnamed_portal_finds_the_room_behind_it_even_past_the_whole_reveal() {
    for one_jamb in [false, true] {
        let level = built(two_rooms("", one_jamb));
        assert_eq!(level.links[0].far, level.room_named("b").unwrap());
    }
}

#[test]
fn unnamed_portals_find_a_room_that_is_open_on_all_sides() {
    // A crossing, 1 x 1 m and 2.5 m high, that has no wall of its own, and a room on each of its four sides. Three
    // portals lead out of the crossing, and one leads into it.
    let mut sketch = Sketch::new("crossing");
    let east = cuboid([1.0, 0.0, 0.0], [1.0, 2.5, 1.0]);
    let west = cuboid([0.0, 0.0, 0.0], [0.0, 2.5, 1.0]);
    let south = cuboid([0.0, 0.0, 1.0], [1.0, 2.5, 1.0]);
    let north = cuboid([0.0, 0.0, 0.0], [1.0, 2.5, 0.0]);
    let inside = cuboid([0.0, 0.0, 0.0], [1.0, 2.5, 1.0]);
    let crossing = sketch.box_room("crossing", inside, &[east, west, south, north]);
    let mut side = |name: &str, x: f64, z: f64, opening: Aabb| {
        let room = cuboid([x, 0.0, z], [x + 1.0, 2.5, z + 1.0]);
        sketch.box_room(name, room, &[opening])
    };
    side("e", 1.0, 0.0, east);
    let w = side("w", -1.0, 0.0, west);
    side("s", 0.0, 1.0, south);
    side("n", 0.0, -1.0, north);
    sketch.portal(crossing, "", east, DVec3::X);
    sketch.portal(crossing, "", south, DVec3::Z);
    sketch.portal(crossing, "", north, DVec3::NEG_Z);
    sketch.portal(w, "", west, DVec3::X);
    sketch.spawn(w, DVec3::new(-0.5, 0.5, 0.5), DVec3::X);
    let level = built(sketch);
    let name = |id: RoomId| level.room(id).name.as_str();
    let mut joined: Vec<_> = level
        .links
        .iter()
        .map(|l| (name(l.near), name(l.far)))
        .collect();
    joined.sort_unstable();
    let out = |to| ("crossing", to);
    assert_eq!(joined, [out("e"), out("n"), out("s"), ("w", "crossing")]);
}

#[test]
fn an_unnamed_portal_in_an_outer_wall_is_an_error_that_says_where() {
    let mut sketch = two_rooms("b", false);
    sketch.portal(
        0,
        "",
        cuboid([0.0, 0.0, 1.0], [0.0, 2.0, 2.0]),
        DVec3::NEG_X,
    );
    let problem = first_error(sketch);
    assert_eq!(problem.code, "portal-leads-nowhere");
    assert!(problem.message.contains("(0.00, 1.00, 1.50)"), "{problem}");
}

/// Rooms `a`, `b` and `c` in a row, without walls between them; `b` is `thickness` metres long. `second` is the room to
/// which the portal between `b` and `c` belongs, and whether the portal names the room behind it.
fn thin_row(thickness: f64, second: (&str, bool)) -> Sketch {
    let mut sketch = Sketch::new("row");
    let [left, right] = [0.0, thickness].map(|x| cuboid([x, 0.0, 0.0], [x, 3.0, 4.0]));
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, 0.0], [0.0, 3.0, 4.0]), &[left]);
    let b = cuboid([0.0, 0.0, 0.0], [thickness, 3.0, 4.0]);
    let b = sketch.box_room("b", b, &[left, right]);
    let c = cuboid([thickness, 0.0, 0.0], [4.0, 3.0, 4.0]);
    let c = sketch.box_room("c", c, &[right]);
    sketch.portal(a, "", left, DVec3::X);
    match second {
        ("b", named) => sketch.portal(b, if named { "c" } else { "" }, right, DVec3::X),
        (_, named) => sketch.portal(c, if named { "b" } else { "" }, right, DVec3::NEG_X),
    }
    sketch.spawn(a, DVec3::new(-2.0, 0.5, 2.0), DVec3::X);
    sketch
}

/// Regression test: if `b` was thinner than 2 cm, the portal out of `a` was linked to `c`, without a warning.
#[test]
fn an_unnamed_portal_leads_into_a_room_of_any_thickness() {
    for thickness in [0.5, 0.03, 0.015, 0.005, 0.001, 0.0005] {
        for (of, named) in [("b", true), ("b", false), ("c", true), ("c", false)] {
            let source = thin_row(thickness, (of, named)).source;
            let (level, problems) = build(source).unwrap();
            let name = |id: RoomId| level.room(id).name.as_str();
            let links = level.links.iter().map(|l| [name(l.near), name(l.far)]);
            let mut links: Vec<[&str; 2]> = links.collect();
            links.sort_unstable();
            let second = if of == "b" { ["b", "c"] } else { ["c", "b"] };
            assert_eq!(
                links,
                [["a", "b"], second],
                "{thickness} m, of {of}, {named}"
            );
            for warning in &problems.warnings {
                assert_eq!(warning.code, "portal-ambiguous", "{warning}");
            }
        }
    }
}

#[test]
fn an_unnamed_portal_with_two_rooms_close_behind_it_says_which_was_chosen() {
    let (_, problems) = build(thin_row(0.015, ("b", false)).source).unwrap();
    let [warning] = &problems.warnings[..] else {
        panic!("{problems}");
    };
    assert_eq!(
        (warning.code.as_str(), warning.node.as_str()),
        ("portal-ambiguous", "*0-portal")
    );
    let said = &warning.message;
    assert!(
        said.contains("linked to room `b`") && said.contains("room `c`"),
        "{said}"
    );
    let (_, problems) = build(thin_row(0.5, ("b", false)).source).unwrap();
    assert_eq!(problems, Problems::default());
}

#[test]
fn an_unnamed_portal_into_a_room_that_is_closed_there_says_so() {
    let mut sketch = two_rooms("", false);
    // A pane that belongs to `b` fills the opening.
    let pane = cuboid([4.2, 0.0, 1.0], [4.2, 2.2, 2.2]);
    let [p, q] = [pane.min, pane.max];
    let [r, s] = [DVec3::new(4.2, 0.0, 2.2), DVec3::new(4.2, 2.2, 1.0)];
    sketch.mesh(1, 0, &[[p, s, q], [p, q, r], [p, q, s], [p, r, q]]);
    let (level, _) = build(sketch.source).unwrap();
    assert_eq!(level.links[0].far, level.room_named("b").unwrap());
}

/// Regression test: a portal that leads into its own room was only a warning.
#[test]
fn a_portal_into_its_own_room_is_an_error() {
    let problem = first_error(two_rooms("a", false));
    assert_eq!(
        (problem.code.as_str(), problem.node.as_str()),
        ("portal-into-itself", "a*0-portal")
    );
}

#[test]
fn a_portal_to_an_unknown_room_lists_the_names_that_exist() {
    let problem = first_error(two_rooms("bb", false));
    assert_eq!(problem.code, "portal-unknown-room");
    assert!(problem.message.contains("`b`, `a`"), "{problem}");
}

#[test]
fn a_portal_that_faces_into_its_room_is_turned_round_with_a_warning() {
    let mut sketch = two_rooms("b", false);
    for corners in &mut sketch.source.portals[0].triangles {
        corners.swap(0, 1);
    }
    let (level, problems) = build(sketch.source).unwrap();
    assert_eq!(problems.warnings[0].code, "portal-backwards");
    assert_eq!(level.portals[0].polygon.plane.normal, DVec3::X);
}

#[test]
fn points_are_found_in_their_rooms_by_the_polygons() {
    let level = built(two_rooms("b", true));
    let room_at = |x: f64, y: f64, z: f64| {
        locate(&level, DVec3::new(x, y, z)).map(|id| level.room(id).name.clone())
    };
    assert_eq!(room_at(1.0, 1.0, 1.0).as_deref(), Some("a"));
    assert_eq!(room_at(6.0, 1.0, 1.0).as_deref(), Some("b"));
    assert_eq!(room_at(4.05, 1.0, 1.5).as_deref(), Some("a"));
    // All of the reveal belongs to `a`, but this point is beyond the portal, so it is in `b`.
    assert_eq!(room_at(4.15, 1.0, 1.5).as_deref(), Some("b"));
    assert_eq!(room_at(4.1, 1.0, 3.0), None, "inside the wall");
    assert_eq!(room_at(1.0, -1.0, 1.0), None);
}

/// From a point deep in a reveal, hardly any surface of the point's room is visible. Even there the point must be
/// located in the right room.
#[test]
fn points_in_a_deep_reveal_are_in_the_room_on_their_side_of_the_portal() {
    for owner in ["a", "b"] {
        let mut sketch = Sketch::new("deep reveal");
        let a = sketch_room(&mut sketch, "a", [0.0, 0.0, 0.0], [4.0, 3.0, 4.0], 4.0);
        let b = sketch_room(&mut sketch, "b", [8.0, 0.0, 0.0], [12.0, 3.0, 4.0], 8.0);
        tube(&mut sketch, if owner == "a" { a } else { b }, 4.0, 8.0);
        let opening = cuboid([7.6, 0.0, 1.0], [7.6, 2.2, 2.2]);
        sketch.portal(a, "b", opening, DVec3::X);
        sketch.spawn(a, DVec3::new(1.0, 0.5, 2.0), DVec3::X);
        let level = built(sketch);
        for i in 0..40 {
            let x = 4.05 + 0.1 * f64::from(i);
            let room = locate(&level, DVec3::new(x, 1.0, 1.5));
            let expected = level.room_named(if x < 7.6 { "a" } else { "b" });
            assert_eq!(room, expected, "at {x}, the reveal is of {owner}");
        }
    }
}

#[test]
fn a_room_around_another_is_distinguished_from_it_although_its_box_contains_both() {
    let mut sketch = Sketch::new("L");
    // An L-shaped room of two boxes that are open to each other, around a small room in the inner corner of the L.
    let l = sketch.room("l");
    for (inside, cut) in [
        (
            cuboid([0.0, 0.0, 0.0], [9.0, 3.0, 3.0]),
            cuboid([0.0, 0.0, 3.0], [3.0, 3.0, 3.0]),
        ),
        (
            cuboid([0.0, 0.0, 3.0], [3.0, 3.0, 9.0]),
            cuboid([0.0, 0.0, 3.0], [3.0, 3.0, 3.0]),
        ),
    ] {
        let mut other = Sketch::new("");
        other.box_room("", inside, &[cut]);
        let mut mesh = other.source.meshes.remove(0);
        mesh.room = l;
        sketch.source.meshes.push(mesh);
    }
    sketch.box_room("corner", cuboid([4.0, 0.0, 4.0], [8.0, 3.0, 8.0]), &[]);
    sketch.spawn(l, DVec3::new(1.0, 0.0, 1.0), DVec3::X);
    sketch.spawn(l, DVec3::new(6.0, 0.0, 6.0), DVec3::X);
    let level = built(sketch);
    let corner = level.room_named("corner");
    let rooms = [0, 1].map(|spawn: usize| Some(level.spawns[spawn].at.room));
    assert_eq!(rooms, [level.room_named("l"), corner]);
    assert_eq!(locate(&level, DVec3::new(6.0, 1.0, 6.0)), corner);
    assert_eq!(
        locate(&level, DVec3::new(1.0, 1.0, 8.0)),
        level.room_named("l")
    );
    assert_eq!(locate(&level, DVec3::new(3.5, 1.0, 6.0)), None);
}

#[test]
fn spawns_outside_rooms_and_missing_ones_are_errors() {
    let mut sketch = two_rooms("b", false);
    sketch.source.spawns[0].position.0 = DVec3::new(50.0, 0.0, 0.0);
    assert_eq!(first_error(sketch).code, "spawn-outside");
    let mut sketch = two_rooms("b", false);
    sketch.source.spawns.clear();
    assert_eq!(first_error(sketch).code, "no-spawn");
    assert_eq!(first_error(Sketch::new("empty")).code, "no-rooms");
}

#[test]
fn every_problem_of_a_level_is_reported() {
    let mut sketch = two_rooms("nowhere", false);
    sketch.source.spawns.clear();
    sketch.source.portals.push(PortalSource {
        far_from_near: Rigid::IDENTITY,
        leads_to: None,
        node: "flat-portal".to_owned(),
        room: 0,
        dest: "b".to_owned(),
        two_way: true,
        triangles: Vec::new(),
    });
    let problems = build(sketch.source).expect_err("must be refused");
    let codes: Vec<&str> = problems.errors.iter().map(|p| p.code.as_str()).collect();
    assert_eq!(codes, ["portal-polygon", "portal-unknown-room", "no-spawn"]);
}

#[test]
fn a_level_far_away_is_the_same_level_moved_to_the_origin() {
    let near = built(two_rooms("b", false));
    let mut sketch = two_rooms("b", false);
    let offset = DVec3::new(1_000_192.0, -2_048.0, 7_680.0);
    let moved = |p: &mut DVec3| *p += offset;
    let meshes = sketch.source.meshes.iter_mut();
    meshes.for_each(|mesh| mesh.positions.iter_mut().for_each(moved));
    let portals = sketch.source.portals.iter_mut();
    portals.for_each(|p| p.triangles.iter_mut().flatten().for_each(moved));
    sketch.source.spawns[0].position.0 += offset;
    let far = built(sketch);
    assert_eq!(far.origin, offset);
    let solids = |level: &Level| -> Vec<SolidTriangle> {
        let rooms = level.rooms.iter();
        rooms
            .flat_map(|room| level.solids.of(&room.solids).collect::<Vec<_>>())
            .collect()
    };
    let (far, near) = (solids(&far), solids(&near));
    assert_eq!(far.len(), near.len());
    let corners =
        |solids: &[SolidTriangle]| solids.iter().flat_map(|s| s.corners).collect::<Vec<_>>();
    let farthest = corners(&far).into_iter().zip(corners(&near));
    let farthest = farthest.map(|(a, b)| (a - b).length()).fold(0.0, f32::max);
    assert!(farthest < 1e-6, "{farthest}");
}

#[test]
fn a_door_panel_closes_the_portal_that_it_stands_in() {
    let mut sketch = two_rooms("b", false);
    let mut other = Sketch::new("");
    let room = other.room("");
    other.furniture(room, 0, cuboid([4.08, 0.0, 1.0], [4.12, 2.2, 2.2]));
    let meshes = other.source.meshes;
    sketch
        .source
        .movers
        .push(MoverSource::vanishing_door("oak-door", meshes));
    let level = built(sketch);
    let panel = level.mover(level.links[0].panel.unwrap());
    assert_eq!((panel.name.as_str(), panel.solids.len()), ("oak-door", 12));
    let mut world = World::of(&level);
    assert!(!world.is_open(LinkId(0)));
    world.open(LinkId(0));
    assert_eq!(world.closed().count(), 0);
}

#[test]
fn a_room_that_sticks_out_of_its_bounds_is_warned_about() {
    for (corner, warnings) in [(4.5, 0), (3.0, 1)] {
        let mut sketch = two_rooms("b", false);
        sketch.source.bounds.push(BoundSource {
            room: 0,
            node: "a-bound".to_owned(),
            triangles: vec![[DVec3::ZERO, DVec3::splat(corner), DVec3::X]],
        });
        let (_, problems) = build(sketch.source).unwrap();
        assert_eq!(problems.warnings.len(), warnings, "{problems}");
    }
}

#[test]
fn triangles_without_area_are_dropped_and_counted() {
    let mut sketch = two_rooms("b", false);
    let (p, q) = (DVec3::new(1.0, 1.0, 1.0), DVec3::new(2.0, 1.0, 1.0));
    sketch.mesh(0, 0, &[[p, q, (p + q) * 0.5], [p, p, q]]);
    let (level, problems) = build(sketch.source).unwrap();
    assert_eq!(level.degenerate_triangles, 2);
    assert_eq!(problems.warnings[0].code, "degenerate-triangles");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn the_order_in_the_file_changes_nothing_that_is_solid_or_linked(seed in any::<u64>()) {
        let straight = built(two_rooms("b", true));
        let mut sketch = two_rooms("b", true);
        let mut rng = Rng::new(seed);
        for mesh in &mut sketch.source.meshes {
            for i in (1..mesh.triangles.len()).rev() {
                mesh.triangles.swap(i, rng.below(i + 1));
                mesh.triangles[i].rotate_left(rng.below(3));
            }
        }
        let n = sketch.source.meshes.len();
        sketch.source.meshes.swap(rng.below(n), rng.below(n));
        if rng.below(2) == 1 {
            let source = &mut sketch.source;
            source.rooms.swap(0, 1);
            source.meshes.iter_mut().for_each(|m| m.room = 1 - m.room);
            source.portals.iter_mut().for_each(|p| p.room = 1 - p.room);
            source.spawns.iter_mut().for_each(|s| s.room = s.room.map(|r| 1 - r));
        }
        sketch.source.portals[0].triangles.reverse();
        let shuffled = built(sketch);
        for (a, b) in shuffled.rooms.iter().zip(&straight.rooms) {
            prop_assert!(shuffled.solids.of(&a.solids).eq(straight.solids.of(&b.solids)));
        }
        for (a, b) in shuffled.portals.iter().zip(&straight.portals) {
            prop_assert_eq!(&a.polygon, &b.polygon);
            prop_assert_eq!((a.near, a.far), (b.near, b.far));
        }
    }
}

/// Regression test: a point behind a pillar, which is a room of its own, was located in the pillar. The floor of the
/// hall continues below the pillar, and the point is in front of the portal on the pillar's other side.
#[test]
fn a_point_behind_a_pillar_that_is_a_room_is_not_in_the_pillar() {
    let mut sketch = Sketch::new("pillar");
    let sides = [4.0, 6.0].map(|x| cuboid([x, 0.0, 4.0], [x, 3.0, 6.0]));
    let hall = sketch.box_room("hall", cuboid([0.0; 3], [10.0, 3.0, 10.0]), &[]);
    let mut pillar = Sketch::new("");
    pillar.box_room("", cuboid([4.0, 0.0, 4.0], [6.0, 3.0, 6.0]), &sides);
    let walls: Vec<[DVec3; 3]> = pillar.source.meshes[0]
        .positions
        .chunks_exact(3)
        .filter(|t| t[0].z == t[1].z && t[0].z == t[2].z)
        .map(|t| [t[0], t[2], t[1]])
        .collect();
    sketch.mesh(hall, 0, &walls);
    sketch.box_room("pillar", cuboid([4.0, 0.0, 4.0], [6.0, 3.0, 6.0]), &sides);
    sketch.portal(hall, "pillar", sides[0], DVec3::X);
    sketch.portal(hall, "pillar", sides[1], DVec3::NEG_X);
    sketch.spawn(hall, DVec3::new(1.0, 0.5, 1.0), DVec3::X);
    let level = built(sketch);
    let back = level.back(level.links[1].portal).unwrap();
    // The floor of the hall continues below the pillar and ends there.
    assert!(!level.sprawl_through(back).is_empty());
    let room_at = |x: f64, z: f64| {
        let room = locate(&level, DVec3::new(x, 1.0, z));
        room.map(|id| level.room(id).name.clone())
    };
    assert_eq!(room_at(1.0, 5.0).as_deref(), Some("hall"));
    assert_eq!(room_at(9.0, 5.0).as_deref(), Some("hall"));
    assert_eq!(room_at(5.0, 5.0).as_deref(), Some("pillar"));
}
