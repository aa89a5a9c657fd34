//! Drawing of the overlay over a picture.

use egui_wgpu::{RendererOptions, ScreenDescriptor};

use super::device::Gpu;
use super::render_target::RenderTarget;
use crate::overlay::{OverlayContents, OverlayPainter, Painted};

/// An overlay, independent of the level: drawn after it, or over anything else.
pub struct Overlay {
    painter: OverlayPainter,
    renderer: egui_wgpu::Renderer,
    painted: Vec<egui::ClippedPrimitive>,
    pixels_per_point: f32,
    /// The picture size for which the primitives on the device were prepared; none if they are new.
    prepared_for: Option<[u32; 2]>,
}

impl Overlay {
    /// Creates an empty overlay for targets of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let options = RendererOptions::PREDICTABLE;
        Self {
            painter: OverlayPainter::default(),
            renderer: egui_wgpu::Renderer::new(&gpu.device, format, options),
            painted: Vec::new(),
            pixels_per_point: 1.0,
            prepared_for: None,
        }
    }

    /// Sets the contents for the following draws, for pictures of `size` pixels, with text enlarged by `scale`, the
    /// scale factor of the screen. Paints nothing if nothing has changed. All plans must be of one level; they may lag
    /// behind the eye by 0.25 m or two degrees. This also changes the overlay of draws that are recorded but not yet
    /// submitted.
    pub fn set_contents(
        &mut self,
        gpu: &Gpu,
        size: [u32; 2],
        scale: f32,
        contents: &OverlayContents,
    ) {
        if let Some(painted) = self.painter.repaint(size, scale, contents) {
            self.set(gpu, painted);
        }
    }

    /// Sets the contents to a progress bar: `part`, 0..1, of the level `name` is ready.
    pub fn set_progress(&mut self, gpu: &Gpu, size: [u32; 2], scale: f32, name: &str, part: f32) {
        let painted = self.painter.paint_progress(size, scale, name, part);
        self.set(gpu, painted);
    }

    /// Sets the contents to those of `ui`, an egui user interface that receives this input. Returns its requests to
    /// the window: another pointer, text for the clipboard.
    pub fn set_ui(
        &mut self,
        gpu: &Gpu,
        (size, scale): ([u32; 2], f32),
        input: egui::RawInput,
        ui: impl FnMut(&mut egui::Ui),
    ) -> egui::PlatformOutput {
        let (painted, platform) = self.painter.paint_ui(size, scale, input, ui);
        self.set(gpu, painted);
        platform
    }

    /// The egui context of the overlay.
    pub fn context(&self) -> &egui::Context {
        self.painter.context()
    }

    fn set(&mut self, gpu: &Gpu, mut painted: Painted) {
        // Sorted for a deterministic order of the textures, since their table has none.
        let mut changed: Vec<_> = painted.textures.set.iter().collect();
        changed.sort_by_key(|(id, _)| **id);
        for (id, deltas) in changed {
            for delta in deltas {
                self.renderer
                    .update_texture(&gpu.device, &gpu.queue, *id, delta);
            }
        }
        let mut freed: Vec<_> = painted.textures.free.iter().collect();
        freed.sort();
        freed
            .into_iter()
            .for_each(|id| self.renderer.free_texture(id));
        painted.textures.clear();
        self.painted = painted.primitives;
        self.pixels_per_point = painted.pixels_per_point;
        self.prepared_for = None;
    }

    /// Records the drawing over the contents of `target`.
    pub fn draw(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, target: RenderTarget) {
        if self.painted.is_empty() {
            return;
        }
        let screen = ScreenDescriptor {
            size_in_pixels: target.size,
            pixels_per_point: self.pixels_per_point,
        };
        if self.prepared_for.replace(target.size) != Some(target.size) {
            // The return value contains the commands of callbacks, of which there are none.
            let _ = self.renderer.update_buffers(
                &gpu.device,
                &gpu.queue,
                encoder,
                &self.painted,
                &screen,
            );
        }
        let pass = target.pass(encoder, "overlay", wgpu::LoadOp::Load, None);
        self.renderer
            .render(&mut pass.forget_lifetime(), &self.painted, &screen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Offscreen;

    #[test]
    fn the_overlay_is_drawn_in_every_size_with_progress_and_with_contents() {
        let gpu = Gpu::open_noop().unwrap();
        let mut overlay = Overlay::new(&gpu, Offscreen::FORMAT);
        let contents = OverlayContents {
            text: "figures",
            message: "a message",
            title: "a title",
            crosshair: true,
            plan: None,
        };
        for size in [[1, 1], [300, 7], [640, 360]] {
            let picture = Offscreen::new(&gpu, size).unwrap();
            for part in [None, Some(0.0), Some(1.0)] {
                match part {
                    Some(part) => overlay.set_progress(&gpu, size, 1.5, "a level", part),
                    None => overlay.set_contents(&gpu, size, 1.5, &contents),
                }
                picture.draw(&gpu, |encoder, target| {
                    target.clear(encoder);
                    overlay.draw(&gpu, encoder, target);
                    Ok(())
                });
                picture.wait(&gpu).unwrap();
            }
        }
        assert_eq!(gpu.refusals(), 0);
    }
}
