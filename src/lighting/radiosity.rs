//! Reflected light: each room has one ambient irradiance, to which its surfaces and the openings to its neighbours
//! contribute. Radiosity (C. Goral et al., 1984) with rooms as patches: the light that leaves a room's surfaces
//! arrives at the same surfaces again and passes the portals, in proportion to the areas.
//!
//! The result of every sweep is stored. After a change of a patch or a link, each sweep is repeated for the rooms that
//! depend on it, and for the rooms that depend on any room whose light in that sweep changed. The work is bounded,
//! because the change fades from room to room until not a single bit differs. The result is bitwise equal to solving
//! all rooms again.

use glam::Vec3;

use super::patch::RoomPatch;
use super::room_set::RoomSet;
use crate::level::{Level, Light, LinkId, RoomId};
use crate::world::World;

/// The number of sweeps over all rooms: after so many reflections from surfaces that are not quite white, the
/// remaining light is invisible.
const SWEEPS: usize = 24;

/// The minimum ambient irradiance in a level with lights whose reflected light is not traced; 1 is white on the screen.
const AMBIENT_WITH_LIGHTS: f32 = 0.06;
/// The minimum ambient irradiance in a level without any light; 1 is white on the screen.
const AMBIENT_ALONE: f32 = 0.6;

/// A portal out of a room.
#[derive(Clone, Copy, Debug)]
struct RadiosityPortal {
    far: RoomId,
    link: LinkId,
    /// The area, square metres.
    area: f32,
}

/// The radiosity solution of a level.
#[derive(Clone, Debug)]
pub(super) struct Radiosity {
    /// The radiosity of the sky.
    sky: Vec3,
    /// The openings of each room.
    openings: Vec<Vec<RadiosityPortal>>,
    /// The rooms that each room's light reaches directly, including the room itself.
    readers: Vec<Vec<RoomId>>,
    /// Ambient irradiance of each room after each sweep.
    sweeps: Vec<Vec<Vec3>>,
    /// The rooms to solve in every sweep.
    always: RoomSet,
    /// The rooms to solve in the current sweep.
    pending: RoomSet,
    /// The rooms to solve in the next sweep.
    next: RoomSet,
}

impl Radiosity {
    /// Creates the solution of a level with this sky colour, with all rooms dark.
    pub(super) fn new(level: &Level, sky: Vec3) -> Self {
        let count = level.rooms.len();
        let opening = |room| {
            let portals = level.portals_of(room);
            let openings = portals.map(|(_, portal)| RadiosityPortal {
                far: portal.far,
                link: portal.link,
                area: portal.polygon.area() as f32,
            });
            openings.collect()
        };
        let openings: Vec<Vec<RadiosityPortal>> = level.room_ids().map(opening).collect();
        let mut readers: Vec<Vec<RoomId>> = level.room_ids().map(|room| vec![room]).collect();
        for (room, openings) in level.room_ids().zip(&openings) {
            for opening in openings {
                let readers = &mut readers[opening.far.0 as usize];
                if !readers.contains(&room) {
                    readers.push(room);
                }
            }
        }
        Self {
            sky,
            openings,
            readers,
            sweeps: vec![vec![Vec3::ZERO; count]; SWEEPS],
            always: RoomSet::new(count),
            pending: RoomSet::new(count),
            next: RoomSet::new(count),
        }
    }

    /// The ambient irradiance of each room from lamps and from the sky.
    pub(super) fn ambient(&self) -> &[Vec3] {
        self.sweeps.last().map_or(&[], Vec::as_slice)
    }

    /// Updates the solution after changes of the patches or links of `changed` rooms, at this exposure. Adds to `relit`
    /// the rooms whose ambient irradiance changed.
    pub(super) fn update(
        &mut self,
        world: &World,
        patches: (&[RoomPatch], f32),
        changed: &RoomSet,
        relit: &mut RoomSet,
    ) {
        self.always.clear();
        for room in changed.iter() {
            for &reader in &self.readers[room.0 as usize] {
                self.always.insert(reader);
            }
        }
        for sweep in 0..SWEEPS {
            self.pending.insert_all(&self.always);
            let mut first = 0;
            while let Some(room) = self.pending.first_from(first) {
                first = room.0 + 1;
                let ambient = self.solve(world, patches, sweep, room);
                let before = &mut self.sweeps[sweep][room.0 as usize];
                if std::mem::replace(before, ambient) == ambient {
                    continue;
                }
                for &reader in &self.readers[room.0 as usize] {
                    // As in `solve`: later rooms read the value in this sweep, all others in the next one.
                    if reader > room {
                        self.pending.insert(reader);
                    } else {
                        self.next.insert(reader);
                    }
                }
                if sweep + 1 == SWEEPS {
                    relit.insert(room);
                }
            }
            self.pending.clear();
            std::mem::swap(&mut self.pending, &mut self.next);
        }
        self.pending.clear();
    }

    /// Solves the ambient irradiance of a room in a sweep: from the results of earlier rooms in this sweep, and of the
    /// room itself and later rooms in the previous sweep (Gauss-Seidel).
    fn solve(
        &self,
        world: &World,
        (patches, exposure): (&[RoomPatch], f32),
        sweep: usize,
        room: RoomId,
    ) -> Vec3 {
        let leaving = |from: RoomId| {
            let index = from.0 as usize;
            let sweep = if from < room {
                Some(sweep)
            } else {
                sweep.checked_sub(1)
            };
            let ambient = sweep.map_or(Vec3::ZERO, |sweep| self.sweeps[sweep][index]);
            patches[index].radiosity(exposure) + patches[index].albedo * ambient
        };
        let patch = &patches[room.0 as usize];
        let mut light = leaving(room) * patch.area + self.sky * patch.sky_area;
        let mut area = patch.area + patch.sky_area;
        for opening in &self.openings[room.0 as usize] {
            let is_open = world.passes_light(opening.link);
            let behind = if is_open { opening.far } else { room };
            light += leaving(behind) * opening.area;
            area += opening.area;
        }
        light / area.max(1e-3)
    }
}

/// The minimum ambient irradiance: 0 in a level with any light, if reflected light is traced.
pub(super) fn min_ambient(level: &Level, is_traced: bool) -> f32 {
    let glows = level
        .materials
        .iter()
        .any(|material| material.emissive != [0.0; 3]);
    if !glows && !level.shows_sky() && !level.lights.iter().any(Light::has_effect) {
        AMBIENT_ALONE
    } else if is_traced {
        0.0
    } else {
        AMBIENT_WITH_LIGHTS
    }
}
