//! The lattice of nodes over each chart, and the interpolation between nodes.

use glam::Vec3;

use crate::level::Level;
use crate::lighting::lightmap::{Lightmap, corners_of};

/// A site without a node.
pub(super) const NO_NODE: u32 = u32::MAX;
/// Marks a site without a node of its own, which refers to the nearest node.
const BORROWED: u32 = 1 << 31;
/// The minimum distance of neighbouring sites, metres.
const SPACING: f32 = 0.5;
/// The approximate maximum number of nodes of a level: a larger level has wider grids.
const MAX_NODES: f32 = 60_000.0;
/// The factor for the weight of a node that counts only where there is no other.
const LOW_WEIGHT: f32 = 1e-4;
/// The minimum weight of such a node.
const LEAST_WEIGHT: f32 = 1e-9;
/// The neighbours of a site after it, as offsets in columns and rows.
pub(super) const NEIGHBOURS: [[i32; 2]; 4] = [[1, 0], [0, 1], [1, 1], [-1, 1]];
/// All neighbours of a site, as offsets in columns and rows.
pub(super) const AROUND: [[i32; 2]; 8] = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
];
/// The corners of a cell of sites: offsets in columns and rows.
const CORNERS: [[u32; 2]; 4] = [[0, 0], [1, 0], [0, 1], [1, 1]];

/// The sites of a chart: places for nodes in the middle of equal cells.
#[derive(Clone, Copy, Debug)]
pub(in crate::lighting) struct ChartGrid {
    /// Index of the first site.
    pub first: u32,
    /// Columns and rows.
    pub count: [u32; 2],
    /// The position of the first site, texels.
    start: [f32; 2],
    /// The distance between neighbouring sites along each axis, texels.
    pub step: [f32; 2],
}

/// Nodes and their weights at a place. The weights sum to 1, or to 0 if there are no nodes.
pub(in crate::lighting) type NodeWeights = [(u32, f32); 4];

/// The distance of sites in a level, metres.
pub(super) fn spacing(level: &Level, map: &Lightmap) -> f32 {
    let areas = (0..map.charts.len() as u32).map(|chart| area(level, map, chart));
    (areas.sum::<f32>() / MAX_NODES).sqrt().max(SPACING)
}

/// The area of the triangles of a chart, square metres.
pub(super) fn area(level: &Level, map: &Lightmap, chart: u32) -> f32 {
    let chart = &map.charts[chart as usize];
    let triangles = &map.triangles[chart.triangles.start as usize..chart.triangles.end as usize];
    let areas = triangles.iter().map(|&triangle| {
        let cross = corners_of(level, triangle).cross();
        0.5 * cross.length() as f32
    });
    areas.sum()
}

/// Whether all sites refer to one of `count` nodes, or to none.
pub(super) fn are_nodes(sites: &[u32], count: usize) -> bool {
    let mut sites = sites.iter().filter(|&&site| site != NO_NODE);
    sites.all(|site| ((site & !BORROWED) as usize) < count)
}

/// Lays out the grids of all charts. Also returns the number of sites.
pub(super) fn grids(map: &Lightmap, spacing: f32) -> (Vec<ChartGrid>, usize) {
    let mut first = 0;
    let grids = map.charts.iter().map(|chart| {
        let texel = [chart.along_u, chart.along_v].map(Vec3::length);
        let mut grid = ChartGrid {
            first,
            count: [1; 2],
            start: [0.0; 2],
            step: [1.0; 2],
        };
        for (axis, texel) in texel.into_iter().enumerate() {
            let texels = chart.size[axis];
            // The outermost texels surround the surface: their centres may lie in a wall.
            let length = texels.saturating_sub(2).max(1) as f32;
            // A margin, so that rounding adds no cell.
            let count = (length * texel / spacing * 0.999).ceil().max(1.0);
            grid.count[axis] = count as u32;
            grid.step[axis] = length / count;
            grid.start[axis] = 0.5 * (texels - 1) as f32 - 0.5 * grid.step[axis] * (count - 1.0);
        }
        first += grid.count[0] * grid.count[1];
        grid
    });
    let grids = grids.collect();
    (grids, first as usize)
}

