//! Gathering of polygons: a flood from room to room through portals, with a box test in each room.

use super::extrude::{extruded, push_extruded};
use super::nearby::LANES;
use super::{
    Candidate, Candidates, ImageEdge, Set, SetImage, SurfaceResponse, TriangleGroup, moved_box,
};
use crate::collision::collision_world::{BroadPhase, CollisionWorld};
use crate::collision::solid::Solid;
use crate::geometry::{Aabb, Aabb32, Rigid};
use crate::level::{
    Barrier, Front, Level, Portal, PortalId, RoomId, RoomImage, SolidGroup, Sprawl, Walk,
};

/// The box of a motion, as the front of the walk through the room graph. In each room it gathers the triangles that
/// it touches, and it passes every portal that it touches, even closed ones, because their jambs may sprawl to this
/// side.
struct MotionBoxFront<'a> {
    candidates: &'a mut Candidates,
    collision: &'a CollisionWorld<'a>,
    /// The box in home coordinates.
    query: Aabb,
    /// The box in the coordinates of the visited room.
    here: Aabb,
}

impl MotionBoxFront<'_> {
    fn begin(&mut self, walk: &mut Walk<()>, room: RoomId, home_from_room: &Rigid) {
        if let Some(index) = walk.begin_at(self, room, home_from_room, ()) {
            self.candidates.add_image(index, &walk.images[index]);
        }
    }
}

impl Front for MotionBoxFront<'_> {
    type Part = ();

    fn visit(&mut self, level: &Level, index: usize, visited: &RoomImage<()>) -> bool {
        let image = self.candidates.image_of_visit[index];
        let room_from_home = self.candidates.images[image as usize].set_from_home;
        self.here = self.query.transformed(&room_from_home);
        if !level.room(visited.room).bounds.overlaps(&self.here) {
            return false;
        }
        let (room, query) = (visited.room, self.here);
        self.candidates
            .gather_room(self.collision, image, room, &query, &room_from_home);
        true
    }

    fn reach(&self) -> Option<Aabb> {
        Some(self.here)
    }

    fn pass(&mut self, _: &RoomImage<()>, (_, portal): (PortalId, &Portal)) -> Option<()> {
        portal.bounds.overlaps(&self.here).then_some(())
    }

    fn meet(&mut self, _: &RoomImage<()>, sprawl: &Sprawl) -> Option<()> {
        sprawl.bounds.overlaps(&self.here).then_some(())
    }

    fn joined(&mut self, from: usize, (to, visited): (usize, &RoomImage<()>), bounds: &Aabb) {
        let candidates = &mut *self.candidates;
        if to == candidates.image_of_visit.len() {
            candidates.add_image(to, visited);
        }
        let from = candidates.image_of_visit[from];
        let to = candidates.image_of_visit[to];
        candidates.add_edge(from, *bounds, to);
    }
}

impl Candidates {
    /// Gathers all polygons in a box in coordinates of `room`, which become the home coordinates. The box is already
    /// extruded upwards by the capsule's segment; here the boxes of polygons are extruded downwards.
    pub(super) fn gather(
        &mut self,
        collision: &CollisionWorld,
        room: RoomId,
        query: &Aabb,
        segment_length: f64,
    ) {
        self.segment_length = segment_length;
        self.gathered = Some((*query, collision.broad_phase));
        self.image_of_visit.clear();
        self.images.clear();
        self.edges.clear();
        self.links.clear();
        self.portals.clear();
        self.groups.clear();
        self.rows.clear();
        self.pieces.clear();
        self.decoded.clear();
        self.boxes.clear();
        let mut walk = std::mem::take(&mut self.walk);
        walk.clear();
        let mut gathering = MotionBoxFront {
            candidates: self,
            collision,
            query: *query,
            here: *query,
        };
        match collision.broad_phase {
            BroadPhase::Portals => gathering.begin(&mut walk, room, &Rigid::IDENTITY),
            BroadPhase::Exhaustive => {
                let CollisionWorld { level, world, .. } = collision;
                for other in level.room_ids() {
                    let rooms = [other, room];
                    let here = world.rooms().from_authored(level, rooms, &Rigid::IDENTITY);
                    gathering.begin(&mut walk, other, &here);
                }
            }
        }
        walk.run(collision.level, collision.world.rooms(), &mut gathering);
        self.walk = walk;
    }

