//! What several benches walk, and how, and how they print what they measured.

pub mod memory;
pub mod rooms;
pub mod table;
pub mod walk;
