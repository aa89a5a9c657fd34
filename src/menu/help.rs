//! The help page, and the help text over the picture.

use egui::{Label, TextStyle, Ui};

use super::{Menu, MenuCommand, style};
use crate::settings::{ACTIONS, Action, Audience, Bindings, Settings};

pub(super) fn show(menu: &mut Menu, ui: &mut Ui, settings: &Settings) -> Option<MenuCommand> {
    menu.heading(ui, "Help");
    // Both columns begin at the height of the text.
    ui.spacing_mut().interact_size.y = ui.text_style_height(&TextStyle::Body);
    for (title, rows) in [
        ("For players", player_rows(&settings.bindings)),
        ("For authors of levels", author_rows(&settings.bindings)),
    ] {
        ui.strong(title);
        for (keys, does) in rows {
            ui.horizontal_top(|ui| {
                style::label(ui, &keys, &keys);
                ui.add(Label::new(does).wrap());
            });
        }
        ui.add_space(style::GAP);
    }
    ui.label("Levels are made in Blender and loaded again when they are saved: docs/tutorial.md tells how.");
    None
}

/// A row of help: keys, and their effect.
type HelpRow = (String, &'static str);

/// Returns the help text for players, one line per row.
pub fn player_help(bindings: &Bindings) -> String {
    text(player_rows(bindings))
}

/// Returns the help text for level authors, one line per row.
pub fn author_help(bindings: &Bindings) -> String {
    text(author_rows(bindings))
}

fn player_rows(bindings: &Bindings) -> Vec<HelpRow> {
    let names = |action| bindings.first_name(action);
    let walk = [Action::Forward, Action::Left, Action::Back, Action::Right].map(names);
    let mut rows = vec![
        ("mouse, right stick".to_owned(), "look around"),
        (format!("{}, left stick", walk.join(" ")), "walk"),
    ];
    rows.extend(rows_for(bindings, Audience::Player));
    rows
}

fn author_rows(bindings: &Bindings) -> Vec<HelpRow> {
    rows_for(bindings, Audience::Author).collect()
}

/// Returns the rows of an audience's actions with their keys, except those of walking.
fn rows_for(bindings: &Bindings, audience: Audience) -> impl Iterator<Item = HelpRow> {
    let infos = ACTIONS.iter().filter(move |info| info.audience == audience);
    let infos = infos.filter(|info| info.action as usize > Action::Right as usize);
    infos.map(|info| {
        let names = bindings.names(info.action);
        let names: Vec<&str> = names.filter(|name| !name.starts_with("pad ")).collect();
        (names.join(", "), info.label)
    })
}

fn text(rows: Vec<HelpRow>) -> String {
    let lines = rows
        .iter()
        .map(|(keys, does)| format!("{keys:<20} {does}\n"));
    lines.collect()
}
