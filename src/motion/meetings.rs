//! Which bodies each mover may meet in a tick, listed by the rooms that the bodies reach.
//!
//! Without the list each mover that moves would try all bodies, however far away they are.

use glam::DVec3;

use super::actor::Actor;
use super::met::{Met, NEAR};
use super::movers::{bounds, with_queries};
use super::workspace::Workspace;
use crate::collision::CollisionWorld;
use crate::geometry::{Aabb, Rigid};
use crate::level::{MoverId, RoomId};

/// The box of a body is larger by this in the coordinates of a mover, which may be turned: the square root of 3.
const TURNED: f64 = 1.733;

/// Pairs of a mover and a body that may meet in this tick.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// In order, with the index of the body.
    pairs: Vec<(MoverId, usize)>,
    /// Whether the pairs are listed: if not, each mover tries each body.
    is_listed: bool,
    /// The bodies that a mover has moved in this tick: what was listed of them holds no longer, and each later
    /// mover tries them.
    moved: Vec<usize>,
    /// The rooms with movers that a body reaches, and the transforms from its coordinates.
    rooms: Vec<(RoomId, Rigid)>,
}

impl Meetings {
    /// Lists the pairs of a tick.
    pub(super) fn list(
        &mut self,
        collision: &CollisionWorld,
        actors: &mut [Actor],
        workspace: &mut Workspace,
    ) {
        let CollisionWorld { level, world, .. } = *collision;
        self.moved.clear();
        let Self { pairs, rooms, .. } = self;
        pairs.clear();
        let awake = world.awake_movers();
        // Where rooms move in the course of the tick, bodies reach other rooms than before.
        let moves_room = |id: &MoverId| !level.mover(*id).moved_rooms.is_empty();
        self.is_listed = !awake.iter().any(moves_room);
        if !self.is_listed {
            return;
        }
        for (index, actor) in actors.iter_mut().enumerate() {
            rooms.clear();
            with_queries(collision, actor, workspace, |q| {
                rooms.extend(q.rooms_with_movers());
            });
            // A rider is carried however far its mover is.
            pairs.extend(actor.state.rides.map(|id| (id, index)));
            let low = actor.state.at.point;
            let length = actor.body.segment_length;
            let ends = [low, low + DVec3::Y * length];
            let reach = TURNED * NEAR * actor.body.radius + length;
            for (room, room_from_here) in &*rooms {
                let around = Aabb::around(ends.map(|p| room_from_here.point(p)));
                let meets = |id: MoverId| {
                    let (mover, bounds) = (level.mover(id), bounds(level, id));
                    let part = 1.0 / f64::from(mover.drive.ticks);
                    let step = TURNED * mover.track.longest_step(&bounds, part);
                    let around = around.grown(reach + step);
                    let mut images = level.room(*room).images_of(id);
                    images.any(|image| image.bounds.overlaps(&around))
                };
                let images = &level.room(*room).movers;
                if awake.len() < images.len() {
                    let awake = awake.iter().filter(|id| meets(**id));
                    pairs.extend(awake.map(|id| (*id, index)));
                } else {
                    let awake = images.iter().map(|image| image.mover);
                    let awake = awake.filter(|id| !world.mover(*id).is_idle() && meets(*id));
                    pairs.extend(awake.map(|id| (id, index)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
    }

    /// The bodies that a mover may meet, in order, of so many in all.
    pub(super) fn of(&self, id: MoverId, count: usize, bodies: &mut Vec<usize>) {
        bodies.clear();
        if !self.is_listed {
            bodies.extend(0..count);
            return;
        }
        let pairs = &self.pairs;
        let first = pairs.partition_point(|(mover, _)| *mover < id);
        let of_mover = pairs[first..].iter().take_while(|(mover, _)| *mover == id);
        bodies.extend(of_mover.map(|(_, body)| *body));
        if !self.moved.is_empty() {
            bodies.extend(&self.moved);
            bodies.sort_unstable();
            bodies.dedup();
        }
    }

    /// A mover has met these bodies: those that it moved are tried against all later ones.
    pub(super) fn note_moved(&mut self, met: &[Met], actors: &[Actor]) {
        let moved = met.iter().filter(|met| met.has_moved(&actors[met.index]));
        for met in moved {
            if let Err(at) = self.moved.binary_search(&met.index) {
                self.moved.insert(at, met.index);
            }
        }
    }
}
