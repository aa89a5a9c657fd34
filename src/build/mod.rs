//! The build: turns the source into the room graph, with checks, links and sorting.

mod bodies;
mod cache;
mod door_panels;
mod images;
mod joints;
mod lights;
mod link;
mod meshes;
mod moved_rooms;
mod movers;
mod opening;
mod rooms_along_x;
mod seams;
mod spawns;
mod sprawl;
mod targets;
mod triggers;
mod unchanged;
mod unknown_rooms;
mod unnamed;
mod winding_tree;
mod windings;

#[cfg(test)]
mod tests;

pub(crate) use winding_tree::WindingTree;

use glam::DVec3;

use crate::geometry::{Aabb, SortedBoxes};
use crate::level::{
    AuthorPoint, Joints, Level, LevelData, OpeningTrees, Room, RoomId, SolidSet, Solids,
};
use crate::parallel::{cores, parallel_map};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::source::{LevelSource, MeshSource, RoomSource};
use bodies::add_bodies;
pub use cache::BuildCache;
use cache::RoomOffsets;
use joints::add_joints;
use lights::add_lights;
use link::link_portals;
use meshes::{append_drawn, append_solids, drawn, drawn_sizes, to_level};
use moved_rooms::{join_followers, mark_moving_portals, movers_of_rooms};
use movers::add_movers;
use seams::join_seams;
use spawns::add_spawns;
use sprawl::{measure_sprawl, pack_only_drawn};
use triggers::add_triggers;
use unchanged::{UnchangedRoom, room_key};
use windings::RoomSurfaces;

/// The origin is rounded to multiples of this, metres, so that coordinates of levels near the author's origin stay
/// exact.
const ORIGIN_STEP: f64 = 256.0;
/// A corner with a larger coordinate than this is a mistake; metres.
const MAX_COORDINATE: f64 = 1e12;
/// Number of rooms that are prepared for drawing at a time, on all cores. With more, more data would be in memory
/// twice.
const DRAWN_AHEAD: usize = 256;
/// Maximum extent of a level, metres. In a larger one f32 does not resolve millimetres.
const MAX_EXTENT: f64 = 1e5;
/// Checks the source and builds the level; returns the warnings with it.
///
/// # Errors
/// All problems that make the level unusable, with all warnings.
pub fn build(mut source: LevelSource) -> Result<(Level, Problems), Problems> {
    let mut problems = Problems::default();
    match build_reporting(&mut source, &BuildCache::default(), &mut problems) {
        Some((level, _)) if problems.errors.is_empty() => Ok((level, problems)),
        _ => Err(problems),
    }
}

/// As [`build`], but adds to existing problems. If there are errors among them, the level must not be used. Takes only
/// the materials and images out of the source. Reuses results of the last build, which saves time and does not change
/// the level. Also returns the cache of this build, still without the level and the images.
pub(crate) fn build_reporting(
    source: &mut LevelSource,
    last: &BuildCache,
    problems: &mut Problems,
) -> Option<(Level, BuildCache)> {
    let before = problems.errors.total();
    sort_rooms(source, problems);
    join_followers(source, problems);
    let origin = origin_of(source, problems);
    if problems.errors.total() > before {
        return None;
    }
    let mut level = LevelData {
        name: source.name.clone(),
        origin,
        rooms: Vec::with_capacity(source.rooms.len()),
        portals: Vec::new(),
        bends_space: false,
        links: Vec::new(),
        movers: Vec::new(),
        mover_parts: Vec::new(),
        bodies: Vec::new(),
        spawners: Vec::new(),
        joints: Joints::default(),
        solids_of_bodies: Vec::new(),
        triggers: Vec::new(),
        sprawls: Vec::new(),
        sprawling_triangles: Vec::new(),
        sprawling_parts: Vec::new(),
        solids: Solids::default(),
        vertices: Vec::new(),
        indices: Vec::new(),
        draws: Vec::new(),
        materials: std::mem::take(&mut source.materials),
        images: std::mem::take(&mut source.images),
        lights: Vec::new(),
        sky: source.sky,
        exposure_stops: source.exposure_stops,
        stiffness: source.stiffness,
        spawns: Vec::new(),
        degenerate_triangles: 0,
    };
    let (offsets, unchanged) = add_rooms(&mut level, source, last);
    check_bounds(&level, source, problems);
    let surfaces = RoomSurfaces::of(level.rooms.len(), &last.windings);
    link_portals(&mut level, source, &surfaces, problems);
    mark_moving_portals(&mut level, problems);
    let only_drawn = pack_only_drawn(&level, source, &unchanged);
    let sprawls = measure_sprawl(&mut level, &only_drawn, &surfaces, &last.sprawls);
    let windings = surfaces.into_memo();
    let seams = join_seams(&mut level);
    add_movers(&mut level, source, problems);
    add_bodies(&mut level, source, problems);
    add_joints(&mut level, source, problems);
    add_lights(&mut level, source, problems);
    add_triggers(&mut level, source, problems);
    add_spawns(&mut level, source, problems);
    if level.degenerate_triangles > 0 {
        warn_of_collapsed(&level, source, problems);
    }
    let rooms = level.rooms.iter().zip(offsets).zip(only_drawn.sets);
    let rooms = rooms.map(|((room, offsets), only_drawn)| {
        let offsets = RoomOffsets {
            only_drawn,
            ..offsets
        };
        (room.key, offsets)
    });
    let cache = BuildCache {
        rooms: rooms.collect(),
        seams,
        only_drawn: only_drawn.solids,
        windings,
        sprawls,
        ..BuildCache::default()
    };
    Some((Level::new(level), cache))
}

