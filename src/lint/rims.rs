//! Rims of openings that a modifier has deformed, so that the portals do not fit. A sign of this is degenerate
//! triangles at the rims.

use std::collections::BTreeSet;

use glam::DVec3;

use super::findings::LintReport;
use crate::geometry::{Aabb, BoxTree};
use crate::level::LevelData;
use crate::problems::ProblemCode;

/// Maximum distance between a portal's outline and triangles that a modifier creates at the rim, in the portal's plane,
/// metres.
const AT_RIM: f64 = 0.1;
/// Maximum distance of such triangles from the portal's plane, metres: they lie in the wall.
const WALL: f64 = 0.5;

/// If all degenerate triangles are at portals, and a portal of one of their rooms does not fit its opening, adds the
/// modifier as the cause to that finding.
pub(super) fn report(report: &mut LintReport) {
    let level = report.level;
    let found = report.findings.iter().enumerate();
    let degenerate = found.filter(|(_, f)| f.code == ProblemCode::DegenerateTriangles);
    let degenerate: Vec<usize> = degenerate.map(|(index, _)| index).collect();
    if degenerate.is_empty() {
        return;
    }
    let source = report.source;
    let of_movers = source.movers.iter().flat_map(|mover| &mover.meshes);
    let of_bodies = source.bodies.iter().flat_map(|body| &body.meshes);
    let meshes = source.meshes.iter().chain(of_movers).chain(of_bodies);
    let portals = BoxTree::new(
        level
            .portals
            .iter()
            .map(|portal| portal.bounds.grown(WALL + AT_RIM)),
    );
    let mut rooms = BTreeSet::new();
    for mesh in meshes.filter(|mesh| mesh.solid) {
        for triangle in &mesh.triangles {
            let corners = triangle.map(|i| mesh.positions[i as usize] - level.origin);
            let [a, b, c] = corners.map(DVec3::as_vec3);
            if a != b && b != c && c != a {
                continue;
            }
            if !is_at_portal(level, &portals, corners[0]) {
                return;
            }
            rooms.insert(mesh.room);
        }
    }
    let misfits = [ProblemCode::PortalGap, ProblemCode::PortalTooLarge];
    let bent = report.findings.iter_mut().find(|finding| {
        let mut ends = finding.rooms.iter().map(|room| room.0 as usize);
        misfits.contains(&finding.code) && ends.any(|room| rooms.contains(&room))
    });
    if let Some(bent) = bent {
        bent.append(". Triangles without area at the openings say that a modifier has bent their rims (Blender: Bevel): take it away, or keep it from them");
        bent.evidence.extend(degenerate);
    }
}

/// Whether a point is at a portal. `portals` is a tree of boxes around the portals that contain all points at them.
fn is_at_portal(level: &LevelData, portals: &BoxTree, point: DVec3) -> bool {
    portals.any_touching(&Aabb::around([point]), |portal| {
        let polygon = &level.portals[portal as usize].polygon;
        let distance = polygon.plane.distance(point);
        let foot = point - polygon.plane.normal * distance;
        distance.abs() < WALL && polygon.distance(foot) < AT_RIM
    })
}
