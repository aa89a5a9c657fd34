//! Reports custom properties at places where they are not read.

use super::properties::Properties;
use super::ranges::Ranges;
use super::scene::TreeWalk;
use super::{bodies, joints, movers, triggers};
use crate::naming::Role;
use crate::problems::ProblemCode;

const OF_ROOMS: &str = "open";
const OF_PORTALS: [&str; 3] = ["two_way", "leads_to", "roll"];
/// Physical properties of surfaces. They are read from materials, and for bodies also from the nodes.
const OF_MATERIALS: [&str; 3] = ["friction", "bounce", "drag"];

/// Maximum number of nodes that a message lists.
const MAX_NAMED: usize = 4;

impl TreeWalk<'_> {
    /// Warns of properties that are misspelt, are on a node's mesh instead of the node, or belong to a material.
    pub(crate) fn warn_of_unread_properties(&mut self, index: usize, role: Role, name: &str) {
        let node = &self.document.root.nodes[index];
        let meshes = &self.document.root.meshes;
        let mesh = node.mesh.and_then(|mesh| meshes.get(mesh.value()));
        let of_mesh = mesh.and_then(|mesh| mesh.extras.as_deref());
        if node.extras.is_none() && of_mesh.is_none() {
            return;
        }
        let own = Properties::of(node.extras.as_deref());
        let (code, names) = known(role);
        let mut ranges = Ranges {
            code,
            of: "its property",
            name,
            problems: self.problems,
        };
        // For moving rooms, the reader of motions checks the properties.
        let is_static_room = role == Role::Room && !movers::moves_room(self.document, index);
        if is_static_room || role == Role::Portal {
            ranges.warn_of_typos(&own, &names);
        }
        let of_mesh = Properties::of(of_mesh);
        let unread = names.iter().filter(|key| of_mesh.has(key) && !own.has(key));
        let unread: Vec<&str> = unread.copied().collect();
        if !unread.is_empty() {
            let message = format!(
                "the properties of its mesh are not read (`{}`); set them on the object (Blender: Object Properties, Custom Properties)",
                unread.join("`, `")
            );
            ranges.problems.warn(code, name, message);
        }
        let is_surface = matches!(role, Role::Plain | Role::ColOnly | Role::Door | Role::Mover);
        if !is_surface || mesh.is_none() {
            return;
        }
        for key in OF_MATERIALS.iter().filter(|key| own.has(key)) {
            let message = format!(
                "its property `{key}` is not read: surfaces have that of their material; write it there (Blender: Material Properties, Custom Properties), or let the object be a body (`NAME-body`)"
            );
            let code = ProblemCode::MaterialProperty;
            ranges.problems.warn(code, name, message);
        }
    }
}

impl TreeWalk<'_> {
    /// Warns if a file has no custom properties at all although some nodes need them: the properties were not exported.
    pub(crate) fn warn_of_lost_properties(&mut self) {
        let root = &self.document.root;
        let mut extras = root.nodes.iter().map(|node| &node.extras);
        if extras.any(Option::is_some) {
            return;
        }
        let triggers = &self.scene.source.triggers;
        let movers = self.scene.source.movers.iter().zip(&self.scene.motions);
        let still = movers.filter(|(_, motion)| !self.animated.contains(&motion.node()));
        let still: Vec<&str> = still.map(|(mover, _)| mover.node.as_str()).collect();
        // If only one node needs properties, it may simply lack them.
        let Some(first) = triggers
            .first()
            .filter(|_| triggers.len() + still.len() > 1)
        else {
            return;
        };
        let others = triggers.iter().skip(1).map(|trigger| trigger.node.as_str());
        let others: Vec<&str> = others.chain(still).take(MAX_NAMED).collect();
        let message = format!(
            "no node of this file has custom properties, though it has switches, triggers, doors or movers that are nothing without (`{}`, `{}`): export them (Blender: File, Export, glTF 2.0, Include, Custom Properties)",
            first.node,
            others.join("`, `")
        );
        self.problems
            .warn(ProblemCode::NoCustomProperties, "", message);
    }
}

/// The properties that nodes with this role may have, and the code of problems with them.
fn known(role: Role) -> (ProblemCode, Vec<&'static str>) {
    match role {
        Role::Room => {
            // The most common property comes first, because a misspelt name may be similar to two.
            let names = [OF_ROOMS].into_iter().chain(movers::NAMES);
            (ProblemCode::RoomOpen, names.collect())
        }
        Role::Portal => (ProblemCode::PortalTwoWay, OF_PORTALS.to_vec()),
        Role::Door | Role::Mover => (ProblemCode::MoverProperty, movers::NAMES.to_vec()),
        Role::Body => (ProblemCode::BodyProperty, bodies::NAMES.to_vec()),
        Role::Spawner => (
            ProblemCode::BodyProperty,
            bodies::NAMES_OF_SPAWNERS.to_vec(),
        ),
        Role::Joint => (ProblemCode::JointProperty, joints::NAMES.to_vec()),
        Role::Trigger | Role::Switch => (ProblemCode::TriggerProperty, triggers::NAMES.to_vec()),
        _ => (ProblemCode::MaterialProperty, Vec::new()),
    }
}
