//! The mutable state of a level, as one value: which links are open, and the poses of movers, rooms and rigid bodies.
//!
//! Motion, visibility, lighting and drawing get the same [`World`], so that a door is never closed for one of them
//! and open for another.

mod applied_force;
mod bodies;
mod body_state;
mod forces;
mod hands;
mod kinematic;
mod lights;
mod mover_state;
mod participant;
mod reaching;
mod revision;
mod saved;
#[cfg(test)]
mod tests;
mod touches;

pub use bodies::Bodies;
pub(crate) use bodies::{JointImpulse, KeptImpulse, LeftPlace};
pub use body_state::{BodyState, Ride};
pub(crate) use hands::Held;
pub use mover_state::{Going, MoverState};
pub(crate) use participant::{ContactKey, Participant};
pub(crate) use revision::Revision;

use crate::geometry::Rigid;
use crate::level::{
    Level, LinkId, Mover, MoverId, MoverImage, MoverPartId, RoomId, RoomPlace, RoomPoses, Track,
};
use revision::Revisions;

/// The acceleration of bodies and characters by gravity, m/s2, downwards.
pub const GRAVITY: f64 = 9.81;

/// The mutable state of a level; the [`Level`] itself does not change.
#[derive(Debug)]
pub struct World {
    /// Per link: whether bodies can pass.
    open: Vec<bool>,
    /// Per link: whether sight and light pass even while the link is closed.
    see_through: Vec<bool>,
    /// Per link: the door panel that moves aside when the link opens; none for a panel that vanishes.
    panels: Vec<Option<MoverId>>,
    /// Per mover: its state in this tick.
    movers: Vec<MoverState>,
    /// Per mover: the pose of its state in this tick, and in the tick before.
    poses: Vec<[Rigid; 2]>,
    /// Per mover: its state in the tick before.
    before: Vec<MoverState>,
    /// Per part of a mover: the room that contains it, with the transform from coordinates of the mover's room.
    part_rooms: Vec<RoomPlace>,
    /// The poses of the rooms that movers move.
    rooms: RoomPoses,
    /// Per light: whether it is lit.
    lit: Vec<bool>,
    /// The states of the rigid bodies.
    pub bodies: Bodies,
    /// The movers that move, wait or have moved in this tick, in order, and possibly others.
    awake: Vec<MoverId>,
    /// Per mover: whether it is in `awake`.
    is_awake: Vec<bool>,
    /// The links that opened or closed since the last tick of the bodies.
    toggled: Vec<LinkId>,
    revisions: Revisions,
}

/// Whether two worlds of one level are in the same state.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        self.open == other.open
            && self.movers == other.movers
            && self.poses == other.poses
            && self.lit == other.lit
            && self.bodies == other.bodies
    }
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            open: self.open.clone(),
            see_through: self.see_through.clone(),
            panels: self.panels.clone(),
            movers: self.movers.clone(),
            poses: self.poses.clone(),
            before: self.before.clone(),
            part_rooms: self.part_rooms.clone(),
            rooms: self.rooms.clone(),
            lit: self.lit.clone(),
            bodies: self.bodies.clone(),
            awake: self.awake.clone(),
            is_awake: self.is_awake.clone(),
            toggled: self.toggled.clone(),
            revisions: Revisions::default(),
        }
    }

    /// Allocates nothing if both worlds are of one level.
    fn clone_from(&mut self, source: &Self) {
        self.open.clone_from(&source.open);
        self.see_through.clone_from(&source.see_through);
        self.panels.clone_from(&source.panels);
        self.movers.clone_from(&source.movers);
        self.poses.clone_from(&source.poses);
        self.before.clone_from(&source.before);
        self.part_rooms.clone_from(&source.part_rooms);
        self.rooms.clone_from(&source.rooms);
        self.lit.clone_from(&source.lit);
        self.bodies.clone_from(&source.bodies);
        self.awake.clone_from(&source.awake);
        self.is_awake.clone_from(&source.is_awake);
        self.toggled.clone_from(&source.toggled);
        self.revisions.advance();
    }
}

