//! Choosing the axis along which a triangle of a surface pushes a convex shape.

use glam::DVec3;

use super::clip::{ClipPolygon, EDGES, closest_on_lines};
use super::contact::{Contact, Manifold};
use super::convex::Convex;
use super::convex_convex::convex_contact;
use super::pair_cache::PairCache;
use super::surface_triangle::{OVER_EDGE, SurfaceTriangle};
use crate::geometry::{Feature, Rigid};

/// Squared sine of the angle between two edges below which they count as parallel.
const PARALLEL: f64 = 1e-8;

/// An edge or a face of the shape must separate better than the triangle's face by this part of their size; a face
/// holds better than an edge.
const PREFERENCE: f64 = 1e-3;

/// Rounding of where two edges pass each other, as a part of their size.
const ON_EDGE: f64 = 1e-9;

/// Cosine of the angle from the face's normal within which axes of the shape are left out for that of the face.
const ALMOST_FACE: f64 = 1.0 - 1e-6;

/// A triangle pushes at most this many times deeper than the least depth in any direction: what would have to go that far
/// belongs to a neighbour, over an edge that is internal here. A crate that lies on one side of a post, a micrometre deep,
/// and reaches past its corner is not pushed out across the other side. Smaller, and a tip that stands on the joint of two
/// triangles of a floor would be left by each to the other: at 16 that takes a half angle below 3.6 degrees.
const MAX_DETOUR: f64 = 16.0;

/// What an axis belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AxisKind {
    /// The triangle's face.
    Triangle,
    /// The shape's face of this number.
    Face(u16),
    /// The shape's edge of this number, and the triangle's.
    Edges(u16, usize),
}

/// A unit vector from the triangle to the shape, and how far it separates them.
#[derive(Clone, Copy, Debug)]
pub(super) struct TriangleAxis {
    pub kind: AxisKind,
    pub normal: DVec3,
    pub separation: f64,
}

/// A triangle in coordinates of a shape whose centre is their origin.
pub(super) struct LocalTriangle {
    pub surface: SurfaceTriangle,
    /// The unit normal of the side that the shape's centre is on.
    pub face: DVec3,
    /// Whether the shape's centre is behind the triangle, which pushes it away from its ridges alone.
    is_behind: bool,
    size: f64,
    /// The best separation of all axes, and the best axes along which the triangle may push: its own, of faces and of
    /// edges.
    best: f64,
    best_allowed: f64,
    allowed: [Option<TriangleAxis>; 3],
}

impl LocalTriangle {
    /// `None` where the triangle does not push: no area, or the shape's centre behind it, and no ridges. `size` is the
    /// shape's, metres.
    pub(super) fn new(
        surface: &SurfaceTriangle,
        world_from_shape: &Rigid,
        centre: DVec3,
        size: f64,
    ) -> Option<Self> {
        let surface = surface.transformed(&world_from_shape.inverse());
        Self::of(surface, centre, size)
    }

    /// As [`Self::new`], with the triangle in coordinates of the shape.
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

    /// How far the triangle reaches in a direction.
    pub(super) fn reach(&self, direction: DVec3) -> f64 {
        let [a, b, c] = self.surface.triangle.corners;
        direction.dot(a).max(direction.dot(b)).max(direction.dot(c))
    }

    /// Compares an axis with the best so far, those of the triangle first, then of faces, then of edges. Whether it separates by more than `margin`.
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
        // What separates less than one before it of as steady a kind is not chosen.
        if self.would_be_better(axis.separation) && self.may_push(&axis) {
            self.allowed[kind] = Some(axis);
            self.best_allowed = axis.separation;
        }
        false
    }

    /// Takes note of an axis that separates the two, but along which the shape cannot be pushed.
    pub(super) fn consider_gap(&mut self, separation: f64) {
        self.best = self.best.max(separation);
    }

    /// Whether an axis of this separation would be chosen before the best so far along which the triangle may push.
    pub(super) fn would_be_better(&self, separation: f64) -> bool {
        separation > self.best_allowed
    }

    /// The best separation of all axes.
    pub(super) fn best(&self) -> f64 {
        self.best
    }

    /// The cross product of an edge of the shape with one of the triangle's, as a unit vector; `None` where they are
    /// parallel.
    pub(super) fn across(along: DVec3, edge: DVec3) -> Option<DVec3> {
        Self::unit_across(along.cross(edge), along, edge)
    }

    /// The same where their cross product, of either sign, is known.
    pub(super) fn unit_across(across: DVec3, along: DVec3, edge: DVec3) -> Option<DVec3> {
        let parallel = PARALLEL * along.length_squared() * edge.length_squared();
        let length_squared = across.length_squared();
        (length_squared > parallel).then(|| across / length_squared.sqrt())
    }

    /// The axis along which the triangle pushes; the one that separates best and the triangle's own, in case the features
    /// of the former pass each other elsewhere. `None` where one along which it may not push separates them, or is much
    /// shorter.
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
        // A ridge pushes what is nearer to it than to anything else; elsewhere it is the neighbour that does.
        let may_be_apart = self.best > 0.0 || self.is_behind;
        let detour = if may_be_apart { 1.0 } else { MAX_DETOUR };
        let is_neighbours = detour * self.best > best.separation + preference;
        (!is_neighbours).then_some([steady, best, first])
    }

    /// The closest or deepest points, where no two features make a manifold: corners across a gap, or axes within
    /// rounding of each other. Empty where the triangle may not push that way.
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

    /// To the front, and sideways but for rounding. Across the face only along its own normal, so that a crate that
    /// is a thousandth out of level is still pushed straight up.
    fn may_push(&self, axis: &TriangleAxis) -> bool {
        if axis.kind == AxisKind::Triangle {
            return !self.is_behind;
        }
        let feature = self.surface.support(axis.normal);
        let towards = axis.normal.dot(self.face);
        let is_to_front = if self.is_behind {
            // Along its own face the neighbour pushes.
            towards < -OVER_EDGE && self.surface.is_ridge(feature)
        } else {
            self.surface.is_two_sided || towards >= -1e-9
        };
        is_to_front && feature != Feature::Face && self.surface.allows(axis.normal, feature)
    }
}

impl LocalTriangle {
    /// Cuts a polygon by the triangle's three sides.
    pub(super) fn clip_to_triangle<const N: usize>(&self, polygon: &mut ClipPolygon<N>) {
        self.surface.clip(polygon);
    }

    /// Where an edge of the shape and one of the triangle's pass each other; nothing where their lines do so elsewhere.
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
        // Of the triangle another part may lie farther along the normal than the edge.
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
