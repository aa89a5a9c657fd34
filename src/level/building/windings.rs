//! How often the rooms of a level wind around points, while it is built.
//!
//! The surfaces stand in trees that all steps of building share. Portals ask the same of the same rooms each time that a
//! level is loaded: those answers are kept for its next version.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;

use glam::DVec3;

use super::kept::Kept;
use super::winding_tree::WindingTree;
use crate::geometry::{Aabb, BoxTree};
use crate::level::graph::winding::drawn_triangles;
use crate::level::graph::{KnownWinding, WindingKey};
use crate::level::{LevelData, Portal, PortalId, RoomId};

/// Answers that a level keeps at most; each takes some fifty bytes. A portal asks for tens of them.
const MAX_KEPT: usize = 1 << 20;

/// The surfaces of a level's rooms, and what was asked of them.
pub(super) struct RoomSurfaces<'a> {
    rooms: Vec<Surfaces<'a>>,
    /// How many more answers are kept.
    left: Cell<usize>,
}

#[derive(Default)]
struct Surfaces<'a> {
    solid: OnceCell<WindingTree>,
    drawn: OnceCell<WindingTree>,
    /// What an older version of the level knows of the same room, in order.
    known: &'a [KnownWinding],
    /// What was asked so far: the winding number, and of how many summands.
    asked: RefCell<BTreeMap<WindingKey, (f64, u64)>>,
}

/// Which surface of a room.
#[derive(Clone, Copy)]
enum Surface {
    Solid,
    Drawn,
}

impl<'a> RoomSurfaces<'a> {
    /// Those of a level of so many rooms, some of which may be kept.
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

    /// What portals asked of each room, in order.
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

    /// The winding number, and of how many summands it is; kept for the next version of the level.
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

/// How often rooms wind around points, for one step of building.
pub(super) struct Windings<'a> {
    level: &'a LevelData,
    surfaces: &'a RoomSurfaces<'a>,
    /// Of each room.
    portals: Vec<OnceCell<WindingTree>>,
    /// The boxes around the portals of each room.
    boxes: Vec<OnceCell<BoxTree>>,
    /// Whether the answers are kept.
    keeps: bool,
    /// Summands so far.
    pub work: Cell<u64>,
}

impl<'a> Windings<'a> {
    /// For what is kept in another way, or by nothing.
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

    /// For what portals ask: the answers are kept.
    pub(super) fn kept(level: &'a LevelData, surfaces: &'a RoomSurfaces<'a>) -> Self {
        Self {
            keeps: true,
            ..Self::of(level, surfaces)
        }
    }

    /// The level whose rooms they are.
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

    /// How often the room's polygons wind around the point: 1 inside, 0 outside, between where
    /// portals open them. The better of what is solid and what is drawn.
    pub(super) fn around(&self, room: RoomId, point: DVec3) -> f64 {
        self.better(room, point, 0.0)
    }

    /// The same with the room's portals as walls: a closed surface.
    pub(super) fn around_closed(&self, room: RoomId, point: DVec3) -> f64 {
        self.better(room, point, self.around_portals(room, point))
    }

    /// What is solid and what is drawn of it, each for itself.
    pub(super) fn each_closed(&self, room: RoomId, point: DVec3) -> [f64; 2] {
        let portals = self.around_portals(room, point);
        let surfaces = [Surface::Solid, Surface::Drawn];
        surfaces.map(|surface| self.turns(room, surface, point) + portals)
    }

    /// How often the room's portals wind around the point, as walls.
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
