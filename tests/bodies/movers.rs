//! Movers push, carry and wait for bodies.

use std::f64::consts::TAU;

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::bodies::{BodyWorkspace, tick_bodies};
use opendoor::build::build;
use opendoor::collision::BroadPhase;
use opendoor::geometry::{Aabb, Rigid, Triangle};
use opendoor::glam::DVec3;
use opendoor::level::{At, AuthorPoint, BodyId, Cycle, Drive, Level, MoverId, Track};
use opendoor::motion::{Actor, InTheWay, MoverEvent, Workspace, move_movers};
use opendoor::rng::Rng;
use opendoor::source::{BodyShape, MoverSource};
use opendoor::world::World;

use crate::hall::{GRAVITY, add, add_ball, crate_at, hall};
use crate::lift::{RISE, drive, lift};

pub(crate) const MOVER: MoverId = MoverId(0);

/// Adds a mover whose mesh is this box.
fn add_mover(sketch: &mut Sketch, outside: Aabb, track: Track, drive: Drive) {
    sketch.furniture(0, 0, outside);
    sketch.source.movers.push(MoverSource {
        node: "it-mover".to_owned(),
        meshes: sketch.source.meshes.pop().into_iter().collect(),
        is_door: false,
        track,
        drive,
        moved_rooms: Vec::new(),
        moves_with: None,
    });
}

/// A drive to the end of the track, started by a call.
fn once(ticks: u32) -> Drive {
    Drive {
        ticks,
        cycle: Cycle::Once,
        ..Drive::default()
    }
}

pub(crate) struct Stage {
    pub level: Level,
    pub world: World,
    workspace: BodyWorkspace,
    motion: Workspace,
    events: Vec<MoverEvent>,
}

impl Stage {
    pub(crate) fn new(sketch: Sketch) -> Self {
        let (level, _) = build(sketch.source).expect("it is sound");
        let world = World::of(&level);
        Self {
            level,
            world,
            workspace: BodyWorkspace::default(),
            motion: Workspace::default(),
            events: Vec::new(),
        }
    }

    pub(crate) fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.tick_with(GRAVITY);
        }
    }

    pub(crate) fn tick_with(&mut self, gravity: DVec3) {
        let broad_phase = BroadPhase::Portals;
        let Self { level, world, .. } = self;
        move_movers::<Actor>(level, world, &mut [], &mut self.motion, &mut self.events);
        tick_bodies(
            level,
            world,
            &mut [],
            broad_phase,
            gravity,
            &mut self.workspace,
        );
    }

    /// The position of a body's centre, author's coordinates.
    fn at(&self, index: u32) -> DVec3 {
        let state = self.world.bodies.state(BodyId(index));
        self.level.to_author(state.at.point).0
    }

    fn velocity(&self, index: u32) -> DVec3 {
        self.world.bodies.state(BodyId(index)).velocity
    }
}

fn plate(half: DVec3, middle: DVec3) -> Aabb {
    Aabb {
        min: middle - half,
        max: middle + half,
    }
}

const CRATE: DVec3 = DVec3::splat(0.25);

#[test]
fn a_lift_carries_a_sleeping_crate_and_a_ball_up_and_down() {
    let mut sketch = hall(DVec3::new(8.0, 8.0, 8.0));
    let drive = Drive {
        ticks: 120,
        cycle: Cycle::Shuttle,
        wait_ticks: 120,
        started_by: opendoor::level::StartedBy::Trigger,
        ..Drive::default()
    };
    let half = DVec3::new(1.0, 0.1, 1.0);
    let lift = plate(half, DVec3::new(0.0, 0.1, 0.0));
    add_mover(&mut sketch, lift, Track::Slide(DVec3::Y * 3.0), drive);
    let crate_ = crate_at(DVec3::new(0.3, 0.45, 0.0), CRATE);
    add(&mut sketch, "a-crate", BodyShape::Box, crate_, 0.6, 0.0);
    let ball = DVec3::new(-0.4, 0.45, 0.1);
    add_ball(&mut sketch, "b-ball", ball, 0.25, 0.6, 0.0);
    let mut stage = Stage::new(sketch);
    let mut highest: f64 = 0.0;
    for tick in 0..960 {
        stage.ticks(1);
        let top = 0.2 + stage.world.pose(MOVER).translation().y;
        for body in 0..2 {
            let over = stage.at(body).y - 0.25 - top;
            assert!(over.abs() < 2e-3, "{tick} {body}: {over}");
        }
        highest = highest.max(stage.at(0).y);
    }
    assert!((highest - 3.45).abs() < 2e-3, "{highest}");
    assert!(
        stage
            .events
            .iter()
            .all(|e| !matches!(e, MoverEvent::Blocked(..)))
    );
}

