//! How the device draws: shaders, layouts of what is bound, states.

use std::collections::BTreeMap;

use super::Gpu;
use super::geometry::DrawnVertex;
use super::surface::Surface;
use crate::frame::LineVertex;

/// Samples per pixel; the shader of the tone curve counts them too.
pub(super) const SAMPLES: u32 = 4;
/// With reversed depth, 32-bit floats are precise at every distance.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Light, before the tone curve.
pub(super) const LIGHT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// What the shader reads for each vertex of a drawn room: [`crate::frame::Instance`] with the
/// lights that reach it.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct GpuInstance {
    pub(super) view_from_room: [[f32; 3]; 3],
    pub(super) eye: [f32; 3],
    pub(super) eye_remainder: [f32; 3],
    pub(super) lights: [u32; 2],
    pub(super) ambient: [f32; 3],
    pub(super) tint: [u8; 4],
}

/// What the shader reads for a caster of shadows.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct CasterInstance {
    pub(super) clip_from_room: [[f32; 4]; 4],
}

/// All pipelines and the layouts of their bind groups.
pub(super) struct Pipelines {
    /// Camera, lights, shadows, ambient irradiance; the camera alone for lines.
    pub(super) globals: wgpu::BindGroupLayout,
    pub(super) material: wgpu::BindGroupLayout,
    pub(super) shadow_material: wgpu::BindGroupLayout,
    pub(super) tone_input: wgpu::BindGroupLayout,
    pub(super) background: wgpu::RenderPipeline,
    pub(super) line: wgpu::RenderPipeline,
    pub(super) wireframe: wgpu::RenderPipeline,
    pub(super) tone: wgpu::RenderPipeline,
    room_shader: wgpu::ShaderModule,
    shadow_shader: wgpu::ShaderModule,
    /// By surface, and how it is to be drawn; made when first needed.
    rooms: BTreeMap<RoomState, wgpu::RenderPipeline>,
    shadows: BTreeMap<ShadowState, wgpu::RenderPipeline>,
}

/// What decides on the pipeline of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RoomState {
    pub(super) surface: Surface,
    /// Whether windings appear reversed.
    pub(super) mirrored: bool,
    /// Which side of a surface is drawn.
    pub(super) sides: Sides,
}

/// Which sides of a surface are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sides {
    Fronts,
    Backs,
    Both,
}

/// What decides on the pipeline of a caster of shadows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShadowState {
    pub(super) masked: bool,
    pub(super) fronts_only: bool,
}

const IN_BOTH: wgpu::ShaderStages = wgpu::ShaderStages::VERTEX_FRAGMENT;
const IN_FRAGMENT: wgpu::ShaderStages = wgpu::ShaderStages::FRAGMENT;

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
    let filtering = wgpu::SamplerBindingType::Filtering;
    let colour = wgpu::TextureSampleType::Float { filterable: true };
    let flat = wgpu::TextureViewDimension::D2;
    let array = wgpu::TextureViewDimension::D2Array;
    let globals = bind_group_layout(
        "globals",
        &[
            buffer(0, IN_BOTH, uniform),
            buffer(1, IN_FRAGMENT, storage),
            buffer(2, IN_FRAGMENT, storage),
            buffer(3, IN_FRAGMENT, storage),
            texture(4, wgpu::TextureSampleType::Depth, array, false),
            sampler(5, wgpu::SamplerBindingType::NonFiltering),
            texture(6, colour, array, false),
            texture(7, colour, flat, false),
            sampler(8, filtering),
        ],
    );
    let textures = |count: u32| {
        let of_slot = |i| {
            [
                texture(1 + 2 * i, colour, flat, false),
                sampler(2 + 2 * i, filtering),
            ]
        };
        let slots = (0..count).flat_map(of_slot);
        let entries = std::iter::once(buffer(0, IN_BOTH, uniform)).chain(slots);
        entries.collect::<Vec<_>>()
    };
    let material = bind_group_layout("material", &textures(5));
    let shadow_material = bind_group_layout("material of a shadow", &textures(1));
    let unfiltered = wgpu::TextureSampleType::Float { filterable: false };
    let tone_input = bind_group_layout("tone", &[texture(0, unfiltered, flat, true)]);

    let shader = |descriptor| device.create_shader_module(descriptor);
    let room_shader = shader(wgpu::include_wgsl!("../../shaders/room.wgsl"));
    let line_shader = shader(wgpu::include_wgsl!("../../shaders/line.wgsl"));
    let tone_shader = shader(wgpu::include_wgsl!("../../shaders/tone.wgsl"));
    let shadow_shader = shader(wgpu::include_wgsl!("../../shaders/shadow.wgsl"));
    let wireframe_shader = shader(wgpu::include_wgsl!("../../shaders/wireframe.wgsl"));
    let lines = |label, shader, vertices| {
        create(
            device,
            &State {
                label,
                vertices,
                groups: &[Some(&globals)],
                topology: wgpu::PrimitiveTopology::LineList,
                depth: Some((wgpu::CompareFunction::Always, false)),
                ..State::new(shader, LIGHT)
            },
        )
    };
    Pipelines {
        background: create(
            device,
            &State {
                label: "background",
                entries: ["background_vertex", "background"],
                groups: &[Some(&globals)],
                // It lies where nothing was drawn: at depth 0.
                depth: Some((wgpu::CompareFunction::GreaterEqual, false)),
                ..State::new(&room_shader, LIGHT)
            },
        ),
        line: lines("lines", &line_shader, &[Some(line_layout())]),
        wireframe: lines(
            "wireframe",
            &wireframe_shader,
            &[Some(vertex_layout()), Some(instance_layout())],
        ),
        tone: create(
            device,
            &State {
                label: "tone",
                groups: &[Some(&tone_input)],
                samples: 1,
                ..State::new(&tone_shader, format)
            },
        ),
        globals,
        material,
        shadow_material,
        tone_input,
        room_shader,
        shadow_shader,
        rooms: BTreeMap::new(),
        shadows: BTreeMap::new(),
    }
}

