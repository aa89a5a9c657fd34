//! Paints an overlay by egui. Only this folder names it, and the code that draws on the device.

use egui::{Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Vec2};

use super::changes::Last;
use super::contents::Contents;
use super::plan_painting::draw_plan;

/// Size of the text, points: pixels at a scale factor of 1.
const LETTER_POINTS: f32 = 14.0;
/// Between a text and the edge of its backing, and between that and the edge of the picture.
const PADDING: f32 = 8.0;
const BACKING: Color32 = Color32::from_black_alpha(190);
const INK: Color32 = Color32::from_gray(235);
/// The empty part of a bar, and the bar's size, points.
const EMPTY: Color32 = Color32::from_gray(60);
const BAR: Vec2 = Vec2::new(400.0, 6.0);
/// Side of the plan, of the picture's shorter side.
const PLAN_PART: f32 = 0.45;

/// Paints contents as triangles; keeps the glyphs and what was painted last.
#[derive(Default)]
pub(crate) struct OverlayPainter {
    context: egui::Context,
    last: Last,
}

/// A painted overlay as triangles.
pub(crate) struct Painted {
    pub(crate) primitives: Vec<egui::ClippedPrimitive>,
    pub(crate) textures: egui::TexturesDelta,
    pub(crate) pixels_per_point: f32,
}

impl OverlayPainter {
    /// As [`OverlayPainter::paint`], but `None` where nothing has changed since this painted last. The plan
    /// may lag behind the eye by 0.25 m or two degrees; it is of one level.
    pub(crate) fn repaint(
        &mut self,
        size: [u32; 2],
        scale: f32,
        contents: &Contents,
    ) -> Option<Painted> {
        let needs_repaint = self.last.needs_repaint(size, scale, contents);
        needs_repaint.then(|| self.paint(size, scale, contents))
    }

    /// Paints for a picture of `size` pixels; text is larger by `scale`, the scale factor of the
    /// screen.
    fn paint(&self, size: [u32; 2], scale: f32, contents: &Contents) -> Painted {
        self.paint_with(size, scale, |painter, whole| {
            let corner = whole.shrink(PADDING);
            write(painter, corner.left_top(), Align2::LEFT_TOP, contents.text);
            let bottom = corner.center_bottom();
            write(painter, bottom, Align2::CENTER_BOTTOM, contents.message);
            if let Some(plan) = &contents.plan {
                let side = PLAN_PART * whole.height().min(whole.width());
                let size = Vec2::splat(side);
                let area = Align2::RIGHT_TOP.anchor_size(corner.right_top(), size);
                let painter = painter.with_clip_rect(area);
                painter.rect_filled(area, CornerRadius::same(4), BACKING);
                draw_plan(plan, &painter, area);
            }
        })
    }

    /// Paints a progress bar: how much of the level of this name is ready, 0..1.
    pub(crate) fn paint_progress(
        &self,
        size: [u32; 2],
        scale: f32,
        name: &str,
        part: f32,
    ) -> Painted {
        self.paint_with(size, scale, |painter, whole| {
            let width = BAR.x.min(whole.width() - 2.0 * PADDING).max(0.0);
            let bar = Rect::from_center_size(whole.center(), Vec2::new(width, BAR.y));
            let part = part.clamp(0.0, 1.0);
            let done = Rect::from_min_size(bar.min, Vec2::new(width * part, BAR.y));
            painter.rect_filled(bar, CornerRadius::ZERO, EMPTY);
            painter.rect_filled(done, CornerRadius::ZERO, INK);
            let above = bar.center_top() - Vec2::Y * PADDING;
            write(painter, above, Align2::CENTER_BOTTOM, name);
            // Baking takes long; it alone reports progress.
            let what = match (part * 100.0) as u32 {
                0 => "loading".to_owned(),
                percent => format!("baking the light, once for this level: {percent} %"),
            };
            let below = bar.center_bottom() + Vec2::Y * PADDING;
            write(painter, below, Align2::CENTER_TOP, &what);
        })
    }

    /// Paints by `paint`, over the whole picture.
    fn paint_with(&self, size: [u32; 2], scale: f32, paint: impl Fn(&Painter, Rect)) -> Painted {
        let scale = scale.clamp(0.5, 8.0);
        let points = Vec2::new(size[0] as f32, size[1] as f32) / scale;
        let whole = Rect::from_min_size(Pos2::ZERO, points);
        let mut input = egui::RawInput {
            screen_rect: Some(whole),
            ..Default::default()
        };
        let viewport = input.viewports.entry(input.viewport_id).or_default();
        viewport.native_pixels_per_point = Some(scale);
        let output = self.context.run_pass(input, |context| {
            paint(&context.layer_painter(egui::LayerId::background()), whole);
        });
        Painted {
            primitives: self
                .context
                .tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        }
    }
}

/// Writes lines over a dark backing.
fn write(painter: &Painter, at: Pos2, align: Align2, text: &str) {
    let text = text.trim_end();
    if text.is_empty() {
        return;
    }
    let font = FontId::monospace(LETTER_POINTS);
    let galley = painter.layout_no_wrap(text.to_owned(), font, INK);
    let area = align.anchor_size(at, galley.size() + Vec2::splat(2.0 * PADDING));
    painter.rect_filled(area, CornerRadius::same(4), BACKING);
    painter.galley(area.min + Vec2::splat(PADDING), galley, INK);
}
