//! Random halls with a pit in the floor, galleries along the walls, and holes towards the sky.
//!
//! A hall is a grid of boxes. Each box is a part of a room, solid, or sky. Walls, floors and portals are created
//! between neighbours that differ.

use glam::{DMat3, DVec3};
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Aabb;
use opendoor::rng::Rng;
use opendoor::source::LevelSource;

/// The content of a box of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    /// A part of the room with this index.
    Room(usize),
    Solid,
    Sky,
}

const HALL: usize = 0;
const PIT: usize = 1;
const GALLERY: usize = 2;
pub(crate) const NAMES: [&str; 3] = ["hall", "pit", "gallery"];

/// The storey of the pit's bottom, the lowest of all.
const BOTTOM: usize = 0;
/// The storey of the steps in the pit.
const STEPS: usize = 1;
/// The storey of the kerb around the pit.
const KERB: usize = 2;
/// Number of storeys. The hall and the gallery are above the kerb.
const STOREYS: usize = 5;

/// Probabilities of features, in percent.
#[derive(Clone, Copy)]
struct Odds {
    /// Chance that an upper box of the pit becomes a step down from the hall.
    step: usize,
    /// Chance that a box next to the pit's upper part belongs to the pit. Such a box makes a vertical portal.
    niche: usize,
    /// Chance that a box above the pit's upper part belongs to the pit: the pit then rises above the hall's floor, like
    /// a kerb, with portals around it.
    kerb: usize,
    /// Chance that the pit is under a ledge of the hall's floor.
    ledge: usize,
    /// Chance that a column of the pit is open to the sky, without a part of the hall above it.
    sky_over_pit: usize,
    /// Chance that a column of the hall has no ceiling.
    no_ceiling: usize,
    /// Chance that an outer wall is missing.
    no_wall: usize,
    /// Chance that a pillar stands in the hall.
    pillar: usize,
    /// Chance that a wall along an opening belongs to the room on the other side, as a reveal.
    reveal: usize,
}

/// The grid of a hall.
struct Hall {
    lines: [Vec<f64>; 3],
    cells: Vec<Cell>,
    odds: Odds,
}

/// A rectangle between two boxes of the grid.
#[derive(Clone, Copy)]
struct Face {
    axis: usize,
    /// The box on the side of the face towards the lower end of the axis. It may be outside of the grid, with index -1.
    at: [isize; 3],
}

/// The level of this seed. It is `size` times as large as a hall of about 10 m, rotated, and `offset` metres away from
/// the origin. The second value returns the room that contains a point in author's coordinates, according to the grid.
pub(crate) fn hall(
    seed: u64,
    size: f64,
    offset: DVec3,
) -> (LevelSource, impl Fn(DVec3) -> Option<usize>) {
    let mut rng = Rng::new(seed);
    let hall = Hall::random(&mut rng);
    let mut source = hall.drawn(&mut rng);
    let turn = DMat3::from_rotation_y(if rng.one_in(2) {
        0.0
    } else {
        rng.between(0.0, 6.0)
    });
    let place = |p: DVec3| turn * p * size + offset;
    for mesh in &mut source.meshes {
        mesh.positions.iter_mut().for_each(|p| *p = place(*p));
    }
    for portal in &mut source.portals {
        let corners = portal.triangles.iter_mut().flatten();
        corners.for_each(|p| *p = place(*p));
    }
    for spawn in &mut source.spawns {
        spawn.position.0 = place(spawn.position.0);
    }
    let air = move |p: DVec3| {
        let p = turn.transpose() * (p - offset) / size;
        let lines = |axis: usize| hall.lines[axis].partition_point(|&line| line <= p[axis]);
        match hall.cell([0, 1, 2].map(|axis| lines(axis) as isize - 1)) {
            Cell::Room(room) => Some(room),
            _ => None,
        }
    };
    (source, air)
}

impl Hall {
    fn random(rng: &mut Rng) -> Self {
        let is_open = rng.one_in(2);
        let mut odds = || [0, 0, 15, 30][rng.below(4)];
        let odds = Odds {
            step: odds(),
            niche: odds(),
            kerb: odds(),
            ledge: odds(),
            sky_over_pit: odds(),
            no_ceiling: if is_open { 100 } else { odds() },
            no_wall: odds(),
            pillar: odds(),
            reveal: [0, 0, 30, 100][rng.below(4)],
        };
        let mut lines = || {
            let mut lines = vec![0.0];
            for cell in 0..4 + rng.below(4) {
                lines.push(lines[cell] + rng.between(0.6, 2.5));
            }
            lines
        };
        let (xs, zs) = (lines(), lines());
        let kerb = rng.between(0.2, 0.9);
        let ys = vec![-1.6, -rng.between(0.3, 1.2), 0.0, kerb, 2.8, 5.0];
        let mut hall = Self {
            cells: vec![Cell::Solid; (xs.len() - 1) * STOREYS * (zs.len() - 1)],
            lines: [xs, ys, zs],
            odds,
        };
        hall.fill(rng);
        hall
    }

