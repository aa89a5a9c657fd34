//! Bodies in, on and around cabins that move at random: lifts, trains, turning rooms, with doors, landings and shells.
//! For any calls at any time, no body loses its gap, leaves the level, or is assigned to a room that does not contain
//! it; and caches do not affect the result.

use glam::{DQuat, DVec3};
use opendoor::author::sketch::{Sketch, SketchOpening, cuboid};
use opendoor::collision::CollisionWorld;
use opendoor::game::PLAYER;
use opendoor::geometry::Aabb;
use opendoor::level::{
    At, Cycle, Drive, Level, LinkId, MoverId, RoomId, Track, TrackKey, WhenBlocked,
};
use opendoor::motion::{
    self, Actor, Body, MoveCommand, MoverEvent, PathSegment, State, StepSettings, Workspace,
    clearance,
};
use opendoor::source::MoverSource;
use opendoor::world::World;

use crate::rng::Rng;
use crate::shared::built;

/// Number of levels of a plain run.
const LEVELS: u64 = 40;
/// Number of levels of a long run.
const MANY_LEVELS: u64 = 4_000;
/// Ticks of each level.
const TICKS: usize = 200;

/// Distance of a shell from the walls of its cabin, and the shell's thickness, metres.
const SHELL: [f64; 2] = [0.015625, 0.046875];

/// Width of the frames of openings, metres.
const FRAME: f64 = 0.0625;

/// Tolerance of the check that a body is inside the room to which it is assigned, in the plane of an opening, metres.
const IN_PLANE: f64 = 1e-6;

/// Step of which all lengths are multiples, so that none is rounded, metres.
const STEP: f64 = 1.0 / 64.0;

/// A level with a cabin in a shaft.
struct Stage {
    level: Level,
    cabin: RoomId,
    mover: MoverId,
    /// The inside of each room, for the cabin in its authored pose.
    air: Vec<Aabb>,
    /// The movers in the cabin, and its doors.
    others: Vec<MoverId>,
    /// Whether the cabin has a shell. Without a shell a body beside the cabin could get inside through its walls, so
    /// bodies start in the cabin.
    has_shell: bool,
    /// Solid boxes in the cabin: furniture, and the box of a mover in the mover's coordinates.
    full: Vec<(Aabb, Option<MoverId>)>,
}

fn rounded(length: f64) -> f64 {
    (length / STEP).round() * STEP
}

fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    rounded(rng.between(low, high))
}

fn log_between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    rng.between(low.ln(), high.ln()).exp()
}

fn drive(rng: &mut Rng, length: f64) -> Drive {
    let speed = log_between(rng, 0.1, 60.0);
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
        ..Drive::default()
    }
}

/// A track for a cabin around `middle`, and its approximate length, metres.
fn track(rng: &mut Rng, middle: DVec3) -> (Track, f64) {
    match rng.below(5) {
        0 => {
            let rise = between(rng, -8.0, 8.0);
            (Track::Slide(DVec3::Y * rise), rise.abs())
        }
        1 => {
            let along = [DVec3::X, DVec3::Z][rng.below(2)];
            let by = between(rng, -60.0, 60.0);
            (Track::Slide(along * by), by.abs())
        }
        2 => {
            let by = DVec3::new(
                between(rng, -4.0, 4.0),
                between(rng, -2.0, 2.0),
                between(rng, -4.0, 4.0),
            );
            (Track::Slide(by), by.length())
        }
        3 => {
            let angle = [1.57, -1.9, std::f64::consts::TAU, -3.0, 0.4, 13.0][rng.below(6)];
            let off = if rng.below(2) == 0 { 0.0 } else { 3.0 };
            let turn = Track::Turn {
                pivot: middle + rng.cube() * off,
                axis: [DVec3::Y, DVec3::NEG_Y][rng.below(2)],
                angle,
            };
            (turn, (2.0 + off) * angle.abs())
        }
        _ => {
            let count = 2 + rng.below(3);
            let mut keys = vec![TrackKey {
                part: 0.0,
                pivot: middle,
                offset: DVec3::ZERO,
                rotation: DQuat::IDENTITY,
            }];
            let turns = rng.below(2) == 0;
            for i in 1..count {
                let angle = if turns { rng.between(-2.0, 2.0) } else { 0.0 };
                keys.push(TrackKey {
                    part: i as f64 / (count - 1) as f64,
                    pivot: middle,
                    offset: rng.cube() * 2.0,
                    rotation: DQuat::from_xyzw(0.0, (0.5 * angle).sin(), 0.0, (0.5 * angle).cos()),
                });
            }
            (Track::Keys(keys), 4.0 * count as f64)
        }
    }
}