#[test]
fn a_plate_pushes_bodies_before_it_at_any_speed_and_passes_none() {
    for speed in [0.1, 1.0, 10.0, 60.0] {
        for thickness in [0.001, 0.2] {
            let mut sketch = hall(DVec3::new(60.0, 8.0, 8.0));
            let half = DVec3::new(0.5 * thickness, 1.0, 2.0);
            let middle = DVec3::new(-20.0 - half.x, 1.0, 0.0);
            let way = 20.0_f64.min(speed * 10.0);
            let ticks = (60.0 * way / speed).round() as u32;
            let track = Track::Slide(DVec3::X * way);
            add_mover(&mut sketch, plate(half, middle), track, once(ticks));
            let crate_ = crate_at(DVec3::new(-19.7, 0.25, 0.8), CRATE);
            add(&mut sketch, "a-crate", BodyShape::Box, crate_, 0.6, 0.0);
            let ball = DVec3::new(-19.5, 0.25, -0.6);
            add_ball(&mut sketch, "b-ball", ball, 0.25, 0.6, 0.0);
            let mut stage = Stage::new(sketch);
            stage.ticks(60);
            stage.world.call(MOVER);
            for tick in 0..ticks {
                stage.ticks(1);
                let front = -20.0 + stage.world.pose(MOVER).translation().x;
                for body in 0..2 {
                    // A tipping crate extends half a diagonal behind its centre.
                    let before = stage.at(body).x - front;
                    assert!(
                        before > 0.25 - 2e-3,
                        "{speed} {thickness} {tick} {body}: {before}"
                    );
                }
            }
            let front = -20.0 + way;
            assert!(stage.at(0).x > front + 0.24, "{speed}: {}", stage.at(0));
            assert_eq!(stage.events.len(), 2, "{:?}", stage.events);
        }
    }
}

#[test]
fn a_press_stops_where_a_body_cannot_get_out_and_nothing_sinks_in() {
    for row in 1..4 {
        let mut sketch = hall(DVec3::new(8.0, 4.0, 4.0));
        let half = DVec3::new(0.1, 1.0, 1.5);
        let middle = DVec3::new(0.0, 1.01, 0.0);
        let track = Track::Slide(DVec3::X * 3.9);
        add_mover(&mut sketch, plate(half, middle), track, once(120));
        for index in 0..row {
            let centre = DVec3::new(1.0 + 0.7 * f64::from(index), 0.25, 0.1);
            let crate_ = crate_at(centre, CRATE);
            add(
                &mut sketch,
                &format!("crate{index}"),
                BodyShape::Box,
                crate_,
                0.6,
                0.0,
            );
        }
        let mut stage = Stage::new(sketch);
        stage.world.call(MOVER);
        stage.ticks(600);
        let blocked = stage
            .events
            .iter()
            .filter(|e| matches!(e, MoverEvent::Blocked(..)));
        assert!(blocked.count() > 0);
        let by_body = |e: &MoverEvent| matches!(e, MoverEvent::Blocked(MOVER, InTheWay::Body(_)));
        assert!(stage.events.iter().any(by_body));
        for body in 0..row {
            assert!(stage.at(body).x < 4.0 - 0.25 + 3e-3, "{}", stage.at(body));
        }
    }
}

