//! A polygon that a body may meet.

use glam::DVec3;

use crate::collision::solid::Solid;
use crate::geometry::{Rigid, Triangle};
use crate::level::{EdgeKind, Material, SolidTriangle};

/// Quick tests, which reject a triangle without a sweep, enlarge triangles and spheres by this fraction for rounding.
const ROUNDING: f64 = 1e-9;

/// A solid triangle in home coordinates: the coordinates of the room from which polygons are gathered.
///
/// The layout takes three cache lines. The first has the fields that reject most candidates, the last has the fields
/// that few candidates need.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Candidate {
    /// Unit normal of the front.
    pub normal: DVec3,
    /// Whether the triangle is solid from behind too.
    pub two_sided: bool,
    pub edges: [EdgeKind; 3],
    pub triangle: Triangle,
    /// The owner of the triangle.
    pub solid: Solid,
    /// The greatest distance of the corners from the middle, metres.
    pub(super) extent: f64,
    pub(super) middle: DVec3,
    pub surface: SurfaceResponse,
}

/// The material properties of a surface that act on a body; see [`Material`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SurfaceResponse {
    pub friction: f64,
    pub drag: f64,
    pub bounce: f64,
}

impl SurfaceResponse {
    /// The surface of a wall that is not part of the level: it only stops a body.
    pub(crate) const SMOOTH: Self = Self {
        friction: 0.0,
        drag: 0.0,
        bounce: 0.0,
    };

    /// The surface of solids without a material.
    pub(crate) const PLAIN: Self = Self {
        friction: Material::FRICTION,
        drag: 0.0,
        bounce: 0.0,
    };

    fn of(material: &Material) -> Self {
        Self {
            friction: material.friction,
            drag: material.drag,
            bounce: material.bounce,
        }
    }
}

impl Candidate {
    /// A solid triangle of a room in the home coordinates; `None` if it has no area.
    pub(super) fn of(
        solid: &SolidTriangle,
        material: &Material,
        home_from_room: &Rigid,
    ) -> Option<Self> {
        let triangle = solid.triangle().transformed(home_from_room);
        let normal = triangle.normal()?;
        // A mirror reverses the winding; the front stays on the side that the room defines.
        let turn = if home_from_room.is_mirror() {
            -1.0
        } else {
            1.0
        };
        let of = Solid::Triangle(solid.index);
        Some(Self {
            two_sided: material.double_sided,
            edges: solid.edges,
            ..Self::sheet(triangle, normal * turn, SurfaceResponse::of(material), of)
        })
    }

    /// A triangle with its unit normal that is solid from both sides.
    pub(super) fn sheet(
        triangle: Triangle,
        normal: DVec3,
        surface: SurfaceResponse,
        solid: Solid,
    ) -> Self {
        let [a, b, c] = triangle.corners;
        let middle = (a + b + c) / 3.0;
        let extent = triangle.corners.map(|p| p.distance(middle));
        let extent = extent[0].max(extent[1]).max(extent[2]);
        Self {
            triangle,
            normal,
            two_sided: true,
            edges: [EdgeKind::Boundary; 3],
            surface,
            solid,
            middle,
            extent: extent + ROUNDING * (extent + middle.abs().max_element()),
        }
    }

    /// Whether a sphere may touch the triangle while its centre moves from `centre` by `length` metres along the unit
    /// vector `direction`. The centre's height above the triangle's plane is `height` metres at the start and
    /// increases by `away` per metre.
    ///
    /// A sphere that dips into a plane cuts it in a disc. For a sphere that rests on many small triangles this disc
    /// is small, and few of the triangles are near it. Triangles with an extent larger than the radius always pass.
    pub(crate) fn may_touch(
        &self,
        centre: DVec3,
        height: f64,
        direction: DVec3,
        away: f64,
        length: f64,
        radius: f64,
    ) -> bool {
        if self.extent > radius {
            return true;
        }
        let end = height + away * length;
        let lowest = if height * end <= 0.0 {
            0.0
        } else {
            height.abs().min(end.abs())
        };
        let radius = radius * (1.0 + ROUNDING);
        let disc = (radius * radius - lowest * lowest).max(0.0).sqrt();
        // All vectors below are in the plane.
        let middle = self.middle - centre + self.normal * height;
        let onwards = direction - self.normal * away;
        let along = middle.dot(onwards) / onwards.length_squared().max(f64::MIN_POSITIVE);
        let nearest = onwards * along.clamp(0.0, length);
        let reach = self.extent + disc;
        (middle - nearest).length_squared() <= reach * reach
    }
}
