//! Which polygons can a motion meet: those of the rooms that its box reaches through portals.
//!
//! They are gathered in a box larger than one tick needs, and kept. A later tick inside that box
//! only finds out which of the rooms its own, smaller box reaches, and which of the polygons are
//! near: it sees the same polygons as if it had gathered anew. A polygon once measured is not
//! looked at again before the body has moved as far as it was away.

use glam::DVec3;

use super::nearby::Boxes;
use super::{Scope, World};
use crate::geometry::{Aabb, Aabb32, Rigid, Triangle};
use crate::level::{LinkId, Material, PortalId, RoomId, SolidSet, SolidTriangle};

/// Distances are taken as this part smaller than measured, for their rounding.
const ROUNDING: f64 = 1e-9;

/// Candidates are gathered this many times the reach of the tick that needs them beyond it.
const MARGIN: f64 = 1.0;

/// A solid triangle in the home coordinates: those of the room that was gathered from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub triangle: Triangle,
    /// Unit normal of the front.
    pub normal: DVec3,
    /// Whether it is solid from behind too.
    pub two_sided: bool,
    pub surface: Surface,
}

/// How a surface acts on a body; see [`Material`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    pub friction: f64,
    pub drag: f64,
    pub bounce: f64,
}

impl Surface {
    fn of(material: &Material) -> Self {
        Self {
            friction: material.friction,
            drag: material.drag,
            bounce: material.bounce,
        }
    }
}

/// What was gathered, and which of it counts now.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// The box that was gathered in, home coordinates, and whence; `None` before the first time.
    gathered: Option<(Aabb, Scope)>,
    places: Vec<Place>,
    ways: Vec<Way>,
    polygons: Vec<Polygon>,
    boxes: Boxes,
    /// Those that were looked at closely.
    opened: Vec<Candidate>,
    /// For each of them, what `moved` must be at least before the centre can be on it.
    met_at: Vec<f64>,
    /// How far the centre has moved since gathering, metres, and where it is now.
    moved: f64,
    centre: DVec3,
    /// Indices of those that count now, into `opened`.
    near: Vec<u32>,
    /// For each room its first place, valid only where that is of this room: a sparse set (P.
    /// Briggs and L. Torczon, 1993), which no tick has to clear.
    first_place: Vec<u32>,
    /// Places to go on from.
    work: Vec<u32>,
}

/// A set of triangles at the place where it is met: a room, or what closes a link.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// `None` for what closes a link.
    room: Option<RoomId>,
    /// The coordinates of the set.
    set_from_home: Rigid,
    /// Its first way out, and one past the last.
    ways: [u32; 2],
    /// Another place of the same room.
    next: Option<u32>,
    /// Whether the box of the present tick reaches it.
    reached: bool,
}

/// A portal between two places, or one that is closed, and what closes it.
#[derive(Clone, Copy, Debug)]
struct Way {
    portal: PortalId,
    to: u32,
    open: bool,
}

/// A gathered polygon.
#[derive(Clone, Copy, Debug)]
struct Polygon {
    place: u32,
    state: Opened,
}

#[derive(Clone, Copy, Debug)]
enum Opened {
    No(SolidTriangle),
    /// Its index in [`Candidates::opened`]; `None` if it has no area.
    Yes(Option<u32>),
}

impl Candidates {
    /// Finds every solid triangle that comes within `reach` of `centre`, in coordinates of `room`.
    ///
    /// Starting at `room`, a portal is passed where the sphere's box touches its reach, box
    /// against box; in each room reached, the sphere is tested against the box of each polygon,
    /// then against the polygon.
    pub(super) fn find(&mut self, world: &World, room: RoomId, centre: DVec3, reach: f64) {
        let query = Aabb::around([centre]).grown(reach);
        let start = self.place_of(room, &Rigid::IDENTITY);
        let is_kept = self.gathered.is_some_and(|(gathered, scope)| {
            scope == world.scope
                && gathered.contains(query.min)
                && gathered.contains(query.max)
                && start.is_some()
        });
        if !is_kept || !self.links_are_as_they_were(world) {
            self.gather(world, room, &query.grown(MARGIN * reach));
            self.centre = centre;
        }
        self.moved += centre.distance(self.centre);
        self.centre = centre;
        self.reach(world, room, &query);
        let Self {
            places,
            polygons,
            boxes,
            opened,
            met_at,
            near,
            moved,
            ..
        } = self;
        near.clear();
        boxes.within(centre, reach, |index| {
            let polygon = &mut polygons[index];
            let place = &places[polygon.place as usize];
            if !place.reached {
                return;
            }
            let Some(index) = open(world, place, polygon, opened) else {
                return;
            };
            met_at.resize(opened.len(), 0.0);
            let met_at = &mut met_at[index as usize];
            if *met_at - *moved <= reach {
                let distance = opened[index as usize].triangle.distance(centre);
                *met_at = *moved + distance * (1.0 - ROUNDING);
                if *met_at - *moved <= reach {
                    near.push(index);
                }
            }
        });
    }

