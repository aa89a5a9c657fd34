//! The room of each light.

use glam::DVec3;

use super::rooms_along_x::{Finder, TooMany};
use crate::geometry::by_coordinates;
use crate::level::locate::{is_in_or_above, is_inside};
use crate::level::winding::winding_around_lamp;
use crate::level::{At, LevelData, Light, LightKind, RoomId};
use crate::parallel::{cores, parallel_map};
use crate::problems::{ProblemCode, ProblemPlace, Problems};
use crate::source::{LevelSource, LightSource};

/// A lamp within this distance of a wall counts as in the room in front of the wall; metres.
const FLUSH: f64 = 0.005;

/// If the winding number around a lamp is nearer than this to an integer, the surface around the lamp is closed.
const PART_OF_TURN: f64 = 0.01;
/// Directions of the rays from lamps in shades. None is parallel to an axis, because many edges are.
const RAYS: [[f64; 3]; 14] = [
    [0.05, 1.0, 0.03],
    [-0.04, -1.0, 0.06],
    [1.0, 0.07, 0.04],
    [-1.0, -0.05, 0.06],
    [0.06, 0.03, 1.0],
    [-0.03, 0.05, -1.0],
    [0.9, 1.0, 1.1],
    [-0.9, 1.0, 1.1],
    [0.9, 1.0, -1.1],
    [-0.9, 1.0, -1.1],
    [0.9, -1.0, 1.1],
    [-0.9, -1.0, 1.1],
    [0.9, -1.0, -1.1],
    [-0.9, -1.0, -1.1],
];

/// Adds the lights. A light belongs to the room that contains it, as for spawns, or if there is none, to the room of
/// its parent node.
pub(super) fn add_lights(level: &mut LevelData, source: &LevelSource, problems: &mut Problems) {
    let mut lights: Vec<&LightSource> = source.lights.iter().collect();
    lights.sort_by(|a, b| {
        let by_name = a.node.cmp(&b.node);
        by_name.then(by_coordinates(a.position.0, b.position.0))
    });
    let mut finder = Finder::of(level);
    let shows_sky = level.shows_sky();
    let at_home = at_home(level, &lights);
    for (light, at_home) in lights.iter().zip(at_home) {
        let position = level.from_author(light.position);
        let parent = light.room.map(|room| RoomId(room as u32));
        let room = room_of_lamp(level, &mut finder, (parent, at_home), position);
        let found = match room {
            Ok(found) => found,
            Err(TooMany) => parent,
        };
        // The node of the sun may stand outside of all rooms.
        let is_sun = light.kind == LightKind::Directional && shows_sky;
        if found.is_none_or(|room| parent.is_some_and(|parent| parent != room)) && !is_sun {
            let message = match room {
                Ok(_) => misplaced(level, light, found),
                Err(TooMany) => "there are too many lights in rooms of too many triangles to find the room of this one; make it a child of its room".to_owned(),
            };
            let place = ProblemPlace::at(light.position);
            problems.add(false, ProblemCode::Light, &light.node, Some(place), || {
                message
            });
        }
        level.lights.push(Light {
            name: light.node.clone(),
            at: found.or(parent).map(|room| At::new(room, position)),
            direction: light.direction,
            colour: light.colour,
            intensity: light.intensity,
            range: light.range,
            radius: light.radius,
            kind: light.kind,
            starts_lit: light.starts_lit,
            is_switched: false,
            flicker: light.flicker,
            materials: Vec::new(),
        });
    }
    find_glowing(level, problems);
}

/// Finds the light that each material with [`Material::glows_with`] follows.
fn find_glowing(level: &mut LevelData, problems: &mut Problems) {
    let LevelData {
        materials, lights, ..
    } = level;
    for (index, material) in (0u32..).zip(&*materials) {
        let wanted = material.glows_with.as_str();
        if wanted.is_empty() {
            continue;
        }
        match lights.iter_mut().find(|light| light.name == wanted) {
            Some(light) => light.materials.push(index),
            None => {
                let message = format!(
                    "the material glows with {wanted}, which is no light, and so always glows; write the name of a light in the property `glows_with`"
                );
                problems.warn(ProblemCode::Light, &material.name, message);
            }
        }
    }
}

