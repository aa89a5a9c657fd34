//! Tracing of the rays of all nodes.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec3;

use super::grid::ChartGrid;
use super::paths::RAYS;
use super::scene::{
    PassedLinks, PathEnd, RayLanding, RayMemory, RayScene, RayStart, start_room,
    start_room_of_mover,
};
use crate::geometry::Rigid;
use crate::level::{Level, MoverId, RoomId, Sky};
use crate::lighting::lightmap::{LIFT, Lightmap, MAX_BACK_FACES, Texel, directions};
use crate::lighting::reflectance::tint_of_triangle;
use crate::parallel::{cores, parallel_map};

/// The height of lines of sight above a surface, metres: above carpets and thresholds.
pub(super) const HEIGHT: f32 = 0.03;
/// The distance for [`MAX_NEAR`], metres.
const NEAR: f32 = 0.02;
/// The maximum number of places of a node where direct light is sampled.
const SAMPLES: usize = 16;
/// The maximum fraction of rays that end within [`NEAR`]: if it is greater, an object lies on the surface.
const MAX_NEAR: f32 = 0.95;

/// A node before it is numbered.
pub(super) struct NodeRays {
    pub place: NodePlace,
    pub bundles: Vec<TracedBundle>,
}

/// The place of a node.
#[derive(Clone, Debug)]
pub(super) struct NodePlace {
    /// The room of the surface.
    pub room: RoomId,
    pub material: u32,
    /// The mean colour of the vertices of its triangle, linear RGB.
    pub tint: Vec3,
    /// The texel of the chart: column, row.
    pub texel: [u32; 2],
    /// The start of the rays, metres, in the coordinates of `room`.
    pub point: Vec3,
    pub normal: Vec3,
    /// Places distributed over the part of the surface that the node represents, where direct light is sampled.
    pub samples: Vec<Vec3>,
    /// The room in which the rays start, and the transform of coordinates of `room` to its coordinates, if it is
    /// another room.
    pub start: Option<(RoomId, Rigid)>,
}

/// The rays of a node that pass the same links.
pub(super) struct TracedBundle {
    pub chain: PassedLinks,
    /// The ends of rays that do not end in the sky.
    pub ends: Vec<RayLanding>,
    pub count: f32,
    /// The sum of the radiances of the rays that end in the sky.
    pub sky: Vec3,
}

impl NodePlace {
    /// The room whose light a node has.
    pub(super) fn facing(&self, is_of_mover: bool) -> RoomId {
        let start = self.start.as_ref().filter(|_| is_of_mover);
        start.map_or(self.room, |(room, _)| *room)
    }

    /// Whether no object that stands on the surface is between the node and another start of rays from it.
    pub(super) fn sees(
        &self,
        level: &Level,
        scene: &RayScene,
        start: Vec3,
        memory: &mut RayMemory,
    ) -> bool {
        let up = self.normal * (HEIGHT - LIFT);
        let Some(direction) = (start - self.point).try_normalize() else {
            return true;
        };
        let ray = self.ray(self.point + up, direction, self.point.distance(start));
        scene.follow(level, ray, memory).is_none()
    }

    /// A ray from a point in a direction, both in the coordinates of the node's room.
    pub(super) fn ray(&self, point: Vec3, direction: Vec3, length: f32) -> RayStart {
        let Some((room, there_from_here)) = &self.start else {
            return RayStart {
                room: self.room,
                point,
                direction,
                length,
            };
        };
        RayStart {
            room: *room,
            point: there_from_here.point(point.as_dvec3()).as_vec3(),
            direction: there_from_here.vector(direction.as_dvec3()).as_vec3(),
            length,
        }
    }
}

