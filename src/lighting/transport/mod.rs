//! Transport of reflected light between the surfaces of a level: path tracing through the room graph, computed once
//! from the geometry, and solved again whenever doors move.
//!
//! Nodes are places on the surfaces, on a lattice over each chart of the lightmap. From each node, rays with a
//! cosine-weighted distribution pass portals and end on surfaces, where they read the radiosity of the nearest node.
//! The rays are stored, grouped by the sequence of links that they pass ([`Chains`]). So the light for any state of
//! the doors follows from the same rays by sums alone (radiosity with point samples; compare P. Shirley,
//! "Radiosity via ray tracing", in Graphics Gems II, 1991, and A. Keller, "Instant radiosity", 1997).
//!
//! Probes in the air of the rooms read the same radiosities, for bodies and figures.
//!
//! Rays pass a portal only where they cross its polygon, and continue in the room behind it. So no light passes a
//! wall, however thin, and rays do not notice where a space is cut into rooms.

mod chains;
mod direct;
mod file;
mod grid;
mod paths;
mod probe_grid;
mod probe_trace;
mod probes;
mod scene;
mod sight;
mod solution;
mod stitches;
mod trace;

mod assemble;

#[cfg(test)]
mod tests;

pub(super) use chains::Gate;
pub(super) use direct::TransportLights;
pub(super) use paths::Transport;
pub use probes::AmbientLight;
pub(super) use probes::ProbeLight;
pub(super) use solution::{Solution, SolutionInputs};
