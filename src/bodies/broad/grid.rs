//! The uniform grid: cells of one size, rebuilt each time; boxes that share a cell may overlap.
//!
//! A box is entered in every cell that it touches, and compared with the boxes entered there before. A pair that shares
//! several cells is counted once, in the cell that contains the least corner of the intersection of its boxes. Cells
//! are found by a hash table (M. Teschner and others, "Optimized Spatial Hashing for Collision Detection of Deformable
//! Objects", 2003). Boxes much larger than most are not entered in cells, and are compared with all boxes.

use glam::DVec3;

use super::finder::{NONE, PairFinder, RoomBox, at_key, in_order};
use crate::geometry::Aabb;

/// The size of a cell, as a multiple of the median of the boxes' largest extents. At a multiple of 2.5 a box touches
/// 2.7 cells on average, at 1 eight cells. With larger cells, many boxes of a dense heap share a cell without
/// overlapping.
const CELL: f64 = 2.5;

/// The maximum number of cells along an axis; a box that would touch more is a large box.
const MAX_CELLS: i64 = 4;

/// The minimum size of a cell, metres, in case all boxes are points.
const MIN_CELL: f64 = 1e-3;

/// Boxes in a grid.
#[derive(Debug, Default)]
pub struct UniformGrid {
    items: Vec<Item>,
    /// The index of the item of each key.
    index_of: Vec<u32>,
    /// The largest extent of each box; a buffer for their median.
    extents: Vec<f64>,
    /// The last entry of each hash value.
    heads: Vec<u32>,
    entries: Vec<CellEntry>,
    /// Indices of large items.
    large: Vec<u32>,
    /// The size of the cells of the entries, metres.
    size: f64,
    /// Whether the entries are up to date, except for the items in `put_since`.
    is_entered: bool,
    put_since: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    key: u32,
    place: RoomBox,
}

/// An item in a cell.
#[derive(Clone, Copy, Debug)]
struct CellEntry {
    item: u32,
    /// The previous entry with the same hash value.
    next: u32,
    cell: [i32; 3],
}

impl PairFinder for UniformGrid {
    fn put(&mut self, key: u32, place: &RoomBox) {
        let index = at_key(&mut self.index_of, key, NONE);
        let item = Item { key, place: *place };
        if let Some(known) = self.items.get_mut(*index as usize) {
            *known = item;
        } else {
            *index = self.items.len() as u32;
            self.items.push(item);
        }
        self.put_since.push(*index);
    }

    fn remove(&mut self, key: u32) {
        let index = std::mem::replace(at_key(&mut self.index_of, key, NONE), NONE);
        if index == NONE {
            return;
        }
        self.is_entered = false;
        self.items.swap_remove(index as usize);
        if let Some(moved) = self.items.get(index as usize) {
            self.index_of[moved.key as usize] = index;
        }
    }

    fn find_pairs(&mut self, pairs: &mut Vec<[u32; 2]>) {
        self.clear();
        for index in 0..self.items.len() as u32 {
            self.enter(index, Some(pairs));
        }
        let Self { items, large, .. } = self;
        // Pairs of two large items have been found already.
        if !large.is_empty() {
            let mut is_large = large.iter().peekable();
            for (index, item) in (0..).zip(items.iter()) {
                if is_large.next_if_eq(&&index).is_none() {
                    for &other in large.iter() {
                        meet(item, &items[other as usize], pairs);
                    }
                }
            }
        }
    }

    fn find_overlapping(&mut self, place: &RoomBox, keys: &mut Vec<u32>) {
        if !self.is_entered {
            self.clear();
            self.put_since.extend(0..self.items.len() as u32);
        }
        while let Some(index) = self.put_since.pop() {
            self.enter(index, None);
        }
        let overlapping = |index: u32| {
            let item = &self.items[index as usize];
            item.place.overlaps(place).then_some(item.key)
        };
        let Some(cells) = cells_of(&place.bounds, self.size) else {
            keys.extend((0..self.items.len() as u32).filter_map(overlapping));
            return;
        };
        keys.extend(self.large.iter().copied().filter_map(overlapping));
        for cell in cells {
            let slot = hash(place.room.0, cell) & (self.heads.len() - 1);
            let mut next = self.heads[slot];
            while let Some(entry) = self.entries.get(next as usize) {
                next = entry.next;
                if entry.cell == cell {
                    keys.extend(overlapping(entry.item));
                }
            }
        }
    }
}

