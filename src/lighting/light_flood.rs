//! How far a light's rays get: from its room through open portals into the next ones.

use glam::DVec3;

use super::clip_planes::{Source, clipped, sides_through};
use super::shadow::Caster;
use super::sun;
use crate::geometry::{Plane, Rigid};
use crate::level::{Level, Light, LightKind, PortalId, RoomId};
use crate::world::World;

/// How many openings light passes one after another.
const MAX_DEPTH: usize = 32;
/// How many times a lamp, or what comes in through one window, is placed in rooms: bounds the work
/// in mazes of openings.
const MAX_PLACES: usize = 256;
/// A lamp this near to an opening, metres, lights all of the room behind it.
const IN_OPENING: f64 = 0.01;
/// What the room behind an opening has on this side of it is lit as far as this, metres: deeper
/// than the reveals of doors in thick walls.
const DEEPEST_REVEAL: f64 = 1.0;
/// A cone wider than this, radians from its axis, is not narrowed to planes.
const WIDEST_CONE: f64 = 1.4;

/// A light at a room that it reaches.
#[derive(Clone, Debug)]
pub(super) struct LitRoom {
    pub room: RoomId,
    /// From the coordinates of the room that the light stands in, or comes in from.
    pub room_from_light: Rigid,
    /// Only what is in front of all of them is lit, in the room's coordinates: the planes through
    /// the light and the edges of the openings that it came through.
    pub sides: Vec<Plane>,
    /// The part of the last portal that the light fills, in the room's coordinates; empty where it
    /// passed none.
    pub opening: Vec<DVec3>,
    /// How many portals it passed.
    pub depth: usize,
    /// The last of them.
    through: Option<PortalId>,
    /// Which of the places where the light starts it came from.
    start: usize,
}

/// All places that one light reaches.
#[derive(Clone, Debug, Default)]
pub(super) struct LightFlood {
    pub places: Vec<LitRoom>,
    /// For each place the place that the light came from; itself for the first.
    pub before: Vec<usize>,
}

/// Floods the level with the light, as far as `range` metres. Only open portals let it pass.
pub(super) fn flood_light(level: &Level, world: &World, light: &Light, range: f64) -> LightFlood {
    let mut spread = LightFlood::default();
    let mut start = |room: RoomId, sides: Vec<Plane>| {
        spread.before.push(spread.places.len());
        spread.places.push(LitRoom {
            room,
            room_from_light: Rigid::IDENTITY,
            sides,
            opening: Vec::new(),
            depth: 0,
            through: None,
            start: spread.places.len(),
        });
    };
    match (light.kind, light.at.map(|at| at.room)) {
        (LightKind::Directional, room) => {
            if level.shows_sky() {
                for (room, sides) in sun::entrances(level, light.direction) {
                    start(room, sides);
                }
            } else if let Some(room) = room {
                start(room, Vec::new());
            }
        }
        (_, Some(room)) => start(room, Vec::new()),
        (_, None) => {}
    }
    let cone = cone(light);
    let mut counts = vec![0; spread.places.len()];
    let mut next = 0;
    while next < spread.places.len() {
        let at = &spread.places[next];
        let to_here = at.room_from_light;
        let source = match light.kind {
            LightKind::Directional => Source::Direction(to_here.vector(light.direction)),
            _ => Source::Point(to_here.point(light.position()), range),
        };
        let cone: Vec<Plane> = cone.iter().map(|side| to_here.plane(side)).collect();
        let mut beyond = Vec::new();
        // A straight ray does not come back through the opening that it came through.
        let back = at.through.and_then(|through| level.back(through));
        if at.depth < MAX_DEPTH && counts[at.start] < MAX_PLACES {
            for (id, portal) in level.portals_of(at.room) {
                if world.passes_light(portal.link) && Some(id) != back {
                    beyond.extend(through(level, at, id, source, &cone));
                }
            }
        }
        counts[at.start] += beyond.len();
        let before = std::iter::repeat_n(next, beyond.len());
        spread.before.extend(before);
        spread.places.extend(beyond);
        next += 1;
    }
    spread
}