/// Returns the nodes of all charts: for each chart the nodes of its sites, `None` where a site lies inside an object or
/// beside the surface. `progress` is called from any thread with the fraction that is done, 0..1.
pub(super) fn trace_charts(
    level: &Level,
    map: &Lightmap,
    scene: &RayScene,
    (grids, spacing): (&[ChartGrid], f32),
    progress: &(dyn Fn(f32) + Sync),
) -> Vec<Vec<Option<NodeRays>>> {
    let rooms = level.room_ids().map(|room| (room, None));
    let movers = (0u32..).map(MoverId).zip(&level.movers);
    let movers = movers.map(|(id, mover)| (mover.room, Some(id)));
    let owners = rooms.chain(movers).zip(&map.charts_of);
    let owners: Vec<(RoomId, Option<MoverId>)> = owners
        .flat_map(|(owner, charts)| charts.clone().map(move |_| owner))
        .collect();
    let rows = grids.iter().enumerate();
    let rows: Vec<(usize, u32)> = rows
        .flat_map(|(chart, grid)| (0..grid.count[1]).map(move |row| (chart, row)))
        .collect();
    let directions = directions(RAYS as u32);
    let done = AtomicUsize::new(0);
    let traced = parallel_map(rows.len(), cores(), |index| {
        let (chart, row) = rows[index];
        let (room, mover) = owners[chart];
        let tracer = Tracer {
            level,
            map,
            scene,
            room,
            mover,
            directions: &directions,
            spacing,
        };
        let nodes = tracer.trace_row(chart, &grids[chart], row);
        progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f32 / rows.len() as f32);
        nodes
    });
    let mut of_charts: Vec<Vec<Option<NodeRays>>> = Vec::new();
    of_charts.resize_with(grids.len(), Vec::new);
    for ((chart, _), nodes) in rows.into_iter().zip(traced) {
        of_charts[chart].extend(nodes);
    }
    of_charts
}

/// Everything that tracing nodes of a chart reads.
struct Tracer<'a> {
    level: &'a Level,
    map: &'a Lightmap,
    scene: &'a RayScene,
    room: RoomId,
    /// The mover to which the chart belongs.
    mover: Option<MoverId>,
    /// Sets of directions; neighbours have different ones.
    directions: &'a [Vec<Vec3>; 16],
    /// The distance of neighbouring nodes, metres.
    spacing: f32,
}

