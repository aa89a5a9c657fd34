//! Bodies among doors, lifts, walls and ceilings that move at random: whoever calls them whenever, and
//! however they go, no body loses its gap, leaves the level, or comes to the other side of anything.

use glam::{DMat3, DQuat, DVec3};
use opendoor::game::PLAYER;
use opendoor::geometry::Aabb;
use opendoor::level::sketch::{Sketch, cuboid};
use opendoor::level::{
    At, Cycle, Drive, Key, Level, LinkId, MoverId, MoverSource, Track, WhenBlocked,
};
use opendoor::motion::{
    self, Actor, Body, CollisionWorld, Command, MoverEvent, State, StepSettings, Workspace,
};
use opendoor::world::World;

use crate::oracle::{Corners, Soup};
use crate::rng::Rng;
use crate::shared::built;

/// Halls of a plain run, and of a long one; the ticks in each.
const HALLS: u64 = 40;
const MANY_HALLS: u64 = 5_000;
const TICKS: usize = 200;

/// A hall, or two with a door between them, and what is solid there.
struct Hall {
    level: Level,
    /// The air, author's coordinates.
    air: Aabb,
    fixed: Vec<Corners>,
    /// Boxes of no air: pillars, steps, low ceilings.
    full: Vec<Aabb>,
    movers: Vec<Parts>,
}

/// A mover: its name, its boxes, and whether nothing comes past it.
struct Parts {
    name: String,
    boxes: Vec<Aabb>,
    seals: bool,
}

fn vector(rng: &mut Rng, low: DVec3, high: DVec3) -> DVec3 {
    low + (high - low) * (rng.cube() * 0.5 + 0.5)
}

fn log_between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    (rng.between(low.ln(), high.ln())).exp()
}

fn direction(rng: &mut Rng) -> DVec3 {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    match rng.below(5) {
        0 => DVec3::Y,
        1 | 2 => axes[rng.below(3)],
        _ => rng.cube().normalize_or(DVec3::Z),
    }
}

/// A random track for something about `middle`, and a length of it, metres.
fn track(rng: &mut Rng, middle: DVec3) -> (Track, f64) {
    let near = middle + rng.cube();
    match rng.below(5) {
        0 | 1 => {
            let by = direction(rng) * rng.between(-4.0, 4.0);
            (Track::Slide(by), by.length())
        }
        2 | 3 => {
            let angle = [1.57, -1.9, std::f64::consts::TAU, -3.0, 0.4, 13.0][rng.below(6)];
            let axis = direction(rng);
            let turn = Track::Turn {
                pivot: near,
                axis,
                angle,
            };
            (turn, 2.0 * angle.abs())
        }
        _ => {
            let count = 2 + rng.below(4);
            let mut keys = vec![Key {
                part: 0.0,
                pivot: near,
                offset: DVec3::ZERO,
                rotation: DQuat::IDENTITY,
            }];
            for i in 1..count {
                let turn = DMat3::from_axis_angle(direction(rng), rng.between(-2.0, 2.0));
                keys.push(Key {
                    part: i as f64 / (count - 1) as f64,
                    pivot: near,
                    offset: rng.cube() * 2.0,
                    rotation: DQuat::from_mat3(&turn),
                });
            }
            (Track::Keys(keys), 4.0 * count as f64)
        }
    }
}

fn drive(rng: &mut Rng, length: f64) -> Drive {
    let speed = log_between(rng, 0.02, 100.0);
    let ticks = (60.0 * length / speed).clamp(1.0, 1e6) as u32;
    Drive {
        ticks,
        first_tick: if rng.below(3) > 0 {
            0
        } else {
            rng.below(ticks as usize + 1) as u32
        },
        cycle: [
            Cycle::Call,
            Cycle::Return,
            Cycle::Shuttle,
            Cycle::Loop,
            Cycle::Once,
        ][rng.below(5)],
        wait_ticks: rng.below(20) as u32,
        when_blocked: [WhenBlocked::Reverse, WhenBlocked::Wait, WhenBlocked::Crush][rng.below(3)],
        surface_velocity: if rng.below(6) == 0 {
            (rng.cube() * 5.0).with_y(0.0)
        } else {
            DVec3::ZERO
        },
        ..Drive::default()
    }
}

