//! What several benches walk, and how.

pub(crate) mod rooms;
pub(crate) mod walk;
