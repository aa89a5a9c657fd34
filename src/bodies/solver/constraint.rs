//! One point of contact, and what solving it once does.

use glam::{DMat3, DVec2, DVec3};

use super::body::{Body, GROUND};
use super::softness::Softness;
use crate::bodies::contacts::Contact;
use crate::bodies::tuning::{MAX_PUSH_SPEED, ROLLING_ARM, SAME_POINT};
use crate::world::KeptImpulse;

/// A contact as the solver needs it. Normals and tangents are the axes x, y and z of the contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint {
    /// Which of the points of those two this is, and the index of its contact.
    order: (u32, u32),
    a: Side,
    b: Side,
    /// How a surface that is touched moves, m/s along the axes, and along the normal as it is seen to move.
    surface_velocity: DVec3,
    surface_course: f64,
    /// The gap at the beginning of the tick, metres; negative where they overlap.
    separation: f64,
    friction: f64,
    rolls: bool,
    /// The mass that an impulse along the normal moves, and that along the tangent that moves the least, kg. With
    /// one mass for all tangents friction is opposite to the slip.
    normal_mass: f64,
    tangent_mass: f64,
    /// Impulses of this substep, N s.
    normal_impulse: f64,
    tangent_impulse: DVec2,
}

/// What a contact is for one of its bodies, in coordinates of the body's room.
#[derive(Clone, Copy, Debug)]
struct Side {
    body: u32,
    /// The axes of the contact.
    axes: DMat3,
    /// From the centre of the body to the point, metres.
    arm: DVec3,
    /// The lever of the normal about the centre, metres, and the spin that an impulse of 1 N s along it gives.
    lever: DVec3,
    spin: DVec3,
}

impl Side {
    fn new(body: u32, bodies: &[Body], axes: DMat3, arm: DVec3) -> Self {
        let lever = arm.cross(axes.x_axis);
        Self {
            body,
            axes,
            arm,
            lever,
            spin: bodies[body as usize].inverse_inertia * lever,
        }
    }

    /// What an impulse of 1 N s along each of the tangents makes of the velocity along each, 1/kg: the first, both
    /// mixed, the second.
    fn mobility(&self, body: &Body) -> [f64; 3] {
        let levers = [self.axes.y_axis, self.axes.z_axis].map(|axis| self.arm.cross(axis));
        let spins = levers.map(|lever| body.inverse_inertia * lever);
        let along = |i: usize| body.inverse_mass + levers[i].dot(spins[i]);
        [along(0), levers[0].dot(spins[1]), along(1)]
    }

    /// How far the point has come along the normal, metres.
    fn shift(&self, body: &Body) -> f64 {
        body.shift.dot(self.axes.x_axis) + body.turn.dot(self.lever)
    }

    fn normal_speed(&self, body: &Body) -> f64 {
        body.velocity.dot(self.axes.x_axis) + body.spin.dot(self.lever)
    }

    fn slip(&self, body: &Body) -> DVec2 {
        let velocity = body.velocity + body.spin.cross(self.arm);
        DVec2::new(
            velocity.dot(self.axes.y_axis),
            velocity.dot(self.axes.z_axis),
        )
    }

    fn push(&self, body: &mut Body, impulse: f64) {
        body.velocity += self.axes.x_axis * (impulse * body.inverse_mass);
        body.spin += self.spin * impulse;
    }

    fn rub(&self, body: &mut Body, impulse: DVec2) {
        let impulse = self.axes.y_axis * impulse.x + self.axes.z_axis * impulse.y;
        body.velocity += impulse * body.inverse_mass;
        body.spin += body.inverse_inertia * self.arm.cross(impulse);
    }

    /// A vector in the axes of the contact.
    fn along_axes(&self, vector: DVec3) -> DVec3 {
        let axes = &self.axes;
        DVec3::new(
            axes.x_axis.dot(vector),
            axes.y_axis.dot(vector),
            axes.z_axis.dot(vector),
        )
    }
}

