//! The pass that draws a frame's light, before the tone curve.

use std::ops::Range;

use super::device_level::DeviceLevel;
use super::figures::FigureBuffers;
use super::material::DeviceMaterial;
use super::pipeline::{InstanceKey, Pipelines, RoomState};
use crate::frame::{DrawMesh, Frame};

/// The inputs of the pass.
pub(super) struct LightPass<'a> {
    pub(super) frame: &'a Frame,
    pub(super) level: &'a DeviceLevel,
    pub(super) pipelines: &'a Pipelines,
    pub(super) globals: &'a wgpu::BindGroup,
    pub(super) instances: &'a wgpu::Buffer,
    pub(super) lines: &'a wgpu::Buffer,
    pub(super) figures: &'a FigureBuffers,
}

/// A mesh on the device.
struct DeviceMesh<'a> {
    source: BindState,
    material: &'a DeviceMaterial,
    indices: Range<u32>,
}

/// The material and the chunk of the level that a mesh needs; two meshes may share them. Both are `None` for figures.
#[derive(Clone, Copy, Default)]
struct BindState {
    material: Option<u32>,
    chunk: Option<usize>,
}

impl LightPass<'_> {
    /// Draws a batch of the frame. The sky follows the frame's last solid draw, debug drawing follows the last draw.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass, batch: Range<usize>) {
        let frame = self.frame;
        pass.set_bind_group(0, self.globals, &[]);
        let solid = frame.solid_draws.clamp(batch.start, batch.end);
        self.draw_rooms(pass, batch.start..solid);
        if self.level.shows_sky && solid == frame.solid_draws {
            pass.set_pipeline(self.pipelines.background(self.level.has_clouds));
            pass.draw(0..3, 0..1);
        }
        self.draw_rooms(pass, solid..batch.end);
        if batch.end == frame.draws.len() {
            self.draw_wireframe(pass);
            self.draw_lines(pass);
        }
    }

    /// Issues one draw call for each item, changing only the state that differs from the previous one.
    fn draw_rooms(&self, pass: &mut wgpu::RenderPass, draws: Range<usize>) {
        pass.set_vertex_buffer(1, self.instances.slice(..));
        let (mut last_state, mut last_material, mut last_chunk) = (None, None, None);
        for item in &self.frame.draws[draws] {
            let Some(mesh) = self.mesh(item.mesh) else {
                continue;
            };
            let BindState { material, chunk } = mesh.source;
            if last_material.replace(material) != Some(material) {
                pass.set_bind_group(1, &mesh.material.bound, &[]);
            }
            if last_chunk.replace(chunk) != Some(chunk) {
                match chunk {
                    Some(chunk) => self.level.geometry.chunks[chunk].bind(pass),
                    None => self.figures.bind(pass),
                }
            }
            let instance = InstanceKey::of(&self.frame.instances[item.instance as usize]);
            for state in RoomState::of(mesh.material.surface, instance) {
                if last_state != Some(state) {
                    let Some(pipeline) = self.pipelines.room(state) else {
                        continue;
                    };
                    pass.set_pipeline(pipeline);
                    last_state = Some(state);
                }
                pass.draw_indexed(mesh.indices.clone(), 0, item.instance..item.instance + 1);
            }
        }
    }

    /// The location of a mesh on the device.
    fn mesh(&self, mesh: DrawMesh) -> Option<DeviceMesh<'_>> {
        match mesh {
            DrawMesh::Level(draw) => {
                let (range, material) = self.level.range_and_material(draw)?;
                Some(DeviceMesh {
                    source: BindState {
                        material: Some(range.material),
                        chunk: Some(range.chunk),
                    },
                    material,
                    indices: range.indices.clone(),
                })
            }
            DrawMesh::Figure(figure) => Some(DeviceMesh {
                source: BindState::default(),
                material: &self.level.figures,
                indices: self.frame.figures.get(figure as usize)?.indices.clone(),
            }),
        }
    }

    fn draw_wireframe(&self, pass: &mut wgpu::RenderPass) {
        if self.frame.wireframe.is_empty() {
            return;
        }
        pass.set_pipeline(&self.pipelines.wireframe);
        pass.set_vertex_buffer(1, self.instances.slice(..));
        let geometry = &self.level.geometry;
        for item in &self.frame.wireframe {
            let DrawMesh::Level(draw) = item.mesh else {
                continue;
            };
            let Some(range) = geometry.ranges.get(draw as usize) else {
                continue;
            };
            let chunk = &geometry.chunks[range.chunk];
            if let Some(edges) = &chunk.edges {
                pass.set_vertex_buffer(0, chunk.vertices.slice(..));
                pass.set_index_buffer(edges.slice(..), wgpu::IndexFormat::Uint32);
                let ends = range.indices.start * 2..range.indices.end * 2;
                pass.draw_indexed(ends, 0, item.instance..item.instance + 1);
            }
        }
    }

    fn draw_lines(&self, pass: &mut wgpu::RenderPass) {
        if !self.frame.lines.is_empty() {
            pass.set_pipeline(&self.pipelines.line);
            pass.set_vertex_buffer(0, self.lines.slice(..));
            pass.draw(0..self.frame.lines.len() as u32, 0..1);
        }
    }
}
