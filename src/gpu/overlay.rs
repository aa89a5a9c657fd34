//! Draws what was painted over the picture.

use egui_wgpu::{RendererOptions, ScreenDescriptor};

use super::Gpu;
use crate::overlay::Painted;

/// What was painted last, on the device.
pub(super) struct DeviceOverlay {
    renderer: egui_wgpu::Renderer,
    painted: Vec<egui::ClippedPrimitive>,
    pixels_per_point: f32,
    /// The size of the picture that it was last made ready for, unless it is new.
    ready_for: Option<[u32; 2]>,
}

impl DeviceOverlay {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let options = RendererOptions::PREDICTABLE;
        Self {
            renderer: egui_wgpu::Renderer::new(&gpu.device, format, options),
            painted: Vec::new(),
            pixels_per_point: 1.0,
            ready_for: None,
        }
    }

    /// Takes what is to be drawn from now on.
    pub(super) fn set(&mut self, gpu: &Gpu, mut painted: Painted) {
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
        self.ready_for = None;
    }

    /// Draws it over the picture, or over `cleared` alone.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        picture: &wgpu::TextureView,
        size: [u32; 2],
        cleared: Option<wgpu::Color>,
    ) {
        if self.painted.is_empty() && cleared.is_none() {
            return;
        }
        let screen = ScreenDescriptor {
            size_in_pixels: size,
            pixels_per_point: self.pixels_per_point,
        };
        if self.ready_for.replace(size) != Some(size) {
            // It returns the commands of callbacks, of which there are none.
            let _ = self.renderer.update_buffers(
                &gpu.device,
                &gpu.queue,
                encoder,
                &self.painted,
                &screen,
            );
        }
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("overlay"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: picture,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: cleared.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        self.renderer
            .render(&mut pass.forget_lifetime(), &self.painted, &screen);
    }
}