/// For each light whether it is in its parent room, computed on all cores; `None` for lights beyond the limit of the
/// work.
fn at_home(level: &LevelData, lights: &[&LightSource]) -> Vec<Option<bool>> {
    let mut finder = Finder::of(level);
    let affordable = lights.iter().map_while(|light| {
        let parent = light.room.map(|room| RoomId(room as u32));
        let rooms = parent.map_or(Vec::new(), |room| vec![room, room]);
        finder.pay(level, &rooms).ok()
    });
    let count = affordable.count();
    let mut known = parallel_map(count, cores(), |index| {
        let light = lights[index];
        let room = RoomId(light.room? as u32);
        Some(is_in(level, room, level.from_author(light.position)))
    });
    known.resize(lights.len(), None);
    known
}

/// Whether a lamp is in a room, flush with one of its walls, or in a shade that lights the room.
fn is_in(level: &LevelData, room: RoomId, position: DVec3) -> bool {
    let inwards = level.room(room).bounds.centre() - position;
    let in_front = position + FLUSH * inwards.normalize_or_zero();
    let holds = |point: DVec3| {
        let near = is_in_or_above(&level.room(room).bounds, point);
        near && is_inside(level, room, point, winding_around_lamp(level, room, point))
    };
    holds(position) || holds(in_front) || shines_out(level, room, position)
}

/// Whether a lamp in a shade lights the room. A shade is open, so the winding number around the lamp is not an integer,
/// and a ray that leaves the shade hits the front of a wall.
fn shines_out(level: &LevelData, room: RoomId, position: DVec3) -> bool {
    let bounds = level.room(room).bounds;
    if level.room(room).open_to_sky || !bounds.contains(position) {
        return false;
    }
    let winding = winding_around_lamp(level, room, position);
    if (winding - winding.round()).abs() < PART_OF_TURN {
        return false;
    }
    let reach = (bounds.max - bounds.min).length();
    RAYS.iter().any(|ray| {
        let ray = DVec3::from_array(*ray).normalize_or_zero() * reach;
        let solids = level.solids.of(&level.room(room).solids);
        let hits = solids.filter_map(|solid| {
            let triangle = solid.triangle();
            let part = triangle.hit_by_ray(position, ray)?;
            (part > 0.0).then(|| (part, triangle.cross()))
        });
        let first = hits.min_by(|(a, _), (b, _)| a.total_cmp(b));
        first.is_some_and(|(_, normal)| normal.dot(ray) < 0.0)
    })
}

/// The room of a lamp: the parent room if the lamp is in it, as `at_home` says if it was computed already.
fn room_of_lamp(
    level: &LevelData,
    finder: &mut Finder,
    (parent, at_home): (Option<RoomId>, Option<bool>),
    position: DVec3,
) -> Result<Option<RoomId>, TooMany> {
    if let Some(room) = parent {
        finder.pay(level, &[room, room])?;
        if at_home.unwrap_or_else(|| is_in(level, room, position)) {
            return Ok(parent);
        }
    }
    finder.room_of(level, position, |room| {
        winding_around_lamp(level, room, position)
    })
}

/// The message about a light that is not in its parent room, or is in no room.
fn misplaced(level: &LevelData, light: &LightSource, found: Option<RoomId>) -> String {
    let parent = light.room.map(|room| &level.rooms[room].name);
    match (found, parent) {
        (Some(found), Some(parent)) => format!(
            "the light stands in room `{0}`, which it lights, though it is a child of room `{parent}`; move it, or make it a child of `{0}`",
            level.room(found).name
        ),
        (None, Some(parent)) => format!(
            "the light stands inside no room (but in a wall, in something solid or outside); it is taken for one of room `{parent}`: move it into a room"
        ),
        (_, None) => {
            "the light stands inside no room, and lights nothing; move it into a room".to_owned()
        }
    }
}
