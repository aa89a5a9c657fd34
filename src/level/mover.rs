//! Movers: solid and drawn parts of a level that have a pose in the [`World`](crate::world::World).

use std::ops::Range;

use glam::DVec3;

use super::crossing::FirstCrossing;
use super::{LevelData, LinkId, MAX_CROSSINGS, RoomId, SolidSet, Track};
use crate::geometry::{Aabb, Rigid};

/// Index of a mover in [`LevelData::movers`](super::LevelData::movers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoverId(pub u32);

/// Index of a part of a mover in [`LevelData::mover_parts`](super::LevelData::mover_parts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoverPartId(pub u32);

/// An object that moves along a track: a door panel, a lift, a turntable, a cabin with its rooms. In the authored
/// pose its coordinates are those of its room; the current pose transforms them to room coordinates.
#[derive(Debug)]
#[non_exhaustive]
pub struct Mover {
    /// Name of its node.
    pub name: String,
    /// The room to which the pose is relative; for a door panel, [`Link::near`](super::Link::near).
    pub room: RoomId,
    /// For a door panel, the link that it closes at the start of its track.
    pub link: Option<LinkId>,
    /// The track.
    pub track: Track,
    /// Timing and behaviour along the track.
    pub drive: Drive,
    /// The solid triangles in [`LevelData::solids`](super::LevelData::solids), in mover coordinates.
    pub solids: SolidSet,
    /// The rooms that the mover reaches into.
    pub rooms: Vec<RoomId>,
    /// The rooms that move with the mover: a cabin, the coaches of a train. In the authored pose, their coordinates
    /// are those of the mover.
    pub moved_rooms: Vec<RoomId>,
    /// The separately lit parts, in [`LevelData::mover_parts`](super::LevelData::mover_parts).
    pub parts: Range<u32>,
    /// The draws of all parts, in [`LevelData::draws`](super::LevelData::draws).
    pub draws: Range<u32>,
    /// Whether the mover is transparent or has gaps. Then it blocks only bodies, not sight or light.
    pub see_through: bool,
}

/// Ticks per second. The tick is the unit of time of all motion.
pub const TICKS_PER_SECOND: f64 = 60.0;

/// Timing and behaviour of a mover along its track.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Ticks from the start of the track to its end, at least 1.
    pub ticks: u32,
    /// The initial tick along the track, at most `ticks`.
    pub first_tick: u32,
    /// The behaviour at the ends of the track.
    pub cycle: Cycle,
    /// Ticks that the mover waits at an end before it continues by itself.
    pub wait_ticks: u32,
    /// The event that starts the mover while it rests.
    pub started_by: StartedBy,
    /// Whether only a trigger or a switch can start it.
    pub locked: bool,
    /// The reaction to an obstacle that cannot move out of the mover's path.
    pub when_blocked: WhenBlocked,
    /// Velocity of the surface while the mover rests (a conveyor), m/s, in room coordinates.
    pub surface_velocity: DVec3,
}

/// The behaviour of a mover at the ends of its track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cycle {
    /// Rests at either end until it is started.
    #[default]
    Call,
    /// Rests at the start until it is started, and returns from the end by itself.
    Return,
    /// Moves back and forth without end.
    Shuttle,
    /// After the end, restarts at the start, forever (a turntable).
    Loop,
    /// Rests at the end permanently.
    Once,
}

/// The event that starts a resting mover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StartedBy {
    /// A player uses it.
    #[default]
    Use,
    /// A player approaches; for doors only.
    Approach,
    /// Only a trigger or a switch starts it.
    Trigger,
}

/// The reaction of a mover to an obstacle that cannot move out of its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhenBlocked {
    /// Reverses.
    #[default]
    Reverse,
    /// Waits until the path is free.
    Wait,
    /// Stops at the obstacle and crushes it.
    Crush,
}

/// A drive that rests at the start of its track until it is used, and takes the minimum time of one tick.
impl Default for Drive {
    fn default() -> Self {
        Self {
            ticks: 1,
            first_tick: 0,
            cycle: Cycle::Call,
            wait_ticks: 0,
            started_by: StartedBy::Use,
            locked: false,
            when_blocked: WhenBlocked::Reverse,
            surface_velocity: DVec3::ZERO,
        }
    }
}

/// A uniformly lit part of a mover; for a door panel the half that faces one of its two rooms.
#[derive(Debug)]
#[non_exhaustive]
pub struct MoverPart {
    /// The mover of this part.
    pub mover: MoverId,
    /// The draws in [`LevelData::draws`](super::LevelData::draws).
    pub draws: Range<u32>,
    /// The centre of the part, in mover coordinates; the centre of the whole mover if the part has no drawn triangles.
    pub middle: DVec3,
    /// The room whose lights illuminate the part in the authored pose.
    pub home: RoomPlace,
}

/// A room, with the transform into it from other coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomPlace {
    /// The room.
    pub room: RoomId,
    /// Transforms the other coordinates to those of the room.
    pub here_from_other: Rigid,
}

/// Factor for the margin around a box that may be rotated with a mover: the square root of 3, rounded up.
pub(crate) const TURNED: f64 = 1.733;

impl LevelData {
    /// An upper bound of the distance that any point of a mover's solids moves in a tick, metres.
    pub(crate) fn longest_step(&self, id: MoverId) -> f64 {
        let mover = self.mover(id);
        let part = 1.0 / f64::from(mover.drive.ticks);
        let bounds = self.solids.bounds(&mover.solids);
        mover.track.longest_step(&bounds, part)
    }

    /// Finds the room that contains a part when its mover is in this pose. The centre of the part is followed in a
    /// straight line from its authored position, in coordinates of the mover's room, through the portals on the way.
    /// Portals of moving rooms are ignored.
    pub fn room_of_part(&self, part: &MoverPart, pose: &Rigid) -> RoomPlace {
        let RoomPlace {
            mut room,
            mut here_from_other,
        } = part.home;
        if pose.is_identity() {
            return part.home;
        }
        let mut done = 0.0;
        for _ in 0..MAX_CROSSINGS {
            let [from, to] = [part.middle, pose.point(part.middle)];
            let [from, to] = [from, to].map(|p| here_from_other.point(p));
            let mut first = FirstCrossing::on([from, to], done);
            self.each_portal_near(room, &Aabb::around([from, to]), |id| {
                let portal = self.portal(id);
                if !portal.moves() {
                    first.add(id, portal, |_| true);
                }
            });
            let Some((portal, part)) = first.found() else {
                break;
            };
            let portal = self.portal(portal);
            (room, done) = (portal.far, part);
            here_from_other = portal.far_from_near.after(&here_from_other);
        }
        RoomPlace {
            room,
            here_from_other,
        }
    }
}

/// A mover in one of the rooms that it reaches into.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoverImage {
    /// The mover.
    pub mover: MoverId,
    /// Transforms coordinates of [`Mover::room`] to those of this room, both in the authored pose.
    pub here_from_room: Rigid,
    /// Box around the mover in all its poses, in this room's coordinates.
    pub bounds: Aabb,
    /// `bounds`, grown by the maximum motion of a point of the mover in a tick.
    pub reach: Aabb,
}
