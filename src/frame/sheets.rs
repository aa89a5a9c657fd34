//! Sheets: the parts of a picture between portals that bend space.
//!
//! Rooms that a frame shows overlap if portals bend space. A ray from the eye is in one room after another: it begins in
//! the eye's room and enters another *sheet* at each bent portal that it passes. A sheet consists of visible rooms that
//! are joined by plain doorways. A fragment is drawn where the ray is in the fragment's sheet when it reaches the
//! fragment. The shader follows the ray, from the records written here; see `is_in_sheet` in `shaders/sheets.wgsl`.

use std::cmp::Ordering;
use std::ops::Range;

use glam::DVec3;

use crate::geometry::{Rigid, by_coordinates};
use crate::level::{Level, Portal, RoomId};
use crate::visibility::{Camera, VisibleSet};
use crate::world::World;

/// The records of a sheet's portal before its sides: its target, and its plane.
const PORTAL_HEAD: usize = 2;
/// The distance of the eye beyond a portal's plane, metres, up to which the portal is in the picture.
const BEHIND: f64 = 1e-9;

/// The sheets of a frame; none if the frame shows no portal that bends space.
#[derive(Clone, Debug, Default)]
pub struct FrameSheets {
    /// The records for the shader. Each sheet has a head: the offsets from the head to the first record of its portals, to
    /// the record after them, and to the head of the eye's sheet. Each portal has the offset to the head of its target
    /// sheet (0 if that is not drawn), the number of its sides, the distance of its plane from the eye (metres), and its
    /// plane and sides as lines in the picture: `x * a + y * b + c` is positive beyond the plane, and between the sides, for
    /// normalised device coordinates x and y.
    pub records: Vec<[f32; 4]>,
    /// For each visible room the record of its sheet's head.
    heads: Vec<u32>,
    /// For each visible room an earlier room of its sheet, or itself if it is the first.
    firsts: Vec<u32>,
    /// The visible rooms, ordered.
    by_room: Vec<(RoomId, u32)>,
    /// The visible rooms sheet by sheet, each after the first room of its sheet.
    members: Vec<(u32, u32)>,
}

impl FrameSheets {
    /// The head of the sheet of a visible room; `None` if the frame has no sheets.
    pub(super) fn of_visible(&self, index: u32) -> Option<u32> {
        self.heads.get(index as usize).copied()
    }

    fn clear(&mut self) {
        self.records.clear();
        self.heads.clear();
    }

    /// Finds the sheets of a picture of `camera`. There are none if the camera of `visible` is another one, as in debug
    /// views from outside, or if no portal bends space.
    pub(super) fn find(
        &mut self,
        (level, world): (&Level, &World),
        camera: &Camera,
        visible: &VisibleSet,
    ) {
        self.clear();
        let rooms = visible.rooms;
        if !level.bends_space || !visible.follows_portals || visible.camera != camera {
            return;
        }
        let mut portals = rooms.iter().flat_map(|v| level.portals_of(v.room));
        if portals.all(|(_, portal)| !portal.bends_space()) {
            return;
        }
        self.by_room.clear();
        self.by_room
            .extend((0..).zip(rooms).map(|(index, v)| (v.room, index)));
        self.by_room.sort_unstable();
        self.join((level, world), visible);
        self.members.clear();
        let firsts = self.firsts.iter().copied();
        self.members.extend(firsts.zip(0..));
        self.members.sort_unstable();
        self.heads.resize(rooms.len(), 0);
        let mut start = 0;
        while let Some(&(first, _)) = self.members.get(start) {
            let end = self.members.partition_point(|&(of, _)| of <= first);
            self.write_sheet((level, world), camera, visible, start..end);
            start = end;
        }
        self.resolve_targets();
    }

    /// The first room of a visible room's sheet so far. Shortens the chain to it by half (R. Tarjan and J. van Leeuwen,
    /// "Worst-case Analysis of Set Union Algorithms", 1984).
    fn first_of(&mut self, mut index: u32) -> u32 {
        loop {
            let first = self.firsts[index as usize];
            if first == index {
                return index;
            }
            self.firsts[index as usize] = self.firsts[first as usize];
            index = first;
        }
    }

