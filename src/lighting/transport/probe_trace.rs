//! Tracing of the rays of all probes, and of the lines of sight between sites and the air around them.

use glam::{UVec3, Vec3};

use super::chains::Chains;
use super::chains::Gate;
use super::direct::{LightInAir, LightThrough, TransportLights, in_air};
use super::probe_grid::{CORNERS, NO_PROBE, ProbeLayout, ProbeSite, lay_out};
use super::probes::{
    LightSum, Probe, ProbeBundle, ProbeDirect, ProbeRay, Probes, RAYS, SETS, directions,
};
use super::scene::{PassedLinks, RayLanding, RayMemory, RayScene, RayStart};
use super::trace::{is_sky, sky_radiance};
use crate::geometry::ConvexPolygon;
use crate::level::{Level, RoomId};
use crate::lighting::lightmap::MAX_BACK_FACES;
use crate::parallel::{cores, parallel_map};

/// The maximum number of portals between a room and the places of its lattice.
const MAX_BEHIND: usize = 4;

/// The rays of a probe before they are stored.
struct TracedProbe {
    /// The number of its site.
    site: u32,
    bundles: Vec<TracedProbeBundle>,
    direct: Vec<LightThrough<LightInAir>>,
}

/// Rays of a probe that pass the same links.
struct TracedProbeBundle {
    chain: PassedLinks,
    /// The ends of rays that do not end in the sky, with the numbers of their directions.
    ends: Vec<(RayLanding, usize)>,
    count: f32,
    directions: Vec3,
    sky: LightSum,
}

/// The sites of a room with the links between, and the sites in sight from each octant.
struct RoomSight {
    sites: Vec<Option<(u32, PassedLinks)>>,
    in_sight: Vec<u8>,
}

/// Traces the probes of all rooms. `source_of` returns the source that a ray reads. New sequences of links are added to
/// `chains`.
pub(super) fn trace_probes(
    level: &Level,
    scene: &RayScene,
    lights: TransportLights,
    chains: &mut Chains,
    source_of: impl Fn(&RayLanding) -> u32,
) -> Probes {
    let layout = lay_out(level);
    let mut probes = Probes {
        sites: vec![ProbeSite::EMPTY; layout.site_count],
        in_sight: Vec::with_capacity(layout.octant_count),
        ..Probes::default()
    };
    let grids = layout.grids.iter().zip(level.room_ids());
    let planes: Vec<(RoomId, u32)> = grids
        .flat_map(|(grid, room)| (0..grid.count.z).map(move |z| (room, z)))
        .collect();
    let directions = directions();
    let traced = parallel_map(planes.len(), cores(), |index| {
        let (room, z) = planes[index];
        let grid = &layout.grids[room.0 as usize];
        let mut memory = RayMemory::default();
        let plane = (0..grid.count.y).flat_map(|y| (0..grid.count.x).map(move |x| (x, y)));
        let traced = plane.filter_map(|(x, y)| {
            let site = UVec3::new(x, y, z);
            let set = ((x & 1) ^ ((z & 1) * 2) ^ ((y & 1) * 3)) as usize;
            let numbers = set % SETS * RAYS..(set % SETS + 1) * RAYS;
            let rays = numbers.map(|number| (number, directions[number]));
            let start = (room, grid.position(site));
            let (own_room, _) = locate(level, scene, room, start.1, &mut memory)?;
            if own_room != room {
                return None;
            }
            let bundles = trace_probe(level, scene, start, rays, &mut memory)?;
            let traced = TracedProbe {
                site: grid.site(site),
                bundles,
                direct: in_air(level, scene, lights, start, &mut memory),
            };
            Some((room, traced))
        });
        traced.collect::<Vec<_>>()
    });
    let traced: Vec<_> = traced.into_iter().flatten().collect();
    let mut own = vec![None; layout.site_count];
    for (number, (_, traced)) in (0..).zip(&traced) {
        own[traced.site as usize] = Some(number);
    }
    let sight = parallel_map(layout.grids.len(), cores(), |room| {
        find_sight(level, scene, RoomId(room as u32), (&layout, &own))
    });
    // Probes that are nowhere in sight lie outside their room.
    let mut numbers = vec![NO_PROBE; traced.len()];
    let seen = sight.iter().flat_map(|sight| sight.sites.iter().flatten());
    seen.for_each(|&(number, _)| numbers[number as usize] = 0);
    let traced = traced.into_iter().zip(&mut numbers);
    for ((room, traced), number) in traced.filter(|(_, number)| **number != NO_PROBE) {
        *number = probes.probes.len() as u32;
        let first_bundle = probes.bundles.len() as u32;
        for bundle in traced.bundles {
            let first = probes.rays.len() as u32;
            let rays = bundle.ends.iter();
            let rays = rays.map(|(end, number)| ProbeRay::new(source_of(end), *number));
            probes.rays.extend(rays);
            probes.bundles.push(ProbeBundle {
                chain: chains.intern(&bundle.chain),
                rays: first..probes.rays.len() as u32,
                count: bundle.count,
                directions: bundle.directions,
                sky: bundle.sky,
            });
        }
        let first_direct = probes.direct.len() as u32;
        for LightThrough { chain, light } in traced.direct {
            probes.direct.push(ProbeDirect {
                chain: chains.intern(&chain),
                light: light.all,
                unlisted: light.unlisted,
            });
        }
        probes.probes.push(Probe {
            room,
            bundles: first_bundle..probes.bundles.len() as u32,
            direct: first_direct..probes.direct.len() as u32,
        });
    }
    for (grid, sight) in layout.grids.iter().zip(sight) {
        for (site, found) in (grid.first_site as usize..).zip(sight.sites) {
            if let Some((number, passed)) = found {
                let chain = chains.intern(&passed);
                let probe = numbers[number as usize];
                probes.sites[site] = ProbeSite { probe, chain };
            }
        }
        probes.in_sight.extend(sight.in_sight);
    }
    probes.layout = layout;
    probes
}

