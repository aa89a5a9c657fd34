//! Random houses for property tests.

use crate::level::Level;
use proptest::prelude::*;

use super::*;

const COLUMNS: usize = 4;
const ROWS: usize = 3;
const FLOORS: usize = 2;
pub(super) const CELLS: usize = COLUMNS * FLOORS * ROWS;

/// A house of rooms in a grid with uneven spacing and walls without thickness, with at most two openings in each wall
/// and floor, a box in each room, and beams that sprawl through openings.
#[derive(Clone, Debug)]
pub(super) struct House {
    /// Widths of the columns, heights of the floors and depths of the rows, in metres.
    widths: [Vec<f64>; 3],
    /// The openings between each cell and the next one along each axis, as fractions of the wall.
    openings: Vec<[HouseWall; 3]>,
    /// The extents of the box in each cell, as fractions of the room.
    boxes: Vec<[[f64; 2]; 3]>,
    /// The beam through the first opening between each cell and the next one along each axis, if any.
    beams: Vec<[Option<HouseBeam>; 3]>,
}

/// How far a beam extends into its own room and into the other one, as fractions of the rooms; then whether its own
/// room is the first of the two along the axis.
type HouseBeam = ([f64; 2], bool);

/// The openings of a wall, at most one in each half. Each has one extent along each axis of the wall, as
/// fractions of the wall.
type HouseWall = [Option<[[f64; 2]; 2]>; 2];

fn wall() -> impl Strategy<Value = HouseWall> {
    let hole = |from: f64| {
        let span =
            |lo: f64, hi: f64| (lo..hi, lo..hi).prop_map(|(a, b)| [a.min(b), a.max(b) + 0.02]);
        let hole = (span(from, from + 0.4), span(0.05, 0.9)).prop_map(|(u, v)| [u, v]);
        proptest::option::weighted(0.6, hole)
    };
    (hole(0.05), hole(0.53)).prop_map(|(a, b)| [a, b])
}

pub(super) fn house() -> impl Strategy<Value = House> {
    let widths = |n| proptest::collection::vec(2.0..7.0f64, n);
    let beam = || {
        let beam = ([0.05..0.9f64, 0.05..0.9f64], any::<bool>());
        proptest::option::weighted(0.3, beam)
    };
    let part = || (0.1..0.8f64, 0.02..0.15f64).prop_map(|(a, size)| [a, a + size]);
    (
        (widths(COLUMNS), widths(FLOORS), widths(ROWS)),
        proptest::collection::vec((wall(), wall(), wall()), CELLS),
        proptest::collection::vec((part(), part(), part()), CELLS),
        proptest::collection::vec([beam(), beam(), beam()], CELLS),
    )
        .prop_map(|((x, y, z), walls, boxes, beams)| House {
            beams,
            widths: [x, y, z],
            openings: walls.into_iter().map(|(x, y, z)| [x, y, z]).collect(),
            boxes: boxes.into_iter().map(|(x, y, z)| [x, y, z]).collect(),
        })
}

impl House {
    fn cell(at: [usize; 3]) -> usize {
        (at[2] * FLOORS + at[1]) * COLUMNS + at[0]
    }

    /// The inside of a room.
    pub(super) fn room(&self, cell: usize) -> Aabb {
        self.inside(Self::place(cell))
    }

    fn place(cell: usize) -> [usize; 3] {
        [
            cell % COLUMNS,
            cell / COLUMNS % FLOORS,
            cell / COLUMNS / FLOORS,
        ]
    }

    fn inside(&self, at: [usize; 3]) -> Aabb {
        let line = |axis: usize, n: usize| self.widths[axis][..n].iter().sum::<f64>();
        cuboid(
            [0, 1, 2].map(|axis| line(axis, at[axis])),
            [0, 1, 2].map(|axis| line(axis, at[axis] + 1)),
        )
    }

    /// The openings from a cell to the next along `axis`.
    fn openings(&self, at: [usize; 3], axis: usize) -> Vec<SketchOpening> {
        if at[axis] + 1 >= [COLUMNS, FLOORS, ROWS][axis] {
            return Vec::new();
        }
        let inside = self.inside(at);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let walls = self.openings[Self::cell(at)][axis].iter().flatten();
        walls
            .map(|parts| {
                let mut hole = inside;
                hole.min[axis] = inside.max[axis];
                for (k, part) in [(u, parts[0]), (v, parts[1])] {
                    let size = inside.max[k] - inside.min[k];
                    hole.min[k] = inside.min[k] + size * part[0];
                    hole.max[k] = inside.min[k] + size * part[1];
                }
                hole
            })
            .collect()
    }

    /// The house without sprawling geometry.
    pub(super) fn without_beams(mut self) -> Self {
        self.beams.fill([None; 3]);
        self
    }

    pub(super) fn build(&self) -> Level {
        built(self.sketch())
    }

    pub(super) fn sketch(&self) -> Sketch {
        let mut sketch = Sketch::new("house");
        let name = |at: [usize; 3]| format!("r{:02}", Self::cell(at));
        let mut beams = Vec::new();
        let cells = (0..CELLS).map(Self::place);
        for at in cells {
            let inside = self.inside(at);
            let mut holes = Vec::new();
            for axis in 0..3 {
                holes.extend(self.openings(at, axis));
                if at[axis] > 0 {
                    let mut before = at;
                    before[axis] -= 1;
                    holes.extend(self.openings(before, axis));
                }
            }
            let room = sketch.box_room(&name(at), inside, &holes);
            let size = inside.max - inside.min;
            let parts = self.boxes[Self::cell(at)];
            let corner = |end: usize| {
                let part = DVec3::new(parts[0][end], parts[1][end], parts[2][end]);
                inside.min + size * part
            };
            let furniture = Aabb {
                min: corner(0),
                max: corner(1),
            };
            sketch.furniture(room, 0, furniture);
            for (axis, out) in DVec3::AXES.into_iter().enumerate() {
                let mut next = at;
                next[axis] += 1;
                for opening in self.openings(at, axis) {
                    sketch.portal(room, &name(next), opening, out);
                }
                let beam = self.beams[Self::cell(at)][axis];
                if let (Some(opening), Some(beam)) = (self.openings(at, axis).first(), beam) {
                    beams.push((at, next, axis, *opening, beam));
                }
            }
        }
        // Rooms have the same order as cells.
        for (at, next, axis, opening, (parts, is_of_first)) in beams {
            let size = opening.max - opening.min;
            let mut beam = Aabb {
                min: opening.min + size * 0.3,
                max: opening.min + size * 0.6,
            };
            let [own, other] = parts;
            let (before, beyond) = if is_of_first {
                (own, other)
            } else {
                (other, own)
            };
            beam.min[axis] -= before * self.widths[axis][at[axis]];
            beam.max[axis] += beyond * self.widths[axis][next[axis]];
            let room = Self::cell(if is_of_first { at } else { next });
            sketch.furniture(room, 0, beam);
        }
        sketch
    }
}
