//! Effects of movers on bodies: they carry riders, push bodies in their path, and wait for bodies that cannot get out.

use glam::{DQuat, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::collision::CollisionWorld;
use opendoor::game::{CHARACTER, PLAYER};
use opendoor::level::{At, Cycle, Drive, Level, MoverId, Track, TrackKey, WhenBlocked};
use opendoor::motion::{
    self, Actor, Body, BodyCache, InTheWay, MoveCommand, MoverEvent, PathSegment, State, Workspace,
    clearance,
};
use opendoor::rng::Rng;
use opendoor::source::{LevelSource, MoverSource};
use opendoor::world::World;

use crate::shared::built;

const LIFT: MoverId = MoverId(0);

/// A hall of 20 by 12 by 20 m with a mover: its boxes, track and drive.
fn hall(boxes: &[[[f64; 3]; 2]], track: Track, drive: Drive) -> LevelSource {
    let mut sketch = Sketch::new("hall");
    let room = sketch.box_room("hall", cuboid([-10.0, 0.0, -10.0], [10.0, 12.0, 10.0]), &[]);
    sketch.spawn(room, DVec3::new(8.0, 0.5, 8.0), DVec3::X);
    let before = sketch.source.meshes.len();
    for [min, max] in boxes {
        sketch.furniture(room, 0, cuboid(*min, *max));
    }
    let meshes = sketch.source.meshes.split_off(before);
    sketch.source.movers.push(MoverSource {
        node: "lift-mover".to_owned(),
        meshes,
        is_door: false,
        track,
        drive,
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    sketch.source
}

fn drive(ticks: u32) -> Drive {
    Drive {
        ticks,
        cycle: Cycle::Shuttle,
        ..Drive::default()
    }
}

/// A body in a level, and the results of its ticks.
struct Ride<'a> {
    level: &'a Level,
    world: World,
    actors: [Actor; 1],
    workspace: Workspace,
    events: Vec<MoverEvent>,
    least_gap: f64,
}

impl<'a> Ride<'a> {
    fn new(level: &'a Level, body: Body, feet: DVec3) -> Self {
        let room = level.room_ids().next().unwrap();
        let centre = level.from_author(opendoor::level::AuthorPoint(feet))
            + DVec3::Y * (body.radius * 1.0001);
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
        let (actors, workspace) = (&mut self.actors, &mut self.workspace);
        motion::move_movers(
            self.level,
            &mut self.world,
            actors,
            workspace,
            &mut self.events,
        );
        let collision = CollisionWorld::new(self.level, &self.world);
        let command = MoveCommand { wish, jump };
        motion::tick(
            &collision,
            &mut self.actors[0],
            &mut self.workspace,
            &command,
        );
        let Actor { body, state, .. } = &self.actors[0];
        let gap = clearance(
            &collision,
            &PathSegment::still(state.at),
            body.segment_length,
            1.0,
        );
        self.least_gap = self.least_gap.min(gap - body.radius);
    }

    fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.tick(DVec3::ZERO, false);
        }
    }

    fn at(&self) -> DVec3 {
        self.actors[0].state.at.point
    }

    /// The body's centre in the mover's coordinates.
    fn on_mover(&self) -> DVec3 {
        self.world.pose(LIFT).inverse().point(self.at())
    }
}

fn plate() -> [[[f64; 3]; 2]; 1] {
    [[[-2.0, 0.0, -2.0], [2.0, 0.5, 2.0]]]
}

/// Tracks of a plate, with their durations in ticks: from creeping to 60 m/s.
fn tracks() -> Vec<(Track, u32)> {
    let turn = |axis: DVec3, angle: f64| Track::Turn {
        pivot: DVec3::ZERO,
        axis,
        angle,
    };
    vec![
        (Track::Slide(DVec3::Y * 8.0), 480),
        (Track::Slide(DVec3::Y * 8.0), 8),
        (Track::Slide(DVec3::new(5.0, 3.0, -4.0)), 37),
        (turn(DVec3::Y, 6.0), 300),
        (turn(DVec3::Y, 40.0), 60),
        (screw(), 240),
        (screw(), 20),
    ]
}

/// A rising rotation.
fn screw() -> Track {
    let key = |i: u32| {
        let part = f64::from(i) / 4.0;
        TrackKey {
            part,
            pivot: DVec3::ZERO,
            offset: DVec3::Y * (6.0 * part),
            rotation: DQuat::from_rotation_y(5.0 * part),
        }
    };
    Track::Keys((0..=4).map(key).collect())
}

