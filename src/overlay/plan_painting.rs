//! Draws a plan.

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2};
use glam::DVec3;

use super::plan::PlanView;
use crate::frame::room_colour;
use crate::level::RoomId;
use crate::visibility::Camera;

/// Metres across the plan.
const METRES: f32 = 40.0;
/// Rooms that end so far above or below the eye, metres, are of another storey.
const STOREY: f64 = 0.5;

/// Draws a plan into `area`, north (-Z) up, the eye in its middle.
pub(super) fn draw_plan(view: &PlanView, painter: &Painter, area: Rect) {
    let scale = area.width() / METRES;
    let eye = view.camera.at.point;
    let at =
        |x: f64, z: f64| area.center() + Vec2::new((x - eye.x) as f32, (z - eye.z) as f32) * scale;
    let is_visible = |id: RoomId| view.visible.iter().any(|seen| seen.room == id);
    let half = f64::from(METRES) * 0.5;
    let near = |id: &RoomId| {
        let bounds = &view.level.room(*id).bounds;
        let apart = |from: f64, to: f64, eye: f64| (from - eye).max(eye - to).max(0.0);
        apart(bounds.min.x, bounds.max.x, eye.x) <= half
            && apart(bounds.min.z, bounds.max.z, eye.z) <= half
            && apart(bounds.min.y, bounds.max.y, eye.y) <= STOREY
    };
    let shown: Vec<RoomId> = view.level.room_ids().filter(near).collect();
    let mut mesh = Mesh::default();
    // Visible rooms lie above the others.
    for visible in [false, true] {
        for &id in shown.iter().filter(|id| is_visible(**id) == visible) {
            let [r, g, b, _] = room_colour(&view.level.room(id).name);
            let colour = Color32::from_rgb(r, g, b);
            let colour = if visible {
                colour
            } else {
                colour.gamma_multiply(0.35)
            };
            for corners in &view.plan.floors[id.0 as usize] {
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
        for (_, portal) in view.world.rooms().portals_of(view.level, id) {
            let colour = if view.world.is_open(portal.link) {
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
    draw_eye(view.camera, painter, area.center(), area.width());
}

/// A dot, and the edges of what it sees.
fn draw_eye(camera: &Camera, painter: &Painter, at: Pos2, length: f32) {
    let colour = Color32::from_rgb(255, 220, 80);
    let [tan, _] = camera.tan_half();
    for side in [-tan, tan] {
        let ray = camera.axes * DVec3::new(side, 0.0, -1.0);
        let ray = Vec2::new(ray.x as f32, ray.z as f32);
        if ray.length() > 1e-3 {
            line(painter, [at, at + ray.normalized() * length], 1.0, colour);
        }
    }
    painter.circle_filled(at, 4.0, colour);
}

fn line(painter: &Painter, ends: [Pos2; 2], width: f32, colour: Color32) {
    painter.line_segment(ends, Stroke::new(width, colour));
}
