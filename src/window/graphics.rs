//! The window and what draws into it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::WindowError;
use crate::frame::Frame;
use crate::gpu::{Gpu, GpuError, Offscreen, Quality, Renderer, Screen, Shown};
use crate::level::Level;
use crate::lighting::Lighting;
use crate::overlay::{Contents, Overlay};

/// Size of a new window, logical pixels.
const SIZE: LogicalSize<u32> = LogicalSize::new(1280, 720);

/// A window and its device.
pub(super) struct Graphics {
    pub(super) window: Arc<Window>,
    gpu: Gpu,
    screen: Screen,
    renderer: Renderer,
}

impl Graphics {
    /// Opens the window.
    pub(super) fn open(
        events: &ActiveEventLoop,
        level: &Level,
        lighting: &Lighting,
    ) -> Result<Self, WindowError> {
        let attributes = Window::default_attributes()
            .with_title(format!("{} - OpenDoor", level.name))
            .with_inner_size(SIZE);
        let window = events.create_window(attributes);
        let window = window.map_err(|error| WindowError::NoWindow(error.to_string()))?;
        Ok(Self::in_window(Arc::new(window), level, lighting)?)
    }

    fn in_window(
        window: Arc<Window>,
        level: &Level,
        lighting: &Lighting,
    ) -> Result<Self, GpuError> {
        let (gpu, screen) = Screen::open(Arc::clone(&window), window.inner_size().into())?;
        log::info!("drawing with {}", gpu.adapter());
        let renderer = Renderer::new(&gpu, screen.format(), level, lighting, Quality::default())?;
        Ok(Self {
            window,
            gpu,
            screen,
            renderer,
        })
    }

    pub(super) fn resize(&mut self, size: [u32; 2]) {
        self.screen.resize(&self.gpu, size);
    }

    /// Width over height of the window; 1 while it is minimised.
    pub(super) fn aspect(&self) -> f64 {
        match self.screen.size() {
            [0, _] | [_, 0] => 1.0,
            [width, height] => f64::from(width) / f64::from(height),
        }
    }

    /// How long the device takes for a frame, if it tells.
    pub(super) fn gpu_time(&mut self) -> Option<Duration> {
        self.renderer.gpu_time(&self.gpu)
    }

    /// Draws this over the frames from now on; letters are as large as the desktop's scale asks for.
    pub(super) fn set_overlay(&mut self, overlay: &Overlay, contents: &Contents) {
        let scale = self.window.scale_factor() as f32;
        let painted = overlay.paint(self.screen.size(), scale, contents);
        self.renderer.set_overlay(&self.gpu, painted);
    }

    /// Shows the frame; says whether anything can be seen. A lost device or surface is made anew.
    pub(super) fn show(
        &mut self,
        level: &Level,
        lighting: &Lighting,
        frame: &Frame,
    ) -> Result<bool, WindowError> {
        if self.gpu.is_lost() {
            *self = Self::in_window(Arc::clone(&self.window), level, lighting)?;
        }
        let window = &self.window;
        let present = || window.pre_present_notify();
        let shown = self
            .screen
            .show(&self.gpu, &mut self.renderer, lighting, frame, present)?;
        if shown == Shown::Lost {
            let size = self.screen.size();
            self.screen = Screen::reopen(&self.gpu, Arc::clone(&self.window), size)?;
        }
        Ok(shown == Shown::Shown)
    }

    /// Writes the frame to the first free `opendoor-NNNN.png` in the current folder.
    pub(super) fn save_picture(
        &mut self,
        lighting: &Lighting,
        frame: &Frame,
    ) -> Result<PathBuf, GpuError> {
        let names = (1..=9999).map(|n| PathBuf::from(format!("opendoor-{n:04}.png")));
        let free = names.into_iter().find(|path| !path.exists());
        let path = free.unwrap_or_else(|| Path::new("opendoor-9999.png").to_owned());
        let picture = Offscreen::with_format(&self.gpu, self.screen.size(), self.screen.format())?;
        picture.draw(&self.gpu, &mut self.renderer, lighting, frame);
        picture.save(&self.gpu, &path)?;
        Ok(path)
    }
}
