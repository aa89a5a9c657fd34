//! Apertures through which rooms are seen: bundles of lines of sight, each bounded by an octagon.
//!
//! View coordinates here are (right, up, depth), with the eye at the origin and positive depth ahead of it. A line of
//! sight is given by its tangents right/depth and up/depth.

use glam::DVec3;

use super::camera::{Camera, NEAR};
use crate::geometry::{Aabb, ConvexPolygon, Rigid, clip_polygon};

/// The maximum distance of the drawn opening from the portal's polygon, metres: corners are flattened by up to 1 mm
/// and welded by 0.1 mm, and drawn coordinates are rounded to f32.
pub(super) const SLOP: f64 = 2e-3;

/// A portal with any part nearer in depth than this, in metres, passes the whole aperture (see
/// [`Aperture::through`]), because no narrowing is safe there.
const TOUCHING_DEPTH: f64 = 0.02;

/// The depth below which a portal is clipped, metres. No visible part is lost, since a portal with a visible part at
/// that depth passes the whole aperture.
const CLIP_DEPTH: f64 = 0.5 * TOUCHING_DEPTH;

const _: () = assert!(NEAR <= TOUCHING_DEPTH && CLIP_DEPTH > SLOP);

/// The margin by which the frustum is wider than the picture, so that the picture's rounding to f32 loses nothing.
const FRUSTUM_MARGIN: f64 = 1e-3;

/// The directions in which an aperture is bounded, in (right, up): an octagon, the 8-DOP of
/// J. T. Klosowski et al., 1998.
pub(super) const DIRECTIONS: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]];

/// [`SLOP`] times the lengths of [`DIRECTIONS`].
const SLOP_ALONG: [f64; 4] = [
    SLOP,
    SLOP,
    SLOP * std::f64::consts::SQRT_2,
    SLOP * std::f64::consts::SQRT_2,
];

/// The eye and its axes in the coordinates of a room.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoomEye {
    eye: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// The distance from the eye within which a portal passes the whole aperture, metres.
    touch: f64,
}

impl RoomEye {
    /// The camera in the coordinates of a room.
    pub(super) fn of_camera(camera: &Camera, room_from_eye: &Rigid) -> Self {
        let [tan_x, tan_y] = camera.tan_half();
        // The ratio of the distance of a view plane's corners to that of its centre.
        let corner = (1.0 + tan_x * tan_x + tan_y * tan_y).sqrt();
        Self {
            eye: room_from_eye.point(camera.at.point),
            right: room_from_eye.vector(camera.axes.x_axis),
            up: room_from_eye.vector(camera.axes.y_axis),
            forward: -room_from_eye.vector(camera.axes.z_axis),
            touch: TOUCHING_DEPTH * corner + SLOP,
        }
    }

    /// Returns the view coordinates of a point of the room.
    fn see(&self, point: DVec3) -> DVec3 {
        let to_point = point - self.eye;
        DVec3::new(
            to_point.dot(self.right),
            to_point.dot(self.up),
            to_point.dot(self.forward),
        )
    }
}

/// Lines of sight through a camera's eye, bounded by an octagon: the minimum and maximum tangents along each of
/// `DIRECTIONS`. A line of sight is given by its tangents, right and up over depth; the tangents at the edges of the
/// picture are [`Camera::tan_half`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aperture {
    min: [f64; 4],
    max: [f64; 4],
}

impl Aperture {
    /// The empty aperture, through which nothing is seen.
    pub const EMPTY: Self = Self {
        min: [f64::INFINITY; 4],
        max: [f64::NEG_INFINITY; 4],
    };

    /// The aperture of all lines of sight, also outside of the picture: nothing is culled by it.
    pub const UNBOUNDED: Self = Self {
        min: [f64::NEG_INFINITY; 4],
        max: [f64::INFINITY; 4],
    };

    /// The aperture of the camera's whole picture, with a small margin.
    pub fn of_camera(camera: &Camera) -> Self {
        let [x, y] = camera.tan_half().map(|tan| tan * (1.0 + FRUSTUM_MARGIN));
        let max = [x, y, x + y, x + y];
        Self {
            min: max.map(|m| -m),
            max,
        }
    }

    /// Whether the aperture contains no line of sight.
    pub fn is_empty(&self) -> bool {
        (0..4).any(|k| self.min[k] > self.max[k])
    }

    /// Whether the aperture contains a line of sight, given by its tangents right and up.
    pub fn contains(&self, [right, up]: [f64; 2]) -> bool {
        (0..4).all(|k| {
            let along = DIRECTIONS[k][0] * right + DIRECTIONS[k][1] * up;
            (self.min[k]..=self.max[k]).contains(&along)
        })
    }

    /// The minimum and maximum tangents along each of [`DIRECTIONS`].
    pub(super) fn intervals(&self) -> impl Iterator<Item = (f64, f64)> {
        self.min.into_iter().zip(self.max)
    }

    /// The bounding rectangle in the picture, for clipping: the minimum and the maximum tangents, right and up.
    /// Divided by [`Camera::tan_half`] they are clip coordinates.
    pub fn rectangle(&self) -> [[f64; 2]; 2] {
        [[self.min[0], self.min[1]], [self.max[0], self.max[1]]]
    }