#[test]
fn a_lift_does_not_come_down_onto_a_body_below_it() {
    let mut sketch = hall(DVec3::new(8.0, 8.0, 8.0));
    let half = DVec3::new(1.0, 0.1, 1.0);
    let lift = plate(half, DVec3::new(0.0, 3.1, 0.0));
    add_mover(&mut sketch, lift, Track::Slide(DVec3::Y * -2.9), once(120));
    let crate_ = crate_at(DVec3::new(0.3, 0.25, 0.0), CRATE);
    add(&mut sketch, "crate", BodyShape::Box, crate_, 0.6, 0.0);
    let mut stage = Stage::new(sketch);
    stage.ticks(120);
    assert_eq!(stage.world.bodies.awake_count(), 0);
    stage.world.call(MOVER);
    stage.ticks(240);
    assert!((stage.at(0).y - 0.25).abs() < 2e-3, "{}", stage.at(0));
    assert!(
        stage
            .events
            .contains(&MoverEvent::Blocked(MOVER, InTheWay::Body(BodyId(0))))
    );
}

#[test]
fn a_conveyor_carries_a_crate_at_its_own_speed() {
    let mut sketch = hall(DVec3::new(40.0, 4.0, 4.0));
    let drive = Drive {
        surface_velocity: DVec3::X * 1.5,
        started_by: opendoor::level::StartedBy::Trigger,
        ..Drive::default()
    };
    let half = DVec3::new(18.0, 0.1, 1.0);
    let belt = plate(half, DVec3::new(0.0, 0.1, 0.0));
    add_mover(&mut sketch, belt, Track::Slide(DVec3::ZERO), drive);
    let crate_ = crate_at(DVec3::new(-15.0, 0.45, 0.0), CRATE);
    add(&mut sketch, "crate", BodyShape::Box, crate_, 0.6, 0.0);
    let mut stage = Stage::new(sketch);
    stage.ticks(120);
    let velocity = stage.velocity(0);
    assert!((velocity - DVec3::X * 1.5).length() < 1e-3, "{velocity}");
    let before = stage.at(0).x;
    stage.ticks(600);
    assert!((stage.at(0).x - before - 15.0).abs() < 1e-2);
}

/// Regression test: the belt's velocity pointed into the surface at its sides and edges, and pushed balls into it
/// without end.
#[test]
fn a_ball_beside_a_conveyor_does_not_sink_in_whichever_way_the_belt_runs() {
    let radius = 0.24;
    for way in 0..16 {
        let angle = f64::from(way) * TAU / 16.0;
        let mut sketch = hall(DVec3::new(8.0, 4.0, 8.0));
        let drive = Drive {
            surface_velocity: DVec3::new(libm::cos(angle), 0.0, libm::sin(angle)) * 2.0,
            started_by: opendoor::level::StartedBy::Trigger,
            ..Drive::default()
        };
        let half = DVec3::new(1.0, 0.1, 1.0);
        let belt = plate(half, DVec3::new(0.0, 0.1, 0.0));
        add_mover(&mut sketch, belt, Track::Slide(DVec3::ZERO), drive);
        let beside = DVec3::new(1.0 + radius, radius, 0.3);
        add_ball(&mut sketch, "ball", beside, radius, 0.5, 0.0);
        let mut stage = Stage::new(sketch);
        for tick in 0..240 {
            stage.tick_with(GRAVITY - DVec3::X);
            let place = stage.at(0);
            let nearest = place.clamp(belt.min, belt.max);
            let gap = place.distance(nearest) - radius;
            assert!(gap > -1e-3, "way {way}, tick {tick}: {gap} at {place}");
        }
    }
}

#[test]
fn a_trapdoor_wakes_a_body_that_sleeps_on_it_and_drops_it() {
    let mut sketch = hall(DVec3::new(8.0, 8.0, 8.0));
    let half = DVec3::new(1.0, 0.1, 1.0);
    let door = plate(half, DVec3::new(0.0, 2.0, 0.0));
    let track = Track::Turn {
        pivot: DVec3::new(-1.0, 2.0, 0.0),
        axis: DVec3::NEG_Z,
        angle: std::f64::consts::FRAC_PI_2,
    };
    add_mover(&mut sketch, door, track, once(30));
    let crate_ = crate_at(DVec3::new(0.5, 2.35, 0.0), CRATE);
    add(&mut sketch, "crate", BodyShape::Box, crate_, 0.3, 0.0);
    let mut stage = Stage::new(sketch);
    stage.ticks(120);
    assert_eq!(stage.world.bodies.awake_count(), 0);
    stage.world.call(MOVER);
    stage.ticks(300);
    assert!((stage.at(0).y - 0.25).abs() < 2e-3, "{}", stage.at(0));
    assert_eq!(stage.world.bodies.awake_count(), 0);
}

