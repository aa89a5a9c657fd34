//! Computes the track of each mover from the animation of its node, from a path of empties, or from its properties.

use std::collections::BTreeMap;

use glam::{DAffine3, DQuat, DVec3};

use super::accessor::AccessorBuffers;
use super::animations::{self, AnimationError};
use super::document::Document;
use super::paths::{self, PathError, Waypoint};
use crate::level::{Cycle, TICKS_PER_SECOND, Track};
use crate::problems::{ProblemCode, Problems};
use crate::source::{LevelSource, MeshSource, MoverSource};

/// Valid durations of a mover's motion and of its waiting, seconds.
pub(crate) const SECONDS: std::ops::RangeInclusive<f64> = 0.0..=3600.0;
/// If the origin of a panel is nearer to its middle than this fraction of its width, the panel is hinged at its side.
const IN_MIDDLE: f64 = 0.25;
/// A loop does not jump if its end is less than this far from its start, metres, for points up to 1 m from the mover's
/// origin.
const MAX_JUMP: f64 = 1e-2;

/// The motion of a mover as its properties define it, before its meshes are read.
pub(crate) struct MotionProperties {
    /// Index of the node in the document.
    pub(crate) node: usize,
    pub(crate) author_from_node: DAffine3,
    /// Whether the motion is that of the node's animation, if there is one.
    pub(crate) is_animated: bool,
    /// Whether the properties specify the duration.
    pub(crate) has_time: bool,
    pub(crate) kind: TrackKind,
    /// The node's origin.
    pub(crate) origin: DVec3,
    /// Unit vectors along the node's X, Y and Z in Blender.
    pub(crate) axes: [DVec3; 3],
    /// The axis of rotation or sliding (0 to 2) and whether its direction is reversed; `None` if not specified.
    pub(crate) axis: Option<(usize, bool)>,
    /// Angle, radians.
    pub(crate) angle: f64,
    /// Distance of a slide, metres; `None` stands for the size of the mover along the axis.
    pub(crate) distance: Option<f64>,
    /// Speed, m/s; rad/s for rotations.
    pub(crate) speed: Option<f64>,
    /// The name of the empties that form its path.
    pub(crate) path: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TrackKind {
    Hinge,
    Slide,
    Turn,
    Vanish,
    Still,
}

/// Computes the tracks of the movers, once their meshes are read.
pub(crate) fn finish(
    document: &Document,
    buffers: &mut AccessorBuffers,
    (motions, points): (&[MotionProperties], &[Waypoint]),
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
        let node = mover.node.clone();
        let mut warn_of_path = |message: String| {
            problems.warn(ProblemCode::MoverProperty, &node, message);
            problems.add_cause(ProblemCode::MoverProperty, &node);
        };
        unused.into_iter().for_each(&mut warn_of_path);
        match animated {
            // The node has an animation that only scales or deforms it. So the author did not mean the default slide,
            // and the mover stays where it is.
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
                    warn_of_path(message.to_owned());
                }
                mover.track = track;
            }
            animated => {
                if let Err(error) = animated {
                    let message = format!("its animation is not used: {error}; export it again");
                    warn_of_path(message);
                }
                motion.by_properties(mover, &of_moved);
                if let Err(error) = motion.along_path(mover, points) {
                    let message = format!("its path is not used: {error}");
                    warn_of_path(message);
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

/// Whether a track ends where it begins. `origin` is the mover's origin.
fn closes(track: &Track, origin: DVec3) -> bool {
    let [first, last] = [0.0, 1.0].map(|part| track.pose(part));
    let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|by| origin + by);
    let is_same = |p: DVec3| first.point(p).distance(last.point(p)) < MAX_JUMP;
    *track == Track::Vanish || points.into_iter().all(is_same)
}

/// The number of ticks of a motion that lasts `seconds`.
fn ticks_of(seconds: f64) -> u32 {
    let longest = SECONDS.end() * TICKS_PER_SECOND;
    (seconds * TICKS_PER_SECOND).round().clamp(1.0, longest) as u32
}

/// Whether a track begins at the pose in which the mover was authored.
fn is_at_rest(track: &Track) -> bool {
    let Track::Keys(keys) = track else {
        return true;
    };
    keys.first().is_none_or(|key| {
        let turned = key.rotation.dot(DQuat::IDENTITY).abs();
        key.offset.length() < 1e-3 && turned > 1.0 - 1e-6
    })
}

impl MotionProperties {
    /// Index of the node in the document.
    pub(crate) fn node(&self) -> usize {
        self.node
    }

    /// The track that the node's animation defines, and its duration, seconds.
    fn animation(
        &self,
        document: &Document,
        buffers: &mut AccessorBuffers,
    ) -> Result<Option<(Track, f64)>, AnimationError> {
        let node_from_parent = document.transforms[self.node].inverse();
        let author_from_parent = self.author_from_node * node_from_parent;
        if !author_from_parent.is_finite() {
            return Ok(None);
        }
        animations::track(document, buffers, self.node, &author_from_parent)
    }

    /// Sets the track of a mover with a path of empties.
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

    /// Sets the track of a mover from its properties. `of_moved` are the meshes of the rooms that it moves.
    pub(crate) fn by_properties(
        &self,
        mover: &mut MoverSource,
        of_moved: &BTreeMap<usize, Vec<&MeshSource>>,
    ) {
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

    /// The track of a mover. `reach` has the least and greatest coordinate of the mover along each of its axes,
    /// relative to its origin.
    fn track(&self, is_door: bool, reach: [[f64; 2]; 3]) -> Track {
        let size = reach.map(|[least, most]| most - least);
        let chosen = |usual: usize| {
            let (axis, is_reversed) = self.axis.unwrap_or((usual, false));
            let sign = if is_reversed { -1.0 } else { 1.0 };
            (axis, self.axes[axis] * sign)
        };
        match self.kind {
            TrackKind::Vanish => Track::Vanish,
            TrackKind::Still => Track::Slide(DVec3::ZERO),
            TrackKind::Slide => {
                let (axis, direction) = chosen(if is_door { 0 } else { 2 });
                Track::Slide(direction * self.distance.unwrap_or(size[axis]))
            }
            TrackKind::Turn => Track::Turn {
                pivot: self.origin,
                axis: chosen(2).1,
                angle: self.angle,
            },
            TrackKind::Hinge => {
                // A panel that is lower than it is wide and deep is a hatch.
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

    /// The hinge of a panel that turns about this axis: the node's origin, but the side of the panel if the origin is
    /// near the panel's middle.
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
