//! The choice of the axis along which a surface triangle pushes a convex shape.

use glam::DVec3;

use super::clip::{ClipPolygon, EDGES, closest_on_lines};
use super::contact::{Contact, Manifold};
use super::convex::Convex;
use super::convex_convex::convex_contact;
use super::pair_cache::PairCache;
use super::surface_triangle::{OVER_EDGE, SurfaceTriangle};
use crate::geometry::{Feature, Rigid};

/// The squared sine of the angle between two edges below which they count as parallel.
const PARALLEL: f64 = 1e-8;

/// The margin by which an axis of the shape's faces or edges must separate better than the triangle's face, relative
/// to their size. Face contacts are more stable than edge contacts.
const PREFERENCE: f64 = 1e-3;

/// The rounding of the crossing point of two edges, relative to their size.
const ON_EDGE: f64 = 1e-9;

/// The cosine of the angle from the face normal within which the normal of the closest points counts as the face normal.
const ALMOST_FACE: f64 = 1.0 - 1e-6;

/// The maximum depth at which a triangle pushes, relative to the smallest depth in any direction. A deeper overlap
/// belongs to a neighbour beyond an internal edge: if a crate overlaps one side of a post by a micrometre, and
/// extends past the post's corner, the other side must not push it out. With a smaller value, each of two floor
/// triangles would leave a sharp tip on their seam to the other one. With 16 this happens only to tips with a half
/// angle below 3.6 degrees.
const MAX_DETOUR: f64 = 16.0;

/// The features that an axis belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AxisKind {
    /// The triangle's face.
    Triangle,
    /// The shape's face of this number.
    Face(u16),
    /// The shape's edge of this number, and the triangle's edge.
    Edges(u16, usize),
}

/// A unit vector from the triangle to the shape, and the separation along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TriangleAxis {
    pub kind: AxisKind,
    pub normal: DVec3,
    pub separation: f64,
}

/// A triangle in coordinates of a shape, with the best axes so far.
pub(super) struct LocalTriangle {
    pub surface: SurfaceTriangle,
    /// The unit normal of the side that the shape's centre is on.
    pub face: DVec3,
    /// Whether the shape's centre is behind the triangle. If so, the triangle pushes the shape away from its ridges
    /// only.
    is_behind: bool,
    size: f64,
    /// The largest separation of all axes.
    best: f64,
    /// The largest separation of the axes along which the triangle may push.
    best_allowed: f64,
    /// The best such axis of each kind: triangle face, shape face, edges.
    allowed: [Option<TriangleAxis>; 3],
}

impl LocalTriangle {
    /// Transforms a triangle to coordinates of a shape with its centre at `centre`. Returns `None` if the triangle does not
    /// push: it is degenerate, or the shape's centre is behind it and it has no ridges. `size` is the shape's, metres.
    pub(super) fn new(
        surface: &SurfaceTriangle,
        world_from_shape: &Rigid,
        centre: DVec3,
        size: f64,
    ) -> Option<Self> {
        let surface = surface.transformed(&world_from_shape.inverse());
        Self::of(surface, centre, size)
    }

    /// Creates it, like [`Self::new`], from a triangle in coordinates of the shape.
    pub(super) fn of(surface: SurfaceTriangle, centre: DVec3, size: f64) -> Option<Self> {
        let in_front = surface.normal_towards(centre);
        let behind = || {
            let has_ridges = surface.ridges != [false; 3];
            let front = surface.triangle.normal().filter(|_| has_ridges);
            front.map(|front| -front)
        };
        let face = in_front.or_else(behind)?;
        let longest = surface.edges().map(DVec3::length).into_iter();
        let longest = longest.fold(0.0, f64::max);
        Some(Self {
            surface,
            face,
            is_behind: in_front.is_none(),
            size: size.min(longest),
            best: f64::NEG_INFINITY,
            best_allowed: f64::NEG_INFINITY,
            allowed: [None; 3],
        })
    }

    /// The triangle's extent in a direction: the largest dot product with a corner.
    pub(super) fn reach(&self, direction: DVec3) -> f64 {
        let [a, b, c] = self.surface.triangle.corners;
        direction.dot(a).max(direction.dot(b)).max(direction.dot(c))
    }

    /// Compares an axis with the best so far. The triangle's axis must come first, then the faces, then the edges. Returns
    /// whether the axis separates by more than `margin`.
    pub(super) fn consider(&mut self, axis: TriangleAxis, margin: f64) -> bool {
        self.best = self.best.max(axis.separation);
        if axis.separation > margin {
            return true;
        }
        let kind = match axis.kind {
            AxisKind::Triangle => 0,
            AxisKind::Face(_) => 1,
            AxisKind::Edges(..) => 2,
        };
        // An axis is not chosen if an earlier axis, of a kind that is at least as stable, separates better.
        if self.would_be_better(axis.separation) && self.may_push(&axis) {
            self.allowed[kind] = Some(axis);
            self.best_allowed = axis.separation;
        }
        false
    }

    /// Records an axis that separates the two, but along which the shape cannot be pushed.
    pub(super) fn consider_gap(&mut self, separation: f64) {
        self.best = self.best.max(separation);
    }

    /// Whether an axis of this separation is better than the best axis so far along which the triangle may push.
    pub(super) fn would_be_better(&self, separation: f64) -> bool {
        separation > self.best_allowed
    }

