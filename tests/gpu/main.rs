//! Pipelines and images. Without a graphics driver the tests of images fail with the name of the package that provides
//! one: an image that was not drawn proves nothing.

mod blending;
mod brightness;
mod contact_shadows;
mod culling;
mod exposure;
mod figure;
mod films;
mod fixture;
mod folds;
mod levels;
#[path = "../shared/lift.rs"]
mod lift;
mod light;
mod lightmap;
mod maps;
mod masks;
mod moved_rooms;
mod opengl;
mod pipelines;
mod probe;
mod readme;
#[path = "../readme/mod.rs"]
mod readme_examples;
mod recording;
mod reflection;
mod reloading;
mod room_reflections;
#[path = "../shared/mod.rs"]
mod shared;
mod sky;
mod soft_shadows;
mod sun;
mod surfaces;
mod switched;
mod textures;
mod tone;
