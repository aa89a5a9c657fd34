//! Current poses of moving rooms and of their portals.
//!
//! The contents of a moving room keep their coordinates: the transforms of the room's portals contain its pose. The
//! current portal transforms are looked up here.

use glam::DVec3;

use super::crossing::FirstCrossing;
use super::{At, LevelData, LinkId, MoverId, Portal, PortalId, RoomId, Sprawl};
use crate::geometry::{Aabb, Rigid};

/// The poses of moving rooms, and the portals and sprawling geometry that depend on them.
#[derive(Debug, PartialEq)]
pub struct RoomPoses {
    /// The pose of each mover, which transforms the coordinates of the mover's rooms to their authored coordinates.
    /// Empty if no mover moves rooms.
    poses: Vec<Rigid>,
    /// The current portals between rooms that move differently.
    portals: Vec<(PortalId, Portal)>,
    /// The geometry that sprawls through these portals.
    sprawls: Vec<Sprawl>,
}

impl Clone for RoomPoses {
    fn clone(&self) -> Self {
        Self {
            poses: self.poses.clone(),
            portals: self.portals.clone(),
            sprawls: self.sprawls.clone(),
        }
    }

    /// Copies without allocation if both values belong to the same level.
    fn clone_from(&mut self, source: &Self) {
        self.poses.clone_from(&source.poses);
        self.sprawls.clone_from(&source.sprawls);
        let pairs = || self.portals.iter().zip(&source.portals);
        let is_same = self.portals.len() == source.portals.len()
            && pairs().all(|((a, portal), (b, other))| a == b && portal.is_side_of(other));
        if !is_same {
            self.portals.clone_from(&source.portals);
            return;
        }
        for ((_, portal), (_, source)) in self.portals.iter_mut().zip(&source.portals) {
            portal.put(source, &Rigid::IDENTITY);
            portal.far_from_near = source.far_from_near;
        }
    }
}

impl RoomPoses {
    /// The poses with all rooms as authored.
    pub fn authored(level: &LevelData) -> Self {
        let moves_rooms = level
            .movers
            .iter()
            .any(|mover| !mover.moved_rooms.is_empty());
        let poses = if moves_rooms { level.movers.len() } else { 0 };
        let portals = (0..).map(PortalId).zip(&level.portals);
        let portals = portals.filter(|(_, portal)| portal.moves());
        let sprawls = level.sprawls.iter().filter(|s| s.moving.is_some());
        Self {
            poses: vec![Rigid::IDENTITY; poses],
            portals: portals.map(|(id, portal)| (id, portal.clone())).collect(),
            sprawls: sprawls.cloned().collect(),
        }
    }

    /// Moves the rooms of a mover to its pose; does nothing for a mover without rooms.
    pub(crate) fn set(&mut self, level: &LevelData, id: MoverId, pose: &Rigid) {
        if level.mover(id).moved_rooms.is_empty() || self.poses[id.0 as usize] == *pose {
            return;
        }
        self.poses[id.0 as usize] = *pose;
        for index in 0..self.portals.len() {
            let of = self.portals[index].0;
            let authored = level.portal(of);
            let moved_by = |room: RoomId| level.room(room).moved_by == Some(id);
            if moved_by(authored.near) || moved_by(authored.far) {
                self.put(level, index);
            }
        }
    }

    /// Updates a portal, and the geometry that sprawls through it, to the current poses.
    fn put(&mut self, level: &LevelData, index: usize) {
        let id = self.portals[index].0;
        let authored = level.portal(id);
        let rooms = [authored.near, authored.far];
        let far_from_near = self.from_authored(level, rooms, &authored.far_from_near);
        // The opening moves with the room of its node's parent.
        let near_from_authored = if level.link(authored.link).near == authored.near {
            Rigid::IDENTITY
        } else {
            far_from_near.inverse().after(&authored.far_from_near)
        };
        let portal = &mut self.portals[index].1;
        portal.put(authored, &near_from_authored);
        portal.far_from_near = far_from_near;
        for sprawl in level.sprawls_through(id) {
            let Some(index) = sprawl.moving else {
                continue;
            };
            let rooms = [sprawl.room, authored.near];
            let now = self.from_authored(level, rooms, &sprawl.into_from_room);
            let moved = now.after(&sprawl.into_from_room.inverse());
            let moving = &mut self.sprawls[index as usize];
            moving.bounds = sprawl.bounds.transformed(&moved);
            moving.into_from_room = now;
        }
    }