    fn fill(&mut self, rng: &mut Rng) {
        let [nx, _, nz] = self.counts();
        let odds = self.odds;
        let mut often = |percent: usize| rng.below(100) < percent;
        let is_pit = {
            let inset = [usize::from(!often(20)), usize::from(!often(20))];
            move |x: usize, z: usize| {
                (inset[0]..nx - 1).contains(&x) && (inset[1]..nz - 1).contains(&z)
            }
        };
        let has_gallery = often(60);
        for x in 0..nx {
            for z in 0..nz {
                let mut column = [Cell::Solid; STOREYS];
                for cell in &mut column[KERB..] {
                    *cell = Cell::Room(HALL);
                }
                if is_pit(x, z) {
                    column[BOTTOM] = Cell::Room(PIT);
                    column[STEPS] = Cell::Room(PIT);
                    if often(odds.step) {
                        column[STEPS] = Cell::Room(HALL);
                    } else if often(odds.ledge) {
                        column[STEPS] = Cell::Solid;
                    } else if often(odds.kerb) {
                        column[KERB] = Cell::Room(PIT);
                    }
                    if often(odds.sky_over_pit) {
                        for cell in &mut column[STEPS + 1..] {
                            *cell = Cell::Sky;
                        }
                    }
                } else if often(odds.niche) {
                    column[STEPS] = Cell::Room(if often(50) { HALL } else { PIT });
                }
                if has_gallery && (x == 0 || z + 1 == nz) {
                    column[STOREYS - 1] = Cell::Room(GALLERY);
                }
                if often(odds.pillar) && !is_pit(x, z) {
                    column[KERB..].fill(Cell::Solid);
                }
                for (y, cell) in column.into_iter().enumerate() {
                    let index = self.index([x, y, z]);
                    self.cells[index] = cell;
                }
            }
        }
    }

    fn counts(&self) -> [usize; 3] {
        [0, 1, 2].map(|axis| self.lines[axis].len() - 1)
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        let [nx, _, nz] = self.counts();
        (y * nz + z) * nx + x
    }

    /// The content of a box. Outside of the grid there is solid ground, walls, or a ceiling.
    fn cell(&self, at: [isize; 3]) -> Cell {
        let counts = self.counts();
        let is_outside = (0..3).any(|axis| at[axis] < 0 || at[axis] >= counts[axis] as isize);
        if is_outside {
            return Cell::Solid;
        }
        self.cells[self.index(at.map(|i| i as usize))]
    }

    /// The rectangle of a face, and the contents of its two boxes, below and above.
    fn face(&self, face: Face) -> (Aabb, [Cell; 2]) {
        let mut above = face.at;
        above[face.axis] += 1;
        let line = |axis: usize, i: isize| self.lines[axis][i as usize];
        let mut min = [0, 1, 2].map(|axis| line(axis, face.at[axis].max(0)));
        let mut max = [0, 1, 2].map(|axis| line(axis, face.at[axis].max(0) + 1));
        let at = line(face.axis, above[face.axis]);
        (min[face.axis], max[face.axis]) = (at, at);
        (cuboid(min, max), [self.cell(face.at), self.cell(above)])
    }

    fn faces(&self) -> Vec<Face> {
        let counts = self.counts().map(|n| n as isize);
        let mut faces = Vec::new();
        for axis in 0..3 {
            let mut first = [0; 3];
            first[axis] = -1;
            for x in first[0]..counts[0] {
                for y in first[1]..counts[1] {
                    for z in first[2]..counts[2] {
                        let at = [x, y, z];
                        faces.push(Face { axis, at });
                    }
                }
            }
        }
        faces
    }

    fn is_ceiling(&self, face: Face) -> bool {
        face.axis == 1 && face.at[1] + 1 == STOREYS as isize
    }

    fn is_outer_wall(&self, face: Face) -> bool {
        let counts = self.counts();
        let is_end = face.at[face.axis] < 0 || face.at[face.axis] + 1 == counts[face.axis] as isize;
        face.axis != 1 && is_end && face.at[1] >= KERB as isize
    }

