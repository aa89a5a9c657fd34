//! A crosshair, drawn by a pipeline of the program's own.

use opendoor::wgpu;

/// Two bars: instances 0 and 1 are white, 2 and 3 green.
const SHADER: &str = "
struct Bar { @builtin(position) clip: vec4f, @location(0) colour: vec4f }
@vertex fn vertex(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Bar {
    let size = select(vec2f(0.03, 0.006), vec2f(0.0034, 0.053), (i & 1u) == 1u);
    let colour = select(vec4f(1.0), vec4f(0.1, 1.0, 0.2, 1.0), i >= 2u);
    return Bar(vec4f((vec2f(f32(v & 1u), f32(v >> 1u)) - 0.5) * size, 0.0, 1.0), colour);
}
@fragment fn fragment(bar: Bar) -> @location(0) vec4f { return bar.colour; }";

pub(crate) struct Crosshair(wgpu::RenderPipeline);

impl Crosshair {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("crosshair"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let descriptor = wgpu::RenderPipelineDescriptor {
            label: Some("crosshair"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &shader,
                entry_point: None,
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &shader,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        };
        Self(device.create_render_pipeline(&descriptor))
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass, is_green: bool) {
        let first = if is_green { 2 } else { 0 };
        pass.set_pipeline(&self.0);
        pass.draw(0..4, first..first + 2);
    }
}
