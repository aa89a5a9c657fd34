//! From what a file says to the room graph: checks, links, sorts.

use std::cmp::Ordering;
use std::ops::Range;

use glam::{DVec3, Vec2, Vec3};

use super::components::{connected_components, join_neighbours};
use super::door_panels::add_doors;
use super::lights::add_lights;
use super::link::link_portals;
use super::locate::{is_in_or_above, is_inside};
use super::rooms_along_x::{Finder, TooMany};
use super::solids::{Packed, Soup};
use super::winding::winding_in_air;
use super::{
    Alpha, Draw, Level, LevelSource, Material, MeshSource, Problems, Room, RoomId, RoomSource,
    SPAWN_LIFT, Solids, Spawn, SpawnSource, Surface, UnitVector, Vertex,
};
use crate::geometry::{Aabb, Triangle};

/// The origin is moved in steps of this many metres, so that levels near it keep every bit.
const ORIGIN_STEP: f64 = 256.0;
/// A corner farther from the origin than this, metres, along any axis is a mistake.
const MAX_COORDINATE: f64 = 1e12;
/// A level larger than this, metres, has no millimetres left in f32.
const MAX_EXTENT: f64 = 1e5;
/// Draws of one blended material in a room, or in a door panel, at most: with some thousands of
/// them a frame waits for the processor.
const MAX_PIECES: usize = 256;

/// Checks the source and links it to a level; the warnings come with it.
///
/// # Errors
/// All that makes the level unusable, with all warnings.
pub fn build(mut source: LevelSource) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    match build_reporting(&mut source, &mut problems) {
        Some(level) if problems.errors.is_empty() => Ok((level, problems)),
        _ => Err(problems),
    }
}

/// [`build`] that adds to the problems found so far. A level with errors among them is not to be
/// used; of the source only materials and pictures are taken.
pub(super) fn build_reporting(source: &mut LevelSource, problems: &mut Problems) -> Option<Level> {
    let before = problems.errors.total();
    sort_rooms(source, problems);
    let origin = origin_of(source, problems);
    if problems.errors.total() > before {
        return None;
    }
    let mut level = Level {
        name: source.name.clone(),
        origin,
        rooms: Vec::with_capacity(source.rooms.len()),
        portals: Vec::new(),
        links: Vec::new(),
        sprawls: Vec::new(),
        sprawling_triangles: Vec::new(),
        solids: Solids::default(),
        vertices: Vec::new(),
        indices: Vec::new(),
        draws: Vec::new(),
        materials: std::mem::take(&mut source.materials),
        images: std::mem::take(&mut source.images),
        lights: Vec::new(),
        sky: source.sky,
        exposure_stops: source.exposure_stops,
        spawns: Vec::new(),
        degenerate_triangles: 0,
    };
    add_rooms(&mut level, source);
    check_bounds(&level, source, problems);
    link_portals(&mut level, source, problems);
    add_doors(&mut level, source, problems);
    add_lights(&mut level, source, problems);
    add_spawns(&mut level, source, problems);
    if level.degenerate_triangles > 0 {
        let message = format!(
            "{} triangles without area were left out; remove them in the modeller (Blender: Mesh, Clean Up, Degenerate Dissolve)",
            level.degenerate_triangles
        );
        problems.warn("degenerate-triangles", "", message);
    }
    Some(level)
}

