//! What a sphere touches where it is, and what motion that leaves it.

use glam::DVec3;

use super::candidates::{Candidate, Surface};
use super::tuning::{ENTER_SLOPE, MAX_PLANES, TOUCH};
use crate::geometry::Feature;

/// A plane that the sphere's centre may not be moved into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    /// Unit vector from the point touched to the centre.
    pub normal: DVec3,
    pub surface: Surface,
}

/// The contacts of a sphere in one place, in an order of their own: sorted by their normals.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    pub list: Vec<Contact>,
    /// Points on faces touched, with the normals: these void the edges that lie in their plane.
    faces: Vec<(DVec3, DVec3)>,
    edges: Vec<(DVec3, Contact)>,
}

/// The direction from the closest point of the candidate to `centre` (unit), that point, and
/// their distance; `None` where the candidate only shows its back.
pub(super) fn separation(candidate: &Candidate, centre: DVec3) -> Option<Separation> {
    let (point, feature) = candidate.triangle.closest_point(centre);
    let offset = centre - point;
    let height = (centre - candidate.triangle.corners[0]).dot(candidate.normal);
    if feature == Feature::Face {
        // The distance to the plane is exact where the closest point is rounded.
        if height < 0.0 && !candidate.two_sided {
            return None;
        }
        let normal = if height < 0.0 {
            -candidate.normal
        } else {
            candidate.normal
        };
        return Some(Separation {
            point,
            distance: height.abs(),
            normal,
            is_face: true,
        });
    }
    let distance = offset.length();
    let normal = offset.try_normalize()?;
    // The edge of a face in whose plane we are, seen from behind: its other side is solid.
    if !candidate.two_sided && normal.dot(candidate.normal) < -1.0 + 1e-6 {
        return None;
    }
    Some(Separation {
        point,
        distance,
        normal,
        is_face: false,
    })
}

/// How a sphere's centre lies to a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    /// The candidate's point closest to the centre.
    pub point: DVec3,
    /// Metres, not negative.
    pub distance: f64,
    /// Unit vector from the point to the centre.
    pub normal: DVec3,
    /// Whether the point is inside the face.
    pub is_face: bool,
}

/// Collects what the sphere touches.
pub(super) fn touching<'a>(
    candidates: impl Iterator<Item = &'a Candidate>,
    centre: DVec3,
    radius: f64,
    contacts: &mut Contacts,
) {
    contacts.list.clear();
    contacts.faces.clear();
    contacts.edges.clear();
    let limit = radius * (1.0 + TOUCH);
    for candidate in candidates {
        let plane_distance = (centre - candidate.triangle.corners[0])
            .dot(candidate.normal)
            .abs();
        if plane_distance > limit {
            continue;
        }
        let Some(s) = separation(candidate, centre).filter(|s| s.distance <= limit) else {
            continue;
        };
        let contact = Contact {
            normal: s.normal,
            surface: candidate.surface,
        };
        if s.is_face {
            contacts.faces.push((s.point, s.normal));
            contacts.list.push(contact);
        } else {
            contacts.edges.push((s.point, contact));
        }
    }
    // Edges inside a touched plane are no obstacle of their own: the face keeps the sphere off
    // them (Terdiman, "Contact generation for meshes", voids them the same way).
    let flat = radius * TOUCH;
    for (point, contact) in &contacts.edges {
        let lies_in_face = contacts
            .faces
            .iter()
            .any(|(on_face, normal)| (*point - *on_face).dot(*normal).abs() <= flat);
        if !lies_in_face {
            contacts.list.push(*contact);
        }
    }
    contacts.list.sort_by(order);
    contacts
        .list
        .dedup_by(|a, b| (a.normal - b.normal).length_squared() < 1e-20 && a.surface == b.surface);
    contacts.list.truncate(MAX_PLANES);
}

/// An order that depends on nothing but the contacts themselves.
fn order(a: &Contact, b: &Contact) -> std::cmp::Ordering {
    let key = |c: &Contact| {
        [
            c.normal.x,
            c.normal.y,
            c.normal.z,
            c.surface.friction,
            c.surface.drag,
            c.surface.bounce,
        ]
    };
    key(a)
        .iter()
        .zip(&key(b))
        .fold(std::cmp::Ordering::Equal, |o, (x, y)| {
            o.then(x.total_cmp(y))
        })
}

