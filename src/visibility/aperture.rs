//! The aperture that a room is seen through: a bundle of lines of sight, bounded by an octagon.
//!
//! View coordinates here are (right, up, depth), with the eye at the origin and depth positive
//! ahead of it. A line of sight is named by its tangents right/depth and up/depth.

use glam::DVec3;

use super::camera::{Camera, NEAR};
use crate::geometry::{Aabb, ConvexPolygon, Rigid};

/// How far the opening that is drawn may be from the portal's polygon, metres: corners are
/// flattened by up to 1 mm and welded by 0.1 mm, and what is drawn is rounded to f32.
const SLOP: f64 = 2e-3;

/// A portal of which something may show at a smaller depth, metres, is passed whole (see
/// [`Aperture::through`]): so close, no narrowing is safe.
const TOUCHING_DEPTH: f64 = 0.02;

/// What is nearer is cut from a portal, metres. Nothing that shows is lost, since it is passed
/// whole.
const CLIP_DEPTH: f64 = 0.5 * TOUCHING_DEPTH;

const _: () = assert!(NEAR <= TOUCHING_DEPTH && CLIP_DEPTH > SLOP);

/// The frustum is this much wider than the picture, so that its rounding to f32 loses nothing.
const FRUSTUM_MARGIN: f64 = 1e-3;

/// The directions in which an aperture is bounded, in (right, up): an octagon, the 8-DOP of
/// J. T. Klosowski et al., 1998.
const DIRECTIONS: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]];

/// [`SLOP`] times the lengths of [`DIRECTIONS`].
const SLOP_ALONG: [f64; 4] = [
    SLOP,
    SLOP,
    SLOP * std::f64::consts::SQRT_2,
    SLOP * std::f64::consts::SQRT_2,
];

/// The eye and its axes in the coordinates of a room.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    eye: DVec3,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// A portal this near to the eye is passed whole, metres.
    touch: f64,
}

impl View {
    /// The camera as seen from a room.
    pub(super) fn of_camera(camera: &Camera, room_from_eye: &Rigid) -> Self {
        let [tan_x, tan_y] = camera.tan_half();
        // The corners of a plane across the view are this much farther away than its middle.
        let corner = (1.0 + tan_x * tan_x + tan_y * tan_y).sqrt();
        Self {
            eye: room_from_eye.point(camera.at.point),
            right: room_from_eye.vector(camera.axes.x_axis),
            up: room_from_eye.vector(camera.axes.y_axis),
            forward: -room_from_eye.vector(camera.axes.z_axis),
            touch: TOUCHING_DEPTH * corner + SLOP,
        }
    }

    /// View coordinates of a point of the room.
    fn see(&self, point: DVec3) -> DVec3 {
        let to_point = point - self.eye;
        DVec3::new(
            to_point.dot(self.right),
            to_point.dot(self.up),
            to_point.dot(self.forward),
        )
    }
}

/// Lines of sight through a camera's eye, bounded by an octagon: the least and greatest tangent along
/// each of eight directions. A line of sight is named by its tangents, right and up over depth; those at
/// the edges of the picture are [`Camera::tan_half`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aperture {
    min: [f64; 4],
    max: [f64; 4],
}

impl Aperture {
    /// The aperture that nothing is seen through.
    pub const EMPTY: Self = Self {
        min: [f64::INFINITY; 4],
        max: [f64::NEG_INFINITY; 4],
    };

    /// All that the camera's picture holds, and a hair more.
    pub fn of_camera(camera: &Camera) -> Self {
        let [x, y] = camera.tan_half().map(|tan| tan * (1.0 + FRUSTUM_MARGIN));
        let max = [x, y, x + y, x + y];
        Self {
            min: max.map(|m| -m),
            max,
        }
    }

    /// Whether nothing is seen through it.
    pub fn is_empty(&self) -> bool {
        (0..4).any(|k| self.min[k] > self.max[k])
    }

    /// Whether a line of sight, named by its tangents right and up, is among those it holds.
    pub fn contains(&self, [right, up]: [f64; 2]) -> bool {
        (0..4).all(|k| {
            let along = DIRECTIONS[k][0] * right + DIRECTIONS[k][1] * up;
            (self.min[k]..=self.max[k]).contains(&along)
        })
    }

    /// The rectangle of the picture that it fills, to clip to: the least and the greatest tangents,
    /// right and up. Divided by [`Camera::tan_half`] they are clip coordinates.
    pub fn rectangle(&self) -> [[f64; 2]; 2] {
        [[self.min[0], self.min[1]], [self.max[0], self.max[1]]]
    }

    /// The smallest aperture around both.
    pub(super) fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].min(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].max(other.max[k])),
        }
    }

    /// What both let through.
    fn intersection(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| self.min[k].max(other.min[k])),
            max: std::array::from_fn(|k| self.max[k].min(other.max[k])),
        }
    }

    /// This aperture with every side in which it is wider than `before` moved out to `limit`.
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

    /// The planes through the eye that bound it.
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

    /// The part of the aperture that an open portal passes on; `planes` are this aperture's. Empty
    /// where nothing is seen through it, or where the eye is in front of it: a portal's normal
    /// points out of its room, so that lines of sight leave from behind.
    ///
    /// A portal that touches the eye is passed whole, from either side: the eye may be on its
    /// other side by rounding.
    pub(super) fn through(
        &self,
        planes: &Planes,
        view: &View,
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

    /// The aperture of a polygon in view coordinates, and of all that is within [`SLOP`] of it.
    /// All depths are greater than [`SLOP`].
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

/// A plane through the eye, in view coordinates: what is inside has `normal . p >= -slack`.
#[derive(Clone, Copy, Debug, Default)]
struct ClipPlane {
    /// Points to the inside; of any length.
    normal: DVec3,
    /// [`SLOP`] times the length of the normal.
    slack: f64,
}

impl ClipPlane {
    /// Cuts away what is outside (Sutherland and Hodgman, 1974); false when nothing is left.
    fn clip(&self, points: &mut Vec<DVec3>, spare: &mut Vec<DVec3>) -> bool {
        let inside = |p: DVec3| self.normal.dot(p) + self.slack;
        let kept = points.iter().filter(|&&p| inside(p) >= 0.0).count();
        if kept == 0 || kept == points.len() {
            return kept > 0;
        }
        spare.clear();
        let mut a = points[points.len() - 1];
        let mut inside_a = inside(a);
        for &b in &*points {
            let inside_b = inside(b);
            if (inside_a >= 0.0) != (inside_b >= 0.0) {
                spare.push(a + (b - a) * (inside_a / (inside_a - inside_b)));
            }
            if inside_b >= 0.0 {
                spare.push(b);
            }
            (a, inside_a) = (b, inside_b);
        }
        std::mem::swap(points, spare);
        true
    }
}

/// The sides of an aperture.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Planes([ClipPlane; 8]);

impl Planes {
    /// Whether a box of the room may touch the aperture: no side has all of it outside.
    pub(super) fn touch(&self, view: &View, bounds: &Aabb) -> bool {
        if bounds.is_empty() {
            return false;
        }
        let centre = view.see(bounds.centre());
        let half = (bounds.max - bounds.min) * 0.5;
        // The box reaches from its centre as far as this along a normal given in view coordinates.
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

/// Room for a polygon while it is clipped.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    points: Vec<DVec3>,
    spare: Vec<DVec3>,
}

#[cfg(test)]
impl Scratch {
    /// The points that fit without allocating.
    pub(super) fn capacity(&self) -> usize {
        self.points.capacity() + self.spare.capacity()
    }
}