impl World {
    /// The world as authored: every link is open, except links that a door panel closes.
    pub fn of(level: &Level) -> Self {
        let mut world = Self {
            open: level
                .links
                .iter()
                .map(|link| link.panel.is_none())
                .collect(),
            see_through: vec![false; level.links.len()],
            panels: vec![None; level.links.len()],
            movers: level.movers.iter().map(MoverState::of).collect(),
            poses: vec![[Rigid::IDENTITY; 2]; level.movers.len()],
            before: vec![MoverState::START; level.movers.len()],
            part_rooms: level.mover_parts.iter().map(|part| part.home).collect(),
            rooms: RoomPoses::authored(level),
            lit: level.lights.iter().map(|light| light.starts_lit).collect(),
            bodies: Bodies::of(level),
            awake: Vec::with_capacity(level.movers.len()),
            is_awake: vec![false; level.movers.len()],
            toggled: Vec::new(),
            revisions: Revisions::default(),
        };
        for (id, mover) in (0..).map(MoverId).zip(&level.movers) {
            if let Some(link) = mover.link {
                world.see_through[link.0 as usize] = mover.see_through;
                let moves = mover.track != Track::Vanish;
                world.panels[link.0 as usize] = moves.then_some(id);
            }
            world.set(level, id, *world.mover(id));
            world.rest(id);
        }
        world.let_sleep();
        world
    }

    /// The world as authored, but with every link open and every light lit; the movers of doors are at the end of their
    /// track.
    pub fn all_open(level: &Level) -> Self {
        let mut world = Self::of(level);
        world.open.fill(true);
        world.lit.fill(true);
        world.revisions.advance();
        for panel in world.panels.clone().into_iter().flatten() {
            let ticks = level.mover(panel).drive.ticks;
            world.set(level, panel, MoverState::resting_at(ticks));
            world.rest(panel);
        }
        world.let_sleep();
        world
    }

    /// The poses of the moving rooms, and of the portals between them and other rooms.
    pub fn rooms(&self) -> &RoomPoses {
        &self.rooms
    }

    /// Whether sight and light pass the link.
    pub fn passes_light(&self, link: LinkId) -> bool {
        self.open[link.0 as usize] || self.see_through[link.0 as usize]
    }

    /// Whether bodies can pass the link. A link with a moving door panel is open if the panel is not in its authored pose.
    pub fn is_open(&self, link: LinkId) -> bool {
        self.open[link.0 as usize]
    }

    /// Opens a link: at once, or by starting the motion of its door panel.
    pub fn open(&mut self, link: LinkId) {
        match self.panels[link.0 as usize] {
            Some(panel) => self.state_mut(panel).go(Going::There),
            None => self.set_open(link, true),
        }
    }

    /// Closes a link, even if bodies are in the way: at once, or by starting the motion of its door panel.
    /// [`crate::motion::close_link`] closes it only where no body is in the way.
    pub(crate) fn close(&mut self, link: LinkId) {
        match self.panels[link.0 as usize] {
            Some(panel) => self.state_mut(panel).go(Going::Back),
            None => self.set_open(link, false),
        }
    }

    /// Whether the door of a link is open or opening.
    pub fn opens(&self, link: LinkId) -> bool {
        match self.panels[link.0 as usize] {
            Some(panel) => {
                let state = self.mover(panel);
                state.going == Going::There || state.going == Going::Rest && state.at > 0
            }
            None => self.is_open(link),
        }
    }

    /// Whether the link has a door panel that moves aside when the link opens.
    pub fn has_moving_panel(&self, link: LinkId) -> bool {
        self.panels[link.0 as usize].is_some()
    }