/// Sizes of the box of a mover: lumps, plates of 1 mm, long panels.
fn size(rng: &mut Rng) -> DVec3 {
    let mut size = vector(rng, DVec3::splat(0.2), DVec3::new(2.0, 2.0, 2.0));
    let thin = rng.below(3);
    match rng.below(3) {
        0 => {}
        1 => size[thin] = 0.001,
        _ => {
            size[thin] = 0.06;
            size[(thin + 1) % 3] = 5.0;
        }
    }
    size
}

impl Hall {
    fn new(rng: &mut Rng) -> Self {
        let high = vector(rng, DVec3::new(1.6, 1.9, 1.6), DVec3::new(6.0, 4.0, 6.0));
        let mut air = Aabb {
            min: DVec3::new(0.0, 0.0, 0.0),
            max: high,
        };
        let mut sketch = Sketch::new("squeeze");
        let inside = air;
        let mut movers = Vec::new();
        let is_double = rng.below(3) == 0;
        if is_double {
            // The opening may be wider than its door.
            let middle = 0.5 * high.z;
            let wide = 0.7;
            let wall = high.x;
            let opening = cuboid([wall, 0.0, middle - wide], [wall, 1.8, middle + wide]);
            let a = sketch.box_room("a", inside, &[opening]);
            air.max.x += 4.0;
            let other = Aabb {
                min: DVec3::new(wall, 0.0, 0.0),
                max: air.max,
            };
            sketch.box_room("b", other, &[opening]);
            sketch.portal(a, "b", opening, DVec3::X);
            let narrow = if rng.below(3) == 0 { 0.5 } else { 0.0 };
            let thick = 0.5 * [0.001, 0.04, 0.3][rng.below(3)];
            let panel = cuboid(
                [wall - thick, 0.0, middle - wide],
                [wall + thick, 1.8 - narrow, middle + wide - narrow],
            );
            let track = if rng.below(3) == 0 {
                Track::Slide([DVec3::Y * 1.7, DVec3::Z * 1.3][rng.below(2)])
            } else {
                Track::Turn {
                    pivot: DVec3::new(wall, 0.0, middle - wide),
                    axis: DVec3::Y,
                    angle: rng.between(-1.9, 1.9),
                }
            };
            let drive = Drive {
                first_tick: 0,
                ..drive(rng, 2.0)
            };
            add(&mut sketch, &mut movers, vec![panel], track, drive, true);
        } else {
            sketch.box_room("a", inside, &[]);
        }
        sketch.spawn(0, DVec3::new(0.15, 1.0, 0.15), DVec3::X);
        let mut full = Vec::new();
        for _ in 0..rng.below(4) {
            let low = vector(rng, DVec3::new(0.3, 0.0, 0.3), high);
            let pillar = match rng.below(3) {
                0 => [low.with_y(0.0), (low + DVec3::splat(0.5)).with_y(high.y)],
                1 => [low.with_y(0.0), (low + DVec3::splat(1.5)).with_y(0.25)],
                _ => [low.with_y(1.2), (low + DVec3::splat(3.0)).with_y(high.y)],
            };
            let pillar = Aabb {
                min: pillar[0],
                max: pillar[1].min(high),
            };
            if (pillar.max - pillar.min).min_element() > 0.05 {
                sketch.furniture(0, 0, pillar);
                full.push(pillar);
            }
        }
        let fixed = corners(&sketch.source.meshes);
        let count = 1 + rng.below(6);
        while movers.len() < count {
            let seals = !is_double && rng.below(6) == 0;
            let (boxes, track, length) = if seals {
                let [at, thick] = [rng.between(0.0, high.x), [0.001, 0.2][rng.below(2)]];
                let wall = cuboid([at, -0.3, -0.3], [at + thick, high.y + 0.3, high.z + 0.3]);
                let by = rng.between(-high.x, high.x);
                (vec![wall], Track::Slide(DVec3::X * by), by.abs())
            } else {
                let middle = vector(rng, DVec3::ZERO, high);
                let boxes = (0..=rng.below(3)).map(|_| {
                    let (middle, half) = (middle + rng.cube() * 0.5, size(rng) * 0.5);
                    Aabb {
                        min: middle - half,
                        max: middle + half,
                    }
                });
                let boxes: Vec<Aabb> = boxes.collect();
                let (track, length) = track(rng, middle);
                (boxes, track, length)
            };
            let swept = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(*b));
            // One that stands out through the wall is not met behind it.
            if is_double && track.sweep(&swept).max.x > high.x - 0.05 {
                if rng.below(20) == 0 {
                    break;
                }
                continue;
            }
            let drive = drive(rng, length);
            add(&mut sketch, &mut movers, boxes, track, drive, false);
            movers.last_mut().unwrap().seals = seals;
        }
        let level = built(sketch.source);
        assert_eq!(level.origin, DVec3::ZERO);
        Self {
            fixed,
            level,
            air,
            full,
            movers,
        }
    }
}

