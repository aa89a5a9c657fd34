//! Moving rooms: a body inside does not move relative to the room, and rays and bodies that enter it, or are in its
//! path, find it at its current position.

use glam::DVec3;
use opendoor::author::sketch::cuboid;
use opendoor::collision::CollisionWorld;
use opendoor::game::{CHARACTER, PLAYER};
use opendoor::geometry::{Aabb, Rigid};
use opendoor::level::{At, AuthorPoint, Cycle, Drive, Level, MoverId, RoomId, Track};
use opendoor::motion::{
    self, Actor, Body, MoveCommand, MoverEvent, PathSegment, State, Workspace, clearance,
};
use opendoor::queries::cast_ray;
use opendoor::rng::Rng;
use opendoor::world::World;

use crate::lift::{RISE, drive, lift, still_lift};
use crate::shared::built;

const CABIN: MoverId = MoverId(0);

/// The cabin's track and drive: up, in two seconds.
pub(crate) fn rise() -> (Track, Drive) {
    (Track::Slide(DVec3::Y * RISE), drive(120))
}

struct Ride<'a> {
    level: &'a Level,
    world: World,
    actors: [Actor; 1],
    workspace: Workspace,
    events: Vec<MoverEvent>,
    least_gap: f64,
}

impl<'a> Ride<'a> {
    fn new(level: &'a Level, body: Body, room: &str, feet: DVec3) -> Self {
        let room = level.room_named(room).unwrap();
        let centre = level.from_author(AuthorPoint(feet)) + DVec3::Y * (body.radius * 1.0001);
        Self {
            level,
            world: World::of(level),
            actors: [Actor::new(body, State::at_rest(At::new(room, centre)))],
            workspace: Workspace::default(),
            events: Vec::new(),
            least_gap: f64::INFINITY,
        }
    }

    fn tick(&mut self, wish: DVec3, jump: bool) {
        let Self {
            level,
            world,
            actors,
            workspace,
            events,
            ..
        } = self;
        motion::move_movers(level, world, actors, workspace, events);
        let collision = CollisionWorld::new(level, world);
        let command = MoveCommand { wish, jump };
        motion::tick(&collision, &mut actors[0], workspace, &command);
        let Actor { body, state, .. } = &actors[0];
        let still = PathSegment::still(state.at);
        let gap = clearance(&collision, &still, body.segment_length, 1.0);
        self.least_gap = self.least_gap.min(gap - body.radius);
    }

    fn ticks(&mut self, count: u32, wish: DVec3) {
        for _ in 0..count {
            self.tick(wish, false);
        }
    }

    fn at(&self) -> At {
        self.actors[0].state.at
    }

    fn room(&self) -> &str {
        &self.level.room(self.at().room).name
    }
}

#[test]
fn a_body_at_rest_in_a_cabin_does_not_move_by_a_bit_while_it_travels() {
    let ways = [
        rise(),
        (Track::Slide(DVec3::Y * RISE), drive(3)),
        (
            Track::Turn {
                pivot: DVec3::new(0.2, 0.0, 0.1),
                axis: DVec3::Y,
                angle: 40.0,
            },
            drive(100),
        ),
    ];
    for (track, drive) in ways {
        let drive = Drive {
            cycle: Cycle::Shuttle,
            ..drive
        };
        let level = built(lift((track.clone(), drive)));
        for body in [CHARACTER, PLAYER] {
            // The second position is beside the open doorway.
            for feet in [DVec3::new(0.3, 0.0, 0.0), DVec3::new(0.0, 0.0, 0.7)] {
                let mut ride = Ride::new(&level, body, "cabin", feet);
                ride.world.call(CABIN);
                ride.world.call(CABIN);
                ride.ticks(30, DVec3::ZERO);
                let rest = ride.actors[0].state;
                let pose = *ride.world.pose(CABIN);
                for tick in 0..307 {
                    ride.tick(DVec3::ZERO, false);
                    assert_eq!(ride.actors[0].state, rest, "{track:?} {feet} tick {tick}");
                }
                assert_ne!(*ride.world.pose(CABIN), pose);
                assert!(ride.least_gap > 0.0, "{}", ride.least_gap);
            }
        }
    }
}