/// Sorts the rooms by name and renumbers what refers to them, so that nothing later depends on
/// the order in the file.
fn sort_rooms(source: &mut LevelSource, problems: &mut Problems) {
    if source.rooms.is_empty() {
        let message = "the level has no room; name an empty or a mesh `NAME-room` and put the room's meshes below it";
        problems.error("no-rooms", "", message);
    }
    let mut rooms: Vec<(usize, RoomSource)> = std::mem::take(&mut source.rooms)
        .into_iter()
        .enumerate()
        .collect();
    rooms.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    let mut new_from_old = vec![0; rooms.len()];
    for (new, (old, _)) in rooms.iter().enumerate() {
        new_from_old[*old] = new;
    }
    source.rooms = rooms.into_iter().map(|(_, room)| room).collect();
    for pair in source.rooms.windows(2) {
        if pair[0].name == pair[1].name {
            let message = format!(
                "`{}` is the same room name `{}`; rooms need names of their own (what follows `*` and suffixes like .001 do not count)",
                pair[0].node, pair[1].name
            );
            problems.error("room-name-twice", &pair[1].node, message);
        }
    }
    let door_meshes = source.doors.iter_mut().flat_map(|door| &mut door.meshes);
    for mesh in source.meshes.iter_mut().chain(door_meshes) {
        mesh.room = new_from_old[mesh.room];
    }
    for portal in &mut source.portals {
        portal.room = new_from_old[portal.room];
    }
    for bound in &mut source.bounds {
        bound.room = new_from_old[bound.room];
    }
    let lights = source.lights.iter_mut().filter_map(|l| l.room.as_mut());
    let spawns = source.spawns.iter_mut().filter_map(|s| s.room.as_mut());
    for room in lights.chain(spawns) {
        *room = new_from_old[*room];
    }
}

/// The middle of the level, rounded; far away levels are moved so that it becomes the origin.
fn origin_of(source: &LevelSource, problems: &mut Problems) -> DVec3 {
    let mut bounds = Aabb::EMPTY;
    for mesh in &source.meshes {
        let (mut around, mut is_sane) = (Aabb::EMPTY, true);
        for &p in &mesh.positions {
            around = around.with_point(p);
            is_sane &= p.abs().cmple(DVec3::splat(MAX_COORDINATE)).all();
        }
        if is_sane {
            bounds = bounds.union(around);
        } else {
            let message = "its corners lie out of all bounds under the node's transform; check the scale and translation of the node and its parents";
            problems.error("mesh-out-of-bounds", &mesh.node, message);
        }
    }
    if bounds.is_empty() {
        return DVec3::ZERO;
    }
    let extent = (bounds.max - bounds.min).max_element();
    if extent > MAX_EXTENT {
        let message = format!(
            "the level is {extent:.0} m across, more than the {MAX_EXTENT:.0} m in which millimetres can be told apart; check the units and remove meshes that lie far away"
        );
        problems.error("level-too-large", "", message);
    }
    (bounds.centre() / ORIGIN_STEP).round() * ORIGIN_STEP
}

/// A point of the level in f32; the addition turns -0 into 0.
pub(super) fn to_level(author: DVec3, origin: DVec3) -> Vec3 {
    (author - origin).as_vec3() + Vec3::ZERO
}

fn add_rooms(level: &mut Level, source: &LevelSource) {
    let mut meshes: Vec<&MeshSource> = source.meshes.iter().collect();
    meshes.sort_by_key(|mesh| mesh.room);
    let of_room = |room: usize| {
        let first = meshes.partition_point(|mesh| mesh.room < room);
        let end = meshes.partition_point(|mesh| mesh.room <= room);
        &meshes[first..end]
    };
    let sets: Vec<&[&MeshSource]> = (0..source.rooms.len()).map(of_room).collect();
    let packed = append_solids(level, &sets);
    for ((room, meshes), packed) in source.rooms.iter().zip(sets).zip(packed) {
        let (draws, drawn_bounds) = append_draws(level, meshes);
        level.rooms.push(Room {
            name: room.name.clone(),
            bounds: drawn_bounds.union(level.solids.bounds(&packed.set)),
            portals: 0..0,
            sprawls: 0..0,
            doors: Vec::new(),
            barriers: Vec::new(),
            solids: packed.set,
            draws,
            triangles: packed.given as u32,
            open_to_sky: room.open_to_sky,
        });
    }
}

