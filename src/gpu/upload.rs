//! Writes to the device in the order of an encoder's commands: previously recorded commands still read the old
//! contents.

use super::device::Gpu;

/// Writes to the start of each of these buffers, via one staging buffer; the sizes must be multiples of 4 bytes.
pub(super) fn write_buffers(
    gpu: &Gpu,
    encoder: &mut wgpu::CommandEncoder,
    writes: &[(&wgpu::Buffer, &[u8])],
) {
    let size = writes.iter().map(|(_, bytes)| bytes.len()).sum();
    if size == 0 {
        return;
    }
    let parts = writes.iter().map(|(_, bytes)| *bytes);
    let staging = staging_buffer(gpu, size, parts);
    let mut offset = 0;
    for (buffer, bytes) in writes.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let size = bytes.len() as u64;
        encoder.copy_buffer_to_buffer(&staging, offset, buffer, 0, size);
        offset += size;
    }
}

/// Writes the first layers of a texture with four bytes per texel: as many as the bytes fill.
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
        buffer: &staging_buffer(gpu, bytes.len(), std::iter::once(bytes)),
        layout: wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(bytes_per_row),
            rows_per_image: Some(texture.height()),
        },
    };
    let layer_bytes = bytes_per_row as usize * texture.height() as usize;
    let size = wgpu::Extent3d {
        depth_or_array_layers: (bytes.len() / layer_bytes) as u32,
        ..texture.size()
    };
    encoder.copy_buffer_to_texture(source, texture.as_image_copy(), size);
}

/// Creates a staging buffer with these parts. If the device is out of memory, the driver rejects the copy.
fn staging_buffer<'a>(
    gpu: &Gpu,
    size: usize,
    parts: impl Iterator<Item = &'a [u8]>,
) -> wgpu::Buffer {
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("staging"),
        size: size as u64,
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::MAP_WRITE,
        mapped_at_creation: true,
    });
    if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
        let mut start = 0;
        for part in parts {
            let end = start + part.len();
            mapped.slice(start..end).copy_from_slice(part);
            start = end;
        }
    }
    buffer.unmap();
    buffer
}
