//! The swept sphere compared with an independent oracle: hard cases that other engines got wrong, and millions of
//! random casts.

mod cast;
mod classes;
mod closest;
mod double;
mod figures;
mod hard_casts;
mod loading;
mod neighbours;
mod oracle;
#[path = "../scenarios/page.rs"]
mod page;
mod random;
mod random_casts;
#[path = "../shared/mod.rs"]
mod shared;
mod ticks;
