//! What the checks find, before it is known what follows from what.

use glam::DVec3;

use super::holes::Hole;
use crate::level::mend::Mend;
use crate::level::problem::shortened;
use crate::level::{
    AuthorPoint, LevelData, LevelSource, ProblemCode, ProblemPlace, Problems, RoomId,
};

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub code: ProblemCode,
    pub node: String,
    pub message: String,
    pub place: Option<ProblemPlace>,
    pub is_error: bool,
    /// The rooms that it is about, the room itself first.
    pub rooms: Vec<RoomId>,
    /// The room whose surface does not fit, where it is that of one room alone.
    pub surface: Option<RoomId>,
    /// Degrees by which an opening is turned against its portal, where they are so few that it is an accident.
    pub turned: Option<f64>,
    /// What mends it, if that is certain.
    pub mend: Option<Mend>,
}

impl Finding {
    pub(super) fn warning(
        code: ProblemCode,
        node: &str,
        message: String,
        place: impl Into<Option<ProblemPlace>>,
    ) -> Self {
        Self {
            code,
            // Any number of findings may be about nodes with names of any length.
            node: shortened(node.to_owned()),
            message: shortened(message),
            place: place.into(),
            is_error: false,
            rooms: Vec::new(),
            surface: None,
            turned: None,
            mend: None,
        }
    }

    /// That can be mended.
    pub(super) fn mended_by(mut self, mend: impl Into<Option<Mend>>) -> Self {
        self.mend = mend.into();
        self
    }

    /// About these rooms.
    pub(super) fn between(mut self, room: RoomId, other: RoomId) -> Self {
        self.rooms = vec![room, other];
        self
    }

    /// Seen in these rooms, of which there is one at least: where there is no other, it is the surface of that.
    pub(super) fn seen_in(mut self, mut rooms: impl Iterator<Item = RoomId>) -> Self {
        self.surface = rooms
            .next()
            .filter(|first| rooms.all(|room| room == *first));
        self
    }

    /// About an opening that is turned against its portal by so many degrees.
    pub(super) fn turned_by(mut self, degrees: Option<f64>) -> Self {
        self.turned = degrees;
        self
    }

    /// About all of these rooms.
    pub(super) fn among(mut self, rooms: Vec<RoomId>) -> Self {
        self.rooms = rooms;
        self
    }

    /// About one room.
    pub(super) fn of(mut self, room: RoomId) -> Self {
        self.rooms = vec![room];
        self
    }
}

/// The findings, and what names them.
pub(super) struct Report<'a> {
    pub level: &'a LevelData,
    pub source: &'a LevelSource,
    pub findings: Vec<Finding>,
}

impl Report<'_> {
    pub(super) fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
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

    /// Around a hole.
    pub(super) fn rim(&self, hole: &Hole) -> ProblemPlace {
        self.around(hole.centre, &hole.edges)
    }

    /// At a point, with the edges around it.
    pub(super) fn around(&self, centre: DVec3, edges: &[[DVec3; 2]]) -> ProblemPlace {
        let edges = edges.iter().map(|edge| edge.map(|p| self.author(p)));
        ProblemPlace::around(self.author(centre), edges.collect())
    }

    /// Adds the findings to the problems.
    pub(super) fn into_problems(self, problems: &mut Problems) {
        for finding in self.findings {
            let Finding {
                code,
                node,
                message,
                place,
                is_error,
                mend,
                ..
            } = finding;
            problems.add_mendable(is_error, code, &node, (place, mend), || message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of 8 MB, ten thousand meshes of one long name, took 2 GB.
    #[test]
    fn a_finding_keeps_no_name_or_message_of_any_length() {
        let long = "x".repeat(100_000);
        let finding = Finding::warning(ProblemCode::DuplicateTriangles, &long, long.clone(), None);
        assert!(finding.node.len() <= 2000 && finding.message.len() <= 2000);
    }
}
