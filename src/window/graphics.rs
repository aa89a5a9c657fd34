//! The window and what draws into it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::error::WindowError;
#[cfg(not(feature = "overlay"))]
use super::no_overlay::Overlay;
use crate::frame::Frame;
#[cfg(feature = "overlay")]
use crate::gpu::Overlay;
use crate::gpu::{Gpu, GpuError, Offscreen, PresentResult, Quality, Renderer, WindowSurface};
use crate::level::Level;
use crate::lighting::Lighting;
use crate::overlay::Contents;

/// Size of a new window, logical pixels.
const SIZE: LogicalSize<u32> = LogicalSize::new(1280, 720);

/// A window and its device.
pub(super) struct Graphics {
    pub(super) window: Arc<Window>,
    /// `None` after it was lost, until something is to be shown again.
    device: Option<Device>,
}

/// What draws into the window. It is lost and made again as a whole: a window has one surface at a
/// time, and another one may want another format of the renderer.
struct Device {
    gpu: Gpu,
    surface: WindowSurface,
    overlay: Overlay,
    /// Once there is a level.
    renderer: Option<Renderer>,
}

impl Graphics {
    /// Opens the window for the level of that name.
    pub(super) fn open(events: &ActiveEventLoop, name: &str) -> Result<Self, WindowError> {
        let attributes = Window::default_attributes()
            .with_title(format!("{name} - OpenDoor"))
            .with_inner_size(SIZE);
        let window = events.create_window(attributes);
        let window = window.map_err(|error| WindowError::NoWindow(error.to_string()))?;
        let window = Arc::new(window);
        let device = Some(Device::open(&window)?);
        Ok(Self { window, device })
    }

    /// Fits the picture to the window.
    pub(super) fn resize(&mut self, size: [u32; 2]) {
        let Some(device) = &mut self.device else {
            return;
        };
        if let Err(error) = device.surface.resize(&device.gpu, size) {
            log::warn!("the window is opened again after a change of its size: {error}");
            self.device = None;
        }
    }

    /// Width over height of the picture, or of the window while there is no device; 1 while it is
    /// minimised.
    pub(super) fn aspect(&self) -> f64 {
        let device = self.device.as_ref();
        let size = device.map(|device| device.surface.size());
        match size.unwrap_or_else(|| self.window.inner_size().into()) {
            [0, _] | [_, 0] => 1.0,
            [width, height] => f64::from(width) / f64::from(height),
        }
    }

    /// How long the device takes for a frame, if it has timestamps.
    pub(super) fn gpu_time(&mut self) -> Option<Duration> {
        let device = self.device.as_mut()?;
        device.renderer.as_mut()?.gpu_time(&device.gpu)
    }

    /// Shows the frame and over it `contents`, in text as large as the desktop's scale factor asks
    /// for; returns whether anything can be seen.
    pub(super) fn show(
        &mut self,
        level: &Level,
        lighting: &Lighting,
        frame: &Frame,
        contents: &Contents,
    ) -> Result<bool, GpuError> {
        let scale = self.window.scale_factor() as f32;
        let window = Arc::clone(&self.window);
        let (gpu, surface, overlay, renderer) = self.device()?.with_level(level, lighting)?;
        overlay.set_contents(gpu, surface.size(), scale, contents);
        let presented = surface.show(
            gpu,
            |encoder, target| {
                renderer.draw(gpu, encoder, lighting, frame, target)?;
                overlay.draw(gpu, encoder, target);
                Ok(())
            },
            || window.pre_present_notify(),
        )?;
        Ok(self.is_visible(presented))
    }

