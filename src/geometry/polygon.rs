//! Convex planar polygons: from an exporter's triangles, clipped, measured.

use glam::DVec3;

use super::{Aabb, Plane, Triangle};

/// Vertices closer than this are one, metres.
const WELD: f64 = 1e-4;
/// A portal's vertices may leave its plane by this much, metres (the level format's 1 mm).
const FLATNESS: f64 = 1e-3;
/// A vertex this close to the line of its neighbours is no corner, metres.
const STRAIGHTNESS: f64 = 1e-4;

/// A planar convex polygon, counter-clockwise seen from the front of its plane.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolygon {
    /// Corners in order, metres.
    pub vertices: Vec<DVec3>,
    /// The plane that they lie in.
    pub plane: Plane,
}

/// Why triangles do not make one convex polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolygonError {
    /// There is nothing of any area.
    #[error("it has no area; give the opening's outline a face")]
    NoArea,
    /// The outline is not one closed loop.
    #[error(
        "it is not one polygon; keep one face per opening and split the rest into portals of their own"
    )]
    NotOnePolygon,
    /// A corner turns inwards.
    #[error("its outline is not convex; split it into convex portals")]
    NotConvex,
    /// A corner is too far out of the plane.
    #[error(
        "its corners do not lie in one plane (1 mm is allowed); flatten it (Blender: S, axis, 0)"
    )]
    NotFlat,
}

impl ConvexPolygon {
    /// Welds the triangles' corners, finds their common outline and orders it.
    ///
    /// # Errors
    /// When the triangles do not make one flat convex polygon.
    pub fn from_triangles(triangles: &[Triangle]) -> Result<Self, PolygonError> {
        let mut points: Vec<DVec3> = Vec::new();
        let mut weld = |p: DVec3| {
            let found = points.iter().position(|q| (*q - p).length() <= WELD);
            found.unwrap_or_else(|| {
                points.push(p);
                points.len() - 1
            })
        };
        let mut edges: Vec<[usize; 2]> = Vec::new();
        let mut normal = DVec3::ZERO;
        for triangle in triangles {
            let [a, b, c] = triangle.corners.map(&mut weld);
            if a == b || b == c || c == a {
                continue;
            }
            normal += triangle.cross();
            edges.extend([[a, b], [b, c], [c, a]]);
        }
        let normal = normal.try_normalize().ok_or(PolygonError::NoArea)?;
        let outline: Vec<[usize; 2]> = edges
            .iter()
            .filter(|[a, b]| !edges.contains(&[*b, *a]))
            .copied()
            .collect();
        let loop_ = one_loop(&outline).ok_or(PolygonError::NotOnePolygon)?;
        let mean = loop_.iter().map(|&i| points[i]).sum::<DVec3>() / loop_.len() as f64;
        let plane = Plane::through(mean, normal);
        let mut vertices = Vec::with_capacity(loop_.len());
        for &i in &loop_ {
            let off = plane.distance(points[i]);
            if off.abs() > FLATNESS {
                return Err(PolygonError::NotFlat);
            }
            vertices.push(points[i] - normal * off);
        }
        drop_straight_corners(&mut vertices);
        if vertices.len() < 3 {
            return Err(PolygonError::NoArea);
        }
        let polygon = Self { vertices, plane };
        if !polygon.is_convex() {
            return Err(PolygonError::NotConvex);
        }
        Ok(polygon)
    }

    /// Whether every corner turns left, seen from the front, once around.
    fn is_convex(&self) -> bool {
        let n = self.vertices.len();
        let every_edge_has_all_inside = (0..n).all(|i| {
            let (a, b) = (self.vertices[i], self.vertices[(i + 1) % n]);
            let Some(inward) = self.plane.normal.cross(b - a).try_normalize() else {
                return false;
            };
            self.vertices
                .iter()
                .all(|v| inward.dot(*v - a) >= -STRAIGHTNESS)
        });
        every_edge_has_all_inside && self.area() > WELD * WELD
    }

    /// The same polygon seen from behind.
    pub fn flipped(&self) -> Self {
        Self {
            vertices: self.vertices.iter().rev().copied().collect(),
            plane: self.plane.flipped(),
        }
    }

    /// Area, square metres.
    pub fn area(&self) -> f64 {
        self.triangles()
            .map(|t| t.cross().dot(self.plane.normal))
            .sum::<f64>()
            * 0.5
    }

    /// Mean of the corners.
    pub fn centre(&self) -> DVec3 {
        self.vertices.iter().sum::<DVec3>() / self.vertices.len() as f64
    }

    /// The box around the corners.
    pub fn bounds(&self) -> Aabb {
        Aabb::around(self.vertices.iter().copied())
    }

