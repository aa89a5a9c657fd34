//! The light on all nodes for the current state of the doors: sweeps of Jacobi's method over the stored rays.
//!
//! The result of every sweep is stored. After a change, each sweep is repeated for the rooms whose inputs changed, so
//! that the result is bitwise equal to that of solving all rooms again.

use std::sync::Arc;

use glam::Vec3;

use super::chains::{ChainId, Gate};
use super::paths::{DirectLight, Node, RAYS, Transport};
use super::probes::ProbeLight;
use crate::level::RoomId;
use crate::lighting::gpu_light::LampLight;
use crate::lighting::lightmap::Lightmap;
use crate::lighting::reflectance::Reflectance;
use crate::lighting::room_set::RoomSet;

/// The number of sweeps. They begin with the light of [`crate::lighting::radiosity`], which has all reflections between
/// rooms, so they only need to distribute light within a few rooms.
const SWEEPS: usize = 16;
/// The maximum radiosity of a very small surface, 1 being white: few rays hit a flame or a lampshade beside its lamp,
/// and each of them would be a bright spot.
const MAX_SMALL: f32 = 1.0;
/// The increase of the maximum with the square of the area, 1/m^4: the nodes of large surfaces reach a hundred times
/// white.
const MAX_PER_AREA_SQUARED: f32 = 1600.0;

/// The light on all nodes.
#[derive(Clone, Debug, Default)]
pub(in crate::lighting) struct Solution {
    /// The light of lamps that it contains.
    lamps: LampLight,
    /// Whether light passes each gate.
    open: Vec<bool>,
    /// The room in which the rays of each chain end at a shut gate.
    ends: Vec<Option<RoomId>>,
    /// The ambient irradiance of each room with which the sweeps begin.
    rooms: Vec<Vec3>,
    /// The radiosity of each node, then the mean radiosity of each room, after each sweep.
    sweeps: Vec<Vec<Vec3>>,
    /// The light that the rays of each node bring.
    gathered: Vec<Vec3>,
    /// The reflected light on each node, as the radiance of a white surface: blended between neighbours.
    irradiance: Vec<Vec3>,
    /// The light on the probes.
    probes: ProbeLight,
}

/// Everything that the solution reads.
pub(in crate::lighting) struct SolutionInputs {
    pub transport: Arc<Transport>,
    pub lightmap: Arc<Lightmap>,
    pub reflectances: Arc<[Reflectance]>,
    pub exposure: f32,
    /// Whether light passes each gate.
    pub open: Vec<bool>,
    /// The ambient irradiance of each room with which the sweeps begin.
    pub rooms: Vec<Vec3>,
    /// The minimum ambient irradiance, which is added to the light on each node.
    pub min_ambient: f32,
    pub lamps: LampLight,
}

impl Solution {
    /// The reflected light on each node, as the radiance of a white surface.
    pub(in crate::lighting) fn irradiance(&self) -> &[Vec3] {
        &self.irradiance
    }

    /// Whether light passes all links of a chain.
    pub(in crate::lighting) fn passes(&self, chain: ChainId) -> bool {
        self.ends.get(chain as usize).is_some_and(Option::is_none)
    }

    /// The light of lamps that the solution contains.
    pub(in crate::lighting) fn lamps(&self) -> LampLight {
        self.lamps
    }

    /// The light on the probes.
    pub(in crate::lighting) fn probes(&self) -> &ProbeLight {
        &self.probes
    }

    /// Whether this is the solution for these gates and rooms.
    fn is_current(&self, inputs: &SolutionInputs) -> bool {
        inputs.transport.nodes.is_empty()
            || self.open == inputs.open
                && self.rooms == inputs.rooms
                && self.lamps == inputs.lamps
                && !self.sweeps.is_empty()
    }

