//! Writes to the device in the order of an encoder's commands: a command that was recorded before
//! still reads the old contents.

use super::device::Gpu;

/// Writes to the start of a buffer; the number of bytes is a multiple of 4.
pub(super) fn write_buffer(
    gpu: &Gpu,
    encoder: &mut wgpu::CommandEncoder,
    buffer: &wgpu::Buffer,
    bytes: &[u8],
) {
    if !bytes.is_empty() {
        let staging = staging_buffer(gpu, bytes);
        encoder.copy_buffer_to_buffer(&staging, 0, buffer, 0, bytes.len() as u64);
    }
}

/// Writes all layers of a texture of four bytes a texel.
pub(super) fn write_texture(
    gpu: &Gpu,
    encoder: &mut wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    bytes: &[u8],
) {
    let row_bytes = texture.width() * 4;
    let bytes_per_row = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let padded: Vec<u8>;
    let bytes = if bytes_per_row == row_bytes {
        bytes
    } else {
        let padding = vec![0; (bytes_per_row - row_bytes) as usize];
        let rows = bytes.chunks_exact(row_bytes as usize);
        padded = rows.flat_map(|row| [row, &padding].concat()).collect();
        &padded
    };
    let source = wgpu::TexelCopyBufferInfo {
        buffer: &staging_buffer(gpu, bytes),
        layout: wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(bytes_per_row),
            rows_per_image: Some(texture.height()),
        },
    };
    encoder.copy_buffer_to_texture(source, texture.as_image_copy(), texture.size());
}

/// A buffer to copy these bytes from. Where the device is out of memory the driver refuses the copy.
fn staging_buffer(gpu: &Gpu, bytes: &[u8]) -> wgpu::Buffer {
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("staging"),
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::MAP_WRITE,
        mapped_at_creation: true,
    });
    if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
        mapped.copy_from_slice(bytes);
    }
    buffer.unmap();
    buffer
}
