//! A grid of furnished rooms connected by doorways: a level of any size, for timing and testing.

use std::collections::BTreeMap;

use glam::DVec3;
use serde_json::json;

use crate::author::sketch::{Sketch, SketchOpening, cuboid};
use crate::geometry::Aabb;
use crate::gltf::write::glb::Glb;
use crate::rng::Rng;

/// Interior width and depth of a room, metres.
const SIDE: f64 = 6.0;
/// Interior height of a room, metres.
const HEIGHT: f64 = 3.0;

/// Distance between corresponding points of neighbouring rooms, metres. The walls between rooms are 0.25 m thick, so
/// that f32 represents all seams in the grid exactly.
const PITCH: f64 = 6.25;

/// Half the thickness of a wall, metres. Each room has its half of every reveal.
const REVEAL: f64 = 0.5 * (PITCH - SIDE);

/// Width of a doorway, metres.
const DOOR_WIDTH: f64 = 1.2;
/// Height of a doorway, metres.
const DOOR_HEIGHT: f64 = 2.2;

/// Positions of doorway centres along their wall, metres. They alternate from wall to wall, so that no straight or
/// diagonal line passes through many doorways. As in a building, a view ends after some rooms.
const DOOR_MIDDLES: [f64; 2] = [2.25, 3.75];

/// Side of the squares in a room's corners that contain the furniture, metres. The straight paths from doorways to the
/// centre and to other doorways stay free.
const CORNER: f64 = 1.6;

/// Number of different furnishings. Rooms of one kind share a mesh.
const FURNISHINGS: usize = 4;

/// Indices of the materials.
const PLASTER: usize = 0;
const FLOOR: usize = 1;
const WOOD: usize = 2;

/// The four sides of a room: for each the axis perpendicular to its wall, and whether the wall is the one at the
/// greater coordinate.
const SIDES: [(usize, bool); 4] = [(0, false), (0, true), (2, false), (2, true)];

/// The kind of a room: rooms of one kind share a mesh.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RoomKind {
    /// For each of [`SIDES`] the index of its doorway in [`DOOR_MIDDLES`]; `None` without a doorway.
    doors: [Option<usize>; 4],
    furnishing: usize,
}

/// A glTF binary file of `columns` by `rows` rooms. Each room is 6 x 3 x 6 m, and has 12 boxes of furniture, a lamp,
/// and doorways of 1.2 x 2.2 m to all its neighbours. The spawn is in the first room.
pub fn grid_glb(columns: u32, rows: u32) -> Vec<u8> {
    let mut glb = Glb::default();
    let mut meshes = BTreeMap::new();
    let portal_meshes =
        [0, 2].map(|axis| [0, 1].map(|door| glb.mesh(&[(PLASTER, portal_triangles(axis, door))])));
    let digits = columns.max(rows).to_string().len();
    let name = |column: u32, row: u32| format!("room_{column:0digits$}_{row:0digits$}");
    let mut roots = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let here = name(column, row);
            let kind = kind_of(column, row, columns, rows);
            let mut children = vec![glb.node(json!({
                "name": format!("{here}_lamp"), "translation": [3.0, 2.7, 3.0],
                "extensions": {"KHR_lights_punctual": {"light": 0}},
            }))];
            let onwards = [(0, 1, name(column + 1, row)), (1, 3, name(column, row + 1))];
            for (axis, side, dest) in onwards {
                if let Some(middle) = kind.doors[side] {
                    children.push(glb.node(json!({
                        "name": format!("{dest}*{here}-portal"),
                        "mesh": portal_meshes[axis][middle],
                    })));
                }
            }
            if (column, row) == (0, 0) {
                let half = std::f64::consts::FRAC_1_SQRT_2;
                children.push(glb.node(json!({
                    "name": "player-spawn", "translation": [3.0, 0.0, 3.0],
                    "rotation": [0.0, -half, 0.0, half],
                })));
            }
            let mesh = *meshes
                .entry(kind)
                .or_insert_with(|| glb.mesh(&room_mesh(kind)));
            roots.push(glb.node(json!({
                "name": format!("{here}-room"), "mesh": mesh, "children": children,
                "translation": [f64::from(column) * PITCH, 0.0, f64::from(row) * PITCH],
            })));
        }
    }
    let material = |name: &str, colour: [f64; 4]| {
        json!({"name": name, "pbrMetallicRoughness":
            {"baseColorFactor": colour, "metallicFactor": 0.0, "roughnessFactor": 0.9}})
    };
    glb.finish(json!({
        "scene": 0,
        "scenes": [{"nodes": roots}],
        "materials": [
            material("plaster", [0.80, 0.76, 0.68, 1.0]),
            material("floor", [0.42, 0.30, 0.20, 1.0]),
            material("wood", [0.30, 0.17, 0.09, 1.0]),
        ],
        "extensionsUsed": ["KHR_lights_punctual"],
        "extensions": {"KHR_lights_punctual": {"lights": [
            {"name": "lamp", "type": "point", "intensity": 40.0, "color": [1.0, 0.9, 0.75]},
        ]}},
    }))
}