/// A room's bounds say how far the author means it to reach; what sticks out was probably parented
/// to the wrong room. Nothing else is made of them: the polygons are more exact.
fn check_bounds(level: &Level, source: &LevelSource, problems: &mut Problems) {
    for bound in &source.bounds {
        let room = &level.rooms[bound.room];
        let corners = bound.triangles.iter().flatten();
        let allowed = Aabb::around(corners.map(|&p| p - level.origin)).grown(0.01);
        if !room.bounds.is_empty() && allowed.union(room.bounds) != allowed {
            let (p, q) = (
                room.bounds.min + level.origin,
                room.bounds.max + level.origin,
            );
            let message = format!(
                "the meshes of room `{}` reach from ({:.2}, {:.2}, {:.2}) to ({:.2}, {:.2}, {:.2}), out of these bounds; enlarge them, or give the mesh that sticks out to its own room",
                room.name, p.x, p.y, p.z, q.x, q.y, q.z
            );
            problems.warn("bound-too-small", &bound.node, message);
        }
    }
}

/// Packs the solid triangles of the meshes of each set.
pub(super) fn append_solids(level: &mut Level, sets: &[&[&MeshSource]]) -> Vec<Packed> {
    let sets: Vec<Vec<&MeshSource>> = sets
        .iter()
        .map(|set| set.iter().filter(|mesh| mesh.solid).copied().collect())
        .collect();
    let packed = pack_meshes(&mut level.solids, level.origin, &level.materials, sets);
    level.degenerate_triangles += packed.iter().map(|set| set.without_area).sum::<usize>();
    packed
}

/// Packs all triangles of the meshes of each set.
pub(super) fn pack_meshes(
    solids: &mut Solids,
    origin: DVec3,
    materials: &[Material],
    mut sets: Vec<Vec<&MeshSource>>,
) -> Vec<Packed> {
    let size = |set: &Vec<&MeshSource>| set.iter().map(|mesh| mesh.triangles.len()).sum();
    let sizes: Vec<usize> = sets.iter().map(size).collect();
    // Surfaces are numbered here, in order; what is left can be done in any.
    let surfaces: Vec<Vec<(&MeshSource, Surface)>> = sets
        .iter_mut()
        .map(|set| {
            set.sort_by(|a, b| (&a.node, a.material).cmp(&(&b.node, b.material)));
            let mut surface = |mesh: &MeshSource| solids.surface(mesh.material as u32, &mesh.node);
            set.iter().map(|&mesh| (mesh, surface(mesh))).collect()
        })
        .collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    solids.append_all(&sizes, cores, |index| {
        let mut soup = Soup::default();
        for (mesh, surface) in &surfaces[index] {
            let points = mesh.positions.iter().map(|&p| to_level(p, origin));
            let two_sided = materials[mesh.material].double_sided;
            soup.add(points, &mesh.triangles, *surface, two_sided);
        }
        soup
    })
}

/// Adds the drawn triangles of the meshes, one range a material, or a connected piece of one that
/// blends; returns the ranges' range and the box around them.
pub(super) fn append_draws(level: &mut Level, meshes: &[&MeshSource]) -> (Range<u32>, Aabb) {
    let first_draw = level.draws.len() as u32;
    let mut bounds = Aabb::EMPTY;
    let mut drawn: Vec<&&MeshSource> = meshes.iter().filter(|mesh| mesh.drawn).collect();
    drawn.sort_by_key(|mesh| mesh.material);
    for of_material in drawn.chunk_by(|a, b| a.material == b.material) {
        let start = level.indices.len() as u32;
        for mesh in of_material {
            append_mesh(level, mesh);
        }
        let indices = start..level.indices.len() as u32;
        if indices.is_empty() {
            continue;
        }
        let material = of_material[0].material;
        let ranges = if level.materials[material].alpha == Alpha::Blend {
            let blended = &mut level.indices[start as usize..];
            let pieces = connected_components(&level.vertices, blended);
            let pieces = join_neighbours(&level.vertices, blended, pieces, MAX_PIECES);
            let pieces = pieces.into_iter();
            pieces.map(|p| start + p.start..start + p.end).collect()
        } else {
            vec![indices]
        };
        for indices in ranges {
            let of_range = &level.indices[indices.start as usize..indices.end as usize];
            let corners = of_range
                .iter()
                .map(|&i| level.vertices[i as usize].position);
            let drawn_bounds = Aabb::around(corners.map(|p| p.as_dvec3()));
            bounds = bounds.union(drawn_bounds);
            level.draws.push(Draw {
                material: material as u32,
                indices,
                bounds: drawn_bounds,
            });
        }
    }
    (first_draw..level.draws.len() as u32, bounds)
}

