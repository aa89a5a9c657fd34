//! Light transport in a file of the light cache.

use bytemuck::{AnyBitPattern, NoUninit};
use glam::Vec3;

use super::chains::{Chain, ChainId, Gate};
use super::grid;
use super::paths::{DirectLight, Node, RayBundle, Stitches, Transport};
use super::probe_grid::lay_out;
use super::probes::{self, LightSum, Probe, ProbeBundle, Probes, SETS};
use crate::hash::Fnv128;
use crate::level::{Level, LightKind, RoomId};
use crate::lighting::lightmap::{self, Lightmap, LightmapQuality};

/// The version of the transport; increment it whenever the same level gives a different transport.
const VERSION: u32 = 4;
/// The maximum length of a file, bytes.
pub(super) const MAX_BYTES: usize = 256 << 20;

/// A node; its ranges begin where those of the node before end.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct NodeRecord {
    room: u32,
    material: u32,
    tint: Vec3,
    area: f32,
    visibility: f32,
    bundles_end: u32,
    direct_end: u32,
}

/// A bundle; its sources begin where those of the bundle before end.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct BundleRecord {
    chain: u32,
    sources_end: u32,
    count: f32,
    sky: Vec3,
}

#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct DirectRecord {
    chain: u32,
    light: Vec3,
    unlisted: Vec3,
}

/// A probe; its bundles begin where those of the probe before end.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct ProbeRecord {
    room: u32,
    bundles_end: u32,
    direct_end: u32,
}

/// A bundle of a probe; its rays begin where those of the bundle before end.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct ProbeBundleRecord {
    chain: u32,
    rays_end: u32,
    count: f32,
    directions: Vec3,
    sky: LightSum,
}

/// The cache key of a level's light transport.
pub(super) fn key(level: &Level, quality: LightmapQuality) -> u128 {
    let hash = Fnv128(lightmap::key(level, quality)).words(&[VERSION]);
    let mut hash = hash
        .words(&level.sky.zenith)
        .words(&level.sky.horizon)
        .words(&level.sky.ground);
    for light in &level.lights {
        let room = light.at.map_or(u32::MAX, |at| at.room.0);
        let [kind, inner, outer] = match light.kind {
            LightKind::Point => [0.0; 3],
            LightKind::Spot { inner, outer } => [1.0, inner, outer],
            LightKind::Directional => [2.0, 0.0, 0.0],
        };
        let numbers = [
            light.intensity,
            light.range.unwrap_or(-1.0),
            light.radius,
            kind,
            inner,
            outer,
        ];
        hash = hash
            .words(&[room])
            .words(&[light.position(), light.direction])
            .words(&light.colour)
            .words(&numbers)
            .bytes(&[u8::from(light.is_switched)]);
    }
    let emits = level
        .materials
        .iter()
        .map(|m| u8::from(m.emissive != [0.0; 3]));
    let is_open = level.rooms.iter().map(|room| u8::from(room.open_to_sky));
    let flags: Vec<u8> = emits.chain(is_open).collect();
    let links = level.portals.iter().map(|portal| portal.link.0);
    let panels = level
        .links
        .iter()
        .map(|link| link.panel.map_or(u32::MAX, |mover| mover.0));
    let links: Vec<u32> = links.chain(panels).collect();
    hash.words(&flags).words(&links).0
}