#[test]
fn a_body_at_rest_on_a_mover_stays_at_its_place_on_it_at_any_speed() {
    ride_all(2_000);
}

/// Run with `cargo test --release --test sim -- --ignored movers`.
#[test]
#[ignore = "a million ticks in all: takes too long unoptimised"]
fn a_body_at_rest_on_a_mover_stays_at_its_place_on_it_for_half_an_hour() {
    ride_all(100_000);
}

/// Lets bodies rest on plates of all tracks for `count` ticks.
fn ride_all(count: u32) {
    for body in [CHARACTER, PLAYER] {
        for (track, ticks) in tracks() {
            let level = built(hall(&plate(), track.clone(), drive(ticks)));
            let mut ride = Ride::new(&level, body, DVec3::new(1.2, 0.5, -0.7));
            // Otherwise the mover would have to catch up with the body first.
            ride.actors[0].state.rides = Some(LIFT);
            ride.ticks(60);
            let start = ride.on_mover();
            let mut most: f64 = 0.0;
            for _ in 0..count {
                ride.tick(DVec3::ZERO, false);
                most = most.max(ride.on_mover().distance(start));
            }
            assert!(most < 1e-9, "{track:?} {ticks}: {most:e}");
            assert!(ride.actors[0].state.grounded, "{track:?}");
            assert!(ride.least_gap > 0.0, "{track:?} {}", ride.least_gap);
            let blocked = |event: &&MoverEvent| matches!(event, MoverEvent::Blocked(..));
            assert_eq!(ride.events.iter().find(blocked), None, "{track:?}");
        }
    }
}

/// A body caches the movers near it while no mover moves, and searches again when one does.
#[test]
fn a_body_that_remembers_nothing_goes_the_same_way_among_movers() {
    for (track, ticks) in tracks() {
        let level = built(hall(&plate(), track.clone(), drive(ticks)));
        let mut rides = [0; 2].map(|_| Ride::new(&level, PLAYER, DVec3::new(1.2, 0.5, -0.7)));
        let (mut rng, mut wish) = (Rng::new(3), DVec3::ZERO);
        for tick in 0..600 {
            if rng.one_in(20) {
                wish = DVec3::new(rng.between(-4.0, 4.0), 0.0, rng.between(-4.0, 4.0));
            }
            let jump = rng.one_in(40);
            rides[1].actors[0].cache = BodyCache::default();
            let states = rides.each_mut().map(|ride| {
                ride.tick(wish, jump);
                format!("{:?}", ride.actors[0].state)
            });
            assert_eq!(states[0], states[1], "{track:?}, tick {tick}");
        }
    }
}

#[test]
fn a_body_that_jumps_off_keeps_the_velocity_of_the_mover() {
    let track = Track::Slide(DVec3::new(6.0, 0.0, 0.0));
    let level = built(hall(&plate(), track, drive(120)));
    let mut ride = Ride::new(&level, CHARACTER, DVec3::new(-1.0, 0.5, 0.0));
    ride.ticks(30);
    let before = ride.at();
    ride.tick(DVec3::ZERO, true);
    ride.ticks(19);
    let moved = ride.at() - before;
    assert!((moved.x - 20.0 * 0.05).abs() < 1e-6, "{moved}");
    assert!(moved.y > 0.5, "{moved}");
}

#[test]
fn a_jump_from_a_lift_that_goes_down_lifts_off() {
    let level = built(hall(&plate(), Track::Slide(DVec3::Y * 8.0), drive(240)));
    let mut ride = Ride::new(&level, PLAYER, DVec3::new(0.0, 0.5, 0.0));
    ride.ticks(300);
    let on = ride.on_mover();
    ride.tick(DVec3::ZERO, true);
    assert!(!ride.actors[0].state.grounded);
    ride.ticks(10);
    assert!(ride.on_mover().y > on.y + 0.5, "{}", ride.on_mover());
}

#[test]
fn a_mover_pushes_a_body_before_it_at_any_speed() {
    for ticks in [120, 10, 1] {
        for thickness in [1.0, 0.001] {
            let wall = [[[-6.0, 0.0, -2.0], [-6.0 + thickness, 3.0, 2.0]]];
            let track = Track::Slide(DVec3::X * 10.0);
            let level = built(hall(&wall, track, drive(ticks)));
            for body in [CHARACTER, PLAYER] {
                let mut ride = Ride::new(&level, body, DVec3::new(0.0, 0.0, 0.0));
                ride.ticks(ticks);
                let front = 4.0 + thickness;
                let x = ride.at().x;
                assert!(
                    (x - front - body.radius).abs() < 0.02,
                    "{ticks} {thickness}: {x}"
                );
                assert!(ride.least_gap > 0.0, "{}", ride.least_gap);
            }
        }
    }
}

