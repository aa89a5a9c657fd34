//! How far a light's rays get: from its room through portals into the next ones.

use glam::{DVec3, Vec3};

use super::PlacedLight;
use crate::geometry::{Plane, Rigid};
use crate::level::{Level, Light, LightKind, Portal, RoomId};

/// How many openings light passes one after another.
const MAX_DEPTH: usize = 8;
/// How many times one light is placed in a room: bounds the work in mazes of openings.
const MAX_PLACES: usize = 256;
/// A lamp this near to an opening's plane, metres, lights all of the room behind it.
const IN_OPENING: f64 = 0.01;

/// A light that reaches a room, in the room's coordinates.
pub(super) struct Reaching {
    /// How much of it can arrive, for choosing among many: intensity over squared distance.
    pub strength: f64,
    /// The light without its sides.
    pub light: PlacedLight,
    /// Normals of the planes through the light and the opening's edges; inside is in front.
    pub sides: Vec<DVec3>,
}

/// A place that a light reaches, on the way.
struct Reached {
    room: RoomId,
    room_from_light: Rigid,
    sides: Vec<DVec3>,
    depth: usize,
}

/// Adds the light to every room that it reaches within `range` metres. Doors are taken as
/// open, so that the lists need not change when one moves.
pub(super) fn spread(level: &Level, light: &Light, range: f64, rooms: &mut [Vec<Reaching>]) {
    let Some(room) = light.room else { return };
    let mut work = vec![Reached {
        room,
        room_from_light: Rigid::IDENTITY,
        sides: Vec::new(),
        depth: 0,
    }];
    let mut next = 0;
    while next < work.len() {
        let at = &work[next];
        let position = at.room_from_light.point(light.position);
        let beyond = if at.depth < MAX_DEPTH && light.kind != LightKind::Directional {
            let portals = level.portals_of(at.room).map(|(_, portal)| portal);
            portals
                .filter_map(|portal| through(at, portal, position, range))
                .collect()
        } else {
            Vec::new()
        };
        let bounds = level.room(at.room).bounds;
        let nearest = position.clamp(bounds.min, bounds.max);
        let distance = position.distance(nearest).max(1.0);
        rooms[at.room.0 as usize].push(Reaching {
            strength: f64::from(light.intensity) / (distance * distance),
            light: placed(light, &at.room_from_light, range),
            sides: at.sides.clone(),
        });
        let places_left = MAX_PLACES.saturating_sub(work.len());
        work.extend(beyond.into_iter().take(places_left));
        next += 1;
    }
}

/// What of the light passes the portal, in coordinates of the room behind it.
fn through(at: &Reached, portal: &Portal, position: DVec3, range: f64) -> Option<Reached> {
    let height = portal.polygon.plane.distance(position);
    if height > IN_OPENING || portal.polygon.distance(position) > range {
        return None;
    }
    let sides = if height > -IN_OPENING {
        at.sides.clone()
    } else {
        sides_through(
            &clipped(&portal.polygon.vertices, &at.sides, position),
            position,
        )?
    };
    Some(Reached {
        room: portal.to,
        room_from_light: portal.to_from_from.after(&at.room_from_light),
        sides: sides
            .iter()
            .map(|&n| portal.to_from_from.vector(n))
            .collect(),
        depth: at.depth + 1,
    })
}

/// The part of a convex polygon that is inside of all sides through `position`.
fn clipped(vertices: &[DVec3], sides: &[DVec3], position: DVec3) -> Vec<DVec3> {
    let mut polygon = vertices.to_vec();
    for &side in sides {
        let plane = Plane::through(position, side);
        let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
        polygon = ends
            .flat_map(|(&a, &b)| {
                let (at_a, at_b) = (plane.distance(a), plane.distance(b));
                let crossing =
                    ((at_a < 0.0) != (at_b < 0.0)).then(|| a.lerp(b, at_a / (at_a - at_b)));
                (at_a >= 0.0).then_some(a).into_iter().chain(crossing)
            })
            .collect();
    }
    polygon
}

/// The planes through `position` and each edge of a polygon that faces away from it; `None`
/// where nothing of the polygon is left.
fn sides_through(polygon: &[DVec3], position: DVec3) -> Option<Vec<DVec3>> {
    let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
    // The winding is counter-clockwise seen from the front, and the light stands behind.
    let sides = ends.filter_map(|(&a, &b)| (a - position).cross(b - position).try_normalize());
    let sides: Vec<DVec3> = sides.collect();
    (sides.len() >= 3).then_some(sides)
}

fn placed(light: &Light, room_from_light: &Rigid, range: f64) -> PlacedLight {
    // As KHR_lights_punctual recommends: a factor linear in the cosine, squared in the shader.
    let (spot_scale, spot_offset) = match light.kind {
        LightKind::Spot { inner, outer } => {
            let scale = 1.0 / (inner.cos() - outer.cos()).max(1e-3);
            (scale, -outer.cos() * scale)
        }
        LightKind::Point | LightKind::Directional => (0.0, 1.0),
    };
    let inverse_range_squared = match light.kind {
        LightKind::Directional => -1.0,
        LightKind::Point | LightKind::Spot { .. } => (1.0 / (range * range).max(1e-6)) as f32,
    };
    PlacedLight {
        position: room_from_light.point(light.position).as_vec3(),
        inverse_range_squared,
        colour: Vec3::from_array(light.colour) * light.intensity,
        spot_scale,
        direction: room_from_light.vector(light.direction).as_vec3(),
        spot_offset,
        first_side: 0,
        sides: 0,
        padding: [0; 2],
    }
}
