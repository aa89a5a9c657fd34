//! Rigid bodies: energy, bounces, rest, and what moves them.

mod hall;
mod movers;
mod rest;
