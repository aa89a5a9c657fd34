//! The page of key bindings.

use egui::{Button, Ui, Vec2};

use super::{Menu, MenuCommand, style};
use crate::settings::{ACTIONS, ActionInfo, Audience, Bindings, Settings};

/// The number of key slots of an action in a row; further keys of a settings file are shown in further rows.
const SLOTS: usize = 3;
/// The height of a key slot, points.
const SLOT_HEIGHT: f32 = 28.0;

pub(super) fn show(menu: &mut Menu, ui: &mut Ui, settings: &mut Settings) -> Option<MenuCommand> {
    menu.heading(ui, "Keys");
    ui.label("Choose a key and press another. Esc leaves it as it is, Backspace takes it away.");
    let bindings = &settings.bindings;
    let mut conflicts = ACTIONS.iter().map(|info| info.action);
    if conflicts.any(|action| bindings.is_in_conflict(action)) {
        let text = "Keys in red do more than one thing.";
        ui.colored_label(style::WRONG, text);
    }
    for (audience, title) in [
        (Audience::Player, "For players"),
        (Audience::Author, "For authors of levels"),
    ] {
        ui.add_space(style::GAP);
        ui.strong(title);
        for info in ACTIONS.iter().filter(|info| info.audience == audience) {
            ui.spacing_mut().interact_size.y = SLOT_HEIGHT;
            show_action(menu, ui, info, bindings);
        }
    }
    ui.add_space(style::GAP);
    let button = ui.button("All keys as they were at first");
    if menu.reachable(button).clicked() {
        settings.bindings = Bindings::default();
    }
    None
}

/// Adds the name of an action and its key slots in columns.
fn show_action(menu: &mut Menu, ui: &mut Ui, info: &ActionInfo, bindings: &Bindings) {
    let label = info.label.split([':', ';', ',']).next().unwrap_or_default();
    let bound = bindings.keys(info.action);
    let rows = bound.len().div_ceil(SLOTS).max(1);
    for row in 0..rows {
        ui.horizontal(|ui| {
            style::label(ui, if row == 0 { label } else { "" }, info.label);
            let gaps = ui.spacing().item_spacing.x * (SLOTS - 1) as f32;
            let width = ((ui.available_width() - gaps) / SLOTS as f32).max(0.0);
            for slot in row * SLOTS..(row + 1) * SLOTS {
                let size = Vec2::new(width, SLOT_HEIGHT);
                show_slot(menu, ui, (info, slot), size, bindings);
            }
        });
    }
}

/// Adds the slot of one key of an action.
fn show_slot(
    menu: &mut Menu,
    ui: &mut Ui,
    (info, slot): (&ActionInfo, usize),
    size: Vec2,
    bindings: &Bindings,
) {
    let is_awaited = menu.waits_for_key == Some((info.action, slot));
    let key = bindings.keys(info.action).get(slot).copied();
    let name = match key.and_then(|key| key.name()) {
        _ if is_awaited => "press a key",
        Some(name) => name,
        None => "",
    };
    let mut button = Button::new(name).truncate();
    if key.is_some_and(|key| bindings.actions(key).nth(1).is_some()) {
        button = button.fill(style::WRONG.linear_multiply(0.5));
    }
    let response = ui.add_sized(size, button);
    if menu.reachable(response).clicked() {
        menu.waits_for_key = Some((info.action, slot));
    }
}