impl Tracer<'_> {
    /// The nodes of a row of sites.
    fn trace_row(&self, chart: usize, grid: &ChartGrid, row: u32) -> Vec<Option<NodeRays>> {
        let chart = &self.map.charts[chart];
        // If the place of a site is useless, its node lies on another texel nearby.
        let reach = grid.step.map(|step| (0.5 * step) as i32);
        let middle = grid.texel([0, row])[1] as i32;
        let cell = grid.cell(1, row, chart.size[1]);
        let first = (middle - reach[1]).max(0).min(cell.start as i32);
        let last = (middle + reach[1]).min(chart.size[1] as i32 - 1);
        let last = last.max(cell.end as i32 - 1);
        let texels = self
            .map
            .texels(self.level, chart, first as u32..last as u32 + 1);
        let columns = chart.size[0] as i32;
        let offsets = offsets(reach);
        let mut memory = RayMemory::default();
        let sites = (0..grid.count[0]).map(|site| {
            let [column, _] = grid.texel([site, row]).map(|texel| texel as i32);
            let mut places = offsets.iter().filter_map(|off| {
                let (column, row) = (column + off[0], middle + off[1]);
                let is_inside = (0..columns).contains(&column) && (first..=last).contains(&row);
                let index = is_inside.then(|| ((row - first) * columns + column) as usize)?;
                Some(([column as u32, row as u32], texels[index]?))
            });
            let mut node = places.find_map(|(at, texel)| self.trace((at, &texel), &mut memory))?;
            // All texels whose rays read this node.
            let near = grid.cell(0, site, chart.size[0]);
            let of_cell = texels.chunks_exact(columns as usize);
            let of_cell = of_cell
                .skip((cell.start as i32 - first) as usize)
                .take(cell.len());
            let near = of_cell.flat_map(|row| &row[near.start as usize..near.end as usize]);
            let near = near.flatten().filter(|texel| texel.is_on_patch);
            let all: Vec<Vec3> = near.map(lifted).collect();
            let count = all.len().min(SAMPLES);
            let samples = (0..count).map(|sample| all[sample * all.len() / count]);
            // Places behind an object that stands on the surface belong to other nodes.
            let samples =
                samples.filter(|&at| node.place.sees(self.level, self.scene, at, &mut memory));
            let samples = samples.collect();
            node.place.samples = samples;
            if node.place.samples.is_empty() {
                node.place.samples.push(node.place.point);
            }
            Some(node)
        });
        sites.collect()
    }

    /// Traces the rays from the texel at a column and row; `None` if it lies inside an object or outside the level.
    fn trace(&self, (at, texel): ([u32; 2], &Texel), memory: &mut RayMemory) -> Option<NodeRays> {
        let point = lifted(texel);
        let place = NodePlace {
            room: self.room,
            material: self.scene.material(texel.triangle),
            tint: tint_of_triangle(self.level, texel.triangle),
            texel: at,
            point,
            normal: texel.facet_normal,
            samples: Vec::new(),
            start: match self.mover {
                None => start_room(self.level, self.room, point),
                Some(mover) => start_room_of_mover(self.level, mover, point),
            },
        };
        let (tangent, bitangent) = place.normal.any_orthonormal_pair();
        // The place alone decides: nodes of two charts that meet have the same directions.
        let [column, row] = [tangent, bitangent]
            .map(|axis| ((point.dot(axis) / self.spacing).round() as i32).rem_euclid(4));
        let directions = &self.directions[(column + row * 4) as usize];
        let mut bundles: Vec<TracedBundle> = Vec::new();
        let (mut backs, mut near) = (0.0, 0.0);
        for direction in directions {
            let direction =
                tangent * direction.x + bitangent * direction.y + place.normal * direction.z;
            let ray = place.ray(point, direction, f32::INFINITY);
            let end = self.scene.follow(self.level, ray, memory)?;
            backs += f32::from(u8::from(end.is_back));
            near += f32::from(u8::from(end.distance < NEAR));
            let passed = &memory.passed;
            let known = bundles.iter().position(|b| b.chain == *passed);
            let bundle = known.unwrap_or_else(|| {
                bundles.push(TracedBundle {
                    chain: passed.clone(),
                    ends: Vec::new(),
                    count: 0.0,
                    sky: Vec3::ZERO,
                });
                bundles.len() - 1
            });
            let bundle = &mut bundles[bundle];
            bundle.count += 1.0;
            if is_sky(self.level, self.scene, &end) {
                bundle.sky += sky_radiance(&self.level.sky, end.direction);
            } else {
                bundle.ends.push(RayLanding::of(&end));
            }
        }
        let rays = directions.len() as f32;
        let is_useful = backs <= MAX_BACK_FACES * rays && near <= MAX_NEAR * rays;
        is_useful.then_some(NodeRays { place, bundles })
    }
}

/// Whether a ray ends in the sky.
pub(super) fn is_sky(level: &Level, scene: &RayScene, end: &PathEnd) -> bool {
    match end.triangle {
        Some(triangle) => level.materials[scene.material(triangle) as usize].sky,
        None => end.leaves && level.room(end.room).open_to_sky,
    }
}

/// The start of rays from a texel.
pub(super) fn lifted(texel: &Texel) -> Vec3 {
    texel.position + texel.facet_normal * LIFT
}

/// The offsets of texels to try for a site, in texels: from near to far, up to `reach` along each axis.
fn offsets(reach: [i32; 2]) -> Vec<[i32; 2]> {
    let mut offsets = vec![[0, 0]];
    for part in [2, 1] {
        let [x, y] = reach.map(|reach| reach / part);
        for row in [0, -y, y] {
            for column in [0, -x, x] {
                if !offsets.contains(&[column, row]) {
                    offsets.push([column, row]);
                }
            }
        }
    }
    offsets
}

/// The radiance of the sky in a direction, linear RGB; the formula of the shader.
pub(super) fn sky_radiance(sky: &Sky, direction: Vec3) -> Vec3 {
    let [zenith, horizon, ground] = [sky.zenith, sky.horizon, sky.ground].map(Vec3::from_array);
    let up = direction.y;
    let above = horizon.lerp(zenith, libm::powf(up.clamp(0.0, 1.0), 0.55));
    let t = ((up + 0.12) / 0.12).clamp(0.0, 1.0);
    above.lerp(ground, 1.0 - t * t * (3.0 - 2.0 * t))
}