impl UniformGrid {
    /// Removes all items from their cells, and computes the cell size for the current items.
    fn clear(&mut self) {
        self.size = self.cell_size();
        self.heads.clear();
        let slots = (2 * self.items.len()).next_power_of_two();
        self.heads.resize(slots, NONE);
        self.entries.clear();
        self.large.clear();
        self.put_since.clear();
        self.is_entered = true;
    }

    /// Enters an item in its cells, or as a large one, and finds the pairs with items that were entered before.
    fn enter(&mut self, index: u32, mut pairs: Option<&mut Vec<[u32; 2]>>) {
        let Self {
            items,
            heads,
            entries,
            large,
            size,
            ..
        } = self;
        let item = &items[index as usize];
        let Some(cells) = cells_of(&item.place.bounds, *size) else {
            if let Some(pairs) = pairs {
                for &other in large.iter() {
                    meet(item, &items[other as usize], pairs);
                }
            }
            large.push(index);
            return;
        };
        for cell in cells {
            let slot = hash(item.place.room.0, cell) & (heads.len() - 1);
            let next = std::mem::replace(&mut heads[slot], entries.len() as u32);
            if let Some(pairs) = &mut pairs {
                meet_in_cell(items, entries, (item, next), (cell, *size), pairs);
            }
            let item = index;
            entries.push(CellEntry { item, next, cell });
        }
    }

    fn cell_size(&mut self) -> f64 {
        let extents = self.items.iter().map(|item| {
            let Aabb { min, max } = item.place.bounds;
            (max - min).max_element()
        });
        self.extents.clear();
        self.extents.extend(extents);
        if self.extents.is_empty() {
            return MIN_CELL;
        }
        let middle = self.extents.len() / 2;
        let (_, median, _) = self.extents.select_nth_unstable_by(middle, f64::total_cmp);
        (CELL * *median).max(MIN_CELL)
    }
}

/// The cells that a box touches; `None` for a large box.
fn cells_of(bounds: &Aabb, size: f64) -> Option<impl Iterator<Item = [i32; 3]>> {
    let [first, last] = [bounds.min, bounds.max].map(|corner| cell_of(corner, size));
    let count = |axis: usize| i64::from(last[axis]) - i64::from(first[axis]) + 1;
    if (0..3).any(|axis| count(axis) > MAX_CELLS) {
        return None;
    }
    let [x, y, z] = [0, 1, 2].map(|axis| first[axis]..=last[axis]);
    let columns = x.flat_map(move |x| y.clone().map(move |y| [x, y]));
    Some(columns.flat_map(move |[x, y]| z.clone().map(move |z| [x, y, z])))
}

/// Compares an item with the items that were entered in a cell before it, the last one first.
fn meet_in_cell(
    items: &[Item],
    entries: &[CellEntry],
    (item, mut next): (&Item, u32),
    (cell, size): ([i32; 3], f64),
    pairs: &mut Vec<[u32; 2]>,
) {
    while let Some(entry) = entries.get(next as usize) {
        next = entry.next;
        if entry.cell != cell {
            continue;
        }
        let other = &items[entry.item as usize];
        let common = || item.place.bounds.min.max(other.place.bounds.min);
        if item.place.overlaps(&other.place) && cell_of(common(), size) == cell {
            pairs.push(in_order(item.key, other.key));
        }
    }
}

fn meet(a: &Item, b: &Item, pairs: &mut Vec<[u32; 2]>) {
    if a.place.overlaps(&b.place) {
        pairs.push(in_order(a.key, b.key));
    }
}

/// The cell of a point. Far from the origin the cell index is clamped, so that many cells become one; their order is
/// kept.
fn cell_of(point: DVec3, size: f64) -> [i32; 3] {
    (point / size).to_array().map(|at| {
        let towards_zero = at as i32;
        towards_zero.saturating_sub(i32::from(at < f64::from(towards_zero)))
    })
}

fn hash(room: u32, [x, y, z]: [i32; 3]) -> usize {
    let mixed = [room, x as u32, y as u32, z as u32].map(u64::from);
    let factors = [
        0x9e37_79b9_7f4a_7c15,
        0xc2b2_ae3d_27d4_eb4f,
        0x1656_67b1_9e37_79f9,
        0x27d4_eb2f_1656_67c5,
    ];
    let products = mixed
        .iter()
        .zip(factors)
        .map(|(part, factor)| part.wrapping_mul(factor));
    let hash = products.fold(0, u64::wrapping_add);
    (hash >> 32) as usize
}