    /// The smallest aperture that contains both.
    pub(super) fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].min(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].max(other.max[k])),
        }
    }

    /// The lines of sight that both apertures contain.
    fn intersection(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].max(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].min(other.max[k])),
        }
    }

    /// This aperture with every side that is wider than in `before` moved out to `limit`.
    pub(super) fn grown_to(&self, limit: &Self, before: &Self) -> Self {
        let choose = |wider: bool, limit: f64, own: f64| if wider { limit } else { own };
        Self {
            min: std::array::from_fn(|k| {
                choose(self.min[k] < before.min[k], limit.min[k], self.min[k])
            }),
            max: std::array::from_fn(|k| {
                choose(self.max[k] > before.max[k], limit.max[k], self.max[k])
            }),
        }
    }

    /// The planes through the eye that bound the aperture.
    pub(super) fn planes(&self) -> Planes {
        let side = |normal: DVec3| ClipPlane {
            normal,
            slack: SLOP * normal.length(),
        };
        Planes(std::array::from_fn(|i| {
            let [x, y] = DIRECTIONS[i / 2];
            if i % 2 == 0 {
                side(DVec3::new(x, y, -self.min[i / 2]))
            } else {
                side(DVec3::new(-x, -y, self.max[i / 2]))
            }
        }))
    }

    /// The part of the aperture that an open portal passes on; `planes` are this aperture's. Empty if nothing is seen
    /// through the portal, or if the eye is in front of it: a portal's normal points out of its room, so that lines of
    /// sight pass it from behind.
    ///
    /// A portal that touches the eye passes the whole aperture, from either side: due to rounding, the eye may be on
    /// the other side.
    pub(super) fn through(
        &self,
        planes: &Planes,
        view: &RoomEye,
        portal: &ConvexPolygon,
        scratch: &mut Scratch,
    ) -> Self {
        let distance = portal.plane.distance(view.eye);
        if distance.abs() <= view.touch && portal.distance(view.eye) <= view.touch {
            return *self;
        }
        if distance > SLOP {
            return Self::EMPTY;
        }
        let Scratch { points, spare } = scratch;
        points.clear();
        points.extend(portal.vertices.iter().map(|&v| view.see(v)));
        let ahead = ClipPlane {
            normal: DVec3::Z,
            slack: -CLIP_DEPTH,
        };
        for side in std::iter::once(&ahead).chain(&planes.0) {
            if !side.clip(points, spare) {
                return Self::EMPTY;
            }
        }
        Self::around(points).intersection(self)
    }

    /// The aperture of a polygon in view coordinates, including all points within [`SLOP`] of it. All depths must be
    /// greater than [`SLOP`].
    fn around(points: &[DVec3]) -> Self {
        let mut aperture = Self::EMPTY;
        for p in points {
            let (nearer, farther) = (1.0 / (p.z - SLOP), 1.0 / (p.z + SLOP));
            for k in 0..4 {
                let along = DIRECTIONS[k][0] * p.x + DIRECTIONS[k][1] * p.y;
                let (least, most) = (along - SLOP_ALONG[k], along + SLOP_ALONG[k]);
                let min = least * if least < 0.0 { nearer } else { farther };
                let max = most * if most > 0.0 { nearer } else { farther };
                aperture.min[k] = aperture.min[k].min(min);
                aperture.max[k] = aperture.max[k].max(max);
            }
        }
        aperture
    }
}

/// A plane through the eye, in view coordinates: points inside satisfy `normal . p >= -slack`.
#[derive(Clone, Copy, Debug, Default)]
struct ClipPlane {
    /// The normal, pointing inwards; of any length.
    normal: DVec3,
    /// The slack: [`SLOP`] times the length of the normal.
    slack: f64,
}

impl ClipPlane {
    /// Clips a polygon to the inside; returns false if nothing remains.
    fn clip(&self, points: &mut Vec<DVec3>, spare: &mut Vec<DVec3>) -> bool {
        let inside = |p: DVec3| self.normal.dot(p) + self.slack;
        let kept = points.iter().filter(|&&p| inside(p) >= 0.0).count();
        if kept == 0 || kept == points.len() {
            return kept > 0;
        }
        clip_polygon(points, inside, spare);
        std::mem::swap(points, spare);
        true
    }
}

/// The planes of an aperture's sides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Planes([ClipPlane; 8]);

impl Planes {
    /// Whether a box of the room may overlap the aperture: it is not completely outside any side.
    pub(super) fn touch(&self, view: &RoomEye, bounds: &Aabb) -> bool {
        if bounds.is_empty() {
            return false;
        }
        let centre = view.see(bounds.centre());
        let half = (bounds.max - bounds.min) * 0.5;
        // The extent of the box from its centre along a normal given in view coordinates.
        let reach = |n: DVec3| {
            (view.right * n.x + view.up * n.y + view.forward * n.z)
                .abs()
                .dot(half)
        };
        self.0
            .iter()
            .all(|side| side.normal.dot(centre) + reach(side.normal) >= -side.slack)
    }
}

/// Working memory for clipping a polygon.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    points: Vec<DVec3>,
    spare: Vec<DVec3>,
}

#[cfg(test)]
impl Scratch {
    /// The number of points that fit without allocating.
    pub(super) fn capacity(&self) -> usize {
        self.points.capacity() + self.spare.capacity()
    }
}
