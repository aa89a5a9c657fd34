//! What can be wrong with a level: each problem names the node and the cure.

use std::collections::BTreeSet;
use std::fmt;

use glam::DVec3;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::mend::Mend;
use super::problem_list::ProblemList;
use super::{AuthorPoint, ProblemCode};
use crate::geometry::Aabb;

/// Bytes of a node's name, and of a message, that are kept.
const MAX_TEXT: usize = 2000;

/// One thing that is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// The kind of problem.
    pub code: ProblemCode,
    /// The node, mesh, accessor, image or file it is about; empty for the file as a whole.
    pub node: String,
    /// What is wrong, where, and the cure, in one or two sentences.
    pub message: String,
    /// Where it is, if that is a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<ProblemPlace>,
    /// What mends it, if that is certain.
    #[serde(skip)]
    pub(in crate::level) mend: Option<Mend>,
}

/// Where something is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemPlace {
    /// A point of it, in the author's coordinates.
    pub point: AuthorPoint,
    /// The edges around it, if it is a hole: in the author's coordinates, each from the first point to the second.
    pub edges: Vec<[AuthorPoint; 2]>,
    /// The box around what else it is about, author's coordinates: a mesh that is left out or not where it should be, an
    /// opening that is elsewhere. What is missing or open there follows from it.
    pub(crate) extent: Option<Aabb>,
}

impl ProblemPlace {
    /// At a point.
    pub fn at(point: AuthorPoint) -> Self {
        Self {
            point,
            edges: Vec::new(),
            extent: None,
        }
    }

    /// Around a hole.
    pub(in crate::level) fn around(point: AuthorPoint, edges: Vec<[AuthorPoint; 2]>) -> Self {
        Self {
            edges,
            ..Self::at(point)
        }
    }

    /// At the middle of the box around a mesh, in the author's coordinates.
    pub(in crate::level) fn of_mesh(bounds: Aabb) -> Self {
        Self::at(AuthorPoint(bounds.centre())).about(bounds)
    }

    /// About what has this box, in the author's coordinates.
    pub(in crate::level) fn about(mut self, bounds: Aabb) -> Self {
        self.extent = Some(bounds);
        self
    }

    /// The box around the point and the rim, in the author's coordinates.
    pub(crate) fn bounds(&self) -> Aabb {
        let rim = self.edges.iter().flatten().map(|end| end.0);
        Aabb::around(rim.chain([self.point.0]))
    }

    /// The point in Blender's coordinates, z upwards.
    pub fn in_blender(&self) -> [f64; 3] {
        let DVec3 { x, y, z } = self.point.0;
        [x, 0.0 - z, y]
    }
}

impl fmt::Display for ProblemPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b, c], DVec3 { x, y, z }) = (self.in_blender(), self.point.0);
        write!(
            f,
            "at ({a:.2}, {b:.2}, {c:.2}) in Blender, ({x:.2}, {y:.2}, {z:.2}) in glTF"
        )
    }
}

/// As `{"blender": [x, y, z], "gltf": [x, y, z]}`, and of a hole `"edges"`, in glTF's axes.
impl Serialize for ProblemPlace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("blender", &self.in_blender())?;
        map.serialize_entry("gltf", &self.point.0.to_array())?;
        if !self.edges.is_empty() {
            let edges = self.edges.iter().map(|ends| ends.map(|p| p.0.to_array()));
            map.serialize_entry("edges", &edges.collect::<Vec<_>>())?;
        }
        map.end()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.node.is_empty() {
            write!(f, "{} [{}]", self.message, self.code)
        } else {
            write!(f, "{}: {} [{}]", self.node, self.message, self.code)
        }
    }
}

/// All that is wrong with a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problems {
    /// What makes it unusable.
    pub errors: ProblemList,
    /// What is probably not as meant.
    pub warnings: ProblemList,
    /// The codes of problems whose cause is reported, each with its node.
    explained: Box<Explained>,
}

/// In a box, as most levels have none of them, and results are small then.
#[derive(Clone, Debug, Default, PartialEq)]
struct Explained(BTreeSet<(ProblemCode, String)>);

impl Problems {
    /// None yet; of those that can be mended all will be kept, and not the listed ones alone.
    pub(in crate::level) fn with_all_mends() -> Self {
        Self {
            errors: ProblemList::with_all_mends(),
            warnings: ProblemList::with_all_mends(),
            ..Self::default()
        }
    }

    /// The problems with a mend that are not listed.
    pub(in crate::level) fn take_unlisted(&mut self) -> Vec<Problem> {
        let lists = [&mut self.errors, &mut self.warnings];
        let unlisted = lists.into_iter().flat_map(ProblemList::take_unlisted);
        unlisted.collect()
    }