/// A random opening in the side of a box at the maximum or the minimum of an axis. It may begin at the floor, and is
/// away from the side's other edges.
fn opening(rng: &mut Rng, of: &Aabb, axis: usize, is_max: bool) -> SketchOpening {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut opening = *of;
    let at = if is_max { of.max[axis] } else { of.min[axis] };
    (opening.min[axis], opening.max[axis]) = (at, at);
    for k in [u, v] {
        let (low, high) = (of.min[k] + 0.125, of.max[k] - 0.125);
        let wide = between(rng, 0.375, 2.0).min(high - low);
        let from = rounded(rng.between(low, high - wide));
        (opening.min[k], opening.max[k]) = (from, from + wide);
        if k == 1 && rng.below(2) == 0 {
            opening.min.y = of.min.y;
        }
    }
    opening
}

/// Boxes around an opening: the rest of the slab `all` without the opening.
fn around(all: &Aabb, opening: Option<&SketchOpening>, axis: usize) -> Vec<Aabb> {
    let Some(hole) = opening else {
        return vec![*all];
    };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut parts = Vec::new();
    let (mut low, mut high) = (*all, *all);
    low.max[u] = hole.min[u];
    high.min[u] = hole.max[u];
    parts.extend([low, high]);
    let mut middle = *all;
    (middle.min[u], middle.max[u]) = (hole.min[u], hole.max[u]);
    let (mut low, mut high) = (middle, middle);
    low.max[v] = hole.min[v];
    high.min[v] = hole.max[v];
    parts.extend([low, high]);
    parts.retain(|part| (part.max - part.min).min_element() > 0.0);
    parts
}

/// The frame of an opening, inside of the room.
fn frame(of: &Aabb, opening: &SketchOpening, axis: usize, is_max: bool) -> Vec<Aabb> {
    let mut all = opening.grown(FRAME);
    let at = opening.min[axis];
    let deep = if is_max {
        [at - FRAME, at]
    } else {
        [at, at + FRAME]
    };
    (all.min[axis], all.max[axis]) = (deep[0], deep[1]);
    all.min = all.min.max(of.min);
    all.max = all.max.min(of.max);
    around(&all, Some(opening), axis)
}

/// The inside of a hall behind an opening in a wall.
fn hall(landing: &SketchOpening, axis: usize, is_max: bool) -> Aabb {
    let mut inside = landing.grown(1.0);
    let at = landing.min[axis];
    let deep = if is_max {
        [at, at + 3.0]
    } else {
        [at - 3.0, at]
    };
    (inside.min[axis], inside.max[axis]) = (deep[0], deep[1]);
    inside.min.y = landing.min.y;
    inside
}