#[test]
fn a_body_walks_in_rides_up_and_walks_out_at_the_other_landing() {
    let level = built(lift(rise()));
    for body in [CHARACTER, PLAYER] {
        let mut ride = Ride::new(&level, body, "low", DVec3::new(0.1, 0.0, 3.0));
        ride.ticks(45, DVec3::NEG_Z * 4.0);
        assert_eq!(ride.room(), "cabin");
        ride.ticks(20, DVec3::ZERO);
        ride.world.call(CABIN);
        ride.ticks(125, DVec3::ZERO);
        assert_eq!(ride.room(), "cabin");
        ride.ticks(60, DVec3::Z * 4.0);
        assert_eq!(ride.room(), "high");
        let feet = level.to_author(ride.at().point - DVec3::Y * body.radius).0;
        assert!((feet.y - RISE).abs() < 5e-3, "{feet}");
        assert!(ride.least_gap > 0.0, "{}", ride.least_gap);
    }
}

/// Poses in which the cabin stays inside the shaft.
fn poses() -> Vec<Track> {
    vec![
        Track::Slide(DVec3::Y * 2.25),
        Track::Slide(DVec3::new(0.03125, RISE, 0.015625)),
        Track::Turn {
            pivot: DVec3::new(0.0, 0.0, 0.1),
            axis: DVec3::Y,
            angle: 0.04,
        },
    ]
}

/// Tolerance of positions, metres: meshes authored in a rotated pose are rounded to f32.
fn tolerance(track: &Track) -> f64 {
    match track {
        Track::Turn { .. } => 1e-5,
        _ => 1e-9,
    }
}

/// A level with the cabin at the end of its track, and a level authored with the cabin in that pose.
fn moved_and_authored(track: &Track) -> (Level, World, Level) {
    let level = built(lift((track.clone(), drive(1))));
    let still = built(still_lift(&track.pose(1.0)));
    let mut ride = Ride::new(&level, CHARACTER, "high", DVec3::new(2.0, RISE, 5.0));
    ride.world.call(CABIN);
    ride.tick(DVec3::ZERO, false);
    let world = ride.world.clone();
    (level, world, still)
}

/// The transform from a room's coordinates to those of the level authored in the final pose.
fn still_from(level: &Level, world: &World, room: RoomId) -> Rigid {
    match level.room(room).moved_by {
        Some(mover) => *world.pose(mover),
        None => Rigid::IDENTITY,
    }
}

#[test]
fn rays_in_a_moved_cabin_hit_the_same_as_in_its_authored_pose() {
    let mut rng = Rng::new(5);
    let mut hits = [0; 3];
    for track in poses() {
        let (level, world, still) = moved_and_authored(&track);
        let still_world = World::of(&still);
        let [cabin, shaft, low] =
            ["cabin", "shaft", "low"].map(|name| level.room_named(name).unwrap());
        for index in 0..20_000 {
            let mut between = |a: f64, b: f64| rng.between(a, b);
            let (room, point) = match between(0.0, 3.0) as u32 {
                0 => {
                    let p = DVec3::new(between(-0.9, 0.9), between(0.1, 2.4), between(-0.9, 1.1));
                    (cabin, p)
                }
                1 => (
                    shaft,
                    DVec3::new(between(-1.2, 1.2), 8.5, between(-1.2, 1.2)),
                ),
                _ => (low, DVec3::new(between(-0.4, 0.4), between(0.1, 2.0), 2.0)),
            };
            let from = At::new(room, point - level.origin);
            let mut ray = DVec3::new(between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0));
            // Half of the rays are aimed at the cabin's doorway.
            if index % 2 == 0 {
                let door = DVec3::new(between(-0.5, 0.5), between(0.0, 2.0), 1.1875);
                let pose = if room == cabin {
                    Rigid::IDENTITY
                } else {
                    *world.pose(CABIN)
                };
                ray = pose.point(door - level.origin) - from.point;
            }
            let ray = ray.normalize_or_zero() * 20.0;
            let found = cast_ray(&level, &world, from, ray);
            let pose = still_from(&level, &world, room);
            let expected = cast_ray(
                &still,
                &still_world,
                At::new(room, pose.point(from.point)),
                pose.vector(ray),
            );
            let (Some(found), Some(expected)) = (found, expected) else {
                assert_eq!(
                    found.is_some(),
                    expected.is_some(),
                    "{track:?} {from:?} {ray}"
                );
                continue;
            };
            let names = [cabin, shaft, low].map(|id| id == found.at.room);
            hits.iter_mut()
                .zip(names)
                .for_each(|(n, is)| *n += usize::from(is && room != found.at.room));
            let at = still_from(&level, &world, found.at.room).point(found.at.point);
            let off = at.distance(expected.at.point);
            assert!(off < tolerance(&track), "{track:?} {at} {expected:?}");
        }
    }
    assert!(hits.iter().all(|&count| count > 5), "{hits:?}");
}

