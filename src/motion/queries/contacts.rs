//! The contacts of a sphere at rest at a position.

use std::cmp::Ordering;

use glam::DVec3;

use crate::collision::tolerance::SEAM;
use crate::collision::{Ball, Candidate, CandidateCache, SurfaceResponse};

use crate::collision::Solid;
use crate::geometry::{Feature, by_coordinates, closest_on_segment, comes_before};
use crate::level::EdgeKind;
use crate::motion::tuning::{ENTER_SLOPE, MIN_SUPPORT_Y, TOUCH};

/// A contact plane: the sphere's centre must not move into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::motion) struct ContactPlane {
    /// Unit vector from the contact point to the sphere's centre.
    pub normal: DVec3,
    pub surface: SurfaceResponse,
    /// Whether the contact point is inside a face.
    pub is_face: bool,
    /// Unit vector along the edge that the contact point is on; zero in a face and at a corner.
    pub along: DVec3,
    pub solid: Solid,
}

/// The contacts of a sphere at one position, sorted by their normals.
#[derive(Debug, Default)]
pub(in crate::motion) struct Contacts {
    pub list: Vec<ContactPlane>,
    /// The push out of the deepest penetration, if the sphere overlaps anything.
    pub deepest: Option<Depenetration>,
    /// The generation of the candidates, and the centre and radius of the sphere, for which the contacts were collected.
    of: Option<(u64, DVec3, f64)>,
}

/// Buffers for collecting contacts.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// The contact points on faces, with the normals: a face contact removes contacts of edges that lie in its plane.
    faces: Vec<(DVec3, DVec3)>,
    edges: Vec<(DVec3, ContactPlane)>,
}

impl Contacts {
    /// Marks the contacts as outdated, so that the next call of [`touching`] collects them again.
    pub(super) fn forget(&mut self) {
        self.of = None;
    }

    /// Whether a motion enters any of the planes.
    pub(in crate::motion) fn enters(&self, motion: DVec3) -> bool {
        let limit = -ENTER_SLOPE * motion.length();
        self.list.iter().any(|c| motion.dot(c.normal) < limit)
    }
}

impl ContactPlane {
    /// Whether the contact can support part of a body's weight.
    pub(in crate::motion) fn supports(&self) -> bool {
        self.normal.y > MIN_SUPPORT_Y
    }
}

/// The separation of `centre` and a candidate; `None` where a neighbour is nearer, or where the centre lies
/// on an edge. `height` is the height of the centre above the candidate's plane, metres.
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
        // Beyond an internal edge, the face extends only by the seam tolerance: farther out, its neighbour takes over.
        let beyond = offset.length_squared() - height * height;
        if feature != Feature::Face && beyond > (SEAM * height) * (SEAM * height) {
            return None;
        }
        let turn = if candidate.two_sided && height < 0.0 {
            -1.0
        } else {
            1.0
        };
        // The distance to the plane is exact, whereas the closest point is rounded.
        return Some(Separation {
            point,
            distance: height * turn,
            normal: candidate.normal * turn,
            is_face: true,
            along: DVec3::ZERO,
        });
    }
    // Both triangles of an edge give the same bits, as do edges on the same axis-parallel line (a corner of walls).
    let (offset, along) = match feature {
        Feature::Edge(i) => {
            let corners = &candidate.triangle.corners;
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let (a, b) = if comes_before(a, b) { (a, b) } else { (b, a) };
            // Not `normalize`, which multiplies: for an edge along an axis, the result must be exactly the axis.
            let along = (b - a) / (b - a).length();
            let from = centre - a;
            (from - along * from.dot(along), along)
        }
        _ => (offset, DVec3::ZERO),
    };
    let point = centre - offset;
    let distance = offset.length();
    offset.try_normalize().map(|normal| Separation {
        point,
        distance,
        normal,
        is_face: false,
        along,
    })
}

/// The separation of a sphere's centre and a ball; `None` where the centre lies on the ball's segment.
pub(super) fn separation_of_ball(ball: &Ball, centre: DVec3) -> Option<Separation> {
    let [low, high] = ball.ends;
    let middle = closest_on_segment(low, high, centre);
    let offset = centre - middle;
    let is_beside = middle != low && middle != high;
    offset.try_normalize().map(|normal| Separation {
        point: middle + normal * ball.radius,
        distance: offset.length() - ball.radius,
        normal,
        is_face: false,
        along: if is_beside {
            (high - low).normalize_or_zero()
        } else {
            DVec3::ZERO
        },
    })
}