/// The part of a motion that contacts allow, and which of them took the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Allowed {
    /// The allowed vector closest to the wanted one.
    pub free: DVec3,
    /// Contacts that push, with how strongly (in the unit of the motion).
    pub pushing: [Option<(usize, f64)>; 2],
    /// Whether three or more planes leave nothing.
    pub cornered: bool,
}

/// The vector closest to `wanted` that enters none of the contact planes: `wanted` itself, or on
/// one plane, or along the crease of two, or none. This is the exact projection onto the cone of
/// allowed vectors, so it is never longer than `wanted` and never turns against it.
pub(super) fn allow(wanted: DVec3, contacts: &[Contact]) -> Allowed {
    let limit = -ENTER_SLOPE * wanted.length();
    let enters = |x: DVec3| contacts.iter().any(|c| x.dot(c.normal) < limit);
    let mut best = Allowed {
        free: DVec3::ZERO,
        pushing: [None; 2],
        cornered: true,
    };
    if !enters(wanted) {
        return Allowed {
            free: wanted,
            cornered: false,
            ..best
        };
    }
    // Below any length, so that a plane that takes everything is still known to have taken it.
    let mut most = -1.0;
    for (i, contact) in contacts.iter().enumerate() {
        let push = -wanted.dot(contact.normal);
        if push <= 0.0 {
            continue;
        }
        let free = wanted + contact.normal * push;
        if free.length_squared() > most && !enters(free) {
            most = free.length_squared();
            best = Allowed {
                free,
                pushing: [Some((i, push)), None],
                cornered: false,
            };
        }
    }
    for (i, first) in contacts.iter().enumerate() {
        for (j, second) in contacts.iter().enumerate().skip(i + 1) {
            let cosine = first.normal.dot(second.normal);
            let sine_squared = 1.0 - cosine * cosine;
            let Some(crease) = first.normal.cross(second.normal).try_normalize() else {
                continue;
            };
            if sine_squared < 1e-12 {
                continue;
            }
            let (a, b) = (-wanted.dot(first.normal), -wanted.dot(second.normal));
            let push = [
                (a - b * cosine) / sine_squared,
                (b - a * cosine) / sine_squared,
            ];
            if push[0] < 0.0 || push[1] < 0.0 {
                continue;
            }
            let free = crease * wanted.dot(crease);
            if free.length_squared() > most && !enters(free) {
                most = free.length_squared();
                best = Allowed {
                    free,
                    pushing: [Some((i, push[0])), Some((j, push[1]))],
                    cornered: false,
                };
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN: Surface = Surface {
        friction: 0.7,
        drag: 0.0,
        bounce: 0.0,
    };

    fn contact(normal: DVec3) -> Contact {
        Contact {
            normal,
            surface: PLAIN,
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
        fn what_is_allowed_is_the_closest_of_all_that_enters_no_plane(
            wanted in direction(),
            normals in prop::collection::vec(direction(), 0..6),
            others in prop::collection::vec(direction(), 200),
        ) {
            let contacts: Vec<Contact> = normals.iter().map(|&n| contact(n)).collect();
            let allowed = allow(wanted, &contacts).free;
            let enters = |x: DVec3| normals.iter().any(|n| x.dot(*n) < -1e-9);
            prop_assert!(!enters(allowed));
            // What was taken is square to what is left, and obtuse to all else that is allowed:
            // the mark of the projection onto a convex cone.
            let taken = wanted - allowed;
            prop_assert!(taken.dot(allowed).abs() < 1e-9);
            for other in others {
                prop_assert!(enters(other) || taken.dot(other) < 1e-9, "{other} is closer");
            }
        }
    }

    #[test]
    fn two_walls_leave_the_crease_and_three_nothing() {
        let walls = [contact(DVec3::X), contact(DVec3::Z)];
        let wanted = DVec3::new(-1.0, 2.0, -3.0);
        assert_eq!(allow(wanted, &walls).free, DVec3::new(0.0, 2.0, 0.0));
        let corner = [contact(DVec3::X), contact(DVec3::Z), contact(-DVec3::Y)];
        let allowed = allow(wanted, &corner);
        assert!(allowed.cornered && allowed.free == DVec3::ZERO);
    }
}
