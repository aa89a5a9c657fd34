//! The window and its graphics device.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window};

use super::device::{Device, Over, PictureSettings, render_quality};
use super::error::WindowError;
use super::file_names::first_free;
use super::icon::with_icon;
use super::pace::DynamicResolution;

use crate::frame::Frame;
use crate::gpu::{GpuError, Offscreen, PresentResult, RenderQuality};
use crate::level::Level;
use crate::lighting::Lighting;
use crate::overlay::OverlayContents;
use crate::settings::{DrawQuality, Settings};

/// The size of a new window, logical pixels, if the screen is large enough.
const SIZE: LogicalSize<f64> = LogicalSize::new(1280.0, 720.0);
/// The part of the screen that a new window takes if the screen is too small for [`SIZE`].
const SCREEN_PART: f64 = 0.85;
/// The height, logical pixels, above which text grows with the picture.
const USUAL_HEIGHT: f32 = 1080.0;
/// The time during which a lost device is reopened repeatedly: a driver needs some time after a reset.
const REOPENING_TIME: Duration = Duration::from_secs(10);

/// A window and its device.
pub(super) struct Graphics {
    pub(super) window: Arc<Window>,
    /// `None` after the device was lost, until the next frame is shown.
    device: Option<Device>,
    /// The time since which no device works.
    lost_since: Option<Instant>,
    look: PictureSettings,
    resolution: DynamicResolution,
    /// The time by which the exposure adapts in the next picture, seconds; `None` for the exposure of the level.
    adaptation_secs: Option<f64>,
}

impl Graphics {
    /// Opens the window.
    pub(super) fn open(events: &ActiveEventLoop, settings: &Settings) -> Result<Self, WindowError> {
        let attributes = Window::default_attributes()
            .with_title("OpenDoor")
            .with_inner_size(first_size(events));
        let window = events.create_window(with_icon(attributes));
        let window = window.map_err(|error| WindowError::NoWindow(error.to_string()))?;
        let window = Arc::new(window);
        let device = Some(Device::open(&window)?);
        let mut graphics = Self {
            window,
            device,
            lost_since: None,
            look: PictureSettings::of(settings),
            resolution: DynamicResolution::default(),
            adaptation_secs: None,
        };
        graphics.apply(settings);
        Ok(graphics)
    }

    /// Applies the player's settings from the next frame on.
    pub(super) fn apply(&mut self, settings: &Settings) {
        let is_full = self.window.fullscreen().is_some();
        if is_full != settings.fullscreen {
            let fullscreen = settings.fullscreen.then(|| Fullscreen::Borderless(None));
            self.window.set_fullscreen(fullscreen);
        }
        let look = PictureSettings::of(settings);
        if look.quality != self.look.quality
            && let Some(device) = &mut self.device
        {
            // The level is uploaded again in the new quality.
            device.renderer = None;
        }
        self.look = look;
    }

    /// Records the duration of a frame of the walk, without the wait for the next frame.
    pub(super) fn frame_took(&mut self, took: Duration) {
        self.resolution.frame_took(took);
    }

    /// Returns the drawing quality.
    pub(super) fn quality(&self) -> RenderQuality {
        let device = self.device.as_ref();
        let quality = device.map(|device| render_quality(&device.gpu, self.look.quality));
        quality.unwrap_or_default()
    }

    /// Sets the time by which the exposure adapts in the next picture, seconds; `None` for the exposure of the level.
    pub(super) fn set_exposure_adaptation(&mut self, elapsed_secs: Option<f64>) {
        self.adaptation_secs = elapsed_secs;
    }

    /// Returns the number of pixels drawn along a side per displayed pixel, and whether dynamic resolution has lowered
    /// it below the player's setting.
    pub(super) fn resolution_scale(&self) -> (f64, bool) {
        let part = match self.look.quality {
            DrawQuality::Auto => self.resolution.scale(),
            _ => 1.0,
        };
        (self.look.resolution_scale * part, part < 1.0)
    }

    /// Begins to show another level: sets the title, and drops the renderer of the previous level.
    pub(super) fn begin_level(&mut self, name: &str) {
        self.resolution = DynamicResolution::default();
        self.window.set_title(&format!("{name} - OpenDoor"));
        if let Some(device) = &mut self.device {
            device.renderer = None;
        }
    }

    /// Passes a window event to the menu.
    pub(super) fn tell_menu(&mut self, event: &WindowEvent) {
        if let Some(device) = &mut self.device {
            let _ = device.ui.on_window_event(&self.window, event);
        }
    }

