//! Flat faces of a hull, merged from coplanar triangles.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::hull::Hull;
use crate::geometry::Plane;

/// The distance of corners from a plane, relative to the hull's size, up to which triangles belong to one face.
const COPLANAR: f64 = 1e-6;

/// Merges the coplanar triangles of a closed surface into the faces of a hull. `points` are the `originals` minus
/// `centre`. If the merged faces do not form a closed surface, each triangle becomes a face; `None` if the triangles do
/// not form one either.
pub(super) fn merged(
    points: &[DVec3],
    triangles: &[[u32; 3]],
    size: f64,
    originals: &[DVec3],
    centre: DVec3,
) -> Option<Hull> {
    let hull_of = |faces| hull_of(points, faces, originals, centre);
    let groups = coplanar_groups(points, triangles, COPLANAR * size);
    let faces: Option<Vec<Vec<u32>>> = groups
        .iter()
        .map(|group| outline(group.iter().map(|&i| triangles[i])))
        .collect();
    let merged = faces.and_then(|faces| hull_of(without_straight(faces)));
    merged.or_else(|| {
        let single = triangles.iter().map(|corners| corners.to_vec());
        hull_of(single.collect())
    })
}

/// Groups of connected coplanar triangles; each group grows from the largest remaining triangle.
fn coplanar_groups(points: &[DVec3], triangles: &[[u32; 3]], tolerance: f64) -> Vec<Vec<usize>> {
    let mut by_edge = BTreeMap::new();
    for (i, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            by_edge.insert([corners[k], corners[(k + 1) % 3]], i);
        }
    }
    let cross = |i: usize| {
        let [a, b, c] = triangles[i].map(|corner| points[corner as usize]);
        (b - a).cross(c - a)
    };
    let mut by_area: Vec<(f64, usize)> = (0..triangles.len())
        .map(|i| (-cross(i).length_squared(), i))
        .collect();
    by_area.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut is_taken = vec![false; triangles.len()];
    let mut groups = Vec::new();
    for (_, seed) in by_area {
        if is_taken[seed] {
            continue;
        }
        let normal = cross(seed).normalize_or_zero();
        let plane = Plane::through(points[triangles[seed][0] as usize], normal);
        is_taken[seed] = true;
        let mut group = vec![seed];
        let mut next = 0;
        while next < group.len() {
            let corners = triangles[group[next]];
            next += 1;
            for k in 0..3 {
                let Some(&beyond) = by_edge.get(&[corners[(k + 1) % 3], corners[k]]) else {
                    continue;
                };
                let is_flat =
                    |&corner: &u32| plane.distance(points[corner as usize]).abs() <= tolerance;
                let faces_alike = cross(beyond).dot(normal) > 0.0;
                if !is_taken[beyond] && faces_alike && triangles[beyond].iter().all(is_flat) {
                    is_taken[beyond] = true;
                    group.push(beyond);
                }
            }
        }
        groups.push(group);
    }
    groups
}

/// The outline of connected triangles, as one loop; `None` if there are several loops, or a loop that touches itself.
fn outline(triangles: impl Iterator<Item = [u32; 3]>) -> Option<Vec<u32>> {
    let mut all = BTreeSet::new();
    for [a, b, c] in triangles {
        all.extend([[a, b], [b, c], [c, a]]);
    }
    let outer = all.iter().filter(|[from, to]| !all.contains(&[*to, *from]));
    let mut next = BTreeMap::new();
    for &[from, to] in outer {
        if next.insert(from, to).is_some() {
            return None;
        }
    }
    let (&first, _) = next.first_key_value()?;
    let mut found = vec![first];
    let mut at = *next.get(&first)?;
    while at != first && found.len() < next.len() {
        found.push(at);
        at = *next.get(&at)?;
    }
    (at == first && found.len() == next.len()).then_some(found)
}

/// Removes corners that only two faces share: they lie on the edge between the two.
fn without_straight(faces: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut uses = BTreeMap::new();
    for &corner in faces.iter().flatten() {
        *uses.entry(corner).or_insert(0) += 1;
    }
    let is_corner = |corner: &u32| uses.get(corner).is_some_and(|&count| count > 2);
    let without = |face: Vec<u32>| face.into_iter().filter(is_corner).collect();
    faces.into_iter().map(without).collect()
}

/// A hull of these faces, with the corners that they use; `None` if they do not close.
fn hull_of(
    points: &[DVec3],
    faces: Vec<Vec<u32>>,
    originals: &[DVec3],
    centre: DVec3,
) -> Option<Hull> {
    let used: BTreeSet<u32> = faces.iter().flatten().copied().collect();
    let numbers: BTreeMap<u32, u32> = used.iter().copied().zip(0..).collect();
    let corners: Vec<DVec3> = used.iter().map(|&i| points[i as usize]).collect();
    let mut found = Vec::with_capacity(faces.len());
    for face in faces {
        let face: Vec<u32> = face.iter().map(|corner| numbers[corner]).collect();
        found.push((supporting_plane(&corners, &face)?, face));
    }
    let edges: usize = found.iter().map(|(_, face)| face.len()).sum::<usize>() / 2;
    // Euler's formula for a surface without holes.
    if corners.len() + found.len() != edges + 2 {
        return None;
    }
    let moved = |(plane, face): (Plane, Vec<u32>)| {
        let offset = plane.offset + plane.normal.dot(centre);
        (Plane { offset, ..plane }, face)
    };
    let found: Vec<(Plane, Vec<u32>)> = found.into_iter().map(moved).collect();
    let corners = used.iter().map(|&i| originals[i as usize]).collect();
    Hull::from_faces(corners, &found)
}

/// The plane with a face's normal (M. Newell's method) and all corners behind it.
fn supporting_plane(corners: &[DVec3], face: &[u32]) -> Option<Plane> {
    if face.len() < 3 {
        return None;
    }
    let corner = |i: usize| corners[face[i % face.len()] as usize];
    let area =
        (1..face.len() - 1).map(|i| (corner(i) - corner(0)).cross(corner(i + 1) - corner(0)));
    let normal = area.sum::<DVec3>().try_normalize()?;
    let along = corners.iter().map(|corner| normal.dot(*corner));
    let offset = along.fold(f64::NEG_INFINITY, f64::max);
    Some(Plane { normal, offset })
}
