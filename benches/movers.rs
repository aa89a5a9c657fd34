//! Cost of movers: a tick near resting or moving movers, a tick on a moving one, and a thousand doors that open and
//! close in a large level. Prints a table for `docs/movers.md`.
//!
//! `cargo bench -p opendoor-benches --bench movers`

use std::f64::consts::TAU;
use std::time::{Duration, Instant};

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;
use opendoor::collision::CollisionWorld;
use opendoor::geometry::Aabb;
use opendoor::level::{At, AuthorPoint, Cycle, Drive, Level, Track};
use opendoor::motion::{
    Actor, MoveCommand, MoverEvent, State, TICK_SECS, Workspace, move_movers, tick,
};
use opendoor::source::MoverSource;
use opendoor::world::World;

use opendoor_benches::table::{self, median, nanoseconds, reached};
use opendoor_benches::walk::{BODY, SPEED, Walker};
use opendoor_benches::{memory, rooms};

/// Number of equal runs; the median counts.
const RUNS: usize = 15;

/// Ticks of a run.
const TICKS: u32 = 20_000;

/// Ticks of a mover's track.
const TRACK: u32 = 90;

/// Number of doors that move at the same time.
const DOORS: usize = 1_000;
/// Number of rooms along each side of the level of these doors.
const SIDE: u32 = 128;

/// Radius of the circle in which the body walks, metres.
const CIRCLE: f64 = 0.33;

fn main() {
    // `cargo test --all-targets` also starts benches, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    report_beside();
    match memory::shortage(rooms::needed_gib(SIDE)) {
        None => report_doors(),
        Some(why) => table::print(&why, &[]),
    }
}

/// A hall with movers, and a body that walks in a circle in the middle of the hall.
struct Scene {
    what: &'static str,
    level: Level,
}

impl Scene {
    /// Posts around the circle, at rest or moving up and down.
    fn posts(what: &'static str, count: u32, moves: bool) -> Self {
        let post = |i: u32| {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(count)).sin_cos();
            let at = DVec3::new(cos, 0.0, sin) * 1.5;
            let half = DVec3::new(0.04, 0.0, 0.04);
            (
                Aabb {
                    min: at - half,
                    max: at + half + DVec3::Y,
                },
                Track::Slide(DVec3::Y * 2.0),
            )
        };
        Self::new(what, moves, (0..count).map(post))
    }

    /// Boxes that fly around the hall in tilted rings. The bounding box of each ring contains the body.
    fn rings(what: &'static str, count: u32, moves: bool) -> Self {
        let flyer = |i: u32| {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(count)).sin_cos();
            let at = DVec3::new(8.0 * cos, 4.0 + 4.0 * cos * 0.9, 8.0 * sin);
            let track = Track::Turn {
                pivot: DVec3::Y * 4.0,
                axis: DVec3::new(-0.45, 1.0, 0.0).normalize_or(DVec3::Y),
                angle: TAU,
            };
            (Aabb::around([at]).grown(0.05), track)
        };
        Self::new(what, moves, (0..count).map(flyer))
    }

    /// A plate that the body walks on.
    fn plate(what: &'static str, track: Track) -> Self {
        let plate = cuboid([-2.0, 0.0, -2.0], [2.0, 0.2, 2.0]);
        Self::new(what, true, [(plate, track)].into_iter())
    }

    fn new(what: &'static str, moves: bool, movers: impl Iterator<Item = (Aabb, Track)>) -> Self {
        let mut sketch = Sketch::new("hall");
        let hall = cuboid([-10.0, -0.0, -10.0], [10.0, 12.0, 10.0]);
        let room = sketch.box_room("hall", hall, &[]);
        sketch.spawn(room, DVec3::new(0.0, 1.0, 0.0), DVec3::X);
        for (i, (bounds, track)) in movers.enumerate() {
            let before = sketch.source.meshes.len();
            sketch.furniture(room, 0, bounds);
            let meshes = sketch.source.meshes.split_off(before);
            sketch.source.movers.push(MoverSource {
                node: format!("{i:03}-mover"),
                meshes,
                is_door: false,
                track,
                drive: Drive {
                    ticks: TRACK,
                    cycle: if moves { Cycle::Shuttle } else { Cycle::Call },
                    ..Drive::default()
                },
                moved_rooms: Vec::new(),
                moves_with: None,
            });
        }
        let (level, _) = build(sketch.source).expect("the hall is a good level");
        Self { what, level }
    }

    /// Nanoseconds of a tick of the body alone, and of a tick with [`move_movers`].
    fn time(&self) -> [f64; 2] {
        let mut walk = Walk::new(&self.level);
        walk.ticks(|walk| walk.tick());
        let before = Instant::now();
        walk.ticks(|walk| walk.tick());
        let both = before.elapsed();
        let mut alone = Duration::ZERO;
        walk.ticks(|walk| {
            walk.move_movers();
            let before = Instant::now();
            walk.tick_body();
            alone += before.elapsed();
        });
        // The cost of reading the clock.
        let mut asking = Duration::ZERO;
        walk.ticks(|_| asking += Instant::now().elapsed());
        let each = |time: Duration| 1e9 * time.as_secs_f64() / f64::from(TICKS);
        [each(alone) - each(asking), each(both)]
    }
}

