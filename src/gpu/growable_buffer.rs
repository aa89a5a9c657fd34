//! Buffers that are written again and again.

use super::Gpu;

/// A vertex buffer that is written every frame and grows when it must.
pub(super) struct GrowableBuffer {
    pub(super) buffer: wgpu::Buffer,
    label: &'static str,
}

impl GrowableBuffer {
    pub(super) fn new(gpu: &Gpu, label: &'static str, bytes: u64) -> Self {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, label }
    }

    pub(super) fn write(&mut self, gpu: &Gpu, bytes: &[u8]) {
        if bytes.len() as u64 > self.buffer.size() {
            *self = Self::new(gpu, self.label, (bytes.len() as u64).next_power_of_two());
        }
        gpu.queue.write_buffer(&self.buffer, 0, bytes);
    }
}

/// A storage buffer of values; never empty, since nothing empty can be bound.
pub(super) struct Storage {
    pub(super) buffer: wgpu::Buffer,
    label: &'static str,
}

impl Storage {
    pub(super) fn new(gpu: &Gpu, label: &'static str, bytes: &[u8]) -> Self {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: (bytes.len() as u64).next_power_of_two().max(256),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.queue.write_buffer(&buffer, 0, bytes);
        Self { buffer, label }
    }

    /// The buffer may be another one afterwards.
    pub(super) fn write(&mut self, gpu: &Gpu, bytes: &[u8]) {
        if bytes.len() as u64 > self.buffer.size() {
            *self = Self::new(gpu, self.label, bytes);
        } else {
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
    }
}
