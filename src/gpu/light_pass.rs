//! The pass that draws a frame's light, before the tone curve.

use std::ops::Range;

use super::device_level::DeviceLevel;
use super::pipeline::{Pipelines, RoomState};
use crate::frame::Frame;

/// What the pass reads.
pub(super) struct LightPass<'a> {
    pub(super) frame: &'a Frame,
    pub(super) level: &'a DeviceLevel,
    pub(super) pipelines: &'a Pipelines,
    pub(super) globals: &'a wgpu::BindGroup,
    pub(super) instances: &'a wgpu::Buffer,
    pub(super) lines: &'a wgpu::Buffer,
}

impl LightPass<'_> {
    /// Draws a batch of the frame, and what belongs between and behind its draws.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass, batch: Range<usize>) {
        let frame = self.frame;
        pass.set_bind_group(0, self.globals, &[]);
        let solid = frame.solid_draws.clamp(batch.start, batch.end);
        self.draw_rooms(pass, batch.start..solid);
        if self.level.shows_sky && solid == frame.solid_draws {
            pass.set_pipeline(&self.pipelines.background);
            pass.draw(0..3, 0..1);
        }
        self.draw_rooms(pass, solid..batch.end);
        if batch.end == frame.draws.len() {
            self.draw_wireframe(pass);
            self.draw_lines(pass);
        }
    }

    /// One draw call for each range, changing only the state that differs from the last.
    fn draw_rooms(&self, pass: &mut wgpu::RenderPass, draws: Range<usize>) {
        pass.set_vertex_buffer(1, self.instances.slice(..));
        let (mut last_state, mut last_material, mut last_chunk) = (None, None, None);
        for item in &self.frame.draws[draws] {
            let Some((range, material)) = self.level.range_and_material(item) else {
                continue;
            };
            if last_material.replace(range.material) != Some(range.material) {
                pass.set_bind_group(1, &material.bound, &[]);
            }
            if last_chunk.replace(range.chunk) != Some(range.chunk) {
                self.level.geometry.chunks[range.chunk].bind(pass);
            }
            let mirrored = self.frame.instances[item.instance as usize].mirrored;
            for state in RoomState::of(material.surface, mirrored) {
                if last_state != Some(state) {
                    let Some(pipeline) = self.pipelines.room(state) else {
                        continue;
                    };
                    pass.set_pipeline(pipeline);
                    last_state = Some(state);
                }
                pass.draw_indexed(range.indices.clone(), 0, item.instance..item.instance + 1);
            }
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
            let Some(range) = geometry.ranges.get(item.draw as usize) else {
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