/// Planes around the cone of a spot, in the coordinates of its room, to cut openings with.
fn cone(light: &Light) -> Vec<Plane> {
    const SIDES: usize = 8;
    let outer = match light.kind {
        LightKind::Spot { outer, .. } if f64::from(outer) < WIDEST_CONE => f64::from(outer),
        _ => return Vec::new(),
    };
    let across = light.direction.any_orthonormal_vector();
    let along = light.direction.cross(across);
    let (sin, cos) = libm::sincos(outer);
    let side = |i: usize| {
        let (y, x) = libm::sincos(std::f64::consts::TAU * i as f64 / SIDES as f64);
        let outwards = across * x + along * y;
        Plane::through(light.position(), light.direction * sin - outwards * cos)
    };
    (0..SIDES).map(side).collect()
}

/// What of the light passes the portal, in coordinates of the room behind it.
fn through(
    level: &Level,
    at: &LitRoom,
    id: PortalId,
    source: Source,
    cone: &[Plane],
) -> Option<LitRoom> {
    let portal = level.portal(id);
    let opening = &portal.polygon;
    // The reveal may belong to the room behind: what comes in where it begins may meet it.
    let mut reveal = reveal_depth(level, id);
    let in_opening = match source {
        Source::Point(position, range) => {
            let height = -opening.plane.distance(position);
            let in_opening = height > -IN_OPENING
                && height < reveal + IN_OPENING
                && opening.covers(position, IN_OPENING);
            if opening.distance(position) > range || !in_opening && height <= 0.0 {
                return None;
            }
            reveal = reveal.min(0.9 * height);
            in_opening
        }
        Source::Direction(direction) => {
            if opening.plane.normal.dot(direction) <= 0.0 {
                return None;
            }
            false
        }
    };
    let (mut polygon, mut sides) = (opening.vertices.clone(), at.sides.clone());
    if !in_opening {
        let to_reveal = opening.plane.normal * reveal;
        polygon.iter_mut().for_each(|p| *p -= to_reveal);
        polygon = clipped(polygon, &at.sides);
        if clipped(polygon.clone(), cone).is_empty() {
            return None;
        }
        sides = sides_through(&polygon, source)?;
    }
    let to_behind = &portal.far_from_near;
    Some(LitRoom {
        room: portal.far,
        room_from_light: to_behind.after(&at.room_from_light),
        sides: sides.iter().map(|s| to_behind.plane(s)).collect(),
        opening: polygon.iter().map(|&p| to_behind.point(p)).collect(),
        depth: at.depth + 1,
        through: Some(id),
        start: at.start,
    })
}

/// How far what belongs to the room behind an opening reaches through it to this side, metres.
fn reveal_depth(level: &Level, id: PortalId) -> f64 {
    let sprawl = level.sprawl_through(id);
    if sprawl.is_empty() {
        return 0.0;
    }
    let plane = level.portal(id).polygon.plane;
    let depths = sprawl.corners().map(|p| -plane.distance(p));
    let deepest = depths.into_iter().fold(0.0, f64::max);
    if deepest < DEEPEST_REVEAL {
        deepest
    } else {
        0.0
    }
}

impl LightFlood {
    /// What can stand in the way of the light on its way to the place with this index, or to any
    /// for `None`: the rooms that it passes, what pokes into them, and the shut doors in them.
    pub(super) fn casters(
        &self,
        level: &Level,
        world: &World,
        place: Option<usize>,
    ) -> Vec<Caster> {
        let mut casters: Vec<Caster> = Vec::new();
        let mut add = |caster: Caster| {
            if !casters.contains(&caster) {
                casters.push(caster);
            }
        };
        let mut add_place = |at: &LitRoom| {
            let light_from_room = at.room_from_light.inverse();
            add(Caster::room(level, at.room, light_from_room));
            for sprawl in level.sprawls_into(at.room) {
                let light_from_there = light_from_room.after(&sprawl.into_from_room);
                add(Caster::room(level, sprawl.room, light_from_there));
            }
            for (_, portal) in level.portals_of(at.room) {
                let light_from_to = light_from_room.after(&portal.far_from_near.inverse());
                let link = level.link(portal.link);
                if let Some(panel) = &link.panel
                    && !world.is_open(portal.link)
                {
                    let light_from_leaf = if link.near == at.room {
                        light_from_room
                    } else {
                        light_from_to
                    };
                    add(Caster::panel(level, panel, light_from_leaf));
                }
            }
        };
        match place {
            None => self.places.iter().for_each(add_place),
            Some(mut index) => loop {
                add_place(&self.places[index]);
                if self.before[index] == index {
                    break;
                }
                index = self.before[index];
            },
        }
        casters
    }
}
