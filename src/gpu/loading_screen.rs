//! What a window shows before it has a level.

use super::overlay::DeviceOverlay;
use super::renderer::BACKGROUND;
use super::{Gpu, GpuError};
use crate::overlay::Overlay;

/// A picture of how much of a level is ready.
pub struct LoadingScreen {
    overlay: Overlay,
    on_device: DeviceOverlay,
}

impl LoadingScreen {
    /// For targets of `format`.
    ///
    /// # Errors
    /// When the device has not the memory.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Result<Self, GpuError> {
        gpu.checked(|| {
            Ok(Self {
                overlay: Overlay::default(),
                on_device: DeviceOverlay::new(gpu, format),
            })
        })
    }

    /// Submits the drawing to `target`, a view of `size` pixels: the name of what is made ready and
    /// how much of it is, 0..1, in letters larger by `scale`; without that what it last was, at
    /// first nothing.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        scale: f32,
        progress: Option<(&str, f32)>,
        target: &wgpu::TextureView,
        size: [u32; 2],
    ) {
        if let Some((name, part)) = progress {
            let painted = self.overlay.paint_progress(size, scale, name, part);
            self.on_device.set(gpu, painted);
        }
        let descriptor = wgpu::CommandEncoderDescriptor {
            label: Some("curtain"),
        };
        let mut encoder = gpu.device.create_command_encoder(&descriptor);
        self.on_device
            .draw(gpu, &mut encoder, target, size, Some(BACKGROUND));
        gpu.queue.submit([encoder.finish()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::texture::extent;

    #[test]
    fn it_is_drawn_in_every_size_with_and_without_progress() {
        let gpu = Gpu::open_noop().unwrap();
        let format = wgpu::TextureFormat::Bgra8UnormSrgb;
        let mut curtain = LoadingScreen::new(&gpu, format).unwrap();
        for size in [[1, 1], [300, 7], [640, 360]] {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: extent(size[0], size[1], 1),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
            for progress in [None, Some(("a level", 0.0)), Some(("a level", 1.0))] {
                curtain.draw(&gpu, 1.5, progress, &target, size);
            }
        }
        assert_eq!(gpu.refusals(), 0);
    }
}
