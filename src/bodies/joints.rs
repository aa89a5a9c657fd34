//! Joints that act in a tick.
//!
//! Bodies connected by joints are a cluster that is solved as a whole, and they wake and sleep together. A body that
//! wakes during a tick may be joined to a sleeping body: the sleeping body is static until the next tick.

use glam::{DMat3, DVec3};

use super::clusters::Clusters;
use super::context::StepContext;
use super::islands::Islands;
use super::moving::Moving;
use crate::collision::CollisionWorld;
use crate::geometry::Rigid;
use crate::level::{BodyId, Joint, JointBase, JointKind, Level, RoomId};
use crate::world::{Bodies, BodyState, JointImpulse};

/// The maximum number of openings, and of rooms, through which the room of a body is searched from that of its base.
/// Joints of bodies that are farther apart do not act.
const MAX_OPENINGS: u32 = 4;
const MAX_ROOMS: usize = 256;

/// The image of a room is accepted as the right one if the two ends of the joint are nearer together than this, metres.
/// For a rope its length is added.
const NEAR: f64 = 0.1;

/// A joint of which at least one side moves, at the beginning of a step.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct ActiveJoint {
    /// The index among the joints of the level.
    pub index: u32,
    pub kind: JointKind,
    /// The damping rate of the body's velocities, 1/s.
    pub damping: f64,
    /// The body and its base.
    pub sides: [JointSide; 2],
    /// The transform from coordinates of the base's room to those of the body's room.
    pub body_from_base: Rigid,
    /// The impulse that the step begins with.
    pub before: JointImpulse,
}

/// A side of a joint, in coordinates of its room.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct JointSide {
    /// The index of the body among the bodies that take part in the tick; `None` if the side is static.
    pub index: Option<u32>,
    /// The centre of the body, or the position of the joint in a room.
    pub centre: DVec3,
    /// The vector from the centre to the joint, metres.
    pub arm: DVec3,
    /// The axes of the joint.
    pub axes: DMat3,
}

/// The working state of joints.
#[derive(Debug, Default)]
pub(in crate::bodies) struct JointWorkspace {
    /// The indices of the active joints of the tick.
    acting: Vec<u32>,
    /// The joints of the current members at the beginning of the step, and their impulses at its end.
    pub current: Vec<ActiveJoint>,
    pub impulses: Vec<JointImpulse>,
    /// The open joints, which the solver takes: their indices in `current`, copies, and their impulses.
    pub numbers: Vec<u32>,
    pub open: Vec<ActiveJoint>,
    pub solved: Vec<JointImpulse>,
    /// The rooms around the base of a joint, each with its transform and the number of openings between.
    images: Vec<JointImage>,
    /// The impulse of each joint of the level at the end of the tick.
    pub after: Vec<JointImpulse>,
}

impl ActiveJoint {
    /// Returns a body that the joint moves.
    pub(in crate::bodies) fn any_body(&self) -> u32 {
        let [body, base] = self.sides.map(|side| side.index);
        body.or(base).expect("one side of an active joint moves")
    }

    /// The bodies that the joint moves.
    pub(in crate::bodies) fn bodies(&self) -> impl Iterator<Item = u32> + use<> {
        self.sides.map(|side| side.index).into_iter().flatten()
    }
}

/// Wakes the bodies that joints connect to a body.
pub(in crate::bodies) fn wake_partners(level: &Level, bodies: &mut Bodies, id: BodyId) {
    for partner in level.joints.partners(id).flatten() {
        let state = bodies.state(partner);
        if state.is_present && state.is_asleep() {
            bodies.wake(partner);
        }
    }
}

/// Wakes the sleeping bodies that joints connect to an awake body.
pub(in crate::bodies) fn wake_joined(level: &Level, bodies: &mut Bodies) {
    let joints = &level.joints.all;
    let pairs = || {
        let pairs = joints.iter();
        pairs.filter_map(|joint| Some([joint.body, joint.base_body()?]))
    };
    let mut wake = |pair: [BodyId; 2]| {
        let [a, b] = pair.map(|id| *bodies.state(id));
        let sleeps = |state: &BodyState| state.is_present && state.is_asleep();
        let is_awake = |state: &BodyState| state.is_present && !state.is_asleep();
        let woken = match () {
            () if is_awake(&a) && sleeps(&b) => pair[1],
            () if is_awake(&b) && sleeps(&a) => pair[0],
            () => return false,
        };
        bodies.wake(woken);
        true
    };
    // Forwards and backwards: links of a chain are most often in the order of their names.
    loop {
        let there = pairs().fold(false, |any, pair| wake(pair) | any);
        let back = joints.iter().rev();
        let back = back.filter_map(|joint| Some([joint.body, joint.base_body()?]));
        if !back.fold(false, |any, pair| wake(pair) | any) && !there {
            return;
        }
    }
}

