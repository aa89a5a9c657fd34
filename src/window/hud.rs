//! The overlay of the window.

use crate::gpu::{CommandEncoder, Gpu, OverlayRenderer, RenderTarget, TextureFormat};
use crate::overlay::{Contents, Overlay, Painted};

/// Text, messages and the plan over the picture, or how much of a level is ready.
pub(super) struct Hud {
    overlay: Overlay,
    renderer: OverlayRenderer,
}

impl Hud {
    pub(super) fn new(gpu: &Gpu, format: TextureFormat) -> Self {
        Self {
            overlay: Overlay::default(),
            renderer: OverlayRenderer::new(gpu, format),
        }
    }

    /// Records the drawing of these contents, text larger by `scale`.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut CommandEncoder,
        target: RenderTarget,
        scale: f32,
        contents: &Contents,
    ) {
        let painted = self.overlay.repaint(target.size, scale, contents);
        self.draw_painted(gpu, encoder, target, painted);
    }

    /// Records the drawing of a progress bar: how much of the level of this name is ready, 0..1.
    pub(super) fn draw_progress(
        &mut self,
        gpu: &Gpu,
        encoder: &mut CommandEncoder,
        target: RenderTarget,
        scale: f32,
        (name, part): (&str, f32),
    ) {
        let painted = self.overlay.paint_progress(target.size, scale, name, part);
        self.draw_painted(gpu, encoder, target, Some(painted));
    }

    fn draw_painted(
        &mut self,
        gpu: &Gpu,
        encoder: &mut CommandEncoder,
        target: RenderTarget,
        painted: Option<Painted>,
    ) {
        if let Some(painted) = painted {
            self.renderer.set(gpu, painted);
        }
        self.renderer.draw(gpu, encoder, target);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Offscreen;

    #[test]
    fn it_is_drawn_in_every_size_with_progress_and_with_contents() {
        let gpu = Gpu::open_noop().unwrap();
        let mut hud = Hud::new(&gpu, Offscreen::FORMAT);
        let contents = Contents {
            text: "figures",
            message: "a message",
            plan: None,
        };
        for size in [[1, 1], [300, 7], [640, 360]] {
            let picture = Offscreen::new(&gpu, size).unwrap();
            for part in [0.0, 1.0] {
                picture.draw(&gpu, |encoder, target| {
                    target.clear(encoder);
                    hud.draw_progress(&gpu, encoder, target, 1.5, ("a level", part));
                    hud.draw(&gpu, encoder, target, 1.5, &contents);
                    Ok(())
                });
                picture.wait(&gpu).unwrap();
            }
        }
        assert_eq!(gpu.refusals(), 0);
    }
}