/// Adds the vertices and indices of one mesh; a mesh without normals gets flat ones.
fn append_mesh(level: &mut Level, mesh: &MeshSource) {
    let origin = level.origin;
    let vertex = |i: u32, normal: Option<Vec3>| {
        let i = i as usize;
        let position = to_level(mesh.positions[i], origin);
        let normal = normal.unwrap_or_else(|| mesh.normals[i]);
        let tangent = mesh.tangents.get(i).copied();
        let tangent = tangent.unwrap_or_else(|| normal.any_orthonormal_vector().extend(1.0));
        let colour = mesh.colours.get(i).copied().unwrap_or([1.0; 4]);
        Vertex {
            position,
            normal: UnitVector::pack(normal),
            tangent: UnitVector::pack_tangent(tangent.truncate(), tangent.w < 0.0),
            uvs: [0, 1].map(|set| mesh.uvs[set].get(i).copied().unwrap_or(Vec2::ZERO)),
            colour: colour.map(|c| (c.clamp(0.0, 1.0) * 65535.0).round() as u16),
        }
    };
    let base = level.vertices.len() as u32;
    if mesh.normals.is_empty() {
        for corners in &mesh.triangles {
            let triangle = Triangle {
                corners: corners.map(|i| mesh.positions[i as usize]),
            };
            let normal = triangle.normal().map_or(Vec3::Y, DVec3::as_vec3);
            let first = level.vertices.len() as u32;
            level
                .vertices
                .extend(corners.map(|i| vertex(i, Some(normal))));
            level.indices.extend([first, first + 1, first + 2]);
        }
    } else {
        let all = 0..mesh.positions.len() as u32;
        level.vertices.extend(all.map(|i| vertex(i, None)));
        let corners = mesh.triangles.iter().flatten();
        level.indices.extend(corners.map(|i| base + i));
    }
}

fn add_spawns(level: &mut Level, source: &LevelSource, problems: &mut Problems) {
    if source.spawns.is_empty() {
        let message = "the level has no spawn; add an empty named `player-spawn` where the character shall start";
        problems.error("no-spawn", "", message);
    }
    let mut spawns: Vec<&SpawnSource> = source.spawns.iter().collect();
    spawns.sort_by_key(|spawn| spawn.node != "player-spawn");
    let mut finder = Finder::of(level);
    for spawn in spawns {
        let position = spawn.position - level.origin;
        let above = position + DVec3::Y * SPAWN_LIFT;
        let parent = spawn.room.map(|room| RoomId(room as u32));
        let found = match room_of_spawn(level, &mut finder, parent, above) {
            Ok(found) => found,
            Err(TooMany) => parent,
        };
        let Some(room) = found else {
            let p = spawn.position;
            let message = format!(
                "it stands at ({:.3}, {:.3}, {:.3}), which is inside no room; move it into one, and see that the room is closed and its faces look inwards",
                p.x, p.y, p.z
            );
            problems.error("spawn-outside", &spawn.node, message);
            continue;
        };
        level.spawns.push(Spawn {
            name: spawn.node.clone(),
            room,
            position,
            yaw: libm::atan2(-spawn.forward.x, -spawn.forward.z).to_degrees(),
        });
    }
}

/// The room that a spawn is in: its parent if it is in that.
fn room_of_spawn(
    level: &Level,
    finder: &mut Finder,
    parent: Option<RoomId>,
    point: DVec3,
) -> Result<Option<RoomId>, TooMany> {
    let winding = |room| winding_in_air(level, room, point);
    if let Some(room) = parent {
        finder.pay(level, &[room])?;
        let near = is_in_or_above(&level.room(room).bounds, point);
        if near && is_inside(level, room, point, winding(room)) {
            return Ok(parent);
        }
    }
    finder.room_of(level, point, winding)
}

/// Order by x, then y, then z.
pub(super) fn by_coordinates(a: DVec3, b: DVec3) -> Ordering {
    let by_x = a.x.total_cmp(&b.x);
    by_x.then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}
