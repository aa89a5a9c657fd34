//! Changes of a world that lighting has to follow.

use super::reach::Reaches;
use super::room_set::RoomSet;
use crate::level::{Level, LightId, LinkId, MoverId, RoomId};
use crate::world::World;

/// The differences between a world and the previous one that affect lighting.
pub(super) struct LightChanges {
    /// The rooms on both sides of links that began or stopped passing light.
    pub relinked: RoomSet,
    /// The rooms with surfaces that began or stopped glowing with a light.
    pub glowing: RoomSet,
    /// The movers whose poses changed.
    pub moved: Vec<MoverId>,
    /// The lights that must be flooded again, sorted by index: the lights that reach a room beside a moving portal or
    /// beside a link that changed, and the lights that were turned on or off.
    pub to_flood: Vec<u32>,
    /// The lights that reach rooms whose shadow casters changed, sorted by index; without those in `to_flood`.
    pub to_cast: Vec<u32>,
}

impl LightChanges {
    /// Compares two worlds; `None` if nothing changed.
    pub(super) fn between(
        level: &Level,
        before: &World,
        world: &World,
        reaches: &Reaches,
    ) -> Option<Self> {
        let moved: Vec<MoverId> = world.changed_movers(before).collect();
        let links: Vec<LinkId> = world.changed_links(before).collect();
        let mut bodies = world.bodies.changed(&before.bodies).peekable();
        let switched: Vec<LightId> = world.changed_lights(before).collect();
        if moved.is_empty() && links.is_empty() && bodies.peek().is_none() && switched.is_empty() {
            return None;
        }
        let mut changes = Self {
            relinked: RoomSet::new(level.rooms.len()),
            glowing: glowing(level, &switched),
            moved,
            to_flood: switched.iter().map(|light| light.0).collect(),
            to_cast: Vec::new(),
        };
        // The portals of moving rooms have different openings in every tick.
        for &mover in &changes.moved {
            for &room in &level.mover(mover).moved_rooms {
                for (_, portal) in level.portals_of(room).filter(|(_, p)| p.moves()) {
                    let lights = [portal.near, portal.far].map(|room| reaches.lights_in(room));
                    changes.to_flood.extend(lights.into_iter().flatten());
                }
            }
        }
        let rooms_of = |mover: MoverId| level.mover(mover).rooms.iter().copied();
        let mut shadowed: Vec<RoomId> = changes.moved.iter().copied().flat_map(rooms_of).collect();
        for id in bodies {
            shadowed.extend([before, world].map(|world| world.bodies.state(id).at.room));
        }
        shadowed.sort_unstable();
        shadowed.dedup();
        for id in links {
            let link = &level.links[id.0 as usize];
            if world.passes_light(id) != before.passes_light(id) {
                for room in [link.near, link.far] {
                    changes.relinked.insert(room);
                    changes.to_flood.extend(reaches.lights_in(room));
                }
            }
            // The panel appears or vanishes with the link.
            shadowed.extend(link.panel.into_iter().flat_map(rooms_of));
        }
        for room in shadowed {
            changes.to_cast.extend(reaches.lights_in(room));
        }
        for lights in [&mut changes.to_flood, &mut changes.to_cast] {
            lights.sort_unstable();
            lights.dedup();
        }
        let Self {
            to_flood, to_cast, ..
        } = &mut changes;
        to_cast.retain(|light| to_flood.binary_search(light).is_err());
        Some(changes)
    }
}

/// The rooms with surfaces that glow with one of these lights.
fn glowing(level: &Level, lights: &[LightId]) -> RoomSet {
    let mut rooms = RoomSet::new(level.rooms.len());
    let materials = lights.iter();
    let materials = materials.flat_map(|light| &level.lights[light.0 as usize].materials);
    let materials: Vec<u32> = materials.copied().collect();
    if materials.is_empty() {
        return rooms;
    }
    for room in level.room_ids() {
        let draws = level.room(room).draws.clone();
        let mut draws = level.draws[draws.start as usize..draws.end as usize].iter();
        if draws.any(|draw| materials.contains(&draw.material)) {
            rooms.insert(room);
        }
    }
    rooms
}