impl JointWorkspace {
    /// Lists the joints with an awake body that takes part in the tick. `index_of` has the index of each body of the
    /// level that takes part.
    pub(in crate::bodies) fn find(
        &mut self,
        context: &StepContext,
        moving: &[Moving],
        index_of: &[u32],
    ) {
        self.acting.clear();
        let level = context.participants.level;
        self.after.clone_from(&context.bodies.joint_impulses);
        let is_awake = |id: BodyId| {
            let moving = taking_part(moving, index_of, id);
            moving.is_some_and(|(_, moving)| !moving.is_asleep)
        };
        for (index, joint) in (0..).zip(&level.joints.all) {
            let is_present = |id: BodyId| context.bodies.state(id).is_present;
            if joint.bodies().all(is_present) && joint.bodies().any(is_awake) {
                self.acting.push(index);
            }
        }
    }

    /// The pairs of awake bodies that joints connect; a body that is joined to something static is a pair with
    /// itself.
    pub(in crate::bodies) fn pairs<'s>(
        &'s self,
        level: &'s Level,
        moving: &'s [Moving],
        index_of: &'s [u32],
    ) -> impl Iterator<Item = [u32; 2]> + 's {
        self.acting.iter().map(move |index| {
            let joint = &level.joints.all[*index as usize];
            let indices = [Some(joint.body), joint.base_body()].map(|id| {
                let (index, moving) = taking_part(moving, index_of, id?)?;
                (!moving.is_asleep).then_some(index)
            });
            let any = indices[0].or(indices[1]).unwrap_or_default();
            indices.map(|index| index.unwrap_or(any))
        })
    }

    /// Lists the joints of the current members at the beginning of a step. The first step of a tick begins with the
    /// impulses of the last tick, and a later step with those of the step before. Merges the islands, and the
    /// clusters, of the bodies of each joint.
    pub(in crate::bodies) fn begin(
        &mut self,
        context: &StepContext,
        (moving, index_of): (&[Moving], &[u32]),
        is_current: &[bool],
        (islands, clusters): (&mut Islands, &mut Clusters),
        is_first: bool,
    ) {
        self.current.clear();
        for (index, joint) in (0..).zip(&context.participants.level.joints.all) {
            let before = match is_first {
                true => &context.bodies.joint_impulses,
                false => &self.after,
            };
            let member = |id: BodyId| {
                let (index, moving) = taking_part(moving, index_of, id)?;
                is_current[index as usize].then_some((index, moving))
            };
            let before = before[index as usize];
            let joint = active(context, (index, joint), member, before, &mut self.images);
            self.current.extend(joint);
        }
        for joint in &self.current {
            if let [Some(a), Some(b)] = joint.sides.map(|side| side.index) {
                islands.unite(a, b);
                clusters.unite(a, b);
            }
        }
        let before = self.current.iter().map(|joint| joint.before);
        self.impulses.clear();
        self.impulses.extend(before);
    }

    /// Lists the joints that are to be solved again.
    pub(in crate::bodies) fn open(&mut self, mut is_open: impl FnMut(u32) -> bool) {
        self.numbers.clear();
        self.open.clear();
        for (number, joint) in (0..).zip(&self.current) {
            if is_open(joint.any_body()) {
                self.numbers.push(number);
                self.open.push(*joint);
            }
        }
    }

    /// Stores the impulses of the joints that were solved.
    pub(in crate::bodies) fn note_solved(&mut self) {
        for (number, solved) in self.numbers.iter().zip(&self.solved) {
            self.impulses[*number as usize] = *solved;
        }
    }

    /// Stores the impulses with which the step ends.
    pub(in crate::bodies) fn end(&mut self) {
        for (joint, impulse) in self.current.iter().zip(&self.impulses) {
            self.after[joint.index as usize] = *impulse;
        }
    }
}

