//! The tree of nodes: where each stands. `nodes` says what each is.

use std::collections::{BTreeMap, BTreeSet};

use glam::DAffine3;
use gltf::json;

use super::animations;
use super::document::Document;
use super::paths::Waypoint;
use super::physics_values::ColliderShape;
use super::properties::Properties;
use super::ranges::{ANY, Ranges};
use super::tracks::Motion;
use crate::level::{LevelSource, ProblemCode, Problems, Sky, Stiffness};

/// The custom properties of a scene.
const OF_SCENE: [&str; 6] = [
    "sky_strength",
    "sky_zenith",
    "sky_horizon",
    "sky_ground",
    "exposure",
    "stiffness",
];

/// What the tree of nodes says, before any mesh is read.
#[derive(Default)]
pub(super) struct Scene {
    /// Rooms, lights and spawns; portals, bounds and movers still without their triangles.
    pub source: LevelSource,
    /// What the properties of the source's movers say of their way.
    pub motions: Vec<Motion>,
    /// The empties that movers may go along.
    pub waypoints: Vec<Waypoint>,
    /// The colliders of bodies, in the order of the tree.
    pub colliders: Vec<BodyCollider>,
    /// The meshes to be read, in the order of the tree.
    pub instances: Vec<Instance>,
    /// Where the triangles of the source stand in the file.
    pub origins: Origins,
    /// Whether something was left out because it is broken.
    pub incomplete: bool,
}

/// Where triangles of the source stand in the file.
#[derive(Default)]
pub(super) struct Origins {
    /// Of each mesh of the source.
    pub meshes: Vec<Origin>,
    /// Of each part of a portal, in the order of its triangles, with the portal's index in the source.
    pub portals: Vec<(usize, Origin)>,
}

/// A primitive of a mesh where a node shows it.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// Indices of the mesh in the document, and of the primitive in that.
    pub primitive: [usize; 2],
    /// Index of the node in the document.
    pub node: usize,
    /// Takes the mesh's coordinates to the author's, metres.
    pub author_from_mesh: DAffine3,
    /// Whether its triangles are turned over for the node's transform.
    pub mirrored: bool,
    /// How many triangles it has.
    pub triangles: usize,
}

/// A mesh at a place.
pub(super) struct Instance {
    /// Index of the node in the document.
    pub node: usize,
    /// Index of the mesh in the document.
    pub mesh: usize,
    /// Takes the mesh's coordinates to the author's, metres.
    pub author_from_mesh: DAffine3,
    /// What the mesh is.
    pub purpose: Purpose,
}

/// A collider of a body.
pub(super) struct BodyCollider {
    /// Index of the body in the source.
    pub body: usize,
    /// Index of the room in the source.
    pub room: usize,
    /// Index of the node in the document.
    pub node: usize,
    /// Metres of the author's coordinates.
    pub author_from_node: DAffine3,
    pub shape: ColliderShape,
}

/// What a mesh is.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// Part of a room, or of something in it.
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

/// What a mesh of a room is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The room itself.
    Room,
    /// The mover with this index in the source.
    Mover(usize),
    /// The body with this index in the source.
    Body(usize),
}

/// What a node hands on to its children.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub author_from_node: DAffine3,
    pub room: Option<usize>,
    pub owner: Owner,
    pub drawn: bool,
    pub solid: bool,
    pub sky: bool,
    /// Whether it is below a trigger of an extension.
    pub in_trigger: bool,
    /// Whether it, or a node above it, was reported to stand below no room.
    pub is_reported: bool,
}

/// A node on the way from the root to the current one.
struct Frame {
    node: usize,
    place: Place,
    next_child: usize,
}

/// How far the walk is with a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Unseen,
    Open,
    Done,
}

/// Walks the default scene, or the first. The tree can be deep, so the walk keeps its own stack.
pub(super) fn read(document: &Document, problems: &mut Problems) -> Scene {
    let mut walk = Walk {
        document,
        problems,
        scene: Scene::default(),
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

pub(super) struct Walk<'a> {
    pub document: &'a Document,
    pub problems: &'a mut Problems,
    pub scene: Scene,
    /// Index in the source of each room, by name.
    pub rooms: BTreeMap<&'a str, usize>,
    /// The names of all rooms of the file by the same in lower case, once they were asked for.
    pub room_names: Option<BTreeMap<String, &'a str>>,
    /// The names that portals have for rooms that no node is, once they were asked for.
    pub wanted_rooms: Option<BTreeSet<&'a str>>,
    /// The nodes that animations move, scale or deform.
    pub animated: BTreeSet<usize>,
    /// Whether the file has a spawn, once that was asked for.
    pub has_spawn: Option<bool>,
    progress: Vec<Progress>,
    /// Nodes whose place in the tree was reported as wrong: once is enough.
    reported: Vec<bool>,
    path: Vec<Frame>,
}

impl<'a> Walk<'a> {
    /// What the scene's custom properties say of sky and picture.
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
        };
        let stops = ranges.property(&extras, "exposure", -20.0..=20.0, 0.0);
        self.scene.source.exposure_stops = stops as f32;
        let default = f64::from(Stiffness::default().substeps());
        let range = f64::from(*Stiffness::RANGE.start())..=f64::from(*Stiffness::RANGE.end());
        let substeps = ranges.property(&extras, "stiffness", range, default);
        self.scene.source.stiffness = Stiffness::new(substeps.round() as u32);
    }

    fn scene(&mut self, scene: &json::Scene) {
        let top = Place {
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

    /// An error that leaves something out of the level.
    pub(super) fn broken(&mut self, code: ProblemCode, node: &str, message: impl Into<String>) {
        self.problems.error(code, node, message);
        self.scene.incomplete = true;
    }

    /// The nodes above the one that is being placed, its parent first.
    pub(super) fn above(&self) -> impl Iterator<Item = usize> {
        self.path.iter().rev().map(|frame| frame.node)
    }

    fn enter(&mut self, node: usize, parent: Option<usize>, above: &Place) {
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
        self.path.push(Frame {
            node,
            place,
            next_child: 0,
        });
    }
}
