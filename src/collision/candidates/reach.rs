//! The flood from the start room to the gathered instances that the box of a tick reaches.

use super::{Candidates, ImageEdge, Set, SetImage};
use crate::collision::collision_world::{BroadPhase, CollisionWorld};
use crate::geometry::Aabb;
use crate::level::RoomId;

impl Candidates {
    /// Marks the instances that `query`, a box in coordinates of `room`, reaches.
    pub(super) fn reach(&mut self, collision: &CollisionWorld, room: RoomId, query: &Aabb) {
        for &index in &self.reached {
            if let Some(image) = self.images.get_mut(index as usize) {
                image.reached = false;
            }
        }
        let start = self.image_of(room);
        let Self {
            images,
            edges,
            reached,
            ..
        } = self;
        reached.clear();
        if let Some(start) = start {
            mark(images, start, false, reached);
        }
        flood(images, edges, query, false, reached);
        if collision.broad_phase == BroadPhase::Exhaustive {
            for index in 0..images.len() {
                if images[index].is_room() && !images[index].reached {
                    mark(images, index as u32, true, reached);
                }
            }
            flood(images, edges, query, true, reached);
        }
    }

    /// The rooms among the reached instances.
    pub(super) fn reached_rooms(&self) -> impl Iterator<Item = (RoomId, &SetImage)> {
        let images = self
            .reached
            .iter()
            .map(|&index| &self.images[index as usize]);
        images.filter_map(|image| match image.set {
            Set::Room(room) => Some((room, image)),
            Set::Link(_) => None,
        })
    }

    /// Collects the boxes of the edges from reached instances that the larger box touches, each with whether the
    /// smaller box touches it too. Returns whether all of them are in home coordinates.
    pub(super) fn openings(
        &self,
        [smaller, larger]: [&Aabb; 2],
        openings: &mut Vec<(Aabb, bool)>,
    ) -> bool {
        openings.clear();
        for &index in &self.reached {
            let image = &self.images[index as usize];
            let larger = larger.transformed(&image.set_from_home);
            for edge in &self.edges[image.edges[0] as usize..image.edges[1] as usize] {
                if !edge.bounds.overlaps(&larger) {
                    continue;
                }
                if !image.set_from_home.is_identity() {
                    return false;
                }
                openings.push((edge.bounds, edge.bounds.overlaps(smaller)));
            }
        }
        true
    }
}

fn mark(images: &mut [SetImage], index: u32, foreign: bool, reached: &mut Vec<u32>) {
    let image = &mut images[index as usize];
    (image.reached, image.foreign) = (true, foreign);
    reached.push(index);
}

/// Floods from the reached instances with this `foreign` flag to all instances that the box reaches.
fn flood(
    images: &mut [SetImage],
    edges: &[ImageEdge],
    query: &Aabb,
    foreign: bool,
    reached: &mut Vec<u32>,
) {
    let mut next = 0;
    while let Some(&index) = reached.get(next) {
        next += 1;
        let image = &images[index as usize];
        let edges = &edges[image.edges[0] as usize..image.edges[1] as usize];
        if edges.is_empty() || image.foreign != foreign {
            continue;
        }
        let query = query.transformed(&image.set_from_home);
        for edge in edges {
            let to = &images[edge.to as usize];
            if to.reached || !edge.bounds.overlaps(&query) {
                continue;
            }
            // The same link may be found through several rooms; only the first is marked, which is the body's own
            // room if possible.
            let is_known = |&at: &u32| {
                let known = &images[at as usize];
                known.set == to.set && known.set_from_home == to.set_from_home
            };
            if to.is_room() || !reached.iter().any(is_known) {
                mark(images, edge.to, foreign, reached);
            }
        }
    }
}
