//! Bloom: the halo around surfaces brighter than white, as a lens or an eye scatters light.
//!
//! The light above white is averaged into a chain of textures, each half as large as the one before, and then summed up
//! from the smallest to the largest. Each step keeps the mean, so the tone curve adds as much light as it takes away
//! (M. McGuire's and J. Jimenez's chains; "Next Generation Post Processing in Call of Duty: Advanced Warfare", 2014).
//! Fireflies are limited by a maximum for each sample instead of weights, which would lose the light of small lamps.

use super::device::Gpu;
use super::pipeline_state::LIGHT;
use super::texture::extent;
use super::tone_pipelines::TonePipelines;

/// The maximum number of textures: the halo reaches about 100 pixels far.
const MAX_LEVELS: usize = 6;
/// The minimum side of a texture that has a smaller one below it, texels.
const MIN_SIDE: u32 = 8;
/// The part of a texture's light that is spread by the smaller textures. More of it makes wider halos.
const SPREAD: f64 = 0.7;

/// The textures of one picture size.
pub(super) struct Bloom {
    levels: Vec<BloomLevel>,
}

/// A texture of the chain.
struct BloomLevel {
    view: wgpu::TextureView,
    /// The bind group with which other passes read the texture.
    source: wgpu::BindGroup,
}

impl Bloom {
    /// Creates the textures for light of `size` pixels.
    pub(super) fn new(gpu: &Gpu, pipelines: &TonePipelines, mut size: [u32; 2]) -> Self {
        let mut levels = Vec::new();
        while levels.is_empty() || levels.len() < MAX_LEVELS && size.iter().all(|n| *n >= MIN_SIDE)
        {
            size = size.map(|n| n.div_ceil(2));
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("bloom"),
                size: extent(size[0], size[1], 1),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: LIGHT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            levels.push(BloomLevel {
                source: pipelines.bind_source(gpu, &view),
                view,
            });
        }
        Self { levels }
    }

    /// The largest texture: the halo, in half of the light's resolution.
    pub(super) fn view(&self) -> Option<&wgpu::TextureView> {
        self.levels.first().map(|level| &level.view)
    }

