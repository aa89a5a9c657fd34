//! What is drawn over the picture: lines and text.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use wgpu::util::DeviceExt;

use super::Gpu;
use super::pipeline::Pipelines;
use super::renderer::Stream;
use crate::frame::Frame;

const WEIGHT: FontWeight = FontWeight::Regular;
const HEIGHT: RasterHeight = RasterHeight::Size16;
/// The printable characters of ASCII.
const FIRST: char = ' ';
const LAST: char = '~';
/// Cells that the text keeps away from the corner.
const MARGIN: u16 = 1;

/// A character cell: column, row, glyph, unused.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Cell([u16; 4]);

/// As the shader's `Screen`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct ScreenUniform {
    size: [f32; 2],
    cell: [f32; 2],
    scale: f32,
    padding: [f32; 3],
}

/// Lines and text on the device.
pub(super) struct Overlay {
    screen: wgpu::Buffer,
    bound: wgpu::BindGroup,
    lines: Stream,
    cells: Stream,
    /// The text as cells, reused from frame to frame.
    laid_out: Vec<Cell>,
}

impl Overlay {
    pub(super) fn new(gpu: &Gpu, pipelines: &Pipelines) -> Self {
        let screen = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("screen"),
            size: size_of::<ScreenUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view = atlas(gpu);
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let bound = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("overlay"),
            layout: &pipelines.overlay,
            entries: &[
                entry(0, screen.as_entire_binding()),
                entry(1, wgpu::BindingResource::TextureView(&view)),
            ],
        });
        Self {
            screen,
            bound,
            lines: Stream::new(gpu, "lines", 64 << 10),
            cells: Stream::new(gpu, "text", 16 << 10),
            laid_out: Vec::new(),
        }
    }

    /// Sends the frame's lines and text to the device.
    pub(super) fn upload(&mut self, gpu: &Gpu, frame: &Frame, size: [u32; 2]) {
        self.lines.write(gpu, bytemuck::cast_slice(&frame.lines));
        lay_out(&frame.text, &mut self.laid_out);
        self.cells.write(gpu, bytemuck::cast_slice(&self.laid_out));
        let screen = ScreenUniform {
            size: size.map(|pixels| pixels as f32),
            cell: [get_raster_width(WEIGHT, HEIGHT) as f32, HEIGHT.val() as f32],
            scale: frame.text_scale.max(1) as f32,
            padding: [0.0; 3],
        };
        gpu.queue
            .write_buffer(&self.screen, 0, bytemuck::bytes_of(&screen));
    }

    /// Draws what was uploaded; the globals are bound.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass, pipelines: &Pipelines, frame: &Frame) {
        if !frame.lines.is_empty() {
            pass.set_pipeline(&pipelines.line);
            pass.set_vertex_buffer(0, self.lines.buffer.slice(..));
            pass.draw(0..frame.lines.len() as u32, 0..1);
        }
        if !self.laid_out.is_empty() {
            pass.set_pipeline(&pipelines.text);
            pass.set_bind_group(0, &self.bound, &[]);
            pass.set_vertex_buffer(0, self.cells.buffer.slice(..));
            pass.draw(0..4, 0..self.laid_out.len() as u32);
        }
    }
}

/// The text as cells, every line padded to the width of the widest, so that the backing is one
/// rectangle.
fn lay_out(text: &str, cells: &mut Vec<Cell>) {
    cells.clear();
    let width = text.lines().map(str::len).max().unwrap_or(0);
    for (row, line) in (MARGIN..).zip(text.lines()) {
        let padded = [FIRST]
            .into_iter()
            .chain(line.chars())
            .chain(std::iter::repeat(FIRST));
        for (column, character) in (MARGIN..).zip(padded.take(width + 2)) {
            let known = (FIRST..=LAST).contains(&character);
            let glyph = if known {
                character as u16 - FIRST as u16
            } else {
                0
            };
            cells.push(Cell([column, row, glyph, 0]));
        }
    }
}

/// All characters side by side in one row.
fn atlas(gpu: &Gpu) -> wgpu::TextureView {
    let glyphs: Vec<_> = (FIRST..=LAST)
        .map(|character| get_raster(character, WEIGHT, HEIGHT))
        .collect();
    let width = get_raster_width(WEIGHT, HEIGHT);
    let mut pixels = Vec::with_capacity(glyphs.len() * width * HEIGHT.val());
    for row in 0..HEIGHT.val() {
        for glyph in &glyphs {
            let row = glyph.as_ref().and_then(|glyph| glyph.raster().get(row));
            match row {
                Some(row) => pixels.extend_from_slice(row),
                None => pixels.extend(std::iter::repeat_n(0, width)),
            }
        }
    }
    let descriptor = wgpu::TextureDescriptor {
        label: Some("font"),
        size: wgpu::Extent3d {
            width: (glyphs.len() * width) as u32,
            height: HEIGHT.val() as u32,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    };
    let order = wgpu::util::TextureDataOrder::LayerMajor;
    let texture = gpu
        .device
        .create_texture_with_data(&gpu.queue, &descriptor, order, &pixels);
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