    /// Passes a key press to the menu that has no keyboard event, such as that of a gamepad.
    pub(super) fn press_in_menu(&mut self, key: egui::Key) {
        if let Some(device) = &mut self.device {
            let events = &mut device.ui.egui_input_mut().events;
            events.extend([true, false].map(|pressed| egui::Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: egui::Modifiers::NONE,
            }));
        }
    }

    /// Copies text to the clipboard.
    pub(super) fn copy(&mut self, text: String) {
        if let Some(device) = &mut self.device {
            device.ui.set_clipboard_text(text);
        }
    }

    /// Whether the window is minimized.
    pub(super) fn is_minimized(&self) -> bool {
        self.size().contains(&0) || self.window.is_minimized() == Some(true)
    }

    /// Returns the pixels of the picture per point of text.
    fn text_scale(&self) -> f32 {
        let factor = self.window.scale_factor() as f32;
        let height = self.size()[1] as f32 / factor;
        factor * (height / USUAL_HEIGHT).max(1.0) * self.look.text_size as f32
    }

    /// Resizes the picture to the window.
    pub(super) fn resize(&mut self, size: [u32; 2]) {
        let Some(device) = &mut self.device else {
            return;
        };
        if let Err(error) = device.surface.resize(&device.gpu, size) {
            log::warn!("the window is opened again after a change of its size: {error}");
            self.device = None;
        }
    }

    /// Returns the aspect ratio (width over height) of the picture, or of the window while there is no device; 1 while
    /// the window is minimized.
    pub(super) fn aspect(&self) -> f64 {
        match self.size() {
            [0, _] | [_, 0] => 1.0,
            [width, height] => f64::from(width) / f64::from(height),
        }
    }

    /// Returns the size in pixels of the picture, or of the window while there is no device.
    fn size(&self) -> [u32; 2] {
        let device = self.device.as_ref();
        let size = device.map(|device| device.surface.size());
        size.unwrap_or_else(|| self.window.inner_size().into())
    }

    /// Returns the GPU time of a frame, if the device has timestamps.
    pub(super) fn gpu_time(&mut self) -> Option<Duration> {
        let device = self.device.as_mut()?;
        device.renderer.as_mut()?.gpu_time(&device.gpu)
    }

    /// Shows the frame under an overlay or the menu; returns whether anything is visible. If the frame `is_unchanged`
    /// since it was last shown, its picture is not drawn again.
    pub(super) fn show(
        &mut self,
        picture: (&Level, &Lighting, &Frame),
        is_unchanged: bool,
        over: Over,
    ) -> Result<bool, GpuError> {
        let shown = self.try_to_show(picture, is_unchanged, over);
        self.outcome(shown)
    }

    fn try_to_show(
        &mut self,
        (level, lighting, frame): (&Level, &Lighting, &Frame),
        is_unchanged: bool,
        over: Over,
    ) -> Result<PresentResult, GpuError> {
        let scale = self.text_scale();
        let window = Arc::clone(&self.window);
        let look = self.look;
        let (resolution_scale, _) = self.resolution_scale();
        let adaptation_secs = self.adaptation_secs;
        let device = self.device()?;
        device.paint(&window, scale, over);
        let (gpu, surface, overlay, renderer) = device.with_level(level, lighting, look)?;
        renderer.set_resolution_scale(resolution_scale);
        renderer.set_exposure_adaptation(adaptation_secs);
        surface.show(
            gpu,
            |encoder, target| {
                if !(is_unchanged && renderer.draw_again(encoder, target)) {
                    renderer.draw(gpu, encoder, lighting, frame, target)?;
                }
                overlay.draw(gpu, encoder, target);
                Ok(())
            },
            || window.pre_present_notify(),
        )
    }

    /// Shows `over` without a level behind it; returns whether anything is visible.
    pub(super) fn show_alone(&mut self, over: Option<Over>) -> Result<bool, GpuError> {
        let shown = self.try_to_show_alone(over);
        self.outcome(shown)
    }

    fn try_to_show_alone(&mut self, over: Option<Over>) -> Result<PresentResult, GpuError> {
        let scale = self.text_scale();
        let window = Arc::clone(&self.window);
        let device = self.device()?;
        let nothing = OverlayContents::default();
        device.paint(&window, scale, over.unwrap_or(Over::Contents(&nothing)));
        let Device {
            gpu,
            surface,
            overlay,
            ..
        } = device;
        surface.show(
            gpu,
            |encoder, target| {
                target.clear(encoder);
                overlay.draw(gpu, encoder, target);
                Ok(())
            },
            || window.pre_present_notify(),
        )
    }

    /// Uploads the level, so that the first frame is not late.
    pub(super) fn prepare(&mut self, level: &Level, lighting: &Lighting) -> Result<(), GpuError> {
        let uploaded = self.upload(level, lighting);
        self.outcome(uploaded).map(|_| ())
    }

    fn upload(&mut self, level: &Level, lighting: &Lighting) -> Result<PresentResult, GpuError> {
        let look = self.look;
        self.device()?.with_level(level, lighting, look)?;
        Ok(PresentResult::Skipped)
    }

    /// Uploads another version of the current level.
    pub(super) fn replace_level(
        &mut self,
        (old, level): (&Level, &Level),
        lighting: &Lighting,
    ) -> Result<(), GpuError> {
        let look = self.look;
        let device = self.device.as_mut();
        let uploaded = match device.map(|device| (&device.gpu, &mut device.renderer)) {
            Some((gpu, Some(renderer))) => {
                let quality = render_quality(gpu, look.quality);
                let replaced = renderer.replace_level(gpu, (old, level), lighting, quality);
                replaced.map(|()| PresentResult::Skipped)
            }
            _ => self.upload(level, lighting),
        };
        self.outcome(uploaded).map(|_| ())
    }

    /// Returns whether anything is visible after an attempt to draw. If the device is lost, nothing is visible, and the
    /// next attempt opens another device; an error of a lost device is returned only after [`REOPENING_TIME`].
    fn outcome(&mut self, drawn: Result<PresentResult, GpuError>) -> Result<bool, GpuError> {
        let device = self.device.as_ref();
        let is_lost = device.is_none_or(|device| device.gpu.is_lost());
        match drawn {
            Ok(PresentResult::Lost) => {
                log::warn!("the window's surface was lost: it is opened again");
                self.device = None;
                Ok(false)
            }
            Err(error) if is_lost => {
                let since = *self.lost_since.get_or_insert_with(Instant::now);
                if since.elapsed() > REOPENING_TIME {
                    return Err(error);
                }
                log::warn!("the graphics device is opened again: {error}");
                self.device = None;
                Ok(false)
            }
            Ok(presented) => {
                self.lost_since = None;
                Ok(presented == PresentResult::Presented)
            }
            Err(error) => Err(error),
        }
    }

    /// Draws the level in another lighting of the same layout from now on.
    pub(super) fn replace_lighting(&mut self) {
        let device = self.device.as_mut();
        if let Some(renderer) = device.and_then(|device| device.renderer.as_mut()) {
            renderer.replace_lighting();
        }
    }

    /// Writes the frame to the first free `opendoor-NNNN.png` in the current folder.
    pub(super) fn save_picture(
        &mut self,
        level: &Level,
        lighting: &Lighting,
        frame: &Frame,
    ) -> Result<PathBuf, GpuError> {
        let path = first_free("opendoor", "png");
        let look = self.look;
        let (gpu, surface, _, renderer) = self.device()?.with_level(level, lighting, look)?;
        let picture = Offscreen::with_format(gpu, surface.size(), surface.format())?;
        picture.draw(gpu, |encoder, target| {
            renderer.draw(gpu, encoder, lighting, frame, target)
        });
        picture.save(gpu, &path)?;
        Ok(path)
    }

    /// Loses the device, as a driver reset does.
    #[cfg(test)]
    pub(super) fn lose_device(&self) {
        if let Some(device) = &self.device {
            device.gpu.lose();
        }
    }

    /// Whether there is a device that works.
    #[cfg(test)]
    pub(super) fn has_device(&self) -> bool {
        let device = self.device.as_ref();
        device.is_some_and(|device| !device.gpu.is_lost())
    }

    /// Returns the device; opens it again if it was lost.
    fn device(&mut self) -> Result<&mut Device, GpuError> {
        // The lost device is dropped before another one is opened.
        self.device.take_if(|device| device.gpu.is_lost());
        match &mut self.device {
            Some(device) => Ok(device),
            none => Ok(none.insert(Device::open(&self.window)?)),
        }
    }
}

/// Returns the size of a new window: smaller than usual on a small screen.
fn first_size(events: &ActiveEventLoop) -> PhysicalSize<u32> {
    let screen = events.primary_monitor();
    let screen = screen.or_else(|| events.available_monitors().next());
    let Some(screen) = screen else {
        return SIZE.to_physical(1.0);
    };
    let wanted: PhysicalSize<f64> = SIZE.to_physical(screen.scale_factor());
    let room = screen.size();
    let [width, height] = [f64::from(room.width), f64::from(room.height)];
    let part = (width * SCREEN_PART / wanted.width).min(height * SCREEN_PART / wanted.height);
    if part >= 1.0 || part <= 0.0 {
        return SIZE.to_physical(screen.scale_factor());
    }
    PhysicalSize::new(wanted.width * part, wanted.height * part).cast()
}
