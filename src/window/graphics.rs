//! The window and what draws into it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::WindowError;
use crate::frame::Frame;
use crate::gpu::{
    Gpu, GpuError, LoadingScreen, Offscreen, PresentResult, Quality, Renderer, WindowSurface,
};
use crate::level::Level;
use crate::lighting::Lighting;
use crate::overlay::{Contents, Overlay};

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
    screen: WindowSurface,
    /// Until there is a level.
    curtain: Option<LoadingScreen>,
    scene: Option<Scene>,
}

/// A level on the device.
struct Scene {
    renderer: Renderer,
    /// Its letters are on the device.
    overlay: Overlay,
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
        if let Err(error) = device.screen.resize(&device.gpu, size) {
            log::warn!("the window is opened again after a change of its size: {error}");
            self.device = None;
        }
    }

    /// Width over height of the picture, or of the window while there is no device; 1 while it is
    /// minimised.
    pub(super) fn aspect(&self) -> f64 {
        let device = self.device.as_ref();
        let size = device.map(|device| device.screen.size());
        match size.unwrap_or_else(|| self.window.inner_size().into()) {
            [0, _] | [_, 0] => 1.0,
            [width, height] => f64::from(width) / f64::from(height),
        }
    }

    /// How long the device takes for a frame, if it tells.
    pub(super) fn gpu_time(&mut self) -> Option<Duration> {
        let device = self.device.as_mut()?;
        device.scene.as_mut()?.renderer.gpu_time(&device.gpu)
    }

    /// Shows the frame and over it `contents`, in letters as large as the desktop's scale asks
    /// for; says whether anything can be seen.
    pub(super) fn show(
        &mut self,
        level: &Level,
        lighting: &Lighting,
        frame: &Frame,
        contents: &Contents,
    ) -> Result<bool, GpuError> {
        let scale = self.window.scale_factor() as f32;
        let window = Arc::clone(&self.window);
        let (gpu, screen, scene) = self.device()?.scene(level, lighting)?;
        scene.write(gpu, screen.size(), scale, contents);
        let present = || window.pre_present_notify();
        let renderer = &mut scene.renderer;
        let shown = screen.show(
            gpu,
            |target, size| renderer.draw(gpu, lighting, frame, target, size),
            present,
        )?;
        Ok(self.is_seen(shown))
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
            screen,
            curtain,
            ..
        } = self.device()?;
        let curtain = match curtain {
            Some(curtain) => curtain,
            none => none.insert(LoadingScreen::new(gpu, screen.format())?),
        };
        let shown = screen.show(
            gpu,
            |target, size| {
                curtain.draw(gpu, scale, part.map(|part| (name, part)), target, size);
                Ok(())
            },
            || window.pre_present_notify(),
        )?;
        Ok(self.is_seen(shown))
    }

    /// Brings the level to the device, so that the first frame is not late.
    pub(super) fn prepare(&mut self, level: &Level, lighting: &Lighting) -> Result<(), GpuError> {
        self.device()?.scene(level, lighting).map(|_| ())
    }

    fn is_seen(&mut self, shown: PresentResult) -> bool {
        if shown == PresentResult::Lost {
            self.device = None;
        }
        shown == PresentResult::PresentResult
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
        let (gpu, screen, scene) = self.device()?.scene(level, lighting)?;
        scene.write(gpu, screen.size(), 1.0, &Contents::default());
        let picture = Offscreen::with_format(gpu, screen.size(), screen.format())?;
        picture.draw(gpu, &mut scene.renderer, lighting, frame);
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
        let (gpu, screen) = WindowSurface::open(Arc::clone(window), window.inner_size().into())?;
        log::info!("drawing with {}", gpu.adapter());
        Ok(Self {
            gpu,
            screen,
            curtain: None,
            scene: None,
        })
    }

    /// The level on the device, brought there if it is not, and the screen that it is drawn to.
    fn scene(
        &mut self,
        level: &Level,
        lighting: &Lighting,
    ) -> Result<(&Gpu, &mut WindowSurface, &mut Scene), GpuError> {
        let (gpu, format) = (&self.gpu, self.screen.format());
        self.curtain = None;
        let scene = match &mut self.scene {
            Some(scene) => scene,
            none => none.insert(Scene {
                renderer: Renderer::new(gpu, format, level, lighting, Quality::live(gpu))?,
                overlay: Overlay::default(),
            }),
        };
        Ok((gpu, &mut self.screen, scene))
    }
}

impl Scene {
    /// Draws this over the frames from now on.
    fn write(&mut self, gpu: &Gpu, size: [u32; 2], scale: f32, contents: &Contents) {
        if let Some(painted) = self.overlay.repaint(size, scale, contents) {
            self.renderer.set_overlay(gpu, painted);
        }
    }
}
