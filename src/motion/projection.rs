//! The projection of a velocity onto contact planes.

use glam::DVec3;

use super::queries::ContactPlane;
use super::tuning::{ENTER_SLOPE, MAX_EXCHANGES};

/// A projected velocity, and the contacts that removed a part of the original velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projection {
    /// The vector closest to the original velocity that enters no contact plane.
    pub velocity: DVec3,
    /// The active contacts, each with the length of its push, in the unit of the velocity.
    pub active_planes: [Option<(usize, f64)>; 2],
    /// Whether three or more planes leave no motion.
    pub over_constrained: bool,
}

/// The vector closest to `wanted` that enters none of the contact planes: `wanted` itself, or its projection
/// onto one plane, or onto the crease of two, or zero. This is the exact projection onto the convex cone of
/// the vectors that enter no plane, so it is never longer than `wanted` and never points against it.
///
/// At most two planes determine the result. They are found as for any LP-type problem (M. Sharir and E. Welzl, "A
/// combinatorial bound for linear programming", 1992): each iteration takes the plane that the current vector
/// enters most, and finds the best vector for that plane and the two active ones; each such exchange
/// increases the distance to the wanted vector.
pub(super) fn project_velocity(wanted: DVec3, contacts: &[ContactPlane]) -> Projection {
    let limit = -ENTER_SLOPE * wanted.length();
    let mut best = Projection {
        velocity: wanted,
        active_planes: [None; 2],
        over_constrained: false,
    };
    for _ in 0..MAX_EXCHANGES {
        let Some(most) = entered_most(best.velocity, contacts, limit) else {
            return best;
        };
        best = match best.active_planes {
            // A vector in the only plane enters no other plane.
            [None, _] if contacts.len() == 1 => return onto_plane(wanted, contacts, most),
            [None, _] => onto_plane(wanted, contacts, most),
            [Some((first, _)), None] => onto_planes(wanted, contacts, most, &[first], limit),
            [Some((first, _)), Some((second, _))] => {
                onto_planes(wanted, contacts, most, &[first, second], limit)
            }
        };
        if best.over_constrained {
            return best;
        }
    }
    Projection::NOTHING
}

/// The plane that a vector enters most, among the planes that it enters by more than `limit`.
fn entered_most(vector: DVec3, contacts: &[ContactPlane], limit: f64) -> Option<usize> {
    let (mut most, mut least) = (None, limit);
    for (index, contact) in contacts.iter().enumerate() {
        let depth = vector.dot(contact.normal);
        if depth < least {
            (most, least) = (Some(index), depth);
        }
    }
    most
}

impl Projection {
    /// Whether the contacts removed nothing.
    pub(super) fn is_all(&self) -> bool {
        self.active_planes[0].is_none() && !self.over_constrained
    }

    const NOTHING: Self = Self {
        velocity: DVec3::ZERO,
        active_planes: [None; 2],
        over_constrained: true,
    };
}

/// The vector in the plane of a contact that is closest to `wanted`.
fn onto_plane(wanted: DVec3, contacts: &[ContactPlane], plane: usize) -> Projection {
    let normal = contacts[plane].normal;
    let push = -wanted.dot(normal);
    Projection {
        velocity: wanted + normal * push,
        active_planes: [Some((plane, push)), None],
        over_constrained: false,
    }
}

/// The vector closest to `wanted` that enters neither `plane` nor any of `others` (at most two), where
/// `plane` is known to be active.
fn onto_planes(
    wanted: DVec3,
    contacts: &[ContactPlane],
    plane: usize,
    others: &[usize],
    limit: f64,
) -> Projection {
    let normal = contacts[plane].normal;
    let enters = |x: DVec3| others.iter().any(|&i| x.dot(contacts[i].normal) < limit);
    let alone = onto_plane(wanted, contacts, plane);
    if alone.active_planes[0].is_some_and(|(_, push)| push > 0.0) && !enters(alone.velocity) {
        return alone;
    }
    let mut best = Projection::NOTHING;
    // Less than any length, so that planes that remove the whole vector are recorded as active too.
    let mut most = -1.0;
    for &other in others {
        let second = contacts[other].normal;
        let cosine = normal.dot(second);
        let sine_squared = 1.0 - cosine * cosine;
        if sine_squared < 1e-12 {
            continue;
        }
        let (a, b) = (-wanted.dot(normal), -wanted.dot(second));
        let push = [
            (a - b * cosine) / sine_squared,
            (b - a * cosine) / sine_squared,
        ];
        if push[0] < 0.0 || push[1] < 0.0 {
            continue;
        }
        let Some(crease) = normal.cross(second).try_normalize() else {
            continue;
        };
        let velocity = crease * wanted.dot(crease);
        if velocity.length_squared() > most && !enters(velocity) {
            most = velocity.length_squared();
            best = Projection {
                velocity,
                active_planes: [Some((plane, push[0])), Some((other, push[1]))],
                over_constrained: false,
            };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Solid;
    use crate::collision::SurfaceResponse;
    use proptest::prelude::*;

    fn contact(normal: DVec3) -> ContactPlane {
        ContactPlane {
            normal,
            surface: SurfaceResponse::PLAIN,
            is_face: true,
            along: DVec3::ZERO,
            solid: Solid::Triangle(0),
        }
    }

    fn direction() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64)
            .prop_map(|(x, y, z)| DVec3::new(x, y, z))
            .prop_filter_map("too short", |v| {
                (v.length() > 0.1).then(|| v.try_normalize().unwrap())
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_projection_is_the_closest_vector_that_enters_no_plane(
            wanted in direction(),
            normals in prop::collection::vec(direction(), 0..40),
            others in prop::collection::vec(direction(), 200),
        ) {
            let contacts: Vec<ContactPlane> = normals.iter().map(|&n| contact(n)).collect();
            let projection = project_velocity(wanted, &contacts).velocity;
            let enters = |x: DVec3| normals.iter().any(|n| x.dot(*n) < -1e-9);
            prop_assert!(!enters(projection));
            // The removed part is perpendicular to the projection, and at an obtuse angle to all other vectors that
            // enter no plane: this characterises the projection onto a convex cone.
            let taken = wanted - projection;
            prop_assert!(taken.dot(projection).abs() < 1e-9);
            for other in others {
                prop_assert!(enters(other) || taken.dot(other) < 1e-9, "{other} is closer");
            }
        }
    }

    #[test]
    fn two_walls_leave_the_crease_and_three_nothing() {
        let walls = [contact(DVec3::X), contact(DVec3::Z)];
        let wanted = DVec3::new(-1.0, 2.0, -3.0);
        assert_eq!(
            project_velocity(wanted, &walls).velocity,
            DVec3::new(0.0, 2.0, 0.0)
        );
        let corner = [contact(DVec3::X), contact(DVec3::Z), contact(-DVec3::Y)];
        let projection = project_velocity(wanted, &corner);
        assert!(projection.over_constrained && projection.velocity == DVec3::ZERO);
    }
}
