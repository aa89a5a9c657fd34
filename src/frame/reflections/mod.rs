//! The reflections of rooms: which cubes a frame needs, the pictures on their faces, and the records by which the
//! shader finds them.
//!
//! A cube is a picture of a room in all directions, from a fixed place of the room. Its faces are frames like any other,
//! so the renderer draws them through the portals with the same lights and shadows. The faces depend on the world and
//! on its light alone. They are composed when a surface that reflects the room is first visible, and again when the
//! world or its light changed.

mod light_state;
mod places;
mod records;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use glam::DMat3;

use super::compose::compose_fixed;
use super::data::{CubeId, DrawMesh, Frame, ReflectionCube};
use crate::geometry::Rigid;
use crate::level::{At, Level, Material, MoverPartId, PortalId, RoomId};
use crate::lighting::{Lighting, LitBy};
use crate::visibility::{Camera, Culling, Visibility, visible_rooms};
use crate::world::World;
use light_state::LightState;
use places::RoomCubes;
pub use places::max_cubes;

/// The number of cubes beyond which those that the frame does not need are forgotten.
const MAX_KEPT: usize = 1024;
/// The frames between two cubes that are composed in a live view: one for each face, so that the renderer draws at most
/// one face per frame.
const LIVE_PACE: u32 = 6;

/// The cubes of the rooms that were visible.
#[derive(Debug, Default)]
pub(super) struct RoomReflections {
    rooms: BTreeMap<RoomId, RoomCubes>,
    cubes: BTreeMap<CubeId, CubeState>,
    /// The frames to wait before the next cube of a live view.
    wait: u32,
    /// A counter of frames.
    now: u64,
    /// The rooms and mover parts whose surfaces reflect something in this frame, sorted.
    wanted: WantedCubes,
    scratch: FaceScratch,
}

/// The rooms that a frame's surfaces reflect, reused from frame to frame.
#[derive(Debug, Default)]
struct WantedCubes {
    /// Rooms with reflecting surfaces, and the index of their list.
    rooms: Vec<(RoomId, u32)>,
    /// Mover parts with reflecting surfaces, and the index of their list.
    parts: Vec<(MoverPartId, u32)>,
    /// The portals of these rooms whose far rooms blend into them.
    portals: Vec<PortalId>,
    /// These rooms, and the rooms behind these portals.
    all: Vec<WantedRoom>,
}

/// A room whose cubes are needed.
#[derive(Clone, Debug)]
struct WantedRoom {
    room: RoomId,
    /// Its range of [`WantedCubes::portals`].
    portals: Range<usize>,
    /// The index of its record.
    record: u32,
    /// The slot of its first cube.
    first_slot: u32,
}

impl WantedRoom {
    fn new(room: RoomId, portals: Range<usize>) -> Self {
        Self {
            room,
            portals,
            record: 0,
            first_slot: 0,
        }
    }
}

/// Working memory for faces.
#[derive(Debug, Default)]
struct FaceScratch {
    visibility: Visibility,
    frame: Frame,
}

/// A cube, and the state for which it was composed.
#[derive(Debug)]
struct CubeState {
    cube: Arc<ReflectionCube>,
    light: LightState,
    /// [`Lighting::revision`] when the cube was last compared with the world.
    revision: u64,
    last_used: u64,
}

impl RoomReflections {
    /// Forgets all cubes, after a change that the revision of the lighting does not count.
    pub(super) fn clear(&mut self) {
        self.cubes.clear();
    }

