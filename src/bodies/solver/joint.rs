//! The constraint rows of a joint. Arms, axes and errors are computed in each substep, from the poses of the bodies
//! at that time.

use std::f64::consts::TAU;

use glam::{DMat3, DVec3, Vec4};

use super::body::{GROUND, Inertia, VelocityChange};
use crate::bodies::joints::{ActiveJoint, RoomMotion};
use crate::level::JointKind;
use crate::shapes::rotation_by;
use crate::world::JointImpulse;

/// A joint during a step. Impulses are in the solver's units: N s divided by the square of the common unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointConstraint {
    kind: JointKind,
    /// The damping rate, 1/s.
    pub damping: f64,
    /// The indices of the body and of its base among the solver's bodies.
    pub bodies: [u32; 2],
    /// The vector from the centre of each side to the joint when the step begins, in coordinates of the side's room.
    arms: [DVec3; 2],
    /// The axes of the joint on each side when the step begins, in coordinates of the side's room.
    axes: [DMat3; 2],
    /// The vector from the centre of the base to that of the body when the step begins, in coordinates of the body's
    /// room.
    between: DVec3,
    body_from_base: DMat3,
    base_motion: Option<RoomMotion>,
    /// The velocity, m/s, and the spin, radians per second, of each side that is a kinematic body; zero otherwise.
    given_motion: [[DVec3; 2]; 2],
    /// The impulse in a substep.
    pub impulse: JointImpulse,
    /// The sum of the linear impulses on the body in this substep, each along the direction of its row when it was
    /// applied.
    applied: DVec3,
    /// The linear impulse of the joint on the body in all substeps so far.
    given: DVec3,
    /// The linear impulse of the joint's damping on the body in all substeps so far.
    dragged: DVec3,
}

/// The constraint that a row is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// The point, along an axis of the body's room.
    Point(usize),
    /// The axis of a hinge, along a direction perpendicular to it.
    Axis,
    /// The lower limit of a hinge.
    Lower,
    /// The upper limit of a hinge, or the length of a rope.
    Upper,
}

/// A row of a joint in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointRow {
    /// The index of the joint in the group.
    pub joint: u32,
    pub holds: Holds,
    pub bodies: [u32; 2],
    /// The Jacobian of each body, linear and angular, scaled by the roots of its inverse mass and inertia.
    pub sides: [[DVec3; 2]; 2],
    /// The direction of the impulse, in coordinates of the body's room.
    direction: DVec3,
    /// Whether the impulse is linear, not angular.
    is_linear: bool,
    /// The speed along the row at the beginning of the step.
    speed: f64,
    /// The error: a gap, or the distance to a limit, negative beyond the limit.
    pub error: f64,
}

/// A side of a joint at one time, in coordinates of the body's room.
struct SolverSide {
    root: f64,
    turn_root: DMat3,
    arm: DVec3,
    axes: DMat3,
    /// The displacement of the centre in the step, metres.
    shift: DVec3,
    /// The velocity, m/s, and the spin, radians per second, when the step begins.
    velocity: DVec3,
    spin: DVec3,
    room_from_body_room: DMat3,
}

impl Holds {
    /// Whether the row is a limit: its impulse acts in one direction only.
    pub(super) fn is_limit(self) -> bool {
        matches!(self, Self::Lower | Self::Upper)
    }
}

impl JointRow {
    /// The current speed along the row.
    pub(super) fn speed_now(&self, changes: &[VelocityChange]) -> f64 {
        let sides = self.bodies.into_iter().zip(&self.sides);
        let changed = sides.map(|(body, [linear, angular])| {
            let change = &changes[body as usize];
            linear.dot(change.velocity.truncate().as_dvec3())
                + angular.dot(change.spin.truncate().as_dvec3())
        });
        self.speed + changed.sum::<f64>()
    }

    /// The change of the speed along this row by a unit impulse along another row.
    pub(super) fn response(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (body, [linear, angular]) in self.bodies.into_iter().zip(&self.sides) {
            for (of_other, side) in other.bodies.into_iter().zip(&other.sides) {
                if body == of_other && body != GROUND {
                    sum += linear.dot(side[0]) + angular.dot(side[1]);
                }
            }
        }
        sum
    }

    /// Applies an impulse. `changed` accumulates the changes by joints.
    pub(super) fn push(
        &self,
        impulse: f64,
        changes: &mut [VelocityChange],
        changed: &mut [[Vec4; 2]],
    ) {
        for (body, side) in self.bodies.into_iter().zip(&self.sides) {
            if body != GROUND {
                let added = side.map(|part| part * impulse);
                change_by(added, body, changes, changed);
            }
        }
    }
}