fn add(
    sketch: &mut Sketch,
    movers: &mut Vec<Parts>,
    boxes: Vec<Aabb>,
    track: Track,
    drive: Drive,
    is_door: bool,
) {
    let before = sketch.source.meshes.len();
    for part in &boxes {
        sketch.furniture(0, 0, *part);
    }
    let name = format!(
        "m{}-{}",
        movers.len(),
        if is_door { "door" } else { "mover" }
    );
    let meshes = sketch.source.meshes.split_off(before);
    sketch.source.movers.push(MoverSource {
        node: name.clone(),
        meshes,
        is_door,
        track,
        drive,
        moved_rooms: Vec::new(),
        moves_with: None,
    });
    movers.push(Parts {
        name,
        boxes,
        seals: false,
    });
}

/// The triangles of meshes as the level has them.
fn corners(meshes: &[opendoor::level::MeshSource]) -> Vec<Corners> {
    let triangles = meshes
        .iter()
        .flat_map(|mesh| mesh.positions.chunks_exact(3));
    let rounded = |p: DVec3| p.as_vec3().as_dvec3();
    triangles.map(|c| [c[0], c[1], c[2]].map(rounded)).collect()
}

fn body(rng: &mut Rng) -> Body {
    let radius = log_between(rng, 0.05, 0.6);
    let shape = rng.below(3);
    Body {
        radius,
        segment_length: if shape == 0 {
            0.0
        } else {
            rng.between(0.2, 4.0) * radius
        },
        step_settings: if shape == 2 {
            StepSettings {
                max_drop: [f64::INFINITY, 0.3][rng.below(2)],
                ..PLAYER.step_settings
            }
        } else {
            StepSettings::OFF
        },
        ..PLAYER
    }
}

/// A run through a hall: the bodies and what they meet.
struct Squeeze<'a> {
    hall: &'a Hall,
    world: World,
    actors: Vec<Actor>,
    workspace: Workspace,
    events: Vec<MoverEvent>,
    /// How often a body could not get out of a mover's way, and ticks of bodies that ride.
    blocked: usize,
    ridden: usize,
    /// For each mover of the level which of the hall's it is, and its triangles.
    movers: Vec<(usize, Vec<Corners>)>,
}

/// Where a body was in its hall, and in the coordinates of each mover.
struct Before {
    centre: DVec3,
    on_movers: Vec<DVec3>,
}

impl<'a> Squeeze<'a> {
    fn new(hall: &'a Hall, rng: &mut Rng) -> Self {
        let level = &hall.level;
        let movers = level.movers.iter().map(|mover| {
            let index = hall.movers.iter().position(|m| m.name == mover.name);
            let triangles = level.solids.of(&mover.solids);
            (
                index.unwrap(),
                triangles.map(|s| s.triangle().corners).collect(),
            )
        });
        let mut squeeze = Self {
            hall,
            world: World::of(level),
            actors: Vec::new(),
            workspace: Workspace::default(),
            events: Vec::new(),
            blocked: 0,
            ridden: 0,
            movers: movers.collect(),
        };
        for _ in 0..=rng.below(3) {
            let body = body(rng);
            let soup = squeeze.soup();
            for _ in 0..100 {
                let point = vector(rng, hall.air.min, hall.air.max);
                let room = opendoor::level::locate(level, point);
                let Some(room) = room else { continue };
                let actor = Actor::new(body, State::at_rest(At::new(room, point)));
                if squeeze.fault(&soup, &actor).is_none() {
                    squeeze.actors.push(actor);
                    break;
                }
            }
        }
        squeeze
    }