impl ChartGrid {
    /// The range of its sites.
    pub(super) fn sites(&self) -> std::ops::Range<usize> {
        let first = self.first as usize;
        first..first + (self.count[0] * self.count[1]) as usize
    }

    /// The texel nearest to a site: column, row.
    pub(super) fn texel(&self, site: [u32; 2]) -> [u32; 2] {
        [0, 1].map(|axis| (self.start[axis] + self.step[axis] * site[axis] as f32).round() as u32)
    }

    /// The texels along an axis that are nearer to a site than to others, including those beyond the outermost sites.
    pub(super) fn cell(&self, axis: usize, site: u32, texels: u32) -> std::ops::Range<u32> {
        let edge = |site: f32| {
            let edge = self.start[axis] + self.step[axis] * (site - 0.5);
            (edge.ceil().max(0.0) as u32).min(texels)
        };
        let first = if site == 0 { 0 } else { edge(site as f32) };
        let is_last = site + 1 == self.count[axis];
        let end = if is_last {
            texels
        } else {
            edge(site as f32 + 1.0)
        };
        first..end.max(first)
    }

    /// The position of a texel in sites along an axis, clamped to the grid.
    fn position(&self, axis: usize, texel: f32) -> f32 {
        let at = (texel - self.start[axis]) / self.step[axis].max(1e-6);
        at.clamp(0.0, (self.count[axis] - 1) as f32)
    }

    /// The number of the node of a site; `None` if the site has no node of its own.
    pub(super) fn own(site: u32) -> Option<u32> {
        (site & BORROWED == 0).then_some(site)
    }

    /// Whether no object stands between two neighbouring sites, the second one `off` columns and rows from the first.
    /// `joined` has one bit for each of [`NEIGHBOURS`] of each site.
    pub(super) fn joins(joined: &[u8], [site, other]: [u32; 2], off: [i32; 2]) -> bool {
        let back = off.map(|off| -off);
        let bit = |site: u32, off| {
            let index = NEIGHBOURS.iter().position(|neighbour| *neighbour == off)?;
            Some(joined[site as usize] >> index & 1 == 1)
        };
        bit(site, off).or_else(|| bit(other, back)).unwrap_or(true)
    }

    /// The site at a column and row, if there is one.
    pub(super) fn site_at(&self, [column, row]: [i32; 2]) -> Option<u32> {
        let [columns, rows] = self.count.map(|count| count as i32);
        let is_inside = (0..columns).contains(&column) && (0..rows).contains(&row);
        is_inside.then(|| self.first + (row * columns + column) as u32)
    }

    /// Blends each node with its neighbours, by the weights 1, 2, 1 along each axis. `beyond` returns the light of the
    /// neighbour of a node at a side, one of [`AROUND`], beyond the edge of the grid. A node replaces its missing
    /// neighbours, and those with an object between them: see [`ChartGrid::joins`].
    pub(super) fn blend(
        &self,
        sites: &[u32],
        from: &[Vec3],
        joined: &[u8],
        beyond: impl Fn(u32, usize) -> Option<Vec3>,
        mut write: impl FnMut(u32, Vec3),
    ) {
        let [columns, rows] = self.count.map(|count| count as i32);
        for row in 0..rows {
            for column in 0..columns {
                let Some(site) = self.site_at([column, row]) else {
                    continue;
                };
                let Some(node) = Self::own(sites[site as usize]) else {
                    continue;
                };
                let own = from[node as usize];
                let mut sum = own * 4.0;
                for (side, [x, y]) in AROUND.into_iter().enumerate() {
                    let weight = if x == 0 || y == 0 { 2.0 } else { 1.0 };
                    let light = match self.site_at([column + x, row + y]) {
                        None => beyond(node, side),
                        Some(other) => Self::own(sites[other as usize])
                            .filter(|_| Self::joins(joined, [site, other], [x, y]))
                            .map(|other| from[other as usize]),
                    };
                    sum += light.unwrap_or(own) * weight;
                }
                write(node, sum / 16.0);
            }
        }
    }