    /// Gathers the triangles of a room, and the closed links in it.
    fn gather_room(
        &mut self,
        collision: &CollisionWorld,
        image: u32,
        room: RoomId,
        query: &Aabb,
        room_from_home: &Rigid,
    ) {
        let first_edge = self.edges.len() as u32;
        self.images[image as usize].edges = [first_edge; 2];
        let home_from_room = room_from_home.inverse();
        let (solids, set) = (&collision.level.solids, &collision.level.room(room).solids);
        solids.groups_touching(set, &Aabb32::around(query), |solids, bounds| {
            let bounds = moved_box(bounds, &home_from_room);
            self.boxes.push(&extruded(bounds, self.segment_length));
            self.groups.push(TriangleGroup {
                image,
                solids,
                row: None,
            });
        });
        self.note_portals(collision, room, query);
        let mut near = std::mem::take(&mut self.near_barriers);
        collision.level.barriers_near(room, query, &mut near);
        for &index in &near {
            let barrier = &collision.level.room(room).barriers[index as usize];
            let open = collision.is_open(barrier.link);
            self.links.push((barrier.link, open));
            if !open {
                let to = self.gather_barrier(collision, barrier, room, room_from_home);
                self.add_edge(image, barrier.bounds, to);
            }
        }
        self.near_barriers = near;
    }

    /// Records the transforms of portals that move and may be near.
    fn note_portals(&mut self, collision: &CollisionWorld, room: RoomId, query: &Aabb) {
        let CollisionWorld { level, world, .. } = collision;
        for (id, portal) in world.rooms().moving_portals_of(level, room) {
            let mut movers = [portal.near, portal.far]
                .map(|room| level.room(room).moved_by)
                .into_iter();
            let is_near = |id| {
                level
                    .room(room)
                    .images_of(id)
                    .any(|image| image.bounds.overlaps(query))
            };
            if movers.any(|id| id.is_some_and(is_near)) {
                self.portals.push((*id, portal.far_from_near));
            }
        }
    }

    /// Adds an edge that leaves the instance that is being gathered.
    fn add_edge(&mut self, from: u32, bounds: Aabb, to: u32) {
        self.edges.push(ImageEdge { bounds, to });
        self.images[from as usize].edges[1] = self.edges.len() as u32;
    }

    /// Gathers the polygon of a closed link, which is solid from both sides; returns its instance.
    fn gather_barrier(
        &mut self,
        collision: &CollisionWorld,
        barrier: &Barrier,
        room: RoomId,
        room_from_home: &Rigid,
    ) -> u32 {
        let id = barrier.link;
        let link = collision.level.link(id);
        let portal = collision.level.portal(link.portal);
        let rooms = collision.world.rooms();
        let room_from_link =
            rooms.from_authored(collision.level, [link.near, room], &barrier.room_from_link);
        let link_from_home = room_from_link.inverse().after(room_from_home);
        let home_from_link = link_from_home.inverse();
        let image = self.begin_image(Set::Link(id), link_from_home);
        // A centre exactly in the polygon's plane is pushed back into its own room.
        let out_of_first_room = home_from_link.vector(portal.polygon.plane.normal);
        let into_room = if room == link.near && barrier.room_from_link.is_identity() {
            -out_of_first_room
        } else {
            out_of_first_room
        };
        for triangle in portal.polygon.triangles() {
            let triangle = triangle.transformed(&home_from_link);
            let bounds = Aabb32::around(&Aabb::around(triangle.corners));
            let bounds = extruded(bounds, self.segment_length);
            self.boxes.push(&bounds);
            let row = self.rows.start_row();
            self.rows.push(&bounds);
            let first = self.decoded.len() as u32;
            let candidate =
                Candidate::sheet(triangle, into_room, SurfaceResponse::PLAIN, Solid::Link(id));
            push_extruded(&candidate, self.segment_length, &mut self.decoded);
            self.pieces.resize((row + 1) * LANES, None);
            self.pieces[row * LANES] = Some([first, self.decoded.len() as u32]);
            self.groups.push(TriangleGroup {
                image,
                solids: SolidGroup::default(),
                row: Some(row as u32),
            });
        }
        image
    }

    /// The instance of `room` with the identity as its transform, if the flood reached it: the home coordinates are
    /// those of this room. The transform must be the exact identity. If it were rounded, the triangles would depend
    /// on the body for which they were gathered.
    pub(super) fn image_of(&self, room: RoomId) -> Option<u32> {
        let visit = self.walk.image_of(room, &Rigid::IDENTITY)?;
        let is_exact = self.walk.images[visit].home_from_room.is_identity();
        is_exact.then(|| self.image_of_visit[visit])
    }

    /// Adds the instance of a room that the walk visits.
    fn add_image(&mut self, visit: usize, visited: &RoomImage<()>) {
        debug_assert_eq!(visit, self.image_of_visit.len());
        let image = self.begin_image(Set::Room(visited.room), visited.home_from_room.inverse());
        self.image_of_visit.push(image);
    }

    /// Adds an instance of a triangle set; its edges are added later.
    fn begin_image(&mut self, set: Set, set_from_home: Rigid) -> u32 {
        self.images.push(SetImage {
            set,
            set_from_home,
            edges: [0; 2],
            reached: false,
            foreign: false,
        });
        self.images.len() as u32 - 1
    }
}