#[test]
fn a_walk_in_a_moved_cabin_is_the_same_as_in_its_authored_pose() {
    for track in poses() {
        let (level, world, still) = moved_and_authored(&track);
        let mut rng = Rng::new(8);
        for start in ["cabin", "low"] {
            let feet = DVec3::new(0.0, 0.02, if start == "cabin" { 0.2 } else { 3.0 });
            let mut moved = Ride::new(&level, CHARACTER, start, feet);
            moved.world.clone_from(&world);
            let mut authored = Ride::new(&still, CHARACTER, start, feet);
            if start == "cabin" {
                let state = &mut authored.actors[0].state;
                state.at.point = world.pose(CABIN).point(state.at.point);
            }
            let mut wish = DVec3::ZERO;
            let mut rooms = std::collections::BTreeSet::new();
            for tick in 0..3000 {
                if tick % 20 == 0 {
                    let out = rng.between(-1.0, 1.0);
                    wish = DVec3::new(rng.between(-0.4, 0.4), 0.0, out) * 6.0;
                }
                let pose = still_from(&level, &world, moved.at().room);
                moved.tick(pose.inverse().vector(wish), tick % 90 == 0);
                authored.tick(wish, tick % 90 == 0);
                let at = still_from(&level, &world, moved.at().room).point(moved.at().point);
                let distance = at.distance(authored.at().point);
                assert!(
                    distance < 1e-6,
                    "{track:?} tick {tick}: {at} {:?}",
                    authored.at()
                );
                assert_eq!(moved.room(), authored.room());
                rooms.insert(moved.room().to_owned());
            }
            assert!(rooms.len() > 1 || track == poses()[0], "{rooms:?}");
            let gaps = [moved.least_gap, authored.least_gap];
            assert!(gaps[0] > 0.0, "{track:?} {start} {gaps:?}");
        }
    }
}

#[test]
fn an_opening_that_passes_over_a_body_takes_it_into_the_room() {
    // The cabin moves with its open doorway in front.
    for ticks in [300, 60, 6, 1] {
        let track = Track::Slide(DVec3::Z * 12.0);
        let mut source = lift((track, drive(ticks)));
        // Replaces the halls by a long shaft.
        for mesh in source.meshes.iter_mut().filter(|mesh| mesh.room == 0) {
            for p in mesh.positions.iter_mut().filter(|p| p.z == 1.25) {
                p.z = 20.0;
            }
        }
        source.portals.retain(|portal| portal.room == 3);
        let level = built(source);
        let mut ride = Ride::new(&level, CHARACTER, "shaft", DVec3::new(0.1, -1.0, 6.0));
        ride.ticks(10, DVec3::ZERO);
        let state = &mut ride.actors[0].state;
        state.at.point.y = 1.0 - level.origin.y;
        ride.world.call(CABIN);
        let speed = 12.0 * 60.0 / f64::from(ticks);
        for _ in 0..ticks {
            let was_outside = ride.room() == "shaft";
            ride.tick(DVec3::ZERO, false);
            // The body stood still in the shaft. In the cabin's coordinates it now moves backwards at the cabin's
            // speed.
            if was_outside && ride.room() == "cabin" && ticks >= 60 {
                let state = ride.actors[0].state;
                // The friction of one tick on the cabin's floor.
                let slower = 0.7 * 9.81 / 60.0;
                assert!(
                    (0.0..=slower + 1e-9).contains(&(state.fall.z + speed)),
                    "{state:?}"
                );
            }
        }
        if ticks <= 6 {
            assert_eq!(ride.room(), "cabin", "{ticks}");
        }
        ride.ticks(300, DVec3::ZERO);
        assert!(ride.least_gap > 0.0, "{ticks} {}", ride.least_gap);
        let end = RoomId(ride.at().room.0);
        assert_eq!(opendoor::level::locate(&level, ride.at().point), Some(end));
    }
}

#[test]
fn a_jump_in_a_moving_cabin_is_the_same_as_in_a_resting_one() {
    let way = (Track::Slide(DVec3::Y * RISE), drive(300));
    let level = built(lift(way));
    let path = |moves: bool| {
        let mut ride = Ride::new(&level, CHARACTER, "cabin", DVec3::new(0.2, 0.0, -0.3));
        if moves {
            ride.world.call(CABIN);
        }
        let mut path = Vec::new();
        for tick in 0..250 {
            ride.tick(
                DVec3::X * if tick % 40 < 20 { 1.0 } else { -1.0 },
                tick % 70 == 30,
            );
            path.push(ride.actors[0].state);
        }
        path
    };
    assert_eq!(path(true), path(false));
}

