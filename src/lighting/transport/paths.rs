//! The nodes of a level and the paths of light between them.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{DVec2, Vec3};

use super::chains::{Chain, ChainId, Chains, Gate};
use super::grid::{AROUND, ChartGrid, NO_NODE, NodeWeights};
use super::probes::Probes;
use super::scene::RayLanding;
use crate::level::{Level, LightId, RoomId};
use crate::lighting::lightmap::{Lightmap, NO_CHART};

/// The number of rays of a node. Neighbouring nodes have different rays and are blended, so that they act like seven
/// times as many.
pub(super) const RAYS: usize = 64;

/// The nodes of a level and the paths of light between them.
#[derive(Debug, Default)]
pub(in crate::lighting) struct Transport {
    /// The nodes, by set of [`Lightmap::charts_of`], then by chart.
    pub nodes: Vec<Node>,
    /// The range of nodes of each of [`Lightmap::charts_of`].
    pub nodes_of: Vec<Range<u32>>,
    /// The grid of each chart.
    pub grids: Vec<ChartGrid>,
    /// The sites of all grids: node numbers.
    pub sites: Vec<u32>,
    /// For each texel of the lightmap, which of the four nodes around it are in sight: one bit each, in the order of
    /// [`ChartGrid::weights`].
    pub in_sight: Vec<u8>,
    /// For each site, between which of its [`super::grid::NEIGHBOURS`] and itself no object stands, one bit each.
    pub(super) joined: Vec<u8>,
    /// The neighbours of nodes beyond the edges of their charts.
    pub(super) stitches: Stitches,
    /// For each room, the other rooms whose nodes have neighbours in it.
    pub(super) stitched: Vec<Vec<RoomId>>,
    /// The rays of all nodes, grouped by the chain of links that they pass.
    pub(super) bundles: Vec<RayBundle>,
    /// The radiosities that rays read.
    pub(super) sources: Vec<GatheredRays>,
    /// Direct light on the nodes.
    pub(super) direct: Vec<DirectLight>,
    /// The places in the air where light is computed.
    pub(in crate::lighting) probes: Probes,
    /// The sequences of links that rays pass.
    pub(super) chains: Chains,
    /// For each gate, the rooms whose light passes it, and those with surfaces that glow with its light.
    pub(super) rooms_of_gates: Vec<Vec<RoomId>>,
    /// The rooms with rays that end in a room.
    pub(super) readers: Vec<Vec<RoomId>>,
}

/// A place on a surface that receives and reflects light.
#[derive(Clone, Debug)]
pub(in crate::lighting) struct Node {
    /// The room of the surface; for a mover, the room that the node faces.
    pub room: RoomId,
    pub material: u32,
    /// The mean colour of the vertices of its triangle, linear RGB.
    pub tint: Vec3,
    /// The start of its rays, metres, in the room's coordinates.
    #[cfg(test)]
    pub point: Vec3,
    /// The area that the node represents, square metres.
    pub area: f32,
    /// The fraction of the hemisphere without nearby occluders: [`Lightmap::sky_visibility`].
    pub visibility: f32,
    pub(super) bundles: Range<u32>,
    pub(super) direct: Range<u32>,
}

/// Rays of a node that pass the same links.
#[derive(Clone, Debug)]
pub(super) struct RayBundle {
    pub chain: ChainId,
    /// The rays that end on a surface.
    pub sources: Range<u32>,
    /// The number of rays, including those that end in the sky.
    pub count: f32,
    /// The sum of the radiances of the rays that end in the sky, linear RGB, 1 being white on the screen.
    pub sky: Vec3,
}

/// The rays of a bundle that read the same radiosity: their number in the upper 8 bits, and the source, a node or a
/// room after the last node, in the others.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct GatheredRays(u32);

impl GatheredRays {
    const BITS: u32 = 24;

    pub(super) fn new(source: u32, count: usize) -> Self {
        Self(source | (count as u32) << Self::BITS)
    }

    pub(super) fn source(self) -> u32 {
        self.0 & ((1 << Self::BITS) - 1)
    }

    pub(super) fn count(self) -> f32 {
        (self.0 >> Self::BITS) as f32
    }
}

/// Light of lamps and suns that arrives at a node through the same links.
#[derive(Clone, Debug)]
pub(super) struct DirectLight {
    pub chain: ChainId,
    /// Linear RGB at exposure 1: the radiance of a white surface.
    pub light: Vec3,
    /// The part of `light` that comes from lights that are not in the room's list.
    pub unlisted: Vec3,
}

/// A node that replaces a missing neighbour beyond the edge of a chart.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Stitch {
    /// The node at the edge.
    pub node: u32,
    /// Index of the neighbour's offset in [`AROUND`].
    pub side: u32,
    /// The node beyond the edge.
    pub other: u32,
    /// The links between the two nodes.
    pub chain: ChainId,
}

