//! Input of keyboard, mouse and gamepad.

use winit::dpi::PhysicalPosition;
use winit::window::{CursorGrabMode, Window};

use super::pad::Sticks;
use crate::game::Input;
use crate::settings::{Action, Bindings, Key, Settings};

/// The rotation per pixel of mouse motion, degrees, at mouse speed 1.
const DEGREES_PER_PIXEL: f64 = 0.12;

/// The pressed keys, and whether the mouse turns the view.
#[derive(Debug, Default)]
pub(super) struct Controls {
    held: Vec<Key>,
    /// The keys pressed since the last tick, including keys that were released again.
    pressed: Vec<Key>,
    pub(super) sticks: Sticks,
    captured: bool,
    /// Whether the pointer must be moved back to the middle, because it could not be locked.
    recentre: bool,
}

impl Controls {
    /// Records that a key, a mouse button or a gamepad button was pressed or released.
    pub(super) fn key(&mut self, key: Key, is_pressed: bool) {
        self.held.retain(|&held| held != key);
        if is_pressed {
            self.held.push(key);
            self.pressed.push(key);
        }
    }

    /// Whether this key is pressed.
    pub(super) fn holds(&self, key: Key) -> bool {
        self.held.contains(&key)
    }

    /// Returns the game input for the pressed keys and the sticks.
    pub(super) fn input(&self, bindings: &Bindings) -> Input {
        let any = |action, keys: &[Key]| {
            let mut bound = bindings.keys(action).iter();
            bound.any(|key| keys.contains(key))
        };
        let held = |action| any(action, &self.held);
        let pressed = |action| any(action, &self.pressed);
        let way = |ahead, back| f64::from(i8::from(held(ahead)) - i8::from(held(back)));
        let [right, forward] = self.sticks.left;
        Input {
            forward: (way(Action::Forward, Action::Back) + forward).clamp(-1.0, 1.0),
            right: (way(Action::Right, Action::Left) + right).clamp(-1.0, 1.0),
            run: held(Action::Run),
            jump: held(Action::Jump) || pressed(Action::Jump),
            crouch: held(Action::Crouch),
            interact: pressed(Action::Use),
            grab: pressed(Action::Grab),
        }
    }

    /// Clears the keys pressed since the last tick, after a tick has used the input.
    pub(super) fn tick_done(&mut self) {
        self.pressed.clear();
    }

    /// Captures the mouse to look around. On X11, which cannot lock the pointer, the pointer is confined to the window
    /// and moved back to the middle.
    pub(super) fn capture(&mut self, window: &Window) {
        if self.captured {
            return;
        }
        self.recentre = window.set_cursor_grab(CursorGrabMode::Locked).is_err();
        if self.recentre
            && let Err(error) = window.set_cursor_grab(CursorGrabMode::Confined)
        {
            log::warn!("the mouse cannot be kept in the window: {error}");
        }
        window.set_cursor_visible(false);
        self.captured = true;
    }

    /// Whether the mouse turns the view.
    pub(super) fn is_captured(&self) -> bool {
        self.captured
    }

    /// Releases the mouse and all keys.
    pub(super) fn release(&mut self, window: &Window) {
        self.held.clear();
        self.pressed.clear();
        self.sticks = Sticks::default();
        if self.captured {
            if let Err(error) = window.set_cursor_grab(CursorGrabMode::None) {
                log::warn!("the mouse cannot be released: {error}");
            }
            window.set_cursor_visible(true);
            self.captured = false;
        }
    }

    /// Returns the rotation of the view for a mouse motion, degrees to the left and up; `None` if the mouse is not
    /// captured.
    pub(super) fn mouse_moved(
        &mut self,
        window: &Window,
        (right, down): (f64, f64),
        settings: &Settings,
    ) -> Option<(f64, f64)> {
        if !self.captured {
            return None;
        }
        if self.recentre {
            let size = window.inner_size();
            let middle = PhysicalPosition::new(size.width / 2, size.height / 2);
            if window.set_cursor_position(middle).is_err() {
                self.recentre = false;
            }
        }
        let degrees = DEGREES_PER_PIXEL * settings.mouse_speed;
        let up = if settings.invert_mouse { down } else { -down };
        Some((-right * degrees, up * degrees))
    }

    /// Returns the rotation of the view by the right stick in `secs` seconds, degrees to the left and up.
    pub(super) fn stick_turns(&self, settings: &Settings, secs: f64) -> (f64, f64) {
        let [right, up] = self.sticks.right;
        let degrees = settings.stick_speed * secs;
        let up = if settings.invert_mouse { -up } else { up };
        (-right * degrees, up * degrees)
    }
}

#[cfg(test)]
mod tests {
    use winit::event::MouseButton;
    use winit::keyboard::KeyCode;

    use super::*;

    #[test]
    fn keys_and_sticks_become_the_input_of_the_player_and_a_short_press_is_not_lost() {
        let bindings = Bindings::default();
        let mut controls = Controls::default();
        controls.key(Key::Code(KeyCode::KeyW), true);
        controls.key(Key::Code(KeyCode::ArrowLeft), true);
        controls.key(Key::Code(KeyCode::Space), true);
        controls.key(Key::Code(KeyCode::Space), false);
        controls.key(Key::Mouse(MouseButton::Left), true);
        let wanted = Input {
            forward: 1.0,
            right: -1.0,
            jump: true,
            grab: true,
            ..Input::default()
        };
        assert_eq!(controls.input(&bindings), wanted);
        controls.tick_done();
        let held = Input {
            jump: false,
            grab: false,
            ..wanted
        };
        assert_eq!(controls.input(&bindings), held);
        controls.sticks.left = [0.25, 0.5];
        let with_stick = Input {
            right: -0.75,
            ..held
        };
        assert_eq!(controls.input(&bindings), with_stick);
    }

    #[test]
    fn a_newly_bound_key_replaces_the_old_one() {
        let mut bindings = Bindings::default();
        bindings.set(Action::Jump, [Key::Code(KeyCode::KeyJ)]);
        let mut controls = Controls::default();
        controls.key(Key::Code(KeyCode::Space), true);
        assert!(!controls.input(&bindings).jump);
        controls.key(Key::Code(KeyCode::KeyJ), true);
        assert!(controls.input(&bindings).jump);
    }
}