    fn drawn(&self, rng: &mut Rng) -> LevelSource {
        let mut sketch = Sketch::new("hall");
        for name in NAMES {
            sketch.room(name);
        }
        let mut openings = Vec::new();
        let mut walls = Vec::new();
        for face in self.faces() {
            let (rectangle, cells) = self.face(face);
            let mut out = DVec3::ZERO;
            out[face.axis] = 1.0;
            let left_out = if self.is_ceiling(face) {
                self.odds.no_ceiling
            } else if self.is_outer_wall(face) {
                self.odds.no_wall
            } else {
                0
            };
            match cells {
                [Cell::Room(a), Cell::Room(b)] if a != b => {
                    sketch.portal(a, NAMES[b], rectangle, out);
                    openings.push((rectangle, face.axis, [a, b]));
                }
                [Cell::Room(room), Cell::Solid] | [Cell::Solid, Cell::Room(room)]
                    if rng.below(100) >= left_out =>
                {
                    let faces_up = cells[0] == Cell::Solid;
                    walls.push((rectangle, room, if faces_up { out } else { -out }));
                }
                _ => {}
            }
        }
        for (wall, room, normal) in walls {
            let beside = openings.iter().find(|(opening, _, rooms)| {
                rooms.contains(&room) && shares_an_edge(opening, &wall)
            });
            let room = match beside {
                Some((_, _, [a, b])) if rng.below(100) < self.odds.reveal => a + b - room,
                _ => room,
            };
            draw_wall(&mut sketch, room, wall, normal);
        }
        self.add_sprawl(rng, &mut sketch, &openings);
        let air = self.faces().into_iter().find(|face| {
            let below = self.cell(face.at);
            let (_, cells) = self.face(*face);
            face.axis == 1 && below == Cell::Solid && cells[1] == Cell::Room(HALL)
        });
        let floor = air.map_or(DVec3::ZERO, |face| self.face(face).0.centre());
        sketch.spawn(HALL, floor + DVec3::Y * 0.1, DVec3::X);
        let used = |room: usize| self.cells.contains(&Cell::Room(room));
        if !used(GALLERY) {
            sketch.source.rooms.pop();
        }
        sketch.source
    }

    /// Adds posts, ladders and slabs of either room through some openings.
    fn add_sprawl(
        &self,
        rng: &mut Rng,
        sketch: &mut Sketch,
        openings: &[(Aabb, usize, [usize; 2])],
    ) {
        if openings.is_empty() {
            return;
        }
        for _ in 0..[0, 0, 2, 6][rng.below(4)] {
            let (rectangle, axis, rooms) = openings[rng.below(openings.len())];
            let mut bounds = rectangle;
            for k in 0..3 {
                let (min, max) = (rectangle.min[k], rectangle.max[k]);
                let part = |rng: &mut Rng| min + (max - min) * rng.between(0.02, 0.98);
                let ends = if k == axis {
                    [min - rng.between(0.1, 1.5), min + rng.between(0.1, 1.5)]
                } else {
                    [part(rng), part(rng)]
                };
                bounds.min[k] = ends[0].min(ends[1]);
                bounds.max[k] = ends[0].max(ends[1]);
            }
            sketch.furniture(rooms[rng.below(2)], 0, bounds);
        }
    }
}

/// Whether two flat rectangles share an edge or a part of one.
fn shares_an_edge(a: &Aabb, b: &Aabb) -> bool {
    let min = a.min.max(b.min);
    let size = a.max.min(b.max) - min;
    (0..3).all(|axis| size[axis] >= 0.0) && (0..3).any(|axis| size[axis] > 0.0)
}

/// Adds a rectangle whose front faces `normal`.
fn draw_wall(sketch: &mut Sketch, room: usize, flat: Aabb, normal: DVec3) {
    let axis = (0..3).find(|&i| normal[i] != 0.0).unwrap_or(0);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |at_u: f64, at_v: f64| {
        let mut p = flat.min;
        (p[u], p[v]) = (at_u, at_v);
        p
    };
    let [low, high] = [flat.min, flat.max];
    let mut corners = [
        corner(low[u], low[v]),
        corner(high[u], low[v]),
        corner(high[u], high[v]),
        corner(low[u], high[v]),
    ];
    if normal[axis] < 0.0 {
        corners.reverse();
    }
    let [a, b, c, d] = corners;
    sketch.mesh(room, 0, &[[a, b, c], [a, c, d]]);
}
