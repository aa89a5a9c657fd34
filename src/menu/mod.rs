//! The menu, drawn by egui: pause, levels, settings, keys, help. It can be used by mouse alone, by keys alone (arrows,
//! Enter, Esc) and by gamepad, whose buttons arrive as these keys.
//!
//! The menu changes the settings in place and returns other requests of the player as a command.

mod help;
mod keys;
mod levels;
mod pause;
mod settings_page;
mod style;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use egui::{
    Align, FocusDirection, Key as EguiKey, Layout, Rect, Response, ScrollArea, Ui, UiBuilder, Vec2,
};

use crate::settings::{Action, Key, Settings};

pub use help::{author_help, player_help};

/// The maximum width of a page, points.
const WIDTH: f32 = 620.0;
/// The distance between a page and the edge of the picture, points.
const MARGIN: f32 = 12.0;

/// A page of the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// The first page.
    #[default]
    Pause,
    /// The levels to choose from.
    Levels,
    /// The settings.
    Settings,
    /// The key bindings.
    Keys,
    /// The help text.
    Help,
}

/// A request of the player to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MenuCommand {
    /// Close the menu and continue.
    Resume,
    /// Quit the program.
    Quit,
    /// Open a level that is shipped with the program.
    OpenShipped(&'static str),
    /// Open the level in a file.
    OpenFile(PathBuf),
    /// Start again at the spawn of this name.
    StartAt(String),
}

/// The data of the program that the menu shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct MenuInfo<'a> {
    /// The name of the current level; empty for none.
    pub level: &'a str,
    /// The names of the level's spawns.
    pub spawns: &'a [String],
    /// The levels that are shipped with the program.
    pub shipped: &'a [&'static str],
    /// Level files in the folder of the current level.
    pub nearby: &'a [PathBuf],
    /// The reason why the requested level cannot be walked through; empty for none.
    pub problem: &'a str,
}

/// The state of the menu.
#[derive(Debug, Default)]
pub struct Menu {
    page: Page,
    /// The page from the next frame on: the rest of this frame still belongs to the last page.
    next_page: Option<Page>,
    /// The action and the index of its key that the next pressed key replaces.
    waits_for_key: Option<(Action, usize)>,
    /// The path that is being typed.
    path: String,
    /// Whether the first widget of the page takes the keyboard focus, so that keys start there.
    starts_page: bool,
}

impl Menu {
    /// Creates a menu that has just been opened at this page.
    pub fn at(page: Page) -> Self {
        Self {
            page,
            starts_page: true,
            ..Self::default()
        }
    }

    /// Returns the current page.
    pub fn page(&self) -> Page {
        self.page
    }

    /// Whether the next key is bound to an action and has no other effect.
    pub fn waits_for_key(&self) -> bool {
        self.waits_for_key.is_some()
    }

    /// Binds a key that was pressed while the menu waited for one. Esc can be bound only to the action that opens the
    /// menu; for other actions it changes nothing. Backspace removes the key.
    pub fn bind(&mut self, key: Key, settings: &mut Settings) {
        let Some((action, slot)) = self.waits_for_key.take() else {
            return;
        };
        let mut bound = settings.bindings.keys(action).to_vec();
        match key.name() {
            Some("Esc") if action != Action::Menu => return,
            None => return,
            Some("Backspace") if slot < bound.len() => drop(bound.remove(slot)),
            Some("Backspace") => return,
            Some(_) if slot < bound.len() => bound[slot] = key,
            Some(_) => bound.push(key),
        }
        settings.bindings.set(action, bound);
    }

    fn turn_to(&mut self, page: Page) {
        self.next_page = Some(page);
    }

    /// Handles a widget that keys and the gamepad can reach: the first widget of a page gets the focus when the page is
    /// opened, and a widget that gets the focus is scrolled into view.
    fn reachable(&mut self, response: Response) -> Response {
        if std::mem::take(&mut self.starts_page) {
            response.request_focus();
        }
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        response
    }

    /// Shows the page over the whole picture.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        settings: &mut Settings,
        info: &MenuInfo,
    ) -> Option<MenuCommand> {
        if let Some(page) = self.next_page.take() {
            self.page = page;
            self.starts_page = true;
        }
        style::set(ui);
        let whole = ui.max_rect();
        ui.painter().rect_filled(whole, 0.0, style::BACKING);
        let width = WIDTH.min(whole.width() - 2.0 * MARGIN).max(0.0);
        let height = (whole.height() - 2.0 * MARGIN).max(0.0);
        let area = Rect::from_center_size(whole.center(), Vec2::new(width, height));
        let goes_back = ui.input(|input| input.key_pressed(EguiKey::Escape));
        // Moves the focus in the order of the widgets. egui would move it to the nearest widget below, often the last
        // one of the page.
        for (key, direction) in [
            (EguiKey::ArrowDown, FocusDirection::Next),
            (EguiKey::ArrowUp, FocusDirection::Previous),
        ] {
            if ui.input(|input| input.key_pressed(key)) {
                ui.memory_mut(|memory| memory.move_focus(direction));
            }
        }
        let layout = Layout::top_down(Align::Min);
        let shown = ui.scope_builder(UiBuilder::new().max_rect(area).layout(layout), |ui| {
            let page = self.page;
            let area = ScrollArea::vertical()
                .id_salt(page as usize)
                .auto_shrink(false);
            area.show(ui, |ui| match page {
                Page::Pause => pause::show(self, ui, info),
                Page::Levels => levels::show(self, ui, settings, info),
                Page::Settings => settings_page::show(self, ui, settings),
                Page::Keys => keys::show(self, ui, settings),
                Page::Help => help::show(self, ui, settings),
            })
            .inner
        });
        if !goes_back {
            return shown.inner;
        }
        match self.page {
            Page::Pause => (!info.level.is_empty()).then_some(MenuCommand::Resume),
            _ => {
                self.turn_to(Page::Pause);
                None
            }
        }
    }

    /// Adds the heading of a page with a button back to the first page.
    fn heading(&mut self, ui: &mut Ui, title: &str) {
        ui.horizontal(|ui| {
            let back = ui.button("< Back");
            if self.reachable(back).clicked() {
                self.turn_to(Page::Pause);
            }
            ui.heading(title);
        });
        ui.add_space(style::GAP);
    }
}
