//! The GPU device and surface of a window, with the level's renderer and the overlay.

use std::sync::Arc;

use egui_winit::egui::{Event, RawInput, Ui, ViewportId};
use winit::window::Window;

use crate::gpu::{Gpu, GpuError, Overlay, RenderQuality, Renderer, WindowSurface};
use crate::level::Level;
use crate::lighting::Lighting;
use crate::overlay::OverlayContents;
use crate::settings::{DrawQuality, Settings};

/// A layer over a picture.
pub(super) enum Over<'a, 'u> {
    /// Texts and plans.
    Contents(&'a OverlayContents<'a>),
    /// A progress bar: the level's name and the part of it that is loaded, 0..1.
    Progress(&'a str, f32),
    /// The menu: a function that adds it to a user interface.
    Menu(&'u mut dyn FnMut(&mut Ui)),
}

/// The player's settings of the picture.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct PictureSettings {
    pub quality: DrawQuality,
    pub resolution_scale: f64,
    pub text_size: f64,
}

impl PictureSettings {
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            quality: settings.quality,
            resolution_scale: settings.resolution_scale,
            text_size: settings.text_size,
        }
    }
}

/// The GPU objects of a window. After a loss all of them are created again together: a window has one surface at a
/// time, and another surface may need another texture format of the renderer.
pub(super) struct Device {
    pub gpu: Gpu,
    pub surface: WindowSurface,
    pub overlay: Overlay,
    /// The menu's input from the window, and its requests to the window.
    pub ui: egui_winit::State,
    /// `None` until there is a level.
    pub renderer: Option<Renderer>,
}

impl Device {
    pub(super) fn open(window: &Arc<Window>) -> Result<Self, GpuError> {
        let size = window.inner_size().into();
        let (gpu, surface) = WindowSurface::open(Arc::clone(window), size)?;
        log::info!("drawing with {}", gpu.adapter());
        let overlay = Overlay::new(&gpu, surface.format());
        let context = overlay.context().clone();
        Ok(Self {
            ui: egui_winit::State::new(context, ViewportId::ROOT, window, None, None, None),
            overlay,
            gpu,
            surface,
            renderer: None,
        })
    }

    /// Paints the overlay.
    pub(super) fn paint(&mut self, window: &Window, scale: f32, over: Over) {
        let (gpu, size) = (&self.gpu, self.surface.size());
        match over {
            Over::Contents(contents) => self.overlay.set_contents(gpu, size, scale, contents),
            Over::Progress(name, part) => self.overlay.set_progress(gpu, size, scale, name, part),
            Over::Menu(show) => {
                // The window's input must be converted to points with the same scale.
                let zoom = scale / window.scale_factor() as f32;
                self.overlay.context().set_zoom_factor(zoom);
                let mut input: RawInput = self.ui.take_egui_input(window);
                // Some systems never report that the window has the keyboard focus.
                input.focused = true;
                for input in one_key_each(input) {
                    let asked = self.overlay.set_ui(gpu, (size, scale), input, &mut *show);
                    self.ui.handle_platform_output(window, asked);
                }
            }
        }
    }

    /// Returns all parts, after uploading the level if it is not on the device yet.
    pub(super) fn with_level(
        &mut self,
        level: &Level,
        lighting: &Lighting,
        look: PictureSettings,
    ) -> Result<(&Gpu, &mut WindowSurface, &mut Overlay, &mut Renderer), GpuError> {
        let (gpu, format) = (&self.gpu, self.surface.format());
        let renderer = match &mut self.renderer {
            Some(renderer) => renderer,
            none => {
                let quality = render_quality(gpu, look.quality);
                none.insert(Renderer::new(gpu, format, level, lighting, quality)?)
            }
        };
        Ok((gpu, &mut self.surface, &mut self.overlay, renderer))
    }
}

/// Splits the input into parts with at most one pressed key each. A slow frame collects several keys, but one pass of
/// the user interface moves the keyboard focus at most once; a page that a key opens gets the focus only after one more
/// pass.
fn one_key_each(mut input: RawInput) -> impl Iterator<Item = RawInput> {
    let mut parts = vec![Vec::new()];
    for event in std::mem::take(&mut input.events) {
        if matches!(event, Event::Key { pressed: true, .. }) {
            parts.extend([vec![event], Vec::new()]);
        } else if let Some(last) = parts.last_mut() {
            last.push(event);
        }
    }
    parts.into_iter().map(move |events| RawInput {
        events,
        ..input.clone()
    })
}

/// Returns the drawing quality of a device for the chosen setting.
pub(super) fn render_quality(gpu: &Gpu, chosen: DrawQuality) -> RenderQuality {
    let quality = match chosen {
        DrawQuality::Auto => RenderQuality::live(gpu),
        DrawQuality::Low => RenderQuality::LOW,
        DrawQuality::Medium => RenderQuality {
            anisotropy: 4,
            ..RenderQuality::default()
        },
        DrawQuality::High => RenderQuality {
            shadow_texels: 1152,
            anisotropy: 16,
            ..RenderQuality::high()
        },
    };
    quality.supported_by(gpu)
}

#[cfg(test)]
mod tests {
    use egui_winit::egui::{Key, Modifiers};

    use super::*;

    #[test]
    fn each_pressed_key_has_a_part_of_its_own_and_another_after_it() {
        let key = |key, pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let [down, up, enter] = [
            key(Key::ArrowDown, true),
            key(Key::ArrowDown, false),
            key(Key::Enter, true),
        ];
        let parts = |events: &[Event]| {
            let events = events.to_vec();
            let parts = one_key_each(RawInput {
                events,
                ..RawInput::default()
            });
            parts.map(|part| part.events).collect::<Vec<_>>()
        };
        assert_eq!(parts(&[]), [vec![]]);
        let copied = Event::Copy;
        assert_eq!(
            parts(&[copied.clone(), down.clone(), up.clone(), enter.clone()]),
            [vec![copied], vec![down], vec![up], vec![enter], vec![]]
        );
    }
}
