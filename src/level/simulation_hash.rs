//! A hash of everything in a level that affects the simulation.

use super::{
    Drive, Joint, JointBase, JointKind, LevelData, Mover, Portal, RigidBody, SolidSet, Track,
    Trigger, TriggerKind, TriggerTarget,
};
use crate::geometry::Rigid;
use crate::hash::Fnv128;
use crate::shapes::{MassProperties, Shape};

/// Stands for an index that does not exist.
const NONE: u32 = u32::MAX;

impl LevelData {
    /// A hash of everything that a simulation of the level depends on: solid triangles and their contact properties,
    /// portals, movers, bodies, triggers, and their names. Levels with the same hash may differ in appearance and
    /// spawns.
    pub fn simulation_hash(&self) -> u128 {
        let surfaces = SurfaceHashes::of(self);
        let hash = Fnv128::EMPTY
            .words(&self.origin.to_array())
            .words(&[self.stiffness.substeps()]);
        let hash = self.rooms.iter().fold(hash, |hash, room| {
            let moved_by = room.moved_by.map_or(NONE, |mover| mover.0);
            let hash = named(hash, &room.name).words(&[u32::from(room.open_to_sky), moved_by]);
            surfaces.solids(hash, &room.solids)
        });
        let hash = self.links.iter().fold(hash, |hash, link| {
            let panel = link.panel.map_or(NONE, |panel| panel.0);
            let back = link.back.map_or(NONE, |back| back.0);
            named(hash, &link.name).words(&[link.portal.0, back, panel])
        });
        let hash = self.portals.iter().fold(hash, portal);
        let hash = self.movers.iter().fold(hash, |hash, mover| {
            surfaces.solids(moving(hash, mover), &mover.solids)
        });
        let hash = self.bodies.iter().fold(hash, |hash, body| {
            surfaces.solids(rigid_body(hash, body), &body.solids)
        });
        let hash = self.spawners.iter().fold(hash, |hash, spawner| {
            let flags = [spawner.endless, spawner.begins_at_once].map(u8::from);
            named(hash, &spawner.name)
                .words(&[spawner.bodies.len() as u32, spawner.every_ticks])
                .words(&spawner.velocity.to_array())
                .bytes(&flags)
        });
        let hash = self.joints.all.iter().fold(hash, joint);
        self.triggers.iter().fold(hash, trigger).0
    }
}

/// Hashes of materials and node names, computed once because many triangles share them.
struct SurfaceHashes<'a> {
    level: &'a LevelData,
    /// The hash of the contact properties of each material.
    materials: Vec<u64>,
    /// The hash of the name of each node.
    nodes: Vec<u64>,
}

impl<'a> SurfaceHashes<'a> {
    fn of(level: &'a LevelData) -> Self {
        let materials = level.materials.iter().map(|material| {
            let response = [material.friction, material.drag, material.bounce];
            let is_two_sided = u8::from(material.double_sided);
            Fnv128::EMPTY.words(&response).bytes(&[is_two_sided]).0 as u64
        });
        let nodes = level.solids.node_names().iter();
        Self {
            level,
            materials: materials.collect(),
            nodes: nodes
                .map(|name| named(Fnv128::EMPTY, name).0 as u64)
                .collect(),
        }
    }

    fn solids(&self, hash: Fnv128, set: &SolidSet) -> Fnv128 {
        let hash = hash.words(&[set.len() as u64]);
        self.level.solids.of(set).fold(hash, |hash, solid| {
            let surface = solid.surface;
            let [a, b, c] = solid.edges.map(|kind| kind as u64);
            let of_surface = [
                self.materials[surface.material as usize],
                self.nodes[surface.node as usize],
                a | b << 8 | c << 16,
            ];
            hash.words(&solid.corners).words(&of_surface)
        })
    }
}

fn joint(hash: Fnv128, joint: &Joint) -> Fnv128 {
    let (kind, numbers) = match joint.kind {
        JointKind::Ball => (0, [0.0; 2]),
        JointKind::Hinge { limits: None } => (1, [0.0; 2]),
        JointKind::Hinge {
            limits: Some(limits),
        } => (2, limits),
        JointKind::Rope { length } => (3, [length, 0.0]),
    };
    let hash = named(hash, &joint.name)
        .words(&[kind, joint.body.0])
        .words(&numbers)
        .words(&[joint.damping]);
    let hash = rigid(hash, &joint.body_from_joint);
    match &joint.base {
        JointBase::Body(body, body_from_joint) => rigid(hash.words(&[0, body.0]), body_from_joint),
        JointBase::Room(at, axes) => {
            let there = Rigid::new(*axes, at.point);
            rigid(hash.words(&[1, at.room.0]), &there)
        }
    }
}

