//! Rooms that are accidentally rotated by a few degrees, so that their openings fit none of their portals.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Finding;
use super::suppress::{Context, Merged};
use crate::level::{LevelData, RoomId};
use crate::problems::ProblemPlace;

/// With at least this many rotated openings in a room, the room itself is taken to be rotated.
const OPENINGS: usize = 2;

/// Merges the findings about all openings of a room that are slightly rotated against their portals.
pub(super) fn merged(context: &Context, findings: &[(usize, &Finding)]) -> Vec<Merged> {
    let Some(level) = context.level else {
        return Vec::new();
    };
    let mut by_room: BTreeMap<RoomId, Vec<(usize, &Finding)>> = BTreeMap::new();
    for &(index, finding) in findings {
        for room in finding.rooms.iter().filter(|_| finding.turned.is_some()) {
            by_room.entry(*room).or_default().push((index, finding));
        }
    }
    let mut rooms: Vec<(RoomId, Vec<(usize, &Finding)>)> = by_room.into_iter().collect();
    // The sort is stable: rooms with equal counts keep their order.
    rooms.sort_by_key(|(_, openings)| std::cmp::Reverse(openings.len()));
    let mut is_merged = BTreeSet::new();
    let mut merged = Vec::new();
    for (room, openings) in rooms {
        let rest = openings.into_iter();
        let rest = rest.filter(|(index, _)| !is_merged.contains(index));
        let (effects, rest): (Vec<usize>, Vec<&Finding>) = rest.unzip();
        if rest.len() < OPENINGS {
            continue;
        }
        is_merged.extend(effects.iter().copied());
        let finding = of_room((level, context), room, &rest);
        merged.push(Merged { finding, effects });
    }
    merged
}

/// The finding that replaces the findings of a room; there is at least one.
fn of_room(
    (level, context): (&LevelData, &Context),
    room: RoomId,
    openings: &[&Finding],
) -> Finding {
    let degrees = openings.iter().filter_map(|opening| opening.turned);
    let names: Vec<&str> = openings
        .iter()
        .map(|opening| opening.node.as_str())
        .collect();
    let message = format!(
        "room `{}` is turned by {:.1} degrees against the rooms around it: its openings and portals do not fit (`{}`), and one sees outside through the gaps; set its rotation back (Blender: select the room, Alt+R), or turn the rooms and portals around it with it",
        level.room(room).name,
        degrees.fold(0.0, f64::max),
        names.join("`, `")
    );
    let places = openings.iter().filter_map(|opening| opening.place.as_ref());
    let edges = places.clone().flat_map(|place| place.edges.iter().copied());
    let place = places.clone().next();
    let place = place.map(|place| ProblemPlace::around(place.point, edges.collect()));
    let node = &context.source.rooms[room.0 as usize].node;
    Finding::warning(openings[0].code, node, message, place).of(room)
}
