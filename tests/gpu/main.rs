//! Pipelines and pictures. Where there is no graphics driver the pictures fail with the name of
//! the package that brings one: a picture that was never drawn proves nothing.

mod blending;
mod brightness;
mod culling;
mod figure;
mod films;
mod fixture;
mod levels;
#[path = "../shared/lift.rs"]
mod lift;
mod light;
mod lightmap;
mod maps;
mod masks;
mod moved_rooms;
mod pipelines;
mod probe;
mod readme;
#[path = "../readme/mod.rs"]
mod readme_examples;
mod recording;
mod reflection;
mod reloading;
#[path = "../shared/mod.rs"]
mod shared;
mod sky;
mod sun;
mod surfaces;
mod textures;
