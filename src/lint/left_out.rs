//! Consequences of meshes that are left out because they are in no room or have no triangles: the openings that they
//! would have closed, and the objects that would have stood in them.

use super::report::{Finding, Report};
use crate::geometry::Aabb;
use crate::problems::{Problem, ProblemCode, Problems};

use ProblemCode as Code;

/// Maximum distance between the box of a left-out mesh and openings that it would have closed, metres.
const TOUCH: f64 = 0.05;
/// Maximum distance between the box of a left-out room shell and objects of that room, metres.
const BESIDE: f64 = 0.3;

/// Drops the consequences of left-out meshes. If a consequence is an error, the left-out mesh becomes an error.
pub(super) fn fold(report: &mut Report, problems: &mut Problems) {
    let left_out = |problem: &Problem| {
        let place = problem.place.as_ref()?;
        let extent = place.extent.filter(|_| is_left_out(problem))?;
        Some((problem.node.clone(), extent))
    };
    let left_out: Vec<(String, Aabb)> = problems.warnings.iter().filter_map(left_out).collect();
    if left_out.is_empty() {
        return;
    }
    let causes = |bounds: Aabb, distance: f64| {
        let holds =
            move |extent: &Aabb| extent.grown(distance).union(bounds) == extent.grown(distance);
        let mut all = left_out.iter();
        all.find(|(_, extent)| holds(extent))
            .map(|(node, _)| node.clone())
    };
    let of_finding = |finding: &Finding| {
        let distance = match finding.code {
            Code::RoomHole | Code::RoomCrack | Code::RoomInsideOut | Code::PortalGap => TOUCH,
            Code::PortalMissing | Code::WallNotCut => TOUCH,
            Code::RoomEmpty => BESIDE,
            _ => return None,
        };
        causes(finding.place.as_ref()?.bounds(), distance)
    };
    let of_problem = |problem: &Problem| {
        let codes = [Code::Light, Code::SpawnOutside, Code::PortalFar];
        let place = problem.place.as_ref()?;
        codes
            .contains(&problem.code)
            .then(|| causes(place.bounds(), BESIDE))?
    };
    let errors = problems.errors.iter().filter_map(of_problem);
    let found = report.findings.iter().filter(|finding| finding.is_error);
    let guilty: Vec<String> = errors.chain(found.filter_map(of_finding)).collect();
    report
        .findings
        .retain(|finding| of_finding(finding).is_none());
    problems.drop(|problem| of_problem(problem).is_some());
    problems.make_errors(|p| is_left_out(p) && guilty.contains(&p.node));
}

fn is_left_out(problem: &Problem) -> bool {
    matches!(problem.code, Code::MeshOutsideRoom | Code::MeshSkipped)
}
