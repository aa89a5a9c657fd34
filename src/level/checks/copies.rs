//! Copies of meshes that were left nearly where the original is. Those at its very place are told with the faces that
//! lie on equal ones.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::Rooms;
use super::report::{Finding, Report};
use crate::geometry::{Aabb, by_coordinates};
use crate::level::{MeshSource, ProblemCode};

/// Corners of a copy are so near to where those of the original are, moved, metres.
const SAME: f64 = 1e-4;
/// A copy is moved by less than this, metres, and by less than this part of its least extent, 0..1: books on a shelf are
/// farther apart, and so are leaves.
const MAX_OFFSET: f64 = 0.05;
const MAX_PART: f64 = 0.1;

/// Reports each copy once.
pub(super) fn report(rooms: &Rooms, report: &mut Report) {
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
        for (_, mut alike) in alike {
            let first = |index: u32| meshes[index as usize].positions.first();
            alike.retain(|&index| first(index).is_some());
            let at = |index: u32| first(index).copied().unwrap_or_default();
            alike.sort_by(|&a, &b| by_coordinates(at(a), at(b)).then(a.cmp(&b)));
            for (k, &a) in alike.iter().enumerate() {
                let rest = alike[k + 1..].iter();
                for &b in rest.take_while(|&&b| at(b).x - at(a).x < MAX_OFFSET) {
                    let [of, copy] = [a.min(b), a.max(b)];
                    let pair = [of, copy].map(|index| &meshes[index as usize]);
                    let Some(offset) = offset(pair) else { continue };
                    let [of, copy] = pair.map(|mesh| mesh.node.to_string());
                    if of == copy || !done.insert([of.clone(), copy.clone()]) {
                        continue;
                    }
                    let message = format!(
                        "it is a copy of `{of}`, {:.4} m beside it: both are drawn and met; delete one of the two, or move it to where it is meant to be",
                        offset.length()
                    );
                    let place = report.place(pair[1].positions[0] - rooms.level.origin);
                    let code = ProblemCode::DuplicateTriangles;
                    report.add(Finding::warning(code, &copy, message, place).of(room));
                }
            }
        }
    }
}

/// How far the second mesh is from the first, if it is the same but for that, and nearly at its place.
fn offset([a, b]: [&MeshSource; 2]) -> Option<DVec3> {
    let offset = b.positions[0] - a.positions[0];
    let bounds = Aabb::around(a.positions.iter().copied());
    let least = (bounds.max - bounds.min).min_element();
    let is_near = (SAME..MAX_OFFSET.min(MAX_PART * least)).contains(&offset.length());
    let mut corners = a.positions.iter().zip(&b.positions);
    let is_same = is_near
        && a.triangles == b.triangles
        && corners.all(|(p, q)| q.distance(*p + offset) < SAME);
    is_same.then_some(offset)
}
