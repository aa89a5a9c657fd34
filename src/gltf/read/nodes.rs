//! Finds the role of each node from its name and properties, and the room that it belongs to.

use glam::DVec3;
use gltf::json;
use gltf::json::extensions::scene::khr_lights_punctual::Light;

use super::bodies;
use super::joints;
use super::lights::{self, Emission};
use super::movers;
use super::node_places::{MAX_BELOW, place_of};
use super::properties::Properties;
use super::scene::{InheritedState, MeshInstance, Owner, Purpose, TreeWalk};
use super::triggers;
use crate::geometry::Rigid;
use crate::level::{AuthorPoint, LightKind, Track};
use crate::naming;
use crate::naming::Role;
use crate::problems::{ProblemCode, ProblemPlace};
use crate::source::{
    BoundSource, LightSource, MoverSource, PortalSource, PortalTarget, RoomSource, SpawnSource,
    SpawnerSource, TriggerKindSource,
};

/// Maximum angle of the property `roll` of a portal, degrees.
const MAX_ROLL_DEG: f64 = 360.0;
/// Maximum length of a node's name, bytes. Every portal and every message contains the names of rooms, so a small file
/// with a long name could request any amount of memory.
const MAX_NAME: usize = 1000;
/// Maximum upward component of the unit direction in which a sun shines. If it is larger, the sun shines from below,
/// which is likely a mistake.
const MAX_RISE: f64 = 0.1;

impl<'a> TreeWalk<'a> {
    /// Adds the node to the scene with its role, and returns the state that its children inherit.
    pub(crate) fn place(&mut self, index: usize, above: &InheritedState) -> InheritedState {
        let node = &self.document.root.nodes[index];
        let name = self.document.node_name(index);
        let (mut role, mut base) = naming::parse(node.name.as_deref().unwrap_or(""));
        role = self.role_by_physics(index, role);
        if role == Role::Plain
            && let Some(meant) = self.meant(index, above)
        {
            (role, base) = meant;
        }
        if name.len() > MAX_NAME {
            let message = format!(
                "the node's name has {} bytes, more than {MAX_NAME}; shorten it",
                name.len()
            );
            self.problems
                .error(ProblemCode::NameTooLong, &name, message);
        }
        let mut place = *above;
        place.author_from_node = above.author_from_node * self.document.transforms[index];
        if !place.author_from_node.is_finite() {
            let message = "its transform and those above it (scale, translation) give numbers that are not finite; reset them";
            self.broken(ProblemCode::TransformOverflow, &name, message);
            place.author_from_node = above.author_from_node;
        }
        let mut purpose = None;
        match role {
            Role::Room => {
                let room = self.room(node, base, &name);
                place.room = Some(room);
                place.owner = Owner::Room;
                if movers::moves_room(self.document, index)
                    && let Some(mover) = self.mover(index, false, &name, &place)
                {
                    self.scene.source.movers[mover].moved_rooms.push(room);
                }
            }
            Role::Portal => purpose = self.portal(index, base, &name, &place),
            Role::Bound => purpose = self.bound(node, &name, above.room),
            Role::Door | Role::Mover => {
                let mover = self.mover(index, role == Role::Door, &name, &place);
                place.owner = mover.map_or(Owner::Room, Owner::Mover);
                place.is_reported |= place.room.is_none();
            }
            Role::Body | Role::Spawner => {
                let body = self.body(index, role, &name, &place);
                place.owner = body.map_or(Owner::Room, Owner::Body);
                place.is_reported |= place.room.is_none();
            }
            Role::ColOnly => place.drawn = false,
            Role::NoCol => place.solid = false,
            Role::Sky => place.sky = true,
            Role::Trigger | Role::Switch => {
                let is_switch = role == Role::Switch;
                purpose = self.trigger(node, is_switch, &name, above.room);
            }
            Role::Spawn => self.spawn(&name, &place),
            Role::Joint => self.joint(node, &name, &place),
            Role::Plain if node.mesh.is_none() => {
                let at = place.author_from_node.translation;
                if super::in_reach(at) {
                    self.scene.waypoints.push((name.clone(), at));
                }
            }
            Role::Plain | Role::RoomGroup => {}
        }
        let is_moved = matches!(role, Role::Room | Role::Door | Role::Mover);
        if !is_moved && place.room.is_some() && self.animated.contains(&index) {
            self.still(index, &name, &place);
        }
        self.warn_of_unread_properties(index, role, &name);
        self.place_physics(index, &name, &mut place);
        if let Some(mesh) = node.mesh {
            if !matches!(
                role,
                Role::Portal | Role::Bound | Role::Trigger | Role::Spawn | Role::Joint
            ) {
                purpose = self.surface(index, &name, &place);
                place.is_reported |= place.room.is_none();
            }
            if node.skin.is_some() {
                let message = "its skin (armature) is ignored: it is imported in its rest pose";
                self.problems.warn(ProblemCode::SkinIgnored, &name, message);
            }
            self.scene
                .instances
                .extend(purpose.map(|purpose| MeshInstance {
                    node: index,
                    mesh: mesh.value(),
                    author_from_mesh: place.author_from_node,
                    purpose,
                }));
        }
        let lights = node.extensions.as_ref();
        if let Some(light) = lights.and_then(|e| e.khr_lights_punctual.as_ref()) {
            self.light((index, light.light.value()), &name, &place);
        }
        place
    }

