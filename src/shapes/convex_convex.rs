//! Two convex shapes of any kind: the closest or deepest points, and the manifold of their faces.

use glam::DVec3;

use super::clip::Reference;
use super::contact::{Contact, Manifold};
use super::convex::{Convex, ConvexFace};
use super::epa;
use super::gjk::{self, Cores, Simplex};
use super::pair_cache::PairCache;

/// The cosine of one degree. A face normal within this angle counts as parallel to the contact normal, so that bodies
/// rest on faces, although rounding disturbs the normal across a small gap.
pub(super) const FACE_COS: f64 = 0.999_85;

/// The margin by which the face of `b` must be closer to the normal than the face of `a` to become the reference face.
const PREFERENCE: f64 = 1e-3;

/// The relative position of two shapes within the reach of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closest {
    /// The points that are closest to each other.
    Apart(Contact),
    /// The shapes overlap or touch. The depth is not computed, since that would take many times as long.
    Overlapping,
}

impl Closest {
    /// The gap, metres; 0 if the shapes overlap.
    pub fn gap(&self) -> f64 {
        match self {
            Self::Apart(contact) => contact.separation,
            Self::Overlapping => 0.0,
        }
    }
}

/// The closest points of two convex shapes, or the deepest points if they overlap; `None` if they are more than `margin` metres
/// apart. `cache` belongs to the pair, and does not affect the result.
pub fn convex_contact(
    a: &Convex,
    b: &Convex,
    margin: f64,
    cache: &mut PairCache,
) -> Option<Contact> {
    let (on_a, on_b, normal) = match find(a, b, margin, cache)? {
        GjkResult::Apart(points) => points,
        GjkResult::Touching(simplex) => {
            let [near_a, near_b] = near_origin(a, b);
            epa::deepest(&near_a, &near_b, &simplex)
        }
    };
    let contact = contact(a, b, (on_a, on_b, normal));
    (contact.separation <= margin).then_some(contact)
}

/// The closest points of two convex shapes; `None` if they are more than `reach` metres apart.
pub(super) fn convex_closest(
    a: &Convex,
    b: &Convex,
    reach: f64,
    cache: &mut PairCache,
) -> Option<Closest> {
    let GjkResult::Apart(points) = find(a, b, reach, cache)? else {
        return Some(Closest::Overlapping);
    };
    let contact = contact(a, b, points);
    match contact.separation {
        separation if separation > reach => None,
        separation if separation > 0.0 => Some(Closest::Apart(contact)),
        _ => Some(Closest::Overlapping),
    }
}

/// The result of GJK: points of both cores, near the origin, and the unit vector between them; or, for an overlap,
/// the simplex.
#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack, and only for a call"
)]
enum GjkResult {
    Apart((DVec3, DVec3, DVec3)),
    Touching(Simplex),
}

/// Runs GJK. Returns `None` if the shapes are certainly more than `margin` metres apart. Stores the separating axis in the
/// cache.
fn find(a: &Convex, b: &Convex, margin: f64, cache: &mut PairCache) -> Option<GjkResult> {
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
            Some(GjkResult::Apart((on_a, on_b, normal)))
        }
        Cores::Touching(simplex) => Some(GjkResult::Touching(simplex)),
    }
}

/// Both shapes, translated so that `a` is at the origin, to preserve floating-point precision.
fn near_origin<'a>(a: &Convex<'a>, b: &Convex<'a>) -> [Convex<'a>; 2] {
    let origin = a.world_from_core.translation();
    [a.moved(-origin), b.moved(-origin)]
}

/// The contact of two points of the cores near the origin, with `normal`, the unit vector from `b` to `a`.
fn contact(a: &Convex, b: &Convex, (on_a, on_b, normal): (DVec3, DVec3, DVec3)) -> Contact {
    let origin = a.world_from_core.translation();
    let separation = (on_a - on_b).dot(normal) - (a.radius + b.radius);
    let on_a = on_a - normal * a.radius + origin;
    Contact {
        on_a,
        // The points of EPA are not exactly along the normal.
        on_b: on_a - normal * separation,
        normal,
        separation,
    }
}

/// The opposing faces of two shapes.
pub(super) struct OpposingFaces {
    reference: Reference,
    of_reference: ConvexFace,
    incident: ConvexFace,
    /// The cosine of the angle between the normal of the reference face and the contact normal.
    pub cosine: f64,
}

impl OpposingFaces {
    /// The manifold of the incident face clipped against the reference face, within `margin` metres.
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

/// The opposing faces of two shapes along a unit vector from `b` to `a`; `None` if one of them has no face (a ball or a
/// capsule).
pub(super) fn faces_towards(a: &Convex, b: &Convex, normal: DVec3) -> Option<OpposingFaces> {
    let (mut face_a, mut face_b) = (a.face_towards(-normal)?, b.face_towards(normal)?);
    let towards_a = -face_a.plane.normal.dot(normal);
    let towards_b = face_b.plane.normal.dot(normal);
    Some(if towards_b > towards_a + PREFERENCE {
        face_a.extend_to_support(a, -normal);
        OpposingFaces {
            reference: Reference::B,
            of_reference: face_b,
            incident: face_a,
            cosine: towards_b,
        }
    } else {
        face_b.extend_to_support(b, normal);
        OpposingFaces {
            reference: Reference::A,
            of_reference: face_a,
            incident: face_b,
            cosine: towards_a,
        }
    })
}

/// The manifold of two convex shapes; empty if they are more than `margin` metres apart. Opposing faces nearly
/// perpendicular to the contact normal are clipped against each other; without such faces, the manifold is a single
/// contact.
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