#[test]
fn a_stack_rides_a_turntable_and_stays_where_it_stands() {
    let mut sketch = hall(DVec3::new(8.0, 8.0, 8.0));
    let disc = plate(DVec3::new(2.0, 0.1, 2.0), DVec3::new(0.0, 0.1, 0.0));
    let track = Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle: std::f64::consts::TAU,
    };
    let drive = Drive {
        ticks: 720,
        cycle: Cycle::Loop,
        ..Drive::default()
    };
    add_mover(&mut sketch, disc, track, drive);
    let starts = [0, 1, 2].map(|i| DVec3::new(1.2, 0.45 + 0.5 * f64::from(i), 0.3));
    for (index, start) in starts.into_iter().enumerate() {
        let name = format!("crate{index}");
        add(
            &mut sketch,
            &name,
            BodyShape::Box,
            crate_at(start, CRATE),
            0.6,
            0.0,
        );
    }
    let mut stage = Stage::new(sketch);
    stage.ticks(60);
    let place = |stage: &Stage, index: u32| {
        let state = stage.world.bodies.state(BodyId(index));
        stage.world.pose(MOVER).point_from(state.at.point)
    };
    let first = [0, 1, 2].map(|index| place(&stage, index));
    stage.ticks(1799);
    for (index, first) in (0..).zip(first) {
        let moved = place(&stage, index) - first;
        assert!(moved.length() < 0.02, "{index}: {moved}");
    }
}

/// A door that at random closes on a wall or slides along it, and balls in its path.
fn door_and_balls(rng: &mut Rng, turns: bool, balls: usize) -> Sketch {
    let mut sketch = hall(DVec3::new(6.0, 4.0, 6.0));
    let thickness = rng.between(0.02, 0.1);
    let gap = rng.between(0.0, 0.6);
    let (door, track) = if turns {
        let hinge = DVec3::new(3.0 - gap - thickness, 1.01, 0.0);
        let half = DVec3::new(0.6, 1.0, 0.5 * thickness);
        let track = Track::Turn {
            pivot: hinge,
            axis: DVec3::Y,
            angle: rng.between(0.6, 1.6),
        };
        (plate(half, hinge - DVec3::X * 0.6), track)
    } else {
        let half = DVec3::new(0.5 * thickness, 1.0, 0.6);
        let way = DVec3::new(2.0 - gap, 0.0, rng.between(-1.0, 1.0));
        (plate(half, DVec3::new(1.0, 1.01, 0.0)), Track::Slide(way))
    };
    if rng.one_in(2) {
        let min = DVec3::new(2.0, 0.0, 1.3);
        let max = DVec3::new(3.0, 2.0, 2.0);
        sketch.furniture(0, 0, Aabb { min, max });
    }
    let drive = Drive {
        cycle: Cycle::Shuttle,
        wait_ticks: 10,
        ..once(rng.between(15.0, 120.0) as u32)
    };
    add_mover(&mut sketch, door, track, drive);
    for index in 0..balls {
        let radius = rng.between(0.05, 0.3);
        let y = radius + 0.65 * index as f64;
        let centre = DVec3::new(rng.between(1.4, 2.6), y, rng.between(0.4, 0.9));
        let [friction, bounce] = [rng.between(0.0, 1.0), rng.between(0.0, 0.9)];
        add_ball(
            &mut sketch,
            &format!("ball{index}"),
            centre,
            radius,
            friction,
            bounce,
        );
    }
    sketch
}

