//! Levels, walks and output that several benches share.

pub mod memory;
pub mod rooms;
pub mod table;
pub mod walk;
