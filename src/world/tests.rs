//! Tests that a mover in a pose collides, stops rays and is drawn as if it had been authored in that pose.

use glam::{DMat3, DVec3};

use super::World;
use crate::author::sketch::{Sketch, cuboid};
use crate::build::build;
use crate::collision::CollisionWorld;
use crate::game::CHARACTER;
use crate::geometry::Rigid;
use crate::level::{At, Level, MoverId};
use crate::motion::{self, Actor, MoveCommand, PathSegment, State, Workspace};
use crate::queries::cast_ray;
use crate::source::{LevelSource, MoverSource};

const PANEL: MoverId = MoverId(0);

/// Rooms `a` (z < 0) and `b`, and a door between them with a handle on each side. The door leaves gaps, so that light
/// passes it in every pose.
fn rooms_with_a_door() -> LevelSource {
    let opening = cuboid([-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]);
    let mut sketch = Sketch::new("door");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, -4.0], [4.0, 3.0, 0.0]), &[opening]);
    let b = sketch.box_room("b", cuboid([-4.0, 0.0, 0.0], [4.0, 3.0, 4.0]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::Z);
    sketch.lamp(a, DVec3::new(-2.0, 2.5, -2.5), 60.0);
    sketch.lamp(b, DVec3::new(2.0, 2.5, 2.5), 90.0);
    sketch.spawn(a, DVec3::new(0.0, 0.5, -2.0), DVec3::Z);
    for part in [
        cuboid([-0.75, 0.0, -0.03125], [0.75, 1.75, 0.03125]),
        cuboid([0.0, 0.8, -0.25], [0.7, 1.5, -0.03125]),
        cuboid([0.0, 0.8, 0.03125], [0.7, 1.5, 0.25]),
    ] {
        sketch.furniture(a, 0, part);
    }
    let meshes = sketch.source.meshes.split_off(2);
    let node = "oak-door".to_owned();
    sketch
        .source
        .movers
        .push(MoverSource::vanishing_door(node, meshes));
    sketch.source
}

fn level_of(source: LevelSource) -> Level {
    build(source).expect("the rooms are a good level").0
}

/// Moves the panel 1/8 m into room `a`: it stays inside its bounds, which include the handles, and 1/8 is exact in
/// binary.
fn into_a() -> Rigid {
    Rigid::new(DMat3::IDENTITY, DVec3::new(0.0, 0.0, -0.125))
}

/// Rolls a sphere from room `a` towards the door, which gets `pose` at tick `from_tick`. Returns the final z of the
/// sphere and its smallest clearance.
fn rolls_to(level: &Level, pose: Rigid, from_tick: u32) -> (f64, f64) {
    let mut world = World::of(level);
    let room = level.room_named("a").expect("it is there");
    let state = State::at_rest(At::new(room, DVec3::new(0.0, 0.3501, -2.0)));
    let mut actor = Actor::new(CHARACTER, state);
    let mut workspace = Workspace::default();
    let command = MoveCommand {
        wish: DVec3::Z * 2.0,
        jump: false,
    };
    let mut least = f64::INFINITY;
    for tick in 0..240 {
        if tick == from_tick {
            world.set_pose(PANEL, pose);
        }
        let collision = CollisionWorld::new(level, &world);
        motion::tick(&collision, &mut actor, &mut workspace, &command);
        let at = actor.state.at;
        let piece = PathSegment {
            from: at,
            to: at.point,
        };
        least = least.min(motion::clearance(&collision, &piece, 0.0, 1.0));
    }
    (actor.state.at.point.z, least)
}

#[test]
fn a_body_touches_a_mover_at_its_current_position() {
    let level = level_of(rooms_with_a_door());
    let (authored, _) = rolls_to(&level, Rigid::IDENTITY, 0);
    assert!((authored + 0.03125 + 0.35).abs() < 0.005, "{authored}");
    // At tick 30 the sphere has already gathered the door, and still has free space before it.
    for from_tick in [0, 10, 30] {
        let (posed, least) = rolls_to(&level, into_a(), from_tick);
        assert!((posed - (authored - 0.125)).abs() < 1e-9, "{posed}");
        assert!(least > 0.3499, "{least}");
    }
}

