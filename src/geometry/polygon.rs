//! Convex planar polygons: built from an exporter's triangles, transformed and measured.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, I64Vec3};

use super::{Aabb, Plane, Rigid, Triangle};

/// Vertices within this distance of each other are welded, metres.
const WELD: f64 = 1e-4;
/// The maximum distance of a portal's vertices from its plane, metres (the level format's 1 mm).
const FLATNESS: f64 = 1e-3;
/// A vertex lies in the plane if its distance from the plane is below this fraction of its coordinates.
const ROUNDING: f64 = 1e-14;
/// A vertex this close to the line between its neighbours is not a corner, metres.
const STRAIGHTNESS: f64 = 1e-4;
/// The maximum number of corners of a polygon. It limits the work, because everything that passes an opening is
/// tested against each corner.
const MAX_CORNERS: usize = 128;

/// A planar convex polygon, counter-clockwise seen from the front of its plane.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolygon {
    /// The corners in order, metres.
    pub vertices: Vec<DVec3>,
    /// The plane of the corners.
    pub plane: Plane,
}

/// A reason why triangles do not form one convex polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolygonError {
    /// The triangles have no area.
    #[error("it has no area; give the opening's outline a face")]
    NoArea,
    /// The faces have no outline: they enclose a body, or lie back to back.
    #[error(
        "its faces enclose a body, or lie back to back; keep one face that fills the opening, and delete the others"
    )]
    Closed,
    /// The outline is not one closed loop.
    #[error(
        "it is not one polygon; keep one face per opening and split the rest into portals of their own"
    )]
    NotOnePolygon,
    /// A corner is reflex.
    #[error("its outline is not convex; split it into convex portals")]
    NotConvex,
    /// A corner is too far out of the plane.
    #[error(
        "its corners do not lie in one plane (1 mm is allowed); flatten it (Blender: S, axis, 0)"
    )]
    NotFlat,
    /// The outline has more corners than an opening needs.
    #[error("it has more than {MAX_CORNERS} corners; make its outline simpler")]
    TooManyCorners,
}

/// Points that are pairwise farther apart than [`WELD`].
#[derive(Default)]
pub(super) struct Welded {
    pub points: Vec<DVec3>,
    /// Indices of the points in each cube with edges of length [`WELD`]; a cube contains only a few points.
    cubes: BTreeMap<[i64; 3], Vec<usize>>,
}

impl Welded {
    /// The index of the first point within [`WELD`] of this one; adds the point if there is none.
    pub(super) fn index_of(&mut self, point: DVec3) -> usize {
        let cube = (point / WELD).floor().as_i64vec3();
        let around = (0..27).map(|i| cube + I64Vec3::new(i % 3, i / 3 % 3, i / 9) - 1);
        let near = around.filter_map(|cube| self.cubes.get(&cube.to_array()));
        let same = |&&i: &&usize| (self.points[i] - point).length() <= WELD;
        if let Some(&first) = near.flatten().filter(same).min() {
            return first;
        }
        self.points.push(point);
        let index = self.points.len() - 1;
        self.cubes.entry(cube.to_array()).or_default().push(index);
        index
    }
}

