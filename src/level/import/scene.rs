//! The tree of nodes: where each stands, what its name makes of it, to which room it belongs.

use std::collections::BTreeMap;

use glam::{DAffine3, DVec3};
use gltf::json;
use gltf::json::extensions::scene::khr_lights_punctual::Light;

use super::document::Document;
use super::lights::Emission;
use super::names::{self, Role};
use super::properties::Properties;
use super::ranges::{ANY, Ranges};
use crate::level::{
    BoundSource, DoorSource, LevelSource, LightSource, PortalSource, Problems, RoomSource, Sky,
    SpawnSource,
};

/// What the tree of nodes says, before any mesh is read.
#[derive(Default)]
pub(super) struct Scene {
    /// Rooms, lights and spawns; portals, bounds and doors still without their triangles.
    pub source: LevelSource,
    /// The meshes to be read, in the order of the tree.
    pub instances: Vec<Instance>,
    /// Whether something was left out because it is broken.
    pub incomplete: bool,
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

/// What a mesh is.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// Part of a room, or of a door leaf in it.
    Surface {
        room: usize,
        door: Option<usize>,
        drawn: bool,
        solid: bool,
        sky: bool,
    },
    /// The portal with this index in the source.
    Portal(usize),
    /// The bound with this index in the source.
    Bound(usize),
}

/// What a node hands on to its children.
#[derive(Clone, Copy)]
struct Place {
    author_from_node: DAffine3,
    room: Option<usize>,
    door: Option<usize>,
    drawn: bool,
    solid: bool,
    sky: bool,
}

/// A node on the way from the root to the one at hand.
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
            walk.broken("scene", "", message);
        }
    }
    walk.scene
}