fn change_by(
    added: [DVec3; 2],
    body: u32,
    changes: &mut [VelocityChange],
    changed: &mut [[Vec4; 2]],
) {
    let added = added.map(|part| part.as_vec3().extend(0.0));
    let change = &mut changes[body as usize];
    change.velocity += added[0];
    change.spin += added[1];
    for (changed, added) in changed[body as usize].iter_mut().zip(added) {
        *changed += added;
    }
}

impl JointConstraint {
    /// The constraint of a joint whose bodies have the indices `bodies` in the solver.
    pub(super) fn of(joint: &ActiveJoint, bodies: [u32; 2], unit: f64) -> Self {
        let [body, base] = &joint.sides;
        let per_unit = (unit * unit).recip();
        let base_centre = joint.body_from_base.point(base.centre);
        // Rooms are already in their poses at the end of the tick.
        let ahead = joint
            .base_motion
            .map_or(DVec3::ZERO, |motion| motion.velocity * motion.secs_left);
        Self {
            kind: joint.kind,
            damping: joint.damping,
            bodies,
            arms: [body.arm, base.arm],
            axes: [body.axes, base.axes],
            between: body.centre - (base_centre - ahead),
            body_from_base: joint.body_from_base.rotation(),
            base_motion: joint.base_motion,
            given_motion: [body.given, base.given],
            impulse: scaled(&joint.before, per_unit),
            applied: DVec3::ZERO,
            given: DVec3::ZERO,
            dragged: DVec3::ZERO,
        }
    }

    /// The impulse of the last substep, N s.
    pub(super) fn last_impulse(&self, unit: f64) -> JointImpulse {
        scaled(&self.impulse, unit * unit)
    }

    /// The impulses of the whole step on the body and on its base, N s, in coordinates of the room of each.
    pub(super) fn given(&self, unit: f64) -> [DVec3; 2] {
        let [given, dragged] = [self.given, self.dragged].map(|part| part * (unit * unit));
        [given + dragged, self.body_from_base.transpose() * -given]
    }

    /// The impulse of a row.
    pub(super) fn impulse_of(&self, row: &JointRow) -> f64 {
        match row.holds {
            Holds::Point(axis) => self.impulse.linear[axis],
            Holds::Axis => self.impulse.angular.dot(row.direction),
            Holds::Lower => self.impulse.lower,
            Holds::Upper => self.impulse.upper,
        }
    }

    /// Adds to the impulse of a row.
    pub(super) fn add(&mut self, row: &JointRow, more: f64) {
        match row.holds {
            Holds::Point(axis) => self.impulse.linear[axis] += more,
            Holds::Axis => self.impulse.angular += row.direction * more,
            Holds::Lower => self.impulse.lower += more,
            Holds::Upper => self.impulse.upper += more,
        }
        self.apply(row, more);
    }

    /// Records an impulse that is applied along a row.
    pub(super) fn apply(&mut self, row: &JointRow, impulse: f64) {
        if row.is_linear {
            self.applied += row.direction * impulse;
        }
    }

    /// Adds the impulse of a substep to the impulses of the step.
    pub(super) fn end_substep(&mut self) {
        self.given += std::mem::take(&mut self.applied);
    }

    /// Lists the rows as they are `time` seconds after the step began.
    pub(super) fn rows(
        &mut self,
        joint: u32,
        (inertias, changes): (&[Inertia], &[VelocityChange]),
        time: f64,
        rows: &mut Vec<JointRow>,
    ) {
        let sides = &self.sides(inertias, changes, time);
        let [body, base] = sides;
        let gap = self.gap(sides);
        let point = |holds, direction: DVec3, error| {
            let arms = [body.arm, base.arm].map(|arm| arm.cross(direction));
            self.row(joint, holds, sides, (direction, direction, arms), error)
        };
        let turn = |holds, direction: DVec3, error| {
            let along = (direction, DVec3::ZERO, [direction; 2]);
            self.row(joint, holds, sides, along, error)
        };
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate();
        let points = axes.map(|(index, axis)| point(Holds::Point(index), axis, axis.dot(gap)));
        match self.kind {
            JointKind::Ball => rows.extend(points),
            JointKind::Hinge { limits } => {
                rows.extend(points);
                let axis = base.axes.y_axis;
                let tilt = axis.cross(body.axes.y_axis);
                let across = [base.axes.z_axis, base.axes.x_axis];
                rows.extend(across.map(|across| turn(Holds::Axis, across, across.dot(tilt))));
                if let Some([lower, upper]) = limits {
                    let (from, to) = (base.axes.z_axis, body.axes.z_axis);
                    let angle = libm::atan2(from.cross(to).dot(axis), from.dot(to));
                    // The angle, within half a turn of the middle of the limits.
                    let middle = 0.5 * (lower + upper);
                    let turns = ((angle - middle) / TAU).round();
                    let angle = angle - TAU * turns;
                    rows.push(turn(Holds::Lower, axis, angle - lower));
                    rows.push(turn(Holds::Upper, -axis, upper - angle));
                }
                // The impulse is projected onto the new axes.
                let angular = self.impulse.angular;
                self.impulse.angular = across
                    .map(|across| across * across.dot(angular))
                    .into_iter()
                    .sum();
            }
            JointKind::Rope { length } => {
                let along = -gap.normalize_or_zero();
                rows.push(point(Holds::Upper, along, length - gap.length()));
            }
        }
    }

