//! Flips triangles and moves corners in place, in the buffer of a file.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use gltf::json::accessor::ComponentType;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::numbers::{AccessorUse, Numbers, attribute};
use crate::gltf::read::scene::Origin;

/// Triangles to flip, by primitive, and then by the node that instances the primitive's mesh.
#[derive(Default)]
pub(super) struct Turned(BTreeMap<[usize; 2], BTreeMap<usize, BTreeSet<u32>>>);

impl Extend<(Origin, u32)> for Turned {
    fn extend<I: IntoIterator<Item = (Origin, u32)>>(&mut self, triangles: I) {
        for (origin, triangle) in triangles {
            let nodes = self.0.entry(origin.primitive).or_default();
            nodes.entry(origin.node).or_default().insert(triangle);
        }
    }
}

/// A corner to move: where its triangle is in the file, the triangle and the corner, and the new position in author's
/// coordinates.
type Move = (Origin, [u32; 2], DVec3);

/// Corners to move, by primitive.
#[derive(Default)]
pub(super) struct Moved(BTreeMap<[usize; 2], Vec<Move>>);

impl Extend<Move> for Moved {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, corners: I) {
        for corner in corners {
            self.0.entry(corner.0.primitive).or_default().push(corner);
        }
    }
}

impl Numbers {
    /// Flips triangles and their normals. If several nodes share a mesh, its triangles are flipped only if the same
    /// ones were requested for all of the nodes.
    pub(super) fn turn(&mut self, turned: Turned) {
        for (primitive, by_node) in turned.0 {
            let mut triangles = by_node.values();
            let Some(first) = triangles.next() else {
                continue;
            };
            if triangles.all(|other| other == first) && by_node.len() == self.shown(primitive[0]) {
                let turned = self.turn_primitive(primitive, first);
                self.is_changed |= turned.is_some();
            }
        }
    }

    fn turn_primitive(&mut self, at: [usize; 2], triangles: &BTreeSet<u32>) -> Option<()> {
        let primitive = self.primitive(at)?;
        // Without indices, the order of the vertices is that of the corners, so all attributes have to be swapped.
        let attributes = |key: &Semantic| {
            primitive.indices.is_none() || matches!(key, Semantic::Normals | Semantic::Tangents)
        };
        let has_targets = primitive.targets.iter().flatten().next().is_some();
        if primitive.indices.is_none() && has_targets {
            return None;
        }
        let written: Option<Vec<AccessorUse>> = primitive
            .attributes
            .keys()
            .map(|key| match key {
                Checked::Valid(key) => Some(key),
                Checked::Invalid => None,
            })
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .filter(|key| attributes(key))
            .map(|key| Some(AccessorUse::Attribute(key.clone())))
            .chain(primitive.indices.map(|_| Some(AccessorUse::Indices)))
            .collect();
        // Changes all attributes or none.
        let written = written?;
        let elements = written
            .iter()
            .map(|slot| self.elements(slot.of(primitive)?));
        elements.collect::<Option<Vec<_>>>()?;
        for slot in &written {
            self.make_own(at, slot)?;
        }
        for slot in &written {
            let primitive = self.primitive(at)?;
            if primitive.indices.is_some() && *slot != AccessorUse::Indices {
                continue;
            }
            let list = self.elements(slot.of(primitive)?)?;
            for &triangle in triangles {
                let [b, c] = [1, 2].map(|corner| 3 * triangle as usize + corner);
                if c < list.count {
                    let kept = self.binary[list.range(b)].to_vec();
                    self.binary.copy_within(list.range(c), list.range(b).start);
                    self.binary[list.range(c)].copy_from_slice(&kept);
                }
            }
        }
        self.turn_normals(at, triangles)
    }

    /// Negates those normals of flipped triangles that now point away from the front of their triangle.
    fn turn_normals(&mut self, at: [usize; 2], turned: &BTreeSet<u32>) -> Option<()> {
        let primitive = self.primitive(at)?;
        let Some(normals) = attribute(primitive, Semantic::Normals) else {
            return Some(());
        };
        let normals = self.elements(normals)?;
        let tangents = attribute(primitive, Semantic::Tangents);
        let tangents = tangents.and_then(|tangents| self.elements(tangents));
        let positions = self.elements(attribute(primitive, Semantic::Positions)?)?;
        let corners = self.corners(primitive, positions.count)?;
        let mut fronts: BTreeMap<usize, DVec3> = BTreeMap::new();
        for triangle in turned {
            let corners = corners.get(*triangle as usize)?;
            fronts.extend(corners.iter().map(|&vertex| (vertex, DVec3::ZERO)));
        }
        for triangle in &corners {
            let [a, b, c] = triangle.map(|vertex| self.vector(&positions, vertex));
            for vertex in triangle {
                if let Some(front) = fronts.get_mut(vertex) {
                    *front += (b - a).cross(c - a);
                }
            }
        }
        for (vertex, front) in fronts {
            if self.vector(&normals, vertex).dot(front) < 0.0 {
                for component in 0..3 {
                    self.negate(&normals, vertex, component);
                }
                if let Some(tangents) = tangents {
                    self.negate(&tangents, vertex, 3);
                }
            }
        }
        Some(())
    }

    /// Moves corners, together with all other corners that share their vertices. Meshes that several nodes share are
    /// not changed.
    pub(super) fn move_corners(&mut self, moved: Moved) {
        for (primitive, corners) in moved.0 {
            let moved = self.move_in_primitive(primitive, &corners);
            self.is_changed |= moved.is_some();
        }
    }

    fn move_in_primitive(&mut self, [mesh, primitive]: [usize; 2], moved: &[Move]) -> Option<()> {
        let of = self.primitive([mesh, primitive])?;
        let accessor = attribute(of, Semantic::Positions)?;
        let positions = self.elements(accessor)?;
        if self.shown(mesh) != 1 || positions.kind != ComponentType::F32 {
            return None;
        }
        let corners = self.corners(of, positions.count)?;
        let slot = AccessorUse::Attribute(Semantic::Positions);
        self.make_own([mesh, primitive], &slot)?;
        let accessor = slot.of(self.primitive([mesh, primitive])?)?;
        let positions = self.elements(accessor)?;
        for (origin, [triangle, corner], to) in moved {
            // When triangles of mirrored nodes are read, they are flipped, which swaps their corners 1 and 2.
            let corner = match (origin.mirrored, *corner as usize) {
                (true, 1) => 2,
                (true, 2) => 1,
                (_, corner) => corner,
            };
            let vertex = *corners.get(*triangle as usize)?.get(corner)?;
            let point = origin
                .author_from_mesh
                .inverse()
                .transform_point3(*to)
                .as_vec3();
            if !point.is_finite() {
                return None;
            }
            let bytes = point.to_array().map(f32::to_le_bytes);
            self.binary[positions.range(vertex)].copy_from_slice(bytes.as_flattened());
        }
        self.moved.insert(accessor);
        Some(())
    }
}
