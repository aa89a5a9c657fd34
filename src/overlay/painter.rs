//! Painting of an overlay by egui. Only this folder, the menu, and the code of the GPU device and the window name egui.

use egui::{Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Ui, Vec2};

use super::changes::Last;
use super::contents::OverlayContents;
use super::plan_painting::draw_plan;

/// The size of the text, points. A point is a pixel at a scale factor of 1.
const LETTER_POINTS: f32 = 14.0;
const TITLE_POINTS: f32 = 22.0;
/// The smallest readable size, points.
const MIN_LETTER_POINTS: f32 = 6.0;
/// The height of a title in the picture, as a fraction of the picture's height.
const TITLE_PART: f32 = 0.12;
/// The radii of the crosshair's dot and of the dark ring around it, points.
const DOT: [f32; 2] = [1.5, 2.5];
/// The distance, points, between a text and the edge of its backing, and between the backing and the edge of the
/// picture.
const PADDING: f32 = 8.0;
const BACKING: Color32 = Color32::from_black_alpha(190);
const INK: Color32 = Color32::from_gray(235);
/// The colour of the empty part of a progress bar.
const EMPTY: Color32 = Color32::from_gray(60);
/// The size of a progress bar, points.
const BAR: Vec2 = Vec2::new(400.0, 6.0);
/// The side of the plan, as a fraction of the picture's shorter side.
const PLAN_PART: f32 = 0.45;

