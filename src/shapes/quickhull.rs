//! The convex hull of points: quickhull, with its coplanar triangles merged into faces.
//!
//! C. Barber, D. Dobkin and H. Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996.

use glam::DVec3;

use super::hull::Hull;
use super::hull_faces::merged;
use crate::geometry::{Aabb, Plane};

/// The maximum number of corners of a hull: the cost of a pair of hulls grows with them.
pub const MAX_CORNERS: usize = 4096;

/// The distances, relative to the size, within which a point counts as on a face, tried in order. The first is above the
/// rounding of a distance. If thin triangles increase the rounding and the surface does not close, the next one is tried.
const TOLERANCES: [f64; 4] = [1e-10, 1e-9, 1e-7, 1e-5];

/// The thickness, relative to the length, up to which points count as flat.
const FLATNESS: f64 = 1e-6;

/// A reason why points have no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HullError {
    /// A coordinate is NaN or infinite.
    #[error("a corner is not finite; apply or remove broken modifiers")]
    NotFinite,
    /// All points coincide, or there are none.
    #[error("it has no extent; give it a mesh with a volume")]
    Point,
    /// All points are collinear.
    #[error("its corners lie on one line; give it a mesh with a volume")]
    Collinear,
    /// All points are coplanar, to a millionth of their extent.
    #[error("it is flat; give it a thickness")]
    Flat,
    /// The hull exceeds the maximum number of corners for contacts.
    #[error("its hull has more than {MAX_CORNERS} corners; make it simpler")]
    TooManyCorners,
    /// Rounding left the surface open.
    #[error("its hull could not be closed; merge corners that almost coincide")]
    Open,
}

impl Hull {
    /// Builds the smallest convex solid around `points`, metres. Triangles that are coplanar, to a millionth of the extent,
    /// form one face.
    ///
    /// # Errors
    /// Fails if the points enclose no volume, are not finite, or result in too many corners.
    pub fn of_points(points: &[DVec3]) -> Result<Self, HullError> {
        if points.iter().any(|point| !point.is_finite()) {
            return Err(HullError::NotFinite);
        }
        let bounds = Aabb::around(points.iter().copied());
        if bounds.is_empty() || bounds.min == bounds.max {
            return Err(HullError::Point);
        }
        let size = (bounds.max - bounds.min).max_element();
        // Centred at the origin to preserve the precision of distances from planes.
        let centre = bounds.centre();
        let local: Vec<DVec3> = points.iter().map(|point| point - centre).collect();
        let simplex = first_simplex(&local, size)?;
        let mut error = HullError::Open;
        for tolerance in TOLERANCES {
            let Some(triangles) = closed_surface(&local, simplex, tolerance * size) else {
                continue;
            };
            match merged(&local, &triangles, size, points, centre) {
                Some(hull) if hull.corners().len() > MAX_CORNERS => {
                    error = HullError::TooManyCorners;
                }
                Some(hull) => return Ok(hull),
                None => {}
            }
        }
        Err(error)
    }
}

/// Four points far from each other: a tetrahedron whose first face is counter-clockwise seen from outside.
fn first_simplex(points: &[DVec3], size: f64) -> Result<[u32; 4], HullError> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, &point) in points.iter().enumerate() {
            let here = measure(point);
            if here > best.1 {
                best = (i, here);
            }
        }
        best
    };
    // The extreme points along each axis; the farthest pair is used.
    let ends = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
        let (low, _) = farthest(&|point| -point.dot(axis));
        let (high, _) = farthest(&|point| point.dot(axis));
        (low, high, (points[high] - points[low]).length())
    });
    let longest = |a: &(usize, usize, f64), b: &(usize, usize, f64)| a.2.total_cmp(&b.2);
    let (p, q, _) = ends.into_iter().max_by(longest).ok_or(HullError::Point)?;
    let (from, to) = (points[p], points[q]);
    let along = (to - from).try_normalize().ok_or(HullError::Point)?;
    let (r, off_line) = farthest(&|point| (point - from).cross(along).length());
    if off_line <= FLATNESS * size {
        return Err(HullError::Collinear);
    }
    let normal = (to - from).cross(points[r] - from).try_normalize();
    let plane = Plane::through(from, normal.ok_or(HullError::Collinear)?);
    let (s, off_plane) = farthest(&|point| plane.distance(point).abs());
    if off_plane <= FLATNESS * size {
        return Err(HullError::Flat);
    }
    let [p, q, r, s] = [p, q, r, s].map(|i| i as u32);
    let is_in_front = plane.distance(points[s as usize]) > 0.0;
    Ok(if is_in_front {
        [q, p, r, s]
    } else {
        [p, q, r, s]
    })
}