/// The position of a sphere's centre relative to a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation {
    /// The candidate's point closest to the centre.
    pub point: DVec3,
    /// The distance from the point to the centre, metres; negative behind a one-sided face.
    pub distance: f64,
    /// Unit vector from the point to the centre, or the face's normal where the centre is behind the face.
    pub normal: DVec3,
    /// Whether the point is inside the face.
    pub is_face: bool,
    /// Unit vector along the edge that the point is on; zero in a face and at a corner.
    pub along: DVec3,
}

/// A push out of an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::motion) struct Depenetration {
    /// The penetration depth, metres, positive.
    depth: f64,
    /// The direction of the push, a unit vector.
    normal: DVec3,
    /// The solid that the sphere overlaps.
    solid: Solid,
}

impl Depenetration {
    /// The push as a vector, metres.
    pub(in crate::motion) fn vector(&self) -> DVec3 {
        self.normal * self.depth
    }

    /// The solid that the sphere overlaps.
    pub(in crate::motion) fn solid(&self) -> Solid {
        self.solid
    }
}

/// The deeper of `known` and the push out of another overlap. A penetration within rounding needs no push. Among
/// equally deep pushes, the choice does not depend on their order.
pub(super) fn deeper(
    known: Option<Depenetration>,
    (other, solid): (&Separation, Solid),
    radius: f64,
) -> Option<Depenetration> {
    let push = Depenetration {
        depth: radius - other.distance,
        normal: other.normal,
        solid,
    };
    if push.depth <= radius * TOUCH {
        return known;
    }
    let key = |p: &Depenetration| [p.depth, p.normal.x, p.normal.y, p.normal.z];
    let is_deeper = known.is_none_or(|known| key(&push) > key(&known));
    if is_deeper { Some(push) } else { known }
}

/// Collects the contacts of the sphere; does nothing if they are known already.
#[inline]
pub(super) fn touching(
    candidates: &CandidateCache,
    centre: DVec3,
    radius: f64,
    contacts: &mut Contacts,
    touched: &mut Touched,
) {
    let of = Some((candidates.generation(), centre, radius));
    if contacts.of != of {
        contacts.of = of;
        collect(candidates, centre, radius, contacts, touched);
    }
}

fn collect(
    candidates: &CandidateCache,
    centre: DVec3,
    radius: f64,
    contacts: &mut Contacts,
    Touched { faces, edges }: &mut Touched,
) {
    contacts.list.clear();
    faces.clear();
    edges.clear();
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
        contacts.deepest = deeper(contacts.deepest, (&s, candidate.solid), radius);
        let contact = |along: DVec3| ContactPlane {
            normal: s.normal,
            surface: candidate.surface,
            is_face: s.is_face,
            along,
            solid: candidate.solid,
        };
        if s.is_face {
            faces.push((s.point, s.normal));
            contacts.list.push(contact(DVec3::ZERO));
        } else {
            edges.push((s.point, contact(s.along)));
        }
    });
    for ball in candidates.balls() {
        let Some(s) = separation_of_ball(ball, centre).filter(|s| s.distance <= limit) else {
            continue;
        };
        contacts.deepest = deeper(contacts.deepest, (&s, ball.solid), radius);
        contacts.list.push(ContactPlane {
            normal: s.normal,
            surface: ball.surface,
            is_face: false,
            along: s.along,
            solid: ball.solid,
        });
    }
    // Edges in the plane of a touched face are no obstacles: the face keeps the sphere off them (Terdiman, "Contact
    // generation for meshes", voids them in the same way).
    let flat = radius * TOUCH;
    for (point, contact) in &*edges {
        let lies_in_face = faces
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

/// An order that depends only on the contacts themselves. The normals nearly always decide it.
fn order(a: &ContactPlane, b: &ContactPlane) -> Ordering {
    let by_normal = by_coordinates(a.normal, b.normal);
    if by_normal != Ordering::Equal {
        return by_normal;
    }
    let numbers = |c: &ContactPlane| {
        let SurfaceResponse {
            friction,
            drag,
            bounce,
        } = c.surface;
        [friction, drag, bounce]
    };
    let by_number = |(x, y): (f64, f64)| x.total_cmp(&y);
    let mut by_surface = numbers(a).into_iter().zip(numbers(b)).map(by_number);
    let by_surface = by_surface.find(|order| order.is_ne());
    by_surface
        .unwrap_or(Ordering::Equal)
        .then_with(|| b.is_face.cmp(&a.is_face))
        .then_with(|| by_coordinates(a.along, b.along))
        .then_with(|| a.solid.cmp(&b.solid))
}
