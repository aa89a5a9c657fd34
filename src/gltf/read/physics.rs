//! The extensions OMI_physics_body and OMI_physics_shape: motion types and collision shapes of nodes (Open Metaverse
//! Interoperability Group, <https://github.com/omigroup/gltf-extensions>). Godot writes them. `colliders` turns them
//! into rigid bodies.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::physics_values::{
    ColliderShape, MotionType, SurfacePhysics, index_of, material, motion, parse, shape,
};
use super::properties::Properties;
use crate::problems::{ProblemCode, Problems};

/// All physics data of a document.
#[derive(Default)]
pub(crate) struct Physics {
    /// The shapes of OMI_physics_shape; `None` if unusable.
    pub shapes: Vec<Option<ColliderShape>>,
    pub materials: Vec<SurfacePhysics>,
    /// The physics of each node, by node index.
    pub nodes: BTreeMap<usize, NodePhysics>,
}

/// The OMI_physics_body data of a node.
#[derive(Clone, Copy, Default)]
pub(crate) struct NodePhysics {
    pub motion: Option<MotionType>,
    pub collider: Option<Collider>,
    /// Whether the node is a trigger volume.
    pub is_trigger: bool,
}

/// A part of a body's surface that a node has. The indices refer to [`Physics`], and may be out of range.
#[derive(Clone, Copy)]
pub(crate) struct Collider {
    pub shape: Option<usize>,
    pub material: Option<usize>,
}

/// The extensions of a document.
#[derive(Deserialize)]
pub(crate) struct OfDocument<'a> {
    #[serde(borrow, rename = "OMI_physics_shape")]
    shapes: Option<&'a RawValue>,
    #[serde(borrow, rename = "OMI_physics_body")]
    bodies: Option<&'a RawValue>,
}

/// The extensions of a node.
#[derive(Deserialize)]
pub(crate) struct OfNode<'a> {
    #[serde(borrow, rename = "OMI_physics_body")]
    pub body: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Shapes<'a> {
    #[serde(default, borrow)]
    shapes: Vec<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct PhysicsMaterials<'a> {
    #[serde(default, borrow, rename = "physicsMaterials")]
    materials: Vec<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct PhysicsParts<'a> {
    #[serde(borrow)]
    motion: Option<&'a RawValue>,
    #[serde(borrow)]
    collider: Option<&'a RawValue>,
    #[serde(borrow)]
    trigger: Option<&'a RawValue>,
    /// The motion type, in versions of the extension before 2023.
    #[serde(borrow, rename = "type")]
    old_type: Option<&'a RawValue>,
}

impl Physics {
    /// Reads the data of the document as a whole, without the nodes; warns of wrong values.
    pub(crate) fn of_document(extensions: Option<&OfDocument>, problems: &mut Problems) -> Self {
        let shapes = extensions.and_then(|of| of.shapes);
        let bodies = extensions.and_then(|of| of.bodies);
        let shapes: Shapes = parse(shapes, "OMI_physics_shape", problems);
        let materials: PhysicsMaterials = parse(bodies, "OMI_physics_body", problems);
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

    /// Adds the data of a node.
    pub(crate) fn add_node(
        &mut self,
        index: usize,
        extension: &RawValue,
        name: &str,
        problems: &mut Problems,
    ) {
        let parts: PhysicsParts = parse(Some(extension), name, problems);
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