/// Traces the rays of a probe; `None` if it lies inside an object or outside its room.
fn trace_probe(
    level: &Level,
    scene: &RayScene,
    (room, point): (RoomId, Vec3),
    rays: impl Iterator<Item = (usize, Vec3)>,
    memory: &mut RayMemory,
) -> Option<Vec<TracedProbeBundle>> {
    let mut bundles: Vec<TracedProbeBundle> = Vec::new();
    let mut outside = 0.0;
    for (number, direction) in rays {
        let ray = RayStart {
            room,
            point,
            direction,
            length: f32::INFINITY,
        };
        let end = scene.follow(level, ray, memory)?;
        let is_sky = is_sky(level, scene, &end);
        if end.is_back || end.leaves && !is_sky {
            outside += 1.0;
            if outside > MAX_BACK_FACES * RAYS as f32 {
                return None;
            }
        }
        let known = bundles.iter().position(|b| b.chain == memory.passed);
        let bundle = known.unwrap_or_else(|| {
            bundles.push(TracedProbeBundle {
                chain: memory.passed.clone(),
                ends: Vec::new(),
                count: 0.0,
                directions: Vec3::ZERO,
                sky: LightSum::default(),
            });
            bundles.len() - 1
        });
        let bundle = &mut bundles[bundle];
        bundle.count += 1.0;
        bundle.directions += direction;
        if is_sky {
            let radiance = sky_radiance(&level.sky, end.direction);
            bundle.sky.add(radiance, direction);
        } else {
            bundle.ends.push((RayLanding::of(&end), number));
        }
    }
    Some(bundles)
}

