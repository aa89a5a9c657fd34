//! Rigid bodies: energy, bounces, rest, and what moves them.

mod characters;
mod hall;
mod methods;
mod movers;
mod reload;
mod rest;
mod rooms;