    /// All that is solid now.
    fn soup(&self) -> Soup {
        let level = &self.hall.level;
        let posed = self
            .movers
            .iter()
            .enumerate()
            .flat_map(|(i, (_, triangles))| {
                let pose = self.world.pose(MoverId(i as u32));
                triangles.iter().map(move |t| t.map(|p| pose.point(p)))
            });
        let closed = self.world.closed().flat_map(|link| {
            let portal = level.portal(level.link(link).portal);
            portal.polygon.triangles().map(|t| t.corners)
        });
        Soup::new(self.hall.fixed.iter().copied().chain(posed).chain(closed))
    }

    /// What is wrong with where a body is.
    fn fault(&self, soup: &Soup, actor: &Actor) -> Option<String> {
        let low = actor.state.at.point;
        let high = low + DVec3::Y * actor.body.segment_length;
        let gap = soup.distance(low, high) - actor.body.radius;
        if gap.is_nan() || gap <= 0.0 {
            return Some(format!("gap {gap:e} of {}", actor.body.radius));
        }
        if !self.hall.air.contains(low) || !self.hall.air.contains(high) {
            return Some("out of the level".to_owned());
        }
        if self.hall.full.iter().any(|pillar| pillar.contains(low)) {
            return Some("in a pillar".to_owned());
        }
        for (i, (index, _)) in self.movers.iter().enumerate() {
            let point = self.world.pose(MoverId(i as u32)).inverse().point(low);
            let parts = &self.hall.movers[*index];
            if parts.boxes.iter().any(|part| part.contains(point)) {
                return Some(format!("in {}", parts.name));
            }
        }
        None
    }

    fn before(&self, actor: &Actor) -> Before {
        let centre = actor.state.at.point;
        let on = (0..self.movers.len())
            .map(|i| self.world.pose(MoverId(i as u32)).inverse().point(centre));
        Before {
            centre,
            on_movers: on.collect(),
        }
    }

    /// What is wrong with how a body came from there to where it is.
    fn passed(&self, before: &Before, actor: &Actor, moved: &[f64]) -> Option<String> {
        let now = self.before(actor);
        let pieces = actor.report.carried.iter().chain(&actor.report.path);
        let (mut way, mut end) = (0.0, before.centre);
        for piece in pieces {
            let crosses = |t: &&Corners| crosses(piece.from.point, piece.to, t);
            if piece.from.point.distance(end) > 1e-9 {
                return Some("its path has a hole".to_owned());
            }
            if self.hall.fixed.iter().any(|t| crosses(&t)) {
                return Some("through a wall".to_owned());
            }
            (way, end) = (way + piece.length(), piece.to);
        }
        if end.distance(now.centre) > 1e-9 {
            return Some(format!(
                "its path ends elsewhere, {:e}",
                end.distance(now.centre)
            ));
        }
        for (i, (index, triangles)) in self.movers.iter().enumerate() {
            let [from, to] = [before.on_movers[i], now.on_movers[i]];
            let parts = &self.hall.movers[*index];
            // Around an edge it is half a turn at least.
            let is_short = way + moved[i] < 3.0 * actor.body.radius;
            if (parts.seals || is_short) && triangles.iter().any(|t| crosses(from, to, t)) {
                return Some(format!("through {}", parts.name));
            }
        }
        None
    }

    /// One tick; what is wrong after it, with the body.
    fn tick(&mut self, commands: &[Command]) -> Option<String> {
        let level = &self.hall.level;
        let before: Vec<Before> = self.actors.iter().map(|a| self.before(a)).collect();
        let poses: Vec<_> = (0..self.movers.len() as u32)
            .map(|i| *self.world.pose(MoverId(i)))
            .collect();
        self.blocked += self
            .events
            .iter()
            .filter(|e| matches!(e, MoverEvent::Blocked(..)))
            .count();
        self.ridden += self
            .actors
            .iter()
            .filter(|a| a.state.rides.is_some())
            .count();
        self.events.clear();
        let (actors, workspace) = (&mut self.actors, &mut self.workspace);
        motion::move_movers(level, &mut self.world, actors, workspace, &mut self.events);
        let moved: Vec<f64> = poses
            .iter()
            .zip(&self.movers)
            .enumerate()
            .map(|(i, (from, (_, triangles)))| {
                let to = self.world.pose(MoverId(i as u32));
                let corners = triangles.iter().flatten();
                let far = corners.map(|&p| from.point(p).distance(to.point(p)));
                // More along an arc; a body may be farther from the axis than any corner.
                4.0 * far.fold(0.0, f64::max)
            })
            .collect();
        let soup = self.soup();
        for (i, actor) in self.actors.iter().enumerate() {
            if let Some(fault) = self.fault(&soup, actor) {
                return Some(format!("body {i} after the movers: {fault}"));
            }
        }
        let collision = CollisionWorld::new(level, &self.world);
        for (actor, command) in self.actors.iter_mut().zip(commands) {
            motion::tick(&collision, actor, &mut self.workspace, command);
        }
        for (i, actor) in self.actors.iter().enumerate() {
            let fault = self.fault(&soup, actor);
            if let Some(fault) = fault.or_else(|| self.passed(&before[i], actor, &moved)) {
                return Some(format!("body {i}: {fault}"));
            }
        }
        None
    }

