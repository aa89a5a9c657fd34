//! Door panels and other movers: what their custom properties make of their way.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use glam::{DAffine3, DQuat, DVec3};

use super::accessor::Buffers;
use super::animations::{self, AnimationError};
use super::document::Document;
use super::paths::{self, PathError, Waypoint};
use super::properties::Properties;
use super::ranges::Ranges;
use crate::level::{
    Cycle, Drive, LevelSource, MeshSource, MoverSource, ProblemCode, Problems, StartedBy,
    TICKS_PER_SECOND, Track, WhenBlocked,
};

/// Seconds that a mover's way may take, and that it may wait.
const SECONDS: std::ops::RangeInclusive<f64> = 0.0..=3600.0;
/// Seconds that a door takes, and another mover, unless it says otherwise.
const DOOR_SECONDS: f64 = 0.8;
const MOVER_SECONDS: f64 = 3.0;
/// Degrees that a hinged door turns, and a turntable.
const DOOR_DEGREES: f64 = 90.0;
const MOVER_DEGREES: f64 = 360.0;
/// Seconds that what opens by itself stays open.
const APPROACH_WAIT: f64 = 2.0;
/// A panel whose origin is nearer to its middle than this part of its width is hinged at its side.
const IN_MIDDLE: f64 = 0.25;

/// An angle up to a whole turn in radians, which as degrees opens no door.
const MAX_RADIANS: f64 = 6.3;
/// Angles in radians that are a multiple of so many degrees are taken for such.
const RADIANS_STEP: f64 = 15.0;
/// A loop whose end is farther from its beginning than this, metres, at a point 1 m off its origin, jumps.
const MAX_JUMP: f64 = 1e-2;

/// What the properties say of a mover's way, before its meshes are read.
pub(super) struct Motion {
    /// Index of the node in the document.
    node: usize,
    author_from_node: DAffine3,
    /// Whether an animation of the node, if there is one, says how it moves.
    is_animated: bool,
    /// Whether the properties say how long it takes.
    has_time: bool,
    kind: Kind,
    /// The node's origin.
    origin: DVec3,
    /// Unit vectors: Blender's X, Y and Z of the node.
    axes: [DVec3; 3],
    /// Which of these is turned about or moved along, if that was said, and whether the other way.
    axis: Option<(usize, bool)>,
    /// Radians.
    angle: f64,
    /// Metres; the size of the mover along its axis where none was said.
    distance: Option<f64>,
    /// m/s, or rad/s of what turns.
    speed: Option<f64>,
    /// The name of the empties that it goes along.
    path: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Hinge,
    Slide,
    Turn,
    Vanish,
    Still,
}

/// The properties of movers.
pub(super) const NAMES: [&str; 16] = [
    "motion",
    "axis",
    "angle",
    "distance",
    "time",
    "speed",
    "ajar",
    "cycle",
    "wait",
    "opens",
    "starts",
    "locked",
    "blocked",
    "path",
    "conveyor",
    "moves_with",
];

/// Whether a room's node says that the room moves: by a property, or by an animation.
pub(super) fn moves_room(document: &Document, node: usize) -> bool {
    let extras = Properties::of(document.root.nodes[node].extras.as_deref());
    ["motion", "path", "moves_with"]
        .iter()
        .any(|key| extras.has(key))
        || animations::moves(document, node)
}

/// What the properties of a mover say of its way, and when it goes there; wrong ones are warnings.
pub(super) fn read(
    extras: &Properties,
    is_door: bool,
    (node, author_from_node): (usize, &DAffine3),
    name: &str,
    problems: &mut Problems,
) -> (Motion, Drive) {
    let mut reader = Reader {
        extras,
        ranges: Ranges {
            code: ProblemCode::MoverProperty,
            of: "its property",
            name,
            problems,
        },
    };
    // Rooms that move may be open to the sky.
    let of_rooms = (!is_door).then_some("open");
    let names: Vec<&str> = NAMES.into_iter().chain(of_rooms).collect();
    reader.ranges.warn_of_typos(extras, &names);
    let motion = reader.motion(is_door, node, author_from_node);
    let mut drive = reader.drive(is_door);
    let belt = reader.vector("conveyor");
    drive.surface_velocity = (0..3).map(|i| motion.axes[i] * belt[i]).sum();
    if motion.kind == Kind::Still {
        drive.cycle = Cycle::Call;
    }
    (motion, drive)
}

