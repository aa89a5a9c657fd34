//! Winding numbers of the rooms of a level around points, during the build.
//!
//! The trees of the surfaces are shared by all steps of the build. Portals need the same winding numbers each time that a level
//! is loaded: these are cached for its next version.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;

use glam::DVec3;

use super::cache::{KnownWinding, WindingKey};
use super::kept::Kept;
use super::winding_tree::WindingTree;
use crate::geometry::{Aabb, BoxTree};
use crate::level::winding::drawn_triangles;
use crate::level::{LevelData, Portal, PortalId, RoomId};

/// The maximum number of cached winding numbers of a level, of some fifty bytes each. A portal needs tens of them.
const MAX_KEPT: usize = 1 << 20;

/// The surfaces of a level's rooms, with their cached winding numbers.
pub(super) struct RoomSurfaces<'a> {
    rooms: Vec<Surfaces<'a>>,
    /// The number of further results that can be cached.
    left: Cell<usize>,
}

#[derive(Default)]
struct Surfaces<'a> {
    solid: OnceCell<WindingTree>,
    drawn: OnceCell<WindingTree>,
    /// The cached winding numbers of the same room in an older version of the level, sorted.
    known: &'a [KnownWinding],
    /// The results so far: the winding number, and its number of summands.
    asked: RefCell<BTreeMap<WindingKey, (f64, u64)>>,
}

/// A surface of a room: solid or drawn.
#[derive(Clone, Copy)]
enum Surface {
    Solid,
    Drawn,
}

impl<'a> RoomSurfaces<'a> {
    /// The surfaces of a level with this many rooms; results for unchanged rooms come from the cache.
    pub(super) fn of(rooms: usize, kept: Option<&Kept<'a>>) -> Self {
        let of_room = |room| Surfaces {
            known: kept.map_or(&[], |kept| kept.windings(room)),
            ..Surfaces::default()
        };
        Self {
            rooms: (0..rooms).map(of_room).collect(),
            left: Cell::new(MAX_KEPT),
        }
    }

    /// The winding numbers that were computed for portals, for each room, sorted.
    pub(super) fn into_known(self) -> Vec<Vec<KnownWinding>> {
        let rooms = self.rooms.into_iter().map(|room| {
            let asked = room.asked.into_inner().into_iter();
            let known = asked.map(|(key, (turns, summands))| KnownWinding {
                key,
                turns,
                summands,
            });
            known.collect()
        });
        rooms.collect()
    }

    fn tree(&self, level: &LevelData, room: RoomId, surface: Surface) -> &WindingTree {
        let of_room = &self.rooms[room.0 as usize];
        let solids = || level.solids.of(&level.room(room).solids);
        match surface {
            Surface::Solid => of_room
                .solid
                .get_or_init(|| WindingTree::of(solids().map(|solid| solid.triangle()).collect())),
            Surface::Drawn => of_room
                .drawn
                .get_or_init(|| WindingTree::of(drawn_triangles(level, room, |_| true).collect())),
        }
    }

    /// The winding number and its number of summands; cached for the next version of the level.
    fn ask(&self, level: &LevelData, room: RoomId, surface: Surface, point: DVec3) -> (f64, u64) {
        let of_room = &self.rooms[room.0 as usize];
        let key = (surface as u8, point.to_array().map(f64::to_bits));
        let asked = of_room.asked.borrow().get(&key).copied();
        if let Some(answer) = asked {
            return answer;
        }
        let known = of_room.known.binary_search_by_key(&key, |known| known.key);
        let answer = match known {
            Ok(at) => (of_room.known[at].turns, of_room.known[at].summands),
            Err(_) => {
                let summands = Cell::new(0);
                let turns = self.tree(level, room, surface).turns(point, &summands);
                (turns, summands.get())
            }
        };
        if let Some(left) = self.left.get().checked_sub(1) {
            self.left.set(left);
            of_room.asked.borrow_mut().insert(key, answer);
        }
        answer
    }
}

/// Winding numbers of rooms, for one step of the build.
pub(super) struct Windings<'a> {
    level: &'a LevelData,
    surfaces: &'a RoomSurfaces<'a>,
    /// The tree of the portals of each room.
    portals: Vec<OnceCell<WindingTree>>,
    /// The boxes around the portals of each room.
    boxes: Vec<OnceCell<BoxTree>>,
    /// Whether the results are cached.
    keeps: bool,
    /// The total number of summands of the winding numbers so far, including cached winding numbers.
    pub work: Cell<u64>,
}

impl<'a> Windings<'a> {
    /// Winding numbers that are not cached, or are cached in another form.
    pub(super) fn of(level: &'a LevelData, surfaces: &'a RoomSurfaces<'a>) -> Self {
        Self {
            level,
            surfaces,
            portals: level.rooms.iter().map(|_| OnceCell::new()).collect(),
            boxes: level.rooms.iter().map(|_| OnceCell::new()).collect(),
            keeps: false,
            work: Cell::new(0),
        }
    }

    /// Winding numbers for portals, which are cached.
    pub(super) fn kept(level: &'a LevelData, surfaces: &'a RoomSurfaces<'a>) -> Self {
        Self {
            keeps: true,
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

    /// The winding number of the room's polygons around the point: 1 inside, 0 outside, between where portals open them. The
    /// larger one of the solid and the drawn surface.
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
        let surfaces = [Surface::Solid, Surface::Drawn];
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
        let solid = self.turns(room, Surface::Solid, point) + portals;
        if solid > 0.5 {
            return solid;
        }
        solid.max(self.turns(room, Surface::Drawn, point) + portals)
    }

    fn turns(&self, room: RoomId, surface: Surface, point: DVec3) -> f64 {
        if !self.keeps {
            let tree = self.surfaces.tree(self.level, room, surface);
            return tree.turns(point, &self.work);
        }
        let (turns, summands) = self.surfaces.ask(self.level, room, surface, point);
        self.work.set(self.work.get() + summands);
        turns
    }
}
