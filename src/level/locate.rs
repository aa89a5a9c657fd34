//! Which room is a point in? Decided by the polygons, not by boxes.

use super::{Alpha, Level, Material, Portal, RoomId};
use crate::geometry::{Triangle, solid_angle};

use glam::DVec3;

/// Triangles that the lights, or the spawns, of a level are compared with, at most: some seconds'
/// work. Those for which that is not enough are where their nodes say.
pub(super) const MOST_COMPARED: u64 = 1 << 26;

/// The room that `point` (level coordinates) is inside of: the one whose closed surface winds
/// around the point the most. For spawns and teleports; what moves changes room by crossing
/// portals.
pub fn locate(level: &Level, point: DVec3) -> Option<RoomId> {
    let holds = |room: &RoomId| level.room(*room).bounds.contains(point);
    let winding = |room| winding_number(level, room, point);
    locate_among(level, point, level.room_ids().filter(holds), winding)
}

/// [`locate`] among the rooms whose box holds the point, by how often they wind around it.
pub(super) fn locate_among(
    level: &Level,
    point: DVec3,
    rooms: impl IntoIterator<Item = RoomId>,
    winding: impl Fn(RoomId) -> f64,
) -> Option<RoomId> {
    let mut best = None;
    for room in rooms {
        let winding = winding(room);
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

/// How often the room's surface, closed by its portals, winds around `point`: 1 inside, 0 outside, between where the
/// surface has holes. The generalized winding number of Jacobson, Kavan and Sorkine-Hornung,
/// "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013, section 3,
/// with the sign of surfaces that face inwards. The better of what is solid and what is drawn.
pub(super) fn winding_number(level: &Level, id: RoomId, point: DVec3) -> f64 {
    winding_of(level, id, point, |_| true)
}

/// How often the closed room winds around a lamp. A lamp may stand inside of what it shines out
/// of, a bulb or a shade: such surfaces count or do not, whichever is more.
pub(super) fn winding_around_lamp(level: &Level, id: RoomId, point: DVec3) -> f64 {
    let all = winding_number(level, id, point);
    if all > 0.5 {
        return all;
    }
    let keeps_light_in = |material: &Material| {
        material.sky || material.alpha == Alpha::Opaque && material.emissive == [0.0; 3]
    };
    all.max(winding_of(level, id, point, keeps_light_in))
}

/// [`winding_number`] of the triangles whose material counts.
fn winding_of(level: &Level, id: RoomId, point: DVec3, counts: impl Fn(&Material) -> bool) -> f64 {
    let counts = |material: u32| counts(&level.materials[material as usize]);
    let room = level.room(id);
    let portals: f64 = level
        .portals_of(id)
        .flat_map(|(_, portal)| portal.polygon.triangles())
        .map(|t| -solid_angle(&t, point))
        .sum();
    let solid: f64 = level
        .solids
        .of(&room.solids)
        .filter(|solid| counts(solid.surface.material))
        .map(|solid| solid_angle(&solid.triangle(), point))
        .sum();
    let turns = |angle: f64| (angle + portals) / (4.0 * std::f64::consts::PI);
    if turns(solid) > 0.5 {
        return turns(solid);
    }
    let draws = &level.draws[room.draws.start as usize..room.draws.end as usize];
    let drawn: f64 = draws
        .iter()
        .filter(|draw| counts(draw.material))
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

/// How many triangles a look at a room compares a point with.
pub(super) fn triangles_in(level: &Level, id: RoomId) -> u64 {
    let room = level.room(id);
    let draws = &level.draws[room.draws.start as usize..room.draws.end as usize];
    let drawn = draws.iter().map(|draw| draw.indices.len() / 3);
    (room.solids.len() + drawn.sum::<usize>()) as u64
}

/// The rooms of a level in order along x: many points are located in them without a look at
/// every room for each.
pub(super) struct RoomsAlongX {
    /// Where each box starts, in order.
    starts: Vec<(f64, RoomId)>,
    /// Where the last of the boxes up to this one ends.
    ends: Vec<f64>,
}

impl RoomsAlongX {
    pub(super) fn of(level: &Level) -> Self {
        let start = |id: RoomId| (level.room(id).bounds.min.x, id);
        let mut starts: Vec<(f64, RoomId)> = level.room_ids().map(start).collect();
        starts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let ends = starts.iter().scan(f64::NEG_INFINITY, |end, (_, id)| {
            *end = end.max(level.room(*id).bounds.max.x);
            Some(*end)
        });
        Self {
            ends: ends.collect(),
            starts,
        }
    }

    /// The rooms whose box holds the point, in the level's order.
    pub(super) fn around(&self, level: &Level, point: DVec3) -> Vec<RoomId> {
        let started = self.starts.partition_point(|(start, _)| *start <= point.x);
        let started = self.starts[..started].iter().zip(&self.ends).rev();
        let near = started.take_while(|(_, end)| **end >= point.x);
        let ids = near.map(|((_, id), _)| *id);
        let mut ids: Vec<RoomId> = ids
            .filter(|&id| level.room(id).bounds.contains(point))
            .collect();
        ids.sort_unstable();
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::build;
    use crate::level::sketch::{Sketch, cuboid};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rooms_along_x_are_those_whose_box_holds_the_point(
            boxes in prop::collection::vec([-4..4i8, -4..4i8, 1..6i8], 1..20),
            point in prop::array::uniform2(-10..=20i8),
        ) {
            let mut sketch = Sketch::new("boxes");
            for (i, [x, z, side]) in boxes.into_iter().enumerate() {
                let min = [f64::from(x), 0.0, f64::from(z)];
                let max = [min[0] + f64::from(side), 2.0, min[2] + 2.0];
                sketch.box_room(&format!("room{i}"), cuboid(min, max), &[]);
            }
            sketch.spawn(0, sketch.source.meshes[0].positions[0] + 0.1, DVec3::X);
            let level = build(sketch.source).map_err(|problems| problems.to_string()).unwrap().0;
            // Walls are hit as often as not.
            let point = DVec3::new(0.5 * f64::from(point[0]), 1.0, 0.5 * f64::from(point[1]));
            let expected = level.room_ids().filter(|&id| level.room(id).bounds.contains(point));
            let found = RoomsAlongX::of(&level).around(&level, point);
            prop_assert!(expected.eq(found));
        }
    }
}
