//! The inputs of vertex shaders: the uploaded structs, and the locations of their attributes.

use super::geometry::DrawnVertex;
use crate::frame::LineVertex;

/// The shader's input for an instance: [`crate::frame::Instance`] with the lights that reach it.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct GpuInstance {
    pub(super) view_from_room: [[f32; 3]; 3],
    pub(super) eye: [f32; 3],
    /// The rounding error of `eye`; the index of the record of its sheet, or -1.
    pub(super) eye_remainder_sheet: [f32; 4],
    /// The index of its first light; the number of its lights, and the index of its reflections above 8 bits; the tint as
    /// four bytes; the gradient of the ambient irradiance, 10 bits for each coordinate.
    pub(super) lights_tint_gradient: [u32; 4],
    /// The ambient irradiance; the index of the record of its grid of occluders, or -1.
    pub(super) ambient: [f32; 4],
    pub(super) pose_rotation: [f32; 4],
    /// The translation; the index of its own body among the occluders, or -1.
    pub(super) pose_translation: [f32; 4],
}

/// The shader's input for a shadow caster.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct CasterInstance {
    pub(super) clip_from_room: [[f32; 4]; 4],
}

pub(super) fn vertex_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 7] = wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Sint16x2, 2 => Sint16x2, 3 => Float32x4, 4 => Unorm16x4,
        5 => Uint16x4, 6 => Unorm16x4,
    ];
    layout::<DrawnVertex>(wgpu::VertexStepMode::Vertex, &ATTRIBUTES)
}

pub(super) fn instance_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 9] = wgpu::vertex_attr_array![
        7 => Float32x3, 8 => Float32x3, 9 => Float32x3, 10 => Float32x3, 11 => Float32x4,
        12 => Uint32x4, 13 => Float32x4, 14 => Float32x4, 15 => Float32x4,
    ];
    layout::<GpuInstance>(wgpu::VertexStepMode::Instance, &ATTRIBUTES)
}

pub(super) fn caster_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 4] = wgpu::vertex_attr_array![
        7 => Float32x4, 8 => Float32x4, 9 => Float32x4, 10 => Float32x4,
    ];
    layout::<CasterInstance>(wgpu::VertexStepMode::Instance, &ATTRIBUTES)
}

pub(super) fn line_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 2] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];
    layout::<LineVertex>(wgpu::VertexStepMode::Vertex, &ATTRIBUTES)
}

fn layout<T>(
    step_mode: wgpu::VertexStepMode,
    attributes: &'static [wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<T>() as u64,
        step_mode,
        attributes,
    }
}
