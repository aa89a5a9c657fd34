//! Offscreen pictures.

use std::cell::Cell;
use std::path::Path;

use image::ImageEncoder;

use super::device::Gpu;
use super::error::GpuError;
use super::render_target::RenderTarget;
use crate::files;

/// The alignment of rows in a texture copy, bytes.
const ROW_ALIGNMENT: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;

/// An offscreen picture that can be read back.
pub struct Offscreen {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    read_back: wgpu::Buffer,
    size: [u32; 2],
    bytes_per_row: u32,
    /// The error of the last drawing, until the picture is waited for.
    failed: Cell<Option<GpuError>>,
}

impl Offscreen {
    /// The format of ordinary pictures: 8 bits per channel, RGBA, sRGB.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    /// Creates a picture of `size` pixels (across, down) in [`Offscreen::FORMAT`].
    ///
    /// # Errors
    /// When the device cannot draw so many pixels, or is out of memory.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, GpuError> {
        Self::with_format(gpu, size, Self::FORMAT)
    }

    /// Creates a picture in another format, such as floats for measuring.
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
                failed: Cell::new(None),
            })
        })
    }

    /// Submits the drawing that `record` records, as [`super::Renderer::draw`] does. Errors are reported when the
    /// picture is waited for.
    pub fn draw(
        &self,
        gpu: &Gpu,
        record: impl FnOnce(&mut wgpu::CommandEncoder, RenderTarget) -> Result<(), GpuError>,
    ) {
        let target = RenderTarget {
            view: &self.view,
            size: self.size,
        };
        let drawn = gpu.checked(|| gpu.submit("picture", |encoder| record(encoder, target)));
        self.failed.set(drawn.err());
    }

    /// Waits until the picture is drawn.
    ///
    /// # Errors
    /// When the device is out of memory, reported an error during drawing, or was lost.
    pub fn wait(&self, gpu: &Gpu) -> Result<(), GpuError> {
        gpu.wait()?;
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Waits for the picture and writes it to a PNG file atomically; for 8-bit formats.
    ///
    /// # Errors
    /// As for [`Offscreen::wait`], or when the file cannot be written.
    pub fn save(&self, gpu: &Gpu, path: &Path) -> Result<(), GpuError> {
        let unfinished = path.with_extension("png-unfinished");
        let written = files::replace(path, &unfinished, &self.png(gpu)?);
        written.map_err(|error| GpuError::Unwritten {
            path: path.display().to_string(),
            source: image::ImageError::IoError(error),
        })
    }

    /// Waits for the picture and encodes it as PNG.
    ///
    /// # Errors
    /// As for [`Offscreen::wait`], or when it cannot be encoded.
    pub fn png(&self, gpu: &Gpu) -> Result<Vec<u8>, GpuError> {
        let mut pixels = self.read(gpu)?;
        let format = self.texture.format().remove_srgb_suffix();
        if format == wgpu::TextureFormat::Bgra8Unorm {
            for texel in pixels.chunks_exact_mut(4) {
                texel.swap(0, 2);
            }
        }
        let [width, height] = self.size;
        let mut png = Vec::new();
        image::codecs::png::PngEncoder::new(&mut png)
            .write_image(&pixels, width, height, image::ExtendedColorType::Rgba8)
            .map_err(|source| GpuError::Unwritten {
                path: "in memory".to_owned(),
                source,
            })?;
        Ok(png)
    }

    /// Waits for the picture and reads it: texels row by row from the top.
    ///
    /// # Errors
    /// As for [`Offscreen::wait`].
    pub fn read(&self, gpu: &Gpu) -> Result<Vec<u8>, GpuError> {
        self.wait(gpu)?;
        gpu.checked(|| self.copy(gpu))?;
        gpu.wait()?;
        // If mapping failed there is no range, and that error is reported.
        let mapped = self.read_back.get_mapped_range(..);
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

    /// Submits a copy of the picture into mappable memory.
    fn copy(&self, gpu: &Gpu) -> Result<(), GpuError> {
        gpu.submit("read back", |encoder| {
            let destination = wgpu::TexelCopyBufferInfo {
                buffer: &self.read_back,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.bytes_per_row),
                    rows_per_image: None,
                },
            };
            let texture = &self.texture;
            encoder.copy_texture_to_buffer(texture.as_image_copy(), destination, texture.size());
            encoder.map_buffer_on_submit(&self.read_back, wgpu::MapMode::Read, .., |_| ());
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::grid_glb;
    use crate::frame::Frame;
    use crate::gpu::{RenderQuality, Renderer};
    use crate::lighting::{Lighting, lightmap};
    use crate::load::load_bytes;
    use crate::world::World;

    /// A device without a driver, and a renderer with a level for that format.
    fn studio(format: wgpu::TextureFormat) -> (Gpu, Lighting, Renderer) {
        let gpu = Gpu::open_noop().unwrap();
        let level = load_bytes("room", &grid_glb(1, 1)).unwrap().0;
        let lighting = Lighting::new(&level, &World::of(&level), lightmap::flat(&level));
        let quality = RenderQuality::default();
        let renderer = Renderer::new(&gpu, format, &level, &lighting, quality).unwrap();
        (gpu, lighting, renderer)
    }

    /// Regression test: a picture that the driver rejected and the picture after it were black, without an error.
    #[test]
    fn a_picture_that_the_driver_would_not_draw_is_an_error_and_the_next_is_not() {
        let (gpu, lighting, mut renderer) = studio(Offscreen::FORMAT);
        let float = wgpu::TextureFormat::Rgba16Float;
        let of_other_format = Offscreen::with_format(&gpu, [8, 8], float).unwrap();
        let picture = Offscreen::new(&gpu, [8, 8]).unwrap();
        let frame = Frame::default();
        let mut draw = |picture: &Offscreen| {
            picture.draw(&gpu, |encoder, target| {
                renderer.draw(&gpu, encoder, &lighting, &frame, target)
            });
        };
        for _ in 0..2 {
            draw(&of_other_format);
            let refused = of_other_format.read(&gpu);
            assert!(matches!(refused, Err(GpuError::Refused(_))));
            draw(&picture);
            assert_eq!(picture.read(&gpu).unwrap().len(), 8 * 8 * 4);
        }
    }

    #[test]
    fn targets_that_the_device_cannot_make_are_an_error_unless_fewer_pixels_will_do() {
        let (gpu, lighting, mut renderer) = studio(Offscreen::FORMAT);
        let picture = Offscreen::new(&gpu, [8, 8]).unwrap();
        let too_wide = gpu.device.limits().max_texture_dimension_2d + 1;
        let mut draw = |adapts, size| {
            if adapts {
                renderer.set_resolution_scale(1.0);
            }
            let view = &picture.view;
            gpu.submit("picture", |encoder| {
                let target = RenderTarget { view, size };
                renderer.draw(&gpu, encoder, &lighting, &Frame::default(), target)
            })
        };
        let wide = [too_wide, 8];
        assert!(matches!(draw(false, wide), Err(GpuError::Refused(_))));
        assert!(draw(false, [8, 8]).is_ok());
        assert!(draw(true, wide).is_ok());
        assert!(draw(true, [8, 8]).is_ok());
        assert_eq!(gpu.refusals(), 0, "refused outside of what is checked");
    }
}
