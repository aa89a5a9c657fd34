//! Drawing with wgpu, the only module that uses it.
//!
//! [`Renderer::draw`] takes a [`crate::frame::Frame`] and records it into a command encoder. Windows, pictures, tests,
//! and programs with a device of their own all call this function to draw. The module depends on the level and the
//! frame, never on the game, motion or visibility.

mod batches;
mod bindings;
mod bloom;
mod cube_capture;
mod cube_maps;
mod device;
mod device_level;
mod dfg_lut;
mod error;
mod exposure;
mod figures;
mod geometry;
mod growable_buffer;
mod light_pass;
mod material;
mod mipmap;
mod offscreen;
#[cfg(feature = "window")]
mod overlay;
mod pipeline;
mod pipeline_state;
mod quality;
mod render_target;
mod renderer;
mod scene;
mod shader_sources;
mod shadow_bounds;
mod shadow_maps;
mod shadow_pass;
mod suns;
mod surface;
mod targets;
#[cfg(test)]
mod tests;
mod texture;
mod timer;
mod tone_pipelines;
mod upload;
mod vertex_layouts;
mod window_surface;

pub use device::Gpu;
pub use error::GpuError;
pub use offscreen::Offscreen;
#[cfg(feature = "window")]
pub use overlay::Overlay;
pub use quality::RenderQuality;
pub use render_target::RenderTarget;
pub use renderer::Renderer;
pub use wgpu::{CommandEncoder, TextureFormat};
pub use window_surface::{PresentResult, WindowSurface};
