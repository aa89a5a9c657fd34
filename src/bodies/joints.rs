//! Joints that act in a tick.
//!
//! Bodies connected by joints are a cluster that is solved as a whole, and they wake and sleep together. If a body
//! wakes during a tick, sleeping bodies that are joined to it are static until the next tick.

use glam::{DMat3, DVec3};

use super::clusters::Clusters;
use super::context::StepContext;
use super::islands::Islands;
use super::moving::Moving;
use super::velocity::motion_of;
use crate::collision::CollisionWorld;
use crate::geometry::Rigid;
use crate::level::{At, BodyId, JointBase, JointId, JointKind, Level, MoverId, RoomId};
use crate::world::{Bodies, JointImpulse, Participant};

/// The maximum number of openings between the rooms of a joint's base and of its body. Joints across more openings do not
/// act.
const MAX_OPENINGS: u32 = 4;
/// The maximum number of room instances in the search from the base's room to the body's room.
const MAX_ROOMS: usize = 256;

/// The distance of a joint's two ends, metres, below which an instance of the body's room, reached from the base
/// through openings, is accepted as the right one. For a rope, its length is added.
const NEAR: f64 = 0.1;

/// A joint of which at least one side moves, at the beginning of a step.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct ActiveJoint {
    pub id: JointId,
    pub kind: JointKind,
    /// The damping rate of the body's velocities, 1/s.
    pub damping: f64,
    /// The body and its base.
    pub sides: [JointSide; 2],
    /// The transform from coordinates of the base's room to those of the body's room, at the end of the tick.
    pub body_from_base: Rigid,
    /// The motion of the base's room; `None` if both rooms are at rest or move with one mover.
    pub base_motion: Option<RoomMotion>,
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
    /// The velocity, m/s, and the spin, radians per second, of a kinematic body; zero for all other sides.
    pub given: [DVec3; 2],
}

/// The motion of the room of a joint's base relative to the room of the body, in coordinates of the body's room. It
/// is needed because velocities of bodies are relative to their rooms.
#[derive(Clone, Copy, Debug)]
pub(in crate::bodies) struct RoomMotion {
    /// The velocity at the centre of the base, m/s.
    pub velocity: DVec3,
    /// The angular velocity, radians per second.
    pub spin: DVec3,
    /// The time from the beginning of the step to the end of the tick, seconds.
    pub secs_left: f64,
}

/// The working state of joints.
#[derive(Debug, Default)]
pub(in crate::bodies) struct JointWorkspace {
    /// The active joints of the tick, in order.
    acting: Vec<JointId>,
    /// The joints of the current members of a step, in order.
    of_members: Vec<JointId>,
    /// The joints of the members of all steps of the tick.
    of_steps: Vec<JointId>,
    /// The bodies whose partners are still to be woken.
    waking: Vec<BodyId>,
    /// The joints of the current members at the beginning of the step.
    pub current: Vec<ActiveJoint>,
    /// The impulses of these joints at the end of the step.
    pub impulses: Vec<JointImpulse>,
    /// The indices in `current` of the open joints: those that are to be solved now.
    pub numbers: Vec<u32>,
    /// Copies of the open joints.
    pub open: Vec<ActiveJoint>,
    /// The impulses of the open joints.
    pub solved: Vec<JointImpulse>,
    /// The rooms around the base of a joint, each with its transform and the number of openings in between.
    images: Vec<JointImage>,
    /// Per joint of the level: its impulse, valid for [`Self::of_steps`].
    after: Vec<JointImpulse>,
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
        bodies.wake(partner);
    }
}

/// Wakes the bodies that joints connect across a moving boundary: bodies in the room that moves, and bodies whose
/// joint has its base in it. Joints inside the room are at rest.
pub(in crate::bodies) fn wake_across(level: &Level, bodies: &mut Bodies, moved: RoomId) {
    let mover = level.room(moved).moved_by;
    let moves_along = |id: BodyId, bodies: &Bodies| {
        let room = bodies.state(id).at.room;
        level.room(room).moved_by == mover
    };
    for joint in level.joints.based_in(moved) {
        if !moves_along(joint.body, bodies) {
            bodies.wake(joint.body);
        }
    }
    for index in 0..bodies.count_in_room(moved) {
        let id = bodies.nth_in_room(moved, index);
        for (_, joint) in level.joints.of(id) {
            let is_within = match joint.base {
                JointBase::Room(at, _) => level.room(at.room).moved_by == mover,
                JointBase::Body(..) => joint.bodies().all(|id| moves_along(id, bodies)),
            };
            if !is_within {
                bodies.wake(id);
            }
        }
    }
}

