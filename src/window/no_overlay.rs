//! Takes the place of [`crate::gpu`]'s overlay without that feature: draws nothing.

use crate::gpu::{CommandEncoder, Gpu, RenderTarget, TextureFormat};
use crate::overlay::Contents;

pub(super) struct Overlay;

impl Overlay {
    pub(super) fn new(_: &Gpu, _: TextureFormat) -> Self {
        Self
    }

    pub(super) fn set_contents(&mut self, _: &Gpu, _: [u32; 2], _: f32, _: &Contents) {}

    pub(super) fn set_progress(&mut self, _: &Gpu, _: [u32; 2], _: f32, _: &str, _: f32) {}

    pub(super) fn draw(&mut self, _: &Gpu, _: &mut CommandEncoder, _: RenderTarget) {}
}
