//! Which room each light stands in.

use super::build::by_coordinates;
use super::locate::{MOST_COMPARED, RoomsAlongX, locate_among, triangles_in, winding_around_lamp};
use super::{Level, LevelSource, Light, LightKind, LightSource, Problems, RoomId};

/// A lamp that is flush with a wall stands in the room in front of it, metres.
const FLUSH: f64 = 0.005;

/// Adds the lights, each to the room that its place is in, as a spawn; one in no room stays with
/// the room that it is a child of.
pub(super) fn add_lights(level: &mut Level, source: &LevelSource, problems: &mut Problems) {
    let mut lights: Vec<&LightSource> = source.lights.iter().collect();
    lights.sort_by(|a, b| {
        let by_name = a.node.cmp(&b.node);
        by_name.then(by_coordinates(a.position, b.position))
    });
    let rooms = RoomsAlongX::of(level);
    let shows_sky = level.shows_sky();
    let mut left = MOST_COMPARED;
    for light in lights {
        let position = light.position - level.origin;
        let parent = light.room.map(|room| RoomId(room as u32));
        let around = rooms.around(level, position);
        let triangles = around.iter().map(|&id| triangles_in(level, id));
        let enough = left.checked_sub(triangles.sum());
        left = enough.unwrap_or(left);
        let winding = |room| winding_around_lamp(level, room, position);
        let is_in = |&room: &RoomId| {
            let inwards = level.room(room).bounds.centre() - position;
            let in_front = position + FLUSH * inwards.normalize_or_zero();
            around.contains(&room) && winding(room) > 0.5
                || rooms.around(level, in_front).contains(&room)
                    && winding_around_lamp(level, room, in_front) > 0.5
        };
        let found = match parent.filter(|room| enough.is_none() || is_in(room)) {
            None if enough.is_some() => locate_among(level, position, around, winding),
            parent => parent,
        };
        // The sun shines from everywhere.
        let is_sun = light.kind == LightKind::Directional && shows_sky;
        if found.is_none_or(|room| parent.is_some_and(|parent| parent != room)) && !is_sun {
            let message = match enough {
                Some(_) => misplaced(level, light, found),
                None => "there are too many lights in rooms of too many triangles to find the room of this one; make it a child of its room".to_owned(),
            };
            problems.warn("light", &light.node, message);
        }
        level.lights.push(Light {
            name: light.node.clone(),
            room: found.or(parent),
            position,
            direction: light.direction,
            colour: light.colour,
            intensity: light.intensity,
            range: light.range,
            kind: light.kind,
        });
    }
}

/// What is to be said of a light that is not in its parent's room, or in none.
fn misplaced(level: &Level, light: &LightSource, found: Option<RoomId>) -> String {
    let p = light.position;
    let place = format!("the light stands at ({:.3}, {:.3}, {:.3})", p.x, p.y, p.z);
    let parent = light.room.map(|room| &level.rooms[room].name);
    match (found, parent) {
        (Some(found), Some(parent)) => format!(
            "{place}, in room `{0}`, which it lights, though it is a child of room `{parent}`; move it, or make it a child of `{0}`",
            level.room(found).name
        ),
        (None, Some(parent)) => format!(
            "{place}, which is inside no room (but in a wall, in something solid or outside); it is taken for one of room `{parent}`: move it into a room"
        ),
        (_, None) => {
            format!("{place}, which is inside no room, and lights nothing; move it into a room")
        }
    }
}
