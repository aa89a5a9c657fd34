//! Rooms whose surface fits its surroundings badly at many places, because their mesh was changed as a whole.

use std::collections::BTreeMap;

use super::findings::Finding;
use super::suppress::{Context, Merged};
use crate::level::{LevelData, RoomId};
use crate::problems::{ProblemCode as Code, ProblemPlace};

/// A room is the one cause if at least this many of its portals do not fit their openings. If the room also has a hole,
/// one portal less is enough.
const PORTALS: usize = 3;
/// A room is also the one cause if its holes and its portals that do not fit are at least this many together.
const ALL: usize = 6;

/// Merges the findings about the surface of one room into one. Findings about both rooms of a portal are not counted: a
/// misplaced portal does not fit in either room.
pub(super) fn merged(context: &Context, findings: &[(usize, &Finding)]) -> Vec<Merged> {
    let Some(level) = context.level else {
        return Vec::new();
    };
    let mut by_room: BTreeMap<RoomId, Vec<(usize, &Finding)>> = BTreeMap::new();
    for &(index, finding) in findings {
        if let Some(room) = finding.surface {
            by_room.entry(room).or_default().push((index, finding));
        }
    }
    let mut merged = Vec::new();
    for (room, found) in by_room {
        let (effects, found): (Vec<usize>, Vec<&Finding>) = found.into_iter().unzip();
        let (portals, holes): (Vec<&Finding>, Vec<&Finding>) = found
            .into_iter()
            .partition(|f| [Code::PortalGap, Code::PortalTooLarge].contains(&f.code));
        let is_one_cause = portals.len() >= PORTALS
            || portals.len() + 1 == PORTALS && !holes.is_empty()
            || holes.len() + portals.len() >= ALL;
        if is_one_cause {
            let finding = of_room((level, context), room, &portals, &holes);
            merged.push(Merged { finding, effects });
        }
    }
    merged
}

/// The finding that replaces the findings of a room.
fn of_room(
    (level, context): (&LevelData, &Context),
    room: RoomId,
    portals: &[&Finding],
    holes: &[&Finding],
) -> Finding {
    let size = |finding: &Finding| {
        let bounds = finding.place.as_ref().map(ProblemPlace::bounds);
        bounds.map_or(0.0, |bounds| (bounds.max - bounds.min).length())
    };
    let all = || holes.iter().chain(portals);
    let first = all().max_by(|a, b| size(a).total_cmp(&size(b)));
    let edges = all().filter_map(|finding| finding.place.as_ref());
    let edges = edges.flat_map(|place| place.edges.iter().copied());
    let place = first.and_then(|finding| finding.place.as_ref());
    let place = place.map(|place| ProblemPlace::around(place.point, edges.collect()));
    let node = holes.iter().max_by(|a, b| size(a).total_cmp(&size(b)));
    let node = node.map_or(&context.source.rooms[room.0 as usize].node, |hole| {
        &hole.node
    });
    let mut what = Vec::new();
    match holes.len() {
        0 => {}
        1 => what.push("a hole".to_owned()),
        count => what.push(format!("{count} holes")),
    }
    if !portals.is_empty() {
        let names: Vec<&str> = portals.iter().map(|p| p.node.as_str()).collect();
        what.push(format!(
            "openings that portals do not fill, or reach beyond (`{}`)",
            names.join("`, `")
        ));
    }
    let message = format!(
        "room `{}` has {}; the largest is here: if its mesh was changed as a whole, change it back (Blender: Ctrl+Z, or take a modifier away: Subdivision Surface, Decimate, or Merge by Distance with a large distance); if not, close each hole (select its edges, press F), and let the rim of each opening reach its portal (extrude the rim, or move the corners of the portal)",
        level.room(room).name,
        what.join(", and ")
    );
    Finding::warning(Code::RoomHole, node, message, place).of(room)
}
