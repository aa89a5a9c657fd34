//! Painting of the plan of the eye's storey.

use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape as Painted, Stroke, Vec2};
use glam::{DVec2, DVec3};

use super::plan::PlanView;
use crate::frame::room_colour;
use crate::level::{LinkId, MoverId, PortalId, RoomId};
use crate::map::{DrawnShape, Ink, Mark, ShapeGeometry, Storey, Subject, body_outline};
use crate::visibility::Camera;

/// The width of the plan, metres.
const METRES: f32 = 40.0;
/// The distance along an axis from the eye beyond which bodies are outside the plan, metres.
const REACH: f64 = 25.0;
/// The height of the eye above the floor at which the storey is looked up, metres; suits a standing and a crouching
/// player.
const EYE_HEIGHT: f64 = 1.3;
/// The height of the letters of names and of the scale bar, points.
const LETTERS: f32 = 11.0;
/// The average width of a letter, as a fraction of its height.
const LETTER: f32 = 0.5;
/// The length of the scale bar, metres.
const BAR: f32 = 5.0;

const PAPER: Color32 = Color32::from_gray(235);
const FAINT: Color32 = Color32::from_gray(120);
const OPEN: Color32 = Color32::from_rgb(80, 255, 120);
const SHUT: Color32 = Color32::from_rgb(255, 80, 60);
const DOOR: Color32 = Color32::from_rgb(255, 190, 110);
const BODY: Color32 = Color32::from_rgb(130, 190, 255);
const LAMP: Color32 = Color32::from_rgb(255, 235, 150);
const EYE: Color32 = Color32::from_rgb(255, 220, 80);

/// The position and scale of the plan on the picture.
struct PlanTransform {
    area: Rect,
    /// Points per metre.
    scale: f32,
    eye: DVec2,
}

impl PlanTransform {
    fn at(&self, p: DVec2) -> Pos2 {
        let off = p - self.eye;
        self.area.center() + Vec2::new(off.x as f32, off.y as f32) * self.scale
    }

    /// Whether the bounds of a shape overlap the plan.
    fn shows(&self, shape: &DrawnShape) -> bool {
        let half = f64::from(METRES) * 0.5;
        let [least, greatest] = shape.bounds;
        let (low, high) = (self.eye - half, self.eye + half);
        least.cmple(high).all() && greatest.cmpge(low).all()
    }
}

/// Draws a plan into `area`, north (-Z) up, with the eye in its middle.
pub(super) fn draw_plan(view: &PlanView, painter: &Painter, area: Rect) {
    let eye = view.camera.at.point;
    let place = PlanTransform {
        area,
        scale: area.width() / METRES,
        eye: DVec2::new(eye.x, eye.z),
    };
    if let Some(storey) = view
        .plan
        .storey_at(view.camera.at.room.0, eye.y - EYE_HEIGHT)
    {
        for shape in storey.shapes.iter().filter(|shape| place.shows(shape)) {
            draw_shape(view, painter, &place, storey.level_floor, shape);
        }
        draw_bodies(view, painter, &place, storey);
    }
    draw_eye(view.camera, painter, area.center(), area.width());
    draw_bar(painter, area, place.scale);
}

/// Draws the bodies that are currently on a storey.
fn draw_bodies(view: &PlanView, painter: &Painter, place: &PlanTransform, storey: &Storey) {
    let pen = Stroke::new(width(Ink::Body), BODY);
    let present = view
        .world
        .bodies
        .iter()
        .filter(|(_, state)| state.is_present);
    for (id, state) in present {
        let point = state.at.point;
        let is_near = (DVec2::new(point.x, point.z) - place.eye)
            .abs()
            .max_element()
            < REACH;
        let here = view.plan.storey_at(state.at.room.0, point.y);
        if !is_near || !here.is_some_and(|here| std::ptr::eq(here, storey)) {
            continue;
        }
        let outline = body_outline(view.level.body(id), &state.room_from_body());
        let outline = outline.into_iter().map(|p| place.at(p));
        painter.add(Painted::line(outline.collect(), pen));
    }
}