/// Encodes the transport of a level.
pub(super) fn encode(transport: &Transport) -> Vec<u8> {
    let mut bytes = Vec::new();
    let nodes = transport.nodes.iter().map(|node| NodeRecord {
        room: node.room.0,
        material: node.material,
        tint: node.tint,
        area: node.area,
        visibility: node.visibility,
        bundles_end: node.bundles.end,
        direct_end: node.direct.end,
    });
    put(&mut bytes, &nodes.collect::<Vec<_>>());
    let ends = transport.nodes_of.iter().map(|nodes| nodes.end);
    put(&mut bytes, &ends.collect::<Vec<u32>>());
    put(&mut bytes, &transport.sites);
    put(&mut bytes, &transport.in_sight);
    put(&mut bytes, &transport.joined);
    put(&mut bytes, &transport.stitches.0);
    let bundles = transport.bundles.iter().map(|bundle| BundleRecord {
        chain: bundle.chain,
        sources_end: bundle.sources.end,
        count: bundle.count,
        sky: bundle.sky,
    });
    put(&mut bytes, &bundles.collect::<Vec<_>>());
    put(&mut bytes, &differences(&transport.sources));
    let direct = transport.direct.iter().map(|direct| DirectRecord {
        chain: direct.chain,
        light: direct.light,
        unlisted: direct.unlisted,
    });
    put(&mut bytes, &direct.collect::<Vec<_>>());
    let chains = transport.chains.all().iter();
    let chains = chains.map(|chain| [chain.parent, chain.gate.0, chain.before.0]);
    put(&mut bytes, &chains.collect::<Vec<_>>());
    let all = &transport.probes;
    let probes = all.probes.iter().map(|probe| ProbeRecord {
        room: probe.room.0,
        bundles_end: probe.bundles.end,
        direct_end: probe.direct.end,
    });
    put(&mut bytes, &probes.collect::<Vec<_>>());
    let bundles = all.bundles.iter().map(|bundle| ProbeBundleRecord {
        chain: bundle.chain,
        rays_end: bundle.rays.end,
        count: bundle.count,
        directions: bundle.directions,
        sky: bundle.sky,
    });
    put(&mut bytes, &bundles.collect::<Vec<_>>());
    put(&mut bytes, &differences(&all.rays));
    put(&mut bytes, &all.direct);
    put(&mut bytes, &all.sites);
    put(&mut bytes, &all.in_sight);
    bytes
}

/// Decodes the transport of a level with this lightmap; `None` if anything refers to something nonexistent.
pub(super) fn decode(level: &Level, map: &Lightmap, mut bytes: &[u8]) -> Option<Transport> {
    let bytes = &mut bytes;
    let (rooms, gates) = (level.rooms.len() as u32, Gate::count(level) as u32);
    let (grids, site_count) = grid::grids(map, grid::spacing(level, map));
    let nodes: Vec<NodeRecord> = take(bytes)?;
    let node_ends: Vec<u32> = take(bytes)?;
    let mut transport = Transport {
        grids,
        sites: take(bytes)?,
        in_sight: take(bytes)?,
        joined: take(bytes)?,
        stitches: Stitches(take(bytes)?),
        ..Transport::default()
    };
    let bundles: Vec<BundleRecord> = take(bytes)?;
    transport.sources = sums(take(bytes)?);
    let direct: Vec<DirectRecord> = take(bytes)?;
    let chains: Vec<[u32; 3]> = take(bytes)?;
    for (number, &[parent, gate, before]) in (1..).zip(&chains) {
        let is_valid = parent < number && gate < gates && before < rooms;
        let chain = is_valid.then_some(Chain {
            parent: parent as ChainId,
            gate: Gate(gate),
            before: RoomId(before),
        })?;
        transport.chains.push(chain);
    }
    let mut first = 0;
    for bundle in bundles {
        let sources = range(&mut first, bundle.sources_end, transport.sources.len())?;
        transport.bundles.push(RayBundle {
            chain: (bundle.chain as usize <= chains.len()).then_some(bundle.chain)?,
            sources,
            count: bundle.count,
            sky: bundle.sky,
        });
    }
    for record in direct {
        transport.direct.push(DirectLight {
            chain: (record.chain as usize <= chains.len()).then_some(record.chain)?,
            light: record.light,
            unlisted: record.unlisted,
        });
    }
    let (mut first_bundle, mut first_direct) = (0, 0);
    for node in &nodes {
        let is_valid = node.room < rooms && (node.material as usize) < level.materials.len();
        let bundles = range(&mut first_bundle, node.bundles_end, transport.bundles.len())?;
        let direct = range(&mut first_direct, node.direct_end, transport.direct.len())?;
        transport.nodes.push(is_valid.then_some(Node {
            room: RoomId(node.room),
            material: node.material,
            tint: node.tint,
            area: node.area,
            visibility: node.visibility,
            #[cfg(test)]
            point: Vec3::ZERO,
            bundles,
            direct,
        })?);
    }
    let mut first = 0;
    for end in node_ends {
        let nodes = range(&mut first, end, transport.nodes.len())?;
        transport.nodes_of.push(nodes);
    }
    let room_nodes = transport
        .nodes_of
        .get((rooms as usize).checked_sub(1)?)?
        .end;
    let sources = transport.nodes.len() as u32 + rooms;
    transport.probes = decode_probes(level, (sources, chains.len()), bytes)?;
    let is_valid = transport.nodes_of.len() == map.charts_of.len()
        && transport.sites.len() == site_count
        && transport.joined.len() == site_count
        && transport.stitches.are_valid(room_nodes, chains.len())
        && transport.in_sight.len() == map.sky_visibility.len()
        && grid::are_nodes(&transport.sites, transport.nodes.len())
        && transport.sources.iter().all(|rays| rays.source() < sources)
        && bytes.is_empty();
    if !is_valid {
        return None;
    }
    transport.find_readers(level);
    Some(transport)
}

