//! The rooms, portals and openings that the problems of the build concern, looked up by node.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::findings::Finding;
use crate::geometry::{Aabb, BoxTree};
use crate::level::{LevelData, RoomId};
use crate::naming::plain_name;
use crate::problems::ProblemCode;
use crate::source::{LevelSource, PortalSource};

/// Maximum distance between the centre of a portal with an error and that of a linked portal in the same opening,
/// metres.
const SAME_PORTAL: f64 = 0.05;

/// The rooms, the portal and the openings that a node concerns.
#[derive(Default)]
struct NodeGeometry {
    rooms: BTreeSet<RoomId>,
    /// The rooms whose surface the node is a part of.
    surfaces: BTreeSet<RoomId>,
    /// The portal, if the node is a portal or a portal's door panel.
    portal: Option<String>,
    /// The openings of the node's portals, except openings that a linked portal fills. Author's coordinates.
    openings: Vec<Aabb>,
}

/// Adds to the findings of a build the rooms, portals and openings of their nodes.
pub(super) fn resolve(level: Option<&LevelData>, source: &LevelSource, findings: &mut [Finding]) {
    let nodes = findings.iter().map(|finding| finding.node.clone());
    let mut subjects: BTreeMap<String, NodeGeometry> = nodes
        .filter(|node| !node.is_empty())
        .map(|node| (node, NodeGeometry::default()))
        .collect();
    if subjects.is_empty() {
        return;
    }
    add_rooms(source, &mut subjects);
    add_portals(level, source, &mut subjects);
    for mover in level.iter().flat_map(|level| &level.movers) {
        if let (Some(level), Some(link)) = (level, mover.link)
            && let Some(subject) = subjects.get_mut(&mover.name)
        {
            subject.portal = Some(level.link(link).name.clone());
        }
    }
    let unknown = openings_of_unknown(level, source, findings);
    for finding in findings {
        let Some(subject) = subjects.get(&finding.node) else {
            continue;
        };
        let rooms = match finding.code {
            // A flattening node affects only the surface of its rooms.
            ProblemCode::FlatScale => &subject.surfaces,
            _ => &subject.rooms,
        };
        finding.rooms = rooms.iter().copied().collect();
        finding.portal.clone_from(&subject.portal);
        finding.openings.clone_from(&subject.openings);
        match finding.code {
            ProblemCode::PortalUnknownRoom => finding.openings.clone_from(&unknown),
            ProblemCode::PortalFar => add_far(level, finding),
            _ => {}
        }
    }
}

/// Adds the rooms of nodes: to the node of a mesh or object its room, and to the node of a room that room.
fn add_rooms(source: &LevelSource, subjects: &mut BTreeMap<String, NodeGeometry>) {
    for mesh in &source.meshes {
        if let Some(subject) = subjects.get_mut(&*mesh.node) {
            let room = RoomId(mesh.room as u32);
            subject.surfaces.insert(room);
            subject.rooms.insert(room);
        }
    }
    let mut add = |node: &str, room: Option<usize>| {
        if let (Some(subject), Some(room)) = (subjects.get_mut(node), room) {
            subject.rooms.insert(RoomId(room as u32));
        }
    };
    for mover in &source.movers {
        let of_meshes = mover.meshes.iter().map(|mesh| mesh.room);
        for room in of_meshes.chain(mover.moved_rooms.iter().copied()) {
            add(&mover.node, Some(room));
        }
    }
    for body in &source.bodies {
        let room = body.meshes.first().map(|mesh| mesh.room);
        add(&body.node, room);
    }
    for light in &source.lights {
        add(&light.node, light.room);
    }
    for spawn in &source.spawns {
        add(&spawn.node, spawn.room);
    }
    // Rooms with the same name become one room, so its surface has the faces of all.
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, room) in source.rooms.iter().enumerate() {
        by_name.entry(&room.name).or_default().push(index);
    }
    let nodes: Vec<String> = subjects.keys().cloned().collect();
    let of_node = source.rooms.iter();
    let of_node: BTreeMap<&str, &str> = of_node
        .map(|room| (room.node.as_str(), room.name.as_str()))
        .collect();
    for node in nodes {
        let is_other = subjects
            .get(&node)
            .is_some_and(|subject| !subject.rooms.is_empty());
        let plain = (!is_other).then(|| plain_name(&node));
        let name = of_node.get(node.as_str()).copied().or(plain);
        let rooms = name.and_then(|name| by_name.get(name));
        for &room in rooms.into_iter().flatten() {
            if let Some(subject) = subjects.get_mut(&node) {
                subject.rooms.insert(RoomId(room as u32));
            }
        }
    }
}

