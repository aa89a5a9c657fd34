//! Walks the node tree, and computes the transform of each node. `nodes` finds the role of each.

use std::collections::{BTreeMap, BTreeSet};

use glam::DAffine3;
use gltf::json;

use super::animations;
use super::document::Document;
use super::paths::Waypoint;
use super::physics_values::ColliderShape;
use super::properties::Properties;
use super::ranges::{ANY, Ranges};
use super::tracks::MotionProperties;
use crate::level::{Sky, Stiffness};
use crate::problems::{ProblemCode, Problems};
use crate::source::LevelSource;

/// The custom properties of a scene.
const OF_SCENE: [&str; 7] = [
    "sky_strength",
    "sky_zenith",
    "sky_horizon",
    "sky_ground",
    "clouds",
    "exposure",
    "stiffness",
];

/// The contents of the node tree, before meshes are read.
#[derive(Default)]
pub(crate) struct SceneOutline {
    /// Rooms, lights and spawns; portals, bounds and movers, still without triangles.
    pub source: LevelSource,
    /// For each mover of the source its motion, as its properties define it.
    pub motions: Vec<MotionProperties>,
    /// The empties that movers may follow.
    pub waypoints: Vec<Waypoint>,
    /// The colliders of bodies, in the order of the tree.
    pub colliders: Vec<BodyCollider>,
    /// The meshes to be read, in the order of the tree.
    pub instances: Vec<MeshInstance>,
    /// Where the source's triangles are in the file.
    pub origins: Origins,
    /// Whether something was left out because of an error.
    pub incomplete: bool,
}

/// Where the source's triangles are in the file.
#[derive(Default)]
pub(crate) struct Origins {
    /// The origin of each mesh of the source.
    pub meshes: Vec<Origin>,
    /// The origin of each part of a portal, with the portal's index in the source. The parts of one portal are in the
    /// order of its triangles.
    pub portals: Vec<(usize, Origin)>,
}

/// A primitive of a mesh, instanced by a node.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    /// Index of the mesh in the document, and index of the primitive in the mesh.
    pub primitive: [usize; 2],
    /// Index of the node in the document.
    pub node: usize,
    /// The transform from mesh coordinates to author's coordinates.
    pub author_from_mesh: DAffine3,
    /// Whether its triangles are flipped, because the node's transform mirrors.
    pub mirrored: bool,
    /// The number of its triangles.
    pub triangles: usize,
}

/// An instance of a mesh.
pub(crate) struct MeshInstance {
    /// Index of the node in the document.
    pub node: usize,
    /// Index of the mesh in the document.
    pub mesh: usize,
    /// The transform from mesh coordinates to author's coordinates.
    pub author_from_mesh: DAffine3,
    /// The purpose of the mesh.
    pub purpose: Purpose,
}

/// A collider of a body.
pub(crate) struct BodyCollider {
    /// Index of the body in the source.
    pub body: usize,
    /// Index of the room in the source.
    pub room: usize,
    /// Index of the node in the document.
    pub node: usize,
    /// The transform from the node's coordinates to author's coordinates.
    pub author_from_node: DAffine3,
    pub shape: ColliderShape,
}

/// The purpose of a mesh.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// Part of a room, or of an object in it.
    Surface {
        room: usize,
        owner: Owner,
        drawn: bool,
        solid: bool,
        sky: bool,
    },
    /// The portal with this index in the source.
    Portal(usize),
    /// The bound with this index in the source.
    Bound(usize),
    /// The volume of the trigger with this index in the source.
    Trigger(usize),
}

/// The owner of a mesh in a room.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The room itself.
    Room,
    /// The mover with this index in the source.
    Mover(usize),
    /// The body with this index in the source.
    Body(usize),
}

/// The state that a node passes to its children.
#[derive(Clone, Copy)]
pub(crate) struct InheritedState {
    pub author_from_node: DAffine3,
    pub room: Option<usize>,
    pub owner: Owner,
    pub drawn: bool,
    pub solid: bool,
    pub sky: bool,
    /// Whether the node is below a trigger that an extension defines.
    pub in_trigger: bool,
    /// Whether the node or one of its ancestors was reported as being in no room.
    pub is_reported: bool,
}

/// A node on the path from the root to the current node.
struct PathNode {
    node: usize,
    place: InheritedState,
    next_child: usize,
}

/// The traversal state of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Unseen,
    Open,
    Done,
}

/// Walks the default scene, or if there is none, the first. The tree may be deep, so the walk uses an explicit stack.
pub(crate) fn read(document: &Document, problems: &mut Problems) -> SceneOutline {
    let mut walk = TreeWalk {
        document,
        problems,
        scene: SceneOutline::default(),
        rooms: BTreeMap::new(),
        room_names: None,
        wanted_rooms: None,
        animated: animations::animated_nodes(document),
        has_spawn: None,
        progress: vec![Progress::Unseen; document.root.nodes.len()],
        reported: vec![false; document.root.nodes.len()],
        path: Vec::new(),
    };
    let index = document.root.scene.map_or(0, |scene| scene.value());
    match document.root.scenes.get(index) {
        Some(scene) => {
            walk.settings(scene);
            walk.scene(scene);
        }
        None => {
            let count = document.root.scenes.len();
            let message = format!(
                "scene {index} is to be shown, the file has {count} scenes; export it again"
            );
            walk.broken(ProblemCode::Scene, "", message);
        }
    }
    walk.warn_of_lost_properties();
    walk.scene
}

