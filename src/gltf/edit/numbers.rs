//! The numbers in the buffer of a file, found through the accessors of its primitives.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::DVec3;
use gltf::json;
use gltf::json::accessor::ComponentType;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use serde_json::json;

use super::package::ALIGNMENT;
use super::text::TextChanges;
use crate::geometry::Aabb;

/// The numbers of a file, to be edited in place. The file's text is not trusted: data that does not match it is not
/// changed.
pub(super) struct Numbers {
    root: json::Root,
    pub binary: Vec<u8>,
    pub is_changed: bool,
    /// Accessors of positions that changed.
    pub moved: BTreeSet<usize>,
    /// Changes of the text collected so far.
    changes: TextChanges,
}

/// The use that a primitive makes of an accessor.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AccessorUse {
    Indices,
    Attribute(Semantic),
}

impl AccessorUse {
    /// The accessor that a primitive uses in this way.
    pub(super) fn of(&self, primitive: &Primitive) -> Option<usize> {
        match self {
            Self::Indices => primitive.indices.map(|indices| indices.value()),
            Self::Attribute(key) => attribute(primitive, key.clone()),
        }
    }

    /// The JSON pointer of the accessor's index, relative to the primitive.
    fn pointer(&self) -> String {
        match self {
            Self::Indices => "indices".to_owned(),
            Self::Attribute(key) => format!("attributes/{}", key.to_string()),
        }
    }
}

/// The layout of an accessor's elements in the binary chunk.
#[derive(Clone, Copy)]
pub(super) struct Elements {
    start: usize,
    stride: usize,
    /// Size of an element, bytes.
    size: usize,
    pub count: usize,
    pub kind: ComponentType,
}

impl Elements {
    /// The byte range of an element.
    pub(super) fn range(&self, index: usize) -> Range<usize> {
        let start = self.start + index * self.stride;
        start..start + self.size
    }
}

impl Numbers {
    pub(super) fn of(root: json::Root, binary: &[u8]) -> Self {
        Self {
            root,
            binary: binary.to_vec(),
            is_changed: false,
            moved: BTreeSet::new(),
            changes: TextChanges::default(),
        }
    }

    /// The binary chunk, and the changes of the text, which include new bounds of moved positions.
    pub(super) fn finish(mut self) -> (Vec<u8>, TextChanges) {
        for &accessor in &self.moved {
            let Some(positions) = self.elements(accessor) else {
                continue;
            };
            let all = (0..positions.count).map(|vertex| self.vector(&positions, vertex));
            let bounds = Aabb::around(all);
            for (key, bound) in [("min", bounds.min), ("max", bounds.max)] {
                let bound = Some(json!(bound.to_array()));
                self.changes.set("accessors", accessor, key, bound);
            }
        }
        (self.binary, self.changes)
    }

    /// If an accessor of a primitive is also used elsewhere, gives the primitive a copy of its own.
    pub(super) fn make_own(
        &mut self,
        [mesh, primitive]: [usize; 2],
        slot: &AccessorUse,
    ) -> Option<()> {
        let shared = slot.of(self.primitive([mesh, primitive])?)?;
        if self.uses(shared) == 1 {
            return Some(());
        }
        let elements = self.elements(shared)?;
        let mut accessor = self.root.accessors.get(shared)?.clone();
        let view = accessor.buffer_view?.value();
        let mut view = self.root.buffer_views.get(view)?.clone();
        self.binary
            .resize(self.binary.len().next_multiple_of(ALIGNMENT), 0);
        let start = self.binary.len();
        let padded = elements.size.next_multiple_of(4);
        let stride = if *slot == AccessorUse::Indices {
            elements.size
        } else {
            padded
        };
        for index in 0..elements.count {
            let element = self.binary[elements.range(index)].to_vec();
            self.binary.extend(element);
            self.binary.resize(start + (index + 1) * stride, 0);
        }
        view.byte_offset = Some((start as u64).into());
        view.byte_length = ((self.binary.len() - start) as u64).into();
        let is_padded = stride != elements.size;
        view.byte_stride = is_padded.then_some(json::buffer::Stride(stride));
        accessor.buffer_view = Some(json::Index::new(self.root.buffer_views.len() as u32));
        accessor.byte_offset = None;
        let index = self.root.accessors.len();
        let (view_text, text) = (serde_json::to_value(&view), serde_json::to_value(&accessor));
        self.changes.add("bufferViews", view_text.ok()?);
        self.changes.add("accessors", text.ok()?);
        let length = Some(self.binary.len().into());
        self.changes.set("buffers", 0, "byteLength", length);
        let pointer = format!("/primitives/{primitive}/{}", slot.pointer());
        self.changes.put("meshes", mesh, pointer, index.into());
        self.root.buffer_views.push(view);
        self.root.accessors.push(accessor);
        let of = self
            .root
            .meshes
            .get_mut(mesh)?
            .primitives
            .get_mut(primitive)?;
        let index = json::Index::new(index as u32);
        match slot {
            AccessorUse::Indices => of.indices = Some(index),
            AccessorUse::Attribute(key) => {
                _ = of.attributes.insert(Checked::Valid(key.clone()), index)
            }
        }
        Some(())
    }