impl Stage {
    fn new(rng: &mut Rng) -> Self {
        let mut sketch = Sketch::new("moving rooms");
        let half = DVec3::new(
            between(rng, 0.75, 2.0),
            between(rng, 0.75, 1.5),
            between(rng, 0.75, 2.0),
        );
        let mut cabin_air = cuboid([0.0; 3], [0.0; 3]);
        (cabin_air.min, cabin_air.max) = (-half, half);
        let middle = DVec3::ZERO;
        let (way, length) = track(rng, middle);
        let drive = drive(rng, length);
        let is_slide = matches!(way, Track::Slide(_));
        let is_along = |axis: usize| matches!(&way, Track::Slide(by) if by[axis] == by.length().copysign(by[axis]));
        let has_shell = !(0..3).any(is_along) || rng.below(4) > 0;
        let mut sides: Vec<(usize, bool)> = (0..3).flat_map(|a| [(a, false), (a, true)]).collect();
        rng.shuffle(&mut sides);
        let mut count = 1 + rng.below(4);
        if !has_shell {
            // Without a shell the cabin fills its shaft, so the openings face the shaft's walls.
            let Track::Slide(by) = &way else { panic!() };
            sides.retain(|(axis, _)| by[*axis] == 0.0);
            count = count.min(sides.len());
        }
        sides.truncate(count);
        let openings: Vec<SketchOpening> = sides
            .iter()
            .map(|&(axis, is_max)| opening(rng, &cabin_air, axis, is_max))
            .collect();
        // The shaft contains the swept bounds of the cabin.
        let outside = if has_shell {
            cabin_air.grown(SHELL[0] + SHELL[1])
        } else {
            cabin_air
        };
        let swept = way.sweep(&outside);
        let mut shaft_air = swept;
        for axis in 0..3 {
            for is_max in [false, true] {
                let most = if has_shell && rng.below(4) == 0 {
                    3.0
                } else if has_shell {
                    log_between(rng, 0.02, 0.5)
                } else {
                    0.02
                };
                let play = (most / STEP).ceil() * STEP;
                if is_max {
                    shaft_air.max[axis] = (swept.max[axis] / STEP).ceil() * STEP + play;
                } else {
                    shaft_air.min[axis] = (swept.min[axis] / STEP).floor() * STEP - play;
                }
            }
        }
        let mut shaft_openings: Vec<(SketchOpening, Aabb, usize, bool)> = Vec::new();
        let end = way.pose(1.0);
        for (&(axis, is_max), hole) in sides.iter().zip(&openings) {
            for moved in [DVec3::ZERO, end.translation()] {
                let is_straight = moved == DVec3::ZERO || is_slide;
                if axis == 1 || !has_shell || !is_straight || rng.below(3) == 0 {
                    continue;
                }
                let mut landing = *hole;
                (landing.min, landing.max) = (landing.min + moved, landing.max + moved);
                let at = if is_max {
                    shaft_air.max[axis]
                } else {
                    shaft_air.min[axis]
                };
                (landing.min[axis], landing.max[axis]) = (at, at);
                let inside = hall(&landing, axis, is_max);
                let is_free = |(_, other, ..): &(SketchOpening, Aabb, usize, bool)| {
                    !other.grown(0.125).overlaps(&inside)
                };
                if shaft_openings.iter().all(is_free) {
                    shaft_openings.push((landing, inside, axis, is_max));
                }
            }
        }
        let holes: Vec<SketchOpening> = shaft_openings.iter().map(|(o, ..)| *o).collect();
        let shaft = sketch.box_room("shaft", shaft_air, &holes);
        let mut air = vec![("shaft".to_owned(), shaft_air)];
        for (index, (landing, inside, axis, is_max)) in shaft_openings.iter().enumerate() {
            let name = format!("hall{index}");
            let hall = sketch.box_room(&name, *inside, &[*landing]);
            let mut out = DVec3::ZERO;
            out[*axis] = if *is_max { -1.0 } else { 1.0 };
            sketch.portal(hall, "shaft", *landing, out);
            air.push((name, *inside));
        }
        let cabin = sketch.box_room("cabin", cabin_air, &openings);
        air.push(("cabin".to_owned(), cabin_air));
        for (&(axis, is_max), hole) in sides.iter().zip(&openings) {
            let mut out = DVec3::ZERO;
            out[axis] = if is_max { 1.0 } else { -1.0 };
            sketch.portal(cabin, "shaft", *hole, out);
            for part in frame(&cabin_air, hole, axis, is_max) {
                sketch.furniture(cabin, 0, part);
            }
        }
        let mut full = Vec::new();
        if rng.below(3) == 0 {
            // A solid box to stand on and to collide with.
            let low = cabin_air.min + half * rng.unit();
            let mut part = cabin_air;
            (part.min, part.max) = (low, low + DVec3::new(0.5, 0.3, 0.4));
            part.min.y = cabin_air.min.y;
            sketch.furniture(cabin, 0, part);
            full.push((part, None));
        }
        let before = sketch.source.meshes.len();
        if has_shell {
            for axis in 0..3 {
                for is_max in [false, true] {
                    let mut slab = outside;
                    let at = if is_max {
                        cabin_air.max[axis]
                    } else {
                        cabin_air.min[axis]
                    };
                    let [near, far] = [SHELL[0], SHELL[0] + SHELL[1]];
                    let deep = if is_max {
                        [at + near, at + far]
                    } else {
                        [at - far, at - near]
                    };
                    (slab.min[axis], slab.max[axis]) = (deep[0], deep[1]);
                    let hole = sides.iter().position(|side| *side == (axis, is_max));
                    for part in around(&slab, hole.map(|i| &openings[i]), axis) {
                        sketch.furniture(shaft, 0, part);
                    }
                }
            }
        }
        let meshes = sketch.source.meshes.split_off(before);
        sketch.source.movers.push(MoverSource {
            node: "cabin-mover".to_owned(),
            meshes,
            is_door: false,
            track: way,
            drive,
            moved_rooms: vec![cabin],
            moves_with: None,
        });
        let inner = add_others(rng, &mut sketch, cabin, &cabin_air, (&sides, &openings));
        sketch.spawn(cabin, cabin_air.centre(), DVec3::X);
        let level = built(sketch.source);
        assert_eq!(level.origin, DVec3::ZERO);
        let cabin = level.room_named("cabin").unwrap();
        let of_room = |room: RoomId| {
            let name = &level.room(room).name;
            air.iter().find(|(of, _)| of == name).unwrap().1
        };
        let air = level.room_ids().map(of_room).collect();
        let ids = || (0..).map(MoverId).zip(&level.movers);
        let by_name = |name: &str| ids().find(|(_, m)| m.name == name).map(|(id, _)| id);
        let mover = by_name("cabin-mover").unwrap();
        full.extend(inner.map(|part| (part, by_name("inner-mover"))));
        let others = ids().map(|(id, _)| id).filter(|id| *id != mover).collect();
        Self {
            cabin,
            mover,
            air,
            others,
            has_shell,
            full,
            level,
        }
    }
}