    /// Adds an error.
    pub fn error(&mut self, code: ProblemCode, node: &str, message: impl Into<String>) {
        self.errors
            .push(code, node, (None, None), || message.into());
    }

    /// Adds an error whose message takes work: it is only made if the error is listed.
    pub fn error_with(&mut self, code: ProblemCode, node: &str, message: impl FnOnce() -> String) {
        self.errors.push(code, node, (None, None), message);
    }

    /// Notes that problems of this code at this node follow from a problem that is reported.
    pub(in crate::level) fn explain(&mut self, code: ProblemCode, node: &str) {
        self.explained.0.insert((code, node.to_owned()));
    }

    /// Whether problems of this code at this node follow from a problem that is reported.
    pub(crate) fn is_explained(&self, code: ProblemCode, node: &str) -> bool {
        self.explained.0.contains(&(code, node.to_owned()))
    }

    /// Takes away the listed problems that follow from others.
    pub(in crate::level) fn drop(&mut self, follows: impl Fn(&Problem) -> bool) {
        self.errors.drop(&follows);
        self.warnings.drop(&follows);
    }

    /// Takes away all problems of these codes.
    pub(in crate::level) fn drop_codes(&mut self, codes: &[ProblemCode]) {
        self.errors.drop_codes(codes);
        self.warnings.drop_codes(codes);
    }

    /// How many problems have one of these codes.
    pub(in crate::level) fn count(&self, codes: &[ProblemCode]) -> usize {
        self.errors.count(codes) + self.warnings.count(codes)
    }

    /// Adds to the message of the first listed error of a code.
    pub(in crate::level) fn append_to_first(&mut self, code: ProblemCode, more: &str) {
        let mut errors = self.errors.listed.iter_mut();
        if let Some(error) = errors.find(|error| error.code == code) {
            error.message = shortened(format!("{}{more}", error.message));
        }
    }

    /// Makes errors of the listed warnings that an error followed from.
    pub(in crate::level) fn make_errors(&mut self, is_cause: impl Fn(&Problem) -> bool) {
        let causes = self.warnings.iter().filter(|problem| is_cause(problem));
        let causes: Vec<Problem> = causes.cloned().collect();
        self.warnings.drop(|problem| causes.contains(problem));
        for cause in causes {
            let of = (cause.place, cause.mend);
            self.errors
                .push(cause.code, &cause.node, of, || cause.message);
        }
    }

    /// Adds a warning.
    pub fn warn(&mut self, code: ProblemCode, node: &str, message: impl Into<String>) {
        self.warnings
            .push(code, node, (None, None), || message.into());
    }

    /// Adds an error or a warning that is somewhere; its message begins with the place, and is only made if it is
    /// listed.
    pub(crate) fn add(
        &mut self,
        is_error: bool,
        code: ProblemCode,
        node: &str,
        place: Option<ProblemPlace>,
        message: impl FnOnce() -> String,
    ) {
        self.add_mendable(is_error, code, node, (place, None), message);
    }

    /// [`Self::add`] of a problem that can be mended for certain.
    pub(in crate::level) fn add_mendable(
        &mut self,
        is_error: bool,
        code: ProblemCode,
        node: &str,
        (place, mend): (Option<ProblemPlace>, Option<Mend>),
        message: impl FnOnce() -> String,
    ) {
        let list = if is_error {
            &mut self.errors
        } else {
            &mut self.warnings
        };
        let at = place.as_ref().map(ToString::to_string);
        list.push(code, node, (place, mend), || match at {
            Some(at) => format!("{at}: {}", message()),
            None => message(),
        });
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.errors.iter().map(|p| format!("error: {p}"));
        let lines = lines.chain(self.warnings.iter().map(|p| format!("warning: {p}")));
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for Problems {}

/// A text of at most [`MAX_TEXT`] bytes; where it is longer, its middle is left out.
pub(in crate::level) fn shortened(text: String) -> String {
    if text.len() <= MAX_TEXT {
        return text;
    }
    let half = MAX_TEXT / 2 - 2;
    let head = text.floor_char_boundary(half);
    let tail = text.ceil_char_boundary(text.len() - half);
    format!("{}...{}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_their_beginning_and_their_end() {
        let mut problems = Problems::default();
        let message = format!("it is wrong: {}; the cure", "\u{e9}".repeat(100_000));
        problems.warn(ProblemCode::Mesh, &"x".repeat(100_000), message);
        let Problem { node, message, .. } = &problems.warnings[0];
        assert!(node.len() <= MAX_TEXT && message.len() <= MAX_TEXT);
        assert!(message.starts_with("it is wrong: \u{e9}") && message.ends_with("; the cure"));
    }
}