    /// Warns that a node's animation is not used, if its effect would be visible.
    fn still(&mut self, index: usize, name: &str, place: &InheritedState) {
        if !self.is_parent_of_meshes(index) {
            return;
        }
        let message = "its animation is not used, and it stands still: only doors, movers and rooms move; give it the ending `-mover`, or take the animation away";
        let at = ProblemPlace::at(AuthorPoint(place.author_from_node.translation));
        let code = ProblemCode::MoverProperty;
        self.problems
            .add(false, code, name, Some(at), || message.to_owned());
    }

    /// The index of the room with this name.
    fn room(&mut self, node: &json::Node, base: &'a str, name: &str) -> usize {
        if base.is_empty() {
            let message = "the room has no name; write one before -room";
            self.problems
                .error(ProblemCode::RoomWithoutName, name, message);
        } else if let Some(&first) = self.rooms.get(base) {
            let other = &self.scene.source.rooms[first].node;
            let message = format!(
                "is room {base}, and so is {other} (numbers as in .001, and the part from a * on, do not count); rename one of them"
            );
            self.problems
                .error(ProblemCode::RoomNameTwice, name, message);
            return first;
        }
        let open_to_sky = self.flag(node, "open", false, ProblemCode::RoomOpen, name);
        let index = self.scene.source.rooms.len();
        self.rooms.insert(base, index);
        self.scene.source.rooms.push(RoomSource {
            name: base.to_owned(),
            node: name.to_owned(),
            open_to_sky,
        });
        index
    }

    /// A boolean custom property; the default if it is absent or, with a warning, not a boolean.
    fn flag(
        &mut self,
        node: &json::Node,
        key: &str,
        default: bool,
        code: ProblemCode,
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
        index: usize,
        dest: &str,
        name: &str,
        place: &InheritedState,
    ) -> Option<Purpose> {
        let node = &self.document.root.nodes[index];
        let Some(room) = place.room else {
            let message =
                "the portal stands below no room; make it a child of the room that it leads out of";
            let at = place_of(self.document, index, &place.author_from_node, 1);
            let code = ProblemCode::PortalOutsideRoom;
            self.problems
                .add(true, code, name, at, || message.to_owned());
            return None;
        };
        if node.mesh.is_none() {
            let message =
                "the portal has no mesh; give this name to the mesh that fills the opening";
            self.problems
                .error(ProblemCode::PortalWithoutMesh, name, message);
            return None;
        }
        let two_way = self.flag(node, "two_way", true, ProblemCode::PortalTwoWay, name);
        let leads_to = self.portal_target(node, name);
        self.scene.source.portals.push(PortalSource {
            node: name.to_owned(),
            room,
            dest: dest.to_owned(),
            two_way,
            far_from_near: Rigid::IDENTITY,
            leads_to,
            triangles: Vec::new(),
        });
        Some(Purpose::Portal(self.scene.source.portals.len() - 1))
    }