/// Warns of solid triangles with two equal corners. Triangles with three different corners on a line are left out
/// without a warning: exporters produce them from faces with a corner in the middle of a side.
fn warn_of_collapsed(level: &LevelData, source: &LevelSource, problems: &mut Problems) {
    let of_movers = source.movers.iter().flat_map(|mover| &mover.meshes);
    let of_bodies = source.bodies.iter().flat_map(|body| &body.meshes);
    let meshes = source.meshes.iter().chain(of_movers).chain(of_bodies);
    let collapsed = meshes.filter(|mesh| mesh.solid).flat_map(|mesh| {
        let corner = |i: u32| mesh.positions[i as usize];
        let corners = mesh.triangles.iter().map(move |t| t.map(corner));
        let is_collapsed = |corners: &[DVec3; 3]| {
            let [a, b, c] = corners.map(|p| to_level(p, level.origin));
            a == b || b == c || c == a
        };
        corners.filter(is_collapsed).map(move |[a, ..]| (mesh, a))
    });
    let mut collapsed = collapsed.peekable();
    let Some(&(first, at)) = collapsed.peek() else {
        return;
    };
    let message = format!(
        "{} triangles of the level have no area, of which this is the first, and are left out; remove them (Blender: Edit Mode, A, Mesh, Clean Up, Degenerate Dissolve)",
        collapsed.count()
    );
    let place = ProblemPlace::at(AuthorPoint(at));
    let code = ProblemCode::DegenerateTriangles;
    problems.add(false, code, &first.node, Some(place), || message);
}

/// Sorts the rooms by name and renumbers the references to them, so that their order in the file does not matter later.
fn sort_rooms(source: &mut LevelSource, problems: &mut Problems) {
    if source.rooms.is_empty() {
        let message = "the level has no room; name an empty or a mesh `NAME-room` and put the room's meshes below it";
        problems.error(ProblemCode::NoRooms, "", message);
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
                "`{}` is the same room name `{}`; rooms need unique names (the part from `*` on and suffixes like .001 do not count)",
                pair[0].node, pair[1].name
            );
            problems.error(ProblemCode::RoomNameTwice, &pair[1].node, message);
        }
    }
    for room in source.movers.iter_mut().flat_map(|m| &mut m.moved_rooms) {
        *room = new_from_old[*room];
    }
    let moving = source.movers.iter_mut().flat_map(|mover| &mut mover.meshes);
    let of_bodies = source.bodies.iter_mut().flat_map(|body| &mut body.meshes);
    for mesh in source.meshes.iter_mut().chain(moving).chain(of_bodies) {
        mesh.room = new_from_old[mesh.room];
    }
    for portal in &mut source.portals {
        portal.room = new_from_old[portal.room];
    }
    for trigger in &mut source.triggers {
        trigger.room = new_from_old[trigger.room];
    }
    for bound in &mut source.bounds {
        bound.room = new_from_old[bound.room];
    }
    let lights = source.lights.iter_mut().filter_map(|l| l.room.as_mut());
    let spawns = source.spawns.iter_mut().filter_map(|s| s.room.as_mut());
    let joints = source.joints.iter_mut().filter_map(|j| j.room.as_mut());
    for room in lights.chain(spawns).chain(joints) {
        *room = new_from_old[*room];
    }
}

/// The origin of the level: its centre, rounded to multiples of `ORIGIN_STEP`.
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
            problems.error(ProblemCode::MeshOutOfBounds, &mesh.node, message);
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
        problems.error(ProblemCode::LevelTooLarge, "", message);
    }
    (bounds.centre() / ORIGIN_STEP).round() * ORIGIN_STEP
}

