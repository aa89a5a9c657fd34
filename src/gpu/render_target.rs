//! Render targets.

/// The background colour, linear RGB, where a level has a hole and no sky.
pub(super) const BACKGROUND: wgpu::Color = wgpu::Color {
    r: 0.01,
    g: 0.012,
    b: 0.016,
    // Alpha 0: not tone-mapped.
    a: 0.0,
};

/// A texture view to draw to, of a window's surface or any other.
#[derive(Clone, Copy, Debug)]
pub struct RenderTarget<'a> {
    /// The view, with one layer, one mipmap and one sample.
    pub view: &'a wgpu::TextureView,
    /// The size, pixels across and down.
    pub size: [u32; 2],
}

impl RenderTarget<'_> {
    /// Records a pass that fills the target with the background colour of a level without sky.
    pub fn clear(&self, encoder: &mut wgpu::CommandEncoder) {
        let _ = self.pass(encoder, "clear", wgpu::LoadOp::Clear(BACKGROUND), None);
    }

    /// Begins a pass that draws to the target, at its full size and without depth.
    pub fn pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        label: &str,
        load: wgpu::LoadOp<wgpu::Color>,
        timestamps: Option<wgpu::RenderPassTimestampWrites>,
    ) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: self.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes: timestamps,
            ..Default::default()
        })
    }
}
