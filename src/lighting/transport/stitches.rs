//! Neighbours of nodes across the edges of charts, so that blending does not end where a surface is divided into charts
//! or a space into rooms.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};

use super::chains::Chains;
use super::grid::{AROUND, ChartGrid};
use super::paths::{Stitch, Stitches, Transport};
use super::scene::{PassedLinks, RayMemory, RayScene};
use super::trace::{HEIGHT, NodePlace, NodeRays};
use crate::level::{Level, RoomId};
use crate::lighting::lightmap::{LIFT, Lightmap};
use crate::parallel::{cores, parallel_map};

/// The size of the cells in which nodes are looked up, metres.
const CELL: f32 = 1.0;
/// The maximum distance of a node from the place of a missing neighbour, as a fraction of the distance of the
/// neighbour.
const MAX_OFF: f32 = 0.7;
/// The maximum height of a node above the plane of another one on the same surface, metres.
const MAX_HEIGHT: f32 = 0.01;
/// The minimum cosine between the normals of two nodes on the same surface.
const MIN_COS: f32 = 0.999;

/// Finds the stitches of all charts of rooms.
pub(super) fn find_stitches(
    (level, map): (&Level, &Lightmap),
    scene: &RayScene,
    transport: &Transport,
    rays: &[NodeRays],
    chains: &mut Chains,
) -> Stitches {
    let cells = parallel_map(level.rooms.len(), cores(), |room| {
        cells(transport, rays, room)
    });
    let search = StitchSearch {
        level,
        map,
        scene,
        transport,
        rays,
        cells: &cells,
    };
    let found = parallel_map(level.rooms.len(), cores(), |room| search.of_room(room));
    let stitch = |(passed, stitch): (PassedLinks, Stitch)| Stitch {
        chain: chains.intern(&passed),
        ..stitch
    };
    let mut all: Vec<Stitch> = found.into_iter().flatten().map(stitch).collect();
    all.sort_unstable_by_key(|stitch| (stitch.node, stitch.side));
    Stitches(all)
}

/// The nodes of a room by the cells that contain them.
type Cells = BTreeMap<[i32; 3], Vec<u32>>;

fn cells(transport: &Transport, rays: &[NodeRays], room: usize) -> Cells {
    let mut cells = Cells::new();
    for node in transport.nodes_of[room].clone() {
        let place = &rays[node as usize].place;
        if place.start.is_none() {
            cells
                .entry(cell(place.point).to_array())
                .or_default()
                .push(node);
        }
    }
    cells
}

fn cell(point: Vec3) -> IVec3 {
    (point / CELL).floor().as_ivec3()
}

/// Everything that the search for stitches reads.
struct StitchSearch<'a> {
    level: &'a Level,
    map: &'a Lightmap,
    scene: &'a RayScene,
    transport: &'a Transport,
    rays: &'a [NodeRays],
    cells: &'a [Cells],
}

impl StitchSearch<'_> {
    /// The stitches of a room's nodes, with the links that each of them passes.
    fn of_room(&self, room: usize) -> Vec<(PassedLinks, Stitch)> {
        let mut found = Vec::new();
        let mut memory = RayMemory::default();
        for chart in self.map.charts_of[room].clone() {
            let layout = &self.map.charts[chart as usize];
            let grid = &self.transport.grids[chart as usize];
            let [columns, rows] = grid.count.map(|count| count as i32);
            let steps = [layout.along_u * grid.step[0], layout.along_v * grid.step[1]];
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))) {
                let sides = AROUND.iter().enumerate();
                let missing =
                    sides.filter(|(_, [x, y])| grid.site_at([column + x, row + y]).is_none());
                let site = grid.site_at([column, row]);
                let node =
                    site.and_then(|site| ChartGrid::own(self.transport.sites[site as usize]));
                let Some((node, place)) =
                    node.and_then(|node| Some((node, &self.rays.get(node as usize)?.place)))
                else {
                    continue;
                };
                for (side, &[x, y]) in missing {
                    let off = steps[0] * x as f32 + steps[1] * y as f32;
                    let Some(other) = self.beyond(place, off, &mut memory) else {
                        continue;
                    };
                    let stitch = Stitch {
                        node,
                        side: side as u32,
                        other,
                        chain: 0,
                    };
                    found.push((memory.passed.clone(), stitch));
                }
            }
        }
        found
    }

    /// The node nearest to the place at an offset from a node, on the same surface, if no object is between them. The
    /// links between them are in `memory`.
    fn beyond(&self, place: &NodePlace, off: Vec3, memory: &mut RayMemory) -> Option<u32> {
        let length = off.length();
        let direction = off.try_normalize()?;
        if place.start.is_some() {
            return None;
        }
        let up = place.normal * (HEIGHT - LIFT);
        let ray = place.ray(place.point + up, direction, length);
        if self.scene.follow(self.level, ray, memory).is_some() {
            return None;
        }
        let (room, end) = memory.end?;
        let wanted = place.point + off;
        // Beyond a portal that bends space the surface has another direction.
        if end.distance(wanted + up) > MAX_HEIGHT {
            return None;
        }
        self.nearest(room, wanted, place.normal, MAX_OFF * length)
    }

    /// The node of a room nearest to a place, within a distance, on a surface with this normal through the place.
    fn nearest(&self, room: RoomId, place: Vec3, normal: Vec3, within: f32) -> Option<u32> {
        let reach = Vec3::splat(within);
        let [low, high] = [cell(place - reach), cell(place + reach)];
        let cells = &self.cells[room.0 as usize];
        let mut best: Option<(f32, u32)> = None;
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let nodes = cells.get(&[x, y, z]).into_iter().flatten();
                    for &node in nodes {
                        let other = &self.rays[node as usize].place;
                        let off = other.point - place;
                        let is_level = off.dot(normal).abs() < MAX_HEIGHT
                            && other.normal.dot(normal) > MIN_COS;
                        let distance = off.length();
                        let key = (distance, node);
                        if is_level && distance <= within && best.is_none_or(|best| key < best) {
                            best = Some(key);
                        }
                    }
                }
            }
        }
        best.map(|(_, node)| node)
    }
}
