//! Nodes whose names almost follow the naming convention. If the intended role is clear, the node is read with that
//! role and the name is reported as an error, so that it causes no further problems.

use std::collections::BTreeSet;

use gltf::json;

use crate::gltf::read::node_places::{bounds_of, place_of};
use crate::gltf::read::properties::Properties;
use crate::gltf::read::scene::{InheritedState, Owner, TreeWalk};
use crate::naming::{self, Role};
use crate::problems::{Mend, ProblemCode};

/// Maximum number of a node's descendants that are searched for meshes and rooms.
const MAX_BELOW: usize = 64;
/// Maximum thickness of a mesh that may be a portal, in mesh coordinates.
const FLAT: f64 = 2e-3;
/// Properties that doors, movers, triggers or switches have.
const OF_MOVERS: [&str; 8] = [
    "motion",
    "target",
    "opens",
    "starts",
    "cycle",
    "conveyor",
    "moves_with",
    "locked",
];

/// Properties of bodies.
const OF_BODIES: [&str; 4] = ["mass", "shape", "friction", "bounce"];

/// The property that all joints have.
const OF_JOINTS: &str = "bodies";

/// Whether a node has the property of portals that lead to another portal.
fn leads_to_portal(node: &json::Node) -> bool {
    Properties::of(node.extras.as_deref()).has("leads_to")
}

impl<'a> TreeWalk<'a> {
    /// The role that a node without a role was meant to have, and the node's name without the ending.
    pub(crate) fn meant(
        &mut self,
        index: usize,
        above: &InheritedState,
    ) -> Option<(Role, &'a str)> {
        let document = self.document;
        let node = &document.root.nodes[index];
        let written = node.name.as_deref()?;
        let is_typo_of_room = !written.to_ascii_lowercase().contains("room");
        let (role, base) = match self.wanted_room(written) {
            // A portal names this node as the room behind it.
            Some(base) => (Role::Room, base),
            None => naming::almost(written)?,
        };
        if role == Role::Room && is_typo_of_room && !self.is_wanted(base) {
            return None;
        }
        let room = self.room_like(base);
        let is_meant = match role {
            Role::Room => {
                !base.is_empty()
                    && above.room.is_none()
                    && !self.rooms.contains_key(base)
                    && self.is_parent_of_meshes(index)
            }
            Role::Portal => {
                let is_free = above.room.is_some() && above.owner == Owner::Room;
                is_free && (base.is_empty() || room.is_some()) && self.is_flat(node)
            }
            Role::Spawn => node.mesh.is_none() && !self.has_spawn(),
            Role::ColOnly | Role::NoCol => node.mesh.is_some() && above.room.is_some(),
            Role::Door | Role::Mover | Role::Trigger | Role::Switch => {
                let extras = Properties::of(node.extras.as_deref());
                OF_MOVERS.iter().any(|key| extras.has(key))
            }
            Role::Body | Role::Spawner => {
                let extras = Properties::of(node.extras.as_deref());
                node.mesh.is_some() && OF_BODIES.iter().any(|key| extras.has(key))
            }
            Role::Joint => {
                let extras = Properties::of(node.extras.as_deref());
                extras.has(OF_JOINTS)
            }
            Role::Sky | Role::Bound => node.mesh.is_some() && room.is_some(),
            Role::Plain | Role::RoomGroup => false,
        };
        if !is_meant {
            return None;
        }
        // The base of a portal or bound is the name of its room, so the room's spelling is used.
        let base = match role {
            Role::Portal | Role::Bound => room.unwrap_or(base),
            _ => base,
        };
        let right = match (role, base) {
            (Role::Spawn, "") => "player-spawn".to_owned(),
            (Role::Body, "") => "prop-body".to_owned(),
            _ => format!("{base}{}", role.ending()),
        };
        let or_delete = if naming::has_remark(written) {
            ", or delete it if it is left over"
        } else {
            ""
        };
        let message = format!(
            "its name is almost that of a {}, and is not read as one: the ending is written `{}`, at the end of the name, with a hyphen; rename it to `{right}`{or_delete}",
            role.ending().trim_start_matches('-'),
            role.ending()
        );
        let name = document.node_name(index);
        let is_error = matches!(role, Role::Room | Role::Portal | Role::Spawn);
        let author_from_node = above.author_from_node * document.transforms[index];
        let place = place_of(document, index, &author_from_node, MAX_BELOW);
        let mend = Mend::Rename {
            node: index,
            name: right,
        };
        self.problems.add_mendable(
            is_error,
            ProblemCode::NameAlmost,
            &name,
            (place, Some(mend)),
            || message,
        );
        is_error.then_some((role, base))
    }