    /// Records the drawing of the halo of the light in the bind group `light`, at an exposure.
    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &TonePipelines,
        [light, exposure]: [&wgpu::BindGroup; 2],
    ) {
        let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        let mut larger: Option<&BloomLevel> = None;
        for level in &self.levels {
            let mut pass = begin(encoder, level, clear);
            match larger {
                Some(larger) => {
                    pass.set_pipeline(&pipelines.halve);
                    pass.set_bind_group(0, &larger.source, &[]);
                }
                None => {
                    pass.set_pipeline(&pipelines.bright);
                    pass.set_bind_group(0, light, &[]);
                    pass.set_bind_group(1, exposure, &[]);
                }
            }
            pass.draw(0..3, 0..1);
            larger = Some(level);
        }
        for pair in self.levels.windows(2).rev() {
            let mut pass = begin(encoder, &pair[0], wgpu::LoadOp::Load);
            pass.set_pipeline(&pipelines.enlarge);
            pass.set_bind_group(0, &pair[1].source, &[]);
            pass.set_blend_constant(wgpu::Color {
                r: SPREAD,
                g: SPREAD,
                b: SPREAD,
                a: SPREAD,
            });
            pass.draw(0..3, 0..1);
        }
    }
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    level: &BloomLevel,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("bloom"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &level.view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load,
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Offscreen;
    use crate::gpu::exposure::AdaptedExposure;
    use crate::gpu::pipeline_state::{PipelineKey, create};
    use crate::gpu::targets::Targets;

    /// Width and height of the light, pixels.
    const SIDE: usize = 512;
    /// Width and height of the halo's texture.
    const HALF: usize = SIDE / 2;

    const SHADER: &str = "
        @group(0) @binding(1) var source: texture_2d<f32>;

        @vertex
        fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
            return vec4f(vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0, 0.5, 1.0);
        }

        override LIGHT: f32;
        override ALPHA: f32;
        // The first pixel of the emitter and the one after its last, across and down.
        override START: f32;
        override END: f32;

        @fragment
        fn shine(@builtin(position) at: vec4f) -> @location(0) vec4f {
            if any(at.xy < vec2f(START)) || any(at.xy > vec2f(END)) {
                discard;
            }
            return vec4f(vec3f(LIGHT), ALPHA);
        }

        @fragment
        fn copied(@builtin(position) at: vec4f) -> @location(0) vec4f {
            return textureLoad(source, vec2u(at.xy), 0);
        }
    ";

    /// The halo of a square emitter in the dark, row by row: `pixels` along each side around the middle.
    fn halo_of(pixels: u32, light: f64, alpha: f64) -> Vec<f64> {
        let gpu = Gpu::open().expect("there is a graphics driver");
        let device = &gpu.device;
        let format = wgpu::TextureFormat::Rgba32Float;
        let pipelines = TonePipelines::new(&gpu, format, true);
        let size = [SIDE as u32; 2];
        let targets = Targets::new(&gpu, &pipelines, size, (size, 0));
        let bloom = targets.bloom.as_ref().expect("it was asked for");
        let mut exposure = AdaptedExposure::new(&gpu, &pipelines);
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let start = f64::from(SIDE as u32 - pixels) / 2.0;
        let constants = [
            ("LIGHT", light),
            ("ALPHA", alpha),
            ("START", start),
            ("END", start + f64::from(pixels)),
        ];
        let emitter = create(
            device,
            &PipelineKey {
                entries: ["vertex", "shine"],
                constants: &constants,
                depth: Some((wgpu::CompareFunction::Always, false)),
                ..PipelineKey::new(&shader, LIGHT)
            },
        );
        let copy = create(
            device,
            &PipelineKey {
                entries: ["vertex", "copied"],
                groups: &[Some(&pipelines.source)],
                samples: 1,
                ..PipelineKey::new(&shader, format)
            },
        );
        let picture = Offscreen::with_format(&gpu, [HALF as u32; 2], format);
        let picture = picture.expect("the size is drawable");
        picture.draw(&gpu, |encoder, target| {
            {
                let mut pass = targets.light_pass(encoder, Some(wgpu::Color::BLACK), None);
                pass.set_pipeline(&emitter);
                pass.draw(0..3, 0..1);
            }
            targets.expose(encoder, &pipelines, &mut exposure);
            let clear = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
            let mut pass = target.pass(encoder, "copy", clear, None);
            pass.set_pipeline(&copy);
            pass.set_bind_group(0, &bloom.levels[0].source, &[]);
            pass.draw(0..3, 0..1);
            Ok(())
        });
        let texels = picture.read(&gpu).expect("the device is there");
        let red = texels.chunks_exact(16).map(|texel| &texel[..4]);
        red.map(|red| f64::from(bytemuck::pod_read_unaligned::<f32>(red)))
            .collect()
    }

    /// The light above white that the halo of `light` spreads; see the shader.
    fn above_white(light: f64) -> f64 {
        (light - 1.5).min(64.0)
    }

    #[test]
    fn a_small_lamp_has_a_symmetric_halo_that_falls_off_and_keeps_its_light() {
        for (pixels, light) in [(2, 40.0), (6, 40.0), (8, 9.0), (2, 1000.0), (64, 3.0)] {
            let halo = halo_of(pixels, light, 1.0);
            let at = |x: usize, y: usize| halo[y * HALF + x];
            let what = format!("{pixels} pixels of {light}");
            let given = above_white(light) * f64::from(pixels * pixels);
            let found = 4.0 * halo.iter().sum::<f64>();
            assert!(
                (found / given - 1.0).abs() < 0.02,
                "{what}: {found} of {given}"
            );
            let peak = at(HALF / 2, HALF / 2);
            for (x, y) in (0..HALF).flat_map(|x| (0..HALF).map(move |y| (x, y))) {
                let (mirrored_x, mirrored_y) = (HALF - 1 - x, HALF - 1 - y);
                for other in [at(mirrored_x, y), at(x, mirrored_y), at(y, x)] {
                    let off = (at(x, y) - other).abs();
                    assert!(off <= 2e-3 * at(x, y) + 1e-6 * peak, "{what}: {x}, {y}");
                }
            }
            let row: Vec<f64> = (HALF / 2..HALF).map(|x| at(x, HALF / 2)).collect();
            for pair in row.windows(2) {
                assert!(pair[1] <= pair[0] * 1.001, "{what}: {row:?}");
            }
            // A few pixels away it is still seen; far away there is no light at all.
            assert!(row[8] > 1e-3 * peak, "{what}: {row:?}");
            let edge = row[HALF / 2 - 1];
            assert!(pixels > 16 || edge == 0.0, "{what}: {edge}");
        }
    }

    #[test]
    fn neither_white_nor_unlit_surfaces_have_a_halo() {
        for (light, alpha) in [(1.0, 1.0), (0.3, 1.0), (40.0, 0.0)] {
            assert!(halo_of(32, light, alpha).iter().all(|light| *light == 0.0));
        }
    }
}
