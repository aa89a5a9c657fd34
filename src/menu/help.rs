//! The page of help, and the same over the picture.

use egui::Ui;

use super::{Menu, MenuCommand};
use crate::settings::{ACTIONS, Action, Audience, Bindings, Settings};

pub(super) fn show(menu: &mut Menu, ui: &mut Ui, settings: &Settings) -> Option<MenuCommand> {
    menu.heading(ui, "Help");
    for text in [
        "For players",
        &player_help(&settings.bindings),
        "For authors of levels",
        &author_help(&settings.bindings),
    ] {
        ui.monospace(text);
    }
    ui.label("Levels are made in Blender and loaded again when they are saved: docs/tutorial.md tells how.");
    None
}

/// What everybody can do, a line each.
pub fn player_help(bindings: &Bindings) -> String {
    let names = |action| bindings.first_name(action);
    let walk = [Action::Forward, Action::Left, Action::Back, Action::Right].map(names);
    let mut text = line("mouse, right stick", "look around");
    text += &line(&format!("{}, left stick", walk.join(" ")), "walk");
    text + &help_text(bindings, Audience::Player)
}

/// What authors of levels can do, a line each.
pub fn author_help(bindings: &Bindings) -> String {
    help_text(bindings, Audience::Author)
}

/// What can be done by keys but walking, a line each.
fn help_text(bindings: &Bindings, audience: Audience) -> String {
    let rows = ACTIONS.iter().filter(|info| info.audience == audience);
    let rows = rows.filter(|info| info.action as usize > Action::Right as usize);
    rows.map(|info| {
        let names = bindings.names(info.action);
        let names: Vec<&str> = names.filter(|name| !name.starts_with("pad ")).collect();
        line(&names.join(", "), info.label)
    })
    .collect()
}

fn line(keys: &str, does: &str) -> String {
    format!("{keys:<20} {does}\n")
}
