//! Sizes and colours of the menu.

use egui::{Align, Color32, FontFamily, FontId, Label, Layout, TextStyle, Ui, Vec2, Visuals};

/// The colour between the picture and the menu.
pub(super) const BACKING: Color32 = Color32::from_black_alpha(200);
/// The colour of errors.
pub(super) const WRONG: Color32 = Color32::from_rgb(255, 120, 100);
/// The distance between groups, points.
pub(super) const GAP: f32 = 10.0;
/// The maximum width of a large button, points.
const BUTTON_WIDTH: f32 = 320.0;
/// The width of the labels before settings and key slots, points.
const LABEL_WIDTH: f32 = 190.0;

/// Sets the menu's style for all widgets that are added to `ui` from now on.
pub(super) fn set(ui: &mut Ui) {
    let style = ui.style_mut();
    style.visuals = Visuals::dark();
    // The focused widget must be visible from a distance.
    style.visuals.selection.bg_fill = Color32::from_rgb(30, 90, 140);
    style.visuals.selection.stroke.width = 2.0;
    // The boxes of switches and the rails of sliders must be visible over dark pictures.
    style.visuals.widgets.inactive.bg_fill = Color32::from_gray(90);
    style.visuals.override_text_color = Some(Color32::from_gray(235));
    for (text, size, family) in [
        (TextStyle::Heading, 22.0, FontFamily::Proportional),
        (TextStyle::Body, 15.0, FontFamily::Proportional),
        (TextStyle::Button, 15.0, FontFamily::Proportional),
        (TextStyle::Small, 12.0, FontFamily::Proportional),
        (TextStyle::Monospace, 14.0, FontFamily::Monospace),
    ] {
        style.text_styles.insert(text, FontId::new(size, family));
    }
    style.spacing.item_spacing = Vec2::new(8.0, 6.0);
    style.spacing.button_padding = Vec2::new(10.0, 5.0);
    style.spacing.slider_width = 180.0;
}

/// Begins a row with the name of a setting or an action, equally wide in every row; `help` is the tooltip.
pub(super) fn label(ui: &mut Ui, text: &str, help: &str) {
    let size = Vec2::new(LABEL_WIDTH, ui.spacing().interact_size.y);
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_size(size);
        ui.add(Label::new(text).truncate()).on_hover_text(help);
    });
}

/// Returns the size of a large button.
pub(super) fn button_size(ui: &Ui) -> Vec2 {
    Vec2::new(BUTTON_WIDTH.min(ui.available_width()), 30.0)
}
