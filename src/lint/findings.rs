//! The findings of the build and of the checks, before consequences are suppressed.

use glam::DVec3;

use super::holes::RoomHole;
use crate::geometry::Aabb;
use crate::level::{AuthorPoint, LevelData, RoomId};
use crate::problems::{Mend, Problem, ProblemCode, ProblemPlace, Problems, shortened};
use crate::source::LevelSource;

/// A problem that the build or a check found.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub code: ProblemCode,
    pub node: String,
    /// The problem and its cure, without the place.
    pub message: String,
    pub place: Option<ProblemPlace>,
    pub is_error: bool,
    /// The rooms concerned; first the room that has the problem.
    pub rooms: Vec<RoomId>,
    /// The room whose surface is wrong, if the surface of only one room is.
    pub surface: Option<RoomId>,
    /// Angle between an opening and its portal, degrees, if it is small enough to be accidental.
    pub turned: Option<f64>,
    /// The fix, if it is certain.
    pub mend: Option<Mend>,
    /// The portal that is the node, or that the node closes, if the build found the problem.
    pub portal: Option<String>,
    /// The openings that have no portal because of this problem; author's coordinates.
    pub openings: Vec<Aabb>,
    /// Indices of the findings that are evidence of this one, and so report the same problem.
    pub evidence: Vec<usize>,
    /// Whether it is no message, but a cause that a problem of its code and node reports.
    pub is_reported: bool,
    /// Whether it follows from the path of a mover.
    pub of_path: bool,
    /// The number of problems of this code that the build found and did not list, if this finding stands for them.
    pub unlisted: Option<usize>,
}

impl Finding {
    pub(super) fn warning(
        code: ProblemCode,
        node: &str,
        message: String,
        place: impl Into<Option<ProblemPlace>>,
    ) -> Self {
        let place: Option<ProblemPlace> = place.into();
        let message = match &place {
            Some(place) => format!("{place}: {message}"),
            None => message,
        };
        Self::of_problem(
            false,
            Problem {
                code,
                // The number of findings with this node is unlimited, and so is the length of its name.
                node: shortened(node.to_owned()),
                message: shortened(message),
                place,
                mend: None,
            },
        )
    }

    fn of_problem(is_error: bool, problem: Problem) -> Self {
        let Problem {
            code,
            node,
            message,
            place,
            mend,
        } = problem;
        Self {
            code,
            node,
            message,
            place,
            is_error,
            rooms: Vec::new(),
            surface: None,
            turned: None,
            mend,
            portal: None,
            openings: Vec::new(),
            evidence: Vec::new(),
            is_reported: false,
            of_path: false,
            unlisted: None,
        }
    }

    /// A cause that a problem of this code and node reports.
    fn cause(code: ProblemCode, node: &str) -> Self {
        Self {
            is_reported: true,
            ..Self::warning(code, node, String::new(), None)
        }
    }

    /// Whether it concerns the level as a whole.
    pub(super) fn is_of_level(&self) -> bool {
        self.node.is_empty() && self.rooms.is_empty() && self.unlisted.is_none()
    }

    /// Appends to the message.
    pub(super) fn append(&mut self, more: &str) {
        self.message = shortened(format!("{}{more}", self.message));
    }

    /// Adds a fix.
    pub(super) fn mended_by(mut self, mend: impl Into<Option<Mend>>) -> Self {
        self.mend = mend.into();
        self
    }

    /// Sets the two rooms concerned.
    pub(super) fn between(mut self, room: RoomId, other: RoomId) -> Self {
        self.rooms = vec![room, other];
        self
    }

    /// Sets the room whose surface is wrong, if the finding is visible in only one room. `rooms` has at least one room.
    pub(super) fn seen_in(mut self, mut rooms: impl Iterator<Item = RoomId>) -> Self {
        self.surface = rooms
            .next()
            .filter(|first| rooms.all(|room| room == *first));
        self
    }

    /// Sets the angle between an opening and its portal, degrees.
    pub(super) fn turned_by(mut self, degrees: Option<f64>) -> Self {
        self.turned = degrees;
        self
    }

    /// Sets all rooms concerned.
    pub(super) fn among(mut self, rooms: Vec<RoomId>) -> Self {
        self.rooms = rooms;
        self
    }

    /// Sets the only room concerned.
    pub(super) fn of(mut self, room: RoomId) -> Self {
        self.rooms = vec![room];
        self
    }
}

/// Takes the problems of a build out of the list, as findings.
pub(super) fn take(problems: &mut Problems) -> Vec<Finding> {
    let taken = problems
        .take()
        .map(|(is_error, (problem, unlisted))| Finding {
            unlisted,
            ..Finding::of_problem(is_error, problem)
        });
    let taken: Vec<Finding> = taken.collect();
    let causes = problems.causes();
    let causes = causes.map(|(code, node)| Finding::cause(code, node));
    taken.into_iter().chain(causes).collect()
}

/// The problems of a checked level as findings, with the causes that they report.
pub(super) fn known(problems: &Problems) -> Vec<Finding> {
    take(&mut problems.clone())
}

/// Adds the findings to the problems.
pub(super) fn put_back(findings: Vec<Finding>, problems: &mut Problems) {
    for finding in findings.into_iter().filter(|finding| !finding.is_reported) {
        let Finding {
            code,
            node,
            message,
            place,
            is_error,
            mend,
            unlisted,
            ..
        } = finding;
        let problem = Problem {
            code,
            node,
            message,
            place,
            mend,
        };
        problems.put_back(is_error, (problem, unlisted));
    }
}

/// The findings so far, with the level and source that they refer to.
pub(super) struct LintReport<'a> {
    pub level: &'a LevelData,
    pub source: &'a LevelSource,
    /// The findings of the build, then those of the checks.
    pub findings: Vec<Finding>,
    /// The number of findings of the build.
    pub of_build: usize,
}

impl LintReport<'_> {
    pub(super) fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// The findings of the checks.
    pub(super) fn of_checks(&self) -> &[Finding] {
        &self.findings[self.of_build..]
    }

    /// The node of a mesh of the source.
    pub(super) fn node(&self, mesh: u32) -> &str {
        &self.source.meshes[mesh as usize].node
    }

    fn author(&self, point: DVec3) -> AuthorPoint {
        self.level.to_author(point)
    }

    pub(super) fn place(&self, point: DVec3) -> ProblemPlace {
        ProblemPlace::at(self.author(point))
    }

    /// The place of a hole: its centre and its rim.
    pub(super) fn rim(&self, hole: &RoomHole) -> ProblemPlace {
        self.around(hole.centre, &hole.edges)
    }

    /// The place at a point, with the edges around it.
    pub(super) fn around(&self, centre: DVec3, edges: &[[DVec3; 2]]) -> ProblemPlace {
        let edges = edges.iter().map(|edge| edge.map(|p| self.author(p)));
        ProblemPlace::around(self.author(centre), edges.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: findings kept names and messages in full, so that a file of 8 MB with ten thousand meshes that
    /// have the same long name took 2 GB.
    #[test]
    fn a_finding_keeps_no_name_or_message_of_any_length() {
        let long = "x".repeat(100_000);
        let finding = Finding::warning(ProblemCode::DuplicateTriangles, &long, long.clone(), None);
        assert!(finding.node.len() <= 2000 && finding.message.len() <= 2000);
    }
}