    /// Solves again after changes of gates or rooms; solves everything if nothing is solved yet. Adds the rooms whose
    /// light changed to `relit`.
    pub(in crate::lighting) fn update(&mut self, inputs: &SolutionInputs, relit: &mut RoomSet) {
        let transport = &*inputs.transport;
        if self.is_current(inputs) {
            return;
        }
        if self.lamps != inputs.lamps {
            *self = Self {
                lamps: inputs.lamps,
                ..Self::default()
            };
        }
        let rooms = inputs.rooms.len();
        let mut always = RoomSet::new(rooms);
        if self.sweeps.is_empty() {
            always = RoomSet::all(rooms);
            let sources = transport.nodes.len() + rooms;
            self.sweeps = vec![vec![Vec3::ZERO; sources]; SWEEPS];
            // No light is negative, so each node counts as changed.
            self.gathered = vec![Vec3::NEG_INFINITY; transport.nodes.len()];
            self.irradiance = vec![Vec3::NEG_INFINITY; transport.nodes.len()];
        }
        for (gate, (was, is)) in self.open.iter().zip(&inputs.open).enumerate() {
            if was != is {
                let rooms = transport.rooms_of_gates[gate].iter();
                rooms.for_each(|&room| always.insert(room));
            }
        }
        self.open.clone_from(&inputs.open);
        let open = &self.open;
        let is_open = |gate: Gate| open[gate.0 as usize];
        transport.chains.find_ends(is_open, &mut self.ends);
        let mut changed = always.clone();
        for (room, is) in (0u32..).map(RoomId).zip(&inputs.rooms) {
            if self.rooms.get(room.0 as usize) != Some(is) {
                changed.insert(room);
                // The light of a room without nodes comes from here in every sweep.
                if !transport.has_nodes(room) {
                    always.insert(room);
                }
            }
        }
        self.rooms.clone_from(&inputs.rooms);
        for sweep in 0..SWEEPS {
            let mut next = always.clone();
            for room in changed.iter() {
                if self.sweep_room(inputs, sweep, room) {
                    let readers = transport.readers[room.0 as usize].iter();
                    readers.for_each(|&reader| next.insert(reader));
                }
            }
            changed = next;
        }
        // Nodes are blended again if they, their neighbours, or links between them changed.
        let mut to_blend = vec![false; transport.nodes_of.len()];
        for room in always.iter() {
            to_blend[room.0 as usize] = true;
        }
        for set in 0..transport.nodes_of.len() {
            // The nodes of movers come after those of rooms.
            let nodes = transport.nodes_of[set].clone();
            let nodes = &transport.nodes[nodes.start as usize..nodes.end as usize];
            let is_changed = set >= rooms || nodes.iter().any(|node| changed.contains(node.room));
            if is_changed && self.gather_set(inputs, set) {
                to_blend[set] = true;
                let stitched = transport.stitched.get(set).into_iter().flatten();
                stitched.for_each(|room| to_blend[room.0 as usize] = true);
            }
        }
        for set in (0..transport.nodes_of.len()).filter(|&set| to_blend[set]) {
            if self.blend_set(inputs, set) {
                let nodes = transport.nodes_of[set].clone();
                let nodes = &transport.nodes[nodes.start as usize..nodes.end as usize];
                nodes.iter().for_each(|node| relit.insert(node.room));
            }
        }
        if let Some(last) = self.sweeps.last() {
            self.probes.update(
                &transport.probes,
                &self.ends,
                (last, transport.nodes.len()),
                (inputs.exposure, inputs.min_ambient, inputs.lamps),
                |room| changed.contains(room),
            );
        }
    }

    /// Computes the radiosity of a room's nodes in a sweep; returns whether it changed.
    fn sweep_room(&mut self, inputs: &SolutionInputs, sweep: usize, room: RoomId) -> bool {
        let transport = &*inputs.transport;
        let nodes = transport.nodes_of[room.0 as usize].clone();
        let (before, rest) = self.sweeps.split_at_mut(sweep);
        let (before, after) = (before.last(), &mut rest[0]);
        let mut is_changed = false;
        let (mut light, mut area) = (Vec3::ZERO, 0.0);
        let nodes = nodes.start as usize..nodes.end as usize;
        for (node, leaves) in transport.nodes[nodes.clone()].iter().zip(&mut after[nodes]) {
            let arrives = match before {
                None => self.rooms[room.0 as usize],
                Some(before) => gather(transport, &self.ends, before, node),
            };
            let radiosity = radiosity(inputs, &self.ends, node, arrives);
            is_changed |= std::mem::replace(leaves, radiosity) != radiosity;
            light += radiosity * node.area;
            area += node.area;
        }
        // A room without nodes returns its ambient irradiance.
        let mean = if area > 0.0 {
            light / area
        } else {
            self.rooms[room.0 as usize] * 0.5
        };
        let of_room = &mut after[transport.nodes.len() + room.0 as usize];
        is_changed | (std::mem::replace(of_room, mean) != mean)
    }

