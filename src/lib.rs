//! OpenDoor: a room-and-portal engine whose renderer and collision read one room graph.

pub mod geometry;
pub mod level;
pub mod motion;
pub mod visibility;

pub mod game;

pub mod lighting;

pub mod frame;

#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "gpu")]
pub mod window;
