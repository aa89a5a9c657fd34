//! Addition of figures to a composed frame.

use glam::Vec2;

use super::data::{DrawItem, DrawMesh, FigureMesh, Frame, Instance};
use super::places::{places, touches_opening};
use crate::figure::{Figure, Pose, skin};
use crate::geometry::{Aabb, Rigid};
use crate::level::{Level, RoomId, RoomPlace, UnitVector, Vertex};
use crate::lighting::LitBy;
use crate::visibility::{Camera, ViewVolume, VisibleRoom};
use crate::world::World;

/// A figure in a pose, at its place.
#[derive(Clone, Copy, Debug)]
pub struct PosedFigure<'a> {
    /// The model.
    pub figure: &'a Figure,
    /// The pose of its joints.
    pub pose: &'a Pose,
    /// The room whose lights light the figure.
    pub room: RoomId,
    /// The transform from the figure's coordinates to those of the room.
    pub room_from_figure: Rigid,
    /// Whether the figure is drawn; a hidden one only casts its shadow.
    pub is_shown: bool,
}

/// Adds a figure to a frame that was composed of the same `rooms`, at all places where its room is visible, and where
/// it extends through a portal into visible rooms.
pub fn add_figure(
    (level, world): (&Level, &World),
    camera: &Camera,
    rooms: &[VisibleRoom],
    posed: &PosedFigure,
    frame: &mut Frame,
) {
    let bounds = add_mesh(posed, frame);
    let around = bounds.transformed(&posed.room_from_figure);
    // In an opening, the figure may be seen outside of the apertures of its rooms.
    let is_in_opening = touches_opening((level, world), posed.room, &around);
    let figure = (frame.figures.len() - 1) as u32;
    let first = frame.instances.len();
    for place in places((level, world), posed.room, &around) {
        frame.figure_places.push(RoomPlace {
            room: place.room,
            here_from_other: place.here_from_other.after(&posed.room_from_figure),
        });
        for (index, visible) in rooms.iter().enumerate() {
            if !posed.is_shown || visible.room != place.room {
                continue;
            }
            let eye_from_room = visible.eye_from_room.after(&place.here_from_other);
            let eye_from_figure = eye_from_room.after(&posed.room_from_figure);
            let shows = |volume: &ViewVolume| volume.touches_box(&bounds, &eye_from_figure);
            let is_seen = shows(&frame.volumes[index]) || is_in_opening && shows(&frame.picture);
            if !is_seen {
                continue;
            }
            let centre = posed.room_from_figure.point(bounds.centre());
            let lit_by = LitBy::Place(posed.room, centre.as_vec3());
            let instance = Instance {
                sheet: frame.sheets.of_visible(index as u32),
                ..Instance::new(camera, &eye_from_room, &posed.room_from_figure, lit_by)
            };
            let mut drawn = frame.instances[first..].iter();
            if drawn.any(|drawn| drawn.is_about(&instance)) {
                continue;
            }
            let item = DrawItem {
                instance: frame.instances.len() as u32,
                mesh: DrawMesh::Figure(figure),
            };
            frame.instances.push(instance);
            frame.draws.insert(frame.solid_draws, item);
            frame.solid_draws += 1;
            frame.triangles_drawn += posed.figure.indices.len() as u64 / 3;
        }
    }
    frame.figures[figure as usize].places.end = frame.figure_places.len();
}

/// Adds the mesh of the figure in its pose; returns its bounds.
fn add_mesh(posed: &PosedFigure, frame: &mut Frame) -> Aabb {
    let PosedFigure { figure, pose, .. } = posed;
    let first_vertex = frame.figure_vertices.len() as u32;
    let mut bounds = Aabb::around([]);
    let mut colours = figure.vertices.iter().map(|vertex| vertex.colour);
    let vertices = &mut frame.figure_vertices;
    skin(figure, pose, &mut frame.palette, |position, normal| {
        bounds = bounds.with_point(position.as_dvec3());
        vertices.push(Vertex {
            position,
            normal: UnitVector::pack(normal),
            tangent: UnitVector::default(),
            uvs: [Vec2::ZERO; 2],
            colour: colours.next().unwrap_or([u16::MAX; 4]),
        });
    });
    let first_index = frame.figure_indices.len() as u32;
    let indices = figure.indices.iter().map(|index| first_vertex + index);
    frame.figure_indices.extend(indices);
    let first_place = frame.figure_places.len();
    frame.figures.push(FigureMesh {
        indices: first_index..frame.figure_indices.len() as u32,
        bounds,
        places: first_place..first_place,
    });
    bounds
}
