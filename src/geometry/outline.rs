//! Repair of triangles that nearly form one flat convex polygon.

use std::f64::consts::TAU;

use glam::DVec3;

use super::polygon::{Welded, one_loop, outline_of};
use super::{ConvexPolygon, Plane, Triangle};

/// A corner farther from the plane than this, in metres, counts as intentional, and nothing is repaired.
const MAX_OFF: f64 = 0.02;
/// A point within this distance of the plane or of an anchor, in metres, counts as lying in it.
const TOUCH: f64 = 1e-3;
/// A corner that is moved into the plane snaps to an anchor within this distance, metres.
const SNAP: f64 = 0.05;
/// The maximum number of corners of a repaired outline.
const MAX_CORNERS: usize = 32;

/// The indices of a triangle and its corner, and the corner's new position.
pub(crate) type MovedCorner = ([u32; 2], DVec3);

/// Moves the corners of triangles so that they form one convex polygon. Nearly coplanar corners are moved into one
/// plane; if the outline crosses itself, the corners are moved into their order around the polygon. `anchors` are
/// points that the polygon should touch: three or more corners at anchors define the plane, and a moved corner snaps
/// to an anchor nearby. Returns `None` if the repair is uncertain.
pub(crate) fn mended(triangles: &[Triangle], anchors: &[DVec3]) -> Option<Vec<MovedCorner>> {
    let mut points = Welded::default();
    let (edges, _) = outline_of(triangles, &mut points);
    let outline = one_loop(&edges)?;
    let corners: Vec<DVec3> = outline.iter().map(|&i| points.points[i]).collect();
    let count = corners.len();
    if !(4..=MAX_CORNERS).contains(&count) || count != points.points.len() {
        return None;
    }
    let near = |p: DVec3, distance: f64| {
        let anchors = anchors.iter().map(|&anchor| (anchor.distance(p), anchor));
        let near = anchors.filter(|(to, _)| *to < distance);
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, p)| p)
    };
    let anchored = corners.iter().copied();
    let anchored: Vec<DVec3> = anchored.filter(|&p| near(p, TOUCH).is_some()).collect();
    let plane = plane_of(if anchored.len() < 3 {
        &corners
    } else {
        &anchored
    })?;
    if corners.iter().any(|&p| plane.distance(p).abs() > MAX_OFF) {
        return None;
    }
    let flat = corners.iter().map(|&p| {
        let off = plane.distance(p);
        let flat = p - plane.normal * off;
        let is_off = off.abs() > TOUCH;
        let anchor = near(flat, SNAP).filter(|&p| is_off && plane.distance(p).abs() < TOUCH);
        anchor.unwrap_or(flat)
    });
    let flat: Vec<DVec3> = flat.collect();
    let order = in_order(&flat, &plane)?;
    // The rotation and direction of the loop that keeps the most corners in place.
    let ways = (0..count).flat_map(|first| [1, count - 1].map(|step| (first, step)));
    let target = |(first, step): (usize, usize), k: usize| order[(first + step * k) % count];
    let kept = |way: &(usize, usize)| (0..count).filter(|&k| target(*way, k) == k).count();
    let way = ways.max_by_key(kept)?;
    let (mut moved, mut after) = (Vec::new(), triangles.to_vec());
    for (triangle, t) in after.iter_mut().zip(0..) {
        for (corner, k) in triangle.corners.iter_mut().zip(0..) {
            let point = points.index_of(*corner);
            let to = flat[target(way, outline.iter().position(|&other| other == point)?)];
            if to != *corner {
                moved.push(([t, k], to));
                *corner = to;
            }
        }
    }
    let is_mended = ConvexPolygon::from_triangles(&after).is_ok();
    is_mended.then_some(moved)
}

/// The plane through the mean of the points, whose normal is the mean of the normals of all triples of them.
fn plane_of(points: &[DVec3]) -> Option<Plane> {
    let pairs = (0..points.len()).flat_map(|a| (a + 1..points.len()).map(move |b| [a, b]));
    let threes = pairs.flat_map(|[a, b]| (b + 1..points.len()).map(move |c| [a, b, c]));
    let normal = |[a, b, c]: [usize; 3]| (points[b] - points[a]).cross(points[c] - points[a]);
    let normals = threes.map(normal);
    let most = normals
        .clone()
        .max_by(|a, b| a.length().total_cmp(&b.length()))?;
    let alike = normals.map(|normal| normal * normal.dot(most).signum());
    let mean = points.iter().sum::<DVec3>() / points.len() as f64;
    Some(Plane::through(mean, alike.sum::<DVec3>().try_normalize()?))
}