/// All stitches of a level, sorted by node and side.
#[derive(Clone, Debug, Default)]
pub(super) struct Stitches(pub Vec<Stitch>);

impl Stitches {
    /// The stitch of a node at one of its sides.
    pub(super) fn get(&self, node: u32, side: usize) -> Option<&Stitch> {
        let key = (node, side as u32);
        let found = self.0.binary_search_by_key(&key, |s| (s.node, s.side));
        self.0.get(found.ok()?)
    }

    /// Whether all stitches are sorted and refer to nodes of rooms, which come first, and to one of `chains` chains.
    pub(super) fn are_valid(&self, room_nodes: u32, chains: usize) -> bool {
        let is_valid = |stitch: &Stitch| {
            stitch.node.max(stitch.other) < room_nodes
                && (stitch.side as usize) < AROUND.len()
                && stitch.chain as usize <= chains
        };
        self.0.is_sorted_by_key(|stitch| (stitch.node, stitch.side)) && self.0.iter().all(is_valid)
    }
}

impl Transport {
    /// Finds the rooms that read each room's light, and the rooms whose light passes each gate.
    pub(super) fn find_readers(&mut self, level: &Level) {
        let rooms = level.rooms.len();
        let mut readers = vec![Vec::new(); rooms];
        let mut of_gates: Vec<Vec<RoomId>> = vec![Vec::new(); Gate::count(level)];
        let lights = (0..).map(LightId).zip(&level.lights);
        let glowing = lights.flat_map(|(id, light)| {
            let gate = Gate::of_light(level, id);
            light
                .materials
                .iter()
                .map(move |&material| (material, gate))
        });
        let glowing: BTreeMap<u32, Gate> = glowing.collect();
        let (mut reads, mut chains) = (Vec::new(), Vec::new());
        let mut probes = self.probes.probes.iter().peekable();
        let mut stitches = self.stitches.0.iter().peekable();
        let mut stitched = vec![Vec::new(); rooms];
        for room in level.room_ids() {
            let nodes = self.nodes_of[room.0 as usize].clone();
            for node in &self.nodes[nodes.start as usize..nodes.end as usize] {
                for bundle in self.bundles_of(node) {
                    chains.push(bundle.chain);
                    let sources = self.sources_of(bundle).iter();
                    reads.extend(sources.map(|ray| self.room_of_source(ray.source())));
                }
                chains.extend(self.direct_of(node).iter().map(|light| light.chain));
                if let Some(gate) = glowing.get(&node.material) {
                    add_room(&mut of_gates[gate.0 as usize], room);
                }
                reads.sort_unstable();
                reads.dedup();
                chains.sort_unstable();
                chains.dedup();
            }
            while let Some(stitch) = stitches.next_if(|stitch| stitch.node < nodes.end) {
                chains.push(stitch.chain);
                let other = self.nodes[stitch.other as usize].room;
                if other != room && !stitched[other.0 as usize].contains(&room) {
                    stitched[other.0 as usize].push(room);
                }
            }
            while let Some(probe) = probes.next_if(|probe| probe.room == room) {
                for bundle in self.probes.bundles_of(probe) {
                    chains.push(bundle.chain);
                    let rays = self.probes.rays_of(bundle).iter();
                    reads.extend(rays.map(|ray| self.room_of_source(ray.source())));
                }
                let direct = self.probes.direct_of(probe).iter();
                chains.extend(direct.map(|light| light.chain));
                reads.sort_unstable();
                reads.dedup();
                chains.sort_unstable();
                chains.dedup();
            }
            for Chain { gate, before, .. } in chains.drain(..).flat_map(|c| self.chains.gates(c)) {
                add_room(&mut of_gates[gate.0 as usize], room);
                // A ray that meets a shut link ends in the room before it.
                reads.push(before);
            }
            reads.sort_unstable();
            reads.dedup();
            for other in reads.drain(..) {
                readers[other.0 as usize].push(room);
            }
        }
        self.readers = readers;
        self.stitched = stitched;
        self.rooms_of_gates = of_gates;
    }

    pub(super) fn bundles_of(&self, node: &Node) -> &[RayBundle] {
        &self.bundles[node.bundles.start as usize..node.bundles.end as usize]
    }

    pub(super) fn sources_of(&self, bundle: &RayBundle) -> &[GatheredRays] {
        &self.sources[bundle.sources.start as usize..bundle.sources.end as usize]
    }

    pub(super) fn direct_of(&self, node: &Node) -> &[DirectLight] {
        &self.direct[node.direct.start as usize..node.direct.end as usize]
    }

    pub(super) fn room_of_source(&self, source: u32) -> RoomId {
        let node = self.nodes.get(source as usize);
        node.map_or_else(|| RoomId(source - self.nodes.len() as u32), |n| n.room)
    }