/// Reads the properties of a mover.
struct Reader<'a> {
    extras: &'a Properties,
    ranges: Ranges<'a>,
}

impl Reader<'_> {
    fn drive(&mut self, is_door: bool) -> Drive {
        let seconds = if is_door { DOOR_SECONDS } else { MOVER_SECONDS };
        let ticks = self.ticks("time", seconds).max(1);
        let waits = self.extras.has("wait");
        let cycles = [
            ("call", Cycle::Call),
            ("return", Cycle::Return),
            ("shuttle", Cycle::Shuttle),
            ("loop", Cycle::Loop),
            ("once", Cycle::Once),
        ];
        let usual = match (is_door, waits) {
            (true, false) => Cycle::Call,
            (true, true) => Cycle::Return,
            (false, _) => Cycle::Shuttle,
        };
        let starts = [
            ("use", StartedBy::Use),
            ("trigger", StartedBy::Trigger),
            ("approach", StartedBy::Approach),
        ];
        // Only doors notice who comes near.
        let starts = if is_door { &starts[..] } else { &starts[..2] };
        let blocks = [
            ("reverse", WhenBlocked::Reverse),
            ("wait", WhenBlocked::Wait),
            ("crush", WhenBlocked::Crush),
        ];
        let started_by = self.choice(
            if is_door { "opens" } else { "starts" },
            starts,
            StartedBy::Use,
        );
        // What opens by itself closes by itself.
        let (usual, wait) = match (started_by, waits) {
            (StartedBy::Approach, false) => (Cycle::Return, APPROACH_WAIT),
            _ => (usual, 0.0),
        };
        let ajar = self.number("ajar", 0.0..=1.0, 0.0);
        Drive {
            ticks,
            first_tick: (ajar * f64::from(ticks)).round() as u32,
            cycle: self.choice("cycle", &cycles, usual),
            wait_ticks: self.ticks("wait", wait),
            started_by,
            locked: self.flag("locked"),
            when_blocked: self.choice("blocked", &blocks, WhenBlocked::Reverse),
            surface_velocity: DVec3::ZERO,
        }
    }

    fn motion(&mut self, is_door: bool, node: usize, author_from_node: &DAffine3) -> Motion {
        let kinds = [
            ("hinge", Kind::Hinge),
            ("slide", Kind::Slide),
            ("turn", Kind::Turn),
            ("vanish", Kind::Vanish),
            ("none", Kind::Still),
        ];
        let is_belt = self.extras.has("conveyor");
        let (kind, degrees) = match (is_door, is_belt) {
            (true, _) => (Kind::Hinge, DOOR_DEGREES),
            (false, true) => (Kind::Still, MOVER_DEGREES),
            (false, false) => (Kind::Slide, MOVER_DEGREES),
        };
        let kind = self.choice("motion", &kinds, kind);
        let axes = ["x", "y", "z", "-x", "-y", "-z"];
        let axes: [(&str, Option<(usize, bool)>); 6] =
            std::array::from_fn(|i| (axes[i], Some((i % 3, i >= 3))));
        let [x, y, z] = [0, 1, 2].map(|i| {
            let column = author_from_node.matrix3.col(i);
            let unit = (column / column.abs().max_element()).try_normalize();
            unit.unwrap_or(glam::DMat3::IDENTITY.col(i))
        });
        let (has_distance, has_speed) = (self.extras.has("distance"), self.extras.has("speed"));
        // Beside a slide its value means nothing, whatever it is.
        let angle = match kind {
            Kind::Hinge | Kind::Turn => self.number("angle", -36_000.0..=36_000.0, degrees),
            Kind::Slide | Kind::Vanish | Kind::Still => degrees,
        };
        let distance = self.number("distance", -1e4..=1e4, 0.0);
        let speed = self.number("speed", 1e-3..=1e4, 1.0);
        self.warn_of_unused(kind);
        if matches!(kind, Kind::Hinge | Kind::Turn) {
            self.warn_of_radians(kind, angle);
        }
        Motion {
            node,
            author_from_node: *author_from_node,
            is_animated: !self.extras.has("motion") && !self.extras.has("path") && !is_belt,
            has_time: self.extras.has("time"),
            kind,
            origin: author_from_node.translation,
            // glTF's +Y is Blender's +Z, its -Z Blender's +Y.
            axes: [x, -z, y],
            axis: self.choice("axis", &axes, None),
            angle: angle.to_radians(),
            distance: has_distance.then_some(distance),
            speed: has_speed.then_some(match kind {
                Kind::Hinge | Kind::Turn => speed.to_radians(),
                Kind::Slide | Kind::Vanish | Kind::Still => speed,
            }),
            path: self.extras.text("path"),
        }
    }

    /// Warns of properties that the motion does not use.
    fn warn_of_unused(&mut self, kind: Kind) {
        let message = match kind {
            Kind::Slide if self.extras.has("angle") && !self.extras.has("path") => {
                let axis = self.extras.text("axis").unwrap_or_default();
                let along = if axis.is_empty() {
                    String::new()
                } else {
                    format!(", along its axis {axis}, which may be that of its hinge")
                };
                format!(
                    "its property `angle` is not used: it slides{along}; take `angle` away and write `distance` and `axis`, or write motion hinge or turn"
                )
            }
            Kind::Hinge | Kind::Turn if self.extras.has("distance") => {
                "its property `distance` is not used: it turns; take it away, or write motion slide"
                    .to_owned()
            }
            _ => String::new(),
        };
        if !message.is_empty() {
            self.warn(message);
        }
        if self.extras.has("speed") && self.extras.has("time") {
            let message = "its property `time` is not used, for `speed` is there too, and goes before it; take one of them away";
            self.warn(message.to_owned());
        }
    }

    /// Warns of an angle that was written in radians, or is so small that a door stays shut.
    fn warn_of_radians(&mut self, kind: Kind, angle: f64) {
        let parts = angle.to_degrees() / RADIANS_STEP;
        let is_round = (parts - parts.round()).abs() * RADIANS_STEP < 0.1;
        let is_small = angle != 0.0 && angle.abs() <= MAX_RADIANS;
        let meant = match (is_small, is_round && angle.fract() != 0.0) {
            (true, true) => format!("write {}", parts.round() * RADIANS_STEP),
            (true, false) if kind == Kind::Hinge => "write more".to_owned(),
            _ => return,
        };
        let message = format!(
            "it turns by {angle:.2} degrees only: its property `angle` is in degrees; {meant}"
        );
        self.warn(message);
    }

    fn number(&mut self, key: &str, range: std::ops::RangeInclusive<f64>, default: f64) -> f64 {
        self.ranges.property(self.extras, key, range, default)
    }

    /// Three numbers, m/s; zero where there are none or, with a warning, others.
    fn vector(&mut self, key: &str) -> [f64; 3] {
        let Some(written) = self.extras.numbers::<3>(key) else {
            return [0.0; 3];
        };
        let in_range = |numbers: &[f64; 3]| numbers.iter().all(|x| x.abs() <= 1e3);
        match written {
            Ok(numbers) if in_range(&numbers) => numbers,
            Ok(_) | Err(_) => {
                let message = format!(
                    "its property {key} is not used. Write three numbers from -1000 to 1000"
                );
                self.warn(message);
                [0.0; 3]
            }
        }
    }

    fn ticks(&mut self, key: &str, default: f64) -> u32 {
        (self.number(key, SECONDS, default) * TICKS_PER_SECOND).round() as u32
    }

    fn flag(&mut self, key: &str) -> bool {
        let flag = self.extras.flag(key).unwrap_or(Ok(false));
        flag.unwrap_or_else(|written| {
            let message =
                format!("its property {key} is {written}; false is used. Write true or false");
            self.warn(message);
            false
        })
    }

    /// One of several words, in any case; the default where there is none or, with a warning, another.
    fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)], default: T) -> T {
        let Some(written) = self.extras.text(key) else {
            return default;
        };
        let word = written.trim().to_ascii_lowercase();
        if let Some((_, chosen)) = choices.iter().find(|(name, _)| *name == word) {
            return *chosen;
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let message = format!(
            "its property {key} is {written}, and is not used. Write one of {}",
            names.join(", ")
        );
        self.warn(message);
        default
    }

    fn warn(&mut self, message: String) {
        let Ranges { code, name, .. } = self.ranges;
        self.ranges.problems.warn(code, name, message);
    }
}

