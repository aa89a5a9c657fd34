//! Openings that are elsewhere in their room than the portal, because the room is mirrored or rotated.

use std::collections::BTreeMap;

use glam::DVec3;

use super::findings::{Finding, LintReport};
use crate::geometry::{Aabb, BoxTree};
use crate::level::{Link, RoomId};
use crate::problems::ProblemCode as Code;

/// Maximum difference between the extents of two openings that may be the same opening at different places, metres.
const SAME_SIZE: f64 = 0.05;

/// Finds portals at which the wall has no opening, while the room has an equal opening elsewhere. Adds the cause: the
/// room or its wall is rotated or mirrored.
pub(super) fn report(report: &mut LintReport) {
    let level = report.level;
    let is_opening = |finding: &Finding| [Code::RoomHole, Code::WallNotCut].contains(&finding.code);
    // The first link with each name.
    let links = level.links.iter().rev();
    let links: BTreeMap<&str, &Link> = links.map(|link| (link.name.as_str(), link)).collect();
    let mut openings: BTreeMap<Option<&RoomId>, Vec<(usize, DVec3)>> = BTreeMap::new();
    for (index, finding) in report.findings.iter().enumerate() {
        if let Some(place) = finding.place.as_ref().filter(|_| is_opening(finding)) {
            let of_room = openings.entry(finding.rooms.first()).or_default();
            of_room.push((index, extents(place.bounds())));
        }
    }
    let openings: BTreeMap<Option<&RoomId>, OpeningsBySize> = openings
        .into_iter()
        .map(|(room, openings)| (room, OpeningsBySize::of(openings)))
        .collect();
    let mut elsewhere = Vec::new();
    for (index, cause) in report.findings.iter().enumerate() {
        if cause.code != Code::PortalWallNotCut {
            continue;
        }
        let Some(link) = links.get(cause.node.as_str()) else {
            continue;
        };
        let wanted = extents(level.portal(link.portal).bounds);
        let of_room = openings.get(&cause.rooms.first());
        let same = of_room.and_then(|openings| openings.any(wanted));
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

/// The extents of an opening, metres; their order does not depend on a rotation of the room.
fn extents(bounds: Aabb) -> DVec3 {
    let size = bounds.max - bounds.min;
    DVec3::new(size.y, size.x.hypot(size.z), 0.0)
}

/// Openings with the indices of their findings, in a tree by size.
struct OpeningsBySize {
    openings: Vec<(usize, DVec3)>,
    tree: BoxTree,
}

impl OpeningsBySize {
    fn of(openings: Vec<(usize, DVec3)>) -> Self {
        let tree = BoxTree::new(openings.iter().map(|(_, size)| Aabb::around([*size])));
        Self { openings, tree }
    }

    /// The index of an opening that has this size. If many openings have it, any of them is returned.
    fn any(&self, wanted: DVec3) -> Option<usize> {
        let mut found = None;
        let near = Aabb::around([wanted]).grown(SAME_SIZE);
        self.tree.any_touching(&near, |index| {
            let (opening, size) = self.openings[index as usize];
            let is_same = (size - wanted).abs().max_element() < SAME_SIZE;
            found = is_same.then_some(opening);
            is_same
        });
        found
    }
}