/// The kind of a room, which depends only on its position in the grid.
fn kind_of(column: u32, row: u32, columns: u32, rows: u32) -> RoomKind {
    // The position of a doorway is computed from the room at the smaller coordinate, so that it is the same in both
    // rooms.
    let east = |column: u32, row: u32| ((column + row) % 2) as usize;
    let south = |column: u32, row: u32| ((column + row + 1) % 2) as usize;
    let place = u64::from(column) << 32 | u64::from(row);
    RoomKind {
        doors: [
            (column > 0).then(|| east(column - 1, row)),
            (column + 1 < columns).then(|| east(column, row)),
            (row > 0).then(|| south(column, row - 1)),
            (row + 1 < rows).then(|| south(column, row)),
        ],
        furnishing: Rng::new(place).below(FURNISHINGS),
    }
}

/// The triangles of a room, by material. The corner of the floor with the least coordinates is at the origin.
fn room_mesh(kind: RoomKind) -> Vec<(usize, Vec<[DVec3; 3]>)> {
    let mut sketch = Sketch::new("");
    let doors = || {
        let sides = SIDES.into_iter().zip(kind.doors);
        sides.filter_map(|((axis, far), door)| Some((axis, far, door?)))
    };
    let wall = |far: bool| if far { SIDE } else { 0.0 };
    let openings: Vec<SketchOpening> = doors()
        .map(|(axis, far, door)| doorway(axis, door, [wall(far); 2]))
        .collect();
    let inside = cuboid([0.0; 3], [SIDE, HEIGHT, SIDE]);
    sketch.box_room("", inside, &openings);
    for (axis, far, door) in doors() {
        let along = if far {
            [SIDE, SIDE + REVEAL]
        } else {
            [-REVEAL, 0.0]
        };
        let ends = along.map(|at| doorway(axis, door, [at; 2]));
        sketch.box_room("", doorway(axis, door, along), &ends);
    }
    for piece in furniture(kind.furnishing) {
        sketch.furniture(0, WOOD, piece);
    }
    let mut by_material = vec![
        (PLASTER, Vec::new()),
        (FLOOR, Vec::new()),
        (WOOD, Vec::new()),
    ];
    for mesh in &sketch.source.meshes {
        for triangle in mesh.positions.chunks_exact(3) {
            let is_floor = mesh.material != WOOD && triangle.iter().all(|p| p.y == 0.0);
            let material = if is_floor { FLOOR } else { mesh.material };
            let corners = [triangle[0], triangle[1], triangle[2]];
            by_material[material].1.push(corners);
        }
    }
    by_material
}

