//! Takes the place of `hud` without the feature `overlay`: draws nothing.

use crate::gpu::{CommandEncoder, Gpu, RenderTarget, TextureFormat};
use crate::overlay::Contents;

pub(super) struct Hud;

impl Hud {
    pub(super) fn new(_: &Gpu, _: TextureFormat) -> Self {
        Self
    }

    pub(super) fn draw(
        &mut self,
        _: &Gpu,
        _: &mut CommandEncoder,
        _: RenderTarget,
        _: f32,
        _: &Contents,
    ) {
    }

    pub(super) fn draw_progress(
        &mut self,
        _: &Gpu,
        _: &mut CommandEncoder,
        _: RenderTarget,
        _: f32,
        _: (&str, f32),
    ) {
    }
}
