//! Which room is a point in? Decided by the polygons, not by boxes.

use super::{Level, Portal, RoomId};
use crate::geometry::{Aabb, Triangle, solid_angle};

use glam::DVec3;

/// Whether a room's portals count as walls when asking what is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closure {
    /// Only its polygons: openings let the inside leak out.
    Open,
    /// Its polygons and its portals: a closed surface.
    WithPortals,
}

/// The room that `point` (level coordinates) is inside of: the one whose closed surface winds
/// around the point the most. For spawns and teleports; what moves changes room by crossing
/// portals.
pub fn locate(level: &Level, point: DVec3) -> Option<RoomId> {
    let mut best = None;
    for room in level.room_ids() {
        if !level.room(room).bounds.contains(point) {
            continue;
        }
        let winding = winding_number(level, room, point, Closure::WithPortals);
        if winding > 0.5 && best.is_none_or(|(_, most)| winding > most) {
            best = Some((room, winding));
        }
    }
    best.map(|(room, _)| beyond_overhang(level, room, point))
}

/// A point in a part of `room` that reaches out through a portal (a door reveal) counts to the
/// room that it reaches into, as for one who walked there.
fn beyond_overhang(level: &Level, room: RoomId, point: DVec3) -> RoomId {
    for (id, portal) in level.portals_of(room) {
        let Some(back) = level.back(id).map(|back| level.portal(back)) else {
            continue;
        };
        let beyond = portal.polygon.plane.distance(point) > 0.0
            && portal.polygon.covers(point, 0.0)
            && back.overhangs
            && back.reach.contains(portal.to_from_from.point(point))
            && portal.to_from_from.is_identity()
            && !leaves_again(level, portal, point);
        if beyond {
            return portal.to;
        }
    }
    room
}

/// Whether one who enters the portal straight towards `point` leaves the room entered before it,
/// through another portal.
fn leaves_again(level: &Level, entered: &Portal, point: DVec3) -> bool {
    let plane = &entered.polygon.plane;
    let entry = point - plane.normal * plane.distance(point);
    level.portals_of(entered.to).any(|(_, other)| {
        let plane = &other.polygon.plane;
        let (before, after) = (plane.distance(entry), plane.distance(point));
        let crosses = before < 0.0 && after > 0.0;
        crosses && {
            let crossing = entry + (point - entry) * (before / (before - after));
            other.polygon.covers(crossing, 0.0)
        }
    })
}

/// How often the room's surface winds around `point`: 1 inside, 0 outside, between where the
/// surface has holes. The generalized winding number of Jacobson, Kavan and Sorkine-Hornung,
/// "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013, section 3,
/// with the sign of surfaces that face inwards. The better of what is solid and what is drawn.
pub(super) fn winding_number(level: &Level, id: RoomId, point: DVec3, closure: Closure) -> f64 {
    let room = level.room(id);
    let portals: f64 = match closure {
        Closure::Open => 0.0,
        Closure::WithPortals => level
            .portals_of(id)
            .flat_map(|(_, portal)| portal.polygon.triangles())
            .map(|t| -solid_angle(&t, point))
            .sum(),
    };
    let solid: f64 = level
        .solids
        .of(&room.solids)
        .map(|solid| solid_angle(&solid.triangle(), point))
        .sum();
    let turns = |angle: f64| (angle + portals) / (4.0 * std::f64::consts::PI);
    if turns(solid) > 0.5 {
        return turns(solid);
    }
    let draws = &level.draws[room.draws.start as usize..room.draws.end as usize];
    let drawn: f64 = draws
        .iter()
        .flat_map(|draw| {
            level.indices[draw.indices.start as usize..draw.indices.end as usize].chunks_exact(3)
        })
        .map(|corners| {
            let at = |k: usize| level.vertices[corners[k] as usize].position.as_dvec3();
            solid_angle(
                &Triangle {
                    corners: [at(0), at(1), at(2)],
                },
                point,
            )
        })
        .sum();
    turns(solid).max(turns(drawn))
}

/// The rooms whose box, grown by `margin` metres, holds the point.
pub(super) fn rooms_around(
    level: &Level,
    point: DVec3,
    margin: f64,
) -> impl Iterator<Item = RoomId> {
    level.room_ids().filter(move |&id| {
        let bounds: Aabb = level.room(id).bounds;
        bounds.grown(margin).contains(point)
    })
}
