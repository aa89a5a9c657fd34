//! A problem of a level, with its node and its cure.

use std::fmt;

use glam::DVec3;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::ProblemCode;
use super::mend::Mend;
use crate::geometry::Aabb;
use crate::level::AuthorPoint;

/// Maximum length of a node's name, and of a message, bytes.
pub(crate) const MAX_TEXT: usize = 2000;

/// A problem, with its place and its cure.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// The kind of problem.
    pub code: ProblemCode,
    /// The node, mesh, accessor, image or file that has the problem; empty if it is the whole file.
    pub node: String,
    /// The problem, its place and the cure, in one or two sentences.
    pub message: String,
    /// The place, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<ProblemPlace>,
    /// The fix, if there is one that is certain.
    #[serde(skip)]
    pub(crate) mend: Option<Mend>,
}

/// The place of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemPlace {
    /// A point of the place, in the author's coordinates.
    pub point: AuthorPoint,
    /// The edges around a hole, each from the first point to the second, in the author's coordinates; empty for other
    /// problems.
    pub edges: Vec<[AuthorPoint; 2]>,
    /// Box around other geometry that the problem affects, author's coordinates: a mesh that is left out or misplaced,
    /// or an opening elsewhere. Problems of missing or open geometry in this box follow from this problem.
    pub(crate) extent: Option<Aabb>,
}

impl ProblemPlace {
    /// A place at a point.
    pub fn at(point: AuthorPoint) -> Self {
        Self {
            point,
            edges: Vec::new(),
            extent: None,
        }
    }

    /// A place around a hole.
    pub(crate) fn around(point: AuthorPoint, edges: Vec<[AuthorPoint; 2]>) -> Self {
        Self {
            edges,
            ..Self::at(point)
        }
    }

    /// A place at the centre of the box around a mesh, in the author's coordinates.
    pub(crate) fn of_mesh(bounds: Aabb) -> Self {
        Self::at(AuthorPoint(bounds.centre())).about(bounds)
    }

    /// The place, with `extent` set to this box in the author's coordinates.
    pub(crate) fn about(mut self, bounds: Aabb) -> Self {
        self.extent = Some(bounds);
        self
    }

    /// The box around the point and the edges, in the author's coordinates.
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

/// Serializes as `{"blender": [x, y, z], "gltf": [x, y, z]}`. A hole also has `"edges"`, in glTF's axes.
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

/// The text, shortened to at most [`MAX_TEXT`] bytes by leaving out its middle.
pub(crate) fn shortened(text: String) -> String {
    if text.len() <= MAX_TEXT {
        return text;
    }
    let half = MAX_TEXT / 2 - 2;
    let head = text.floor_char_boundary(half);
    let tail = text.ceil_char_boundary(text.len() - half);
    format!("{}...{}", &text[..head], &text[tail..])
}