/// A triangle of the growing surface.
struct HullFace {
    corners: [u32; 3],
    /// The adjacent face across the edge from corner `i` to corner `i + 1`, for each edge.
    neighbours: [usize; 3],
    plane: Plane,
    /// Points in front of the face; each point is in the list of at most one face.
    outside: Vec<u32>,
    is_alive: bool,
}

/// The triangles of a closed surface with no point more than `tolerance` in front of it; `None` if rounding left the surface
/// open.
fn closed_surface(points: &[DVec3], simplex: [u32; 4], tolerance: f64) -> Option<Vec<[u32; 3]>> {
    let [p, q, r, s] = simplex;
    let mut faces = Vec::new();
    for (corners, neighbours) in [
        ([p, q, r], [1, 2, 3]),
        ([q, p, s], [0, 3, 2]),
        ([r, q, s], [0, 1, 3]),
        ([p, r, s], [0, 2, 1]),
    ] {
        faces.push(face(points, corners, neighbours)?);
    }
    let all: Vec<u32> = (0..points.len() as u32).collect();
    distribute(points, &mut faces, 0, &all, tolerance);
    let mut next = 0;
    let mut orphans = Vec::new();
    while next < faces.len() {
        if !faces[next].is_alive || faces[next].outside.is_empty() {
            next += 1;
            continue;
        }
        let plane = faces[next].plane;
        let by_distance = |a: &&u32, b: &&u32| {
            let [a, b] = [**a, **b].map(|i| plane.distance(points[i as usize]));
            a.total_cmp(&b)
        };
        let eye = *faces[next].outside.iter().max_by(by_distance)?;
        let horizon = horizon_of(points, &mut faces, next, eye, tolerance, &mut orphans)?;
        let first = faces.len();
        for (i, &(from, to, beyond, edge)) in horizon.iter().enumerate() {
            let after = first + (i + 1) % horizon.len();
            let before = first + (i + horizon.len() - 1) % horizon.len();
            faces[beyond].neighbours[edge] = first + i;
            faces.push(face(points, [from, to, eye], [beyond, after, before])?);
        }
        orphans.retain(|&point| point != eye);
        distribute(points, &mut faces, first, &orphans, tolerance);
        orphans.clear();
    }
    let alive = faces.iter().filter(|face| face.is_alive);
    Some(alive.map(|face| face.corners).collect())
}

/// Returns the face, or `None` if the triangle is degenerate.
fn face(points: &[DVec3], corners: [u32; 3], neighbours: [usize; 3]) -> Option<HullFace> {
    let [a, b, c] = corners.map(|i| points[i as usize]);
    let normal = (b - a).cross(c - a).try_normalize()?;
    Some(HullFace {
        corners,
        neighbours,
        plane: Plane::through((a + b + c) / 3.0, normal),
        outside: Vec::new(),
        is_alive: true,
    })
}

/// Assigns each point to the face, from `first` on, in front of which it lies farthest.
fn distribute(
    points: &[DVec3],
    faces: &mut [HullFace],
    first: usize,
    which: &[u32],
    tolerance: f64,
) {
    for &i in which {
        let mut best = (None, tolerance);
        for (face, of) in faces.iter().enumerate().skip(first) {
            let distance = of.plane.distance(points[i as usize]);
            if distance > best.1 {
                best = (Some(face), distance);
            }
        }
        if let Some(face) = best.0 {
            faces[face].outside.push(i);
        }
    }
}