/// Gives the movers their tracks, now that their meshes are known.
pub(super) fn finish(
    document: &Document,
    buffers: &mut Buffers,
    (motions, points): (&[Motion], &[Waypoint]),
    source: &mut LevelSource,
    problems: &mut Problems,
) {
    let LevelSource { movers, meshes, .. } = source;
    let moved = movers.iter().flat_map(|mover| &mover.moved_rooms);
    let mut of_moved: BTreeMap<usize, Vec<&MeshSource>> =
        moved.map(|&room| (room, Vec::new())).collect();
    for mesh in meshes.iter() {
        if let Some(of_room) = of_moved.get_mut(&mesh.room) {
            of_room.push(mesh);
        }
    }
    for (mover, motion) in movers.iter_mut().zip(motions) {
        let animated = if motion.is_animated {
            motion.animation(document, buffers)
        } else {
            Ok(None)
        };
        let unused = if motion.is_animated {
            animations::unused_parts(document, motion.node)
        } else {
            Vec::new()
        };
        let is_only_deformed = !unused.is_empty();
        for message in unused {
            problems.warn(ProblemCode::MoverProperty, &mover.node, message);
        }
        match animated {
            // Its author has said how it changes, and no slide.
            Ok(None) if is_only_deformed => {
                mover.track = Track::Slide(DVec3::ZERO);
                mover.drive.cycle = Cycle::Call;
            }
            Ok(Some((track, seconds))) => {
                if !motion.has_time {
                    mover.drive.ticks = ticks_of(seconds);
                }
                if !is_at_rest(&track) {
                    let message = "its animation begins elsewhere than where the node stands: it jumps there; export it at the animation's first frame";
                    problems.warn(ProblemCode::MoverProperty, &mover.node, message);
                }
                mover.track = track;
            }
            animated => {
                if let Err(error) = animated {
                    let message = format!("its animation is not used: {error}; export it again");
                    problems.warn(ProblemCode::MoverProperty, &mover.node, message);
                }
                motion.by_properties(mover, &of_moved);
                if let Err(error) = motion.along_path(mover, points) {
                    let message = format!("its path is not used: {error}");
                    problems.warn(ProblemCode::MoverProperty, &mover.node, message);
                }
            }
        }
        if mover.drive.cycle == Cycle::Loop && !closes(&mover.track, motion.origin) {
            let message = "its cycle is loop, and its way ends elsewhere than where it begins: it jumps back there; write cycle shuttle, or let it turn by 360 degrees, or let its animation or path come back";
            problems.warn(ProblemCode::MoverProperty, &mover.node, message);
        }
        mover.drive.first_tick = mover.drive.first_tick.min(mover.drive.ticks);
    }
}