/// The greatest penetration depth of any ball in any triangle, metres.
fn deepest(stage: &Stage, walls: &[Triangle], panel: &[Triangle]) -> f64 {
    let pose = stage.world.pose(MOVER);
    let depths = stage.world.bodies.iter().map(|(id, state)| {
        let radius = stage.level.body(id).shape.radius_about(DVec3::ZERO);
        let of_panel = panel.iter().map(|triangle| triangle.transformed(pose));
        let all = walls.iter().copied().chain(of_panel);
        let distance = all.map(|triangle| triangle.distance(state.at.point));
        radius - distance.fold(f64::INFINITY, f64::min)
    });
    depths.fold(0.0, f64::max)
}

/// The greatest penetration depth of balls in doors and walls, metres, in `rooms` rooms with `balls` balls each.
fn deepest_at_doors(seed: u64, rooms: u32, balls: usize) -> f64 {
    let mut rng = Rng::new(seed);
    let mut worst = 0.0_f64;
    for room in 0..rooms {
        let mut stage = Stage::new(door_and_balls(&mut rng, room % 2 == 0, balls));
        let level = &stage.level;
        let triangles = |set| level.solids.of(set).map(|solid| solid.triangle());
        let walls = level.rooms.iter().flat_map(|room| triangles(&room.solids));
        let walls: Vec<Triangle> = walls.collect();
        let panel: Vec<Triangle> = triangles(&level.mover(MOVER).solids).collect();
        if deepest(&stage, &walls, &panel) > 1e-4 {
            // Skips scenes in which a ball starts in the door or in another wall.
            continue;
        }
        stage.ticks(20);
        stage.world.call(MOVER);
        for _ in 0..600 {
            stage.ticks(1);
            worst = worst.max(deepest(&stage, &walls, &panel));
        }
    }
    worst
}

/// Regression test: doors penetrated balls by 28 cm, because friction held balls that should have slipped out, and
/// repeated impacts with door and wall exhausted the limit of impacts.
#[test]
fn doors_wait_for_balls_that_friction_jams_between_them_and_walls() {
    let [one, three] = [1, 3].map(|balls| deepest_at_doors(77, 150, balls));
    assert!(one < 6e-3, "{one}");
    assert!(three < 0.04, "{three}");
}

/// Regression test: bodies rode the mover only from the end of the first tick on, were struck by it, and flew off.
#[test]
fn bodies_on_a_mover_that_moves_when_the_game_begins_are_not_launched() {
    let shuttle = Drive {
        ticks: 30,
        cycle: Cycle::Shuttle,
        ..Drive::default()
    };
    // The downward motion is slower than the fall of the bodies on the lift.
    for (way, top) in [
        (DVec3::Y * 2.0, 0.2),
        (DVec3::X * 2.0, 0.2),
        (DVec3::Y * -1.0, 3.0),
    ] {
        let mut sketch = hall(DVec3::new(12.0, 8.0, 8.0));
        let middle = DVec3::Y * (top - 0.1);
        let lift = plate(DVec3::new(1.0, 0.1, 1.0), middle);
        add_mover(&mut sketch, lift, Track::Slide(way), shuttle.clone());
        for (name, y) in [("below", 0.45), ("above", 0.95)] {
            let outside = crate_at(DVec3::new(0.1, y + top - 0.2, 0.0), CRATE);
            add(&mut sketch, name, BodyShape::Box, outside, 0.8, 0.6);
        }
        let beside = DVec3::new(-0.6, top + 0.25, 0.0);
        add_ball(&mut sketch, "c-ball", beside, 0.25, 0.8, 0.0);
        let mut stage = Stage::new(sketch);
        let first = [0, 1, 2].map(|body| stage.at(body));
        for tick in 0..28 {
            stage.ticks(1);
            let lift = stage.world.pose(MOVER).translation();
            for (body, first) in first.into_iter().enumerate() {
                let off = (stage.at(body as u32) - first - lift).length();
                assert!(off < 3e-3, "{way}, tick {tick}, body {body}: {off}");
            }
        }
    }
}

/// A ball of 5 cm, and a cabin that rises at 2.5 m/s for two seconds.
fn ball_and_cabin() -> Stage {
    let mut sketch = Sketch::new("lift");
    sketch.source = lift((Track::Slide(DVec3::Y * RISE), drive(120)));
    add_ball(&mut sketch, "ball", DVec3::Y * 8.0, 0.05, 0.5, 1.0);
    let mut stage = Stage::new(sketch);
    stage.world.call(MOVER);
    stage
}