fn portal(hash: Fnv128, portal: &Portal) -> Fnv128 {
    let hash = hash.words(&[portal.link.0, portal.near.0, portal.far.0]);
    rigid(hash.words(&portal.polygon.vertices), &portal.far_from_near)
}

fn rigid(hash: Fnv128, rigid: &Rigid) -> Fnv128 {
    let rotation = rigid.rotation().to_cols_array();
    hash.words(&rotation).words(&rigid.translation().to_array())
}

fn moving(hash: Fnv128, mover: &Mover) -> Fnv128 {
    let Drive {
        ticks,
        first_tick,
        cycle,
        wait_ticks,
        started_by,
        locked,
        when_blocked,
        surface_velocity,
    } = &mover.drive;
    let link = mover.link.map_or(NONE, |link| link.0);
    let moved_rooms: Vec<u32> = mover.moved_rooms.iter().map(|room| room.0).collect();
    let hash = named(hash, &mover.name)
        .words(&[mover.room.0, link, u32::from(mover.see_through)])
        .words(&moved_rooms)
        .words(&[*ticks, *first_tick, *wait_ticks, u32::from(*locked)])
        .words(&[*cycle as u32, *started_by as u32, *when_blocked as u32])
        .words(&surface_velocity.to_array());
    match &mover.track {
        Track::Vanish => hash.words(&[0u32]),
        Track::Turn { pivot, axis, angle } => {
            let hash = hash.words(&[1u32]).words(&[*pivot, *axis]);
            hash.words(&[*angle])
        }
        Track::Slide(by) => hash.words(&[2u32]).words(&by.to_array()),
        Track::Keys(keys) => keys.iter().fold(hash.words(&[3u32]), |hash, key| {
            let hash = hash.words(&[key.part]).words(&[key.pivot, key.offset]);
            hash.words(&key.rotation.to_array())
        }),
    }
}

fn rigid_body(hash: Fnv128, body: &RigidBody) -> Fnv128 {
    let MassProperties {
        mass,
        centre,
        moments,
        axes,
    } = &body.mass;
    let hash = named(hash, &body.name)
        .words(&[body.start.room.0])
        .words(&[body.start.point, *centre, *moments])
        .words(&body.rotation.to_array())
        .words(&axes.to_cols_array())
        .words(&[*mass, body.friction, body.bounce]);
    match &body.shape {
        Shape::Sphere { radius } => hash.words(&[*radius]),
        Shape::Capsule {
            half_segment,
            radius,
        } => hash.words(&[*half_segment]).words(&[*radius]),
        shape => shape
            .triangles()
            .iter()
            .fold(hash, |hash, triangle| hash.words(&triangle.corners)),
    }
}

fn trigger(hash: Fnv128, trigger: &Trigger) -> Fnv128 {
    let hash = named(hash, &trigger.name).words(&[
        trigger.room.0,
        trigger.delay_ticks,
        trigger.wait_ticks,
        u32::from(trigger.once),
    ]);
    let targets = trigger.targets.iter().map(|target| match target {
        TriggerTarget::Link(link) => [0, link.0],
        TriggerTarget::Mover(mover) => [1, mover.0],
        TriggerTarget::Trigger(other) => [2, other.0],
        TriggerTarget::Spawner(spawner) => [3, spawner.0],
        TriggerTarget::Body(body) => [4, body.0],
        TriggerTarget::Light(light) => [5, light.0],
    });
    let hash = hash.words(&targets.collect::<Vec<[u32; 2]>>());
    match &trigger.kind {
        TriggerKind::Volume { triangles, .. } => {
            let hash = hash.words(&[0u32]);
            triangles
                .iter()
                .fold(hash, |hash, triangle| hash.words(&triangle.corners))
        }
        TriggerKind::Switch { bump } => hash.words(&[1u32, u32::from(*bump)]),
        TriggerKind::Relay => hash.words(&[2u32]),
    }
}

/// Continues a hash with a name and a terminator.
fn named(hash: Fnv128, name: &str) -> Fnv128 {
    hash.bytes(name.as_bytes()).bytes(&[0xff])
}