#[test]
fn a_mover_that_would_squeeze_a_body_is_undone_and_goes_back_waits_or_crushes() {
    for when_blocked in [WhenBlocked::Reverse, WhenBlocked::Wait, WhenBlocked::Crush] {
        let press = [[[-2.0, 6.0, -2.0], [2.0, 7.0, 2.0]]];
        let track = Track::Slide(DVec3::NEG_Y * 6.0);
        let drive = Drive {
            when_blocked,
            ..drive(120)
        };
        let level = built(hall(&press, track, drive));
        let mut ride = Ride::new(&level, PLAYER, DVec3::new(0.0, 0.0, 0.0));
        ride.ticks(110);
        assert!(ride.least_gap > 0.0, "{when_blocked:?}: {}", ride.least_gap);
        let is_blocked =
            |event: &MoverEvent| *event == MoverEvent::Blocked(LIFT, InTheWay::Actor(0));
        assert!(ride.events.iter().any(is_blocked), "{when_blocked:?}");
        let height = ride.world.pose(LIFT).point(DVec3::Y * 6.0).y;
        match when_blocked {
            WhenBlocked::Reverse => assert!(height > 1.9, "{height}"),
            _ => assert!((height - 1.8).abs() < 0.06, "{height}"),
        }
        let is_crushed = ride.actors[0].report.crushed;
        assert_eq!(is_crushed, when_blocked == WhenBlocked::Crush);
    }
}

/// Between the approaching wall and the pillar the body is pushed back and forth until it slips past the pillar.
#[test]
fn a_body_pushed_past_a_pillar_is_not_crushed() {
    let wall = [[[-6.0, 0.0, -2.0], [-5.0, 3.0, 2.0]]];
    let mut source = hall(&wall, Track::Slide(DVec3::X * 8.0), drive(120));
    let mut sketch = Sketch { source };
    sketch.furniture(0, 0, cuboid([1.0, 0.0, -2.0], [2.0, 3.0, -0.2]));
    source = sketch.source;
    let level = built(source);
    let mut ride = Ride::new(&level, CHARACTER, DVec3::ZERO);
    let mut crushed = 0;
    for _ in 0..120 {
        ride.tick(DVec3::ZERO, false);
        let events = ride.actors[0].report.events.iter();
        crushed += events
            .filter(|event| **event == motion::MotionEvent::Crushed)
            .count();
    }
    let blocked = |event: &&MoverEvent| matches!(event, MoverEvent::Blocked(..));
    assert_eq!((crushed, ride.events.iter().find(blocked)), (0, None));
    assert!(ride.least_gap > 0.0 && ride.at().x > 3.0, "{}", ride.at());
}

/// The event is emitted once when the wait begins, for any duration of the wait.
#[test]
fn a_mover_that_waits_says_so_once() {
    let press = [[[-2.0, 6.0, -2.0], [2.0, 7.0, 2.0]]];
    let drive = Drive {
        when_blocked: WhenBlocked::Wait,
        ..drive(120)
    };
    let level = built(hall(&press, Track::Slide(DVec3::NEG_Y * 6.0), drive));
    let mut ride = Ride::new(&level, PLAYER, DVec3::ZERO);
    ride.ticks(300);
    let blocked = |event: &&MoverEvent| matches!(event, MoverEvent::Blocked(..));
    assert_eq!(ride.events.iter().filter(blocked).count(), 1);
}

/// Regression test: a mover that started its track again moved back the whole track in its last tick, in a few large
/// leaps. Its rider was thrown around and out of the hall.
#[test]
fn a_turntable_that_begins_again_goes_on_as_it_did() {
    let turn = Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle: std::f64::consts::TAU,
    };
    let drive = Drive {
        cycle: Cycle::Loop,
        ..drive(30)
    };
    let level = built(hall(&plate(), turn, drive));
    let body = Body {
        radius: 0.1,
        ..CHARACTER
    };
    let mut ride = Ride::new(&level, body, DVec3::new(1.2, 0.5, -0.7));
    ride.actors[0].state.rides = Some(LIFT);
    ride.ticks(60);
    let start = ride.on_mover();
    for _ in 0..120 {
        let before = ride.at();
        ride.tick(DVec3::ZERO, false);
        let pieces = ride.actors[0].report.carried.iter();
        let way: f64 = pieces.map(PathSegment::length).sum();
        assert!(way <= 1.1 * before.distance(ride.at()), "{way}");
    }
    assert!(ride.on_mover().distance(start) < 1e-9);
    assert!(ride.least_gap > 0.0, "{}", ride.least_gap);
}

