//! The frame: the picture to draw as plain data, the interface between the level and the GPU.
//!
//! A [`Frame`] is composed from a camera and its visible rooms. The renderer reads nothing else besides the level and
//! its light. Nothing here depends on how it is drawn.

mod bodies;
mod compose;
mod data;
mod debug;
mod draws;
mod figures;
mod occluder_grid;
mod occluders;
mod places;
mod reflections;
mod sheets;
mod viewer;

pub use compose::compose;
pub use data::{
    CubeId, CubeSlot, DrawItem, DrawMesh, FOV_DEG, FigureMesh, Frame, FrameReflections, Instance,
    LineVertex, ReflectionCube, ReflectionList,
};
pub use debug::{
    add_culled, add_lights, add_portal_outlines, add_problems, add_triangle_outlines,
    add_view_outline, room_colour, tint_rooms,
};
pub use figures::{PosedFigure, add_figure};
pub use occluder_grid::{FrameOccluders, OccluderList};
pub use reflections::max_cubes;
pub use sheets::FrameSheets;
pub use viewer::Viewer;
