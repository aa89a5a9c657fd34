//! Joints as authored: constraints between a rigid body and another one, or a fixed point in a room.

use super::{At, BodyId, RoomId};
use crate::geometry::Rigid;

/// Index of a joint in [`Joints::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub u32);

/// A joint. Its coordinates have their origin where the joint was authored, and the axes of the joint's node.
/// Initially the joint frames on both sides coincide.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct Joint {
    /// Name of its node.
    pub name: String,
    /// The kind of constraint.
    pub kind: JointKind,
    /// The constrained body.
    pub body: BodyId,
    /// The transform from joint coordinates to body coordinates. A rope is attached to the body at the origin of the
    /// joint coordinates.
    pub body_from_joint: Rigid,
    /// The other side of the joint.
    pub base: JointBase,
    /// Linear and angular damping of the body, 1/s. If a body has several joints, the strongest damping acts.
    pub damping: f64,
}

/// The motions that a joint permits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum JointKind {
    /// Rotations about the joint's origin.
    Ball,
    /// Rotations about the joint's y axis (z in Blender). The angle of the body relative to its base is in radians, positive
    /// counterclockwise as seen from the end of the axis, and 0 at the start.
    Hinge {
        /// The limits of the angle, `None` for free rotation. The lower limit is at most 0, the upper limit at least
        /// 0, and both are within half a turn.
        limits: Option<[f64; 2]>,
    },
    /// A rope: permits all motions in which its two ends are no farther apart than its length.
    Rope {
        /// Length of the rope, metres.
        length: f64,
    },
}

/// The other side of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointBase {
    /// Another body, and the transform from coordinates of the joint to those of that body.
    Body(BodyId, Rigid),
    /// A fixed point in a room: the position of the joint, and the orientation of its frame.
    Room(At, glam::DMat3),
}

impl Joint {
    /// The constrained bodies, one or two.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<> {
        std::iter::once(self.body).chain(self.base_body())
    }

    /// The other body, if the joint connects two bodies.
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
    /// The pairs of bodies that joints connect, the lower index first, sorted.
    joined: Vec<[BodyId; 2]>,
    /// The joints of each body, sorted.
    of_bodies: Vec<(BodyId, JointId)>,
    /// The joints whose base is a point in a room, by room, sorted.
    in_rooms: Vec<(RoomId, JointId)>,
}

impl Joints {
    pub(crate) fn new(all: Vec<Joint>) -> Self {
        let ids = || (0..).map(JointId).zip(&all);
        let pairs = all
            .iter()
            .filter_map(|joint| Some(sorted([joint.body, joint.base_body()?])));
        let of_bodies = ids().flat_map(|(id, joint)| joint.bodies().map(move |body| (body, id)));
        let in_rooms = ids().filter_map(|(id, joint)| match joint.base {
            JointBase::Room(at, _) => Some((at.room, id)),
            JointBase::Body(..) => None,
        });
        let mut joints = Self {
            joined: pairs.collect(),
            of_bodies: of_bodies.collect(),
            in_rooms: in_rooms.collect(),
            all,
        };
        joints.joined.sort_unstable();
        joints.of_bodies.sort_unstable();
        joints.in_rooms.sort_unstable();
        joints
    }

    /// A joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.all[id.0 as usize]
    }

    /// The joints of a body, in order.
    pub(crate) fn of(&self, body: BodyId) -> impl Iterator<Item = (JointId, &Joint)> {
        let ids = with_key(&self.of_bodies, body);
        ids.map(|id| (id, self.joint(id)))
    }

    /// The joints whose base is a point in a room, in order.
    pub(crate) fn based_in(&self, room: RoomId) -> impl Iterator<Item = &Joint> {
        with_key(&self.in_rooms, room).map(|id| self.joint(id))
    }

    /// Whether a joint constrains a body.
    pub fn hold(&self, id: BodyId) -> bool {
        self.partners(id).next().is_some()
    }

    /// The other sides of the joints of a body: a body, or `None` for a point in a room.
    pub(crate) fn partners(&self, id: BodyId) -> impl Iterator<Item = Option<BodyId>> {
        self.of(id).map(move |(_, joint)| match joint.base_body() {
            Some(_) if joint.body != id => Some(joint.body),
            base => base,
        })
    }

    /// Whether a joint connects these two bodies. Connected bodies do not collide.
    pub fn are_joined(&self, pair: [BodyId; 2]) -> bool {
        self.joined.binary_search(&sorted(pair)).is_ok()
    }
}

/// The joints with a key in a sorted list.
fn with_key<K: Ord + Copy>(list: &[(K, JointId)], key: K) -> impl Iterator<Item = JointId> {
    let first = list.partition_point(|(other, _)| *other < key);
    let of_key = list[first..]
        .iter()
        .take_while(move |(other, _)| *other == key);
    of_key.map(|(_, id)| *id)
}

fn sorted([a, b]: [BodyId; 2]) -> [BodyId; 2] {
    [a.min(b), a.max(b)]
}