    /// A primitive; `None` if it is not a list of triangles.
    pub(super) fn primitive(&self, [mesh, primitive]: [usize; 2]) -> Option<&Primitive> {
        let primitive = self.root.meshes.get(mesh)?.primitives.get(primitive)?;
        matches!(primitive.mode, Checked::Valid(Mode::Triangles)).then_some(primitive)
    }

    /// The number of nodes that instance a mesh.
    pub(super) fn shown(&self, mesh: usize) -> usize {
        let nodes = self.root.nodes.iter();
        nodes
            .filter(|node| node.mesh.is_some_and(|of| of.value() == mesh))
            .count()
    }

    /// The number of uses of an accessor by primitives.
    fn uses(&self, accessor: usize) -> usize {
        let primitives = self.root.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let all = primitives.flat_map(|of| values_of(of).chain(of.indices.map(|i| i.value())));
        all.filter(|&other| other == accessor).count()
    }

    /// The vertex indices of each triangle of a primitive; `None` if one is not below `vertices`.
    pub(super) fn corners(
        &self,
        primitive: &Primitive,
        vertices: usize,
    ) -> Option<Vec<[usize; 3]>> {
        let all: Vec<usize> = match primitive.indices {
            Some(indices) => {
                let indices = self.elements(indices.value())?;
                let index = |i| self.number(&indices, i, 0) as usize;
                (0..indices.count).map(index).collect()
            }
            None => (0..vertices).collect(),
        };
        let is_known = all.iter().all(|&vertex| vertex < vertices);
        is_known.then(|| all.as_chunks::<3>().0.to_vec())
    }

    /// The layout of an accessor's elements; `None` if some are not in the binary chunk.
    pub(super) fn elements(&self, accessor: usize) -> Option<Elements> {
        let accessor = self.root.accessors.get(accessor)?;
        let view = self.root.buffer_views.get(accessor.buffer_view?.value())?;
        let (Checked::Valid(kind), Checked::Valid(of)) = (accessor.component_type, accessor.type_)
        else {
            return None;
        };
        let size = kind.0.size() * of.multiplicity();
        let offset = |offset: Option<json::validation::USize64>| {
            usize::try_from(offset.unwrap_or_default().0).ok()
        };
        let start = offset(view.byte_offset)?.checked_add(offset(accessor.byte_offset)?)?;
        let elements = Elements {
            start,
            stride: view.byte_stride.map_or(size, |stride| stride.0),
            size,
            count: usize::try_from(accessor.count.0).ok()?,
            kind: kind.0,
        };
        let last = elements.count.checked_sub(1)?;
        let end = last
            .checked_mul(elements.stride)?
            .checked_add(start)?
            .checked_add(size)?;
        let fits =
            accessor.sparse.is_none() && view.buffer.value() == 0 && end <= self.binary.len();
        fits.then_some(elements)
    }

    /// The first three components of an element, as stored.
    pub(super) fn vector(&self, of: &Elements, index: usize) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|component| self.number(of, index, component)))
    }

    /// A component of an element, as stored.
    pub(super) fn number(&self, of: &Elements, index: usize, component: usize) -> f64 {
        let bytes = &self.binary[of.range(index)][component * of.kind.size()..];
        match (of.kind, bytes) {
            (ComponentType::I8, [a, ..]) => f64::from(i8::from_le_bytes([*a])),
            (ComponentType::U8, [a, ..]) => f64::from(*a),
            (ComponentType::I16, [a, b, ..]) => f64::from(i16::from_le_bytes([*a, *b])),
            (ComponentType::U16, [a, b, ..]) => f64::from(u16::from_le_bytes([*a, *b])),
            (ComponentType::U32, [a, b, c, d, ..]) => {
                f64::from(u32::from_le_bytes([*a, *b, *c, *d]))
            }
            (ComponentType::F32, [a, b, c, d, ..]) => {
                f64::from(f32::from_le_bytes([*a, *b, *c, *d]))
            }
            _ => 0.0,
        }
    }

    /// Negates a component of an element, if its type is signed.
    pub(super) fn negate(&mut self, of: &Elements, index: usize, component: usize) {
        let at = of.range(index).start + component * of.kind.size();
        let bytes = &mut self.binary[at..];
        match (of.kind, bytes) {
            (ComponentType::I8, [a, ..]) => *a = i8::from_le_bytes([*a]).saturating_neg() as u8,
            (ComponentType::I16, [a, b, ..]) => {
                let negated = i16::from_le_bytes([*a, *b]).saturating_neg();
                [*a, *b] = negated.to_le_bytes();
            }
            // Flips the sign bit of an f32.
            (ComponentType::F32, [_, _, _, d, ..]) => *d ^= 0x80,
            _ => {}
        }
    }
}

/// The accessors of all attributes of a primitive, and of its morph targets.
fn values_of(primitive: &Primitive) -> impl Iterator<Item = usize> + '_ {
    let targets = primitive.targets.iter().flatten();
    let of_target = |target: &json::mesh::MorphTarget| {
        [target.positions, target.normals, target.tangents]
            .into_iter()
            .flatten()
            .map(|at| at.value())
    };
    let attributes = primitive.attributes.values().map(|at| at.value());
    attributes.chain(targets.flat_map(of_target))
}

/// The accessor of an attribute.
pub(super) fn attribute(primitive: &Primitive, semantic: Semantic) -> Option<usize> {
    let accessor = primitive.attributes.get(&Checked::Valid(semantic));
    accessor.map(|accessor| accessor.value())
}