    /// Adds the reflections of a composed frame. A live view composes one cube in several frames; otherwise all cubes
    /// are those of this world.
    pub(super) fn add_to(
        &mut self,
        (level, world): (&Level, &World),
        lighting: &Lighting,
        frame: &mut Frame,
        is_live: bool,
    ) {
        self.now += 1;
        frame.reflections.clear();
        frame.reflections.max_faces = is_live.then_some(1);
        if !self.find_wanted(level, world, frame) {
            return;
        }
        let Self {
            rooms,
            cubes,
            wait,
            now,
            wanted,
            scratch,
        } = self;
        *wait = wait.saturating_sub(1);
        let mut oldest: Option<(u64, CubeId)> = None;
        for &WantedRoom { room, .. } in &wanted.all {
            let placed = rooms
                .entry(room)
                .or_insert_with(|| RoomCubes::new(level, room));
            for nth in 0..placed.places.len() as u32 {
                let id = CubeId { room, nth };
                let state = cubes.get_mut(&id);
                let revision = match state {
                    Some(state) => {
                        state.last_used = *now;
                        if state.revision == lighting.revision {
                            continue;
                        }
                        // Missing cubes come first.
                        state.revision.saturating_add(1)
                    }
                    None => 0,
                };
                if is_live {
                    if oldest.is_none_or(|before| (revision, id) < before) {
                        oldest = Some((revision, id));
                    }
                    continue;
                }
                let at = At::new(room, placed.places[nth as usize]);
                update_cube(cubes, (level, world), lighting, (id, at), (*now, scratch));
            }
        }
        if let Some((_, id)) = oldest
            && *wait == 0
        {
            *wait = LIVE_PACE;
            let at = At::new(id.room, rooms[&id.room].places[id.nth as usize]);
            update_cube(cubes, (level, world), lighting, (id, at), (*now, scratch));
        }
        if cubes.len() > MAX_KEPT {
            cubes.retain(|_, state| state.last_used == *now);
        }
        self.write_records((level, world), frame);
    }

    /// Finds the rooms that the frame needs; returns whether there is any.
    fn find_wanted(&mut self, level: &Level, world: &World, frame: &Frame) -> bool {
        let WantedCubes {
            rooms,
            parts,
            portals,
            all,
        } = &mut self.wanted;
        rooms.clear();
        parts.clear();
        portals.clear();
        all.clear();
        let mut last = None;
        for item in &frame.draws {
            let DrawMesh::Level(draw) = item.mesh else {
                continue;
            };
            let material = level.draws[draw as usize].material as usize;
            let material = level.materials.get(material);
            if last == Some(item.instance) || !material.is_some_and(Material::mirrors_surroundings)
            {
                continue;
            }
            last = Some(item.instance);
            match frame.instances[item.instance as usize].lit_by {
                LitBy::Room(room) | LitBy::Place(room, _) => rooms.push((room, 0)),
                LitBy::MoverPart(part) => {
                    parts.push((part, 0));
                    rooms.extend(world.room_of_part(part).map(|room| (room, 0)));
                }
            }
        }
        sort(rooms);
        sort(parts);
        for &(room, _) in &*rooms {
            let start = portals.len();
            records::add_blended_portals((level, world), room, portals);
            let far = portals[start..].iter();
            all.push(WantedRoom::new(room, start..portals.len()));
            all.extend(far.map(|&id| WantedRoom::new(level.portal(id).far, 0..0)));
        }
        // If a room has several entries, the one with portals is the first.
        all.sort_unstable_by_key(|wanted| (wanted.room, wanted.portals.is_empty()));
        all.dedup_by_key(|wanted| wanted.room);
        !all.is_empty()
    }

