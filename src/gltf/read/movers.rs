//! Door panels and other movers: reads their motion from custom properties.

#[cfg(test)]
mod tests;

use glam::{DAffine3, DVec3};

use super::animations;
use super::document::Document;
use super::properties::Properties;
use super::ranges::Ranges;
use super::tracks::{MotionProperties, SECONDS, TrackKind};
use crate::level::{Cycle, Drive, StartedBy, TICKS_PER_SECOND, WhenBlocked};
use crate::problems::{ProblemCode, Problems};

/// Default duration of a door's motion, seconds.
const DOOR_SECONDS: f64 = 0.8;
/// Default duration of the motion of a mover that is not a door, seconds.
const MOVER_SECONDS: f64 = 3.0;
/// Default angle of a hinged door, degrees.
const DOOR_DEGREES: f64 = 90.0;
/// Default angle of a turntable, degrees.
const MOVER_DEGREES: f64 = 360.0;
/// Default time for which a mover that opens on approach stays open, seconds.
const APPROACH_WAIT: f64 = 2.0;

/// Maximum angle that may have been written in radians: about a full turn. The same number in degrees hardly opens a
/// door.
const MAX_RADIANS: f64 = 6.3;
/// An angle is assumed to be in radians if, read as radians, it is a multiple of this, degrees.
const RADIANS_STEP: f64 = 15.0;

/// The properties that define a mover's path.
const OF_PATH: [&str; 5] = ["motion", "axis", "angle", "distance", "path"];

/// The properties of movers.
pub(crate) const NAMES: [&str; 16] = [
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

/// Whether the node of a room has a property or an animation that makes the room move.
pub(crate) fn moves_room(document: &Document, node: usize) -> bool {
    let extras = Properties::of(document.root.nodes[node].extras.as_deref());
    ["motion", "path", "moves_with"]
        .iter()
        .any(|key| extras.has(key))
        || animations::moves(document, node)
}

/// Reads the motion and the drive of a mover from its properties, and warns of wrong ones. If the path is wrong,
/// records that as the cause of later problems with the path.
pub(crate) fn read(
    extras: &Properties,
    is_door: bool,
    (node, author_from_node): (usize, &DAffine3),
    name: &str,
    problems: &mut Problems,
) -> (MotionProperties, Drive) {
    let mut reader = MoverReader {
        extras,
        ranges: Ranges {
            code: ProblemCode::MoverProperty,
            of: "its property",
            name,
            problems,
        },
    };
    // The node of a moving room may have the property of rooms that are open to the sky.
    let of_rooms = (!is_door).then_some("open");
    let names: Vec<&str> = NAMES.into_iter().chain(of_rooms).collect();
    reader.ranges.warn_of_typos(extras, &names);
    let speed = reader.speed();
    let of_path = |meant: &str| OF_PATH.contains(&meant);
    let has_typo = extras.almost(&names).any(|(_, meant)| of_path(meant));
    let known = reader.warnings();
    let motion = reader.motion(is_door, (node, author_from_node), speed);
    if has_typo || reader.warnings() > known {
        let problems = &mut reader.ranges.problems;
        problems.add_cause(ProblemCode::MoverProperty, name);
    }
    let mut drive = reader.drive(is_door);
    let belt = reader.vector("conveyor");
    drive.surface_velocity = (0..3).map(|i| motion.axes[i] * belt[i]).sum();
    if motion.kind == TrackKind::Still {
        drive.cycle = Cycle::Call;
    }
    (motion, drive)
}

/// Reads the properties of a mover.
struct MoverReader<'a> {
    extras: &'a Properties,
    ranges: Ranges<'a>,
}

