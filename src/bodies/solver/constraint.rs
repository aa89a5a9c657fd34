//! The constraint of a contact in the solver.

use glam::{DMat3, DVec2, DVec3};

use super::body::Inertia;
use super::quad::{JacobianRow, Quad};
use super::softness::Softness;
use crate::bodies::contacts::BodyContact;
use crate::bodies::tuning::{MAX_PUSH_SPEED, MAX_RESIDUAL, SAME_POINT};
use crate::geometry::Rigid;
use crate::world::{ContactKey, KeptImpulse};

/// A contact constraint before it is put into a lane.
pub(super) struct Constraint {
    bodies: [u32; 2],
    /// The effects on the two bodies of a unit impulse along each axis of the contact.
    rows: [[DVec3; 4]; 3],
    /// The unit of the constraint: the root of the effective mass along the normal.
    unit: f64,
    /// The speeds along the axes, m/s.
    speeds: DVec3,
    /// The rate at which the gap widens, m/s.
    widening: f64,
    separation: f64,
    friction: f64,
    coupling: DVec2,
    tangent_mass: f64,
    normal_impulse: f64,
    tangent_impulse: DVec2,
    parting: f64,
}

/// The axes of a contact: its normal, and two tangents.
pub(super) fn axes_of(contact: &BodyContact) -> DMat3 {
    let (t1, t2) = contact.normal.any_orthonormal_pair();
    DMat3::from_cols(contact.normal, t1, t2)
}

/// One side of a contact in its body's room: inertia, contact axes (normal from `b` to `a` on both sides), and arm.
struct ContactSide<'a> {
    inertia: &'a Inertia,
    axes: DMat3,
    arm: DVec3,
}

impl ContactSide<'_> {
    /// The Jacobian of the side's body along an axis, linear and angular.
    fn row(&self, axis: usize) -> [DVec3; 2] {
        let axis = self.axes.col(axis);
        let lever = self.inertia.turn_root.transpose() * self.arm.cross(axis);
        [axis * self.inertia.root, lever]
    }

    /// The velocity of the side along the axes, m/s.
    fn speeds(&self) -> DVec3 {
        let velocity = self.inertia.velocity + self.inertia.spin.cross(self.arm);
        self.axes.transpose() * velocity
    }
}

impl Constraint {
    /// The constraint of a contact of two of the bodies. It starts with the kept impulse of the contact.
    pub(super) fn of(
        contact: &BodyContact,
        bodies: [u32; 2],
        inertias: &[Inertia],
        unit: f64,
        kept: Option<&KeptImpulse>,
    ) -> Self {
        let axes = axes_of(contact);
        let [of_a, of_b] = bodies.map(|body| &inertias[body as usize]);
        let a = ContactSide {
            inertia: of_a,
            axes,
            arm: contact.arm_a,
        };
        let b_from_a = match contact.a_from_b.is_identity() {
            true => Rigid::IDENTITY,
            false => contact.a_from_b.inverse(),
        };
        let b = ContactSide {
            inertia: of_b,
            axes: b_from_a.rotation() * axes,
            arm: b_from_a.vector(contact.arm_b),
        };
        let rows = [0, 1, 2].map(|axis| {
            let ([linear_a, angular_a], [linear_b, angular_b]) = (a.row(axis), b.row(axis));
            [linear_a, -linear_b, angular_a, -angular_b]
        });
        let product = |i: usize, j: usize| -> f64 {
            let parts = rows[i].iter().zip(&rows[j]);
            parts.map(|(p, q)| p.dot(*q)).sum()
        };
        let normal_mass = product(0, 0).recip();
        let relative = a.speeds() - b.speeds();
        let kept = kept.map_or((0.0, DVec3::ZERO), |kept| (kept.normal, kept.tangent));
        // `normal_mass` is in units of `unit`^2, and so are impulses.
        let per_unit = (unit * unit * normal_mass.sqrt()).recip();
        let tangents = [axes.y_axis, axes.z_axis];
        Self {
            bodies,
            rows,
            unit: normal_mass.sqrt(),
            speeds: relative - axes.transpose() * contact.surface_velocity,
            widening: relative.x - contact.surface_course.dot(contact.normal),
            separation: contact.separation,
            friction: contact.friction,
            coupling: DVec2::new(product(0, 1), product(0, 2)) * normal_mass,
            tangent_mass: tangent_mass(product(1, 1), product(1, 2), product(2, 2)) / normal_mass,
            normal_impulse: kept.0 * per_unit,
            tangent_impulse: DVec2::from(tangents.map(|t| t.dot(kept.1))) * per_unit,
            parting: contact.parting,
        }
    }

