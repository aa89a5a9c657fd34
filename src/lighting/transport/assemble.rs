//! Assembly of the transport of a level: its nodes, their rays, and the direct light on them.

use std::io;

use super::direct::{self, LightThrough, TransportLights};
use super::file;
use super::grid;
use super::paths::{DirectLight, GatheredRays, Node, RayBundle, Transport};
use super::probe_trace::trace_probes;
use super::scene::RayScene;
use super::sight::SurfaceSight;
use super::stitches::find_stitches;
use super::trace::{self, NodeRays};
use crate::level::Level;
use crate::lighting::lightmap::{Lightmap, LightmapQuality, chart_of_triangles};
use crate::lighting::stored::{LightFile, LightFiles, StoredKind};
use crate::parallel::{cores, parallel_map};

impl Transport {
    /// Traces the rays of all nodes of a lightmap's charts; empty for a lightmap without charts. `progress` is called from any thread with the fraction that is done, 0..1.
    pub(in crate::lighting) fn new(
        level: &Level,
        map: &Lightmap,
        lights: TransportLights,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Self {
        if map.charts.is_empty() {
            return Self::default();
        }
        let scene = RayScene::new(level);
        let spacing = grid::spacing(level, map);
        let (grids, site_count) = grid::grids(map, spacing);
        let traced = trace::trace_charts(level, map, &scene, (&grids, spacing), progress);
        let mut transport = Self {
            grids,
            ..Self::default()
        };
        let rays = transport.add_nodes(level, map, traced, site_count);
        let sight = SurfaceSight {
            level,
            map,
            scene: &scene,
            transport: &transport,
            rays: &rays,
        };
        let (joined, in_sight) = sight.find();
        (transport.joined, transport.in_sight) = (joined, in_sight);
        let mut chains = std::mem::take(&mut transport.chains);
        transport.stitches = find_stitches((level, map), &scene, &transport, &rays, &mut chains);
        transport.chains = chains;
        let chart_of = chart_of_triangles(level, &map.charts, &map.triangles);
        transport.add_rays(map, &chart_of, &rays);
        let mut chains = std::mem::take(&mut transport.chains);
        transport.probes = trace_probes(level, &scene, lights, &mut chains, |end| {
            transport.source_of(map, &chart_of, end)
        });
        transport.chains = chains;
        let lit = parallel_map(rays.len().div_ceil(PART), cores(), |part| {
            let nodes = part * PART..rays.len().min((part + 1) * PART);
            let light = |node: usize| direct::on_node(level, &scene, lights, &rays[node].place);
            nodes.map(light).collect::<Vec<_>>()
        });
        for (node, lit) in lit.into_iter().flatten().enumerate() {
            let first = transport.direct.len() as u32;
            for LightThrough { chain, light } in lit {
                transport.direct.push(DirectLight {
                    chain: transport.chains.intern(&chain),
                    light: light.all,
                    unlisted: light.unlisted,
                });
            }
            transport.nodes[node].direct = first..transport.direct.len() as u32;
        }
        transport.find_readers(level);
        transport
    }

    /// Like [`Transport::new`], but reads the result from `files` if it was stored there; otherwise stores it.
    pub(in crate::lighting) fn load_or_trace(
        level: &Level,
        map: &Lightmap,
        quality: LightmapQuality,
        files: &LightFiles,
        lights: TransportLights,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Self {
        if map.charts.is_empty() {
            return Self::default();
        }
        let key = file::key(level, quality);
        let stored = files.read(StoredKind::Transport, key, file::MAX_BYTES);
        let stored = stored.and_then(|bytes| file::decode(level, map, &bytes));
        stored.unwrap_or_else(|| {
            let transport = Self::new(level, map, lights, progress);
            files.store(StoredKind::Transport, key, &file::encode(&transport));
            transport
        })
    }

    /// Adds the transport to a file of light.
    pub(in crate::lighting) fn add_to(
        &self,
        level: &Level,
        quality: LightmapQuality,
        to: &mut LightFile,
    ) -> io::Result<()> {
        let key = file::key(level, quality);
        to.add(StoredKind::Transport, key, &file::encode(self))
    }

    /// Adds the nodes, with their places in the grids. Returns the rays of each node.
    fn add_nodes(
        &mut self,
        level: &Level,
        map: &Lightmap,
        traced: Vec<Vec<Option<NodeRays>>>,
        site_count: usize,
    ) -> Vec<NodeRays> {
        self.sites = vec![grid::NO_NODE; site_count];
        let mut all = Vec::new();
        let mut traced = traced.into_iter();
        for (set, charts) in map.charts_of.iter().enumerate() {
            let is_of_mover = set >= level.rooms.len();
            let start = self.nodes.len() as u32;
            for chart in charts.clone() {
                let grid = &self.grids[chart as usize];
                let first = self.nodes.len();
                let sites = traced.next().into_iter().flatten();
                for (site, rays) in sites.enumerate() {
                    let Some(rays) = rays else { continue };
                    let layout = &map.charts[chart as usize];
                    let texel = map.texel_index(layout, rays.place.texel);
                    self.sites[grid.first as usize + site] = self.nodes.len() as u32;
                    self.nodes.push(Node {
                        room: rays.place.facing(is_of_mover),
                        material: rays.place.material,
                        tint: rays.place.tint,
                        visibility: f32::from(map.sky_visibility[texel]) / 255.0,
                        #[cfg(test)]
                        point: rays.place.point,
                        area: 0.0,
                        bundles: 0..0,
                        direct: 0..0,
                    });
                    all.push(rays);
                }
                let count = self.nodes.len() - first;
                let area = grid::area(level, map, chart) / count.max(1) as f32;
                self.nodes[first..]
                    .iter_mut()
                    .for_each(|node| node.area = area);
                grid.fill(&mut self.sites);
            }
            self.nodes_of.push(start..self.nodes.len() as u32);
        }
        all
    }

    /// Adds the rays of all nodes.
    fn add_rays(&mut self, map: &Lightmap, chart_of: &[u32], rays: &[NodeRays]) {
        let mut found = Vec::new();
        for (node, rays) in rays.iter().enumerate() {
            let first_bundle = self.bundles.len() as u32;
            for bundle in &rays.bundles {
                let chain = self.chains.intern(&bundle.chain);
                let first = self.sources.len() as u32;
                found.clear();
                let ends = bundle.ends.iter();
                found.extend(ends.map(|end| self.source_of(map, chart_of, end)));
                found.sort_unstable();
                let groups = found.chunk_by(|a, b| a == b);
                self.sources
                    .extend(groups.map(|group| GatheredRays::new(group[0], group.len())));
                self.bundles.push(RayBundle {
                    chain,
                    sources: first..self.sources.len() as u32,
                    count: bundle.count,
                    sky: bundle.sky,
                });
            }
            self.nodes[node].bundles = first_bundle..self.bundles.len() as u32;
        }
    }
}

/// The number of nodes in a thread's batch.
const PART: usize = 256;
