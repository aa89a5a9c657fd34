//! The first contact of a moving sphere with a triangle, computed from distances alone.
//!
//! The distance from a point that moves straight to a convex shape is a convex function of the distance travelled. So
//! Newton's method, started before the contact, never steps past it, and after the distance begins to grow there is no
//! later contact. No face, edge or corner is ever swept; the closest point of the triangle is found in its own plane,
//! where x is along its longest edge. The code is generic over the arithmetic: f64 is fast, `Double` resolves 1e-20 m
//! at 10 km.

use std::ops::{Add, Div, Mul, Neg, Sub};

use glam::DVec3;

use crate::cast::{Cast, v};
use crate::double::Double;

/// A cast is grazing if its answer changes when the radius changes by this fraction.
pub(crate) const GRAZING: f64 = 1e-4;

/// The arithmetic of the oracle.
pub(crate) trait Real:
    Copy
    + PartialOrd
    + From<f64>
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// Steps shorter than this end the search, metres.
    const RESOLUTION: f64;
    fn root(self) -> Self;
    fn rounded(self) -> f64;
}

impl Real for f64 {
    const RESOLUTION: f64 = 1e-10;
    fn root(self) -> Self {
        self.sqrt()
    }
    fn rounded(self) -> f64 {
        self
    }
}

impl Real for Double {
    const RESOLUTION: f64 = 1e-20;
    fn root(self) -> Self {
        self.sqrt()
    }
    fn rounded(self) -> f64 {
        self.high
    }
}

/// A first contact, rounded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// Distance along the motion, metres.
    pub(crate) distance: f64,
    /// Unit vector from the contact point to the centre.
    pub(crate) normal: DVec3,
}

/// The allowed answers of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    Hit(Contact),
    Miss,
    /// A hit or a miss: the sphere grazes, or its motion begins or ends near the contact.
    Either,
}

/// The allowed answers to `cast`, whose sphere does not overlap the triangle at the start.
pub(crate) fn expected<R: Real>(cast: &Cast) -> Expected {
    let mut approach = Approach::<R>::of(cast);
    let [larger, right, smaller] = [1.0 + GRAZING, 1.0, 1.0 - GRAZING];
    if approach.contact(larger * cast.radius).is_none() {
        return Expected::Miss;
    }
    let contact = approach.contact(right * cast.radius);
    let surely = approach.contact(smaller * cast.radius);
    match (contact, surely) {
        (Some(contact), Some(_)) => Expected::Hit(contact),
        _ => Expected::Either,
    }
}

/// The first contact of `cast`.
pub(crate) fn contact<R: Real>(cast: &Cast) -> Option<Contact> {
    Approach::<R>::of(cast).contact(cast.radius)
}

/// The distance from `point` to the triangle, and the unit vector from the closest point to it.
pub(crate) fn separation<R: Real>(corners: [DVec3; 3], point: DVec3) -> (f64, DVec3) {
    let frame = Frame::<R>::of(corners);
    let off = frame.off(frame.place(point));
    let distance = norm(off);
    (distance.rounded(), frame.world(off.map(|x| x / distance)))
}

/// A point that moves towards a triangle.
struct Approach<R> {
    frame: Frame<R>,
    start: [R; 3],
    direction: [R; 3],
    length: R,
    /// Distance travelled so far.
    way: R,
}

impl<R: Real> Approach<R> {
    fn of(cast: &Cast) -> Self {
        let frame = Frame::of(cast.corners);
        Self {
            start: frame.place(cast.centre),
            direction: frame.turn(exact(cast.direction)),
            frame,
            length: R::from(cast.length),
            way: R::from(0.0),
        }
    }

    /// Advances until the triangle is `radius` metres away.
    fn contact(&mut self, radius: f64) -> Option<Contact> {
        let (zero, radius) = (R::from(0.0), R::from(radius));
        // Near a double root a step halves the distance to it: from 10 km, 80 steps to 1e-20 m.
        for _ in 0..1000 {
            let at = along(self.start, self.direction, self.way);
            let off = self.frame.off(at);
            let distance = norm(off);
            let slope = dot(self.direction, off) / distance;
            let gap = distance - radius;
            let mut step = zero;
            if gap > zero {
                if slope >= zero {
                    return None;
                }
                step = -gap / slope;
                if self.way + step > self.length {
                    return None;
                }
            }
            self.way = self.way + step;
            if step <= R::from(R::RESOLUTION) {
                return Some(Contact {
                    distance: self.way.rounded(),
                    normal: self.frame.world(off.map(|x| x / distance)),
                });
            }
        }
        panic!("no end of the approach");
    }
}

