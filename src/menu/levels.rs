//! The page of levels.

use std::path::{Path, PathBuf};

use egui::{Button, TextEdit, Ui};

use super::{Menu, MenuCommand, MenuInfo, style};
use crate::settings::Settings;

pub(super) fn show(
    menu: &mut Menu,
    ui: &mut Ui,
    settings: &Settings,
    info: &MenuInfo,
) -> Option<MenuCommand> {
    let mut wanted = None;
    menu.heading(ui, "Levels");
    if !info.problem.is_empty() {
        ui.colored_label(style::WRONG, info.problem);
        ui.add_space(style::GAP);
    }
    if !info.spawns.is_empty() {
        ui.label(format!("Start again in {}", info.level));
        ui.horizontal_wrapped(|ui| {
            for spawn in info.spawns {
                let name = spawn.strip_suffix("-spawn").unwrap_or(spawn);
                let button = ui.button(name);
                if menu.reachable(button).clicked() {
                    wanted = Some(MenuCommand::StartAt(spawn.clone()));
                }
            }
        });
        ui.add_space(style::GAP);
    }
    ui.label("Levels that come with OpenDoor");
    ui.horizontal_wrapped(|ui| {
        for &name in info.shipped {
            let button = ui.button(name);
            if menu.reachable(button).clicked() {
                wanted = Some(MenuCommand::OpenShipped(name));
            }
        }
    });
    ui.add_space(style::GAP);
    let mut files = |menu: &mut Menu, ui: &mut Ui, title: &str, paths: &[PathBuf]| {
        if paths.is_empty() {
            return;
        }
        ui.label(title);
        for path in paths {
            let button = ui.add(Button::new(file_name(path)).truncate());
            let button = button.on_hover_text(path.to_string_lossy());
            if menu.reachable(button).clicked() {
                wanted = Some(MenuCommand::OpenFile(path.clone()));
            }
        }
        ui.add_space(style::GAP);
    };
    files(menu, ui, "Opened before", &settings.recent);
    files(menu, ui, "In this folder", info.nearby);
    ui.label("Another: drop a .glb or .gltf file onto this window, or write its path");
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 90.0).max(60.0);
        let field = TextEdit::singleline(&mut menu.path).hint_text("/home/me/levels/castle.glb");
        let field = ui.add_sized([width, 26.0], field);
        let is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        menu.reachable(field);
        let button = ui.button("Open");
        let is_pressed = menu.reachable(button).clicked();
        let path = menu.path.trim().trim_matches('"');
        if (is_entered || is_pressed) && !path.is_empty() {
            wanted = Some(MenuCommand::OpenFile(PathBuf::from(path)));
        }
    });
    wanted
}

/// Returns the name of the file with that of its folder, which distinguishes levels of equal names.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let folder = path.parent().and_then(Path::file_name);
    match folder {
        Some(folder) => format!(
            "{}   in {}",
            name.to_string_lossy(),
            folder.to_string_lossy()
        ),
        None => name.to_string_lossy().into_owned(),
    }
}