    /// Calls a mover now and then, and opens or shuts the door.
    fn call(&mut self, rng: &mut Rng) {
        if rng.below(25) == 0 {
            self.world
                .call(MoverId(rng.below(self.movers.len()) as u32));
        }
        if rng.below(25) == 0 && !self.hall.level.links.is_empty() {
            let (level, link) = (&self.hall.level, LinkId(0));
            if rng.below(2) == 0 {
                self.world.open(link);
            } else {
                let bodies = self.actors.iter().map(|a| (&a.body, &a.state));
                let _ = motion::close_link(level, &mut self.world, link, bodies);
            }
        }
    }
}

/// Whether a segment goes through a triangle.
fn crosses(from: DVec3, to: DVec3, [a, b, c]: &Corners) -> bool {
    let normal = (b - a).cross(c - a);
    let [low, high] = [from, to].map(|p| (p - a).dot(normal));
    if low * high >= 0.0 {
        return false;
    }
    let at = from + (to - from) * (low / (low - high));
    [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(p, q)| (*q - *p).cross(at - *p).dot(normal) > 0.0)
}

/// Plays a hall; returns how many ticks its bodies did, in how many they rode, and how often a mover was
/// blocked; or what went wrong.
fn play(seed: u64, ticks: usize) -> Result<[usize; 3], String> {
    let mut rng = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let hall = Hall::new(&mut rng);
    let mut squeeze = Squeeze::new(&hall, &mut rng);
    let mut commands = vec![Command::default(); squeeze.actors.len()];
    for tick in 0..ticks {
        squeeze.call(&mut rng);
        for command in &mut commands {
            if rng.below(30) == 0 {
                let speed = [0.0, 1.0, 4.0, 8.0][rng.below(4)];
                command.wish = rng.cube().with_y(0.0).normalize_or_zero() * speed;
            }
            command.jump = rng.below(40) == 0;
        }
        if let Some(fault) = squeeze.tick(&commands) {
            return Err(format!("seed {seed}, tick {tick}: {fault}"));
        }
    }
    Ok([
        ticks * squeeze.actors.len(),
        squeeze.ridden,
        squeeze.blocked,
    ])
}

fn play_all(seeds: std::ops::Range<u64>) {
    let (mut faults, mut done) = (Vec::new(), [0; 3]);
    for seed in seeds.clone() {
        match play(seed, TICKS) {
            Ok(counts) => (0..3).for_each(|i| done[i] += counts[i]),
            Err(fault) => faults.push(fault),
        }
    }
    let [ticks, ridden, blocked] = done;
    let some = faults.len().min(40);
    assert!(
        faults.is_empty(),
        "{} halls: {:#?}",
        faults.len(),
        &faults[..some]
    );
    let halls = (seeds.end - seeds.start) as usize;
    assert!(ticks > TICKS * halls && ridden > 5 * halls && blocked > halls / 4);
}

#[test]
fn nobody_among_movers_loses_its_gap_or_comes_through_anything() {
    play_all(0..HALLS);
}

#[test]
#[ignore = "two million ticks of random squeezes: a minute in release"]
fn nobody_among_movers_loses_its_gap_in_a_million_ticks() {
    play_all(HALLS..HALLS + MANY_HALLS);
}

/// In a wedge of what moved it was pushed to and fro, and left deeper in it than it had been.
#[test]
fn who_lacks_a_part_of_its_gap_in_a_wedge_loses_no_more_of_it() {
    assert_eq!(play(104_292, TICKS).err(), None);
}

/// A mover that has turned all the way round stands upright but for rounding: a capsule sank into its edges.
#[test]
fn a_capsule_meets_what_leans_by_rounding_alone() {
    assert_eq!(play(938, TICKS).err(), None);
}
