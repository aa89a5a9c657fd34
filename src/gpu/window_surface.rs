//! The surface of a window.

use super::device::{Gpu, instances};
use super::error::GpuError;
use super::render_target::RenderTarget;

/// The result of presenting a frame in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresentResult {
    /// The frame is on the screen.
    Presented,
    /// The window is not visible now (minimised, hidden, resizing): try again later.
    Skipped,
    /// The surface was lost: it must be dropped before another one is opened.
    Lost,
}

/// The surface of a window and its configuration.
pub struct WindowSurface {
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
    format: wgpu::TextureFormat,
    configured: bool,
}

impl WindowSurface {
    /// Opens a device that can draw to the window, and its surface of `size` pixels.
    ///
    /// # Errors
    /// Without a driver, or when the driver cannot draw to this window.
    pub fn open(
        window: impl Into<wgpu::SurfaceTarget<'static>> + Clone,
        size: [u32; 2],
    ) -> Result<(Gpu, Self), GpuError> {
        let mut tried = Err(GpuError::Lost);
        for instance in instances() {
            tried = Self::open_with(instance, window.clone(), size);
            if tried.is_ok() {
                break;
            }
        }
        tried
    }

    fn open_with(
        instance: wgpu::Instance,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
        size: [u32; 2],
    ) -> Result<(Gpu, Self), GpuError> {
        let surface = instance.create_surface(window)?;
        let (gpu, adapter) = pollster::block_on(Gpu::request(&instance, Some(&surface)))?;
        let opened = Self::new(&gpu, &adapter, surface, size)?;
        Ok((gpu, opened))
    }

    fn new(
        gpu: &Gpu,
        adapter: &wgpu::Adapter,
        surface: wgpu::Surface<'static>,
        [width, height]: [u32; 2],
    ) -> Result<Self, GpuError> {
        let supported = surface.get_capabilities(adapter).formats;
        let configuration = surface.get_default_config(adapter, width, height);
        let (Some(first), Some(mut configuration)) = (supported.first(), configuration) else {
            return Err(GpuError::NoSurfaceFormat(gpu.adapter()));
        };
        // Colours are linear in the shaders, so the format must encode them as sRGB. If the surface has no sRGB format,
        // its views have one.
        let srgb = supported.iter().find(|format| format.is_srgb());
        configuration.format = *srgb.unwrap_or(first);
        let format = configuration.format.add_srgb_suffix();
        if format != configuration.format {
            configuration.view_formats.push(format);
        }
        configuration.present_mode = wgpu::PresentMode::AutoVsync;
        let mut opened = Self {
            surface,
            configuration,
            format,
            configured: false,
        };
        opened.resize(gpu, [width, height])?;
        Ok(opened)
    }

    /// The format to which the renderer must draw.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.format
    }

    /// The size, pixels across and down.
    pub fn size(&self) -> [u32; 2] {
        [self.configuration.width, self.configuration.height]
    }

    /// Resizes the surface to the window. A minimised window (0 x 0) is not drawn until it is resized again.
    ///
    /// # Errors
    /// When the device is out of memory, or the surface was lost; then it must be created again.
    pub fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<(), GpuError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        [self.configuration.width, self.configuration.height] = size.map(|n| n.min(limit));
        self.configured = size[0] > 0 && size[1] > 0;
        if self.configured {
            gpu.checked(|| {
                self.surface.configure(&gpu.device, &self.configuration);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Submits the drawing that `record` records, as [`super::Renderer::draw`] does, and presents it; `before_present`
    /// is called in between.
    ///
    /// # Errors
    /// Errors of `record`; then nothing is shown.
    pub fn show(
        &mut self,
        gpu: &Gpu,
        record: impl FnOnce(&mut wgpu::CommandEncoder, RenderTarget) -> Result<(), GpuError>,
        before_present: impl FnOnce(),
    ) -> Result<PresentResult, GpuError> {
        use wgpu::CurrentSurfaceTexture as Current;
        if !self.configured {
            return Ok(PresentResult::Skipped);
        }
        let (texture, outdated) = match self.surface.get_current_texture() {
            Current::Success(texture) => (texture, false),
            Current::Suboptimal(texture) => (texture, true),
            Current::Outdated => return Ok(self.refit(gpu, PresentResult::Skipped)),
            Current::Timeout | Current::Occluded | Current::Validation => {
                return Ok(PresentResult::Skipped);
            }
            Current::Lost => return Ok(PresentResult::Lost),
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.format),
            ..Default::default()
        });
        let target = RenderTarget {
            view: &view,
            size: self.size(),
        };
        gpu.submit("window", |encoder| record(encoder, target))?;
        before_present();
        gpu.queue.present(texture);
        if outdated {
            return Ok(self.refit(gpu, PresentResult::Presented));
        }
        Ok(PresentResult::Presented)
    }

    /// Reconfigures the surface after a change of the window.
    fn refit(&mut self, gpu: &Gpu, result: PresentResult) -> PresentResult {
        match self.resize(gpu, self.size()) {
            Ok(()) => result,
            Err(_) => PresentResult::Lost,
        }
    }
}
