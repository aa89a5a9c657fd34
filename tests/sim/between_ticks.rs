//! Frames between two ticks: movers in motion, and their riders.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::game::{Game, PLAYER, Start};
use opendoor::level::{AuthorPoint, Cycle, Drive, Level, LinkId, MoverId, Track};
use opendoor::motion::{self, Workspace};
use opendoor::source::{LevelSource, MoverSource};
use opendoor::world::World;

use crate::common::eye_of;
use crate::shared::built;

const MOVER: MoverId = MoverId(0);
const LINK: LinkId = LinkId(0);
const PARTS: [f64; 5] = [0.0, 0.125, 0.5, 0.9, 1.0];

/// A hall with a platform of 4 by 4 m, half a metre high, that follows the track.
fn platform(track: Track, drive: Drive) -> LevelSource {
    let mut sketch = Sketch::new("hall");
    let room = sketch.box_room("hall", cuboid([-40.0, 0.0, -40.0], [40.0, 30.0, 40.0]), &[]);
    sketch.spawn(room, DVec3::new(30.0, 0.5, 30.0), DVec3::X);
    let before = sketch.source.meshes.len();
    sketch.furniture(room, 0, cuboid([-2.0, 0.0, -2.0], [2.0, 0.5, 2.0]));
    let meshes = sketch.source.meshes.split_off(before);
    sketch.source.movers.push(MoverSource {
        node: "platform-mover".to_owned(),
        meshes,
        is_door: false,
        track,
        drive,
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    sketch.source
}

/// Two rooms, and a door that slides up.
fn door(drive: Drive) -> LevelSource {
    let opening = cuboid([-1.0, 0.0, 0.0], [1.0, 2.0, 0.0]);
    let mut sketch = Sketch::new("door");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, -4.0], [4.0, 5.0, 0.0]), &[opening]);
    sketch.box_room("b", cuboid([-4.0, 0.0, 0.0], [4.0, 5.0, 4.0]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::Z);
    sketch.spawn(a, DVec3::new(0.0, 0.5, -2.0), DVec3::Z);
    let before = sketch.source.meshes.len();
    sketch.furniture(a, 0, cuboid([-1.0, 0.0, -0.0625], [1.0, 2.0, 0.0625]));
    let meshes = sketch.source.meshes.split_off(before);
    let mut panel = MoverSource::vanishing_door("oak-door".to_owned(), meshes);
    panel.track = Track::Slide(DVec3::Y * 2.0);
    panel.drive = drive;
    sketch.source.movers.push(panel);
    sketch.source
}

fn tick(level: &Level, world: &mut World) {
    motion::move_movers::<motion::Actor>(
        level,
        world,
        &mut [],
        &mut Workspace::default(),
        &mut Vec::new(),
    );
}

fn drawn(level: &Level, world: &World, alpha: f64) -> World {
    let mut drawn = World::all_open(level);
    drawn.put_between_ticks(level, world, alpha);
    drawn
}

/// The hinge is far from the origin, so a linear interpolation of poses would move the hinge.
#[test]
fn a_mover_is_on_its_track_at_any_time_between_two_ticks() {
    let pivot = DVec3::new(500.0, 0.0, -300.0);
    let track = Track::Turn {
        pivot,
        axis: DVec3::Y,
        angle: 3.0,
    };
    for cycle in [Cycle::Shuttle, Cycle::Call] {
        let drive = Drive {
            ticks: 7,
            cycle,
            ..Drive::default()
        };
        let level = built(platform(track.clone(), drive));
        let mut world = World::of(&level);
        world.call(MOVER);
        if cycle == Cycle::Shuttle {
            world.call(MOVER);
        }
        for at in 0..20u32 {
            let before = f64::from(world.mover(MOVER).at);
            tick(&level, &mut world);
            let after = f64::from(world.mover(MOVER).at);
            for alpha in PARTS {
                let pose = *drawn(&level, &world, alpha).pose(MOVER);
                let part = (before + (after - before) * alpha) / 7.0;
                let angle = 3.0 * part;
                let expected = DMat3::from_rotation_y(angle);
                assert!((pose.point(pivot) - pivot).length() < 1e-9, "{at} {alpha}");
                assert!(
                    pose.rotation().abs_diff_eq(expected, 1e-9),
                    "{at} {alpha} {cycle:?}"
                );
            }
        }
    }
}

/// A mover that starts its track again at the end is drawn moving forwards, not back to the start.
#[test]
fn a_turntable_that_begins_its_next_turn_goes_on_between_the_ticks() {
    let track = Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle: std::f64::consts::TAU,
    };
    let drive = Drive {
        ticks: 16,
        cycle: Cycle::Loop,
        ..Drive::default()
    };
    let level = built(platform(track, drive));
    let mut world = World::of(&level);
    for at in 0..40u32 {
        tick(&level, &mut world);
        let pose = *drawn(&level, &world, 0.5).pose(MOVER);
        let angle = (f64::from(at) + 0.5) / 16.0 * std::f64::consts::TAU;
        let expected = DMat3::from_rotation_y(angle);
        assert!(pose.rotation().abs_diff_eq(expected, 1e-9), "{at}");
    }
}

#[test]
fn a_door_is_open_to_the_eye_until_the_end_of_the_tick_that_shuts_it() {
    let drive = Drive {
        ticks: 4,
        cycle: Cycle::Call,
        ..Drive::default()
    };
    let level = built(door(drive));
    let mut world = World::of(&level);
    assert!(!drawn(&level, &world, 0.5).passes_light(LINK));
    world.open(LINK);
    let (mut shut, mut ticks) = (false, 0);
    while !shut {
        tick(&level, &mut world);
        ticks += 1;
        if ticks == 4 {
            world.call(MOVER);
        }
        shut = !world.is_open(LINK);
        for alpha in PARTS {
            let drawn = drawn(&level, &world, alpha);
            let height = drawn.pose(MOVER).translation().y;
            assert!(height <= 0.0 || drawn.passes_light(LINK), "{ticks} {alpha}");
        }
    }
    assert_eq!(ticks, 8);
    assert!(drawn(&level, &world, 0.99).passes_light(LINK));
    tick(&level, &mut world);
    assert!(!drawn(&level, &world, 0.0).passes_light(LINK));
}

/// The rider's eye is at rest relative to the platform, in every frame.
#[test]
fn the_eye_of_a_rider_and_its_platform_go_together() {
    for by in [
        DVec3::Y * 20.0,
        DVec3::new(15.0, 0.0, -7.0),
        DVec3::new(3.0, 12.0, 4.0),
    ] {
        let drive = Drive {
            ticks: 600,
            cycle: Cycle::Shuttle,
            ..Drive::default()
        };
        let level = built(platform(Track::Slide(by), drive));
        let start = Start::Feet(AuthorPoint(DVec3::new(0.5, 0.5, -0.25)));
        let mut game = Game::start(&level, &start, PLAYER).unwrap();
        let mut place = None;
        let mut drawn = World::of(&level);
        for at in 0..1000 {
            game.tick(&level, &[]);
            for alpha in PARTS {
                let eye = eye_of(&game, &level, alpha).at.point;
                drawn.put_between_ticks(&level, game.world(), alpha);
                let on_platform = drawn.pose(MOVER).point_from(eye);
                let off = on_platform - *place.get_or_insert(on_platform);
                // Friction first brings the rider to rest on the platform.
                if at < 200 {
                    place = Some(on_platform);
                    continue;
                }
                assert!(off.length() < 1e-9, "{at} {alpha}: {off}");
            }
        }
    }
}
