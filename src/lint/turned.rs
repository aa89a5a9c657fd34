//! Rooms that are accidentally rotated by a few degrees: their openings fit none of their portals.

use std::collections::BTreeMap;

use super::findings::{Finding, LintReport};
use crate::level::RoomId;
use crate::problems::ProblemPlace;

/// Minimum number of rotated openings for their common room to be the rotated one.
const OPENINGS: usize = 2;

/// Merges the findings about all openings of a room that are slightly rotated against their portals.
pub(super) fn merge(report: &mut LintReport) {
    let mut by_room: BTreeMap<RoomId, Vec<usize>> = BTreeMap::new();
    for (index, finding) in report.findings.iter().enumerate() {
        for room in finding.rooms.iter().filter(|_| finding.turned.is_some()) {
            by_room.entry(*room).or_default().push(index);
        }
    }
    let mut rooms: Vec<(RoomId, Vec<usize>)> = by_room.into_iter().collect();
    // The sort is stable: rooms with equal counts keep their order.
    rooms.sort_by_key(|(_, openings)| std::cmp::Reverse(openings.len()));
    let mut is_merged = vec![false; report.findings.len()];
    let mut merged = Vec::new();
    for (room, openings) in rooms {
        let rest = openings.into_iter().filter(|&index| !is_merged[index]);
        let rest: Vec<usize> = rest.collect();
        if rest.len() < OPENINGS {
            continue;
        }
        rest.iter().for_each(|&index| is_merged[index] = true);
        let findings: Vec<&Finding> = rest.iter().map(|&index| &report.findings[index]).collect();
        merged.push(of_room(report, room, &findings));
    }
    let mut is_merged = is_merged.into_iter();
    report.findings.retain(|_| is_merged.next() != Some(true));
    report.findings.extend(merged);
}

/// The finding that replaces those of a room, at least one.
fn of_room(report: &LintReport, room: RoomId, openings: &[&Finding]) -> Finding {
    let degrees = openings.iter().filter_map(|opening| opening.turned);
    let names: Vec<&str> = openings
        .iter()
        .map(|opening| opening.node.as_str())
        .collect();
    let message = format!(
        "room `{}` is turned by {:.1} degrees against the rooms around it: its openings and portals do not fit (`{}`), and one sees outside through the gaps; set its rotation back (Blender: select the room, Alt+R), or turn the rooms and portals around it with it",
        report.level.room(room).name,
        degrees.fold(0.0, f64::max),
        names.join("`, `")
    );
    let places = openings.iter().filter_map(|opening| opening.place.as_ref());
    let edges = places.clone().flat_map(|place| place.edges.iter().copied());
    let place = places.clone().next();
    let place = place.map(|place| ProblemPlace::around(place.point, edges.collect()));
    let node = &report.source.rooms[room.0 as usize].node;
    Finding::warning(openings[0].code, node, message, place).of(room)
}