/// The order of coplanar points around their mean, if each of them is a convex corner of the resulting polygon.
fn in_order(points: &[DVec3], plane: &Plane) -> Option<Vec<usize>> {
    let count = points.len();
    let mean = points.iter().sum::<DVec3>() / count as f64;
    let u = (points[0] - mean).try_normalize()?;
    let v = plane.normal.cross(u);
    let angle = |i: usize| {
        let from_mean = points[i] - mean;
        let angle = libm::atan2(from_mean.dot(v), from_mean.dot(u));
        if angle < 0.0 { angle + TAU } else { angle }
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)).then(a.cmp(&b)));
    let turns_left = |k: usize| {
        let [a, b, c] = [0, 1, 2].map(|i| points[order[(k + i) % count]]);
        plane.normal.dot((b - a).cross(c - b)) > 0.0
    };
    (0..count).all(turns_left).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOOR: [[f64; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [1., 2., 0.], [0., 2., 0.]];

    fn two(corners: [[f64; 3]; 4]) -> Vec<Triangle> {
        let at = |i: usize| DVec3::from_array(corners[i]);
        [[0, 1, 2], [0, 2, 3]]
            .map(|t| Triangle { corners: t.map(at) })
            .to_vec()
    }

    fn after(triangles: &[Triangle], anchors: &[DVec3]) -> Option<ConvexPolygon> {
        let mut after = triangles.to_vec();
        for ([t, corner], to) in mended(triangles, anchors)? {
            after[t as usize].corners[corner as usize] = to;
        }
        Some(ConvexPolygon::from_triangles(&after).unwrap())
    }

    #[test]
    fn a_corner_beside_the_plane_goes_into_it_and_to_the_rim() {
        let mut bent = DOOR;
        bent[2] = [1.02, 1.98, 0.009];
        let triangles = two(bent);
        assert!(ConvexPolygon::from_triangles(&triangles).is_err());
        let rim = DOOR.map(DVec3::from_array);
        let door = after(&triangles, &rim).unwrap();
        assert!((door.area() - 2.0).abs() < 1e-12);
        assert_eq!(door.plane.normal, DVec3::Z);
        let flat = after(&triangles, &[]).unwrap();
        assert!(flat.vertices.iter().all(|p| p.z.abs() < 0.009));
        bent[2] = [1., 2., 0.2];
        assert_eq!(mended(&two(bent), &rim), None);
    }

    #[test]
    fn corners_that_cross_are_put_in_order() {
        for [a, b] in [[0, 1], [1, 2], [2, 3], [3, 0]] {
            let mut crossed = DOOR;
            crossed.swap(a, b);
            crossed[0][0] += 0.2;
            let triangles = two(crossed);
            assert!(ConvexPolygon::from_triangles(&triangles).is_err());
            let door = after(&triangles, &[]).unwrap();
            assert_eq!(door.vertices.len(), 4);
            assert!(door.area() > 1.7, "{a} {b}");
        }
        // The outline before the repair has no area.
        let mut crossed = DOOR;
        crossed.swap(1, 2);
        assert!((after(&two(crossed), &[]).unwrap().area() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn outlines_that_are_good_or_concave_stay_unchanged() {
        let arrow = [[0., 0., 0.], [1., 0., 0.], [0.2, 0.2, 0.], [0., 1., 0.]];
        assert_eq!(mended(&two(arrow), &[]), None);
        assert_eq!(mended(&two(DOOR), &[]), Some(Vec::new()));
        assert_eq!(mended(&[], &[]), None);
        let line = [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.], [3., 0., 0.]];
        assert_eq!(mended(&two(line), &[]), None);
        let nan = [[f64::NAN; 3], [1., 0., 0.], [1., 2., 0.], [0., 2., 0.]];
        assert_eq!(mended(&two(nan), &[]), None);
    }
}
