//! Winding numbers of a level's rooms around points, for the build.
//!
//! All steps of the build share the trees of the surfaces. For portals, the same winding numbers are needed each time
//! that the level is loaded, so these are cached for the level's next version.

use std::cell::{Cell, OnceCell};

use glam::DVec3;

use super::cache::Winding;
use super::winding_tree::WindingTree;
use crate::geometry::{Aabb, BoxTree};
use crate::hash::Fnv128;
use crate::level::winding::drawn_triangles;
use crate::level::{LevelData, Portal, PortalId, RoomId};
use crate::memo::{Memo, NextMemo};

/// Maximum number of cached winding numbers of a level. Each takes about fifty bytes, and a portal needs tens of them.
const MAX_CACHED: usize = 1 << 20;

/// The surfaces of a level's rooms, with their cached winding numbers.
pub(super) struct RoomSurfaces<'a> {
    rooms: Vec<SurfaceTrees>,
    windings: NextMemo<'a, u128, Winding>,
}

#[derive(Default)]
struct SurfaceTrees {
    solid: OnceCell<WindingTree>,
    drawn: OnceCell<WindingTree>,
}

/// A surface of a room: solid or drawn.
#[derive(Clone, Copy)]
enum SurfaceLayer {
    Solid,
    Drawn,
}

impl<'a> RoomSurfaces<'a> {
    /// The surfaces of a level with this number of rooms, with the winding numbers that the last build cached.
    pub(super) fn of(rooms: usize, last: &'a Memo<u128, Winding>) -> Self {
        Self {
            rooms: (0..rooms).map(|_| SurfaceTrees::default()).collect(),
            windings: last.next_of_at_most(MAX_CACHED),
        }
    }

    /// The winding numbers to cache for the next build: those that portals used.
    pub(super) fn into_memo(self) -> Memo<u128, Winding> {
        self.windings.finish()
    }

    fn tree(&self, level: &LevelData, room: RoomId, surface: SurfaceLayer) -> &WindingTree {
        let of_room = &self.rooms[room.0 as usize];
        let solids = || level.solids.of(&level.room(room).solids);
        match surface {
            SurfaceLayer::Solid => of_room
                .solid
                .get_or_init(|| WindingTree::of(solids().map(|solid| solid.triangle()).collect())),
            SurfaceLayer::Drawn => of_room
                .drawn
                .get_or_init(|| WindingTree::of(drawn_triangles(level, room, |_| true).collect())),
        }
    }

    /// A winding number from the cache, or computed and then cached.
    fn cached(
        &self,
        level: &LevelData,
        room: RoomId,
        surface: SurfaceLayer,
        point: DVec3,
    ) -> Winding {
        // The surfaces of a room depend only on its meshes, and the room's key is a hash of these.
        let key = Fnv128(level.room(room).key).bytes(&[surface as u8]);
        let key = key.words(&point.to_array()).0;
        self.windings.get_or_compute(key, || {
            let summands = Cell::new(0);
            let turns = self.tree(level, room, surface).turns(point, &summands);
            Winding {
                turns,
                summands: summands.get(),
            }
        })
    }
}

/// Winding numbers of rooms, for one step of the build.
pub(super) struct RoomWindings<'a> {
    level: &'a LevelData,
    surfaces: &'a RoomSurfaces<'a>,
    /// For each room the tree of its portals.
    portals: Vec<OnceCell<WindingTree>>,
    /// For each room the tree of boxes around its portals.
    boxes: Vec<OnceCell<BoxTree>>,
    /// Whether results are cached for the next build.
    is_cached: bool,
    /// Total number of evaluated terms so far. A winding number from the cache counts as if it had been computed.
    pub work: Cell<u64>,
}

impl<'a> RoomWindings<'a> {
    /// Winding numbers that this type does not cache for the next build.
    pub(super) fn of(level: &'a LevelData, surfaces: &'a RoomSurfaces<'a>) -> Self {
        Self {
            level,
            surfaces,
            portals: level.rooms.iter().map(|_| OnceCell::new()).collect(),
            boxes: level.rooms.iter().map(|_| OnceCell::new()).collect(),
            is_cached: false,
            work: Cell::new(0),
        }
    }

    /// Winding numbers for portals, which are cached for the next build.
    pub(super) fn cached(level: &'a LevelData, surfaces: &'a RoomSurfaces<'a>) -> Self {
        Self {
            is_cached: true,
            ..Self::of(level, surfaces)
        }
    }

    /// The level of the rooms.
    pub(super) fn level(&self) -> &'a LevelData {
        self.level
    }

    /// The portals of a room with boxes that overlap `around`, in the level's order.
    pub(super) fn portals_near(&self, room: RoomId, around: &Aabb) -> Vec<(PortalId, &'a Portal)> {
        let tree = self.boxes[room.0 as usize].get_or_init(|| {
            let portals = self.level.portals_of(room);
            BoxTree::new(portals.map(|(_, portal)| portal.bounds))
        });
        let mut near = Vec::new();
        tree.each_touching(around, |index| near.push(index));
        near.sort_unstable();
        let first = self.level.room(room).portals.start;
        let ids = near.into_iter().map(|index| PortalId(first + index));
        ids.map(|id| (id, self.level.portal(id))).collect()
    }

    /// The winding number of the room's polygons around the point: 1 inside, 0 outside, and in between near portals,
    /// where the surface is open. The larger one of the solid and the drawn surface counts.
    pub(super) fn around(&self, room: RoomId, point: DVec3) -> f64 {
        self.better(room, point, 0.0)
    }

    /// The winding number of the room's surface, closed by its portals.
    pub(super) fn around_closed(&self, room: RoomId, point: DVec3) -> f64 {
        self.better(room, point, self.around_portals(room, point))
    }

    /// The winding numbers of the solid and of the drawn surface, each closed by the portals.
    pub(super) fn each_closed(&self, room: RoomId, point: DVec3) -> [f64; 2] {
        let portals = self.around_portals(room, point);
        let surfaces = [SurfaceLayer::Solid, SurfaceLayer::Drawn];
        surfaces.map(|surface| self.turns(room, surface, point) + portals)
    }

    /// The winding number of the room's portals around the point, with the portals as walls.
    fn around_portals(&self, room: RoomId, point: DVec3) -> f64 {
        let portals = self.portals[room.0 as usize].get_or_init(|| {
            let portals = self.level.portals_of(room);
            WindingTree::of(portals.flat_map(|(_, p)| p.polygon.triangles()).collect())
        });
        -portals.turns(point, &self.work)
    }

    fn better(&self, room: RoomId, point: DVec3, portals: f64) -> f64 {
        let solid = self.turns(room, SurfaceLayer::Solid, point) + portals;
        if solid > 0.5 {
            return solid;
        }
        solid.max(self.turns(room, SurfaceLayer::Drawn, point) + portals)
    }

    fn turns(&self, room: RoomId, surface: SurfaceLayer, point: DVec3) -> f64 {
        if !self.is_cached {
            let tree = self.surfaces.tree(self.level, room, surface);
            return tree.turns(point, &self.work);
        }
        let winding = self.surfaces.cached(self.level, room, surface, point);
        self.work.set(self.work.get() + winding.summands);
        winding.turns
    }
}