    /// The portal that the properties of a portal name, if any.
    fn portal_target(&mut self, node: &json::Node, name: &str) -> Option<PortalTarget> {
        let extras = Properties::of(node.extras.as_deref());
        let roll = extras.number("roll").and_then(|roll| {
            let angle = roll.and_then(|angle| {
                let is_used = angle.abs() <= MAX_ROLL_DEG;
                is_used.then_some(angle).ok_or_else(|| angle.to_string())
            });
            let report = |written: String| {
                let message = format!(
                    "its property roll is {written} and is not used; write an angle of -{MAX_ROLL_DEG} to {MAX_ROLL_DEG} degrees"
                );
                self.problems
                    .warn(ProblemCode::PortalLeadsTo, name, message);
            };
            angle.map_err(report).ok()
        });
        let target = extras.text("leads_to")?;
        Some(PortalTarget {
            node: target,
            roll_deg: roll,
        })
    }

    fn bound(&mut self, node: &json::Node, name: &str, room: Option<usize>) -> Option<Purpose> {
        let (Some(room), Some(_)) = (room, node.mesh) else {
            let message = "the bound has no mesh or stands below no room, and is ignored; make it a mesh below its room";
            self.problems.warn(ProblemCode::BoundIgnored, name, message);
            return None;
        };
        self.scene.source.bounds.push(BoundSource {
            room,
            node: name.to_owned(),
            triangles: Vec::new(),
        });
        Some(Purpose::Bound(self.scene.source.bounds.len() - 1))
    }

    /// The index of the mover of a node. Its meshes are those at the node and below it.
    fn mover(
        &mut self,
        index: usize,
        is_door: bool,
        name: &str,
        place: &InheritedState,
    ) -> Option<usize> {
        if place.room.is_none() {
            let (code, message) = if is_door {
                let message = "the door panel stands below no room; make it a child of the room whose portal it closes";
                (ProblemCode::DoorOutsideRoom, message)
            } else {
                let message =
                    "the mover stands below no room; make it a child of the room that it moves in";
                (ProblemCode::MoverOutsideRoom, message)
            };
            let at = place_of(self.document, index, &place.author_from_node, MAX_BELOW);
            self.problems
                .add(true, code, name, at, || message.to_owned());
            return None;
        }
        let extras = &self.document.root.nodes[index].extras;
        let extras = Properties::of(extras.as_deref());
        let author_from_node = &place.author_from_node;
        let (motion, drive) = movers::read(
            &extras,
            is_door,
            (index, author_from_node),
            name,
            self.problems,
        );
        self.scene.motions.push(motion);
        self.scene.source.movers.push(MoverSource {
            node: name.to_owned(),
            meshes: Vec::new(),
            is_door,
            track: Track::Vanish,
            drive,
            moved_rooms: Vec::new(),
            moves_with: extras.text("moves_with"),
        });
        Some(self.scene.source.movers.len() - 1)
    }

    /// The index of the body of a node, or of the body that a spawner copies. Its meshes are those at the node and
    /// below it.
    fn body(
        &mut self,
        index: usize,
        role: Role,
        name: &str,
        place: &InheritedState,
    ) -> Option<usize> {
        if place.room.is_none() {
            let message =
                "the body stands below no room; make it a child of the room that it is in at first";
            let at = place_of(self.document, index, &place.author_from_node, MAX_BELOW);
            let code = ProblemCode::BodyOutsideRoom;
            self.problems
                .add(true, code, name, at, || message.to_owned());
            return None;
        }
        let node = &self.document.root.nodes[index];
        let extras = Properties::of(node.extras.as_deref());
        let is_spawner = role == Role::Spawner;
        let names: &[&str] = match is_spawner {
            true => &bodies::NAMES_OF_SPAWNERS,
            false => &bodies::NAMES,
        };
        let author_from_node = &place.author_from_node;
        let body = bodies::read(&extras, author_from_node, (name, names), self.problems);
        if is_spawner {
            self.scene.source.spawners.push(SpawnerSource {
                node: name.to_owned(),
                spawning: bodies::spawner(&extras, name, self.problems),
            });
        }
        self.scene.source.bodies.push(body);
        Some(self.scene.source.bodies.len() - 1)
    }