pub(crate) struct TreeWalk<'a> {
    pub document: &'a Document,
    pub problems: &'a mut Problems,
    pub scene: SceneOutline,
    /// For each room name the index of its room in the source.
    pub rooms: BTreeMap<&'a str, usize>,
    /// For each room name of the file, in lower case, the name as written; computed on first use.
    pub room_names: Option<BTreeMap<String, &'a str>>,
    /// The room names to which portals lead and that no node has; computed on first use.
    pub wanted_rooms: Option<BTreeSet<&'a str>>,
    /// The nodes that animations move, scale or deform.
    pub animated: BTreeSet<usize>,
    /// Whether the file has a spawn; computed on first use.
    pub has_spawn: Option<bool>,
    progress: Vec<Progress>,
    /// For each node whether its position in the tree was reported as wrong, so that it is reported only once.
    reported: Vec<bool>,
    path: Vec<PathNode>,
}

impl<'a> TreeWalk<'a> {
    /// Reads the settings of sky and picture from the scene's custom properties.
    fn settings(&mut self, scene: &json::Scene) {
        let extras = Properties::of(scene.extras.as_deref());
        let mut ranges = Ranges {
            code: ProblemCode::SceneProperty,
            of: "the scene's",
            name: "scene",
            problems: self.problems,
        };
        ranges.warn_of_typos(&extras, &OF_SCENE);
        let strength = ranges.property(&extras, "sky_strength", ANY, 1.0) as f32;
        let mut colour = |what: &str, default| {
            let colour = ranges.colour(&extras, what, default);
            colour.map(|x| x * strength)
        };
        let default = Sky::default();
        self.scene.source.sky = Sky {
            zenith: colour("sky_zenith", default.zenith),
            horizon: colour("sky_horizon", default.horizon),
            ground: colour("sky_ground", default.ground),
            clouds: ranges.property(&extras, "clouds", 0.0..=1.0, 0.0) as f32,
        };
        let stops = ranges.property(&extras, "exposure", -20.0..=20.0, 0.0);
        self.scene.source.exposure_stops = stops as f32;
        let default = f64::from(Stiffness::default().substeps());
        let range = f64::from(*Stiffness::RANGE.start())..=f64::from(*Stiffness::RANGE.end());
        let substeps = ranges.property(&extras, "stiffness", range, default);
        self.scene.source.stiffness = Stiffness::new(substeps.round() as u32);
    }

    fn scene(&mut self, scene: &json::Scene) {
        let top = InheritedState {
            author_from_node: DAffine3::IDENTITY,
            room: None,
            owner: Owner::Room,
            drawn: true,
            solid: true,
            sky: false,
            in_trigger: false,
            is_reported: false,
        };
        for root in &scene.nodes {
            self.enter(root.value(), None, &top);
            while let Some(frame) = self.path.last_mut() {
                let (node, place) = (frame.node, frame.place);
                let children = self.document.root.nodes[node].children.as_deref();
                match children.unwrap_or_default().get(frame.next_child) {
                    Some(child) => {
                        frame.next_child += 1;
                        self.enter(child.value(), Some(node), &place);
                    }
                    None => {
                        self.progress[node] = Progress::Done;
                        self.path.pop();
                    }
                }
            }
        }
    }

    /// Reports an error because of which something is left out of the level.
    pub(crate) fn broken(&mut self, code: ProblemCode, node: &str, message: impl Into<String>) {
        self.problems.error(code, node, message);
        self.scene.incomplete = true;
    }

    /// The ancestors of the current node, its parent first.
    pub(crate) fn above(&self) -> impl Iterator<Item = usize> {
        self.path.iter().rev().map(|frame| frame.node)
    }

    fn enter(&mut self, node: usize, parent: Option<usize>, above: &InheritedState) {
        let parent_name = match parent {
            Some(parent) => self.document.node_name(parent),
            None => "the scene".to_owned(),
        };
        let Some(&progress) = self.progress.get(node) else {
            let first = parent.is_none_or(|p| !std::mem::replace(&mut self.reported[p], true));
            if first {
                let message =
                    format!("has child node {node}, which does not exist; export it again");
                self.broken(ProblemCode::ChildIndex, &parent_name, message);
            }
            return;
        };
        if progress != Progress::Unseen {
            if !std::mem::replace(&mut self.reported[node], true) {
                let message = if progress == Progress::Open {
                    format!(
                        "is an ancestor of its own parent {parent_name}: the nodes form a cycle"
                    )
                } else {
                    format!("stands in the tree twice; {parent_name} is its second parent")
                };
                let message = format!("{message}; parent each node once");
                self.broken(
                    ProblemCode::NodeTwice,
                    &self.document.node_name(node),
                    message,
                );
            }
            return;
        }
        self.progress[node] = Progress::Open;
        let place = self.place(node, above);
        self.path.push(PathNode {
            node,
            place,
            next_child: 0,
        });
    }
}
