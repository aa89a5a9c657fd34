//! How the device draws: shaders, layouts of what is bound, states.

use std::mem::offset_of;

use super::Gpu;
use super::overlay::Cell;
use crate::frame::LineVertex;
use crate::level::Vertex;

/// Samples per pixel.
pub(super) const SAMPLES: u32 = 4;
/// With reversed depth, 32-bit floats are precise at every distance.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// What the shader reads for each vertex of a drawn room: [`crate::frame::Placement`] with the
/// range of its lights.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Instance {
    pub(super) view_from_room: [[f32; 3]; 3],
    pub(super) eye: [f32; 3],
    pub(super) eye_remainder: [f32; 3],
    pub(super) lights: [u32; 2],
}

/// All pipelines and the layouts of their bind groups.
pub(super) struct Pipelines {
    /// Camera and lights; the camera alone for lines.
    pub(super) globals: wgpu::BindGroupLayout,
    pub(super) material: wgpu::BindGroupLayout,
    pub(super) overlay: wgpu::BindGroupLayout,
    /// Indexed by [`Surface::pipeline`].
    pub(super) room: Vec<wgpu::RenderPipeline>,
    pub(super) line: wgpu::RenderPipeline,
    pub(super) text: wgpu::RenderPipeline,
}

/// What of a surface decides on its pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surface {
    pub(super) double_sided: bool,
    /// Whether texels below some alpha are cut away.
    pub(super) masked: bool,
    /// Whether it is drawn without lighting.
    pub(super) unlit: bool,
}

impl Surface {
    /// Index into [`Pipelines::room`], for a room that is `mirrored` or not.
    pub(super) fn pipeline(self, mirrored: bool) -> usize {
        let bits = [mirrored, self.double_sided, self.masked, self.unlit];
        (0..).zip(bits).map(|(i, bit)| usize::from(bit) << i).sum()
    }
}

/// Makes everything for targets of `format`.
pub(super) fn pipelines(gpu: &Gpu, format: wgpu::TextureFormat) -> Pipelines {
    let device = &gpu.device;
    let bind_group_layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(label),
            entries,
        })
    };
    let storage = wgpu::BufferBindingType::Storage { read_only: true };
    let uniform = wgpu::BufferBindingType::Uniform;
    let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
    let in_fragment = wgpu::ShaderStages::FRAGMENT;
    let globals = bind_group_layout(
        "globals",
        &[
            buffer(0, both, uniform),
            buffer(1, in_fragment, storage),
            buffer(2, in_fragment, storage),
        ],
    );
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let material = bind_group_layout(
        "material",
        &[
            buffer(0, in_fragment, uniform),
            texture(1, true),
            entry(2, in_fragment, sampler),
        ],
    );
    let overlay = bind_group_layout("overlay", &[buffer(0, both, uniform), texture(1, false)]);

    let room_shader = wgpu::include_wgsl!("../../shaders/room.wgsl");
    let room_shader = device.create_shader_module(room_shader);
    let line_shader = wgpu::include_wgsl!("../../shaders/line.wgsl");
    let line_shader = device.create_shader_module(line_shader);
    let text_shader = wgpu::include_wgsl!("../../shaders/text.wgsl");
    let text_shader = device.create_shader_module(text_shader);
    let pipeline = |state: &State| create(device, format, state);
    let room = |index: usize| {
        let [mirrored, double_sided, masked, unlit] = [0, 1, 2, 3].map(|bit| index >> bit & 1 == 1);
        let number = |flag| f64::from(u8::from(flag));
        pipeline(&State {
            constants: &[("MASKED", number(masked)), ("UNLIT", number(unlit))],
            label: "room",
            shader: &room_shader,
            groups: &[Some(&globals), Some(&material)],
            vertices: &[Some(vertex_layout()), Some(instance_layout())],
            topology: wgpu::PrimitiveTopology::TriangleList,
            front_face: if mirrored {
                wgpu::FrontFace::Cw
            } else {
                wgpu::FrontFace::Ccw
            },
            cull_mode: (!double_sided).then_some(wgpu::Face::Back),
            over_all: false,
        })
    };
    let over_all = |label, shader, groups, vertices, topology| {
        pipeline(&State {
            label,
            constants: &[],
            shader,
            groups,
            vertices,
            topology,
            front_face: wgpu::FrontFace::Ccw,
            cull_mode: None,
            over_all: true,
        })
    };
    Pipelines {
        room: (0..16).map(room).collect(),
        line: over_all(
            "lines",
            &line_shader,
            &[Some(&globals)],
            &[Some(line_layout())],
            wgpu::PrimitiveTopology::LineList,
        ),
        text: over_all(
            "text",
            &text_shader,
            &[Some(&overlay)],
            &[Some(cell_layout())],
            wgpu::PrimitiveTopology::TriangleStrip,
        ),
        globals,
        material,
        overlay,
    }
}

/// What differs between the pipelines.
struct State<'a> {
    label: &'a str,
    constants: &'a [(&'a str, f64)],
    shader: &'a wgpu::ShaderModule,
    groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    vertices: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    topology: wgpu::PrimitiveTopology,
    front_face: wgpu::FrontFace,
    cull_mode: Option<wgpu::Face>,
    /// Drawn over the picture, blended, whatever is in front; else solid.
    over_all: bool,
}

fn create(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    state: &State,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(state.label),
        bind_group_layouts: state.groups,
        immediate_size: 0,
    });
    let blend = state.over_all.then_some(wgpu::BlendState::ALPHA_BLENDING);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(state.label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: state.shader,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers: state.vertices,
        },
        primitive: wgpu::PrimitiveState {
            topology: state.topology,
            front_face: state.front_face,
            cull_mode: state.cull_mode,
            ..Default::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(!state.over_all),
            // Depth is reversed: what is nearer is greater.
            depth_compare: Some(if state.over_all {
                wgpu::CompareFunction::Always
            } else {
                wgpu::CompareFunction::Greater
            }),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: SAMPLES,
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module: state.shader,
            entry_point: Some("fragment"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: state.constants,
                ..Default::default()
            },
            targets: &[Some(wgpu::ColorTargetState {
                format,
                blend,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    }
}

fn buffer(
    binding: u32,
    stages: wgpu::ShaderStages,
    ty: wgpu::BufferBindingType,
) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    entry(binding, stages, ty)
}

fn texture(binding: u32, filterable: bool) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    entry(binding, wgpu::ShaderStages::FRAGMENT, ty)
}

fn vertex_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 3] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2];
    const { assert!(offset_of!(Vertex, normal) == 12 && offset_of!(Vertex, uv) == 24) };
    layout::<Vertex>(wgpu::VertexStepMode::Vertex, &ATTRIBUTES)
}

fn instance_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 6] = wgpu::vertex_attr_array![
        3 => Float32x3, 4 => Float32x3, 5 => Float32x3, 6 => Float32x3, 7 => Float32x3,
        8 => Uint32x2,
    ];
    layout::<Instance>(wgpu::VertexStepMode::Instance, &ATTRIBUTES)
}

fn line_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 2] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];
    layout::<LineVertex>(wgpu::VertexStepMode::Vertex, &ATTRIBUTES)
}

fn cell_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Uint16x4];
    layout::<Cell>(wgpu::VertexStepMode::Instance, &ATTRIBUTES)
}

fn layout<T>(
    step_mode: wgpu::VertexStepMode,
    attributes: &'static [wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<T>() as u64,
        step_mode,
        attributes,
    }
}