    /// Adds the trigger of a node with its volume. A trigger without a mesh only relays signals from other triggers.
    fn trigger(
        &mut self,
        node: &json::Node,
        is_switch: bool,
        name: &str,
        room: Option<usize>,
    ) -> Option<Purpose> {
        let Some(room) = room else {
            let message = "it stands below no room, and is ignored; make it a child of its room";
            self.problems
                .warn(ProblemCode::TriggerOutsideRoom, name, message);
            return None;
        };
        let extras = Properties::of(node.extras.as_deref());
        let kind = match (is_switch, node.mesh.is_some()) {
            (true, _) => TriggerKindSource::Switch {
                bump: matches!(extras.flag("bump"), Some(Ok(true))),
            },
            (false, true) => TriggerKindSource::Volume(Vec::new()),
            (false, false) => TriggerKindSource::Relay,
        };
        let trigger = triggers::read(&extras, kind, (name, room), self.problems);
        self.scene.source.triggers.push(trigger);
        (!is_switch).then_some(Purpose::Trigger(self.scene.source.triggers.len() - 1))
    }

    fn surface(&mut self, index: usize, name: &str, place: &InheritedState) -> Option<Purpose> {
        let Some(room) = place.room else {
            if place.is_reported {
                return None;
            }
            let message = "the mesh stands below no room: it is neither drawn nor solid; make it a child of its room";
            let at = place_of(self.document, index, &place.author_from_node, MAX_BELOW);
            let code = ProblemCode::MeshOutsideRoom;
            self.problems
                .add(false, code, name, at, || message.to_owned());
            return None;
        };
        Some(Purpose::Surface {
            room,
            owner: place.owner,
            drawn: place.drawn,
            solid: place.solid,
            sky: place.sky,
        })
    }

    fn spawn(&mut self, name: &str, place: &InheritedState) {
        let (position, forward) = self.pose(name, place);
        self.scene.source.spawns.push(SpawnSource {
            node: name.to_owned(),
            room: place.room,
            position: AuthorPoint(position),
            forward,
        });
    }

    fn joint(&mut self, node: &json::Node, name: &str, place: &InheritedState) {
        self.pose(name, place);
        let extras = Properties::of(node.extras.as_deref());
        let joint = joints::read(&extras, name, place, self.problems);
        self.scene.source.joints.push(joint);
    }

    fn light(&mut self, (node, index): (usize, usize), name: &str, place: &InheritedState) {
        let lights: &[Light] = self.document.root.as_ref();
        let emission = match lights.get(index).map(Emission::of) {
            Some(Ok(emission)) => emission,
            Some(Err(what)) => {
                let message =
                    format!("the light's {what} is wrong, and it stays dark; set it again");
                self.problems.warn(ProblemCode::Light, name, message);
                return;
            }
            None => {
                let message = format!(
                    "has light {index}, but the file has only {}; export it again",
                    lights.len()
                );
                self.problems.error(ProblemCode::Light, name, message);
                return;
            }
        };
        let (position, direction) = self.pose(name, place);
        let extras = Properties::of(self.document.root.nodes[node].extras.as_deref());
        let (starts_lit, flicker) = lights::states(&extras, name, self.problems);
        let is_sun = emission.kind == LightKind::Directional;
        let odd = match emission.intensity {
            0.0 => {
                Some("the light has no strength, and lights nothing; give it some (Blender: Power)")
            }
            _ if emission.colour == [0.0; 3] => {
                Some("the light is black, and lights nothing; give it a colour (Blender: Color)")
            }
            _ if is_sun && direction.y > MAX_RISE => Some(
                "the sun shines upwards, and lights ceilings at most; turn it round (Blender: it shines along its -Z)",
            ),
            _ => None,
        };
        if let Some(odd) = odd {
            let at = ProblemPlace::at(AuthorPoint(position));
            let message = || odd.to_owned();
            self.problems
                .add(false, ProblemCode::Light, name, Some(at), message);
        }
        let radius = self.radius_of_light((node, index), name, emission.kind);
        self.scene.source.lights.push(LightSource {
            node: name.to_owned(),
            room: place.room,
            position: AuthorPoint(position),
            direction,
            colour: emission.colour,
            intensity: emission.intensity,
            radius,
            range: emission.range,
            kind: emission.kind,
            starts_lit,
            flicker,
        });
    }

    /// The position of the node, and the unit vector along its -Z axis.
    fn pose(&mut self, name: &str, place: &InheritedState) -> (DVec3, DVec3) {
        let position = place.author_from_node.translation;
        if !super::in_reach(position) {
            self.broken(ProblemCode::TooFar, name, super::too_far(position));
        }
        let back = place.author_from_node.matrix3.z_axis;
        let largest = back.abs().max_element();
        let forward = (-back / largest).try_normalize().unwrap_or(DVec3::NEG_Z);
        (position, forward)
    }
}
