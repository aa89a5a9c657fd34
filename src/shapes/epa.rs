//! The penetration depth of two overlapping convex shapes: the expanding polytope algorithm.
//!
//! G. van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001.

use glam::DVec3;

use super::convex::Convex;
use super::gjk::{Simplex, SupportPoint};

/// The maximum number of points and faces of the polytope; a full polytope returns its best result so far.
const MAX_VERTICES: usize = 96;
const MAX_FACES: usize = 2 * MAX_VERTICES;

/// The tolerance of the depth, relative to the size: the search ends if no face can lie further out by more than this.
const RELATIVE: f64 = 1e-12;

/// The minimum distance of a point in front of a face, relative to the size. With a smaller value, rounding would
/// remove only some of several coplanar faces.
const ROUNDING: f64 = 1e-14;

#[derive(Clone, Copy, Default)]
struct PolytopeFace {
    corners: [u8; 3],
    /// The unit normal that points out of the polytope.
    normal: DVec3,
    /// The distance of the face's plane from the origin.
    distance: f64,
}

struct Polytope {
    vertices: [SupportPoint; MAX_VERTICES],
    vertex_count: usize,
    faces: [PolytopeFace; MAX_FACES],
    face_count: usize,
}

/// The deepest points of two overlapping cores, on `a` and on `b`, and the unit vector along which `a` moves out by the
/// smallest distance. `simplex` is the result of GJK.
pub(super) fn deepest(a: &Convex, b: &Convex, simplex: &Simplex) -> (DVec3, DVec3, DVec3) {
    let Some(mut polytope) = Polytope::around(a, b, simplex) else {
        // The Minkowski difference is flat: the shapes touch without overlapping.
        let (on_a, on_b) = simplex.witnesses();
        return (on_a, on_b, normal_of_flat(a, b, simplex));
    };
    let size = polytope.vertices[..polytope.vertex_count]
        .iter()
        .fold(0.0, |size: f64, vertex| size.max(vertex.apart.length()));
    let mut nearest = polytope.nearest();
    loop {
        let face = polytope.faces[nearest];
        let next = SupportPoint::support(a, b, face.normal);
        let further = face.normal.dot(next.apart) - face.distance;
        if further <= RELATIVE * size {
            return polytope.answer(&face, RELATIVE * size);
        }
        if !polytope.grow(next, ROUNDING * size) {
            return polytope.shallowest(a, b);
        }
        nearest = polytope.nearest();
    }
}

/// The normal of a flat Minkowski difference that contains the origin.
fn normal_of_flat(a: &Convex, b: &Convex, simplex: &Simplex) -> DVec3 {
    let [p, q, r, _] = simplex.vertices.map(|vertex| vertex.apart);
    let across = (q - p).cross(r - p).try_normalize();
    let normal = across.unwrap_or(DVec3::Y);
    if normal.dot(a.middle() - b.middle()) < 0.0 {
        -normal
    } else {
        normal
    }
}

