//! Lines of sight between points.

use glam::DVec3;

use super::ray::{RayEnd, StoppedBy, trace};
use crate::geometry::Rigid;
use crate::level::{At, Front, Level, Portal, PortalId, RoomImage, Walk};
use crate::world::World;

/// Points closer to each other than this count as equal, metres.
const SAME: f64 = 1e-6;

/// The reusable memory of [`can_see`].
#[derive(Debug, Default)]
pub struct SightMemory {
    walk: Walk<()>,
}

/// Whether no solid is between two points at most `range` metres apart, along a straight line through open links.
/// Door panels that can be seen through do not count; other glass does. If portals bend space, all instances of the
/// other room within `range` are tried.
pub fn can_see(
    level: &Level,
    world: &World,
    from: At,
    to: At,
    range: f64,
    memory: &mut SightMemory,
) -> bool {
    let line = SightLine {
        stopped_by: StoppedBy::Opaque,
        range,
        slack: SAME,
    };
    find(level, world, [from, to], line, memory).is_some()
}

/// Finds an instance of the room of `to` for which no surface of the level, closed link or mover is on the straight
/// line from `from` to `to`. The line is at most `range` metres long. Returns the transform from coordinates of
/// `from` to those of `to`. Rigid bodies do not count, nor do surfaces within `slack` metres of the end.
pub(crate) fn free_line(
    level: &Level,
    world: &World,
    [from, to]: [At; 2],
    [range, slack]: [f64; 2],
    memory: &mut SightMemory,
) -> Option<Rigid> {
    let line = SightLine {
        stopped_by: StoppedBy::Structure,
        range,
        slack,
    };
    find(level, world, [from, to], line, memory)
}

/// The conditions on a straight line between two points.
#[derive(Clone, Copy)]
struct SightLine {
    stopped_by: StoppedBy,
    /// The maximum length, metres.
    range: f64,
    /// A hit within this distance of the end is accepted, metres.
    slack: f64,
}

/// Finds the first free line between two points. Returns the transform from coordinates of `from` to those of `to`.
fn find(
    level: &Level,
    world: &World,
    [from, to]: [At; 2],
    line: SightLine,
    memory: &mut SightMemory,
) -> Option<Rigid> {
    let mut search = ImageSearch {
        world,
        from,
        to,
        line,
        found: None,
    };
    memory.walk.clear();
    memory.walk.begin(&mut search, from.room, ());
    memory.walk.run(level, world.rooms(), &mut search);
    search.found
}

/// A search for instances of a room within a distance.
struct ImageSearch<'a> {
    world: &'a World,
    from: At,
    to: At,
    line: SightLine,
    found: Option<Rigid>,
}

impl ImageSearch<'_> {
    /// Whether a ray that ended at `end` has reached the target point, which may also lie in the room behind a portal at `end`.
    fn is_there(&self, level: &Level, end: At) -> bool {
        let is_at =
            |at: At| at.room == self.to.room && at.point.distance(self.to.point) <= self.line.slack;
        let portals = self.world.rooms().portals_of(level, end.room);
        let beyond = portals.filter(|(_, portal)| {
            let is_near = portal.polygon.distance(end.point) <= self.line.slack;
            is_near && self.line.stopped_by.passes(self.world, portal.link)
        });
        let mut beyond =
            beyond.map(|(_, portal)| At::new(portal.far, portal.far_from_near.point(end.point)));
        is_at(end) || beyond.any(is_at)
    }
}

impl Front for ImageSearch<'_> {
    type Part = ();

    fn visit(&mut self, level: &Level, _: usize, image: &RoomImage<()>) -> bool {
        if image.room == self.to.room && self.found.is_none() {
            let ray: DVec3 = image.home_from_room.point(self.to.point) - self.from.point;
            let is_free = ray.length() <= self.line.range
                && match trace(level, self.world, self.from, ray, self.line.stopped_by) {
                    RayEnd::Free(end) => self.is_there(level, end),
                    // A target on a surface is hit, not passed.
                    RayEnd::Hit(hit) => {
                        hit.distance >= ray.length() - self.line.slack
                            && self.is_there(level, hit.at)
                    }
                };
            self.found = is_free.then(|| image.home_from_room.inverse());
        }
        self.found.is_none()
    }

    fn pass(&mut self, image: &RoomImage<()>, (_, portal): (PortalId, &Portal)) -> Option<()> {
        let here = image.home_from_room.inverse().point(self.from.point);
        let is_near = portal.polygon.distance(here) <= self.line.range;
        (is_near && self.line.stopped_by.passes(self.world, portal.link)).then_some(())
    }
}
