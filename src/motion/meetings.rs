//! The pairs of movers and bodies that may meet in a tick, and the undo of a mover's effect on these bodies.
//!
//! The pairs are found through the rooms that the bodies reach. Without them, each moving mover would test all
//! bodies, at any distance.

use glam::DVec3;

use super::actor::Actor;
use super::queries::{Memory, Queries};
use super::snapshot::Snapshot;
use crate::collision::CollisionWorld;
use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, MoverId, MoverImage, RoomId, TURNED};

/// A body does not touch a mover that is farther away than this many radii of the body.
pub(super) const NEAR: f64 = 1.5;

/// A body that a mover may meet in its step.
#[derive(Debug)]
pub(super) struct MoverMeeting {
    /// The index of the body.
    pub index: usize,
    /// The body before the step.
    before: Snapshot,
    /// The transform from the mover's room to the body's room, if the body can meet only one instance of the mover;
    /// `None` for riders.
    here_from_room: Option<Rigid>,
}

impl MoverMeeting {
    pub(super) fn of(index: usize, actor: &Actor, here_from_room: Option<Rigid>) -> Self {
        Self {
            index,
            before: Snapshot::of(&actor.state, &actor.report),
            here_from_room,
        }
    }

    /// Whether the mover is too far from the body to touch it; `mover` is the mover's box in coordinates of
    /// its room. Always false for bodies that have been moved already.
    pub(super) fn is_far(&self, actor: &Actor, mover: &Aabb) -> bool {
        let Some(here_from_room) = &self.here_from_room else {
            return false;
        };
        let point = actor.state.at.point;
        let top = point + DVec3::Y * actor.body.segment_length;
        let around = Aabb::around([point, top]).grown(NEAR * actor.body.radius);
        !self.has_moved(actor) && !mover.transformed(here_from_room).overlaps(&around)
    }

    /// Whether the body has moved since the step began.
    fn has_moved(&self, actor: &Actor) -> bool {
        actor.state.at != self.before.state.at
    }

    /// Undoes the effect of the mover's step on the body.
    pub(super) fn undo(&self, actor: &mut Actor) {
        self.before.restore(&mut actor.state, &mut actor.report);
        actor.report.crushed = false;
    }
}

/// The box around the parts of a mover that meet bodies: its surfaces and the openings of its rooms, in the
/// mover's coordinates.
pub(super) fn bounds(level: &Level, id: MoverId) -> Aabb {
    let mover = level.mover(id);
    let rooms = mover.moved_rooms.iter();
    let portals = rooms.flat_map(|room| level.portals_of(*room));
    let solid = level.solids.bounds(&mover.solids);
    portals.fold(solid, |all, (_, portal)| all.union(portal.bounds))
}

/// Pairs of a mover and a body that may meet in this tick.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// The pairs, sorted; the second part is the index of the body.
    pairs: Vec<(MoverId, usize)>,
    /// Whether the pairs are listed. If not, each mover tests each body.
    is_listed: bool,
    /// The bodies that a mover has moved in this tick. Their pairs are outdated, so each later mover tests them.
    moved: Vec<usize>,
    /// The rooms with movers that a body reaches, and the transforms to them from the coordinates of the body's room.
    rooms: Vec<(RoomId, Rigid)>,
}