impl Stage {
    /// Puts the first body into a room and throws it. The position is in author's coordinates, with the room in its
    /// rest pose.
    fn throw_in(&mut self, room: &str, from: DVec3, velocity: DVec3) {
        let room = self.level.room_named(room).expect("of the lift");
        let point = self.level.from_author(AuthorPoint(from));
        let mut state = *self.world.bodies.state(BodyId(0));
        (state.at, state.velocity) = (At::new(room, point), velocity);
        self.world.bodies.set(BodyId(0), state);
    }

    /// The position of the first body in static coordinates, and whether it is in the cabin.
    fn seen(&self) -> (DVec3, bool) {
        let at = self.world.bodies.state(BodyId(0)).at;
        let is_inside = self.level.room(at.room).name == "cabin";
        let point = match is_inside {
            true => self.world.pose(MOVER).point(at.point),
            false => at.point,
        };
        (point, is_inside)
    }
}

/// Regression test: balls kept their velocity relative to the room that they had left, and were deflected by the
/// cabin's motion.
#[test]
fn a_ball_that_flies_into_a_rising_cabin_or_out_of_it_flies_straight_on() {
    for (room, from, velocity) in [
        ("low", DVec3::new(0.0, 1.2, 1.7), DVec3::new(0.3, 0.0, -4.0)),
        (
            "cabin",
            DVec3::new(0.0, 1.2, 0.8),
            DVec3::new(0.3, 0.0, 4.0),
        ),
    ] {
        let mut stage = ball_and_cabin();
        stage.ticks(2);
        stage.throw_in(room, from, velocity);
        let mut places = Vec::new();
        let mut crossed = None;
        let first = stage.seen();
        for tick in 0..12 {
            stage.tick_with(DVec3::ZERO);
            let (place, is_inside) = stage.seen();
            places.push(place);
            if is_inside != first.1 && crossed.is_none() {
                crossed = Some(tick);
            }
        }
        let crossed = crossed.expect("it comes to the other room");
        let steps: Vec<_> = places.windows(2).map(|two| two[1] - two[0]).collect();
        // In the tick of the crossing the cabin carries the ball for a part of the tick.
        for step in &steps[..crossed - 1] {
            assert!(step.distance(steps[0]) < 1e-9, "{room}: {step}");
        }
        for step in &steps[crossed..crossed + 2] {
            assert!(
                step.distance(steps[0]) < 1e-9,
                "{room}: {step} {}",
                steps[0]
            );
        }
    }
}

/// A hall that contains a cabin with an open side. When called, the cabin moves for a second.
pub(crate) fn hall_with_cabin(track: Track) -> Sketch {
    let mut sketch = hall(DVec3::new(8.0, 6.0, 12.0));
    let door = cuboid([-0.9, 0.2, 1.0], [0.9, 2.4, 1.0]);
    let inside = cuboid([-1.0, 0.1, -1.0], [1.0, 2.5, 1.0]);
    let cabin = sketch.box_room("cabin", inside, &[door]);
    sketch.portal(cabin, "hall", door, DVec3::Z);
    sketch.furniture(0, 0, cuboid([-1.1, 0.05, -1.1], [1.1, 2.6, -1.05]));
    let shell = sketch.source.meshes.pop();
    sketch.source.movers.push(MoverSource {
        node: "cabin-room".to_owned(),
        meshes: shell.into_iter().collect(),
        is_door: false,
        track,
        drive: drive(60),
        moved_rooms: vec![cabin],
        moves_with: None,
    });
    sketch
}

/// A ball in a hall, in front of a cabin with an open side that slides by 2 m in a second.
fn ball_before_cabin() -> Stage {
    let mut sketch = hall_with_cabin(Track::Slide(DVec3::Z * 2.0));
    add_ball(&mut sketch, "ball", DVec3::Y * 5.0, 0.3, 0.5, 0.0);
    Stage::new(sketch)
}

