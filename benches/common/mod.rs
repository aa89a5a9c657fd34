//! What several benches walk, and how, and how they print what they measured.

pub(crate) mod memory;
pub(crate) mod rooms;
pub(crate) mod table;
pub(crate) mod walk;
