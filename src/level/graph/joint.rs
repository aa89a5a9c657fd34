//! Joints as authored: constraints between a rigid body and another one, or a place in a room.

use super::{At, BodyId};
use crate::geometry::Rigid;

/// Index of a joint in [`Joints::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub u32);

/// A joint. Its own coordinates have their origin where it was authored, and the axes of its node; the two sides of it have
/// one place and one orientation at first.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct Joint {
    /// Name of its node.
    pub name: String,
    /// Which motions it allows.
    pub kind: JointKind,
    /// The body that it holds, and the transform from coordinates of the joint to those of the body. The origin of a
    /// rope's is where the rope is fastened to the body.
    pub body: BodyId,
    /// See [`Self::body`].
    pub body_from_joint: Rigid,
    /// The other side of the joint.
    pub base: JointBase,
    /// Linear and angular damping of the body, 1/s.
    pub damping: f64,
}

/// Which motions a joint allows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum JointKind {
    /// All turns about its place.
    Ball,
    /// Turns about its y axis (z in Blender), between two angles of the body relative to its base, radians, positive
    /// counterclockwise as seen from the end of the axis; the body begins at 0.
    Hinge {
        /// The lower and the upper limit: at most 0 and at least 0, within half a turn. Without them it turns freely.
        limits: Option<[f64; 2]>,
    },
    /// All motions in which its ends are no farther apart than this, metres.
    Rope {
        /// Metres.
        length: f64,
    },
}

/// The other side of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointBase {
    /// Another body, and the transform from coordinates of the joint to those of that body.
    Body(BodyId, Rigid),
    /// A place in a room, which is the place of the joint, and the orientation of the joint there.
    Room(At, glam::DMat3),
}

impl Joint {
    /// Its bodies, one or two.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<> {
        std::iter::once(self.body).chain(self.base_body())
    }

    /// The other body, if the joint holds one to the other.
    pub fn base_body(&self) -> Option<BodyId> {
        match self.base {
            JointBase::Body(body, _) => Some(body),
            JointBase::Room(..) => None,
        }
    }
}

/// The joints of a level.
#[derive(Debug, Default)]
pub struct Joints {
    /// The joints, sorted by name.
    pub all: Vec<Joint>,
    /// The pairs of bodies that joints hold to each other, the lower one first, sorted.
    joined: Vec<[BodyId; 2]>,
}

impl Joints {
    pub(in crate::level) fn new(all: Vec<Joint>) -> Self {
        let pairs = all
            .iter()
            .filter_map(|joint| Some(sorted([joint.body, joint.base_body()?])));
        let mut joined: Vec<_> = pairs.collect();
        joined.sort_unstable();
        Self { all, joined }
    }

    /// Whether a joint holds a body.
    pub fn hold(&self, id: BodyId) -> bool {
        self.partners(id).next().is_some()
    }

    /// The other sides of the joints of a body: a body, or none for a place in a room.
    pub(crate) fn partners(&self, id: BodyId) -> impl Iterator<Item = Option<BodyId>> {
        self.all.iter().filter_map(move |joint| {
            let base = joint.base_body();
            match base {
                _ if joint.body == id => Some(base),
                Some(base) if base == id => Some(Some(joint.body)),
                _ => None,
            }
        })
    }

    /// Whether a joint holds these two bodies to each other. Then they do not collide.
    pub fn are_joined(&self, pair: [BodyId; 2]) -> bool {
        self.joined.binary_search(&sorted(pair)).is_ok()
    }
}

fn sorted([a, b]: [BodyId; 2]) -> [BodyId; 2] {
    [a.min(b), a.max(b)]
}