/// The triangle's own coordinates: its longest edge is along x from the origin to `(base, 0)`, its third corner, the
/// apex, is above it, and z is the distance from the triangle's plane.
struct Frame<R> {
    origin: DVec3,
    axes: [[R; 3]; 3],
    base: R,
    apex: [R; 2],
}

impl<R: Real> Frame<R> {
    fn of(corners: [DVec3; 3]) -> Self {
        let longest = (0..3).max_by(|&i, &j| {
            let length = |i: usize| (corners[(i + 1) % 3] - corners[i]).length();
            length(i).total_cmp(&length(j))
        });
        let i = longest.unwrap_or(0);
        let [origin, end, third] = [0, 1, 2].map(|k| corners[(i + k) % 3]);
        let edge = difference::<R>(end, origin);
        let base = norm(edge);
        let x: [R; 3] = edge.map(|e| e / base);
        let side = difference::<R>(third, origin);
        let along_x = dot(side, x);
        let up = along(side, x, -along_x);
        let height = norm(up);
        let y = up.map(|u| u / height);
        let cross = |i: usize, j: usize| x[i] * y[j] - x[j] * y[i];
        Self {
            origin,
            axes: [x, y, [cross(1, 2), cross(2, 0), cross(0, 1)]],
            base,
            apex: [along_x, height],
        }
    }

    fn turn(&self, vector: [R; 3]) -> [R; 3] {
        self.axes.map(|axis| dot(axis, vector))
    }

    fn place(&self, point: DVec3) -> [R; 3] {
        self.turn(difference(point, self.origin))
    }

    fn world(&self, [a, b, c]: [R; 3]) -> DVec3 {
        let [x, y, z] = self.axes;
        let at = |i: usize| (x[i] * a + y[i] * b + z[i] * c).rounded();
        v(at(0), at(1), at(2))
    }

    /// The vector from the closest point of the triangle to the given point.
    fn off(&self, [x, y, z]: [R; 3]) -> [R; 3] {
        let zero = R::from(0.0);
        let corners = [[zero, zero], [self.base, zero], self.apex];
        let mut best: Option<(R, [R; 2])> = None;
        let mut inside = true;
        for i in 0..3 {
            let (from, to) = (corners[i], corners[(i + 1) % 3]);
            let edge = [to[0] - from[0], to[1] - from[1]];
            let off = [x - from[0], y - from[1]];
            inside &= edge[0] * off[1] >= edge[1] * off[0];
            let squared = edge[0] * edge[0] + edge[1] * edge[1];
            let mut part = (off[0] * edge[0] + off[1] * edge[1]) / squared;
            if part < zero {
                part = zero;
            } else if part > R::from(1.0) {
                part = R::from(1.0);
            }
            let off = [off[0] - edge[0] * part, off[1] - edge[1] * part];
            let distance = off[0] * off[0] + off[1] * off[1];
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, off));
            }
        }
        match best {
            Some((_, [x, y])) if !inside => [x, y, z],
            _ => [zero, zero, z],
        }
    }
}

fn exact<R: Real>(vector: DVec3) -> [R; 3] {
    vector.to_array().map(R::from)
}

fn difference<R: Real>(a: DVec3, b: DVec3) -> [R; 3] {
    let (a, b) = (exact::<R>(a), exact::<R>(b));
    std::array::from_fn(|i| a[i] - b[i])
}

fn along<R: Real>(from: [R; 3], direction: [R; 3], way: R) -> [R; 3] {
    std::array::from_fn(|i| from[i] + direction[i] * way)
}

fn dot<R: Real>(a: [R; 3], b: [R; 3]) -> R {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn norm<R: Real>(a: [R; 3]) -> R {
    dot(a, a).root()
}
