//! The separation of two convex polyhedra by exhaustive search: every pair of features for the distance, every
//! candidate direction for the depth. Slow, simple, and without a tolerance except for parallel edges.

use glam::DVec3;
use opendoor::geometry::{Aabb, Rigid, Triangle};
use opendoor::shapes::Hull;

/// Corners, faces as vertex loops, and edges, in common coordinates.
pub(crate) struct Polyhedron {
    pub corners: Vec<DVec3>,
    pub faces: Vec<Vec<usize>>,
}

impl Polyhedron {
    pub(crate) fn of_box(at: &Rigid, half_extents: DVec3) -> Self {
        let corners = Aabb::around([-half_extents, half_extents]).corners();
        let faces = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        Self {
            corners: corners.map(|corner| at.point(corner)).to_vec(),
            faces: faces.map(|face| face.to_vec()).to_vec(),
        }
    }

    pub(crate) fn of_hull(at: &Rigid, hull: &Hull) -> Self {
        let faces = hull
            .faces()
            .map(|(_, corners)| corners.iter().map(|&i| i as usize));
        Self {
            corners: hull
                .corners()
                .iter()
                .map(|corner| at.point(*corner))
                .collect(),
            faces: faces.map(Iterator::collect).collect(),
        }
    }

    pub(crate) fn of_triangle(triangle: &Triangle) -> Self {
        Self {
            corners: triangle.corners.to_vec(),
            faces: vec![vec![0, 1, 2], vec![0, 2, 1]],
        }
    }

    /// A segment: a face of two corners.
    pub(crate) fn of_segment(ends: [DVec3; 2]) -> Self {
        Self {
            corners: ends.to_vec(),
            faces: vec![vec![0, 1]],
        }
    }

    /// Distance of a point from the nearest edge.
    pub(crate) fn off_edges(&self, point: DVec3) -> f64 {
        let distances = self.edges().into_iter();
        let distances = distances.map(|edge| between_segments(edge, [point; 2]));
        distances.fold(f64::INFINITY, f64::min)
    }

    fn edges(&self) -> Vec<[DVec3; 2]> {
        let mut found = Vec::new();
        for face in &self.faces {
            for (i, &from) in face.iter().enumerate() {
                let to = face[(i + 1) % face.len()];
                if from < to || face.len() == 2 {
                    found.push([self.corners[from], self.corners[to]]);
                }
            }
        }
        found
    }

    fn normals(&self) -> Vec<DVec3> {
        let normal = |face: &Vec<usize>| {
            let [a, b, c] = [0, 1, 2].map(|i| self.corners[face[i]]);
            (b - a).cross(c - a).try_normalize()
        };
        let faces = self.faces.iter().filter(|face| face.len() > 2);
        faces.filter_map(normal).collect()
    }

    fn triangles(&self) -> Vec<Triangle> {
        let fan = |face: &Vec<usize>| {
            let corner = |i: usize| self.corners[face[i]];
            let triangle = |i: usize| Triangle {
                corners: [corner(0), corner(i), corner(i + 1)],
            };
            (1..face.len() - 1).map(triangle).collect::<Vec<_>>()
        };
        self.faces.iter().flat_map(fan).collect()
    }

    fn reach(&self, direction: DVec3) -> f64 {
        let along = self.corners.iter().map(|corner| corner.dot(direction));
        along.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Distance of a point from the surface.
    pub(crate) fn off_surface(&self, point: DVec3) -> f64 {
        let distances = self.triangles().into_iter().map(|t| t.distance(point));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// The distance, or the negative penetration depth.
    pub(crate) fn separation(&self, other: &Self) -> f64 {
        let mut best = f64::NEG_INFINITY;
        let mut consider = |normal: DVec3| {
            best = f64::max(best, -self.reach(-normal) - other.reach(normal));
        };
        for normal in self.normals().into_iter().chain(other.normals()) {
            consider(normal);
            consider(-normal);
        }
        let [edges, others] = [self.edges(), other.edges()];
        for [p, q] in &edges {
            for [r, s] in &others {
                let across = (q - p).cross(s - r);
                if across.length() > 1e-7 * (q - p).length() * (s - r).length() {
                    let normal = across / across.length();
                    consider(normal);
                    consider(-normal);
                }
            }
        }
        // Segments and points have no volume: none is deep in another.
        let are_thin = self.normals().is_empty() && other.normals().is_empty();
        if best <= 0.0 && !are_thin {
            return best;
        }
        let mut least = f64::INFINITY;
        for (shape, other) in [(self, other), (other, self)] {
            for triangle in shape.triangles() {
                for &corner in &other.corners {
                    least = least.min(triangle.distance(corner));
                }
            }
        }
        for edge in &edges {
            for other in &others {
                least = least.min(between_segments(*edge, *other));
            }
        }
        least
    }
}

/// Distance of two segments: the distance of their lines if the closest points lie on both segments, else the distance
/// of an end from the other segment.
fn between_segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> f64 {
    let to_segment = |point: DVec3, from: DVec3, to: DVec3| {
        if from == to {
            return point.distance(from);
        }
        let part = (point - from).dot(to - from) / (to - from).length_squared();
        (from + (to - from) * part.clamp(0.0, 1.0) - point).length()
    };
    let ends = to_segment(p, r, s)
        .min(to_segment(q, r, s))
        .min(to_segment(r, p, q))
        .min(to_segment(s, p, q));
    let (u, v, w) = (q - p, s - r, r - p);
    let across = u.cross(v);
    let area = across.length_squared();
    if area <= 1e-16 * u.length_squared() * v.length_squared() {
        return ends;
    }
    let on_u = w.cross(v).dot(across) / area;
    let on_v = w.cross(u).dot(across) / area;
    if (0.0..=1.0).contains(&on_u) && (0.0..=1.0).contains(&on_v) {
        return ends.min((p + u * on_u - r - v * on_v).length());
    }
    ends
}