    /// If a portal leads to a missing room that has this node's name, with or without `room` at the end: that name.
    /// `None` for a node with a role.
    fn wanted_room(&mut self, written: &'a str) -> Option<&'a str> {
        let (role, base) = naming::parse(written);
        let without_ending = || {
            let at = base.len().checked_sub("room".len())?;
            let (stem, ending) = base.split_at_checked(at)?;
            ending.eq_ignore_ascii_case("room").then_some(stem)
        };
        if role != Role::Plain {
            return None;
        }
        let mut names = [Some(base), without_ending()].into_iter().flatten();
        names.find(|name| self.is_wanted(name))
    }

    /// Whether a portal leads to a room with this name, and no node has the name.
    fn is_wanted(&mut self, name: &str) -> bool {
        let nodes = &self.document.root.nodes;
        let of_role = |of: Role| {
            // The name of a portal that leads to another portal names no room.
            let names = nodes.iter().filter(|node| !leads_to_portal(node));
            let names = names.filter_map(|node| node.name.as_deref());
            let parsed = names.map(naming::parse);
            let wanted = parsed.filter(move |(role, base)| *role == of && !base.is_empty());
            wanted.map(|(_, base)| base)
        };
        let wanted = self.wanted_rooms.get_or_insert_with(|| {
            let rooms: BTreeSet<&str> = of_role(Role::Room).collect();
            let portals = of_role(Role::Portal);
            portals.filter(|base| !rooms.contains(base)).collect()
        });
        wanted.contains(name)
    }

    /// Whether there are meshes but no rooms at a node and below it.
    pub(crate) fn is_parent_of_meshes(&self, index: usize) -> bool {
        let (mut waiting, mut meshes) = (vec![index], false);
        for _ in 0..MAX_BELOW {
            let Some(next) = waiting.pop() else { break };
            let Some(node) = self.document.root.nodes.get(next) else {
                continue;
            };
            if naming::parse(node.name.as_deref().unwrap_or("")).0 == Role::Room {
                return false;
            }
            meshes |= node.mesh.is_some();
            let children = node.children.iter().flatten();
            waiting.extend(children.map(|child| child.value()));
        }
        meshes
    }

    /// The name of the room that is equal to `base` except for letter case; its node may be one that is only meant to
    /// be a room.
    fn room_like(&mut self, base: &str) -> Option<&'a str> {
        let nodes = self.document.root.nodes.iter();
        let names = self.room_names.get_or_insert_with(|| {
            let names = nodes.filter_map(|node| node.name.as_deref());
            let room = |name: &'a str| match naming::parse(name) {
                (Role::Room, base) => Some(base),
                (Role::Plain, _) => match naming::almost(name)? {
                    (Role::Room, base) => Some(base),
                    _ => None,
                },
                _ => None,
            };
            names
                .filter_map(room)
                .map(|name| (name.to_ascii_lowercase(), name))
                .collect()
        });
        names.get(&base.to_ascii_lowercase()).copied()
    }

    fn has_spawn(&mut self) -> bool {
        let nodes = &self.document.root.nodes;
        let is_spawn =
            |node: &json::Node| naming::parse(node.name.as_deref().unwrap_or("")).0 == Role::Spawn;
        *self
            .has_spawn
            .get_or_insert_with(|| nodes.iter().any(is_spawn))
    }

    /// Whether a node has a mesh that is flat along one of its axes.
    fn is_flat(&self, node: &json::Node) -> bool {
        let meshes = &self.document.root.meshes;
        let mesh = node.mesh.and_then(|mesh| meshes.get(mesh.value()));
        let Some([primitive]) = mesh.map(|mesh| mesh.primitives.as_slice()) else {
            return false;
        };
        // If the bounds of a mesh are not declared, it may be flat.
        bounds_of(self.document, primitive)
            .is_none_or(|bounds| (bounds.max - bounds.min).min_element() < FLAT)
    }
}
