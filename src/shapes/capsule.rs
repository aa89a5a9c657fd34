//! A capsule and another convex shape.
//!
//! A capsule is the Minkowski sum of a segment and a ball. Its closest points follow from those of the segment, in
//! closed form or by GJK. A capsule that lies on a face, beside an edge or beside another capsule touches it along a
//! line; its contact points are the ends of the part of its segment that lies there.

use glam::DVec3;

use super::contact::{Contact, Manifold, ManifoldPoint};
use super::convex::{ALMOST_PARALLEL, Convex};
use super::convex_convex::{FACE_COS, convex_contact};
use super::pair_cache::PairCache;
use super::sphere::sphere_sphere;
use crate::geometry::{Plane, Rigid, closest_on_segment, closest_on_segments};

/// The length, relative to the segment, above which the part of the segment beside an edge has two contact points.
const DISTINCT: f64 = 0.1;

/// The cosine of the angle, 3.6 degrees, within which the normals along a nearly parallel edge count as equal.
const SAME_NORMAL: f64 = 0.998;

/// The distance, relative to the capsule's size, by which the part over a face may be farther away than the closest
/// point.
pub(super) const NOT_CLOSEST: f64 = 1e-3;

/// The distance of two segments, or of a point and a segment, relative to the shapes' size, below which they count as
/// intersecting, because rounding determines the direction between them.
const CROSSING: f64 = 1e-9;

/// The points within `radius` of a segment.
#[derive(Clone, Copy, Debug)]
pub struct PosedCapsule {
    /// The ends of the segment, metres.
    pub ends: [DVec3; 2],
    /// The radius, metres.
    pub radius: f64,
}

impl PosedCapsule {
    /// A capsule around the origin of its coordinates: `half_segment` is the vector from its centre to an end of its segment.
    pub fn new(world_from_capsule: &Rigid, half_segment: DVec3, radius: f64) -> Self {
        Self {
            ends: [-half_segment, half_segment].map(|end| world_from_capsule.point(end)),
            radius,
        }
    }

    /// The middle of the segment.
    pub(super) fn middle(&self) -> DVec3 {
        (self.ends[0] + self.ends[1]) * 0.5
    }

    /// The vector from the first end of the segment to the second.
    pub(super) fn along(&self) -> DVec3 {
        self.ends[1] - self.ends[0]
    }

    /// The ends of the part of the segment behind all planes, each given by an outward vector of any length and a point.
    pub(super) fn part_behind(
        &self,
        planes: impl Iterator<Item = (DVec3, DVec3)>,
    ) -> Option<[DVec3; 2]> {
        let [mut first, mut last] = [0.0_f64, 1.0];
        for (outwards, point) in planes {
            let [from, to] = self.ends.map(|end| outwards.dot(end - point));
            if from > 0.0 && to > 0.0 {
                return None;
            } else if from > 0.0 {
                first = first.max(from / (from - to));
            } else if to > 0.0 {
                last = last.min(from / (from - to));
            }
        }
        let along = self.along();
        (first <= last).then(|| [first, last].map(|part| self.ends[0] + along * part))
    }

    /// The manifold of a part of the segment over a plane, whose normal points out of the other shape. Ends farther than
    /// `margin` metres in front of it are dropped.
    pub(super) fn over_plane(&self, part: [DVec3; 2], plane: &Plane, margin: f64) -> Manifold {
        let mut manifold = Manifold::along(plane.normal);
        for (feature, end) in (1..).zip(part) {
            let height = plane.distance(end);
            let separation = height - self.radius;
            if separation <= margin {
                manifold.push(ManifoldPoint {
                    on_a: end - plane.normal * self.radius,
                    on_b: end - plane.normal * height,
                    separation,
                    feature,
                });
            }
        }
        if manifold.is_empty() {
            return Manifold::EMPTY;
        }
        manifold
    }

    /// The manifold of the capsule beside an edge, or beside another capsule's segment, with the closest contact of the two.
    ///
    /// If the two are nearly parallel, the ends of the part of the segment beside the edge are the contact points, along
    /// the normal at the middle of that part. The closest points of nearly parallel segments, and the normal there, move
    /// far if the segments rotate a little: they would keep a capsule that lies on others rocking. The separation of the
    /// deeper end is that of the closest points.
    pub(super) fn beside_edge(&self, edge: [DVec3; 2], closest: &Contact, margin: f64) -> Manifold {
        self.along_edge(edge, closest, margin)
            .unwrap_or_else(|| Manifold::of_contact(closest, 0))
    }

