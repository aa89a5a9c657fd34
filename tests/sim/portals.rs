//! Every portal can be passed in both directions, and has no effect on the motion.

use glam::DVec3;
use opendoor::author::grid_glb;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::collision::CollisionWorld;
use opendoor::geometry::Plane;
use opendoor::level::{Alpha, At, Level, Portal};
use opendoor::load::load_bytes;
use opendoor::motion::{self, Actor, Body, MoveCommand, State, StepSettings, Workspace};
use opendoor::queries::cast_ray;
use opendoor::world::World;

use crate::common::{FORWARD, Playtest, STANDING, v};
use crate::levels::ours;

/// A small body without gravity, which flies through openings of any kind.
const GNAT: Body = Body {
    radius: 0.02,
    segment_length: 0.0,
    gravity: 0.0,
    jump_height: 0.0,
    acceleration: 1e9,
    step_settings: StepSettings::OFF,
};

/// Flies through the portal at `point`, from 0.1 m in front of it to 0.1 m behind it; returns the final state.
fn fly_through(level: &Level, portal: &Portal, point: DVec3) -> State {
    const AWAY: f64 = 0.1;
    let Plane { normal, .. } = portal.polygon.plane;
    let world = all_open(level);
    let at = At::new(portal.near, point - normal * AWAY);
    let mut actor = Actor::new(GNAT, State::at_rest(at));
    let command = MoveCommand {
        wish: normal * (2.0 * AWAY * 6.0),
        jump: false,
    };
    let collision = CollisionWorld::new(level, &world);
    let mut workspace = Workspace::default();
    for _ in 0..10 {
        motion::tick(&collision, &mut actor, &mut workspace, &command);
    }
    actor.state
}

/// Whether a blended pane fills an opening.
fn is_glazed(level: &Level, portal: &Portal) -> bool {
    let Plane { normal, .. } = portal.polygon.plane;
    let from = At::new(portal.near, portal.polygon.centre() - normal * 0.1);
    let hit = cast_ray(level, &all_open(level), from, normal * 0.2);
    let material = hit.and_then(|hit| hit.solid.material(level));
    material.is_some_and(|material| material.alpha == Alpha::Blend)
}

pub(crate) fn all_open(level: &Level) -> World {
    World::all_open(level)
}

#[test]
fn every_portal_of_every_level_is_crossed_both_ways() {
    let grid = load_bytes("grid", &grid_glb(5, 4)).unwrap().0;
    for level in ours().iter().chain([&grid]) {
        let mut crossed = 0;
        for portal in &level.portals {
            let middle = portal.polygon.centre();
            // Furniture may block the middle of an opening: at least one position must be free.
            let corners = portal.polygon.vertices.iter();
            let mut places = std::iter::once(middle).chain(corners.map(|&c| middle.lerp(c, 0.5)));
            if is_glazed(level, portal) {
                continue;
            }
            let passed =
                places.any(|place| fly_through(level, portal, place).at.room == portal.far);
            let name = &level.link(portal.link).name;
            assert!(
                passed,
                "{}: {name} from {}",
                level.name,
                level.room(portal.near).name
            );
            crossed += 1;
        }
        assert!(crossed > 0, "{} has portals", level.name);
    }
}

#[test]
fn a_player_walks_through_every_doorway_of_a_grid_and_back() {
    let (level, _) = load_bytes("grid", &grid_glb(3, 3)).unwrap();
    for portal in &level.portals {
        let normal = portal.polygon.plane.normal;
        let threshold = portal.polygon.centre().with_y(STANDING);
        let mut playtest = Playtest::at(&level, threshold - normal);
        playtest.game.players[0].yaw = f64::atan2(-normal.x, -normal.z).to_degrees();
        playtest.hold(&FORWARD, 0.6);
        assert_eq!(playtest.game.players[0].actor.state.at.room, portal.far);
        let straight = (playtest.centre() - threshold).cross(normal).length();
        assert!(straight < 1e-6, "nothing is felt: {}", playtest.centre());
        playtest.game.players[0].look(180.0, 0.0);
        playtest.hold(&FORWARD, 0.6);
        assert_eq!(playtest.game.players[0].actor.state.at.room, portal.near);
    }
}