    /// Whether the shape's centre is behind the triangle, so that only ridges push.
    pub(super) fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// The largest separation of all axes.
    pub(super) fn best(&self) -> f64 {
        self.best
    }

    /// The cross product of an edge of the shape and an edge of the triangle, as a unit vector; `None` if they are parallel.
    pub(super) fn across(along: DVec3, edge: DVec3) -> Option<DVec3> {
        Self::unit_across(along.cross(edge), along, edge)
    }

    /// Normalises the cross product `across`, of either sign, of the two edges; `None` if they are parallel.
    pub(super) fn unit_across(across: DVec3, along: DVec3, edge: DVec3) -> Option<DVec3> {
        let parallel = PARALLEL * along.length_squared() * edge.length_squared();
        let length_squared = across.length_squared();
        (length_squared > parallel).then(|| across / length_squared.sqrt())
    }

    /// Chooses three axes along which the triangle pushes: the stable one, the one of largest separation, and the
    /// first one. A later one is used if the features of the earlier ones do not cross each other. Returns `None` if
    /// an axis along which the triangle may not push separates the two, or has a much smaller depth.
    pub(super) fn chosen(&self) -> Option<[TriangleAxis; 3]> {
        let preference = PREFERENCE * self.size;
        let mut allowed = self.allowed.into_iter().flatten();
        let first = allowed.next()?;
        let (steady, best) = allowed.fold((first, first), |(steady, best), axis| {
            let is_better = axis.separation > steady.separation + preference;
            let is_best = axis.separation > best.separation;
            (
                if is_better { axis } else { steady },
                if is_best { axis } else { best },
            )
        });
        // A ridge pushes a shape only if the shape is nearest to it; elsewhere the neighbour pushes.
        let may_be_apart = self.best > 0.0 || self.is_behind;
        let detour = if may_be_apart { 1.0 } else { MAX_DETOUR };
        let is_neighbours = detour * self.best > best.separation + preference;
        (!is_neighbours).then_some([steady, best, first])
    }

    /// The manifold of the closest or deepest points, if no two features form a manifold (corner against corner, or
    /// axes that are equal within rounding). Empty if the triangle may not push in that direction.
    pub(super) fn closest(&self, shape: &Convex, margin: f64) -> Manifold {
        let triangle = Convex::triangle(self.surface.triangle);
        let cache = &mut PairCache::default();
        let Some(contact) = convex_contact(shape, &triangle, margin, cache) else {
            return Manifold::EMPTY;
        };
        let normal = contact.normal;
        let axis = TriangleAxis {
            kind: AxisKind::Face(0),
            normal,
            separation: contact.separation,
        };
        let is_face = normal.dot(self.face) >= ALMOST_FACE && !self.is_behind;
        if !is_face && !self.may_push(&axis) {
            return Manifold::EMPTY;
        }
        Manifold::of_contact(&contact, 0)
    }

    /// Whether the triangle may push along an axis: to its front, or sideways within rounding. Within rounding of its
    /// normal, the triangle pushes exactly along the normal, so that a crate a thousandth out of level is pushed
    /// straight up.
    pub(super) fn may_push(&self, axis: &TriangleAxis) -> bool {
        if axis.kind == AxisKind::Triangle {
            return !self.is_behind;
        }
        let feature = self.surface.support(axis.normal);
        let towards = axis.normal.dot(self.face);
        let is_to_front = if self.is_behind {
            // Along the triangle's own plane, the neighbour pushes.
            towards < -OVER_EDGE && self.surface.is_ridge(feature)
        } else {
            self.surface.is_two_sided || towards >= -1e-9
        };
        is_to_front && feature != Feature::Face && self.surface.allows(axis.normal, feature)
    }
}

impl LocalTriangle {
    /// Clips a polygon against the triangle's three sides.
    pub(super) fn clip_to_triangle<const N: usize>(&self, polygon: &mut ClipPolygon<N>) {
        self.surface.clip(polygon);
    }

    /// The contact of an edge of the shape and an edge of the triangle; empty if the closest points of their lines lie outside
    /// the edges.
    pub(super) fn edge_contact(
        &self,
        axis: &TriangleAxis,
        ends: [DVec3; 2],
        shape_edge: u64,
        edge: usize,
    ) -> Manifold {
        let (from, along) = (ends[0], ends[1] - ends[0]);
        let corner = self.surface.triangle.corners[edge];
        let side = self.surface.edges()[edge];
        let Some([on_a, on_b]) = closest_on_lines(from, along, corner, side) else {
            return Manifold::EMPTY;
        };
        let is_on = |point: DVec3, from: DVec3, along: DVec3| {
            let part = (point - from).dot(along) / along.length_squared();
            (-ON_EDGE..=1.0 + ON_EDGE).contains(&part)
        };
        // Another part of the triangle may lie farther along the normal than the edge.
        let apart = axis.normal.dot(on_a - on_b) - axis.separation;
        let is_farthest = apart.abs() <= ON_EDGE * self.size;
        if !is_farthest || !is_on(on_a, from, along) || !is_on(on_b, corner, side) {
            return Manifold::EMPTY;
        }
        let contact = Contact {
            on_a,
            on_b,
            normal: axis.normal,
            separation: axis.separation,
        };
        Manifold::of_contact(&contact, EDGES | shape_edge << 2 | edge as u64)
    }
}