fn draw_shape(
    view: &PlanView,
    painter: &Painter,
    place: &PlanTransform,
    floor: f64,
    shape: &DrawnShape,
) {
    let pen = Stroke::new(width(shape.ink), colour(view, shape));
    match &shape.figure {
        ShapeGeometry::Area(triangles) => {
            let mut mesh = Mesh::default();
            for corners in triangles {
                let first = mesh.vertices.len() as u32;
                for corner in corners {
                    mesh.colored_vertex(place.at(*corner), pen.color);
                }
                mesh.add_triangle(first, first + 1, first + 2);
            }
            painter.add(Painted::mesh(mesh));
        }
        // `draw_bodies` draws bodies at their current poses.
        ShapeGeometry::Line(_) if shape.ink == Ink::Body => {}
        ShapeGeometry::Line(_) if let Some(corners) = moved_opening(view, shape) => {
            let corners = corners.iter().map(|p| place.at(DVec2::new(p.x, p.z)));
            painter.add(Painted::closed_line(corners.collect(), pen));
        }
        ShapeGeometry::Line(points) => {
            // A mover is drawn at its current pose; its track stays.
            let pose = match shape.subject {
                Subject::Mover(mover) if shape.ink != Ink::Way => {
                    Some(view.world.pose(MoverId(mover)))
                }
                _ => None,
            };
            let now = points.iter().map(|p| match pose {
                Some(pose) => {
                    let moved = pose.point(DVec3::new(p.x, floor, p.y));
                    place.at(DVec2::new(moved.x, moved.z))
                }
                None => place.at(*p),
            });
            painter.add(Painted::line(now.collect(), pen));
        }
        ShapeGeometry::Mark(Mark::Lamp, at) => {
            painter.circle_stroke(place.at(*at), 2.5, pen);
        }
        ShapeGeometry::Mark(Mark::Spawn(forward, _), at) => {
            let ahead = Vec2::new(forward.x as f32, forward.y as f32) * 5.0;
            let (at, side) = (place.at(*at), ahead.rot90() * 0.5);
            let ring = vec![at + ahead, at - ahead * 0.6 + side, at - ahead * 0.6 - side];
            painter.add(Painted::closed_line(ring, pen));
        }
        ShapeGeometry::Name { at, text, room } => {
            let needed = LETTERS * LETTER * text.chars().count() as f32;
            let there = *room * f64::from(place.scale);
            // A name that does not fit would cover its neighbours.
            if needed <= there.x as f32 && LETTERS <= there.y as f32 {
                write(
                    painter,
                    place.at(*at),
                    Align2::CENTER_CENTER,
                    text,
                    pen.color,
                );
            }
        }
    }
}

/// Returns the current corners of the opening of a moving room, in the coordinates of a room that does not move.
fn moved_opening<'a>(view: &PlanView<'a>, shape: &DrawnShape) -> Option<&'a [DVec3]> {
    let (Ink::Portal, Subject::Link(link)) = (shape.ink, shape.subject) else {
        return None;
    };
    let link = view.level.link(LinkId(link));
    let rests = |id: &PortalId| {
        let portal = view.level.portal(*id);
        portal.moves() && view.level.room(portal.near).moved_by.is_none()
    };
    let id = [Some(link.portal), link.back]
        .into_iter()
        .flatten()
        .find(rests)?;
    Some(&view.world.rooms().portal(view.level, id).polygon.vertices)
}

fn width(ink: Ink) -> f32 {
    match ink {
        Ink::Wall | Ink::Door => 1.5,
        Ink::Portal => 2.0,
        Ink::Edge | Ink::Void => 0.5,
        _ => 1.0,
    }
}

fn colour(view: &PlanView, shape: &DrawnShape) -> Color32 {
    match (shape.ink, shape.subject) {
        (Ink::Floor, Subject::Room(room)) => {
            let room = RoomId(room);
            let [r, g, b, _] = room_colour(&view.level.room(room).name);
            let colour = Color32::from_rgb(r, g, b);
            if view.visible.iter().any(|seen| seen.room == room) {
                colour
            } else {
                colour.gamma_multiply(0.35)
            }
        }
        (Ink::Portal, Subject::Link(link)) => {
            if view.world.is_open(LinkId(link)) {
                OPEN
            } else {
                SHUT
            }
        }
        (Ink::Edge | Ink::Void, _) => FAINT.gamma_multiply(0.6),
        (Ink::Way, _) => FAINT,
        (Ink::Door | Ink::Mover, _) => DOOR,
        (Ink::Lamp, _) => LAMP,
        _ => PAPER,
    }
}

/// Draws the eye as a dot with the edges of its field of view.
fn draw_eye(camera: &Camera, painter: &Painter, at: Pos2, length: f32) {
    let [tan, _] = camera.tan_half();
    for side in [-tan, tan] {
        let ray = camera.axes * DVec3::new(side, 0.0, -1.0);
        let ray = Vec2::new(ray.x as f32, ray.z as f32);
        if ray.length() > 1e-3 {
            let ends = [at, at + ray.normalized() * length];
            painter.line_segment(ends, Stroke::new(1.0, EYE));
        }
    }
    painter.circle_filled(at, 4.0, EYE);
}

/// Draws the scale bar in the lower left corner.
fn draw_bar(painter: &Painter, area: Rect, scale: f32) {
    let left = area.left_bottom() + Vec2::new(8.0, -8.0);
    let right = left + Vec2::X * BAR * scale;
    let tick = Vec2::Y * 4.0;
    let line = vec![left - tick, left, right, right - tick];
    painter.add(Painted::line(line, Stroke::new(1.5, PAPER)));
    let text = format!("{BAR} m");
    write(
        painter,
        left.lerp(right, 0.5) - tick,
        Align2::CENTER_BOTTOM,
        &text,
        PAPER,
    );
}

/// Writes text with a dark outline, because it lies over floors of all colours.
fn write(painter: &Painter, at: Pos2, anchor: Align2, text: &str, ink: Color32) {
    let font = FontId::proportional(LETTERS);
    for off in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
        painter.text(at + off, anchor, text, font.clone(), Color32::BLACK);
    }
    painter.text(at, anchor, text, font, ink);
}