/// Adds doors to some openings of a cabin, and possibly a mover inside of it.
fn add_others(
    rng: &mut Rng,
    sketch: &mut Sketch,
    cabin: usize,
    air: &Aabb,
    (sides, openings): (&[(usize, bool)], &[SketchOpening]),
) -> Option<Aabb> {
    for (index, (&(axis, is_max), hole)) in sides.iter().zip(openings).enumerate() {
        if rng.below(3) > 0 {
            continue;
        }
        let mut panel = *hole;
        panel.min[axis] -= STEP;
        panel.max[axis] += STEP;
        let before = sketch.source.meshes.len();
        sketch.furniture(cabin, 0, panel);
        let meshes = sketch.source.meshes.split_off(before);
        let node = format!("d{index}-door");
        let along = (axis + 1 + rng.below(2)) % 3;
        let track = match rng.below(3) {
            0 => Track::Vanish,
            1 => {
                let mut by = DVec3::ZERO;
                let wide = hole.max[along] - hole.min[along];
                // The door slides into no wall.
                let [up, down] = [
                    air.max[along] - hole.max[along],
                    air.min[along] - hole.min[along],
                ];
                by[along] = if up > -down {
                    up.min(wide)
                } else {
                    down.max(-wide)
                };
                Track::Slide(by)
            }
            _ => {
                let mut hinge = DVec3::ZERO;
                hinge[along] = 1.0;
                let mut pivot = hole.min;
                pivot[axis] += if is_max { -STEP } else { STEP };
                let inwards = {
                    let mut away = hole.centre() - pivot;
                    away[along] = 0.0;
                    let turned = hinge.cross(away)[axis];
                    if (turned > 0.0) == is_max { -1.0 } else { 1.0 }
                };
                Track::Turn {
                    pivot,
                    axis: hinge,
                    angle: 1.5 * inwards,
                }
            }
        };
        let mut door = MoverSource::vanishing_door(node, meshes);
        if track != Track::Vanish {
            door.drive = Drive {
                first_tick: 0,
                ..drive(rng, 2.0)
            };
        }
        door.track = track;
        sketch.source.movers.push(door);
    }
    (rng.below(4) == 0).then(|| {
        let half = (air.max - air.min) * 0.5;
        let middle = air.centre() + half * 0.5 * rng.cube();
        let size = DVec3::new(0.25, 0.125, 0.25);
        let mut part = *air;
        (part.min, part.max) = (middle - size, middle + size);
        part.min = part.min.max(air.min + DVec3::splat(STEP));
        part.max = part.max.min(air.max - DVec3::splat(STEP));
        let before = sketch.source.meshes.len();
        sketch.furniture(cabin, 0, part);
        let meshes = sketch.source.meshes.split_off(before);
        let by = if rng.below(2) == 0 {
            DVec3::Y * (air.max.y - part.max.y - STEP)
        } else {
            DVec3::X * (air.max.x - part.max.x - STEP)
        };
        sketch.source.movers.push(MoverSource {
            node: "inner-mover".to_owned(),
            meshes,
            is_door: false,
            drive: drive(rng, 2.0),
            track: Track::Slide(by),
            moved_rooms: Vec::new(),
            moves_with: None,
        });
        part
    })
}