/// The shaft without halls, from x = -20 to 20 m and up to z = 20 m.
fn wide(way: (Track, Drive)) -> Level {
    let mut source = lift(way);
    for p in source.meshes.iter_mut().flat_map(|mesh| match mesh.room {
        0 => mesh.positions.iter_mut(),
        _ => [].iter_mut(),
    }) {
        p.z = if p.z == 1.25 { 20.0 } else { p.z };
        p.x = if p.x.abs() == 1.25 { 16.0 * p.x } else { p.x };
    }
    source.portals.retain(|portal| portal.room == 3);
    built(source)
}

#[test]
fn a_body_gains_the_velocity_of_a_moving_room_when_it_leaves_and_loses_it_when_it_returns() {
    let level = wide((Track::Slide(DVec3::X * 15.0), drive(150)));
    let mut ride = Ride::new(&level, CHARACTER, "cabin", DVec3::new(0.0, 0.0, 0.4));
    ride.ticks(5, DVec3::ZERO);
    ride.world.call(CABIN);
    ride.ticks(5, DVec3::ZERO);
    let mut left = 0;
    for tick in 0..60 {
        ride.tick(DVec3::Z * 4.0, tick == 10);
        let state = ride.actors[0].state;
        if ride.room() == "shaft" && !state.grounded {
            left += 1;
            assert!((state.fall.x - 6.0).abs() < 1e-9, "{tick}: {state:?}");
            assert_eq!(state.rides, None);
        } else if left == 0 {
            assert_eq!(state.fall.x, 0.0);
        }
    }
    assert!(left > 5, "{left}");
    // Through the doorway of a rising cabin.
    let level = wide((Track::Slide(DVec3::Y * 5.0), drive(100)));
    let mut ride = Ride::new(&level, CHARACTER, "cabin", DVec3::new(0.0, 0.0, 0.7));
    ride.ticks(5, DVec3::ZERO);
    ride.world.call(CABIN);
    while ride.room() == "cabin" {
        ride.tick(DVec3::Z * 4.0, false);
    }
    let fall = ride.actors[0].state.fall;
    assert!((2.0..=3.0).contains(&fall.y), "{fall}");
    let level = wide((Track::Slide(DVec3::X * 15.0), drive(150)));
    // Beside the doorway, at the cabin's speed: in the cabin the body then stands still.
    let mut ride = Ride::new(&level, CHARACTER, "shaft", DVec3::new(0.0, 0.2, 1.6));
    ride.world.call(CABIN);
    ride.tick(DVec3::ZERO, false);
    ride.actors[0].state.fall.x = 6.0;
    while ride.room() == "shaft" {
        ride.tick(DVec3::NEG_Z * 4.0, false);
        assert!(ride.actors[0].state.at.point.x < 8.0);
    }
    assert!(ride.actors[0].state.fall.x.abs() < 1e-9);
}

#[test]
fn a_body_on_the_roof_is_carried() {
    let level = built(lift((Track::Slide(DVec3::Y * RISE), drive(100))));
    let mut ride = Ride::new(&level, CHARACTER, "shaft", DVec3::new(0.0, 2.56, 0.0));
    ride.ticks(5, DVec3::ZERO);
    ride.world.call(CABIN);
    for _ in 0..90 {
        let before = ride.at().point - ride.world.pose(CABIN).translation();
        ride.tick(DVec3::ZERO, false);
        let after = ride.at().point - ride.world.pose(CABIN).translation();
        assert!(before.distance(after) < 1e-9, "{before} {after}");
    }
}

/// The good level of the tests with other names and properties of nodes.
fn written(
    extras: &[(usize, &str, serde_json::Value)],
) -> Result<Level, opendoor::problems::Problems> {
    let good = std::fs::read(crate::hostile::folder().join("good.gltf")).unwrap();
    let mut file: serde_json::Value = serde_json::from_slice(&good).unwrap();
    for (node, name, extras) in extras {
        file["nodes"][*node]["name"] = serde_json::json!(name);
        file["nodes"][*node]["extras"] = extras.clone();
    }
    opendoor::load::load_bytes("test", file.to_string().as_bytes()).map(|(level, _)| level)
}

