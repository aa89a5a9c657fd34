//! The page of settings.

use egui::{Button, Checkbox, Slider, Ui};

use super::{Menu, MenuCommand, style};
use crate::settings::{SETTINGS, Setting, SettingGroup, Settings, ValueKind};

pub(super) fn show(menu: &mut Menu, ui: &mut Ui, settings: &mut Settings) -> Option<MenuCommand> {
    menu.heading(ui, "Settings");
    for (group, title) in [
        (SettingGroup::Looking, "Looking around"),
        (SettingGroup::Picture, "Picture"),
        (SettingGroup::Game, "Text and game"),
    ] {
        ui.strong(title);
        for setting in SETTINGS.iter().filter(|setting| setting.group == group) {
            show_setting(menu, ui, setting, settings);
        }
        ui.add_space(style::GAP);
    }
    let button = ui.button("All settings as they were at first");
    if menu.reachable(button).clicked() {
        for setting in SETTINGS {
            // Parsing cannot fail: a default is a valid value.
            let _ = setting.parse(settings, &setting.text(&Settings::default()));
        }
    }
    None
}

fn show_setting(menu: &mut Menu, ui: &mut Ui, setting: &Setting, settings: &mut Settings) {
    ui.horizontal(|ui| {
        style::label(ui, setting.label, setting.help);
        match &setting.kind {
            ValueKind::Switch(access) => {
                let mut value = (access.get)(settings);
                let response = ui.add(Checkbox::without_text(&mut value));
                if menu.reachable(response).changed() {
                    (access.set)(settings, value);
                }
            }
            ValueKind::Number {
                access,
                min,
                max,
                step,
                unit,
            } => {
                let before = (access.get)(settings);
                let mut value = before;
                // The slider has no number field of its own: arrow keys would stop in that field and change the number.
                let slider = Slider::new(&mut value, *min..=*max).show_value(false);
                let response = ui.add(slider.step_by(*step));
                menu.reachable(response);
                let decimals = if *step < 1.0 { 2 } else { 0 };
                ui.label(format!("{value:.decimals$}{unit}"));
                if value != before {
                    (access.set)(settings, value);
                }
            }
            ValueKind::Choice { access, names } => {
                let chosen = (access.get)(settings);
                for (index, name) in names.iter().enumerate() {
                    let response = ui.add(Button::selectable(index == chosen, *name));
                    if menu.reachable(response).clicked() {
                        (access.set)(settings, index);
                    }
                }
            }
        }
    });
}