/// Adds the rooms. Returns their offsets, without those of triangles that are only drawn; and for each room the room of
/// the level's last version from which it was copied, if any.
fn add_rooms<'a>(
    level: &mut LevelData,
    source: &LevelSource,
    last: &'a BuildCache,
) -> (Vec<RoomOffsets>, Vec<Option<UnchangedRoom<'a>>>) {
    let mut meshes: Vec<&MeshSource> = source.meshes.iter().collect();
    meshes.sort_by_key(|mesh| mesh.room);
    let of_room = |room: usize| {
        let first = meshes.partition_point(|mesh| mesh.room < room);
        let end = meshes.partition_point(|mesh| mesh.room <= room);
        &meshes[first..end]
    };
    let sets: Vec<&[&MeshSource]> = (0..source.rooms.len()).map(of_room).collect();
    let keys = parallel_map(sets.len(), cores(), |room| {
        room_key(level.origin, &level.materials, sets[room])
    });
    let unchanged = keys.iter().map(|&key| UnchangedRoom::with_key(key, last));
    let unchanged: Vec<Option<UnchangedRoom>> = unchanged.collect();
    let packed = append_solids(level, &sets, |room, first_node, solids| {
        Some(unchanged[room]?.append_solids(first_node, solids))
    });
    let of_last = last
        .level
        .as_ref()
        .map_or([0, 0], |last| [last.vertices.len(), last.indices.len()]);
    let changed = sets
        .iter()
        .zip(&unchanged)
        .filter(|(_, unchanged)| unchanged.is_none());
    let [vertices, indices] = changed.fold(of_last, |[vertices, indices], (meshes, _)| {
        let [more_vertices, more_indices] = drawn_sizes(meshes);
        [vertices + more_vertices, indices + more_indices]
    });
    // Reserves capacity for the vertices of movers and bodies too. Otherwise the list could double when they are added,
    // and need three times its memory meanwhile.
    let of_movers = source.movers.iter().flat_map(|mover| &mover.meshes);
    let of_bodies = source.bodies.iter().flat_map(|body| &body.meshes);
    let moving: Vec<&MeshSource> = of_movers.chain(of_bodies).collect();
    let [of_moving, indices_of_moving] = drawn_sizes(&moving);
    level.vertices.reserve_exact(vertices + of_moving);
    level.indices.reserve_exact(indices + indices_of_moving);
    let mut all_offsets = Vec::with_capacity(sets.len());
    let moved_by = movers_of_rooms(source);
    let rooms = source.rooms.iter().zip(moved_by);
    let mut drawn_ahead = Vec::new().into_iter();
    for (index, ((room, moved_by), ((packed, first_node), key))) in
        rooms.zip(packed.into_iter().zip(keys)).enumerate()
    {
        if index.is_multiple_of(DRAWN_AHEAD) {
            let count = DRAWN_AHEAD.min(sets.len() - index);
            let made = parallel_map(count, cores(), |ahead| {
                let room = index + ahead;
                let is_changed = unchanged[room].is_none();
                is_changed.then(|| drawn(level.origin, &level.materials, sets[room]))
            });
            drawn_ahead = made.into_iter();
        }
        let first_vertex = level.vertices.len() as u32;
        let new = drawn_ahead.next().flatten();
        let new = new.map(|drawn| append_drawn(level, drawn));
        let copied = || Some(unchanged[index]?.append_drawn(level));
        let (draws, drawn_bounds) = new.or_else(copied).unwrap_or((0..0, Aabb::EMPTY));
        all_offsets.push(RoomOffsets {
            room: RoomId(index as u32),
            vertices: first_vertex..level.vertices.len() as u32,
            first_node,
            without_area: packed.without_area,
            only_drawn: (SolidSet::default(), 0),
        });
        level.rooms.push(Room {
            name: room.name.clone(),
            key,
            bounds: drawn_bounds.union(level.solids.bounds(&packed.set)),
            portals: 0..0,
            one_way_entrances: Vec::new(),
            sprawls: 0..0,
            sprawls_elsewhere: Vec::new(),
            barriers: Vec::new(),
            movers: Vec::new(),
            mover_boxes: SortedBoxes::default(),
            openings: OpeningTrees::default(),
            triggers: Vec::new(),
            solids: packed.set,
            draws,
            triangles: packed.given as u32,
            open_to_sky: room.open_to_sky,
            moved_by,
        });
    }
    (all_offsets, unchanged)
}

/// Checks the rooms against their authored bounds, which are the intended extents. Geometry outside of them is probably
/// a child of the wrong room. The bounds have no other use, because the polygons are more exact.
fn check_bounds(level: &LevelData, source: &LevelSource, problems: &mut Problems) {
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
            problems.warn(ProblemCode::BoundTooSmall, &bound.node, message);
        }
    }
}