    /// Joins the rooms of each sheet: those with a plain doorway between them, open or shut.
    fn join(&mut self, (level, world): (&Level, &World), visible: &VisibleSet) {
        self.firsts.clear();
        self.firsts.extend(0..visible.rooms.len() as u32);
        for (index, from) in (0u32..).zip(visible.rooms) {
            for (id, portal) in world.rooms().portals_of(level, from.room) {
                if level.portal(id).bends_space() {
                    continue;
                }
                let eye_from_far = from.eye_from_room.after(&portal.far_from_near.inverse());
                if let Some(to) = self.image(visible, portal.far, &eye_from_far) {
                    let [a, b] = [self.first_of(index), self.first_of(to)];
                    self.firsts[a.max(b) as usize] = a.min(b);
                }
            }
        }
        // The first room of each sheet is known now. A link leads to an earlier room, whose own link is resolved before.
        for index in 0..self.firsts.len() {
            self.firsts[index] = self.firsts[self.firsts[index] as usize];
        }
    }

    /// The index of the visible room at a place.
    fn image(&self, visible: &VisibleSet, room: RoomId, eye_from_room: &Rigid) -> Option<u32> {
        let first = self.by_room.partition_point(|&(of, _)| of < room);
        let images = self.by_room[first..]
            .iter()
            .take_while(|(of, _)| *of == room);
        let mut indices = images.map(|&(_, index)| index);
        indices.find(|&index| {
            let image = &visible.rooms[index as usize];
            image.eye_from_room.is_about(eye_from_room)
        })
    }

    /// Writes the records of the sheet with a range of members. The targets of its portals are written as the indices of
    /// visible rooms plus 1.
    fn write_sheet(
        &mut self,
        (level, world): (&Level, &World),
        camera: &Camera,
        visible: &VisibleSet,
        members: Range<usize>,
    ) {
        let head = self.records.len();
        self.records.push([0.0; 4]);
        for at in members {
            let (_, index) = self.members[at];
            self.heads[index as usize] = head as u32;
            let from = &visible.rooms[index as usize];
            for (id, portal) in world.rooms().portals_of(level, from.room) {
                if !level.portal(id).bends_space() || !world.passes_light(portal.link) {
                    continue;
                }
                let eye_from_far = from.eye_from_room.after(&portal.far_from_near.inverse());
                let target = self.image(visible, portal.far, &eye_from_far);
                let target = target.map_or(0, |target| target + 1);
                add_portal(
                    &mut self.records,
                    camera,
                    &from.eye_from_room,
                    portal,
                    target,
                );
            }
        }
        let end = self.records.len();
        self.records[head] = [1.0, (end - head) as f32, -(head as f32), 0.0];
    }

    /// Replaces the targets by the offsets of their heads.
    fn resolve_targets(&mut self) {
        let mut head = 0;
        while head < self.records.len() {
            let end = head + self.records[head][1] as usize;
            let mut at = head + 1;
            while at < end {
                let [target, sides, ..] = self.records[at];
                let target = (target as usize)
                    .checked_sub(1)
                    .map(|index| self.heads[index]);
                self.records[at][0] = target.map_or(0.0, |to| to as f32 - at as f32);
                at += PORTAL_HEAD + sides as usize;
            }
            head = end;
        }
    }
}

/// Adds the records of a portal as the camera sees it, unless the eye is beyond its plane.
fn add_portal(
    records: &mut Vec<[f32; 4]>,
    camera: &Camera,
    eye_from_room: &Rigid,
    portal: &Portal,
    target: u32,
) {
    let view_from_eye = camera.axes.transpose();
    let to_view = |point: DVec3| view_from_eye * (eye_from_room.point(point) - camera.at.point);
    let vertices = &portal.polygon.vertices;
    let normal = view_from_eye * eye_from_room.vector(portal.polygon.plane.normal);
    let distance = normal.dot(to_view(vertices[0]));
    if distance < -BEHIND {
        return;
    }
    let [tan_x, tan_y] = camera.tan_half();
    let line = |n: DVec3| {
        let line = DVec3::new(n.x * tan_x, n.y * tan_y, -n.z).as_vec3();
        [line.x, line.y, line.z, 0.0]
    };
    records.push([
        target as f32,
        vertices.len() as f32,
        distance.max(0.0) as f32,
        0.0,
    ]);
    records.push(line(normal));
    for (i, &from) in vertices.iter().enumerate() {
        // The order of the ends does not depend on the direction, so the same side of two portals gives opposite lines.
        let ends = [from, vertices[(i + 1) % vertices.len()]].map(to_view);
        let [a, b] = ends;
        let is_ordered = by_coordinates(a, b) == Ordering::Less;
        let [low, high] = if is_ordered { [a, b] } else { [b, a] };
        let across = low.cross(high).normalize_or_zero();
        let inwards = if is_ordered { across } else { -across };
        records.push(line(inwards));
    }
}