    /// The source that a ray with this end reads: a node, or a room after the last node.
    pub(super) fn source_of(&self, map: &Lightmap, chart_of: &[u32], end: &RayLanding) -> u32 {
        let chart = end.triangle.map(|triangle| chart_of[triangle as usize]);
        let chart = chart.filter(|&chart| chart != NO_CHART);
        let node = chart.map(|chart| self.nearest(map, chart as usize, end.point));
        let node = node.filter(|&node| node != NO_NODE);
        node.unwrap_or(self.nodes.len() as u32 + end.room.0)
    }

    /// The node with the greatest weight at a point of a chart; [`NO_NODE`] if the chart has none.
    pub(super) fn nearest(&self, map: &Lightmap, chart: usize, point: Vec3) -> u32 {
        let layout = &map.charts[chart];
        let at = layout.texel_at(point.as_dvec3()).round().max(DVec2::ZERO);
        let texel = [0, 1].map(|axis| (at[axis] as u32).min(layout.size[axis] - 1));
        let in_sight = self.in_sight[map.texel_index(layout, texel)];
        let weights = self.weights(chart, texel, in_sight).into_iter();
        let greatest = weights.max_by(|a, b| a.1.total_cmp(&b.1));
        let greatest = greatest.filter(|(_, weight)| *weight > 0.0);
        greatest.map_or(NO_NODE, |(node, _)| node)
    }

    /// The room whose mean light that of a chart is a multiple of; `None` for a chart without nodes.
    pub(in crate::lighting) fn room_of_chart(&self, chart: usize) -> Option<RoomId> {
        let mut sites = self.sites[self.grids[chart].sites()].iter();
        let node = sites.find_map(|&site| ChartGrid::own(site))?;
        Some(self.nodes.get(node as usize)?.room)
    }

    /// Whether a room has nodes.
    pub(in crate::lighting) fn has_nodes(&self, room: RoomId) -> bool {
        let nodes = self.nodes_of.get(room.0 as usize);
        nodes.is_some_and(|nodes| !nodes.is_empty())
    }

    /// The mean of the light on a room's surfaces; `None` if the room has no nodes.
    pub(in crate::lighting) fn mean(&self, room: RoomId, light: &[Vec3]) -> Option<Vec3> {
        let nodes = self.nodes_of.get(room.0 as usize)?;
        let nodes = nodes.start as usize..nodes.end as usize;
        let (mut sum, mut area) = (Vec3::ZERO, 0.0);
        for (node, light) in self.nodes[nodes.clone()].iter().zip(&light[nodes]) {
            sum += *light * node.area;
            area += node.area;
        }
        (area > 0.0).then(|| sum / area)
    }

    /// The weights of nodes for a texel, also of nodes beyond the edge of its chart, if light passes the links between
    /// them. `in_sight` is that of the texel.
    pub(in crate::lighting) fn weights_across(
        &self,
        chart: usize,
        texel: [u32; 2],
        in_sight: u8,
        passes: impl Fn(ChainId) -> bool,
    ) -> NodeWeights {
        let grid = &self.grids[chart];
        let around = grid.around_beyond(texel);
        if around.iter().all(|(_, side, _)| side.is_none()) {
            return grid.weights(&self.sites, texel, in_sight);
        }
        let beyond = |site: u32, side: usize| {
            let node = ChartGrid::own(self.sites[site as usize])?;
            let stitch = self.stitches.get(node, side)?;
            passes(stitch.chain).then_some(stitch.other)
        };
        let own = grid.weights(&self.sites, texel, in_sight);
        let mut weights = around.map(|(site, side, weight)| {
            let other = side.and_then(|side| beyond(site, side));
            (
                other.unwrap_or_default(),
                if other.is_some() { weight } else { 0.0 },
            )
        });
        let outside: f32 = weights.iter().map(|(_, weight)| weight).sum();
        if outside == 0.0 {
            return own;
        }
        // Beyond an edge, at most two sites of the grid have weights.
        let mut own = own.into_iter().filter(|(_, weight)| *weight > 0.0);
        for slot in weights.iter_mut().filter(|(_, weight)| *weight == 0.0) {
            if let Some((node, weight)) = own.next() {
                *slot = (node, weight * (1.0 - outside));
            }
        }
        weights
    }

    /// The weights of nodes of a texel's own chart, of which these are in sight.
    pub(in crate::lighting) fn weights(
        &self,
        chart: usize,
        texel: [u32; 2],
        in_sight: u8,
    ) -> NodeWeights {
        self.grids[chart].weights(&self.sites, texel, in_sight)
    }
}

/// Adds a room to a list of rooms in order, unless it is the last one.
fn add_room(rooms: &mut Vec<RoomId>, room: RoomId) {
    if rooms.last() != Some(&room) {
        rooms.push(room);
    }
}
