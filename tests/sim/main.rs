//! What a player and an author see of the simulation, headless.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod command_line;
mod common;
mod determinism;
mod doors;
mod falls;
mod levels;
mod portals;
mod slopes;
mod tours;
mod views;
mod walls;