fn body(rng: &mut Rng) -> Body {
    let radius = log_between(rng, 0.05, 0.5);
    let shape = rng.below(3);
    Body {
        radius,
        segment_length: if shape == 0 {
            0.0
        } else {
            rng.between(0.2, 3.0) * radius
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

/// A run: the world, the bodies in it, and the counted events.
struct Run<'a> {
    stage: &'a Stage,
    world: World,
    actors: Vec<Actor>,
    /// For each body the number of ticks without a wish in which its state did not change.
    rests: Vec<usize>,
    workspace: Workspace,
    events: Vec<MoverEvent>,
    counts: Counts,
}

/// Counts of a run. All except `blocked` are body ticks: in total, in a moving cabin, at rest in a moving cabin, with a
/// crossing of one of the cabin's openings, and riding the cabin. `blocked` counts blocked movers.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    ticks: usize,
    inside: usize,
    rested: usize,
    crossed: usize,
    blocked: usize,
    rode: usize,
}

impl<'a> Run<'a> {
    fn new(stage: &'a Stage, rng: &mut Rng) -> Self {
        let mut run = Self {
            stage,
            world: World::of(&stage.level),
            actors: Vec::new(),
            rests: Vec::new(),
            workspace: Workspace::default(),
            events: Vec::new(),
            counts: Counts::default(),
        };
        for _ in 0..=rng.below(6) {
            let body = body(rng);
            for _ in 0..60 {
                let at = run.place(rng);
                let actor = Actor::new(body, State::at_rest(at));
                if run.fault(&actor).is_none() {
                    run.actors.push(actor);
                    break;
                }
            }
        }
        run.rests = vec![0; run.actors.len()];
        run
    }

    /// A random position: in the cabin, beside it, on its roof, in one of its openings, or in any room.
    fn place(&self, rng: &mut Rng) -> At {
        let stage = self.stage;
        let pose = self.world.pose(stage.mover);
        let cabin = stage.air[stage.cabin.0 as usize];
        let within =
            |rng: &mut Rng, of: Aabb| of.min + (of.max - of.min) * (rng.cube() * 0.5 + 0.5);
        let shaft = stage.level.room_named("shaft").unwrap();
        match rng.below(if stage.has_shell { 5 } else { 2 }) {
            0 | 1 => At::new(stage.cabin, within(rng, cabin)),
            2 => {
                let near = within(rng, cabin.grown(1.0));
                let room = if cabin.contains(near) {
                    return At::new(stage.cabin, near);
                } else {
                    shaft
                };
                At::new(room, pose.point(near))
            }
            3 => {
                let portals: Vec<_> = stage.level.portals_of(stage.cabin).collect();
                let (_, portal) = &portals[rng.below(portals.len())];
                At::new(stage.cabin, within(rng, portal.bounds.grown(0.1)))
            }
            _ => {
                let room = RoomId(rng.below(stage.air.len()) as u32);
                At::new(room, within(rng, stage.air[room.0 as usize]))
            }
        }
    }

    /// The error in the position of a body, if any.
    fn fault(&self, actor: &Actor) -> Option<String> {
        let Actor { body, state, .. } = actor;
        let stage = self.stage;
        let collision = CollisionWorld::new(&stage.level, &self.world);
        let still = PathSegment::still(state.at);
        let reach = body.radius + 0.02;
        let gap = clearance(&collision, &still, body.segment_length, reach) - body.radius;
        let name = &stage.level.room(state.at.room).name;
        let At { room, point } = state.at;
        if gap.is_nan() || gap <= 0.0 {
            return Some(format!(
                "gap {gap:e} of {} in {name} at {point}",
                body.radius
            ));
        }
        if !point.is_finite() || !state.walk.is_finite() || !state.fall.is_finite() {
            return Some("not a number".to_owned());
        }
        if !stage.air[room.0 as usize].grown(IN_PLANE).contains(point) {
            return Some(format!("out of {name} at {point}"));
        }
        for (part, mover) in stage.full.iter().filter(|_| room == stage.cabin) {
            let point = mover.map_or(point, |id| self.world.pose(id).point_from(point));
            if part.grown(-IN_PLANE).contains(point) {
                return Some(format!("in something solid at {point}"));
            }
        }
        let cabin = stage.air[stage.cabin.0 as usize].grown(-IN_PLANE);
        let shaft = stage.level.room_named("shaft");
        if Some(room) == shaft {
            let on_cabin = self.world.pose(stage.mover).point_from(point);
            if cabin.contains(on_cabin) {
                return Some(format!(
                    "in the cabin at {on_cabin}, but its room is {name}"
                ));
            }
        }
        None
    }

    /// Whether no other mover moves in the cabin of a body, and no opening is near.
    fn is_alone(&self, actor: &Actor) -> bool {
        let stage = self.stage;
        let low = actor.state.at.point;
        let up = DVec3::Y * actor.body.segment_length;
        let around = Aabb::around([low, low + up]).grown(2.0 * actor.body.radius + 0.2);
        let mut portals = stage.level.portals_of(stage.cabin);
        actor.state.at.room == stage.cabin
            && portals.all(|(_, portal)| !portal.bounds.overlaps(&around))
            && stage.others.iter().all(|&id| !self.world.mover(id).moves())
    }

    /// Runs a tick; returns the first error after it, with the body.
    fn tick(&mut self, commands: &[MoveCommand]) -> Option<String> {
        let stage = self.stage;
        let level = &stage.level;
        let before: Vec<State> = self.actors.iter().map(|a| a.state).collect();
        let alone: Vec<bool> = self.actors.iter().map(|a| self.is_alone(a)).collect();
        let was = *self.world.pose(stage.mover);
        self.events.clear();
        let (actors, workspace) = (&mut self.actors, &mut self.workspace);
        motion::move_movers(level, &mut self.world, actors, workspace, &mut self.events);
        for (i, actor) in self.actors.iter().enumerate() {
            if let Some(fault) = self.fault(actor) {
                return Some(format!("body {i} after the movers: {fault}"));
            }
        }
        let collision = CollisionWorld::new(level, &self.world);
        for (actor, command) in self.actors.iter_mut().zip(commands) {
            motion::tick(&collision, actor, &mut self.workspace, command);
        }
        let moves = was != *self.world.pose(stage.mover);
        let blocked = self.events.iter();
        let blocked = blocked.filter(|e| matches!(e, MoverEvent::Blocked(..)));
        self.counts.blocked += blocked.count();
        for (i, actor) in self.actors.iter().enumerate() {
            if let Some(fault) = self.fault(actor) {
                return Some(format!("body {i}: {fault}"));
            }
            let is_inside = actor.state.at.room == stage.cabin;
            let was_inside = before[i].at.room == stage.cabin;
            self.counts.ticks += 1;
            self.counts.inside += usize::from(is_inside && moves);
            self.counts.crossed += usize::from(is_inside != was_inside);
            self.counts.rode += usize::from(actor.state.rides == Some(stage.mover));
            let is_still = commands[i] == MoveCommand::default() && actor.state == before[i];
            if self.rests[i] > 0 && commands[i] == MoveCommand::default() && alone[i] {
                self.counts.rested += usize::from(moves);
                if !is_still {
                    return Some(format!("body {i} rested and moved: {:?}", actor.state));
                }
            }
            self.rests[i] = if is_still { self.rests[i] + 1 } else { 0 };
        }
        None
    }

    /// Calls a mover, and opens or closes a door, if their numbers are not 0.
    fn call(&mut self, [mover, door]: [usize; 2], open: bool) {
        let level = &self.stage.level;
        if let Some(id) = mover.checked_sub(1) {
            self.world.call(MoverId(id as u32));
        }
        let Some(link) = door.checked_sub(1).map(|id| LinkId(id as u32)) else {
            return;
        };
        if open {
            self.world.open(link);
        } else {
            let bodies = self.actors.iter().map(|a| (&a.body, &a.state));
            let _ = motion::close_link(level, &mut self.world, link, bodies);
        }
    }

    /// The run with a copied world, and with bodies without caches.
    fn copied(&self) -> Self {
        let mut world = World::of(&self.stage.level);
        world.clone_from(&self.world);
        let actors = self.actors.iter();
        Self {
            stage: self.stage,
            world,
            actors: actors.map(|a| Actor::new(a.body, a.state)).collect(),
            rests: vec![0; self.actors.len()],
            workspace: Workspace::default(),
            events: Vec::new(),
            counts: Counts::default(),
        }
    }
}

/// Plays a level; returns the counts, or the first error.
fn play(seed: u64, ticks: usize) -> Result<Counts, String> {
    let mut rng = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let stage = Stage::new(&mut rng);
    let mut run = Run::new(&stage, &mut rng);
    let mut copy: Option<Run> = None;
    let mut commands = vec![MoveCommand::default(); run.actors.len()];
    let level = &stage.level;
    let doors: Vec<usize> = (0..level.links.len())
        .filter(|&i| level.links[i].panel.is_some())
        .collect();
    for tick in 0..ticks {
        let one_in = |rng: &mut Rng, n: usize| rng.below(n) == 0;
        let mover = match rng.below(60) {
            0 => 1 + stage.mover.0 as usize,
            1 => 1 + rng.below(level.movers.len()),
            _ => 0,
        };
        let door = if !doors.is_empty() && one_in(&mut rng, 40) {
            1 + doors[rng.below(doors.len())]
        } else {
            0
        };
        let open = rng.below(3) > 0;
        for command in &mut commands {
            if one_in(&mut rng, 40) {
                let speed = [0.0, 0.0, 1.0, 4.0, 8.0][rng.below(5)];
                command.wish = rng.cube().with_y(0.0).normalize_or_zero() * speed;
            }
            command.jump = command.wish != DVec3::ZERO && one_in(&mut rng, 40);
        }
        if one_in(&mut rng, 50) {
            copy = Some(run.copied());
        }
        let fresh = one_in(&mut rng, 3);
        run.call([mover, door], open);
        if let Some(fault) = run.tick(&commands) {
            return Err(format!("seed {seed}, tick {tick}: {fault}"));
        }
        let Some(copy) = &mut copy else { continue };
        if fresh {
            for actor in &mut copy.actors {
                actor.cache = Actor::new(actor.body, actor.state).cache;
            }
        }
        copy.call([mover, door], open);
        if let Some(fault) = copy.tick(&commands) {
            return Err(format!("seed {seed}, tick {tick}, copy: {fault}"));
        }
        let states = |run: &Run| -> Vec<State> { run.actors.iter().map(|a| a.state).collect() };
        if states(&run) != states(copy) || run.world != copy.world || run.events != copy.events {
            return Err(format!("seed {seed}, tick {tick}: the copy goes elsewhere"));
        }
    }
    Ok(run.counts)
}

fn play_all(seeds: std::ops::Range<u64>) {
    let (mut faults, mut all) = (Vec::new(), Counts::default());
    let count = (seeds.end - seeds.start) as usize;
    for seed in seeds {
        match play(seed, TICKS) {
            Ok(counts) => {
                all.ticks += counts.ticks;
                all.inside += counts.inside;
                all.rested += counts.rested;
                all.crossed += counts.crossed;
                all.blocked += counts.blocked;
                all.rode += counts.rode;
            }
            Err(fault) => faults.push(fault),
        }
    }
    let some = faults.len().min(40);
    assert!(
        faults.is_empty(),
        "{} levels of {count}: {:#?}",
        faults.len(),
        &faults[..some]
    );
    let least = [all.ticks, all.inside, all.rested].into_iter().min();
    assert!(
        least > Some(count) && all.crossed > count / 4 && all.blocked > count / 4,
        "{all:?}"
    );
    assert!(all.rode > count, "{all:?}");
}

#[test]
fn no_body_near_a_moving_room_loses_its_gap_or_is_in_the_wrong_room() {
    play_all(0..LEVELS);
}

#[test]
#[ignore = "three million ticks about moving rooms: three minutes in release"]
fn no_body_near_a_moving_room_loses_its_gap_in_a_million_ticks() {
    play_all(LEVELS..LEVELS + MANY_LEVELS);
}

/// Regression test: a body that rode on the cabin's sill was blocked by the cabin's walls, which were tested one step
/// ahead. The opening passed over the body, which was then inside the cabin but still in the room of the shaft.
#[test]
fn a_body_that_rides_on_the_sill_of_an_opening_is_in_the_room_whose_air_it_is_in() {
    for seed in [421, 607, 797, 2492, 3450] {
        assert_eq!(play(seed, TICKS).err(), None);
    }
}

/// Regression test: a body in a cabin, pushed by the cabin's hatch, collided with the shell behind the ceiling only if
/// its triangle list reached an opening of the cabin. The list is larger when it is cached from tick to tick.
#[test]
fn the_search_distance_for_movers_changes_no_result() {
    for seed in [5193, 5378] {
        assert_eq!(play(seed, TICKS).err(), None);
    }
}