    /// Finds every solid triangle whose box touches `query`, a box in coordinates of `room`.
    pub(super) fn find_in(&mut self, world: &World, room: RoomId, query: &Aabb) {
        self.gather(world, room, query);
        self.near.clear();
        for polygon in &mut self.polygons {
            let place = &self.places[polygon.place as usize];
            self.near
                .extend(open(world, place, polygon, &mut self.opened));
        }
    }

    /// What was found last.
    pub(super) fn found(&self) -> impl Iterator<Item = &Candidate> + Clone {
        self.near.iter().map(|&i| &self.opened[i as usize])
    }

    /// Gathers all in a box in coordinates of `room`, which become the home coordinates.
    fn gather(&mut self, world: &World, room: RoomId, query: &Aabb) {
        self.gathered = Some((*query, world.scope));
        self.places.clear();
        self.ways.clear();
        self.polygons.clear();
        self.opened.clear();
        self.met_at.clear();
        self.moved = 0.0;
        self.boxes.clear();
        self.first_place.resize(world.level.rooms.len(), 0);
        match world.scope {
            Scope::Portals => {
                self.add_place(room, &Rigid::IDENTITY);
            }
            Scope::WholeSoup => {
                for room in world.level.room_ids() {
                    self.add_place(room, &Rigid::IDENTITY);
                }
            }
        }
        let mut next = 0;
        while next < self.places.len() {
            let Place {
                room,
                set_from_home,
                ..
            } = self.places[next];
            let first_way = self.ways.len() as u32;
            if let Some(room) = room {
                self.gather_room(world, next as u32, room, &set_from_home, query);
            }
            self.places[next].ways = [first_way, self.ways.len() as u32];
            next += 1;
        }
    }

    fn gather_room(
        &mut self,
        world: &World,
        place: u32,
        room: RoomId,
        room_from_home: &Rigid,
        query: &Aabb,
    ) {
        let query = query.transformed(room_from_home);
        if !world.level.room(room).bounds.overlaps(&query) {
            return;
        }
        let home_from_room = room_from_home.inverse();
        self.gather_set(
            world,
            place,
            &world.level.room(room).solids,
            &query,
            &home_from_room,
        );
        for (id, portal) in world.level.portals_of(room) {
            if !portal.reach.overlaps(&query) {
                continue;
            }
            let open = world.open.is_open(portal.link);
            let to = if !open {
                self.gather_closed(world, portal.link, room, &query, room_from_home)
            } else if world.scope == Scope::Portals {
                let to_from_home = portal.to_from_from.after(room_from_home);
                let known = self.place_of(portal.to, &to_from_home);
                known.unwrap_or_else(|| self.add_place(portal.to, &to_from_home))
            } else {
                continue;
            };
            self.ways.push(Way {
                portal: id,
                to,
                open,
            });
        }
    }

    fn gather_set(
        &mut self,
        world: &World,
        place: u32,
        set: &SolidSet,
        query: &Aabb,
        home_from_set: &Rigid,
    ) {
        let query = Aabb32::around(query);
        world.level.solids.touching(set, &query, |solid, bounds| {
            let bounds = if home_from_set.is_identity() {
                bounds
            } else {
                Aabb32::around(&bounds.to_f64().transformed(home_from_set))
            };
            self.boxes.push(&bounds);
            self.polygons.push(Polygon {
                place,
                state: Opened::No(solid),
            });
        });
    }

