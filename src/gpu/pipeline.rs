//! Render pipelines, and the layouts of their bind groups.

use std::collections::BTreeMap;

use super::bindings::{IN_BOTH, IN_FRAGMENT, buffer, sampler, texture};
use super::device::Gpu;
use super::pipeline_state::{BRIGHTER, LIGHT, OVER, PipelineKey, create};
use super::shader_sources;
use super::surface::SurfaceKey;
use super::tone_pipelines::TonePipelines;
use super::vertex_layouts::{caster_layout, instance_layout, line_layout, vertex_layout};
use crate::frame::{Instance, OccluderList};

/// All pipelines and the layouts of their bind groups.
pub(super) struct Pipelines {
    /// The layout of camera, lights, shadows and ambient irradiance. Lines use only the camera.
    pub(super) globals: wgpu::BindGroupLayout,
    pub(super) material: wgpu::BindGroupLayout,
    pub(super) shadow_material: wgpu::BindGroupLayout,
    /// The pipelines of the sky behind all rooms: without clouds, and with them.
    backgrounds: [wgpu::RenderPipeline; 2],
    pub(super) line: wgpu::RenderPipeline,
    pub(super) wireframe: wgpu::RenderPipeline,
    pub(super) tone: TonePipelines,
    room_shader: wgpu::ShaderModule,
    shadow_shader: wgpu::ShaderModule,
    /// The pipelines of surfaces by state; created when first needed.
    rooms: BTreeMap<RoomState, wgpu::RenderPipeline>,
    shadows: BTreeMap<ShadowState, wgpu::RenderPipeline>,
}

/// The properties of an instance on which the pipelines of its surfaces depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InstanceKey {
    /// Whether it is seen mirrored, so that windings appear reversed.
    pub(super) mirrored: bool,
    /// Whether bodies may darken its surfaces.
    pub(super) occluded: bool,
    /// Whether portals that bend space hide parts of it.
    pub(super) in_sheet: bool,
}

impl InstanceKey {
    /// All keys.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits: u8| Self {
            mirrored: bits & 1 != 0,
            occluded: bits & 2 != 0,
            in_sheet: bits & 4 != 0,
        })
    }

    pub(super) fn of(instance: &Instance) -> Self {
        Self {
            mirrored: instance.mirrored,
            occluded: instance.occluders != OccluderList::NONE,
            in_sheet: instance.sheet.is_some(),
        }
    }
}

/// The state on which the pipeline of a surface depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RoomState {
    pub(super) surface: SurfaceKey,
    pub(super) instance: InstanceKey,
    /// The faces to draw.
    pub(super) faces: CulledFaces,
}

impl RoomState {
    /// The states in which a surface is drawn: a blended double-sided one in two steps, back faces first.
    pub(super) fn of(surface: SurfaceKey, instance: InstanceKey) -> impl Iterator<Item = Self> {
        let faces: &[CulledFaces] = match (surface.is_double_sided(), surface.is_blended()) {
            (false, _) => &[CulledFaces::Front],
            (true, false) => &[CulledFaces::Both],
            (true, true) => &[CulledFaces::Back, CulledFaces::Front],
        };
        faces.iter().map(move |&faces| Self {
            surface,
            instance,
            faces,
        })
    }
}

/// The faces of a surface by the winding of its triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CulledFaces {
    Front,
    Back,
    Both,
}

/// The state on which the pipeline of a shadow caster depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShadowState {
    pub(super) masked: bool,
    /// Whether geometry nearer than the near plane is flattened onto it.
    pub(super) flattened: bool,
    pub(super) fronts_only: bool,
}

