//! A plan of the rooms around the eye, seen from above.

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Vec2};
use glam::{DVec3, Vec3};

use super::line;
use crate::frame::room_colour;
use crate::level::{Level, RoomId};
use crate::visibility::{Camera, VisibleRoom};
use crate::world::World;

/// Metres across the plan.
const METRES: f32 = 40.0;
/// Surfaces steeper than this do not count as floor: cosine of their slope.
const FLOOR: f32 = 0.5;
/// Rooms that end so far above or below the eye, metres, are of another storey.
const STOREY: f64 = 0.5;

/// The floors of a level, found once.
pub struct Plan {
    /// For each room the corners of its floor's triangles: x and z, in level coordinates.
    floors: Vec<Vec<[[f32; 2]; 3]>>,
}

/// A plan with what changes.
#[derive(Clone, Copy)]
pub struct PlanView<'a> {
    /// The floors.
    pub plan: &'a Plan,
    /// The level that they are of.
    pub level: &'a Level,
    /// Which portals are open.
    pub world: &'a World,
    /// The eye that is drawn in the middle.
    pub camera: &'a Camera,
    /// The rooms that are drawn brightly.
    pub visible: &'a [VisibleRoom],
}

impl Plan {
    /// Finds all floors.
    pub fn of(level: &Level) -> Self {
        let floors = level.rooms.iter().map(|room| {
            let draws = &level.draws[room.draws.start as usize..room.draws.end as usize];
            let indices = draws.iter().flat_map(|draw| draw.indices.clone());
            let corners: Vec<Vec3> = indices
                .map(|i| level.vertices[level.indices[i as usize] as usize].position)
                .collect();
            let triangles = corners.as_chunks::<3>().0.iter();
            let is_floor = |[a, b, c]: &&[Vec3; 3]| {
                let normal = (*b - *a).cross(*c - *a).normalize_or_zero();
                normal.y > FLOOR
            };
            triangles
                .filter(is_floor)
                .map(|corners| corners.map(|p| [p.x, p.z]))
                .collect()
        });
        Self {
            floors: floors.collect(),
        }
    }
}

impl PlanView<'_> {
    /// Draws it into `area`, north (-Z) up.
    pub(super) fn draw(&self, painter: &Painter, area: Rect) {
        let scale = area.width() / METRES;
        let eye = self.camera.at.point;
        let at = |x: f64, z: f64| {
            area.center() + Vec2::new((x - eye.x) as f32, (z - eye.z) as f32) * scale
        };
        let is_visible = |id: RoomId| self.visible.iter().any(|seen| seen.room == id);
        let half = f64::from(METRES) * 0.5;
        let near = |id: &RoomId| {
            let bounds = &self.level.room(*id).bounds;
            let apart = |from: f64, to: f64, eye: f64| (from - eye).max(eye - to).max(0.0);
            apart(bounds.min.x, bounds.max.x, eye.x) <= half
                && apart(bounds.min.z, bounds.max.z, eye.z) <= half
                && apart(bounds.min.y, bounds.max.y, eye.y) <= STOREY
        };
        let shown: Vec<RoomId> = self.level.room_ids().filter(near).collect();
        let mut mesh = Mesh::default();
        // What is seen lies above what is not.
        for visible in [false, true] {
            for &id in shown.iter().filter(|id| is_visible(**id) == visible) {
                let [r, g, b, _] = room_colour(&self.level.room(id).name);
                let colour = Color32::from_rgb(r, g, b);
                let colour = if visible {
                    colour
                } else {
                    colour.gamma_multiply(0.35)
                };
                for corners in &self.plan.floors[id.0 as usize] {
                    let first = mesh.vertices.len() as u32;
                    for [x, z] in *corners {
                        mesh.colored_vertex(at(x.into(), z.into()), colour);
                    }
                    mesh.add_triangle(first, first + 1, first + 2);
                }
            }
        }
        painter.add(Shape::mesh(mesh));
        for &id in &shown {
            for (_, portal) in self.level.portals_of(id) {
                let colour = if self.world.is_open(portal.link) {
                    Color32::from_rgb(80, 255, 120)
                } else {
                    Color32::from_rgb(255, 80, 60)
                };
                let corners = &portal.polygon.vertices;
                for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                    line(painter, [at(a.x, a.z), at(b.x, b.z)], 2.0, colour);
                }
            }
        }
        self.draw_eye(painter, area.center(), area.width());
    }

    /// A dot, and the edges of what it sees.
    fn draw_eye(&self, painter: &Painter, at: Pos2, length: f32) {
        let colour = Color32::from_rgb(255, 220, 80);
        let [tan, _] = self.camera.tan_half();
        for side in [-tan, tan] {
            let ray = self.camera.axes * DVec3::new(side, 0.0, -1.0);
            let ray = Vec2::new(ray.x as f32, ray.z as f32);
            if ray.length() > 1e-3 {
                line(painter, [at, at + ray.normalized() * length], 1.0, colour);
            }
        }
        painter.circle_filled(at, 4.0, colour);
    }
}
