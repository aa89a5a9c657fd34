//! Draws the overlay over a picture.

use egui_wgpu::{RendererOptions, ScreenDescriptor};

use super::device::Gpu;
use super::render_target::RenderTarget;
use crate::overlay::Painted;

/// An overlay on the device, apart from the level: drawn after it, or over anything else.
pub struct OverlayRenderer {
    renderer: egui_wgpu::Renderer,
    painted: Vec<egui::ClippedPrimitive>,
    pixels_per_point: f32,
    /// The size of the picture for which the primitives are on the device, unless they are new.
    prepared_for: Option<[u32; 2]>,
}

impl OverlayRenderer {
    /// For targets of `format`; draws nothing as yet.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let options = RendererOptions::PREDICTABLE;
        Self {
            renderer: egui_wgpu::Renderer::new(&gpu.device, format, options),
            painted: Vec::new(),
            pixels_per_point: 1.0,
            prepared_for: None,
        }
    }

    /// Draws this from now on. It reaches the device ahead of commands that were recorded, but not
    /// yet submitted.
    pub fn set(&mut self, gpu: &Gpu, mut painted: Painted) {
        // In order of the textures, whose table has none.
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

    /// Records the drawing over what `target` shows.
    pub fn draw(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, target: RenderTarget) {
        if self.painted.is_empty() {
            return;
        }
        let screen = ScreenDescriptor {
            size_in_pixels: target.size,
            pixels_per_point: self.pixels_per_point,
        };
        if self.prepared_for.replace(target.size) != Some(target.size) {
            // It returns the commands of callbacks, of which there are none.
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