/// A rider far from the axis of a mover moves farther in a step than any corner of the mover: here a ball on a small
/// beam that rotates about its length.
#[test]
fn a_rider_larger_than_its_mover_is_carried_through_no_wall() {
    let beam = [[[-1.0, 1.0, -0.05], [1.0, 1.1, 0.05]]];
    let turn = Track::Turn {
        pivot: DVec3::new(0.0, 1.05, 0.0),
        axis: DVec3::X,
        angle: -1.5,
    };
    let mut source = hall(&beam, turn, drive(1));
    let mut sketch = Sketch { source };
    sketch.furniture(0, 0, cuboid([-2.0, 0.0, -0.72], [2.0, 6.0, -0.719]));
    sketch.furniture(0, 0, cuboid([-2.0, 0.0, 0.719], [2.0, 6.0, 0.72]));
    source = sketch.source;
    let level = built(source);
    let body = Body {
        radius: 0.6,
        ..CHARACTER
    };
    let mut ride = Ride::new(&level, body, DVec3::new(0.0, 1.11, 0.0));
    ride.actors[0].state.rides = Some(LIFT);
    for _ in 0..60 {
        ride.tick(DVec3::ZERO, false);
        assert!(ride.at().z.abs() < 0.119, "{}", ride.at());
    }
    assert!(ride.least_gap > 0.0, "{}", ride.least_gap);
}

/// Regression test: a door closed on a body in the part of the opening that the panel does not fill, because that part
/// was not checked.
#[test]
fn a_door_smaller_than_its_opening_does_not_shut_on_a_body_in_it() {
    let opening = cuboid([0.0, 0.0, -1.0], [0.0, 2.0, 1.0]);
    let mut sketch = Sketch::new("door");
    let a = sketch.box_room("a", cuboid([-4.0, 0.0, -4.0], [0.0, 3.0, 4.0]), &[opening]);
    sketch.box_room("b", cuboid([0.0, 0.0, -4.0], [4.0, 3.0, 4.0]), &[opening]);
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, DVec3::new(-2.0, 0.5, 0.0), DVec3::X);
    let before = sketch.source.meshes.len();
    sketch.furniture(a, 0, cuboid([-0.02, 0.0, -1.0], [0.02, 1.8, 0.0]));
    let meshes = sketch.source.meshes.split_off(before);
    sketch.source.movers.push(MoverSource {
        node: "narrow-door".to_owned(),
        meshes,
        is_door: true,
        track: Track::Slide(DVec3::NEG_Z),
        drive: Drive {
            first_tick: 30,
            when_blocked: WhenBlocked::Wait,
            ..drive(30)
        },
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    let level = built(sketch.source);
    let body = Body {
        radius: 0.2,
        ..CHARACTER
    };
    let mut ride = Ride::new(&level, body, DVec3::new(-0.05, 0.0, 0.7));
    let door = level.doors().next().unwrap();
    ride.world.open(door);
    ride.tick(DVec3::ZERO, false);
    assert!(ride.world.is_open(door));
    let bodies = ride.actors.iter().map(|actor| (&actor.body, &actor.state));
    motion::close_link(&level, &mut ride.world, door, bodies).unwrap();
    ride.ticks(120);
    assert!(ride.world.is_open(door));
    assert!(ride.least_gap > 0.0, "{}", ride.least_gap);
}

#[test]
fn a_body_that_jumps_straight_up_on_a_mover_that_goes_sideways_lands_where_it_was() {
    for metres_per_second in [0.5, 1.0, 3.0] {
        let track = Track::Slide(DVec3::X * 6.0);
        let ticks = (6.0 / metres_per_second * 60.0) as u32;
        let level = built(hall(&plate(), track, drive(ticks)));
        for body in [CHARACTER, PLAYER] {
            let mut ride = Ride::new(&level, body, DVec3::new(0.2, 0.5, 0.3));
            ride.ticks(20);
            let before = ride.on_mover();
            ride.tick(DVec3::ZERO, true);
            ride.ticks(70);
            assert_eq!(ride.actors[0].state.rides, Some(LIFT));
            // In the tick of the landing the friction is computed against ground at rest.
            let in_a_tick = metres_per_second / 60.0;
            let off = ride.on_mover().distance(before);
            assert!(off < in_a_tick + 1e-3, "{metres_per_second} m/s: {off}");
        }
    }
}
