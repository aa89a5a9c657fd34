//! What the extensions OMI_physics_body and OMI_physics_shape say: which nodes are moved by physics, and what shapes they
//! have (Open Metaverse Interoperability Group, <https://github.com/omigroup/gltf-extensions>). Godot writes them.
//! `colliders` makes rigid bodies of them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::physics_values::{
    ColliderShape, Motion, SurfacePhysics, index_of, material, motion, parse, shape,
};
use super::properties::Properties;
use crate::level::{ProblemCode, Problems};

/// All that a document says.
#[derive(Default)]
pub(super) struct Physics {
    /// Of OMI_physics_shape; those that cannot be used are none.
    pub shapes: Vec<Option<ColliderShape>>,
    pub materials: Vec<SurfacePhysics>,
    /// By the index of the node.
    pub nodes: BTreeMap<usize, NodePhysics>,
}

/// What OMI_physics_body says of a node.
#[derive(Clone, Copy, Default)]
pub(super) struct NodePhysics {
    pub motion: Option<Motion>,
    pub collider: Option<Collider>,
    /// Whether it is a volume that is entered.
    pub is_trigger: bool,
}

/// A node's part of a body's surface: indices into [`Physics`], which may point anywhere.
#[derive(Clone, Copy)]
pub(super) struct Collider {
    pub shape: Option<usize>,
    pub material: Option<usize>,
}

/// The extensions of a document.
#[derive(Deserialize)]
pub(super) struct OfDocument<'a> {
    #[serde(borrow, rename = "OMI_physics_shape")]
    shapes: Option<&'a RawValue>,
    #[serde(borrow, rename = "OMI_physics_body")]
    bodies: Option<&'a RawValue>,
}

/// Those of a node.
#[derive(Deserialize)]
pub(super) struct OfNode<'a> {
    #[serde(borrow, rename = "OMI_physics_body")]
    pub body: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Shapes<'a> {
    #[serde(default, borrow)]
    shapes: Vec<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Materials<'a> {
    #[serde(default, borrow, rename = "physicsMaterials")]
    materials: Vec<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    motion: Option<&'a RawValue>,
    #[serde(borrow)]
    collider: Option<&'a RawValue>,
    #[serde(borrow)]
    trigger: Option<&'a RawValue>,
    /// Of versions before 2023.
    #[serde(borrow, rename = "type")]
    old_type: Option<&'a RawValue>,
}

impl Physics {
    /// What the document says beside its nodes; wrong values are warnings.
    pub(super) fn of_document(extensions: Option<&OfDocument>, problems: &mut Problems) -> Self {
        let shapes = extensions.and_then(|of| of.shapes);
        let bodies = extensions.and_then(|of| of.bodies);
        let shapes: Shapes = parse(shapes, "OMI_physics_shape", problems);
        let materials: Materials = parse(bodies, "OMI_physics_body", problems);
        let shapes = shapes.shapes.iter().enumerate();
        let shapes = shapes.map(|(index, raw)| shape(raw, index, problems));
        let shapes = shapes.collect();
        let materials = materials.materials.iter().enumerate();
        let materials = materials.map(|(index, raw)| material(raw, index, problems));
        Self {
            shapes,
            materials: materials.collect(),
            nodes: BTreeMap::new(),
        }
    }

    /// Adds what is said of a node.
    pub(super) fn add_node(
        &mut self,
        index: usize,
        extension: &RawValue,
        name: &str,
        problems: &mut Problems,
    ) {
        let parts: Parts = parse(Some(extension), name, problems);
        if parts.old_type.is_some() {
            let message = "its OMI_physics_body is of a version of the extension before 2023, and is not used; export it with Godot 4.3 or later";
            problems.warn(ProblemCode::BodyExtension, name, message);
        }
        let motion = parts.motion.and_then(|raw| motion(raw, name, problems));
        let collider = parts.collider.map(|raw| {
            let collider = Properties::of(Some(raw));
            let mut index = |key| index_of(&collider, key, name, problems);
            Collider {
                shape: index("shape"),
                material: index("physicsMaterial"),
            }
        });
        let node = NodePhysics {
            motion,
            collider,
            is_trigger: parts.trigger.is_some(),
        };
        self.nodes.insert(index, node);
    }
}