/// The box of a doorway in a wall perpendicular to `axis`, between two coordinates along that axis.
fn doorway(axis: usize, door: usize, along: [f64; 2]) -> Aabb {
    let middle = DOOR_MIDDLES[door];
    let mut bounds = cuboid(
        [middle - 0.5 * DOOR_WIDTH, 0.0, middle - 0.5 * DOOR_WIDTH],
        [
            middle + 0.5 * DOOR_WIDTH,
            DOOR_HEIGHT,
            middle + 0.5 * DOOR_WIDTH,
        ],
    );
    [bounds.min[axis], bounds.max[axis]] = along;
    bounds
}

/// The portal out of a room through the wall perpendicular to `axis` at the greater coordinate.
fn portal_triangles(axis: usize, door: usize) -> Vec<[DVec3; 3]> {
    let mut sketch = Sketch::new("");
    sketch.room("");
    let opening = doorway(axis, door, [SIDE + REVEAL; 2]);
    let out = if axis == 0 { DVec3::X } else { DVec3::Z };
    sketch.portal(0, "", opening, out);
    sketch.source.portals.remove(0).triangles
}

/// Three boxes in the square at each corner of the room; a quarter of each square stays empty.
fn furniture(furnishing: usize) -> Vec<Aabb> {
    const CELL: f64 = 0.5 * CORNER;
    let mut boxes = Vec::with_capacity(12);
    let mut seed = furnishing as u64 + 1;
    let mut draw = |from: f64, to: f64| {
        let drawn = Rng::new(seed).between(from, to);
        seed = Rng::new(seed).bits();
        drawn
    };
    for corner in 0..4u32 {
        let at = |bit: u32| {
            if corner >> bit & 1 == 0 {
                0.0
            } else {
                SIDE - CORNER
            }
        };
        let empty = draw(0.0, 4.0) as u32;
        for cell in (0..4u32).filter(|&cell| cell != empty) {
            let x = at(0) + f64::from(cell & 1) * CELL + draw(0.05, 0.2);
            let z = at(1) + f64::from(cell >> 1) * CELL + draw(0.05, 0.2);
            let size = [draw(0.3, 0.55), draw(0.4, 1.8), draw(0.3, 0.55)];
            let max = [x + size[0], size[1], z + size[2]];
            boxes.push(cuboid([x, 0.0, z], max));
        }
    }
    boxes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lanes_between_doorways_are_free_of_furniture() {
        const RADIUS: f64 = 0.35;
        for furnishing in 0..FURNISHINGS {
            let boxes = furniture(furnishing);
            assert_eq!(boxes.len(), 12);
            let room = cuboid([0.0; 3], [SIDE, HEIGHT, SIDE]);
            for (i, piece) in boxes.iter().enumerate() {
                assert!(room.contains(piece.min) && room.contains(piece.max));
                assert!(boxes[..i].iter().all(|other| !other.overlaps(piece)));
                for middle in DOOR_MIDDLES {
                    let (low, high) = (middle - RADIUS, middle + RADIUS);
                    let along_x = cuboid([0.0, 0.0, low], [SIDE, HEIGHT, high]);
                    let along_z = cuboid([low, 0.0, 0.0], [high, HEIGHT, SIDE]);
                    assert!(!piece.overlaps(&along_x) && !piece.overlaps(&along_z));
                }
            }
        }
    }

    #[test]
    fn rooms_agree_on_the_doorway_between_them() {
        for column in 0..5 {
            for row in 0..4 {
                let here = kind_of(column, row, 5, 4);
                if column < 4 {
                    assert_eq!(here.doors[1], kind_of(column + 1, row, 5, 4).doors[0]);
                }
                if row < 3 {
                    assert_eq!(here.doors[3], kind_of(column, row + 1, 5, 4).doors[2]);
                }
            }
        }
    }

    #[test]
    fn a_large_grid_shares_its_meshes_and_stays_a_small_file() {
        let bytes = grid_glb(32, 32);
        assert!(bytes.len() < 2 << 20, "{} bytes", bytes.len());
        assert_eq!(
            bytes[8..12],
            (bytes.len() as u32).to_le_bytes(),
            "the header's length"
        );
    }
}