/// Finds the probes of a room's sites, and the sites in sight from each octant. `own` has the probe traced at each site.
///
/// Octants behind portals are included, as if the room went on there. So the light is the same on both sides of a portal.
fn find_sight(
    level: &Level,
    scene: &RayScene,
    room: RoomId,
    (layout, own): (&ProbeLayout, &[Option<u32>]),
) -> RoomSight {
    let grid = &layout.grids[room.0 as usize];
    let size = grid.octants();
    let mut sites = vec![None; grid.count.element_product() as usize];
    let mut in_sight = vec![0; size.element_product() as usize];
    let mut memory = RayMemory::default();
    for octant in places(size) {
        let centre = grid.octant_centre(octant);
        let Some((from, before)) = locate(level, scene, room, centre, &mut memory) else {
            continue;
        };
        let bits = &mut in_sight[(grid.octant(octant) - grid.first_octant) as usize];
        for (bit, corner) in CORNERS.into_iter().enumerate() {
            let site = octant / 2 + corner;
            let towards = grid.position(site);
            let end = room_behind(level, scene, (from, centre), towards, &mut memory);
            let Some(end) = end else {
                continue;
            };
            let found = layout.grids[end.0 as usize].site_at(towards);
            let Some(probe) = found.and_then(|site| own[site as usize]) else {
                continue;
            };
            let site = &mut sites[(grid.site(site) - grid.first_site) as usize];
            let (known, _) = site.get_or_insert_with(|| {
                let is_own = end == room;
                let passed = before.iter().chain(&memory.passed).copied();
                (probe, passed.filter(|_| !is_own).collect())
            });
            // Another probe may be in sight at the same place of another room.
            if *known == probe {
                *bits |= 1 << bit;
            }
        }
    }
    RoomSight { sites, in_sight }
}

/// The room that contains a point of a room's lattice, with the links between: the point may lie behind portals. `None`
/// if these portals bend space.
fn locate(
    level: &Level,
    scene: &RayScene,
    mut room: RoomId,
    point: Vec3,
    memory: &mut RayMemory,
) -> Option<(RoomId, PassedLinks)> {
    let mut passed = Vec::new();
    while let Some((_, portal)) = level
        .portals_of(room)
        .find(|(_, portal)| is_behind(level, scene, (room, point), &portal.polygon, memory))
    {
        if !portal.far_from_near.is_identity() || passed.len() == MAX_BEHIND {
            return None;
        }
        passed.push((Gate::of_link(portal.link), room));
        room = portal.far;
    }
    Some((room, passed))
}

/// Whether a point is in sight through a portal of its room from the other side: along a straight line to one of several
/// places of the portal's polygon.
fn is_behind(
    level: &Level,
    scene: &RayScene,
    (room, point): (RoomId, Vec3),
    polygon: &ConvexPolygon,
    memory: &mut RayMemory,
) -> bool {
    if polygon.plane.distance(point.as_dvec3()) <= 0.0 {
        return false;
    }
    let centre = polygon.centre();
    let corners = polygon.vertices.iter();
    let mut targets = corners
        .map(|corner| corner.lerp(centre, 0.1))
        .chain([centre]);
    targets.any(|target| {
        let target = target.as_vec3();
        let end = room_behind(level, scene, (room, point), target, memory);
        end == Some(room)
    })
}

/// The room in which a straight path ends; `None` if something is in between, or if portals bend the path.
fn room_behind(
    level: &Level,
    scene: &RayScene,
    (room, from): (RoomId, Vec3),
    to: Vec3,
    memory: &mut RayMemory,
) -> Option<RoomId> {
    let length = from.distance(to);
    let ray = RayStart {
        room,
        point: from,
        direction: (to - from) / length,
        length,
    };
    if scene.follow(level, ray, memory).is_some() {
        return None;
    }
    let (room, end) = memory.end?;
    end.abs_diff_eq(to, 1e-3).then_some(room)
}

/// All places of an array of this size, in the order of their numbers.
fn places(size: UVec3) -> impl Iterator<Item = UVec3> {
    let planes = (0..size.z).flat_map(move |z| (0..size.y).map(move |y| (y, z)));
    planes.flat_map(move |(y, z)| (0..size.x).map(move |x| UVec3::new(x, y, z)))
}
