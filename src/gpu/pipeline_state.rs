//! Creation of a render pipeline from the states in which it differs from the default.

/// Samples per pixel; the tone curve's shader contains the same number.
pub(super) const SAMPLES: u32 = 4;
/// The depth format: with reversed depth, 32-bit floats are precise at every distance.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// The format of light before the tone curve.
pub(super) const LIGHT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Alpha blending over the colours behind; the picture's alpha is unchanged.
pub(super) const OVER: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendState::ALPHA_BLENDING.color,
    alpha: KEPT,
};

/// Keeps the maximum of the new colour and the colour already in the picture, so that many overlapping dark lines do
/// not add up to a bright area; the picture's alpha is unchanged.
pub(super) const BRIGHTER: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Max,
    },
    alpha: KEPT,
};

const KEPT: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Zero,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Add,
};

/// The states in which pipelines differ.
pub(super) struct PipelineKey<'a> {
    pub(super) label: &'a str,
    pub(super) shader: &'a wgpu::ShaderModule,
    /// The entry points of the vertex and the fragment shader; no fragment shader if empty.
    pub(super) entries: [&'a str; 2],
    pub(super) constants: &'a [(&'a str, f64)],
    pub(super) groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    pub(super) vertices: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(super) topology: wgpu::PrimitiveTopology,
    pub(super) front_face: wgpu::FrontFace,
    pub(super) cull_mode: Option<wgpu::Face>,
    pub(super) blend: Option<wgpu::BlendState>,
    /// The depth test, and whether depth is written; `None` without a depth attachment.
    pub(super) depth: Option<(wgpu::CompareFunction, bool)>,
    pub(super) colour: Option<wgpu::TextureFormat>,
    pub(super) samples: u32,
}

impl<'a> PipelineKey<'a> {
    /// The default state: triangles that fill the picture, without vertices.
    pub(super) fn new(shader: &'a wgpu::ShaderModule, format: wgpu::TextureFormat) -> Self {
        Self {
            label: "",
            shader,
            entries: ["vertex", "fragment"],
            constants: &[],
            groups: &[],
            vertices: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            front_face: wgpu::FrontFace::Ccw,
            cull_mode: None,
            blend: None,
            depth: None,
            colour: Some(format),
            samples: SAMPLES,
        }
    }
}

pub(super) fn create(device: &wgpu::Device, state: &PipelineKey) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(state.label),
        bind_group_layouts: state.groups,
        immediate_size: 0,
    });
    let compilation = || wgpu::PipelineCompilationOptions {
        constants: state.constants,
        ..Default::default()
    };
    let [vertex, fragment] = state.entries;
    let target = state.colour.map(|format| wgpu::ColorTargetState {
        format,
        blend: state.blend,
        write_mask: wgpu::ColorWrites::ALL,
    });
    let targets: &[Option<wgpu::ColorTargetState>] = match target {
        Some(target) => &[Some(target)],
        None => &[],
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(state.label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: state.shader,
            entry_point: Some(vertex),
            compilation_options: Default::default(),
            buffers: state.vertices,
        },
        primitive: wgpu::PrimitiveState {
            topology: state.topology,
            front_face: state.front_face,
            cull_mode: state.cull_mode,
            ..Default::default()
        },
        depth_stencil: state.depth.map(|(compare, write)| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(write),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: state.samples,
            ..Default::default()
        },
        fragment: (!fragment.is_empty()).then(|| wgpu::FragmentState {
            module: state.shader,
            entry_point: Some(fragment),
            compilation_options: compilation(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
