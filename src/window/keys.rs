//! Dispatch of keys to the menu, the walk or the window itself.

use winit::event_loop::ActiveEventLoop;

use super::app::{App, Focus, Stage};
use super::error::Failure;
use crate::menu::Page;
use crate::settings::{Action, Key, KeyCode, PadButton};

impl<E: Failure> App<'_, '_, E> {
    /// Handles a key, a mouse button or a gamepad button; returns whether it is handled and must not be passed to the
    /// menu.
    pub(super) fn key(&mut self, events: &ActiveEventLoop, key: Key, is_pressed: bool) -> bool {
        let Some(graphics) = &mut self.graphics else {
            return true;
        };
        let settings = &mut self.options.settings;
        if let Some(menu) = &mut self.menu {
            if menu.waits_for_key() && is_pressed {
                menu.bind(key, settings);
                return true;
            }
            let is_menu_key = settings.bindings.keys(Action::Menu).contains(&key);
            let is_walking = matches!(self.stage, Stage::Walking(_));
            if is_pressed && is_walking && is_menu_key && key != Key::Code(KeyCode::Escape) {
                self.close_menu();
                return true;
            }
            return false;
        }
        let walk = match &mut self.stage {
            Stage::Walking(walk) => walk,
            Stage::Loading(_) | Stage::Nothing => {
                if is_pressed && settings.bindings.keys(Action::Menu).contains(&key) {
                    events.exit();
                }
                return true;
            }
        };
        // The first click only captures the mouse.
        let takes_mouse =
            is_pressed && matches!(key, Key::Mouse(_)) && !walk.controls.is_captured();
        if takes_mouse {
            walk.controls.capture(&graphics.window);
            return true;
        }
        let mut alt = [KeyCode::AltLeft, KeyCode::AltRight]
            .into_iter()
            .map(Key::Code);
        let is_alt_enter =
            key == Key::Code(KeyCode::Enter) && alt.any(|alt| walk.controls.holds(alt));
        walk.controls.key(key, is_pressed);
        if !is_pressed {
            return true;
        }
        let mut actions: Vec<Action> = settings.bindings.actions(key).collect();
        if is_alt_enter {
            actions = vec![Action::Fullscreen];
        }
        for action in actions {
            match action {
                Action::Menu => self.open_menu(Page::Pause),
                Action::Fullscreen => {
                    let settings = &mut self.options.settings;
                    settings.fullscreen = !settings.fullscreen;
                    if let Some(graphics) = &mut self.graphics {
                        graphics.apply(settings);
                    }
                    self.save_settings();
                }
                Action::ThirdPerson => {
                    let settings = &mut self.options.settings;
                    settings.third_person = !settings.third_person;
                    self.save_settings();
                }
                action => {
                    if let (Stage::Walking(walk), Some(graphics)) =
                        (&mut self.stage, &mut self.graphics)
                    {
                        walk.act(action, graphics, &self.options.settings, self.watch);
                    }
                }
            }
        }
        true
    }

    /// Handles a gamepad button; in the menu, buttons act as the equivalent keys.
    pub(super) fn pad_button(
        &mut self,
        events: &ActiveEventLoop,
        button: PadButton,
        is_pressed: bool,
    ) {
        if self.key(events, Key::Pad(button), is_pressed) || !is_pressed {
            return;
        }
        let key = match button {
            PadButton::Up => egui::Key::ArrowUp,
            PadButton::Down => egui::Key::ArrowDown,
            PadButton::Left => egui::Key::ArrowLeft,
            PadButton::Right => egui::Key::ArrowRight,
            PadButton::South => egui::Key::Enter,
            PadButton::East => egui::Key::Escape,
            _ => return,
        };
        if let Some(graphics) = &mut self.graphics {
            graphics.press_in_menu(key);
        }
    }

    pub(super) fn focus_changed(&mut self, is_here: bool) {
        self.focus = match (is_here, self.focus) {
            (true, _) => Focus::Here,
            (false, Focus::Unknown) => Focus::Unknown,
            (false, _) => Focus::Elsewhere,
        };
        if let (false, Some(graphics), Stage::Walking(walk)) =
            (is_here, &self.graphics, &mut self.stage)
        {
            walk.controls.release(&graphics.window);
        }
    }
}
