//! Whether one place can be seen from another.

use glam::DVec3;

use super::ray::{StoppedBy, Trace, trace};
use crate::level::{At, Front, Level, Portal, PortalId, RoomImage, Walk};
use crate::world::World;

/// Places nearer to each other than this are one, metres.
const SAME: f64 = 1e-6;

/// The memory of [`can_see`].
#[derive(Debug, Default)]
pub struct SightMemory {
    walk: Walk<()>,
}

/// Whether nothing solid is between two points that are at most `range` metres apart, along a straight
/// line through open links. Door panels that can be seen through do not count, other glass does. Where
/// portals bend space, every image of the other room within `range` is tried.
pub fn can_see(
    level: &Level,
    world: &World,
    from: At,
    to: At,
    range: f64,
    memory: &mut SightMemory,
) -> bool {
    let mut search = Search {
        world,
        from,
        to,
        range,
        is_seen: false,
    };
    memory.walk.clear();
    memory.walk.begin(&mut search, from.room, ());
    memory.walk.run(level, world.rooms(), &mut search);
    search.is_seen
}

/// A search for images of a room, out to a distance.
struct Search<'a> {
    world: &'a World,
    from: At,
    to: At,
    range: f64,
    is_seen: bool,
}

impl Search<'_> {
    /// Whether a ray that ended here has come to the place that is looked for, which may be in the
    /// opening that leads on from here.
    fn is_there(&self, level: &Level, end: At) -> bool {
        let is_at = |at: At| at.room == self.to.room && at.point.distance(self.to.point) <= SAME;
        let portals = self.world.rooms().portals_of(level, end.room);
        let beyond = portals.filter(|(_, portal)| {
            let is_near = portal.polygon.distance(end.point) <= SAME;
            is_near && self.world.passes_light(portal.link)
        });
        let mut beyond =
            beyond.map(|(_, portal)| At::new(portal.far, portal.far_from_near.point(end.point)));
        is_at(end) || beyond.any(is_at)
    }
}

impl Front for Search<'_> {
    type Part = ();

    fn visit(&mut self, level: &Level, _: usize, image: &RoomImage<()>) -> bool {
        if image.room == self.to.room && !self.is_seen {
            let ray: DVec3 = image.home_from_room.point(self.to.point) - self.from.point;
            self.is_seen = ray.length() <= self.range
                && match trace(level, self.world, self.from, ray, StoppedBy::Opaque) {
                    Trace::Free(end) => self.is_there(level, end),
                    // A place on a surface is met, not passed.
                    Trace::Hit(hit) => {
                        hit.distance >= ray.length() - SAME && self.is_there(level, hit.at)
                    }
                };
        }
        !self.is_seen
    }

    fn pass(&mut self, image: &RoomImage<()>, (_, portal): (PortalId, &Portal)) -> Option<()> {
        let here = image.home_from_room.inverse().point(self.from.point);
        let is_near = portal.polygon.distance(here) <= self.range;
        (is_near && self.world.passes_light(portal.link)).then_some(())
    }
}