    fn row(
        &self,
        joint: u32,
        holds: Holds,
        [body, base]: &[SolverSide; 2],
        (direction, linear, angular): (DVec3, DVec3, [DVec3; 2]),
        error: f64,
    ) -> JointRow {
        let speeds = [(body, angular[0]), (base, angular[1])]
            .map(|(side, angular)| linear.dot(side.velocity) + angular.dot(side.spin));
        let parts = |side: &SolverSide, sign: f64, angular: DVec3| {
            [
                side.room_from_body_room * linear * (side.root * sign),
                side.turn_root.transpose() * angular * sign,
            ]
        };
        JointRow {
            joint,
            holds,
            bodies: self.bodies,
            sides: [parts(body, 1.0, angular[0]), parts(base, -1.0, angular[1])],
            direction,
            is_linear: linear != DVec3::ZERO,
            speed: speeds[0] - speeds[1],
            error,
        }
    }

    /// Damps the velocities of the body over a time in seconds.
    pub(super) fn damp(
        &mut self,
        inertias: &[Inertia],
        changes: &mut [VelocityChange],
        changed: &mut [[Vec4; 2]],
        secs: f64,
    ) {
        let body = self.bodies[0];
        if self.damping == 0.0 || body == GROUND {
            return;
        }
        let part = -(self.damping * secs).min(1.0);
        let (inertia, change) = (&inertias[body as usize], &changes[body as usize]);
        let velocity = (inertia.velocity + inertia.velocity_from(change.velocity)) * part;
        let spin = (inertia.spin + inertia.spin_from(change.spin)) * part;
        let added = [velocity / inertia.root, inertia.turn_root.inverse() * spin];
        if added.iter().all(|part| part.is_finite()) {
            change_by(added, body, changes, changed);
            self.dragged += velocity / (inertia.root * inertia.root);
        }
    }

    /// The vector from the joint on the base to the joint on the body.
    fn gap(&self, [body, base]: &[SolverSide; 2]) -> DVec3 {
        self.between + body.shift - base.shift + body.arm - base.arm
    }

    fn sides(
        &self,
        inertias: &[Inertia],
        changes: &[VelocityChange],
        time: f64,
    ) -> [SolverSide; 2] {
        [0, 1].map(|side| {
            let motion = self.base_motion.filter(|_| side == 1);
            let to_body_room = match (side, motion) {
                (0, _) => DMat3::IDENTITY,
                (_, None) => self.body_from_base,
                (_, Some(motion)) => {
                    rotation_by(motion.spin * (time - motion.secs_left)) * self.body_from_base
                }
            };
            let body = self.bodies[side] as usize;
            let (inertia, change) = (&inertias[body], &changes[body]);
            let [own_velocity, own_spin] = self.given_motion[side];
            let [own_velocity, own_spin] =
                [inertia.velocity + own_velocity, inertia.spin + own_spin];
            let turn = own_spin * time + inertia.spin_from(change.turn);
            let turned = to_body_room * rotation_by(turn);
            let shift = own_velocity * time + inertia.velocity_from(change.shift);
            let shift = to_body_room * shift;
            let [velocity, spin] = motion.map_or([DVec3::ZERO; 2], |motion| {
                [motion.velocity + motion.spin.cross(shift), motion.spin]
            });
            SolverSide {
                root: inertia.root,
                turn_root: to_body_room * inertia.turn_root,
                arm: turned * self.arms[side],
                axes: turned * self.axes[side],
                shift: shift + velocity * time,
                velocity: to_body_room * own_velocity + velocity,
                spin: to_body_room * own_spin + spin,
                room_from_body_room: to_body_room.transpose(),
            }
        })
    }
}

fn scaled(impulse: &JointImpulse, by: f64) -> JointImpulse {
    JointImpulse {
        linear: impulse.linear * by,
        angular: impulse.angular * by,
        lower: impulse.lower * by,
        upper: impulse.upper * by,
    }
}
