//! Sweep and prune: the ends of all boxes along each axis, sorted, and kept from tick to tick.
//!
//! After small motions, a few swaps (insertion sort) sort the ends again. A swap of one box's minimum with another
//! box's maximum begins or ends their overlap along that axis (D. Baraff, "Dynamic Simulation of Non-Penetrating
//! Rigid Bodies", 1992; J. Cohen, M. Lin, D. Manocha, M. Ponamgi, "I-COLLIDE", 1995). All three axes are kept, so
//! that a pair changes only at a swap, and a resting box costs one comparison at each end. At a swap, the two boxes
//! are compared directly. Counting the axes along which each pair overlaps would need more memory: a crowded room has
//! hundreds of pairs per body that overlap along one axis only.
//!
//! Each room has its own lists, so that a body that changes rooms passes the ends of neither room. Where sorting
//! needs very many swaps (teleports, many new boxes), the room is sorted from scratch, and swept once along the axis
//! along which its boxes are spread farthest.

use glam::DVec3;

use super::finder::{NONE, PairFinder, RoomBox, at_key, in_order};
use crate::geometry::Aabb;

/// The maximum number of swaps for each end; if more are needed, sorting from scratch is faster.
const MAX_SWAPS: usize = 8;

/// The maximum number of new boxes of a room that are inserted by swaps: each new box passes about half of the
/// others.
const MAX_ADDED: u32 = 4;

/// Boxes in sorted lists.
#[derive(Debug, Default)]
pub struct SweepAndPrune {
    boxes: Vec<SweptBox>,
    /// The index of the box of each key.
    index_of: Vec<u32>,
    /// Boxes that are not in use.
    free: Vec<u32>,
    /// The lists of each room.
    rooms: Vec<SweepRoom>,
    /// The rooms with boxes.
    occupied: Vec<u32>,
    /// The boxes that contain the current position of the sweep.
    inside: Vec<u32>,
}

#[derive(Debug)]
struct SweptBox {
    key: u32,
    /// The box; `None` where it was removed, until its ends are removed from the lists.
    place: Option<RoomBox>,
    /// The boxes that it overlaps.
    partners: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct SweepRoom {
    axes: [Vec<End>; 3],
    /// The number of removed boxes that are still in the lists.
    removed: u32,
    /// The number of new boxes, whose ends are last in the lists.
    added: u32,
    is_occupied: bool,
}

/// One end of a box along an axis.
#[derive(Clone, Copy, Debug)]
struct End {
    value: f64,
    of: u32,
    is_max: bool,
}

impl End {
    /// Whether an end comes after another one. At equal values minima come first, because touching boxes overlap.
    fn is_after(&self, other: &Self) -> bool {
        self.value > other.value || (self.value == other.value && self.is_max && !other.is_max)
    }
}

impl PairFinder for SweepAndPrune {
    fn put(&mut self, key: u32, place: &RoomBox) {
        let index = *at_key(&mut self.index_of, key, NONE);
        if let Some(known) = self.boxes.get_mut(index as usize) {
            if known.place.is_some_and(|known| known.room == place.room) {
                known.place = Some(*place);
                return;
            }
            self.remove(key);
        }
        let index = self.free.pop().unwrap_or_else(|| {
            self.boxes.push(SweptBox {
                key,
                place: None,
                partners: Vec::new(),
            });
            self.boxes.len() as u32 - 1
        });
        let kept = &mut self.boxes[index as usize];
        (kept.key, kept.place) = (key, Some(*place));
        self.index_of[key as usize] = index;
        let room = at_key(&mut self.rooms, place.room.0, SweepRoom::default());
        room.added += 1;
        if !room.is_occupied {
            room.is_occupied = true;
            self.occupied.push(place.room.0);
        }
        for axis in &mut room.axes {
            axis.extend([false, true].map(|is_max| End {
                value: f64::INFINITY,
                of: index,
                is_max,
            }));
        }
    }

    fn remove(&mut self, key: u32) {
        let index = std::mem::replace(at_key(&mut self.index_of, key, NONE), NONE);
        if index == NONE {
            return;
        }
        let kept = &mut self.boxes[index as usize];
        let mut partners = std::mem::take(&mut kept.partners);
        if let Some(place) = kept.place.take() {
            self.rooms[place.room.0 as usize].removed += 1;
        }
        for partner in partners.drain(..) {
            forget(&mut self.boxes[partner as usize].partners, index);
        }
        self.boxes[index as usize].partners = partners;
    }

    fn find_pairs(&mut self, pairs: &mut Vec<[u32; 2]>) {
        let Self {
            boxes,
            free,
            rooms,
            occupied,
            inside,
            ..
        } = self;
        occupied.retain(|room| {
            let room = &mut rooms[*room as usize];
            if room.removed > 0 {
                let removed = |end: &&End| !end.is_max && boxes[end.of as usize].place.is_none();
                free.extend(room.axes[0].iter().filter(removed).map(|end| end.of));
                for axis in &mut room.axes {
                    axis.retain(|end| boxes[end.of as usize].place.is_some());
                }
                room.removed = 0;
            }
            let is_sorted = room.added <= MAX_ADDED && room.sort(boxes);
            if !is_sorted {
                room.sort_from_scratch(boxes, inside);
            }
            room.added = 0;
            for end in room.axes[0].iter().filter(|end| !end.is_max) {
                let SweptBox { key, partners, .. } = &boxes[end.of as usize];
                let partners = partners.iter().map(|other| boxes[*other as usize].key);
                let once = partners.filter(|other| key < other);
                pairs.extend(once.map(|other| in_order(*key, other)));
            }
            room.is_occupied = !room.axes[0].is_empty();
            room.is_occupied
        });
    }