    /// Writes the records of the wanted rooms, and the lists of the instances.
    fn write_records(&mut self, (level, world): (&Level, &World), frame: &mut Frame) {
        let WantedCubes {
            rooms,
            parts,
            portals,
            all,
        } = &mut self.wanted;
        let reflections = &mut frame.reflections;
        // Index 0 means no list.
        reflections.records.push([0.0; 4]);
        // The lengths of all records are known, so a portal can name a record that follows.
        let (mut record, mut slot) = (reflections.records.len() as u32, 0);
        for wanted in &mut *all {
            let cubes = &self.rooms[&wanted.room];
            (wanted.record, wanted.first_slot) = (record, slot);
            slot += cubes.places.len() as u32;
            let portals = wanted.portals.len() as u32;
            record += records::room_len(cubes) + records::PORTAL_LEN * portals;
        }
        let of_room = |room: RoomId| {
            let found = all.binary_search_by_key(&room, |wanted| wanted.room);
            found.ok().map(|at| &all[at])
        };
        let portals_of = |wanted: &WantedRoom| {
            let ids = portals[wanted.portals.clone()].iter();
            ids.filter_map(|&id| {
                let portal = world.rooms().portal(level, id);
                Some((portal, of_room(portal.far)?))
            })
        };
        for wanted in &*all {
            let cubes = (wanted.room, &self.rooms[&wanted.room]);
            let cube = |id: CubeId| Some(Arc::clone(&self.cubes.get(&id)?.cube));
            records::add_room(reflections, cubes, wanted.portals.len(), cube);
            for (portal, far) in portals_of(wanted) {
                records::add_portal(&mut reflections.records, portal, far.record);
            }
        }
        let mut add_list = |room: RoomId, room_from_here: &Rigid| {
            let Some(own) = of_room(room) else {
                return 0;
            };
            let start = reflections.list_slots.len() as u32;
            let far = portals_of(own).map(|(_, far)| far);
            for wanted in std::iter::once(own).chain(far) {
                let count = self.rooms[&wanted.room].places.len() as u32;
                let slots = wanted.first_slot..wanted.first_slot + count;
                reflections.list_slots.extend(slots);
            }
            let slots = start..reflections.list_slots.len() as u32;
            records::add_list(reflections, own.record, room_from_here, slots)
        };
        for (room, list) in &mut *rooms {
            *list = add_list(*room, &Rigid::IDENTITY);
        }
        for (part, list) in &mut *parts {
            let place = world.part_room(level, *part);
            *list = add_list(place.room, &place.here_from_other);
        }
        for instance in &mut frame.instances {
            let list = match instance.lit_by {
                LitBy::Room(room) | LitBy::Place(room, _) => find(rooms, &room),
                LitBy::MoverPart(part) => find(parts, &part),
            };
            instance.reflections = list.unwrap_or(0);
        }
    }
}

fn sort<T: Ord + Copy>(list: &mut Vec<(T, u32)>) {
    list.sort_unstable();
    list.dedup();
}

fn find<T: Ord>(list: &[(T, u32)], key: &T) -> Option<u32> {
    let at = list.binary_search_by(|at| at.0.cmp(key)).ok()?;
    Some(list[at].1)
}

/// Composes a cube again; one that would look the same is kept.
fn update_cube(
    cubes: &mut BTreeMap<CubeId, CubeState>,
    (level, world): (&Level, &World),
    lighting: &Lighting,
    (id, at): (CubeId, At),
    (now, scratch): (u64, &mut FaceScratch),
) {
    let faces = FACES
        .map(|axes| face(level, world, at, axes, scratch))
        .to_vec();
    let light = LightState::of(lighting, &faces);
    let revision = lighting.revision;
    if let Some(state) = cubes.get_mut(&id)
        && state.light == light
        && is_same(&state.cube.faces, &faces)
    {
        state.revision = revision;
        return;
    }
    let state = CubeState {
        cube: Arc::new(ReflectionCube { id, faces }),
        light,
        revision,
        last_used: now,
    };
    cubes.insert(id, state);
}

/// Whether two cubes from one place show the same objects at the same places.
fn is_same(a: &[Frame], b: &[Frame]) -> bool {
    let mut pairs = a.iter().zip(b);
    pairs.all(|(a, b)| a.instances == b.instances && a.draws == b.draws)
}

/// The axes of the cameras of the faces +X, -X, +Y, -Y, +Z, -Z: right, up and back. The texels of a cube map are seen
/// from outside, so the pictures are mirrored when they are copied to it.
const FACES: [DMat3; 6] = {
    const fn axes(right: [f64; 3], up: [f64; 3], back: [f64; 3]) -> DMat3 {
        DMat3::from_cols_array_2d(&[right, up, back])
    }
    [
        axes([0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]),
        axes([0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]),
        axes([-1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]),
        axes([-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]),
        axes([-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]),
        axes([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
    ]
};

/// Composes the picture on a face.
fn face(level: &Level, world: &World, at: At, axes: DMat3, scratch: &mut FaceScratch) -> Frame {
    let camera = Camera::with_axes(at, axes, 90.0, 1.0);
    let FaceScratch { visibility, frame } = scratch;
    visible_rooms(Culling::Portals, level, world, &camera, visibility);
    compose_fixed(level, world, &camera, &visibility.seen_by(&camera), frame);
    Frame {
        clip_from_view: frame.clip_from_view,
        eye_from_view: frame.eye_from_view,
        instances: frame.instances.clone(),
        draws: frame.draws.clone(),
        solid_draws: frame.solid_draws,
        sheets: frame.sheets.clone(),
        ..Frame::default()
    }
}