impl JointWorkspace {
    /// Wakes the sleeping bodies that joints connect to an awake body, directly or through other bodies.
    pub(in crate::bodies) fn wake_joined(&mut self, level: &Level, bodies: &mut Bodies) {
        if level.joints.all.is_empty() {
            return;
        }
        self.waking.clone_from(&bodies.awake);
        self.waking
            .retain(|id| !bodies.state(*id).is_kinematic_at_rest());
        while let Some(id) = self.waking.pop() {
            for partner in level.joints.partners(id).flatten() {
                let state = bodies.state(partner);
                if state.sleeps() && !state.is_kinematic {
                    bodies.wake(partner);
                    self.waking.push(partner);
                }
            }
        }
    }

    /// Lists the joints that connect an awake body of the tick.
    pub(in crate::bodies) fn find(&mut self, context: &StepContext, moving: &[Moving]) {
        let joints = &context.participants.level.joints;
        self.acting.clear();
        self.of_steps.clear();
        let is_present = |id: BodyId| context.bodies.state(id).is_present;
        let awake = moving.iter().filter(|moving| !moving.is_asleep);
        for id in awake.filter_map(|moving| moving.id.body()) {
            let present = joints.of(id);
            let present = present.filter(|(_, joint)| joint.bodies().all(is_present));
            self.acting.extend(present.map(|(id, _)| id));
        }
        self.acting.sort_unstable();
        self.acting.dedup();
    }

    /// The pairs of awake bodies that joints connect; a body that is joined to something static is a pair with
    /// itself.
    pub(in crate::bodies) fn pairs<'s>(
        &'s self,
        level: &'s Level,
        moving: &'s [Moving],
        index_of: &'s [u32],
    ) -> impl Iterator<Item = [u32; 2]> + 's {
        self.acting.iter().map(move |id| {
            let joint = level.joints.joint(*id);
            let indices = [Some(joint.body), joint.base_body()].map(|id| {
                let (index, moving) = taking_part(moving, index_of, id?)?;
                (!moving.is_asleep).then_some(index)
            });
            let any = indices[0].or(indices[1]).unwrap_or_default();
            indices.map(|index| index.unwrap_or(any))
        })
    }

    /// Lists the joints of the current members at the beginning of a step, `secs_left` seconds before the end of the
    /// tick. The first step of a tick starts with the impulses of the last tick, each later step with those of the
    /// previous step. Merges the islands, and the clusters, of each joint's bodies.
    pub(in crate::bodies) fn begin(
        &mut self,
        context: &StepContext,
        (moving, index_of): (&[Moving], &[u32]),
        (current, is_current): (&[u32], &[bool]),
        (islands, clusters): (&mut Islands, &mut Clusters),
        (is_first, secs_left): (bool, f64),
    ) {
        let joints = &context.participants.level.joints;
        self.of_members.clear();
        let ids = current.iter().map(|index| moving[*index as usize].id);
        for id in ids.filter_map(Participant::body) {
            let of_body = joints.of(id);
            self.of_members.extend(of_body.map(|(id, _)| id));
        }
        self.of_members.sort_unstable();
        self.of_members.dedup();
        if is_first {
            self.after.resize(joints.all.len(), JointImpulse::default());
            for id in &self.of_members {
                self.after[id.0 as usize] = context.bodies.joint_impulses[id.0 as usize];
            }
            self.of_steps.extend_from_slice(&self.of_members);
        }
        let member = |id: BodyId| {
            let (index, moving) = taking_part(moving, index_of, id)?;
            is_current[index as usize].then_some((index, moving))
        };
        self.current.clear();
        for &id in &self.of_members {
            let before = self.after[id.0 as usize];
            let joint = active(context, (id, secs_left), member, before, &mut self.images);
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
            self.after[joint.id.0 as usize] = *impulse;
        }
    }

    /// Stores the impulses with which the tick ends, for the next one.
    pub(in crate::bodies) fn keep(&self, impulses: &mut [JointImpulse]) {
        for id in &self.of_steps {
            impulses[id.0 as usize] = self.after[id.0 as usize];
        }
    }
}