    /// Tests all boxes of the room: the lists are in order only while pairs are found.
    fn find_overlapping(&mut self, place: &RoomBox, keys: &mut Vec<u32>) {
        let room = self.rooms.get(place.room.0 as usize);
        let ends = room.into_iter().flat_map(|room| &room.axes[0]);
        let boxes = ends
            .filter(|end| !end.is_max)
            .map(|end| &self.boxes[end.of as usize]);
        let overlaps = |kept: &&SweptBox| kept.place.is_some_and(|other| other.overlaps(place));
        keys.extend(boxes.filter(overlaps).map(|kept| kept.key));
    }
}

impl SweepRoom {
    /// Reads the current values of the ends from the boxes.
    fn look(&mut self, boxes: &[SweptBox]) {
        for (index, axis) in self.axes.iter_mut().enumerate() {
            for end in axis {
                if let Some(RoomBox { bounds, .. }) = &boxes[end.of as usize].place {
                    let corner = if end.is_max { bounds.max } else { bounds.min };
                    end.value = corner[index];
                }
            }
        }
    }

    /// Sorts the ends along each axis by swaps of neighbours, and updates the pairs of boxes that begin or end to
    /// overlap; returns whether sorting finished.
    fn sort(&mut self, boxes: &mut [SweptBox]) -> bool {
        self.look(boxes);
        let mut swaps = 0;
        for axis in &mut self.axes {
            // New ends are last, and may be swapped with all others.
            let limit = MAX_SWAPS * axis.len() + 64;
            for first in 1..axis.len() {
                let end = axis[first];
                let mut at = first;
                while at > 0 && axis[at - 1].is_after(&end) {
                    let passed = axis[at - 1];
                    axis[at] = passed;
                    at -= 1;
                    swaps += 1;
                    if end.is_max != passed.is_max {
                        change(boxes, end, passed);
                    }
                }
                axis[at] = end;
                if swaps > limit {
                    return false;
                }
            }
        }
        true
    }

    /// Sorts the ends along each axis, and finds all pairs.
    fn sort_from_scratch(&mut self, boxes: &mut [SweptBox], inside: &mut Vec<u32>) {
        self.look(boxes);
        for axis in &mut self.axes {
            axis.sort_unstable_by(|a, b| {
                let by_value = a.value.total_cmp(&b.value);
                // Both signs of zero are equal.
                let by_value = if a.value == b.value {
                    std::cmp::Ordering::Equal
                } else {
                    by_value
                };
                by_value.then(a.is_max.cmp(&b.is_max))
            });
            for end in axis.iter() {
                boxes[end.of as usize].partners.clear();
            }
        }
        inside.clear();
        for end in &self.axes[self.longest_axis(boxes)] {
            if end.is_max {
                forget(inside, end.of);
                continue;
            }
            for &other in inside.iter() {
                if overlap(boxes, end.of, other) {
                    boxes[end.of as usize].partners.push(other);
                    boxes[other as usize].partners.push(end.of);
                }
            }
            inside.push(end.of);
        }
    }

    /// The axis along which the boxes' middles vary most.
    fn longest_axis(&self, boxes: &[SweptBox]) -> usize {
        let places = || {
            let least = self.axes[0].iter().filter(|end| !end.is_max);
            least.filter_map(|end| boxes[end.of as usize].place)
        };
        let middle = |place: RoomBox| {
            let Aabb { min, max } = place.bounds;
            (min * 0.5 + max * 0.5).clamp(DVec3::splat(-1e100), DVec3::splat(1e100))
        };
        let count = (self.axes[0].len() / 2).max(1) as f64;
        let mean = places().map(middle).sum::<DVec3>() / count;
        let spread = |place: RoomBox| (middle(place) - mean) * (middle(place) - mean);
        let variance: DVec3 = places().map(spread).sum();
        let longer = |best: usize, axis: usize| {
            if variance[axis] > variance[best] {
                axis
            } else {
                best
            }
        };
        longer(longer(0, 1), 2)
    }
}

fn overlap(boxes: &[SweptBox], a: u32, b: u32) -> bool {
    let [a, b] = [a, b].map(|index| boxes[index as usize].place);
    a.zip(b).is_some_and(|(a, b)| a.bounds.overlaps(&b.bounds))
}

/// Updates the pair of two boxes after one's end passed an end of the other kind: a minimum that passes a maximum
/// begins an overlap along this axis, a maximum that passes a minimum ends it.
fn change(boxes: &mut [SweptBox], end: End, passed: End) {
    let [a, b] = [end.of, passed.of];
    if end.is_max {
        let [first, second] = [(a, b), (b, a)];
        for (of, other) in [first, second] {
            forget(&mut boxes[of as usize].partners, other);
        }
    } else if overlap(boxes, a, b) && !boxes[a as usize].partners.contains(&b) {
        boxes[a as usize].partners.push(b);
        boxes[b as usize].partners.push(a);
    }
}

fn forget(list: &mut Vec<u32>, value: u32) {
    if let Some(at) = list.iter().position(|known| *known == value) {
        list.swap_remove(at);
    }
}
