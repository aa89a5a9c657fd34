//! A convex shape with a pose, for GJK and for face manifolds.

use glam::{DMat3, DVec3};

use super::box_faces::PosedBox;
use super::clip::ClipPolygon;
use super::hull::Hull;
use crate::geometry::{Plane, Rigid, Triangle};

/// The maximum number of corners of a face for clipping; a face with more corners is sampled evenly.
const MAX_CORNERS_OF_FACE: usize = 16;

/// The tolerance, relative to the size, within which corners count as equally far along a direction.
const ROUNDING: f64 = 1e-9;

/// The cosine of the angle, eight degrees, within which a capsule counts as parallel to an edge.
pub(super) const ALMOST_PARALLEL: f64 = 0.99;

/// The maximum number of corners of two faces clipped against each other.
pub(super) const MAX_CLIPPED: usize = 2 * MAX_CORNERS_OF_FACE;

/// A convex shape with a pose: the Minkowski sum of a core and a ball of `radius`.
#[derive(Clone, Copy, Debug)]
pub struct Convex<'a> {
    core: Core<'a>,
    pub(super) world_from_core: Rigid,
    pub(super) radius: f64,
}

#[derive(Clone, Copy, Debug)]
enum Core<'a> {
    /// The origin.
    Point,
    /// A segment around the origin, as the vector from its middle to its end.
    Segment(DVec3),
    Box(DVec3),
    Hull(&'a Hull),
    Triangle(Triangle),
}

/// A face of a shape: its plane, its number, and its corners.
pub(super) struct ConvexFace {
    pub plane: Plane,
    pub number: u16,
    pub polygon: ClipPolygon<MAX_CLIPPED>,
}

impl ConvexFace {
    /// Adds the support point of the shape in a direction, a unit vector, unless a corner of the face lies as far.
    /// The face may miss this point for two reasons: at a sharp corner, the face with the closest normal may not
    /// touch the corner, and a face with many corners lists only some of them.
    pub(super) fn extend_to_support(&mut self, shape: &Convex, direction: DVec3) {
        if !matches!(shape.core, Core::Hull(_)) {
            return;
        }
        let support = shape.support(direction);
        let corners = self.polygon.sides().map(|[from, _]| from.dot(direction));
        let farthest = corners.fold(f64::NEG_INFINITY, f64::max);
        if support.dot(direction) > farthest + ROUNDING * shape.size() {
            self.polygon.extend_to(support, self.plane.normal);
        }
    }

    /// Clips the face against the sides of a reference face.
    pub(super) fn clip_to(&mut self, reference: &Self) {
        for (side, [from, to]) in reference.polygon.sides().enumerate() {
            let outwards = (to - from).cross(reference.plane.normal);
            self.polygon.clip(outwards, outwards.dot(from), side as u16);
        }
    }
}

impl<'a> Convex<'a> {
    /// A ball.
    pub fn sphere(world_from_sphere: Rigid, radius: f64) -> Self {
        Self::new(Core::Point, world_from_sphere, radius)
    }

    /// A capsule around the origin of its coordinates: `half_segment` is the vector from its centre to an end of its segment.
    pub fn capsule(world_from_capsule: Rigid, half_segment: DVec3, radius: f64) -> Self {
        Self::new(Core::Segment(half_segment), world_from_capsule, radius)
    }

    /// A box around the origin of its coordinates.
    pub fn cuboid(world_from_box: Rigid, half_extents: DVec3) -> Self {
        Self::new(Core::Box(half_extents), world_from_box, 0.0)
    }

    /// A convex polyhedron.
    pub fn hull(world_from_hull: Rigid, hull: &'a Hull) -> Self {
        Self::new(Core::Hull(hull), world_from_hull, 0.0)
    }

    /// A triangle, solid from both sides.
    pub fn triangle(triangle: Triangle) -> Self {
        Self::new(Core::Triangle(triangle), Rigid::IDENTITY, 0.0)
    }

    fn new(core: Core<'a>, world_from_core: Rigid, radius: f64) -> Self {
        Self {
            core,
            world_from_core,
            radius,
        }
    }

    /// The shape moved by a vector.
    pub(super) fn moved(&self, by: DVec3) -> Self {
        let translation = self.world_from_core.translation() + by;
        Self {
            world_from_core: Rigid::new(self.world_from_core.rotation(), translation),
            ..*self
        }
    }

    /// A length that is not much smaller than the shape, metres.
    pub(super) fn size(&self) -> f64 {
        let of_core = match self.core {
            Core::Point => 0.0,
            Core::Segment(half) => half.abs().element_sum(),
            Core::Box(half_extents) => half_extents.element_sum(),
            Core::Hull(hull) => hull.bounding_sphere().radius,
            Core::Triangle(triangle) => {
                let [a, b, c] = triangle.corners;
                ((b - a).abs() + (c - a).abs()).element_sum()
            }
        };
        of_core + self.radius
    }

    /// A point inside the shape.
    pub(super) fn middle(&self) -> DVec3 {
        let middle = match self.core {
            Core::Point | Core::Segment(_) | Core::Box(_) => DVec3::ZERO,
            Core::Hull(hull) => hull.centre(),
            Core::Triangle(triangle) => triangle.corners.iter().sum::<DVec3>() / 3.0,
        };
        self.world_from_core.point(middle)
    }