/// The index of a body among those of the tick, and its motion; `None` if it does not take part.
pub(in crate::bodies) fn taking_part<'m>(
    moving: &'m [Moving],
    index_of: &[u32],
    id: BodyId,
) -> Option<(u32, &'m Moving)> {
    let index = *index_of.get(id.0 as usize)?;
    let body = moving.get(index as usize)?;
    (body.id == Participant::Body(id)).then_some((index, body))
}

/// The joint at the beginning of a step; `None` if neither side moves, or its sides are too many rooms apart.
fn active<'m>(
    context: &StepContext,
    (id, secs_left): (JointId, f64),
    member: impl Fn(BodyId) -> Option<(u32, &'m Moving)>,
    before: JointImpulse,
    images: &mut Vec<JointImage>,
) -> Option<ActiveJoint> {
    let joint = context.participants.level.joints.joint(id);
    if !joint.bodies().all(|id| context.bodies.state(id).is_present) {
        return None;
    }
    let of_body = |id: BodyId, body_from_joint: &Rigid| {
        let member = member(id);
        let state = context.bodies.state(id);
        let (room, room_from_body, given) = match member {
            Some((_, moving)) => (moving.at.room, moving.pose(), [DVec3::ZERO; 2]),
            None if state.is_kinematic => {
                let now = context.kinematic_at(id, context.secs - secs_left);
                (now.at.room, now.pose(), [now.velocity, now.spin])
            }
            None => (state.at.room, state.room_from_body(), [DVec3::ZERO; 2]),
        };
        let side = JointSide {
            index: member.map(|(index, _)| index),
            centre: room_from_body.translation(),
            arm: room_from_body.vector(body_from_joint.translation()),
            axes: room_from_body.rotation() * body_from_joint.rotation(),
            given,
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
                given: [DVec3::ZERO; 2],
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
    let motion = motion_of_base(context.collision, room, (base_room, &base), &body_from_base);
    Some(ActiveJoint {
        id,
        kind: joint.kind,
        damping: joint.damping,
        sides: [body, base],
        body_from_base,
        base_motion: motion.map(|[velocity, spin]| RoomMotion {
            velocity,
            spin,
            secs_left,
        }),
        before,
    })
}

/// The velocity, m/s, and the angular velocity, radians per second, of the base's room relative to the body's room,
/// at the centre of the base, in coordinates of the body's room; `None` unless a mover moves only one of the two
/// rooms.
fn motion_of_base(
    collision: &CollisionWorld,
    room: RoomId,
    (base_room, base): (RoomId, &JointSide),
    body_from_base: &Rigid,
) -> Option<[DVec3; 2]> {
    let movers = [room, base_room].map(|room| collision.level.room(room).moved_by);
    if movers[0] == movers[1] {
        return None;
    }
    let motion = |mover: Option<MoverId>, at: At| {
        let motion = mover.map(|mover| motion_of(collision, mover, at));
        motion.unwrap_or_default()
    };
    let here = At::new(room, body_from_base.point(base.centre));
    let [own, of_base] = [
        motion(movers[0], here),
        motion(movers[1], At::new(base_room, base.centre)),
    ];
    Some([0, 1].map(|part| body_from_base.vector(of_base[part]) - own[part]))
}

/// An instance of a room, seen from the base of a joint through openings.
#[derive(Clone, Copy, Debug)]
struct JointImage {
    room: RoomId,
    image_from_base: Rigid,
    openings: u32,
}

/// The transform from the base's room to the body's room, through openings, open or not. If there are several, the
/// first that brings the joint's ends (positions on the body and on the base, each in coordinates of its room) nearer
/// together than `near`, metres; if none does, the one that brings them closest.
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
        // Most joints act within a room, or across one opening.
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