    /// Puts the constraint into a lane, with its spring.
    pub(super) fn put(&self, quad: &mut Quad, lane: usize, spring: &Softness) {
        let unit = self.unit;
        for (bodies, body) in quad.bodies.iter_mut().zip(self.bodies) {
            bodies[lane] = body;
        }
        let rows: [&mut JacobianRow; 3] = {
            let [first, second] = &mut quad.tangents;
            [&mut quad.normal, first, second]
        };
        for (row, [linear_a, linear_b, angular_a, angular_b]) in rows.into_iter().zip(self.rows) {
            row.linear[0].set(lane, linear_a * unit);
            row.linear[1].set(lane, linear_b * unit);
            row.angular[0].set(lane, angular_a * unit);
            row.angular[1].set(lane, angular_b * unit);
        }
        let speeds = (self.speeds * unit).as_vec3().to_array();
        for (lanes, speed) in quad.speeds.iter_mut().zip(speeds) {
            lanes[lane] = speed;
        }
        quad.widening[lane] = (self.widening * unit) as f32;
        quad.separation[lane] = (self.separation * unit) as f32;
        quad.now[lane] = quad.separation[lane];
        let pairs = [
            (&mut quad.coupling, self.coupling),
            (&mut quad.tangent_impulse, self.tangent_impulse),
        ];
        for (lanes, values) in pairs {
            let values = values.as_vec2();
            (lanes[0][lane], lanes[1][lane]) = (values.x, values.y);
        }
        quad.tangent_mass[lane] = self.tangent_mass as f32;
        quad.friction[lane] = self.friction as f32;
        quad.push_rate[lane] = spring.push_rate as f32;
        quad.mass_scale[lane] = spring.mass_scale as f32;
        quad.impulse_scale[lane] = spring.impulse_scale as f32;
        quad.max_push[lane] = (MAX_PUSH_SPEED * unit) as f32;
        quad.max_residual[lane] = (MAX_RESIDUAL * unit) as f32;
        quad.normal_impulse[lane] = self.normal_impulse as f32;
        quad.parting[lane] = (self.parting * unit) as f32;
    }

    /// The unit of the constraint.
    pub(super) fn unit(&self) -> f64 {
        self.unit
    }
}

/// The effective mass in the tangential direction in which the point moves most easily. The arguments are the changes
/// of velocity along both tangents by a unit impulse along each.
fn tangent_mass(xx: f64, xy: f64, yy: f64) -> f64 {
    let half = 0.5 * (xx - yy);
    (0.5 * (xx + yy) + (half * half + xy * xy).sqrt()).recip()
}

/// Returns the kept impulses from the first one with the key on; if there is none, from the next key on. The search
/// step doubles: successive calls skip few impulses if all contacts are looked up, and many if only one group is.
pub(super) fn skip_to(kept: &[KeptImpulse], key: ContactKey) -> &[KeptImpulse] {
    let mut reach = 1;
    while kept.get(reach - 1).is_some_and(|kept| kept.key < key) {
        reach *= 2;
    }
    let reach = reach.min(kept.len());
    let first = kept[..reach].partition_point(|kept| kept.key < key);
    &kept[first..]
}

/// The kept impulse of the point nearest to this contact, among those of the same two sides, which start the list.
///
/// Points are matched by position, because parallel faces touch at other features in each tick.
pub(super) fn nearest_kept<'a>(
    contact: &BodyContact,
    kept: &'a [KeptImpulse],
) -> Option<&'a KeptImpulse> {
    let distance = |kept: &KeptImpulse| kept.arm.distance_squared(contact.arm_a);
    let of_both = kept.iter().take_while(|kept| kept.key == contact.key);
    let near = of_both.filter(|kept| distance(kept) < SAME_POINT * SAME_POINT);
    near.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::BodyId;
    use crate::rng::Rng;
    use crate::world::Participant;

    #[test]
    fn impulses_from_a_key_on_are_those_that_remain_when_all_before_it_are_left_out() {
        let mut rng = Rng::new(1);
        let mut random = |below: f64| rng.between(0.0, below) as u32;
        for count in (0..20).chain([64, 65, 300]) {
            let mut keys: Vec<ContactKey> = (0..count)
                .map(|_| ContactKey {
                    first: Participant::Body(BodyId(random(30.0))),
                    other: u64::from(random(3.0)),
                })
                .collect();
            keys.sort_unstable();
            let kept = |&key: &ContactKey| KeptImpulse {
                key,
                arm: DVec3::ZERO,
                normal: 1.0,
                tangent: DVec3::ZERO,
                total: 0.0,
            };
            let all: Vec<KeptImpulse> = keys.iter().map(kept).collect();
            for body in 0..32 {
                let key = ContactKey {
                    first: Participant::Body(BodyId(body)),
                    other: 1,
                };
                let before = keys.iter().filter(|known| **known < key).count();
                let rest = skip_to(&all, key);
                assert!(
                    rest.iter()
                        .map(|kept| kept.key)
                        .eq(keys[before..].iter().copied())
                );
            }
        }
    }
}