    /// The current transform from coordinates of one room to those of another, given the authored transform.
    pub fn from_authored(
        &self,
        level: &LevelData,
        [from, to]: [RoomId; 2],
        to_from_from: &Rigid,
    ) -> Rigid {
        let [from, to] = [from, to].map(|room| level.room(room).moved_by);
        if from == to {
            return *to_from_from;
        }
        let pose = |mover: Option<MoverId>| mover.map(|id| self.poses[id.0 as usize]);
        let [from, to] = [from, to].map(|mover| pose(mover).unwrap_or_default());
        to.inverse().after(to_from_from).after(&from)
    }

    /// The current state of a portal.
    pub fn portal<'a>(&'a self, level: &'a LevelData, id: PortalId) -> &'a Portal {
        let authored = level.portal(id);
        match authored.moving {
            None => authored,
            Some(index) => &self.portals[index as usize].1,
        }
    }

    /// The current portals that leave a room, with their indices.
    pub fn portals_of<'a>(
        &'a self,
        level: &'a LevelData,
        room: RoomId,
    ) -> impl Iterator<Item = (PortalId, &'a Portal)> {
        let portals = level.portals_of(room);
        portals.map(|(id, authored)| match authored.moving {
            None => (id, authored),
            Some(index) => (id, &self.portals[index as usize].1),
        })
    }

    /// The current portals from a room into rooms that move relative to it.
    pub(crate) fn moving_portals_of(
        &self,
        level: &LevelData,
        room: RoomId,
    ) -> &[(PortalId, Portal)] {
        let own = &level.room(room).portals;
        let [first, end] =
            [own.start, own.end].map(|end| self.portals.partition_point(|(id, _)| id.0 < end));
        &self.portals[first..end]
    }

    /// The geometry that sprawls into a room from other rooms, in the current poses.
    pub fn sprawls_into<'a>(
        &'a self,
        level: &'a LevelData,
        room: RoomId,
    ) -> impl Iterator<Item = &'a Sprawl> {
        let sprawls = level.sprawls_into(room).iter();
        sprawls.map(|authored| match authored.moving {
            None => authored,
            Some(index) => &self.sprawls[index as usize],
        })
    }

    /// The first portal of the room that the segment crosses from back to front, at or after the fraction `done` of
    /// the segment, and the fraction of the crossing. Only portals for whose link `passes` is true count.
    pub(crate) fn first_crossing(
        &self,
        level: &LevelData,
        (from, to): (At, DVec3),
        done: f64,
        passes: impl Fn(LinkId) -> bool,
    ) -> Option<(PortalId, f64)> {
        let segment = [from.point, to];
        let mut first = FirstCrossing::on(segment, done);
        level.each_portal_near(from.room, &Aabb::around(segment), |id| {
            first.add(id, self.portal(level, id), &passes);
        });
        first.found()
    }
}

impl Portal {
    /// Whether both are the same portal, in any pose.
    fn is_side_of(&self, other: &Self) -> bool {
        let key = |p: &Self| (p.link, p.near, p.far, p.moving, p.polygon.vertices.len());
        key(self) == key(other)
    }

    /// Copies the polygon and box of the authored portal `of` in a new pose; does not allocate.
    fn put(&mut self, of: &Self, here_from_there: &Rigid) {
        self.polygon.put(&of.polygon, here_from_there);
        self.bounds = self.polygon.bounds();
    }
}
