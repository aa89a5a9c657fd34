//! The first page.

use egui::{Button, Ui};

use super::{Menu, MenuCommand, MenuInfo, Page, style};

pub(super) fn show(menu: &mut Menu, ui: &mut Ui, info: &MenuInfo) -> Option<MenuCommand> {
    let mut wanted = None;
    let size = style::button_size(ui);
    ui.vertical_centered(|ui| {
        ui.add_space(style::GAP);
        ui.heading("OpenDoor");
        if !info.level.is_empty() {
            ui.label(info.level);
        }
        if !info.problem.is_empty() {
            ui.colored_label(style::WRONG, info.problem);
        }
        ui.add_space(style::GAP);
        let is_clicked = |menu: &mut Menu, ui: &mut Ui, text: &str| {
            let button = ui.add_sized(size, Button::new(text));
            menu.reachable(button).clicked()
        };
        if !info.level.is_empty() && is_clicked(menu, ui, "Resume") {
            wanted = Some(MenuCommand::Resume);
        }
        for (text, page) in [
            ("Levels", Page::Levels),
            ("Settings", Page::Settings),
            ("Keys", Page::Keys),
            ("Help", Page::Help),
        ] {
            if is_clicked(menu, ui, text) {
                menu.turn_to(page);
            }
        }
        if is_clicked(menu, ui, "Quit") {
            wanted = Some(MenuCommand::Quit);
        }
    });
    wanted
}