    /// Shows how much of a level is ready, 0..1, or as yet nothing.
    pub(super) fn show_progress(
        &mut self,
        name: &str,
        part: Option<f32>,
    ) -> Result<bool, GpuError> {
        let scale = self.window.scale_factor() as f32;
        let window = Arc::clone(&self.window);
        let Device {
            gpu,
            surface,
            overlay,
            ..
        } = self.device()?;
        if let Some(part) = part {
            overlay.set_progress(gpu, surface.size(), scale, name, part);
        }
        let presented = surface.show(
            gpu,
            |encoder, target| {
                target.clear(encoder);
                overlay.draw(gpu, encoder, target);
                Ok(())
            },
            || window.pre_present_notify(),
        )?;
        Ok(self.is_visible(presented))
    }

    /// Uploads the level, so that the first frame is not late.
    pub(super) fn prepare(&mut self, level: &Level, lighting: &Lighting) -> Result<(), GpuError> {
        self.device()?.with_level(level, lighting).map(|_| ())
    }

    /// Uploads another version of the level that is shown.
    pub(super) fn replace_level(
        &mut self,
        (old, level): (&Level, &Level),
        lighting: &Lighting,
    ) -> Result<(), GpuError> {
        let device = self.device()?;
        let Some(renderer) = &mut device.renderer else {
            return device.with_level(level, lighting).map(|_| ());
        };
        let quality = Quality::live(&device.gpu);
        renderer.replace_level(&device.gpu, (old, level), lighting, quality)
    }

    /// Draws the level in another lighting, of the same layout, from now on.
    pub(super) fn replace_lighting(&mut self) {
        let device = self.device.as_mut();
        if let Some(renderer) = device.and_then(|device| device.renderer.as_mut()) {
            renderer.replace_lighting();
        }
    }

    fn is_visible(&mut self, presented: PresentResult) -> bool {
        if presented == PresentResult::Lost {
            self.device = None;
        }
        presented == PresentResult::Presented
    }

    /// Writes the frame to the first free `opendoor-NNNN.png` in the current folder.
    pub(super) fn save_picture(
        &mut self,
        level: &Level,
        lighting: &Lighting,
        frame: &Frame,
    ) -> Result<PathBuf, GpuError> {
        let names = (1..=9999).map(|n| PathBuf::from(format!("opendoor-{n:04}.png")));
        let free = names.into_iter().find(|path| !path.exists());
        let path = free.unwrap_or_else(|| Path::new("opendoor-9999.png").to_owned());
        let (gpu, surface, _, renderer) = self.device()?.with_level(level, lighting)?;
        let picture = Offscreen::with_format(gpu, surface.size(), surface.format())?;
        picture.draw(gpu, |encoder, target| {
            renderer.draw(gpu, encoder, lighting, frame, target)
        });
        picture.save(gpu, &path)?;
        Ok(path)
    }

    /// The device, made again if it was lost.
    fn device(&mut self) -> Result<&mut Device, GpuError> {
        // Dropped before another is made.
        self.device.take_if(|device| device.gpu.is_lost());
        match &mut self.device {
            Some(device) => Ok(device),
            none => Ok(none.insert(Device::open(&self.window)?)),
        }
    }
}

impl Device {
    fn open(window: &Arc<Window>) -> Result<Self, GpuError> {
        let size = window.inner_size().into();
        let (gpu, surface) = WindowSurface::open(Arc::clone(window), size)?;
        log::info!("drawing with {}", gpu.adapter());
        Ok(Self {
            overlay: Overlay::new(&gpu, surface.format()),
            gpu,
            surface,
            renderer: None,
        })
    }

    /// All parts, after the level was uploaded, unless it is on the device.
    fn with_level(
        &mut self,
        level: &Level,
        lighting: &Lighting,
    ) -> Result<(&Gpu, &mut WindowSurface, &mut Overlay, &mut Renderer), GpuError> {
        let (gpu, format) = (&self.gpu, self.surface.format());
        let renderer = match &mut self.renderer {
            Some(renderer) => renderer,
            none => {
                let quality = Quality::live(gpu);
                none.insert(Renderer::new(gpu, format, level, lighting, quality)?)
            }
        };
        Ok((gpu, &mut self.surface, &mut self.overlay, renderer))
    }
}