#[test]
fn a_ray_hits_a_mover_at_its_current_position() {
    let level = level_of(rooms_with_a_door());
    let mut world = World::of(&level);
    let room = level.room_named("a").expect("it is there");
    let from = At::new(room, DVec3::new(0.0, 0.5, -2.0));
    let mut hit = |pose| {
        world.set_pose(PANEL, pose);
        let hit = cast_ray(&level, &world, from, DVec3::Z * 3.0);
        hit.expect("the door is there").at.point.z
    };
    assert_eq!(hit(Rigid::IDENTITY), -0.03125);
    assert_eq!(hit(into_a()), -0.15625);
}

/// The picture from room `a` of the door in a pose, 8 bits per channel.
#[cfg(feature = "gpu")]
fn picture(level: &Level, pose: Rigid) -> Vec<u8> {
    use crate::frame::{Frame, compose};
    use crate::gpu::{Gpu, Offscreen, RenderQuality, Renderer};
    use crate::lighting::{Lighting, lightmap};
    use crate::visibility::{Camera, Culling, Visibility, visible_rooms};
    let mut world = World::of(level);
    world.set_pose(PANEL, pose);
    let room = level.room_named("a").expect("it is there");
    let eye = At::new(room, DVec3::new(1.0, 1.5, -3.0));
    let camera = Camera::new(eye, [160.0, -10.0], 70.0, 1.0);
    let (mut visibility, mut frame) = (Visibility::default(), Frame::default());
    visible_rooms(Culling::Portals, level, &world, &camera, &mut visibility);
    compose(
        level,
        &world,
        &camera,
        &visibility.seen_by(&camera),
        &mut frame,
    );
    let gpu = Gpu::open().expect("there is a graphics driver");
    let lighting = Lighting::new(level, &world, lightmap::flat(level));
    let format = Offscreen::FORMAT;
    let renderer = Renderer::new(&gpu, format, level, &lighting, RenderQuality::default());
    let mut renderer = renderer.expect("the level fits");
    let picture = Offscreen::new(&gpu, [160; 2]).expect("the picture fits");
    picture.draw(&gpu, |encoder, target| {
        renderer.draw(&gpu, encoder, &lighting, &frame, target)
    });
    picture.read(&gpu).expect("the device is there")
}

/// The door is rotated in its own plane, so that each of its sides still faces the same room.
#[cfg(feature = "gpu")]
#[test]
fn a_mover_in_a_pose_looks_as_if_it_had_been_authored_there() {
    let (sin, cos) = libm::sincos(0.35);
    let turn = DMat3::from_cols(
        DVec3::new(cos, sin, 0.0),
        DVec3::new(-sin, cos, 0.0),
        DVec3::Z,
    );
    let pose = Rigid::new(turn, DVec3::new(0.25, 0.5, -0.25));
    let mut source = rooms_with_a_door();
    for mesh in &mut source.movers[0].meshes {
        for p in &mut mesh.positions {
            *p = pose.point(*p);
        }
        for normal in &mut mesh.normals {
            *normal = pose.vector(normal.as_dvec3()).as_vec3();
        }
    }
    let authored = picture(&level_of(source), Rigid::IDENTITY);
    let level = level_of(rooms_with_a_door());
    let differ = |pose: Rigid| {
        let pixels = picture(&level, pose);
        let pairs = pixels.iter().zip(&authored);
        pairs.filter(|(a, b)| a.abs_diff(**b) > 2).count() as f64 / pixels.len() as f64
    };
    let (posed, unposed) = (differ(pose), differ(Rigid::IDENTITY));
    assert!(posed < 1e-4, "{posed}");
    assert!(unposed > 0.05, "{unposed}");
}
