//! Closed doors: no body penetrates a panel, at any position of the panel in the reveal and from either room.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{AuthorPoint, LinkId};
use opendoor::motion::{PathSegment, clearance};
use opendoor::source::{LevelSource, MoverSource};

use crate::actor::{Actor, Stage, body, rho};
use crate::bends::{bent, quarter, walk_on};
use crate::door_levels::{
    Doorway, PITCH, ROOM, Row, WALL, doorways, row_of_rooms, row_of_vestibules,
};
use crate::oracle::Soup;
use crate::runs::{for_all, play};
use crate::shapes::{block, heading, v};

/// Adds the panels of all doors and one portal polygon to the solids of the checks.
fn judge_panels(actor: &mut Actor, source: &LevelSource, link: LinkId) {
    let level = &actor.stage.level;
    let meshes = source.movers.iter().flat_map(|door| &door.meshes);
    let corners =
        meshes.flat_map(|mesh| mesh.positions.chunks_exact(3).map(|c| [c[0], c[1], c[2]]));
    let panels = corners.map(|corners: [DVec3; 3]| {
        corners.map(|p| level.from_author(AuthorPoint(p)).as_vec3().as_dvec3())
    });
    let portal = level.portal(level.link(link).portal);
    let polygon = portal.polygon.triangles().map(|t| t.corners);
    actor.extra = Soup::new(panels.chain(polygon));
}

/// Regression test: bodies sank into panels by up to 69 mm. They were stopped only by the part of a thick panel behind
/// the portal's plane, or were not stopped because they did not touch the portal's box yet.
#[test]
fn a_shut_door_of_any_thickness_anywhere_in_its_reveal_stops_a_body_at_its_panel() {
    let mut cases = Vec::new();
    for doorway in doorways() {
        for (radius, height) in [(0.1, 0.0), (0.35, 0.0), (0.3, 1.7), (0.8, 0.0)] {
            for side in [1.0, -1.0] {
                cases.push((doorway, radius, height, side));
            }
        }
    }
    for_all(cases, |&(doorway, radius, height, side)| {
        let source = row_of_rooms(Row::Level, &[doorway]);
        let half = 0.5 * doorway.thickness;
        let middle = ROOM + 0.5 * WALL;
        let faces = [doorway.portal, doorway.panel - side * half];
        let first = faces
            .map(|x| side * x)
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        let stop = middle + side * (first - rho(radius));
        let (room, start) = if side > 0.0 {
            ("a00", 1.5)
        } else {
            ("a01", PITCH + 1.5)
        };
        let mut walker = body(radius, 9.81);
        walker.segment_length = if height > 0.0 {
            height - 2.0 * radius
        } else {
            0.0
        };
        for (degrees, z) in [(0.0, 1.5), (30.0, 1.3), (-70.0, 1.9)] {
            let start = v(start, rho(radius), z);
            play(&source, walker, (room, start), |actor| {
                judge_panels(actor, &source, LinkId(0));
                actor.hold(heading(degrees) * (4.0 * side), 90);
                let fits = rho(radius) < 0.6;
                if degrees == 0.0 && fits {
                    let off = (actor.centre().x - stop).abs();
                    assert!(off < 1e-6, "{off:e} m off {stop}");
                }
            });
        }
    });
}

/// A panel 0.6 m thick in a vestibule of 0.4 m; the portal to the room in front of it is one-way or two-way.
fn vestibule(two_way: bool) -> LevelSource {
    let mut source = row_of_vestibules(Row::Level, &[0.6]);
    source.portals[0].two_way = two_way;
    source
}

#[test]
fn a_panel_that_sticks_out_into_a_third_room_is_solid_there() {
    let mut cases = Vec::new();
    let middle = ROOM + 0.5 * WALL;
    for radius in [0.1, 0.35] {
        for two_way in [true, false] {
            for (room, toward) in [("a00", 1.0), ("a01", -1.0)] {
                for z in [1.5, 0.75, 2.2] {
                    cases.push((radius, two_way, room, toward, z));
                }
            }
        }
    }
    for_all(cases, |&(radius, two_way, room, toward, z)| {
        let source = vestibule(two_way);
        let stage = Stage::of(&source);
        let door = stage.level.doors().next().unwrap();
        let start = v(middle - 1.5 * toward, rho(radius), z);
        play(&source, body(radius, 9.81), (room, start), |actor| {
            judge_panels(actor, &source, door);
            actor.hold(v(4.0 * toward, 0.0, 0.0), 60);
            if z == 1.5 {
                let off = actor.centre().x - (middle - toward * (0.3 + rho(radius)));
                assert!(off.abs() < 1e-6, "{off:e} m off");
            }
        });
    });
}

