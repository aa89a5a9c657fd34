//! Two convex shapes of any kind: closest or deepest points, and the manifold of their faces.

use glam::DVec3;

use super::clip::Reference;
use super::contact::{Contact, Manifold};
use super::convex::{Convex, ConvexFace};
use super::epa;
use super::gjk::{self, Cores, Simplex};
use super::pair_cache::PairCache;

/// Cosine of the angle, one degree, within which the normal of a face is taken for that of the closest points: bodies
/// then rest on faces, whatever rounding makes of a small gap.
const FACE_COS: f64 = 0.999_85;

/// A face of `b` must be nearer to the normal than that of `a` by this much to be clipped against.
const PREFERENCE: f64 = 1e-3;

/// How two shapes lie that are not farther apart than was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closest {
    /// The points that are closest to each other.
    Apart(Contact),
    /// They overlap, or touch: how deep is not looked for, which takes many times as long.
    Overlapping,
}

impl Closest {
    /// The gap, metres; 0 where the shapes overlap.
    pub fn gap(&self) -> f64 {
        match self {
            Self::Apart(contact) => contact.separation,
            Self::Overlapping => 0.0,
        }
    }
}

/// The closest points of two convex shapes, or the deepest where they overlap; `None` where they are more than `margin`
/// metres apart. `cache` is the pair's, and changes no answer.
pub fn convex_contact(
    a: &Convex,
    b: &Convex,
    margin: f64,
    cache: &mut PairCache,
) -> Option<Contact> {
    let (on_a, on_b, normal) = match find(a, b, margin, cache)? {
        Found::Apart(points) => points,
        Found::Touching(simplex) => {
            let [near_a, near_b] = near_origin(a, b);
            epa::deepest(&near_a, &near_b, &simplex)
        }
    };
    let contact = contact(a, b, (on_a, on_b, normal));
    (contact.separation <= margin).then_some(contact)
}

/// The closest points of two convex shapes; `None` where they are more than `reach` metres apart.
pub(super) fn convex_closest(
    a: &Convex,
    b: &Convex,
    reach: f64,
    cache: &mut PairCache,
) -> Option<Closest> {
    let Found::Apart(points) = find(a, b, reach, cache)? else {
        return Some(Closest::Overlapping);
    };
    let contact = contact(a, b, points);
    match contact.separation {
        separation if separation > reach => None,
        separation if separation > 0.0 => Some(Closest::Apart(contact)),
        _ => Some(Closest::Overlapping),
    }
}

/// What GJK finds: points of both cores, near the origin, with the unit vector between them.
#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack, and only for a call"
)]
enum Found {
    Apart((DVec3, DVec3, DVec3)),
    Touching(Simplex),
}

/// `None` where the shapes are surely more than `margin` metres apart. Keeps in the cache what separates them.
fn find(a: &Convex, b: &Convex, margin: f64, cache: &mut PairCache) -> Option<Found> {
    let [near_a, near_b] = near_origin(a, b);
    if cache.separates(&near_a, &near_b, margin) {
        return None;
    }
    *cache = PairCache::default();
    let radii = a.radius + b.radius;
    match gjk::cores(&near_a, &near_b, margin + radii) {
        Cores::Far(apart) => {
            *cache = PairCache::along(apart.normalize_or_zero());
            None
        }
        Cores::Apart { on_a, on_b } => {
            let normal = (on_a - on_b).try_normalize()?;
            if (on_a - on_b).dot(normal) > radii {
                *cache = PairCache::along(normal);
            }
            Some(Found::Apart((on_a, on_b, normal)))
        }
        Cores::Touching(simplex) => Some(Found::Touching(simplex)),
    }
}

/// Both moved to where positions keep their digits.
fn near_origin<'a>(a: &Convex<'a>, b: &Convex<'a>) -> [Convex<'a>; 2] {
    let origin = a.world_from_core.translation();
    [a.moved(-origin), b.moved(-origin)]
}

/// The contact of two points of the cores near the origin, and the unit vector from `b` to `a`.
fn contact(a: &Convex, b: &Convex, (on_a, on_b, normal): (DVec3, DVec3, DVec3)) -> Contact {
    let origin = a.world_from_core.translation();
    Contact {
        on_a: on_a - normal * a.radius + origin,
        on_b: on_b + normal * b.radius + origin,
        normal,
        separation: (on_a - on_b).dot(normal) - (a.radius + b.radius),
    }
}

/// The faces of two shapes that look at each other.
pub(super) struct Faces {
    reference: Reference,
    of_reference: ConvexFace,
    incident: ConvexFace,
    /// Cosine of the angle between the normal of the reference and the direction that they look along.
    pub cosine: f64,
}

impl Faces {
    /// The points of the incident face over the other one, within `margin` metres.
    pub(super) fn manifold(self, margin: f64) -> Manifold {
        let Self {
            reference,
            of_reference,
            mut incident,
            ..
        } = self;
        incident.clip_to(&of_reference);
        let numbers = [of_reference.number, incident.number];
        let plane = &of_reference.plane;
        incident.polygon.manifold(plane, reference, margin, numbers)
    }
}

/// The faces of two shapes that look at each other along a unit vector from `b` to `a`; `None` if one of them is a ball.
pub(super) fn faces_towards(a: &Convex, b: &Convex, normal: DVec3) -> Option<Faces> {
    let (mut face_a, mut face_b) = (a.face_towards(-normal)?, b.face_towards(normal)?);
    let towards_a = -face_a.plane.normal.dot(normal);
    let towards_b = face_b.plane.normal.dot(normal);
    Some(if towards_b > towards_a + PREFERENCE {
        face_a.extend_to_support(a, -normal);
        Faces {
            reference: Reference::B,
            of_reference: face_b,
            incident: face_a,
            cosine: towards_b,
        }
    } else {
        face_b.extend_to_support(b, normal);
        Faces {
            reference: Reference::A,
            of_reference: face_a,
            incident: face_b,
            cosine: towards_a,
        }
    })
}

/// The manifold of two convex shapes, empty where they are more than `margin` metres apart: their faces clipped against
/// each other where these look at each other, else the one contact.
pub fn convex_convex(a: &Convex, b: &Convex, margin: f64, cache: &mut PairCache) -> Manifold {
    let Some(contact) = convex_contact(a, b, margin, cache) else {
        return Manifold::EMPTY;
    };
    let single = Manifold::of_contact(&contact, 0);
    let Some(faces) = faces_towards(a, b, contact.normal) else {
        return single;
    };
    if faces.cosine < FACE_COS {
        return single;
    }
    let manifold = faces.manifold(margin);
    if manifold.is_empty() {
        single
    } else {
        manifold
    }
}