fn taking_part<'m>(
    moving: &'m [Moving],
    index_of: &[u32],
    id: BodyId,
) -> Option<(u32, &'m Moving)> {
    let index = *index_of.get(id.0 as usize)?;
    let body = moving.get(index as usize)?;
    (body.id == id).then_some((index, body))
}

/// The joint at the beginning of a step; `None` if neither side moves, or its sides are too many rooms apart.
fn active<'m>(
    context: &StepContext,
    (index, joint): (u32, &Joint),
    member: impl Fn(BodyId) -> Option<(u32, &'m Moving)>,
    before: JointImpulse,
    images: &mut Vec<JointImage>,
) -> Option<ActiveJoint> {
    let mut bodies = joint.bodies();
    if !bodies.all(|id| context.bodies.state(id).is_present) {
        return None;
    }
    let of_body = |id: BodyId, body_from_joint: &Rigid| {
        let member = member(id);
        let state = context.bodies.state(id);
        let (room, room_from_body) = match member {
            Some((_, moving)) => (moving.at.room, moving.pose()),
            None => (state.at.room, state.room_from_body()),
        };
        let side = JointSide {
            index: member.map(|(index, _)| index),
            centre: room_from_body.translation(),
            arm: room_from_body.vector(body_from_joint.translation()),
            axes: room_from_body.rotation() * body_from_joint.rotation(),
        };
        (room, side)
    };
    let (room, body) = of_body(joint.body, &joint.body_from_joint);
    let (base_room, base) = match &joint.base {
        JointBase::Body(id, body_from_joint) => of_body(*id, body_from_joint),
        JointBase::Room(at, axes) => {
            let side = JointSide {
                index: None,
                centre: at.point,
                arm: DVec3::ZERO,
                axes: *axes,
            };
            (at.room, side)
        }
    };
    body.index.or(base.index)?;
    let ends = [
        (room, body.centre + body.arm),
        (base_room, base.centre + base.arm),
    ];
    let near = match joint.kind {
        JointKind::Rope { length } => length + NEAR,
        _ => NEAR,
    };
    let body_from_base = transform(context.collision, ends, near, images)?;
    Some(ActiveJoint {
        index,
        kind: joint.kind,
        damping: joint.damping,
        sides: [body, base],
        body_from_base,
        before,
    })
}

/// A room image as it is reached from the base of a joint.
#[derive(Clone, Copy, Debug)]
struct JointImage {
    room: RoomId,
    image_from_base: Rigid,
    openings: u32,
}

/// The transform from coordinates of the base's room to those of the body's room, through openings, open or not. If
/// there are several, it is the first that brings the two ends of the joint nearer together than `near`, metres, or
/// else the one that brings them closest together. The ends are positions on the body and on the base, each in
/// coordinates of its room.
fn transform(
    collision: &CollisionWorld,
    [(room, end), (base_room, base_end)]: [(RoomId, DVec3); 2],
    near: f64,
    images: &mut Vec<JointImage>,
) -> Option<Rigid> {
    let gap = |image: &JointImage| image.image_from_base.point(base_end).distance(end);
    let rooms = collision.world.rooms();
    images.clear();
    images.push(JointImage {
        room: base_room,
        image_from_base: Rigid::IDENTITY,
        openings: 0,
    });
    let mut next = 0;
    while let Some(&image) = images.get(next) {
        next += 1;
        // Most joints act within a room, or beside an opening.
        if image.room == room && gap(&image) < near {
            return Some(image.image_from_base);
        }
        if image.openings == MAX_OPENINGS {
            continue;
        }
        for (_, portal) in rooms.portals_of(collision.level, image.room) {
            let far_from_base = portal.far_from_near.after(&image.image_from_base);
            let is_known = |known: &JointImage| {
                known.room == portal.far && known.image_from_base.is_about(&far_from_base)
            };
            if images.len() < MAX_ROOMS && !images.iter().any(is_known) {
                images.push(JointImage {
                    room: portal.far,
                    image_from_base: far_from_base,
                    openings: image.openings + 1,
                });
            }
        }
    }
    let of_room = images.iter().filter(|image| image.room == room);
    let nearest = of_room.min_by(|a, b| gap(a).total_cmp(&gap(b)));
    nearest.map(|image| image.image_from_base)
}