    /// The closed links.
    pub fn closed(&self) -> impl Iterator<Item = LinkId> + '_ {
        (0u32..)
            .zip(&self.open)
            .filter(|(_, open)| !**open)
            .map(|(i, _)| LinkId(i))
    }

    /// The links whose open state differs from the state in `before`.
    pub fn changed_links<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = LinkId> + 'a {
        changed(&self.open, &before.open).map(LinkId)
    }

    /// The movers whose pose differs from the pose in `before`.
    pub fn changed_movers<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = MoverId> + 'a {
        let movers = changed(&self.poses, &before.poses).map(MoverId);
        movers.filter(|&id| self.pose(id) != before.pose(id))
    }

    /// Whether a mover is solid and drawn. A mover with [`Track::Vanish`] is present only while its link is closed.
    pub fn is_present(&self, mover: &Mover) -> bool {
        mover.track != Track::Vanish || mover.link.is_none_or(|link| !self.is_open(link))
    }

    /// A mover's pose: the transform from its own coordinates to those of its room.
    pub fn pose(&self, mover: MoverId) -> &Rigid {
        &self.poses[mover.0 as usize][0]
    }

    /// The motion of a mover in this tick, in coordinates of its room: maps a point at rest on the mover at the beginning of
    /// the tick to the same point at the end of the tick.
    pub fn now_from_before(&self, mover: MoverId) -> Rigid {
        let [now, before] = &self.poses[mover.0 as usize];
        if now == before {
            return Rigid::IDENTITY;
        }
        now.after(&before.inverse())
    }

    /// The transform from coordinates of a mover to those of room `here`, into which the mover reaches. `image` is
    /// the mover's entry in that room.
    pub fn here_from_mover(&self, level: &Level, here: RoomId, image: &MoverImage) -> Rigid {
        if level.room(here).moved_by == Some(image.mover) {
            return image.here_from_room;
        }
        let here_from_room = self.here_from_room_of(level, here, image);
        here_from_room.after(self.pose(image.mover))
    }

    /// The transform from coordinates of a mover's room to those of `here`, a room into which the mover reaches.
    pub fn here_from_room_of(&self, level: &Level, here: RoomId, image: &MoverImage) -> Rigid {
        let rooms = [level.mover(image.mover).room, here];
        self.rooms
            .from_authored(level, rooms, &image.here_from_room)
    }

    /// The room that contains a part of a mover and whose lights light it, with the transform from coordinates of the mover's
    /// room.
    pub fn part_room(&self, level: &Level, part: MoverPartId) -> RoomPlace {
        let RoomPlace {
            room,
            here_from_other,
        } = self.part_rooms[part.0 as usize];
        let mover = level.mover_parts[part.0 as usize].mover;
        let rooms = [level.mover(mover).room, room];
        RoomPlace {
            room,
            here_from_other: self.rooms.from_authored(level, rooms, &here_from_other),
        }
    }

    /// The room that contains a part of a mover; none if the level has no such part.
    pub(crate) fn room_of_part(&self, part: MoverPartId) -> Option<RoomId> {
        self.part_rooms.get(part.0 as usize).map(|place| place.room)
    }

    /// A mover's state: its position on its track, and its direction.
    pub fn mover(&self, mover: MoverId) -> &MoverState {
        &self.movers[mover.0 as usize]
    }

    /// The states of all movers, in order.
    pub fn movers(&self) -> impl Iterator<Item = (MoverId, &MoverState)> {
        (0..).map(MoverId).zip(&self.movers)
    }

    /// Starts a resting mover away from the end where it rests, or reverses a moving one.
    pub fn call(&mut self, mover: MoverId) {
        self.state_mut(mover).call();
    }

    /// The mover at this index of the list of awake movers.
    pub(crate) fn awake(&self, index: usize) -> Option<MoverId> {
        self.awake.get(index).copied()
    }

    /// The awake movers, in order: a superset of the movers that move, wait or have moved in this tick.
    pub(crate) fn awake_movers(&self) -> &[MoverId] {
        &self.awake
    }

    /// Removes movers at rest that have not moved in this tick from the list of awake movers.
    pub(crate) fn let_sleep(&mut self) {
        self.awake.retain(|id| {
            let id = id.0 as usize;
            let [now, before] = &self.poses[id];
            self.is_awake[id] = !self.movers[id].is_idle() || now != before;
            self.is_awake[id]
        });
    }

    /// A mutable reference to a mover's state; wakes the mover.
    fn state_mut(&mut self, id: MoverId) -> &mut MoverState {
        let is_awake = &mut self.is_awake[id.0 as usize];
        if !*is_awake {
            *is_awake = true;
            let at = self.awake.partition_point(|other| *other < id);
            self.awake.insert(at, id);
        }
        &mut self.movers[id.0 as usize]
    }

    /// The links that opened or closed since the last tick of the bodies.
    pub(crate) fn toggled(&self) -> &[LinkId] {
        &self.toggled
    }

    /// Clears the list of toggled links, after the bodies have ticked.
    pub(crate) fn forget_toggled(&mut self) {
        self.toggled.clear();
    }

    /// Sets the links that opened or closed since the last tick of the bodies.
    pub(crate) fn set_toggled(&mut self, links: Vec<LinkId>) {
        self.toggled = links;
    }

    fn set_open(&mut self, link: LinkId, open: bool) {
        self.open[link.0 as usize] = open;
        // Only sleeping bodies need the list of toggled links.
        if !self.bodies.is_empty() && !self.toggled.contains(&link) {
            self.toggled.push(link);
        }
        self.revisions.advance();
    }

    /// The revision of this state: valid until a link opens or closes, or a mover moves.
    pub(crate) fn revision(&self) -> Revision {
        self.revisions.now()
    }

    /// Changes a mover's state to another one at the same position on its track.
    pub(crate) fn set_in_place(&mut self, id: MoverId, state: MoverState) {
        debug_assert_eq!(self.mover(id).at, state.at);
        *self.state_mut(id) = state;
    }

    /// Sets a mover's state and its pose in this tick, even if bodies are in the way.
    pub(crate) fn set(&mut self, level: &Level, id: MoverId, state: MoverState) {
        let mover = level.mover(id);
        *self.state_mut(id) = state;
        let part = f64::from(state.at) / f64::from(mover.drive.ticks);
        let pose = mover.track.pose(part);
        if self.poses[id.0 as usize][0] != pose {
            self.put(level, id, pose);
        }
        self.find_parts(level, id);
        if let Some(link) = mover.link.filter(|link| self.has_moving_panel(*link)) {
            let open = state.at > 0;
            if self.is_open(link) != open {
                self.set_open(link, open);
            }
        }
    }

    /// Moves a mover to an interpolated pose between two ticks of its track, even if bodies are in the way. Returns the
    /// resulting motion of the mover, in coordinates of its room.
    pub(crate) fn put_between(
        &mut self,
        level: &Level,
        id: MoverId,
        ticks: [u32; 2],
        part: f64,
    ) -> Rigid {
        let mover = level.mover(id);
        let [from, to] = ticks.map(f64::from);
        let before = self.poses[id.0 as usize][0];
        let pose = mover
            .track
            .pose((from + (to - from) * part) / f64::from(mover.drive.ticks));
        self.put(level, id, pose);
        pose.after(&before.inverse())
    }

    /// Sets the pose of a mover and of the rooms that it moves.
    fn put(&mut self, level: &Level, id: MoverId, pose: Rigid) {
        self.poses[id.0 as usize][0] = pose;
        self.rooms.set(level, id, &pose);
        self.revisions.advance();
    }

    /// Sets the mover's previous state and pose to the current ones, so that it counts as not moved in this tick.
    pub(crate) fn rest(&mut self, id: MoverId) {
        let [now, before] = &mut self.poses[id.0 as usize];
        *before = *now;
        self.before[id.0 as usize] = self.movers[id.0 as usize];
    }

    /// Makes this world an interpolation of `other` within its last tick, for frames between two ticks. Each mover
    /// that moved in the tick stands on its track after the part `alpha` of the tick, 0..1. A link whose door panel
    /// moved in the tick is open. Allocates nothing if both worlds are of one level.
    pub fn put_between_ticks(&mut self, level: &Level, other: &Self, alpha: f64) {
        self.clone_from(other);
        if alpha >= 1.0 {
            return;
        }
        self.bodies.put_between_ticks(alpha);
        for &id in &other.awake {
            let [now, before] = &other.poses[id.0 as usize];
            if now == before {
                continue;
            }
            let (state, mover) = (other.before[id.0 as usize], level.mover(id));
            let ticks = state.way_to(other.mover(id), mover);
            self.put_between(level, id, ticks, alpha.max(0.0));
            self.find_parts(level, id);
            let link = mover.link.filter(|link| self.has_moving_panel(*link));
            if let Some(link) = link.filter(|link| !self.is_open(*link)) {
                self.set_open(link, true);
            }
        }
    }

    /// Finds the rooms that contain the parts of a mover.
    fn find_parts(&mut self, level: &Level, id: MoverId) {
        // A mover that reaches into no other room keeps its parts in the authored room.
        if level.mover(id).rooms.len() == 1 {
            return;
        }
        let pose = self.poses[id.0 as usize][0];
        for (part, data) in level.parts_of(level.mover(id)) {
            self.part_rooms[part.0 as usize] = level.room_of_part(data, &pose);
        }
    }

    /// Sets a mover's pose, even if bodies are in the way. In this pose the mover must still fit the bounding boxes
    /// of its images.
    #[cfg(test)]
    pub(crate) fn set_pose(&mut self, mover: MoverId, room_from_mover: Rigid) {
        self.poses[mover.0 as usize] = [room_from_mover; 2];
        self.revisions.advance();
    }
}

/// Indices of values that differ. Most values are equal, so they are compared in chunks.
fn changed<'a, T: PartialEq>(now: &'a [T], before: &'a [T]) -> impl Iterator<Item = u32> + 'a {
    const AT_A_TIME: usize = 64;
    let parts = now.chunks(AT_A_TIME).zip(before.chunks(AT_A_TIME));
    let parts = (0u32..).step_by(AT_A_TIME).zip(parts);
    let parts = parts.filter(|(_, (now, before))| now != before);
    parts.flat_map(|(first, (now, before))| {
        let values = (first..).zip(now.iter().zip(before));
        values
            .filter(|(_, (now, before))| now != before)
            .map(|(i, _)| i)
    })
}
