//! Winding numbers of the rooms of a level around points, during the build.
//!
//! The trees of the surfaces are shared by all steps of the build. Portals need the same winding numbers each time that a level
//! is loaded: these are cached for its next version.

use std::cell::{Cell, OnceCell};

use glam::DVec3;

use super::cache::Winding;
use super::winding_tree::WindingTree;
use crate::geometry::{Aabb, BoxTree};
use crate::hash::Fnv128;
use crate::level::winding::drawn_triangles;
use crate::level::{LevelData, Portal, PortalId, RoomId};
use crate::memo::{Memo, NextMemo};

/// The maximum number of cached winding numbers of a level, of some fifty bytes each. A portal needs tens of them.
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
    /// The surfaces of a level with this many rooms, with the cached winding numbers of the last build.
    pub(super) fn of(rooms: usize, last: &'a Memo<u128, Winding>) -> Self {
        Self {
            rooms: (0..rooms).map(|_| SurfaceTrees::default()).collect(),
            windings: last.next_of_at_most(MAX_CACHED),
        }
    }

    /// The winding numbers that portals used, for the next build.
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

    /// A winding number that is cached for the next build.
    fn cached(
        &self,
        level: &LevelData,
        room: RoomId,
        surface: SurfaceLayer,
        point: DVec3,
    ) -> Winding {
        // The key of a room is a hash of its meshes, on which the surfaces depend alone.
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
    /// The tree of the portals of each room.
    portals: Vec<OnceCell<WindingTree>>,
    /// The boxes around the portals of each room.
    boxes: Vec<OnceCell<BoxTree>>,
    /// Whether the results are cached.
    is_cached: bool,
    /// The total number of summands of the winding numbers so far, including cached winding numbers.
    pub work: Cell<u64>,
}

impl<'a> RoomWindings<'a> {
    /// Winding numbers that are not cached, or are cached in another form.
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

    /// Winding numbers for portals, which are cached.
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

    /// The portals of a room whose boxes overlap a box, in the level's order.
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

    /// The winding number of the room's polygons around the point: 1 inside, 0 outside, in between near portals, which
    /// open them. The larger one of the solid and the drawn surface.
    pub(super) fn around(&self, room: RoomId, point: DVec3) -> f64 {
        self.better(room, point, 0.0)
    }

    /// The winding number of the room with its portals as walls: a closed surface.
    pub(super) fn around_closed(&self, room: RoomId, point: DVec3) -> f64 {
        self.better(room, point, self.around_portals(room, point))
    }

    /// The winding numbers of the closed solid surface and of the closed drawn surface.
    pub(super) fn each_closed(&self, room: RoomId, point: DVec3) -> [f64; 2] {
        let portals = self.around_portals(room, point);
        let surfaces = [SurfaceLayer::Solid, SurfaceLayer::Drawn];
        surfaces.map(|surface| self.turns(room, surface, point) + portals)
    }

    /// The winding number of the room's portals, as walls, around the point.
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