/// A body that walks in a circle.
struct Walk<'a> {
    level: &'a Level,
    world: World,
    actors: [Actor; 1],
    workspace: Workspace,
    events: Vec<MoverEvent>,
    now: u32,
}

impl<'a> Walk<'a> {
    fn new(level: &'a Level) -> Self {
        let start = DVec3::new(0.0, 0.7, -CIRCLE);
        let room = level.room_ids().next().expect("there is a room");
        let at = At::new(room, level.from_author(AuthorPoint(start)));
        Self {
            level,
            world: World::of(level),
            actors: [Actor::new(BODY, State::at_rest(at))],
            workspace: Workspace::default(),
            events: Vec::new(),
            now: 0,
        }
    }

    fn ticks(&mut self, mut tick: impl FnMut(&mut Self)) {
        (0..TICKS).for_each(|_| tick(self));
    }

    fn tick(&mut self) {
        self.move_movers();
        self.tick_body();
    }

    fn move_movers(&mut self) {
        let (actors, workspace) = (&mut self.actors, &mut self.workspace);
        self.events.clear();
        move_movers(
            self.level,
            &mut self.world,
            actors,
            workspace,
            &mut self.events,
        );
    }

    fn tick_body(&mut self) {
        self.now += 1;
        let angle = SPEED * TICK_SECS / CIRCLE * f64::from(self.now);
        let command = MoveCommand {
            wish: DVec3::new(angle.cos(), 0.0, angle.sin()) * SPEED,
            jump: false,
        };
        let collision = CollisionWorld::new(self.level, &self.world);
        tick(
            &collision,
            &mut self.actors[0],
            &mut self.workspace,
            &command,
        );
    }
}

fn report_beside() {
    let slide = Track::Slide(DVec3::Y * 8.0);
    let turn = Track::Turn {
        pivot: DVec3::ZERO,
        axis: DVec3::Y,
        angle: TAU,
    };
    let scenes = [
        Scene::posts("none", 0, false),
        Scene::posts("100 posts around it at rest", 100, false),
        Scene::rings("100 rings around it, at rest", 100, false),
        Scene::posts("10 posts around it that move", 10, true),
        Scene::rings("10 rings around it that move", 10, true),
        Scene::plate("a lift that it walks on", slide),
        Scene::plate("a turntable that it walks on", turn),
    ];
    // The scenes alternate, so that other load on the machine affects all equally.
    let runs: Vec<Vec<[f64; 2]>> = (0..RUNS)
        .map(|_| scenes.iter().map(Scene::time).collect())
        .collect();
    let median_of = |of: &dyn Fn(&[[f64; 2]]) -> f64| median(runs.iter().map(|r| of(r)).collect());
    let head = [
        "movers",
        "a tick",
        "beside none",
        "with `move_movers`",
        "beside none",
    ];
    let mut lines = vec![head.map(String::from).to_vec()];
    for (i, scene) in scenes.iter().enumerate() {
        let mut line = vec![scene.what.to_owned()];
        for which in 0..2 {
            let time = median_of(&|run| run[i][which]);
            let ratio = median_of(&|run| run[i][which] / run[0][which]);
            line.extend([
                format!("{} ns", nanoseconds(time)),
                format!("{ratio:.2} times"),
            ]);
        }
        lines.push(line);
    }
    table::print("A tick beside movers:", &lines);
}

/// A grid of rooms in which [`DOORS`] evenly spaced doorways have a hinged door that opens and closes.
fn doors() -> Level {
    let mut source = rooms::source(SIDE);
    let step = source.portals.len() / DOORS;
    for i in 0..DOORS {
        let portal = &source.portals[i * step];
        let opening = Aabb::around(portal.triangles.iter().flatten().copied());
        let mut sketch = Sketch::new("door");
        sketch.source.rooms.clone_from(&source.rooms);
        sketch.furniture(portal.room, 0, opening.grown(0.02));
        source.movers.push(MoverSource {
            node: format!("{i:04}-door"),
            meshes: sketch.source.meshes,
            is_door: true,
            track: Track::Turn {
                pivot: opening.min,
                axis: DVec3::Y,
                angle: 1.5,
            },
            drive: Drive {
                ticks: TRACK,
                cycle: Cycle::Shuttle,
                ..Drive::default()
            },
            moved_rooms: Vec::new(),
            moves_with: None,
        });
    }
    build(source).expect("the doors fit").0
}

fn report_doors() {
    const FEW: u32 = 500;
    let level = doors();
    let times = (0..RUNS).map(|_| {
        let mut world = World::of(&level);
        let walker = Walker::new(&level, &world, [SIDE / 2; 2]);
        let mut actors = [walker.actor];
        let mut workspace = Workspace::default();
        let mut events = Vec::new();
        let mut run = || {
            let before = Instant::now();
            for _ in 0..FEW {
                events.clear();
                move_movers(&level, &mut world, &mut actors, &mut workspace, &mut events);
            }
            1e3 * before.elapsed().as_secs_f64() / f64::from(FEW)
        };
        run();
        run()
    });
    let time = median(times.collect());
    let head = ["`move_movers`", "measured", "goal", "reached"];
    let what = format!("{DOORS} moving doors in {} rooms", SIDE * SIDE);
    let line = [
        what,
        format!("{time:.3} ms"),
        "0.2 ms".into(),
        reached(time < 0.2),
    ];
    table::print("Doors:", &[head.map(String::from).to_vec(), line.to_vec()]);
}
