//! Pictures without a window.

use std::path::Path;

use super::{Gpu, GpuError, Renderer};
use crate::frame::Frame;
use crate::lighting::Lighting;

/// Rows of a copied texture start at multiples of this many bytes.
const ROW_ALIGNMENT: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;

/// A picture that frames are drawn to and read back from.
pub struct Offscreen {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    read_back: wgpu::Buffer,
    size: [u32; 2],
    bytes_per_row: u32,
}

impl Offscreen {
    /// The format of ordinary pictures: 8 bit a channel, RGBA, sRGB.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    /// A picture of `size` pixels (across, down) in [`Offscreen::FORMAT`].
    ///
    /// # Errors
    /// When the device cannot draw so many pixels, or has not the memory.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, GpuError> {
        Self::with_format(gpu, size, Self::FORMAT)
    }

    /// A picture in another format, such as floats for measuring.
    ///
    /// # Errors
    /// As for [`Offscreen::new`].
    pub fn with_format(
        gpu: &Gpu,
        size: [u32; 2],
        format: wgpu::TextureFormat,
    ) -> Result<Self, GpuError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        let [width, height] = size;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(GpuError::PictureSize {
                width,
                height,
                limit,
            });
        }
        let texel_bytes = format.block_copy_size(None).unwrap_or(4);
        let bytes_per_row = (width * texel_bytes).next_multiple_of(ROW_ALIGNMENT);
        gpu.checked(|| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("picture"),
                size: wgpu::Extent3d {
                    width,
                    height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let read_back = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read back"),
                size: u64::from(bytes_per_row) * u64::from(height),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            Ok(Self {
                view: texture.create_view(&wgpu::TextureViewDescriptor::default()),
                texture,
                read_back,
                size,
                bytes_per_row,
            })
        })
    }

    /// Submits the drawing of the frame.
    pub fn draw(&self, gpu: &Gpu, renderer: &mut Renderer, lighting: &Lighting, frame: &Frame) {
        renderer.draw(gpu, lighting, frame, &self.view, self.size);
    }

    /// Waits for the picture and writes it to a PNG file; for 8-bit formats.
    ///
    /// # Errors
    /// When the device was lost, or the file cannot be written.
    pub fn save(&self, gpu: &Gpu, path: &Path) -> Result<(), GpuError> {
        let mut pixels = self.read(gpu)?;
        let format = self.texture.format().remove_srgb_suffix();
        if format == wgpu::TextureFormat::Bgra8Unorm {
            for texel in pixels.chunks_exact_mut(4) {
                texel.swap(0, 2);
            }
        }
        let [width, height] = self.size;
        image::save_buffer(path, &pixels, width, height, image::ColorType::Rgba8).map_err(
            |source| GpuError::Unwritten {
                path: path.display().to_string(),
                source,
            },
        )
    }

    /// Waits for the picture and reads it: texels row by row from the top.
    ///
    /// # Errors
    /// When the device was lost or refuses.
    pub fn read(&self, gpu: &Gpu) -> Result<Vec<u8>, GpuError> {
        let descriptor = wgpu::CommandEncoderDescriptor {
            label: Some("read back"),
        };
        let mut encoder = gpu.device.create_command_encoder(&descriptor);
        let to = wgpu::TexelCopyBufferInfo {
            buffer: &self.read_back,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(self.bytes_per_row),
                rows_per_image: None,
            },
        };
        encoder.copy_texture_to_buffer(self.texture.as_image_copy(), to, self.texture.size());
        gpu.queue.submit([encoder.finish()]);
        let slice = self.read_back.slice(..);
        slice.map_async(wgpu::MapMode::Read, |_| ());
        gpu.wait()?;
        // Where mapping failed there is no range, and that error is the one reported.
        let mapped = slice.get_mapped_range();
        let mapped = mapped.map_err(|error| GpuError::Refused(error.to_string()))?;
        let texel_bytes = self.texture.format().block_copy_size(None).unwrap_or(4);
        let row_bytes = (self.size[0] * texel_bytes) as usize;
        let mut pixels = Vec::with_capacity(row_bytes * self.size[1] as usize);
        for row in mapped.chunks_exact(self.bytes_per_row as usize) {
            pixels.extend_from_slice(&row[..row_bytes]);
        }
        drop(mapped);
        self.read_back.unmap();
        Ok(pixels)
    }
}
