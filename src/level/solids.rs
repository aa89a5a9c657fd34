//! Solid triangles, stored for quick box tests.

use std::ops::Range;

use glam::Vec3;

use crate::geometry::{Aabb32, Triangle};

/// All solid triangles of a level; rooms and door leaves own ranges of them.
#[derive(Debug, Default)]
pub struct Solids {
    /// Corners, shared within a room, in the room's coordinates.
    pub points: Vec<Vec3>,
    /// The triangles. In a range they are sorted by their corners' coordinates, each with its
    /// least corner first, so that their order does not depend on the file's.
    pub triangles: Vec<SolidTriangle>,
    /// The box of each triangle.
    pub boxes: Vec<Aabb32>,
}

/// One solid triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolidTriangle {
    /// Indices into [`Solids::points`], counter-clockwise seen from the front.
    pub corners: [u32; 3],
    /// Index into [`super::Level::materials`].
    pub material: u32,
}

impl Solids {
    /// The triangle with its corners, in the room's coordinates.
    pub fn triangle(&self, index: u32) -> Triangle {
        let corners = self.triangles[index as usize].corners;
        Triangle {
            corners: corners.map(|i| self.points[i as usize].as_dvec3()),
        }
    }

    /// Calls `found` with every triangle of the range whose box touches `query`, in order.
    pub fn touching(&self, range: &Range<u32>, query: &Aabb32, mut found: impl FnMut(u32)) {
        let boxes = &self.boxes[range.start as usize..range.end as usize];
        for (index, bounds) in (range.start..).zip(boxes) {
            if bounds.overlaps(query) {
                found(index);
            }
        }
    }

    /// Sorts `triangles` (corners, material) into canonical order and appends them with their
    /// boxes. Identical triangles of one material are kept once.
    pub(super) fn append(&mut self, mut triangles: Vec<([Vec3; 3], u32)>) -> Range<u32> {
        let start = self.triangles.len() as u32;
        for (corners, _) in &mut triangles {
            let least = (0..3).min_by(|&a, &b| order(corners[a], corners[b]));
            corners.rotate_left(least.unwrap_or(0));
        }
        triangles.sort_by(|(a, m), (b, n)| {
            let by_corner = (0..3).map(|i| order(a[i], b[i]));
            by_corner
                .fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
                .then(m.cmp(n))
        });
        triangles.dedup();
        let mut points: Vec<Vec3> = triangles.iter().flat_map(|(c, _)| *c).collect();
        points.sort_by(|a, b| order(*a, *b));
        points.dedup();
        let base = self.points.len() as u32;
        for (corners, material) in triangles {
            let index = |p: Vec3| {
                let at = points.binary_search_by(|q| order(*q, p));
                base + at.unwrap_or_else(|at| at) as u32
            };
            self.triangles.push(SolidTriangle {
                corners: corners.map(index),
                material,
            });
            self.boxes.push(Aabb32::around_points(&corners));
        }
        self.points.extend(points);
        start..self.triangles.len() as u32
    }
}

/// Lexicographic order of coordinates; they are finite, and there is no -0.
fn order(a: Vec3, b: Vec3) -> std::cmp::Ordering {
    a.x.total_cmp(&b.x)
        .then(a.y.total_cmp(&b.y))
        .then(a.z.total_cmp(&b.z))
}
