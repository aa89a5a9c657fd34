//! The level's vertices and indices on the device, in as few buffers as the device's limits allow.

use std::ops::Range;

use wgpu::util::DeviceExt;

use super::device::Gpu;
use super::error::GpuError;
use super::surface::SurfaceKey;
use crate::level::{Level, Vertex};
use crate::lighting::lightmap::Lightmap;

/// A vertex in the shader's layout.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct DrawnVertex {
    pub(super) vertex: Vertex,
    /// The position in the lightmap: u, v, page.
    pub(super) place: [u16; 4],
    /// The extents of its chart: minimum u and v, maximum u and v.
    pub(super) extent: [u16; 4],
}

/// A vertex buffer and the index buffer into it.
pub(super) struct GeometryChunk {
    pub(super) vertices: wgpu::Buffer,
    pub(super) indices: wgpu::Buffer,
    /// Indices of the triangles that cast a shadow whatever their texels.
    pub(super) casters: wgpu::Buffer,
    /// End vertices of all triangle edges, six for each triangle: created when first drawn.
    pub(super) edges: Option<wgpu::Buffer>,
    /// The range of [`Lightmap::indices`] from which `indices` was made.
    source: Range<usize>,
    /// The vertex from which `indices` counts.
    first_vertex: u32,
}

impl GeometryChunk {
    pub(super) fn bind(&self, pass: &mut wgpu::RenderPass) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
    }

    pub(super) fn bind_casters(&self, pass: &mut wgpu::RenderPass) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.casters.slice(..), wgpu::IndexFormat::Uint32);
    }
}

/// The location of a level's draw on the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DrawRange {
    pub(super) material: u32,
    pub(super) chunk: usize,
    /// The range in the chunk's index buffer.
    pub(super) indices: Range<u32>,
    /// The triangles that cast a shadow whatever their texels, as a range of the chunk's `casters`. The ranges of
    /// consecutive draws are consecutive.
    pub(super) casters: Range<u32>,
}

/// All drawn geometry of a level.
pub(super) struct Geometry {
    pub(super) chunks: Vec<GeometryChunk>,
    /// The ranges, one for each of [`draws`](crate::level::LevelData::draws).
    pub(super) ranges: Vec<DrawRange>,
}

/// Uploads the level, in chunks of at most `max_bytes` per buffer.
pub(super) fn upload(
    gpu: &Gpu,
    level: &Level,
    lightmap: &Lightmap,
    max_bytes: u64,
) -> Result<Geometry, GpuError> {
    let spans = split(level, lightmap, max_bytes)?;
    let mut geometry = Geometry {
        chunks: Vec::with_capacity(spans.len()),
        ranges: Vec::with_capacity(level.draws.len()),
    };
    for span in &spans {
        let vertices = span.vertices.start as usize..span.vertices.end as usize;
        let source = span.indices.start as usize..span.indices.end as usize;
        let first_vertex = span.vertices.start;
        let indices = &lightmap.indices[source.clone()];
        let rebased: Vec<u32>;
        let indices = if first_vertex == 0 {
            indices
        } else {
            rebased = indices.iter().map(|i| i - first_vertex).collect();
            &rebased
        };
        let buffer = |label: &str, contents: &[u8], usage| {
            let descriptor = wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            };
            gpu.device.create_buffer_init(&descriptor)
        };
        let drawn = vertices.map(|at| DrawnVertex {
            vertex: level.vertices[lightmap.vertices[at] as usize],
            place: lightmap.places[at],
            extent: lightmap.extents[at],
        });
        let drawn: Vec<DrawnVertex> = drawn.collect();
        let vertices = bytemuck::cast_slice(&drawn);
        let chunk = geometry.chunks.len();
        let mut casters: Vec<u32> = Vec::new();
        for draw in &level.draws[span.draws.clone()] {
            let start = draw.indices.start - span.indices.start;
            let end = draw.indices.end - span.indices.start;
            let first_caster = casters.len() as u32;
            let material = level.materials.get(draw.material as usize);
            let surface = material.map_or(SurfaceKey::default(), |m| SurfaceKey::of(m, false));
            if surface.casts_shadow() && !surface.is_masked() {
                casters.extend(&indices[start as usize..end as usize]);
            }
            geometry.ranges.push(DrawRange {
                material: draw.material,
                chunk,
                indices: start..end,
                casters: first_caster..casters.len() as u32,
            });
        }
        let of_indices = |label: &str, indices: &[u32]| {
            // Empty buffers cannot be bound.
            let indices = if indices.is_empty() { &[0] } else { indices };
            buffer(
                label,
                bytemuck::cast_slice(indices),
                wgpu::BufferUsages::INDEX,
            )
        };
        geometry.chunks.push(GeometryChunk {
            vertices: buffer("level vertices", vertices, wgpu::BufferUsages::VERTEX),
            indices: of_indices("level indices", indices),
            casters: of_indices("level casters", &casters),
            edges: None,
            source,
            first_vertex,
        });
    }
    Ok(geometry)
}