/// Each body stands on the panel or on the floor beside it, and walks over panel and floor.
#[test]
fn a_shut_hatch_of_any_thickness_carries_bodies_on_it() {
    let mut cases = Vec::new();
    for doorway in doorways() {
        for radius in [0.1, 0.35] {
            cases.push((doorway, radius));
        }
    }
    for_all(cases, |&(doorway, radius)| {
        let source = row_of_rooms(Row::Upright, &[doorway]);
        let start = v(1.5, PITCH + rho(radius) + 0.5, 1.5);
        play(&source, body(radius, 9.81), ("a01", start), |actor| {
            judge_panels(actor, &source, LinkId(0));
            actor.hold(DVec3::ZERO, 60);
            let panel = doorway.panel + 0.5 * doorway.thickness;
            let stands = ROOM + 0.5 * WALL + panel.max(doorway.portal) + rho(radius);
            let off = actor.centre().y - stands;
            assert!(off.abs() < 1e-6, "{off:e} m off");
            actor.hold(v(2.0, 0.0, 1.0), 60);
            actor.hold(v(-2.0, 0.0, -1.0), 60);
            assert_eq!(actor.room(), "a01");
        });
    });
}

#[test]
fn a_shut_one_way_door_is_solid_from_the_room_that_it_leads_to() {
    let one_way = |panel: f64| Doorway {
        thickness: 0.3,
        panel,
        portal: 0.0,
        two_way: false,
    };
    for_all([-0.2, 0.0, 0.2], |&panel| {
        let source = row_of_rooms(Row::Level, &[one_way(panel)]);
        let start = v(PITCH + 1.5, rho(0.35), 1.5);
        play(&source, body(0.35, 9.81), ("a01", start), |actor| {
            judge_panels(actor, &source, LinkId(0));
            actor.hold(v(-4.0, 0.0, 0.0), 60);
            let stop = ROOM + 0.5 * WALL + (panel + 0.15).max(0.0) + rho(0.35);
            let off = actor.centre().x - stop;
            assert!(off.abs() < 1e-6, "{off:e} m off");
        });
    });
}

/// The room behind a portal that bends space contains the panel at its transformed position.
#[test]
fn a_panel_in_a_portal_that_bends_space_is_solid_on_both_sides_of_it() {
    let mut sketch = Sketch::new("bent");
    let east = cuboid([5., 0., -1.], [5., 3., 1.]);
    let north = cuboid([99., 0., -5.], [101., 3., -5.]);
    let a = sketch.box_room("a", cuboid([-5., 0., -5.], [5., 3., 5.]), &[east]);
    sketch.box_room("b", cuboid([95., 0., -5.], [105., 3., 5.]), &[north]);
    sketch.portal(a, "b", east, DVec3::X);
    sketch.spawn(a, v(0., 0.5, 0.), DVec3::X);
    let panel = sketch.room("panel");
    sketch.furniture(panel, 0, cuboid([4.5, 0., -1.], [5.7, 3., 1.]));
    sketch.source.rooms.pop();
    let mut mesh = sketch.source.meshes.pop().unwrap();
    mesh.room = a;
    sketch
        .source
        .movers
        .push(MoverSource::vanishing_door("gate-door", vec![mesh]));
    let stage = bent(sketch.source, &quarter(v(100.0, 0.0, -10.0)));
    for radius in [0.05, 0.3, 0.6] {
        let rho = rho(radius);
        let from_a = (
            ("a", v(0.0, rho, 0.05)),
            v(4.0, 0.0, 0.0),
            v(4.5 - rho, rho, 0.05),
        );
        let from_b = (
            ("b", v(99.9, rho, 0.0)),
            v(0.0, 0.0, -4.0),
            v(99.9, rho, -4.3 + rho),
        );
        for ((room, start), wish, stop) in [from_a, from_b] {
            let mut actor = Actor::new(&stage, body(radius, 9.81), room, start);
            let mut wish = wish;
            walk_on(&mut actor, &mut wish, 120);
            assert_eq!(actor.room(), room);
            actor.assert_at(stop, 1e-6);
        }
    }
}

/// [`clearance`] must agree with the oracle of these scenarios.
#[test]
fn a_body_inside_a_panel_is_found_out_from_each_room_that_the_panel_reaches() {
    let stage = Stage::of(&vestibule(true));
    let middle = ROOM + 0.5 * WALL;
    let mut panel = block([middle - 0.3, 0.0, 0.9], [middle + 0.3, 2.1, 2.1]);
    for triangle in &mut panel {
        *triangle = triangle.map(|p| stage.level.from_author(AuthorPoint(p)).as_vec3().as_dvec3());
    }
    let panel = Soup::new(panel);
    for (room, x) in [("a00", -0.4), ("b00", 0.05), ("a01", 0.4)] {
        let actor = Actor::new(&stage, body(0.35, 9.81), room, v(middle + x, 1.0, 1.5));
        let at = actor.state.at;
        let found = clearance(&actor.world(), &PathSegment::still(at), 0.0, 1.0);
        let expected = panel.distance(at.point, at.point);
        let agrees = found <= expected + 1e-9 && found < 0.35;
        assert!(agrees, "{room}: {found}, not {expected}");
    }
}
