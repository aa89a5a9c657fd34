//! The flood from the start room to the gathered places that the box of a tick reaches.

use super::{Candidates, Place, Set, Way};
use crate::collision::collision_world::{BroadPhase, CollisionWorld};
use crate::geometry::Aabb;
use crate::level::RoomId;

impl Candidates {
    /// Marks the places that `query`, a box in coordinates of `room`, reaches.
    pub(super) fn reach(&mut self, collision: &CollisionWorld, room: RoomId, query: &Aabb) {
        for &index in &self.reached {
            if let Some(place) = self.places.get_mut(index as usize) {
                place.reached = false;
            }
        }
        let start = self.place_of(room);
        let Self {
            places,
            ways,
            reached,
            ..
        } = self;
        reached.clear();
        if let Some(start) = start {
            mark(places, start, false, reached);
        }
        flood(places, ways, query, false, reached);
        if collision.broad_phase == BroadPhase::Exhaustive {
            for index in 0..places.len() {
                if places[index].is_room() && !places[index].reached {
                    mark(places, index as u32, true, reached);
                }
            }
            flood(places, ways, query, true, reached);
        }
    }

    /// The rooms among the reached places.
    pub(super) fn reached_rooms(&self) -> impl Iterator<Item = (RoomId, &Place)> {
        let places = self
            .reached
            .iter()
            .map(|&index| &self.places[index as usize]);
        places.filter_map(|place| match place.set {
            Set::Room(room) => Some((room, place)),
            Set::Link(_) => None,
        })
    }

    /// Collects the boxes of the edges out of the reached places that the larger box touches, each with
    /// whether the smaller box touches it too; returns whether they are all in home coordinates.
    pub(super) fn openings(
        &self,
        [smaller, larger]: [&Aabb; 2],
        openings: &mut Vec<(Aabb, bool)>,
    ) -> bool {
        openings.clear();
        for &index in &self.reached {
            let place = &self.places[index as usize];
            let larger = larger.transformed(&place.set_from_home);
            for way in &self.ways[place.ways[0] as usize..place.ways[1] as usize] {
                if !way.bounds.overlaps(&larger) {
                    continue;
                }
                if !place.set_from_home.is_identity() {
                    return false;
                }
                openings.push((way.bounds, way.bounds.overlaps(smaller)));
            }
        }
        true
    }
}

fn mark(places: &mut [Place], index: u32, foreign: bool, reached: &mut Vec<u32>) {
    let place = &mut places[index as usize];
    (place.reached, place.foreign) = (true, foreign);
    reached.push(index);
}

/// Floods from the reached places with this `foreign` flag to all places that the box reaches.
fn flood(places: &mut [Place], ways: &[Way], query: &Aabb, foreign: bool, reached: &mut Vec<u32>) {
    let mut next = 0;
    while let Some(&index) = reached.get(next) {
        next += 1;
        let place = &places[index as usize];
        let ways = &ways[place.ways[0] as usize..place.ways[1] as usize];
        if ways.is_empty() || place.foreign != foreign {
            continue;
        }
        let query = query.transformed(&place.set_from_home);
        for way in ways {
            let to = &places[way.to as usize];
            if to.reached || !way.bounds.overlaps(&query) {
                continue;
            }
            // A link is met once, from the body's own room if it touches the link there.
            let is_known = |&at: &u32| {
                let known = &places[at as usize];
                known.set == to.set && known.set_from_home == to.set_from_home
            };
            if to.is_room() || !reached.iter().any(is_known) {
                mark(places, way.to, foreign, reached);
            }
        }
    }
}