/// Removes the faces visible from the point `eye`, starting at `start`. Returns the horizon edges in order, each with the face
/// beyond it and the number of the edge in that face; `None` if they do not form a single loop. The points of removed faces are
/// moved to `orphans`.
fn horizon_of(
    points: &[DVec3],
    faces: &mut [HullFace],
    start: usize,
    eye: u32,
    tolerance: f64,
    orphans: &mut Vec<u32>,
) -> Option<Vec<(u32, u32, usize, usize)>> {
    let mut open = vec![start];
    let mut edges = Vec::new();
    faces[start].is_alive = false;
    let mut visible = Vec::new();
    while let Some(at) = open.pop() {
        visible.push(at);
        orphans.append(&mut faces[at].outside);
        for beyond in faces[at].neighbours {
            let distance = faces[beyond].plane.distance(points[eye as usize]);
            if faces[beyond].is_alive && distance > tolerance {
                faces[beyond].is_alive = false;
                open.push(beyond);
            }
        }
    }
    for at in visible {
        for i in 0..3 {
            let beyond = faces[at].neighbours[i];
            if faces[beyond].is_alive {
                let [from, to] = [i, (i + 1) % 3].map(|i| faces[at].corners[i]);
                let same = |edge: &usize| faces[beyond].corners[*edge] == to;
                edges.push((from, to, beyond, (0..3).find(same)?));
            }
        }
    }
    // Sorts the edges into a loop.
    for i in 1..edges.len() {
        let to = edges[i - 1].1;
        let next = (i..edges.len()).find(|&j| edges[j].0 == to)?;
        edges.swap(i, next);
    }
    let mut starts: Vec<u32> = edges.iter().map(|edge| edge.0).collect();
    starts.sort_unstable();
    let is_simple = starts.windows(2).all(|pair| pair[0] != pair[1]);
    let closes = edges.last()?.1 == edges.first()?.0;
    (closes && is_simple).then_some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::shapes::rotation_by;

    fn vector(rng: &mut Rng, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| rng.between(-size, size)))
    }

    /// Checks that the hull is closed (Euler), convex and around all points, and that its corners are points.
    fn assert_hull_of(hull: &Hull, points: &[DVec3]) {
        let size = points
            .iter()
            .fold(0.0, |size: f64, p| size.max(p.abs().max_element()));
        let (corners, faces) = (hull.corners.len(), hull.planes.len());
        assert_eq!(corners + faces, hull.edges.len() + 2);
        assert!(hull.corners.iter().all(|corner| points.contains(corner)));
        for (plane, loop_) in hull.faces() {
            assert!((plane.normal.length() - 1.0).abs() < 1e-12);
            for point in points {
                assert!(plane.distance(*point) <= 1e-8 * size, "{plane:?} {point}");
            }
            for (i, &from) in loop_.iter().enumerate() {
                let [from, to] =
                    [from, loop_[(i + 1) % loop_.len()]].map(|i| hull.corners[i as usize]);
                assert!(plane.distance(from).abs() <= 3e-6 * size);
                let inwards = plane.normal.cross(to - from);
                let is_inside = |&i: &u32| {
                    inwards.dot(hull.corners[i as usize] - from) >= -3e-6 * size * inwards.length()
                };
                assert!(loop_.iter().all(is_inside));
            }
        }
    }

    fn box_corners(half: DVec3) -> Vec<DVec3> {
        Aabb {
            min: -half,
            max: half,
        }
        .corners()
        .to_vec()
    }

    #[test]
    fn a_box_has_six_faces_of_four_corners_however_it_is_turned() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let half = vector(&mut rng, 3.0).abs() + DVec3::splat(0.01);
            let turn = rotation_by(vector(&mut rng, 3.0));
            let offset = vector(&mut rng, 100.0);
            let points: Vec<DVec3> = box_corners(half)
                .into_iter()
                .map(|p| turn * p + offset)
                .collect();
            let hull = Hull::of_points(&points).unwrap();
            assert_eq!(
                (hull.corners.len(), hull.planes.len(), hull.edges.len()),
                (8, 6, 12)
            );
            assert!(hull.faces().all(|(_, loop_)| loop_.len() == 4));
            assert_hull_of(&hull, &points);
            assert!((hull.centre() - offset).length() < 1e-9);
        }
    }

    #[test]
    fn points_inside_on_faces_on_edges_and_duplicates_are_no_corners() {
        let mut points = Vec::new();
        for i in 0..1000 {
            let grid = DVec3::new(
                f64::from(i % 10),
                f64::from(i / 10 % 10),
                f64::from(i / 100),
            );
            points.push(grid);
            points.push(grid);
        }
        let turn = rotation_by(DVec3::new(0.3, 0.2, 0.1));
        for turned in [
            points.clone(),
            points.into_iter().map(|p| turn * p).collect(),
        ] {
            let hull = Hull::of_points(&turned).unwrap();
            assert_eq!((hull.corners.len(), hull.planes.len()), (8, 6));
            assert_hull_of(&hull, &turned);
        }
    }

    #[test]
    fn random_points_and_spheres_have_hulls_around_them() {
        let mut rng = Rng::new(2);
        for count in [4, 5, 10, 50, 300, 2000] {
            let cloud: Vec<DVec3> = (0..count).map(|_| vector(&mut rng, 2.0)).collect();
            assert_hull_of(&Hull::of_points(&cloud).unwrap(), &cloud);
            let on_sphere: Vec<DVec3> = cloud.iter().map(|p| *p / p.length()).collect();
            let hull = Hull::of_points(&on_sphere).unwrap();
            assert_eq!(hull.corners.len(), count);
            assert_hull_of(&hull, &on_sphere);
        }
    }

    #[test]
    fn a_prism_of_many_sides_has_two_round_faces() {
        let mut points = Vec::new();
        for k in 0..64 {
            let angle = std::f64::consts::TAU * f64::from(k) / 64.0;
            let (x, z) = (libm::cos(angle), libm::sin(angle));
            points.extend([DVec3::new(x, -0.5, z), DVec3::new(x, 0.5, z)]);
        }
        let turn = rotation_by(DVec3::new(0.9, 0.1, -2.0));
        let points: Vec<DVec3> = points.into_iter().map(|p| turn * p).collect();
        let hull = Hull::of_points(&points).unwrap();
        assert_eq!((hull.corners.len(), hull.planes.len()), (128, 66));
        assert_hull_of(&hull, &points);
    }

    #[test]
    fn points_that_almost_coincide_or_lie_almost_in_a_plane_close() {
        let mut rng = Rng::new(4);
        for noise in [1e-16, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4] {
            for _ in 0..20 {
                let mut points = Vec::new();
                for corner in box_corners(DVec3::ONE) {
                    for part in [1.0, 1.0, 0.5, 0.25] {
                        let flat = DVec3::new(corner.x * part, corner.y, corner.z);
                        points.push(flat + vector(&mut rng, noise));
                    }
                }
                let hull = Hull::of_points(&points);
                let volume = hull.map(|hull| hull.mass_properties().mass);
                assert!(
                    (volume.unwrap() - 8.0).abs() < 100.0 * noise + 1e-4,
                    "{noise}"
                );
            }
        }
    }

    #[test]
    fn what_has_no_volume_is_answered_by_what_it_is() {
        let line: Vec<DVec3> = (0..9)
            .map(|i| DVec3::new(1.0, 2.0, 3.0) * f64::from(i))
            .collect();
        let flat: Vec<DVec3> = line
            .iter()
            .enumerate()
            .map(|(i, p)| *p + DVec3::X * (i % 3) as f64)
            .collect();
        for (points, error) in [
            (vec![], HullError::Point),
            (vec![DVec3::ONE; 7], HullError::Point),
            (line, HullError::Collinear),
            (flat, HullError::Flat),
            (
                vec![DVec3::NAN, DVec3::X, DVec3::Y, DVec3::Z],
                HullError::NotFinite,
            ),
            (
                vec![DVec3::INFINITY, DVec3::X, DVec3::Y, DVec3::Z],
                HullError::NotFinite,
            ),
        ] {
            assert_eq!(Hull::of_points(&points), Err(error));
        }
        let thin = box_corners(DVec3::new(1.0, 1e-4, 1.0));
        assert!(Hull::of_points(&thin).is_ok());
        let huge: Vec<DVec3> = box_corners(DVec3::splat(1e9));
        assert!(Hull::of_points(&huge).is_ok());
        let tiny: Vec<DVec3> = box_corners(DVec3::splat(1e-9));
        assert!(Hull::of_points(&tiny).is_ok());
    }
}
