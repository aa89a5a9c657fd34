//! What a sphere touches where it is, and what motion that leaves it.

use glam::DVec3;

use super::Solid;
use super::candidates::{Candidate, Candidates, Surface};
use super::tuning::{ENTER_SLOPE, MAX_EXCHANGES, MIN_SUPPORT_Y, SEAM, TOUCH};
use crate::geometry::{Feature, closest_on_segment, comes_before};
use crate::level::EdgeKind;

/// A plane that the sphere's centre may not be moved into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    /// Unit vector from the point touched to the centre.
    pub normal: DVec3,
    pub surface: Surface,
    /// Whether the point touched is inside a face.
    pub is_face: bool,
    /// Unit vector along the edge that the point is on; zero in a face and at a corner.
    pub along: DVec3,
    pub solid: Solid,
}

/// The contacts of a sphere in one place, in an order of their own: sorted by their normals.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    pub list: Vec<Contact>,
    /// Out of what the sphere is in deepest, if it overlaps anything.
    pub deepest: Option<Push>,
    /// Which candidates these are contacts with, of which sphere: its centre and radius.
    of: Option<(u64, DVec3, f64)>,
    /// Points on faces touched, with the normals: these void the edges that lie in their plane.
    faces: Vec<(DVec3, DVec3)>,
    edges: Vec<(DVec3, Contact)>,
}

impl Contacts {
    /// Adds a plane that is no contact of the sphere's own.
    pub(super) fn add(&mut self, plane: Contact) {
        self.list.push(plane);
        self.of = None;
    }

    /// Whether a motion enters any of the planes.
    pub(super) fn enters(&self, motion: DVec3) -> bool {
        let limit = -ENTER_SLOPE * motion.length();
        self.list.iter().any(|c| motion.dot(c.normal) < limit)
    }
}

impl Contact {
    /// Whether it can bear something of a body's weight.
    pub(super) fn supports(&self) -> bool {
        self.normal.y > MIN_SUPPORT_Y
    }
}

/// How `centre` lies to the candidate; `None` where a neighbour is nearer, or where it is on an
/// edge.
/// `height` is that of the centre over the candidate's plane, metres.
pub(super) fn separation(candidate: &Candidate, centre: DVec3, height: f64) -> Option<Separation> {
    let (point, feature) = candidate.triangle.closest_point(centre);
    let offset = centre - point;
    let is_inner = |i: usize| candidate.edges[i] == EdgeKind::Internal;
    let is_face = match feature {
        Feature::Face => true,
        Feature::Edge(i) => is_inner(i),
        Feature::Vertex(i) => is_inner(i) && is_inner((i + 2) % 3),
    };
    if is_face {
        // Over an edge inside a surface the face reaches a little farther; there the neighbour is.
        let beyond = offset.length_squared() - height * height;
        if feature != Feature::Face && beyond > (SEAM * height) * (SEAM * height) {
            return None;
        }
        let turn = if candidate.two_sided && height < 0.0 {
            -1.0
        } else {
            1.0
        };
        // The distance to the plane is exact where the closest point is rounded.
        return Some(Separation {
            point,
            distance: height * turn,
            normal: candidate.normal * turn,
            is_face: true,
            along: DVec3::ZERO,
        });
    }
    // The same to the last bit whichever of its two triangles an edge is of.
    let (point, along) = match feature {
        Feature::Edge(i) => {
            let corners = &candidate.triangle.corners;
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let (a, b) = if comes_before(a, b) { (a, b) } else { (b, a) };
            (closest_on_segment(a, b, centre), b - a)
        }
        _ => (point, DVec3::ZERO),
    };
    let offset = centre - point;
    let distance = offset.length();
    offset.try_normalize().map(|normal| Separation {
        point,
        distance,
        normal,
        is_face: false,
        along,
    })
}

/// How a sphere's centre lies to a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    /// The candidate's point closest to the centre.
    pub point: DVec3,
    /// Metres; negative behind a face that is solid from its front alone.
    pub distance: f64,
    /// Unit vector from the point to the centre, or the face's normal where that is behind it.
    pub normal: DVec3,
    /// Whether the point is inside the face.
    pub is_face: bool,
    /// From end to end of the edge that the point is on; zero in a face and at a corner.
    pub along: DVec3,
}

/// A push out of an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Push {
    /// Metres, positive.
    depth: f64,
    /// Unit vector.
    normal: DVec3,
}

impl Push {
    /// Metres.
    pub(super) fn vector(&self) -> DVec3 {
        self.normal * self.depth
    }
}

/// `known`, or the push out of another overlap that is deeper; what overlaps by no more than
/// rounding needs none. Of several as deep, the same one whatever their order.
pub(super) fn deeper(known: Option<Push>, other: &Separation, radius: f64) -> Option<Push> {
    let push = Push {
        depth: radius - other.distance,
        normal: other.normal,
    };
    if push.depth <= radius * TOUCH {
        return known;
    }
    let key = |p: &Push| [p.depth, p.normal.x, p.normal.y, p.normal.z];
    let is_deeper = known.is_none_or(|known| key(&push) > key(&known));
    if is_deeper { Some(push) } else { known }
}