impl ConvexPolygon {
    /// Welds the triangles' corners, finds their common outline and orders it.
    ///
    /// # Errors
    /// Fails if the triangles do not form one flat convex polygon.
    pub fn from_triangles(triangles: &[Triangle]) -> Result<Self, PolygonError> {
        let mut points = Welded::default();
        let (outline, normal) = outline_of(triangles, &mut points);
        let points = points.points;
        let area: f64 = triangles.iter().map(|t| 0.5 * t.cross().length()).sum();
        if outline.is_empty() && area > WELD * WELD {
            return Err(PolygonError::Closed);
        }
        let normal = normal.try_normalize().ok_or(PolygonError::NoArea)?;
        let loop_ = one_loop(&outline).ok_or(PolygonError::NotOnePolygon)?;
        let mean = loop_.iter().map(|&i| points[i]).sum::<DVec3>() / loop_.len() as f64;
        let plane = Plane::through(mean, normal);
        let mut vertices = Vec::with_capacity(loop_.len());
        for &i in &loop_ {
            let off = plane.distance(points[i]);
            if off.abs() > FLATNESS {
                return Err(PolygonError::NotFlat);
            }
            // A corner that lies in the plane keeps its exact bits, so that it equals the corner of adjacent walls.
            let is_in_plane = off.abs() <= ROUNDING * points[i].abs().max_element();
            vertices.push(if is_in_plane {
                points[i]
            } else {
                points[i] - normal * off
            });
        }
        drop_straight_corners(&mut vertices);
        if vertices.len() < 3 {
            return Err(PolygonError::NoArea);
        }
        if vertices.len() > MAX_CORNERS {
            return Err(PolygonError::TooManyCorners);
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

    /// The polygon seen from behind.
    pub fn flipped(&self) -> Self {
        Self {
            vertices: self.vertices.iter().rev().copied().collect(),
            plane: self.plane.flipped(),
        }
    }

    /// The area, square metres.
    pub fn area(&self) -> f64 {
        self.triangles()
            .map(|t| t.cross().dot(self.plane.normal))
            .sum::<f64>()
            * 0.5
    }

    /// The mean of the corners.
    pub fn centre(&self) -> DVec3 {
        self.vertices.iter().sum::<DVec3>() / self.vertices.len() as f64
    }

    /// The box around the corners.
    pub fn bounds(&self) -> Aabb {
        Aabb::around(self.vertices.iter().copied())
    }

    /// The polygon in other coordinates.
    pub fn transformed(&self, other_from_this: &Rigid) -> Self {
        if other_from_this.is_identity() {
            return self.clone();
        }
        Self {
            vertices: self
                .vertices
                .iter()
                .map(|&v| other_from_this.point(v))
                .collect(),
            plane: other_from_this.plane(&self.plane),
        }
    }

    /// Sets the polygon to another one with the same number of corners, transformed to other coordinates. Does not
    /// allocate.
    pub fn put(&mut self, of: &Self, here_from_there: &Rigid) {
        let corners = self.vertices.iter_mut().zip(&of.vertices);
        corners.for_each(|(to, &from)| *to = here_from_there.point(from));
        self.plane = here_from_there.plane(&of.plane);
    }

    /// The polygon as a fan of triangles.
    pub fn triangles(&self) -> impl Iterator<Item = Triangle> + '_ {
        self.vertices[1..].windows(2).map(|pair| Triangle {
            corners: [self.vertices[0], pair[0], pair[1]],
        })
    }

    /// The distance from `p` to the polygon, metres, never negative.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.triangles()
            .map(|t| t.distance(p))
            .fold(f64::INFINITY, f64::min)
    }

    /// The point of the polygon closest to `p`.
    pub fn closest_point(&self, p: DVec3) -> DVec3 {
        let points = self.triangles().map(|t| t.closest_point(p).0);
        let nearer = |a: DVec3, b: DVec3| if b.distance(p) < a.distance(p) { b } else { a };
        points.reduce(nearer).unwrap_or(p)
    }

    /// Whether the projection of `p` onto the plane is inside the outline enlarged by `margin`, metres.
    pub fn covers(&self, p: DVec3, margin: f64) -> bool {
        let n = self.vertices.len();
        (0..n).all(|i| {
            let (a, b) = (self.vertices[i], self.vertices[(i + 1) % n]);
            let inward = self.plane.normal.cross(b - a);
            inward.dot(p - a) >= -margin * inward.length()
        })
    }
}

/// The boundary edges of triangles, as indices of their welded ends, and the sum of the triangles' normals, each with
/// a length of twice the triangle's area.
pub(super) fn outline_of(triangles: &[Triangle], points: &mut Welded) -> (Vec<[usize; 2]>, DVec3) {
    let mut edges: Vec<[usize; 2]> = Vec::new();
    let mut normal = DVec3::ZERO;
    for triangle in triangles {
        let [a, b, c] = triangle.corners.map(|corner| points.index_of(corner));
        if a == b || b == c || c == a {
            continue;
        }
        normal += triangle.cross();
        edges.extend([[a, b], [b, c], [c, a]]);
    }
    let all: BTreeSet<[usize; 2]> = edges.iter().copied().collect();
    edges.retain(|[a, b]| !all.contains(&[*b, *a]));
    (edges, normal)
}

