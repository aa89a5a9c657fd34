//! Lines of sight along a surface: a texel takes no light from a node behind a wall that stands on the surface.

use super::grid::{ChartGrid, NEIGHBOURS};
use super::paths::Transport;
use super::scene::{RayMemory, RayScene};
use super::trace::{NodePlace, NodeRays, lifted};
use crate::level::Level;
use crate::lighting::lightmap::Lightmap;
use crate::parallel::{cores, parallel_map};

/// The bits of all neighbours of a site, and of all nodes around a texel.
const ALL: u8 = 15;
/// The pairs of sites of a cell: the offset of one site from the first one, and its neighbour.
const PAIRS: [([i32; 2], usize); 6] = [
    ([0, 0], 0),
    ([0, 0], 1),
    ([0, 0], 2),
    ([1, 0], 1),
    ([1, 0], 3),
    ([0, 1], 0),
];

/// Everything that lines of sight depend on.
#[derive(Clone, Copy)]
pub(super) struct SurfaceSight<'a> {
    pub level: &'a Level,
    pub map: &'a Lightmap,
    pub scene: &'a RayScene,
    pub transport: &'a Transport,
    /// The rays of each node.
    pub rays: &'a [NodeRays],
}

impl SurfaceSight<'_> {
    /// Returns [`Transport::joined`] and [`Transport::in_sight`]. Only texels of cells with an object between their nodes
    /// are tested one by one.
    pub(super) fn find(&self) -> (Vec<u8>, Vec<u8>) {
        let charts = self.map.charts.len();
        let joined = parallel_map(charts, cores(), |chart| self.joined(chart));
        let joined = joined.concat();
        let mut in_sight = vec![ALL; self.map.sky_visibility.len()];
        let found = parallel_map(charts, cores(), |chart| self.texels(&joined, chart));
        for (at, bits) in found.into_iter().flatten() {
            in_sight[at] = bits;
        }
        (joined, in_sight)
    }

    fn node(&self, site: u32) -> Option<&NodePlace> {
        let node = ChartGrid::own(self.transport.sites[site as usize])?;
        self.rays.get(node as usize).map(|rays| &rays.place)
    }

    /// [`Transport::joined`] of a chart's sites.
    fn joined(&self, chart: usize) -> Vec<u8> {
        let grid = &self.transport.grids[chart];
        let [columns, rows] = grid.count.map(|count| count as i32);
        let sites = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let mut memory = RayMemory::default();
        let bits = sites.map(|site| {
            let node = grid.site_at(site).and_then(|site| self.node(site));
            let bits = NEIGHBOURS.iter().enumerate().map(|(bit, off)| {
                let other = grid.site_at([site[0] + off[0], site[1] + off[1]]);
                let other = other.and_then(|site| self.node(site));
                let is_joined = match (node, other) {
                    (Some(node), Some(other)) => {
                        node.sees(self.level, self.scene, other.point, &mut memory)
                    }
                    _ => true,
                };
                u8::from(is_joined) << bit
            });
            bits.sum()
        });
        bits.collect()
    }

    /// The texels of a chart from which not all nodes around them are in sight, with their indices in the lightmap.
    fn texels(&self, joined: &[u8], number: usize) -> Vec<(usize, u8)> {
        let (chart, grid) = (&self.map.charts[number], &self.transport.grids[number]);
        let mut found = Vec::new();
        if joined[grid.sites()].iter().all(|&bits| bits == ALL) {
            return found;
        }
        let is_blocked = |site: u32| {
            let columns = grid.count[0] as i32;
            let site = (site - grid.first) as i32;
            let [column, row] = [site % columns, site / columns];
            PAIRS.iter().any(|&([x, y], neighbour)| {
                let first = grid.site_at([column + x, row + y]);
                first.is_some_and(|first| joined[first as usize] >> neighbour & 1 == 0)
            })
        };
        let mut memory = RayMemory::default();
        for row in 0..chart.size[1] {
            let mut texels = None;
            for column in 0..chart.size[0] {
                let around = grid.around([column, row]);
                if !is_blocked(around[0].0) {
                    continue;
                }
                let texels =
                    texels.get_or_insert_with(|| self.map.texels(self.level, chart, row..row + 1));
                let Some(texel) = texels[column as usize] else {
                    continue;
                };
                let start = lifted(&texel);
                let bits = around.iter().enumerate().map(|(corner, &(site, _))| {
                    let node = self.node(site);
                    let is_seen = node
                        .is_none_or(|node| node.sees(self.level, self.scene, start, &mut memory));
                    u8::from(is_seen) << corner
                });
                found.push((self.map.texel_index(chart, [column, row]), bits.sum()));
            }
        }
        found
    }
}
