//! Openings that are not at their portal: rooms that are mirrored or rotated.

use std::collections::BTreeMap;

use super::findings::{Finding, LintReport};
use crate::geometry::Aabb;
use crate::level::{Link, RoomId};
use crate::problems::ProblemCode as Code;

/// Maximum difference between the extents of two openings that count as the same opening, moved, metres.
const SAME_SIZE: f64 = 0.05;

/// Finds the cause where the wall of a room has no opening at a portal and an equal opening is elsewhere in the room:
/// the room or its wall is rotated or mirrored.
pub(super) fn report(report: &mut LintReport) {
    let level = report.level;
    let is_opening = |finding: &Finding| [Code::RoomHole, Code::WallNotCut].contains(&finding.code);
    let extents = |bounds: Aabb| {
        let size = bounds.max - bounds.min;
        [size.y, size.x.hypot(size.z)]
    };
    // The first link of each name, and the openings of each room.
    let links = level.links.iter().rev();
    let links: BTreeMap<&str, &Link> = links.map(|link| (link.name.as_str(), link)).collect();
    let mut openings: BTreeMap<Option<&RoomId>, Vec<usize>> = BTreeMap::new();
    for (index, finding) in report.findings.iter().enumerate() {
        if is_opening(finding) {
            let room = finding.rooms.first();
            openings.entry(room).or_default().push(index);
        }
    }
    let mut elsewhere = Vec::new();
    for (index, cause) in report.findings.iter().enumerate() {
        if cause.code != Code::PortalWallNotCut {
            continue;
        }
        let Some(link) = links.get(cause.node.as_str()) else {
            continue;
        };
        let wanted = extents(level.portal(link.portal).bounds);
        let fits = |finding: &Finding| {
            let place = finding.place.as_ref();
            place.is_some_and(|place| {
                let size = extents(place.bounds());
                let off = size.iter().zip(wanted).map(|(a, b)| (a - b).abs());
                off.fold(0.0, f64::max) < SAME_SIZE
            })
        };
        let of_room = openings.get(&cause.rooms.first()).into_iter().flatten();
        let same = of_room
            .copied()
            .find(|&opening| fits(&report.findings[opening]));
        elsewhere.extend(same.map(|opening| (index, opening)));
    }
    for &(cause, opening) in &elsewhere {
        let Some(place) = report.findings[opening].place.clone() else {
            continue;
        };
        let room = report.findings[cause].rooms.first().copied();
        let name = room.map_or("", |room| level.room(room).name.as_str());
        let more = format!(
            ". Room `{name}` has an opening of that size {place}: if the room is mirrored or turned, turn it back (Blender: Alt+S and Alt+R on its node)"
        );
        let cause = &mut report.findings[cause];
        cause.append(&more);
        cause.evidence.push(opening);
        cause.place = cause.place.take().map(|at| at.about(place.bounds()));
    }
}
