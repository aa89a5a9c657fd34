//! Two convex shapes of any kind: closest or deepest points, and the manifold of their faces.

use super::clip::Reference;
use super::contact::{Contact, Manifold, PairCache};
use super::convex::Convex;
use super::epa;
use super::gjk::{self, Cores};

/// Cosine of the angle, one degree, within which the normal of a face is taken for that of the closest points: bodies
/// then rest on faces, whatever rounding makes of a small gap.
const FACE_COS: f64 = 0.999_85;

/// A face of `b` must be nearer to the normal than that of `a` by this much to be clipped against.
const PREFERENCE: f64 = 1e-3;

/// The closest points of two convex shapes, or the deepest where they overlap; `None` where they are more than `margin`
/// metres apart. `cache` keeps the direction for the next tick.
pub fn convex_contact(
    a: &Convex,
    b: &Convex,
    margin: f64,
    cache: &mut PairCache,
) -> Option<Contact> {
    // Near the origin, so that positions keep their digits.
    let origin = a.world_from_core.translation();
    let [near_a, near_b] = [a.moved(-origin), b.moved(-origin)];
    let reach = margin + a.radius + b.radius;
    let (on_a, on_b, normal) = match gjk::cores(&near_a, &near_b, reach, cache.direction) {
        Cores::Far(direction) => {
            cache.direction = direction;
            return None;
        }
        Cores::Apart { on_a, on_b } => match (on_a - on_b).try_normalize() {
            Some(normal) => (on_a, on_b, normal),
            None => return None,
        },
        Cores::Touching(simplex) => epa::deepest(&near_a, &near_b, &simplex),
    };
    cache.direction = normal;
    let separation = (on_a - on_b).dot(normal) - (a.radius + b.radius);
    (separation <= margin).then(|| Contact {
        on_a: on_a - normal * a.radius + origin,
        on_b: on_b + normal * b.radius + origin,
        normal,
        separation,
    })
}

/// The manifold of two convex shapes, empty where they are more than `margin` metres apart: their faces clipped against
/// each other where these look at each other, else the one contact.
pub fn convex_convex(a: &Convex, b: &Convex, margin: f64, cache: &mut PairCache) -> Manifold {
    let Some(contact) = convex_contact(a, b, margin, cache) else {
        return Manifold::EMPTY;
    };
    let single = Manifold::of_contact(&contact, 0);
    let faces = (
        a.face_towards(-contact.normal),
        b.face_towards(contact.normal),
    );
    let (Some(face_a), Some(face_b)) = faces else {
        return single;
    };
    let towards_a = -face_a.plane.normal.dot(contact.normal);
    let towards_b = face_b.plane.normal.dot(contact.normal);
    let (reference, of_reference, mut incident, cosine) = if towards_b > towards_a + PREFERENCE {
        (Reference::B, face_b, face_a, towards_b)
    } else {
        (Reference::A, face_a, face_b, towards_a)
    };
    if cosine < FACE_COS {
        return single;
    }
    incident.clip_to(&of_reference);
    let numbers = [of_reference.number, incident.number];
    let manifold = incident
        .polygon
        .manifold(&of_reference.plane, reference, margin, numbers);
    if manifold.is_empty() {
        single
    } else {
        manifold
    }
}
