//! A body in a hall with a mover, checked in each tick after the mover's part and after the body's part.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::collision::CollisionWorld;
use opendoor::level::{At, AuthorPoint, Cycle, Drive, MoverId, Track, WhenBlocked};
use opendoor::motion::{
    Actor, Body, MoveCommand, MoverEvent, PathSegment, State, Workspace, move_movers, tick,
};
use opendoor::source::{LevelSource, MoverSource};
use opendoor::world::World;

use crate::actor::{Stage, rho};
use crate::oracle::{Corners, Soup};

/// The only mover of a hall.
pub(crate) const MOVER: MoverId = MoverId(0);

/// The corners of a box, metres.
pub(crate) type Corner = [f64; 3];

/// The motion of a mover.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) track: Track,
    pub(crate) drive: Drive,
}

impl Way {
    /// A motion back and forth without end, with `ticks` ticks in each direction.
    pub(crate) fn shuttle(track: Track, ticks: u32) -> Self {
        let cycle = Cycle::Shuttle;
        let drive = Drive {
            ticks,
            cycle,
            ..Drive::default()
        };
        Self { track, drive }
    }

    /// A straight motion by `by`, back and forth, at a speed in m/s.
    pub(crate) fn slide(by: DVec3, speed: f64) -> Self {
        let ticks = (60.0 * by.length() / speed).round().max(1.0);
        Self::shuttle(Track::Slide(by), ticks as u32)
    }

    /// Continuous rotation about the vertical through the origin at approximately a speed in radians per second.
    pub(crate) fn turntable(speed: f64) -> Self {
        let angle = std::f64::consts::TAU;
        let turn = Track::Turn {
            pivot: DVec3::ZERO,
            axis: DVec3::Y,
            angle,
        };
        Self::shuttle(turn, (60.0 * angle / speed).round() as u32).that(Cycle::Loop)
    }

    pub(crate) fn that(mut self, cycle: Cycle) -> Self {
        self.drive.cycle = cycle;
        self
    }

    pub(crate) fn when_blocked(mut self, when_blocked: WhenBlocked) -> Self {
        self.drive.when_blocked = when_blocked;
        self
    }
}

/// A hall 160 m square and 80 m high around the middle of its floor, with fixed boxes and boxes of one mover.
pub(crate) fn hall(fixed: &[[Corner; 2]], moving: &[[Corner; 2]], way: &Way) -> LevelSource {
    let mut sketch = Sketch::new("hall");
    let inside = cuboid([-80.0, 0.0, -80.0], [80.0, 80.0, 80.0]);
    let room = sketch.box_room("hall", inside, &[]);
    sketch.spawn(room, DVec3::new(70.0, 0.5, 70.0), DVec3::X);
    for [min, max] in fixed {
        sketch.furniture(room, 0, cuboid(*min, *max));
    }
    let before = sketch.source.meshes.len();
    for [min, max] in moving {
        sketch.furniture(room, 0, cuboid(*min, *max));
    }
    let meshes = sketch.source.meshes.split_off(before);
    sketch.source.movers.push(MoverSource {
        node: "it-mover".to_owned(),
        meshes,
        is_door: false,
        track: way.track.clone(),
        drive: way.drive.clone(),
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    sketch.source
}

/// A body in a hall.
pub(crate) struct Ride<'a> {
    stage: &'a Stage,
    pub(crate) world: World,
    actors: [Actor; 1],
    workspace: Workspace,
    pub(crate) events: Vec<MoverEvent>,
    /// Triangles of the mover as authored, level coordinates.
    moving: Vec<Corners>,
    /// Smallest gap after any part of any tick, metres.
    pub(crate) least_gap: f64,
}

impl<'a> Ride<'a> {
    /// Places the body's feet at its gap above `feet`, author's coordinates.
    pub(crate) fn new(stage: &'a Stage, body: Body, feet: DVec3) -> Self {
        let level = &stage.level;
        let room = level.room_named("hall").unwrap();
        let centre = feet + DVec3::Y * rho(body.radius);
        let state = State::at_rest(At::new(room, level.from_author(AuthorPoint(centre))));
        let solids = level.solids.of(&level.mover(MOVER).solids);
        Self {
            stage,
            world: World::of(level),
            actors: [Actor::new(body, state)],
            workspace: Workspace::default(),
            events: Vec::new(),
            moving: solids.map(|solid| solid.triangle().corners).collect(),
            least_gap: f64::INFINITY,
        }
    }

    /// Places a body like [`Self::new`], and lets it rest for half a second while the mover waits.
    pub(crate) fn rested(stage: &'a Stage, body: Body, feet: DVec3) -> Self {
        let mut ride = Self::new(stage, body, feet);
        for _ in 0..30 {
            ride.step(DVec3::ZERO, false);
        }
        ride
    }

    pub(crate) fn tick(&mut self, wish: DVec3, jump: bool) {
        let (actors, workspace) = (&mut self.actors, &mut self.workspace);
        let level = &self.stage.level;
        move_movers(level, &mut self.world, actors, workspace, &mut self.events);
        self.judge();
        self.step(wish, jump);
    }

    pub(crate) fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.tick(DVec3::ZERO, false);
        }
    }

    /// The body's own part of a tick.
    fn step(&mut self, wish: DVec3, jump: bool) {
        let collision = CollisionWorld::new(&self.stage.level, &self.world);
        let command = MoveCommand { wish, jump };
        tick(
            &collision,
            &mut self.actors[0],
            &mut self.workspace,
            &command,
        );
        self.judge();
    }

    /// Updates the smallest gap to all solid geometry along the whole path of the body, with the mover in its current
    /// pose, and to fixed geometry also along the carried part of the path.
    fn judge(&mut self) {
        let Actor {
            body,
            state,
            report,
            ..
        } = &self.actors[0];
        let pose = self.world.pose(MOVER);
        let moving = self.moving.iter().map(|t| t.map(|p| pose.point(p)));
        let moving = Soup::new(moving);
        let fixed = &self.stage.soup;
        let still = PathSegment::still(state.at);
        let ends = |piece: &PathSegment| (piece.from.point, piece.to);
        for (from, to) in report.path.iter().chain([&still]).map(ends) {
            let distance = fixed.distance(from, to).min(moving.distance(from, to));
            self.least_gap = self.least_gap.min(distance - body.radius);
        }
        for (from, to) in report.carried.iter().map(ends) {
            let distance = fixed.distance(from, to);
            self.least_gap = self.least_gap.min(distance - body.radius);
        }
    }

    pub(crate) fn state(&self) -> &State {
        &self.actors[0].state
    }

    pub(crate) fn is_crushed(&self) -> bool {
        self.actors[0].report.crushed
    }

    /// The body's centre in author's coordinates.
    pub(crate) fn centre(&self) -> DVec3 {
        self.stage.level.to_author(self.state().at.point).0
    }

    /// The body's centre in coordinates that move with the mover, and equal the level's in its authored pose.
    pub(crate) fn on_mover(&self) -> DVec3 {
        let on = self.world.pose(MOVER).inverse();
        let on = on.point(self.state().at.point);
        self.stage.level.to_author(on).0
    }

    /// The current position of a point of the mover, author's coordinates.
    pub(crate) fn moved(&self, point: DVec3) -> DVec3 {
        let level = &self.stage.level;
        let here = level.from_author(AuthorPoint(point));
        level.to_author(self.world.pose(MOVER).point(here)).0
    }

    pub(crate) fn blocked(&self) -> usize {
        let blocked = |event: &&MoverEvent| matches!(event, MoverEvent::Blocked(..));
        self.events.iter().filter(blocked).count()
    }
}