/// Paints contents as triangles; caches the glyphs and the contents painted last.
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
    /// Paints as [`OverlayPainter::paint`] does, but returns `None` if nothing has changed since the last call. The
    /// plan may lag behind the eye by 0.25 m or two degrees. All calls must be for the same level.
    pub(crate) fn repaint(
        &mut self,
        size: [u32; 2],
        scale: f32,
        contents: &OverlayContents,
    ) -> Option<Painted> {
        let needs_repaint = self.last.needs_repaint(size, scale, contents);
        needs_repaint.then(|| self.paint(size, scale, contents))
    }

    /// Returns the egui context of the painter.
    pub(crate) fn context(&self) -> &egui::Context {
        &self.context
    }

    /// Paints the widgets that `ui` adds instead of contents, for a picture of `size` pixels.
    pub(crate) fn paint_ui(
        &mut self,
        size: [u32; 2],
        scale: f32,
        mut input: egui::RawInput,
        ui: impl FnMut(&mut Ui),
    ) -> (Painted, egui::PlatformOutput) {
        self.last.forget();
        self.fit(&mut input, size, scale);
        let mut output = self.context.run_ui(input, ui);
        let platform = std::mem::take(&mut output.platform_output);
        (self.tessellated(output), platform)
    }

    /// Paints for a picture of `size` pixels; text is enlarged by `scale`, the scale factor of the screen.
    fn paint(&self, size: [u32; 2], scale: f32, contents: &OverlayContents) -> Painted {
        self.paint_with(size, scale, |painter, whole| {
            let corner = whole.shrink(PADDING);
            if contents.crosshair {
                let [dot, ring] = DOT;
                painter.circle_filled(whole.center(), ring, BACKING);
                painter.circle_filled(whole.center(), dot, INK);
            }
            write(painter, corner.left_top(), Align2::LEFT_TOP, contents.text);
            let bottom = corner.center_bottom();
            write(painter, bottom, Align2::CENTER_BOTTOM, contents.message);
            let top = Pos2::new(whole.center().x, whole.height() * TITLE_PART);
            write_with(
                painter,
                (top, Align2::CENTER_TOP),
                TITLE_POINTS,
                contents.title,
            );
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

    /// Paints a progress bar with the level's name and the part of it that is loaded, 0..1.
    pub(crate) fn paint_progress(
        &mut self,
        size: [u32; 2],
        scale: f32,
        name: &str,
        part: f32,
    ) -> Painted {
        self.last.forget();
        self.paint_with(size, scale, |painter, whole| {
            let width = BAR.x.min(whole.width() - 2.0 * PADDING).max(0.0);
            let bar = Rect::from_center_size(whole.center(), Vec2::new(width, BAR.y));
            let part = part.clamp(0.0, 1.0);
            let done = Rect::from_min_size(bar.min, Vec2::new(width * part, BAR.y));
            // Only baking reports progress. Before baking, or if nothing is to be baked, a bar would stay empty until
            // loading is done.
            if part > 0.0 {
                painter.rect_filled(bar, CornerRadius::ZERO, EMPTY);
                painter.rect_filled(done, CornerRadius::ZERO, INK);
            }
            let above = bar.center_top() - Vec2::Y * PADDING;
            write(painter, above, Align2::CENTER_BOTTOM, name);
            let what = match (part * 100.0) as u32 {
                0 => "loading".to_owned(),
                percent => format!("baking the light, once for this level: {percent} %"),
            };
            let below = bar.center_bottom() + Vec2::Y * PADDING;
            write(painter, below, Align2::CENTER_TOP, &what);
        })
    }

    /// Calls `paint` with the rectangle of the whole picture, and returns its triangles.
    fn paint_with(&self, size: [u32; 2], scale: f32, paint: impl Fn(&Painter, Rect)) -> Painted {
        let mut input = egui::RawInput::default();
        let whole = self.fit(&mut input, size, scale);
        let output = self.context.run_pass(input, |context| {
            paint(&context.layer_painter(egui::LayerId::background()), whole);
        });
        self.tessellated(output)
    }

    /// Sets the input to a picture of `size` pixels; returns the picture's rectangle in points.
    fn fit(&self, input: &mut egui::RawInput, size: [u32; 2], scale: f32) -> Rect {
        let scale = scale.clamp(0.25, 16.0);
        let points = Vec2::new(size[0] as f32, size[1] as f32) / scale;
        let whole = Rect::from_min_size(Pos2::ZERO, points);
        input.screen_rect = Some(whole);
        let viewport = input.viewports.entry(input.viewport_id).or_default();
        viewport.native_pixels_per_point = Some(scale / self.context.zoom_factor());
        whole
    }

    fn tessellated(&self, output: egui::FullOutput) -> Painted {
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
    write_with(painter, (at, align), LETTER_POINTS, text);
}

/// Writes lines in letters of this size, points, or in smaller letters if the picture is too small for them.
fn write_with(painter: &Painter, (at, align): (Pos2, Align2), points: f32, text: &str) {
    let text = text.trim_end();
    if text.is_empty() {
        return;
    }
    let backing = Vec2::splat(2.0 * PADDING);
    let room = painter.clip_rect().size() - 2.0 * backing;
    let mut points = points;
    let mut galley;
    loop {
        let font = FontId::monospace(points);
        galley = painter.layout_no_wrap(text.to_owned(), font, INK);
        let fits = galley.size().x <= room.x && galley.size().y <= room.y;
        if fits || points <= MIN_LETTER_POINTS {
            break;
        }
        let part = (room / galley.size()).min_elem().clamp(0.1, 0.97);
        points = (points * part).max(MIN_LETTER_POINTS);
    }
    let area = align.anchor_size(at, galley.size() + backing);
    painter.rect_filled(area, CornerRadius::same(4), BACKING);
    painter.galley(area.min + Vec2::splat(PADDING), galley, INK);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [640, 360];

    #[test]
    fn the_same_contents_are_painted_again_after_a_progress_bar_or_a_menu() {
        let mut painter = OverlayPainter::default();
        // The textures of a painted overlay must be discarded.
        let is_painted = |painter: &mut OverlayPainter| {
            let painted = painter.repaint(SIZE, 1.0, &OverlayContents::default());
            painted
                .map(|mut painted| painted.textures.clear())
                .is_some()
        };
        assert!(is_painted(&mut painter));
        assert!(!is_painted(&mut painter));
        let mut bar = painter.paint_progress(SIZE, 1.0, "house", 0.5);
        bar.textures.clear();
        assert!(is_painted(&mut painter));
        let input = egui::RawInput::default();
        let (mut menu, _) = painter.paint_ui(SIZE, 1.0, input, |ui| drop(ui.label("menu")));
        menu.textures.clear();
        assert!(is_painted(&mut painter));
    }
}