#[test]
fn a_room_with_a_motion_moves_and_a_mover_joins_it_by_name() {
    use serde_json::json;
    let motion = json!({"motion": "slide", "axis": "z", "distance": 2.5, "time": 1.0});
    // The walls of the other room serve as the shell.
    let level = written(&[
        (5, "a-room", motion.clone()),
        (4, "b_walls-mover", json!({"moves_with": "a"})),
    ]);
    let level = level.unwrap();
    assert_eq!(level.movers.len(), 1);
    let mover = level.mover(CABIN);
    let [a, b] = ["a", "b"].map(|name| level.room_named(name).unwrap());
    assert_eq!((mover.moved_rooms.as_slice(), mover.room), (&[a][..], b));
    assert_eq!(mover.track, Track::Slide(DVec3::Y * 2.5));
    assert_eq!((mover.drive.ticks, mover.drive.cycle), (60, Cycle::Shuttle));
    assert!(mover.parts.len() == 1 && level.room(b).moved_by.is_none());
    // A moving room without a shell, and a room without a property that moves it.
    let level = written(&[(5, "a-room", motion)]).unwrap();
    assert_eq!(level.mover(CABIN).room, level.room_named("b").unwrap());
    let level = written(&[(5, "a-room", json!({"open": false}))]).unwrap();
    assert!(level.movers.is_empty());
}

#[test]
fn a_mover_that_moves_with_nothing_is_named() {
    let extras = serde_json::json!({"moves_with": "nobody"});
    let problems = written(&[(2, "vase-mover", extras)]).unwrap_err();
    let [problem] = &*problems.errors else {
        panic!("{problems}")
    };
    assert_eq!(problem.node, "vase-mover");
    assert!(problem.message.contains("nobody"), "{}", problem.message);
}

/// The lift with an additional box in the shell of its cabin.
fn lift_with(part: ([f64; 3], [f64; 3]), way: (Track, Drive)) -> Level {
    let mut source = lift(way);
    let shell = &mut source.movers[0].meshes;
    let mut added = shell[0].clone();
    let was = Aabb::around(added.positions.iter().copied());
    let is = cuboid(part.0, part.1);
    for p in &mut added.positions {
        *p = is.min + (*p - was.min) / (was.max - was.min) * (is.max - is.min);
    }
    shell.push(added);
    built(source)
}

fn small(radius: f64) -> Body {
    Body {
        radius,
        ..CHARACTER
    }
}

/// Regression test: the body, whose coordinates already move with the cabin, was carried a second time.
#[test]
fn a_body_in_the_cabin_on_a_part_of_its_shell_does_not_move_by_a_bit() {
    let sill = ([-0.5, 1.0, -1.0625], [0.5, 1.03125, -1.0]);
    let drive = Drive {
        cycle: Cycle::Shuttle,
        ..drive(100)
    };
    for by in [DVec3::Y * RISE, DVec3::X * 0.125] {
        let level = lift_with(sill, (Track::Slide(by), drive.clone()));
        let feet = DVec3::new(0.1, 1.03125, -0.9999);
        let mut ride = Ride::new(&level, small(0.1), "cabin", feet);
        ride.ticks(30, DVec3::ZERO);
        let rest = ride.actors[0].state;
        assert_eq!((ride.room(), rest.rides), ("cabin", Some(CABIN)));
        for tick in 0..250 {
            ride.tick(DVec3::ZERO, false);
            assert_eq!(ride.actors[0].state, rest, "{by} tick {tick}");
        }
        assert!(ride.least_gap > 0.0, "{}", ride.least_gap);
    }
}

#[test]
fn a_volume_around_the_authored_pose_of_a_cabin_is_not_entered_by_a_rider_elsewhere() {
    use opendoor::author::sketch;
    use opendoor::game::{Game, Start};
    use opendoor::source::{TriggerKindSource, TriggerSource};
    let (track, drive) = rise();
    for (first_tick, entered) in [(0, 1), (120, 0)] {
        let way = (
            track.clone(),
            Drive {
                first_tick,
                ..drive.clone()
            },
        );
        let mut source = lift(way);
        let mut volume = sketch::Sketch::new("volume");
        let room = volume.room("volume");
        let around = sketch::cuboid([-0.9, 0.1, -0.9], [0.9, 2.0, 0.9]);
        volume.furniture(room, 0, around);
        let mesh = &volume.source.meshes[0];
        let corners = mesh.triangles.iter();
        let corners = corners.map(|t| t.map(|i| mesh.positions[i as usize]));
        source.triggers.push(TriggerSource {
            node: "shaft-trigger".to_owned(),
            room: 0,
            kind: TriggerKindSource::Volume(corners.collect()),
            targets: Vec::new(),
            delay_ticks: 0,
            wait_ticks: 0,
            once: false,
            message: String::new(),
        });
        let level = built(source);
        let start = Start::Feet(AuthorPoint(DVec3::new(0.3, 0.0035, 0.0)));
        let mut game = Game::start(&level, &start, PLAYER).unwrap();
        let mut count = 0;
        for _ in 0..20 {
            game.tick(&level, &[]);
            count += game.events.iter().filter(|e| e.name() == "entered").count();
        }
        assert_eq!(count, entered, "from tick {first_tick} of its way");
    }
}
