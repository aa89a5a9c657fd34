//! Gathering: from room to room through portals, and from box to box in each.

use super::extrude::{extruded, push_extruded};
use super::nearby::LANES;
use super::{Candidate, Candidates, Group, Place, Set, Surface, Way, moved_box};
use crate::geometry::{Aabb, Aabb32, Rigid, Triangle};
use crate::level::{Barrier, RoomId, SolidGroup, SolidSet};
use crate::motion::blockers::Solid;
use crate::motion::world::{BroadPhase, World};

impl Candidates {
    /// Gathers all in a box in coordinates of `room`, which become the home coordinates; the box is
    /// extruded upwards by the axis, the boxes of polygons will be downwards.
    pub(super) fn gather(
        &mut self,
        world: &World,
        room: RoomId,
        query: &Aabb,
        segment_length: f64,
    ) {
        self.segment_length = segment_length;
        self.gathered = Some((*query, world.broad_phase));
        self.places.clear();
        self.ways.clear();
        self.links.clear();
        self.groups.clear();
        self.rows.clear();
        self.pieces.clear();
        self.opened.clear();
        self.near_reach = f64::NEG_INFINITY;
        self.generation += 1;
        self.boxes.clear();
        self.first_place.resize(world.level.rooms.len(), 0);
        match world.broad_phase {
            BroadPhase::Portals => {
                self.add_place(room, &Rigid::IDENTITY);
            }
            BroadPhase::Exhaustive => {
                for room in world.level.room_ids() {
                    self.add_place(room, &Rigid::IDENTITY);
                }
            }
        }
        let mut next = 0;
        while next < self.places.len() {
            let Place {
                set, set_from_home, ..
            } = self.places[next];
            let first_way = self.ways.len() as u32;
            if let Set::Room(room) = set {
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
        for barrier in &world.level.room(room).barriers {
            if !barrier.bounds.overlaps(&query) {
                continue;
            }
            let open = world.open.is_open(barrier.link);
            self.links.push((barrier.link, open));
            if !open {
                let to = self.gather_barrier(world, barrier, room, &query, room_from_home);
                let bounds = barrier.bounds;
                self.ways.push(Way { bounds, to });
            }
        }
        for (_, portal) in world.level.portals_of(room) {
            if !portal.bounds.overlaps(&query) {
                continue;
            }
            // The room behind a closed opening counts too: its jambs may stand out on this side.
            let to_from_home = portal.far_from_near.after(room_from_home);
            self.add_way(world, portal.bounds, portal.far, &to_from_home);
        }
        for sprawl in world.level.sprawls_into(room) {
            if sprawl.bounds.overlaps(&query) {
                let from_home = sprawl.into_from_room.inverse().after(room_from_home);
                self.add_way(world, sprawl.bounds, sprawl.room, &from_home);
            }
        }
    }

    /// Adds a way to a room, and the room if it is new.
    fn add_way(&mut self, world: &World, bounds: Aabb, room: RoomId, room_from_home: &Rigid) {
        let known = self.place_of(room, room_from_home);
        let to = match world.broad_phase {
            BroadPhase::Portals => known.unwrap_or_else(|| self.add_place(room, room_from_home)),
            // There all rooms are places already.
            BroadPhase::Exhaustive => {
                let Some(to) = known else { return };
                to
            }
        };
        self.ways.push(Way { bounds, to });
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
        let solids = &world.level.solids;
        solids.groups_touching(set, &query, |solids, bounds| {
            let bounds = moved_box(bounds, home_from_set);
            self.boxes.push(&extruded(bounds, self.segment_length));
            self.groups.push(Group {
                place,
                solids,
                row: None,
            });
        });
    }

    /// A closed link is solid: its door panel, and the polygon of the opening itself from both
    /// sides.
    fn gather_barrier(
        &mut self,
        world: &World,
        barrier: &Barrier,
        room: RoomId,
        query: &Aabb,
        room_from_home: &Rigid,
    ) -> u32 {
        let id = barrier.link;
        let link = world.level.link(id);
        let portal = world.level.portal(link.portal);
        let link_from_room = barrier.room_from_link.inverse();
        let link_from_home = link_from_room.after(room_from_home);
        let home_from_link = link_from_home.inverse();
        let link_query = query.transformed(&link_from_room);
        let place = self.places.len() as u32;
        self.places.push(Place {
            set: Set::Barrier(id),
            set_from_home: link_from_home,
            ways: [0; 2],
            next: None,
            reached: false,
            foreign: false,
        });
        if let Some(panel) = &link.panel {
            self.gather_set(world, place, &panel.solids, &link_query, &home_from_link);
        }
        // A centre in the polygon's very plane is pushed back to its own room.
        let out_of_first_room = home_from_link.vector(portal.polygon.plane.normal);
        let into_room = if room == link.near && barrier.room_from_link.is_identity() {
            -out_of_first_room
        } else {
            out_of_first_room
        };
        for triangle in portal.polygon.triangles() {
            let triangle = Triangle {
                corners: triangle.corners.map(|p| home_from_link.point(p)),
            };
            let bounds = Aabb32::around(&Aabb::around(triangle.corners));
            let bounds = extruded(bounds, self.segment_length);
            self.boxes.push(&bounds);
            let row = self.rows.start_row();
            self.rows.push(&bounds);
            let first = self.opened.len() as u32;
            let candidate = Candidate::sheet(triangle, into_room, Surface::PLAIN, Solid::Link(id));
            push_extruded(&candidate, self.segment_length, &mut self.opened);
            self.pieces.resize((row + 1) * LANES, None);
            self.pieces[row * LANES] = Some([first, self.opened.len() as u32]);
            self.groups.push(Group {
                place,
                solids: SolidGroup::default(),
                row: Some(row as u32),
            });
        }
        place
    }

    /// The place of a room in these coordinates, if it was met.
    pub(super) fn place_of(&self, room: RoomId, room_from_home: &Rigid) -> Option<u32> {
        let mut at = self.first_place.get(room.0 as usize).copied();
        while let Some(index) = at {
            let place = self.places.get(index as usize)?;
            if place.set != Set::Room(room) {
                return None;
            }
            let is_home = place.set_from_home.is_identity() && room_from_home.is_identity();
            if is_home || place.set_from_home == *room_from_home {
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
        let next = known.filter(|p| p.set == Set::Room(room)).map(|_| *first);
        *first = index;
        self.places.push(Place {
            set: Set::Room(room),
            set_from_home: *room_from_home,
            ways: [0; 2],
            next,
            reached: false,
            foreign: false,
        });
        index
    }
}