/// Regression test: the ball stayed in the outer room, and fell through the cabin's floor.
#[test]
fn a_ball_that_the_opening_of_a_moving_cabin_passes_over_is_in_the_cabin() {
    let mut rng = Rng::new(4);
    for trial in 0..60 {
        let mut stage = ball_before_cabin();
        let is_asleep = trial % 3 == 0;
        let mut velocity = DVec3::ZERO;
        let mut from = DVec3::new(rng.between(-0.4, 0.4), 1.2, rng.between(1.4, 2.5));
        if is_asleep {
            from.y = 0.31;
            stage.throw_in("hall", from, velocity);
            stage.ticks(300);
            assert_eq!(stage.world.bodies.awake_count(), 0);
            from = stage.seen().0;
        } else {
            velocity = DVec3::new(rng.between(-0.1, 0.1), 0.0, rng.between(-0.3, 0.3));
            stage.throw_in("hall", from, velocity);
        }
        stage.world.call(MOVER);
        for tick in 1..=50 {
            stage.tick_with(DVec3::ZERO);
            let (place, is_inside) = stage.seen();
            let straight_on = from + velocity * (f64::from(tick) / 60.0);
            let off = place.distance(straight_on);
            let is_passed = place.z < 1.0 + stage.world.pose(MOVER).translation().z;
            assert_eq!(is_inside, is_passed, "trial {trial}, tick {tick}: {place}");
            // The cabin's floor lifts a ball that lay on the floor of the hall.
            assert!(is_asleep || off < 1e-9, "trial {trial}, tick {tick}: {off}");
        }
    }
}

/// Regression test: within one tick, in cabin coordinates, the path of a body entered through the opening and left
/// through a wall. The body then stayed in the cabin's room although it was outside of the cabin.
#[test]
fn a_body_in_a_cabin_that_turns_fast_is_within_its_walls() {
    let mut rng = Rng::new(5);
    let mut inside = 0;
    for trial in 0..60 {
        let mut sketch = hall_with_cabin(Track::Turn {
            pivot: DVec3::ZERO,
            axis: DVec3::Y,
            angle: TAU,
        });
        sketch.source.movers[0].drive = Drive {
            cycle: Cycle::Loop,
            ..drive(4 + trial % 4)
        };
        let crate_size = DVec3::from([0; 3].map(|_| rng.between(0.04, 0.2)));
        let crate_place = crate_at(DVec3::Y * 4.0, crate_size);
        add(&mut sketch, "crate", BodyShape::Box, crate_place, 0.4, 0.5);
        let mut stage = Stage::new(sketch);
        let mut velocity = DVec3::from([0; 3].map(|_| rng.between(-9.0, 9.0)));
        velocity.y *= 0.2;
        let from = DVec3::new(rng.between(-1.5, 1.5), 1.2, rng.between(1.1, 2.0));
        stage.throw_in("hall", from, velocity);
        stage.world.call(MOVER);
        for tick in 0..60 {
            stage.tick_with(DVec3::ZERO);
            let state = *stage.world.bodies.state(BodyId(0));
            if stage.level.room(state.at.room).name == "cabin" {
                let place = stage.level.to_author(state.at.point).0;
                let off = (place - DVec3::Y * 1.3).abs() - DVec3::new(1.0, 1.2, 1.0);
                inside += 1;
                assert!(
                    off.max_element() < 1e-3,
                    "trial {trial}, tick {tick}: {place}"
                );
            }
        }
    }
    assert!(inside > 100, "{inside}");
}

/// Places four bodies in the cabin, two in front of it and two behind it, and throws them.
fn throw_all(stage: &mut Stage, rng: &mut Rng) {
    for index in 0..8 {
        let (room, z) = match index {
            0..4 => ("cabin", 0.0),
            4..6 => ("hall", 1.5),
            _ => ("hall", -1.5),
        };
        let room = stage.level.room_named(room).expect("it is there");
        let author = AuthorPoint(DVec3::new(rng.between(-0.6, 0.6), 0.8, z));
        let mut state = *stage.world.bodies.state(BodyId(index));
        state.at = At::new(room, stage.level.from_author(author));
        state.velocity = DVec3::from([0; 3].map(|_| rng.between(-3.0, 3.0)));
        stage.world.bodies.set(BodyId(index), state);
    }
}