impl Polytope {
    /// Extends the simplex to a tetrahedron. Returns `None` if all points lie in a plane.
    fn around(a: &Convex, b: &Convex, simplex: &Simplex) -> Option<Self> {
        let mut vertices = [SupportPoint::default(); MAX_VERTICES];
        let mut count = simplex.count;
        vertices[..count].copy_from_slice(&simplex.vertices[..count]);
        let mut size = 0.0_f64;
        for axis in DVec3::AXES {
            for direction in [axis, -axis] {
                size = size.max(SupportPoint::support(a, b, direction).apart.length());
            }
        }
        let flat = 1e-12 * size;
        while count < 4 {
            let [p, q, r] = [0, 1, 2].map(|i| vertices[i].apart);
            let directions = match count {
                1 => [DVec3::X, DVec3::Y, DVec3::Z],
                2 => {
                    let along = (q - p).try_normalize()?;
                    let (u, v) = along.any_orthonormal_pair();
                    [u, v, u + v]
                }
                _ => [(q - p).cross(r - p).try_normalize()?; 3],
            };
            // The point farthest from the span of the previous points.
            let mut best = (SupportPoint::default(), flat);
            for direction in directions.into_iter().flat_map(|d| [d, -d]) {
                let vertex = SupportPoint::support(a, b, direction);
                let offset = vertex.apart - p;
                let off = match count {
                    1 => offset.length(),
                    2 => offset.cross(q - p).length() / (q - p).length(),
                    _ => offset.dot(direction).abs(),
                };
                if off > best.1 {
                    best = (vertex, off);
                }
            }
            if best.1 <= flat {
                return None;
            }
            vertices[count] = best.0;
            count += 1;
        }
        let mut polytope = Self {
            vertices,
            vertex_count: 4,
            faces: [PolytopeFace::default(); MAX_FACES],
            face_count: 0,
        };
        let [p, q, r, s] = [0, 1, 2, 3].map(|i| polytope.vertices[i].apart);
        let is_left = (q - p).cross(r - p).dot(s - p) > 0.0;
        let corners = if is_left {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        } else {
            [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]]
        };
        corners
            .into_iter()
            .for_each(|corners| polytope.push(corners));
        (polytope.face_count == 4).then_some(polytope)
    }

    /// Adds a face, unless it is degenerate.
    fn push(&mut self, corners: [u8; 3]) {
        let [p, q, r] = corners.map(|i| self.vertices[usize::from(i)].apart);
        if let Some(normal) = (q - p).cross(r - p).try_normalize() {
            self.faces[self.face_count] = PolytopeFace {
                corners,
                normal,
                distance: normal.dot((p + q + r) / 3.0),
            };
            self.face_count += 1;
        }
    }

    /// The face closest to the origin, the first of several.
    fn nearest(&self) -> usize {
        let mut best = 0;
        for (i, face) in self.faces[..self.face_count].iter().enumerate() {
            if face.distance < self.faces[best].distance {
                best = i;
            }
        }
        best
    }

    /// Replaces the faces that a point is in front of by a cone to it. Returns `false` if the polytope is full.
    fn grow(&mut self, vertex: SupportPoint, rounding: f64) -> bool {
        if self.vertex_count == MAX_VERTICES {
            return false;
        }
        let mut edges = [[0_u8; 2]; 3 * MAX_VERTICES];
        let (mut edge_count, mut gone) = (0, 0);
        let is_seen = |face: &PolytopeFace, vertices: &[SupportPoint; MAX_VERTICES]| {
            let corner = vertices[usize::from(face.corners[0])].apart;
            face.normal.dot(vertex.apart - corner) > rounding
        };
        for face in &self.faces[..self.face_count] {
            if !is_seen(face, &self.vertices) {
                continue;
            }
            gone += 1;
            let [p, q, r] = face.corners;
            for [from, to] in [[p, q], [q, r], [r, p]] {
                // An edge between two removed faces is not part of the hole's boundary.
                let twin = edges[..edge_count]
                    .iter()
                    .position(|edge| *edge == [to, from]);
                if let Some(twin) = twin {
                    edge_count -= 1;
                    edges[twin] = edges[edge_count];
                } else if edge_count < edges.len() {
                    edges[edge_count] = [from, to];
                    edge_count += 1;
                }
            }
        }
        if edge_count < 3 || self.face_count - gone + edge_count > MAX_FACES {
            return false;
        }
        let mut kept = 0;
        for i in 0..self.face_count {
            if !is_seen(&self.faces[i], &self.vertices) {
                self.faces[kept] = self.faces[i];
                kept += 1;
            }
        }
        let new = self.vertex_count as u8;
        self.vertices[self.vertex_count] = vertex;
        self.vertex_count += 1;
        self.face_count = kept;
        for [from, to] in edges.into_iter().take(edge_count) {
            self.push([from, to, new]);
        }
        self.face_count > 0
    }

    /// The result if rounding or a full polytope prevents further growth: the face normal along which the shapes
    /// overlap least, with the whole depth along it.
    fn shallowest(&self, a: &Convex, b: &Convex) -> (DVec3, DVec3, DVec3) {
        let mut best = (DVec3::ZERO, DVec3::ZERO, DVec3::Y, f64::INFINITY);
        for face in &self.faces[..self.face_count] {
            let farthest = SupportPoint::support(a, b, face.normal);
            let depth = face.normal.dot(farthest.apart);
            if depth < best.3 {
                let on_b = farthest.on_a - face.normal * depth;
                best = (farthest.on_a, on_b, -face.normal, depth);
            }
        }
        (best.0, best.1, best.2)
    }

    /// The witness points of the projection of the origin onto a face, or onto the coplanar face that contains the projection.
    fn answer(&self, face: &PolytopeFace, rounding: f64) -> (DVec3, DVec3, DVec3) {
        let in_plane = self.faces[..self.face_count].iter().filter(|other| {
            let is_as_near = other.distance <= face.distance + rounding;
            is_as_near && other.normal.dot(face.normal) > 1.0 - 1e-9
        });
        let mut best = (face, f64::NEG_INFINITY);
        for other in in_plane {
            let inside = self
                .weights(other)
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            if inside > best.1 {
                best = (other, inside);
            }
        }
        let (face, _) = best;
        let weights = self.weights(face).map(|weight| weight.max(0.0));
        let sum: f64 = weights.iter().sum();
        let (mut on_a, mut on_b) = (DVec3::ZERO, DVec3::ZERO);
        for (i, weight) in face.corners.into_iter().zip(weights) {
            let vertex = &self.vertices[usize::from(i)];
            on_a += vertex.on_a * (weight / sum);
            on_b += vertex.on_b * (weight / sum);
        }
        (on_a, on_b, -face.normal)
    }

    /// The barycentric weights of the origin's projection onto a face; some are negative if it lies outside.
    fn weights(&self, face: &PolytopeFace) -> [f64; 3] {
        let [a, b, c] = face.corners.map(|i| self.vertices[usize::from(i)].apart);
        let area = (b - a).cross(c - a).dot(face.normal);
        [b.cross(c), c.cross(a), a.cross(b)].map(|cross| cross.dot(face.normal) / area)
    }
}
