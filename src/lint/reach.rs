//! Rooms that players cannot reach from any spawn through portals.

use std::collections::BTreeMap;

use super::findings::{Finding, LintReport};
use crate::level::{LevelData, RoomId};
use crate::problems::ProblemCode;

/// Maximum height of a doorway's lower edge above the lowest point of its room, metres.
const AT_FLOOR: f64 = 0.1;
/// Minimum height of a doorway, metres.
const MIN_HEIGHT: f64 = 1.15;
/// Minimum height of the wall above a doorway, metres.
const ABOVE: f64 = 0.1;

/// Reports the rooms that cannot be reached from any spawn, once for each group of connected rooms.
pub(super) fn report(report: &mut LintReport) {
    let level = report.level;
    if level.spawns.is_empty() {
        return;
    }
    let mut reached = vec![false; level.rooms.len()];
    // Openings between two rooms with a reported problem count as if they had a portal.
    let opening = |finding: &Finding| match *finding.rooms.as_slice() {
        [a, b] => Some([a, b]),
        _ => None,
    };
    let mut openings: BTreeMap<RoomId, Vec<RoomId>> = BTreeMap::new();
    for [a, b] in report.of_checks().iter().filter_map(opening) {
        openings.entry(a).or_default().push(b);
        openings.entry(b).or_default().push(a);
    }
    let behind = |room: RoomId| {
        let portals = level.portals_of(room).map(|(_, portal)| portal.far);
        portals.chain(openings.get(&room).into_iter().flatten().copied())
    };
    // Doorways that lead nowhere, by their rooms.
    let mut doorways: BTreeMap<RoomId, Vec<usize>> = BTreeMap::new();
    for (index, finding) in report.of_checks().iter().enumerate() {
        if let Some(room) = finding.rooms.first().filter(|_| is_doorway(level, finding)) {
            doorways.entry(*room).or_default().push(index);
        }
    }
    let mut waiting: Vec<RoomId> = level.spawns.iter().map(|spawn| spawn.at.room).collect();
    while let Some(room) = waiting.pop() {
        if !std::mem::replace(&mut reached[room.0 as usize], true) {
            waiting.extend(behind(room));
        }
    }
    let mut found = Vec::new();
    for room in level.room_ids() {
        if reached[room.0 as usize] {
            continue;
        }
        let mut group = Vec::new();
        let mut waiting = vec![room];
        while let Some(room) = waiting.pop() {
            if !std::mem::replace(&mut reached[room.0 as usize], true) {
                group.push(room);
                waiting.extend(behind(room));
            }
        }
        group.sort_unstable();
        let more = match group.len() - 1 {
            0 => String::new(),
            1 => format!(", nor to room `{}` behind it", level.room(group[1]).name),
            count => format!(", nor to {count} rooms behind it"),
        };
        let message = format!(
            "no portal leads to room `{}` from where players start{more}: it is neither seen nor entered; join it to another room by an opening with a portal, or delete it",
            level.room(room).name
        );
        // A portal is probably missing at a doorway of the group that leads nowhere.
        let own = group.iter().filter_map(|room| doorways.get(room)).flatten();
        let doorway = own.min().map(|&index| &report.of_checks()[index]);
        let (message, place) = match doorway {
            Some(doorway) => {
                let message = format!("{message}; this opening of it leads nowhere");
                (message, doorway.place.clone())
            }
            None => {
                let bounds = level.room(room).bounds;
                let place = (!bounds.is_empty()).then(|| report.place(bounds.centre()));
                (message, place)
            }
        };
        let node = &report.source.rooms[room.0 as usize].node;
        let mut finding = Finding::warning(ProblemCode::RoomUnreachable, node, message, place);
        finding.rooms = group;
        found.push(finding);
    }
    report.findings.extend(found);
}

/// Whether a hole is a doorway in the wall of its room.
pub(super) fn is_doorway(level: &LevelData, finding: &Finding) -> bool {
    let (Some(place), [room]) = (&finding.place, finding.rooms.as_slice()) else {
        return false;
    };
    let rim = place.bounds();
    let [low, high] = [rim.min.y, rim.max.y].map(|y| y - level.origin.y);
    let bounds = level.room(*room).bounds;
    finding.code == ProblemCode::RoomHole
        && high - low > MIN_HEIGHT
        && low - bounds.min.y < AT_FLOOR
        && bounds.max.y - high > ABOVE
}
