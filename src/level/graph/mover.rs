//! What can move: solid and drawn parts of a level that have a pose in the
//! [`World`](crate::world::World).

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

/// Something that moves along a track: a door panel, a lift, a turntable, a cabin with its rooms. Its own coordinates are those
/// of its room where it was authored; the pose takes them to coordinates of the room.
#[derive(Debug)]
#[non_exhaustive]
pub struct Mover {
    /// Name of its node.
    pub name: String,
    /// The room that its pose is relative to; of a door panel [`Link::near`](super::Link::near).
    pub room: RoomId,
    /// The link that it closes, at the start of its track, as a door panel.
    pub link: Option<LinkId>,
    /// Where it goes.
    pub track: Track,
    /// When and how fast.
    pub drive: Drive,
    /// Its triangles in [`LevelData::solids`](super::LevelData::solids), in its own coordinates.
    pub solids: SolidSet,
    /// The rooms that it reaches into.
    pub rooms: Vec<RoomId>,
    /// The rooms that it moves: a cabin, the coaches of a train. Where they were authored, their
    /// coordinates are those of the mover.
    pub moved_rooms: Vec<RoomId>,
    /// Its parts, each lit on its own, in [`LevelData::mover_parts`](super::LevelData::mover_parts).
    pub parts: Range<u32>,
    /// Its ranges in [`LevelData::draws`](super::LevelData::draws): those of all its parts.
    pub draws: Range<u32>,
    /// Whether one can see through it or past it: then it stops bodies alone, not sight or light.
    pub see_through: bool,
}

/// Ticks in a second: the tick is the unit of time of all that moves.
pub const TICKS_PER_SECOND: f64 = 60.0;

/// When and how fast a mover goes along its track.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Ticks from the start of the track to its end, at least 1.
    pub ticks: u32,
    /// The tick of its track at which it stands first, at most `ticks`.
    pub first_tick: u32,
    /// What it does at the ends of its track.
    pub cycle: Cycle,
    /// Ticks that it waits at an end before it goes on by itself.
    pub wait_ticks: u32,
    /// What sets it going while it rests.
    pub started_by: StartedBy,
    /// Whether nothing but a trigger or a switch sets it going.
    pub locked: bool,
    /// What it does when something is in its way that cannot get out.
    pub when_blocked: WhenBlocked,
    /// How fast its surface moves while it does not, m/s, in coordinates of its room: a conveyor.
    pub surface_velocity: DVec3,
}

/// What a mover does at the ends of its track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cycle {
    /// It rests at either end until it is set going.
    #[default]
    Call,
    /// It rests at the start until it is set going, and comes back from the end by itself.
    Return,
    /// There and back without end.
    Shuttle,
    /// From the end it goes on at the start, without end: a turntable's track ends where it starts.
    Loop,
    /// It rests at the end for good.
    Once,
}

/// What sets a resting mover going.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StartedBy {
    /// A player who uses it.
    #[default]
    Use,
    /// A player who comes near; doors alone.
    Approach,
    /// A trigger or a switch alone.
    Trigger,
}

/// What a mover does when something is in its way that cannot get out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhenBlocked {
    /// It goes back.
    #[default]
    Reverse,
    /// It waits until the way is free.
    Wait,
    /// It waits, and what it presses on is crushed.
    Crush,
}

/// A mover that rests at the start of its track until it is used, and takes no time.
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

/// What of a mover is lit alike: of a door panel what faces one of its two rooms.
#[derive(Debug)]
#[non_exhaustive]
pub struct MoverPart {
    /// The mover.
    pub mover: MoverId,
    /// Its ranges in [`LevelData::draws`](super::LevelData::draws).
    pub draws: Range<u32>,
    /// Its middle, in the mover's coordinates; that of all of the mover where nothing of it is drawn.
    pub middle: DVec3,
    /// The room whose lights light it where it was authored.
    pub home: RoomPlace,
}

/// A room as it is met from the coordinates of another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomPlace {
    /// The room.
    pub room: RoomId,
    /// Takes the other coordinates to those of the room.
    pub here_from_other: Rigid,
}

/// The box of a body is larger by this in the coordinates of a mover, which may be turned: the square root of 3.
pub(crate) const TURNED: f64 = 1.733;

impl LevelData {
    /// How far any point of a mover's solids moves in a tick at most, metres.
    pub(crate) fn longest_step(&self, id: MoverId) -> f64 {
        let mover = self.mover(id);
        let part = 1.0 / f64::from(mover.drive.ticks);
        let bounds = self.solids.bounds(&mover.solids);
        mover.track.longest_step(&bounds, part)
    }

    /// The room that a part is in when its mover is in this pose, by the portals that its middle passes on
    /// the straight way there, those of rooms that move aside; from coordinates of the mover's room.
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

/// A mover as it stands in one of the rooms that it reaches into.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoverImage {
    /// The mover.
    pub mover: MoverId,
    /// Takes coordinates of [`Mover::room`] to those of this room, both where they were authored.
    pub here_from_room: Rigid,
    /// Box around it in all its poses, in this room's coordinates.
    pub bounds: Aabb,
    /// That box, grown by how far a point of the mover moves in a tick at most.
    pub reach: Aabb,
}