/// Whether a track ends where it begins; `origin` is that of the mover.
fn closes(track: &Track, origin: DVec3) -> bool {
    let [first, last] = [0.0, 1.0].map(|part| track.pose(part));
    let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|by| origin + by);
    let is_same = |p: DVec3| first.point(p).distance(last.point(p)) < MAX_JUMP;
    *track == Track::Vanish || points.into_iter().all(is_same)
}

/// Ticks of a way that takes so many seconds.
fn ticks_of(seconds: f64) -> u32 {
    let longest = SECONDS.end() * TICKS_PER_SECOND;
    (seconds * TICKS_PER_SECOND).round().clamp(1.0, longest) as u32
}

/// Whether a track begins where the mover was authored.
fn is_at_rest(track: &Track) -> bool {
    let Track::Keys(keys) = track else {
        return true;
    };
    keys.first().is_none_or(|key| {
        let turned = key.rotation.dot(DQuat::IDENTITY).abs();
        key.offset.length() < 1e-3 && turned > 1.0 - 1e-6
    })
}

impl Motion {
    /// Index of its node in the document.
    pub(super) fn node(&self) -> usize {
        self.node
    }

    /// The track that an animation of the node makes, and the seconds that it takes.
    fn animation(
        &self,
        document: &Document,
        buffers: &mut Buffers,
    ) -> Result<Option<(Track, f64)>, AnimationError> {
        let node_from_parent = document.transforms[self.node].inverse();
        let author_from_parent = self.author_from_node * node_from_parent;
        if !author_from_parent.is_finite() {
            return Ok(None);
        }
        animations::track(document, buffers, self.node, &author_from_parent)
    }