/// Creates all pipelines for targets of `format`; `blooms` is whether light above white has a halo.
pub(super) fn pipelines(gpu: &Gpu, format: wgpu::TextureFormat, blooms: bool) -> Pipelines {
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
    let depth = wgpu::TextureSampleType::Float { filterable: false };
    let flat = wgpu::TextureViewDimension::D2;
    let array = wgpu::TextureViewDimension::D2Array;
    let globals = bind_group_layout(
        "globals",
        &[
            buffer(0, IN_BOTH, uniform),
            buffer(1, IN_FRAGMENT, storage),
            buffer(2, IN_FRAGMENT, storage),
            buffer(3, IN_FRAGMENT, storage),
            texture(4, depth, array, false),
            sampler(5, wgpu::SamplerBindingType::NonFiltering),
            texture(6, colour, array, false),
            texture(7, colour, flat, false),
            sampler(8, filtering),
            buffer(9, IN_FRAGMENT, storage),
            texture(10, colour, array, false),
            texture(11, wgpu::TextureSampleType::Uint, array, false),
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

    let shader = |descriptor| device.create_shader_module(descriptor);
    let room_shader = shader_sources::create(gpu, shader_sources::room);
    let line_shader = shader(wgpu::include_wgsl!("../../shaders/line.wgsl"));
    let shadow_shader = shader_sources::create(gpu, |_| shader_sources::shadow());
    let wireframe_shader = shader(wgpu::include_wgsl!("../../shaders/wireframe.wgsl"));
    let lines = |label, shader, vertices, blend| {
        create(
            device,
            &PipelineKey {
                label,
                vertices,
                blend,
                groups: &[Some(&globals)],
                topology: wgpu::PrimitiveTopology::LineList,
                depth: Some((wgpu::CompareFunction::Always, false)),
                ..PipelineKey::new(shader, LIGHT)
            },
        )
    };
    let background = |clouds: f64| {
        create(
            device,
            &PipelineKey {
                label: "background",
                entries: ["background_vertex", "background"],
                constants: &[("CLOUDS", clouds)],
                groups: &[Some(&globals)],
                // The background is drawn at depth 0, which equals the cleared depth of pixels without geometry.
                depth: Some((wgpu::CompareFunction::GreaterEqual, false)),
                ..PipelineKey::new(&room_shader, LIGHT)
            },
        )
    };
    Pipelines {
        backgrounds: [0.0, 1.0].map(background),
        line: lines("lines", &line_shader, &[Some(line_layout())], None),
        wireframe: lines(
            "wireframe",
            &wireframe_shader,
            &[Some(vertex_layout()), Some(instance_layout())],
            Some(BRIGHTER),
        ),
        tone: TonePipelines::new(gpu, format, blooms),
        globals,
        material,
        shadow_material,
        room_shader,
        shadow_shader,
        rooms: BTreeMap::new(),
        shadows: BTreeMap::new(),
    }
}

impl Pipelines {
    /// The pipeline of the sky behind all rooms, with or without clouds.
    pub(super) fn background(&self, has_clouds: bool) -> &wgpu::RenderPipeline {
        &self.backgrounds[usize::from(has_clouds)]
    }

    /// Creates the pipeline for a surface of a room, unless it exists.
    pub(super) fn prepare_room(&mut self, gpu: &Gpu, state: RoomState) {
        let (shader, globals, material) = (&self.room_shader, &self.globals, &self.material);
        self.rooms.entry(state).or_insert_with(|| {
            let surface = state.surface;
            let mut constants = surface.constants();
            if state.instance.occluded {
                constants.push(("OCCLUDERS", 1.0));
            }
            create(
                &gpu.device,
                &PipelineKey {
                    label: "room",
                    entries: ["vertex", surface.entry(state.instance.in_sheet)],
                    constants: &constants,
                    groups: &[Some(globals), Some(material)],
                    vertices: &[Some(vertex_layout()), Some(instance_layout())],
                    front_face: if state.instance.mirrored {
                        wgpu::FrontFace::Cw
                    } else {
                        wgpu::FrontFace::Ccw
                    },
                    cull_mode: match state.faces {
                        CulledFaces::Front => Some(wgpu::Face::Back),
                        CulledFaces::Back => Some(wgpu::Face::Front),
                        CulledFaces::Both => None,
                    },
                    blend: surface.is_blended().then_some(OVER),
                    // Depth is reversed: nearer is greater.
                    depth: Some((wgpu::CompareFunction::Greater, !surface.is_blended())),
                    ..PipelineKey::new(shader, LIGHT)
                },
            )
        });
    }

    /// The pipeline for a surface of a room, if it was prepared.
    pub(super) fn room(&self, state: RoomState) -> Option<&wgpu::RenderPipeline> {
        self.rooms.get(&state)
    }

    /// The pipeline for a shadow caster, created if necessary.
    pub(super) fn shadow(&mut self, gpu: &Gpu, state: ShadowState) -> &wgpu::RenderPipeline {
        let (shader, material) = (&self.shadow_shader, [Some(&self.shadow_material)]);
        self.shadows.entry(state).or_insert_with(|| {
            create(
                &gpu.device,
                &PipelineKey {
                    label: "shadow",
                    entries: match (state.masked, state.flattened) {
                        (true, _) => ["masked_vertex", "masked"],
                        (false, true) => ["flattened_vertex", ""],
                        (false, false) => ["vertex", ""],
                    },
                    groups: if state.masked { &material } else { &[] },
                    vertices: &[Some(vertex_layout()), Some(caster_layout())],
                    cull_mode: state.fronts_only.then_some(wgpu::Face::Back),
                    depth: Some((wgpu::CompareFunction::Greater, true)),
                    colour: None,
                    samples: 1,
                    ..PipelineKey::new(shader, LIGHT)
                },
            )
        })
    }
}