impl Geometry {
    /// Uploads the edges of all triangles, unless they are on the device. The lightmap must be the one of the upload.
    pub(super) fn prepare_edges(&mut self, gpu: &Gpu, lightmap: &Lightmap) {
        for chunk in self.chunks.iter_mut().filter(|chunk| chunk.edges.is_none()) {
            let triangles = lightmap.indices[chunk.source.clone()].as_chunks::<3>().0;
            let ends = triangles.iter().map(|corners| {
                let [a, b, c] = corners.map(|corner| corner - chunk.first_vertex);
                [a, b, b, c, c, a]
            });
            let ends: Vec<[u32; 6]> = ends.collect();
            let descriptor = wgpu::util::BufferInitDescriptor {
                label: Some("level edges"),
                contents: bytemuck::cast_slice(&ends),
                usage: wgpu::BufferUsages::INDEX,
            };
            chunk.edges = Some(gpu.device.create_buffer_init(&descriptor));
        }
    }
}

/// The contents of one chunk.
struct ChunkSpan {
    draws: Range<usize>,
    vertices: Range<u32>,
    indices: Range<u32>,
}

impl ChunkSpan {
    fn of(level: &Level, lightmap: &Lightmap, draw: usize) -> Self {
        let indices = level.draws[draw].indices.clone();
        let used = &lightmap.indices[indices.start as usize..indices.end as usize];
        let first = used.iter().copied().min().unwrap_or(0);
        let last = used.iter().copied().max().map_or(0, |last| last + 1);
        Self {
            draws: draw..draw + 1,
            vertices: first..last,
            indices,
        }
    }

    fn union(&self, next: &Self) -> Self {
        let around = |a: &Range<u32>, b: &Range<u32>| a.start.min(b.start)..a.end.max(b.end);
        Self {
            draws: self.draws.start..next.draws.end,
            vertices: around(&self.vertices, &next.vertices),
            indices: around(&self.indices, &next.indices),
        }
    }

    fn bytes(&self) -> u64 {
        let vertices = self.vertices.len() as u64 * size_of::<DrawnVertex>() as u64;
        vertices.max(self.indices.len() as u64 * size_of::<u32>() as u64)
    }
}

/// Splits the draws, in order, into spans whose buffers fit.
fn split(level: &Level, lightmap: &Lightmap, max_bytes: u64) -> Result<Vec<ChunkSpan>, GpuError> {
    let mut spans: Vec<ChunkSpan> = Vec::new();
    for draw in 0..level.draws.len() {
        let span = ChunkSpan::of(level, lightmap, draw);
        if span.bytes() > max_bytes {
            let material = level.draws[draw].material as usize;
            let material = level.materials.get(material);
            return Err(GpuError::TooLarge {
                material: material.map_or_else(String::new, |m| m.name.clone()),
                limit: max_bytes,
            });
        }
        let grown = spans.last().map(|last| last.union(&span));
        match (spans.last_mut(), grown) {
            (Some(last), Some(grown)) if grown.bytes() <= max_bytes => *last = grown,
            _ => spans.push(span),
        }
    }
    Ok(spans)
}