    /// Gives a mover that goes along empties its track.
    fn along_path(&self, mover: &mut MoverSource, points: &[Waypoint]) -> Result<(), PathError> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let closes = mover.drive.cycle == Cycle::Loop;
        let (track, length) = paths::track(points, path.trim(), self.origin, closes)?;
        mover.track = track;
        if let Some(speed) = self.speed {
            mover.drive.ticks = ticks_of(length / speed);
        }
        Ok(())
    }

    /// Gives a mover the track that its properties say; `of_moved` are the meshes of rooms that movers move.
    fn by_properties(&self, mover: &mut MoverSource, of_moved: &BTreeMap<usize, Vec<&MeshSource>>) {
        let own = mover.meshes.iter();
        let of_rooms = mover.moved_rooms.iter();
        let of_rooms = of_rooms.filter_map(|room| of_moved.get(room)).flatten();
        let meshes: Vec<&MeshSource> = own.chain(of_rooms.copied()).collect();
        let corners = || meshes.iter().flat_map(|mesh| &mesh.positions);
        if corners().next().is_none() {
            return;
        }
        let reach = |axis: DVec3| {
            let along = corners().map(|p| axis.dot(*p - self.origin));
            along.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], at| {
                [least.min(at), most.max(at)]
            })
        };
        let reach = self.axes.map(reach);
        mover.track = self.track(mover.is_door, reach);
        if let Some(speed) = self.speed {
            let length = match &mover.track {
                Track::Turn { angle, .. } => angle.abs(),
                Track::Slide(by) => by.length(),
                _ => 0.0,
            };
            mover.drive.ticks = ticks_of(length / speed);
        }
    }

    /// The track of a mover that reaches from and to these places along its axes, from its origin.
    fn track(&self, is_door: bool, reach: [[f64; 2]; 3]) -> Track {
        let size = reach.map(|[least, most]| most - least);
        let chosen = |usual: usize| {
            let (axis, is_reversed) = self.axis.unwrap_or((usual, false));
            let sign = if is_reversed { -1.0 } else { 1.0 };
            (axis, self.axes[axis] * sign)
        };
        match self.kind {
            Kind::Vanish => Track::Vanish,
            Kind::Still => Track::Slide(DVec3::ZERO),
            Kind::Slide => {
                let (axis, direction) = chosen(if is_door { 0 } else { 2 });
                Track::Slide(direction * self.distance.unwrap_or(size[axis]))
            }
            Kind::Turn => Track::Turn {
                pivot: self.origin,
                axis: chosen(2).1,
                angle: self.angle,
            },
            Kind::Hinge => {
                // What lies flat is a hatch.
                let is_flat = size[2] < size[0].min(size[1]);
                let (axis, direction) = chosen(if is_flat { 1 } else { 2 });
                Track::Turn {
                    pivot: self.hinge(axis, reach),
                    axis: direction,
                    angle: self.angle,
                }
            }
        }
    }

    /// Where a panel is hinged that turns about this axis: at its node's origin, or at its side if
    /// that is in its middle.
    fn hinge(&self, axis: usize, reach: [[f64; 2]; 3]) -> DVec3 {
        let size = reach.map(|[least, most]| most - least);
        let across = (0..3).filter(|i| *i != axis);
        let Some(wide) = across.max_by(|a, b| size[*a].total_cmp(&size[*b]).then(b.cmp(a))) else {
            return self.origin;
        };
        let middle = |[least, most]: [f64; 2]| 0.5 * (least + most);
        if middle(reach[wide]).abs() >= IN_MIDDLE * size[wide] {
            return self.origin;
        }
        let thin = 3 - axis - wide;
        self.origin + self.axes[wide] * reach[wide][0] + self.axes[thin] * middle(reach[thin])
    }
}
