//! Openings that are not where the portal is: rooms that are mirrored or turned.

use super::report::{Finding, Report};
use crate::geometry::Aabb;
use crate::level::ProblemCode as Code;

/// Two openings are one and the same, moved, if their extents differ by less, metres.
const SAME_SIZE: f64 = 0.05;

/// Where the wall of a room is not cut at a portal, and the same opening is elsewhere in it, the room or its wall is
/// turned or mirrored.
pub(super) fn fold(report: &mut Report) {
    let level = report.level;
    let is_opening = |finding: &Finding| [Code::RoomHole, Code::WallNotCut].contains(&finding.code);
    let extents = |bounds: Aabb| {
        let size = bounds.max - bounds.min;
        [size.y, size.x.hypot(size.z)]
    };
    let mut elsewhere = Vec::new();
    for (index, cause) in report.findings.iter().enumerate() {
        let mut links = level.links.iter();
        let link = links.find(|link| link.name == cause.node);
        let Some(link) = link.filter(|_| cause.code == Code::PortalWallNotCut) else {
            continue;
        };
        let wanted = extents(level.portal(link.portal).bounds);
        let fits = |finding: &Finding| {
            let place = finding.place.as_ref().filter(|_| is_opening(finding));
            place.is_some_and(|place| {
                let size = extents(place.bounds());
                let off = size.iter().zip(wanted).map(|(a, b)| (a - b).abs());
                finding.rooms.first() == cause.rooms.first() && off.fold(0.0, f64::max) < SAME_SIZE
            })
        };
        let same = report.findings.iter().position(fits);
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
        cause.message.push_str(&more);
        cause.place = cause.place.take().map(|at| at.about(place.bounds()));
    }
    let mut index = 0..;
    report.findings.retain(|_| {
        let index = index.next();
        !elsewhere.iter().any(|(_, opening)| Some(*opening) == index)
    });
}
