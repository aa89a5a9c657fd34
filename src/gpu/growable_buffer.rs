//! Buffers that are written repeatedly.

use super::device::Gpu;
use super::upload::write_buffers;

/// The initial size, bytes; most buffers never grow, and empty ones cannot be bound.
const FIRST_BYTES: u64 = 16 << 10;

/// A buffer that is rewritten from time to time, and grows if necessary.
pub(super) struct GrowableBuffer {
    pub(super) buffer: wgpu::Buffer,
    label: &'static str,
}

impl GrowableBuffer {
    /// Creates a buffer for `usage` and for copies into it.
    pub(super) fn new(gpu: &Gpu, label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self::with_bytes(
            gpu,
            label,
            usage | wgpu::BufferUsages::COPY_DST,
            FIRST_BYTES,
        )
    }

    fn with_bytes(gpu: &Gpu, label: &'static str, usage: wgpu::BufferUsages, size: u64) -> Self {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage,
            mapped_at_creation: false,
        });
        Self { buffer, label }
    }

    /// Records a write of these bytes. This may replace the buffer.
    pub(super) fn write(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, bytes: &[u8]) {
        self.fit(gpu, bytes);
        write_buffers(gpu, encoder, &[(&self.buffer, bytes)]);
    }

    /// Reserves space for these bytes. This may replace the buffer.
    pub(super) fn fit(&mut self, gpu: &Gpu, bytes: &[u8]) {
        let wanted = bytes.len() as u64;
        if wanted > self.buffer.size() {
            let usage = self.buffer.usage();
            *self = Self::with_bytes(gpu, self.label, usage, wanted.next_power_of_two());
        }
    }
}
