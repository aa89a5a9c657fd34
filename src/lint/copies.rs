//! Copies of meshes that were left almost at the original's position. Copies at exactly that position are reported as
//! duplicate faces.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::findings::{Finding, LintReport};
use super::rooms::CheckedRooms;
use crate::geometry::{Aabb, BoxTree, by_coordinates};
use crate::problems::ProblemCode;
use crate::source::MeshSource;

/// Tolerance, metres, when the corners of a copy are compared with the original's corners plus the offset.
const SAME: f64 = 1e-4;
/// Maximum offset of a copy, metres. Books on a shelf and leaves are copies on purpose, but farther apart.
const MAX_OFFSET: f64 = 0.05;
/// Maximum offset of a copy as a fraction 0..1 of its smallest extent.
const MAX_PART: f64 = 0.1;

/// Reports each copy once.
pub(super) fn report(rooms: &CheckedRooms, report: &mut LintReport) {
    let meshes = &rooms.source.meshes;
    for room in rooms.level.room_ids() {
        let mut alike: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for &index in rooms.meshes.of_room(room) {
            let mesh = &meshes[index as usize];
            let size = (mesh.positions.len(), mesh.triangles.len());
            let kind = (size, mesh.drawn, mesh.solid);
            alike.entry(kind).or_default().push(index);
        }
        let mut done = BTreeSet::new();
        for (_, alike) in alike {
            for (pair, offset) in copies(meshes, alike) {
                let [of, copy] = pair.map(|mesh| &mesh.node);
                if !done.insert(copy) {
                    continue;
                }
                let message = format!(
                    "it is a copy of `{of}`, {:.4} m beside it: both are drawn and met; delete one of the two, or move it to where it is meant to be",
                    offset.length()
                );
                let place = report.place(pair[1].positions[0] - rooms.level.origin);
                let code = ProblemCode::DuplicateTriangles;
                report.add(Finding::warning(code, copy, message, place).of(room));
            }
        }
    }
}

/// The copies among the meshes with the indices `alike`, each with its original and its offset; sorted by position.
fn copies(meshes: &[MeshSource], mut alike: Vec<u32>) -> Vec<([&MeshSource; 2], DVec3)> {
    let first = |index: u32| meshes[index as usize].positions.first();
    alike.retain(|&index| first(index).is_some());
    let at = |index: u32| first(index).copied().unwrap_or_default();
    alike.sort_by(|&a, &b| by_coordinates(at(a), at(b)).then(a.cmp(&b)));
    // Any number of meshes may have the same position. Such pairs are duplicates, and are not reported here.
    let at_one_place: Vec<&[u32]> = alike.chunk_by(|&a, &b| at(a) == at(b)).collect();
    let points = at_one_place.iter().map(|of| Aabb::around([at(of[0])]));
    let places = BoxTree::new(points);
    let mut found = Vec::new();
    for (here, own) in (0..).zip(&at_one_place) {
        let around = Aabb::around([at(own[0])]).grown(MAX_OFFSET);
        for &copy in *own {
            places.any_touching(&around, |there| {
                let others = at_one_place[there as usize].iter();
                let mut originals = others.filter(|&&other| there != here && other < copy);
                let copied = originals.find_map(|&original| {
                    let pair = [original, copy].map(|index| &meshes[index as usize]);
                    let offset = offset(pair).filter(|_| pair[0].node != pair[1].node)?;
                    Some((pair, offset))
                });
                let is_copy = copied.is_some();
                found.extend(copied);
                is_copy
            });
        }
    }
    found
}

/// The offset between two meshes, if they are equal except for a small translation.
fn offset([a, b]: [&MeshSource; 2]) -> Option<DVec3> {
    let offset = b.positions[0] - a.positions[0];
    if !(SAME..MAX_OFFSET).contains(&offset.length()) {
        return None;
    }
    let bounds = Aabb::around(a.positions.iter().copied());
    let least = (bounds.max - bounds.min).min_element();
    let is_near = (SAME..MAX_OFFSET.min(MAX_PART * least)).contains(&offset.length());
    let mut corners = a.positions.iter().zip(&b.positions);
    let is_same = is_near
        && a.triangles == b.triangles
        && corners.all(|(p, q)| q.distance(*p + offset) < SAME);
    is_same.then_some(offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::sketch::{Sketch, cuboid};
    use crate::rng::Rng;

    #[test]
    fn each_copy_of_all_pairs_is_found_once() {
        let mut rng = Rng::new(1);
        let mut sketch = Sketch::new("copies");
        let room = sketch.room("a");
        for _ in 0..400 {
            let step = [0; 3].map(|_| (rng.between(0.0, 6.0)).floor() * 0.02);
            let far = (rng.between(0.0, 5.0)).floor();
            let [x, y, z] = step;
            sketch.furniture(
                room,
                0,
                cuboid([x + far, y, z], [x + far + 1.0, y + 1.0, z + 1.0]),
            );
        }
        let mut meshes = sketch.source.meshes;
        for (index, mesh) in meshes.iter_mut().enumerate() {
            mesh.node = format!("mesh {index}").into();
        }
        let is_copy = |&copy: &usize| {
            let mut originals = meshes[..copy].iter();
            originals.any(|original| offset([original, &meshes[copy]]).is_some())
        };
        let expected: Vec<usize> = (0..meshes.len()).filter(is_copy).collect();
        let index = |mesh: &MeshSource| meshes.iter().position(|m| std::ptr::eq(m, mesh)).unwrap();
        let found = copies(&meshes, (0..meshes.len() as u32).rev().collect()).into_iter();
        let found = found.map(|(pair, of)| {
            assert_eq!(offset(pair), Some(of));
            index(pair[1])
        });
        let mut found: Vec<usize> = found.collect();
        found.sort_unstable();
        assert_eq!(found, expected);
        assert!((200..400).contains(&expected.len()), "{}", expected.len());
    }
}