/// Decodes the probes of a level with these numbers of sources and of chains.
fn decode_probes(
    level: &Level,
    (sources, chains): (u32, usize),
    bytes: &mut &[u8],
) -> Option<Probes> {
    let layout = lay_out(level);
    let records: Vec<ProbeRecord> = take(bytes)?;
    let bundles: Vec<ProbeBundleRecord> = take(bytes)?;
    let mut probes = Probes {
        rays: sums(take(bytes)?),
        direct: take(bytes)?,
        sites: take(bytes)?,
        in_sight: take(bytes)?,
        ..Probes::default()
    };
    let mut first = 0;
    for bundle in bundles {
        let rays = range(&mut first, bundle.rays_end, probes.rays.len())?;
        probes.bundles.push(ProbeBundle {
            chain: (bundle.chain as usize <= chains).then_some(bundle.chain)?,
            rays,
            count: bundle.count,
            directions: bundle.directions,
            sky: bundle.sky,
        });
    }
    let (mut first_bundle, mut first_direct, mut last_room) = (0, 0, 0);
    for record in records {
        let is_valid = (last_room..level.rooms.len() as u32).contains(&record.room);
        last_room = record.room;
        let bundles = range(&mut first_bundle, record.bundles_end, probes.bundles.len())?;
        let direct = range(&mut first_direct, record.direct_end, probes.direct.len())?;
        probes.probes.push(is_valid.then_some(Probe {
            room: RoomId(record.room),
            bundles,
            direct,
        })?);
    }
    let mut rays = probes.rays.iter();
    let mut sites = probes.sites.iter();
    let mut lights = probes.direct.iter();
    let count = probes.probes.len();
    let is_valid = probes.sites.len() == layout.site_count
        && probes.in_sight.len() == layout.octant_count
        && rays.all(|ray| ray.source() < sources && ray.direction() < SETS * probes::RAYS)
        && lights.all(|light| light.chain as usize <= chains)
        && sites.all(|site| site.is_valid(count, chains));
    probes.layout = layout;
    is_valid.then_some(probes)
}

/// The range from `first`, which becomes its end, to `end`; `None` if there is no such range of `len` items.
fn range(first: &mut u32, end: u32, len: usize) -> Option<std::ops::Range<u32>> {
    let start = std::mem::replace(first, end);
    (start <= end && end as usize <= len).then_some(start..end)
}

/// The difference of each number from the one before it, so that rising numbers compress well.
fn differences<T: NoUninit>(list: &[T]) -> Vec<u32> {
    let mut last = 0_u32;
    let list: &[u32] = bytemuck::cast_slice(list);
    let differences = list
        .iter()
        .map(|&number| number.wrapping_sub(std::mem::replace(&mut last, number)));
    differences.collect()
}

/// Reverses [`differences`].
fn sums<T: AnyBitPattern + NoUninit>(differences: Vec<u32>) -> Vec<T> {
    let mut sum = 0_u32;
    let numbers = differences.into_iter().map(|difference| {
        sum = sum.wrapping_add(difference);
        sum
    });
    bytemuck::cast_vec(numbers.collect::<Vec<u32>>())
}

/// Writes a list with its length in bytes.
fn put<T: NoUninit>(bytes: &mut Vec<u8>, list: &[T]) {
    let list: &[u8] = bytemuck::cast_slice(list);
    bytes.extend((list.len() as u64).to_le_bytes());
    bytes.extend(list);
}

/// Reads a list that [`put`] wrote.
fn take<T: AnyBitPattern + NoUninit>(bytes: &mut &[u8]) -> Option<Vec<T>> {
    let (length, rest) = bytes.split_at_checked(8)?;
    let length = u64::from_le_bytes(length.try_into().ok()?);
    let (list, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = rest;
    let fits = list.len().is_multiple_of(size_of::<T>());
    fits.then(|| bytemuck::pod_collect_to_vec(list))
}