    /// Computes the light that reaches a set of nodes after the last sweep; returns whether it changed.
    fn gather_set(&mut self, inputs: &SolutionInputs, set: usize) -> bool {
        let transport = &*inputs.transport;
        let Some(last) = self.sweeps.last() else {
            return false;
        };
        let mut is_changed = false;
        let nodes = transport.nodes_of[set].clone();
        for index in nodes.start as usize..nodes.end as usize {
            let node = &transport.nodes[index];
            let light = gather(transport, &self.ends, last, node)
                + direct(inputs, &self.ends, node, |direct| match inputs.lamps {
                    LampLight::Drawn => direct.unlisted,
                    LampLight::Baked => direct.light,
                });
            is_changed |= std::mem::replace(&mut self.gathered[index], light) != light;
        }
        is_changed
    }

    /// Blends the light on a set of nodes between neighbours; returns whether it changed.
    fn blend_set(&mut self, inputs: &SolutionInputs, set: usize) -> bool {
        let transport = &*inputs.transport;
        let Self {
            gathered,
            irradiance,
            ends,
            ..
        } = self;
        let beyond = |node, side| {
            let stitch = transport.stitches.get(node, side)?;
            let is_open = ends[stitch.chain as usize].is_none();
            is_open.then(|| gathered[stitch.other as usize])
        };
        let mut is_changed = false;
        for chart in inputs.lightmap.charts_of[set].clone() {
            let grid = &transport.grids[chart as usize];
            let write = |node: u32, light: Vec3| {
                let light = light + inputs.min_ambient;
                let before = &mut irradiance[node as usize];
                is_changed |= std::mem::replace(before, light) != light;
            };
            grid.blend(&transport.sites, gathered, &transport.joined, beyond, write);
        }
        is_changed
    }
}

/// The reflected light that arrives at a node.
fn gather(
    transport: &Transport,
    ends: &[Option<RoomId>],
    radiosities: &[Vec3],
    node: &Node,
) -> Vec3 {
    let mut light = Vec3::ZERO;
    for bundle in transport.bundles_of(node) {
        match ends[bundle.chain as usize] {
            None => {
                light += bundle.sky;
                for rays in transport.sources_of(bundle) {
                    light += radiosities[rays.source() as usize] * rays.count();
                }
            }
            Some(room) => {
                light += radiosities[transport.nodes.len() + room.0 as usize] * bundle.count;
            }
        }
    }
    light / RAYS as f32
}

/// The direct light on a node: of each light the part that `of` returns.
fn direct(
    inputs: &SolutionInputs,
    ends: &[Option<RoomId>],
    node: &Node,
    of: impl Fn(&DirectLight) -> Vec3,
) -> Vec3 {
    let lights = inputs.transport.direct_of(node).iter();
    let arriving = lights.filter(|light| ends[light.chain as usize].is_none());
    arriving.map(of).sum::<Vec3>() * inputs.exposure
}

/// The light that leaves a node on which this reflected light arrives.
fn radiosity(
    inputs: &SolutionInputs,
    ends: &[Option<RoomId>],
    node: &Node,
    mut arrives: Vec3,
) -> Vec3 {
    arrives += direct(inputs, ends, node, |direct| direct.light);
    let reflectance = &inputs.reflectances[node.material as usize];
    let leaves = arrives * reflectance.albedo(node.tint) + reflectance.emitted;
    leaves.min(Vec3::splat(
        MAX_SMALL + MAX_PER_AREA_SQUARED * node.area * node.area,
    ))
}