struct Walk<'a> {
    document: &'a Document,
    problems: &'a mut Problems,
    scene: Scene,
    /// Index in the source of each room, by name.
    rooms: BTreeMap<&'a str, usize>,
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
            code: "scene-property",
            of: "the scene's",
            name: "scene",
            problems: self.problems,
        };
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
    }

    fn scene(&mut self, scene: &json::Scene) {
        let top = Place {
            author_from_node: DAffine3::IDENTITY,
            room: None,
            door: None,
            drawn: true,
            solid: true,
            sky: false,
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
    fn broken(&mut self, code: &'static str, node: &str, message: impl Into<String>) {
        self.problems.error(code, node, message);
        self.scene.incomplete = true;
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
                self.broken("child-index", &parent_name, message);
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
                self.broken("node-twice", &self.document.node_name(node), message);
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

    /// Notes what the node is; what its children get.
    fn place(&mut self, index: usize, above: &Place) -> Place {
        let node = &self.document.root.nodes[index];
        let name = self.document.node_name(index);
        let (role, base) = names::parse(node.name.as_deref().unwrap_or(""));
        let mut place = *above;
        place.author_from_node = above.author_from_node * self.document.transforms[index];
        if !place.author_from_node.is_finite() {
            let message = "its transform and those above it (scale, translation) give numbers that are not finite; reset them";
            self.broken("transform-overflow", &name, message);
            place.author_from_node = above.author_from_node;
        }
        let mut purpose = None;
        match role {
            Role::Room => {
                place.room = Some(self.room(node, base, &name));
                place.door = None;
            }
            Role::Portal => purpose = self.portal(node, base, &name, above.room),
            Role::Bound => purpose = self.bound(node, &name, above.room),
            Role::Door => place.door = self.door(&name, above.room),
            Role::ColOnly => place.drawn = false,
            Role::NoCol => place.solid = false,
            Role::Sky => place.sky = true,
            Role::Spawn => self.spawn(&name, &place),
            Role::Plain | Role::RoomGroup => {}
        }
        if let Some(mesh) = node.mesh {
            if !matches!(role, Role::Portal | Role::Bound) {
                purpose = self.surface(&name, &place);
            }
            if node.skin.is_some() {
                let message = "its skin (armature) is ignored: it is imported in its rest pose";
                self.problems.warn("skin-ignored", &name, message);
            }
            self.scene.instances.extend(purpose.map(|purpose| Instance {
                node: index,
                mesh: mesh.value(),
                author_from_mesh: place.author_from_node,
                purpose,
            }));
        }
        let lights = node.extensions.as_ref();
        if let Some(light) = lights.and_then(|e| e.khr_lights_punctual.as_ref()) {
            self.light(light.light.value(), &name, &place);
        }
        place
    }

    /// The index of the room with this name.
    fn room(&mut self, node: &json::Node, base: &'a str, name: &str) -> usize {
        if base.is_empty() {
            let message = "the room has no name; write one before -room";
            self.problems.error("room-without-name", name, message);
        } else if let Some(&first) = self.rooms.get(base) {
            let other = &self.scene.source.rooms[first].node;
            let message = format!(
                "is room {base}, and so is {other} (numbers as in .001, and what follows a *, do not count); rename one of them"
            );
            self.problems.error("room-name-twice", name, message);
            return first;
        }
        let open_to_sky = self.flag(node, "open", false, "room-open", name);
        let index = self.scene.source.rooms.len();
        self.rooms.insert(base, index);
        self.scene.source.rooms.push(RoomSource {
            name: base.to_owned(),
            node: name.to_owned(),
            open_to_sky,
        });
        index
    }

    /// A custom property; the default where there is none or, with a warning, no truth value.
    fn flag(
        &mut self,
        node: &json::Node,
        key: &str,
        default: bool,
        code: &'static str,
        name: &str,
    ) -> bool {
        let extras = Properties::of(node.extras.as_deref());
        extras
            .flag(key)
            .unwrap_or(Ok(default))
            .unwrap_or_else(|written| {
                let message = format!(
                    "its property {key} is {written}; {default} is used. Write true or false"
                );
                self.problems.warn(code, name, message);
                default
            })
    }

    fn portal(
        &mut self,
        node: &json::Node,
        dest: &str,
        name: &str,
        room: Option<usize>,
    ) -> Option<Purpose> {
        let Some(room) = room else {
            let message =
                "the portal stands below no room; make it a child of the room that it leads out of";
            self.problems.error("portal-outside-room", name, message);
            return None;
        };
        if node.mesh.is_none() {
            let message =
                "the portal has no mesh; give this name to the mesh that fills the opening";
            self.problems.error("portal-without-mesh", name, message);
            return None;
        }
        let two_way = self.flag(node, "two_way", true, "portal-two-way", name);
        self.scene.source.portals.push(PortalSource {
            node: name.to_owned(),
            room,
            dest: dest.to_owned(),
            two_way,
            triangles: Vec::new(),
        });
        Some(Purpose::Portal(self.scene.source.portals.len() - 1))
    }

    fn bound(&mut self, node: &json::Node, name: &str, room: Option<usize>) -> Option<Purpose> {
        let (Some(room), Some(_)) = (room, node.mesh) else {
            let message = "the bound has no mesh or stands below no room, and is ignored; make it a mesh below its room";
            self.problems.warn("bound-ignored", name, message);
            return None;
        };
        self.scene.source.bounds.push(BoundSource {
            room,
            node: name.to_owned(),
            triangles: Vec::new(),
        });
        Some(Purpose::Bound(self.scene.source.bounds.len() - 1))
    }

    fn door(&mut self, name: &str, room: Option<usize>) -> Option<usize> {
        if room.is_none() {
            let message = "the door leaf stands below no room; make it a child of the room whose portal it closes";
            self.problems.error("door-outside-room", name, message);
            return None;
        }
        self.scene.source.doors.push(DoorSource {
            meshes: Vec::new(),
            node: name.to_owned(),
        });
        Some(self.scene.source.doors.len() - 1)
    }

    fn surface(&mut self, name: &str, place: &Place) -> Option<Purpose> {
        let Some(room) = place.room else {
            let message = "the mesh stands below no room: it is neither drawn nor solid; make it a child of its room";
            self.problems.warn("mesh-outside-room", name, message);
            return None;
        };
        Some(Purpose::Surface {
            room,
            door: place.door,
            drawn: place.drawn,
            solid: place.solid,
            sky: place.sky,
        })
    }

    fn spawn(&mut self, name: &str, place: &Place) {
        let (position, forward) = self.pose(name, place);
        self.scene.source.spawns.push(SpawnSource {
            node: name.to_owned(),
            room: place.room,
            position,
            forward,
        });
    }

    fn light(&mut self, index: usize, name: &str, place: &Place) {
        let lights: &[Light] = self.document.root.as_ref();
        let emission = match lights.get(index).map(Emission::of) {
            Some(Ok(emission)) => emission,
            Some(Err(what)) => {
                let message =
                    format!("the light's {what} is wrong, and it stays dark; set it anew");
                self.problems.warn("light", name, message);
                return;
            }
            None => {
                let message = format!(
                    "has light {index}, which does not exist, and stays dark; export it again"
                );
                self.problems.warn("light", name, message);
                return;
            }
        };
        let (position, direction) = self.pose(name, place);
        self.scene.source.lights.push(LightSource {
            node: name.to_owned(),
            room: place.room,
            position,
            direction,
            colour: emission.colour,
            intensity: emission.intensity,
            range: emission.range,
            kind: emission.kind,
        });
    }

    /// Where the node stands, and the unit direction of its -Z.
    fn pose(&mut self, name: &str, place: &Place) -> (DVec3, DVec3) {
        let position = place.author_from_node.translation;
        if !super::in_reach(position) {
            self.broken("too-far", name, super::too_far(position));
        }
        let back = place.author_from_node.matrix3.z_axis;
        let largest = back.abs().max_element();
        let forward = (-back / largest).try_normalize().unwrap_or(DVec3::NEG_Z);
        (position, forward)
    }
}
