//! The sources of shaders that consist of several files.

use super::device::Gpu;

const ROOM: &str = include_str!("../../shaders/room.wgsl");
const SHADOW_LOOKUP: &str = include_str!("../../shaders/shadow_lookup.wgsl");
const SHEETS: &str = include_str!("../../shaders/sheets.wgsl");
const SAMPLED: &str = include_str!("../../shaders/sampled.wgsl");
const SHADOW: &str = include_str!("../../shaders/shadow.wgsl");
const ROOM_ENTRIES: &str = include_str!("../../shaders/room_entries.wgsl");
const GL_ROOM_ENTRIES: &str = include_str!("../../shaders/room_entries_gl.wgsl");
const TONE: &str = include_str!("../../shaders/tone.wgsl");
const TONE_SAMPLES: &str = include_str!("../../shaders/tone_samples.wgsl");
const GL_TONE_SAMPLES: &str = include_str!("../../shaders/tone_samples_gl.wgsl");

/// The source of the shader of rooms.
pub(super) fn room(is_gl: bool) -> String {
    let entries = if is_gl { GL_ROOM_ENTRIES } else { ROOM_ENTRIES };
    [ROOM, SAMPLED, SHADOW_LOOKUP, SHEETS, entries].concat()
}

/// The source of the shader of shadow maps.
pub(super) fn shadow() -> String {
    [SHADOW, SAMPLED].concat()
}

/// The source of the shader of the tone curve.
pub(super) fn tone(is_gl: bool) -> String {
    let samples = if is_gl { GL_TONE_SAMPLES } else { TONE_SAMPLES };
    [TONE, samples].concat()
}

/// Creates a shader for a device; `source` returns its source, for OpenGL or for other APIs.
pub(super) fn create(gpu: &Gpu, source: impl Fn(bool) -> String) -> wgpu::ShaderModule {
    gpu.device
        .create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source(gpu.is_gl()).into()),
        })
}