    /// The manifold of the capsule along a nearly parallel edge; `None` if they are not parallel, or if the normal of their
    /// closest points is another.
    fn along_edge(&self, edge: [DVec3; 2], closest: &Contact, margin: f64) -> Option<Manifold> {
        let along = edge[1] - edge[0];
        let lengths = along.length() * self.along().length();
        if along.dot(self.along()).abs() < ALMOST_PARALLEL * lengths {
            return None;
        }
        let slab = [(-along, edge[0]), (along, edge[1])];
        let part = self.part_behind(slab.into_iter())?;
        if part[0].distance(part[1]) <= DISTINCT * self.along().length() {
            return None;
        }
        let apart = |point: DVec3| point - closest_on_segment(edge[0], edge[1], point);
        let normal = apart((part[0] + part[1]) * 0.5).try_normalize()?;
        let is_same = |other: DVec3| other.dot(normal) >= SAME_NORMAL * other.length();
        if !is_same(closest.normal) || !part.iter().all(|end| is_same(apart(*end))) {
            return None;
        }
        let distances = part.map(|end| apart(end).dot(normal));
        // Between the ends, the segments can be nearer to each other than along the normal at the middle.
        let offset = closest.separation - distances[0].min(distances[1]);
        let mut manifold = Manifold::along(normal);
        for (feature, (end, distance)) in (1..).zip(part.into_iter().zip(distances)) {
            let separation = distance + offset;
            if separation <= margin {
                let on_a = end - normal * self.radius;
                manifold.push(ManifoldPoint {
                    on_a,
                    on_b: on_a - normal * separation,
                    separation,
                    feature,
                });
            }
        }
        (!manifold.is_empty()).then_some(manifold)
    }
}

/// The contact of a sphere, which is `a`, and a capsule. If the centre lies on the segment, except for rounding, the
/// normal is perpendicular to it.
pub(super) fn sphere_capsule(centre: DVec3, radius: f64, capsule: &PosedCapsule) -> Contact {
    let [from, to] = capsule.ends;
    let closest = closest_on_segment(from, to, centre);
    let size = capsule.along().length() + radius + capsule.radius;
    if closest.distance(centre) <= CROSSING * size {
        let normal = any_perpendicular(capsule.along());
        return Contact {
            on_a: centre - normal * radius,
            on_b: centre + normal * capsule.radius,
            normal,
            separation: -(radius + capsule.radius),
        };
    }
    sphere_sphere(centre, radius, closest, capsule.radius)
}

/// The manifold of two capsules; empty if they are more than `margin` metres apart.
pub(super) fn capsule_capsule(a: &PosedCapsule, b: &PosedCapsule, margin: f64) -> Manifold {
    let [on_a, on_b] = closest_on_segments(a.ends, b.ends);
    let (apart, radii) = (on_a - on_b, a.radius + b.radius);
    let distance = apart.length();
    if distance > margin + radii {
        return Manifold::EMPTY;
    }
    let across = a.along().cross(b.along());
    let size = a.along().length() + b.along().length();
    let normal = if distance > CROSSING * size {
        apart / distance
    } else {
        // The segments cross: they separate along their common perpendicular, towards the middle of `a`.
        let middles = a.middle() - b.middle();
        let perpendicular = across.try_normalize();
        let perpendicular = perpendicular.unwrap_or_else(|| any_perpendicular(a.along()));
        perpendicular * 1.0_f64.copysign(middles.dot(perpendicular))
    };
    let separation = apart.dot(normal) - radii;
    let contact = Contact {
        on_a: on_a - normal * a.radius,
        on_b: on_a - normal * (a.radius + separation),
        normal,
        separation,
    };
    a.beside_edge(b.ends, &contact, margin)
}

/// The manifold of a capsule, which is `a`, and a box or hull; empty if they are more than `margin` metres apart.
pub(super) fn capsule_solid(
    a: &Convex,
    b: &Convex,
    margin: f64,
    cache: &mut PairCache,
) -> Manifold {
    let Some(contact) = convex_contact(a, b, margin, cache) else {
        return Manifold::EMPTY;
    };
    let single = Manifold::of_contact(&contact, 0);
    let Some(ends) = a.segment() else {
        return single;
    };
    let on_face = capsule_on_face(a, b, contact.normal, FACE_COS, margin);
    // At a sharp corner, another face than those at the closest point may face the capsule most.
    let is_closest = on_face.separation() <= contact.separation + NOT_CLOSEST * a.size();
    if !on_face.is_empty() && is_closest {
        return on_face;
    }
    let capsule = PosedCapsule {
        ends,
        radius: a.radius,
    };
    let direction = capsule.along().normalize_or_zero();
    b.edge_along(direction, contact.normal)
        .map_or(single, |edge| capsule.beside_edge(edge, &contact, margin))
}

/// The manifold of a capsule, which is `a`, and that face of a box or hull which faces the capsule along `normal`.
/// Empty if `a` is no capsule, if the cosine of the angle between the face's normal and `normal` is less than
/// `min_cosine`, or if the capsule is not over the face.
pub(super) fn capsule_on_face(
    a: &Convex,
    b: &Convex,
    normal: DVec3,
    min_cosine: f64,
    margin: f64,
) -> Manifold {
    let (Some(ends), Some(face)) = (a.segment(), b.face_towards(normal)) else {
        return Manifold::EMPTY;
    };
    if face.plane.normal.dot(normal) < min_cosine {
        return Manifold::EMPTY;
    }
    let capsule = PosedCapsule {
        ends,
        radius: a.radius,
    };
    let sides = face.polygon.sides();
    let sides = sides.map(|[from, to]| ((to - from).cross(face.plane.normal), from));
    let part = capsule.part_behind(sides);
    part.map_or(Manifold::EMPTY, |part| {
        capsule.over_plane(part, &face.plane, margin)
    })
}

/// A unit vector perpendicular to a vector; equal vectors give equal results.
fn any_perpendicular(along: DVec3) -> DVec3 {
    along
        .try_normalize()
        .map_or(DVec3::Y, DVec3::any_orthonormal_vector)
}