impl Meetings {
    /// Lists the pairs of a tick.
    pub(super) fn list(
        &mut self,
        collision: &CollisionWorld,
        actors: &mut [impl AsMut<Actor>],
        memory: &mut Memory,
    ) {
        let CollisionWorld { level, world, .. } = *collision;
        self.moved.clear();
        let Self { pairs, rooms, .. } = self;
        pairs.clear();
        let awake = world.awake_movers();
        // If rooms move during the tick, the rooms that bodies reach change, so no pairs can be listed before it.
        let moves_room = |id: &MoverId| !level.mover(*id).moved_rooms.is_empty();
        self.is_listed = !awake.iter().any(moves_room);
        if !self.is_listed {
            return;
        }
        for (index, actor) in actors.iter_mut().enumerate() {
            rooms.clear();
            let actor = actor.as_mut();
            let Actor {
                body,
                state,
                report,
                cache,
            } = actor;
            let memory = (cache, &mut *memory);
            let mut q = Queries::new(collision, body, state, report, memory, 0.0);
            rooms.extend(q.rooms_with_movers());
            // A rider is carried at any distance from its mover.
            pairs.extend(actor.state.rides.map(|id| (id, index)));
            let low = actor.state.at.point;
            let length = actor.body.segment_length;
            let ends = [low, low + DVec3::Y * length];
            let reach = TURNED * NEAR * actor.body.radius + length;
            for (room, room_from_here) in &*rooms {
                let around = Aabb::around(ends.map(|p| room_from_here.point(p))).grown(reach);
                let room = level.room(*room);
                let near = room.mover_boxes.may_touch(&around);
                let near = near.map(|image| &room.movers[image as usize]);
                let meets = |image: &&MoverImage| {
                    image.reach.overlaps(&around) && !world.mover(image.mover).is_idle()
                };
                pairs.extend(near.filter(meets).map(|image| (image.mover, index)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
    }

    /// The bodies that a mover may meet, sorted; `count` is the number of all bodies.
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

    /// Records the bodies that a mover has moved: all later movers test them.
    pub(super) fn note_moved(&mut self, of_mover: &[MoverMeeting], actors: &[impl AsRef<Actor>]) {
        for meeting in of_mover {
            if meeting.has_moved(actors[meeting.index].as_ref())
                && let Err(at) = self.moved.binary_search(&meeting.index)
            {
                self.moved.insert(at, meeting.index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::build::build;
    use crate::level::{At, AuthorPoint, Cycle, Drive, Track};
    use crate::motion::{Body, State, StepSettings, Workspace, move_movers};
    use crate::rng::Rng;
    use crate::source::MoverSource;
    use crate::world::World;

    const NAMES: [&str; 2] = ["east", "west"];

    /// Two halls with an open doorway between them and boxes that slide and turn; also returns the name of each box's
    /// hall.
    fn halls(rng: &mut Rng) -> (Level, Vec<&'static str>) {
        let mut halls = Vec::new();
        let mut sketch = Sketch::new("halls");
        let doorway = [DVec3::new(0.0, 0.0, -2.0), DVec3::new(0.0, 4.0, 2.0)];
        let opening = Aabb::around(doorway);
        let sides = [("east", [0.0, 10.0]), ("west", [-10.0, 0.0])];
        let rooms = sides.map(|(name, [low, high])| {
            let inside = cuboid([low, 0.0, -10.0], [high, 8.0, 10.0]);
            sketch.box_room(name, inside, &[opening])
        });
        sketch.portal(rooms[0], "west", opening, DVec3::NEG_X);
        sketch.spawn(rooms[0], DVec3::new(5.0, 0.5, 5.0), DVec3::X);
        for index in 0..40 {
            let middle = [
                rng.between(-9.0, 9.0),
                rng.between(1.0, 6.0),
                rng.between(-9.0, 9.0),
            ];
            let middle = DVec3::from(middle);
            let bounds = Aabb::around([middle]).grown(rng.between(0.05, 0.6));
            let track = if rng.one_in(2) {
                Track::Slide(DVec3::new(
                    rng.between(-3.0, 3.0),
                    rng.between(-1.0, 1.0),
                    0.5,
                ))
            } else {
                Track::Turn {
                    pivot: middle + DVec3::new(rng.between(-2.0, 2.0), 0.0, 0.3),
                    axis: DVec3::Y,
                    angle: rng.between(-6.0, 6.0),
                }
            };
            let before = sketch.source.meshes.len();
            let hall = usize::from(middle.x < 0.0);
            halls.push(NAMES[hall]);
            sketch.furniture(rooms[hall], 0, bounds);
            sketch.source.movers.push(MoverSource {
                node: format!("{index:02}-mover"),
                meshes: sketch.source.meshes.split_off(before),
                is_door: false,
                track,
                drive: Drive {
                    ticks: 1 + rng.below(60) as u32,
                    cycle: Cycle::Shuttle,
                    ..Drive::default()
                },
                moved_rooms: Vec::new(),
                moves_with: None,
            });
        }
        (build(sketch.source).unwrap().0, halls)
    }

    /// Whether a capsule touches the box of a mover in its pose: sampled along the segment, in the mover's coordinates.
    fn touches(level: &Level, world: &World, id: MoverId, actor: &Actor) -> bool {
        let mover_from_level = world.pose(id).inverse();
        let own = bounds(level, id);
        (0..=20).any(|part| {
            let up = DVec3::Y * (actor.body.segment_length * f64::from(part) / 20.0);
            let point = mover_from_level.point(actor.state.at.point + up);
            point.clamp(own.min, own.max).distance(point) < actor.body.radius
        })
    }

    #[test]
    fn a_body_that_touches_a_mover_of_its_room_is_listed_and_most_others_are_not() {
        let mut rng = Rng::new(1);
        let (mut near, mut far) = (0, 0);
        for _ in 0..20 {
            let (level, halls) = halls(&mut rng);
            let mut world = World::of(&level);
            let mut workspace = Workspace::default();
            for _ in 0..30 {
                move_movers::<Actor>(&level, &mut world, &mut [], &mut workspace, &mut Vec::new());
                let mut actors: Vec<Actor> = (0..20)
                    .map(|_| {
                        let x = rng.between(-9.0, 9.0);
                        let room = level.room_named(if x < 0.0 { "west" } else { "east" });
                        let point = DVec3::new(x, rng.between(0.5, 6.0), rng.between(-9.0, 9.0));
                        let at = At::new(room.unwrap(), level.from_author(AuthorPoint(point)));
                        let body = Body {
                            radius: rng.between(0.1, 0.5),
                            segment_length: rng.between(0.0, 1.2),
                            gravity: 9.81,
                            jump_height: 1.0,
                            acceleration: 50.0,
                            step_settings: StepSettings::OFF,
                        };
                        Actor::new(body, State::at_rest(at))
                    })
                    .collect();
                let collision = CollisionWorld::new(&level, &world);
                let meetings = &mut workspace.meetings;
                meetings.list(&collision, &mut actors, &mut workspace.queries);
                let mut listed = Vec::new();
                for (id, _) in world.movers() {
                    meetings.of(id, actors.len(), &mut listed);
                    for (index, actor) in actors.iter().enumerate() {
                        let room = &level.room(actor.state.at.room).name;
                        let is_near =
                            *room == halls[id.0 as usize] && touches(&level, &world, id, actor);
                        if is_near {
                            near += 1;
                            assert!(listed.contains(&index), "{id:?} {:?}", actor.state.at);
                        } else {
                            far += usize::from(!listed.contains(&index));
                        }
                    }
                }
            }
        }
        // Most pairs are far apart, and not listed.
        assert!(near > 500 && far > 100 * near, "{near} {far}");
    }
}
