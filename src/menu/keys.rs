//! The page of keys.

use egui::{Button, Ui, Vec2};

use super::{Menu, MenuCommand, style};
use crate::settings::{ACTIONS, ActionInfo, Audience, Bindings, Settings};

/// Places for the keys of an action; those of a settings file may be more.
const SLOTS: usize = 3;
/// Size of such a place, points.
const SLOT: Vec2 = Vec2::new(110.0, 24.0);

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
            ui.spacing_mut().interact_size.y = SLOT.y;
            // More keys than have room in a row are below it.
            ui.horizontal_wrapped(|ui| show_action(menu, ui, info, bindings));
        }
    }
    ui.add_space(style::GAP);
    let button = ui.button("All keys as they were at first");
    if menu.reachable(button).clicked() {
        settings.bindings = Bindings::default();
    }
    None
}

/// The name of an action, and the places for its keys.
fn show_action(menu: &mut Menu, ui: &mut Ui, info: &ActionInfo, bindings: &Bindings) {
    let label = info.label.split([':', ';', ',']).next().unwrap_or_default();
    style::label(ui, label, info.label);
    let bound = bindings.keys(info.action);
    for slot in 0..SLOTS.max(bound.len()) {
        let is_awaited = menu.waits_for_key == Some((info.action, slot));
        let key = bound.get(slot).copied();
        let name = match key.and_then(|key| key.name()) {
            _ if is_awaited => "press a key",
            Some(name) => name,
            None => "",
        };
        let mut button = Button::new(name).min_size(SLOT);
        if key.is_some_and(|key| bindings.actions(key).nth(1).is_some()) {
            button = button.fill(style::WRONG.linear_multiply(0.5));
        }
        let response = ui.add(button);
        if menu.reachable(response).clicked() {
            menu.waits_for_key = Some((info.action, slot));
        }
    }
}