    /// The polygon as a fan of triangles.
    pub fn triangles(&self) -> impl Iterator<Item = Triangle> + '_ {
        self.vertices[1..].windows(2).map(|pair| Triangle {
            corners: [self.vertices[0], pair[0], pair[1]],
        })
    }

    /// Distance from `p` to the polygon, metres, never negative.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.triangles()
            .map(|t| t.distance(p))
            .fold(f64::INFINITY, f64::min)
    }

    /// Whether the projection of `p` onto the plane is inside the outline grown by `margin`, metres.
    pub fn covers(&self, p: DVec3, margin: f64) -> bool {
        let n = self.vertices.len();
        (0..n).all(|i| {
            let (a, b) = (self.vertices[i], self.vertices[(i + 1) % n]);
            let inward = self.plane.normal.cross(b - a);
            inward.dot(p - a) >= -margin * inward.length()
        })
    }
}

/// Walks directed edges into one closed loop that uses them all; `None` if they do not form one.
fn one_loop(edges: &[[usize; 2]]) -> Option<Vec<usize>> {
    let mut loop_ = vec![edges.first()?[0]];
    let mut at = edges[0][1];
    while at != loop_[0] {
        if loop_.len() > edges.len() {
            return None;
        }
        loop_.push(at);
        let from = at;
        let mut next = edges.iter().filter(|edge| edge[0] == from);
        at = next.next()?[1];
        if next.next().is_some() {
            return None;
        }
    }
    (loop_.len() == edges.len()).then_some(loop_)
}

/// Removes corners that lie on the straight line between their neighbours.
fn drop_straight_corners(vertices: &mut Vec<DVec3>) {
    let mut i = 0;
    while vertices.len() >= 3 && i < vertices.len() {
        let n = vertices.len();
        let (before, here, after) = (
            vertices[(i + n - 1) % n],
            vertices[i],
            vertices[(i + 1) % n],
        );
        let straight = match (after - before).try_normalize() {
            Some(along) => {
                let off = (here - before) - along * (here - before).dot(along);
                off.length() <= STRAIGHTNESS
            }
            None => true,
        };
        if straight {
            vertices.remove(i);
        } else {
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fan(points: &[[f64; 3]], order: &[[usize; 3]]) -> Vec<Triangle> {
        order
            .iter()
            .map(|t| Triangle {
                corners: t.map(|i| DVec3::from_array(points[i])),
            })
            .collect()
    }

    const SQUARE: [[f64; 3]; 4] = [[0., 0., 0.], [2., 0., 0.], [2., 1., 0.], [0., 1., 0.]];

    #[test]
    fn two_triangles_make_a_rectangle() {
        let p = ConvexPolygon::from_triangles(&fan(&SQUARE, &[[0, 1, 2], [0, 2, 3]])).unwrap();
        assert_eq!(p.vertices.len(), 4);
        assert!((p.area() - 2.0).abs() < 1e-12);
        assert_eq!(p.plane.normal, DVec3::Z);
        assert_eq!(p.flipped().plane.normal, -DVec3::Z);
        assert!((p.flipped().area() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn vertices_in_the_middle_of_edges_vanish() {
        let points = [
            [0., 0., 0.],
            [1., 0., 0.],
            [2., 0., 0.],
            [2., 1., 0.],
            [0., 1., 0.],
        ];
        let p = ConvexPolygon::from_triangles(&fan(&points, &[[0, 1, 4], [1, 3, 4], [1, 2, 3]]));
        assert_eq!(p.unwrap().vertices.len(), 4);
    }

    #[test]
    fn a_corner_of_half_a_millimetre_is_flattened_and_of_a_centimetre_refused() {
        let mut points = SQUARE;
        points[2][2] = 5e-4;
        let order = [[0, 1, 2], [0, 2, 3]];
        let p = ConvexPolygon::from_triangles(&fan(&points, &order)).unwrap();
        assert!(
            p.vertices
                .iter()
                .all(|v| p.plane.distance(*v).abs() < 1e-12)
        );
        points[2][2] = 0.01;
        let p = ConvexPolygon::from_triangles(&fan(&points, &order));
        assert_eq!(p, Err(PolygonError::NotFlat));
    }

    #[test]
    fn what_is_no_convex_polygon_says_why() {
        let notch = [
            [0., 0., 0.],
            [2., 0., 0.],
            [1., 0.5, 0.],
            [2., 2., 0.],
            [0., 2., 0.],
        ];
        let p = ConvexPolygon::from_triangles(&fan(&notch, &[[0, 1, 2], [0, 2, 4], [2, 3, 4]]));
        assert_eq!(p, Err(PolygonError::NotConvex));
        let line = [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.]];
        let p = ConvexPolygon::from_triangles(&fan(&line, &[[0, 1, 2]]));
        assert_eq!(p, Err(PolygonError::NoArea));
        let two = [
            [0., 0., 0.],
            [1., 0., 0.],
            [0., 1., 0.],
            [5., 0., 0.],
            [6., 0., 0.],
            [5., 1., 0.],
        ];
        let p = ConvexPolygon::from_triangles(&fan(&two, &[[0, 1, 2], [3, 4, 5]]));
        assert_eq!(p, Err(PolygonError::NotOnePolygon));
        assert_eq!(
            ConvexPolygon::from_triangles(&[]),
            Err(PolygonError::NoArea)
        );
    }
}