/// Orders directed edges into one closed loop that uses them all; `None` if they do not form one.
pub(super) fn one_loop(edges: &[[usize; 2]]) -> Option<Vec<usize>> {
    let next: BTreeMap<usize, usize> = edges.iter().map(|&[from, to]| (from, to)).collect();
    if next.len() < edges.len() {
        return None;
    }
    let [start, mut at] = *edges.first()?;
    let mut loop_ = vec![start];
    while at != start {
        if loop_.len() > edges.len() {
            return None;
        }
        loop_.push(at);
        at = *next.get(&at)?;
    }
    (loop_.len() == edges.len()).then_some(loop_)
}

/// Removes corners that lie on the straight line between their neighbours.
fn drop_straight_corners(vertices: &mut Vec<DVec3>) {
    let all = std::mem::take(vertices);
    let Some(&last) = all.last() else { return };
    for (i, &here) in all.iter().enumerate() {
        let left = vertices.len() + all.len() - i;
        let before = *vertices.last().unwrap_or(&last);
        let after = all.get(i + 1).or(vertices.first()).copied();
        let is_straight = match (after.unwrap_or(here) - before).try_normalize() {
            Some(along) => {
                let off = (here - before) - along * (here - before).dot(along);
                off.length() <= STRAIGHTNESS
            }
            None => true,
        };
        if !is_straight || left < 3 {
            vertices.push(here);
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
    fn corners_of_upright_openings_stay_unchanged_to_the_last_bit() {
        let mut rng = crate::rng::Rng::new(1);
        for _ in 0..1000 {
            let mut number = || f64::from(rng.between(-300.0, 300.0) as f32);
            let [from, to] = [0; 2].map(|_| DVec3::new(number(), 0.0, number()));
            let heights = [number(), number(), number(), number()];
            let [a, b] = [heights[0].min(heights[1]), heights[0].max(heights[1]) + 1.0];
            let [c, d] = [heights[2].min(heights[3]), heights[2].max(heights[3]) + 1.0];
            let corners = [from.with_y(a), to.with_y(c), to.with_y(d), from.with_y(b)];
            let triangles = [[0, 1, 2], [0, 2, 3]].map(|t| Triangle {
                corners: t.map(|i| corners[i]),
            });
            let polygon = ConvexPolygon::from_triangles(&triangles).unwrap();
            assert!(polygon.vertices.iter().all(|v| corners.contains(v)));
        }
    }

    #[test]
    fn triangles_that_form_no_convex_polygon_give_the_reason() {
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

    #[test]
    fn a_portal_of_many_triangles_is_one_rectangle_and_one_of_many_corners_is_refused() {
        let n = 60;
        let at = |i: usize, j: usize| DVec3::new(i as f64, j as f64, 0.0) / n as f64;
        let cells = (0..n * n).map(|cell| (cell % n, cell / n));
        let triangles = cells.flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]].map(|corners| Triangle { corners })
        });
        let p = ConvexPolygon::from_triangles(&triangles.collect::<Vec<_>>()).unwrap();
        assert_eq!(p.vertices.len(), 4);
        assert!((p.area() - 1.0).abs() < 1e-12);
        for (corners, is_refused) in [(MAX_CORNERS, false), (MAX_CORNERS + 1, true)] {
            let at = |i: usize| {
                let angle = std::f64::consts::TAU * i as f64 / corners as f64;
                DVec3::new(angle.cos(), angle.sin(), 0.0)
            };
            let fan = (1..corners - 1).map(|i| Triangle {
                corners: [at(0), at(i), at(i + 1)],
            });
            let p = ConvexPolygon::from_triangles(&fan.collect::<Vec<_>>());
            assert_eq!(
                p == Err(PolygonError::TooManyCorners),
                is_refused,
                "{corners}"
            );
        }
    }
}
