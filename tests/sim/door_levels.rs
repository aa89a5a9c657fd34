//! Levels with doors of every thickness and at every position in the reveal. Used by the tests and by the soak bench.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::geometry::Aabb;
use opendoor::source::{LevelSource, MeshSource, MoverSource};

/// Thickness of the walls between two rooms, metres.
pub(crate) const WALL: f64 = 0.4;
/// Distance from one wall to the next, metres.
pub(crate) const ROOM: f64 = 3.0;
/// Distance from the start of one room to the start of the next, metres.
pub(crate) const PITCH: f64 = ROOM + WALL;

/// A closed door between two consecutive rooms along x.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doorway {
    /// Thickness of the door panel, metres.
    pub thickness: f64,
    /// The panel's middle, metres along x from the middle of the wall.
    pub panel: f64,
    /// The portal's plane, metres along x from the middle of the wall.
    pub portal: f64,
    /// Whether the portal is two-way.
    pub two_way: bool,
}

/// Doors of 1 mm to 40 cm: in the middle of the wall, flush with either side of the wall, and protruding from it, with
/// the portal in front of the panel, in it and behind it.
pub(crate) fn doorways() -> Vec<Doorway> {
    let mut doorways = Vec::new();
    for thickness in [0.001, 0.01, 0.04, 0.16, 0.4] {
        let flush = 0.5 * (WALL - thickness);
        let out = 0.5 * WALL + 0.25 * thickness;
        for panel in [0.0, -flush, flush, -out, out] {
            for part in [-1.0, 0.0, 1.0] {
                let portal = panel + part * (0.5 * thickness + 0.04);
                doorways.push(Doorway {
                    thickness,
                    panel,
                    portal: portal.clamp(-0.5 * WALL, 0.5 * WALL),
                    two_way: true,
                });
            }
        }
    }
    doorways
}

/// The direction of a row of rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// Along x, through doorways at floor level.
    Level,
    /// Upwards, through hatches.
    Upright,
}

impl Row {
    fn part(self, along: [f64; 2], across: [[f64; 2]; 2]) -> Aabb {
        let [u, v] = across;
        match self {
            Self::Level => cuboid([along[0], u[0], v[0]], [along[1], u[1], v[1]]),
            Self::Upright => cuboid([u[0], along[0], v[0]], [u[1], along[1], v[1]]),
        }
    }

    fn room(self, along: [f64; 2]) -> Aabb {
        self.part(along, [[0.0, 3.0]; 2])
    }

    /// The part of an opening between two positions along the row.
    fn opening(self, along: [f64; 2]) -> Aabb {
        let low = if self == Self::Level { 0.0 } else { 0.9 };
        self.part(along, [[low, 2.1], [0.9, 2.1]])
    }

    fn direction(self) -> DVec3 {
        if self == Self::Level {
            DVec3::X
        } else {
            DVec3::Y
        }
    }
}

/// Rooms in a row, `a00` at the origin, each joined to the next by one of the doors. A room's reveal ends at the
/// portal.
pub(crate) fn row_of_rooms(row: Row, doorways: &[Doorway]) -> LevelSource {
    let mut sketch = Sketch::new("doors");
    add_rooms(&mut sketch, row, doorways.len());
    for (i, doorway) in doorways.iter().enumerate() {
        let wall = i as f64 * PITCH + ROOM;
        let middle = wall + 0.5 * WALL;
        let portal = middle + doorway.portal;
        for (room, from, to) in [(i, wall, portal), (i + 1, portal, wall + WALL)] {
            if from < to {
                add_reveal(&mut sketch, row, room, [from, to]);
            }
        }
        let dest = format!("a{:02}", i + 1);
        sketch.portal(i, &dest, row.opening([portal; 2]), row.direction());
        sketch.source.portals[i].two_way = doorway.two_way;
        let panel = [-0.5, 0.5].map(|side| middle + doorway.panel + side * doorway.thickness);
        add_door(&mut sketch, row, i, panel);
    }
    sketch.source
}

/// Rooms in a row. The walls between them are also rooms, `b00` and so on, each only an opening as deep as the wall is
/// thick. A door panel with one of the thicknesses is in the first of the wall's two portals, or fills the wall. A
/// panel thicker than the wall protrudes from both portals.
pub(crate) fn row_of_vestibules(row: Row, thicknesses: &[f64]) -> LevelSource {
    let mut sketch = Sketch::new("vestibules");
    let count = thicknesses.len();
    add_rooms(&mut sketch, row, count);
    for (i, thickness) in thicknesses.iter().enumerate() {
        let wall = i as f64 * PITCH + ROOM;
        let between = sketch.room(&format!("b{i:02}"));
        add_reveal(&mut sketch, row, between, [wall, wall + WALL]);
        let [near, far] = [wall, wall + WALL].map(|x| row.opening([x; 2]));
        let [back, on] = [i, i + 1].map(|room| format!("a{room:02}"));
        sketch.portal(between, &back, near, -row.direction());
        sketch.portal(between, &on, far, row.direction());
        let middle = wall + if *thickness < WALL { 0.0 } else { 0.5 * WALL };
        let panel = [-0.5, 0.5].map(|side| middle + side * thickness);
        add_door(&mut sketch, row, between, panel);
    }
    sketch.source
}

/// Adds the rooms of a row with an opening between each and the next, and a spawn in each.
fn add_rooms(sketch: &mut Sketch, row: Row, openings: usize) {
    for room in 0..=openings {
        let start = room as f64 * PITCH;
        let holes = [start, start + ROOM].map(|along| row.opening([along; 2]));
        let holes = &holes[usize::from(room == 0)..1 + usize::from(room < openings)];
        let inside = row.room([start, start + ROOM]);
        let id = sketch.box_room(&format!("a{room:02}"), inside, holes);
        // Beside a hatch.
        let spawn = inside.min + DVec3::new(0.45, 0.5, 1.5);
        sketch.spawn(id, spawn, DVec3::X);
        sketch.source.spawns[room].node = format!("player-spawn{room}");
    }
}

/// Adds the sides of an opening between two positions along the row.
fn add_reveal(sketch: &mut Sketch, row: Row, room: usize, [from, to]: [f64; 2]) {
    let mut other = Sketch::new("");
    let ends = [from, to].map(|along| row.opening([along; 2]));
    other.box_room("", row.opening([from, to]), &ends);
    let mesh = other.source.meshes.pop().expect("a mesh");
    sketch.source.meshes.push(MeshSource {
        room,
        node: format!("reveal{room}").into(),
        ..mesh
    });
}

/// Adds a door panel that fills an opening between two positions along the row.
fn add_door(sketch: &mut Sketch, row: Row, room: usize, along: [f64; 2]) {
    sketch.furniture(room, 0, row.opening(along));
    let panel = sketch.source.meshes.pop().expect("a mesh");
    let node = format!("panel{:03}-door", sketch.source.movers.len());
    sketch
        .source
        .movers
        .push(MoverSource::vanishing_door(node, vec![panel]));
}