impl MoverReader<'_> {
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
        // Only doors can start by approach.
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
        // A mover that opens on approach also closes by itself.
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

    /// The speed, metres or degrees per second; `None` if absent.
    fn speed(&mut self) -> Option<f64> {
        let has_speed = self.extras.has("speed");
        if has_speed && self.extras.has("time") {
            let message = "its property `time` is not used, for `speed` is there too, and goes before it; take one of them away";
            self.warn(message.to_owned());
        }
        has_speed.then(|| self.number("speed", 1e-3..=1e4, 1.0))
    }

    fn motion(
        &mut self,
        is_door: bool,
        (node, author_from_node): (usize, &DAffine3),
        speed: Option<f64>,
    ) -> MotionProperties {
        let kinds = [
            ("hinge", TrackKind::Hinge),
            ("slide", TrackKind::Slide),
            ("turn", TrackKind::Turn),
            ("vanish", TrackKind::Vanish),
            ("none", TrackKind::Still),
        ];
        let is_belt = self.extras.has("conveyor");
        let (kind, degrees) = match (is_door, is_belt) {
            (true, _) => (TrackKind::Hinge, DOOR_DEGREES),
            (false, true) => (TrackKind::Still, MOVER_DEGREES),
            (false, false) => (TrackKind::Slide, MOVER_DEGREES),
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
        let has_distance = self.extras.has("distance");
        // A slide has no angle.
        let angle = match kind {
            TrackKind::Hinge | TrackKind::Turn => {
                self.number("angle", -36_000.0..=36_000.0, degrees)
            }
            TrackKind::Slide | TrackKind::Vanish | TrackKind::Still => degrees,
        };
        let distance = self.number("distance", -1e4..=1e4, 0.0);
        self.warn_of_unused(kind);
        if matches!(kind, TrackKind::Hinge | TrackKind::Turn) {
            self.warn_of_radians(kind, angle);
        }
        MotionProperties {
            node,
            author_from_node: *author_from_node,
            is_animated: !self.extras.has("motion") && !self.extras.has("path") && !is_belt,
            has_time: self.extras.has("time"),
            kind,
            origin: author_from_node.translation,
            // Blender's axes: its +Y is glTF's -Z, and its +Z is glTF's +Y.
            axes: [x, -z, y],
            axis: self.choice("axis", &axes, None),
            angle: angle.to_radians(),
            distance: has_distance.then_some(distance),
            speed: speed.map(|speed| match kind {
                TrackKind::Hinge | TrackKind::Turn => speed.to_radians(),
                TrackKind::Slide | TrackKind::Vanish | TrackKind::Still => speed,
            }),
            path: self.extras.text("path"),
        }
    }

    /// Warns of properties that the motion does not use.
    fn warn_of_unused(&mut self, kind: TrackKind) {
        let message = match kind {
            TrackKind::Slide if self.extras.has("angle") && !self.extras.has("path") => {
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
            TrackKind::Hinge | TrackKind::Turn if self.extras.has("distance") => {
                "its property `distance` is not used: it turns; take it away, or write motion slide"
                    .to_owned()
            }
            _ => String::new(),
        };
        if !message.is_empty() {
            self.warn(message);
        }
    }

    /// Warns of an angle that was probably written in radians, or is so small that a door stays shut.
    fn warn_of_radians(&mut self, kind: TrackKind, angle: f64) {
        let parts = angle.to_degrees() / RADIANS_STEP;
        let is_round = (parts - parts.round()).abs() * RADIANS_STEP < 0.1;
        let is_small = angle != 0.0 && angle.abs() <= MAX_RADIANS;
        let meant = match (is_small, is_round && angle.fract() != 0.0) {
            (true, true) => format!("write {}", parts.round() * RADIANS_STEP),
            (true, false) if kind == TrackKind::Hinge => "write more".to_owned(),
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

    /// Three numbers in m/s; zero if the property is absent or, with a warning, invalid.
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

    /// The choice that a word names, in any case; the default if the property is absent or, with a warning, unknown.
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

    /// The number of warnings about movers so far.
    fn warnings(&self) -> usize {
        self.ranges.problems.count(self.ranges.code)
    }

    fn warn(&mut self, message: String) {
        let Ranges { code, name, .. } = self.ranges;
        self.ranges.problems.warn(code, name, message);
    }
}