impl Constraint {
    /// A contact that begins with the impulse that was kept for it.
    pub(super) fn of(
        contact: &Contact,
        order: (u32, u32),
        bodies: &[Body],
        body_of: &[u32],
        kept: &[KeptImpulse],
    ) -> Self {
        let normal = contact.normal;
        let (t1, t2) = normal.any_orthonormal_pair();
        let axes = DMat3::from_cols(normal, t1, t2);
        let a = Side::new(body_of[contact.a as usize], bodies, axes, contact.arm_a);
        let b = match contact.b {
            None => Side::new(GROUND, bodies, axes, DVec3::ZERO),
            Some(b) => {
                let (mut axes, mut arm) = (axes, contact.arm_b);
                if !contact.a_from_b.is_identity() {
                    let b_from_a = contact.a_from_b.inverse();
                    axes = b_from_a.rotation() * axes;
                    arm = b_from_a.vector(arm);
                }
                Side::new(body_of[b as usize], bodies, axes, arm)
            }
        };
        let [of_a, of_b] = [&a, &b].map(|side| &bodies[side.body as usize]);
        let inverse_mass = of_a.inverse_mass + of_b.inverse_mass;
        let inverse_mass = inverse_mass + a.lever.dot(a.spin) + b.lever.dot(b.spin);
        let last = last_impulse(contact, kept);
        let tangential = last.map_or(DVec3::ZERO, |kept| kept.tangent);
        Self {
            order,
            rolls: contact.rolls,
            surface_velocity: a.along_axes(contact.surface_velocity),
            surface_course: contact.surface_course.dot(normal),
            separation: contact.separation,
            friction: contact.friction,
            normal_mass: inverse_mass.recip(),
            tangent_mass: tangent_mass(a.mobility(of_a), b.mobility(of_b)),
            normal_impulse: last.map_or(0.0, |kept| kept.normal),
            tangent_impulse: DVec2::new(t1.dot(tangential), t2.dot(tangential)),
            a,
            b,
        }
    }

    /// By what constraints are sorted for solving.
    pub(super) fn order(&self) -> (u32, u32) {
        self.order
    }

    /// Index of its contact.
    pub(super) fn contact(&self) -> u32 {
        self.order.1
    }

    /// Whether it is the contact with a surface, which nothing moves.
    pub(super) fn is_of_surface(&self) -> bool {
        self.b.body == GROUND
    }

    /// What is to be kept of it, which is of this contact.
    pub(super) fn kept(&self, contact: &Contact) -> KeptImpulse {
        let DVec2 { x, y } = self.tangent_impulse;
        KeptImpulse {
            key: contact.key,
            arm: contact.arm_a,
            normal: self.normal_impulse,
            tangent: self.a.axes.y_axis * x + self.a.axes.z_axis * y,
        }
    }

    fn bodies(&self, bodies: &[Body]) -> [Body; 2] {
        [self.a.body, self.b.body].map(|index| bodies[index as usize])
    }

    fn put_back(&self, bodies: &mut [Body], [a, b]: &[Body; 2]) {
        for (side, after) in [(&self.a, a), (&self.b, b)] {
            let body = &mut bodies[side.body as usize];
            (body.velocity, body.spin) = (after.velocity, after.spin);
        }
    }

    /// Applies the impulses of the last substep.
    pub(super) fn warm_start(&self, bodies: &mut [Body]) {
        let mut both = self.bodies(bodies);
        let [a, b] = &mut both;
        self.a.push(a, self.normal_impulse);
        self.b.push(b, -self.normal_impulse);
        self.a.rub(a, self.tangent_impulse);
        self.b.rub(b, -self.tangent_impulse);
        self.put_back(bodies, &both);
    }

