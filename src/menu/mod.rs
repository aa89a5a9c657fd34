//! The menu, drawn by egui: pause, levels, settings, keys, help. It can be used by mouse alone, by keys alone (arrows,
//! Enter, Esc) and by gamepad, whose buttons come as these keys.
//!
//! It changes the settings in place and returns what else the player wants.

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

/// Greatest width of a page, points.
const WIDTH: f32 = 620.0;
/// Between a page and the edge of the picture, points.
const MARGIN: f32 = 12.0;

/// A page of the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// The first.
    #[default]
    Pause,
    /// What can be walked through.
    Levels,
    /// What can be set.
    Settings,
    /// Which keys do what.
    Keys,
    /// What there is to do.
    Help,
}

/// What a player wants of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MenuCommand {
    /// To go on.
    Resume,
    /// To leave the program.
    Quit,
    /// To walk through a level that comes with the program.
    OpenShipped(&'static str),
    /// To walk through the level in a file.
    OpenFile(PathBuf),
    /// To start again at the spawn of this name.
    StartAt(String),
}

/// What the menu knows of the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct MenuInfo<'a> {
    /// What the level is called that is walked through; empty for none.
    pub level: &'a str,
    /// Its spawns.
    pub spawns: &'a [String],
    /// The levels that come with the program.
    pub shipped: &'a [&'static str],
    /// Levels beside the one that was opened.
    pub nearby: &'a [PathBuf],
    /// Why the level that was wanted cannot be walked through; empty for none.
    pub problem: &'a str,
}

/// Where in the menu the player is.
#[derive(Debug, Default)]
pub struct Menu {
    page: Page,
    /// The page that is shown from the next picture on: the rest of this one is still of the last page.
    next_page: Option<Page>,
    /// The action, and which of its keys, that the next key is for.
    waits_for_key: Option<(Action, usize)>,
    /// The path that is being typed.
    path: String,
    /// The first thing on the page is to be chosen, so that keys start there.
    starts_page: bool,
}

impl Menu {
    /// At this page, as it is opened.
    pub fn at(page: Page) -> Self {
        Self {
            page,
            starts_page: true,
            ..Self::default()
        }
    }

    /// Where it is.
    pub fn page(&self) -> Page {
        self.page
    }

    /// Whether the next key is to be bound, and is nothing else.
    pub fn waits_for_key(&self) -> bool {
        self.waits_for_key.is_some()
    }

    /// A key was pressed while it waited for one: Esc leaves all as it was, Backspace takes the key away.
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

    /// Follows a widget that keys and the pad can reach: the first of a page is chosen when the page is opened, and
    /// what is chosen is scrolled to.
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
        // One after another: what is nearest below would often be the last of the page.
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

    /// The heading of a page with the way back.
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