    /// Lets sites without a node refer to the nearest node of the chart.
    pub(super) fn fill(&self, sites: &mut [u32]) {
        let [columns, rows] = self.count.map(|count| count as usize);
        let sites = &mut sites[self.sites()];
        let mut missing: Vec<usize> = (0..sites.len()).filter(|&i| sites[i] == NO_NODE).collect();
        while !missing.is_empty() && missing.len() < sites.len() {
            let found = missing.iter().filter_map(|&site| {
                let (column, row) = (site % columns, site / columns);
                let beside = [
                    (column > 0).then(|| site - 1),
                    (column + 1 < columns).then(|| site + 1),
                    (row > 0).then(|| site - columns),
                    (row + 1 < rows).then(|| site + columns),
                ];
                let beside = beside.into_iter().flatten().map(|other| sites[other]);
                let mut nodes = beside.filter(|&node| node != NO_NODE);
                nodes.next().map(|node| (site, node | BORROWED))
            });
            let found: Vec<(usize, u32)> = found.collect();
            found.iter().for_each(|&(site, node)| sites[site] = node);
            missing.retain(|&site| sites[site] == NO_NODE);
        }
    }

    /// The sites around a texel, with the weights of linear interpolation.
    pub(super) fn around(&self, texel: [u32; 2]) -> [(u32, f32); 4] {
        let at = [0, 1].map(|axis| self.position(axis, texel[axis] as f32));
        let low = at.map(|at| at as u32);
        CORNERS.map(|corner| {
            let mut weight = 1.0;
            let site = [0, 1].map(|axis| {
                let part = at[axis] - low[axis] as f32;
                weight *= if corner[axis] == 1 { part } else { 1.0 - part };
                (low[axis] + corner[axis]).min(self.count[axis] - 1)
            });
            (self.first + site[1] * self.count[0] + site[0], weight)
        })
    }

    /// The sites around a texel, with the weights of linear interpolation. A site beyond the edge of the grid is given by
    /// the nearest site of the grid and the side of it, one of [`AROUND`].
    pub(super) fn around_beyond(&self, texel: [u32; 2]) -> [(u32, Option<usize>, f32); 4] {
        let at = [0, 1].map(|axis| (texel[axis] as f32 - self.start[axis]) / self.step[axis]);
        let low = at.map(f32::floor);
        CORNERS.map(|corner| {
            let mut weight = 1.0;
            let mut off = [0; 2];
            let site = [0, 1].map(|axis| {
                let part = at[axis] - low[axis];
                weight *= if corner[axis] == 1 { part } else { 1.0 - part };
                let site = low[axis] as i32 + corner[axis] as i32;
                let inside = site.clamp(0, self.count[axis] as i32 - 1);
                off[axis] = (site - inside).signum();
                inside as u32
            });
            let side = AROUND.iter().position(|side| *side == off);
            (self.first + site[1] * self.count[0] + site[0], side, weight)
        })
    }

    /// The nodes around a texel with their weights. Nodes that are not in sight and sites without a node of their own
    /// have no weight unless there are no others.
    pub(super) fn weights(&self, sites: &[u32], texel: [u32; 2], in_sight: u8) -> NodeWeights {
        let mut sum = 0.0;
        let mut corner = 0;
        let mut weights = self.around(texel).map(|(site, mut weight)| {
            let is_in_sight = in_sight >> corner & 1 == 1;
            corner += 1;
            let site = sites[site as usize];
            if site == NO_NODE {
                return (0, 0.0);
            }
            if site & BORROWED != 0 || !is_in_sight {
                weight = (weight * LOW_WEIGHT).max(LEAST_WEIGHT);
            }
            sum += weight;
            (site & !BORROWED, weight)
        });
        if sum > 0.0 {
            weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        weights
    }
}