/// Collects what the sphere touches; nothing is left to do where they are known already.
pub(super) fn touching(
    candidates: &Candidates,
    centre: DVec3,
    radius: f64,
    contacts: &mut Contacts,
) {
    let of = Some((candidates.generation(), centre, radius));
    if contacts.of == of {
        return;
    }
    contacts.of = of;
    contacts.list.clear();
    contacts.faces.clear();
    contacts.edges.clear();
    let limit = radius * (1.0 + TOUCH);
    contacts.deepest = None;
    candidates.look_within(centre, limit, |candidate| {
        let height = (centre - candidate.triangle.corners[0]).dot(candidate.normal);
        if height.abs() > limit {
            return;
        }
        let separation = separation(candidate, centre, height);
        let Some(s) = separation.filter(|s| (0.0..=limit).contains(&s.distance)) else {
            return;
        };
        contacts.deepest = deeper(contacts.deepest, &s, radius);
        let contact = Contact {
            normal: s.normal,
            surface: candidate.surface,
            is_face: s.is_face,
            along: s.along.normalize_or_zero(),
            solid: candidate.solid,
        };
        if s.is_face {
            contacts.faces.push((s.point, s.normal));
            contacts.list.push(contact);
        } else {
            contacts.edges.push((s.point, contact));
        }
    });
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
    if contacts.list.len() < 2 {
        return;
    }
    contacts.list.sort_by(order);
    contacts
        .list
        .dedup_by(|a, b| (a.normal - b.normal).length_squared() < 1e-20 && a.surface == b.surface);
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
            f64::from(u8::from(!c.is_face)),
            c.along.x,
            c.along.y,
            c.along.z,
        ]
    };
    key(a)
        .iter()
        .zip(&key(b))
        .fold(std::cmp::Ordering::Equal, |o, (x, y)| {
            o.then(x.total_cmp(y))
        })
}

/// The part of a motion that contacts project_velocity, and which of them took the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projection {
    /// The projection vector closest to the wanted one.
    pub velocity: DVec3,
    /// Contacts that push, with how strongly (in the unit of the motion).
    pub active_planes: [Option<(usize, f64)>; 2],
    /// Whether three or more planes leave nothing.
    pub over_constrained: bool,
}

/// The vector closest to `wanted` that enters none of the contact planes: `wanted` itself, or on
/// one plane, or along the crease of two, or none. This is the exact projection onto the cone of
/// projection vectors, so it is never longer than `wanted` and never turns against it.
///
/// At most two planes decide it. Those are found as for any problem of that kind (M. Sharir and
/// E. Welzl, "A combinatorial bound for linear programming", 1992): with the plane that the
/// vector found so far enters most, the best for it and the two before; every such exchange
/// takes the vector further from the wanted one.
pub(super) fn project_velocity(wanted: DVec3, contacts: &[Contact]) -> Projection {
    let limit = -ENTER_SLOPE * wanted.length();
    let mut best = Projection {
        velocity: wanted,
        active_planes: [None; 2],
        over_constrained: false,
    };
    for _ in 0..MAX_EXCHANGES {
        let depths = (0..)
            .zip(contacts)
            .map(|(i, c)| (best.velocity.dot(c.normal), i));
        let entered = depths.filter(|&(depth, _)| depth < limit);
        let Some((_, most)) = entered.reduce(|a, b| if b.0 < a.0 { b } else { a }) else {
            return best;
        };
        best = match best.active_planes {
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

impl Projection {
    /// Whether nothing was taken.
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
fn onto_plane(wanted: DVec3, contacts: &[Contact], plane: usize) -> Projection {
    let normal = contacts[plane].normal;
    let push = -wanted.dot(normal);
    Projection {
        velocity: wanted + normal * push,
        active_planes: [Some((plane, push)), None],
        over_constrained: false,
    }
}

/// The vector closest to `wanted` that enters neither `plane` nor any of `others` (at most two),
/// where `plane` is known to take part of it.
fn onto_planes(
    wanted: DVec3,
    contacts: &[Contact],
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
    // Below any length, so that a plane that takes everything is still known to have taken it.
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
    use proptest::prelude::*;

    fn contact(normal: DVec3) -> Contact {
        Contact {
            normal,
            surface: Surface::PLAIN,
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
        fn what_is_allowed_is_the_closest_of_all_that_enters_no_plane(
            wanted in direction(),
            normals in prop::collection::vec(direction(), 0..40),
            others in prop::collection::vec(direction(), 200),
        ) {
            let contacts: Vec<Contact> = normals.iter().map(|&n| contact(n)).collect();
            let projection = project_velocity(wanted, &contacts).velocity;
            let enters = |x: DVec3| normals.iter().any(|n| x.dot(*n) < -1e-9);
            prop_assert!(!enters(projection));
            // What was taken is square to what is left, and obtuse to all else that is projection:
            // the mark of the projection onto a convex cone.
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
