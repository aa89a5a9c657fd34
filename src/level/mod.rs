//! The room graph: rooms of polygons joined by portals. Immutable once loaded; renderer and
//! collision read this one value.
//!
//! The order of everything in a [`Level`] follows from its content (names, coordinates), never
//! from the order in the file, so that the same level gives the same simulation bit for bit.
//!
//! Four parts: [`graph`](Level) is what every reader sees; [`source`](LevelSource) is what a level is
//! made of, by a file or by code; `format` reads glTF files; `building` checks a source and links it to a graph.

mod building;
mod checks;
mod format;
mod graph;
mod mend;
mod problem;
mod problem_code;
mod problem_list;
mod problems;
mod source;
#[cfg(test)]
mod tests;

pub use building::build;
pub(crate) use building::connected_components;
pub use checks::check_movers;
pub use format::{
    FigureError, Fixed, Inspection, WriteError, fix, fix_bytes, inspect, inspect_bytes,
    inspect_source, load, load_again, load_bytes, load_bytes_again, read_figure, read_source,
    read_source_bytes, write_glb,
};
pub(crate) use format::{composed, meant_door, plain_name, portal_stem};
pub use graph::*;
pub use problem::{Problem, ProblemPlace};
pub use problem_code::ProblemCode;
pub use problem_list::ProblemList;
pub use problems::Problems;
pub use source::{
    BodyShape, BodySource, BoundSource, JointSource, LevelSource, LightSource, MeshSource,
    MoverSource, PortalSource, RoomSource, SpawnSource, SpawnerSource, Spawning, TriggerKindSource,
    TriggerSource, builder, dungeon, grid_glb, sketch,
};
