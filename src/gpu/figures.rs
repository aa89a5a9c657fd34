//! Figures on the device, with a new pose in every frame.

use super::device::Gpu;
use super::geometry::DrawnVertex;
use super::growable_buffer::GrowableBuffer;
use crate::frame::Frame;
use crate::geometry::{Aabb, Rigid};
use crate::level::Material;
use crate::lighting::Lighting;

/// Vertices and indices of all figures of a frame.
pub(super) struct FigureBuffers {
    pub(super) vertices: GrowableBuffer,
    pub(super) indices: GrowableBuffer,
    /// The vertices in the device's layout, reused from frame to frame.
    pub(super) drawn: Vec<DrawnVertex>,
}

impl FigureBuffers {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            vertices: GrowableBuffer::new(gpu, "figures", wgpu::BufferUsages::VERTEX),
            indices: GrowableBuffer::new(gpu, "indices of figures", wgpu::BufferUsages::INDEX),
            drawn: Vec::new(),
        }
    }

    /// Reserves space for the figures of a frame, which must be written afterwards.
    pub(super) fn fit(&mut self, gpu: &Gpu, frame: &Frame) {
        self.drawn.clear();
        let vertices = frame.figure_vertices.iter().map(|&vertex| DrawnVertex {
            vertex,
            // Figures have no place in the lightmap, like all moving geometry.
            place: [0; 4],
            extent: [0; 4],
        });
        self.drawn.extend(vertices);
        self.vertices.fit(gpu, bytemuck::cast_slice(&self.drawn));
        self.indices
            .fit(gpu, bytemuck::cast_slice(&frame.figure_indices));
    }

    pub(super) fn bind(&self, pass: &mut wgpu::RenderPass) {
        pass.set_vertex_buffer(0, self.vertices.buffer.slice(..));
        pass.set_index_buffer(self.indices.buffer.slice(..), wgpu::IndexFormat::Uint32);
    }
}

/// The material of all figures: their colours are those of their vertices.
pub(super) fn material() -> Material {
    Material {
        name: "figures".to_owned(),
        metallic: 0.0,
        roughness: 0.85,
        ..Material::default()
    }
}

/// A figure as a shadow caster.
#[derive(Clone, Debug)]
pub(super) struct FigureCaster {
    /// The shadow map, an index into [`crate::lighting::LightLists::shadows`].
    pub(super) map: u32,
    /// The transform from the figure's coordinates to those of the light's room.
    pub(super) light_room_from_figure: Rigid,
    /// The bounds, in the figure's coordinates.
    pub(super) bounds: Aabb,
    /// The range in the index buffer of all figures.
    pub(super) indices: std::ops::Range<u32>,
}

/// Finds all figure casters of a frame, sorted by map.
pub(super) fn find_casters(lighting: &Lighting, frame: &Frame, casters: &mut Vec<FigureCaster>) {
    casters.clear();
    for figure in &frame.figures {
        let first = casters.len();
        for place in &frame.figure_places[figure.places.clone()] {
            for (map, light_room_from_room) in lighting.maps_over(place.room) {
                let light_room_from_figure = light_room_from_room.after(&place.here_from_other);
                let mut known = casters[first..].iter();
                // A figure in a doorway is found from both sides.
                let is_known = known.any(|known| {
                    let at = &known.light_room_from_figure;
                    known.map == map && at.is_about(&light_room_from_figure)
                });
                if !is_known {
                    casters.push(FigureCaster {
                        map,
                        light_room_from_figure,
                        bounds: figure.bounds,
                        indices: figure.indices.clone(),
                    });
                }
            }
        }
    }
    casters.sort_by_key(|caster| caster.map);
}

/// The casters of one map.
pub(super) fn casters_of(casters: &[FigureCaster], map: u32) -> &[FigureCaster] {
    let first = casters.partition_point(|caster| caster.map < map);
    let count = casters[first..].partition_point(|caster| caster.map == map);
    &casters[first..first + count]
}