#[test]
fn the_room_changes_when_the_centre_crosses_the_plane_and_not_before() {
    let (level, _) = load_bytes("grid", &grid_glb(2, 1)).unwrap();
    let portal = &level.portals[0];
    let plane = &portal.polygon.plane;
    let threshold = portal.polygon.centre().with_y(STANDING);
    let mut playtest = Playtest::at(&level, threshold - plane.normal * 0.5 + v(0., 0., 0.1));
    playtest.game.players[0].yaw = f64::atan2(-plane.normal.x, -plane.normal.z).to_degrees();
    for _ in 0..20 {
        playtest.tick(&FORWARD);
        let beyond = plane.distance(playtest.centre()) > 0.0;
        let room = if beyond { portal.far } else { portal.near };
        assert_eq!(
            playtest.game.players[0].actor.state.at.room,
            room,
            "{}",
            playtest.centre()
        );
    }
    assert_eq!(playtest.game.players[0].actor.state.at.room, portal.far);
}

#[test]
fn a_portal_to_a_room_that_does_not_reach_it_is_named() {
    for (gap, is_far) in [(0.0, false), (0.4, false), (0.6, true), (20.0, true)] {
        let mut sketch = Sketch::new("far");
        let opening = cuboid([0., 0., -1.], [0., 2., 1.]);
        let a = sketch.box_room("a", cuboid([-6., 0., -2.], [0., 3., 2.]), &[opening]);
        sketch.box_room("b", cuboid([gap, 0., -2.], [gap + 6., 3., 2.]), &[]);
        sketch.portal(a, "b", opening, DVec3::X);
        sketch.spawn(a, DVec3::new(-3., 0.5, 0.), DVec3::X);
        let (_, problems) = build(sketch.source).unwrap();
        let named = problems.warnings.iter().any(|w| w.code == "portal-far");
        assert_eq!(named, is_far, "{gap} m");
    }
}

/// Regression test: if a reveal as deep as its wall belonged to one room alone, the room behind was reported as not
/// reaching its portal.
#[test]
fn a_portal_reaches_its_room_through_a_reveal_of_any_depth() {
    let ways = |depth: f64, at: f64, gap: f64| {
        let mut sketch = Sketch::new("deep");
        let opening = |x: f64| cuboid([x, 0., -1.], [x, 2., 1.]);
        let a = sketch.box_room("a", cuboid([-6., 0., -2.], [0., 3., 2.]), &[opening(0.0)]);
        let b = cuboid([depth + gap, 0., -2.], [depth + gap + 6., 3., 2.]);
        let b_opening = opening(depth + gap);
        sketch.box_room("b", b, &[b_opening]);
        let [low, high] = [[0., 0., -1.], [depth, 2., 1.]].map(DVec3::from_array);
        let at_corner = |x: f64, y: f64, z: f64| low + (high - low) * v(x, y, z);
        let sides = [
            [(0., 0., 0.), (0., 0., 1.), (1., 0., 1.), (1., 0., 0.)],
            [(0., 1., 0.), (1., 1., 0.), (1., 1., 1.), (0., 1., 1.)],
            [(0., 0., 0.), (1., 0., 0.), (1., 1., 0.), (0., 1., 0.)],
            [(0., 0., 1.), (0., 1., 1.), (1., 1., 1.), (1., 0., 1.)],
        ];
        for side in sides {
            let [a1, b1, c1, d1] = side.map(|(x, y, z)| at_corner(x, y, z));
            sketch.mesh(a, 0, &[[a1, b1, c1], [a1, c1, d1]]);
        }
        sketch.portal(a, "b", opening(at * depth), DVec3::X);
        sketch.spawn(a, DVec3::new(-3., 0.5, 0.), DVec3::X);
        let (_, problems) = build(sketch.source).unwrap();
        problems.warnings.iter().any(|w| w.code == "portal-far")
    };
    for depth in [0.1, 0.6, 1.2, 3.0, 8.0] {
        for at in [0.0, 0.5, 1.0] {
            assert!(!ways(depth, at, 0.0), "{depth} m, at {at}");
            assert!(ways(depth, at, 0.6), "{depth} m, at {at}: a gap behind it");
        }
    }
}