    /// Brakes the turning of both against each other, about any axis: rolling resistance.
    ///
    /// (J. Ai, J. Chen, J. Rotter, J. Ooi, "Assessment of Rolling Resistance Models in Discrete Element
    /// Simulations", 2011, model A: a torque that does not depend on the speed.)
    pub(super) fn resist_rolling(&self, bodies: &mut [Body]) {
        let most = ROLLING_ARM * self.friction * self.normal_impulse;
        if !self.rolls || most <= 0.0 || self.surface_velocity != DVec3::ZERO {
            return;
        }
        let [a, b] = self.bodies(bodies);
        let spin = self.a.along_axes(a.spin) - self.b.along_axes(b.spin);
        let speed = spin.length();
        if speed == 0.0 {
            return;
        }
        let [axis_a, axis_b] = [&self.a, &self.b].map(|side| side.axes * (spin / speed));
        let [spin_a, spin_b] = [a.inverse_inertia * axis_a, b.inverse_inertia * axis_b];
        let stop = speed / (axis_a.dot(spin_a) + axis_b.dot(spin_b));
        // Of what does not turn it is infinite.
        if stop.is_finite() {
            bodies[self.a.body as usize].spin -= spin_a * stop.min(most);
            bodies[self.b.body as usize].spin += spin_b * stop.min(most);
        }
    }

    /// Solves once, as a spring.
    ///
    /// `time` is how long the substeps of this tick have taken before, and `step` how long each takes, seconds.
    pub(super) fn solve(
        &mut self,
        bodies: &mut [Body],
        spring: Softness,
        (time, step): (f64, f64),
    ) {
        let mut both = self.bodies(bodies);
        let [a, b] = &mut both;
        let moved = self.a.shift(a) - self.b.shift(b) - self.surface_course * time;
        let separation = self.separation + moved;
        let (bias, spring) = if separation > 0.0 {
            // They may come together in this step, and no nearer.
            (separation / step, Softness::RIGID)
        } else {
            ((spring.push_rate * separation).max(-MAX_PUSH_SPEED), spring)
        };
        let speed = self.a.normal_speed(a) - self.b.normal_speed(b) - self.surface_velocity.x;
        let wanted = self.normal_impulse
            - self.normal_mass * spring.mass_scale * (speed + bias)
            - spring.impulse_scale * self.normal_impulse;
        let after = wanted.max(0.0);
        let change = after - self.normal_impulse;
        self.normal_impulse = after;
        self.a.push(a, change);
        self.b.push(b, -change);

        let most = self.friction * after;
        if most > 0.0 || self.tangent_impulse != DVec2::ZERO {
            let of_surface = DVec2::new(self.surface_velocity.y, self.surface_velocity.z);
            let slip = self.a.slip(a) - self.b.slip(b) - of_surface;
            let mut after = self.tangent_impulse - slip * self.tangent_mass;
            let square = after.length_squared();
            if square > most * most {
                after *= most / square.sqrt();
            }
            let change = after - self.tangent_impulse;
            self.tangent_impulse = after;
            self.a.rub(a, change);
            self.b.rub(b, -change);
        }
        self.put_back(bodies, &both);
    }
}

/// The mass that the tangential impulse which moves the point most easily moves, kg.
fn tangent_mass(of_a: [f64; 3], of_b: [f64; 3]) -> f64 {
    let [xx, xy, yy] = [0, 1, 2].map(|i| of_a[i] + of_b[i]);
    let half = 0.5 * (xx - yy);
    (0.5 * (xx + yy) + (half * half + xy * xy).sqrt()).recip()
}

/// What was found in the last tick for the point nearest to this one, of the same two.
///
/// By place, since the features that touch change from tick to tick where two faces are parallel.
fn last_impulse<'a>(contact: &Contact, kept: &'a [KeptImpulse]) -> Option<&'a KeptImpulse> {
    let first = kept.partition_point(|kept| kept.key < contact.key);
    let of_both = kept[first..]
        .iter()
        .take_while(|kept| kept.key == contact.key);
    let distance = |kept: &KeptImpulse| kept.arm.distance_squared(contact.arm_a);
    let near = of_both.filter(|kept| distance(kept) < SAME_POINT * SAME_POINT);
    near.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}