/// A full turn returns a cabin to its pose except for rounding. Regression test: triangles with a rounded floor, which
/// were gathered for bodies outside, were used for bodies in the cabin.
#[test]
fn cached_triangles_change_no_bit_in_a_cabin_that_has_turned_round() {
    let mut rng = Rng::new(8);
    for trial in 0..20 {
        let mut sketch = hall_with_cabin(Track::Turn {
            pivot: DVec3::new(0.3, 0.0, 0.2),
            axis: DVec3::Y,
            angle: TAU,
        });
        for index in 0..8 {
            let centre = DVec3::new(3.4, 4.0, f64::from(index) - 4.0);
            let half = DVec3::from([0; 3].map(|_| rng.between(0.05, 0.15)));
            let shape = [BodyShape::Box, BodyShape::Hull][index as usize % 2];
            add(
                &mut sketch,
                &format!("body{index}"),
                shape,
                crate_at(centre, half),
                0.4,
                0.2,
            );
        }
        let mut kept = Stage::new(sketch);
        kept.world.call(MOVER);
        for tick in 0..240 {
            if tick >= 90 && tick % 30 == 0 {
                let turned = kept.world.pose(MOVER);
                assert!(turned.is_about(&Rigid::IDENTITY) && !turned.is_identity());
                throw_all(&mut kept, &mut rng);
            }
            let mut fresh = World::of(&kept.level);
            std::mem::swap(&mut fresh, &mut kept.world);
            kept.world = fresh.clone();
            kept.tick_with(GRAVITY);
            let mut motion = Workspace::default();
            move_movers::<Actor>(
                &kept.level,
                &mut fresh,
                &mut [],
                &mut motion,
                &mut Vec::new(),
            );
            let workspace = &mut BodyWorkspace::default();
            tick_bodies(
                &kept.level,
                &mut fresh,
                &mut [],
                BroadPhase::Portals,
                GRAVITY,
                workspace,
            );
            for index in 0..8 {
                let [a, b] = [&kept.world, &fresh].map(|world| *world.bodies.state(BodyId(index)));
                assert_eq!(a, b, "trial {trial}, tick {tick}");
            }
        }
    }
}

/// Regression test: a cluster that is solved as a whole has contacts with all geometry within its margin, so crates
/// that were still in the air rode the mover below them.
#[test]
fn crates_that_fall_towards_a_mover_together_do_not_ride_it_before_they_touch_it() {
    let mut sketch = hall(DVec3::new(12.0, 8.0, 8.0));
    let top = 0.2;
    let table = plate(DVec3::new(2.0, 0.1, 2.0), DVec3::Y * 0.1);
    add_mover(&mut sketch, table, Track::Slide(DVec3::X * 2.0), once(120));
    for index in 0..9 {
        let [x, z] = [index % 3, index / 3].map(|i| 0.52 * f64::from(i - 1));
        let outside = crate_at(DVec3::new(x, 2.0, z), CRATE);
        add(
            &mut sketch,
            &format!("crate{index}"),
            BodyShape::Box,
            outside,
            0.8,
            0.0,
        );
    }
    let mut stage = Stage::new(sketch);
    stage.world.call(MOVER);
    for index in 0..9 {
        let mut state = *stage.world.bodies.state(BodyId(index));
        state.velocity = DVec3::NEG_Y * 10.0;
        stage.world.bodies.set(BodyId(index), state);
    }
    let mut near = 0;
    for _ in 0..20 {
        let gaps: [f64; 9] = std::array::from_fn(|i| stage.at(i as u32).y - 0.25 - top);
        stage.ticks(1);
        for (index, gap) in (0..).zip(gaps) {
            if gap > 0.02 {
                let state = stage.world.bodies.state(BodyId(index));
                assert!(state.ride.is_none(), "{gap} m above it");
                near += i32::from(gap < 0.15);
            }
        }
    }
    assert!(near > 0);
}