/// Adds the rooms of portals, and the openings of those without a link.
fn add_portals(
    level: Option<&LevelData>,
    source: &LevelSource,
    subjects: &mut BTreeMap<String, NodeGeometry>,
) {
    for link in level.iter().flat_map(|level| &level.links) {
        if let Some(subject) = subjects.get_mut(&link.name) {
            subject.rooms.extend([link.near, link.far]);
            subject.portal = Some(link.name.clone());
        }
    }
    let linked = Linked::of(level);
    for portal in &source.portals {
        if let Some(subject) = subjects.get_mut(&portal.node) {
            subject.rooms.insert(RoomId(portal.room as u32));
            subject.openings.extend(linked.opening_without(portal));
        }
    }
}

/// The openings of all portals to rooms that do not exist. The findings have only the first portal to each such room.
fn openings_of_unknown(
    level: Option<&LevelData>,
    source: &LevelSource,
    findings: &[Finding],
) -> Vec<Aabb> {
    let is_unknown = |finding: &Finding| finding.code == ProblemCode::PortalUnknownRoom;
    if !findings.iter().any(is_unknown) {
        return Vec::new();
    }
    let linked = Linked::of(level);
    let names: BTreeSet<&str> = source.rooms.iter().map(|room| room.name.as_str()).collect();
    let leads_nowhere =
        |portal: &&PortalSource| !portal.dest.is_empty() && !names.contains(portal.dest.as_str());
    let portals = source.portals.iter().filter(leads_nowhere);
    portals
        .filter_map(|portal| linked.opening_without(portal))
        .collect()
}

/// Adds the two rooms and the opening of a portal to the finding that its far room is not there.
fn add_far(level: Option<&LevelData>, finding: &mut Finding) {
    let Some(level) = level else { return };
    let mut links = level.links.iter();
    let Some(link) = links.find(|link| link.name == finding.node) else {
        return;
    };
    let Aabb { min, max } = level.portal(link.portal).bounds;
    let [min, max] = [min, max].map(|corner| level.to_author(corner).0);
    finding.rooms = vec![link.near, link.far];
    finding.openings.push(Aabb { min, max });
}

/// The centres of the linked portals, author's coordinates.
struct Linked {
    centres: Vec<DVec3>,
    tree: BoxTree,
}

impl Linked {
    fn of(level: Option<&LevelData>) -> Self {
        let portals = level.iter().flat_map(|level| {
            let portals = level.portals.iter();
            portals.map(|portal| level.to_author(portal.polygon.centre()).0)
        });
        let centres: Vec<DVec3> = portals.collect();
        let tree = BoxTree::new(centres.iter().map(|&centre| Aabb::around([centre])));
        Self { centres, tree }
    }

    /// The opening of a portal, unless a linked portal stands in the same opening.
    fn opening_without(&self, portal: &PortalSource) -> Option<Aabb> {
        let bounds = Aabb::around(portal.triangles.iter().flatten().copied());
        if bounds.is_empty() {
            return None;
        }
        let centre = bounds.centre();
        let near = Aabb::around([centre]).grown(SAME_PORTAL);
        let is_linked = self.tree.any_touching(&near, |index| {
            self.centres[index as usize].distance(centre) < SAME_PORTAL
        });
        (!is_linked).then_some(bounds)
    }
}