impl Pipelines {
    /// Sees that the pipeline for a surface of a room is there.
    pub(super) fn prepare_room(&mut self, gpu: &Gpu, state: RoomState) {
        let (shader, globals, material) = (&self.room_shader, &self.globals, &self.material);
        self.rooms.entry(state).or_insert_with(|| {
            let surface = state.surface;
            create(
                &gpu.device,
                &State {
                    label: "room",
                    entries: ["vertex", surface.entry()],
                    constants: &surface.constants(),
                    groups: &[Some(globals), Some(material)],
                    vertices: &[Some(vertex_layout()), Some(instance_layout())],
                    front_face: if state.mirrored {
                        wgpu::FrontFace::Cw
                    } else {
                        wgpu::FrontFace::Ccw
                    },
                    cull_mode: match state.sides {
                        Sides::Fronts => Some(wgpu::Face::Back),
                        Sides::Backs => Some(wgpu::Face::Front),
                        Sides::Both => None,
                    },
                    blend: surface.is_blended().then_some(OVER),
                    // Depth is reversed: what is nearer is greater.
                    depth: Some((wgpu::CompareFunction::Greater, !surface.is_blended())),
                    ..State::new(shader, LIGHT)
                },
            )
        });
    }

    /// The pipeline for a surface of a room, if it was prepared.
    pub(super) fn room(&self, state: RoomState) -> Option<&wgpu::RenderPipeline> {
        self.rooms.get(&state)
    }

    /// The pipeline for a caster of shadows.
    pub(super) fn shadow(&mut self, gpu: &Gpu, state: ShadowState) -> &wgpu::RenderPipeline {
        let (shader, material) = (&self.shadow_shader, [Some(&self.shadow_material)]);
        self.shadows.entry(state).or_insert_with(|| {
            create(
                &gpu.device,
                &State {
                    label: "shadow",
                    entries: if state.masked {
                        ["masked_vertex", "masked"]
                    } else {
                        ["vertex", ""]
                    },
                    groups: if state.masked { &material } else { &[] },
                    vertices: &[Some(vertex_layout()), Some(caster_layout())],
                    cull_mode: state.fronts_only.then_some(wgpu::Face::Back),
                    depth: Some((wgpu::CompareFunction::Greater, true)),
                    colour: None,
                    samples: 1,
                    ..State::new(shader, LIGHT)
                },
            )
        })
    }
}

/// The colour covers what is behind by its alpha; the alpha of the picture stays.
const OVER: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendState::ALPHA_BLENDING.color,
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    },
};

/// What differs between the pipelines.
struct State<'a> {
    label: &'a str,
    shader: &'a wgpu::ShaderModule,
    /// Of the vertex and the fragment shader; no fragment shader if empty.
    entries: [&'a str; 2],
    constants: &'a [(&'a str, f64)],
    groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    vertices: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    topology: wgpu::PrimitiveTopology,
    front_face: wgpu::FrontFace,
    cull_mode: Option<wgpu::Face>,
    blend: Option<wgpu::BlendState>,
    /// How depth is tested and whether it is written; no depth if none.
    depth: Option<(wgpu::CompareFunction, bool)>,
    colour: Option<wgpu::TextureFormat>,
    samples: u32,
}

impl<'a> State<'a> {
    /// Triangles that fill the picture, without vertices.
    fn new(shader: &'a wgpu::ShaderModule, format: wgpu::TextureFormat) -> Self {
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

fn create(device: &wgpu::Device, state: &State) -> wgpu::RenderPipeline {
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

fn texture(
    binding: u32,
    sample_type: wgpu::TextureSampleType,
    view_dimension: wgpu::TextureViewDimension,
    multisampled: bool,
) -> wgpu::BindGroupLayoutEntry {
    let ty = wgpu::BindingType::Texture {
        sample_type,
        view_dimension,
        multisampled,
    };
    entry(binding, IN_FRAGMENT, ty)
}

fn sampler(binding: u32, ty: wgpu::SamplerBindingType) -> wgpu::BindGroupLayoutEntry {
    entry(binding, IN_FRAGMENT, wgpu::BindingType::Sampler(ty))
}

pub(super) fn vertex_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 7] = wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Sint16x2, 2 => Sint16x2, 3 => Float32x4, 4 => Unorm16x4,
        5 => Uint16x4, 14 => Unorm16x4,
    ];
    layout::<DrawnVertex>(wgpu::VertexStepMode::Vertex, &ATTRIBUTES)
}

pub(super) fn instance_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 8] = wgpu::vertex_attr_array![
        6 => Float32x3, 7 => Float32x3, 8 => Float32x3, 9 => Float32x3, 10 => Float32x3,
        11 => Uint32x2, 12 => Float32x3, 13 => Unorm8x4,
    ];
    layout::<GpuInstance>(wgpu::VertexStepMode::Instance, &ATTRIBUTES)
}

pub(super) fn caster_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 4] = wgpu::vertex_attr_array![
        6 => Float32x4, 7 => Float32x4, 8 => Float32x4, 9 => Float32x4,
    ];
    layout::<CasterInstance>(wgpu::VertexStepMode::Instance, &ATTRIBUTES)
}

pub(super) fn line_layout() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 2] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];
    layout::<LineVertex>(wgpu::VertexStepMode::Vertex, &ATTRIBUTES)
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