    /// The support point of the core: the point farthest in a direction.
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        let local = self.in_core(direction);
        let farthest = match self.core {
            Core::Point => DVec3::ZERO,
            Core::Segment(half) => {
                if half.dot(local) < 0.0 {
                    -half
                } else {
                    half
                }
            }
            Core::Box(half_extents) => {
                DVec3::select(local.cmplt(DVec3::ZERO), -half_extents, half_extents)
            }
            Core::Hull(hull) => hull.corners[hull.support(local)],
            Core::Triangle(triangle) => {
                let [a, b, c] = triangle.corners;
                let along = [a, b, c].map(|corner| local.dot(corner));
                if along[0] >= along[1] && along[0] >= along[2] {
                    a
                } else if along[1] >= along[2] {
                    b
                } else {
                    c
                }
            }
        };
        self.world_from_core.point(farthest)
    }

    /// The face whose normal is closest to a direction, a unit vector; `None` for a ball, a capsule and a degenerate triangle.
    pub(super) fn face_towards(&self, direction: DVec3) -> Option<ConvexFace> {
        let local = self.in_core(direction);
        let place = |corner: DVec3| self.world_from_core.point(corner);
        match self.core {
            Core::Point | Core::Segment(_) => None,
            Core::Box(half) => {
                let solid = PosedBox {
                    centre: DVec3::ZERO,
                    axes: DMat3::IDENTITY,
                    half,
                };
                let (axis, number) = solid.face_towards(local);
                let normal = DVec3::AXES[axis] * 1.0_f64.copysign(local[axis]);
                let plane = Plane {
                    normal,
                    offset: half[axis],
                };
                let mut corners = solid.corners_of_face(number);
                // Faces with odd numbers point along negative axes, and their corners are clockwise seen from outside.
                if !number.is_multiple_of(2) {
                    corners.reverse();
                }
                Some(ConvexFace {
                    plane: self.world_from_core.plane(&plane),
                    number,
                    polygon: ClipPolygon::new(corners.into_iter().map(place)),
                })
            }
            Core::Hull(hull) => {
                let (mut best, mut most) = (0, f64::NEG_INFINITY);
                for (face, plane) in hull.planes.iter().enumerate() {
                    let towards = plane.normal.dot(local);
                    if towards > most {
                        (best, most) = (face, towards);
                    }
                }
                let corners = hull.face(best);
                let step = corners.len().div_ceil(MAX_CORNERS_OF_FACE);
                let spread = corners.iter().step_by(step);
                Some(ConvexFace {
                    plane: self.world_from_core.plane(&hull.planes[best]),
                    number: best as u16,
                    polygon: ClipPolygon::new(spread.map(|&i| place(hull.corners[i as usize]))),
                })
            }
            Core::Triangle(triangle) => {
                let front = triangle.normal()?;
                let normal = if front.dot(local) >= 0.0 {
                    front
                } else {
                    -front
                };
                Some(ConvexFace {
                    plane: Plane::through(triangle.corners[0], normal),
                    number: 0,
                    polygon: ClipPolygon::new(triangle.corners.into_iter().map(place)),
                })
            }
        }
    }

    /// The edge of a box or hull that is parallel to a direction, a unit vector, within [`ALMOST_PARALLEL`]. Of
    /// several, the one farthest along `normal`.
    pub(super) fn edge_along(&self, direction: DVec3, normal: DVec3) -> Option<[DVec3; 2]> {
        let (along, normal) = (self.in_core(direction), self.in_core(normal));
        let edge = match self.core {
            Core::Box(half) => {
                let axis = along.abs().max_position();
                let solid = PosedBox {
                    centre: DVec3::ZERO,
                    axes: DMat3::IDENTITY,
                    half,
                };
                let middle = solid.middle_of_edge(axis, normal).0;
                let half = DVec3::AXES[axis] * half[axis];
                (along[axis].abs() >= ALMOST_PARALLEL).then_some([middle - half, middle + half])
            }
            Core::Hull(hull) => {
                let edges = hull.edges.iter().map(|edge| edge.corners);
                let edges = edges.map(|ends| ends.map(|i| hull.corners[i as usize]));
                let parallel = edges.filter(|[from, to]| {
                    let edge = *to - *from;
                    edge.dot(along).abs() >= ALMOST_PARALLEL * edge.length()
                });
                let height = |[from, to]: &[DVec3; 2]| normal.dot(*from + *to);
                parallel.max_by(|a, b| height(a).total_cmp(&height(b)))
            }
            Core::Point | Core::Segment(_) | Core::Triangle(_) => None,
        };
        edge.map(|ends| ends.map(|end| self.world_from_core.point(end)))
    }

    /// The ends of a capsule's segment; `None` for other shapes.
    pub(super) fn segment(&self) -> Option<[DVec3; 2]> {
        let Core::Segment(half) = self.core else {
            return None;
        };
        Some([-half, half].map(|end| self.world_from_core.point(end)))
    }

    fn in_core(&self, direction: DVec3) -> DVec3 {
        self.world_from_core.rotation().transpose() * direction
    }
}