    /// A closed link is solid: its leaf, and the polygon of the opening itself from both sides.
    fn gather_closed(
        &mut self,
        world: &World,
        link: LinkId,
        room: RoomId,
        query: &Aabb,
        room_from_home: &Rigid,
    ) -> u32 {
        let link = world.level.link(link);
        let portal = world.level.portal(link.portal);
        let room_from_leaf = if room == link.from {
            Rigid::IDENTITY
        } else {
            portal.to_from_from
        };
        let leaf_from_home = room_from_leaf.inverse().after(room_from_home);
        let home_from_leaf = leaf_from_home.inverse();
        let leaf_query = query.transformed(&room_from_leaf.inverse());
        let place = self.places.len() as u32;
        self.places.push(Place {
            room: None,
            set_from_home: leaf_from_home,
            ways: [0; 2],
            next: None,
            reached: false,
        });
        if let Some(leaf) = &link.leaf {
            self.gather_set(world, place, &leaf.solids, &leaf_query, &home_from_leaf);
        }
        for triangle in portal.polygon.triangles() {
            let triangle = Triangle {
                corners: triangle.corners.map(|p| home_from_leaf.point(p)),
            };
            self.boxes
                .push(&Aabb32::around(&Aabb::around(triangle.corners)));
            self.polygons.push(Polygon {
                place,
                state: Opened::Yes(Some(self.opened.len() as u32)),
            });
            self.opened.push(Candidate {
                triangle,
                normal: home_from_leaf.vector(portal.polygon.plane.normal),
                two_sided: true,
                surface: Surface::of(&Material::default()),
            });
        }
        place
    }

    /// Marks the places that `query`, a box in coordinates of `room`, reaches.
    fn reach(&mut self, world: &World, room: RoomId, query: &Aabb) {
        let everywhere = world.scope == Scope::WholeSoup;
        self.work.clear();
        for (index, place) in (0u32..).zip(&mut self.places) {
            place.reached = everywhere && place.room.is_some();
            if place.reached {
                self.work.push(index);
            }
        }
        if let Some(start) = self.place_of(room, &Rigid::IDENTITY)
            && !everywhere
        {
            self.places[start as usize].reached = true;
            self.work.push(start);
        }
        while let Some(index) = self.work.pop() {
            let Place {
                ways,
                set_from_home,
                ..
            } = self.places[index as usize];
            if ways[0] == ways[1] {
                continue;
            }
            let query = query.transformed(&set_from_home);
            for way in &self.ways[ways[0] as usize..ways[1] as usize] {
                let to = &mut self.places[way.to as usize];
                if !to.reached && world.level.portal(way.portal).reach.overlaps(&query) {
                    to.reached = true;
                    self.work.push(way.to);
                }
            }
        }
    }

    fn links_are_as_they_were(&self, world: &World) -> bool {
        let mut ways = self.ways.iter();
        ways.all(|way| world.open.is_open(world.level.portal(way.portal).link) == way.open)
    }

    /// The place of a room in these coordinates, if it was met.
    fn place_of(&self, room: RoomId, room_from_home: &Rigid) -> Option<u32> {
        let mut at = self.first_place.get(room.0 as usize).copied();
        while let Some(index) = at {
            let place = self.places.get(index as usize)?;
            if place.room != Some(room) {
                return None;
            }
            if place.set_from_home == *room_from_home {
                return Some(index);
            }
            at = place.next;
        }
        None
    }

    fn add_place(&mut self, room: RoomId, room_from_home: &Rigid) -> u32 {
        let index = self.places.len() as u32;
        let first = &mut self.first_place[room.0 as usize];
        let known = self.places.get(*first as usize);
        let next = known.filter(|p| p.room == Some(room)).map(|_| *first);
        *first = index;
        self.places.push(Place {
            room: Some(room),
            set_from_home: *room_from_home,
            ways: [0; 2],
            next,
            reached: false,
        });
        index
    }
}

/// The index of a polygon among those looked at closely; `None` if it has no area.
fn open(
    world: &World,
    place: &Place,
    polygon: &mut Polygon,
    opened: &mut Vec<Candidate>,
) -> Option<u32> {
    let solid = match polygon.state {
        Opened::Yes(index) => return index,
        Opened::No(solid) => solid,
    };
    let home_from_set = place.set_from_home.inverse();
    let corners = solid.triangle().corners;
    let triangle = Triangle {
        corners: corners.map(|p| home_from_set.point(p)),
    };
    let index = triangle.normal().map(|normal| {
        let material = &world.level.materials[solid.surface.material as usize];
        opened.push(Candidate {
            triangle,
            // A mirror turns the winding; the front stays where the room says it is.
            normal: if home_from_set.is_mirror() {
                -normal
            } else {
                normal
            },
            two_sided: material.double_sided,
            surface: Surface::of(material),
        });
        opened.len() as u32 - 1
    });
    polygon.state = Opened::Yes(index);
    index
}
